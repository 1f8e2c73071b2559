"""Measure a checkpoint and the baselines on the blind sets, and write evaluation.json for the model card."""
import argparse
import json

import torch
import torch.nn.functional as F

import baseline
import grammar
import measures
import wordpiece
from encoder import Encoder, Shape, embed

SETS = {"seen topics": ("blind-seen.txt", ["in other words", "with typos"]),
        "unseen topics": ("blind-unseen.txt", ["by name", "in other words", "with typos"])}
PREFIXES = (384, 128, 64, 32)


def load(checkpoint, tokenizer):
    """(model, tokenizer, how it was trained)."""
    found = torch.load(checkpoint)
    model = Encoder(Shape(**found["shape"])).eval()
    model.load_state_dict(found["state"])
    return model, wordpiece.load(tokenizer), found["info"]


def table(model, tokenizer, texts, others, prefix=PREFIXES[0]):
    """Cosines [texts][others]."""
    first, second = (F.normalize(embed(model, tokenizer, side)[:, :prefix], dim=-1) for side in (texts, others))
    return (first @ second.T).tolist()


def of_kinds(queries, found, kinds):
    """Scores of the queries of each kind: a topic has one of each, in this order."""
    return {kind: measures.retrieval(queries[at::len(kinds)], found[at::len(kinds)]) for at, kind in enumerate(kinds)}


def score_set(model, tokenizer, name, kinds):
    passages, queries = grammar.read_evaluation(name)
    texts, others = [text for _, text in queries], [text for _, text in passages]
    result, best = {"passages": len(passages), "queries": len(queries)}, {}
    for family in baseline.FAMILIES:
        ranks = {variant: measures.ranks(passages, queries, similar) for variant, similar in baseline.similarities(family, texts, others)}
        variant = max(ranks, key=lambda one: sum(rank == 1 for rank in ranks[one]))
        best[family] = ranks[variant]
        result[family] = {"best variant": variant, **measures.retrieval(queries, ranks[variant]), "kinds": of_kinds(queries, ranks[variant], kinds)}
    result["infetch-tiny-embed"] = {}
    for prefix in PREFIXES:
        ranks = measures.ranks(passages, queries, table(model, tokenizer, texts, others, prefix))
        result["infetch-tiny-embed"][str(prefix)] = {**measures.retrieval(queries, ranks), **({"kinds": of_kinds(queries, ranks, kinds), "times": {
            family: measures.ratio(queries, ranks, best[family]) for family in best}} if prefix == PREFIXES[0] else {})}
    return result


def score_negations(model, tokenizer):
    """How often the text that answers is nearer than the one that says the opposite; chance is a half, a tie is wrong."""
    items = measures.negations()
    queries = [query for query, _, _ in items]

    def summary(right):
        share = lambda chosen: sum(right[at] for at in chosen) / len(chosen)
        return {"right": round(share(range(len(right))), 4), "interval": measures.resampled(queries, share)}
    result = {"items": len(items)}
    for family in baseline.FAMILIES:
        scores = {variant: summary([row[2 * at] > row[2 * at + 1] for at, row in enumerate(similar)]) for variant, similar in baseline.similarities(
            family, queries, [text for _, *both in items for text in both])}
        variant = max(scores, key=lambda one: scores[one]["right"])
        result[family] = {"best variant": variant, **scores[variant]}
    similar = table(model, tokenizer, queries, [text for _, *both in items for text in both])
    result["infetch-tiny-embed"] = summary([row[2 * at] > row[2 * at + 1] for at, row in enumerate(similar)])
    return result


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    torch.set_num_threads(1)
    model, tokenizer, info = load(a.checkpoint, a.tokenizer)
    result = {"training": info, **{title: score_set(model, tokenizer, *of) for title, of in SETS.items()},
              "negations": score_negations(model, tokenizer)}
    with open(a.out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
