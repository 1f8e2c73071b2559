"""Retrieval scores, and the bag-of-words baselines that the model must beat. Standard library only."""
import collections
import math

from wordpiece import words

STOP = set("a an the of to in on at for and or is are was be it its i you your my me we our do does did how what which who when where "
           "can could will would that this with by from as not no so too".split())


def vectors(texts, weighted, stop_words):
    """Term counts, or counts times inverse document frequency over `texts`."""
    bags = [collections.Counter(w for w in words(t) if w.isalnum() and not (stop_words and w in STOP)) for t in texts]
    found = collections.Counter(word for bag in bags for word in bag)
    weight = {word: math.log((1 + len(bags)) / (1 + n)) + 1 if weighted else 1.0 for word, n in found.items()}
    return [{word: n * weight[word] for word, n in bag.items()} for bag in bags]


def cosine(a, b):
    dot = sum(value * b.get(word, 0.0) for word, value in a.items())
    size = math.sqrt(sum(v * v for v in a.values()) * sum(v * v for v in b.values()))
    return dot / size if size else 0.0


def retrieval(passages, queries, similarity):
    """{top1, top3, mrr} where `similarity(query index, passage index)` ranks; a tie counts against the right passage."""
    ranks = []
    for q, (topic, _) in enumerate(queries):
        scores = [similarity(q, p) for p in range(len(passages))]
        right = next(p for p, (name, _) in enumerate(passages) if name == topic)
        ranks.append(1 + sum(score >= scores[right] for p, score in enumerate(scores) if p != right))
    return {"top1": round(sum(rank == 1 for rank in ranks) / len(ranks), 4),
            "top3": round(sum(rank <= 3 for rank in ranks) / len(ranks), 4),
            "mrr": round(sum(1 / rank for rank in ranks) / len(ranks), 4)}


def baselines(passages, queries):
    """Scores of every variant of the baseline."""
    texts = [text for _, text in passages + queries]
    result = {}
    for name, weighted, stop_words in (("counts", False, False), ("counts without stop words", False, True),
                                       ("tf-idf", True, False), ("tf-idf without stop words", True, True)):
        bags = vectors(texts, weighted, stop_words)
        result[name] = retrieval(passages, queries, lambda q, p: cosine(bags[len(passages) + q], bags[p]))
    return result
