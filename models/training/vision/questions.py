"""Questions about a scene and their answers. An answer is a function of the scene and the question."""
from pictures import SHAPES, COLOURS

WORDS = """hello exit open stop shop sale cat dog fish bird tree house car bus taxi train plane boat hotel pizza cafe tea milk bread cheese apple
lemon melon grape plum water fire earth wind rain snow sun moon star sky sea river lake hill road park bank post school office door key lock
gate wall roof room desk chair table bed lamp book page pen ink paper note music song dance film game play ball goal team win lost time day week
month year today now soon late early first last next left right push pull walk wait go yes no on off up down in out new old big small hot cold
warm cool fast slow free paid full empty red green blue gold iron wood stone glass cloth leaf root seed farm cow horse sheep pig hen duck bee ant
king queen ship sail port city town north south east west zero one two three four five six seven eight nine ten gift love life happy smile face
hand foot head nose ear eye arm leg hair coat hat shoe shirt dress ring watch phone radio mail cash coin price menu soup salad rice pasta meat
juice beer wine cake sugar salt oil jam nut fruit quiz jazz lynx onyx vivid fjord waltz zebra quick jump box fox wolf bear deer lion tiger""".split()
UNSEEN_WORDS = """offer lunch rocket planet garden winter summer orange silver number letter pencil window kitchen bridge camera guitar violin doctor
lawyer baker pilot ticket station market museum police danger notice closed welcome thanks please sorry honey butter pepper carrot potato
onion garlic cherry banana coffee cookie spoon plate knife fork cup bowl mug pan oven stove fridge sofa clock alarm light switch cable plug
robot laser turbo nitro vapor proxy pixel cloud server cookie token model graph matrix vector prism delta omega alpha gamma sigma""".split()
WORDS, UNSEEN_WORDS = ([w for w in words if len(w) <= 5] for words in (WORDS, UNSEEN_WORDS))
def random_text(rng, words=WORDS):
    """One to five capital letters or digits: a word, a string of letters, or a number."""
    while True:
        kind = rng.random()
        if kind < 0.4:
            return "".join(rng.choice("0123456789") for _ in range(rng.choice([1, 1, 2, 2, 3, 4, 5])))
        text = rng.choice(words).upper() if kind < 0.7 else "".join(rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(rng.randint(2, 5)))
        # Such letters could be digits.
        if not set(text) <= set("IO"):
            return text


# Per skill: (phrasings of training, phrasings that only the evaluation asks). S and T are shapes, C is a colour, P is a place.
PHRASINGS = {
    "shape": (["What shape is this?", "What shape is it?", "Which shape is this?", "What shape do you see?", "What is the shape?", "Name the shape.",
               "What kind of shape is this?", "What shape is in the picture?", "What shape is shown?", "Which shape is shown here?"],
              ["Which shape do you see?", "What shape is in the image?", "What kind of shape is in the picture?"]),
    "shape of a colour": (["What shape is C?", "Which shape is C?", "What is the C shape?", "What shape is the C one?", "What is C?", "What is the C object?"],
                          ["Which shape is the C one?", "What kind of shape is the C one?"]),
    "colour": (["What color is the S?", "What colour is the S?", "Which color is the S?", "What color does the S have?", "The S is what color?",
                "What is the color of the S?", "What is the colour of the S?", "Which colour does the S have?", "Color of the S?"],
               ["Which colour is the S?", "Tell me the color of the S.", "What colour does the S have?"]),
    "count": (["How many shapes are there?", "How many shapes do you see?", "Count the shapes.", "How many objects are there?", "How many shapes are in the picture?",
               "How many things are there?", "What is the number of shapes?", "How many shapes are shown?"],
              ["How many objects do you see?", "How many shapes are in the image?", "Count the objects."]),
    "count a shape": (["How many Ss are there?", "How many Ss do you see?", "Count the Ss.", "How many Ss are in the picture?", "What is the number of Ss?", "How many Ss?"],
                      ["How many Ss are shown?", "How many Ss are in the image?"]),
    "count a colour": (["How many C shapes are there?", "How many C shapes do you see?", "Count the C shapes.", "How many shapes are C?", "How many C objects are there?",
                        "How many are C?"], ["How many C shapes are in the picture?", "How many objects are C?"]),
    "place": (["Where is the S?", "Where is the S in the picture?", "In which part of the picture is the S?", "What is the position of the S?", "Where do you see the S?",
               "Where can you see the S?"], ["Where is the S in the image?", "In which part of the image is the S?"]),
    "what is there": (["What is in the P?", "What shape is in the P?", "What do you see in the P?", "Which shape is in the P?", "What is at the P?", "What is shown in the P?"],
                      ["What shape is at the P?", "What is there in the P?"]),
    "relation": (["Is the S R the T?"], ["Is the S in the picture R the T?"]),
    "presence": (["Is there a CS?", "Do you see a CS?", "Is there a CS in the picture?", "Does the picture have a CS?", "Is a CS shown?", "Are there any CSs?"],
                 ["Do you see a CS in the picture?", "Does the picture show a CS?", "Is there any CS?"]),
    "size": (["Which is bigger, the S or the T?", "Which is larger, the S or the T?", "Which one is bigger, the S or the T?", "What is bigger, the S or the T?"],
             ["Which shape is bigger, the S or the T?", "Which one is larger, the S or the T?"]),
    "background": (["What color is the background?", "What colour is the background?", "Which color is the background?", "What is the background color?",
                    "What is the color of the background?", "What is the colour of the background?", "Background color?"],
                   ["Which colour is the background?", "Tell me the background color.", "What color does the background have?"]),
    "read": (["What does it say?", "What is written here?", "Read the text.", "What text is this?", "What does the text say?", "What is the text?", "What do you read?",
              "Read it.", "What does the picture say?", "What is written in the picture?", "What text do you see?", "What can you read?", "Read the word.", "What word is this?"],
             ["What is written in the image?", "What does the image say?", "What text is in the picture?", "Read the text in the picture."]),
    "read a number": (["What number is this?", "Which number is this?", "What number do you see?", "Read the number.", "What is the number?", "What number is shown?",
                       "Which number is written here?", "What number is in the picture?", "What does it say?", "Read the text.", "What is written here?", "What digits do you see?"],
                      ["Which number do you see?", "What number is in the image?", "Which number is shown?", "What number is written here?"]),
    "colour of the text": (["What color is the text?", "What colour is the text?", "Which color is the text?", "What is the color of the text?", "What color is the word?",
                            "What color are the letters?", "What colour is the writing?", "What color is the number?"], ["Which colour is the text?", "What is the colour of the text?"]),
    "describe": (["What is in the picture?", "What is in this picture?", "What do you see?", "Describe the picture.", "Describe this picture.", "What is this?", "What is in the image?",
                  "What's in this picture?", "What is shown?", "What does the picture show?", "Describe what you see.", "What can you see?", "What is it?", "What's in this image?",
                  "What is on the picture?"],
                 ["Describe the image.", "What is in this image?", "What's in the picture?", "What do you see in the picture?", "Describe this image."]),
    "is there text": (["Is there text?", "Is there any text?", "Does the picture have text?", "Do you see any text?", "Is there text in the picture?", "Is there any text in the picture?"],
                      ["Is there text in the image?", "Do you see text?"]),
}
RELATIONS = {"left of": lambda a, b: a.x - b.x, "to the left of": lambda a, b: a.x - b.x, "right of": lambda a, b: b.x - a.x,
             "to the right of": lambda a, b: b.x - a.x, "above": lambda a, b: a.y - b.y, "below": lambda a, b: b.y - a.y, "under": lambda a, b: b.y - a.y}
PLACES = [["top left", "top", "top right"], ["left", "center", "right"], ["bottom left", "bottom", "bottom right"]]
HARD = {"place": 3, "relation": 3, "size": 3, "colour": 2, "count a shape": 2, "count a colour": 2, "what is there": 2}
"""How much more often `hard` training asks what is learnt last: which thing is meant, and where it is."""
NO_PICTURE = "Please show me a picture."


def article(name):
    return ("an " if name[0] in "aeiou" else "a ") + name


def plural(shape):
    return shape + ("es" if shape == "cross" else "s")


def full_name(thing):
    return f"{thing.colour} {thing.shape}"


def place(thing, scene):
    """The ninth of the picture, or None if the centre is near a border of ninths."""
    found = []
    for at in (thing.y / scene.height, thing.x / scene.width):
        if min(abs(at - 1 / 3), abs(at - 2 / 3)) < 0.03:
            return None
        found.append(int(at * 3))
    return PLACES[found[0]][found[1]]


def references(scene):
    """(name, thing): every way to name exactly one thing."""
    found = []
    for thing in scene.things:
        if sum(t.shape == thing.shape for t in scene.things) == 1:
            found += [(thing.shape, thing)] * 2
        if sum(t.colour == thing.colour for t in scene.things) == 1:
            found.append((f"{thing.colour} shape", thing))
        if sum(full_name(t) == full_name(thing) for t in scene.things) == 1:
            found.append((full_name(thing), thing))
    if len(scene.things) == 1:
        found.append(("shape", scene.things[0]))
    return found


def description(scene):
    """All that is on the picture, from left to right; None if the order cannot be told."""
    if scene.text:
        return f'the number {scene.text}' if scene.text.isdigit() else f'the word "{scene.text}"'
    if not scene.things:
        return "nothing"
    if len(scene.things) > 3:
        return f"{len(scene.things)} shapes"
    things = sorted(scene.things, key=lambda t: t.x)
    if any(b.x - a.x < 0.05 for a, b in zip(things, things[1:])):
        return None
    names = [article(full_name(t)) for t in things]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def fill(template, **slots):
    for slot, text in sorted(slots.items(), key=lambda s: -len(s[0])):
        template = template.replace("{" + slot + "}", text)
    return template


def candidates(scene, rng):
    """(skill, slots, answer) of everything that can be asked; slots are replaced in the phrasings."""
    things, found = scene.things, []
    absent = [s for s in SHAPES if all(t.shape != s for t in things)]
    shape, colour = rng.choice(SHAPES), rng.choice(list(COLOURS))
    found.append(("background", {}, scene.background))
    about = description(scene)
    if about:
        found += [("describe", {}, about)] * 3
    found.append(("is there text", {}, "yes" if scene.text else "no"))
    if scene.text:
        skill = "read a number" if scene.text.isdigit() else "read"
        found += [(skill, {}, scene.text)] * 8
        found += [("colour of the text", {}, scene.text_colour)] * 2
        found.append(rng.choice([("count", {}, "0"), ("presence", {"CS": shape}, "no"), ("count a shape", {"Ss": plural(shape)}, "0")]))
        return found
    found.append(("count", {}, str(len(things))))
    if things:
        known = rng.choice(things)
        found += [("count a shape", {"Ss": plural(known.shape)}, str(sum(t.shape == known.shape for t in things)))] * 2
        found += [("count a colour", {"C": known.colour}, str(sum(t.colour == known.colour for t in things)))] * 2
        found.append(("presence", {"CS": rng.choice([full_name(known), known.shape, f"{known.colour} shape"])}, "yes"))
    wrong = rng.choice([f"{colour} {shape}", shape, f"{colour} {rng.choice(things).shape}" if things else shape])
    if not any(wrong in (full_name(t), t.shape) for t in things):
        found.append(("presence", {"CS": wrong}, "no"))
    if rng.random() < 0.25:
        found.append(("count a shape", {"Ss": plural(shape)}, str(sum(t.shape == shape for t in things))))
        found.append(("count a colour", {"C": colour}, str(sum(t.colour == colour for t in things))))
        if absent:
            gone = rng.choice(absent)
            found.append((rng.choice(["colour", "place"]), {"S": gone}, f"There is no {gone}."))
        found.append(("read", {}, "There is no text."))
    if len(things) == 1:
        found += [("shape", {}, things[0].shape)] * 3
    for name, thing in references(scene):
        if name != full_name(thing) and name != f"{thing.colour} shape":
            found.append(("colour", {"S": name}, thing.colour))
        if name == f"{thing.colour} shape":
            found += [("shape of a colour", {"C": thing.colour}, thing.shape)] * 2
        if place(thing, scene):
            found.append(("place", {"S": name}, place(thing, scene)))
    row, column = rng.randint(0, 2), rng.randint(0, 2)
    if all(place(t, scene) for t in things):
        spot = place(rng.choice(things), scene) if things and rng.random() < 0.75 else PLACES[row][column]
        there = [t for t in things if place(t, scene) == spot]
        if len(there) < 2:
            found += [("what is there", {"P": spot}, article(full_name(there[0])) if there else "nothing")] * 2
    named = references(scene)
    if len(things) > 1:
        for _ in range(2):
            (a, first), (b, second) = rng.choice(named or [(0, 0)]), rng.choice(named or [(0, 0)])
            if first is second or not named or "shape" in (a, b):
                continue
            relation = rng.choice(list(RELATIONS))
            gap = RELATIONS[relation](first, second)
            if abs(gap) > 0.08:
                found.append(("relation", {"S": a, "T": b, "R": relation}, "yes" if gap < 0 else "no"))
            if abs(first.radius - second.radius) > 0.2 * max(first.radius, second.radius):
                found.append(("size", {"S": a, "T": b}, a if first.radius > second.radius else b))
    return found


def with_slots(phrase, slots):
    """Slots are whole words of capital letters."""
    for slot in sorted(slots, key=len, reverse=True):
        phrase = phrase.replace(f"a {slot}", article(slots[slot])) if slot == "CS" else phrase
        words = [slots[slot] + w[len(slot):] if w.startswith(slot) and not w[len(slot):len(slot) + 1].isalpha() else w for w in phrase.split(" ")]
        phrase = " ".join(words)
    if "CS" in slots:
        many = plural(slots["CS"])
        phrase = phrase.replace("CSs", many)
    return phrase


def ask(scene, rng, count, unseen=False, noise=0.0, hard=False):
    """`count` of (skill, question, answer); `unseen` phrasings are those that training never asks."""
    every = candidates(scene, rng)
    if hard:
        every = [one for one in every for _ in range(HARD.get(one[0], 1))]
    found = []
    for _ in range(count):
        skill, slots, answer = rng.choice(every)
        question = with_slots(rng.choice(PHRASINGS[skill][1 if unseen else 0]), slots)
        style = rng.random()
        if style < noise:
            question = question[0].lower() + question[1:]
        if rng.random() < noise:
            question = question.rstrip("?.")
        if rng.random() < noise * 0.6:
            question += rng.choice([" Answer in one word.", " Please.", " Only the answer, please."])
        found.append((skill, question, answer))
    return found
