"""What children learn first: parts that are counted, senses, homes, food, mixed colours, animals and planets by description, and what kind of thing something is."""
from . import fact_enquiries
from .lexicon import article, capitalized, many
from .phrasing import Turn, ask

COUNTED = [tuple(entry.split(":")) for entry in (
    "tricycle:wheels:three,motorcycle:wheels:two,unicycle:wheels:one,table:legs:4,chair:legs:4,insect:legs:6,violin:strings:four,cello:strings:four,piano:keys:88,chessboard:squares:64,die:faces:six,cube:faces:six,"
    "cube:corners:eight,rectangle:sides:four,circle:corners:no,foot:toes:five,starfish:arms:five,octopus:arms:eight,octopus:hearts:three,clock:hands:two,million:zeros:six,thousand:zeros:three,hundred:zeros:two,"
    "basketball team:players:five,baseball team:players:nine,volleyball team:players:six,deck of cards:cards:52,coin:sides:two,quartet:players:four,trio:players:three,nickel:cents:five,dime:cents:ten,quarter:cents:25,"
    "stop sign:sides:eight,traffic light:colors:three,season:months:three,weekend:days:two,glove:fingers:five,shirt:sleeves:two,camera tripod:legs:3,bird:wings:two,butterfly:wings:four,airplane:wings:two,ukulele:strings:four,ice hockey team:players:six,unicorn:horns:one,heart:chambers:four,hand:thumbs:one,cube:edges:12,heptagon:sides:seven,"
    "decagon:sides:ten,golf course:holes:18,basketball game:quarters:four,dollar:dimes:ten,sonnet:lines:14,limerick:lines:five,American flag:stars:50,American flag:stripes:13,skateboard:wheels:four,scooter:wheels:two,snowflake:sides:six,sphere:corners:no,billion:zeros:nine,cat:lives:nine,person:arms:two,person:ears:two").split(",")]
COUNTED_FORMS = [
    "How many {p} does {a} have?", "How many {p} [has|are on|are there in] {a}?", "{A} has [...|___|how many] {p}[?|.|]", "{p} of {a}[?|]",
        "[number|amount] of {p} [of|for] {a}[?|]", "{A}: how many {p}?",
    "[Quiz|Trivia|Test]: how many {p} does {a} have?", "[Do you happen to know|Any idea|Can you tell me|Do you know] how many {p} {a} has?",
    "[I wonder|I forgot|Remind me|My kid asks|I'd like to know|I always forget|We are guessing] how many {p} {a} has[.|]",
        "[Think of|Imagine|Take|I am drawing|Here is|Look at] {a}. How many {p} [does it have|has it|are there]?",
    "[Complete|Fill in|Finish]: {A} has [...|___] {p}", "If I count the {p} of {a}, how many [are there|do I get|do I find]?",
        "[Count|Give me the number of|Tell me the number of] the {p} of {a}[.|]", "What is the number of {p} of {a}?",
    "how many {p} on {a}[?|]", "{A} has how many {p}?", "~What's the count of {p} for {a}?"]
SENSES = {"see": "eyes", "hear": "ears", "smell": "nose", "taste": "tongue", "walk": "legs", "chew": "teeth", "think": "brain", "touch things": "fingers", "breathe": "lungs"}
USE_FORMS = [
    "What do [we|people|you|I] {v} with?", "With what do [we|people|you] {v}?",
        "[Which|What] [part of the body|body part] do [we|people|you] [use to {v}|{v} with|need to {v}]?", "We {v} with our [...|___|what?]",
    "What helps [us|me|people] [to ]*{v}?", "[Quiz|Body]: we {v} with what?", "[Do you happen to know|Any idea|Can you tell me|Do you know] what we {v} with?",
        "[My kid asks|I wonder|Tell me|My son asked me|Remind me] what people {v} with[.|]",
    "How can [people|we] {v}? With [which|what] part of the body?", "[Complete|Finish]: We {v} with our [...|___]", "To {v}, people use their [...|___|what?]",
        "Which of our parts lets us {v}?"]
ORGAN_FORMS = [
    "What [are {o} for|do we do with our {o}|can we do with our {o}|do people use their {o} for|do our {o} do for us]?", "Why do [people|we] have {o}?",
        "What do I need my {o} for?", "With our {o} we [...|___|do what?]",
    "[Quiz|Body]: what are {o} for?", "{o}, what for[?|]", "[My kid asks|Tell me|I wonder] what {o} are for[.|]", "[Complete|Finish]: With our {o} we can [...|___]"]
HOMES = {"bird": "a nest", "bee": "a hive", "spider": "a web", "fish": "water", "ant": "an anthill", "bear": "a cave", "horse": "a stable", "cow": "a barn",
    "pig": "a sty", "rabbit": "a burrow", "camel": "the desert", "penguin": "the cold south",
    "polar bear": "the Arctic", "shark": "the sea", "monkey": "the jungle", "king": "a castle", "wolf": "a den", "dolphin": "the sea", "frog": "a pond",
        "squirrel": "a tree", "hen": "a coop", "mole": "the ground", "kangaroo": "Australia", "fox": "a den"}
HOME_FORMS = [
    "Where does {a} live?", "Where do {m} live?", "[What|Where] is the home of {a}?", "home of {a}[?|]", "{A} lives in [...|___|what?|which place?]",
        "In what does {a} [live|sleep]?", "Where [can I find|would I look for|do you find] {a}?",
    "[Quiz|Animals|Trivia]: where does {a} live?", "[Do you happen to know|Any idea|Can you tell me|Do you know] where {a} lives?",
        "[I wonder|Remind me|My kid asks|I'd like to know|My daughter asked me] where {a} lives[.|]",
    "I am drawing {a} at home. Where does it live?", "{A} goes home. Where is that?", "[Complete|Finish]: {A} lives in [...|___]", "{m} live where?", "Where would {a} feel at home?"]
EATS = {"rabbit": "carrots", "squirrel": "nuts", "monkey": "bananas", "lion": "meat", "horse": "hay", "sheep": "grass", "goat": "grass", "cat": "meat", "dog": "meat",
    "anteater": "ants", "tiger": "meat", "wolf": "meat", "penguin": "fish", "seal": "fish",
    "chicken": "grain", "pelican": "fish", "frog": "flies", "bird": "seeds and worms", "mouse": "seeds", "giraffe": "leaves", "caterpillar": "leaves",
        "elephant": "plants", "bear": "fish, berries and honey", "deer": "plants"}
EAT_FORMS = [
    "What does {a} eat?", "What do {m} eat?", "[What|Which food] does {a} [like to eat|like|live on]?", "{A} eats [...|___|what?]", "food of {a}[?|]", "food for {m}[?|]",
        "What [can|should|do] I feed {a}?", "What [is the food|is the favorite food] of {a}?",
    "[Quiz|Animals|Trivia]: what does {a} eat?", "[Do you happen to know|Any idea|Can you tell me|Do you know] what {m} eat?",
        "[I wonder|Remind me|My kid asks|I'd like to know|My daughter asked me] what {m} eat[.|]",
    "We saw {a} [today|at the zoo|on the farm]. What does it eat?", "{A} is hungry. What does it eat?", "[Complete|Finish]: {A} eats [...|___]", "What goes into the bowl of {a}?"]
MADE_OF = {"bread": "flour", "cheese": "milk", "butter": "milk", "wine": "grapes", "paper": "wood", "glass": "sand", "chocolate": "cocoa beans", "yogurt": "milk",
    "ketchup": "tomatoes", "flour": "wheat", "jam": "fruit", "leather": "the skin of animals",
    "popcorn": "corn", "raisins": "grapes", "a snowman": "snow", "an omelette": "eggs", "french fries": "potatoes", "a candle": "wax", "cream": "milk",
        "orange juice": "oranges", "apple juice": "apples", "a sweater": "wool", "a tire": "rubber",
    "toast": "bread", "pasta": "flour", "a brick": "clay", "a window": "glass", "jeans": "cotton", "guacamole": "avocados", "steel": "iron", "plastic": "oil", "beer": "barley", "tofu": "soybeans", "chips": "potatoes", "a book": "paper", "a coin": "metal",
    "lemonade": "lemons", "a T-shirt": "cotton"}
MADE_FORMS = [
    "what [is|are] {k} made [of|from]?", "From what do [we|people|you] make {k}?", "[What|Which thing] do [we|people|you] make {k} from?",
        "{K} [is|are] made from [...|___|what?]", "What must I have to make {k}?",
    "Where does {k} come from?", "Out of what [is|are] {k} made?", "[Quiz|Trivia]: {k} [is|are] made of what?",
        "[Do you happen to know|Any idea|Can you tell me|Do you know] what {k} [is|are] made of?",
    "[I wonder|Remind me|My kid asks|I'd like to know|My daughter asked me] what {k} [is|are] made of[.|]", "{k}, made of what[?|]",
        "[Complete|Finish]: {K} [is|are] made from [...|___]"]
PLURAL_STUFF = ("raisins", "french fries", "jeans", "chips")
MIXED = {("red", "yellow"): "orange", ("blue", "yellow"): "green", ("red", "blue"): "purple", ("red", "white"): "pink", ("black", "white"): "gray", ("red", "green"): "brown"}
MIX_FORMS = [
    "What color do {x} and {y} make?", "What do you get [if|when] you mix {x} and {y}?", "[Which|What] color [is|comes from|do I get from] {x} [and|plus|with] {y}?",
        "{x} and {y} [make|give|mixed make] [...|___|what?|which color?]", "{x} + {y} = [?|which color?|...]",
    "I mix {x} [paint ]*[and|with] {y}[ paint]*. [What color do I get|Which color is it|What comes out]?", "mix {x} and {y}[?|, what color?|]",
        "[Quiz|Art]: {x} mixed with {y}?", "If I [mix|put together|stir] {x} and {y}, [which|what] color [is it|do I get|comes out]?",
    "[Do you happen to know|Any idea|Can you tell me|Do you know] [which|what] color {x} and {y} make?",
        "[My kid asks|I wonder|I forgot|Remind me|I am painting and wonder] what {x} and {y} make[.|]", "What shade comes of {x} with {y}?"]
MIXED_FROM = [
    "How do I [mix|make|get] {z} [paint|color]?", "[Which|What] [two ]*colors make {z}?",
        "[Which|What] colors [do I mix|do I need|must I mix|are needed] [for|to get|to make] {z}?", "{z} is made [of|from] [which|what] [two ]*colors?",
        "I need {z} paint. Which two colors do I mix?",
    "[Quiz|Art]: which colors make {z}?", "{z} = [...|___|?] and [...|___|?]", "mix of [which|what] colors is {z}[?|]"]
KINDS = {name: kind for kind, names in {
    "fruit": "apple,banana,cherry,lemon,strawberry,plum,orange,pear,peach,grape,mango,pineapple,melon,kiwi,lime", "vegetable": "carrot,cucumber,potato,onion,cabbage,beet,radish,leek",
    "animal": "dog,cat,horse,cow,sheep,goat,lion,tiger,elephant,rabbit,mouse,wolf,bear,camel,monkey",
        "bird": "crow,eagle,owl,swan,duck,parrot,pigeon,sparrow,ostrich,robin,gull", "fish": "shark,salmon,tuna,trout,goldfish,herring",
    "insect": "bee,ant,fly,wasp,beetle,butterfly,mosquito,cricket", "reptile": "snake,lizard,crocodile,turtle", "flower": "rose,tulip,daisy,lily,sunflower,violet",
        "tree": "oak,pine,birch,maple,elm,willow",
    "musical instrument": "guitar,piano,violin,flute,drum,trumpet,harp", "tool": "hammer,saw,screwdriver,drill,wrench",
        "vehicle": "car,bus,truck,train,motorcycle,tractor", "piece of furniture": "table,chair,sofa,bed,desk,wardrobe",
    "piece of clothing": "shirt,jacket,sock,dress,coat,sweater", "shape": "circle,rectangle,oval", "drink": "tea,coffee,lemonade,juice",
        "metal": "iron,gold,silver,copper", "color": "red,blue,green,yellow,purple",
    "sport": "tennis,volleyball,basketball,hockey", "planet": "Mars,Venus,Jupiter,Saturn", "season": "spring,summer,autumn,winter",
        "continent": "Africa,Asia,Europe", "country": "France,Japan,Brazil,Egypt,Canada,Norway", "city": "Paris,London,Rome,Berlin,Tokyo",
    "gas": "oxygen,hydrogen,helium", "language": "French,English,Spanish", "day of the week": "Monday,Friday,Sunday", "month": "January,April,July", "part of the body": "nose,knee,elbow,shoulder,finger", "building": "church,castle,school", "game": "chess,checkers"}.items() for name in names.split(",")}
BARE = {"drink", "metal", "color", "sport", "planet", "season", "continent", "country", "city", "gas", "language", "day of the week", "month", "game"}
LIKE = [{"animal", "bird", "fish", "insect", "reptile"}, {"metal", "color"}, {"sport", "game"}]
"""Kinds that are not told apart in a question, because a thing can be both."""
RIVALS = {"fruit": "vegetable", "vegetable": "fruit", "flower": "tree", "tree": "flower", "bird": "plant", "fish": "plant", "animal": "plant", "insect": "plant", "reptile": "plant"}
KIND_FORMS = [
    "What [kind|type|sort] of thing is {k}?", "What is {k}?", "what's {k}[?|]", "Is {k} [{f} or {o}|{o} or {f}]?", "{K}: {f} or {o}?", "Is {k} {f}?",
        "{K} is [what kind of thing|what sort of thing|a kind of what]?", "[Quiz|Trivia]: {k}, {f} or {o}?",
    "[Do you happen to know|Any idea|Can you tell me|Do you know] what {k} is?",
        "[I wonder|Remind me|My kid asks|I'd like to know|My daughter asked me|Tell me] what {k} is[.|]", "[I wonder|My kid asks|We are arguing:] is {k} {f} or {o}?",
    "I say {k} is {f}. Am I right?", "What do you call {k}: {f} or {o}?", "[Explain|Define] {k}.", "Does {k} count as {f}[ or {o}]*?",
        "[Sort this|Which group]: {k}. {F} or {o}?", "~How would you class {k}?"]
for _name, _lines in fact_enquiries.EVERYDAY.items():
    globals()[_name].extend(_lines)


def counted(r):
    a, parts, n = r.choice(COUNTED)
    name = article(a)
    q = ask(r, COUNTED_FORMS, a=name, A=capitalized(name), p=parts)
    return [Turn(q, f"{capitalized(name)} has {n} {parts[:-1] if n == 'one' else parts}.", f"The user asks for the {parts} of {name}.")]


def sense(r):
    v = r.choice(list(SENSES))
    o = SENSES[v]
    if r.random() < 0.3 and o.endswith("s"):
        q = ask(r, ORGAN_FORMS, o=o)
    else:
        q = ask(r, USE_FORMS, v=v)
    return [Turn(q, f"We {v} with our {o}.", f"The user asks about our {o}.")]


def home(r):
    a = r.choice(list(HOMES))
    name = article(a)
    return [Turn(ask(r, HOME_FORMS, a=name, A=name.capitalize(), m=many(a)), f"{name.capitalize()} lives in {HOMES[a]}.", f"The user asks where {name} lives.")]


def eats(r):
    a = r.choice(list(EATS))
    name = article(a)
    return [Turn(ask(r, EAT_FORMS, a=name, A=name.capitalize(), m=many(a)), f"{name.capitalize()} eats {EATS[a]}.", f"The user asks what {name} eats.")]


def made_of(r):
    k = r.choice(list(MADE_OF))
    start = k[0].upper() + k[1:]
    one = "are" if k in PLURAL_STUFF else "is"
    forms = [line.replace("[is|are]", one).replace("does {k}", "do {k}" if one == "are" else "does {k}") for line in MADE_FORMS]
    return [Turn(ask(r, forms, k=k, K=start), f"{start} {one} made from {MADE_OF[k]}.", f"The user asks what {k} {one} made of.")]


def mixed(r):
    x, y = pair = r.choice(list(MIXED))
    z = MIXED[pair]
    if r.random() < 0.35:
        q = ask(r, MIXED_FROM, z=z)
    else:
        a, b = (x, y) if r.random() < 0.5 else (y, x)
        q = ask(r, MIX_FORMS, x=a, y=b)
    return [Turn(q, f"{x.capitalize()} and {y} make {z}.", f"The user asks about mixing colors to {z}.")]


def kind_of(r):
    k = r.choice(list(KINDS))
    kind = KINDS[k]
    name = k if kind in BARE else article(k)
    one = article(kind)
    if r.random() < 0.6:
        other = r.choice(sorted(set(KINDS.values()) - next((kinds for kinds in LIKE if kind in kinds), {kind})))
    else:
        other = RIVALS.get(kind, "animal")
    other = article(other)
    asked_first, second = (one, other) if r.random() < 0.5 else (other, one)
    start = name[0].upper() + name[1:]
    return [Turn(ask(r, KIND_FORMS, k=name, K=start, f=asked_first, F=asked_first.capitalize(), o=second), f"{start} is {one}.", f"The user asks what {name} is.",
        brief=f"{one.capitalize()}.")]


GENERATORS = [counted, sense, home, eats, made_of, mixed, kind_of]
