"""Further things that people tell about themselves and ask for later: relatives, pets, favorites, numbers, places of things, plans."""
import random

from . import lexicon, words

NOTED = "OK, I will remember that."
DRINKS = "tea,coffee,milk,water,juice,cocoa,lemonade,red wine,beer,green tea,apple juice,black coffee,orange juice,iced tea,mint tea,ginger ale,hot chocolate,espresso,cola".split(",")
HOBBIES = ("chess,painting,photography,hiking,swimming,knitting,climbing,gardening,dancing,sailing,cycling,pottery,fishing,surfing,running,cooking,baking,reading,yoga,skiing,"
    "origami,archery,juggling,drawing,singing,camping,bird watching,rowing,tennis,fencing").split(",")
LANGUAGES = "French,German,Latin,Spanish,Chinese,Japanese,Italian,Russian,Arabic,Dutch,Polish,Swedish,Greek,Turkish,Korean,Finnish,Portuguese,Danish,Hindi,Czech".split(",")
INSTRUMENTS = "piano,guitar,violin,flute,drums,cello,trumpet,harp,saxophone,clarinet,banjo,organ,accordion,trombone,ukulele,viola".split(",")
CARS = "Volvo,Toyota,Ford,Fiat,Honda,Mazda,BMW,Skoda,Kia,Tesla,Opel,Audi,Jeep,Beetle,Renault,Peugeot,Mini,Porsche,Subaru,Dacia".split(",")
SEASONS = "spring summer autumn winter".split()
INSIDE = ("drawer,box,fridge,cupboard,bag,basket,locker,closet,kitchen,garage,hall,cellar,car,garden,office,attic,bathroom,jacket,backpack,suitcase,kitchen drawer,blue bag,"
    "green box,coat pocket,glove box,top drawer,mail room,gym bag,red jar,old tin,bedroom,living room").split(",")
UPON = "shelf,desk,table,sofa,bed,bookshelf,piano,bench,chair,kitchen table,window sill,washing machine,red carpet,armchair".split(",")


def person(r):
    return r.choice(lexicon.NAMES) if r.random() < 0.65 else lexicon.pseudo_word(r).capitalize()


def work_title(r):
    """A book, a film, a song."""
    text = words.title(r)
    return " ".join(w[0].upper() + w[1:] for w in text.split())


def firm(r):
    k = r.random()
    if k < 0.45:
        return lexicon.pseudo_word(r, 2).capitalize()
    return words.venue(r) if k < 0.8 else f"{r.choice(lexicon.SURNAMES)} {r.choice(['Bank', 'Group', 'Systems', 'Foods', 'Media', 'Motors', 'Labs', 'Books'])}"


def date(r):
    m, d = r.choice(lexicon.MONTHS), r.randint(1, 28)
    return r.choice([f"{m} {d}", f"{d} {m}", f"{m} {d}", f"{d}.{r.randint(1, 12)}.", f"the {d}th of {m}" if 3 < d < 21 else f"{m} {d}"])


def password(r):
    return r.choice([lexicon.identifier, lambda r: lexicon.pseudo_word(r) + str(r.randint(1, 999)), lambda r: r.choice(lexicon.WORDS) + r.choice("-_.") + r.choice(lexicon.WORDS),
        lambda r: r.choice(lexicon.WORDS).capitalize() + str(r.randint(10, 9999))])(r)


def spot(r):
    if r.random() < 0.6:
        return f"in the {r.choice(INSIDE)}"
    return f"{r.choice(['on', 'on', 'under', 'behind', 'next to', 'near'])} the {r.choice(UPON)}"


def digits(low, high):
    return lambda r: str(r.randint(low, high))


def of(options):
    return lambda r: r.choice(options)


def named(k, extra=()):
    """Somebody or something with a name: `k` is the noun."""
    return ([f"My {k} is [called|named] {{x}}.", f"My {k}'s name is {{x}}.", f"[I have|I've got] {lexicon.article(k)} [called|named] {{x}}.", f"The name of my {k} is {{x}}.", f"{{x}} is my {k}.",
        f"[This is|Meet] {{x}}, my {k}.", f"My {k}: {{x}}", f"I [have|got] {lexicon.article(k)}[, the name is|. The name is] {{x}}.",
        f"[I'm|I am] [waiting for|with|looking after] my {k} {{x}}[ today| right now|].", f"My {k} {{x}} [makes me laugh|is here|is lovely|was ill last week|says hi|has a birthday today].", *extra,
        f"[I thought of|I told everyone about|I have a photo of|I just saw|I miss] my {k} {{x}}[ today|].", f"[There is|Then there is|There's] {{x}}, my {k}.", f"[The one called|The name] {{x}} [is|belongs to] my {k}.", f"We [call|named] my {k} {{x}}.", f"[If I say {{x}}, I mean|When I talk of {{x}}, that's|You will hear of {{x}}, that's] my {k}.", f"[Did I tell you about|You should meet|Let me tell you about|Do you know] my {k}[? The name is|? It's|. The name is] {{x}}.", f"[It took me a while, but now I know|I looked it up|Don't mix it up]: my {k} is called {{x}}.", f"[On Monday|Last night|At noon|In town|At the station] I [met|saw|talked to] {{x}}, my {k}.", f"My {k} {{x}} [likes soup|was born in spring|has a red hat|came by train|hates the rain].", f"{{x}} [was here at six|sleeps a lot|is older than me|came to dinner], that's my {k}.",
        f"[Everyone laughs|People forget it|It's in my diary]: my {k} is called {{x}}.",
        f"~My {k} answers to {{x}}."], NOTED,
        [f"[What is|What's|What was] [my {k}'s name|the name of my {k}]?", f"[what is|what's|so what is|and what's] my {k} called?", f"Who is my {k}?", f"[Do|Can] you [remember|recall|tell me] [my {k}'s name|what my {k} is called|the name of my {k}]?",
            f"[Tell me|Say|Repeat|Give me] [my {k}'s name|the name of my {k}][ again| once more]*.", f"What did I say my {k} is called?", f"Which name does my {k} have?", f"My {k} is called what?",
            f"How is my {k} called?", f"[what|how] about my {k}?", f"[Remind|Tell] me what my {k} is called.", f"[What|Which] name did I [give|mention|tell you] for my {k}?", f"My {k}'s name was [what|which one][ again|]?", f"[So|And|OK,|Hey,] who is my {k}[ again|]?",
            f"What do we call my {k}?", f"What name goes with my {k}?", f"Who's my {k}?", f"My {k} has a name. [Which one|What is it]?", f"[And|So] my {k}'s name?", f"[I forgot|I can't think of] my {k}'s name. [What is it|What was it]?",
            f"[Someone|My friend|The doctor] asks what my {k} is called. What do I say?", f"By which name do I know my {k}?", f"[what was it|how was it] with my {k}'s name[ again|]?", f"[I told you about|You know] my {k}. [And the name?|What's the name?|How was the name?]", f"[Do you still know|Do you still have|I lost|It slipped my mind,] my {k}'s name[?|. Help me.]", f"[what did I say|who did I say] about my {k}, the name I mean?",
            f"[I write a card to|I want to introduce|I have to call] my {k}. [Which name do I write|What's the name|Which name was it]?", f"[So the name of my {k} is|My {k} goes by the name] ...?", f"[Before I forget it|Just checking|One more thing]: my {k}'s name?", f"~By what name does my {k} go?"], f"Your {k} is called {{x}}.", person)


def mine(k, make, told=(), asked=(), the="my", verb="is"):
    """A thing with a value: `k` is the noun, `the` is 'the' or 'my'."""
    your = "Your" if the == "my" else "The"
    return ([f"{the.capitalize()} {k} {verb} {{x}}.", f"{the.capitalize()} {k}: {{x}}", f"[Remember|Note|Please remember|Keep in mind] [that ]*{the} {k} {verb} {{x}}.", f"{{x}} {verb} {the} {k}.",
        f"{the.capitalize()} {k} {verb} {{x}}[, don't forget it|, keep that in mind|, by the way|, just so you know].", f"[Save|Store|Note|Write down] {{x}} as {the} {k}.", f"For {the} {k}, [note|remember|write|save] {{x}}.",
        f"[I found out that|They told me that|It turns out that|As you know,|I can tell you that] {the} {k} {verb} {{x}}.", f"[They say|I say|The note says|I wrote down that] {the} {k} {verb} {{x}}.",
        f"{the.capitalize()} {k} {verb} {{x}}, [as my wife knows too|since last Monday|at least for now|as my boss told me|but don't tell my brother|I had to look it up|my sister's is another one|it will stay so].", f"[My boss|My wife|The lady at the desk|A letter|The man on the phone] says {the} {k} {verb} {{x}}.",
        f"[After lunch|On Monday|In the end|At last|In March] I found out that {the} {k} {verb} {{x}}.", f"{{x}} - that's {the} {k}.", f"About {the} {k}: it {verb} {{x}}.", f"[I just looked it up|I checked twice|Don't ask me why, but|Finally I know it|If you ever need it|So that you don't have to ask][,|:] {the} {k} {verb} {{x}}.", f"[You asked for|You will need|Here comes|Somebody will ask for] {the} {k}[: |, it {verb} |. It {verb} ]{{x}}.", *told], NOTED,
        [f"What [{verb}|was] {the} {k}[ again]*?", f"[Tell me|Give me|Say|Repeat|Remind me of] {the} {k}[ again| once more]*.", f"[Do|Can] you [remember|recall|tell me] {the} {k}?",
            f"What did I say {the} {k} {verb}?", f"{the.capitalize()} {k} {verb} what?", f"[what|how] about {the} {k}?", f"Which {k} did I [mention|tell you|name|give you]?", f"[Remind|Tell] me what {the} {k} {verb}.", f"[I need|I forgot] {the} {k}. [What {verb} it|Can you tell me|Do you know it]?",
            f"[So|And|OK,|Hey,|Now] what {verb} {the} {k}[ again|]?", f"[Do you still know|Is it clear to you|I'm not sure anymore] what {the} {k} {verb}[?|, sorry.]", f"[It slipped my mind|I lost the note|My head is empty|I should know this], what {verb} {the} {k}?", f"[what did I say|what was it I said] about {the} {k}?", f"{the} {k}, [what was that|how was that|you know it]?",
            f"So {the} {k} {verb} ...?", f"[Before I go|Just checking|To be safe|One more thing|Back to the start]: {the} {k}?", f"[I told you|You heard|You read] {the} {k} [before|above|a while ago]. [And now I need it.|Say it again.|What {verb} it?]", f"[They want to know|Somebody wants|I have to enter|I must write down] {the} {k}. [What do I put?|What {verb} it?|What do I say?]", f"What do you have [as|down as|noted as] {the} {k}?", *asked, f"~Recall {the} {k} for me."],
        f"{your} {k} {verb} {{x}}.", make)


NAMED = {"sister": ["My [little|big|older|younger] sister is [called |]{x}."], "brother": ["My [little|big|older|younger] brother is [called |]{x}."], "cat": ["[I feed|I stroke|I adore] my cat {x}[ every day|]."],
    "mother": ["My mom is called {x}."], "father": ["My dad's name is {x}."], "son": ["My son {x} [goes to school|is six|plays football]."], "daughter": ["My daughter {x} [goes to school|is six|likes horses]."],
    "wife": ["[I'm|I am] married to {x}, my wife."], "husband": ["[I'm|I am] married to {x}, my husband."], "teacher": ["[I learn|I take lessons] with my teacher {x}."], "boss": ["[I work for|I report to] my boss {x}."],
    "neighbor": ["Next door lives {x}, my neighbor."], "cousin": [], "aunt": [], "uncle": [], "roommate": ["I share a flat with my roommate {x}."], "doctor": [], "coach": [], "partner": [], "dentist": [],
    "colleague": ["I share my desk with my colleague {x}."], "grandmother": [], "rabbit": [], "hamster": [], "parrot": [], "horse": ["I ride my horse {x} every day."], "goldfish": [], "boat": [], "baby": [], "girlfriend": [],
    "boyfriend": [], "niece": [], "nephew": [], "landlord": [], "band": ["I play in a band called {x}."],
    **{k: [] for k in "tutor,lawyer,manager,assistant,twin,turtle,snake,pony,bird,plant,robot,ship,grandfather,guide,client,student,bunny,donkey,kitten,stepfather,godmother,plumber,trainer,pen pal,teammate,guest,hero,drummer,nurse".split(",")}}
FOODS = "pie,toast,stew,ramen,lasagna,waffles,chili,dumplings,omelette,risotto,yoghurt,popcorn,crackers,olives,pickles,pudding,sorbet,brownies,muffins,nachos".split(",")
TREES = "oak,birch,maple,pine,willow,beech,elm,cedar,ash,linden".split(",")
FAVORITES = {"snack": (FOODS, [], ["What do I like to snack on?"]), "dish": (FOODS, ["The dish {x} is the one I love."], []), "dessert": (FOODS, ["For dessert I always want {x}."], ["Which dessert do I want?"]), "tree": (TREES, [], []),
    "month": (lexicon.MONTHS, ["I like {x} best of all months."], ["Which month do I like[ best]*?"]), "city": (lexicon.random_city, [], []), "singer": (person, ["I listen to the singer {x}."], ["Which singer do I listen to?"]), "author": (person, ["I read everything by the author {x}."], ["Which author do I read?"]),
    "actor": (person, [], []), "player": (person, [], []), "painter": (person, [], []), "restaurant": (words.venue, ["I always eat at the restaurant {x}."], ["Which restaurant do I like?"]), "museum": (words.venue, [], []), "shop": (words.venue, [], []), "cafe": (words.venue, [], []),
    "tool": (lexicon.NOUNS, [], []), "toy": (lexicon.NOUNS, [], []), "planet": ("Mars Venus Saturn Jupiter Mercury Neptune Uranus".split(), [], []), "language": (LANGUAGES, [], []), "topic": (lexicon.TOPICS, [], []), "series": (work_title, ["I watch the series {x}."], ["Which series do I watch?"]), "drink": (DRINKS, ["I [always |usually |mostly ]*drink {x}[ at breakfast| every day|].", "[I'd like|I'll have] {x}, as always."], ["What do I [like|love] to drink?", "What should you pour me?"]),
    "book": (work_title, ["I [love|am reading|keep reading] the book {x}."], ["Which book do I [love|like|read]?"]),
    "film": (work_title, ["I [love|could always watch] the film {x}."], ["Which film do I [love|like]?"]), "movie": (work_title, ["The movie I like best is {x}."], ["Which movie do I [love|like]?"]),
    "song": (work_title, ["I [love|always hum] the song {x}."], ["Which song do I [love|like|hum]?"]), "sport": (words.SPORTS, ["I [play|do|love] {x}, it's my sport."], ["Which sport do I [like|do|play]?"]),
    "animal": (words.ANIMALS, ["I love the {x} most of all animals."], ["Which animal do I [like|love][ best| most]*?"]), "season": (SEASONS, ["I [like|love] {x} most of all seasons."], ["Which season do I [like|love][ best]*?"]),
    "subject": (words.SUBJECTS, ["At school I [like|love] {x} best."], ["Which subject do I [like|love][ best]*?"]), "band": (firm, ["I listen to the band {x} all day."], ["Which band do I [like|listen to]?"]),
    "day": (lexicon.DAYS, ["I like {x} best of all days."], ["Which day do I [like|love][ best]*?"]), "flower": ("rose tulip lily daisy orchid sunflower violet poppy lotus iris".split(), [], ["Which flower do I like[ best]*?"]),
    "fruit": ("apple,banana,mango,pear,cherry,grape,melon,plum,peach,kiwi,fig,papaya".split(","), [], ["Which fruit do I like[ best]*?"]), "game": (work_title, ["I play {x}, my favorite game."], ["Which game do I [like|play]?"])}
NUMBERED = {**{k: (make, "my", [], []) for names, make in (("account number,customer number,member number,ticket number,booking number,student number,case number", lexicon.identifier), ("platform,floor,apartment,parking spot,bus stop,bike number,start number", digits(1, 400)),
    ("zip code", digits(10000, 99999)), ("project,class,course,club", firm), ("deadline,exam date", date), ("height", lambda r: f"{r.randint(150, 199)} cm"), ("checkout time,wake-up time,bedtime,alarm", words.clock), ("star sign", of("Aries,Leo,Libra,Virgo,Gemini,Pisces,Taurus".split(","))),
    ("goal,plan", of(HOBBIES)), ("address,hometown,birthplace", lexicon.random_city), ("train", lexicon.identifier)) for k in names.split(",")},
    "phone number": (words.phone, "my", ["[Call|Reach|Text] me [at|on] {x}, that's my phone number."], []), "room number": (digits(2, 999), "my", ["[I'm|I am] [staying ]*in room {x}.", "They gave me room {x}."], ["[Which|What] room am I in?"]),
    "flight": (lexicon.identifier, "my", ["I [fly|leave] with flight {x}[ tomorrow|]."], ["Which flight do I take?"]), "seat": (lexicon.identifier, "my", ["I sit in seat {x}."], ["Where do I sit?"]),
    "table": (digits(1, 60), "my", ["We sit at table {x}.", "We have table {x} tonight."], ["[Which|What] table [do I have|is mine]?"]), "wi-fi password": (password, "the", ["[Log in with|Use] {x} as the wi-fi password."], ["How do I [get into the wi-fi|log into the wifi]?", "What's the wifi password?"]),
    "password": (password, "my", ["[Save|Note|Store] the password {x}."], []), "pin": (digits(1000, 9999), "my", ["[Save|Note] the pin {x}."], []), "locker": (digits(1, 400), "my", ["I have locker {x}."], ["Which locker is mine?"]),
    "gate": (lexicon.identifier, "my", ["I leave from gate {x}."], ["Which gate do I need?"]), "bus": (digits(1, 400), "my", ["I take bus {x}[ to work| home|]."], ["Which bus do I take?"]),
    "order number": (lexicon.identifier, "my", ["I ordered something, the order number is {x}."], []), "ticket": (lexicon.identifier, "my", ["I bought ticket {x}."], ["Which ticket did I buy?"]), "license plate": (lexicon.identifier, "my", ["My car has the license plate {x}."], []),
    "email": (lexicon.email, "my", ["[Write to me|You reach me|Contact me] at {x}."], ["What is my [email address|mail address]?"]), "shoe size": (digits(33, 48), "my", ["I wear shoe size {x}."], ["Which shoe size do I wear?"]),
    "booking code": (lexicon.identifier, "my", [], []), "username": (password, "my", ["I log in as {x}, that's my username."], []), "street": (firm, "my", ["I live on a street called {x}."], ["Which street do I live on?"]),
    "car": (of(CARS), "my", ["I drive a {x}.", "I [have|bought] a car, a {x}."], ["[What|Which] car do I [drive|have]?"]), "school": (firm, "my", ["I [go to|study at|am a student at] {x}, that's my school."], ["[Which|What] school do I go to?"]),
    "hotel": (words.venue, "my", ["I'm staying at a hotel called {x}.", "I booked a room at the hotel {x}."], ["[Which|What] hotel did I book?", "In which hotel am I staying?"]), "hobby": (of(HOBBIES), "my", ["I [love|enjoy] {x} in my free time.", "I spend my [weekends|evenings|free time] on {x}, my hobby."],
        ["What do I do in my free time?", "What do I do for fun?"]), "nickname": (person, "my", ["They gave me the nickname {x}."], []), "last name": (of(lexicon.SURNAMES), "my", ["My surname is {x}."], ["What is my [surname|family name]?"]),
    "instrument": (of(INSTRUMENTS), "my", ["I play the {x}.", "I [practice|am learning] the {x}, my instrument."], ["[What|Which] instrument do I play?"]), "size": (of(["S", "M", "L", "XL", "36", "40", "42"]), "my", ["I wear size {x}."], ["Which size do I wear?"]),
    "team": (firm, "my", ["I [am a fan of|support] the team {x}."], ["Which team do I support?"])}
SPECIAL = {
    "company": (["I work [for|at] {x}.", "My [company|employer] is {x}.", "I have a job at {x}.", "[I'm|I am] employed [at|by] {x}.", "They hired me at {x}.", "My company is called {x}.", "~{x} pays my wages."], NOTED,
        ["[Which company|Who] do I work for?", "What is my [company|employer]?", "[Do|Can] you [remember|tell me] [who I work for|my company]?", "Where did I say I work?", "Who is my employer?", "~Which firm employs me?"], "You work for {x}.", firm),
    "birthday": (["My birthday is[ on]* {x}.", "I was born on {x}.", "I celebrate my birthday on {x}.", "I have my birthday on {x}.", "Birthday: {x}", "It's my birthday on {x}.", "~Mark {x}, that is my birthday."], NOTED,
        ["When is my birthday?", "On which day is my birthday?", "When was I born?", "[Do|Can] you [remember|tell me] [my birthday|when my birthday is|when I was born]?", "[What|Which] date is my birthday?", "When do I celebrate?", "~When will I blow out candles?"], "Your birthday is on {x}.", date),
    "allergy": (["[I'm|I am] allergic to {x}.", "I have an allergy to {x}.", "I can't stand {x}, I'm allergic.", "My allergy: {x}", "I get ill from {x}, it's an allergy.", "~{x} makes me sneeze, an allergy."], NOTED,
        ["What am I allergic to?", "What is my allergy?", "[Do|Can] you [remember|tell me] [my allergy|what I'm allergic to]?", "Which allergy do I have?", "What must I stay away from?", "~What makes me ill?"], "You are allergic to {x}.", of(words.ALLERGENS)),
    "language": (["[I'm|I am] learning {x}.", "I [study|started to learn|take lessons in] {x}.", "At the moment I learn {x}.", "I have a {x} course every week.", "~I try to pick up some {x}."], NOTED,
        ["[What|Which] language [am I learning|do I learn|do I study]?", "What am I learning?", "[Do|Can] you [remember|tell me] which language I am learning?", "~Which tongue am I studying?"], "You are learning {x}.", of(LANGUAGES)),
    "trip": (["[I'm|I am] [flying|going|travelling|driving] to {x} [tomorrow|next week|in May|on Friday].", "I have a trip to {x} [soon|next month].", "I [booked|planned] a trip to {x}.", "Next week I will be on a trip to {x}.", "My next trip is to {x}.", "~I'm off to {x} soon."], NOTED,
        ["Where am I [going|flying|travelling]?", "Where is my trip to?", "[Do|Can] you [remember|tell me] where I am [going|travelling]?", "Where does my [next ]*trip go?", "[Which city|What place] will I visit?", "~Where to, my trip?"], "You are going to {x}.", lexicon.random_city)}
PUT = {"keys": "are", "passport": "is", "glasses": "are", "wallet": "is", "phone": "is", "bike": "is", "umbrella": "is", "book": "is", "gift": "is", "tickets": "are", "money": "is", "spare key": "is", "laptop": "is", "medicine": "is", "letter": "is"}
"""Things that are put somewhere."""

KEEPSAKES = {k: named(k, extra) for k, extra in NAMED.items()}
KEEPSAKES.update({f"favorite {k}": mine(f"favorite {k}", make if callable(make) else of(make),
    [f"My favourite {k} is {{x}}.", f"The {k} I [like|love] [best|most] is {{x}}.", f"If I had to choose {lexicon.article(k)}, it would be {{x}}.", *told], [f"What's my favourite {k}?", f"[What|Which] {k} is my favorite?", *asked])
    for k, (make, told, asked) in FAVORITES.items()})
KEEPSAKES.update({k: mine(k, make, told, asked, the) for k, (make, the, told, asked) in NUMBERED.items()})
KEEPSAKES.update({f"place of {k}": ([f"My {k} {v} {{x}}.", f"I [put|left|keep|hid] my {k} {{x}}.", f"[Remember|Note] that my {k} {v} {{x}}.", f"I always leave my {k} {{x}}.", f"[So that I don't search again|For when I search again|I always forget it, so]: my {k} {v} {{x}}.", f"[Tidied up|I tidied up|I cleaned the house] and put my {k} {{x}}.", f"[Please remember for me|Can you keep in mind|If I ever ask you]: I put my {k} {{x}}.", f"You [will find|find|can find] my {k} {{x}}.", f"I [forgot|dropped|placed|stored|saw] my {k} {{x}}.", f"[If you look for|If I look for] my {k}: {'they are' if v == 'are' else 'it is'} {{x}}.",
    f"{{x}}, that is where my {k} {v}.", f"[My son|My sister|The cleaner|My husband] put my {k} {{x}}.", f"[After work|On Monday|Last night|Before the trip] I put my {k} {{x}}.", f"My {k} {v} {{x}}, [my wife knows it too|since last Monday|as always|not far from the door].", f"So that the kids can't find my {k}, I hid {'them' if v == 'are' else 'it'} {{x}}.",
    f"In case I ask: my {k} {v} {{x}}.", f"~My {k} can be found {{x}}."], NOTED,
    [f"Where {v} my {k}?", f"Where did I [put|leave] my {k}?", f"[Do|Can] you [remember|tell me] where my {k} {v}?", f"I can't find my {k}. Where did I put {'them' if v == 'are' else 'it'}?",
        f"Where [should|do] I look for my {k}?", f"Where can I find my {k}?", f"I need my {k}. Where {v} {'they' if v == 'are' else 'it'}?", f"[Remind|Tell] me where [I put my {k}|my {k} {v}].", f"Where did my {k} go?", f"Where did I say my {k} {v}?", f"[In|At] [what|which] place did I put my {k}?", f"I lost my {k}. [Where do I look|Where should I look]?", f"My {k} {v} where?", f"Which place did I tell you for my {k}?", f"Where did I last put my {k}?", f"[My wife|My son|Somebody] is looking for my {k}. Where {v} {'they' if v == 'are' else 'it'}?",
        f"I have to go, but where {v} my {k}?", f"[where did I say|where was it that] I put my {k}[ again|]?", f"[I searched the whole house for|I turned everything over for|No trace of] my {k}. [Where {v} {'they' if v == 'are' else 'it'}?|Any idea what I told you?]", f"[Do you still know|I forgot|It slipped my mind] where my {k} {v}[?|. Help me.]", f"[I'm late and I need|I'm at the door and need|I'm looking for] my {k}. [Where?|Where do I find {'them' if v == 'are' else 'it'}?]", f"my {k}, where {'were they' if v == 'are' else 'was it'} again?",
        f"[What did I do with|What did I say about] my {k}, where {v} {'they' if v == 'are' else 'it'}?", f"~Have you an idea where my {k} {v}?"], f"Your {k} {v} {{x}}.", spot) for k, v in PUT.items()})
KEEPSAKES.update(SPECIAL)
_r = random.Random(26)
ANYTHING = {f"{first} {_r.choice(lexicon.NOUNS)}" for _ in range(100) for first in ("favorite", _r.choice(lexicon.NOUNS), _r.choice(lexicon.ADJECTIVES))}
ANYTHING = sorted(k for k in ANYTHING if k not in KEEPSAKES and k.split()[1] not in KEEPSAKES)
"""Labels of any words, so that a question is not taken for the nearest kind."""
KEEPSAKES.update({k: mine(k, lambda r: r.choice([lexicon.value, lexicon.odd_code])(r)) for k in ANYTHING})
WEIGHTS = {**{k: 3.2 / len(NAMED) for k in NAMED}, **{f"favorite {k}": 2.0 / len(FAVORITES) for k in FAVORITES}, **{k: 4.0 / len(NUMBERED) for k in NUMBERED},
    **{f"place of {k}": 1.2 / len(PUT) for k in PUT}, **{k: 0.5 for k in SPECIAL}, **{k: 6.0 / len(ANYTHING) for k in ANYTHING}}
"""How often each is told, where one of the kinds of `profile` counts as one."""
ALIKE = [{"age", "number", "code", "word", "room number", "phone number", "password", "pin", "locker", "order number", "ticket", "wi-fi password", "booking code", "zip code", "bike number", "start number"} | {k for k in NUMBERED if k.endswith(" number")}, {"name", "nickname", "last name", "username"},
    {"city", "trip", "hotel", "street", "favorite city", "address", "hometown", "birthplace"}, {"food", "allergy", "favorite dish", "favorite snack", "favorite dessert", "favorite fruit"}, {"favorite film", "favorite movie"}, {"hobby", "favorite sport", "goal", "plan"}, {"band", "favorite band"},
    {"size", "shoe size"}, {"favorite book", "place of book"}, {"flight", "ticket", "place of tickets", "ticket number"}, {"cat", "kitten"}, {"rabbit", "bunny"}, {"wake-up time", "alarm", "appointment"}, {"language", "favorite language"}, {"phone number", "place of phone"}]
"""Kinds whose questions could mean each other: only one of them is told in a chat."""
