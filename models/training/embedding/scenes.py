"""Pairs of texts about the same invented scene: a few notions, said in other words and in other order, with other small words between.

A notion is a line of `fields*.txt`, a group of `synonyms.txt`, or a word that nobody knows. Unknown words are the point: of a topic
that training never saw, what two texts share is their rare words, and the small words between them mean nothing.
"""
import itertools
import re

import grammar
from spelling import Inventor, ending, typo, worn

SYNONYMS = [group for groups in grammar.read_synonyms().values() for group in groups]
FIELDS = [line.split(", ") for name in grammar.names("fields") for line in grammar.read_lines(name)]
KNOWN = sorted({word for group in FIELDS + SYNONYMS for words in group for word in words.split()})
INVENTOR = Inventor([word for word in KNOWN if len(word) > 3])
QUESTIONS = """how do I {}|how does {}|why is {}|why do {}|what is {}|what does {}|where is {}|when are {}|who {}|which {}|how many {}|how much {}
how long does {}|can I {}|what to do with {}|is there {}|are there any {}|does {}|{}|{}|{}|{}|{}|{} for beginners|tell me about {}|my {}
the {}|I want to know about {}|looking for {}|what happens when {}|{} rules|{} explained|what are {} made of|I need {}""".replace("\n", "|").split("|")
SMALL = """the of a and in to is are that it for with on as by at from an they its when
 which was be into or not so if until about one two every after before all their his her you your can may must does do has have had than then
 there this these those he she we us our me my i them him who whom whose what where how why will would should could might shall were been
 being am did done get gets got over under out up down off through between across during without within against toward towards upon near
 also only just very too much many more most some any each both either neither no nor yet still even again ever once here now always often
 usually sometimes soon later because while although though unless since like such same own other another few several enough quite rather
 around along away back almost already else instead however well away yes okay let make makes made take takes took go goes went come comes
 came keep keeps kept give gives gave put puts use uses used need needs want wants called means kind way thing things lot bit part people
 person someone something anyone anything nothing everything everyone nobody itself himself themselves myself yourself"""
SMALL = list(dict.fromkeys(SMALL.split()))
COMMON = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(SMALL))))  # The earlier, the more often.
BY_MEANING = 0.75
MEANT = 0.5  # How often a known notion is said in another word.


def notion(r):
    """(kind, words that say it)."""
    kind = r.random()
    if kind < 0.51:
        return "field", r.choice(FIELDS)
    if kind < 0.65:
        return "synonym", r.choice(SYNONYMS)
    if kind < 0.71:
        return "word", [r.choice(KNOWN)]
    return "rare", [INVENTOR.word(r)]


def say(one, r, first=None):
    """A notion in words: `first` is how the other text said it."""
    kind, words = one
    word = first if first and kind != "rare" and r.random() > MEANT else r.choice(words)
    chance = r.random()
    if kind == "rare":
        return ending(word, r) if chance < 0.3 else typo(word, r) if chance < 0.65 else word
    return ending(word, r) if chance < 0.25 else typo(word, r) if chance < 0.37 else word


def filled(words, r, density):
    """The words with small ones between them."""
    out = []
    for word in words:
        while r.random() < density:
            out += r.choices(SMALL, cum_weights=COMMON)
        out.append(word)
    return " ".join(out)


def passage(said, r):
    r.shuffle(said)
    return worn(filled(said, r, 0.45).capitalize(), r, typos=0.02, opening=0)


def scene(r):
    """(key, query, passage, key and text of a passage about something close)."""
    notions = [notion(r) for _ in range(r.randint(4, 9))]
    if r.random() < 0.5:
        notions[0] = ("rare", [INVENTOR.word(r)])
    # Asked in other words alone, or by name: then the rare word may be all that there is.
    r.shuffle(notions)
    if r.random() < BY_MEANING:
        notions.sort(key=lambda one: one[0] == "rare")
        wanted = notions[:r.choice([2, 3, 3, 4])]
    else:
        wanted = notions[:r.choice([1, 2, 2, 3, 3, 4])]
    words = [r.choice(words) for _, words in notions]
    asked = [say(one, r, word) for one, word in zip(wanted, words)]
    asked += [say(notion(r), r) for _ in range(r.choice([0, 0, 0, 1, 1, 2]))]
    r.shuffle(asked)
    query = worn(r.choice(QUESTIONS).format(filled(asked, r, 0.35)), r)
    others = [r.choice(notion(r)[1]) for _ in wanted]
    kept = r.randrange(len(wanted))
    close = [word if at == kept and len(wanted) > 1 else other for at, (word, other) in enumerate(zip(words, others))] + words[len(wanted):]
    return ("scene", query), query, passage(words, r), ("close", query), passage(close, r)


def reworded(text, r, chance=0.12):
    """A text with some of its known words said in another way."""
    return re.sub(r"[a-z]{4,}", lambda found: r.choice(OTHERS.get(found.group(), [found.group()])) if r.random() < chance else found.group(), text)


OTHERS = {}
for group in SYNONYMS:
    for name in group:
        OTHERS.setdefault(name, []).extend(other for other in group if other != name)
