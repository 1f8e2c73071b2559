"""Reads the data files: topics with [a|b] alternatives, groups of synonyms, and the fixed evaluation sets."""
import os
import random
import re

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
CHOICE = re.compile(r"\[([^\]]*)\]")


def read_lines(name):
    """The lines of a data file that are not empty."""
    with open(os.path.join(DATA, name), encoding="utf-8") as file:
        return list(filter(None, map(str.strip, file)))


def names(start):
    """The data files whose names begin like this."""
    return sorted(name for name in os.listdir(DATA) if name.startswith(start))


def read_sections(name):
    """{title: [lines]} of a file whose titles begin with '# '."""
    sections, lines = {}, []
    for line in read_lines(name):
        if line.startswith("# "):
            lines = sections.setdefault(line[2:], [])
        else:
            lines.append(line)
    return sections


def read_synonyms():
    """{"n": [[word, …], …], "v": …, "a": …}: nouns, verbs and adjectives that mean the same."""
    groups = {}
    for line in read_lines("synonyms.txt"):
        kind, words = line.split(": ")
        groups.setdefault(kind, []).append(words.split(", "))
    return groups


def expand(pattern, r: random.Random):
    """One sentence of a pattern, its alternatives chosen at random."""
    return CHOICE.sub(lambda found: r.choice(found.group(1).split("|")), pattern)


def read_evaluation(name):
    """([(topic, passage)], [(topic, query)]); passages begin with '> '; '! ' lists the beginnings of a topic's own words."""
    passages, queries = [], []
    for topic, lines in read_sections(name).items():
        for line in lines:
            if line.startswith("> "):
                passages.append((topic, line[2:]))
            elif not line.startswith("! "):
                queries.append((topic, line))
    return passages, queries


def all_words(name):
    """All alternatives of a file of sections, as one text."""
    return " ".join(line for lines in read_sections(name).values() for line in lines).replace("|", " ")
