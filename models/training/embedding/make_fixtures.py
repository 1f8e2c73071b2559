"""Write tiny untrained models in the hub's file layout, with reference vectors, for the tests of hub models."""
import argparse
import json
import os
import struct

import torch
import torch.nn.functional as F

import wordpiece
from encoder import Encoder, Shape, pad, round_weights
from export import configuration, files
from graph import EncoderGraph

TEXTS = ["hello world", "a longer sentence, with marks!", "x"]
PREFIXES = {"query": "query: ", "document": "passage: "}


DENSE = 8
"""Numbers that the Dense layer makes."""


def safetensors(**tensors):
    """The file format of safetensors: the length of the header, the header, the bytes."""
    header, data = {}, b""
    for name, tensor in tensors.items():
        begin = len(data)
        data += tensor.numpy().tobytes()
        header[f"linear.{name}"] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def pooled(model, tokenizer, text, pooling, normalize, dense=None):
    ids, mask = pad([tokenizer.encode(text)])
    with torch.no_grad():
        states = model.hidden_states(ids, mask)[0]
        vector = states[0] if pooling == "cls" else states.mean(0)
        vector = dense(vector) if dense else vector
    return [round(float(x), 7) for x in (F.normalize(vector, dim=-1) if normalize else vector)]


def write(folder, name, value):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb" if isinstance(value, bytes) else "w") as file:
        file.write(value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")) + "\n")


class Repository:
    """One untrained model. `claims` are said in config.json whatever is true: more vocabulary than there is lets tokens break a run, as a
    wrong file does."""

    def __init__(self, root, hub_id, seed, claims=None):
        torch.manual_seed(seed)
        self.tokenizer = wordpiece.WordPiece(wordpiece.build_vocabulary([], 0))
        self.shape = Shape(len(self.tokenizer.vocabulary), hidden=16, layers=1, heads=4, feed_forward=32, positions=300)
        self.model = Encoder(self.shape).eval()
        round_weights(self.model)
        self.folder = os.path.join(root, hub_id, "resolve", "main")
        for name, value in files(self.shape, self.tokenizer):
            if name not in ("modules.json", "1_Pooling/config.json"):
                self.write(name, value)
        self.write("config.json", {**configuration(self.shape), **(claims or {})})

    def write(self, name, value):
        write(self.folder, name, value)

    def modules(self, pooling, normalize, prefixes=None, dense=False):
        """The files of sentence-transformers."""
        modules = ["Transformer", "Pooling"] + (["Dense"] if dense else []) + (["Normalize"] if normalize else [])
        self.write("modules.json", [{"idx": i, "name": str(i), "path": {"Pooling": "1_Pooling", "Dense": "2_Dense"}.get(kind, ""),
                                     "type": f"sentence_transformers.models.{kind}"} for i, kind in enumerate(modules)])
        self.write("1_Pooling/config.json", {"pooling_mode_cls_token": pooling == "cls", "pooling_mode_mean_tokens": pooling == "mean"})
        self.write("sentence_bert_config.json", {"max_seq_length": 40, "do_lower_case": False})
        if prefixes:
            self.write("config_sentence_transformers.json", {"prompts": prefixes})

    def weights(self, dense=None, data_file=False):
        """`data_file`: the large constants are in a second file, as in networks of more than 2 GB."""
        for name, quantised in (("model.onnx", False), ("model_quantized.onnx", True)):
            encoder = EncoderGraph(self.shape, self.model.state_dict(), quantised, dense, f"{name}_data" if data_file else None)
            self.write(f"onnx/{name}", encoder.build())
            if data_file:
                self.write(f"onnx/{name}_data", bytes(encoder.graph.data))

    def reference(self, pooling, normalize, prefix="", dense=None):
        self.write("reference.json", [{"text": text, "vector": pooled(self.model, self.tokenizer, prefix + text, pooling, normalize, dense)}
                                      for text in TEXTS])


def plain(root, hub_id, seed, pooling, normalize, prefixes=None, claims=None):
    """A model that is pooled, and nothing else."""
    repository = Repository(root, hub_id, seed, claims)
    repository.modules(pooling, normalize, prefixes)
    repository.weights()
    repository.reference(pooling, normalize, prefixes["document"] if prefixes else "")


def with_dense_module(root, hub_id, seed):
    """A Dense module in a file of its own, as in LaBSE."""
    repository = Repository(root, hub_id, seed, {"matryoshka_dimensions": [8, 4]})
    weight, bias = torch.randn(DENSE, repository.shape.hidden), torch.randn(DENSE)
    repository.modules("mean", True, dense=True)
    repository.weights()
    repository.write("2_Dense/config.json", {"in_features": repository.shape.hidden, "out_features": DENSE, "bias": True,
                                             "activation_function": "torch.nn.modules.activation.Tanh"})
    repository.write("2_Dense/model.safetensors", safetensors(weight=weight, bias=bias))
    repository.reference("mean", True, dense=lambda vector: torch.tanh(weight @ vector + bias))


def with_own_output(root, hub_id, seed, prefix):
    """The network itself makes the vectors; no file says so, as in the conversion of EmbeddingGemma."""
    claims = {"model_type": "gemma3_text", "architectures": ["Gemma3TextModel"],
              "transformers.js_config": {"use_external_data_format": {"model.onnx": 1, "model_quantized.onnx": 1}}}
    repository = Repository(root, hub_id, seed, claims)
    weight = torch.randn(DENSE, repository.shape.hidden)
    repository.weights(weight.T.contiguous().numpy(), data_file=True)
    repository.reference("mean", True, prefix, lambda vector: weight @ vector)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", required=True)
    root = p.parse_args().out
    plain(root, "Xenova/all-MiniLM-L6-v2", 1, "mean", True)
    plain(root, "acme/cls-embed", 2, "cls", False, PREFIXES)
    plain(root, "acme/broken-embed", 3, "mean", True, claims={"vocab_size": 1000, "hidden_size": 256})
    with_dense_module(root, "acme/dense-embed", 4)
    with_own_output(root, "onnx-community/embeddinggemma-300m-ONNX", 5, "title: none | text: ")


if __name__ == "__main__":
    main()
