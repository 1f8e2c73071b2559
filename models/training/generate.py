"""Greedy generation with a KV cache, on weights rounded to bfloat16 and computed in float32: what the shipped files hold."""
import argparse
import os
import time

import torch

import chat_format
import tokenizer as bpe
from model import Architecture, Llama
from load_weights import load_state


class Generator:
    """A loaded checkpoint, or a folder of shipped files, that answers prompts at temperature 0."""

    def __init__(self, architecture, tokenizer, checkpoint):
        self.arch, self.tokenizer = Architecture.read(architecture), bpe.load(tokenizer)
        self.model = Llama(self.arch).eval()
        self.info = {} if os.path.isdir(checkpoint) else torch.load(checkpoint)["info"]
        self.model.load_state_dict({name: t.bfloat16().float() for name, t in load_state(checkpoint).items()})
        self.stop = {self.tokenizer.id["<|im_end|>"], self.tokenizer.id["<|endoftext|>"]}

    @torch.no_grad()
    def complete(self, prompt_ids, limit=160):
        """The text that follows `prompt_ids`; None as the end means that the limit cut it."""
        caches = [{} for _ in range(self.arch.layers)]
        ids, out, position = list(prompt_ids), [], 0
        while len(out) < limit and position + len(ids) < self.arch.context_window:
            places = torch.arange(position, position + len(ids))[None]
            hidden = self.model(torch.tensor([ids]), places, caches)
            position += len(ids)
            best = int(self.model.logits(hidden[0, -1]).argmax())
            if best in self.stop:
                return self.tokenizer.decode(out)
            out.append(best)
            ids = [best]
        return self.tokenizer.decode(out) + " …"

    def reply(self, messages, limit=160):
        return self.complete(self.tokenizer.encode(chat_format.prompt(messages)), limit)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--system", default="")
    p.add_argument("prompt", nargs="+")
    a = p.parse_args()
    torch.set_num_threads(1)
    generator = Generator(a.architecture, a.tokenizer, a.checkpoint)
    for text in a.prompt:
        start = time.time()
        reply = generator.reply(([("system", a.system)] if a.system else []) + [("user", text)])
        print(repr(text), "->", repr(reply), f"{time.time() - start:.2f} s")


if __name__ == "__main__":
    main()
