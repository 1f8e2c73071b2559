"""Average checkpoints, weighted if asked: their mean keeps what each of them forgot (model soups, arXiv 2203.05482). They must descend from one another."""
import argparse

import torch

from load_weights import load_state


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("checkpoints", nargs="+", help="in the order in which they were trained")
    p.add_argument("--shares", type=float, nargs="+", help="of each checkpoint, together 1; equal without it")
    p.add_argument("--out", required=True)
    p.add_argument("--steps", type=int, required=True, help="of all parts of the training")
    p.add_argument("--tokens", type=int, required=True)
    p.add_argument("--seconds", type=int, required=True)
    a = p.parse_args()
    states = [load_state(path) for path in a.checkpoints]
    shares = a.shares or [1 / len(states)] * len(states)
    if len(shares) != len(states) or abs(sum(shares) - 1) > 1e-6:
        p.error("--shares needs a share for each checkpoint, together 1")
    mean = {name: sum(share * state[name].float() for share, state in zip(shares, states)) for name in states[0]}
    info = {"step": a.steps, "tokens": a.tokens, "seconds": a.seconds, "weights": "the version before", "averaged": len(states)}
    torch.save({"state": mean, "info": info}, a.out)


if __name__ == "__main__":
    main()
