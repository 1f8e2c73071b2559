"""Realistic tools with whole sentences that ask for them, read from `tool_lists/*.txt`.

A tool is a line `name|description|parameter:kind … / optional:kind …` and its sentences, indented by two spaces, as lines of `grammar.py`
with `{parameter}` for the values. The kinds are those of `tool_slots.py`.
"""
import functools
import os
import re

from .frames import frame
from .grammar import choose, expand
from .phrasing import FRAMED, noisy
from .tool_families import Family, parameters_of, styled, variant
from .words import day

FOLDER = os.path.join(os.path.dirname(__file__), "tool_lists")
SAME_VERB = [words.split() for words in ("create add make new", "get fetch read show", "find search lookup", "delete remove", "update change edit",
    "send post", "book reserve", "cancel stop", "list show", "start begin run", "set adjust", "check verify", "log record track", "buy purchase order")]
LEADS = re.compile(r"\b(?:for|on|by|until|till|from|before|after|of|since|to|this|the|is|as|about|it's|than|between|and|or|was|dated)\s*$|[,:(/-]\s*$", re.I)
"""Ends of text after which a date stands bare: 'by Monday', but 'book it on Monday'."""
NEAR = 5
"""Tools that stand fewer places apart in a list are easy to confuse."""
ARGUMENT = ["{k} {v}", "{k}: {v}", "{k} = {v}", "{k}={v}", "the {k} {v}"]
BY_NAME = ["[Call|Use|Run|Execute|Invoke] {n} [with|for|using] ", "{n} [with|for] ", "[Please|Can you|Now] [call|use|run] {n}[ with| using|:] "]


class Listed(Family):
    """A tool of a list. `marks`: the name that the sentences have for a parameter; `entries`: the list."""

    def __init__(self, name, description, slots, optional, kinds, marks, sentences, entries):
        super().__init__(name, description, [], slots, optional, kinds)
        self.marks, self.sentences, self.entries = marks, sentences, entries

    def request(self, r):
        return self.by_name(r) if r.random() < 0.04 else self.spoken(r)

    def spoken(self, r):
        """One of the sentences, with clauses for some of the optional arguments."""
        line, arguments, values = expand(r, choose(r, self.sentences)), {}, {}
        for key in self.given(r):
            clause, said, arguments[key] = self.sample(r, key)
            mark = "{" + self.marks[key] + "}"
            if mark not in line:
                end = line[-1] if line[-1] in ".?!" else ""
                line, values[mark] = (line[:-1] if end else line) + r.choice([" ", ", "]) + mark + end, clause.strip(" ,:")
                continue
            if self.kinds[key] == "date":
                said, bare = day(r)
                arguments[key], at = said, line.index(mark)
                said = said if bare or at == 0 or LEADS.search(line[:at]) else "on " + said
            elif line[max(0, line.index(mark) - 1)] in "'\"":
                said = str(arguments[key])
            values[mark] = said
        text = noisy(r, frame(r, line) if r.random() < FRAMED else line)
        for mark, said in values.items():
            text = text.replace(mark, said)
        return text + (r.choice([".", "", "", " please", ", please.", "!", ", thanks"]) if text[-1] not in ".?!" else ""), arguments

    def by_name(self, r):
        """The tool called by its name, as developers try it."""
        parts, arguments = [], {}
        for key in self.given(r):
            _, said, arguments[key] = self.sample(r, key)
            parts.append(r.choice(ARGUMENT).replace("{k}", key).replace("{v}", said))
        return expand(r, choose(r, BY_NAME)).replace("{n}", self.name) + ", ".join(parts), arguments

    def neighbor(self, r):
        """Another tool of the list in which this one stands, mostly of those beside it, which do similar things."""
        at = next(i for i, entry in enumerate(self.entries) if entry[4] is self.sentences)
        others = [entry for i, entry in enumerate(self.entries) if i != at and (abs(i - at) < NEAR or r.random() < 0.02)]
        return make(r, r.choice(others), self.entries)

    def given(self, r):
        """The parameters that this request has a value for."""
        return [key for key in self.slots if key not in self.optional or r.random() < 0.45]


@functools.lru_cache(maxsize=None)
def lists():
    """[[(name, description, {parameter: kind}, optional parameters, sentences)] of each file]."""
    out = []
    for file in sorted(os.listdir(FOLDER)):
        tools = []
        with open(os.path.join(FOLDER, file), encoding="utf-8") as lines:
            for line in lines.read().split("\n"):
                if line.startswith("  "):
                    tools[-1][4].append(line.strip())
                elif line:
                    name, description, parameters = line.split("|")
                    tools.append((name, description, *parameters_of(parameters), []))
        out.append([tool for tool in tools if tool[4]])
    return out


@functools.lru_cache(maxsize=None)
def shares():
    """The sentences for each tool, of each list."""
    return [sum(len(entry[4]) for entry in entries) / len(entries) for entries in lists()]


def make(r, entry, entries):
    """A tool as one developer would write it: with some of its optional parameters, other names for some, another verb or case."""
    name, description, kinds, optional, sentences = entry
    slots, kinds, optional, marks = variant(r, kinds, optional)
    parts = name.split("_")
    same = next((words for words in SAME_VERB if parts[0] in words), None)
    if same and len(parts) > 1 and parts[1] not in ("to", "from") and r.random() < 0.2:
        parts[0] = r.choice(same)
    return Listed(styled(r, *parts), description, slots, optional, kinds, marks, sentences, entries)


def any_tool(r):
    """Lists with more sentences for each tool are taken more often."""
    entries = r.choices(lists(), shares())[0]
    return make(r, r.choice(entries), entries)
