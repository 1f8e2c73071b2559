"""Write a checkpoint as `params_shard_0.bin` and `tensor-cache.json`, bfloat16. `models/gguf/` makes the GGUF files from them."""
import argparse
import json
import os

import torch

from network import build


PARTS = {"qkv_proj": "self_attn.qkv_proj", "o_proj": "self_attn.o_proj", "gate_up_proj": "mlp.gate_up_proj", "down_proj": "mlp.down_proj"}


def stored_name(name):
    """The text model's names are those of the chat model's files; those of the vision encoder begin with `vision.` and stay."""
    if name.startswith("vision."):
        return name
    return "model." + ".".join(PARTS.get(part, part) for part in name.split("."))


def bfloat16(tensor):
    return tensor.bfloat16().float()


def q8_0(name, tensor):
    """The values that llama.cpp computes with: matrices in blocks of 32 integers with a half-precision scale; the rest stays."""
    if tensor.dim() < 2 or name in ("vision.patch_embedding.weight", "vision.position_embedding.weight"):
        return tensor
    blocks = tensor.reshape(-1, 32)
    scale = blocks.abs().amax(1, keepdim=True) / 127
    whole = torch.where(scale > 0, torch.round(blocks / scale.clamp(min=1e-20)), torch.zeros(()))
    return (whole * scale.half().float()).reshape(tensor.shape)


def write_weights(directory, state):
    records, offset = [], 0
    with open(os.path.join(directory, "params_shard_0.bin"), "wb") as file:
        for name, tensor in sorted(state.items()):
            data = tensor.contiguous().bfloat16().view(torch.int16).numpy().tobytes()
            records.append({"name": stored_name(name), "shape": list(tensor.shape), "dtype": "float32", "format": "f32-to-bf16",
                            "nbytes": len(data), "byteOffset": offset})
            offset += len(data)
            file.write(data)
    cache = {"metadata": {"ParamSize": len(records), "ParamBytes": offset, "BitsPerParam": 16},
             "records": [{"dataPath": "params_shard_0.bin", "format": "raw-shard", "nbytes": offset, "records": records}]}
    with open(os.path.join(directory, "tensor-cache.json"), "w", encoding="utf-8") as file:
        json.dump(cache, file)
        file.write("\n")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--checkpoint", help="without one, weights are random, with seed 0")
    p.add_argument("--out", required=True)
    a = p.parse_args()
    torch.manual_seed(0)
    network = build(a.architecture)
    if a.checkpoint:
        network.load_state_dict(torch.load(a.checkpoint)["state"])
    write_weights(a.out, network.state_dict())
    print(f"{sum(q.numel() for q in network.parameters()):,} parameters")


if __name__ == "__main__":
    main()
