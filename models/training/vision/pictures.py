"""Generated pictures: what is on them (`Scene`), how they are drawn, and llama.cpp's way to make a square of them."""
import io
import math
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageDraw, ImageFont

COLOURS = {"red": (215, 35, 35), "green": (40, 160, 60), "blue": (40, 70, 220), "yellow": (240, 220, 50), "orange": (240, 135, 25),
           "purple": (135, 45, 180), "pink": (248, 150, 195), "brown": (125, 75, 35), "black": (18, 18, 18), "white": (246, 246, 246),
           "gray": (128, 128, 128)}
BACKGROUNDS = ["white", "white", "white", "yellow", "pink", "gray"]
"""All else is darker than the background: learning both polarities takes many times as long."""
COLOUR_JITTER = 14
SHAPES = ["circle", "square", "triangle", "star", "cross", "heart", "diamond"]
CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

FONT_FOLDER = "/usr/share/fonts/truetype"
FONTS = ["dejavu/DejaVuSans.ttf", "dejavu/DejaVuSans-Bold.ttf", "dejavu/DejaVuSerif.ttf", "dejavu/DejaVuSerif-Bold.ttf", "dejavu/DejaVuSansMono.ttf",
         "dejavu/DejaVuSansMono-Bold.ttf", "liberation/LiberationSans-Regular.ttf", "liberation/LiberationSans-Bold.ttf",
         "liberation/LiberationSerif-Regular.ttf", "liberation/LiberationSerif-Bold.ttf", "liberation/LiberationMono-Regular.ttf",
         "liberation/LiberationMono-Bold.ttf"]
"""Training sees these."""
UNSEEN_FONTS = ["noto/NotoSansMono-Regular.ttf", "noto/NotoSansMono-Bold.ttf", "dejavu/DejaVuSansCondensed.ttf",
                "liberation/LiberationSerif-BoldItalic.ttf", "droid/DroidSansFallbackFull.ttf", "liberation/LiberationSansNarrow-Bold.ttf"]
"""Only the evaluation sees these."""

PADDING = (122, 116, 104)
"""llama.cpp's, for the projector `mlp`."""


@dataclass
class Thing:
    """A shape; x, y and radius as shares of the picture's shorter side (the centre from the top left corner)."""
    shape: str
    colour: str
    x: float
    y: float
    radius: float


@dataclass
class Scene:
    background: str
    width: float = 1.0
    """Width and height in units of the shorter side."""
    height: float = 1.0
    things: list = field(default_factory=list)
    text: str = ""
    text_colour: str = ""
    font: str = ""


def luminance(name):
    r, g, b = COLOURS[name]
    return 0.3 * r + 0.59 * g + 0.11 * b


def random_scene(rng, words, fonts, text_share=0.45):
    """A scene with shapes (0 to 6), or with a word or a number. `words(rng)` gives a text."""
    background = rng.choice(BACKGROUNDS)
    aspect = 1.0 if rng.random() < 0.6 else rng.uniform(1, 1.5)
    scene = Scene(background, *((aspect, 1.0) if rng.random() < 0.6 else (1.0, aspect)))
    if rng.random() < text_share:
        scene.text, scene.font = words(rng), rng.choice(fonts)
        if scene.height > scene.width:
            scene.width, scene.height = scene.height, scene.width
        scene.text_colour = rng.choice([c for c in COLOURS if luminance(background) - luminance(c) > 75])
        return scene
    count = rng.choice([0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 6])
    few = rng.sample(SHAPES, 2) if rng.random() < 0.5 else SHAPES
    tints = [c for c in COLOURS if luminance(background) - luminance(c) > 12]
    tints = rng.sample(tints, 2) if rng.random() < 0.35 else tints
    most = {0: 0, 1: 0.4, 2: 0.28, 3: 0.22}.get(count, 0.17)
    for _ in range(200):
        if len(scene.things) == count:
            break
        r = rng.uniform(0.1, most) if count else 0
        thing = Thing(rng.choice(few), rng.choice(tints), rng.uniform(r, scene.width - r), rng.uniform(r, scene.height - r), r)
        if all(math.hypot(thing.x - o.x, thing.y - o.y) > thing.radius + o.radius + 0.02 for o in scene.things):
            scene.things.append(thing)
    return scene


def outline(thing, rng):
    """Corners of the shape, in the scene's units; None for a circle."""
    turn = rng.uniform(-0.2, 0.2)

    def at(angle, share=1.0):
        return thing.x + thing.radius * share * math.sin(angle + turn), thing.y - thing.radius * share * math.cos(angle + turn)

    if thing.shape == "square":
        return [at(math.pi / 4 + i * math.pi / 2) for i in range(4)]
    if thing.shape == "diamond":
        return [at(i * math.pi / 2, 1.0 if i % 2 == 0 else 0.75) for i in range(4)]
    if thing.shape == "triangle":
        return [at(i * 2 * math.pi / 3) for i in range(3)]
    if thing.shape == "star":
        return [at(i * math.pi / 5, 1.0 if i % 2 == 0 else 0.42) for i in range(10)]
    if thing.shape == "cross":
        arm = 0.30
        corners = [(-arm, -1), (arm, -1), (arm, -arm), (1, -arm), (1, arm), (arm, arm), (arm, 1), (-arm, 1), (-arm, arm), (-1, arm), (-1, -arm), (-arm, -arm)]
        c, s = math.cos(turn), math.sin(turn)
        return [(thing.x + 0.95 * thing.radius * (u * c - v * s), thing.y + 0.95 * thing.radius * (u * s + v * c)) for u, v in corners]
    if thing.shape == "heart":
        points = []
        for i in range(28):
            t = i * 2 * math.pi / 28
            u = 16 * math.sin(t) ** 3 / 17
            v = -(13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)) / 17
            points.append((thing.x + thing.radius * u, thing.y + thing.radius * v))
        return points
    return None


FONT_CACHE = {}


def load_font(name, size):
    if (name, size) not in FONT_CACHE:
        FONT_CACHE[name, size] = ImageFont.truetype(f"{FONT_FOLDER}/{name}", size)
    return FONT_CACHE[name, size]


def draw(scene, rng, short_side=None, clean=False):
    """(uint8 picture [height,width,3], its foreground [height,width], centres of characters [(character, x, y)] in the scene's units). `clean`: without noise and JPEG's marks."""
    tint = {c: tuple(max(0, min(255, v + rng.randint(-COLOUR_JITTER, COLOUR_JITTER))) for v in COLOURS[c]) for c in COLOURS}
    if short_side is None:
        short_side = 96 if rng.random() < 0.4 else rng.randint(64, 288)
    smooth = 2 if rng.random() < 0.85 and short_side < 200 else 1
    scale = short_side * smooth
    width, height = round(scene.width * scale), round(scene.height * scale)
    image = Image.new("RGB", (width, height), tint[scene.background])
    front = Image.new("L", (width, height))
    pens, centres = [ImageDraw.Draw(image), ImageDraw.Draw(front)], []
    for thing in scene.things:
        corners, r = outline(thing, rng), thing.radius
        for pen, fill in zip(pens, (tint[thing.colour], 255)):
            if corners is None:
                pen.ellipse([(thing.x - r) * scale, (thing.y - r) * scale, (thing.x + r) * scale, (thing.y + r) * scale], fill=fill)
            else:
                pen.polygon([(x * scale, y * scale) for x, y in corners], fill=fill)
    if scene.text:
        centres = write(scene, rng, pens, scale, width, height, tint[scene.text_colour])
    if smooth > 1:
        image = image.resize((round(width / smooth), round(height / smooth)), Image.BOX)
        front = front.resize(image.size, Image.BOX)
    pixels, front = np.asarray(image), np.asarray(front)
    if clean:
        return pixels, front, centres
    if rng.random() < 0.5:
        noise = np.random.default_rng(rng.getrandbits(32)).normal(0, rng.uniform(1, 14), pixels.shape)
        pixels = np.clip(pixels + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "JPEG", quality=rng.randint(40, 95))
        pixels = np.asarray(Image.open(buffer).convert("RGB"))
    return pixels, front, centres


def write(scene, rng, pens, scale, width, height, colour):
    """Write the scene's text as wide as 55 to 94 % of the picture (less if it is short); returns the characters' centres."""
    share = rng.uniform(0.75, 0.94) if len(scene.text) > 4 else rng.uniform(0.55, 0.9)
    font = load_font(scene.font, 64)
    left, top, right, bottom = font.getbbox(scene.text)
    size = 64 * min(share * width / (right - left), 0.7 * height / (bottom - top))
    # A step of 4 keeps the cache of fonts small.
    font = load_font(scene.font, max(8, int(size) // 4 * 4))
    left, top, right, bottom = font.getbbox(scene.text)
    x = rng.uniform(0.02 * width, max(0.02 * width, 0.98 * width - (right - left))) - left
    y = rng.uniform(0.04 * height, max(0.04 * height, 0.96 * height - (bottom - top))) - top
    for pen, fill in zip(pens, (colour, 255)):
        pen.text((x, y), scene.text, font=font, fill=fill)
    middle = (y + (top + bottom) / 2) / scale
    ends = [font.getlength(scene.text[:i]) for i in range(len(scene.text) + 1)]
    return [(c, (x + (ends[i] + ends[i + 1]) / 2) / scale, middle) for i, c in enumerate(scene.text)]


def to_square(pixels, side, padding=PADDING):
    """llama.cpp's preprocessing, whose resizing is Pillow's: (picture [side,side,...], scale, x offset, y offset)."""
    height, width = pixels.shape[:2]
    if (height, width) == (side, side):
        return pixels, 1.0, 0, 0
    scale = min(np.float32(side) / width, np.float32(side) / height)
    new_width, new_height = min(math.ceil(width * scale), side), min(math.ceil(height * scale), side)
    square = np.empty((side, side, *pixels.shape[2:]), np.uint8)
    square[:] = padding
    x, y = (side - new_width) // 2, (side - new_height) // 2
    square[y:y + new_height, x:x + new_width] = np.asarray(Image.fromarray(pixels).resize((new_width, new_height), Image.BICUBIC))
    return square, float(scale), x, y
