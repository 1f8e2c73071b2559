"""Write `evaluation.json`: pictures that training did not see (fonts, words, phrasings, seed), each with one question and its answer."""
import argparse
import base64
import io
import json
import random

from PIL import Image

from evaluate import unseen_text
from pictures import UNSEEN_FONTS, draw, random_scene
from questions import ask

SEED = 24
PICTURES = 100


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    rng, items = random.Random(SEED), []
    for _ in range(PICTURES):
        scene = random_scene(rng, unseen_text, UNSEEN_FONTS)
        pixels, *_ = draw(scene, rng, rng.choice([96, 128, 160]), clean=True)
        (skill, question, answer), = ask(scene, rng, 1, unseen=True)
        file = io.BytesIO()
        Image.fromarray(pixels).quantize(32).save(file, "PNG", optimize=True)
        items.append({"skill": skill, "question": question, "answer": answer, "png": base64.b64encode(file.getvalue()).decode()})
    with open(a.out, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(item) for item in items) + "\n]\n")


if __name__ == "__main__":
    main()
