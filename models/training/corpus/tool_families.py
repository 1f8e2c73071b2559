"""Tools with two to five arguments: known ones and invented ones, all with the same grammar of requests."""
from . import lexicon
from .frames import COMMAND, PREFIX, put
from .frames import VERBS as VERBS_OF_COMMANDS
from .grammar import choose, expand
from .phrasing import misspell
from .tool_requests import SENTENCES
from .tool_catalog import BOOLEAN
from .tool_slots import SLOTS, SWITCHES, Enum, switch
from .tool_tables import CONTEXTS, KNOWN, OBJECTS, SETS, VERBS

HEADS = ["@", "@", "please @", "can you @", "could you @", "could you please @", "I want to @", "I'd like to @", "I need to @", "would you @",
    "go ahead and @", "let's @",
    "I would like you to @", "hey, @", "we have to @", "help me to @", "~kindly @", "~I'd appreciate it if you could @"]
WHOLE = 0.6
"""Share of the known tools' requests that are whole sentences."""
NAMED = ["with {k} {v}", "{k} {v}", "{k}: {v}", "{k} = {v}", "where {k} is {v}", "using {k} {v}", "and the {k} is {v}", "{k} should be {v}"]


DETAILS = ["[And|Oh, and|Also]: @[.|]", "[And|Oh, and|Also,] @[.|]", "@[, please|, if possible|, of course|][.|]", "~And please @."]
"""How the last clause is said in a sentence of its own."""


class Family:
    """A tool: name, description, the ways to ask for it, and {parameter: slot}."""

    def __init__(self, name, description, heads, slots, optional, kinds=None):
        self.name, self.description, self.heads, self.slots, self.optional, self.kinds = name, description, heads, slots, optional, kinds or {}

    def schema(self, r):
        described = r.random() < 0.5
        make = lambda k, s: {"type": BOOLEAN, **({"description": f"Whether it is {k}."} if described else {})} if s == "switch" else s.schema(r, k, described)
        parameters = {"type": "object", "properties": {k: make(k, s) for k, s in self.slots.items()}}
        required = [k for k in self.slots if k not in self.optional]
        if required and r.random() < 0.92:
            parameters["required"] = required
        return {"type": "function", "function": {"name": self.name, "description": self.description, "parameters": parameters}}

    def sample(self, r, key):
        """(clause that says it, spoken value, JSON value) of a parameter."""
        slot = self.slots[key]
        return switch(r, key) if slot == "switch" else slot.sample(r)

    def neighbor(self, r):
        """A tool whose name looks like this one's: other verb, same object, or the other way round."""
        for separator in ("_", "-"):
            parts = self.name.split(separator)
            if len(parts) == 2:
                verb, thing = parts
                other = r.choice([v for v in VERBS if v != verb])
                return invented(r, other, thing) if r.random() < 0.6 else invented(r, verb if verb in VERBS else None,
                    r.choice([o for o in OBJECTS if o != thing]))
        return invented(r)

    def request(self, r):
        """(user text, arguments in the schema's order)."""
        return self.spoken(r) if r.random() < WHOLE and self.name in SENTENCES and self.kinds else self.composed(r)

    def spoken(self, r):
        """One of the tool's whole sentences, with clauses for the arguments that it does not name."""
        line, clauses, arguments = expand(r, choose(r, SENTENCES[self.name])), [], {}
        value_first, frames = line.startswith("{"), PREFIX if line.endswith("}") else COMMAND
        for k, kind in self.kinds.items():
            slot = self.slots[k]
            mark = "{amount}" if kind == "sum" else "{path2}" if kind == "path" and "{path}" not in line else "{" + kind + "}"
            if mark not in line and k in self.optional and r.random() < 0.6:
                continue
            clause, spoken, arguments[k] = slot.sample(r)
            if mark in line:
                # A date brings its own 'on', unless the sentence has put a word before it.
                line = line.replace(mark, clause.strip(" ,") if kind == "date" else spoken)
            else:
                clauses.append(clause)
        if "{" in line:
            return self.composed(r)
        start = put(r, frames, line[0].lower() + line[1:]) if not value_first and r.random() < 0.3 and line.split()[0].lower() in VERBS_OF_COMMANDS else line
        tail = start[-1] if clauses and start[-1] in ".?!" else ""
        text = tidy((start.rstrip(".?!") if clauses else start) + "".join(r.choice([" ", ", "]) + c for c in clauses)) + tail
        return (text if value_first or r.random() < 0.2 else text[0].upper() + text[1:]) + (r.choice([".", "", "", " please", "!",
            ", thanks."]) if text[-1] not in ".?!" else ""), arguments

    def composed(self, r):
        """A head and a clause for each argument."""
        clauses, arguments, spoken_key = [], {}, r.random() < 0.15
        for k in self.slots:
            if k in self.optional and r.random() < 0.5:
                continue
            clause, spoken, value = self.sample(r, k)
            if spoken_key or r.random() < 0.07:
                clause = r.choice(NAMED).replace("{k}", k.replace("_", " ")).replace("{v}", spoken)
            clauses.append(clause)
            arguments[k] = value
        if r.random() < 0.6:
            r.shuffle(clauses)
        clauses.sort(key=lambda c: c.startswith(":"))
        return sentence(r, choose(r, self.heads), clauses), arguments


AGAIN = ["[And|And also|Now|Then] @[ too| as well| please]*[?|.|]", "[What|How] about the same @?",
    "[Do the same|The same|Same thing|Same|Once more|Again,] @[.|, please.|]",
    "[No, I meant|Sorry, I meant|I mean|Actually,|Change it:|Correction:|No,|Wait,] @[.|]", "Now do it @.", "~Repeat that @."]
REPEATED = {"city", "origin", "destination", "recipient", "person", "date", "time", "room", "venue", "people", "with"}


def follow_up(r, family, arguments):
    """(text, arguments): the same call with one value changed; None if no argument can be said alone."""
    keys = [k for k, s in family.slots.items() if k in arguments and s in [SLOTS[n] for n in REPEATED]]
    if not keys:
        return None
    key = r.choice(keys)
    clause, _, value = family.slots[key].sample(r)
    return expand(r, choose(r, AGAIN)).replace("@", clause.strip(" ,")), {**arguments, key: value}


def sentence(r, head, clauses):
    """Head and clauses as one request; sometimes a clause comes first, sometimes there is a sentence before."""
    asks = head.startswith(("I ", "we ", "what ", "how ", "where ", "show ", "weather", "alarm"))
    start = head if asks else choose(r, HEADS).replace("@", head)
    first = ""
    if len(clauses) > 1 and r.random() < 0.12 and not clauses[0].startswith((":", ",", "and ", "but ")):
        first = clauses.pop(0).strip(" ,") + ", "
    if r.random() < 0.05:
        start = misspell(r, start)
    details = ""
    if len(clauses) > 1 and r.random() < 0.06 and not clauses[-1].startswith((":", ",", "and ", "but ")):
        details = " " + expand(r, choose(r, DETAILS)).replace("@", clauses.pop().strip(" ,"))
    link = r.choice([" ", " ", " ", ", "])
    text = first + start + " " + (" " if link == " " else ", ").join(clauses) if clauses else start
    text = tidy(text)
    question = start.startswith(("can ", "could ", "would ", "what ", "how ", "where "))
    text += r.choice(["?", "?", ""]) if question else r.choice([".", "", "", "!", " please", ", please.", " thanks"])
    text = text[0].upper() + text[1:] if r.random() < 0.7 and not first else text
    if details:
        text = (text if text[-1] in ".?!" else text + ".") + details
    return (expand(r, choose(r, CONTEXTS)) if r.random() < 0.08 else "") + text


def tidy(text):
    """Commas and spaces that met, as one."""
    while ", ," in text or ",," in text or " ," in text or " :" in text or ",:" in text or "  " in text:
        text = text.replace(", ,", ",").replace(",,", ",").replace(" ,", ",").replace(" :", ":").replace(",:", ":").replace("  ", " ")
    return text.rstrip(" ,")


def parameters_of(text):
    """({parameter: kind}, those that are optional) of 'name:kind … / name:kind …'."""
    required, _, optional = text.partition(" / ")
    return dict(p.split(":") for p in (required + " " + optional).split()), [p.split(":")[0] for p in optional.split()]


def slot_of(r, kind):
    slot = SLOTS[kind] if kind != "switch" else "switch"
    return slot.pick(r) if isinstance(slot, Enum) and kind not in ("language", "day") else slot


def variant(r, kinds, optional):
    """({parameter: slot}, {parameter: kind}, optional parameters, {parameter: its name in `kinds`}) as one developer would write them: with
    some of the optional ones, and other names for some."""
    slots, kept, left, marks = {}, {}, [], {}
    for mark, kind in kinds.items():
        if mark in optional and r.random() < 0.4:
            continue
        slot = slot_of(r, kind)
        key = r.choice(slot.names) if slot != "switch" and mark in slot.names and r.random() < 0.3 else mark
        key = mark if key in slots or key in kinds else key
        slots[key], kept[key], marks[key] = slot, kind, mark
        left += [key] * (mark in optional)
    return slots, kept, left, marks


def known(r):
    name, description, heads, parameters = r.choice(KNOWN).split("|")
    slots, kinds, optional, _ = variant(r, *parameters_of(parameters))
    return Family(name, description, heads.split(";"), slots, optional, {} if "switch" in kinds.values() else kinds)


def styled(r, *parts):
    """The name in snake case, sometimes in camel case or with hyphens."""
    k = r.random()
    return "_".join(parts) if k < 0.75 else parts[0] + "".join(p.capitalize() for p in parts[1:]) if k < 0.9 else "-".join(parts)


def arguments(r, kinds):
    """({parameter: slot}, optional parameters) of an invented tool, with one of the names that each kind goes by."""
    slots, optional = {}, []
    for i, kind in enumerate(kinds):
        slot = slot_of(r, kind)
        key = r.choice(SWITCHES) if slot == "switch" else slot.names[0] if r.random() < 0.4 else r.choice(slot.names) if r.random() < 0.96 else lexicon.pseudo_word(r, 2)
        if key in slots:
            continue
        slots[key] = slot
        if i > 0 and r.random() < 0.2:
            optional.append(key)
    return slots, optional


def invented(r, verb=None, thing=None, kinds=None):
    """Verb, object and a set of arguments that may stand together."""
    verb, thing = verb or r.choice(list(VERBS)), thing or (r.choice(OBJECTS) if r.random() < 0.85 else lexicon.pseudo_word(r, 2))
    kinds = kinds or r.choice(SETS).split()
    if r.random() < 0.25:
        kinds = kinds + [k for k in r.sample(["priority", "tags", "date", "switch", "format", "price", "minutes", "person", "color"], 1) if k not in kinds]
    if r.random() < 0.15:
        kinds = r.sample(kinds, len(kinds))
    slots, optional = arguments(r, kinds)
    heads = [f"{v} {d}{thing}" for v in VERBS[verb].split() for d in ("the ", lexicon.article(thing)[:-len(thing)], "my ")]
    description = r.choice([f"{verb.capitalize()} the {thing}.", f"{verb.capitalize()} {lexicon.article(thing)}.",
        f"Use this to {verb} {lexicon.article(thing)}.", f"{verb.capitalize()}s one {thing}."])
    return Family(styled(r, verb, thing) if r.random() < 0.85 else styled(r, thing, verb), description, heads, slots, optional)
