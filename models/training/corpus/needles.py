"""Facts that stand somewhere in a long text: several statements, several questions, one answer for each kind."""
from . import lexicon, words
from .grammar import choose, expand
from .phrasing import Turn, ask, fill

NAME, ITEM = lexicon.random_name, lambda r: r.choice(lexicon.ADJECTIVES) + " " + r.choice(lexicon.NOUNS)
NOUN, CAPITAL = lambda r: r.choice(lexicon.NOUNS + words.COMMON), lambda r: lexicon.pseudo_word(r, 2).capitalize()
CODE, PORT = lexicon.identifier, lambda r: r.randint(1000, 9999)
PHONE = lambda r: r.choice([str(r.randint(10000, 999999)), f"{r.randint(100, 999)}-{r.randint(1000, 9999)}",
    f"0{r.randint(10, 99)} {r.randint(1000, 99999)}"])
# (statements, questions, answer, key, value); the first statement is the answer of old.
NEEDLES = [
    ("The secret code of {k} is {v}.|{k} has the secret code {v}.|Secret code of {k}: {v}|For {k}, the secret code is {v}.|Note that {k} uses {v} as secret code.",
     "What is the secret code of {k}?|Which secret code does {k} have?|Tell me the secret code of {k}.|What is {k}'s secret code?|What secret code belongs to {k}?|What secret code does {k} use?",
     "The secret code of {k} is {v}.", NAME, CODE),
    ("{k} lives in {v}.|The home of {k} is {v}.|{k} has a flat in {v}.|{v} is where {k} lives.|{k} moved to {v} and lives there.",
     "Where does {k} live?|In which city does {k} live?|Which city does {k} live in?|What is the home of {k}?|Where is the home of {k}?|Which place does {k} call home?", "{k} lives in {v}.", NAME, lexicon.random_city),
    ("The phone number of {k} is {v}.|Call {k} at {v}.|Phone {k}: {v}|You can reach {k} by phone at {v}.|{k} has the phone number {v}.",
     "What is the phone number of {k}?|Which phone number does {k} have?|How can I call {k}?|What is {k}'s phone number?|At which number can I reach {k}?",
     "The phone number of {k} is {v}.", NAME, PHONE),
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
NEEDLES = [(a.split("|"), b.split("|"), c, k, v) for a, b, c, k, v in NEEDLES]
THINGS = "horses books cars boats cats coins hats lamps paintings bikes".split()
DUE = ["", "", "", "", "Important: ", "By the way, ", "Note: ", "Reminder: ", "FYI: ", "~Attention: ", "One more thing: ", "It says here: ", "P.S. ", "In short: ", "As agreed: ", "Also: ", "Please note: ", "For the record: "]
REPORTED = ["{p} [said|wrote|told us|mentioned|thinks|noted] that {s}", "[As you know|As always|In fact|After all|Meanwhile|Since Monday|As {p} said], {s}",
    "[We learnt|I read|I heard|The letter says|It is known|Everybody knows] that {s}", "~Rumor has it that {s}"]
SMALL = ("The ", "At ", "You ", "Our ", "There ", "We ", "For ", "Use ", "To ", "Port ", "Platform ", "Room ")


def facts(r, count):
    """`count` (statement, turn) of one kind, about different keys."""
    statements, questions, answer, key, make = r.choice(NEEDLES)
    out, seen, thing = [], set(), r.choice(THINGS)
    for _ in range(count):
        k, v = str(key(r)), str(make(r))
        if k in seen:
            continue
        seen.add(k)
        put = lambda s: fill(s, k=k, v=v, t=thing)
        statement = expand(r, choose(r, statements))
        if r.random() < 0.15 and statement[-1] == ".":
            inner = statement[0].lower() + statement[1:] if statement.startswith(SMALL) else statement
            statement = fill(expand(r, choose(r, REPORTED)), p=r.choice(lexicon.NAMES), s=inner)
            said = put(statement)
        else:
            said = choose(r, DUE) + put(statement)
        out.append((said, Turn(ask(r, questions, k=k, v=v, t=thing), put(answer), f"The text says: {said}")))
    return out
