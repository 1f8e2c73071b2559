"""Write tiny untrained models in the hub's file layout, with reference vectors, for the tests of hub models."""
import argparse
import json
import os

import torch
import torch.nn.functional as F

import wordpiece
from encoder import Encoder, Shape, pad, round_weights
from export import configuration, files
from graph import EncoderGraph

TEXTS = ["hello world", "a longer sentence, with marks!", "x"]
PREFIXES = {"query": "query: ", "document": "passage: "}


def pooled(model, tokenizer, text, pooling, normalize):
    ids, mask = pad([tokenizer.encode(text)])
    with torch.no_grad():
        states = model.hidden_states(ids, mask)[0]
    vector = states[0] if pooling == "cls" else states.mean(0)
    return [round(float(x), 7) for x in (F.normalize(vector, dim=-1) if normalize else vector)]


def write(folder, name, value):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb" if isinstance(value, bytes) else "w") as file:
        file.write(value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")) + "\n")


def make(root, hub_id, seed, pooling, normalize, prefixes=None, claims=None):
    """`claims` are said in config.json whatever is true: more vocabulary than there is lets tokens break a run, as a wrong file does."""
    torch.manual_seed(seed)
    tokenizer = wordpiece.WordPiece(wordpiece.build_vocabulary([], 0))
    shape = Shape(len(tokenizer.vocabulary), hidden=16, layers=1, heads=4, feed_forward=32, positions=300)
    model = Encoder(shape).eval()
    round_weights(model)
    folder = os.path.join(root, hub_id, "resolve", "main")
    for name, value in files(shape, tokenizer):
        write(folder, name, value)
    write(folder, "config.json", {**configuration(shape), **(claims or {})})
    modules = ["Transformer", "Pooling"] + (["Normalize"] if normalize else [])
    write(folder, "modules.json", [{"idx": i, "name": str(i), "path": "1_Pooling" if kind == "Pooling" else "",
                                    "type": f"sentence_transformers.models.{kind}"} for i, kind in enumerate(modules)])
    write(folder, "1_Pooling/config.json", {"pooling_mode_cls_token": pooling == "cls", "pooling_mode_mean_tokens": pooling == "mean"})
    write(folder, "sentence_bert_config.json", {"max_seq_length": 40, "do_lower_case": False})
    if prefixes:
        write(folder, "config_sentence_transformers.json", {"prompts": prefixes})
    for name, quantised in (("onnx/model.onnx", False), ("onnx/model_quantized.onnx", True)):
        write(folder, name, EncoderGraph(shape, model.state_dict(), quantised).build())
    before = prefixes["document"] if prefixes else ""
    write(folder, "reference.json", [{"text": text, "vector": pooled(model, tokenizer, before + text, pooling, normalize)} for text in TEXTS])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", required=True)
    root = p.parse_args().out
    make(root, "Xenova/all-MiniLM-L6-v2", 1, "mean", True)
    make(root, "acme/cls-embed", 2, "cls", False, PREFIXES)
    make(root, "acme/broken-embed", 3, "mean", True, claims={"vocab_size": 1000, "hidden_size": 256})


if __name__ == "__main__":
    main()
