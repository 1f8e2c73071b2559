"""Batches of fresh chats: short ones sorted by length, long ones alone, with position skips so that far rotary distances are trained."""
import random

import torch

import chat_format
from corpus import mixture

SHORT_LIMIT = 640
POOL = 1024
LONG_PROMPT_SCALE = 0.2


def positions(r, length, context, skip_share):
    """Positions 0, 1, 2, …; in `skip_share` of the samples one or two jumps make the sample look longer than it is."""
    out = list(range(length))
    room = context - 1 - length
    if length < 8 or room <= 0 or r.random() >= skip_share:
        return out
    for _ in range(r.randint(1, 2)):
        at, jump = r.randrange(1, length), int(room * r.random() ** 2)
        room -= jump
        out[at:] = [p + jump for p in out[at:]]
    return out


def collate(samples, pad, r, context, skip_share):
    """(ids, positions, weights), each [B,T]."""
    length = min(context, max(len(ids) for ids, _ in samples))
    ids = torch.full((len(samples), length), pad)
    place = torch.zeros((len(samples), length), dtype=torch.long)
    weights = torch.zeros((len(samples), length))
    for row, (tokens, token_weights) in enumerate(samples):
        n = min(length, len(tokens))
        ids[row, :n] = torch.tensor(tokens[:n])
        weights[row, :n] = torch.tensor(token_weights[:n])
        place[row, :n] = torch.tensor(positions(r, n, context, skip_share))
    return ids, place, weights


class Batches:
    """An endless source. `progress` (0..1) moves the mixture from copying and short chats to long ones."""

    def __init__(self, tokenizer, seed, tokens, context, skip_share=0.3):
        self.tokenizer, self.tokens, self.context, self.skip_share = tokenizer, tokens, context, skip_share
        self.random, self.pad, self.ready = random.Random(seed), tokenizer.id["<|pad|>"], []

    def refill(self, progress):
        pool = []
        while len(pool) < POOL:
            sample = chat_format.encode(self.tokenizer, mixture.short_chat(self.random, progress))
            if len(sample[0]) <= SHORT_LIMIT:
                pool.append(sample)
        pool.sort(key=lambda sample: len(sample[0]) + self.random.random() * 8)
        batch, longest = [], 0
        for sample in pool:
            longest_with = max(longest, len(sample[0]))
            if batch and longest_with * (len(batch) + 1) > self.tokens:
                self.ready.append(batch)
                batch, longest_with = [], len(sample[0])
            batch.append(sample)
            longest = longest_with
        self.ready.append(batch)
        self.random.shuffle(self.ready)

    def short(self, progress):
        if not self.ready:
            self.refill(progress)
        return collate(self.ready.pop(), self.pad, self.random, self.context, self.skip_share)

    def long(self, target):
        """One chat of about `target` tokens, never longer than the context."""
        while True:
            ids, weights = chat_format.encode(self.tokenizer, mixture.long_chat(self.random, target))
            if len(ids) <= self.context:
                weights = [w if w == 1.0 else w * LONG_PROMPT_SCALE for w in weights]
                return collate([(ids, weights)], self.pad, self.random, self.context, 0.0)
