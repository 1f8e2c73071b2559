"""Chats about the scenes of `told_scenes`, and about things that differ from those of somebody else or of another time."""
import re

from . import tellings, told_plans
from .grammar import choose, expand
from .keepsakes import ANYTHING, FAVORITES, KEEPSAKES, NOTED, NUMBERED
from .phrasing import Turn, noisy, phrase
from .told_scenes import MAKE, ROLES, SCENES

MAKE.update(told_plans.MAKE)
SCENES.extend(told_plans.SCENES)
for _role, _lines in told_plans.ASKED.items():
    ROLES[_role][1].extend(_lines)
SLOT = re.compile(r"\{(\w+)\}")
DANGLING = re.compile(r"(What|Who|When|Where|How) (is|was) (.*\b(called|born|due|for|with|about|by|to|up|learning|open|collected|it|old|me)\?$|collected|due|\{spot|\{n|for|picked)")
"""What the frames cannot turn: 'who my lesson with is'; they take it as it stands, if it has no capital."""
YOU = {"my": "your", "i": "you", "me": "you", "mine": "yours", "our": "your", "am": "are", "i'm": "you're"}
TOLD, CORRECTED = "The user tells me several things. I remember them.", "The user corrects it."
SORRY = ["[Sorry|No|Wait|Oh|Oops|Actually|Hm|Correction|Hold on|No wait|Sorry, no|My mistake|One correction]{sep} @[, not {x}|, not {x}|]{end}", "I [was wrong|made a mistake|mixed that up|got that wrong|misspoke|have to correct myself]: @[, not {x}|]{end}", "@[ now|, not {x}| instead of {x}]{end}",
    "[I just heard|I checked and|It turns out that|News:|Change of plans:|Update:|In fact|I found out that|Small change:] @[, not {x}|]{end}", "[Sorry|No|Wait|Oh|Actually|Oops][,|:] not {x}[, but|, it's|. It's|,] {y}{end}", "[Not|It's not|It isn't] {x}[, but|, it's|. It's|. I meant] {y}{end}", "[Change|Correct] {x} to {y}[, please|]{end}",
    "I said {x}[, but I meant|, but it's|. It should be|. I meant] {y}{end}", "{x} [was wrong|is wrong|is not right|was a mistake][, it's|. It's|: it is|. I meant] {y}{end}", "I meant {y}, not {x}{end}", "[Please |]replace {x} [with|by] {y}{end}"]
APART = ["my {n} is {x} and {who}'s is {y}", "{who}'s {n} is {y}, mine is {x}", "{who} has {y} as {n}, but my {n} is {x}", "my {n} is {x}, the {n} of {who} is {y}", "my {n} is {x}, my {rel} {who} has {y}", "{y} is {who}'s {n} and {x} is mine", "unlike {who}, whose {n} is {y}, I have {x} as my {n}"]
CHANGED = ["my old {n} was {y}, my new one is {x}", "my {n} used to be {y}, now it is {x}", "until {day} my {n} was {y}, since then it is {x}", "my {n} was {y}, but now it's {x}", "I had {y} as my {n} before, now I have {x}", "my {n} is no longer {y}, it is {x}", "my {n} has changed from {y} to {x}", "my {n} is {x} now, before it was {y}"]
AROUND = ["my {n} is {x}, not {y}[ as {who} thinks| as {who} says|]", "people think my {n} is {y}, but it is {x}", "{who} told me on {day} in {town} that my {n} is {x}", "my {n} is {x}, {who} told me so on {day}", "since {day} my {n} is {x}, and {who} knows it too", "{x}, not {y}, is my {n}", "I almost took {y}, but my {n} is {x}",
    "my {n} is {x}, and I told {who} in {town} about it", "I was in {town} on {day} with my {rel} {who} and found out that my {n} is {x}", "as my {rel} {who} knows, my {n} is {x}", "on {day} at {time} I go to {town}, and my {n} is {x}", "{who} always asks: my {n} is {x}[, as you know|]", "I live near {who} and my {n} is {x}", "when {who} from {town} calls, say that my {n} is {x}"]
OLD = ["[What was|What's] my old {n}?", "[What was|Which was] my {n} before?", "What did my {n} use to be?", "Before that, what was my {n}?", "[Which|What] {n} did I have before?"]
OTHER = ["[What is|What's] {who}'s {n}?", "[And|What about] {who}'s {n}?", "[Do|Can] you [remember|tell me] {who}'s {n}?", "What did I say {who}'s {n} is?", "[Tell|Remind] me what {who}'s {n} is.", "Which {n} is {who}'s?"]


def values(r, keys):
    """Different values for the slots."""
    told = {}
    for key in keys:
        told[key] = new_value(r, key, told)
    return told


def new_value(r, key, told):
    """A value for a slot that no other slot has."""
    return next(v for v in iter(lambda: str(MAKE[key](r)), None) if v not in told.values())


def yours(text):
    """A statement of the user as a reply."""
    text = re.sub(r"\bI was\b", "you were", text)
    text = re.sub(r"\b(My|my|I|me|mine|our|am|I'm)\b(?!\})", lambda m: YOU[m.group(1).lower()], text)
    return text if text.startswith("{") else text[0].upper() + text[1:]


def statement(fact):
    """(what is said with @ for the value, the questions) of a fact of a scene."""
    _, role, about = fact
    if role in ROLES:
        said, questions = ROLES[role]
        said, questions = said.replace("#", about), [q.replace("#", about) for q in questions]
    else:
        said, questions = role, about
    return said, [q[0].lower() + q[1:] if DANGLING.match(q) else q for q in questions]


def sentence(text):
    """With a capital at the start, if no value stands there, and an end."""
    text = text if text.startswith("{") else text[0].upper() + text[1:]
    return text if text[-1] in ".!?" else text + "."


def asked(r, fact, told):
    """A question for a fact and its answer."""
    said, questions = statement(fact)
    slot = fact[0] if "{" in fact[0] else "{" + fact[0] + "}"
    value = tellings.filled(slot, told)
    question = phrase(r, questions)
    question = question[0].upper() + question[1:] if r.random() < 0.6 else question
    reply = f"It is {'at' if fact[1] == 'time' else 'on'} {slot}." if fact[1] in ("time", "day", "when") else yours(said).replace("@", slot) + "."
    reply = tellings.filled(reply, told)
    return Turn(tellings.filled(question, told), reply, f"The user told me: {value}.", brief=f"{value}.")


def tell(r, lines):
    """A message that tells a scene."""
    text = expand(r, choose(r, lines))
    framed = tellings.framed(r, text)
    return noisy(r, framed if r.random() < 0.5 and "?" not in framed else sentence(text))


def correct(r, fact, told, key):
    """A message that changes the value of a fact, which is changed in `told`."""
    old, new = told[key], new_value(r, key, told)
    line = expand(r, choose(r, SORRY)).replace("{sep}", ",").replace("{end}", r.choice([".", ".", "", "!"]))
    line = line.replace("@", statement(fact)[0].replace("@", "{y}"))
    told[key] = new
    return tellings.filled(noisy(r, line if line.startswith("{") else line[0].upper() + line[1:]), {**told, "x": old, "y": new})


def later(r, small):
    """Another turn: a small one, or something else that is told."""
    if r.random() < 0.75:
        return small(r)
    kind = r.choice(ANYTHING)
    return [Turn(tellings.filled(tell(r, [f"my {kind} is {{x}}", f"{{x}} is my {kind}", f"I have {{x}} as my {kind}"]), {"x": KEEPSAKES[kind][4](r)}), NOTED, "The user tells me something. I remember it.")]


def scene(r, small, change=0.0):
    """A scene, other turns, perhaps a correction of it, and questions about it; `small` makes a small turn."""
    lines, facts = r.choice(SCENES)
    template = tell(r, lines)
    told = values(r, dict.fromkeys(SLOT.findall(template)))
    facts = [f for f in facts if all(k in told for k in SLOT.findall(f[0] if "{" in f[0] else "{%s}" % f[0]) + SLOT.findall(f[1] + (f[2] if isinstance(f[2], str) else "")))]
    facts = [f for f in facts if isinstance(f[2], str) or all(set(SLOT.findall(q)) <= set(told) for q in f[2])]
    turns = [Turn(tellings.filled(template, told), NOTED, TOLD)]
    some = r.sample(facts, min(len(facts), r.choice([1, 1, 2, 2, 3])))
    plain = [f for f in facts if f[0] in told and f[0] not in ("rel", "rel2", "animal", "animal2", "kept", "lock", "app", "bin2")]
    if plain and r.random() < change:
        turns += small(r) if r.random() < 0.25 else []
        fact = r.choice(plain)
        turns.append(Turn(correct(r, fact, told, fact[0]), NOTED, CORRECTED))
        some = [fact] + [f for f in some if f is not fact][:1]
    for _ in range(r.choices([0, 1, 2, 3], [45, 30, 17, 8])[0]):
        turns += later(r, small)
    asks = [asked(r, f, told) for f in some]
    if len(asks) > 1 and r.random() < 0.12:
        first, second = asks.pop(0), asks.pop(0)
        question = f"{first.user if first.user[-1] in '.?!' else first.user + '?'} {r.choice(['', '', 'And: ', 'Also: ', 'And another one: '])}{second.user}"
        asks.insert(0, Turn(question, f"{first.reply} {second.reply}", f"The user told me: {first.brief[:-1]} and {second.brief[:-1]}.", plain=False))
    return turns + asks


KINDS = [k for k in [*NUMBERED, *(f"favorite {k}" for k in FAVORITES)] if k != "wi-fi password"]


def contrast(r, small, question_for):
    """A thing of the user beside that of another, or that of before, or beside names and places that are not asked for."""
    kind, k = r.choice(KINDS), r.random()
    lines = APART if k < 0.4 else CHANGED if k < 0.65 else AROUND
    template = tell(r, lines).replace("{n}", kind)
    told = values(r, [key for key in dict.fromkeys(SLOT.findall(template)) if key in MAKE])
    told["x"], told["y"] = two_values(r, kind)
    turns = [Turn(tellings.filled(template, told), NOTED, "The user tells me something. I remember it.")]
    for _ in range(r.choices([0, 1, 2], [50, 32, 18])[0]):
        turns += later(r, small)
    mine = Turn(question_for(r, kind), KEEPSAKES[kind][3].replace("{x}", told["x"]), f"The user told me: {told['x']}.", brief=f"{told['x']}.")
    if lines is AROUND or r.random() < 0.5:
        return turns + [mine]
    questions, reply = (OTHER, f"{told.get('who')}'s {kind} is {told['y']}.") if lines is APART else (OLD, f"Your old {kind} was {told['y']}.")
    other = Turn(tellings.filled(phrase(r, questions).replace("{n}", kind), told), reply, f"The user told me: {told['y']}.", brief=f"{told['y']}.")
    return turns + r.sample([mine, other], r.choice([1, 2]))


def two_values(r, kind):
    """Two different values of a kind."""
    first = str(KEEPSAKES[kind][4](r))
    return first, next(v for v in iter(lambda: str(KEEPSAKES[kind][4](r)), None) if v != first)
