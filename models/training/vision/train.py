"""Train infetch-tiny-vision: first the vision encoder alone, on what stands in which patch, then everything, on questions and answers.

The schedule counts steps, and every batch depends on the seed and its number alone.
"""
import argparse
import json
import multiprocessing
import os
import pickle
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

import batches
from batches import ABSENT
from network import build
from pictures import CHARACTERS, COLOURS, SHAPES
from vocabulary import Vocabulary

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import precision  # noqa: E402
from data_loader import take  # noqa: E402
from optimizer import Muon  # noqa: E402

WARM_UP = 60
HELPERS = {"shape": (1 + len(SHAPES), 0.5), "colour": (1 + len(COLOURS), 0.5), "left": (1 + len(CHARACTERS), 0.5), "right": (1 + len(CHARACTERS), 0.5)}
"""Heads on the vision encoder's features, for training alone: number of classes, and the weight of a patch that holds nothing is lower."""
EMPTY_WEIGHT = 0.05
FRONT_WEIGHT = 2.0
"""Of the head that tells foreground from background, on the features of a middle layer: outlines do not depend on colors then."""


ENCODER_BATCH = 64
"""Pictures a step while the vision encoder learns alone, at about a third of the cost."""


def feed(steps, encoder_steps, seed, size, questions, hard, queue):
    """Runs in a process of its own: makes the batches of `steps` in order."""
    torch.set_num_threads(1)
    vocabulary = Vocabulary()
    for step in steps:
        alone = step < encoder_steps
        batch = batches.make_pictures(step, seed, ENCODER_BATCH) if alone else batches.make(step, seed, vocabulary, size, questions, noise=0.15, hard=hard)
        # Bytes, since tensors in a queue are lost when this process ends.
        queue.put(pickle.dumps((step, batch)))


def inputs(network, batch):
    """Embeddings [B,T,hidden] with the pictures' tokens in place, the vision encoder's features, and those of their middle layer."""
    features, tokens, middle = network.vision(batch.pictures)
    x = network.embed_tokens(batch.ids)
    spread = torch.gather(tokens, 1, batch.places.clamp(min=0)[..., None].expand(-1, -1, tokens.shape[-1]))
    return torch.where((batch.places >= 0)[..., None], spread.to(x.dtype), x), features, middle


def helper_loss(heads, features, middle, labels):
    """(loss of the helper heads, share of shapes, colours and characters that they tell)."""
    loss, right, known = FRONT_WEIGHT * F.binary_cross_entropy_with_logits(heads["front"](middle).float(), labels["front"]), 0, 0
    for name, (classes, weight) in HELPERS.items():
        importance = torch.ones(classes)
        importance[0] = EMPTY_WEIGHT
        scores, wanted = heads[name](features).float().flatten(0, 1), labels[name].flatten()
        loss = loss + weight * F.cross_entropy(scores, wanted, importance)
        full = wanted > 0
        right, known = right + (scores.argmax(-1) == wanted)[full].sum(), known + full.sum()
    return loss, right / known


def losses(network, heads, batch):
    """(mean loss of the answers' tokens, share of answers' tokens that are right, loss and share of the helper heads)."""
    with precision.autocast():
        x, features, middle = inputs(network, batch)
        mask = torch.where(batch.mask, 0.0, -1e4)[:, None].to(precision.DTYPE)
        hidden = network.decode(x, batch.positions, mask)
        wanted = batch.targets != ABSENT
        logits = network.logits(hidden[wanted])
        helped = helper_loss(heads, features, middle, batch.patches)
    targets = batch.targets[wanted]
    return F.cross_entropy(logits.float(), targets), (logits.argmax(-1) == targets).float().mean(), *helped


def encoder_losses(network, heads, pictures, labels):
    with precision.autocast():
        return helper_loss(heads, *network.vision.look(pictures), labels)


class Optimizers:
    """Muon for the matrices of both transformers, AdamW for everything else."""

    def __init__(self, network, heads):
        inner = [p for n, p in network.named_parameters() if p.dim() > 1 and "layers." in n]
        known = set(map(id, inner))
        rest = [p for p in network.parameters() if id(p) not in known]
        decayed, plain = [p for p in rest if p.dim() > 1], [p for p in rest if p.dim() == 1]
        groups = [{"params": decayed + list(heads.parameters()), "weight_decay": 0.05}, {"params": plain, "weight_decay": 0.0}]
        self.parts = [torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.98), foreach=True), Muon(inner, 1e-3, weight_decay=0.05)]

    def step(self, rate, adam_share):
        for part, lr in zip(self.parts, (rate * adam_share, rate)):
            for group in part.param_groups:
                group["lr"] = lr
            part.step()
            part.zero_grad(set_to_none=True)


def rate(step, steps, encoder_steps, peak):
    """Constant, after a linear rise at the start of both parts, and with a linear fall to 2 % in the last 40 % of the second."""
    since = step - encoder_steps if step >= encoder_steps else step
    rise = (since + 1) / WARM_UP
    fall = 0.02 + 0.98 * (steps - step) / (0.4 * (steps - encoder_steps))
    return peak * min(1.0, rise, fall)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--log", required=True)
    p.add_argument("--steps", type=int, required=True, help="in all")
    p.add_argument("--encoder-steps", type=int, required=True, help="of them, for the vision encoder alone")
    p.add_argument("--batch", type=int, default=32)
    p.add_argument("--questions", type=int, default=5)
    p.add_argument("--hard", action="store_true", help="fewer pictures with text, and more questions of what is learnt last (`questions.HARD`)")
    p.add_argument("--rate", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--resume", action="store_true", help="go on from --out; --steps may differ, and then the schedule is another")
    p.add_argument("--stop", type=int, help="stop before this step")
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    network = build(a.architecture)
    heads = nn.ModuleDict({name: nn.Linear(network.vision.arch.hidden, classes) for name, (classes, _) in HELPERS.items()})
    heads["front"] = nn.Linear(network.vision.arch.hidden, 16)
    optimizers, first = Optimizers(network, heads), 0
    if a.resume:
        saved = torch.load(a.out)
        network.load_state_dict(saved["state"])
        heads.load_state_dict(saved["heads"])
        for part, state in zip(optimizers.parts, saved["optimizers"]):
            part.load_state_dict(state)
        first = saved["step"]
    queue = multiprocessing.Queue(4)
    last = min(a.steps, a.stop or a.steps)
    feeder = multiprocessing.Process(target=feed, args=(range(first, last), a.encoder_steps, a.seed, a.batch, a.questions, a.hard, queue), daemon=True)
    feeder.start()
    began, sums = time.time(), {}
    for step in range(first, last):
        made, batch = take(queue, feeder)
        assert made == step
        if step < a.encoder_steps:
            helper, told = encoder_losses(network, heads, *batch)
            loss, seen = helper, {"helpers": helper, "told": told}
        else:
            answer, right, helper, told = losses(network, heads, batch)
            loss, seen = answer + 0.5 * helper, {"answers": answer, "right": right, "helpers": helper, "told": told}
        loss.backward()
        nn.utils.clip_grad_norm_([p for p in [*network.parameters(), *heads.parameters()] if p.grad is not None], 1.0)
        optimizers.step(rate(step, a.steps, a.encoder_steps, a.rate), 0.5)
        for name, value in seen.items():
            sums[name] = sums.get(name, 0.0) + value.item() / 50
        if (step + 1) % 50 == 0:
            line = {"step": step + 1, "seconds": round(time.time() - began, 1), **{name: round(value, 4) for name, value in sums.items()}}
            with open(a.log, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(line, flush=True)
            sums = {}
        if (step + 1) % 200 == 0 or step + 1 == last:
            state = {"state": network.state_dict(), "heads": heads.state_dict(), "optimizers": [o.state_dict() for o in optimizers.parts], "step": step + 1}
            torch.save(state, a.out + ".part")
            os.replace(a.out + ".part", a.out)


if __name__ == "__main__":
    main()
