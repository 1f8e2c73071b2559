"""Weights from where they are: a checkpoint of train.py, or a folder of shipped files that export.py wrote."""
import json
import os

import numpy as np
import torch


def shipped_state(folder):
    """The tensors of params_shard_0.bin, under the names of model.py."""
    with open(os.path.join(folder, "tensor-cache.json"), encoding="utf-8") as file:
        shard = json.load(file)["records"][0]
    data = np.fromfile(os.path.join(folder, shard["dataPath"]), np.uint16).astype(np.uint32) << 16
    state = {}
    for record in shard["records"]:
        start, size = record["byteOffset"] // 2, record["nbytes"] // 2
        name = record["name"].removeprefix("model.").replace(".self_attn.", ".").replace(".mlp.", ".")
        state[name] = torch.from_numpy(data[start:start + size].view(np.float32).reshape(record["shape"]).copy())
    return state


def load_state(path):
    """The state of a checkpoint file or of a shipped folder."""
    return shipped_state(path) if os.path.isdir(path) else torch.load(path)["state"]
