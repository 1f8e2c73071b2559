"""How users write: one request in many spellings, with noise that never touches the slots."""
import re
from dataclasses import dataclass

from . import frames, grammar

FRAMED = 0.5
"""Share of the requests that get other words around them."""

BEFORE = ["Please ", "Hey, ", "Hi! ", "Hello, ", "OK, ", "Now ", "Quick question: ", "One question: ", "Can you tell me: ", "Next: ", "So, ",
    "Question: ", "hey ", "hi, "]
AFTER = [" Thanks.", " Thank you.", " please", " Please.", " thanks", " :)"]
SHORTER = [("What is ", "What's "), ("What is ", "Whats "), ("what is ", "what's "), ("I am ", "I'm "), ("Who are you", "who r u"), (" you ", " u "),
           ("do not ", "don't "), ("Where is ", "Where's "), ("Who is ", "Who's ")]
SLOT = re.compile(r"(\{\w+\})")


@dataclass
class Turn:
    """One question and its answer. `plain` answers are sentences that a style instruction may change. `after_thought`: the answer that
    follows the thought; empty if it is `reply`."""
    user: str
    reply: str
    thought: str
    plain: bool = True
    brief: str = ""
    after_thought: str = ""

    def reply_after_thought(self):
        return self.after_thought or self.reply


def misspell(r, text):
    """Swap, drop or double one letter inside a longer word."""
    words = [m for m in re.finditer(r"[A-Za-z]{5,}", text)]
    if not words:
        return text
    m = r.choice(words)
    i = r.randrange(m.start() + 1, m.end() - 2)
    k = r.random()
    if k < 0.4:
        return text[:i] + text[i + 1] + text[i] + text[i + 2:]
    return text[:i] + text[i + 1:] if k < 0.7 else text[:i] + text[i] + text[i:]


def noisy(r, template):
    """Noise on the words of a template; slots stay as they are."""
    if r.random() < 0.12:
        long, short = r.choice(SHORTER)
        template = template.replace(long, short, 1)
    if r.random() < 0.1:
        template = r.choice(BEFORE) + template[0].lower() + template[1:] if template[0] != "{" and not template.startswith("I ") else r.choice(BEFORE) + template
    if r.random() < 0.15 and template[-1] in ".?!":
        template = template[:-1]
    if r.random() < 0.05 and not re.search("please|thank", template[-14:], re.I):
        template += r.choice(AFTER)
    lower, typo = r.random() < 0.2, r.random() < 0.06
    parts = SLOT.split(template)
    if lower:
        parts = [p if SLOT.fullmatch(p) else p.lower() for p in parts]
    if typo:
        i = r.randrange(len(parts))
        if not SLOT.fullmatch(parts[i]):
            parts[i] = misspell(r, parts[i])
    return "".join(parts)


def phrase(r, templates):
    """One of the templates (lines of `grammar`), in a frame or as it stands, with noise; slots are not filled yet."""
    text = grammar.expand(r, grammar.choose(r, templates))
    return noisy(r, frames.frame(r, text) if r.random() < FRAMED else text)


def add_by_reply(table, more):
    """Adds to the questions of a table of (questions, reply) those that `more` has for the beginning of the reply."""
    for questions, reply in table:
        questions.extend(next((lines for start, lines in more.items() if reply.startswith(start)), []))


def ask(r, templates, **slots):
    """One of the templates, with its slots filled."""
    return fill(phrase(r, templates), **slots)


def fill(template, **slots):
    """Like str.format for simple slots only: other braces stay."""
    return SLOT.sub(lambda m: str(slots[m.group(1)[1:-1]]) if m.group(1)[1:-1] in slots else m.group(1), template)
