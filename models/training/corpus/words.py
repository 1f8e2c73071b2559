"""Ordinary words and short texts that users write into arguments and documents: to be copied, not to be known."""
from . import everyday_texts, lexicon
from .grammar import expand

COMMON = ("people house water money school family night story place world hand week company system program question work government point home number area mother "
    "father month lot right study job word business issue side kind head service friend power hour line end member law car community name president team "
    "minute idea body information back parent face others level office person art war history party result change morning reason research girl guy moment air teacher "
    "force education foot boy age policy process music market sense nation plan college interest death experience effect use class control care field development role "
    "effort rate heart drug show leader light voice wife police mind price report decision view relationship town road arm difference value building action season society "
    "tax director position player record paper space ground form event official matter center couple site project activity star table need court oil situation cost industry "
    "figure street image phone data picture practice piece land product doctor wall worker news test movie north love lunch dinner breakfast dentist appointment workshop "
    "review kickoff interview training conference concert museum airport station hospital pharmacy supermarket gym pool beach harbor castle bakery grandma uncle neighbor "
    "printer monitor keyboard charger battery cable wallet passport luggage sunscreen toothpaste soap shampoo towel blanket pillow sugar flour butter eggs rice pasta "
    "chicken beef fish tomato cucumber pepper garlic ginger mushroom spinach broccoli pizza burger sandwich chocolate vanilla strawberry yoghurt honey jam juice wine beer "
    "winter summer autumn spring rain storm thunder sunshine weekend holiday anniversary wedding funeral graduation deadline draft contract invoice receipt payment "
    "quarterly annual monthly weekly daily final urgent open broken missing lost late early free busy ready happy funny strange famous local modern ancient secret golden "
    "silent hidden wild little lonely distant endless blue silver midnight morning evening running walking reading writing cooking cleaning painting swimming").split()
ANIMALS = "dog,cat,horse,rabbit,hamster,parrot,turtle,goldfish,cow,sheep,goat,pig,chicken,duck,lion,tiger,elephant,bear,wolf,fox,whale,snake,frog,panda,otter,owl,dolphin,penguin,koala,hedgehog,giraffe,seal,raven".split(",")
SUBJECTS = "math,physics,chemistry,biology,history,geography,music,art,English,French,German,economics,philosophy,law,medicine,sports,computer science".split(",")
SPORTS = "football,tennis,basketball,hockey,golf,swimming,running,cycling,volleyball,rugby,baseball,boxing,rowing,skiing,badminton,judo,cricket,handball,karate".split(",")
ALLERGENS = "nuts,peanuts,milk,eggs,fish,cats,dogs,pollen,dust,wheat,soy,strawberries,bees,shellfish,gluten,latex,penicillin,sesame,horses,kiwi,apples,celery".split(",")
UNITS = "kilometers miles meters feet inches centimeters kilograms pounds grams ounces liters gallons".split()
STREETS = "Oak Main Park Church Mill Station River High Hill Maple Garden Lake King Queen Forest Market".split()
NAMES = ["The {a} {n}", "{p}'s", "{p}'s {n}", "{a} {n}", "Cafe {p}", "The {n}", "{s}", "La {n}", "{p} and {m}"]
TITLES = ["{c}", "{c} {n}", "{a} {n}", "{n} with {p}", "{n} {c}", "call {p}", "buy {n}", "pay the {n}", "clean the {n}", "{c} of the {a} {n}", "my {n}",
    "fix the {n}",
    "{p} and the {n}", "the {a} {c}", "{s}", "{c} and {n}", "plan the {c}", "{c} {d}"]
TEXTS = ["[I will be|I'm|I am] [late|there soon|at home|on my way|ready|in the {n}]", "see you [tomorrow|later|soon|on {w}|at the {n}]",
    "the {n} is [{a}|ready|here|broken|at the {c}]",
    "[happy birthday|good luck|thank you|congratulations|well done]", "please [call me|buy {n}|bring the {n}|wait for me|open the {n}]",
    "don't forget the [{n}|{c}]",
    "we need {n} and {n2}", "the [{c}|meeting] [starts at {t}|moved to {w}|is cancelled]", "[can you|could you] [bring {n}|call {p}|help me]?",
    "{p} [likes|has|needs] the {a} {n}",
    "how are you[?|]", "I [love|need|found|lost] [the|your|my] {n}", "dinner is at {t}", "no {n} today"]


def _fill(r, text):
    both = COMMON + lexicon.WORDS
    for key, make in (("{a}", lambda: r.choice(lexicon.ADJECTIVES + ["golden", "silent", "hidden", "little", "blue", "secret"])),
        ("{n}", lambda: r.choice(both)),
            ("{n2}", lambda: r.choice(both)), ("{c}", lambda: r.choice(COMMON)), ("{p}", lambda: r.choice(lexicon.NAMES)),
                ("{m}", lambda: r.choice(lexicon.NAMES)),
            ("{s}", lambda: lexicon.pseudo_word(r)), ("{w}", lambda: r.choice(lexicon.DAYS)), ("{d}", lambda: str(r.randint(2, 99))),
                ("{t}", lambda: lexicon.clock_time(r))):
        if key in text:
            text = text.replace(key, make())
    return text


def venue(r):
    """A restaurant, a shop, a hotel: capital letters."""
    text = _fill(r, r.choice(NAMES))
    return " ".join(w[0].upper() + w[1:] if w != "and" else w for w in text.split())


def title(r):
    """What a thing is called: lower case, or capitals on all words or the first."""
    text, k = r.choice(everyday_texts.TITLES) if r.random() < 0.4 else _fill(r, r.choice(TITLES)), r.random()
    if k < 0.3:
        return " ".join(w[0].upper() + w[1:] for w in text.split())
    return text[0].upper() + text[1:] if k < 0.5 else text


def message(r):
    """A short message."""
    text = r.choice(everyday_texts.MESSAGES) if r.random() < 0.4 else _fill(r, expand(r, r.choice(TEXTS)))
    return text[0].upper() + text[1:] if r.random() < 0.4 else text


def day(r):
    """(date as said, True if it stands without 'on')."""
    k = r.random()
    if k < 0.3:
        return lexicon.date(r), False
    if k < 0.55:
        return r.choice(lexicon.DAYS), False
    if k < 0.75:
        return r.choice([f"{r.choice(lexicon.MONTHS)} {r.randint(1, 28)}", f"{r.randint(1, 28)} {r.choice(lexicon.MONTHS)}",
            f"{r.randint(1, 28)}.{r.randint(1, 12)}.202{r.randint(4, 9)}"]), False
    return r.choice(["today", "tomorrow", "tonight", "next " + r.choice(lexicon.DAYS), "next week", "this " + r.choice(lexicon.DAYS)]), True


def clock(r):
    """A time as said."""
    k = r.random()
    if k < 0.6:
        return lexicon.clock_time(r)
    return r.choice([f"{r.randint(1, 12)} {r.choice(['am', 'pm'])}", f"{r.randint(1, 12)}{r.choice(['am', 'pm'])}",
        f"{r.randint(1, 12)}:{r.randint(10, 59)} {r.choice(['am', 'pm'])}", "noon", "midnight"])


def phone(r):
    """A telephone number, in one of its spellings."""
    return r.choice([f"+{r.randint(1, 99)}{r.randint(10 ** 6, 10 ** 9)}", f"0{r.randint(10, 999)} {r.randint(1000, 999999)}", f"0{r.randint(100000, 9999999)}",
        f"555-{r.randint(1000, 9999)}", f"{r.randint(100, 999)}-{r.randint(1000, 9999)}", f"{r.randint(100, 999)} {r.randint(100, 999)} {r.randint(10, 99)}",
        str(r.randint(10000, 999999))])


def url(r):
    site = f"{r.choice(['example', 'test', lexicon.pseudo_word(r)])}.{r.choice(['com', 'org', 'net'])}"
    return f"https://{site}{r.choice(['', '', '/' + r.choice(lexicon.WORDS), '/docs/' + r.choice(lexicon.WORDS)])}"


def street(r):
    return f"{r.randint(1, 199)} {r.choice(STREETS + [lexicon.pseudo_word(r).capitalize()])} {r.choice(['Street', 'Road', 'Avenue', 'Lane'])}"
