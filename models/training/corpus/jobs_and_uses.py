"""Who does which job, what a thing is for, with what a sport is played, names of groups, of male and female animals, where meat comes from, and continents."""
from . import fact_enquiries
from .lexicon import article, capitalized
from .phrasing import Turn, ask

JOBS = {"firefighter": "puts out fires", "doctor": "helps sick people", "dentist": "looks after teeth", "teacher": "teaches children", "baker": "bakes bread",
    "farmer": "grows food", "pilot": "flies planes", "butcher": "sells meat",
    "tailor": "sews clothes", "mechanic": "repairs cars", "barber": "cuts hair", "plumber": "repairs water pipes", "carpenter": "builds things of wood",
        "chef": "cooks in a restaurant", "waiter": "brings the food in a restaurant",
    "vet": "treats sick animals", "astronaut": "travels into space", "astronomer": "studies the stars", "author": "writes books", "librarian": "works in a library",
        "judge": "decides in court", "photographer": "takes photos",
    "gardener": "looks after plants", "electrician": "repairs electric wires", "mail carrier": "brings the mail", "police officer": "catches thieves",
        "architect": "designs houses", "florist": "sells flowers", "shepherd": "looks after sheep",
    "miner": "digs for coal", "sailor": "works on a ship", "actor": "plays in films", "fisherman": "catches fish", "lifeguard": "saves swimmers",
        "detective": "solves crimes", "beekeeper": "keeps bees", "nurse": "cares for people in the hospital",
    "bus driver": "drives a bus", "singer": "sings songs", "painter": "paints pictures", "composer": "writes music", "cashier": "takes the money in a shop",
        "cobbler": "repairs shoes", "programmer": "writes software"}
WHAT_JOB = ["What does {a} do[ all day| at work| for a living]*?", "[What is|What's] {a}?", "[What is|What's] the [job|work] of {a}?",
    "[Explain|Describe|Define|Tell me about] the job of {a}[.|]", "My [uncle|aunt|neighbor|dad|mom|sister] is {a}. What is that?",
    "{A} is somebody who [...|___|does what?]", "[Quiz|Jobs]: what does {a} do?", "What kind of work does {a} do?",
        "[My kid asks|I wonder|Tell me|I'd like to know] what {a} does[.|]", "If I become {a}, what will I do?", "Why do we need {a}?", "{a}, what job is that[?|]"]
WHO_JOB = ["Who {d}?", "[What do you call|What's the name for|What is the word for] [somebody|a person|someone] who {d}?",
    "[Which|What] [job|profession] is it when somebody {d}?", "[Quiz|Jobs]: who {d}?", "[Somebody|A person] who {d} is called [...|___|what?]",
    "[Do you know|Any idea|Can you tell me|Do you happen to know] who {d}?", "[My kid asks|I wonder|I forgot|Tell me] who {d}[.|]",
        "My [uncle|aunt|friend|neighbor] {d}. What is [the job called|that job]?", "A person that {d}, what is that?", "I met somebody who {d}. What job is that?"]
USES = {thing: use for thing, use in (entry.split(":") for entry in (
    "hammer:hit nails,saw:cut wood,key:open a lock,umbrella:stay dry in the rain,clock:tell the time,thermometer:measure the temperature,ruler:measure a length,scale:weigh things,compass:find north,knife:cut food,spoon:eat soup,"
    "pen:write,eraser:rub out pencil marks,broom:sweep the floor,ladder:climb up high,fridge:keep food cold,oven:bake a cake,kettle:boil water,washing machine:wash clothes,needle:sew,telescope:look at the stars,microscope:see tiny things,"
    "camera:take photos,lamp:light a room,bed:sleep,chair:sit,towel:dry yourself,toothbrush:clean your teeth,comb:comb your hair,calculator:do sums,calendar:look up the date,map:find the way,dictionary:look up words,shovel:dig a hole,"
    "axe:chop wood,vacuum cleaner:clean the carpet,helmet:protect your head,parachute:jump out of a plane,bucket:carry water,wallet:keep money,mirror:see yourself,toaster:toast bread,fishing rod:catch fish,stamp:send a letter,"
    "printer:print on paper,bell:make a ringing sound,whistle:make a loud sound,fan:cool the air,heater:warm a room,lock:keep a door shut,bookmark:find the page again,boat:travel on water,backpack:carry things on your back").split(","))}
FOR_WHAT = ["What is {a} [used |]for?", "What do [you|people|we] [use {a} for|do with {a}|need {a} for]?", "[What can I|What could I|What do I] do with {a}?",
    "[Why do people have|Why do I need] {a}?", "[Quiz|Things]: what is {a} for?", "{A} is used to [...|___|do what?]",
    "I found {a}. What do I do with it?", "[Explain|Tell me|I wonder|My kid asks] what {a} is for[.|]", "{a}, what for[?|]", "What is the [use|purpose|point] of {a}?",
        "For what do [we|people] use {a}?"]
WITH_WHAT = ["What do you use to {v}?", "What do I use to {i}?", "[Which|What] [thing|tool|object] do I need to {i}?", "I want to {i}. What do I need?",
    "With what [can|do] you {v}?", "What helps me to {i}?", "[Quiz|Things]: you use it to {v}. What is it?",
    "What [do you call|is the name of] the thing you use to {v}?", "You use it to {v}. What is it?",
        "[Tell me|I wonder|My kid asks] what you use to {v}[.|]", "I have to {i}. What do I take?"]
SPORTS = {"tennis": "a racket and a ball", "baseball": "a bat and a ball", "golf": "a club and a small ball", "ice hockey": "a stick and a puck",
    "basketball": "a ball and two baskets", "badminton": "a racket and a shuttlecock",
    "bowling": "a heavy ball and ten pins", "soccer": "a ball and two goals", "volleyball": "a ball and a net", "table tennis": "a paddle and a small ball",
        "darts": "small arrows and a round board", "chess": "32 pieces on a board"}
PLAY = ["[With what|What with] is {s} played?", "What do [I|you|we] need [to play|for] {s}?", "What do people [play {s} with|use in {s}]?",
    "[Quiz|Sports]: {s} is played with what?", "I want to play {s}. What do I need?", "{S} is played with [...|___|what?]", "What do I have to buy for {s}?"]
PLAYED = ["[Which|What] [sport|game] is played with {w}?", "We play with {w}. [Which game|What] is it?", "[Quiz|Sports]: the game with {w}?",
    "In [which|what] game [do people|do I|do you] use {w}?", "I have {w}. What can I play?"]
GROUPS = dict(pair.split(":") for pair in "lions:pride,wolves:pack,sheep:flock,birds:flock,fish:school,bees:swarm,cows:herd,elephants:herd,crows:murder,geese:gaggle,ants:colony,puppies:litter,whales:pod,horses:herd,dogs:pack".split(","))
GROUP = ["What is a group of {p} [called|named]?", "What do [you|we|people] call [a group of|many|several] {p}[ together]*?", "[Quiz|Animals]: a group of {p}?",
    "A group of {p} is [called|a] [...|___|what?]", "[Name|word] for a group of {p}[?|]", "[Tell me|I wonder|Do you know|My kid asks] what a group of {p} is called[.|]",
    "I see a lot of {p} together. What is that called?", "Many {p} together are [...|what?|___]"]
SEXES = {("horse", "female"): "mare", ("horse", "male"): "stallion", ("chicken", "male"): "rooster", ("chicken", "female"): "hen", ("cow", "male"): "bull", ("sheep",
    "female"): "ewe", ("sheep", "male"): "ram", ("pig", "female"): "sow", ("pig", "male"): "boar",
    ("lion", "female"): "lioness", ("deer", "female"): "doe", ("deer", "male"): "buck", ("duck", "male"): "drake", ("goose", "male"): "gander", ("cat",
        "male"): "tomcat", ("fox", "female"): "vixen", ("tiger", "female"): "tigress"}
SEX = ["What is a {s} {a} called?", "What do [you|we|people] call a {s} {a}?", "[Name|word] [of|for] a {s} {a}[?|]", "A {s} {a} is [called|a] [...|___|what?]",
    "[Quiz|Animals]: a {s} {a}?", "[Tell me|I wonder|Do you know|My kid asks] what a {s} {a} is called[.|]", "The {a} is {s}. What is it called?"]
SEX_BACK = ["[What is|What's] {z}?", "{y} is a {s} [...|what?|___]", "Is {z} male or female?", "[Which|What] animal is {z}?", "[Explain|Define] the word {b}[.|]"]
COMES_FROM = {"beef": "cows", "pork": "pigs", "ham": "pigs", "bacon": "pigs", "mutton": "sheep", "silk": "silkworms", "veal": "calves", "ivory": "elephants"}
FROM = ["Where does {k} come from?", "[Which|What] animal [gives us|is used for] {k}?", "From [which|what] animal [is|do we get] {k}?",
    "{K} comes from [...|___|which animal?]", "[Quiz|Animals]: {k} is from which animal?", "What animal is {k}?", "[Tell me|I wonder|My kid asks] where {k} comes from[.|]",
    "{k}, from which animal[?|]"]
CONTINENT = {country: continent for continent, countries in {"Europe": "France,Germany,Spain,Italy,Greece,Poland,Sweden,Norway,Portugal,England,Austria,Ireland",
    "Asia": "China,Japan,India,Thailand,Vietnam,Nepal,Iran", "Africa": "Egypt,Kenya,Morocco,Ghana,South Africa",
    "South America": "Brazil,Argentina,Peru,Chile,Colombia", "North America": "Canada,the United States,Mexico"}.items() for country in countries.split(",")}
WHERE = ["[Which|What] continent is {c} [in|on|part of]?", "On [which|what] continent [is|lies|do I find] {c}?", "{c} is on [which|what] continent?",
    "To [which|what] continent does {c} belong?", "{c}: [which|what] continent?", "Is {c} in {x} or {y}?", "The continent of {c} is [...|___|which?]",
    "[Quiz|Geography]: {c} is on which continent?",
    "[Tell me|I wonder|My kid asks|I'd like to know|Do you know] [which|what] continent {c} is on[.|]", "I am flying to {c}. [Which|What] continent is that?",
        "Is {c} in {x}?", "{c}, continent[?|]"]
for _name, _lines in fact_enquiries.JOBS.items():
    globals()[_name].extend(_lines)


def job(r):
    """What somebody does, or who does it: the same sentence."""
    name, does = r.choice(list(JOBS.items()))
    a = article(name)
    q = ask(r, WHAT_JOB, a=a, A=capitalized(a)) if r.random() < 0.5 else ask(r, WHO_JOB, d=does)
    return [Turn(q, f"{capitalized(a)} {does}.", f"The user asks what {a} does.")]


def use(r):
    """What a thing is for, or what is needed for something: the same sentence."""
    name, does = r.choice(list(USES.items()))
    a = article(name)
    q = ask(r, FOR_WHAT, a=a, A=capitalized(a)) if r.random() < 0.5 else ask(r, WITH_WHAT, v=does, i=does.replace("your", "my"))
    return [Turn(q, f"{capitalized(a)} is used to {does}.", f"The user asks about the use of {a}.")]


def sport(r):
    """With what a sport is played."""
    name, things = r.choice(list(SPORTS.items()))
    q = ask(r, PLAY, s=name, S=capitalized(name)) if r.random() < 0.5 else ask(r, PLAYED, w=things)
    return [Turn(q, f"{capitalized(name)} is played with {things}.", f"The user asks about {name}.")]


def group(r):
    """The name of many animals together."""
    p = r.choice(list(GROUPS))
    return [Turn(ask(r, GROUP, p=p), f"A group of {p} is called {article(GROUPS[p])}.", f"The user asks for the name of a group of {p}.", brief=f"{capitalized(article(GROUPS[p]))}.")]


def male_or_female(r):
    """The name of a male or female animal, or what such a name means."""
    a, s = r.choice(list(SEXES))
    z = article(SEXES[a, s])
    if r.random() < 0.3:
        return [Turn(ask(r, SEX_BACK, z=z, y=capitalized(z), s=s, b=SEXES[a, s]), f"{capitalized(z)} is a {s} {a}.", f"The user asks what {z} is.")]
    return [Turn(ask(r, SEX, a=a, s=s), f"A {s} {a} is called {z}.", f"The user asks for the name of a {s} {a}.", brief=f"{capitalized(z)}.")]


def comes_from(r):
    """From which animal something comes."""
    k = r.choice(list(COMES_FROM))
    return [Turn(ask(r, FROM, k=k, K=capitalized(k)), f"{capitalized(k)} comes from {COMES_FROM[k]}.", f"The user asks where {k} comes from.")]


def continent(r):
    """The continent of a country."""
    c = r.choice(list(CONTINENT))
    x, y = r.sample([CONTINENT[c], r.choice(sorted(set(CONTINENT.values()) - {CONTINENT[c]}))], 2)
    return [Turn(ask(r, WHERE, c=c, x=x, y=y), f"{capitalized(c)} is in {CONTINENT[c]}.", f"The user asks for the continent of {c}.", brief=f"{CONTINENT[c]}.")]


GENERATORS = [job, job, job, use, use, use, sport, group, male_or_female, comes_from, continent, continent]
