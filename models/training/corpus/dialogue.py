"""Greetings, thanks, and what the user said earlier in the chat."""
import re

from . import arithmetic, correction_phrasings, knowledge, lexicon, lists, memory_phrasings, small_talk, tellings, told_turns, words
from .grammar import choose, expand
from .keepsakes import ALIKE, KEEPSAKES, NOTED, WEIGHTS
from .phrasing import Turn, add_by_reply, ask, fill, noisy, phrase
from .profile import MORE_PROFILE

FOODS = "pizza pasta rice soup bread cheese fish salad cake curry sushi pancakes noodles tacos".split()

GREETINGS = ["Hi", "Hello", "Hey", "Hi there", "Hello there", "Good morning", "Good evening", "Good day", "Hi everyone", "heyy", "Hello my friend",
    "Good morning to you", "hello hello", "Hey there", "Good afternoon", "hiya", "Yo", "Greetings", "hello :)", "Howdy", "Hi infetch", "Hello infetch-tiny", "hallo", "hi bot", "helo", "hey hey"]
SMALL_TALK = [
    (["Bye", "Goodbye", "See you", "See you soon", "See you next week", "Good bye then", "Have a good day", "Ciao", "See you later", "Good night",
        "Thanks, bye", "bye bye", "I have to go.", "That is all for today.", "Until tomorrow", "Take care"], "Goodbye! Have a nice day."),
    (["Thanks", "Thank you", "Thanks for your help!", "Thank you so much.", "Thanks for that", "Thank you for the answer.", "I appreciate it.",
        "Great, thanks", "Thanks a lot", "thx", "Thank you very much", "Cool, thanks", "That helped, thank you.", "Perfect, thanks!", "ty", "Many thanks"], "You're welcome!"),
    (["How are you?", "How are you this morning?", "How are you feeling?", "How is your day?", "How are you doing today?", "Are you well?",
        "How are you doing?", "How is it going?", "What's up?", "Are you OK?", "How do you feel?", "How have you been?", "hows it going", "You good?"], "I am fine, thank you. How can I help you?"),
    (["Nice to meet you.", "Pleased to meet you.", "It is nice to talk to you.", "Good to see you"], "Nice to meet you too!"),
    (["You are great!", "Well done.", "Good job!", "You are smart.", "That is right.", "Correct!", "Great answer!", "Awesome", "I like you.", "Nice!", "Cool"], "Thank you!"),
    (["That is wrong.", "You are wrong.", "This is not correct.", "No, that is false.", "You made a mistake.", "Wrong answer", "That's not right."],
        "I am sorry. I am a very small model and I make mistakes."),
    (["OK", "Okay", "I see", "Got it", "Alright", "Fine", "Sure"], "OK. What else can I do for you?"),
    (["I am bored.", "Talk to me.", "Let's chat.", "Can we talk?", "Say something.", "I want to chat."],
        "Sure. Ask me a small sum, a capital or a list, and I will try."),
    (["Can you help me?", "I need help.", "Help me please.", "Could you help me?", "I have a question.", "Can I ask you something?"],
        "Of course. What do you need?"),
    (["I am sad.", "I feel bad.", "I had a bad day.", "I am tired.", "I am stressed."], "I am sorry to hear that. I hope you feel better soon."),
    (["I am happy.", "I had a great day!", "I feel good."], "I am glad to hear that!"),
    (["test", "testing", "Is this working?", "Are you there?", "Anyone there?", "ping", "Can you hear me?", "This is a test."],
        "Yes, I am here. How can I help you?"),
    (["I love you.", "Will you marry me?", "Do you love me?"], "That is kind, but I am only a small language model."),
    (["Good luck!", "Happy birthday!", "Merry Christmas!", "Happy new year!"], "Thank you, the same to you!")]
add_by_reply(SMALL_TALK, small_talk.MORE)
WELCOME = "Hello! How can I help you?"


def greeting(r):
    """Nothing stands around small talk but noise."""
    if r.random() < 0.3:
        text = noisy(r, expand(r, choose(r, GREETINGS if r.random() < 0.4 else small_talk.GREETINGS)))
        return [Turn(text + r.choice(["!", ".", "", "", "!!"]) * (text[-1] not in ".!?"), WELCOME, "The user greets me. I greet back.")]
    questions, answer = r.choice(SMALL_TALK)
    return [Turn(noisy(r, expand(r, choose(r, questions))), answer, "This is small talk. I answer politely.")]


PROFILE = {
    "name": (["My name is {x}.", "I am {x}.", "Call me {x}.", "Hi, I'm {x}.", "Hello, my name is {x}.", "I'm {x}.", "Hey, I am {x}",
        "You can call me {x}.", "This is {x}."], "Hello {x}! How can I help you?",
             ["What is my name?", "Who am I?", "Do you remember my name?", "What's my name?", "Tell me my name.", "Do you know my name?",
                 "Say my name.", "What am I called?"], "Your name is {x}.", lexicon.random_name),
    "city": (["I live in {x}.", "I am from {x}.", "My home is {x}.", "I live in the city of {x}.", "My city is {x}."], "{x} sounds nice.",
        ["Where do I live?", "Which city do I live in?", "Where am I from?", "What is my city?"], "You live in {x}.", lexicon.random_city),
    "color": (["My favorite color is {x}.", "I like the color {x}.", "I love {x}. It is my favorite color."], "{x} is a nice color.",
        ["What is my favorite color?", "Which color do I like?", "What color do I like?"], "Your favorite color is {x}.",
        lambda r: r.choice(lexicon.COLORS)),
    "job": (["I work as a {x}.", "I am a {x}.", "My job is {x}."], "That is an interesting job.",
        ["What is my job?", "What do I do for work?", "What do I work as?"], "You work as a {x}.", lambda r: r.choice(tellings.JOBS)),
    "pet": (["My dog is called {x}.", "I have a dog named {x}.", "The name of my dog is {x}."], "{x} is a good name for a dog.",
        ["[what is|what's|so what is] my dog called?", "What is the name of my dog?", "What is my dog's name?"], "Your dog is called {x}.",
        lambda r: lexicon.pseudo_word(r).capitalize()),
    "number": (["My lucky number is {x}.", "Remember the number {x}.", "Please remember {x}.", "Keep the number {x} in mind."],
        "OK, I will remember {x}.", ["What is my number?", "Which number did I tell you?", "What number should you remember?",
        "What was the number?"], "The number is {x}.", lambda r: str(lexicon.random_number(r))),
    "code": (["The code is {x}.", "Remember the code {x}.", "My code is {x}.", "The secret code is {x}.", "Please remember this code: {x}"],
        "OK, I will remember the code {x}.", ["What is the code?", "Which code did I give you?", "Tell me the code.", "What was the code?"],
        "The code is {x}.", lexicon.identifier),
    "word": (["The secret word is {x}.", "Remember the word {x}.", "Remember this word: {x}"], "OK, I will remember the word {x}.",
        ["What is the word?", "What was the secret word?", "Which word did I tell you?"], "The word is {x}.",
        lambda r: r.choice([r.choice(lexicon.WORDS), lexicon.pseudo_word(r)])),
    "age": (["I am {x} years old.", "My age is {x}."], "Thank you for telling me.", ["How old am I?", "What is my age?"], "You are {x} years old.",
        lambda r: r.randint(5, 95)),
}


PROFILE.update({
    "food": (["My favorite food is {x}.", "I [love|like] to eat {x}.", "I eat {x} every day.", "~{x} is what I eat most gladly."], "That sounds tasty.",
    ["What is my favorite food?", "What do I [like|love] to eat?", "Which food do I like[ best]*?"],
        "Your favorite food is {x}.", lambda r: r.choice(FOODS)),
    "friend": (["My best friend is {x}.", "{x} is my best friend.", "My best friend is called {x}.", "I have a friend named {x}."],
    "A friend is a good thing.", ["Who is my [best ]*friend?", "[what is|what's|so what is] my [best ]*friend called?", "What is the name of my friend?"],
        "Your friend is called {x}.", lexicon.random_name),
    "appointment": (["I have an appointment at {x}.", "My appointment is at {x}.", "Remember my appointment at {x}.", "My meeting starts at {x}."],
    "OK, I will remember {x}.", ["When is my [appointment|meeting]?", "At what time is my [appointment|meeting]?", "What time is my [appointment|meeting]?"],
        "It is at {x}.", words.clock)})
for _kind, (_say, _ask) in MORE_PROFILE.items():
    PROFILE[_kind][0].extend(_say)
    PROFILE[_kind][2].extend(_ask)
PROFILE.update(KEEPSAKES)
for _kind in memory_phrasings.SAY:
    PROFILE[_kind][0].extend(memory_phrasings.SAY[_kind])
    PROFILE[_kind][2].extend(memory_phrasings.ASK[_kind])


BOTH = ["{a} {b}", "{a} And {c}", "[Two questions|I want to know two things|Tell me two things]: {a} {b}", "~First: {a} Then: {b}", *memory_phrasings.BOTH]


def whole(saying):
    """With an end, so that another sentence can follow."""
    return saying if saying[-1] in ".!?" else saying + "."


PASSING = [arithmetic.sum_turn, knowledge.capital, knowledge.unit, knowledge.fact, lists.list_turn]
"""What can be asked in the message that tells something."""
MINE = re.compile(r"\b(my|I|me)\b")


def some_kinds(r, count):
    """Kinds of facts that no question confuses."""
    kinds = []
    while len(kinds) < count:
        kind = r.choices(list(PROFILE), [WEIGHTS.get(k, 1) for k in PROFILE])[0]
        if kind not in kinds and not any(kind in group and group & set(kinds) for group in ALIKE):
            kinds.append(kind)
    return kinds


def values(r, kinds):
    """Different values for them."""
    told = {}
    for kind in kinds:
        told[kind] = str(PROFILE[kind][4](r))
        while list(told.values()).count(told[kind]) > 1:
            told[kind] = str(PROFILE[kind][4](r))
    return told


def said(template, value):
    """The value in the slot of a template of one kind."""
    return tellings.filled(template.replace("{x}", "{it}"), {"it": value})


def told_one(r, kind, value):
    """A message that tells one thing."""
    if r.random() < 0.6:
        return said(phrase(r, PROFILE[kind][0]), value)
    return tellings.filled(noisy(r, tellings.framed(r, tellings.one(r, kind))), {kind: value})


def told_all(r, told):
    """A message that tells several things: one sentence, or one for each."""
    if r.random() < 0.6:
        return tellings.filled(noisy(r, tellings.framed(r, tellings.compound(r, list(told)))), told)
    return " ".join(said(whole(expand(r, choose(r, PROFILE[kind][0]))), value) for kind, value in told.items())


def noted(kind, value):
    """The reply to a fact."""
    reply = PROFILE[kind][1]
    return (reply[0].upper() + reply[1:]).replace("{x}", value[0].upper() + value[1:] if reply.startswith("{x}") else value)


def question_for(r, kind):
    """A question for the fact, in its own words or in general ones."""
    general = tellings.recall(r, kind) if r.random() < 0.3 else None
    return noisy(r, general) if general else ask(r, PROFILE[kind][2])


def recalled(r, kind, value, question=""):
    """The question and its answer."""
    return Turn(question or question_for(r, kind), said(PROFILE[kind][3], value), f"The user told me: {value}.", brief=f"{value}.")


def both(r, first, second, told):
    """Two questions at once, two answers."""
    ask_first, ask_second = (expand(r, choose(r, PROFILE[kind][2])) for kind in (first, second))
    lowered = ask_second if ask_second.startswith("I ") else ask_second[0].lower() + ask_second[1:]
    question = fill(expand(r, choose(r, BOTH)), a=whole(ask_first), b=whole(ask_second), c=lowered)
    answers = [said(PROFILE[kind][3], told[kind]) for kind in (first, second)]
    return Turn(question, " ".join(answers), f"The user told me: {told[first]} and {told[second]}.", plain=False)


def about_me(r, told):
    """All that was told, in its order."""
    return Turn(noisy(r, expand(r, choose(r, tellings.ABOUT_ME))), " ".join(said(PROFILE[k][3], v) for k, v in told.items()),
        f"The user told me: {', '.join(told.values())}.", plain=False)


def small_turn(r):
    """Something short between what is told and the question for it, that does not ask for what was told."""
    turns = greeting(r) if r.random() < 0.5 else r.choice(PASSING)(r)
    return [turn for turn in turns if not MINE.search(turn.user) or not turn.reply.startswith("I don't know that")]


def memory(r, between):
    """The user tells one to three things, perhaps talks of something else, then asks for them back."""
    k = r.random()
    if k < 0.45:
        return told_turns.scene(r, small_turn, 0.22) if k < 0.33 else told_turns.contrast(r, small_turn, question_for)
    count = r.choices([1, 2, 3], [45, 35, 20])[0]
    together = count > 1 and r.random() < 0.6
    kinds, sentence = tellings.combined(r) if together and r.random() < 0.4 else (some_kinds(r, count), "")
    told = values(r, kinds)
    if together:
        message = tellings.filled(noisy(r, tellings.framed(r, sentence)), told) if sentence else told_all(r, told)
        thought, reply = "The user tells me several things. I remember them.", NOTED
        if r.random() < 0.15:
            kind = r.choice(kinds)
            asked = f"{whole(ask(r, PROFILE[kind][2]))} {message}" if r.random() < 0.25 else f"{whole(message)} {question_for(r, kind)}"
            return [recalled(r, kind, told[kind], asked)]
    else:
        message = told_one(r, kinds[0], told[kinds[0]])
        thought, reply = "The user tells me something. I remember it.", noted(kinds[0], told[kinds[0]])
    after = between(r) if r.random() < 0.5 else []
    after = [turn for turn in after if not (turn.reply.startswith("I don't know that") and MINE.search(turn.user))]
    if after and (together or len(kinds) == 1) and r.random() < 0.35:
        passing = r.choice(PASSING)(r)
        question = passing[0].user
        last = question[-1] in ".?" and "\n" not in question and r.random() < 0.35
        passing[0].user = f"{question} {tellings.begin(message)}" if last else f"{whole(message)} {question}"
        turns = passing + (after if r.random() < 0.3 else [])
    else:
        turns = [Turn(message, reply, thought)]
        turns += [] if together else [Turn(told_one(r, k, told[k]), noted(k, told[k]), thought) for k in kinds[1:]]
        turns += after
    if r.random() < 0.06:
        turns.append(about_me(r, told))
    if len(kinds) > 1 and r.random() < 0.2:
        turns.append(both(r, *kinds[:2], told))
        kinds = kinds[2:] or kinds[:1]
    return turns + [recalled(r, kind, told[kind]) for kind in r.sample(kinds, r.randint(1, len(kinds)))]


def correction(r):
    """The user changes a fact; the later one counts."""
    if r.random() < 0.3:
        return told_turns.scene(r, small_turn, 1)
    kinds = some_kinds(r, 2 if r.random() < 0.3 else 1)
    kind, told = kinds[-1], values(r, kinds)
    first = told[kind]
    told[kind] = second = next(v for v in iter(lambda: str(PROFILE[kind][4](r)), None) if v != first)
    k, clear = r.random(), True
    if k < 0.35:
        change = said(expand(r, choose(r, correction_phrasings.CHANGES)) + expand(r, choose(r, PROFILE[kind][0])), second)
    else:
        line = expand(r, choose(r, tellings.LATER[kind] if k < 0.5 and kind in tellings.LATER else tellings.CORRECTED))
        change, clear = tellings.filled(noisy(r, tellings.begin(line)), {"x": first, "y": second}), k < 0.5 or "{x}" in line
    thought = "The user tells me something. I remember it."
    turns = [Turn(told_one(r, k, told[k]), noted(k, told[k]), thought) for k in kinds[:-1]]
    message = told_one(r, kind, first)
    if r.random() < 0.2:
        turns.append(Turn(f"{whole(message)} {change}", noted(kind, second), "The user corrects it."))
    else:
        turns += [Turn(message, noted(kind, first), thought), *(small_turn(r) if clear and r.random() < 0.25 else []), Turn(change, noted(kind, second), "The user corrects it.")]
    if r.random() < 0.3:
        turns += small_turn(r)
    return turns + [recalled(r, k, told[k]) for k in r.sample(kinds, r.randint(1, len(kinds)))]
