"""Measure a checkpoint on generated pictures that training did not see; greedy answers, exactly right or wrong.

`seen` draws with the fonts, words and phrasings of training (and another seed), `unseen` with others. Weights are computed as shipped: rounded
to bfloat16 and then to q8_0. The same answers come from llama.cpp (`models/tiny-vision/README.md`).
"""
import argparse
import collections
import json
import math
import random

import torch

from batches import ABSENT, collate, sample
from export import bfloat16, q8_0
from network import build
from pictures import FONTS, UNSEEN_FONTS
from questions import UNSEEN_WORDS, random_text
from train import inputs
from vocabulary import Vocabulary

SEED = 20261123
BATCH = 50


def wilson(right, asked):
    """95 % confidence interval of a share."""
    z, p = 1.96, right / asked
    middle, half = p + z * z / (2 * asked), z * math.sqrt(p * (1 - p) / asked + z * z / (4 * asked * asked))
    return [round((middle - half) / (1 + z * z / asked), 4), round((middle + half) / (1 + z * z / asked), 4)]


def unseen_text(rng):
    return random_text(rng, UNSEEN_WORDS)


def measure(network, vocabulary, unseen, pictures, layout):
    """Skill → [right, asked], and some wrong answers. An answer is right if each of its tokens is the likeliest one."""
    rng = random.Random(f"{SEED}/{'unseen' if unseen else 'seen'}/{layout}")
    found, wrong = collections.defaultdict(lambda: [0, 0]), []
    fonts, texts = (UNSEEN_FONTS, unseen_text) if unseen else (FONTS, random_text)
    for _ in range(pictures // BATCH):
        made = [sample(rng, vocabulary, 6, layout, 0.0, fonts, texts, unseen) for _ in range(BATCH)]
        batch = collate([s for s, _ in made], layout, vocabulary)
        with torch.no_grad():
            x, *_ = inputs(network, batch)
            logits = network.logits(network.decode(x, batch.positions, torch.where(batch.mask, 0.0, -1e9)[:, None]))
        said = logits.argmax(-1)
        for row, (s, asked) in enumerate(made):
            for number, (skill, question, answer) in enumerate(asked, 1):
                places = [t for t in range(len(s.ids)) if s.segments[t] == number and s.targets[t] != ABSENT]
                if not places:
                    continue
                right = all(said[row, t] == s.targets[t] for t in places)
                found[skill][0] += right
                found[skill][1] += 1
                if not right and len(wrong) < 60:
                    wrong.append([skill, question, answer, vocabulary.decode([said[row, t].item() for t in places])])
    return found, wrong


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--out", help="JSON file")
    p.add_argument("--pictures", type=int, default=1500, help="of each of the four kinds")
    p.add_argument("--verbose", action="store_true")
    a = p.parse_args()
    torch.set_num_threads(1)
    network, vocabulary = build(a.architecture), Vocabulary()
    saved = torch.load(a.checkpoint)
    network.load_state_dict({name: q8_0(name, bfloat16(tensor)) for name, tensor in saved["state"].items()})
    report = {"step": saved["step"], "seed": SEED, "pictures": a.pictures, "kinds": {}}
    for unseen in (False, True):
        for layout in ("apart", "picture last"):
            found, wrong = measure(network, vocabulary, unseen, a.pictures, layout)
            skills = {s: {"right": r, "asked": n, "share": round(r / n, 4), "interval": wilson(r, n)} for s, (r, n) in sorted(found.items())}
            right, asked = (sum(v[i] for v in found.values()) for i in (0, 1))
            name = f"{'unseen' if unseen else 'seen'}, {'picture first' if layout == 'apart' else 'picture last'}"
            report["kinds"][name] = {"right": right, "asked": asked, "share": round(right / asked, 4), "interval": wilson(right, asked), "skills": skills}
            print(name, f"{right / asked:.4f}", {s: v["share"] for s, v in skills.items()}, flush=True)
            if a.verbose:
                print(*wrong, sep="\n")
    if a.out:
        with open(a.out, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
