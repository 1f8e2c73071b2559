"""Write a checkpoint as the four files that web-llm loads. Weights are bfloat16 (2 bytes per parameter), rounded to nearest even."""
import argparse
import json
import os
import shutil

import torch

import tokenizer as bpe
from model import Architecture

BLOCK_PARTS = ["input_layernorm", "self_attn.qkv_proj", "self_attn.o_proj", "post_attention_layernorm", "mlp.gate_up_proj", "mlp.down_proj"]


def named_parameters(arch, state):
    """(web-llm name, tensor) in file order."""
    yield "model.embed_tokens.weight", state["embed_tokens.weight"]
    for layer in range(arch.layers):
        for part in BLOCK_PARTS:
            yield f"model.layers.{layer}.{part}.weight", state[f"layers.{layer}.{part.split('.')[-1]}.weight"]
    yield "model.norm.weight", state["norm.weight"]


def bfloat16_bytes(tensor):
    """Little-endian upper halves of the rounded floats."""
    return tensor.contiguous().bfloat16().view(torch.int16).numpy().tobytes()


def write_weights(directory, arch, state):
    records, offset = [], 0
    with open(os.path.join(directory, "params_shard_0.bin"), "wb") as file:
        for name, tensor in named_parameters(arch, state):
            data = bfloat16_bytes(tensor)
            records.append({"name": name, "shape": list(tensor.shape), "dtype": "float32", "format": "f32-to-bf16",
                            "nbytes": len(data), "byteOffset": offset})
            offset += len(data)
            file.write(data)
    cache = {"metadata": {"ParamSize": len(records), "ParamBytes": offset, "BitsPerParam": 16},
             "records": [{"dataPath": "params_shard_0.bin", "format": "raw-shard", "nbytes": offset, "records": records}]}
    with open(os.path.join(directory, "tensor-cache.json"), "w", encoding="utf-8") as file:
        json.dump(cache, file)


def chat_config(arch, tokenizer):
    """The object of mlc-chat-config.json."""
    token = tokenizer.id
    return {
        "version": "0.1.0", "model_type": "llama", "quantization": "q0f32",
        "model_config": {
            "hidden_size": arch.hidden, "num_hidden_layers": arch.layers, "num_attention_heads": arch.heads,
            "num_key_value_heads": arch.kv_heads, "head_dim": arch.head_dim,
        },
        "vocab_size": arch.vocab,
        "context_window_size": arch.context_window, "sliding_window_size": -1, "attention_sink_size": -1,
        "prefill_chunk_size": arch.prefill_chunk,
        "temperature": 1.0, "top_p": 1.0, "repetition_penalty": 1.0, "frequency_penalty": 0, "presence_penalty": 0,
        "tokenizer_files": ["tokenizer.json", "tokenizer_config.json"],
        "tokenizer_info": {"token_postproc_method": "byte_level", "prepend_space_in_encode": False, "strip_space_in_decode": False},
        "eos_token_id": token["<|im_end|>"], "pad_token_id": token["<|pad|>"],
        "conv_template": {
            "name": "infetch-tiny", "system_template": "<|im_start|>system\n{system_message}<|im_end|>\n", "system_message": "",
            "render_empty_system_message": False, "add_role_after_system_message": True,
            "roles": {"user": "<|im_start|>user", "assistant": "<|im_start|>assistant", "tool": "<|im_start|>user"},
            "role_templates": {"user": "{user_message}", "assistant": "{assistant_message}", "tool": "{tool_message}"},
            "seps": ["<|im_end|>\n"], "role_content_sep": "\n", "role_empty_sep": "\n",
            "stop_str": [], "stop_token_ids": [token["<|im_end|>"], token["<|endoftext|>"]],
        },
    }


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    arch, tokenizer = Architecture.read(a.architecture), bpe.load(a.tokenizer)
    write_weights(a.out, arch, torch.load(a.checkpoint)["state"])
    with open(os.path.join(a.out, "mlc-chat-config.json"), "w", encoding="utf-8") as file:
        json.dump(chat_config(arch, tokenizer), file, indent=1)
    target = os.path.join(a.out, "tokenizer.json")
    if os.path.abspath(a.tokenizer) != os.path.abspath(target):
        shutil.copyfile(a.tokenizer, target)
    for name in sorted(os.listdir(a.out)):
        print(name, os.path.getsize(os.path.join(a.out, name)))


if __name__ == "__main__":
    main()
