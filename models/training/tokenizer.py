"""Byte-level BPE: trainer, encoder and writer of a Hugging Face `tokenizer.json`. Needs only the standard library.

The split pattern means the same in Python's `re`, in JavaScript and in Rust. No merge crosses the borders that it draws, so
engines that split more coarsely (llama.cpp's known pre-tokenizers) arrive at the same tokens.
"""
import collections
import json
import re

PATTERN = r" ?[A-Za-z]+|[0-9]| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s"
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>"]
MARKS = ["<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<tools>", "</tools>"]
ADDED = SPECIAL + MARKS
SPLIT_ADDED = re.compile("(" + "|".join(map(re.escape, ADDED)) + ")")


def byte_alphabet():
    """GPT-2's map from byte to printable character."""
    printable = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
    mapping, extra = {b: chr(b) for b in printable}, 0
    for b in range(256):
        if b not in mapping:
            mapping[b] = chr(256 + extra)
            extra += 1
    return mapping


BYTE_TO_CHAR = byte_alphabet()
CHAR_TO_BYTE = {c: b for b, c in BYTE_TO_CHAR.items()}


def merge_pair(symbols, left, right):
    """Replace every adjacent (left, right) in `symbols` by their concatenation."""
    out, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and symbols[i] == left and symbols[i + 1] == right:
            out.append(left + right)
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


def train(texts, vocab_size):
    """Learn merges from `texts`; returns a Tokenizer whose ids are: bytes, merges, then the added tokens."""
    pattern, words = re.compile(PATTERN), collections.Counter()
    for text in texts:
        for part in SPLIT_ADDED.split(text):
            if part not in ADDED:
                words.update(pattern.findall(part))
    sequences = [[BYTE_TO_CHAR[b] for b in w.encode()] for w in words]
    counts = list(words.values())
    vocab, merges = [BYTE_TO_CHAR[b] for b in range(256)], []
    known, pairs, places = set(vocab), collections.Counter(), collections.defaultdict(set)
    for i, symbols in enumerate(sequences):
        for pair in zip(symbols, symbols[1:]):
            pairs[pair] += counts[i]
            places[pair].add(i)
    while len(vocab) < vocab_size - len(ADDED):
        (left, right), count = max(pairs.items(), key=lambda item: (item[1], item[0]))
        if count < 2:
            break
        merges.append((left, right))
        if left + right not in known:
            known.add(left + right)
            vocab.append(left + right)
        for i in list(places[left, right]):
            for pair in zip(sequences[i], sequences[i][1:]):
                pairs[pair] -= counts[i]
                if pairs[pair] <= 0:
                    del pairs[pair]
                places[pair].discard(i)
            sequences[i] = merge_pair(sequences[i], left, right)
            for pair in zip(sequences[i], sequences[i][1:]):
                pairs[pair] += counts[i]
                places[pair].add(i)
    return Tokenizer(vocab + ADDED, merges)


class Tokenizer:
    """Encoder and decoder for one vocabulary."""

    def __init__(self, vocab, merges):
        self.vocab, self.merges = vocab, merges
        self.id = {token: i for i, token in enumerate(vocab)}
        self.rank = {tuple(m): i for i, m in enumerate(merges)}
        self.pattern = re.compile(PATTERN)
        self.cache = {}

    def encode_word(self, word):
        """Token ids of one piece of the split pattern."""
        ids = self.cache.get(word)
        if ids is None:
            symbols = [BYTE_TO_CHAR[b] for b in word.encode()]
            while len(symbols) > 1:
                best = min(zip(symbols, symbols[1:]), key=lambda pair: self.rank.get(pair, 1 << 30))
                if best not in self.rank:
                    break
                symbols = merge_pair(symbols, *best)
            ids = [self.id[s] for s in symbols]
            if len(self.cache) < 200_000:
                self.cache[word] = ids
        return ids

    def encode(self, text):
        """Token ids of `text`; added tokens written out in it become single ids."""
        ids = []
        for part in SPLIT_ADDED.split(text):
            if part in ADDED:
                ids.append(self.id[part])
            elif part:
                for word in self.pattern.findall(part):
                    ids += self.encode_word(word)
        return ids

    def decode(self, ids):
        """Text of `ids`; invalid UTF-8 becomes U+FFFD."""
        out = b""
        for i in ids:
            token = self.vocab[i]
            out += token.encode() if token in ADDED else bytes(CHAR_TO_BYTE[c] for c in token)
        return out.decode("utf-8", "replace")

    def to_json(self):
        """The Hugging Face `tokenizer.json` object."""
        base = [t for t in self.vocab if t not in ADDED]
        return {
            "version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [{"id": self.id[t], "content": t, "single_word": False, "lstrip": False, "rstrip": False,
                              "normalized": False, "special": t in SPECIAL} for t in ADDED],
            "normalizer": None,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": PATTERN}, "behavior": "Isolated", "invert": False},
                {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]},
            "post_processor": None,
            "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                      "vocab": {t: self.id[t] for t in base}, "merges": [f"{a} {b}" for a, b in self.merges]},
        }

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.to_json(), file, ensure_ascii=False)


def load(path):
    """Read a `tokenizer.json` that `save` wrote."""
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    by_id = {i: t for t, i in data["model"]["vocab"].items()}
    by_id.update({t["id"]: t["content"] for t in data["added_tokens"]})
    return Tokenizer([by_id[i] for i in range(len(by_id))], [tuple(m.split(" ")) for m in data["model"]["merges"]])
