"""Sums in every spelling, most of three digits, and word problems. What is hard in one step goes place by place, in the reply or the thought."""
from . import sum_requests, word_problems
from .lexicon import NAMES, number_word
from .phrasing import Turn, ask

SPELLINGS = {"+": ["plus", "+", "and", "added to"], "-": ["minus", "-", "less"], "*": ["times", "*", "x", "multiplied by"], "/": ["divided by", "/", "over"]}
QUESTIONS = ["What is {e}?", "{e}", "{e} = ?", "{e}=", "Compute {e}.", "How much is {e}?", "Calculate {e}.", "Solve {e}.", "whats {e}",
    "What does {e} equal?", "Tell me what {e} is.", "Can you add up {e}?", "Work out {e}.", "{e}?", "What do you get for {e}?",
    "Please calculate {e}", "I need the result of {e}.", "How much does {e} make?", "Evaluate {e}.",
    "[The result|The value|The answer] of {e}[?|, please.]", "[What|How much] do [I|you|we] get [for|from|with|if I compute|when you compute] {e}?",
    "{e} [is|makes|gives|equals|equals what|is how much|makes what][?|]", "What's the [result|answer|value|outcome] of {e}?",
    "[My homework|The task|My sum|The exercise|The problem|The question] is {e}. [What is the result|What do I get|Help me|What is it][?|.]",
    "[Do the math|Math question|Sum|Quick sum|A sum for you|Next sum]: {e}",
    "If I [compute|calculate|work out] {e}, what [is the result|do I get|comes out]?",
    "[I can't|I cannot|Please help me to] [solve|work out|compute] {e}.", "~[Crunch|Figure out|Determine] {e}.", "~What number is {e}?",
    "~{e} comes to what?"]
BY_NAME = {
    "+": ["Add {a} and {b}.", "What is the sum of {a} and {b}?", "Sum of {a} and {b}?", "Add {a} to {b}.", "[Sum up|Add up|Add together] {a} and {b}.",
          "What is {a} more than {b}?", "[Give me|Find|Compute] the [sum|total] of {a} and {b}.", "[What is|What's] the total of {a} and {b}?",
          "If [you|I] add {b} to {a}, what [is it|do you get|do I get]?", "How much is {a} and {b} [together|in total|altogether]?",
          "Increase {a} by {b}.", "~Put {a} and {b} together. What is the total?"],
    "-": ["Subtract {b} from {a}.", "What is the difference between {a} and {b}?", "Take {b} away from {a}.", "Take {b} from {a}.", "Decrease {a} by {b}.",
          "How much is left if [I|you] take {b} [away ]*from {a}?", "[Give me|Find|Compute] the difference of {a} and {b}.", "What is {b} less than {a}?",
          "If [I|you] subtract {b} from {a}, what [is left|remains|do I get]?", "~Remove {b} from {a}. What remains?"],
    "*": ["Multiply {a} by {b}.", "What is the product of {a} and {b}?", "Multiply {a} and {b}.", "[Give me|Find|Compute] the product of {a} and {b}."],
    "/": ["Divide {a} by {b}.", "What do I get if I divide {a} by {b}?", "How many times does {b} fit into {a}?",
    "Split {a} into {b} equal parts. How big is each?"]}

QUESTIONS += sum_requests.QUESTIONS
for _op, _more in {"+": sum_requests.PLUS, "-": sum_requests.MINUS, "*": sum_requests.TIMES, "/": sum_requests.OVER}.items():
    BY_NAME[_op] += _more


def number(r, digits):
    return r.randint(10 ** (digits - 1) if digits > 1 else 0, 10 ** digits - 1)


def operands(r, hard=0.6):
    """(a, b, operator, result), always a natural number; `hard` is the share of sums and differences with three digits and more."""
    op = r.choices("+-*/", [50, 32, 13, 5])[0]
    if op in "+-":
        if r.random() < hard:
            d = 3 if r.random() < 0.92 else 4
            a, b = number(r, d), number(r, d if r.random() < 0.75 else r.randint(1, d))
            if op == "+" and r.random() < 0.5:
                a, b = b, a
        else:
            top = r.choice([10, 20, 30, 99, 99, 99])
            a, b = r.randint(0, top), r.randint(0, top)
        if op == "-":
            a, b = max(a, b), min(a, b)
        return a, b, op, a + b if op == "+" else a - b
    if op == "*":
        a, b = (r.randint(0, 12), r.randint(0, 12)) if r.random() < 0.85 else (r.randint(11, 50), r.randint(2, 9))
        if r.random() < 0.3:
            a, b = b, a
        return a, b, op, a * b
    b, q = r.randint(1, 12), r.randint(1, 12)
    return b * q, b, op, q


def by_place(a, op, b):
    """The steps of a sum or difference, one place of its second number at a time (of a sum's shorter one): 358 + 206 is
    [(358, 200, 558), (558, 6, 564)]."""
    if op == "+" and len(str(a)) < len(str(b)):
        a, b = b, a
    steps = []
    for digit, place in zip(str(b), reversed(range(len(str(b))))):
        part = int(digit) * 10 ** place
        if part or b == 0:
            steps.append((a, part, a + part if op == "+" else a - part))
            a = steps[-1][2]
    return steps


def is_direct(a, op, b):
    """Is the result learnt as one step?"""
    if op == "*":
        return max(a, b) <= 12 or max(a, b) % 10 == 0
    return op == "/" or len(by_place(a, op, b)) == 1 or op == "+" and len(by_place(b, op, a)) == 1


def worked(a, op, b, result):
    """`a op b = result` with its intermediate sums: 358 + 246 = 558 + 46 = 598 + 6 = 604."""
    if is_direct(a, op, b):
        return f"{a} {op} {b} = {result}"
    if op == "*":
        big, small = max(a, b), min(a, b)
        return f"{a} * {b} = {big // 10 * 10 * small} + {big % 10 * small} = {result}"
    steps = by_place(a, op, b)
    rest, out = sum(part for _, part, _ in steps), [f"{a} {op} {b}"]
    if rest != b:
        out.append(f"{b} {op} {a}")
    for _, part, total in steps[:-1]:
        rest -= part
        out.append(f"{total} {op} {rest}")
    return " = ".join([*out, str(result)])


def in_one_line(a, rest):
    """`a` and what follows it, [(operator, number)], from left to right: 14 + 46 - 30 = 54 + 6 - 30 = 60 - 30 = 30."""
    terms = [f" {op} {b}" for op, b in rest]
    out = [f"{a}{''.join(terms)}"]
    for i, (op, b) in enumerate(rest, 1):
        result = a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a // b
        steps = worked(a, op, b, result).split(" = ")[1:]
        if i < len(rest) and rest[i][0] in "*/":
            steps = steps[-1:]  # The parts of a product would need brackets.
        out += [step + "".join(terms[i:]) for step in steps]
        a = result
    return " = ".join(out)


def said_steps(a, op, b):
    return " ".join(f"{x} {op} {part} = {total}." for x, part, total in by_place(a, op, b))


def reasoning(a, op, b, result):
    """The steps of the calculation as a thought."""
    if op in "+-":
        return f"{said_steps(a, op, b)} So {result}."
    if not is_direct(a, op, b):
        big, small = max(a, b), min(a, b)
        tens, ones = big // 10 * 10, big % 10
        return f"{tens} * {small} = {tens * small}. {ones} * {small} = {ones * small}. {tens * small} + {ones * small} = {result}. So {result}."
    return f"{a} {op} {b} gives {result}."


def step(a, op, b, result):
    """One calculation of several in a thought."""
    if op == "/":
        return f"{a} / {b} gives {result}."
    return f"{a} {op} {b} = {result}." if is_direct(a, op, b) else reasoning(a, op, b, result).rsplit(" So ", 1)[0]


def answer(question, a, op, b, result, unit=""):
    """The turn of a calculation. Its steps stand in the reply, or in the thought before it; a reply of the number alone has none."""
    unit = unit and f" {unit}"
    whole, short = f"{worked(a, op, b, result)}{unit}.", f"{a} {op} {b} = {result}{unit}."
    return Turn(question, whole, reasoning(a, op, b, result), brief=f"{result}.", after_thought=short)


def spell_number(r, n, words):
    return number_word(n) if words and n < 100 else str(n)


def sum_turn(r):
    a, b, op, result = operands(r)
    words = r.random() < 0.07
    sign = r.choice(SPELLINGS[op] if r.random() < 0.6 else [op])
    if sign == "and" or r.random() < 0.4:
        q = ask(r, BY_NAME[op], a=spell_number(r, a, words), b=spell_number(r, b, words))
    else:
        tight = sign in "+-*/" and r.random() < 0.3
        e = f"{a}{sign}{b}" if tight else f"{spell_number(r, a, words)} {sign} {spell_number(r, b, words)}"
        q = ask(r, QUESTIONS, e=e)
    if r.random() < 0.1:
        q += r.choice([" Answer with only the number.", " Only the number, please.", " Reply with just the number.", " Just the number.",
            " No words, only the number."])
        return [Turn(q, str(result), reasoning(a, op, b, result), plain=False)]
    return [answer(q, a, op, b, result)]


THINGS = ("apples books coins pencils cards stones eggs oranges stickers balls cookies tickets cups flowers stamps bottles chairs bricks boxes pages points "
    "dollars euros photos songs seeds tiles letters files fish birds cars trees shells marbles nuts bags lamps shirts tickets people students").split()
MORE = ["I have {a} {t} and [buy|get|find|win|receive] {b} more. How many {t} do I have[ now| then]*?",
    "{n} has {a} {t} and gets {b} more. How many {t} are there now?",
    "There are {a} {t} in a box. I add {b}. How many {t} are in the box?", "{a} {t} and {b} more {t}: how many is that?",
    "If I have {a} {t} and you give me {b}, how many do I have?",
    "{n} [had|has|owns|collected|found] {a} {t} and [bought|got|found|received|won] {b} more. How many {t} does {n} have[ now| in total| altogether]*[?|]",
    "[One|The first] [box|bag|room|shop|shelf] has {a} {t}[, the other| and the second one| and another one] has {b}. How many {t} [are there|is that] [in total|together|altogether|in all]?",
    "{n} has {a} {t} and {m} has {b}. How many {t} do they have [together|in total|altogether]?",
    "A shop sold {a} {t} on [Monday|Friday] and {b} [the next day|on Sunday]. How many [in total|altogether|together]?",
    "We [counted|ordered|sold] {a} {t} yesterday and {b} today. [What is the total|How many is that in all]?",
    "How many {t} [are there|is that] [in all|in total|altogether]? [There are|I have|I see] {a} here and {b} [there|over there|next door].",
    "How many {t} does {n} have now? {n} had {a} and [got|found|received] {b} more.", "{m} gives {n} {b} {t}. {n} already had {a}. How many {t} does {n} have now?",
    "First there were {a} {t}, then {b} more [came|were added|were brought]. How many [are there|is that] now?", "{n} [counted|ordered|noted] {a} {t} and {m} {b}. What is the total?",
    "~{n} picks {a} {t} in the morning and {b} in the evening. How many {t} has {n} picked?"]
LESS = ["I have {a} {t} and give away {b}. How many {t} are left?", "{n} has {a} {t} and loses {b}. How many {t} are left?",
    "There are {a} {t}. {n} takes {b}. How many remain?", "I had {a} {t} and ate {b}. How many are left?",
    "{n} [had|has] {a} {t} and [sold|lost|gave away|used|broke|spent|gave {m}] {b}[ of them]*. How many {t} [are left|remain|does {n} still have|are still there]?",
    "A [shop|box|truck|library|farm] has {a} {t}. {b} are [sold|taken|removed|broken|gone]. How many [{t} ]*[are left|remain|stay]?",
    "Of {a} {t}, {b} are gone. How many are left?",
    "{n} has {a} {t}, {m} has {b}. How many more {t} does {n} have?", "I need {a} {t} and I have {b}. How many [are missing|more do I need]?",
    "How many {t} are left? {n} had {a} and [lost|sold|gave away|used] {b}.", "How many {t} [are still missing|are missing]? {n} needs {a} and has {b}.",
    "[There were|We had] {a} {t}. Now there are {b}. How many are gone?", "{n} wants {a} {t} and has {b} [so far|already|now]. How many more does {n} need?",
    "{n} takes {b} of the {a} {t}. How many are left for {m}?", "{m} has {b} {t} and {n} has {a}. How many more does {n} have?",
    "~From {a} {t} you remove {b}. What number of {t} is left?"]
DAILY = 0.6
"""Share of the word problems that come from the tables of daily life."""
GROUPS = ["There are {a} boxes with {b} {t} each. How many {t} are there?", "I buy {a} bags with {b} {t} in each. How many {t} is that?",
    "{a} people have {b} {t} each. How many {t} do they have together?",
    "[Each|Every] of {a} [boxes|shelves|children|rooms] has {b} {t}. How many {t} [are there|in total]?",
    "{n} buys {a} packs of {b} {t}. How many {t} does {n} have?", "~{a} tables with {b} {t} on each: how many {t}?"]


def story_turn(r):
    if r.random() < DAILY:
        return [answer(*word_problems.story(r))]
    thing, (n, m) = r.choice(THINGS), r.sample(NAMES, 2)
    d = r.choice([1, 2, 2, 3, 3])
    a, b, k = max(2, number(r, d)), max(1, number(r, r.randint(1, d))), r.random()
    if k < 0.45:
        op, result, templates = "+", a + b, MORE
    elif k < 0.8:
        a, b = max(a, b), min(a, b)
        op, result, templates = "-", a - b, LESS
    else:
        a, b = r.randint(2, 12), r.randint(2, 12)
        op, result, templates = "*", a * b, GROUPS
    q = ask(r, templates, a=a, b=b, t=thing, n=n, m=m)
    return [answer(q, a, op, b, result, thing)]


def compare_turn(r):
    a, b = r.sample(range(0, r.choice([20, 100, 1000])), 2)
    k = r.random()
    if k < 0.4:
        q = ask(r, ["Which is bigger, {a} or {b}?", "Is {a} or {b} larger?", "Which number is greater: {a} or {b}?", "What is bigger, {a} or {b}?",
            "[Which|What] is [more|larger|the larger one|the bigger number|the higher number]: {a} or {b}?",
            "[Compare|Take] {a} and {b}. Which [one |number |]is [bigger|larger|greater]?",
            "{a} or {b}: [which is bigger|which is more|what is larger]?",
            "[Which|What] number is [larger|higher|bigger], {a} or {b}?",
            "[I have the numbers|Here are two numbers:] {a} and {b}. Which is the [bigger|larger|greater] one?"],
            a=a, b=b)
        return [Turn(q, f"{max(a, b)} is bigger than {min(a, b)}.", f"I compare {a} and {b}. {max(a, b)} is bigger.", brief=f"{max(a, b)}.")]
    if k < 0.6:
        q = ask(r, ["Which is smaller, {a} or {b}?", "Is {a} or {b} smaller?", "Which number is less: {a} or {b}?",
            "[Which|What] is [less|lower|the smaller one|the lower number]: {a} or {b}?", "{a} or {b}: [which is smaller|which is less|what is lower]?",
            "[Compare|Take] {a} and {b}. Which [one |number |]is [smaller|lower|less]?"], a=a, b=b)
        return [Turn(q, f"{min(a, b)} is smaller than {max(a, b)}.", f"I compare {a} and {b}. {min(a, b)} is smaller.", brief=f"{min(a, b)}.")]
    if k < 0.8:
        q = ask(r, ["Is {a} even or odd?", "Is {a} an even number?", "Is the number {a} odd or even?",
            "[Odd or even|Even or odd]: {a}?", "{a}: [odd or even|even or odd]?", "[Would you call|Do you call] {a} [even or odd|odd or even]?",
            "Is {a} an odd number[ or an even one]*?"], a=a)
        kind = "odd" if a % 2 else "even"
        return [Turn(q, f"{a} is {kind}.", f"{a} ends in {a % 10}, so it is {kind}.", brief=f"{kind.capitalize()}.")]
    step = r.choice([1, 1, 2, 5, 10])
    start = r.randint(1, 30) if step == 1 else step * r.randint(1, 6)
    row = [start + step * i for i in range(5)]
    q = ask(r, ["What comes next: {s}?", "Continue the series: {s}", "Which number comes next? {s}",
        "{s}, ... [what is next|what comes next|which number follows]?", "[Find|What is|Tell me] the next number: {s}",
        "[Complete|Go on with|Continue] [the sequence|this sequence|the pattern|the row]: {s}"], s=", ".join(map(str, row[:4])))
    return [Turn(q, f"The next number is {row[4]}.", f"The numbers grow by {step}. {row[3]} + {step} = {row[4]}.", brief=f"{row[4]}.")]
