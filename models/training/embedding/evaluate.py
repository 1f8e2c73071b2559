"""Measure a checkpoint against bag-of-words on the fixed sets, and write evaluation.json for the model card."""
import argparse
import json
import random

import torch
import torch.nn.functional as F

import baseline
import grammar
import wordpiece
from encoder import Encoder, Shape, embed

SENTENCES_PER_TOPIC = 12


def enriched(passages):
    """The passages and sentences of the training grammar: what a bag-of-words index would have to go by at its best."""
    r, topics = random.Random(3), grammar.read_sections("topics.txt")
    return passages + [(topic, grammar.expand(r.choice(lines), r)) for topic, lines in topics.items() for _ in range(SENTENCES_PER_TOPIC)]


def nearest_topic(index, queries, similarity):
    """Share of the queries whose best hit is of their own topic; a tie goes to the bag-of-words' favour, in the index's order."""
    right = sum(index[max(range(len(index)), key=lambda p: similarity(q, p))][0] == topic for q, (topic, _) in enumerate(queries))
    return round(right / len(queries), 4)


def similarity_of(model, tokenizer, passages, queries, prefix):
    p, q = (F.normalize(embed(model, tokenizer, [t for _, t in side])[:, :prefix], dim=-1) for side in (passages, queries))
    table = (q @ p.T).tolist()
    return lambda i, j: table[i][j]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    torch.set_num_threads(1)
    checkpoint, tokenizer = torch.load(a.checkpoint), wordpiece.load(a.tokenizer)
    model = Encoder(Shape(**checkpoint["shape"])).eval()
    model.load_state_dict(checkpoint["state"])
    result = {"training": checkpoint["info"]}
    for title, name in (("unseen phrasings of trained topics", "evaluation.txt"), ("topics outside the training data", "outside.txt")):
        passages, queries = grammar.read_evaluation(name)
        result[title] = {"passages": len(passages), "queries": len(queries), "bag of words": baseline.baselines(passages, queries),
                         "infetch-tiny-embed": {str(prefix): baseline.retrieval(passages, queries, similarity_of(
                             model, tokenizer, passages, queries, prefix)) for prefix in (128, 64, 32)}}
    passages, queries = grammar.read_evaluation("evaluation.txt")
    index = enriched(passages)
    bags = baseline.vectors([text for _, text in index + queries], True, True)
    result["nearest topic, index enriched with training sentences"] = {
        "sentences": len(index),
        "bag of words (tf-idf without stop words)": nearest_topic(index, queries, lambda q, p: baseline.cosine(bags[len(index) + q], bags[p])),
        "infetch-tiny-embed": nearest_topic(index, queries, similarity_of(model, tokenizer, index, queries, 128))}
    with open(a.out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
