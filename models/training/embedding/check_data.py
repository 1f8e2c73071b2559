"""Fail if a sentence of the evaluation sets can come out of the training grammar, word for word."""
import itertools
import re
import sys

import grammar
from wordpiece import words


def expansions(pattern):
    """Every sentence of a pattern."""
    parts = [part.split("|") if i % 2 else [part] for i, part in enumerate(grammar.CHOICE.split(pattern))]
    return ("".join(choice) for choice in itertools.product(*parts))


def main():
    sentences = {" ".join(words(s)) for lines in grammar.read_sections("topics.txt").values() for line in lines for s in expansions(line)}
    texts = [text for name in ("evaluation.txt", "outside.txt") for side in grammar.read_evaluation(name) for _, text in side]
    seen = [text for text in texts if re.sub(r" [.?!]$", "", " ".join(words(text))) in sentences]
    print(len(sentences), "training sentences,", len(texts), "evaluation sentences,", len(seen), "in both", *seen, sep="\n")
    sys.exit(1 if seen else 0)


if __name__ == "__main__":
    main()
