"""Answer the questions of an `evaluation.json` as llama.cpp does, token by token. Prints what is wrong, and the share that is right."""
import argparse
import base64
import io
import json

import numpy as np
import torch
from PIL import Image

from batches import SIDE
from export import bfloat16, q8_0
from network import build
from pictures import to_square
from vocabulary import Vocabulary


def reply(network, vocabulary, picture, question, most=40):
    """Greedy answer to a chat of one message: the picture, then the question."""
    with torch.no_grad():
        _, tokens, _ = network.vision(torch.from_numpy(picture.copy())[None])
        before, ids = torch.tensor([[vocabulary.user]]), vocabulary.encode(question) + [vocabulary.end, vocabulary.assistant]
        answer = []
        while len(answer) < most:
            x = torch.cat([network.embed_tokens(before), tokens, network.embed_tokens(torch.tensor([ids + answer]))], 1)
            length = x.shape[1]
            mask = torch.full((length, length), -1e9).triu(1)[None, None]
            token = network.logits(network.decode(x, torch.arange(length)[None], mask))[0, -1].argmax().item()
            if token == vocabulary.end:
                break
            answer.append(token)
    return vocabulary.decode(answer)


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--questions", required=True, help="evaluation.json")
    p.add_argument("--out", help="JSON file for the answers")
    a = p.parse_args()
    torch.set_num_threads(1)
    network, vocabulary = build(a.architecture), Vocabulary()
    network.load_state_dict({name: q8_0(name, bfloat16(tensor)) for name, tensor in torch.load(a.checkpoint)["state"].items()})
    with open(a.questions, encoding="utf-8") as file:
        items = json.load(file)
    answers = []
    for item in items:
        picture = np.asarray(Image.open(io.BytesIO(base64.b64decode(item["png"]))).convert("RGB"))
        answers.append(reply(network, vocabulary, to_square(picture, SIDE)[0], item["question"]))
        if answers[-1] != item["answer"]:
            print(item["skill"], "|", item["question"], "|", item["answer"], "|", answers[-1])
    print(f"{sum(x == i['answer'] for x, i in zip(answers, items))} of {len(items)}")
    if a.out:
        with open(a.out, "w", encoding="utf-8") as file:
            json.dump(answers, file)


if __name__ == "__main__":
    main()
