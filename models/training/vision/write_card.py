"""Write the model card from the evaluation report, so that its numbers are the measured ones."""
import argparse
import json
import os

from network import build

CARD = """---
license: apache-2.0
language: en
---

# infetch-tiny-vision

The vision model that ships with infetch: {parameters:,} parameters, from random weights, trained on generated pictures alone. It lets a page
demonstrate images in requests, from `fetch` to usage, with no download from elsewhere. It knows flat shapes and large printed text. For
anything else, such as photographs, drawings, tables and screenshots, it guesses.

## Files

| file | bytes | |
|---|---|---|
{files}

`models/gguf/` writes two GGUF files from them: the text model (`llama-gguf.ts`) and the vision encoder with its projector (`clip-gguf.ts`, projector type `mlp`, as LLaVA 1.5's).
In q8_0 they have 0.8 MB and 1.2 MB. A vision transformer of {vision_layers} layers, width {vision_hidden}, sees {side} × {side} pixels in patches of
{patch}, and a Llama of {layers} layers, width {hidden}, reads one token for each of the {patches} patches. No text surrounds them.

## What it was trained for

One picture, and short questions about it in English. The picture shows

* up to six shapes ({shapes}) in eleven colors ({colours}), of any size, apart from each other; or
* one word or string in capital letters, or one number, of up to five characters, which fills most of the width, in 12 fonts.

The background is white, yellow, pink or gray, and everything on it is darker. Pictures have 64 to 432 pixels a side, an
aspect ratio of up to 3:2, some noise and some JPEG artefacts. The picture may come before or after the question, and more
questions may follow. Answers are a word, a number, the text itself, `a red circle and a blue square`, `There is no star.` or
`There is no text.` Without a picture it answers `Please show me a picture.` Its template leaves out system messages and tools.

## Training

{steps:,} steps of 32 pictures with two to eight questions, one thread of a shared CPU. Generator, trainer and commands: `models/training/vision/`.

## Measured

Greedy answers, right only if exact; weights as shipped (bfloat16, then q8_0), computed in float32; seed {seed}, {pictures:,} pictures a kind, none of
them seen in training. *Seen*: fonts, words and phrasings are those of training. *Unseen*: six other fonts, other words, other phrasings. Intervals
are 95 % (Wilson).

| kind | right | of | share | interval |
|---|---|---|---|---|
{kinds}

By skill, the picture before the question:

| skill | seen | interval | unseen | interval |
|---|---|---|---|---|
{skills}

{notes}

Licence: Apache-2.0.
"""


def percent(share):
    return f"{100 * share:.1f} %"


def interval(low, high):
    return f"{100 * low:.1f}–{100 * high:.1f}"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--report", required=True)
    p.add_argument("--model", required=True, help="folder of the model; README.md is written there")
    a = p.parse_args()
    network = build(a.architecture)
    with open(a.report, encoding="utf-8") as file:
        report = json.load(file)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "limits.md"), encoding="utf-8") as file:
        notes = file.read().strip()
    from pictures import COLOURS, SHAPES
    about = {"params_shard_0.bin": "weights, bfloat16", "tensor-cache.json": "their names, shapes and places", "tokenizer.json": "byte-level BPE",
             "tokenizer_config.json": "with the chat template", "architecture.json": "dimensions", "evaluation.json": "100 pictures with a question each"}
    kinds = report["kinds"]
    seen, unseen = (kinds[f"{kind}, picture first"]["skills"] for kind in ("seen", "unseen"))
    vision, text = network.vision.arch, network.arch
    card = CARD.format(
        parameters=sum(q.numel() for q in network.parameters()), notes=notes, steps=report["step"], seed=report["seed"], pictures=report["pictures"],
        files="\n".join(f"| `{n}` | {os.path.getsize(os.path.join(a.model, n)):,} | {note} |" for n, note in about.items()),
        vision_layers=vision.layers, vision_hidden=vision.hidden, side=vision.image_size, patch=vision.patch_size, patches=vision.patches,
        layers=text.layers, hidden=text.hidden, shapes=", ".join(SHAPES), colours=", ".join(COLOURS),
        kinds="\n".join(f"| {n} | {k['right']:,} | {k['asked']:,} | {percent(k['share'])} | {interval(*k['interval'])} |" for n, k in kinds.items()),
        skills="\n".join(f"| {s} | {percent(seen[s]['share'])} | {interval(*seen[s]['interval'])} | {percent(unseen[s]['share'])} | "
                         f"{interval(*unseen[s]['interval'])} |" for s in sorted(seen) if s in unseen))
    with open(os.path.join(a.model, "README.md"), "w", encoding="utf-8") as file:
        file.write(card)


if __name__ == "__main__":
    main()
