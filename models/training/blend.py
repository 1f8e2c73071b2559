"""Average a trained checkpoint with the weights that it began from, which keeps more of what they could (Wortsman et al. 2022, WiSE-FT)."""
import argparse

import torch

from shipped import load_state


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--weights", required=True, help="what the training began from: a folder of shipped files or a checkpoint")
    p.add_argument("--share", type=float, required=True, help="of --weights, 0 to 1")
    p.add_argument("--out", required=True, help="checkpoint file; it holds no optimizers")
    a = p.parse_args()
    saved, before = torch.load(a.checkpoint), load_state(a.weights)
    state = {name: (1 - a.share) * tensor + a.share * before[name].float() for name, tensor in saved["state"].items()}
    torch.save({"state": state, "info": saved["info"]}, a.out)


if __name__ == "__main__":
    main()
