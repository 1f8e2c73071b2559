"""Word problems of one step from daily life: shopping, sharing, ages, ways, time, games, savings, legs. Slots: N a person at the start of a sentence,
n the same later, p and P he or she, m and o others, t things, s one of them, a and b numbers. Except in differences and quotients, a is said before b."""
import re

from .daily_stories import MORE_LIFE
from .grammar import choose, expand
from .life_stories import LIFE
from .lexicon import NAMES, number_word
from .phrasing import fill, phrase
from .short_stories import SHORT
from .story_tables import FOOD, STORIES, TOYS

HE = set(("Ben David Felix Hugo Jonas Karim Marco Omar Sam Ugo Will Leo Max Bob Charlie Frank George Ivan Kevin Nathan Peter Thomas Victor Ahmed Chen Lucas Noah "
    "Liam Jack Tom Paul John James Daniel").split())
OTHERS = [("My brother", "my brother", "he"), ("My sister", "my sister", "she"), ("My friend", "my friend", "he"), ("A farmer", "the farmer", "he"), ("My son",
    "my son", "he"),
    ("My daughter", "my daughter", "she"), ("A boy", "the boy", "he"), ("A girl", "the girl", "she"), ("The teacher", "the teacher", "she"), ("My mother",
        "my mother", "she"),
    ("My father", "my father", "he"), ("My uncle", "my uncle", "he"), ("My grandma", "my grandma", "she"), ("A baker", "the baker", "he"), ("My neighbor",
        "my neighbor", "she")] + [(f"{start} {who}", f"{'my' if start == 'My' else 'the'} {who}", pronoun) for start, who, pronoun in (
    ("My", "cousin", "she"), ("My", "grandpa", "he"), ("My", "wife", "she"), ("My", "boss", "he"), ("My", "aunt", "she"), ("A", "sailor", "he"), ("A", "painter", "she"),
    ("A", "student", "he"), ("A", "nurse", "she"), ("A", "gardener", "he"), ("A", "tailor", "he"), ("A", "cook", "she"), ("A", "pirate", "he"), ("A", "queen", "she"),
    ("The", "coach", "he"), ("The", "captain", "he"), ("The", "librarian", "she"), ("The", "driver", "he"), ("A", "shopkeeper", "she"), ("A", "fisherman", "he"))]
SCENES = ["It is [a|a very] [sunny|rainy|cold|warm|nice|busy] [day|morning|afternoon].", "It is [Monday|Saturday|Sunday|the weekend|a holiday|summer|winter].",
    "[Here is|This is] [a|my] [math |little |school ]*[problem|puzzle|exercise|riddle].", "The [weather|sun|music] is [nice|great|lovely]."]
MOODS = ["{P} is [very |so |really ]*[happy|tired|busy|proud|hungry|excited|in a hurry].", "{P} [loves|likes|enjoys] [that|it|this] [a lot|very much].",
    "{P} [sings|smiles|laughs]."]
NUMBERED = ["[It is|It was] {d} o'clock.", "[The bus|The train|The tram] has number {d}.", "The house has number {d}.", "[It is|Today is] day {d} of the [trip|month|holiday]."]
NUMBERED_PERSON = ["{P} is number {d} in the [line|list].", "{P} lives on floor {d}.", "{P} has lived here for {d} years.", "{P} got up {d} minutes ago."]
ALL = STORIES + SHORT + LIFE + MORE_LIFE
THINGS, EATEN = (TOYS + " " + FOOD).split(), FOOD.split()
UNFIT = r"year|old|o'clock|hour|minute|day|{d}|{h}|floor|trip|younger|month"
"""What a sentence with a number of its own must not stand beside."""
REFERS = r"\b(that|it|they|there|then|them|one|this|these|he|she|his|her|rest|its|of them|each|both|more|second|third|first|other|now|will be|stay|here|for me)\b"
"""Words of a question that point to the story before it."""
QUESTION_FIRST = 0.15
"""Share of the problems that begin with their question, where they can."""
SPELLED = 0.2
"""Share of the problems whose numbers are words."""


def people(r):
    """The slots of three persons."""
    first, *others = r.sample(NAMES, 3)
    start, later, pronoun = r.choice(OTHERS) if r.random() < 0.25 else (first, first, "he" if first in HE else "she")
    return {"N": start, "n": later, "p": pronoun, "P": pronoun.capitalize(), "q": "his" if pronoun == "he" else "her", "m": others[0], "o": others[1]}


def question_first(text):
    """The same problem with its question before the story; as it stands if the question needs the story before it."""
    story, _, question = text.rpartition(". ")
    if not story or "?" in story or not re.match(r"(How|What|Which|When) .*\?$", question) or re.search(REFERS, question):
        return text
    if "{p}" in question or "{q}" in question:
        if not story.startswith("{N}"):
            return text
        question = question.replace("{p}", "{n}", 1) if "{p}" in question else question.replace("{q}", "{n}'s", 1)
    return f"{question} {story}."


def said(r, lines, **slots):
    """One of the lines with its slots filled; sometimes the question first, a sentence that has nothing to do with it, or numbers in words."""
    text, k = expand(r, choose(r, lines)), r.random()
    if r.random() < QUESTION_FIRST:
        text = question_first(text)
    if k < 0.06:
        text = f"{expand(r, choose(r, SCENES))} {text}"
    elif k < 0.12 and text.startswith("{N}") and text.count(". ") > 0:
        text = text.replace(". ", f". {expand(r, choose(r, MOODS))} ", 1)
    elif k < 0.19 and text.startswith(("{N}", "{m}", "I ", "There ")) and text.count(". ") > 0 and not re.search(UNFIT, text):
        text = text.replace(". ", f". {expand(r, choose(r, NUMBERED + NUMBERED_PERSON * text.startswith('{N}')))} ", 1)
        slots["d"] = r.randint(2, 12)
    words = r.random() < SPELLED and not any(mark in text for mark in ("${", ":{", "= ")) and text[:2] not in ("{a", "{b", "{c")
    text = phrase(r, [text])
    if words:
        slots = {k: number_word(v) if isinstance(v, int) and v < 100 and (v < 21 or r.random() < 0.5) else v for k, v in slots.items()}
    who = people(r)
    if who["N"] not in NAMES and text.split("{N}")[0].endswith((", ", "and ", "Now ", "And ", "Hey ", "hey ")):
        who["N"] = who["N"][0].lower() + who["N"][1:]
    return fill(text, **who, **slots)


def count(r, top=999):
    """A number of things, mostly small."""
    k = r.random()
    return r.randint(2, 20) if k < 0.5 or top < 21 else r.randint(10, 99) if k < 0.83 or top < 100 else r.randint(100, top)


def numbers(r, op, kind):
    """(a, b) of a problem. `kind`: a fixed b, or what the numbers count."""
    if isinstance(kind, int) and op in "*/":
        return (r.randint(2, 12) if op == "*" else kind * r.randint(2, 12)), kind
    if kind == "one":
        return r.randint(3, 30), 1
    if kind == "price":
        return (r.randint(2, 12), r.randint(2, 12)) if r.random() < 0.75 else (r.randint(2, 9), r.randint(11, 50))
    if kind == "ten":
        return 10 * r.randint(1, 12), r.randint(2, 9)
    if kind == "rate":
        b, q = r.randint(2, 9), 10 * r.randint(2, 12)
        return b * q, b
    if op == "*":
        return r.randint(2, 12), r.randint(2, 12)
    if op == "/":
        b = r.randint(2, 12)
        return b * r.randint(2, 12), b
    if kind == "note":
        a = r.choice([10, 20, 20, 50, 50, 100, 100, 200])
        return a, r.randint(2, a - 1)
    if kind == "age":
        a, b = r.randint(4, 60), r.randint(2, 30)
    elif kind == "clock":
        a, b = r.randint(6, 14), r.randint(2, 9)
    elif kind == "hours":
        a, b = r.randint(9, 22), r.randint(2, 12)
    elif kind == "minute":
        a, b = r.randint(20, 59), r.randint(10, 50)
    elif kind == "year":
        a, b = r.randint(2010, 2030), r.randint(1950, 2009)
    else:
        a, b = count(r, kind), count(r, kind)
    if op == "-":
        a, b = (a + 2 if a == b else max(a, b)), min(a, b)
    return a, b


def story(r):
    """(question, a, operator, b, result, unit): the unit is what was asked for."""
    op, kind, things, unit, lines = r.choices(ALL, [len(s[4]) for s in ALL])[0]
    a, b = numbers(r, op, kind)
    thing = r.choice(things.split())
    q = said(r, lines, a=a, b=b, t=thing, s=thing[:-1], h=r.randint(6, 22), d=r.randint(2, 12))
    return q, a, op, b, {"+": a + b, "-": a - b, "*": a * b, "/": a // b}[op], unit or thing
