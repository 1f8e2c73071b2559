"""Make a network larger without changing what it computes: new layers add nothing at first, and new units of a layer have outputs of weight 0
(Net2Net, Chen et al. 2016, arXiv 1511.05641)."""
import argparse
import math

import torch

from model import Architecture, Llama
from load_weights import load_state


def place(old, new):
    """The layer of the larger network that each old layer becomes: spread evenly, the first and the last stay so."""
    return [math.floor(i * (new - 1) / (old - 1) + 0.5) for i in range(old)]


def grown(state, arch):
    """The state of a network of `arch` with the same output as `state`'s; layers and intermediate units may be more, the rest is equal."""
    target = Llama(arch).state_dict()
    old_layers = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    moved = {f"layers.{old}.": f"layers.{new}." for old, new in enumerate(place(old_layers, arch.layers))}
    for name in target:
        if name.endswith(("o_proj.weight", "down_proj.weight")):
            target[name].zero_()
    for name, value in state.items():
        prefix = name[:name.index(".", 7) + 1] if name.startswith("layers.") else ""
        into = target[moved.get(prefix, prefix) + name[len(prefix):]]
        if "gate_up" in name:
            for part, own in zip(into.chunk(2), value.chunk(2)):
                part[:len(own)] = own
        elif "down_proj" in name:
            into[:, :value.shape[1]] = value
        else:
            into.copy_(value)
    return target


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True, help="the larger one")
    p.add_argument("--weights", required=True, help="the smaller one's: a checkpoint or a folder of shipped files")
    p.add_argument("--out", required=True, help="checkpoint file")
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    torch.manual_seed(a.seed)
    torch.save({"state": grown(load_state(a.weights), Architecture.read(a.architecture))}, a.out)


if __name__ == "__main__":
    main()
