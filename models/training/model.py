"""The network: a small Llama (RMSNorm, grouped-query attention, half-split rotary positions, SwiGLU, tied embedding)."""
import json
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

QUERY_CHUNK = 128
HAS_KERNEL = torch.__version__ >= (2, 1)


@dataclass
class Architecture:
    """The numbers of `architecture.json`, with Python names."""
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocab: int
    rope_theta: float
    rms_eps: float
    context_window: int
    prefill_chunk: int

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            a = json.load(file)
        return Architecture(a["hidden"], a["layers"], a["heads"], a["kvHeads"], a["headDim"], a["intermediate"], a["vocab"],
                            a["ropeTheta"], a["rmsEps"], a["contextWindow"], a["prefillChunk"])


class RmsNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + self.eps) * self.weight


def rotary_tables(arch):
    """cos and sin, each [context, head_dim]."""
    inverse = 1.0 / (arch.rope_theta ** (torch.arange(0, arch.head_dim, 2).float() / arch.head_dim))
    angles = torch.arange(arch.context_window).float()[:, None] * inverse[None]
    angles = torch.cat([angles, angles], -1)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


def causal_attention(q, k, v, start=0):
    """q [B,KV,G,T,D], k and v [B,KV,S,D]; query i sees keys 0..start+i. Long queries are cut into chunks that see only their past; torch 2.1
    has a kernel for the usual case, which makes training faster."""
    batch, kv_heads, groups, length, dim = q.shape
    if HAS_KERNEL and start == 0:
        keys, values = (x.repeat_interleave(groups, 1) for x in (k, v))
        return F.scaled_dot_product_attention(q.flatten(1, 2), keys, values, is_causal=True, scale=1.0).view(q.shape)
    pieces = []
    for begin in range(0, length, QUERY_CHUNK):
        end = min(begin + QUERY_CHUNK, length)
        keys = start + end
        scores = q[:, :, :, begin:end].reshape(batch, kv_heads, -1, dim) @ k[:, :, :keys].transpose(-1, -2)
        scores = scores.view(batch, kv_heads, groups, end - begin, keys)
        if end - begin > 1:
            scores = scores + torch.full((end - begin, keys), -1e9, dtype=scores.dtype).triu(start + begin + 1)
        weights = torch.softmax(scores, -1).to(v.dtype)
        pieces.append((weights.view(batch, kv_heads, -1, keys) @ v[:, :, :keys]).view(batch, kv_heads, groups, end - begin, dim))
    return pieces[0] if len(pieces) == 1 else torch.cat(pieces, 3)


class Block(nn.Module):
    def __init__(self, arch):
        super().__init__()
        self.arch = arch
        query, kv = arch.heads * arch.head_dim, arch.kv_heads * arch.head_dim
        self.input_layernorm = RmsNorm(arch.hidden, arch.rms_eps)
        self.qkv_proj = nn.Linear(arch.hidden, query + 2 * kv, bias=False)
        self.o_proj = nn.Linear(query, arch.hidden, bias=False)
        self.post_attention_layernorm = RmsNorm(arch.hidden, arch.rms_eps)
        self.gate_up_proj = nn.Linear(arch.hidden, 2 * arch.intermediate, bias=False)
        self.down_proj = nn.Linear(arch.intermediate, arch.hidden, bias=False)

    def forward(self, x, cos, sin, cache=None):
        a = self.arch
        batch, length, _ = x.shape
        query, kv = a.heads * a.head_dim, a.kv_heads * a.head_dim
        q, k, v = self.qkv_proj(self.input_layernorm(x)).split([query, kv, kv], -1)
        q = rotate(q.view(batch, length, a.heads, a.head_dim).transpose(1, 2) * a.head_dim ** -0.5, cos, sin)
        k = rotate(k.view(batch, length, a.kv_heads, a.head_dim).transpose(1, 2), cos, sin)
        v = v.view(batch, length, a.kv_heads, a.head_dim).transpose(1, 2)
        start = 0
        if cache is not None:
            if "k" in cache:
                start = cache["k"].shape[2]
                k, v = torch.cat([cache["k"], k], 2), torch.cat([cache["v"], v], 2)
            cache["k"], cache["v"] = k, v
        q = q.reshape(batch, a.kv_heads, a.heads // a.kv_heads, length, a.head_dim)
        y = causal_attention(q.to(v.dtype), k.to(v.dtype), v, start)
        x = x + self.o_proj(y.reshape(batch, a.heads, length, a.head_dim).transpose(1, 2).reshape(batch, length, -1))
        gate, up = self.gate_up_proj(self.post_attention_layernorm(x)).chunk(2, -1)
        # torch 1.13's bfloat16 silu is slower on a CPU than its two parts.
        return x + self.down_proj(gate * torch.sigmoid(gate) * up)


class Llama(nn.Module):
    def __init__(self, arch):
        super().__init__()
        self.arch = arch
        self.embed_tokens = nn.Embedding(arch.vocab, arch.hidden)
        self.layers = nn.ModuleList(Block(arch) for _ in range(arch.layers))
        self.norm = RmsNorm(arch.hidden, arch.rms_eps)
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                scale = parameter.shape[1] ** -0.5 * (0.5 if name.endswith(("o_proj.weight", "down_proj.weight")) else 1.0)
                nn.init.normal_(parameter, 0, 0.02 if "embed" in name else scale)
        cos, sin = rotary_tables(arch)
        self.register_buffer("cos", cos, False)
        self.register_buffer("sin", sin, False)

    def forward(self, ids, positions, caches=None):
        """Hidden states after the last norm. `ids` and `positions` are [B,T]; `caches` is one dict per layer, filled in place."""
        cos, sin = self.cos[positions][:, None], self.sin[positions][:, None]
        x = self.embed_tokens(ids)
        for i, layer in enumerate(self.layers):
            x = layer(x, cos, sin, None if caches is None else caches[i])
        return self.norm(x)

    def logits(self, hidden):
        return F.linear(hidden, self.embed_tokens.weight)
