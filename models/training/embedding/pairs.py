"""Endless pairs of texts that mean the same, each with a key that names the meaning (equal keys are no negatives)."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import grammar  # noqa: E402
from corpus.lexicon import CITIES, NAMES, WORDS, pseudo_word  # noqa: E402

TOPICS = grammar.read_sections("topics.txt")
SYNONYMS = grammar.read_synonyms()
OPENINGS = ["hello, {}", "hi, {}", "question: {}", "please tell me: {}", "{} please", "{} thanks", "excuse me, {}", "dear team, {}"]
ASKS = ["{}", "please {}", "can you {}", "I want to {}", "how do I {}", "we must {}", "{} now", "is it possible to {}"]
CLAUSES = ["the {a} {n} of {w}", "{w} has a {a} {n}", "a {a} {n} that belongs to {w}", "{w} owns the {n}, it is {a}", "the {n} of {w} is {a}"]
KEEP_WORD = 0.93
EVERYDAY = [word for groups in SYNONYMS.values() for group in groups for word in group] + WORDS


def typo(word, r):
    """One letter dropped, doubled or swapped with its neighbour."""
    if len(word) < 5:
        return word
    at = r.randrange(1, len(word) - 1)
    return r.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:],
                     word[:at] + word[at + 1] + word[at] + word[at + 2:]])


def worn(text, r):
    """The text as people type it: an opening, a lost word, a typo, other marks at the end."""
    if r.random() < 0.2:
        text = r.choice(OPENINGS).format(text)
    words = [word for word in text.split() if r.random() < KEEP_WORD] or text.split()
    if r.random() < 0.1:
        at = r.randrange(len(words))
        words[at] = typo(words[at], r)
    return " ".join(words) + r.choice(["", "", "", "?", ".", "!"])


def topic_pair(r):
    topic = r.choice(list(TOPICS))
    first, second = (grammar.expand(r.choice(TOPICS[topic]), r) for _ in range(2))
    return ("topic", topic), worn(first, r), worn(second, r)


def close_topic_pair(r):
    """Two sentences of one pattern: the finest meaning that the grammar knows."""
    topic = r.choice(list(TOPICS))
    pattern = r.choice(TOPICS[topic])
    return ("topic", topic), worn(grammar.expand(pattern, r), r), worn(grammar.expand(pattern, r), r)


def synonym_pair(r):
    """Verb, adjective and noun said in two ways, in two sentences."""
    chosen = {kind: r.randrange(len(groups)) for kind, groups in SYNONYMS.items()}
    who = r.choice(NAMES)

    def say():
        word = {kind: r.choice(SYNONYMS[kind][at]) for kind, at in chosen.items()}
        clause = r.choice(CLAUSES).format(a=word["a"], n=word["n"], w=who)
        return r.choice(ASKS).format(f"{word['v']} {clause}")
    return ("synonym", *chosen.values(), who), worn(say(), r), worn(say(), r)


def word_pair(r):
    """Single words and short phrases: the synonyms themselves."""
    kind = r.choice(list(SYNONYMS))
    at = r.randrange(len(SYNONYMS[kind]))
    frame = r.choice(["{}", "{}", "the {}", "very {}", "{} it", "some {}"])
    first, second = r.sample(SYNONYMS[kind][at], 2)
    return ("word", kind, at), frame.format(first), r.choice([frame, "{}"]).format(second)


def overlap_pair(r):
    """Words that no topic knows: what two texts share is all that there is to go by."""
    shared = [r.choice(EVERYDAY) if r.random() < 0.5 else r.choice([pseudo_word(r), r.choice(CITIES), r.choice(NAMES)])
              for _ in range(r.randint(2, 6))]

    def side():
        words = [word for word in shared if r.random() < 0.75] or shared[:1]
        words += [r.choice(["the", "a", "of", "is", "why", "how", "and", "in", "with", r.choice(EVERYDAY)]) for _ in range(r.randint(0, 4))]
        r.shuffle(words)
        return " ".join(words)
    return ("overlap", *shared), side(), side()


FAMILIES = [(topic_pair, 0.36), (close_topic_pair, 0.08), (synonym_pair, 0.22), (word_pair, 0.10), (overlap_pair, 0.24)]


def pair(r: random.Random):
    """(key, text, text) of a random family."""
    family = r.choices([one for one, _ in FAMILIES], [share for _, share in FAMILIES])[0]
    return family(r)
