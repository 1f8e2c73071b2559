"""What the model must beat: bags of words and of character n-grams, with and without idf. Standard library only."""
import collections
import math

from wordpiece import words

STOP = set("a an the of to in on at for and or is are was be it its i you your my me we our do does did how what which who when where "
           "can could will would that this with by from as not no so too".split())


def word_features(text, stop_words):
    return [w for w in words(text) if w.isalnum() and not (stop_words and w in STOP)]


def gram_features(text, shortest, longest):
    """Character n-grams inside words, whose ends are marked."""
    marked = [f"<{w}>" for w in words(text) if w.isalnum()]
    return [w[at:at + n] for w in marked for n in range(shortest, longest + 1) for at in range(max(1, len(w) - n + 1))]


def vectors(bags, weighted):
    """Counts, or counts times inverse document frequency over all bags."""
    bags = [collections.Counter(bag) for bag in bags]
    found = collections.Counter(feature for bag in bags for feature in bag)
    weight = {feature: math.log((1 + len(bags)) / (1 + n)) + 1 if weighted else 1.0 for feature, n in found.items()}
    return [{feature: n * weight[feature] for feature, n in bag.items()} for bag in bags]


def cosine(a, b):
    dot = sum(value * b.get(feature, 0.0) for feature, value in a.items())
    size = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return dot / size if size else 0.0


FAMILIES = {
    "bag of words": {
        "counts": (lambda t: word_features(t, False), False), "counts without stop words": (lambda t: word_features(t, True), False),
        "tf-idf": (lambda t: word_features(t, False), True), "tf-idf without stop words": (lambda t: word_features(t, True), True)},
    "character n-grams": {
        f"{a}–{b} letters, tf-idf": (lambda t, a=a, b=b: gram_features(t, a, b), True) for a, b in ((3, 3), (4, 4), (3, 5), (2, 5))},
}


def similarities(family, texts, others):
    """{variant: [text][other]}; the idf is that of the very texts that are searched, which favours the baselines."""
    for name, (features, weighted) in FAMILIES[family].items():
        bags = vectors([features(text) for text in texts + others], weighted)
        yield name, [[cosine(bag, other) for other in bags[len(texts):]] for bag in bags[:len(texts)]]
