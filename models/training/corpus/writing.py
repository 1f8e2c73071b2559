"""Short texts that follow from the request: stories from a small grammar, and summaries by the first sentence."""
from . import filler, lexicon, words
from .phrasing import Turn, ask

STORY = ["[Tell|Write|Make up|Read] [me ]*a [short |little |nice |small |bedtime ]*story about [a {a} named {x}|{x} the {a}|a {a} called {x}][ please]*.",
    "[I want|I'd like|I need] a story about [a {a} called {x}|{x} the {a}].", "A story about {x} the {a}[, please| please|]",
    "~Invent a tale about a {a} named {x}."]
SIMPLE = ["[Tell|Write|Make up|Read] [me ]*a [short |little |nice |small ]*story about a {a}[ please]*.", "[I want|I'd like|I need] a story about a {a}.",
    "A story about a {a}[, please| please|]", "~Invent a tale about a {a}."]
PLACES = {"dog": ("in a small house", "found a red ball"), "cat": ("on a warm roof", "caught the moon in a bowl of milk"),
    "bear": ("in a dark forest", "found a pot of honey"), "fish": ("in a blue lake", "swam to the sea"),
    "bird": ("in a tall tree", "flew over the hills"), "horse": ("on a green farm", "ran faster than the wind"),
    "robot": ("in a quiet workshop", "learned to dance"), "dragon": ("in a cold cave", "lit a fire for its friends"),
    "mouse": ("under an old floor", "shared a piece of cheese"), "rabbit": ("under a big hill", "planted a carrot"),
    "king": ("in a big castle", "gave his gold away"), "girl": ("in a little town", "built a kite"), "boy": ("by the river", "built a boat")}
SUMMARY = ["[Summarize|Sum up|Shorten] [this text|this|the text|the following][ in one sentence| briefly]*: {t}",
    "{t}\n\n[Summarize this|Give me a summary|Sum this up|What is the main point|Shorten this][ in one sentence]*.",
    "[Give me|Write|I need] a [short ]*summary of[ this]*: {t}", "TL;DR: {t}", "~What does this text say in short? {t}"]


def story(r):
    """The animal fixes place and deed; a name is copied."""
    animal = r.choice(list(PLACES))
    place, deed = PLACES[animal]
    if r.random() < 0.4:
        who, q = f"a {animal}", ask(r, SIMPLE, a=animal)
    else:
        name = lexicon.random_name(r)
        who, q = f"a {animal} called {name}", ask(r, STORY, a=animal, x=name)
    return [Turn(q, f"Once upon a time there was {who}. The {animal} lived {place}. One day the {animal} {deed}, and everyone was happy.",
        f"The user wants a story about a {animal}.", plain=False)]


def summary(r):
    """The first sentence says what the text is about."""
    pieces = [(r.choice([filler.sentence, filler.prose])(r)) for _ in range(r.randint(2, 5))]
    first = pieces[0] if ". " not in pieces[0] and pieces[0].endswith(".") else f"The {r.choice(words.COMMON)} of {r.choice(lexicon.NAMES)} is {r.choice(lexicon.ADJECTIVES)}."
    return [Turn(ask(r, SUMMARY, t=" ".join([first] + pieces[1:])), first, "I take the sentence that says what it is about: the first.", plain=False)]
