"""Short lists: always the first items of a category in its fixed order."""
from . import lexicon
from chat_format import dumps
from .phrasing import Turn, ask

CATEGORIES = {k: v.split(",") for k, v in {
    "fruits": "apple,banana,cherry,grape,lemon,mango,melon,orange,peach,pear", "animals": "dog,cat,horse,cow,sheep,lion,tiger,bear,wolf,rabbit",
    "colors": "red,blue,green,yellow,orange,purple,pink,brown,black,white",
        "vegetables": "carrot,potato,onion,tomato,cabbage,pea,bean,leek,garlic,spinach",
    "cities": "Paris,London,Berlin,Madrid,Rome,Tokyo,Vienna,Lisbon,Oslo,Cairo",
        "countries": "France,Germany,Italy,Spain,Japan,Brazil,Canada,India,China,Egypt",
    "tools": "hammer,saw,drill,wrench,pliers,screwdriver,chisel,file", "planets": "Mercury,Venus,Earth,Mars,Jupiter,Saturn,Uranus,Neptune",
    "days of the week": ",".join(lexicon.DAYS), "months": ",".join(lexicon.MONTHS), "seasons": "spring,summer,autumn,winter",
    "birds": "eagle,sparrow,robin,owl,parrot,swan,duck,crow", "fish": "salmon,tuna,trout,cod,shark,carp",
        "insects": "ant,bee,fly,beetle,butterfly,mosquito",
    "drinks": "water,tea,coffee,juice,milk,lemonade", "sports": "football,tennis,swimming,running,basketball,cycling,skiing,golf",
    "programming languages": "Python,JavaScript,Java,C,Rust,Go,Ruby,Swift", "musical instruments": "piano,guitar,violin,drum,flute,trumpet,harp",
    "flowers": "rose,tulip,daisy,lily,sunflower,orchid", "trees": "oak,pine,maple,birch,willow,palm",
        "metals": "iron,gold,silver,copper,aluminum,lead,zinc",
    "languages": "English,Spanish,French,German,Chinese,Japanese,Arabic,Russian", "jobs": "teacher,doctor,nurse,engineer,baker,farmer,pilot,lawyer",
    "shapes": "circle,square,triangle,rectangle,star,hexagon", "oceans": "Pacific,Atlantic,Indian,Arctic,Southern",
        "continents": "Africa,Antarctica,Asia,Australia,Europe,North America,South America",
    "clothes": "shirt,trousers,jacket,dress,hat,shoes,socks,scarf", "names": "Ana,Ben,Carla,David,Elena,Felix,Grace,Hugo",
        "vehicles": "car,bus,train,bike,plane,ship,truck,tram",
    "kitchen items": "knife,fork,spoon,plate,cup,pan,pot,bowl", "rooms": "kitchen,bedroom,bathroom,living room,office,hall",
        "school subjects": "math,English,history,biology,physics,music,art",
    "web browsers": "Chrome,Firefox,Safari,Edge,Opera", "furniture": "table,chair,bed,sofa,desk,shelf", "emotions": "joy,sadness,anger,fear,surprise",
        "numbers": "1,2,3,4,5,6,7,8,9,10",
    "even numbers": "2,4,6,8,10,12,14,16", "odd numbers": "1,3,5,7,9,11,13,15",
        "features of infetch": "private chat in the page,OpenAI-style endpoints,offline use,metering on the device,draft invoices",
    "letters": "A,B,C,D,E,F,G,H", "vowels": "A,E,I,O,U"}.items()}
SYNONYMS = {"colours": "colors", "farm tools": "tools", "instruments": "musical instruments", "professions": "jobs", "weekdays": "days of the week",
    "days": "days of the week", "feelings": "emotions",
            "months of the year": "months", "first names": "names", "beverages": "drinks", "browsers": "web browsers",
                "coding languages": "programming languages", "capital cities": "cities"}
MAX_PLAIN = 7
REQUESTS = ["List {n} {c}.", "Name {n} {c}.", "Give me {n} {c}.", "Can you list {n} {c}?", "Write a list of {n} {c}.", "Tell me {n} {c}.",
    "I need {n} {c}.", "Show me {n} {c}.", "{n} {c}", "Please list {n} {c}.",
            "What are {n} {c}?", "Can you name {n} {c}?", "Could you give me a list of {n} {c}?", "Make a list of {n} {c}.", "Suggest {n} {c}.",
                "Think of {n} {c}.", "[What|Which] {n} {c} [do you know|can you name|come to mind|are there]?",
                "[I want|I'd like|I'd love|We need|Show me|Find me|Get me|Write down|Write|Enumerate|Provide|Produce|Mention|Choose|Pick] {n} {c}[ please| for me]*.",
    "[A|The|Short] list [of|with] {n} {c}[, please| please|]", "[Do you know|Can I have|May I have|How about|Got] {n} {c}?",
    "{n} [examples|kinds|names] of {c}[, please|]", "[Give|Name|List|Tell] [me ]*{n} [examples|kinds] of {c}.",
    "[I am looking for|I'm looking for|I have to write down|My homework asks for|For my homework I need] {n} {c}.", "~Come up with {n} {c}.",
    "~Enumerate {n} {c} for us.", "~Could I get {n} {c}?"]
OPEN = ["List some {c}.", "Name some {c}.", "Give me a list of {c}.", "List a few {c}.", "Can you name some {c}?", "Write a list of {c}.",
    "What are some {c}?", "Show me a list of {c}.", "[Some|A few|Several] {c}[, please| please|]", "[Which|What] {c} [do you know|are there|can you name]?",
    "[I need|I want|I'd like] [some|a few|a list of|several] {c}.", "[Write|Tell me|Mention|Suggest] [some|a few|several] {c}.", "~Enumerate {c}.",
    "~Any {c} you can think of?"]


def choose(r):
    """(name as asked, items, count word, items wanted)."""
    name = r.choice(list(CATEGORIES))
    items = CATEGORIES[name]
    shown = name
    if r.random() < 0.25:
        same = [k for k, v in SYNONYMS.items() if v == name]
        shown = r.choice(same) if same else name
    n = r.randint(2, min(MAX_PLAIN, len(items)))
    return shown, items, (str(n) if r.random() < 0.5 else lexicon.ONES[n]), n


def list_turn(r):
    name, items, count, n = choose(r)
    style = r.choices(["dash", "number", "comma", "plain"], [50, 25, 15, 10])[0]
    if r.random() < 0.15:
        n = min(5, len(items))
        q = ask(r, OPEN, c=name)
    else:
        q = ask(r, REQUESTS, n=count, c=name)
    items = items[:n]
    thought = f"The user wants a list of {n} {name}."
    if style == "number":
        q += r.choice([" Use a numbered list.", " Number them.", " As a numbered list.", " Numbered, please."])
        return [Turn(q, "\n".join(f"{i + 1}. {x}" for i, x in enumerate(items)), thought, plain=False)]
    if style == "comma":
        q += r.choice([" Separate them with commas.", " On one line.", " Comma separated.", " As a comma separated list."])
        return [Turn(q, ", ".join(items), thought, plain=False)]
    if style == "plain" and r.random() < 0.5:
        q += r.choice([" Use bullets.", " As bullet points.", " Use a bulleted list."])
    return [Turn(q, "\n".join(f"- {x}" for x in items), thought, plain=False)]


def array_turn(r):
    name, items, count, n = choose(r)
    q = ask(r, ["Give me {n} {c} as a JSON array.", "Give me {n} {c} as JSON.", "List {n} {c} as JSON.", "Return a JSON array of {n} {c}.",
        "{n} {c} as JSON", "JSON array with {n} {c}, please.", "Write {n} {c} as a JSON list.",
                "Name {n} {c} in JSON.", "List {n} {c} in JSON format.", "Please list {n} {c} as a JSON array."], n=count, c=name)
    values = [int(x) if x.isdigit() else x for x in items[:n]]
    return [Turn(q, dumps(values), f"The user wants {n} {name} as a JSON array.", plain=False)]


COUNT = ["[Count|Please count|Can you count|Count for me] [to|up to|until|till] {b}[ please]*[.|?|]", "[Count|Go|Write the numbers|Say the numbers|List the numbers] from {a} to {b}[ please]*[.|]",
    "[The|All] numbers from {a} to {b}[, please|][.|]", "~Recite the numbers {a} to {b}."]
DOWN = ["[Count|Go] [down|backwards|back] from {b}[ to {a}]*[.|]", "[Start|Do] a countdown from {b}[.|]", "~Go down from {b} to {a}."]


def counting(r):
    """Numbers in order, up from any start or down to 1."""
    a = 1 if r.random() < 0.6 else r.randint(2, 90)
    b = a + r.randint(2, 11 if a == 1 else 9)
    say = lexicon.number_word if r.random() < 0.3 else str
    if a == 1 and r.random() < 0.3:
        return [Turn(ask(r, DOWN, a=say(1), b=say(b)), ", ".join(map(str, range(b, 0, -1))), f"I count down from {b} to 1.", plain=False)]
    lines = COUNT if a == 1 else COUNT[1:]
    return [Turn(ask(r, lines, a=say(a), b=say(b)), ", ".join(map(str, range(a, b + 1))), f"I count from {a} to {b}.", plain=False)]
