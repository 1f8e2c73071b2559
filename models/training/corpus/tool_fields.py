"""Tools named by one word of a group, asked for with other words of it: what an unfamiliar request means must be known, not read off the name.

The groups are those of the embedding model (`embedding/data/fields*.txt`): words that mean the same or belong together.
"""
import functools
import os
import re

from .grammar import expand
from .phrasing import fill
from .tool_families import Family, arguments, styled
from .tool_tables import SETS, VERBS

FOLDER = os.path.join(os.path.dirname(__file__), "..", "embedding", "data")
UNFIT = re.compile(r"\b(?:sex|rape|molest|porn|prostitut|intercourse|condom|nud|naked|suicid|kill|murder|genocid|nazi|terror|cocaine|heroin|drug|overdos|abort|slave|weapon|gun|bomb|pistol|tortur|massacr|corpse)")
"""What no tool of these chats is about."""
GROUPS = ["fields.txt", "fields-nature.txt", "fields-society.txt", "fields-things.txt"]
DESCRIPTIONS = ["{Verb} {a}.", "{Verb} {a}, {b}.", "{Verb} everything about {a}.", "Use this to {verb} {a} or {b}.", "{Verb} what has to do with {a} and {b}.", "{Verb}s {b}."]
ASKS = ["[look into|take care of|deal with|do something about|see about|handle|sort out|see to|work on|get started on] [the|this|our|my] {x}", "help me with [the|my|this] {x}",
    "I have a [question|problem|request] about [the |]{x}", "I [need|want] [help with|something for|an answer on|a hand with] [the |my |]{x}", "we have [a problem with|something about|trouble with] [the |]{x}",
    "I am [here|writing|calling] about [the |]{x}", "show me something about {x}", "what about [the |]{x}", "how about [the |]{x}", "I [am thinking of|mean|thought of|care about] {x} and {y}",
    "we are talking about {x} and {y}", "I am after [the |]{x}", "~I am here because of {x}", "~how do we deal with {x} or {y}"]


@functools.lru_cache(maxsize=None)
def groups():
    """Groups of at least four short entries."""
    out = []
    for name in GROUPS:
        with open(os.path.join(FOLDER, name), encoding="utf-8") as lines:
            for line in lines.read().split("\n"):
                entries = [e for e in dict.fromkeys(map(str.strip, line.split(","))) if re.fullmatch(r"[a-z]{3,}( [a-z]{3,})?", e)]
                if len(entries) >= 4 and not UNFIT.search(line):
                    out.append(entries)
    return out


class Field(Family):
    """A tool of a group; `verb` begins its name."""

    def __init__(self, verb, *rest):
        super().__init__(*rest)
        self.verb = verb

    def neighbor(self, r):
        """A tool of another group, with the same verb."""
        return any_tool(r, self.verb)


def any_tool(r, verb=None):
    """Two words of a group are in the tool's name and description, two others in the requests."""
    verb = verb or r.choice(list(VERBS))
    a, b, *said = r.sample(r.choice(groups()), 4)
    heads = [fill(expand(r, ask), x=said[i], y=said[1 - i]) for i in (0, 1) for ask in ASKS]
    description = fill(r.choice(DESCRIPTIONS), Verb=verb.capitalize(), verb=verb, a=a, b=b)
    return Field(verb, styled(r, verb, *a.split()), description, heads, *arguments(r, r.choice(SETS).split()))

