"""Many phrasings in one line: `[a|b]` is a choice, `[a|b]*` may be left out, both nest. An alternative that begins with `~` is held out.

Held-out alternatives are never trained; within `held_out()` they are the ones that are taken, which measures what was understood.
"""
import contextlib
import functools

_state = {"held out": False}


@contextlib.contextmanager
def held_out():
    """Take the held-out alternatives, where there are some."""
    _state["held out"] = True
    try:
        yield
    finally:
        _state["held out"] = False


def choose(r, options):
    """One of the alternatives of this side of the split."""
    apart = [o for o in options if o.startswith("~")]
    if not apart:
        return r.choice(options)
    return r.choice(apart)[1:] if _state["held out"] else r.choice([o for o in options if not o.startswith("~")])


def _alternatives(text):
    """The parts of `text` between the bars that stand in no inner bracket."""
    out, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "[") - (c == "]")
        if c == "|" and depth == 0:
            out.append(text[begin:i])
            begin = i + 1
    return out + [text[begin:]]


@functools.lru_cache(maxsize=None)
def parse(line):
    """[(text, None, False) or (None, alternatives, optional)] of a line."""
    out, i = [], 0
    while i < len(line):
        if line[i] != "[":
            end = line.find("[", i)
            end = len(line) if end < 0 else end
            out.append((line[i:end], None, False))
            i = end
            continue
        depth, end = 1, i + 1
        while depth:
            depth += (line[end] == "[") - (line[end] == "]")
            end += 1
        optional = line[end:end + 1] == "*"
        out.append((None, tuple(_alternatives(line[i + 1:end - 1])), optional))
        i = end + optional
    return out


def expand(r, line):
    """One of the phrasings of a line."""
    out = []
    for text, options, optional in parse(line):
        if options is None:
            out.append(text)
        elif not optional or r.random() < 0.5:
            out.append(expand(r, choose(r, options)))
    return "".join(out)


def count(line):
    """How many phrasings a line has."""
    total = 1
    for _, options, optional in parse(line):
        if options is not None:
            total *= sum(count(o.removeprefix("~")) for o in options) + optional
    return total
