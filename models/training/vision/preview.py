"""Print questions and save a sheet of pictures. usage: preview.py out.png"""
import random
import sys
import time

import numpy as np
from PIL import Image

from pictures import FONTS, draw, random_scene, to_square
from questions import ask, random_text

rng, rows = random.Random(5), []
start = time.time()
for _ in range(6):
    row = []
    for _ in range(10):
        scene = random_scene(rng, random_text, FONTS)
        row.append(to_square(draw(scene, rng)[0], 96)[0])
        print(scene.text or [f"{t.colour} {t.shape}" for t in scene.things], "|", *[f"{q} → {a}" for _, q, a in ask(scene, rng, 3, noise=0.2)], sep="  ")
    rows.append(np.concatenate(row, 1))
print(f"{(time.time() - start) / 60 * 1000:.1f} ms a picture")
Image.fromarray(np.concatenate(rows)).save(sys.argv[1])
