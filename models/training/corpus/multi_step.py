"""Problems of several steps: two operations, comparing people, counting letters and items, sorting, days that pass."""
from . import arithmetic, lexicon
from .phrasing import Turn, ask

CHAIN = ["What is {e}?", "{e}", "[Compute|Calculate|Solve|Work out|Evaluate] {e}.", "{e} = ?", "How much is {e}?",
    "[First|Start with] {a}, then {s} {b}, then {u} {c}. [What is the result|What do you get]?",
    "Take {a}, {s} {b}[ and|, then] {u} {c}. [What do I get|What is the result|How much is it]?"]
JOURNEY = ["{n} has {a} {t}, [gets|buys|finds] {b} more and [gives away|loses|sells] {c}. How many {t} [are left|does {n} have|remain]?",
    "There are {a} {t}. {b} are added and {c} are taken away. How many {t} are there[ now]*?",
    "A bus has {a} people. {b} get on and {c} get off. How many people are on the bus?",
    "~{n} starts with {a} {t}, wins {b} and then loses {c}. How many now?"]
MORE = ["{n} has {a} {t} and {m} has {b}. Who has more[ {t}]*?", "Who has more {t}, {n} with {a} or {m} with {b}?",
    "{n} [scored|has|got] {a} points[,| and] {m} [scored|has|got] {b}. Who [won|has more|is ahead|is better]?",
    "{n} is {a} years old[,| and] {m} is {b}. Who is older?",
    "{n} is {a} cm tall, {m} is {b} cm. Who is taller?", "~{n}: {a} {t}. {m}: {b} {t}. Who owns more?"]
LETTERS = ["How many letters [does the word \"{w}\" have|are in the word {w}|does {w} have|are there in {w}|has the word {w}]?",
    "Count the letters [of|in] [the word ]*{w}.",
    "How long is the word {w}?", "[What is the ]*[number|count] of letters in \"{w}\"?", "~Tell me the length of the word {w}."]
ITEMS = ["How many items are [in this list|here]: {x}", "Count [these|the items|the words|these words]: {x}", "How many words are [in|there in]: {x}",
    "How many things do I list? {x}", "~Number of entries: {x}"]
SORT = ["Sort [these numbers|the numbers|this]: {x}", "[Put|Bring|Arrange] [these numbers|these] in order: {x}", "Order these from small to large: {x}",
    "Sort ascending: {x}", "~Arrange from smallest to largest: {x}"]
ALPHABET = ["Sort [these words |the words ]*alphabetically: {x}", "[Put|Bring|Arrange] these words in alphabetical order: {x}", "Sort from A to Z: {x}",
    "~Alphabetical order of: {x}"]
LARGEST = ["[Which|What] is the [largest|biggest|greatest|highest] [number|of these numbers|of these]: {x}[?|]",
    "Find the [largest|biggest|highest] number: {x}", "~Pick the maximum: {x}"]
SMALLEST = ["[Which|What] is the [smallest|lowest] [number|of these numbers|of these]: {x}[?|]", "Find the [smallest|lowest] number: {x}",
    "~Pick the minimum: {x}"]
DAYS = ["[Today is {d}|It is {d} today|If today is {d}]. [What|Which] day [is it|will it be|is] in {n} days?",
    "[What|Which] day [is|comes] {n} days after {d}?", "What day is it {n} days from {d}?", "~{n} days past {d} is which day?"]
ADD, TAKE = ["add", "plus"], ["subtract", "take away", "minus"]


def chain(r):
    """a + b - c or a + b + c, with numbers of up to two digits."""
    top = r.choice([9, 20, 99, 99])
    a, b = r.randint(1, top), r.randint(1, top)
    first = r.choice("+-")
    if first == "-":
        a, b = max(a, b), min(a, b)
    middle = a + b if first == "+" else a - b
    second = r.choice("+-")
    c = r.randint(0, min(top, middle)) if second == "-" else r.randint(1, top)
    result = middle + c if second == "+" else middle - c
    asked = f"{a} {first} {b} {second} {c}"
    steps = f"{middle} {second} {c} = {result}." if arithmetic.is_direct(middle, second, c) else arithmetic.said_steps(middle, second, c)
    thought, brief = f"{a} {first} {b} = {middle}. {steps} So {result}.", f"{result}."
    reply, after_thought = f"{asked} = {arithmetic.worked(middle, second, c, result)}.", f"{asked} = {result}."
    if first == "+" and second == "-" and r.random() < 0.4:
        thing = r.choice(["apples", "coins", "cards", "books", "stones", "tickets"])
        q = ask(r, JOURNEY, n=r.choice(lexicon.NAMES), a=a, b=b, c=c, t=thing)
        return [Turn(q, reply, thought, brief=brief, after_thought=after_thought)]
    say = {"+": ADD, "-": TAKE}
    q = ask(r, CHAIN, e=asked, a=a, b=b, c=c, s=r.choice(say[first]), u=r.choice(say[second]))
    return [Turn(q, reply, thought, brief=brief, after_thought=after_thought)]


def who_has_more(r):
    n, m = r.sample(lexicon.NAMES, 2)
    a, b = r.sample(range(1, r.choice([20, 100, 999])), 2)
    best, high, low = (n, a, b) if a > b else (m, b, a)
    return [Turn(ask(r, MORE, n=n, m=m, a=a, b=b, t=r.choice(["apples", "coins", "cards", "books"])), f"{best}.",
        f"{n} {a}, {m} {b}. {high} is more than {low}, so {best}.", brief=f"{best}.")]


def letters(r):
    w = r.choice(lexicon.WORDS)
    spelled = " ".join(f"{c} {i}" for i, c in enumerate(w, 1))
    return [Turn(ask(r, LETTERS, w=w), f"The word {w} has {len(w)} letters.", f"I count: {spelled}. So {len(w)}.", brief=f"{len(w)}.")]


def items(r):
    words = [r.choice(lexicon.WORDS) for _ in range(r.randint(2, 8))]
    counted = " ".join(f"{w} {i}" for i, w in enumerate(words, 1))
    return [Turn(ask(r, ITEMS, x=", ".join(words)), f"There are {len(words)}.", f"I count: {counted}. So {len(words)}.", brief=f"{len(words)}.")]


def sort(r):
    if r.random() < 0.35:
        words = r.sample(lexicon.WORDS, r.randint(2, 4))
        ordered = sorted(words)
        return [Turn(ask(r, ALPHABET, x=", ".join(words)), ", ".join(ordered), f"First letters: {', '.join(w[0] for w in ordered)}.", plain=False)]
    numbers = r.sample(range(1, r.choice([10, 50, 100])), r.randint(3, 5))
    shown, k = ", ".join(map(str, numbers)), r.random()
    row = ", ".join(map(str, sorted(numbers)))
    if k < 0.5:
        return [Turn(ask(r, SORT, x=shown), row, f"The smallest is {min(numbers)}, the largest is {max(numbers)}.", plain=False)]
    best, templates, word = (max(numbers), LARGEST, "largest") if k < 0.75 else (min(numbers), SMALLEST, "smallest")
    return [Turn(ask(r, templates, x=shown), f"The {word} number is {best}.", f"In order: {row}. The {word} is {best}.", brief=f"{best}.")]


def days_later(r):
    i, n = r.randrange(7), r.randint(2, 6)
    way = [lexicon.DAYS[(i + k) % 7] for k in range(1, n + 1)]
    return [Turn(ask(r, DAYS, d=lexicon.DAYS[i], n=n), f"It will be {way[-1]}.", f"I count {n} days: {', '.join(way)}.", brief=f"{way[-1]}.")]


SKILLS = [(chain, 4), (who_has_more, 1.5), (letters, 1), (items, 1.5), (sort, 2), (days_later, 1)]


def multi_step(r):
    return r.choices([f for f, _ in SKILLS], [w for _, w in SKILLS])[0](r)
