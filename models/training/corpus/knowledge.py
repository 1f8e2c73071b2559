"""Short general facts: capitals, colours, sounds, opposites, units and the calendar. Everything else is refused."""
from . import chat_openers, common_facts, everyday_facts, fact_clauses, fact_forms as forms, fact_gaps, fact_situations, jobs_and_uses, word_facts
from .fact_questions import MORE_QUESTIONS
from .lexicon import COLORS, DAYS, MONTHS, article, many, plural
from .phrasing import Turn, add_by_reply, ask

CAPITALS = dict(pair.split(":") for pair in (
    "France:Paris,Italy:Rome,Germany:Berlin,Spain:Madrid,Norway:Oslo,Peru:Lima,Egypt:Cairo,Japan:Tokyo,Portugal:Lisbon,Austria:Vienna,Ireland:Dublin,"
    "Greece:Athens,Ecuador:Quito,Kenya:Nairobi,England:London,Sweden:Stockholm,Finland:Helsinki,Denmark:Copenhagen,Poland:Warsaw,Hungary:Budapest,"
    "Belgium:Brussels,Switzerland:Bern,Russia:Moscow,Ukraine:Kyiv,Turkey:Ankara,China:Beijing,India:New Delhi,Canada:Ottawa,Brazil:Brasilia,"
    "Argentina:Buenos Aires,Chile:Santiago,Mexico:Mexico City,Cuba:Havana,Australia:Canberra,Thailand:Bangkok,Vietnam:Hanoi,South Korea:Seoul,"
    "the United States:Washington,the Netherlands:Amsterdam,the Czech Republic:Prague,Iceland:Reykjavik,Colombia:Bogota,Ghana:Accra,Iran:Tehran,Nigeria:Abuja,Venezuela:Caracas,Jamaica:Kingston,the Philippines:Manila").split(","))
UNITS = [("kilometer", "meter", 1000), ("kilogram", "gram", 1000), ("hour", "minute", 60), ("minute", "second", 60), ("day", "hour", 24),
    ("week", "day", 7),
         ("year", "month", 12), ("meter", "centimeter", 100), ("liter", "milliliter", 1000), ("dozen", "item", 12), ("centimeter", "millimeter", 10),
         ("ton", "kilogram", 1000), ("decade", "year", 10), ("century", "year", 100), ("foot", "inch", 12), ("yard", "foot", 3), ("year", "week", 52),
         ("kilobyte", "byte", 1000), ("megabyte", "kilobyte", 1000), ("gigabyte", "megabyte", 1000), ("euro", "cent", 100), ("dollar", "cent", 100),
             ("meter", "millimeter", 1000), ("pound", "ounce", 16), ("terabyte", "gigabyte", 1000), ("century", "decade", 10)]
SHORT_UNITS = {"kilometer": "km", "meter": "m", "kilogram": "kg", "gram": "g", "centimeter": "cm", "millimeter": "mm", "liter": "l",
    "milliliter": "ml", "hour": "h", "minute": "min"}
COLOR_OF = dict(pair.split(":") for pair in (
    "banana:yellow,cherry:red,lemon:yellow,tomato:red,carrot:orange,spinach:green,strawberry:red,plum:purple,grass:green,snow:white,milk:white,coal:black,"
    "the sky:blue,the sun:yellow,the sea:blue,an orange:orange,blood:red,chocolate:brown,a frog:green,a flamingo:pink,a polar bear:white,pumpkin:orange,cucumber:green,blueberry:blue,raspberry:red,sunflower:yellow,leaf:green,salt:white,sugar:white,cotton:white,"
    "rice:white,corn:yellow,broccoli:green,pea:green,avocado:green,eggplant:purple,crow:black,elephant:gray,pig:pink,swan:white,ruby:red,fire truck:red,stop sign:red,school bus:yellow,the ocean:blue,the night sky:black,the moon:white,cloud:white,tree:green,lettuce:green,lime:green,bone:white,tooth:white,butter:yellow,raven:black,wood:brown,coffee:brown,"
    "mud:brown,tire:black,flour:white,garlic:white,shark:gray,dolphin:gray,rhino:gray,goldfish:orange,canary:yellow,ladybug:red,emerald:green,ketchup:red,mustard:yellow,paper:white,Mars:red,a zebra:black and white,a penguin:black and white,"
    "a panda:black and white,cactus:green,crocodile:green,basketball:orange,tennis ball:yellow,bathtub:white,egg yolk:yellow,heart:red,kiwi:green,ghost:white,snowman:white,gorilla:black,chalk:white,celery:green,peanut:brown,lobster:red,beet:red,pumpkin pie:orange,soot:black,popcorn:white,chick:yellow,dandelion:yellow,potato:brown").split(","))
OPPOSITES = dict(pair.split(":") for pair in (
    "hot:cold,big:small,fast:slow,day:night,up:down,left:right,open:closed,happy:sad,light:dark,old:new,high:low,early:late,hard:soft,full:empty,"
    "rich:poor,strong:weak,long:short,wet:dry,loud:quiet,good:bad,true:false,easy:difficult,begin:end,buy:sell,win:lose,yes:no,in:out,above:below,first:last,push:pull,"
    "inside:outside,before:after,black:white,near:far,thick:thin,clean:dirty,love:hate,war:peace,life:death,summer:winter,top:bottom,north:south,east:west,boy:girl,man:woman,cheap:expensive,"
    "safe:dangerous,ugly:beautiful,laugh:cry,question:answer,give:take,come:go,friend:enemy,wide:narrow,deep:shallow,sweet:sour,always:never,more:less,male:female,start:finish,"
    "asleep:awake,alive:dead,same:different,on:off,remember:forget,arrive:leave,loose:tight,smooth:rough,smart:stupid,sharp:dull,lost:found,many:few,everything:nothing,hello:goodbye,possible:impossible,raw:cooked,guilty:innocent,"
    "ceiling:floor,polite:rude,public:private,add:subtract,float:sink,lock:unlock,victory:defeat,ancient:modern,increase:decrease,entrance:exit,multiply:divide,borrow:lend,teach:learn,rise:fall,plus:minus,maximum:minimum,sunrise:sunset,brother:sister,king:queen,father:mother,"
    "husband:wife,hero:villain,success:failure,lazy:hardworking,brave:cowardly,heaven:hell,attack:defend,accept:refuse,visible:invisible,optimist:pessimist,generous:stingy,tame:wild,vertical:horizontal,even:odd,"
    "positive:negative,past:future,create:destroy,honest:dishonest,lucky:unlucky,healthy:sick,break:repair,here:there,front:back,son:daughter,uncle:aunt,truth:lie,hope:despair,fresh:stale,shy:bold,major:minor,together:alone").split(","))
OPPOSITES.update({value: key for key, value in OPPOSITES.items() if value not in OPPOSITES} | {"heavy": "light", "young": "old", "large": "small", "noisy": "quiet",
    "tall": "short", "fat": "thin", "stop": "go", "quick": "slow", "tiny": "huge", "wrong": "right", "bright": "dark", "angry": "calm", "dry": "wet", "warm": "cool", "evening": "morning"})
SOUNDS = dict(pair.split(":")
    for pair in ("dog:barks,cat:meows,cow:moos,sheep:bleats,horse:neighs,lion:roars,duck:quacks,bee:buzzes,pig:oinks,bird:sings,wolf:howls,snake:hisses,"
    "donkey:brays,frog:croaks,owl:hoots,mouse:squeaks,rooster:crows,chicken:clucks,elephant:trumpets,bear:growls,crow:caws,turkey:gobbles,goose:honks,pigeon:coos,cricket:chirps,hyena:laughs").split(","))
LEGS = {"dog": 4, "cat": 4, "horse": 4, "spider": 8, "bird": 2, "ant": 6, "bee": 6, "cow": 4, "human": 2, "snake": 0, "fish": 0, "octopus": 8, "chicken": 2, "lion": 4, "tiger": 4,
    "elephant": 4, "rabbit": 4, "duck": 2, "mouse": 4, "sheep": 4, "pig": 4, "goat": 4, "frog": 4, "butterfly": 6, "fly": 6, "crab": 10, "worm": 0, "turtle": 4, "wolf": 4, "bear": 4, "camel": 4, "giraffe": 4,
    "zebra": 4, "penguin": 2, "owl": 2, "swan": 2, "person": 2, "beetle": 6, "mosquito": 6, "lizard": 4, "crocodile": 4, "donkey": 4, "fox": 4, "squirrel": 4, "whale": 0, "dolphin": 0, "snail": 0, "shark": 0, "scorpion": 8, "ladybug": 6,
    "eagle": 2, "parrot": 2, "deer": 4, "goose": 2}
UNCOUNTED = "lettuce butter cheese wood coffee mud flour garlic ketchup mustard paper Mars grass snow milk coal blood chocolate spinach salt sugar cotton rice corn broccoli chalk celery soot popcorn".split()


FACTS = [
    (["How many days are in a week?", "How many days does a week have?"], "A week has 7 days."),
    (["How many days are in a year?", "How many days does a year have?", "Days in a year?"], "A year has 365 days, and a leap year has 366."),
    (["How many continents are there?", "Number of continents?"], "There are seven continents."),
    (["What is the largest planet?", "Which planet is the biggest?", "Biggest planet of the solar system?"],
        "Jupiter is the largest planet of the solar system."),
    (["What is the smallest planet?", "Which planet is the smallest?"], "Mercury is the smallest planet of the solar system."),
    (["Which planet is closest to the sun?", "What planet is nearest to the sun?"], "Mercury is the planet closest to the sun."),
    (["What is the largest ocean?", "Which ocean is the biggest?", "Biggest ocean?"], "The Pacific Ocean is the largest ocean."),
    (["What is the highest mountain?", "Which mountain is the tallest?", "Highest mountain in the world?", "What is the tallest mountain on Earth?"],
        "Mount Everest is the highest mountain on Earth."),
    (["What is water made of?", "What is the formula of water?", "What is H2O?"], "Water is made of hydrogen and oxygen: H2O."),
    (["At what temperature does water boil?", "When does water boil?", "What is the boiling point of water?"], "Water boils at 100 degrees Celsius."),
    (["At what temperature does water freeze?", "When does water freeze?", "What is the freezing point of water?"],
        "Water freezes at 0 degrees Celsius."),
    (["Is the Earth flat?", "What shape is the Earth?", "Is the Earth round?"], "The Earth is round, almost like a ball."),
    (["What is the fastest animal?", "Which land animal is the fastest?"], "The cheetah is the fastest land animal."),
    (["What is the largest animal?", "Which animal is the biggest?", "Biggest animal in the world?"], "The blue whale is the largest animal."),
    (["How many letters are in the alphabet?", "How many letters does the English alphabet have?"], "The English alphabet has 26 letters."),
    (["How many sides does a triangle have?", "What is a triangle?"], "A triangle has three sides."),
    (["How many sides does a square have?", "What is a square?"], "A square has four equal sides."),
    (["How many sides does a hexagon have?", "What is a hexagon?"], "A hexagon has six sides."),
    (["What do bees make?", "What do bees produce?"], "Bees make honey."),
    (["What do cows eat?", "What does a cow eat?"], "Cows eat grass."),
    (["Why is the sky blue?", "What makes the sky blue?"], "The sky is blue because air scatters blue light more than red light."),
    (["What is the sun?", "Is the sun a star?"], "The sun is a star."),
    (["What is the moon?", "Tell me about the moon."], "The moon is a natural satellite of the Earth."),
    (["Who wrote Hamlet?", "Who wrote Romeo and Juliet?", "Who is Shakespeare?"], "William Shakespeare wrote Hamlet and Romeo and Juliet."),
    (["Who painted the Mona Lisa?", "Who is the painter of the Mona Lisa?"], "Leonardo da Vinci painted the Mona Lisa."),
    (["What is the speed of light?", "How fast is light?"], "Light travels at about 300,000 kilometers per second."),
    (["What is pi?", "What is the value of pi?"], "Pi is about 3.14159."),
    (["Who was Albert Einstein?", "Who is Einstein?"], "Albert Einstein was a physicist who created the theory of relativity."),
    (["What is gravity?", "Explain gravity."], "Gravity is the force that pulls things toward each other."),
    (["What is photosynthesis?", "Explain photosynthesis."],
        "Photosynthesis is how plants turn light, water and carbon dioxide into sugar and oxygen."),
    (["What is JavaScript?", "Explain JavaScript."], "JavaScript is the programming language of the web."),
    (["What is Python?", "Explain Python."], "Python is a popular programming language."),
    (["What is HTML?", "Explain HTML."], "HTML is the language in which web pages are written."),
    (["What is a database?", "Explain databases."], "A database is an organized store of data."),
    (["What is a browser?", "Explain what a browser is."], "A browser is a program that shows web pages."),
    (["Tell me a joke.", "Do you know a joke?", "Make me laugh.", "Say something funny.", "A joke please."],
        "Why did the computer go to the doctor? It had a virus."),
    (["Tell me a story.", "Write a short story.", "Tell me a short story."],
        "Once upon a time a small model lived in a browser. It answered every question as well as it could, and it was happy."),
    (["Write a poem.", "Write a short poem.", "Write me a haiku.", "Make a poem."],
        "A small model wakes,\nit answers inside the page,\nno word leaves the room."),
    (["Tell me a fun fact.", "Do you know a fun fact?", "Tell me something interesting."], "An octopus has three hearts."),
]
for _more in (MORE_QUESTIONS, fact_gaps.MORE, fact_situations.MORE, chat_openers.ASKED, fact_clauses.MORE):
    add_by_reply(FACTS, _more)


def capital(r):
    country = r.choice(list(CAPITALS))
    said = r.choice(forms.ALIASES.get(country, [country]) if r.random() < 0.6 else [country])
    adjective = country in forms.ADJECTIVES and r.random() < 0.1
    q = ask(r, forms.ADJECTIVE_CAPITAL, c=forms.ADJECTIVES[country]) if adjective else ask(r, forms.CAPITAL + ["What is the capital of {c}?", "[Which|What] [city|town] is {c}'s capital?", "[I have to know|I need|My quiz asks for] {c}'s capital[.|]",
        "[Where|In which city] is the [government|capital] of {c}?", "{c}: [capital|which capital|capital city]?", "[The |]capital city of {c}[?|]",
        "~What city serves as the capital of {c}?", "~Which town is the seat of government in {c}?", "Capital of {c}?", "Tell me the capital of {c}.",
        "Which city is the capital of {c}?",
        "Name the capital of {c}.", "Do you know the capital of {c}?", "{c} capital?", "What's {c}'s capital?", "What is the capital city of {c}?"],
        c=said if r.random() < 0.85 else said.lower())
    return [Turn(q, f"The capital of {country} is {CAPITALS[country]}.", f"The user asks for the capital of {country}.",
        brief=f"{CAPITALS[country]}.")]


def country_of(r):
    country = r.choice(list(CAPITALS))
    q = ask(r, forms.COUNTRY + ["Which country has the capital {c}?", "{c} is the capital of which country?", "What country is {c} the capital of?"],
        c=CAPITALS[country])
    return [Turn(q, f"{CAPITALS[country]} is the capital of {country}.", f"The user asks which country has the capital {CAPITALS[country]}.",
        brief=f"{country[0].upper() + country[1:]}.")]


def unit(r):
    big, small, factor = r.choice(UNITS)
    n = 1 if r.random() < 0.45 else r.randint(2, 12) if r.random() < 0.8 else r.choice([15, 20, 25, 30, 50, 100])
    if n == 1 and (big, small) == ("week", "day"):
        n = r.randint(2, 12)
    bigs, smalls = plural(big, n), plural(small, 2)
    if big in SHORT_UNITS and small in SHORT_UNITS and r.random() < 0.2:
        q = ask(r, ["How many {s} is {n} {b}?", "{n} {b} in {s}?", "Convert {n} {b} to {s}.", "{n} {b} = ? {s}",
            "[Turn|Change|Express|Give|Show] {n} {b} [into|in|to] {s}[.|]", "[How much|What] [is|are] {n} {b} in {s}?"], n=n, b=SHORT_UNITS[big],
            s=SHORT_UNITS[small])
    elif n == 1:
        q = ask(r, forms.UNIT_ONE + ["How many {s} are in {a}?", "How many {s} does one {b} have?", "Convert 1 {b} to {s}.", "How many {s} are there in one {b}?",
            "{a} has how many {s}?", "How many {s} make {a}?", "How many {s} in {a}?",
            "[What is|Give me|Tell me] {a} in {s}[?|.|]", "[A|One|1] {b} [is|equals|has|makes|contains] how many {s}?", "How [long|big|much] is {a} in {s}?",
            "[Turn|Change|Express] {a} [into|in] {s}.", "How many {s} [fit in|go into|do you get from|does it take for|add up to] {a}?"], s=smalls, b=big,
            a="an hour" if big == "hour" else article(big))
    else:
        q = ask(r, forms.UNIT_MANY + ["How many {s} are in {n} {b}?", "Convert {n} {b} to {s}.", "{n} {b} in {s}?", "What is {n} {b} in {s}?",
            "How many {s} are {n} {b}?", "{n} {b} to {s}", "How many {s} in {n} {b}?", "Can you convert {n} {b} to {s}?",
            "[Turn|Change|Express|Give|Show|Put|Write] {n} {b} [into|in|as] {s}[.|]", "{n} {b} [is|are|equal|equals|make|makes] how many {s}?",
            "[I have|We need|It takes|It is|That is] {n} {b}[.|,] [how many {s} is that|what is that in {s}|how much is this in {s}]?",
            "How many {s} [fit in|go into|do I get from|are there in|does one get from|make|make up] {n} {b}?", "[How much|How long|How big] [is|are] {n} {b} in {s}?"], s=smalls, n=n, b=bigs)
    total = n * factor
    return [Turn(q, f"{n} {bigs} = {total} {smalls}.", f"1 {big} is {factor} {smalls}. {n} * {factor} = {total}.", brief=f"{total} {smalls}.")]


def color_of(r):
    thing = r.choice(list(COLOR_OF))
    whole = thing.startswith(("the ", "a ", "an "))
    name = thing if whole or thing in UNCOUNTED else article(thing)
    x, y = r.sample([COLOR_OF[thing], r.choice([c for c in COLORS if c != COLOR_OF[thing]])], 2)
    if not whole and thing not in UNCOUNTED and r.random() < 0.2:
        q = ask(r, forms.COLORS_MANY, p=many(thing), P=many(thing).capitalize(), x=x, y=y)
    else:
        q = ask(r, forms.COLOR + ["What color is {k}?", "Which color does {k} have?", "What colour is {k}?", "Tell me the color of {k}.", "What is the color of {k}?",
            "[Name|Say] the [color|colour] of {k}.", "{k}: which [color|colour]?", "[Which|What] [color|colour] has {k}?", "[In which|What] color [do people see|should I paint|do I draw] {k}?"],
            k=name, K=name[0].upper() + name[1:], x=x, y=y)
    return [Turn(q, f"{name[0].upper() + name[1:]} is {COLOR_OF[thing]}.", f"The user asks for the color of {name}.",
        brief=f"{COLOR_OF[thing].capitalize()}.")]


def opposite(r):
    w = r.choice(list(OPPOSITES))
    q = ask(r, forms.OPPOSITE + ["What is the opposite of {w}?", "Opposite of {w}?", "Tell me the opposite of {w}.", "Give me the opposite of the word {w}.",
        "What is the antonym of {w}?", "[Name|Say|Find] the [opposite|contrary|antonym] of {w}.", "The [contrary|reverse|antonym|opposite word] of {w}[?|, please]",
        "What [word ]*[means|is] the opposite of {w}?", "Not {w} but what?", "If it is not {w}, it is what?", "[Which|What] word is the contrary of {w}?"], w=w)
    return [Turn(q, f"The opposite of {w} is {OPPOSITES[w]}.", f"The user asks for the opposite of {w}.", brief=f"{OPPOSITES[w].capitalize()}.")]


def animal(r):
    if r.random() < 0.5:
        a = r.choice(list(SOUNDS))
        if r.random() < 0.2:
            q = ask(r, forms.WHO_SOUNDS, s=SOUNDS[a])
        else:
            q = ask(r, forms.SOUND + ["What sound does {a} make?", "What does {a} do?", "Which sound does {a} make?", "What noise does {a} make?", "How does {a} sound?", "[Which|What] [sound|noise] [do we hear|comes] from {a}?"],
                a=article(a), A=article(a).capitalize())
        return [Turn(q, f"{article(a).capitalize()} {SOUNDS[a]}.", f"The user asks for the sound of {article(a)}.")]
    a = r.choice(list(LEGS))
    q = ask(r, forms.LEGS + ["How many legs does {a} have?", "How many legs has {a}?", "Number of legs of {a}?", "On how many legs does {a} [walk|stand|go]?", "Count the legs of {a}.", "{a} has how many legs?"],
        a=article(a), A=article(a).capitalize(), n=a, p=many(a), P=many(a).capitalize())
    return [Turn(q, f"{article(a).capitalize()} has {LEGS[a] or 'no'} legs.", f"The user asks for the legs of {article(a)}.")]


def calendar(r):
    names, what = r.choices([(DAYS, "day"), (MONTHS, "month"), (SEASONS, "season")], [9, 9, 2])[0]
    i, step = r.randrange(len(names)), r.choice([1, -1])
    around = (forms.TOMORROW if step == 1 else forms.YESTERDAY) if names is DAYS else forms.NEXT_MONTH if step == 1 else forms.LAST_MONTH
    q = ask(r, around, d=names[i]) if r.random() < 0.25 and names is not SEASONS else ask(r, forms.AFTER + ["Which {w} comes after {d}?", "What {w} is after {d}?", "What comes after {d}?",
        "Which {w} follows {d}?", "[What|Which] is the [next {w}|{w}] after {d}?", "After {d} comes [what|which {w}]?", "[Name|Tell me|Say] the {w} after {d}.", "{d} is over. Which {w} is [next|it now]?",
        "[The|Which] {w} [right|directly] after {d}?"] if step == 1 else forms.BEFORE + ["Which {w} comes before {d}?", "What {w} is before {d}?", "What comes before {d}?",
        "[What|Which] is the {w} before {d}?", "Before {d} comes [what|which {w}]?", "[Name|Tell me|Say] the {w} before {d}.", "[The|Which] {w} [right|directly] before {d}?", "Which {w} [precedes|is followed by] {d}?"], w=what,
        d=names[i], e=names[(i + 2 * step) % len(names)])
    answer = names[(i + step) % len(names)]
    return [Turn(q, f"{answer[0].upper() + answer[1:]} comes {'after' if step == 1 else 'before'} {names[i]}.",
        f"The user asks for the {what} {'after' if step == 1 else 'before'} {names[i]}.", brief=f"{answer.capitalize()}.")]


def fact(r):
    """A third are the single facts of this module."""
    if r.random() < 0.65:
        return r.choice(OTHER_FACTS)(r)
    questions, answer = r.choice(FACTS)
    return [Turn(ask(r, questions), answer, "The user asks for a short fact. I know this.")]


SEASONS = ["spring", "summer", "autumn", "winter"]
OTHER_FACTS = [country_of, opposite] + [common_facts.single] * 22 + everyday_facts.GENERATORS + jobs_and_uses.GENERATORS + word_facts.GENERATORS + [
    common_facts.young, common_facts.month_days, common_facts.place_in_order, common_facts.holiday, common_facts.landmark]
