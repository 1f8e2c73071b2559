"""WordPiece: vocabulary builder, greedy encoder and writer of a Hugging Face `tokenizer.json`. Standard library only."""
import collections
import json
import re
import unicodedata

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PAD, UNKNOWN, FIRST, LAST = 0, 1, 2, 3
MARKS = ".,;:!?'\"-()[]{}<>/\\@#$%&*+=_|~^`"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
CHINESE = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Words of one character each, as in BERT.
SPLIT = re.compile(rf"[{CHINESE}]|(?:(?![{CHINESE}])[^\W_])+|[^\w\s]|_")


def words(text):
    """What BertNormalizer and BertPreTokenizer make of a text: lower case, no accents, marks apart."""
    flat = unicodedata.normalize("NFD", text.lower())
    return SPLIT.findall("".join(c for c in flat if unicodedata.category(c) != "Mn"))


def build_vocabulary(words_of, pieces, known=()):
    """Letters, the `pieces` most common beginnings of two and three letters in `words_of` and as many continuations, and all `known` words.

    Pieces are short, since a word that nobody knows should share most of them with its misspellings.
    """
    plain = set(LETTERS)
    starts, inner = collections.Counter(), collections.Counter()
    for word in words_of:
        if plain.issuperset(word):
            for length in (2, 3):
                starts[word[:length]] += 1
                inner.update("##" + word[at:at + length] for at in range(1, len(word) - length + 1))
    found = [piece for counts in (starts, inner) for piece, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:pieces]]
    return list(dict.fromkeys(SPECIAL + list(MARKS + LETTERS) + ["##" + c for c in LETTERS] + found + [w for w in known if plain.issuperset(w)]))


class WordPiece:
    """Encoder for one vocabulary: the longest piece first, as BERT does."""

    def __init__(self, vocabulary):
        self.vocabulary, self.id, self.cache = vocabulary, {piece: i for i, piece in enumerate(vocabulary)}, {}

    def encode(self, text, longest=lambda: None):
        """Tokens; `longest` is asked for each word and may limit the length of its pieces."""
        return [FIRST] + [piece for word in words(text) for piece in self.encode_word(word, longest())] + [LAST]

    def encode_word(self, word, longest=None):
        if longest:
            return self.split(word, longest)
        if word not in self.cache:
            self.cache[word] = self.split(word)
        return self.cache[word]

    def split(self, word, longest=None):
        out, start = [], 0
        while start < len(word):
            end = min(len(word), start + longest) if longest else len(word)
            while end > start and ("##" if start else "") + word[start:end] not in self.id:
                end -= 1
            if end == start:
                return [UNKNOWN]
            out.append(self.id[("##" if start else "") + word[start:end]])
            start = end
        return out

    def to_json(self):
        """The object of `tokenizer.json`."""
        def special(token):
            return {"SpecialToken": {"id": token, "type_id": 0}}
        return {
            "version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [{"id": i, "content": token, "single_word": False, "lstrip": False, "rstrip": False,
                              "normalized": False, "special": True} for i, token in enumerate(SPECIAL)],
            "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                           "strip_accents": None, "lowercase": True},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [special("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, special("[SEP]")],
                "pair": [special("[CLS]"), {"Sequence": {"id": "A", "type_id": 0}}, special("[SEP]"),
                         {"Sequence": {"id": "B", "type_id": 1}}, {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
                "special_tokens": {token: {"id": token, "ids": [self.id[token]], "tokens": [token]} for token in ("[CLS]", "[SEP]")}},
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                      "max_input_chars_per_word": 100, "vocab": self.id}}


def load(path):
    """The encoder of a `tokenizer.json` that `to_json` wrote."""
    with open(path, encoding="utf-8") as file:
        pieces = json.load(file)["model"]["vocab"]
    return WordPiece(sorted(pieces, key=pieces.get))
