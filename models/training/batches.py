"""Batches of fresh chats: short ones sorted by length, long ones alone, with position skips so that far rotary distances are trained."""
import random

import torch

import chat_format
from corpus import mixture

SHORT_LIMIT = 768
BLOCK = 16
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
    """The batch of every step, from the seed and its number alone. Steps come in blocks, whose short chats are sorted by length together."""

    def __init__(self, tokenizer, seed, tokens, context, skip_share=0.3):
        self.tokenizer, self.seed, self.tokens, self.context, self.skip_share = tokenizer, seed, tokens, context, skip_share
        self.pad, self.block = tokenizer.id["<|pad|>"], (None, [])

    def fill(self, r, progress):
        """The samples of `BLOCK` batches of short chats; of fewer where they are packed without a gap."""
        batches, batch, longest = [], [], 0
        pool, size = [], 0
        while size < BLOCK * self.tokens:
            sample = chat_format.encode(self.tokenizer, mixture.short_chat(r, progress))
            if len(sample[0]) <= SHORT_LIMIT:
                pool.append(sample)
                size += len(sample[0]) + 8
        pool.sort(key=lambda sample: len(sample[0]) + r.random() * 8)
        for sample in pool:
            longest = max(longest, len(sample[0]))
            if batch and longest * (len(batch) + 1) > self.tokens:
                batches.append(batch)
                batch, longest = [], len(sample[0])
            batch.append(sample)
        batches.append(batch)
        r.shuffle(batches)
        return batches[:BLOCK]

    def make(self, step, progress, is_long, target):
        """(ids, positions, weights) of a step; `target` is the length of a long chat in tokens."""
        r = random.Random(f"{self.seed} {step}")
        if is_long:
            return self.long(r, target)
        number = step // BLOCK
        if self.block[0] != number:
            self.block = (number, self.fill(random.Random(f"{self.seed} block {number}"), progress))
        return collate(self.block[1][step % len(self.block[1])], self.pad, r, self.context, self.skip_share)

    def long(self, r, target):
        """One chat of about `target` tokens, never longer than the context."""
        while True:
            ids, weights = chat_format.encode(self.tokenizer, mixture.long_chat(r, target))
            if len(ids) <= self.context:
                weights = [w if w == 1.0 else w * LONG_PROMPT_SCALE for w in weights]
                return collate([(ids, weights)], self.pad, r, self.context, 0.0)
