"""Kinds of problems with two or three steps beside those of `two_steps`: two prices and a note, two kinds of goods, sharing and then losing, ages in some
years, double and half, what five cost if three cost six, totals that differ, units, trips in two parts. (numbers, steps, the sum in one line, lines of text)."""
from . import arithmetic, two_steps, word_problems
from .phrasing import Turn
from .step_lines import LINES

FORMS = {
    "note": (["a - b", "_ - c"], "a - b - c"), "two goods": (["a * b", "c * d", "1 + 2"], "a * b + c * d"), "legs": (["a * 4", "c * 2", "1 + 2"], "a * 4 + c * 2"),
    "two trips": (["a * b", "c * d", "1 + 2"], "a * b + c * d"), "share, lose": (["a / b", "_ - c"], "a / b - c"), "share, get": (["a / b", "_ + c"], "a / b + c"),
    "packs shared": (["a * b", "_ / c"], "a * b / c"), "half, lose": (["a / 2", "_ - c"], "a / 2 - c"), "half, get": (["a / 2", "_ + c"], "a / 2 + c"),
    "double, lose": (["a * b", "_ - c"], "a * b - c"), "double, get": (["a * b", "_ + c"], "a * b + c"), "half together": (["a / 2", "_ + a"], ""),
    "older, later": (["a + b", "_ + c"], "a + b + c"), "younger, later": (["a - b", "_ + c"], "a - b + c"), "more, more": (["a + b", "_ + c"], "a + b + c"),
    "more, less": (["a + b", "_ - c"], "a + b - c"), "at first": (["a + b", "_ + c"], "a + b + c"), "totals": (["a + b", "c + d", "1 - 2"], ""),
    "products": (["a * b", "c * d", "1 - 2"], "a * b - c * d"), "price of some": (["a / b", "_ * c"], "a / b * c"), "rest differs": (["a - b", "b - _"], ""),
    "weeks": (["a * 7", "_ + c"], "a * 7 + c"), "dozen": (["a * 12", "_ + c"], "a * 12 + c"), "dozen, less": (["a * 12", "_ - c"], "a * 12 - c"),
    "meters": (["a * 100", "_ + c"], "a * 100 + c"), "average": (["a + b", "_ / 2"], ""), "around": (["a + b", "_ * 2"], ""),
    "on and off": (["a + b", "_ - c", "_ + d"], "a + b - c + d"), "hours": (["a + b", "_ + c"], "a + b + c"), "missing": (["a * b", "_ - c"], "a * b - c")}
"""The steps of a kind: `_` is the result of the step before, 1 and 2 those of the first and the second."""


def numbers(r, kind):
    """The numbers of a problem, so that each step is a natural number."""
    small, q = lambda low=2, high=12: r.randint(low, high), r.randint(3, 12)
    top = r.choice([12, 20, 50, 99])
    if kind == "note":
        a = r.choice([10, 20, 20, 50, 100])
        b = r.randint(2, a - 4)
        return {"a": a, "b": b, "c": r.randint(2, a - b - 1)}
    if kind == "two trips":
        return {"a": 10 * small(1, 9), "b": small(2, 5), "c": 10 * small(1, 9), "d": small(2, 5)}
    if kind in ("two goods", "legs"):
        return {"a": small(), "b": small(), "c": small(), "d": small()}
    if kind in ("share, lose", "share, get"):
        b = small(2, 10)
        return {"a": b * q, "b": b, "c": small(2, q - 1 if kind == "share, lose" and q > 3 else 9) if q > 3 or kind != "share, lose" else 2}
    if kind == "packs shared":
        c, m = small(2, 6), small(1, 3)
        a = c * m
        return {"a": a if a > 1 else 2 * c, "b": small(), "c": c}
    if kind.startswith("half"):
        half = small(4, r.choice([12, 12, 30]))
        return {"a": 2 * half, "c": small(2, half - 1 if kind == "half, lose" else 20)}
    if kind.startswith("double"):
        a, b = r.choice([small(), small(), 10 * small(1, 9)]), r.choice([2, 2, 2, 3, 4])
        return {"a": max(3, a), "b": b, "c": small(2, max(3, a) * b - 1 if kind == "double, lose" else 30), "w": two_steps.TIMES[b]}
    if kind in ("older, later", "younger, later"):
        b = small(2, 20)
        return {"a": r.randint(5, 60) + (b if kind != "older, later" else 0), "b": b, "c": small(2, 15)}
    if kind == "totals":
        c, d = r.randint(2, top), r.randint(2, top)
        a = r.randint(2, top)
        return {"a": a, "b": max(2, c + d - a + r.randint(2, top)), "c": c, "d": d}
    if kind == "products":
        a, b, c, d = small(), small(), small(), small()
        (a, b), (c, d) = ((a, b), (c, d)) if a * b > c * d else ((c, d), (a, b))
        return {"a": a + (a * b == c * d), "b": b, "c": c, "d": d}
    if kind == "price of some":
        b = small(2, 9)
        return {"a": b * small(), "b": b, "c": r.choice([n for n in range(2, 13) if n != b])}
    if kind == "rest differs":
        low = r.randint(2, top)
        b = low + r.randint(1, top)
        return {"a": low + b, "b": b}
    if kind in ("weeks", "dozen", "dozen, less"):
        return {"a": small(2, 9), "c": small(2, 6 if kind == "weeks" else 11)}
    if kind == "meters":
        return {"a": small(1, 9) if r.random() < 0.8 else small(10, 20), "c": r.randint(2, 99)}
    if kind == "average":
        a = r.randint(2, top)
        return {"a": a, "b": a + 2 * r.randint(1, 12)}
    if kind == "around":
        return {"a": small(3, 30), "b": small(2, 20)}
    if kind == "hours":
        return {"a": small(6, 13), "b": small(2, 5), "c": small(2, 5)}
    if kind == "missing":
        a, b = small(), small()
        return {"a": a, "b": b, "c": small(2, max(2, a * b - 1))}
    a, b = r.randint(3, top), r.randint(2, top)
    return {"a": a, "b": b, "c": r.randint(2, a + b - 1 if kind in ("more, less", "on and off") else top), "d": r.randint(2, top)}


def solved(steps, values):
    """[(x, operator, y, result)] of the steps."""
    out = []
    for step in steps:
        left, op, right = step.split()
        known = {"_": out[-1][3] if out else 0, **values}
        if step in ("1 + 2", "1 - 2"):
            known.update({"1": out[0][3], "2": out[1][3]})
        x, y = (known[k] if k in known else int(k) for k in (left, right))
        out.append((x, op, y, {"+": x + y, "-": x - y, "*": x * y, "/": x // y}[op]))
    return out


def several_steps(r, kind=""):
    """A problem of one of the kinds."""
    kind = kind or r.choices(list(LINES), [len(lines) for lines in LINES.values()])[0]
    steps, asked = FORMS[kind]
    values = numbers(r, kind)
    rows = solved(steps, values)
    *_, (x, op, y, result) = rows
    question = word_problems.said(r, LINES[kind], t=r.choice(word_problems.THINGS), f=r.choice(word_problems.EATEN), **values)
    asked = " ".join(str(values.get(k, k)) for k in asked.split())
    if not asked:
        reply = f"{'. '.join(arithmetic.worked(*row) for row in rows)}."
    elif all(step.startswith("_ ") for step in steps[1:]):
        reply = f"{arithmetic.in_one_line(rows[0][0], [(op, y) for _, op, y, _ in rows])}."
    else:
        reply = f"{asked} = {arithmetic.worked(x, op, y, result)}."
    thought = f"{' '.join(arithmetic.step(*row) for row in rows)} So {result}."
    return [Turn(question, reply, thought, brief=f"{result}.", after_thought=f"{asked or f'{x} {op} {y}'} = {result}.")]
