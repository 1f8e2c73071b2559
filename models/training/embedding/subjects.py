"""Pairs of texts about one subject: what a handbook says, and how people ask for it in other words (`data/subjects-*.txt`)."""
import grammar
import scenes
from spelling import worn

SUBJECTS = [([line[2:] for line in lines if line.startswith("> ")], [line for line in lines if not line.startswith("> ")])
            for name in grammar.names("subjects-") for lines in grammar.read_sections(name).values()]
SIDES = [("query", "passage", 0.75), ("query", "query", 0.17), ("passage", "passage", 0.08)]
NEAR = 6
"""Subjects that stand this near in the list are alike: the harder wrong texts."""


def text(subject, side, r, but=None):
    """One of the texts of a side, some of its words in other words, with the faults of typing."""
    passages, queries = SUBJECTS[subject]
    written = r.choice([one for one in (passages if side == "passage" else queries) if one != but] or passages)
    said = scenes.reworded(written, r)
    return (worn(said, r, typos=0.03, opening=0) if side == "passage" else worn(said, r, typos=0.2, opening=0.06)), written


def subject_pair(r):
    """(key, text, another of the subject, key and text of a subject that is near or far)."""
    at = r.randrange(len(SUBJECTS))
    other = (at + r.randint(1, NEAR) * r.choice([1, -1])) % len(SUBJECTS) if r.random() < 0.5 else (at + r.randrange(1, len(SUBJECTS))) % len(SUBJECTS)
    first, second, _ = r.choices(SIDES, [share for _, _, share in SIDES])[0]
    said, written = text(at, first, r)
    return ("subject", at), said, text(at, second, r, written)[0], ("subject", other), text(other, second, r)[0]
