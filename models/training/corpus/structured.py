"""JSON from facts in the prompt, and extraction of names, places, numbers and codes from sentences."""
from chat_format import dumps

from . import json_requests, lexicon
from .grammar import choose, expand
from .phrasing import Turn, ask, fill

AS_JSON = ["Extract the {f} as JSON: {s}", "As JSON with the keys {f}: {s}", "Turn this into JSON with {f}: {s}", "Give me the {f} as JSON. {s}",
    "{s} Return the {f} as a JSON object.", "{s} Give me JSON with {f}.",
           "Return JSON with {f} for this text: {s}", "{s}\nExtract {f} as JSON.", "Write a JSON object with {f} for: {s}",
               "Convert to JSON ({f}): {s}", "{s} Extract {f} in JSON format.", "Parse {f} from this text into JSON: {s}",
    "[Extract|Get|Read|Pull|Take|Find|Return|Give me|Show|Write|Output|Collect] [the |the fields |the values ]*{f} [from|of|out of] [this|the text|this sentence|the sentence|what follows|the following] "
    "[as JSON|in JSON|as a JSON object|in JSON format|into JSON|to JSON]: {s}",
    "[JSON|A JSON object|One JSON object|Only JSON|JSON only][, please|]*[ with| with the keys| with the fields| of| for]* {f}: {s}",
    "{s} [What are|Now give me|Please extract|I need|I want|Output|Return] [the ]*{f} [as JSON|in JSON|as a JSON object][.|?|]",
    "{s}\n\n[JSON|Return JSON|As JSON|JSON please|Write JSON|Answer in JSON|Reply with a JSON object][ with| with keys| using the keys]* {f}[.|]",
    "~I'd like {f} out of this as a JSON object: {s}", "~{s} Serialize {f} to JSON."]
FIELDS = {
    "name": lexicon.random_name, "city": lexicon.random_city, "age": lambda r: r.randint(18, 90), "email": lexicon.email,
        "job": lambda r: r.choice(lexicon.JOBS), "color": lambda r: r.choice(lexicon.COLORS),
    "country": lambda r: r.choice(["France", "Italy", "Spain", "Japan", "Brazil", "Canada", "India", "Egypt", "Norway", "Peru"]),
        "price": lambda r: r.choice([r.randint(1, 500), r.randint(1, 99) + r.choice([0.5, 0.25, 0.99])]), "item": lambda r: r.choice(lexicon.NOUNS),
    "quantity": lambda r: r.randint(1, 60), "date": lexicon.date, "time": lexicon.clock_time, "id": lexicon.identifier,
        "active": lambda r: r.random() < 0.5, "day": lambda r: r.choice(lexicon.DAYS), "title": lambda r: lexicon.phrase_of_words(r, 1, 3),
    "size": lambda r: r.choice(["small", "medium", "large"]), "status": lambda r: r.choice(["open", "closed", "pending", "done"]),
        "year": lambda r: r.randint(1950, 2030), "score": lambda r: r.randint(0, 100),
    "animal": lambda r: r.choice(["dog", "cat", "horse", "rabbit", "bird"]), "language": lambda r: r.choice(["English", "French", "German",
        "Spanish"])}
SENTENCES = [
    ("{name} lives in {city}.", "name city"), ("{name} is {age} years old.", "name age"),
        ("{name} is {age} years old and lives in {city}.", "name age city"), ("{name} from {city} is a {job}.", "name city job"),
    ("{name}, {age}, works as a {job} in {city}.", "name age job city"), ("My name is {name} and my email is {email}.", "name email"),
        ("I am {name}, {age} years old, from {city}.", "name age city"),
    ("We sold {quantity} units of the {item} for {price} euros.", "quantity item price"), ("The {item} costs {price} dollars.", "item price"),
        ("Order {id} contains {quantity} pieces of {item}.", "id quantity item"),
    ("The meeting is on {day} at {time} in {city}.", "day time city"), ("The {title} meeting starts at {time} on {date}.", "title time date"),
        ("{name} wants a {size} {color} {item}.", "name size color item"),
    ("Ticket {id} is {status}.", "id status"), ("{name} scored {score} points in {year}.", "name score year"),
        ("{name} moved to {city} in {year}.", "name city year"), ("{name} speaks {language} and lives in {country}.", "name language country"),
    ("The {color} {item} belongs to {name}.", "color item name"), ("Please send the {item} to {name} in {city}.", "item name city"),
        ("{name} has a {animal} and lives in {city}.", "name animal city"), ("Call {name} at {time}.", "name time"),
    ("{name} booked a trip to {city} on {date}.", "name city date"), ("I bought {quantity} of them in {city} on {day}.", "quantity city day")]
QUESTIONS = {"name": ["What is the name?", "Which name is in the text?", "Who is it about?"],
    "city": ["Which city is it?", "What city is mentioned?", "Which city?"], "age": ["How old?", "What is the age?"],
    "email": ["What is the email?", "Which email address is given?"],
             "job": ["What is the job?", "Which job?"], "price": ["What is the price?", "How much does it cost?"],
                 "item": ["Which item is it?", "What is the item?"], "quantity": ["How many?", "What is the quantity?"],
                 "day": ["Which day?", "On which day?"],
             "time": ["At what time?", "What is the time?"], "date": ["On which date?", "What is the date?"], "id": ["What is the id?", "Which id?"],
                 "color": ["Which color?", "What is the color?"], "year": ["In which year?", "What year?"],
                 "score": ["What is the score?", "How many points?"],
             "status": ["What is the status?"], "country": ["Which country?"], "language": ["Which language?"], "title": ["What is the title?"],
                 "size": ["Which size?"], "animal": ["Which animal?"]}

SENTENCES += json_requests.SENTENCES
for _key, _lines in json_requests.QUESTIONS.items():
    QUESTIONS[_key].extend(_lines)


def list_fields(r, keys):
    return r.choice([lexicon.join_and(keys), ", ".join(keys)])


def sentence_json(r):
    sentence, names = r.choice(SENTENCES)
    keys = names.split()
    values = {k: FIELDS[k](r) for k in keys}
    wanted = keys if r.random() < 0.6 else r.sample(keys, r.randint(1, len(keys)))
    q = ask(r, AS_JSON + json_requests.SENTENCE, f=list_fields(r, wanted), s=fill(sentence, **values))
    return [Turn(q, dumps({k: values[k] for k in wanted}), f"The user wants JSON with {lexicon.join_and(wanted)}.", plain=False)]


def object_json(r):
    """The facts are listed, not told."""
    keys = r.sample(list(FIELDS), r.randint(1, 5))
    if r.random() < 0.25:
        keys = [k if r.random() < 0.5 else lexicon.pseudo_word(r) for k in keys]
        keys = list(dict.fromkeys(keys))
    values = {k: (FIELDS.get(k) or lexicon.value)(r) for k in keys}
    said = {k: ("true" if v else "false") if isinstance(v, bool) else v for k, v in values.items()}
    form = r.randint(0, 3)
    facts = (lexicon.join_and([f"{k} {v}" for k, v in said.items()]), ", ".join(f"{k}: {v}" for k, v in said.items()),
        "\n".join(f"{k}: {v}" for k, v in said.items()), ", ".join(f"{k}={v}" for k, v in said.items()))[form]
    q = ask(r, json_requests.OBJECT + ["Write JSON with {x}.", "Return a JSON object: {x}", "Make a JSON object with {x}", "Give me a JSON object with {x}.", "As JSON: {x}",
        "Convert to JSON: {x}", "JSON for {x}", "Turn this into JSON: {x}", "{x}\nReturn this as JSON.", "Create JSON: {x}", "Put this in JSON: {x}",
                "I need {x} as JSON", "Format as JSON: {x}",
        "[Write|Return|Give me|Make|Create|Build|Produce|Generate|Output|Show|Form|Print] [only ]*[JSON|a JSON object|an object in JSON|one JSON object|a JSON record][ with| of| from| for| that has| containing| where][:|]* {x}",
        "[Turn|Convert|Change|Bring|Put|Transform|Format|Encode|Express] [this|these values|the following|this data|these facts|it] [to|into|as|in] [JSON|a JSON object]: {x}",
        "[JSON|Object|JSON object|As an object|Data to JSON]: {x}", "{x}\n[JSON please|As JSON|Give me JSON|Make this JSON|Write this as a JSON object|To JSON][.|]",
        "~Serialize {x} to JSON", "~I'd like a JSON object that holds {x}"], x=facts)
    return [Turn(q, dumps(values), "The user wants a JSON object of these facts.", plain=False)]


def people_json(r):
    """An array of objects."""
    people = [{"name": lexicon.random_name(r), "age": r.randint(18, 90)} for _ in range(r.randint(2, 3))]
    facts = lexicon.join_and([r.choice(["{n} is {a}", "{n} is {a} years old"]).format(n=p["name"], a=p["age"]) for p in people])
    q = ask(r, json_requests.PEOPLE + ["Write a JSON array with name and age: {x}.", "{x}. Return a JSON array of objects with name and age.",
        "As a JSON array with name and age: {x}."], x=facts)
    return [Turn(q, dumps(people), "The user wants a JSON array with name and age.", plain=False)]


def words_json(r):
    words = [lexicon.value(r) for _ in range(r.randint(2, 6))]
    q = ask(r, json_requests.ARRAY + ["Turn this into a JSON array: {x}", "As a JSON array: {x}", "JSON array of {x}", "Make a JSON list of: {x}",
        "Put these in a JSON array: {x}",
        "[Write|Return|Give me|Make|Create|Show|Output] [only ]*a JSON [array|list] [of|with|from][:|]* {x}",
        "[Turn|Convert|Put|Format] [these|these items|this list|the following|them] [into|as|to] [JSON|a JSON array|a JSON list|an array]: {x}", "~Serialize these items: {x}"], x=", ".join(words))
    return [Turn(q, dumps(words), "The user wants these items as a JSON array.", plain=False)]


def known_json(r):
    """JSON of an answer that the model knows."""
    from .knowledge import CAPITALS
    k = r.random()
    if k < 0.5:
        c = r.choice(list(CAPITALS))
        q = ask(r, json_requests.CAPITAL + ["Give me the capital of {c} as JSON.", "What is the capital of {c}? Answer as JSON.", "Return the capital of {c} in JSON.",
            "Capital of {c} as JSON"], c=c)
        return [Turn(q, dumps({"country": c, "capital": CAPITALS[c]}), "The user wants the capital as JSON.", plain=False)]
    a, b = r.randint(0, 99), r.randint(0, 99)
    q = ask(r, json_requests.SUM + ["What is {a} + {b}? Answer as JSON.", "Give me {a} + {b} as JSON.", "Compute {a} + {b} and return JSON."], a=a, b=b)
    return [Turn(q, dumps({"result": a + b}), f"{a} + {b} = {a + b}. The user wants JSON.", plain=False)]


def extraction(r):
    """A direct question about one sentence, answered with the bare value."""
    sentence, names = r.choice(SENTENCES)
    keys = names.split()
    values = {k: FIELDS[k](r) for k in keys}
    text, turns = fill(sentence, **values), []
    for key in r.sample(keys, r.randint(1, min(2, len(keys)))):
        question = ask(r, QUESTIONS[key])
        q = question if turns else r.choice([f"{text} {question}", f"{text}\n{question}", f"Text: {text}\n{question}", f"{question} Text: {text}",
            f"Read this: {text}\n{question}",
            *[fill(expand(r, choose(r, json_requests.READ)), t=text, q=question) for _ in range(3)], ask(r, json_requests.EXTRACT + ["Extract the {k}: {s}", "Get the {k} from this text: {s}", "Find the {k}: {s}"], k=key,
            s=text)])
        turns.append(Turn(q, str(values[key]), f"The text gives the {key} {values[key]}.", plain=False))
    return turns


def yes_no(r):
    """True or false about a sentence."""
    name, city, other = lexicon.random_name(r), lexicon.random_city(r), lexicon.random_city(r)
    asked = city if r.random() < 0.5 else other
    q = ask(r, json_requests.YES_NO + ["{n} lives in {c}. Does {n} live in {a}?", "{n} lives in {c}. Is it true that {n} lives in {a}?",
        "{n} is from {c}. Is {n} from {a}?"], n=name, c=city, a=asked)
    verb = ("is", "is not", "from") if "Is " in q and "from" in q else ("lives", "does not live", "in")
    reply = f"Yes, {name} {verb[0]} {verb[2]} {city}." if asked == city else f"No, {name} {verb[0]} {verb[2]} {city}."
    return [Turn(q, reply, f"The text says {city}. The question says {asked}.")]
