"""Train infetch-tiny for a number of steps. Every batch depends on the seed, the step and its worker alone, so a run that was stopped goes on
exactly. A termination signal saves and ends, with status 143."""
import argparse
import json
import math
import multiprocessing
import os
import pickle
import random
import signal
import time
from queue import Full

import torch
import torch.nn.functional as F

import data_parallel
import dev
import precision
import tokenizer as bpe
from batches import BLOCK, Batches
from data_loader import take
from load_weights import load_state
from model import Architecture, Block, Llama
from optimizer import Optimizers

LONG_STEP_WEIGHT = 0.5
LOG_EVERY = 50


def losses(model, batch):
    """(sum of the weighted losses, sum of the weights, mean loss of the assistant tokens, number of tokens)."""
    ids, positions, weights = batch
    with precision.autocast():
        hidden = model(ids[:, :-1], positions[:, :-1])
        weight = weights[:, 1:].reshape(-1)
        # Of the prompt only a random quarter is predicted, at four times the weight: the vocabulary's matrix is a large part of the work.
        weight = torch.where(weight > 0.5, weight, weight * 4 * (torch.rand_like(weight) < 0.25))
        chosen = weight.nonzero().squeeze(1)
        logits = model.logits(hidden.reshape(-1, hidden.shape[-1])[chosen])
    loss = F.cross_entropy(logits.float(), ids[:, 1:].reshape(-1)[chosen], reduction="none")
    weight = weight[chosen]
    answer = weight == 1.0
    return (loss * weight).sum(), float(weight.sum()), float((loss.detach() * answer).sum() / answer.sum()), int((weights > 0).sum())


def plan(a, step):
    """(progress of the mixture, is the step's chat a long one, its length in tokens)."""
    done = step / a.steps
    progress = a.mixture_from + (1 - a.mixture_from) * done
    r = random.Random(f"{a.seed} plan {step}")
    share = a.long_share[0] + (a.long_share[1] - a.long_share[0]) * done
    top = 1500 + int(2450 * min(1.0, progress / 0.5))
    return progress, progress > 0.08 and r.random() < share, int(700 + (top - 700) * r.random() ** 0.7)


def feed(a, seed, tokens, first, queue):
    """Runs in a process of its own: makes a worker's batches of the steps in order."""
    torch.set_num_threads(1)
    parent = os.getppid()
    context = Architecture.read(a.architecture).context_window
    source = Batches(bpe.load(a.tokenizer), seed, tokens, context)
    for step in range(first, a.steps):
        progress, is_long, target = plan(a, step)
        source.skip_share = 0.35 * min(1.0, progress / 0.3)
        # Bytes, since tensors in a queue are lost when this process ends.
        made = pickle.dumps((step, is_long, source.make(step, plan(a, step // BLOCK * BLOCK)[0], is_long, target)))
        while True:
            try:
                queue.put(made, timeout=5)
                break
            except Full:
                if os.getppid() != parent:
                    return


def save(path, model, optimizers, info):
    """Atomic: a reader never sees half a file."""
    torch.save({"state": model.state_dict(), "info": info, "optimizers": [o.state_dict() for o in optimizers.parts]}, path + ".part")
    os.replace(path + ".part", path)


def write(path, entry):
    print(json.dumps(entry), flush=True)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--out", required=True, help="checkpoint file")
    p.add_argument("--log", help="JSON lines are appended here")
    p.add_argument("--steps", type=int, required=True, help="in all; the schedule of the learning rate and the mixture follow it")
    p.add_argument("--weights", help="begin with these: a folder of shipped files or a checkpoint")
    p.add_argument("--resume", action="store_true", help="go on from --out, with its optimizers and its step")
    p.add_argument("--mixture-from", type=float, default=0.0, help="progress of the mixture at the first step: 0.4 for weights that copy already")
    p.add_argument("--tokens", type=int, default=2048, help="tokens in a step of short chats, over all workers")
    p.add_argument("--lr", type=float, default=3e-3, help="for the matrices of the blocks")
    p.add_argument("--adam-lr", type=float, default=1.5e-3, help="for the embedding and the norms")
    p.add_argument("--warm-up", type=int, default=60, help="steps")
    p.add_argument("--long-share", type=float, nargs=2, default=[0.05, 0.12], help="share of the steps with a long chat, at the start and the end")
    p.add_argument("--workers", type=int, default=2, help="processes that share each step; another number gives other batches")
    p.add_argument("--save-every", type=float, default=120, help="seconds")
    p.add_argument("--dev-every", type=int, default=0, help="steps between measures of the development set; 0 for none")
    p.add_argument("--stop", type=int, help="stop before this step")
    p.add_argument("--seed", type=int, default=1000)
    return p.parse_args()


def rate(a, step):
    """Linear warm-up, then a cosine to 2 %."""
    return min(1, (step + 1) / a.warm_up) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / a.steps)))


def train(a):
    """One worker; the first one writes the log and the checkpoints."""
    rank, count = data_parallel.place()
    torch.manual_seed(a.seed)
    arch = Architecture.read(a.architecture)
    if hasattr(torch, "compile"):
        Block.forward = torch.compile(Block.forward, dynamic=True)
    model, info = Llama(arch), {"step": 0, "tokens": 0, "seconds": 0, "norm": None, "weights": a.weights}
    if a.weights:
        model.load_state_dict(load_state(a.weights))
    optimizers = Optimizers(model, a.lr)
    if a.resume:
        saved = torch.load(a.out)
        model.load_state_dict(saved["state"])
        info = saved["info"]
        for part, state in zip(optimizers.parts, saved["optimizers"]):
            part.load_state_dict(state)
    queue, last = multiprocessing.Queue(32), min(a.steps, a.stop or a.steps)
    feeder = multiprocessing.Process(target=feed, args=(a, f"{a.seed} {rank}", a.tokens // count, info["step"], queue), daemon=True)
    feeder.start()
    began, first_tokens, before = time.time(), info["tokens"], info["seconds"]
    recent, recent_long, saved_at, stopped = [], [], time.time(), []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    parameters = list(model.parameters())
    for step in range(info["step"], last):
        made, is_long, batch = take(queue, feeder)
        assert made == step
        torch.manual_seed(a.seed * 1_000_003 + step * count + rank)
        optimizers.set_rate(a.lr * rate(a, step), a.adam_lr * rate(a, step))
        loss, weight, answer_loss, tokens = losses(model, batch)
        optimizers.zero()
        (loss / weight * LONG_STEP_WEIGHT / count if is_long else loss).backward()
        total, tokens, answer_loss, ends = data_parallel.add([p.grad for p in parameters], [weight, tokens, answer_loss / count, len(stopped)])
        if not is_long:
            # Batches of short chats hold more answers than batches of longer ones: dividing by a running mean gives every token its weight.
            info["norm"] = total if info["norm"] is None else info["norm"] + 0.02 * (total - info["norm"])
            for p in parameters:
                p.grad /= info["norm"]
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizers.step()
        (recent_long if is_long else recent).append(answer_loss)
        elapsed = time.time() - began
        info.update(step=step + 1, tokens=info["tokens"] + int(tokens), seconds=round(before + elapsed))
        if rank > 0:
            if ends:
                break
            continue
        if (step + 1) % LOG_EVERY == 0:
            mean = lambda values: round(sum(values) / len(values), 4) if values else None
            write(a.log, {"step": step + 1, "seconds": info["seconds"], "tokens": info["tokens"],
                "tokens_per_second": round((info["tokens"] - first_tokens) / elapsed),
                "answer_loss": mean(recent), "long_answer_loss": mean(recent_long), "long_steps": len(recent_long)})
            recent, recent_long = [], []
        if a.dev_every and (step + 1) % a.dev_every == 0:
            write(a.log, {"step": step + 1, "dev": dev.measure(model, bpe.load(a.tokenizer), 24)})
        if time.time() - saved_at > a.save_every or step + 1 == last or ends:
            saved_at = time.time()
            save(a.out, model, optimizers, info)
        if ends:
            break


def main():
    a = arguments()
    data_parallel.spawn(train, a.workers, a)


if __name__ == "__main__":
    main()
