"""Word problems of two steps: packs and some more, change from a note, people who come and go, a sum that is shared, twice as many together."""
from . import arithmetic, daily_chains, longer_stories, story_tables, word_problems
from .phrasing import Turn

THINGS, FOOD = word_problems.THINGS, word_problems.EATEN
GOODS = story_tables.GOODS.split()
OUT = "[loses|gives away|sells|uses|breaks|throws away|gives {m}]"
IN = "[gets|buys|finds|wins|receives]"
LEFT = "How many [{t} ]*[are left|does {p} have left|does {p} have now|remain|are there then|does {p} still have]?"
PRODUCT_PLUS = ["{a} boxes with {b} {t} each and {c} more: how many {t}[ in all| in total| altogether]*?",
    "If I buy {a} packs of {b} {t} and already have {c}, how many do I have [now|then|in all]?",
    "[There are|We have] {a} tables with {b} [people|guests] each and {c} people at the bar. How many people [is that|are there]?",
    f"{{N}} [buys|has|gets|opens] {{a}} [packs|boxes|bags] of {{b}} {{t}} and {IN} {{c}} more. How many {{t}} [does {{p}} have|is that|are there] [in all|in total|altogether|now]?",
    "There are {a} [boxes|bags|baskets] with {b} {t} each and {c} [single|other|loose|more] {t}. How many {t} [are there|is that] [in all|in total|altogether]?",
    "How many {t} [are there|do I have] if I have {a} [packs|boxes|bags] of {b} and {c} [more|extra]?",
    "{N} [reads|does|solves] {a} pages a day for {b} days and then {c} more. How many pages is that?",
    "{N} saves {a} dollars a week for {b} weeks and gets {c} dollars [from {m}|as a gift|for {q} birthday]. How much [does {p} have|money is that]?",
    "{a} cards cost {b} dollars each. A bag costs {c} dollars[ more]*. How much [do I pay|is it] [in all|in total|altogether]?",
    "[A trip takes|The film takes|I need] {a} times {b} minutes and {c} minutes more. How many minutes [is that|in all]?"]
PRODUCT_MINUS = ["If I have {a} [boxes|bags|packs] with {b} {f} each and eat {c}, how many are left?", "{a} packs of {b} {f}, {c} eaten. How many left?",
    "There are {a} tables with {b} chairs each. {c} chairs are [broken|taken]. How many chairs are left?",
    f"{{N}} [buys|has|gets|opens] {{a}} [packs|boxes|bags|trays] of {{b}} {{t}} and {OUT} {{c}}[ of them]*. {LEFT}",
    f"{{N}} has {{a}} [boxes|bags] with {{b}} {{t}} [each|in each]. {{P}} {OUT} {{c}}. {LEFT}",
    "How many {t} are left if I buy {a} [packs|bags|boxes] of {b} and [lose|give away|use] {c}?",
    "There are {a} rows of {b} [seats|chairs]. {c} are taken. How many are free?",
    "{a} [boxes|bags] hold {b} {t} each. {c} [are broken|are gone|were sold]. How many {t} are [left|still good]?",
    "{N} [buys|opens|gets] {a} [packs|bags|boxes|trays] of {b} {f} and eats {c}[ of them]*. How many {f} [are left|does {p} have left|remain]?",
    "I [buy|have|bought] {a} [packs|bags|boxes] of {b} {f}. [I eat|We eat|The kids eat|I ate] {c}. How many [{f} ]*are left?",
    "{N} [earns|saves|makes] {a} dollars a day for {b} days and spends {c} dollars. How much is left?"]
CHANGE = ["If I have {c} dollars and buy {a} {t} for {b} dollars each, how much [is left|money is left|do I have left]?",
    "I have ${c}. {a} {t} cost ${b} each. How much [is left|do I have after buying them]?",
    "[My note is|I give] {c} euros for {a} {t} at {b} euros each. [How much comes back|What is my change]?",
    "{N} buys {a} {t} for {b} dollars each and pays with {c} dollars. How much [change|money] does {p} get[ back]*?",
    "I have {c} [dollars|euros]. I buy {a} {t} for {b} each. How much [is left|money is left|do I have left]?",
    "I pay {a} {t} at {b} euros each with a {c} euro note. [What is my change|How much do I get back]?",
    "How much change do I get from {c} dollars for {a} {t} at {b} dollars each?",
    "{N} has ${c} and buys {a} {t} for ${b} each. How much money is left?", "{N} has {c} {t}. {P} fills {a} [bags|boxes] with {b} each. How many {t} are left?",
    "There are {c} {t}. {a} [children|friends|kids] take {b} each. How many {t} are left?",
    "A book has {c} pages. {N} reads {a} pages a day for {b} days. How many pages are left?"]
COME_GO = {"+-": ["[I have|I had|If I have] {a} {f}, [buy|get|pick] {b} more and eat {c}, how many [{f} ]*[are left|do I have|remain]?",
    "I have {a} {t}. I [get|buy|find] {b} [more|others], then I [lose|sell|give away|use] {c}. How many [{t} ]*do I have [now|left|in the end]?",
    "{a} {t}, plus {b} more, minus {c}. How many[ {t}]*?", "If {m} has {a} {t}, gets {b} more and gives {c} to {o}, how many [{t} ]*does {m} have[ left| now]*?",
    "A shop has {a} {t}. {b} [more |]arrive and {c} are sold. How many are [left|there now|in the shop]?",
    "{m} has {a} {t} and {o} has {b}. They [lose|sell|give away|use] {c}. How many do they have [left|together now]?",
    "[There are|We have] {a} [boys|girls] and {b} [women|men] in the room. {c} leave. How many people are left?",
    "I had {a} dollars, got {b} from my [mom|dad|aunt] and spent {c}. How [much|many dollars] do I have [now|left]?",
    f"{{N}} has {{a}} {{t}}. {{P}} {IN} {{b}} more and [then |]{OUT} {{c}}. {LEFT}",
    "A [bus|train|tram|boat] has {a} people. {b} get on[,| and] {c} get off. How many people are [on it|inside] now?",
    "[There are|We are] {a} people in a [room|shop|park|cafe]. {b} [come|enter|arrive] and {c} [leave|go home|go out]. How many are there now?",
    "How many {t} do I have if I start with {a}, get {b} and lose {c}?",
    f"{{N}} has {{a}} [red|big|old] and {{b}} [blue|small|new] {{t}}. {{P}} {OUT} {{c}}. {LEFT}",
    "{N} [scores|gets|wins] {a} points, then {b} points and [then |]loses {c}. How many points does {p} have?",
    "I have {a} dollars, earn {b} and spend {c}. How much do I have?"],
    "-+": ["I have {a} {t}. I [lose|sell|give away|use] {b} and [then |later |]I [buy|get|find] {c}. How many [{t} ]*do I have[ now]*?",
    "If I have {a} {f}, eat {b} and buy {c} more, how many [{f} ]*do I have?", "{a} {t}, minus {b}, plus {c}. How many[ {t}]*?",
    "There are {a} {f} in the [bowl|fridge|basket]. {N} eats {b} and {m} [adds|buys|brings] {c}. How many {f} are there now?",
    f"{{N}} has {{a}} {{t}}. {{P}} {OUT} {{b}} and [then |later |]{IN} {{c}}[ new ones]*. How many {{t}} does {{p}} have[ now]*?",
    "A [bus|train|tram] has {a} people. {b} get off and {c} get on. How many people are on it now?",
    "There are {a} people in a [room|shop|cafe]. {b} leave and {c} come. How many are there now?",
    "I have {a} dollars, spend {b} and then earn {c}. How much do I have?"],
    "--": ["I have {a} {f}. I eat {b} and [give away|give you|my dog eats|my friend eats] {c}. How many [{f} ]*[are left|remain|do I still have]?",
    "If I have {a} dollars and spend {b} on [food|books] and {c} on [drinks|a ticket], how much is left?",
    "From {a} {t}, {b} are sold and {c} are [broken|lost]. How many are left?",
    "A bus has {a} people. {b} get off at the first stop, {c} at the second. How many are left?",
    "[There are|We have] {a} children. {b} are [ill|late] and {c} are [away|outside]. How many are here?",
    "There are {a} {f} on the table. {m} eats {b} and {o} eats {c}. How many {f} are left?",
    "{N} [has|bakes|buys] {a} {f}, eats {b} and gives {c} to {m}. How many are left?", f"{{N}} has {{a}} {{t}}. {{P}} {OUT} {{b}} and {{m}} takes {{c}}. {LEFT}",
    "There are {a} {t}. {m} takes {b}, {o} takes {c}. How many {t} are left?",
    "{N} has {a} dollars. A [book|cap] costs {b} and a [pen|ball] {c}. How much is left after {p} buys both?",
    "A book has {a} pages. {N} reads {b} pages on Monday and {c} on Tuesday. How many pages are left?",
    "[I had|{N} had] {a} {t}, [sold|lost|gave away] {b} [yesterday|on Monday] and {c} today. How many {t} are left?"],
    "++": ["I have {a} {t}, {m} has {b} and {o} has {c}. How many [is that|do we have] [together|in all|altogether]?",
    "A box has {a} red, {b} blue and {c} green {t}. How many {t} are in it?",
    "{a} cats, {b} dogs and {c} birds: how many animals?", "[There are|I see] {a} cows, {b} pigs and {c} hens on a farm. How many animals are there[ in all]*?",
    "{N} scored {a}, {b} and {c} points. What is the total?",
    "{m} has {a} {t}, {n} has {b} and {o} has {c}. How many {t} [do they have|is that|are there] [in all|in total|altogether|together]?",
    "{N} read {a} pages on Monday, {b} on Tuesday and {c} on Wednesday. How many pages [in all|in total|altogether]?",
    "A [pen|hat] costs {a} dollars, a [book|shirt] {b} and a [bag|ball] {c}. How much [is that|do I pay] [in all|in total|altogether|together]?",
    "How many {t} are {a} red ones, {b} blue ones and {c} green ones together?", "I walked {a} km, then {b} km and then {c} km. How far is that in all?"]}
SHARED = {"+/": ["{N} has {a} {t} and gets {b} more. {P} shares them [equally |]among {c} [friends|kids|children]. How many does each get?",
    "{m} has {a} {t}, {o} has {b}. They put them [equally |]into {c} [boxes|bags]. How many {t} are in each?"],
    "-/": ["{N} has {a} {f}, eats {b} and shares the rest [equally |]among {c} [friends|kids|people]. How many does each get?",
    "Of {a} {t}, {b} are bad. The [others|rest] go into {c} boxes[ equally]*. How many are in each?"],
    "+*": ["[Each|Every] bag has {a} red and {b} blue {t}. How many {t} are in {c} bags?",
    "A [cake|pizza] costs {a} dollars and a drink {b}. What do {c} people pay if each has both?"]}
TOGETHER = {"+": ["{m} has {a} {t}. {o} has {b} more than {m}. How many {t} do they have [together|in all|altogether]?",
    "{m} is {a} years old and {o} is {b} years older. How old are they together?"],
    "-": ["{m} has {a} {t}. {o} has {b} fewer than {m}. How many {t} do they have [together|in all|altogether]?",
    "{m} is {a} years old and {o} is {b} years younger. How old are they together?"],
    "*": ["{m} has {a} {t}. {o} has {w} as many. How many {t} do they have [together|in all|altogether]?",
    "{m} [scored|has] {a} points and {o} [scored|has] {w} as many. How many points [is that|do they have] together?"]}
TIMES = {2: "twice", 3: "three times", 4: "four times"}
TIME = ["How many minutes [are|is|are there in] {a} hours and {c} minutes?",
    "[The film|The trip|The flight|School] takes {a} hours and {c} minutes. How many minutes is that?", "{a} hours {c} minutes in minutes?",
    "I [slept|worked|walked|waited] {a} hours and {c} minutes. How many minutes?"]
for _more in (longer_stories, daily_chains):
    PRODUCT_PLUS += _more.PRODUCT_PLUS
    PRODUCT_MINUS += _more.PRODUCT_MINUS
    CHANGE += _more.CHANGE
    TIME += _more.TIME
    for _table, _new in ((COME_GO, _more.COME_GO), (SHARED, _more.SHARED), (TOGETHER, _more.TOGETHER)):
        for _signs, _lines in _new.items():
            _table[_signs].extend(_lines)


def turn(question, asked, first, middle, op, c, result):
    """The turn of `asked`, whose first step `first` gives `middle`."""
    a, first_op, b = first.split()
    before = int(a), first_op, int(b), middle
    reply = (f"{arithmetic.in_one_line(before[0], [(first_op, before[2]), (op, c)])}." if asked
        else f"{arithmetic.worked(*before)}. {arithmetic.worked(middle, op, c, result)}.")
    return [Turn(question, reply, f"{arithmetic.step(*before)} {arithmetic.step(middle, op, c, result)} So {result}.", brief=f"{result}.", after_thought=f"{asked or f'{middle} {op} {c}'} = {result}.")]


def product(r, **slots):
    """a * b + c, a * b - c or c - a * b."""
    a, b, k = r.randint(2, 12), r.randint(2, 12), r.random()
    whole, first = a * b, f"{a} * {b}"
    if k < 0.12:
        a, c = r.randint(2, 9), r.randint(2, 59)
        return turn(word_problems.said(r, TIME, a=a, c=c), f"{a} * 60 + {c}", f"{a} * 60", a * 60, "+", c, a * 60 + c)
    if k < 0.4:
        c = r.randint(2, 20)
        return turn(word_problems.said(r, PRODUCT_PLUS, a=a, b=b, c=c, **slots), f"{first} + {c}", first, whole, "+", c, whole + c)
    if k < 0.7:
        c = r.randint(2, whole - 1)
        return turn(word_problems.said(r, PRODUCT_MINUS, a=a, b=b, c=c, **slots), f"{first} - {c}", first, whole, "-", c, whole - c)
    c = r.choice([n for n in (10, 20, 50, 100, 200) if n > whole][:2])
    question = word_problems.said(r, CHANGE, a=a, b=b, c=c, t=r.choice(GOODS))
    steps = arithmetic.step(c, "-", whole, c - whole)
    worked = arithmetic.worked(c, "-", whole, c - whole)
    return [Turn(question, f"{c} - {first} = {worked}.", f"{first} = {whole}. {steps} So {c - whole}.", brief=f"{c - whole}.", after_thought=f"{c} - {first} = {c - whole}.")]


def come_and_go(r, **slots):
    """a + b - c and the like: things and people that come and go."""
    signs = r.choice(["+-", "+-", "+-", "-+", "--", "++"])
    top = r.choice([12, 20, 20, 50, 99])
    a, b = r.randint(3, top), r.randint(2, top)
    if signs[0] == "-":
        a, b = max(a, b) + 2, min(a, b)
    middle = a + b if signs[0] == "+" else a - b
    c = r.randint(1, min(top, middle)) if signs[1] == "-" else r.randint(2, top)
    if signs[1] == "-" and middle > 3:
        c = max(2, c - 1)
    result = middle + c if signs[1] == "+" else middle - c
    question = word_problems.said(r, COME_GO[signs], a=a, b=b, c=c, **slots)
    return turn(question, f"{a} {signs[0]} {b} {signs[1]} {c}", f"{a} {signs[0]} {b}", middle, signs[1], c, result)


def shared(r, **slots):
    """(a + b) / c, (a - b) / c or (a + b) * c, as two sums."""
    kind = r.choice(list(SHARED))
    c, q = r.randint(2, 10), r.randint(2, 10)
    middle = q if kind == "+*" else c * q
    if kind[0] == "+":
        middle = max(4, middle)
        a = r.randint(2, middle - 2)
        b = middle - a
    else:
        b = r.randint(2, 12)
        a = middle + b
    result = middle * c if kind == "+*" else middle // c
    return turn(word_problems.said(r, SHARED[kind], a=a, b=b, c=c, **slots), "", f"{a} {kind[0]} {b}", middle, kind[1], c, result)


def both(r, **slots):
    """What two have together, when one has more, fewer or some times as many."""
    op, a = r.choice(list(TOGETHER)), r.randint(4, 40)
    if op == "*" and a > 12:
        a = a // 4 * 10
    b = r.randint(2, 4) if op == "*" else r.randint(2, a - 2)
    other = {"+": a + b, "-": a - b, "*": a * b}[op]
    return turn(word_problems.said(r, TOGETHER[op], a=a, b=b, w=TIMES.get(b, ""), **slots), "", f"{a} {op} {b}", other, "+", a, other + a)


def two_steps(r):
    """A problem of one of these kinds."""
    return r.choices([product, come_and_go, shared, both], [5, 4, 2, 2])[0](r, t=r.choice(THINGS), f=r.choice(FOOD))
