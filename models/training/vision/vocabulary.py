"""The vocabulary of infetch-tiny-vision: bytes, words of the questions, and marks of the chat.

Every merge extends a space and the first letters of a word by one letter. So " circle" is one token, and text without a space before it
stays one token per letter: answers are spelled, and reading a picture is copying letter by letter.
"""
import argparse
import json
import os
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tokenizer import BYTE_TO_CHAR, CHAR_TO_BYTE, PATTERN, merge_pair  # noqa: E402

ADDED = ["<|endoftext|>", "<|im_end|>", "<|pad|>", "<|user|>", "<|assistant|>"]
SIZE = 1024

WORDS = """a about above all am an and any anything are at background bad be below big bigger biggest black blue bottom brown but can caption
cat center centre character characters circle circles color colored colors colour coloured colours contain contains content contents corner count
cross crosses describe diamond digit digits do does dog draw drawing drawn else empty find for form green gray grey has have heart hearts
hello here hi how i if image in inside is it kind know larger largest left letter letters like look many me middle more much my name no not
nothing number numbers object objects of on one only or orange over part photo pic picture pink place please position purple read
red right round say says see seen shape shaped shapes show shown side size small smaller smallest spell square squares star stars stand stands
tell text that the their them then there these they thing things this to top total triangle triangles two type under us used visible was we what
what's where which white who with word words write written yellow yes you your""".split()


class Vocabulary:
    """Encoder and decoder."""

    def __init__(self):
        prefixes = sorted({(len(word), " " + word[:n + 1]) for word in WORDS for n in range(len(word))}, key=lambda p: (len(p[1]), p[1]))
        merges, known = [], set()
        for _, prefix in prefixes:
            symbols = "".join(BYTE_TO_CHAR[b] for b in prefix.encode())
            if symbols not in known:
                known.add(symbols)
                merges.append((symbols[:-1], symbols[-1]))
        self.merges = merges
        self.tokens = [BYTE_TO_CHAR[b] for b in range(256)] + [a + b for a, b in merges]
        # Unused rows, so that the size stays the same when a word is added.
        self.tokens += [f"<|unused{i}|>" for i in range(SIZE - len(self.tokens) - len(ADDED))] + ADDED
        assert len(self.tokens) == SIZE
        self.id = {token: i for i, token in enumerate(self.tokens)}
        self.rank = {merge: i for i, merge in enumerate(merges)}
        self.pattern, self.cache = re.compile(PATTERN), {}
        self.end, self.pad, self.user, self.assistant = (self.id[t] for t in ADDED[1:])

    def encode(self, text):
        """Token ids of `text`, in which the marks of the chat are plain text."""
        ids = []
        for word in self.pattern.findall(text):
            if word not in self.cache:
                symbols = [BYTE_TO_CHAR[b] for b in word.encode()]
                while len(symbols) > 1:
                    best = min(zip(symbols, symbols[1:]), key=lambda pair: self.rank.get(pair, 1 << 30))
                    if best not in self.rank:
                        break
                    symbols = merge_pair(symbols, *best)
                self.cache[word] = [self.id[s] for s in symbols]
            ids += self.cache[word]
        return ids

    def decode(self, ids):
        """Text of `ids`; marks of the chat are left out."""
        tokens = [self.tokens[i] for i in ids]
        return bytes(CHAR_TO_BYTE[c] for t in tokens if not t.startswith("<|") for c in t).decode("utf-8", "replace")

    def to_json(self):
        """The Hugging Face `tokenizer.json` object."""
        special = [(t, True) for t in ADDED] + [(t, True) for t in self.tokens if t.startswith("<|unused")]
        return {
            "version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [{"id": self.id[t], "content": t, "single_word": False, "lstrip": False, "rstrip": False,
                              "normalized": False, "special": s} for t, s in sorted(special, key=lambda e: self.id[e[0]])],
            "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated", "invert": False},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]},
            "post_processor": None,
            "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                      "vocab": {t: self.id[t] for t in self.tokens if not t.startswith("<|")},
                      "merges": [f"{a} {b}" for a, b in self.merges]},
        }


CHAT_TEMPLATE = (
    "{%- for message in messages %}"
    "{%- if message.role == 'user' %}{{- '<|user|>' + message.content + '<|im_end|>' }}"
    "{%- elif message.role == 'assistant' %}{{- '<|assistant|>' + message.content + '<|im_end|>' }}{%- endif %}"
    "{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}")
"""System messages and tools are left out: the model does not know them."""


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", required=True, help="folder of the model")
    a = p.parse_args()
    with open(os.path.join(a.out, "tokenizer.json"), "w", encoding="utf-8") as file:
        json.dump(Vocabulary().to_json(), file, ensure_ascii=False)
    config = {"add_bos_token": False, "bos_token": None, "eos_token": "<|im_end|>", "pad_token": "<|pad|>",
              "chat_template": CHAT_TEMPLATE, "tokenizer_class": "PreTrainedTokenizerFast"}
    with open(os.path.join(a.out, "tokenizer_config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
