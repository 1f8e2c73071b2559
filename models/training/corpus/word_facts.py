"""Facts about words, letters and signs: plurals, past tenses, Roman numerals, abbreviations and the order of the alphabet."""
from .phrasing import Turn, ask

PLURALS = dict(pair.split(":") for pair in "mouse:mice,child:children,man:men,woman:women,foot:feet,tooth:teeth,goose:geese,sheep:sheep,person:people,leaf:leaves,knife:knives,wolf:wolves,baby:babies,city:cities,box:boxes,dog:dogs,cat:cats,house:houses,potato:potatoes,bus:buses,wife:wives,deer:deer".split(","))
PLURAL = ["[What is|What's] the plural of {w}?", "plural of {w}[?|]", "The plural of {w} is [...|___|what?]", "One {w}, two [...|___|what?]",
    "How do [I|you|we] [write|say|form|make] the plural of {w}?", "[Quiz|English|Grammar]: the plural of {w}?",
    "[Tell me|Give me|Say|I forgot|I need] the plural of [the word ]*{w}[.|]",
    "If there is more than one {w}, what do I say?", "{w}, in the plural[?|]", "What do you call more than one {w}?"]
PASTS = dict(pair.split(":") for pair in "go:went,eat:ate,see:saw,run:ran,buy:bought,come:came,give:gave,take:took,write:wrote,speak:spoke,drink:drank,sing:sang,swim:swam,think:thought,bring:brought,make:made,have:had,say:said,find:found,know:knew,sleep:slept,fly:flew,walk:walked,play:played".split(","))
PAST = ["[What is|What's] the past tense of {w}?", "[past tense|simple past] of {w}[?|]", "The past tense of {w} is [...|___|what?]",
    "Today I {w}, yesterday I [...|___|what?]", "How do [I|you|we] [write|say|form] {w} in the past[ tense]*?", "[Quiz|English|Grammar]: the past tense of {w}?",
    "[Tell me|Give me|Say|I forgot|I need] the past tense of [the verb |to ]*{w}[.|]",
    "[What is|What's] {w} in the past tense?", "{w}, in the past tense[?|]"]
ROMAN = dict(pair.split(":") for pair in "I:1,II:2,III:3,IV:4,V:5,VI:6,VII:7,VIII:8,IX:9,X:10,XX:20,L:50,C:100,D:500,M:1000".split(","))
FROM_ROMAN = ["[Which|What] number is the Roman numeral {x}?", "[What is|What's] {x} in Roman numerals as a number?", "Roman numeral {x}[?| is which number?]",
    "I see the Roman numeral {x} on a clock. Which number is it?", "[Quiz|Math]: the Roman numeral {x} is which number?", "What does the Roman {x} mean?",
    "The Roman numeral {x} is [...|___|what?]"]
TO_ROMAN = ["[Which|What] Roman numeral is {n}?", "How [do I|do you|did the Romans] write {n}[ in Roman numerals]*?", "[What is|What's] {n} in Roman numerals?",
    "{n} [in|as] Roman numerals[?|]", "[Quiz|Math]: {n} in Roman numerals?", "Write {n} as a Roman numeral[.|]", "What is the Roman numeral [for|of] {n}?"]
SHORT = {"WWW": "World Wide Web", "USA": "United States of America", "UK": "United Kingdom", "EU": "European Union", "UN": "United Nations", "AI": "artificial intelligence",
    "TV": "television", "PC": "personal computer", "ASAP": "as soon as possible", "FAQ": "frequently asked questions", "CPU": "central processing unit",
    "DIY": "do it yourself", "LOL": "laughing out loud", "BTW": "by the way", "OMG": "oh my God", "GPS": "Global Positioning System", "VIP": "very important person",
        "UFO": "unidentified flying object", "kg": "kilogram", "km": "kilometer", "cm": "centimeter"}
LONG = ["What does {s} [stand for|mean]?", "[What is|What's] {s}?", "{s} [stands for|means|is short for] [...|___|what?]", "[Quiz|Trivia]: {s} stands for what?",
    "[What is|What's] {s} short for?", "{s} meaning[?|]", "[Explain|Define] [the abbreviation |the letters ]*{s}[.|]",
    "[I read|Somebody wrote|My friend wrote|I saw] {s}. What does it mean?",
    "What do the letters {s} mean?", "[Tell me|I wonder|Do you know|My kid asks] what {s} [stands for|means][.|]"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NEXT = ["[Which|What] letter [comes|is] after {x}[ in the alphabet]*?", "After [the letter ]*{x} comes which letter[ in the alphabet]*?", "the letter after {x}[?|]",
    "[Which|What] is the next letter after {x}?", "In the alphabet, what follows the letter {x}?", "The letter after {x} is [...|___|which?]",
    "[Quiz|English]: the letter after {x}?",
    "My [kid|son|daughter] learns the alphabet. Which letter follows {x}?"]
BACK = ["[Which|What] letter [comes|is] before {x}[ in the alphabet]*?", "Before [the letter ]*{x} comes which letter[ in the alphabet]*?", "the letter before {x}[?|]",
    "[Which|What] is the letter right before {x}?", "In the alphabet, what comes before the letter {x}?", "The letter before {x} is [...|___|which?]",
    "[Quiz|English]: the letter before {x}?"]


def plural_of(r):
    """The plural of a noun."""
    w = r.choice(list(PLURALS))
    return [Turn(ask(r, PLURAL, w=w), f"The plural of {w} is {PLURALS[w]}.", f"The user asks for the plural of {w}.", brief=f"{PLURALS[w].capitalize()}.")]


def past_of(r):
    """The past tense of a verb."""
    w = r.choice(list(PASTS))
    return [Turn(ask(r, PAST, w=w), f"The past tense of {w} is {PASTS[w]}.", f"The user asks for the past tense of {w}.", brief=f"{PASTS[w].capitalize()}.")]


def roman(r):
    """A Roman numeral as a number, or a number as a Roman numeral."""
    x = r.choice(list(ROMAN))
    q = ask(r, FROM_ROMAN, x=x) if r.random() < 0.5 else ask(r, TO_ROMAN, n=ROMAN[x])
    return [Turn(q, f"The Roman numeral {x} is {ROMAN[x]}.", f"The user asks about the Roman numeral {x}.")]


def stands_for(r):
    """The words behind an abbreviation."""
    s = r.choice(list(SHORT))
    return [Turn(ask(r, LONG, s=s if r.random() < 0.8 else s.lower()), f"{s} stands for {SHORT[s]}.", f"The user asks what {s} stands for.")]


def letter(r):
    """The letter after or before another one."""
    step = r.choice([1, 1, -1])
    i = r.randrange(2, 24)
    x, y = LETTERS[i], LETTERS[i + step]
    return [Turn(ask(r, NEXT if step == 1 else BACK, x=x), f"{y} comes {'after' if step == 1 else 'before'} {x}.",
        "The user asks for a letter of the alphabet.", brief=f"{y}.")]


GENERATORS = [plural_of, past_of, roman, stands_for, letter]
