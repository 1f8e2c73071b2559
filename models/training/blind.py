"""Measure the shipped chat model on the blind set, on its own files, with 95 % intervals (Wilson)."""
import argparse
import collections
import json
import math
import os

import torch

import blind_prompts
import chat_format
from evaluate import passes
from generate import Generator


def interval(right, count):
    """The 95 % interval of Wilson for a share."""
    z = 1.96
    share, room = right / count, z * z / count
    middle, half = share + room / 2, z * math.sqrt(share * (1 - share) / count + room / (4 * count))
    return [round((middle - half) / (1 + room), 4), round((middle + half) / (1 + room), 4)]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--model", required=True, help="folder of the shipped files")
    p.add_argument("--out", required=True)
    a = p.parse_args()
    torch.set_num_threads(1)
    generator = Generator(os.path.join(a.model, "architecture.json"), os.path.join(a.model, "tokenizer.json"), a.model)
    right, count = collections.Counter(), collections.Counter()
    for one in blind_prompts.prompts(lambda text: len(generator.tokenizer.encode(text))):
        messages = [(message["role"], message["content"]) for message in one["messages"]]
        if one["tools"]:
            messages.insert(0, ("system", chat_format.with_tools("", one["tools"])))
        reply = generator.reply(messages, 100)
        for skill in (one["skill"], "all"):
            count[skill] += 1
            right[skill] += passes(one["rule"], one["expected"], reply)
        print(count["all"], one["skill"], right[one["skill"]], "of", count[one["skill"]], flush=True)
    report = {skill: {"prompts": n, "right": round(right[skill] / n, 4), "interval": interval(right[skill], n)} for skill, n in count.items()}
    with open(a.out, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
