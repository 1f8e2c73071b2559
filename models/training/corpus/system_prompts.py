"""System messages: neutral ones, and ones with an order that the replies follow."""
from dataclasses import replace

from . import lexicon
from .phrasing import Turn, ask

NEUTRAL = ["You are a helpful assistant.", "You are infetch-tiny, a small assistant.", "You are a helpful AI assistant.", "Be kind.",
    "You are a friendly assistant. Be polite.", "You are an assistant inside a web page.", "You are a chatbot.", "Help the user.",
           "You are a helpful assistant that answers questions.", "Answer the user's questions.", "You are a helpful, honest assistant.",
               "Be helpful and correct."]
ENDINGS = ["Have a nice day!", "Thank you!", "Over.", "Cheers!", "Meow!", "Stay safe!", "Bye!", "Good luck!"]
ROLES = ["a cooking assistant", "a travel guide", "a math tutor", "a support agent", "a pirate", "a robot", "a librarian", "a music expert",
    "a shop assistant", "a fitness coach", "a friendly helper", "the assistant of a hotel"]


def ending(r):
    return r.choice(ENDINGS) if r.random() < 0.5 else lexicon.phrase_of_words(r, 1, 3) + r.choice([".", "!"])


def style(r):
    """(system text, function on the turn's reply): an order for every plain answer."""
    k = r.choice([0, 0, 1, 1, 2, 3, 3])
    if k == 0:
        x = ending(r)
        return r.choice(["Always end with: {x}", "End every answer with: {x}", "Always end your reply with \"{x}\"",
            "Finish each answer with: {x}"]).replace("{x}", x), lambda t: f"{t.reply} {x}"
    if k == 1:
        x = r.choice(["Sir,", "Well,", "Dear user,", "Answer:", "Captain,", lexicon.pseudo_word(r).capitalize() + ":"])
        return r.choice(["Start every answer with: {x}", "Always begin your reply with: {x}", "Begin each answer with \"{x}\""]).replace("{x}",
            x), lambda t: f"{x} {t.reply}"
    if k == 2:
        return r.choice(["Answer in upper case.", "Write only in capital letters.", "Always answer in UPPER CASE.",
            "Use capital letters only."]), lambda t: t.reply.upper()
    return r.choice(["Answer briefly.", "Be brief.", "Give short answers.", "Answer as briefly as you can.", "Keep your answers short.",
        "Be concise."]), lambda t: t.brief or t.reply


def apply(change, turn):
    """The turn with both replies changed by a style's function, if it is plain."""
    if not turn.plain:
        return turn
    return replace(turn, reply=change(turn), after_thought=turn.after_thought and change(replace(turn, reply=turn.after_thought)))


def persona(r):
    """(system text, turns that ask about it)."""
    name, role = lexicon.random_name(r), r.choice(ROLES)
    who = ["Who are you?", "What is your name?", "Introduce yourself.", "What should I call you?", "Tell me who you are.", "Your name?",
        "What are you called?", "Hi, who are you?"]
    k = r.random()
    if k < 0.5:
        system = r.choice(["You are {n}, {r}.", "Your name is {n}. You are {r}.", "Act as {n}, {r}."])
        turns = [Turn(ask(r, who + ["What do you do?", "What is your job?"]), f"I am {name}, {role}.", "The system message tells me who I am.",
            brief=f"I am {name}.")]
    elif k < 0.8:
        system = r.choice(["You are {n}.", "Your name is {n}.", "You are a helpful assistant called {n}.", "You are an assistant named {n}.",
            "Call yourself {n}."])
        turns = [Turn(ask(r, who), f"I am {name}.", "The system message tells me who I am.")]
    else:
        company = lexicon.pseudo_word(r).capitalize()
        system = r.choice(["You are {n}, the assistant of {c}.", "You are {n} and you work for {c}."])
        turns = [Turn(ask(r, who), f"I am {name} from {company}.", "The system message tells me who I am."),
            Turn(ask(r, ["Which company do you work for?", "Who do you work for?", "What company is this?"]), f"I work for {company}.",
            "The system message names the company.")]
        system = system.replace("{c}", company)
        r.shuffle(turns)
    return system.replace("{n}", name).replace("{r}", role), turns


def facts(r):
    """A system message with facts about the user or the business, and questions about them."""
    kinds = {"The user's name is {x}.": (["What is my name?", "Who am I?", "Do you know my name?"], "Your name is {x}.", lexicon.random_name),
        "The user lives in {x}.": (["Where do I live?", "Which city do I live in?"], "You live in {x}.", lexicon.random_city),
             "Today is {x}.": (["What day is it?", "Which day is today?", "What is today?"], "Today is {x}.",
                 lambda r: r.choice(lexicon.DAYS + [lexicon.date(r)])), "The shop opens at {x}.": (["When does the shop open?", "When do you open?",
                 "What are the opening hours?"], "The shop opens at {x}.", lexicon.clock_time),
             "The password is {x}.": (["What is the password?", "Tell me the password."], "The password is {x}.", lexicon.identifier),
                 "The support email is {x}.": (["What is the support email?", "How can I reach support?", "How do I contact support?"],
                 "The support email is {x}.", lexicon.email),
             "The price is {x} dollars.": (["What is the price?", "How much does it cost?"], "The price is {x} dollars.",
                 lambda r: r.randint(1, 999)), "The order number is {x}.": (["What is the order number?", "Which order number do I have?"],
                 "The order number is {x}.", lexicon.identifier),
             "The project is called {x}.": (["What is the project called?", "What is the name of the project?"], "The project is called {x}.",
                 lambda r: lexicon.pseudo_word(r).capitalize())}
    chosen = r.sample(list(kinds), r.randint(1, 4))
    values = {k: kinds[k][2](r) for k in chosen}
    system = r.choice(["", "You are a helpful assistant. ", "Context: "]) + " ".join(k.replace("{x}", str(values[k])) for k in chosen)
    turns = []
    for k in r.sample(chosen, r.randint(1, min(2, len(chosen)))):
        turns.append(Turn(ask(r, kinds[k][0]), kinds[k][1].replace("{x}", str(values[k])), "The system message says this."))
    return system, turns
