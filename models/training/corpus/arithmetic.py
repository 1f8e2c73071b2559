"""Small sums in every spelling, and simple word problems."""
from .lexicon import NAMES, number_word
from .phrasing import Turn, ask

SPELLINGS = {"+": ["plus", "+", "and"], "-": ["minus", "-"], "*": ["times", "*", "x", "multiplied by"], "/": ["divided by", "/"]}
QUESTIONS = ["What is {e}?", "{e}", "{e} = ?", "{e}=", "Compute {e}.", "How much is {e}?", "Calculate {e}.", "Solve {e}.", "whats {e}",
    "What does {e} equal?",
             "Tell me what {e} is.", "Can you add up {e}?", "Work out {e}.", "{e}?", "What do you get for {e}?", "Please calculate {e}",
                 "I need the result of {e}.", "How much does {e} make?", "Evaluate {e}."]


def operands(r):
    """(a, b, operator, result), always a natural number."""
    op = r.choices("+-*/", [45, 30, 20, 5])[0]
    k = r.random()
    if op == "+":
        top = 10 if k < 0.35 else 30 if k < 0.65 else 99 if k < 0.98 else 999
        a, b = r.randint(0, top), r.randint(0, min(top, 99))
        return a, b, op, a + b
    if op == "-":
        top = 20 if k < 0.5 else 99 if k < 0.98 else 999
        b, a = sorted((r.randint(0, top), r.randint(0, top)))
        return a, b, op, a - b
    if op == "*":
        a, b = (r.randint(0, 12), r.randint(0, 12)) if k < 0.97 else (r.randint(11, 50), r.randint(2, 9))
        if r.random() < 0.3:
            a, b = b, a
        return a, b, op, a * b
    b, q = r.randint(1, 12), r.randint(1, 12)
    return b * q, b, op, q


def reasoning(a, b, op, result):
    """The steps of the calculation, short."""
    if op == "+" and a < 100 and b < 100:
        ones, carry = a % 10 + b % 10, (a % 10 + b % 10) // 10
        return f"Ones: {a % 10} + {b % 10} = {ones}, carry {carry}. Tens: {a // 10} + {b // 10} + {carry} = {a // 10 + b // 10 + carry}. So {result}."
    if op == "-" and a < 100:
        borrow = int(a % 10 < b % 10)
        return f"Ones: {a % 10} - {b % 10}, borrow {borrow}, gives {a % 10 - b % 10 + 10 * borrow}. Tens: {a // 10} - {b // 10} - {borrow} = {a // 10 - b // 10 - borrow}. So {result}."
    if op == "*" and max(a, b) > 12 and min(a, b) < 10:
        big, small = max(a, b), min(a, b)
        return f"{big // 10 * 10} * {small} = {big // 10 * 10 * small}. {big % 10} * {small} = {big % 10 * small}. Together {result}."
    return f"{a} {op} {b} gives {result}."


def spell_number(r, n, words):
    return number_word(n) if words and n < 100 else str(n)


def sum_turn(r):
    a, b, op, result = operands(r)
    words = r.random() < 0.07
    sign = r.choice(SPELLINGS[op] if r.random() < 0.6 else [op])
    if sign == "and" or (op == "+" and r.random() < 0.08):
        q = ask(r, ["Add {a} and {b}.", "What is the sum of {a} and {b}?", "Sum of {a} and {b}?", "Add {a} to {b}."] , a=spell_number(r, a, words),
            b=spell_number(r, b, words))
    elif op == "-" and r.random() < 0.08:
        q = ask(r, ["Subtract {b} from {a}.", "What is the difference between {a} and {b}?", "Take {b} away from {a}."], a=spell_number(r, a, words),
            b=spell_number(r, b, words))
    elif op == "*" and r.random() < 0.08:
        q = ask(r, ["Multiply {a} by {b}.", "What is the product of {a} and {b}?", "Multiply {a} and {b}."], a=spell_number(r, a, words),
            b=spell_number(r, b, words))
    else:
        tight = sign in "+-*/" and r.random() < 0.3
        e = f"{a}{sign}{b}" if tight else f"{spell_number(r, a, words)} {sign} {spell_number(r, b, words)}"
        q = ask(r, QUESTIONS, e=e)
    if r.random() < 0.1:
        q += r.choice([" Answer with only the number.", " Only the number, please.", " Reply with just the number."])
        return [Turn(q, str(result), reasoning(a, b, op, result), plain=False)]
    return [Turn(q, f"{a} {op} {b} = {result}.", reasoning(a, b, op, result), brief=f"{result}.")]


THINGS = "apples books coins pencils cards stones eggs oranges stickers balls cookies tickets cups flowers".split()


def story_turn(r):
    a, b, thing, name = r.randint(2, 60), r.randint(1, 30), r.choice(THINGS), r.choice(NAMES)
    k = r.random()
    if k < 0.45:
        q = ask(r, ["I have {a} {t} and buy {b} more. How many {t} do I have?", "{n} has {a} {t} and gets {b} more. How many {t} are there now?",
                    "There are {a} {t} in a box. I add {b}. How many {t} are in the box?", "{a} {t} and {b} more {t}: how many is that?",
                    "If I have {a} {t} and you give me {b}, how many do I have?"], a=a, b=b, t=thing, n=name)
        result, op = a + b, "+"
    elif k < 0.8:
        a, b = max(a, b), min(a, b)
        q = ask(r, ["I have {a} {t} and give away {b}. How many {t} are left?", "{n} has {a} {t} and loses {b}. How many {t} are left?",
                    "There are {a} {t}. {n} takes {b}. How many remain?", "I had {a} {t} and ate {b}. How many are left?"], a=a, b=b, t=thing, n=name)
        result, op = a - b, "-"
    else:
        a, b = r.randint(2, 12), r.randint(2, 12)
        q = ask(r, ["There are {a} boxes with {b} {t} each. How many {t} are there?", "I buy {a} bags with {b} {t} in each. How many {t} is that?",
                    "{a} people have {b} {t} each. How many {t} do they have together?"], a=a, b=b, t=thing)
        result, op = a * b, "*"
    return [Turn(q, f"{a} {op} {b} = {result} {thing}.", reasoning(a, b, op, result), brief=f"{result}.")]


def compare_turn(r):
    a, b = r.sample(range(0, r.choice([20, 100, 1000])), 2)
    k = r.random()
    if k < 0.4:
        q = ask(r, ["Which is bigger, {a} or {b}?", "Is {a} or {b} larger?", "Which number is greater: {a} or {b}?", "What is bigger, {a} or {b}?"],
            a=a, b=b)
        return [Turn(q, f"{max(a, b)} is bigger than {min(a, b)}.", f"I compare {a} and {b}. {max(a, b)} is bigger.", brief=f"{max(a, b)}.")]
    if k < 0.6:
        q = ask(r, ["Which is smaller, {a} or {b}?", "Is {a} or {b} smaller?", "Which number is less: {a} or {b}?"], a=a, b=b)
        return [Turn(q, f"{min(a, b)} is smaller than {max(a, b)}.", f"I compare {a} and {b}. {min(a, b)} is smaller.", brief=f"{min(a, b)}.")]
    if k < 0.8:
        q = ask(r, ["Is {a} even or odd?", "Is {a} an even number?", "Is the number {a} odd or even?"], a=a)
        kind = "odd" if a % 2 else "even"
        return [Turn(q, f"{a} is {kind}.", f"{a} ends in {a % 10}, so it is {kind}.", brief=f"{kind.capitalize()}.")]
    step = r.choice([1, 1, 2, 5, 10])
    start = r.randint(1, 30) if step == 1 else step * r.randint(1, 6)
    row = [start + step * i for i in range(5)]
    q = ask(r, ["What comes next: {s}?", "Continue the series: {s}", "Which number comes next? {s}"], s=", ".join(map(str, row[:4])))
    return [Turn(q, f"The next number is {row[4]}.", f"The numbers grow by {step}. {row[3]} + {step} = {row[4]}.", brief=f"{row[4]}.")]
