"""Endless pairs of texts that mean the same, each with a text that is close but wrong. Keys name meanings: equal ones are no negatives."""
import random

import grammar
import opposites
import scenes
import subjects
from spelling import worn

TOPICS = grammar.read_sections("topics.txt")
FRAMES = ["{}", "{}", "{}", "the {}", "very {}", "{} it", "some {}", "a {}"]
CLAUSES = ["the {a} {n} of {w}", "{w} has a {a} {n}", "a {a} {n} that belongs to {w}", "{w} owns the {n}, it is {a}", "the {n} of {w} is {a}"]
ASKS = ["{}", "please {}", "can you {}", "I want to {}", "how do I {}", "we must {}", "{} now", "is it possible to {}"]
SYNONYMS = grammar.read_synonyms()


def sentence(topic, r):
    return worn(scenes.reworded(grammar.expand(r.choice(TOPICS[topic]), r), r), r, typos=0.25)


def topic_pair(r):
    """Two sentences of a topic, and one of another topic."""
    topic, other = r.sample(list(TOPICS), 2)
    return ("topic", topic), sentence(topic, r), sentence(topic, r), ("topic", other), sentence(other, r)


def synonym_pair(r):
    """Verb, adjective and noun said in two ways; in the wrong text one of the three is another."""
    chosen = {kind: r.randrange(len(groups)) for kind, groups in SYNONYMS.items()}
    changed = r.choice(list(SYNONYMS))
    others = {**chosen, changed: (chosen[changed] + r.randrange(1, len(SYNONYMS[changed]))) % len(SYNONYMS[changed])}
    who = scenes.INVENTOR.word(r)

    def say(groups):
        word = {kind: r.choice(SYNONYMS[kind][at]) for kind, at in groups.items()}
        return worn(r.choice(ASKS).format(f"{word['v']} {r.choice(CLAUSES).format(a=word['a'], n=word['n'], w=who)}"), r)
    return ("synonym", *chosen.values(), who), say(chosen), say(chosen), ("synonym", *others.values(), who), say(others)


def word_pair(r):
    """Single words and short phrases: synonyms, and words of one field."""
    groups = r.choice([scenes.SYNONYMS, scenes.FIELDS, scenes.FIELDS])
    at = r.randrange(len(groups))
    first, second = r.sample(groups[at], 2)
    wrong = (at + r.randrange(1, len(groups))) % len(groups)
    frame = r.choice(FRAMES)
    say = lambda word: r.choice([frame, "{}"]).format(word)
    return ("word", len(groups), at), say(first), say(second), ("word", len(groups), wrong), say(r.choice(groups[wrong]))


FAMILIES = [(topic_pair, 0.15), (scenes.scene, 0.55), (subjects.subject_pair, 0.14), (synonym_pair, 0.04), (word_pair, 0.12)]
# The texts that pieces are weighed by say the opposite, too: 'not' is to count for little, since a bag of words cannot tell opposites apart.
WEIGHED = [(family, 0.82 * share) for family, share in FAMILIES] + [(opposites.opposite, 0.18)]


def pair(r: random.Random, families=FAMILIES):
    """(key, text, text of the same meaning, key and text of another meaning) of one of the families."""
    return r.choices([one for one, _ in families], [share for _, share in families])[0](r)
