"""Long prompts: documents and instructions with a few facts somewhere, long tool lists, long chats; questions at the end."""
from . import filler, lexicon, needles, tools
from .grammar import expand
from .phrasing import Turn, ask

CHARACTERS_PER_TOKEN = 3.2


def needle(r):
    """(sentence, turn) of one fact."""
    return needles.facts(r, 1)[0]


BY_THE_TEXT = ["[According to|Based on|As stated in|Going by|From] [the text|the document|this text|the above|the notes|what is written above]: @",
    "[Look it up in|Find it in|Check|Use|Read] [the text|the document|the above|this]: @", "[In the text|In the document|Above|Somewhere above] [it says|you read|it is written]: @",
    "@ [It is in the text.|It stands in the text.|The text says it.|See above.|It is written there.|It was mentioned above.|Answer from the text.|Use the text.|Look in the document.]"]


def of_the_text(r, question):
    """Sometimes the question says where the answer stands."""
    if r.random() < 0.85:
        return question
    line = expand(r, r.choice(BY_THE_TEXT))
    return line.replace("@", question if question[-1] in ".?!" or line.endswith("@") else question + ".")


def document(r, target, most_needles=8):
    """A text with needles, some of one kind, and the turns that ask for some of them. No two needles share a question."""
    pieces, separator = filler.parts(r, int(target * CHARACTERS_PER_TOKEN * 0.93))
    turns, seen = [], set()
    for _ in range(r.randint(1, most_needles)):
        for text, turn in needles.facts(r, r.choice([1, 1, 1, 2, 3, 4]), seen, needles.people(seen), separator == "\n"):
            pieces.insert(r.randrange(len(pieces) + 1), text)
            turns.append(turn)
    r.shuffle(turns)
    for turn in turns:
        turn.user = of_the_text(r, turn.user)
    return separator.join(pieces), turns[:most_needles]


def one_needle(r, target, repeated=filler.REPEATED):
    """(system, turns): one to three facts of a kind in a text of about `target` tokens, and the question for one of them after it."""
    pieces, separator = filler.parts(r, int(target * CHARACTERS_PER_TOKEN * 0.9), repeated)
    told = needles.facts(r, r.choice([1, 1, 2, 3]))
    for text, _ in told:
        pieces.insert(r.randrange(len(pieces) + 1), text)
    turn = r.choice(told)[1]
    turn.user = f"{separator.join(pieces)}\n\n{of_the_text(r, turn.user)}"
    return "", [turn]


def document_chat(r, target):
    """The document is the system message, or the first part of the first question."""
    text, turns = document(r, target)
    if r.random() < 0.5:
        system = r.choice(["", "", "You are a helpful assistant.\n", "Use this text to answer.\n\n", "Context:\n"]) + text
        return system, turns
    first = turns[0]
    intro = r.choice(["", "", "", "Read this text: ", "Here is a document:\n\n", "Text: ", "Use this text:\n", "<document>\n", "I got this mail:\n"])
    ending = r.choice(["", "", "Question: ", "My question: ", "Now tell me: "]) + first.user
    first.user = r.choice([f"{intro}{text}\n\n{ending}", f"{intro}{text}\n\n{ending}", f"{intro}{text}\n{ending}",
        f"{first.user}\n\n{text}" if len(text) < 1500 else f"{text}\n\nQuestion: {first.user}"])
    return "", turns


def text_chat(r, target):
    """A text with one kind of facts and one question, or with many of both."""
    return (one_needle if r.random() < 0.4 else document_chat)(r, target)


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
