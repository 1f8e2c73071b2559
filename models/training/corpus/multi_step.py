"""Problems of several steps: two operations, comparing people, counting letters and items, sorting, days that pass."""
from . import arithmetic, comparisons, daily_comparisons, lexicon, longer_stories, step_kinds, two_steps, word_problems
from .phrasing import Turn, ask

CHAIN = ["What is {e}?", "{e}", "[Compute|Calculate|Solve|Work out|Evaluate] {e}.", "{e} = ?", "How much is {e}?",
    "[Please work out|Help me with|Quick sum:|My sum is] {e}[.|]", "What [do I get|comes out|is the result] [for|of] {e}?", "{e} [is|makes|equals] [what|how much]?",
    "[Begin|Start] [with|at] {a}, {s} {b} and {u} {c}. [What comes out|What is left|Where do I end|What is the answer]?",
    "[I think of|My number is] {a}. Now {s} {b}, then {u} {c}. What [is it now|number do I have|do I get]?",
    "[First|Start with] {a}, then {s} {b}, then {u} {c}. [What is the result|What do you get]?",
    "[Type|Enter|Put] {a} into a calculator, {s} {b} and {u} {c}. [What does it show|What is on the display|What comes out]?",
    "{a}, {s} {b}, {u} {c}: [what is that|what do I get|result]?", "[What do you get|What comes out] if you [start with|take] {a}, {s} {b} and {u} {c}?",
    "Take {a}, {s} {b}[ and|, then] {u} {c}. [What do I get|What is the result|How much is it]?"]
JOURNEY = ["{n} has {a} {t}, [gets|buys|finds] {b} more and [gives away|loses|sells] {c}. How many {t} [are left|does {n} have|remain]?",
    "There are {a} {t}. {b} are added and {c} are taken away. How many {t} are there[ now]*?",
    "A bus has {a} people. {b} get on and {c} get off. How many people are on the bus?",
    "[The shelf|My desk|The drawer] has {a} {t}. I put in {b} more and take out {c}. How many {t} are [there|in it|left]?",
    "How many {t} are there if {n} brings {a}, I bring {b} and we lose {c}?", "[Yesterday|Last week] {n} had {a} {t}. Then {n} [got|found|won] {b} and [gave away|sold|lost] {c}. How many {t} does {n} have now?",
    "~{n} starts with {a} {t}, wins {b} and then loses {c}. How many now?"]
MORE = ["{n} has {a} {t} and {m} has {b}. Who has more[ {t}]*?", "Who has more {t}, {n} with {a} or {m} with {b}?",
    "{n} [scored|has|got] {a} points[,| and] {m} [scored|has|got] {b}. Who [won|has more|is ahead|is better]?",
    "{n} is {a} years old[,| and] {m} is {b}. Who is older?",
    "{n} is {a} cm tall, {m} is {b} cm. Who is taller?", "[{n} found|{n} sold|{n} bought] {a} {t}, {m} {b}. Who has [more|the most|most]?",
    "Between {n} with {a} {t} and {m} with {b}, who has more?", "[Tell me|Say] who has more {t}: {n} has {a}, {m} has {b}.",
    "~{n}: {a} {t}. {m}: {b} {t}. Who owns more?"]
LETTERS = ["How many letters [does the word \"{w}\" have|are in the word {w}|does {w} have|are there in {w}|has the word {w}]?",
    "Count the letters [of|in] [the word ]*{w}.",
    "How long is the word {w}?", "How many letters [are there|are] in [the word ]*\"{w}\"?", "{w}: how many letters[ is that| does it have]*?",
    "[I wrote|The word is|Take] {w}. How many letters [does it have|are in it|is that]?",
    "[Spell {w} in your head|Look at the word {w}]. How many letters [has it|are there]?", "[Say|Find out] how many letters {w} has.", "Length of the word {w}?",
    "How many characters [are in {w}|does {w} have]?",
    "[What is the ]*[number|count] of letters in \"{w}\"?", "~Tell me the length of the word {w}."]
ITEMS = ["How many items are [in this list|here]: {x}", "Count [these|the items|the words|these words]: {x}", "How many words are [in|there in]: {x}",
    "How many things do I list? {x}", "How many [words|items|things] do you [see|count|find] here: {x}",
    "[Here is|This is] [my|a] list. How many [items|things|words] does it have? {x}", "My shopping list: {x}. How many [things|items] [is that|are on it]?",
    "I need {x}. How many things [is that|do I need]?", "[Please say|Find out|Tell me] how many [words|items|things] [these are|there are]: {x}",
    "How [long|big] is this list: {x}", "~Number of entries: {x}"]
SORT = ["Sort [these numbers|the numbers|this]: {x}", "[Put|Bring|Arrange] [these numbers|these] in order: {x}", "Order these from small to large: {x}",
    "Sort ascending: {x}",
    "[Sort|Order|Arrange] [the numbers |these numbers |]from [lowest to highest|small to big|smallest to biggest|low to high|the smallest to the largest]: {x}",
    "[Write|List|Give me] [these|the] numbers in [ascending|rising|increasing] order: {x}",
    "[Start with the smallest|Smallest first|The smallest number first]: {x}",
    "I have [these|the] numbers: {x}. [Sort them|Put them in order|Order them], smallest first.",
    "What is the right order, from small to large: {x}", "[Line up|Rank] these numbers from [small to large|low to high]: {x}",
    "~Arrange from smallest to largest: {x}"]
ALPHABET = ["Sort [these words |the words ]*alphabetically: {x}", "[Put|Bring|Arrange] these words in alphabetical order: {x}", "Sort from A to Z: {x}",
    "[List|Write|Give me|Order] [these|the] words from A to Z: {x}", "[Order|Arrange|List] alphabetically: {x}", "[Which order|What order] is alphabetical: {x}",
    "[In|By] the alphabet, please: {x}", "Sort [my|this] list by [the alphabet|letter|first letter]: {x}",
    "[Put|Bring] [my|this] list in order from A to Z: {x}", "In [ABC|alphabetical] order: {x}",
    "~Alphabetical order of: {x}"]
LARGEST = ["[Which|What] is the [largest|biggest|greatest|highest] [number|of these numbers|of these]: {x}[?|]",
    "Find the [largest|biggest|highest] number: {x}", "[Which one|Which number|Which|What number] is the [biggest|largest|highest][ one]*: {x}",
    "{x}: [which|what] is the [largest|biggest|highest][ number]*?", "[Out of|Among|Of] {x}, [which|what] is the [biggest|largest|highest]?",
    "[The|Tell me the|Give me the|Say the] [biggest|largest|greatest|highest] [number |]of {x}", "I have {x}. Which is the [largest|biggest]?",
    "What is the maximum: {x}", "[Look at|Here are] [these|some] numbers: {x}. Which is the [largest|biggest|highest]?",
    "~Pick the maximum: {x}"]
SMALLEST = ["[Which|What] is the [smallest|lowest] [number|of these numbers|of these]: {x}[?|]", "Find the [smallest|lowest] number: {x}",
    "[Which one|Which number|Which|What number] is the [smallest|lowest][ one]*: {x}", "{x}: [which|what] is the [smallest|lowest][ number]*?",
    "[Out of|Among|Of] {x}, [which|what] is the [smallest|lowest]?", "What is the minimum: {x}",
    "[The|Tell me the|Give me the|Say the] [smallest|lowest] [number |]of {x}", "I have {x}. Which is the [smallest|lowest]?",
    "[Look at|Here are] [these|some] numbers: {x}. Which is the [smallest|lowest]?",
    "~Pick the minimum: {x}"]
DAYS = ["[Today is {d}|It is {d} today|If today is {d}]. [What|Which] day [is it|will it be|is] in {n} days?",
    "[What|Which] day [is|comes] {n} days after {d}?", "What day is it {n} days from {d}?",
    "[It is|It's|Today is|Today's] {d}. [My trip|The party|The test|My birthday|Her visit] is in {n} days. [What|Which] day is that?",
    "If it is {d} today, [what|which] day [comes|is it|will it be] [in|after] {n} days?", "[What|Which] day of the week [is it|will it be|is] {n} days after {d}?",
    "In {n} days from {d}, [what|which] day is it?", "{d} plus {n} days: [which|what] day[ is that| is it]*?",
    "I [start|leave|begin] on {d} and [come back|return|finish] {n} days later. [Which|What] day is [that|it]?",
    "[Start at|Begin on|Count from] {d} and [go|count] {n} days on. Which day is it?", "~{n} days past {d} is which day?"]
MORE += longer_stories.WHO_HAS_MORE + daily_comparisons.WHO_HAS_MORE
DAYS += longer_stories.DAYS + daily_comparisons.DAYS
LETTERS += daily_comparisons.LETTERS
ITEMS += daily_comparisons.ITEMS
SORT += daily_comparisons.SORT
ALPHABET += daily_comparisons.ALPHABET
LARGEST += daily_comparisons.LARGEST
SMALLEST += daily_comparisons.SMALLEST
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
    thought = f"{arithmetic.step(a, first, b, middle)} {arithmetic.step(middle, second, c, result)} So {result}."
    reply, brief, after_thought = f"{arithmetic.in_one_line(a, [(first, b), (second, c)])}.", f"{result}.", f"{asked} = {result}."
    if first == "+" and second == "-" and r.random() < 0.4:
        thing = r.choice(word_problems.THINGS)
        q = ask(r, JOURNEY, n=r.choice(lexicon.NAMES), a=a, b=b, c=c, t=thing)
        return [Turn(q, reply, thought, brief=brief, after_thought=after_thought)]
    say = {"+": ADD, "-": TAKE}
    q = ask(r, CHAIN, e=asked, a=a, b=b, c=c, s=r.choice(say[first]), u=r.choice(say[second]))
    return [Turn(q, reply, thought, brief=brief, after_thought=after_thought)]


def who_has_more(r):
    n, m = r.sample(lexicon.NAMES, 2)
    a, b = r.sample(range(1, r.choice([20, 100, 999])), 2)
    best, high, low = (n, a, b) if a > b else (m, b, a)
    return [Turn(ask(r, MORE, n=n, m=m, a=a, b=b, t=r.choice(word_problems.THINGS)), f"{best}.",
        f"{n} {a}, {m} {b}. {high} is more than {low}, so {best}.", brief=f"{best}.")]


def letters(r):
    w = r.choice(lexicon.WORDS)
    spelled = " ".join(f"{c} {i}" for i, c in enumerate(w, 1))
    return [Turn(ask(r, LETTERS, w=w), f"The word {w} has {len(w)} letters.", f"I count: {spelled}. So {len(w)}.", brief=f"{len(w)}.")]


def items(r):
    source = r.choices([lexicon.WORDS, lexicon.NOUNS, daily_comparisons.GROCERIES, lexicon.NAMES], [4, 3, 3, 1])[0]
    words = [r.choice(source) for _ in range(r.randint(2, 8))]
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
    i, n = r.randrange(7), r.choice([2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10])
    way = [lexicon.DAYS[(i + k) % 7] for k in range(1, n + 1)]
    return [Turn(ask(r, DAYS, d=lexicon.DAYS[i], n=n), f"It will be {way[-1]}.", f"I count {n} days: {', '.join(way)}.", brief=f"{way[-1]}.")]


SKILLS = [(chain, 3), (two_steps.two_steps, 4), (step_kinds.several_steps, 3.5), (who_has_more, 1.5), (letters, 1.5), (items, 2), (sort, 3), (days_later, 1),
    *comparisons.SKILLS]


def multi_step(r):
    return r.choices([f for f, _ in SKILLS], [w for _, w in SKILLS])[0](r)
