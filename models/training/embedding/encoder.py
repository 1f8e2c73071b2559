"""The network: a small BERT (learned positions, norms after each part, GELU), mean pooling, unit length."""
from dataclasses import asdict, dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

MASKED = -1e4


@dataclass
class Shape:
    vocabulary: int
    hidden: int = 128
    layers: int = 2
    heads: int = 4
    feed_forward: int = 384
    positions: int = 256
    epsilon: float = 1e-12

    as_dict = asdict


class Block(nn.Module):
    def __init__(self, shape):
        super().__init__()
        hidden, self.heads = shape.hidden, shape.heads
        self.query, self.key, self.value, self.out = (nn.Linear(hidden, hidden) for _ in range(4))
        self.up, self.down = nn.Linear(hidden, shape.feed_forward), nn.Linear(shape.feed_forward, hidden)
        self.norm1, self.norm2 = (nn.LayerNorm(hidden, eps=shape.epsilon) for _ in range(2))

    def forward(self, x, bias):
        batch, length, hidden = x.shape
        split = lambda y: y.view(batch, length, self.heads, -1).transpose(1, 2)  # noqa: E731
        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        scores = (q @ k.transpose(-1, -2)).float() * (hidden // self.heads) ** -0.5 + bias
        mixed = (torch.softmax(scores, -1).to(v.dtype) @ v).transpose(1, 2).reshape(batch, length, hidden)
        x = self.norm1(x + self.out(mixed))
        return self.norm2(x + self.down(F.gelu(self.up(x))))


class Encoder(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.hidden)
        self.positions = nn.Embedding(shape.positions, shape.hidden)
        self.norm0 = nn.LayerNorm(shape.hidden, eps=shape.epsilon)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.layers))
        nn.init.normal_(self.words.weight, 0, 0.1)
        # Small, so that at first a text is little more than the bag of its words: the best start there is.
        nn.init.normal_(self.positions.weight, 0, 0.005)
        for block in self.blocks:
            for part in (block.out, block.down):
                part.weight.data *= 0.3

    def hidden_states(self, ids, mask):
        x = self.norm0(self.words(ids) + self.positions.weight[: ids.shape[1]])
        bias = ((1 - mask) * MASKED)[:, None, None]
        for block in self.blocks:
            x = block(x, bias)
        return x

    def forward(self, ids, mask):
        """Mean over the real tokens, not yet of unit length."""
        states = self.hidden_states(ids, mask).float()
        return (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)


def pad(sequences):
    """(ids, mask) of token lists of unequal length."""
    ids = torch.zeros(len(sequences), max(map(len, sequences)), dtype=torch.long)
    mask = torch.zeros(ids.shape)
    for i, tokens in enumerate(sequences):
        ids[i, : len(tokens)] = torch.tensor(tokens)
        mask[i, : len(tokens)] = 1
    return ids, mask


@torch.no_grad()
def embed(model, tokenizer, texts):
    """Unit vectors [texts, hidden]."""
    return F.normalize(model(*pad([tokenizer.encode(text) for text in texts])), dim=-1)
