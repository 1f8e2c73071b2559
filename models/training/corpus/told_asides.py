"""Sentences beside what is told: other names, places and times, of which nothing is asked."""
from . import lexicon, words
from .grammar import choose, expand

ASIDES = ["{p} [says hi|sends greetings|is on the phone|will be late again|just left|is asleep|is not here|is in a bad mood today].", "{p} [called|wrote|came by|rang the bell] at {t}[ from {c}|].", "It [rains|snows|is windy|is very hot] in {c} [today|again|this week].", "[Yesterday|On {d}|Last week|Last {d}] we [had soup|saw a film|went to the zoo|played cards|watched the game|cleaned the house] with {p}.",
    "[The train from {c}|The plane from {c}|The bus from {c}] was {n} minutes late.", "{p} and {q} [are fighting again|are on holiday|got married in {c}|talk all day|had a nice {d}|don't talk anymore].", "[Somebody|A man|A woman|A friend of {p}] from {c} [told me about you|is at the door|called again].",
    "[The news|The paper|A letter] from {c} came [on {d}|at {t}].", "I was [in {c}|with {p}|at a party|at the lake] [last {d}|on {d}], it was [fun|boring|too loud|nice].", "[My back hurts|I slept badly|I had a long day|I'm a bit tired] [because of {p}|since {d}|after the trip from {c}].", "{p} [thinks|says|heard|told me] that {q} [lives|works|studies] in {c} now.",
    "[Tomorrow|On {d}|At {t}] {p} [comes over|will cook|has to go to {c}|wants to sleep].", "[Don't ask {p}|{p} forgot it|{p} never remembers it|{p} doesn't know it|Don't tell {p}].", "[I just had|Let me have|I'm having] [a coffee|a sandwich|some tea] with {p}.", "[My phone is|My battery is] at {n} percent.", "[The game|The film|The show] starts at {t}, {p} [can't wait|is already here|told me].", "[I met {p} in {c}|{p} showed me pictures of {c}|{p} wants to move to {c}|{p} is stuck in {c}].", "[I have|There are] {n} unread mails[, most of them from {p}|].", "~{p} waved at me from the street.", "~There was a storm over {c} on {d}."]


def aside(r):
    """One of the sentences, with its values."""
    text, (p, q) = expand(r, choose(r, ASIDES)), r.sample(lexicon.NAMES, 2)
    for key, value in (("{p}", p), ("{q}", q), ("{c}", lexicon.random_city(r)), ("{d}", r.choice(lexicon.DAYS)), ("{t}", words.clock(r)), ("{n}", str(r.randint(5, 90)))):
        text = text.replace(key, value)
    return text


def beside(r, text):
    """A message with such a sentence before or after it."""
    if r.random() < 0.5:
        return f"{aside(r)} {text}"
    return f"{text if text[-1] in '.!?' else text + '.'} {aside(r)}"
