"""Train infetch-tiny-embed for a fixed wall-clock time: contrastive pairs, and prefixes of the vector that work alone (Matryoshka)."""
import argparse
import json
import math
import random
import time

import torch
import torch.nn.functional as F

import baseline
import grammar
import pairs
import wordpiece
from encoder import Encoder, Shape, embed, pad

WARM_UP_STEPS = 50
TEMPERATURE = 0.05
PREFIXES = (128, 64, 32)
VOCABULARY = 3000
SAMPLE_PAIRS = 30_000


def batch(r, tokenizer, size):
    """(meaning of each pair, ids and mask of all texts: the first ones, then the second ones)."""
    numbers, first, second, meanings = {}, [], [], []
    for _ in range(size):
        key, a, b = pairs.pair(r)
        meanings.append(numbers.setdefault(key, len(numbers)))
        first.append(tokenizer.encode(a)[:64])
        second.append(tokenizer.encode(b)[:64])
    return torch.tensor(meanings), *pad(first + second)


def loss_of(vectors, meanings):
    """Each text must find its other half among the batch; pairs of the same meaning are left out."""
    size = len(meanings)
    same = (meanings[:, None] == meanings[None]) & ~torch.eye(size, dtype=torch.bool)
    target, total = torch.arange(size), 0.0
    for prefix in PREFIXES:
        unit = F.normalize(vectors[:, :prefix].float(), dim=-1)
        scores = (unit[:size] @ unit[size:].T / TEMPERATURE).masked_fill(same, -1e4)
        total = total + (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2
    return total / len(PREFIXES)


def score(model, tokenizer, name, prefix=128):
    passages, queries = grammar.read_evaluation(name)
    p = F.normalize(embed(model, tokenizer, [text for _, text in passages])[:, :prefix], dim=-1)
    q = F.normalize(embed(model, tokenizer, [text for _, text in queries])[:, :prefix], dim=-1)
    similarity = (q @ p.T).tolist()
    return baseline.retrieval(passages, queries, lambda i, j: similarity[i][j])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", required=True, help="checkpoint file")
    p.add_argument("--tokenizer", required=True, help="tokenizer.json: read if it is there, else made")
    p.add_argument("--seconds", type=float, default=600)
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--rate", type=float, default=1.5e-3)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--seed", type=int, default=7)
    a = p.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    r = random.Random(a.seed)
    try:
        tokenizer = wordpiece.load(a.tokenizer)
    except FileNotFoundError:
        sample = [text for _ in range(SAMPLE_PAIRS) for text in pairs.pair(r)[1:]]
        tokenizer = wordpiece.WordPiece(wordpiece.build_vocabulary(sample, VOCABULARY))
        with open(a.tokenizer, "w", encoding="utf-8") as file:
            json.dump(tokenizer.to_json(), file, separators=(",", ":"))
    model = Encoder(Shape(len(tokenizer.vocabulary)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=0.02, betas=(0.9, 0.98))
    print("parameters", sum(q.numel() for q in model.parameters()), "vocabulary", len(tokenizer.vocabulary), flush=True)
    started, step, recent, logged = time.time(), 0, [], time.time()
    while (elapsed := time.time() - started) < a.seconds:
        rate = a.rate * min(1, (step + 1) / WARM_UP_STEPS) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * elapsed / a.seconds)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        meanings, ids, mask = batch(r, tokenizer, a.batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            vectors = model(ids, mask)
        loss = loss_of(vectors, meanings)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        recent.append(float(loss))
        if time.time() - logged > 30:
            logged = time.time()
            print(json.dumps({"seconds": round(logged - started), "step": step, "loss": round(sum(recent) / len(recent), 4),
                              "unseen": score(model, tokenizer, "evaluation.txt")}), flush=True)
            recent = []
    torch.save({"shape": model.shape.as_dict(), "state": model.state_dict(), "info": {"steps": step, "pairs": step * a.batch,
                "seconds": round(time.time() - started), "seed": a.seed}}, a.out)
    print("done", step, json.dumps(score(model, tokenizer, "evaluation.txt")), flush=True)


if __name__ == "__main__":
    main()
