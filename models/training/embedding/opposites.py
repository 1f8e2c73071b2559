"""Texts and what says the opposite: 'open', 'not open', 'closed'."""
import grammar
from scenes import INVENTOR, KNOWN

PAIRS = [[side.split(", ") for side in line.split(" | ")] for line in grammar.read_lines("opposites.txt")]
NOT = ["not", "not", "not at all", "never", "no longer"]
DEEDS = """arrive|arrives|arrived;work|works|worked;stop|stops|stopped;fit|fits|fitted;help|helps|helped;start|starts|started;fail|fails|failed
pay|pays|paid;agree|agrees|agreed;answer|answers|answered;open|opens|opened;return|returns|returned;like it|likes it|liked it;move|moves|moved
know it|knows it|knew it;want it|wants it|wanted it;need it|needs it|needed it;contain it|contains it|contained it;win|wins|won;sleep|sleeps|slept
accept it|accepts it|accepted it;remember it|remembers it|remembered it""".replace("\n", ";").split(";")


def thing(r):
    return r.choice(KNOWN) if r.random() < 0.7 else INVENTOR.word(r)


def state(r, holds):
    """(text, text) of one meaning and (text) of the opposite one, about the state of a thing."""
    what, (yes, no) = thing(r), r.choice(PAIRS)
    if r.random() < 0.5:
        yes, no = no, yes
    good, bad = r.choice(yes), r.choice(no)
    said = [f"{good}", f"not {bad}"] if holds else [f"{r.choice(NOT)} {good}", bad]
    other = r.choice([bad, f"not {good}"]) if holds else r.choice([good, f"not {bad}"])
    verb = r.choice(["is", "is", "was", "seems"])
    query = r.choice(["{t} that is {s}", "is the {t} {s}", "{s} {t}", "{t} which are {s}", "the {t} is {s}", "all {t} that are {s}"])
    return [query.format(t=what, s=r.choice(said)), f"the {what} {verb} {r.choice(said)}"], f"the {what} {verb} {other}"


def deed(r, holds):
    """The same about what somebody does, may do, or has."""
    what, (plain, now, past) = thing(r), r.choice(DEEDS).split("|")
    kind = r.randrange(4)
    if kind == 0:
        yes, no = [f"the {what} {now}", f"{what} that {now}", f"the {what} {past}"], [
            f"the {what} does not {plain}", f"{what} that do not {plain}", f"the {what} did not {plain}", f"{what} which never {past}"]
    elif kind == 1:
        yes, no = [f"the {what} may {plain}", f"{what} that can {plain}", f"it is possible for the {what} to {plain}"], [
            f"the {what} may not {plain}", f"{what} that cannot {plain}", f"it is impossible for the {what} to {plain}", f"the {what} must not {plain}"]
    elif kind == 2:
        other = thing(r)
        yes, no = [f"{what} with {other}", f"the {what} has {other}", f"a {what} that contains {other}", f"there is {other} in the {what}"], [
            f"{what} without {other}", f"the {what} has no {other}", f"a {what} that contains no {other}", f"there is no {other} in the {what}"]
    else:
        yes, no = [f"everyone {past}", f"all of the {what} {past}", f"all the {what} {past}"], [
            f"nobody {past}", f"none of the {what} {past}", f"no {what} {past}"]
    if not holds:
        yes, no = no, yes
    return r.sample(yes, 2), r.choice(no)


def opposite(r):
    """(key, text, text that means the same, key and text of the opposite)."""
    (first, second), other = r.choice([state, deed])(r, r.random() < 0.5)
    return ("holds", first), first, second, ("opposite", first), other
