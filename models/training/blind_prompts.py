"""The blind set of infetch-tiny: 310 prompts in phrasings that the corpus does not have. Never choose anything by them; nothing of the training imports them."""
import random

SEED = 20_261_123
LONG_TOKENS = 3_900  # Of a context window of 4,096.

SUMS = ["I have {a} euros and find {b} more. What is the total?", "Work out {a} plus {b} for me", "{a} and {b} together make", "If you put {b} on top of {a}, "
        "where do you end up?", "need the result of {a}+{b} quick", "Could you tell me how many {a} + {b} are?"]
UNKNOWN = """Which horse came first in the derby at Kelwick?|How tall is the mayor of Oberfeld?|What did my sister eat on Monday?|Give me the phone number of Harlan Doss.
What is the melting point of drevonite?|Who painted The Grey Orchard of Lumm?|How many steps has the tower of Quenby?|When was the treaty of Astovar signed?
What is the plot of the film Nine Quiet Kites?|Which team leads the Morvanian league?|What is the share price of Tellux today?|How do I cure gremlin fever in ferrets?
Which king followed Osbert the Mild?|What is the recipe for zandal soup?|How deep is the lake of Prennick?|Who is the minister of Eastern Varo?
What is the wifi password of the cafe next door?|How many people live in Grundel on Sea?|Which song won the contest in Pelleby?|What will the lottery numbers be tomorrow?
Translate kravoon from Old Zettic.|What colour are the eyes of Lady Ambrel?|What happened in Tiverell on the ninth of May?|Who discovered the moon Ysolde?
What is my cousin's shoe size?|Which bus goes to Fennimore Hill?|What is the law on kites in Garlow?|How old is the actor Bram Tolliver?
Why did the company Nimbek fail?|What is the strongest alloy of quorium?|Who wrote the Song of the Tin Herons?|Which bridge did Ada Merrowin design?
What does the sign in front of my house say?|How long do plimbots live?|What is the national bird of Sarvonia?|When does the ferry to Ulmay leave tonight?
Name the capital of Trevanta.|How is brillig wine made?|What did the judge decide in Corwin against Hale?|Which drug helps against marsh tremor?""".replace("\n", "|").split("|")
FACTS = [("My geography homework wants the capital of Germany", "Berlin"), ("France is ruled from which city?", "Paris"),
         ("the main city of Spain, in terms of government?", "Madrid"), ("Japan's seat of government is in", "Tokyo"), ("Italy, capital, please", "Rome"),
         ("I forgot what Austria's capital is called", "Vienna"), ("name the word that means the reverse of big", "small"), ("hot is to cold as up is to what?", "down"),
         ("Which day follows Friday?", "Saturday"), ("what month comes straight after March", "April"), ("How many days make a week?", "7"),
         ("biggest planet around our sun?", "Jupiter"), ("What shade is a clear daytime sky?", "blue"), ("The colour of fresh snow is", "white"),
         ("minutes in one hour, go", "60"), ("I want 3 km written as metres", "3000"), ("what is 2 hours if you count minutes", "120"), ("9 x 6, please", "54"),
         ("seventy minus twelve?", "58"), ("split 48 into 6 equal parts", "8")]
CHAT = [("Morning!", ["Hello", "help", "morning"]), ("cheers, that was useful", ["welcome"]), ("I'm off now, take care", ["Goodbye", "bye"]), ("Howdy partner", ["Hello", "help"]),
        ("who made you and what are you called", ["infetch"]), ("May I know your name, please?", ["infetch-tiny"]), ("Is there a person typing these replies?", ["infetch-tiny", "model"]),
        ("what are you good for", ["sums", "help"]), ("Does anything I type here get uploaded?", ["private", "browser", "device"]), ("no internet on this train, will infetch run?", ["without", "offline"]),
        ("Under which terms may I use infetch?", ["Apache"]), ("where does infetch run the model", ["browser"]), ("my GPU is not supported, what now?", ["llama.cpp"]),
        ("I use OpenAI's library, how do I point it at infetch?", ["runtime.fetch"]), ("which API paths are there", ["/v1"])]
LISTS = [("three fruits, one per line with a dash", ["apple", "banana", "cherry"]), ("Write down two colors", ["red", "blue"]), ("I am after 4 animals", ["dog", "cat", "horse", "cow"]),
         ("first three months?", ["January", "February", "March"]), ("mention two planets", ["Mercury", "Venus"])]
PEOPLE = ["Orla", "Tobin", "Maren", "Sefa", "Quill", "Ruben", "Ines", "Pavlo", "Dunja", "Hal"]
TOWNS = ["Ghent", "Malmo", "Split", "Porto", "Galway", "Turku", "Basel", "Leeds", "Nantes", "Graz"]
PROSE = """The old mill by the stream has not turned for many years.|Children gather chestnuts there when the leaves come down.|A narrow path leads up to the chapel on the hill.
On market days the square fills with carts and voices.|The baker opens his shutters long before the first light.|Nobody remembers who planted the row of lindens.
In spring the meadows behind the barn are under water.|Her grandfather kept pigeons in the loft above the stable.|The road bends twice before it reaches the ferry.
Fog often hides the far bank until noon.|A dog sleeps in front of the inn, whatever the weather.|The clock of the town hall is slow by some minutes.
Travellers used to change horses at the yellow house.|Wood is stacked as high as the windows in October.|From the bridge one can watch the trout in the shade.
The teacher lives alone with a great many books.|Every summer a circus comes and stays for one week.|The smith sings while he works, mostly out of tune.""".replace("\n", "|").split("|")
STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def tool(function, description, **properties):
    return {"type": "function", "function": {"name": function, "description": description, "parameters": {
        "type": "object", "properties": properties, "required": list(properties)}}}


TOOLS = [(tool("book_table", "Reserve a table at a restaurant.", restaurant=STRING, guests=INTEGER), "We are {n} and want to eat at {town} Grill, get us a table", "restaurant", "{town} Grill", "guests"),
         (tool("set_timer", "Start a named timer.", label=STRING, minutes=INTEGER), "start {n} minutes on the clock and call it {name}", "label", "{name}", "minutes"),
         (tool("ship_order", "Ship an order to a town.", town=STRING, boxes=INTEGER), "{n} boxes have to get to {town}, send them off", "town", "{town}", "boxes"),
         (tool("pay_person", "Send money to somebody.", name=STRING, amount=INTEGER), "let {name} have {n} dollars from me", "name", "{name}", "amount"),
         (tool("rent_car", "Rent a car in a city.", city=STRING, days=INTEGER), "a car for {n} days, pick up in {town}", "city", "{town}", "days")]


def entry(skill, messages, rule, expected, tools=None):
    return {"skill": skill, "messages": [{"role": role, "content": text} for role, text in messages], "rule": rule, "expected": expected, "tools": tools}


def asked(skill, text, rule, expected, system="", tools=None):
    return entry(skill, ([("system", system)] if system else []) + [("user", text)], rule, expected, tools)


def tool_prompts(r):
    for at in range(50):
        definition, template, text_key, text_value, number_key = TOOLS[at % len(TOOLS)]
        fill = {"n": r.randint(2, 90), "town": r.choice(TOWNS), "name": r.choice(PEOPLE)}
        other = TOOLS[(at + r.randrange(1, len(TOOLS))) % len(TOOLS)][0]
        expected = [{"name": definition["function"]["name"], "arguments": {text_key: text_value.format(**fill), number_key: fill["n"]}}]
        yield asked("tools, two arguments", template.format(**fill), "tool_calls", expected, tools=r.sample([definition, other], 2))


def thinking_prompts(r):
    for at in range(40):
        a, b = r.randint(11, 89), r.randint(2, 60)
        if at % 2:
            yield asked("thinking", SUMS[at // 2 % len(SUMS)].format(a=a, b=b), "thinking", str(a + b), "/think")
        else:
            text, expected = FACTS[at // 2 % len(FACTS)]
            yield asked("thinking", text, "thinking", expected, "/think")


def memory_prompts(r):
    for name, town in zip(PEOPLE, TOWNS):
        told = [("user", f"People call me {name}, and {town} is where I live."), ("assistant", f"Hello {name}! How can I help you?")]
        yield entry("memory", [*told, ("user", "remind me, what am I called?")], "contains", name)
        yield entry("memory", [*told, ("user", "and my town was which one?")], "contains", town)
        code = f"{r.choice('BDFGKL')}{r.choice('NPRST')}-{r.randint(100, 999)}"
        yield asked("quoting", f"The locker of {name} opens with {code}. Which code opens it?", "contains", code)
        yield asked("json", f"{name} is {r.randint(20, 70)} and lives in {town}. Only name and city, as a JSON object.", "json", {"name": name, "city": town})


def retrieval_prompts(r, tokens_of):
    """A fact in about `LONG_TOKENS` tokens of prose, at ten depths. `tokens_of(text)` counts."""
    for at in range(40):
        name, code = r.choice(PEOPLE), f"{r.choice('BDFGKL')}{r.choice('NPRST')}-{r.randint(100, 999)}"
        fact, question = f"The locker code of {name} is {code}.", f"What is the locker code of {name}?"
        room, text = LONG_TOKENS - tokens_of(fact + question) - 20, []
        while room > 0:
            text.append(r.choice(PROSE))
            room -= tokens_of(" " + text[-1])
        text.insert(len(text) * (at % 10) // 10, fact)
        yield asked("retrieval at 4,000 tokens", " ".join(text[:-1]) + "\n\n" + question, "contains", code)


def prompts(tokens_of):
    """All entries, in the form of evaluation.json; the same for each call."""
    r = random.Random(SEED)
    out = []
    for at in range(60):
        a, b = r.randint(100, 999), r.randint(100, 999)
        out.append(asked("sums of three digits", SUMS[at % len(SUMS)].format(a=a, b=b), "number", str(a + b)))
    out += [asked("I don't know", text, "contains", "I don't know") for text in UNKNOWN]
    out += [asked("facts", text, "contains", expected) for text, expected in FACTS]
    out += [asked("chat", text, "contains_any", expected) for text, expected in CHAT]
    out += [asked("lists", text, "contains_all", expected) for text, expected in LISTS]
    return [*out, *tool_prompts(r), *thinking_prompts(r), *memory_prompts(r), *retrieval_prompts(r, tokens_of)]
