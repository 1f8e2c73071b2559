"""Loss per assistant token for each skill of the corpus, on fresh samples: shows what a checkpoint has not learnt yet."""
import argparse
import random

import torch
import torch.nn.functional as F

import chat_format
from corpus import dialogue, long_context, mixture, tools
from generate import Generator


def sources():
    """{name: function from a random source to messages}."""
    out = {f.__name__: (lambda r, f=f: mixture.messages(r, "", f(r), None)) for f, _ in mixture.SKILLS + mixture.COPY_SKILLS}
    out["memory"] = lambda r: mixture.messages(r, "", dialogue.memory(r, lambda r: []), None)
    out["document"] = lambda r: mixture.messages(r, *long_context.document_chat(r, 150), None)
    out["tools"] = lambda r: tools.tool_chat(r, 3)[0]
    out["long_tools"] = lambda r: long_context.tools_chat(r, 1500)[0]
    return out


@torch.no_grad()
def mean_loss(generator, make, count):
    r, total, tokens = random.Random(77), 0.0, 0
    for _ in range(count):
        ids, weights = chat_format.encode(generator.tokenizer, make(r))
        ids, answer = torch.tensor([ids[:4096]]), torch.tensor(weights[:4096])[1:] == 1.0
        hidden = generator.model(ids[:, :-1], torch.arange(ids.shape[1] - 1)[None])[0]
        total += float(F.cross_entropy(generator.model.logits(hidden[answer]), ids[0, 1:][answer], reduction="sum"))
        tokens += int(answer.sum())
    return total / tokens, tokens / count


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--count", type=int, default=40)
    a = p.parse_args()
    torch.set_num_threads(1)
    generator = Generator(a.architecture, a.tokenizer, a.checkpoint)
    print(generator.info)
    for name, make in sources().items():
        loss, tokens = mean_loss(generator, make, a.count)
        print(f"{name:16s} {loss:6.3f}  ({tokens:.0f} tokens per chat)", flush=True)


if __name__ == "__main__":
    main()
