"""How people spell: typos, endings, lost words, invented words, and words cut into pieces in another way."""
import collections
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from corpus.lexicon import pseudo_word

OPENINGS = ["hello, {}", "hi, {}", "question: {}", "please tell me: {}", "{} please", "{} thanks", "excuse me, {}", "dear team, {}"]
VOWELS = "aeiou"
ORDER = 3  # Letters that decide the next one of an invented word.


def typo(word, r):
    """One letter dropped, doubled, changed or swapped with its neighbour; the first one mostly stays."""
    if len(word) < 4:
        return word
    at = r.randrange(0 if r.random() < 0.1 else 1, len(word) - 1)
    other = r.choice(VOWELS) if word[at] in VOWELS else r.choice("bcdfghjklmnprstvwyz")
    return r.choice([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:], word[:at] + other + word[at + 1:],
                     word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at + 1] + word[at] + word[at + 2:]])


def ending(word, r):
    """The word with an English ending, right in most cases."""
    if len(word) < 4 or " " in word:
        return word
    stem = word[:-1] if word[-1] == "e" else word
    if word[-1] == "y" and word[-2] not in VOWELS:
        return word[:-1] + r.choice(["ies", "ied", "ier", "ily"])
    plural = "es" if word[-1] in "sxz" or word[-2:] in ("ch", "sh") else "s"
    return r.choice([word + plural] * 4 + [stem + "ing", stem + "ed", stem + "er", stem + "ers", stem + "ion", stem + "ic", stem + "al", word + "ly"])


class Inventor:
    """Invents words that look like those it is given."""

    def __init__(self, words):
        self.next = collections.defaultdict(list)
        for word in words:
            marked = "^" * ORDER + word + "$"
            for at in range(len(word) + 1):
                self.next[marked[at:at + ORDER]].append(marked[at + ORDER])

    def word(self, r):
        if r.random() < 0.15:
            return pseudo_word(r)
        while True:
            out = "^" * ORDER
            while not out.endswith("$") and len(out) < 16:
                out += r.choice(self.next[out[-ORDER:]])
            out = out.strip("^$")
            if 4 <= len(out) <= 12:
                return out


def worn(text, r, typos=0.15, opening=0.1):
    """The text as people type it: an opening, a lost word, a typo, other marks at the end."""
    if r.random() < opening:
        text = r.choice(OPENINGS).format(text)
    words = [word for word in text.split() if r.random() < 0.95] or text.split()
    if r.random() < typos:
        at = max(r.sample(range(len(words)), min(2, len(words))), key=lambda i: len(words[i]))
        words[at] = typo(words[at], r)
    return " ".join(words) + r.choice(["", "", "", "?", ".", "!"])


def pieces(tokenizer, text, r: random.Random, odd=0.06):
    """The tokens of a text, a few words of it cut into shorter pieces than they would be."""
    return tokenizer.encode(text, lambda: r.choice([2, 3, 4]) if r.random() < odd else None)
