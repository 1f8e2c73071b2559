"""Write a checkpoint as the folder that transformers.js loads, with reference vectors that the network itself computed."""
import argparse
import json
import os
import shutil

import torch

import wordpiece
from encoder import Encoder, Shape, embed
from graph import EncoderGraph

PROBES = ["How do I get my money back?", "the weather in Paris tomorrow"]
TEXTS = PROBES + [
    "hello", "", "A", "refund policy", "Is my data private, or can somebody else read my messages?", "ÀÉÎÕÜ café naïve",
    "12345 + 67890 = 80235", "日本語 und Русский", "the quick brown fox jumps over the lazy dog " * 12, "e-mail: someone@example.org (urgent!)",
]


def configuration(shape):
    """config.json"""
    return {"model_type": "bert", "architectures": ["BertModel"], "hidden_act": "gelu", "hidden_size": shape.hidden,
            "num_hidden_layers": shape.layers, "num_attention_heads": shape.heads, "intermediate_size": shape.feed_forward,
            "vocab_size": shape.vocabulary, "max_position_embeddings": shape.positions, "type_vocab_size": 1,
            "layer_norm_eps": shape.epsilon, "pad_token_id": wordpiece.PAD}


def files(shape, tokenizer):
    """The JSON files, in the layout that sentence-transformers gave to the world."""
    yield "config.json", configuration(shape)
    yield "tokenizer.json", tokenizer.to_json()
    yield "tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "do_lower_case": True, "model_max_length": shape.positions,
                                    "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "pad_token": "[PAD]", "mask_token": "[MASK]"}
    yield "modules.json", [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
                           {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
                           {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]
    yield "1_Pooling/config.json", {"word_embedding_dimension": shape.hidden, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True,
                                    "pooling_mode_max_tokens": False, "pooling_mode_mean_sqrt_len_tokens": False}


def reference(model, tokenizer):
    """reference.json: texts, their tokens, and what the network makes of them in fp32."""
    vectors = torch.cat([embed(model, tokenizer, [text]) for text in TEXTS])
    return {"probes": len(PROBES), "items": [
        {"text": text, "tokens": tokenizer.encode(text), "vector": [round(float(x), 7) for x in vector]} for text, vector in zip(TEXTS, vectors)]}


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    torch.set_num_threads(1)
    checkpoint, tokenizer = torch.load(a.checkpoint), wordpiece.load(a.tokenizer)
    shape = Shape(**checkpoint["shape"])
    model = Encoder(shape).eval()
    model.load_state_dict(checkpoint["state"])
    shutil.rmtree(os.path.join(a.out, "onnx"), ignore_errors=True)
    for folder in ("onnx", "1_Pooling"):
        os.makedirs(os.path.join(a.out, folder), exist_ok=True)
    with open(os.path.join(a.out, "onnx", "model.onnx"), "wb") as file:
        file.write(EncoderGraph(shape, checkpoint["state"], quantised=True).build())
    for name, value in [*files(shape, tokenizer), ("reference.json", reference(model, tokenizer))]:
        with open(os.path.join(a.out, name), "w", encoding="utf-8") as file:
            json.dump(value, file, separators=(",", ":"), ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    main()
