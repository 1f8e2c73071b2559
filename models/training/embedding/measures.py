"""Scores of a table of similarities, with intervals. Standard library only."""
import random

import grammar

SAMPLES = 2000
SEED = 1


def ranks(passages, queries, table):
    """The rank of each query's own passage; a tie counts against it."""
    own = {topic: at for at, (topic, _) in enumerate(passages)}
    return [1 + sum(score >= row[own[topic]] for at, score in enumerate(row) if at != own[topic])
            for (topic, _), row in zip(queries, table)]


def resampled(topics, statistic):
    """The 95 % interval of `statistic(query indexes)`: topics are drawn again with replacement, since the queries of one are alike."""
    of = {}
    for at, topic in enumerate(topics):
        of.setdefault(topic, []).append(at)
    r, groups = random.Random(SEED), list(of.values())
    found = sorted(statistic([at for _ in groups for at in r.choice(groups)]) for _ in range(SAMPLES))
    return [round(found[int(SAMPLES * share)], 4) for share in (0.025, 0.975)]


def retrieval(queries, found):
    """{first, interval, mrr} of ranks `found`."""
    share = lambda chosen: sum(found[at] == 1 for at in chosen) / len(chosen)
    return {"first": round(share(range(len(found))), 4), "interval": resampled([topic for topic, _ in queries], share),
            "mrr": round(sum(1 / rank for rank in found) / len(found), 4)}


def ratio(queries, found, others):
    """How many times as many first hits as `others` on the same queries."""
    times = lambda chosen: sum(found[at] == 1 for at in chosen) / max(1, sum(others[at] == 1 for at in chosen))
    return {"times": round(times(range(len(found))), 4), "interval": resampled([topic for topic, _ in queries], times)}


def negations():
    """[(query, text that answers it, text that says the opposite)] of the blind set."""
    lines = [line[2:] if line[:2] in ("+ ", "- ") else line for line in grammar.read_lines("blind-negation.txt")]
    return list(zip(*[iter(lines)] * 3))
