"""Fail if a sentence of an evaluation set can come out of the grammar, or if the training data know a word that a blind topic calls its own."""
import itertools
import re
import sys

import grammar
from wordpiece import words

EVALUATIONS = ("evaluation.txt", "outside.txt", "blind-seen.txt", "blind-unseen.txt")
TRAINING = ("topics.txt", "synonyms.txt", "opposites.txt", *grammar.names("fields"), *grammar.names("subjects-"))


def expansions(pattern):
    """Every sentence of a pattern."""
    parts = [part.split("|") if i % 2 else [part] for i, part in enumerate(grammar.CHOICE.split(pattern))]
    return ("".join(choice) for choice in itertools.product(*parts))


def repeated():
    """Sentences of the evaluation sets that the grammar makes word for word."""
    sentences = {" ".join(words(s)) for lines in grammar.read_sections("topics.txt").values() for line in lines for s in expansions(line)}
    texts = [text for name in EVALUATIONS for side in grammar.read_evaluation(name) for _, text in side]
    texts += [re.sub("^[+-] ", "", line) for line in grammar.read_lines("blind-negation.txt")]
    return [text for text in texts if re.sub(r" [.?!]$", "", " ".join(words(text))) in sentences]


def known():
    """Words of the training data that begin like a word of a blind topic."""
    own = [stem for line in grammar.read_lines("blind-unseen.txt") if line.startswith("! ") for stem in line[2:].split()]
    data = {word for name in TRAINING for line in grammar.read_lines(name) for word in re.findall("[a-z]+", line.lower())}
    return sorted(word for word in data if any(word.startswith(stem) for stem in own))


def main():
    faults = [f"in the grammar: {text}" for text in repeated()] + [f"known to training: {word}" for word in known()]
    print(*faults or ["The training data and the evaluation sets are apart."], sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
