"""The network: the mean of sub-word vectors, of unit length. The length of a vector is its word's weight: a rare word counts for more than 'the'.

Transformer blocks may follow: the untrained models of the tests have one.
"""
import zlib
from dataclasses import asdict, dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

import wordpiece

MASKED = -1e4
GRAMS = (3, 4)


@dataclass
class Shape:
    vocabulary: int
    hidden: int = 384
    layers: int = 0
    heads: int = 4
    feed_forward: int = 256
    positions: int = 256
    epsilon: float = 1e-6

    as_dict = asdict


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        hidden, self.heads = shape.hidden, shape.heads
        self.query, self.key, self.value, self.out = (nn.Linear(hidden, hidden) for _ in range(4))
        self.up, self.down = nn.Linear(hidden, shape.feed_forward), nn.Linear(shape.feed_forward, hidden)
        self.norm1, self.norm2 = (nn.LayerNorm(hidden, eps=shape.epsilon) for _ in range(2))

    def forward(self, x, positions, bias):
        batch, length, hidden = x.shape
        split = lambda y: y.view(batch, length, self.heads, -1).transpose(1, 2)
        placed = self.norm1(x) + positions
        q, k, v = split(self.query(placed)), split(self.key(placed)), split(self.value(placed))
        scores = (q @ k.transpose(-1, -2)).float() * (hidden // self.heads) ** -0.5 + bias
        mixed = (torch.softmax(scores, -1).to(v.dtype) @ v).transpose(1, 2).reshape(batch, length, hidden)
        x = x + self.out(mixed)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Encoder(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.hidden)
        self.positions = nn.Embedding(shape.positions, shape.hidden) if shape.layers else None
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        nn.init.normal_(self.words.weight, 0, 0.1)
        if shape.layers:
            nn.init.normal_(self.positions.weight, 0, 0.2)

    def hidden_states(self, ids, mask):
        x, bias = self.words(ids), ((1 - mask) * MASKED)[:, None, None]
        for block in self.blocks:
            x = block(x, self.positions.weight[: ids.shape[1]], bias)
        return x

    def forward(self, ids, mask):
        """Mean over the real tokens, not yet of unit length."""
        states = self.hidden_states(ids, mask).float()
        return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


@torch.no_grad()
def hash_words(model, pieces, weights):
    """Starts each piece as the sum of random vectors of its character n-grams, so that words of like spelling start close; times its weight."""
    size = 1 << 15
    table = torch.randn(size, model.shape.hidden, generator=torch.Generator().manual_seed(0))
    for at, piece in enumerate(pieces):
        marked = piece[2:] if piece.startswith("##") else "<" + piece
        grams = {marked} | {marked[i:i + n] for n in GRAMS for i in range(len(marked) - n + 1)}
        sum_of = sum(table[zlib.crc32(gram.encode()) % size] for gram in sorted(grams))
        model.words.weight[at] = 0.1 * weights[at] * sum_of / len(grams) ** 0.5


WORD_LEVELS, MATRIX_LEVELS = 7, 127  # Of each sign: four bits and eight.
SHRINKS = [1 - 0.05 * step for step in range(11)]


def quantise(rows, levels):
    """(integers, scale of each row): the scale with the least squared error, since a smaller one clips the largest numbers."""
    largest = rows.abs().amax(1, keepdim=True).clamp(min=1e-8)
    scales = torch.stack([largest * shrink / levels for shrink in SHRINKS])
    wholes = torch.round(rows / scales).clamp(-levels, levels)
    best = ((wholes * scales - rows) ** 2).sum(2, keepdim=True).argmin(0)[None]
    return wholes.gather(0, best.expand(1, *rows.shape))[0], scales.gather(0, best)[0]


@torch.no_grad()
def round_weights(model):
    """Rounds to what the file holds: four bits for the words, eight for the matrices of the blocks, and a scale for each row."""
    for weight, levels in [(model.words.weight, WORD_LEVELS), *((m.weight, MATRIX_LEVELS) for m in model.blocks.modules() if isinstance(m, nn.Linear))]:
        wholes, scale = quantise(weight, levels)
        weight.copy_(wholes * scale)


def pad(sequences):
    """(ids, mask) of token lists of unequal length."""
    ids = torch.full((len(sequences), max(map(len, sequences))), wordpiece.PAD, dtype=torch.long)
    mask = torch.zeros(ids.shape)
    for i, tokens in enumerate(sequences):
        ids[i, : len(tokens)] = torch.tensor(tokens)
        mask[i, : len(tokens)] = 1
    return ids, mask


@torch.no_grad()
def embed(model, tokenizer, texts):
    """Unit vectors [texts, hidden]."""
    return F.normalize(model(*pad([tokenizer.encode(text) for text in texts])), dim=-1)
