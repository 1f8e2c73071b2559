"""Facts that stand somewhere in a long text: several statements, several questions, one answer for each kind."""
from . import lexicon, words
from .everyday_needles import MORE
from .grammar import choose, expand, parse
from .needle_phrasings import EXTRA
from .phrasing import Turn, ask, fill

NAME, ITEM = lexicon.random_name, lambda r: r.choice(lexicon.ADJECTIVES) + " " + r.choice(lexicon.NOUNS)
NOUN, CAPITAL = lambda r: r.choice(lexicon.NOUNS + words.COMMON), lambda r: lexicon.pseudo_word(r, 2).capitalize()
either = lambda text: parse(f"[{text}]")[0][1]
CODE, PORT = lexicon.identifier, lambda r: r.randint(1000, 9999)
# (statements, questions, answer, key, value); the first statement is the answer of old.
NEEDLES = [
    ("The secret code of {k} is {v}.|{k} has the secret code {v}.|Secret code of {k}: {v}|For {k}, the secret code is {v}.|Note that {k} uses {v} as secret code.",
     "What is the secret code of {k}?|Which secret code does {k} have?|Tell me the secret code of {k}.|What is {k}'s secret code?|What secret code belongs to {k}?|What secret code does {k} use?",
     "The secret code of {k} is {v}.", NAME, CODE),
    ("{k} lives in {v}.|The home of {k} is {v}.|{k} has a flat in {v}.|{v} is where {k} lives.|{k} moved to {v} and lives there.",
     "Where does {k} live?|In which city does {k} live?|Which city does {k} live in?|What is the home of {k}?|Where is the home of {k}?|Which place does {k} call home?", "{k} lives in {v}.", NAME, lexicon.random_city),
    ("The phone number of {k} is {v}.|Call {k} at {v}.|Phone {k}: {v}|You can reach {k} by phone at {v}.|{k} has the phone number {v}.",
     "What is the phone number of {k}?|Which phone number does {k} have?|How can I call {k}?|What is {k}'s phone number?|At which number can I reach {k}?",
     "The phone number of {k} is {v}.", NAME, words.phone),
    ("The {k} costs {v} dollars.|The price of the {k} is {v} dollars.|You pay {v} dollars for the {k}.|{v} dollars is the price of the {k}.",
     "How much does the {k} cost?|What is the price of the {k}?|What does the {k} cost?|How many dollars is the {k}?|How expensive is the {k}?|How much do I pay for the {k}?", "The {k} costs {v} dollars.", ITEM, lambda r: r.randint(2, 999)),
    ("The favorite color of {k} is {v}.|{k} likes the color {v} best.|{k}'s favorite color is {v}.|Of all colors, {k} likes {v} most.",
     "What is the favorite color of {k}?|Which color does {k} like?|What color does {k} like?|What is {k}'s favorite color?|Which color does {k} like best?",
     "The favorite color of {k} is {v}.", NAME, lambda r: r.choice(lexicon.COLORS)),
    ("The password for the {k} is {v}.|The {k} has the password {v}.|Use the password {v} for the {k}.|To open the {k}, type {v}.",
     "What is the password for the {k}?|Which password does the {k} have?|Tell me the password for the {k}.|What is the password of the {k}?|How do I open the {k}?|What do I type to open the {k}?", "The password for the {k} is {v}.", NOUN, CODE),
    ("The meeting about {k} starts at {v}.|At {v} we meet about {k}.|The {k} meeting is at {v}.|Meeting on {k}: {v}",
     "When does the meeting about {k} start?|At what time is the meeting about {k}?|When is the {k} meeting?|What time does the {k} meeting begin?|When do we meet about {k}?", "The meeting about {k} starts at {v}.", NOUN, lexicon.clock_time),
    ("{k} works as a {v}.|{k} is a {v}.|The job of {k} is {v}.|{k} earns money as a {v}.",
     "What is the job of {k}?|What does {k} work as?|What does {k} do for work?|What is {k}'s job?|Which job does {k} have?|What is {k}'s profession?",
     "{k} works as a {v}.", NAME, lambda r: r.choice(lexicon.JOBS)),
    ("The magic word is {v}.|Remember the magic word: {v}|The magic word of today is {v}.|Do not forget that the magic word is {v}.",
     "What is the magic word?|Tell me the magic word.|Which magic word was given?|Which word is the magic one?|What magic word is mentioned?",
     "The magic word is {v}.", lambda r: "", lexicon.pseudo_word),
    ("The server {k} listens on port {v}.|Port {v} belongs to the server {k}.|Server {k} uses port {v}.|{k} is the server on port {v}.",
     "Which port does the server {k} use?|On which port does the server {k} listen?|What is the port of the server {k}?|What port is {k} on?",
     "The server {k} listens on port {v}.", lambda r: lexicon.pseudo_word(r, 2), PORT),
    ("The project {k} is led by {v}.|{v} leads the project {k}.|{v} is the head of project {k}.|Lead of project {k}: {v}",
     "Who leads the project {k}?|Who is the lead of project {k}?|Who is the head of project {k}?|Who is in charge of {k}?|Who runs the project {k}?",
     "The project {k} is led by {v}.", CAPITAL, NAME),
    ("The birthday of {k} is on {v}.|{k} was born on {v}.|{k} has a birthday on {v}.",
        "When is the birthday of {k}?|When was {k} born?|What is {k}'s birthday?|On which day does {k} have a birthday?",
     "The birthday of {k} is on {v}.", NAME, lambda r: f"{r.choice(lexicon.MONTHS)} {r.randint(1, 28)}"),
    ("The email of {k} is {v}.|Write to {k} at {v}.|{k} <{v}>|{k} has the email address {v}.",
        "What is the email of {k}?|Which email does {k} have?|How can I write to {k}?|What is {k}'s email address?", "The email of {k} is {v}.", NAME,
        lexicon.email),
    ("The {k} is kept in room {v}.|You find the {k} in room {v}.|Room {v} holds the {k}.|We put the {k} in room {v}.",
        "In which room is the {k}?|Where is the {k}?|Where is the {k} kept?|Which room holds the {k}?|Where do I find the {k}?",
     "The {k} is kept in room {v}.", ITEM, lambda r: r.randint(1, 400)),
    ("Order {k} was sent to {v}.|{v} received order {k}.|We sent order {k} to {v}.",
        "Who received order {k}?|To whom was order {k} sent?|Where did order {k} go?|Who got order {k}?", "Order {k} was sent to {v}.", CODE, NAME),
    ("The status of ticket {k} is {v}.|Ticket {k} is {v}.|Ticket {k}: {v}",
        "What is the status of ticket {k}?|Which status does ticket {k} have?|How is ticket {k}?", "The status of ticket {k} is {v}.", CODE,
     lambda r: r.choice(["open", "closed", "pending", "done", "blocked"])),
    ("{k} is {v} years old.|The age of {k} is {v}.|{k}, aged {v}, was there.", "How old is {k}?|What is the age of {k}?|What is {k}'s age?",
        "{k} is {v} years old.", NAME, lambda r: r.randint(4, 99)),
    ("The train to {k} leaves from platform {v}.|Platform {v} is for the train to {k}.|For {k}, go to platform {v}.",
        "From which platform does the train to {k} leave?|Which platform is for {k}?|What platform has the train to {k}?",
     "The train to {k} leaves from platform {v}.", lexicon.random_city, lambda r: r.randint(1, 30)),
    ("The wifi password is {v}.|Our wifi uses the password {v}.|For the wifi, type {v}.",
        "What is the wifi password?|How do I get into the wifi?|Tell me the password of the wifi.", "The wifi password is {v}.", lambda r: "", CODE),
    ("{k} has {v} {t}.|There are {v} {t} at {k}'s place.|{k} owns {v} {t}.",
        "How many {t} does {k} have?|How many {t} does {k} own?|What number of {t} does {k} have?", "{k} has {v} {t}.", NAME, lambda r: r.randint(2, 99)),
]
COMMON = len(NEEDLES)
"""How many of the kinds, the first ones, people ask for most."""
# What stands before the colon where a fact is a row or an item of a list.
LABELS = dict(zip((n[2] for n in NEEDLES), ("secret code|home|phone|price in dollars|favorite color|password|meeting|job|magic word|port|lead|birthday|email|room|sent to|status|age|"
    "platform for the train|wifi password|{t}").split("|"))) | {n[2]: n[5] for n in MORE}
NEEDLES = [("|".join((a, *EXTRA[c][:1])), "|".join((b, *EXTRA[c][1:])), c, k, v) if c in EXTRA else (a, b, c, k, v) for a, b, c, k, v, *_ in NEEDLES + MORE]
NEEDLES = [(either(a), either(b), c, k, v) for a, b, c, k, v in NEEDLES]
FREE = (either("The {l} of {k} is {v}.|The {l} of {k} is {v}.|{k}'s {l} is {v}.|{k} has the {l} {v}.|{v} is the {l} of {k}.|For {k}, the {l} is {v}.|The {l} for {k} is {v}.|The {l} of {k}: {v}"
    "|We set the {l} of {k} to {v}.|As the {l} of {k} we noted {v}.|The {l} that {k} uses is {v}.|{k} got {v} as {l}.|The {l} belonging to {k} is {v}."),
    either("What is the {l} of {k}?|What is the {l} of {k}?|What is {k}'s {l}?|Which {l} does {k} have?|Tell me the {l} of {k}.|What {l} belongs to {k}?|What is the {l} for {k}?|Which {l} is {k}'s?"
    "|What {l} does {k} have?|I need the {l} of {k}.|{k}'s {l}?|Which is the {l} of {k}?|What does the text say about the {l} of {k}?|~Would you look up {k}'s {l}?"))
FREE_ALONE = (either("The {l} is {v}.|Our {l} is {v}.|The {l}: {v}|We use {v} as {l}.|{v} is the {l}.|The {l} was set to {v}.|The {l} for today is {v}."),
    either("What is the {l}?|Which {l} is it?|Tell me the {l}.|What is our {l}?|The {l}?|I need the {l}.|What {l} do we use?|Which {l} is mentioned?|~Would you look up the {l}?"))
FREE_SHARE = 0.35


def free(r):
    """A kind of facts with any words as its label, so that a question is not taken for the nearest kind: (statements, questions, answer, key, value, label)."""
    label = r.choice([NOUN, lambda r: f"{NOUN(r)} {NOUN(r)}", lambda r: f"{NOUN(r)} {NOUN(r)}", ITEM,
        lambda r: f"{NOUN(r)} {r.choice(['code', 'number', 'name', 'date', 'key', 'word', 'color', 'size', 'price', 'address', 'owner', 'limit', 'id'])}"])(r)
    make = r.choice([lexicon.odd_code, lexicon.identifier, lexicon.value, lambda r: r.choice(lexicon.WORDS), lexicon.random_number, lexicon.random_name])
    alone = r.random() < 0.15
    key = r.choice([NAME, NAME, CAPITAL, lexicon.random_city, lambda r: "the " + ITEM(r), lambda r: "the " + NOUN(r), lambda r: f"{r.choice(['Room', 'Unit', 'Team', 'Project', 'Station'])} {CAPITAL(r)}"])
    return *(FREE_ALONE if alone else FREE), "The {l} is {v}." if alone else "The {l} of {k} is {v}.", (lambda r: "") if alone else key, make, label


THINGS = "horses books cars boats cats coins hats lamps paintings bikes".split()
DUE = ["", "", "", "", "Important: ", "By the way, ", "Note: ", "Reminder: ", "FYI: ", "~Attention: ", "One more thing: ", "It says here: ", "P.S. ", "In short: ", "As agreed: ", "Also: ", "Please note: ", "For the record: "]
REPORTED = ["{p} [said|wrote|told us|mentioned|thinks|noted] that {s}", "[As you know|As always|In fact|After all|Meanwhile|Since Monday|As {p} said], {s}",
    "[We learnt|I read|I heard|The letter says|It is known|Everybody knows] that {s}", "~Rumor has it that {s}"]
SMALL = ("The ", "At ", "You ", "Our ", "There ", "We ", "For ", "Use ", "To ", "Port ", "Platform ", "Room ", "From ", "On ", "In ", "It ", "With ", "Under ", "First ", "Because ",
    "By ", "A little ", "Order ", "Ticket ", "Flight ", "Line ", "Invoice ", "Office ", "Seat ", "Parking ", "Delivery ", "Passengers ", "As ", "Boarding ", "Bus ", "Nobody ", "What ", "Of ")
COMMANDS = ("Call", "Use", "Write", "Remember", "Do ", "Note", "Take", "Look", "Please", "Visit", "Turn", "Hand", "Expect", "Leave", "Spend", "Send", "Phone", "Dinner", "To ")
BEFORE = ["[Before I forget|One last point|On another note|As for the rest|A small detail|While I think of it|From the minutes|Good to know|To be clear|Just so you know]: ",
    "{p} [called|came by|was here] and [said|told me]: ", "[Then|Later|Yesterday|This morning|In the end] {p} [told me|explained|wrote]: "]
AFTER = [", [as agreed on {w}|and that is final|so they say|if I am not wrong|as far as I know|and {p} knows it too|which surprised {p}|at least for now|as {p} found out|and nobody objected]",
    " ([see page {d}|as of {m}|{p} checked this|new|confirmed|not yet public])", "; [the rest is still open|{p} has the details|more on this later|everything else stays the same]"]
LINES = ["- {s}", "* {s}", "{d}. {s}", "{h} INFO {s}", "[{h}] {p}: {s}", "{p}: {s}", "> {s}", "# {s}", "Note {d}: {s}", "// {s}", "TODO: {s}", "Q&A {d}: {s}", "{h} - {s}", '"{s}"', "=> {s}", "({s})"]
LABELED = ["{l} of {k}: {v}", "{k}: {l} {v}", "{k} - {l}: {v}", "{l} ({k}): {v}", "{l}, {k}: {v}"]
LABELED_LINES = ["| {k} | {l} | {v} |", "- {k}: {l} {v}", "- {l} of {k}: {v}", "{h} INFO {l} {k} {v}", "{k}; {l}; {v}", "* {l} ({k}): {v}", "{k} / {l} = {v}"]


def around(r, line, said):
    """A line of a layout with the sentence in it."""
    return fill(expand(r, line), s=said, p=r.choice(lexicon.NAMES), w=r.choice(lexicon.DAYS), m=r.choice(lexicon.MONTHS), d=r.randint(2, 40), h=lexicon.clock_time(r))


def labeled(r, label, k, v, lines):
    """The fact as a row, an item or a short entry."""
    if not k:
        return r.choice(["{l}: {v}", "{l} = {v}", "{l}: {v}."]).format(l=label, v=v)
    out = fill(around(r, choose(r, LABELED_LINES if lines and r.random() < 0.7 else LABELED), ""), l=label, k=k, v=v)
    return out[0].upper() + out[1:] if r.random() < 0.5 else out


def reported(r, statement):
    """The sentence inside of a longer one."""
    inner = statement[0].lower() + statement[1:] if statement.startswith(SMALL) else statement
    way = r.random()
    if way < 0.4:
        return fill(expand(r, choose(r, REPORTED)), p=r.choice(lexicon.NAMES), s=inner)
    if way < 0.65:
        return around(r, r.choice(BEFORE), "") + statement
    return statement[:-1] + around(r, r.choice(AFTER), "") + "."


def facts(r, count, seen=None, names=(), lines=False):
    """`count` (statement, turn) of one kind, about different keys. `seen`: what was told, not to be told again. `names`: people of whom
    other things are told. `lines`: each piece of the text stands on a line of its own."""
    statements, questions, answer, key, make, label = free(r) if r.random() < FREE_SHARE else (*r.choice(NEEDLES[:COMMON] if r.random() < 0.3 else NEEDLES), None)
    out, seen, thing = [], set() if seen is None else seen, r.choice(THINGS)
    for _ in range(count):
        k = r.choice(names) if names and key is NAME and r.random() < 0.5 else str(key(r))
        if (answer, label, k) in seen:
            continue
        odd = r.random() < 0.2
        v = next(v for v in (lexicon.odd_code(r) if odd else str(make(r)) for _ in range(99)) if v != k)
        seen.add((answer, label, k))
        put = lambda s, k=k, v=v: fill(s, k=k, v=v, t=thing, l=label)
        statement, way = expand(r, choose(r, statements)), r.random()
        if way < (0.16 if lines else 0.05):
            said = labeled(r, label or put(LABELS[answer]), k, v, lines)
        elif way < 0.45 and statement[-1] == "." and not statement.startswith(COMMANDS):
            said = put(reported(r, statement))
        else:
            said = ("" if statement.startswith(COMMANDS) or r.random() < 0.6 else choose(r, DUE)) + put(statement)
        text = around(r, r.choice(LINES), said) if lines and 0.16 < way < 0.75 and r.random() < 0.35 else said
        out.append((text, Turn(ask(r, questions, k=k, v=v, t=thing, l=label), put(answer), f"The text says: {said}")))
    return out


def people(told):
    """The names of which `told`, the `seen` of `facts`, tells something."""
    about = {answer for _, _, answer, key, _ in NEEDLES if key is NAME}
    return sorted(k for answer, _, k in told if answer in about)
