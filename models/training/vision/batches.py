"""Batches of the training: pictures, questions about them, and where the answers are. Batch `step` depends on the seed and on `step` alone."""
import random
from dataclasses import dataclass

import numpy as np
import torch
from PIL import Image

from pictures import CHARACTERS, COLOURS, FONTS, SHAPES, draw, random_scene, to_square
from questions import NO_PICTURE, ask, random_text

SIDE, GRID = 96, 8
PICTURE = GRID * GRID
WITHOUT_PICTURE = 0.02
LAYOUTS = ["apart"] * 9 + ["in turn"] * 5 + ["picture last"] * 6
"""Of a batch: each question alone with the picture, which comes first; questions that follow each other in one chat, the first one before or
after the picture; each question alone, before a picture of its own."""
LAST_QUESTIONS = 2
HARD_TEXT_SHARE = 0.2
"""Of pictures with text while training asks more of what is learnt last."""
ABSENT = -100


@dataclass
class Batch:
    pictures: torch.Tensor
    """uint8 [B,side,side,3]"""
    ids: torch.Tensor
    """[B,T]; the places of the picture hold padding."""
    places: torch.Tensor
    """[B,T]: which patch stands there, or -1."""
    positions: torch.Tensor
    mask: torch.Tensor
    """bool [B,T,T]: may row see column?"""
    targets: torch.Tensor
    """[B,T]: the next token where it belongs to an answer, else ABSENT."""
    patches: dict
    """Labels of patches for the helper heads: see `patch_labels`."""


def patch_labels(scene, front, centres, frame):
    """What is in each patch: `shape` and `colour` of the thing whose centre it has, `left` and `right` for the character whose centre is in that
    half of it (0 for none), int64 [patches]; and `front`, the share of foreground in each of 4 × 4 cells, float32 [patches,16].
    """
    square_scale, x_offset, y_offset = frame
    labels = {name: np.zeros(PICTURE, np.int64) for name in ("shape", "colour", "left", "right")}
    unit = front.shape[0] / scene.height * square_scale
    fine = np.asarray(Image.fromarray(to_square(front, SIDE, 0)[0]).resize((GRID * 4, GRID * 4), Image.BOX), np.float32) / 255
    labels["front"] = fine.reshape(GRID, 4, GRID, 4).transpose(0, 2, 1, 3).reshape(PICTURE, 16)

    def patch(x, y):
        at_x, at_y = (x * unit + x_offset) / SIDE * GRID, (y * unit + y_offset) / SIDE * GRID
        return min(GRID - 1, int(at_y)) * GRID + min(GRID - 1, int(at_x)), at_x % 1

    for thing in scene.things:
        at, _ = patch(thing.x, thing.y)
        labels["shape"][at] = 1 + SHAPES.index(thing.shape)
        labels["colour"][at] = 1 + list(COLOURS).index(thing.colour)
    for character, x, y in centres:
        at, within = patch(x, y)
        labels["left" if within < 0.5 else "right"][at] = 1 + CHARACTERS.index(character)
    return labels


class Sample:
    """One picture and what is asked about it. Segment 0 is what every question sees; a question sees its own segment too."""

    def __init__(self, square, labels):
        self.square, self.labels = square, labels
        self.ids, self.places, self.positions, self.segments, self.targets = [], [], [], [], []

    def add(self, ids, segment, at, answer=False):
        """Append tokens from position `at` on; of an answer, the tokens before each are trained to say it. Returns the next position."""
        if answer:
            self.targets[-1] = ids[0]
        self.targets += ids[1:] + [ABSENT] if answer else [ABSENT] * len(ids)
        self.ids += ids
        self.places += [-1] * len(ids)
        self.positions += range(at, at + len(ids))
        self.segments += [segment] * len(ids)
        return at + len(ids)

    def add_picture(self, segment, at, filler):
        end = self.add([filler] * PICTURE, segment, at)
        self.places[-PICTURE:] = range(PICTURE)
        return end


def sample(rng, vocabulary, questions, layout, noise, fonts=FONTS, texts=random_text, unseen=False, hard=False):
    """A Sample, and its list of (skill, question, answer)."""
    scene = random_scene(rng, texts, fonts, *([HARD_TEXT_SHARE] if hard else []))
    pixels, front, centres = draw(scene, rng)
    square, *frame = to_square(pixels, SIDE)
    made = Sample(square, patch_labels(scene, front, centres, frame))
    newline, close = vocabulary.encode("\n"), [vocabulary.end, vocabulary.assistant]
    asked = ask(scene, rng, LAST_QUESTIONS if layout == "picture last" else questions, unseen, noise, hard)
    end = made.add([vocabulary.user], 0, 0)
    picture_first = layout == "apart" or (layout == "in turn" and rng.random() < 0.5)
    if picture_first:
        end = made.add_picture(0, made.add(newline * rng.randint(0, 1), 0, end), vocabulary.pad)
    shared = end
    for number, (_, question, answer) in enumerate(asked, 1):
        blind = layout == "apart" and rng.random() < WITHOUT_PICTURE
        at = end if layout == "in turn" else 1 if blind else shared
        segment = -number if blind else number
        if layout == "in turn" and number > 1:
            at = made.add([vocabulary.user], segment, at)
        breaks = newline * (rng.choice([0, 0, 1, 1, 2]) if picture_first and not blind else rng.randint(0, 1))
        at = made.add(breaks + vocabulary.encode(question), segment, at)
        if layout == "picture last" or (layout == "in turn" and number == 1 and not picture_first):
            at = made.add_picture(segment, made.add(newline * rng.choice([0, 0, 1, 1, 2]), segment, at), vocabulary.pad)
        at = made.add(close, segment, at)
        end = made.add(vocabulary.encode(NO_PICTURE if blind else answer) + [vocabulary.end], segment, at, answer=True)
    return made, asked


def make_pictures(step, seed, size):
    """(pictures, labels of their patches), for the vision encoder alone."""
    rng, squares, labels = random.Random(f"{seed}/pictures/{step}"), [], []
    for _ in range(size):
        scene = random_scene(rng, random_text, FONTS)
        pixels, front, centres = draw(scene, rng)
        square, *frame = to_square(pixels, SIDE)
        squares.append(square)
        labels.append(patch_labels(scene, front, centres, frame))
    return torch.from_numpy(np.stack(squares)), {name: torch.from_numpy(np.stack([x[name] for x in labels])) for name in labels[0]}


def make(step, seed, vocabulary, size, questions, noise, hard=False):
    rng = random.Random(f"{seed}/{step}")
    layout = rng.choice(LAYOUTS)
    return collate([sample(rng, vocabulary, questions, layout, noise, hard=hard)[0] for _ in range(size)], layout, vocabulary)


def collate(samples, layout, vocabulary):
    length = max(len(s.ids) for s in samples)

    def padded(name, filler):
        return torch.tensor([getattr(s, name) + [filler] * (length - len(s.ids)) for s in samples])

    mask = torch.ones(length, length, dtype=torch.bool).tril().expand(len(samples), length, length)
    if layout != "in turn":
        segments = padded("segments", 10 ** 6)
        row, column = segments[:, :, None], segments[:, None, :]
        # Of segment 0, a question without a picture sees only the mark before the picture.
        first = torch.zeros(length, dtype=torch.bool)
        first[0] = True
        mask = mask & ((row == column) | ((column == 0) & (row >= 0)) | ((column == 0) & first))
    return Batch(torch.from_numpy(np.stack([s.square for s in samples])), padded("ids", vocabulary.pad), padded("places", -1), padded("positions", 0),
                 mask, padded("targets", ABSENT), {name: torch.from_numpy(np.stack([s.labels[name] for s in samples])) for name in samples[0].labels})
