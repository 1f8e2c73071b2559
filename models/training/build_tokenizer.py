"""Learn the vocabulary from fresh samples of the corpus and write tokenizer.json."""
import argparse
import random

import chat_format
import tokenizer
from corpus import mixture
from model import Architecture


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--out", required=True)
    p.add_argument("--samples", type=int, default=30000)
    p.add_argument("--seed", type=int, default=7)
    a = p.parse_args()
    r = random.Random(a.seed)
    texts = [chat_format.text(mixture.short_chat(r)) for _ in range(a.samples)]
    texts += [chat_format.text(mixture.long_chat(r, 600)) for _ in range(a.samples // 20)]
    learnt = tokenizer.train(texts, Architecture.read(a.architecture).vocab)
    learnt.save(a.out)
    characters = sum(map(len, texts[:2000]))
    print(len(learnt.vocab), "tokens;", round(characters / sum(len(learnt.encode(t)) for t in texts[:2000]), 2), "characters per token")


if __name__ == "__main__":
    main()
