"""Comparing two or three people and things, the order of three, days and months that pass, times of the clock, letters and words that are counted."""
from . import daily_comparisons, lexicon, longer_stories, word_problems
from .phrasing import Turn, ask

# (word for more, word for less, lines of two, lines of three, largest number): {w} is what is asked for.
NUMBERS = [
    (["older", "oldest"], ["younger", "youngest"], ["{n} is {a} years old[,| and] {m} is {b}. Who is {w}?", "Who is {w}, {n} with {a} or {m} with {b} years?",
        "{n} is {a}, {m} is {b}. Who is {w}?",
        "Who is {w} if {n} is {a} and {m} is {b} years old?", "{n} [turned|turns] {a} [today|this year], {m} is {b}. Which of them is {w}?"],
        ["{n} is {a}, {m} is {b} and {o} is {c} years old. Who is the {w}?", "Who is the {w}: {n} ({a}), {m} ({b}) or {o} ({c})?",
        "Who is the {w} if {n} is {a}, {m} is {b} and {o} is {c}?"], 90),
    (["taller", "tallest"], ["shorter", "shortest"], ["{n} is {a} cm tall[,| and] {m} is {b} cm. Who is {w}?", "Who is {w}, {n} with {a} cm or {m} with {b} cm?",
        "{n} measures {a} cm, {m} {b} cm. Which of [them|the two] is {w}?"],
        ["{n} is {a} cm, {m} is {b} cm and {o} is {c} cm tall. Who is the {w}?", "Who is the {w}, {n} with {a} cm, {m} with {b} cm or {o} with {c} cm?"], 200),
    (["heavier", "heaviest"], ["lighter", "lightest"], ["{n}'s [bag|dog|cat|box] weighs {a} kg, {m}'s weighs {b} kg. Whose is {w}?",
        "{n} weighs {a} kg and {m} weighs {b} kg. Who is {w}?"],
        ["{n} weighs {a} kg, {m} {b} kg and {o} {c} kg. Who is the {w}?"], 120),
    (["faster", "fastest"], ["slower", "slowest"], ["{n} runs {a} km per hour[,| and] {m} runs {b}. Who is {w}?",
        "{n} drives at {a} km per hour, {m} at {b} km per hour. Who is {w}?", "Who is {w}, {n} with {a} km per hour or {m} with {b}?"],
        ["{n} rides {a} km per hour, {m} {b} and {o} {c}. Who is the {w}?"], 99),
    (["more", "the most"], ["less", "the least"], ["{n} paid {a} dollars, {m} {b}. Who paid {w}?", "{n} has {a} dollars[,| and] {m} has {b}. Who has {w}[ money]*?",
        "Who has {w} money, {n} with {a} or {m} with {b} euros?",
        "{n} earned {a} euros, {m} {b}. Who earned {w}?"],
        ["{n} has {a} dollars, {m} has {b} and {o} has {c}. Who has {w}?", "Who has {w} money if {n} has {a}, {m} has {b} and {o} has {c} euros?"], 999),
    (["more", "the most"], ["fewer", "the fewest"], ["{n} has {a} {t}[,| and] {m} has {b}. Who has {w}[ {t}]*?", "Who has {w} {t} if {n} has {a} and {m} has {b}?",
        "{n} [collected|found|bought] {a} {t}, {m} {b}. Which of them has {w}?", "There are two kids, {n} with {a} {t} and {m} with {b}. Who has {w}?"],
        ["{n} has {a} {t}, {m} has {b} and {o} has {c}. Who has {w}?", "Who has {w} {t}, {n} with {a}, {m} with {b} or {o} with {c}?",
        "{n}: {a} {t}, {m}: {b}, {o}: {c}. Who has {w}?"], 200),
    (["more points", "the most points"], ["fewer points", "the fewest points"], ["{n} scored {a}[,| and] {m} scored {b}. Who has {w}?",
        "In a game, {n} has {a} and {m} has {b}. Who got {w}?"],
        ["{n} scored {a}, {m} {b} and {o} {c}. Who has {w}?", "Who got {w}, {n} with {a}, {m} with {b} or {o} with {c}?"], 200),
    (["farther", "the farthest"], ["less far", "the least far"], ["{n} [walked|ran|drove] {a} km and {m} {b} km. Who went {w}?",
        "Who went {w}, {n} with {a} km or {m} with {b} km?"], ["{n} went {a} km, {m} {b} km and {o} {c} km. Who went {w}?"], 99)]
PRICES = [(["more expensive", "most expensive"], ["cheaper", "cheapest"]), (["higher in price", "highest in price"], ["lower in price", "lowest in price"])]
PRICE_TWO = ["[The|A] {x} costs {a} dollars[,| and] [the|a] {y} costs {b}[ dollars]*. [Which|What] is {w}?", "Which is {w}: the {x} for ${a} or the {y} for ${b}?",
    "[What|Which one] is {w}, a {x} at {a} euros or a {y} at {b}?", "I can buy the {x} for {a} or the {y} for {b} euros. Which is {w}?"]
PRICE_THREE = ["The {x} costs {a}, the {y} {b} and the {z} {c} dollars. Which is the {w}?", "Which is the {w}: the {x} for ${a}, the {y} for ${b} or the {z} for ${c}?"]
GOODS = "book car lamp clock chair phone laptop guitar bag hat ticket table camera piano ball bottle jacket ring bike sofa tent mug pillow drum kite vase shirt coat watch cake pizza soup salad desk rug bed".split()
ORDERS = [("taller", "tallest", "shortest"), ("older", "oldest", "youngest"), ("faster", "fastest", "slowest"), ("stronger", "strongest", "weakest"), ("richer",
    "richest", "poorest"), ("bigger", "biggest", "smallest")]
JUST = {"taller": "tall", "older": "old", "faster": "fast", "stronger": "strong", "richer": "rich", "bigger": "big"}
ORDER = ["{n} is {k} than {m}[.|,| and] {m} is {k} than {o}. Who is the {w}?",
    "{n} is {k} than {m} and {m} is {k} than {o}. [Which of them|Which of the three] is the {w}?", "Who is the {w} if {n} is {k} than {m} and {m} is {k} than {o}?",
    "If {n} is {k} than {m} and {m} is {k} than {o}, who is the {w}?", "{m} is {k} than {o}. {n} is {k} than {m}. Who is the {w}[ of the three| of them| of all]*?",
    "{n} is {k} than {m}. {o} is not as {j} as {m}. Who is the {w}?",
    "{m} is {k} than {o} but {n} is {k} than {m}. Who is the {w}?", "[Put|Think of] {n}, {m} and {o}: {n} is {k} than {m}, {m} is {k} than {o}. Who is the {w}?"]
DAYS_AGO = ["[Today is {d}|It is {d} today|If today is {d}]. [What|Which] day was it {n} days ago?", "[What|Which] day was {n} days before {d}?",
    "It is {d}. Which day was {n} days ago?"]
MONTHS = ["It is {d}[ now]*. [Which|What] month [is it|will it be|comes] in {n} months?", "[What|Which] month [is|comes] {n} months after {d}?",
    "What month is it {n} months from {d}?", "In {d} I wait {n} months. Which month is it then?"]
CLOCK = ["It is {h}:{a}. What time is it in {b} minutes?",
    "[The film|The lesson|The train|The meeting|Lunch] starts at {h}:{a} and takes {b} minutes. When does it end?",
    "[What time is it|What is the time] {b} minutes after {h}:{a}?",
    "The bus leaves at {h}:{a} and needs {b} minutes. [When does it arrive|At what time does it arrive]?",
    "I leave [home |]at {h}:{a} and walk {b} minutes. When do I arrive?", "{h}:{a} plus {b} minutes: what time is it?"]
ONE_LETTER = ["How many times does the letter {c} [appear|occur|come] in {w}?", "How often [is|do you see] the letter {c} in [the word ]*{w}?",
    "How many {c}'s are in [the word ]*\"{w}\"?",
    "Count the letter {c} in {w}.", "How many letters {c} [are in {w}|does {w} have|are there in the word {w}]?"]
SENTENCE = ["How many words [are in this sentence|does this sentence have|are there in the sentence]: {x}",
    "Count the words[ in this sentence| of the sentence| in this]*: {x}", "[How many words are there|How many words|Number of words]: {x}",
    "How many words [do I write|do you see] here: {x}"]
DOUBLE = ["banana", "apple", "pepper", "letter", "coffee", "bottle", "book", "balloon", "cheese", "committee", "tomato", "potato", "mississippi", "strawberry",
    "parrot", "summer", "kangaroo", "elephant", "pizza", "success"]
for _more in (longer_stories, daily_comparisons):
    for _, _less, _two, _three, _ in NUMBERS:
        _two.extend(_more.TWO[_less[0]])
        _three.extend(_more.THREE[_less[0]])
    PRICE_TWO += _more.PRICE_TWO
    PRICE_THREE += _more.PRICE_THREE
    ORDER += _more.ORDER
    DAYS_AGO += _more.DAYS_AGO
    MONTHS += _more.MONTHS
    CLOCK += _more.CLOCK


def picked(r, more, less, templates, names, values, **slots):
    """Who has the most (or least) of `names` with `values`; the answer is the name."""
    want_more, count = r.random() < 0.6, len(names)
    word = (more if want_more else less)[count - 2]
    best = max(values) if want_more else min(values)
    who = names[values.index(best)]
    keys = dict(zip("abc", values))
    listed = ", ".join(f"{n} {v}" for n, v in zip(names, values))
    if count == 2:
        high, low = max(values), min(values)
        why = f"{high} is more than {low}" if want_more else f"{low} is less than {high}"
    else:
        why = f"The {'most' if want_more else 'least'} is {best}"
    return [Turn(ask(r, templates, w=word, **keys, **slots), f"{who[0].upper() + who[1:]}.", f"{listed}. {why}, so {who}.", brief=f"{who[0].upper() + who[1:]}.")]


def compare(r):
    """Two or three people or prices."""
    count = 3 if r.random() < 0.35 else 2
    if r.random() < 0.2:
        things = r.sample(GOODS, 3)
        more, less = r.choices(PRICES, [4, 1])[0]
        values = r.sample(range(2, r.choice([20, 100, 900])), count)
        names = [f"the {t}" for t in things[:count]]
        return picked(r, more, less, PRICE_TWO if count == 2 else PRICE_THREE, names, values, **dict(zip("xyz", things)))
    more, less, two, three, top = r.choice(NUMBERS)
    names = r.sample(lexicon.NAMES, 3)
    low = 100 if top == 200 and "tall" in more[0] else 2
    values = r.sample(range(low, max(low + 5, r.choice([20, top, top]))), count)
    return picked(r, more, less, two if count == 2 else three, names[:count], values, **dict(zip("nmo", names)), t=r.choice(word_problems.THINGS))


def order(r):
    """n over m over o: who is first or last?"""
    n, m, o = r.sample(lexicon.NAMES, 3)
    k, most, least = r.choice(ORDERS)
    first = r.random() < 0.6
    who, place = (n, "first") if first else (o, "last")
    return [Turn(ask(r, ORDER, n=n, m=m, o=o, k=k, w=most if first else least, j=JUST[k]), f"{who}.", f"The order is {n}, {m}, {o}. {who} is {place}.", brief=f"{who}.")]


def days_ago(r):
    i, n = r.randrange(7), r.randint(2, 5)
    way = [lexicon.DAYS[(i - k) % 7] for k in range(1, n + 1)]
    return [Turn(ask(r, DAYS_AGO, d=lexicon.DAYS[i], n=n), f"It was {way[-1]}.", f"I count {n} days back: {', '.join(way)}.", brief=f"{way[-1]}.")]


def months_later(r):
    i, n = r.randrange(12), r.randint(2, 5)
    way = [lexicon.MONTHS[(i + k) % 12] for k in range(1, n + 1)]
    return [Turn(ask(r, MONTHS, d=lexicon.MONTHS[i], n=n), f"It will be {way[-1]}.", f"I count {n} months: {', '.join(way)}.", brief=f"{way[-1]}.")]


def clock(r):
    """A time some minutes later, sometimes in the next hour."""
    h, a, b = r.randint(6, 21), r.choice([0, 5, 10, 15, 20, 30, 40, 45, r.randint(10, 59)]), r.choice([5, 10, 15, 20, 25, 30, 40, 45])
    total = a + b
    time = f"{h + total // 60}:{total % 60:02d}"
    carried = f" {total} - 60 = {total - 60}, one hour more." if total >= 60 else ""
    return [Turn(ask(r, CLOCK, h=h, a=f"{a:02d}", b=b), f"It is {time}.", f"{a} + {b} = {total}.{carried} So {time}.", brief=f"{time}.")]


def one_letter(r):
    w = r.choice(DOUBLE if r.random() < 0.4 else lexicon.WORDS)
    c, n, parts = r.choice(w), 0, []
    for x in w:
        n += x == c
        parts.append(f"{x} {n}" if x == c else x)
    return [Turn(ask(r, ONE_LETTER, c=c, w=w), f"The letter {c} is in {w} {n} {'time' if n == 1 else 'times'}.", f"I count: {' '.join(parts)}. So {n}.", brief=f"{n}.")]


def sentence(r):
    """The words of a short sentence are counted."""
    a, b = r.sample(lexicon.NOUNS, 2)
    text = r.choice(["the {j} {a} is {c}", "I see a {c} {a}", "my {a} is on the {b}", "{n} likes the {a}", "{n} has a {j} {a} and a {b}", "we go home",
    "the {a} and the {b} are {c}", "{n} is here", "where is the {a}",
        "I like {a} and {b} very much", "the {b} of {n} is {j} and {c}", "please open the {a}"])
    words = text.format(a=a, b=b, c=r.choice(lexicon.COLORS), j=r.choice(lexicon.ADJECTIVES), n=r.choice(lexicon.NAMES)).split()
    counted = " ".join(f"{w} {i}" for i, w in enumerate(words, 1))
    return [Turn(ask(r, SENTENCE, x=" ".join(words)), f"There are {len(words)}.", f"I count: {counted}. So {len(words)}.", brief=f"{len(words)}.")]


SKILLS = [(compare, 3), (order, 0.8), (days_ago, 0.4), (months_later, 0.4), (clock, 0.7), (one_letter, 0.4), (sentence, 0.5), *daily_comparisons.SKILLS]
