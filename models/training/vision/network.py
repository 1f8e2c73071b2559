"""The network: a vision transformer, LLaVA 1.5's projector, and a small Llama. Numerics as in llama.cpp's `clip.cpp` (projector `mlp`)."""
import json
import math
import os
import sys
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from model import Architecture, RmsNorm, rotary_tables, rotate  # noqa: E402


@dataclass
class Vision:
    """The field `vision` of `architecture.json`, with Python names."""
    image_size: int
    patch_size: int
    hidden: int
    layers: int
    heads: int
    intermediate: int
    eps: float
    mean: list
    std: list

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            v = json.load(file)["vision"]
        return Vision(v["imageSize"], v["patchSize"], v["hidden"], v["layers"], v["heads"], v["intermediate"], v["layerNormEps"],
                      v["imageMean"], v["imageStd"])

    @property
    def patches(self):
        return (self.image_size // self.patch_size) ** 2


def gelu(x):
    """The tanh approximation, as ggml's."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * x * (1 + 0.044715 * x * x)))


def attend(q, k, v, mask):
    """q, k, v [B,H,T,D]; mask is added to the scores, or None."""
    scores = q @ k.transpose(-1, -2)
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, -1).to(v.dtype) @ v


class VisionBlock(nn.Module):
    def __init__(self, arch):
        super().__init__()
        d, self.heads = arch.hidden, arch.heads
        self.ln1, self.ln2 = nn.LayerNorm(d, arch.eps), nn.LayerNorm(d, arch.eps)
        self.qkv_proj, self.o_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up_proj, self.down_proj = nn.Linear(d, arch.intermediate), nn.Linear(arch.intermediate, d)

    def forward(self, x):
        batch, length, d = x.shape
        q, k, v = self.qkv_proj(self.ln1(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        y = attend(q * (d // self.heads) ** -0.5, k, v, None)
        x = x + self.o_proj(y.transpose(1, 2).reshape(batch, length, d))
        return x + self.down_proj(gelu(self.up_proj(self.ln2(x))))


class VisionEncoder(nn.Module):
    def __init__(self, arch, text_hidden):
        super().__init__()
        self.arch = arch
        self.patch_embedding = nn.Linear(3 * arch.patch_size ** 2, arch.hidden, bias=False)
        self.position_embedding = nn.Embedding(arch.patches, arch.hidden)
        self.layers = nn.ModuleList(VisionBlock(arch) for _ in range(arch.layers))
        self.post_layernorm = nn.LayerNorm(arch.hidden, arch.eps)
        self.projector = nn.ModuleDict({"0": nn.Linear(arch.hidden, text_hidden), "2": nn.Linear(text_hidden, text_hidden)})
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                scale = parameter.shape[1] ** -0.5 * (0.5 if name.endswith(("o_proj.weight", "down_proj.weight")) else 1.0)
                nn.init.normal_(parameter, 0, 0.02 if "position" in name else scale)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def patches(self, pictures):
        """uint8 [B,size,size,3] → normalised patches [B,patches,3·p·p]; a patch is channel by channel, row by row."""
        a = self.arch
        side = a.image_size // a.patch_size
        x = (pictures.float() / 255 - torch.tensor(a.mean)) / torch.tensor(a.std)
        x = x.view(-1, side, a.patch_size, side, a.patch_size, 3).permute(0, 1, 3, 5, 2, 4)
        return x.reshape(-1, a.patches, 3 * a.patch_size ** 2)

    def look(self, pictures):
        """Features [B,patches,hidden], of the last and of the middle layer."""
        x, middle = self.patch_embedding(self.patches(pictures)) + self.position_embedding.weight, None
        for number, layer in enumerate(self.layers, 1):
            x = layer(x)
            if number == len(self.layers) // 2:
                middle = x
        return self.post_layernorm(x), middle

    def forward(self, pictures):
        """Features [B,patches,hidden], tokens [B,patches,text_hidden], and features of the middle layer."""
        x, middle = self.look(pictures)
        return x, self.projector["2"](gelu(self.projector["0"](x))), middle


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

    def forward(self, x, cos, sin, mask):
        a = self.arch
        batch, length, _ = x.shape
        query, kv = a.heads * a.head_dim, a.kv_heads * a.head_dim
        q, k, v = self.qkv_proj(self.input_layernorm(x)).split([query, kv, kv], -1)
        q = rotate(q.view(batch, length, a.heads, a.head_dim).transpose(1, 2) * a.head_dim ** -0.5, cos, sin)
        k = rotate(k.view(batch, length, a.kv_heads, a.head_dim).transpose(1, 2), cos, sin)
        v = v.view(batch, length, a.kv_heads, a.head_dim).transpose(1, 2)
        groups = a.heads // a.kv_heads
        # Query heads that share a key head lie one after the other.
        y = attend(q.to(v.dtype), k.to(v.dtype).repeat_interleave(groups, 1), v.repeat_interleave(groups, 1), mask)
        x = x + self.o_proj(y.transpose(1, 2).reshape(batch, length, -1))
        gate, up = self.gate_up_proj(self.post_attention_layernorm(x)).chunk(2, -1)
        # torch 1.13's bfloat16 silu is slower on a CPU than its two parts.
        return x + self.down_proj(gate * torch.sigmoid(gate) * up)


class SeeingLlama(nn.Module):
    def __init__(self, arch, vision):
        super().__init__()
        self.arch = arch
        self.vision = VisionEncoder(vision, arch.hidden)
        self.embed_tokens = nn.Embedding(arch.vocab, arch.hidden)
        self.layers = nn.ModuleList(Block(arch) for _ in range(arch.layers))
        self.norm = RmsNorm(arch.hidden, arch.rms_eps)
        for name, parameter in list(self.layers.named_parameters()) + [("embed", self.embed_tokens.weight)]:
            if parameter.dim() > 1:
                scale = parameter.shape[1] ** -0.5 * (0.5 if name.endswith(("o_proj.weight", "down_proj.weight")) else 1.0)
                nn.init.normal_(parameter, 0, 0.02 if name == "embed" else scale)
        cos, sin = rotary_tables(arch)
        self.register_buffer("cos", cos, False)
        self.register_buffer("sin", sin, False)

    def decode(self, x, positions, mask):
        """Hidden states after the last norm; x [B,T,hidden], positions [B,T], mask [B or 1,1,T,T] is added to the scores."""
        cos, sin = self.cos[positions][:, None], self.sin[positions][:, None]
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        return self.norm(x)

    def logits(self, hidden):
        return F.linear(hidden, self.embed_tokens.weight)


def build(path):
    """A network with random weights for an `architecture.json`."""
    return SeeingLlama(Architecture.read(path), Vision.read(path))
