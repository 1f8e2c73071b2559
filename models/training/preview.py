"""Print samples of the corpus, to read them."""
import argparse
import random

import chat_format
from corpus import mixture


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--count", type=int, default=10)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--long", type=int, default=0, help="tokens of a long chat; 0 for short chats")
    a = p.parse_args()
    r = random.Random(a.seed)
    for _ in range(a.count):
        print(chat_format.text(mixture.long_chat(r, a.long) if a.long else mixture.short_chat(r, r.random())))
        print("-" * 40)


if __name__ == "__main__":
    main()
