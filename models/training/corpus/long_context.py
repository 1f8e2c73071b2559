"""Long prompts: documents and instructions with a few facts somewhere, long tool lists, long chats; questions at the end."""
from . import filler, lexicon, tools
from .phrasing import Turn, ask

CHARACTERS_PER_TOKEN = 3.2
NEEDLES = [
    ("The secret code of {k} is {v}.", ["What is the secret code of {k}?", "Which secret code does {k} have?", "Tell me the secret code of {k}."],
        "The secret code of {k} is {v}.", lexicon.random_name, lexicon.identifier),
    ("{k} lives in {v}.", ["Where does {k} live?", "In which city does {k} live?", "Which city does {k} live in?"], "{k} lives in {v}.",
        lexicon.random_name, lexicon.random_city),
    ("The phone number of {k} is {v}.", ["What is the phone number of {k}?", "Which phone number does {k} have?"], "The phone number of {k} is {v}.",
        lexicon.random_name, lambda r: str(r.randint(10000, 999999))),
    ("The {k} costs {v} dollars.", ["How much does the {k} cost?", "What is the price of the {k}?", "What does the {k} cost?"],
        "The {k} costs {v} dollars.", lambda r: r.choice(lexicon.ADJECTIVES) + " " + r.choice(lexicon.NOUNS), lambda r: r.randint(2, 999)),
    ("The favorite color of {k} is {v}.", ["What is the favorite color of {k}?", "Which color does {k} like?", "What color does {k} like?"],
        "The favorite color of {k} is {v}.", lexicon.random_name, lambda r: r.choice(lexicon.COLORS)),
    ("The password for the {k} is {v}.", ["What is the password for the {k}?", "Which password does the {k} have?",
        "Tell me the password for the {k}."], "The password for the {k} is {v}.", lambda r: r.choice(lexicon.NOUNS), lexicon.identifier),
    ("The meeting about {k} starts at {v}.", ["When does the meeting about {k} start?", "At what time is the meeting about {k}?"],
        "The meeting about {k} starts at {v}.", lambda r: r.choice(lexicon.TOPICS), lexicon.clock_time),
    ("{k} works as a {v}.", ["What is the job of {k}?", "What does {k} work as?", "What does {k} do for work?"], "{k} works as a {v}.",
        lexicon.random_name, lambda r: r.choice(lexicon.JOBS)),
    ("The magic word is {v}.", ["What is the magic word?", "Tell me the magic word.", "Which magic word was given?"], "The magic word is {v}.",
        lambda r: "", lexicon.pseudo_word),
    ("The server {k} listens on port {v}.", ["Which port does the server {k} use?", "On which port does the server {k} listen?"],
        "The server {k} listens on port {v}.", lexicon.pseudo_word, lambda r: r.randint(1000, 9999)),
    ("The project {k} is led by {v}.", ["Who leads the project {k}?", "Who is the lead of project {k}?"], "The project {k} is led by {v}.",
        lambda r: lexicon.pseudo_word(r).capitalize(), lexicon.random_name),
]


def needle(r):
    """(sentence, turn) of one fact."""
    sentence, questions, answer, key, make = r.choice(NEEDLES)
    k, v = str(key(r)), str(make(r))
    put = lambda s: s.replace("{k}", k).replace("{v}", v)
    return put(sentence), Turn(ask(r, questions, k=k), put(answer), f"The text says: {put(sentence)}")


def document(r, target, most_needles=8):
    """A text with needles, and the turns that ask for them. No two needles share a question."""
    pieces, separator = filler.parts(r, int(target * CHARACTERS_PER_TOKEN))
    turns, seen = [], set()
    for _ in range(r.randint(1, most_needles)):
        text, turn = needle(r)
        key = turn.reply.rsplit(" ", 1)[0]
        if key not in seen:
            seen.add(key)
            pieces.insert(r.randrange(len(pieces) + 1), text)
            turns.append(turn)
    r.shuffle(turns)
    return separator.join(pieces), turns


def document_chat(r, target):
    """The document is the system message, or the first part of the first question."""
    text, turns = document(r, target)
    if r.random() < 0.5:
        system = r.choice(["", "", "You are a helpful assistant.\n", "Use this text to answer.\n\n", "Context:\n"]) + text
        return system, turns
    first = turns[0]
    first.user = r.choice([f"{text}\n\n{first.user}", f"Read this text: {text}\n\n{first.user}", f"{text}\n{first.user}",
        f"{first.user}\n\n{text}" if len(text) < 1500 else f"{text}\n\nQuestion: {first.user}"])
    return "", turns


def table_chat(r, target):
    """A long list of keys and values."""
    table, size = {}, 0
    separator = r.choice([": ", " = ", " is ", " -> ", ","])
    while size < target * 2.4:
        k, v = lexicon.pseudo_word(r, 2), lexicon.value(r)
        table[k] = v
        size += len(k) + len(v) + 3
    text = "\n".join(f"{k}{separator}{v}" for k, v in table.items())
    keys = r.sample(list(table), min(len(table), 6))
    turns = [Turn(ask(r, ["What is {k}?", "{k}?", "Look up {k}.", "Value of {k}?"], k=k), table[k], f"I look up {k} in the list.",
        plain=False) for k in keys]
    if r.random() < 0.5:
        return text, turns
    turns[0].user = f"{text}\n\n{turns[0].user}"
    return "", turns


def tools_chat(r, target):
    """(messages, thoughts): instructions before the tools, and up to fifteen tools."""
    most = max(1, min(15, target // 130))
    room = max(0, target - most * 75) * r.random() ** 0.5
    pieces, separator = filler.parts(r, int(room * CHARACTERS_PER_TOKEN))
    return tools.tool_chat(r, most, system=separator.join(pieces))


def chat(r, target, make_turns):
    """A long conversation: many short turns; `make_turns` gives the next ones."""
    turns, size = [], 0
    while size < target * CHARACTERS_PER_TOKEN:
        new = make_turns(r)
        turns += new
        size += sum(len(t.user) + len(t.reply) + 60 for t in new)
    return "", turns


