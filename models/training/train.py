"""Train infetch-tiny for a fixed wall-clock time and save checkpoints as it goes."""
import argparse
import json
import math
import os
import random
import time

import torch
import torch.nn.functional as F

import tokenizer as bpe
from batches import Batches
from model import Architecture, Llama
from optimizer import Optimizers

WARM_UP_STEPS = 60
LONG_STEP_WEIGHT = 0.5


def losses(model, batch, norm=None):
    """(weighted loss to minimise, mean loss of the assistant tokens, number of tokens). `norm` divides the sum; by default the mean is taken."""
    ids, positions, weights = batch
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = model(ids[:, :-1], positions[:, :-1])
        weight = weights[:, 1:].reshape(-1)
        # Of the prompt only a random quarter is predicted, at four times the weight: the vocabulary's matrix is a large part of the work.
        weight = torch.where(weight > 0.5, weight, weight * 4 * (torch.rand_like(weight) < 0.25))
        chosen = weight.nonzero().squeeze(1)
        logits = model.logits(hidden.reshape(-1, hidden.shape[-1])[chosen])
    loss = F.cross_entropy(logits.float(), ids[:, 1:].reshape(-1)[chosen], reduction="none")
    weight = weight[chosen]
    answer = weight == 1.0
    return (loss * weight).sum() / (norm or weight.sum()), float((loss.detach() * answer).sum() / answer.sum()), int((weights > 0).sum())


def save(path, model, info):
    """Atomic: a reader never sees half a file."""
    torch.save({"state": model.state_dict(), "info": info}, path + ".part")
    os.replace(path + ".part", path)


def long_target(r, progress):
    """How many tokens the next long chat has: up to 1,500 at first, the whole context from the middle on."""
    top = 1500 + int(2450 * min(1.0, progress / 0.5))
    return r.randint(700, top)


def arguments():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--out", required=True, help="checkpoint file")
    p.add_argument("--log", help="JSON lines are appended here")
    p.add_argument("--resume", help="start from the weights of this checkpoint")
    p.add_argument("--elapsed", type=float, default=0, help="with --resume: seconds that were trained before; the schedule goes on from there")
    p.add_argument("--seconds", type=float, default=300)
    p.add_argument("--tokens", type=int, default=1536, help="tokens in a batch of short chats")
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--adam-lr", type=float, default=1.5e-3, help="for the embedding and the norms")
    p.add_argument("--adam", action="store_true", help="AdamW for everything instead of Muon")
    p.add_argument("--long-share", type=float, nargs=2, default=[0.05, 0.12], help="share of the time for long chats, at the start and the end")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--save-every", type=float, default=60)
    p.add_argument("--seed", type=int, default=1000)
    return p.parse_args()


def main():
    a = arguments()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    arch, tokenizer = Architecture.read(a.architecture), bpe.load(a.tokenizer)
    model = Llama(arch)
    step, tokens = 0, 0
    if a.resume:
        loaded = torch.load(a.resume)
        model.load_state_dict(loaded["state"])
        step, tokens = loaded["info"]["step"], loaded["info"]["tokens"]
    optimizers = Optimizers(model, a.lr, muon=not a.adam)
    source, r = Batches(tokenizer, a.seed, a.tokens, arch.context_window), random.Random(a.seed + 1)
    print("parameters", sum(p.numel() for p in model.parameters()), "vocabulary", len(tokenizer.vocab), flush=True)
    warm_up = 20 if a.resume else WARM_UP_STEPS
    start, first_step, first_tokens = time.time() - a.elapsed, step, tokens
    norm, short_cost, long_cost = None, 0.4, 1.5
    recent, recent_long, logged, saved = [], [], time.time(), time.time()
    while True:
        now = time.time()
        elapsed = now - start
        progress = elapsed / a.seconds
        if progress >= 1:
            break
        rate = min(1, (step - first_step + 1) / warm_up) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))
        optimizers.set_rate(a.lr * rate, (a.lr if a.adam else a.adam_lr) * rate)
        share = a.long_share[0] + (a.long_share[1] - a.long_share[0]) * progress
        is_long = progress > 0.08 and r.random() < share * short_cost / long_cost
        source.skip_share = 0.3 * min(1.0, progress / 0.3)
        batch = source.long(long_target(r, progress)) if is_long else source.short(progress)
        if is_long:
            loss, answer_loss, count = losses(model, batch)
            loss = loss * LONG_STEP_WEIGHT
        else:
            # Batches of short chats hold more answers than batches of longer ones: dividing by a running mean gives every token its weight.
            total = float(batch[2][:, 1:].sum())
            norm = total if norm is None else norm + 0.02 * (total - norm)
            loss, answer_loss, count = losses(model, batch, norm)
        optimizers.zero()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizers.step()
        step += 1
        tokens += count
        (recent_long if is_long else recent).append(answer_loss)
        if is_long:
            long_cost += 0.1 * (time.time() - now - long_cost)
        else:
            short_cost += 0.02 * (time.time() - now - short_cost)
        if time.time() - logged > max(10, a.seconds / 150):
            logged = time.time()
            entry = {"seconds": round(logged - start), "step": step, "tokens": tokens,
                "tokens_per_second": round((tokens - first_tokens) / (logged - start - a.elapsed)),
                     "answer_loss": round(sum(recent) / max(1, len(recent)), 4),
                     "long_answer_loss": round(sum(recent_long) / len(recent_long), 4) if recent_long else None, "long_steps": len(recent_long)}
            print(json.dumps(entry), flush=True)
            if a.log:
                with open(a.log, "a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")
            recent, recent_long = [], []
        if time.time() - saved > a.save_every:
            saved = time.time()
            save(a.out, model, {"step": step, "tokens": tokens, "seconds": round(saved - start)})
    save(a.out, model, {"step": step, "tokens": tokens, "seconds": round(time.time() - start)})
    print("done", step, tokens, flush=True)


if __name__ == "__main__":
    main()
