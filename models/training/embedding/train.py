"""Train infetch-tiny-embed for a fixed number of steps: contrastive pairs with hard negatives, and prefixes of the vector that work alone (Matryoshka)."""
import argparse
import json
import math
import multiprocessing
import os
import pickle
import random
import sys
import time

import torch
import torch.nn.functional as F

import grammar
import measures
import pairs
import scenes
import wordpiece
from encoder import Encoder, Shape, embed, hash_words, round_weights
from spelling import pieces

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from data_loader import take  # noqa: E402

WARM_UP_STEPS = 50
TEMPERATURE = 0.05
PREFIXES = {384: 1.0, 128: 0.3, 64: 0.15, 32: 0.08}
PIECES = 2000
INVENTED_WORDS = 20_000
SAMPLE_PAIRS = 5_000
LONGEST = 40  # Tokens of a training text.
LOG_STEPS = 100
AHEAD = 8  # Batches that wait for the trainer.


def batch(r, tokenizer, size):
    """(meaning of each text: the first ones, the right ones, the wrong ones; the tokens of all texts in that order)."""
    numbers, texts, meanings = {}, [[], [], []], [[], [], []]
    for _ in range(size):
        key, first, right, other, wrong = pairs.pair(r)
        for at, (meaning, text) in enumerate([(key, first), (key, right), (other, wrong)]):
            meanings[at].append(numbers.setdefault(meaning, len(numbers)))
            texts[at].append(pieces(tokenizer, text, r)[:LONGEST])
    return torch.tensor(sum(meanings, [])), sum(texts, [])


def batches(r, tokenizer, a):
    """The batches of all steps, in order, from a process of their own: they cost as much as the network."""
    context = multiprocessing.get_context("fork")
    queue = context.Queue(AHEAD)

    def feed():
        for _ in range(a.steps):
            # Bytes, since tensors in a queue are lost when this process ends.
            queue.put(pickle.dumps(batch(r, tokenizer, a.batch)))
    feeder = context.Process(target=feed, daemon=True)
    feeder.start()
    for _ in range(a.steps):
        yield take(queue, feeder)


def vectors_of(model, texts):
    """The vectors of token lists, without padding: the mean of their words."""
    starts = torch.tensor([0] + [len(tokens) for tokens in texts[:-1]]).cumsum(0)
    return F.embedding_bag(torch.tensor(sum(texts, [])), model.words.weight, starts, mode="mean")


def loss_of(vectors, meanings):
    """Each text must find its other half among the batch and the wrong texts; others of the same meaning are left out."""
    size = len(meanings) // 3
    first, others = meanings[:size, None], meanings[None, size:]
    target, total = torch.arange(size), 0.0
    same = (first == others) & ~F.pad(torch.eye(size, dtype=torch.bool), (0, size))
    for prefix, share in PREFIXES.items():
        unit = F.normalize(vectors[:, :prefix].float(), dim=-1)
        scores = (unit[:size] @ unit[size:].T / TEMPERATURE).masked_fill(same, -1e4)
        back = scores[:, :size].T
        total = total + share * (F.cross_entropy(scores, target) + F.cross_entropy(back, target)) / 2
    return total / sum(PREFIXES.values())


def score(model, tokenizer, name):
    """Share of first hits on a development set."""
    passages, queries = grammar.read_evaluation(name)
    p, q = (embed(model, tokenizer, [text for _, text in side]) for side in (passages, queries))
    return round(sum(rank == 1 for rank in measures.ranks(passages, queries, (q @ p.T).tolist())) / len(queries), 4)


def make_tokenizer(r, path):
    """The tokenizer of a sample of the pairs, written to `path`, and the weight that each of its pieces starts with: its idf."""
    sample = [text for _ in range(SAMPLE_PAIRS) for text in pairs.pair(r, pairs.WEIGHED)[1:3]]
    known = [*scenes.SMALL, *wordpiece.words(" ".join(scenes.QUESTIONS)), *scenes.KNOWN,
             *(word for name in ("topics.txt", *grammar.names("subjects-")) for word in wordpiece.words(grammar.all_words(name)))]
    invented = [scenes.INVENTOR.word(r) for _ in range(INVENTED_WORDS)]
    tokenizer = wordpiece.WordPiece(wordpiece.build_vocabulary(known + invented, PIECES, known))
    with open(path, "w", encoding="utf-8") as file:
        json.dump(tokenizer.to_json(), file, separators=(",", ":"))
    found = torch.zeros(len(tokenizer.vocabulary))
    for text in sample:
        found[list(set(tokenizer.encode(text)))] += 1
    weights = torch.log((1 + len(sample)) / (1 + found)) / 5
    weights[:len(wordpiece.SPECIAL)] = 0.05
    return tokenizer, weights


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", required=True, help="checkpoint file")
    p.add_argument("--tokenizer", required=True, help="tokenizer.json, written")
    p.add_argument("--log", required=True)
    p.add_argument("--steps", type=int, default=10000)
    p.add_argument("--batch", type=int, default=384)
    p.add_argument("--rate", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=7)
    a = p.parse_args()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    torch.manual_seed(a.seed)
    r = random.Random(a.seed)
    tokenizer, weights = make_tokenizer(r, a.tokenizer)
    model = Encoder(Shape(len(tokenizer.vocabulary)))
    hash_words(model, tokenizer.vocabulary, weights)
    optimizer = torch.optim.AdamW(model.parameters(), lr=a.rate, weight_decay=0.01, betas=(0.9, 0.98))
    started, recent = time.time(), []

    def report(step):
        line = {"step": step, "loss": round(sum(recent) / max(1, len(recent)), 4), "seconds": round(time.time() - started),
                "seen": score(model, tokenizer, "evaluation.txt"), "outside": score(model, tokenizer, "outside.txt")}
        recent.clear()
        print(json.dumps(line), flush=True)
        log.write(json.dumps(line) + "\n")
        log.flush()
    with open(a.log, "w", encoding="utf-8") as log:
        print("parameters", sum(q.numel() for q in model.parameters()), "vocabulary", len(tokenizer.vocabulary), flush=True)
        report(0)
        for step, (meanings, texts) in enumerate(batches(r, tokenizer, a), 1):
            rate = a.rate * min(1, step / WARM_UP_STEPS) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / a.steps)))
            for group in optimizer.param_groups:
                group["lr"] = rate
            vectors = vectors_of(model, texts)
            loss = loss_of(vectors, meanings)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            recent.append(float(loss))
            if step % LOG_STEPS == 0:
                report(step)
    round_weights(model)
    torch.save({"shape": model.shape.as_dict(), "state": model.state_dict(), "info": {"steps": a.steps, "pairs": a.steps * a.batch, "seed": a.seed}}, a.out)


if __name__ == "__main__":
    main()
