"""Copying from the prompt: repeat, spell, reverse, first and last words, quoting, key-value look-ups. Trains induction heads."""
from . import copy_requests, echo_requests, filler, lexicon, sayings, words
from .grammar import choose, expand
from .phrasing import Turn, ask, fill, noisy, phrase

REPEAT = ["Repeat: {x}", "Say this: {x}", "Echo: {x}", "Repeat after me: {x}", "Say: {x}", "Please repeat this: {x}", "Write exactly this: {x}",
    "Copy this text: {x}", "Repeat the following: {x}", "Say {x}", "Reply with: {x}",
          "Answer only with: {x}", "Output this: {x}", "Respond with {x}", "Just say {x}", "Print {x}",
    "[Repeat|Say|Write|Type|Echo|Print|Output|Copy|Reply with|Respond with|Give me back|Return|Answer with|Read out|Send back] "
    "[exactly |only |just |precisely |back ]*[this|the following|these words|this text|the next line|what follows|my words|this line|the text|what I write]"
    "[ exactly| word for word| without changes| again| once more| and nothing else| back to me]*[:|:|:|,| -] {x}",
    "[Exactly|Only|Just|Nothing but|Word for word|Verbatim]: {x}", "[Your|The] [reply|answer|output|response] [must|should|has to] be[ exactly| only]*[:|] {x}",
    "[After me|Same again|Once more|Copy|The text|Text to repeat|Line]: {x}", "~Parrot this back to me: {x}", "~I want to hear exactly this from you: {x}"]
QUOTED = ["Repeat the text in quotes: \"{x}\"", "What is in the quotes? \"{x}\"", "Say \"{x}\"", "Write \"{x}\".", "Repeat \"{x}\".",
    "[Say|Write|Type|Repeat|Echo|Print|Output|Copy|Reply with|Respond with|Answer with|Return][ exactly| only| just]*[ the words| the text| the sentence| this| the following| the phrase]*[:|] \"{x}\"[.|]",
    "[What|Which text|Which words|Which phrase] [is|stands|is written] [in|inside|between] the [quotes|quotation marks|marks]: \"{x}\"",
    "[The quote|The text in quotes|The quoted text|My sentence] is \"{x}\". [Repeat it|Say it|Write it again|Give it back without the quotes].",
    "~Without the quotation marks, give me \"{x}\"", "~Let me hear \"{x}\" from you"]
QUOTE = ["Put this in quotes: {x}", "Write this in quotes: {x}", "Quote this: {x}", "Put quotes around this: {x}",
    "[Put|Write|Place|Set|Wrap|Repeat|Say|Enclose|Return|Give back] [this|the following|these words|the text|this text|this line] [in|between|inside|within] "
    "[quotes|quotation marks|double quotes]: {x}",
    "[Add|Put] [quotes|quotation marks|double quotes] [to|around|about] [this|the following|these words|the text]: {x}",
    "[In|With] [quotes|quotation marks][, please]*: {x}", "~Surround these words by quotation marks: {x}"]
TEXT_FIRST = ["{x}\n[Repeat|Say|Write|Echo|Copy|Type|Print|Read back] [that|this|the line above|the text above|the words above|it][ exactly| again| word for word]*[.||, please]",
    "{x}\n\n[Now repeat it|The same again, please|Write the same|Give me that back|Say exactly that|Copy it][.|]",
    "[I wrote|I said|He said|She wrote|The sign says|The note says|My text|The text|The message|Here it is|This is the line]: {x}\n[Repeat it|Say it again|What does it say?|Copy it|Read it to me][.|]",
    "[This is|Here is] [the text|a line|my sentence|a phrase][ to copy| to repeat]*:\n{x}", "~{x}\nEcho the above.", "~The line reads: {x}\nGive it back unchanged."]
MARKED = ["[Repeat|Say|Write|Copy|Echo|Print|Return|Give me|Read|Type] [only |just |exactly ]*[what is|what stands|the words|the text|the part] [between|inside|within|in] the [marks|signs|brackets]: {x}",
    "[Repeat|Say|Write|Copy|Echo|Print|Reply with] {x}[ exactly| and nothing else| word for word| back to me| now]*[.|]",
    "[What|Which text|Which words] [is|stands] [between|inside|in] the [marks|signs|brackets]: {x}", "[I want|I need] you to [say|write|repeat] {x}[.| and nothing else.]",
    "[Can|Could] you [say|write|repeat|copy] {x}[ for me]*?", "~Nothing but {x} should be in your reply."]
REPEAT += copy_requests.REPEAT
QUOTED += copy_requests.QUOTED * 2
QUOTE += copy_requests.QUOTE
TEXT_FIRST += copy_requests.TEXT_FIRST
REPEAT += echo_requests.AFTER
QUOTED += echo_requests.INSIDE
QUOTE += echo_requests.IN_QUOTES
TEXT_FIRST += echo_requests.LINE_ABOVE
MARKED += echo_requests.MARKED
OWN_LINE = copy_requests.OWN_LINE + echo_requests.LINE_BELOW
QUOTE_FIRST = copy_requests.QUOTE_FIRST + echo_requests.IN_QUOTES_FIRST
MARKS = ["''", "``", "“”", "()", "<>", "**", "«»", "{}", "||"]
THOUGHT = "The user wants a copy. I repeat it exactly."


def anything(r):
    """Ordinary sentences, or random text: words, invented words, codes, numbers."""
    if r.random() < 0.48:
        text = sayings.saying(r)
        return text if r.random() < 0.75 else text.rstrip(".").lower()
    if r.random() < 0.25:
        return echo_requests.coded(r)
    k = r.random()
    if k < 0.4:
        return lexicon.phrase_of_words(r, 1, 9)
    if k < 0.52:
        return " ".join(lexicon.value(r) for _ in range(r.randint(1, 4)))
    if k < 0.65:
        return ", ".join(lexicon.value(r) for _ in range(r.randint(2, 5)))
    if k < 0.75:
        return lexicon.identifier(r)
    text = r.choice([filler.sentence, filler.prose, words.message, words.title])(r)
    return text if r.random() < 0.5 else text.rstrip(".").lower()


def quoted(r, x):
    """A request with the text in quotes, mostly double ones."""
    text, k = phrase(r, QUOTED), r.random()
    if k < 0.2 and "'" not in x:
        text = text.replace('"{x}"', "'{x}'" if k < 0.12 else "“{x}”")
    return fill(text, x=x)


def repeat_words(r):
    """The easiest copy: known words."""
    x = " ".join(r.choice(lexicon.WORDS) for _ in range(r.randint(2, 9)))
    return [Turn(ask(r, REPEAT, x=x), x, THOUGHT, plain=False)]


def repeat(r):
    x = anything(r)
    k = r.random()
    if k < 0.28:
        return [Turn(quoted(r, x), x, THOUGHT, plain=False)]
    if k < 0.45:
        if r.random() < 0.2:
            x = x.rstrip(".")
            text = fill(noisy(r, expand(r, choose(r, echo_requests.IN_QUOTES_MIDDLE))), x=x)
        else:
            text = ask(r, QUOTE, x=x) if r.random() < 0.75 else fill(noisy(r, expand(r, choose(r, QUOTE_FIRST))), x=x)
        return [Turn(text, f'"{x}"', THOUGHT, plain=False)]
    if k < 0.66:
        lines = TEXT_FIRST if r.random() < 0.5 else OWN_LINE
        return [Turn(fill(noisy(r, expand(r, choose(r, lines))), x=x), x, THOUGHT, plain=False)]
    if k < 0.74:
        mark = r.choice([m for m in MARKS if m[0] not in x and m[1] not in x])
        return [Turn(fill(noisy(r, expand(r, choose(r, MARKED))), x=f"{mark[0]}{x}{mark[1]}"), x, THOUGHT, plain=False)]
    return [Turn(ask(r, REPEAT, x=x), x, THOUGHT, plain=False)]


def edit(r):
    """Word-level operations on a short phrase."""
    row = [r.choice(lexicon.WORDS) if r.random() < 0.7 else lexicon.pseudo_word(r) for _ in range(r.randint(3, 6))]
    x, k = " ".join(row), r.choice([0, 0, 1, 1, 2, 3, 3, 4, 5, 5])
    if k == 0:
        return [Turn(ask(r, ["What is the first word of: {x}", "First word of this: {x}", "Which word comes first? {x}"], x=x), row[0],
            "I take the first word.", plain=False)]
    if k == 1:
        return [Turn(ask(r, ["What is the last word of: {x}", "Last word of this: {x}", "Which word comes last? {x}"], x=x), row[-1],
            "I take the last word.", plain=False)]
    if k == 2:
        return [Turn(ask(r, ["Reverse the words: {x}", "Say the words backwards: {x}"], x=" ".join(row[:4])), " ".join(row[:4][::-1]),
            "I write the words from last to first.", plain=False)]
    if k == 3:
        return [Turn(ask(r, ["Turn this into a list: {x}", "Make a list of these words: {x}", "Write these words as a list: {x}"],
            x=", ".join(row)), "\n".join("- " + w for w in row), "I write one item per line.", plain=False)]
    if k == 4:
        return [Turn(ask(r, ["Write this in upper case: {x}", "Make this uppercase: {x}", "In capital letters: {x}"], x=" ".join(row[:2])),
            " ".join(row[:2]).upper(), "I write it in capital letters.", plain=False)]
    return [Turn(ask(r, ["Join these words with commas: {x}", "Put commas between these words: {x}"], x=x), ", ".join(row),
        "I put commas between the words.", plain=False)]


KEYS = "code,password,number,color,city,name,key,password hint,room,seat,price,date,ticket,address,favorite word,token,label,status,owner,version,port,size,team,email".split(",")


def lookup(r):
    """Several 'X is Y' statements, then questions about some of them."""
    keys = r.sample(KEYS, r.randint(2, 6))
    values = [lexicon.value(r) for _ in keys]
    style = r.randint(0, 2)
    if style == 0:
        text = " ".join(f"The {k} is {v}." for k, v in zip(keys, values))
    elif style == 1:
        text = "\n".join(f"{k}: {v}" for k, v in zip(keys, values))
    else:
        text = ", ".join(f"{k} = {v}" for k, v in zip(keys, values))
    i = r.randrange(len(keys))
    intro = r.choice(["", "", "Here is some data. ", "Remember this: ", "Note: "])
    q = intro + text + (" " if style == 0 else "\n") + ask(r, ["What is the {k}?", "Which {k} is given?", "Tell me the {k}.", "What's the {k}?",
        "Give me the {k}."], k=keys[i])
    turns = [Turn(q, f"The {keys[i]} is {values[i]}.", f"The text says that the {keys[i]} is {values[i]}.", brief=f"{values[i]}.")]
    for j in r.sample(range(len(keys)), r.randint(0, min(2, len(keys)))):
        turns.append(Turn(ask(r, ["And the {k}?", "What is the {k}?", "And what is the {k}?", "Now the {k}."], k=keys[j]),
            f"The {keys[j]} is {values[j]}.", f"The text says that the {keys[j]} is {values[j]}.", brief=f"{values[j]}."))
    return turns


def pairs(r):
    """Dense induction: a table of invented keys, many questions."""
    n = r.randint(3, 9)
    table = {lexicon.pseudo_word(r): lexicon.value(r) for _ in range(n)}
    q = "\n".join(f"{k}: {v}" for k, v in table.items())
    keys = r.sample(list(table), min(len(table), 4))
    turns = [Turn(f"{q}\n" + ask(r, ["What is {k}?", "Value of {k}?", "{k}?", "Look up {k}."], k=keys[0]), table[keys[0]],
        f"I look up {keys[0]} in the list.", plain=False)]
    return turns + [Turn(ask(r, ["And {k}?", "{k}?", "What is {k}?"], k=k), table[k], f"I look up {k} in the list.", plain=False) for k in keys[1:]]
