"""Words, names and random strings."""
import re
import string

NAMES = ("Ana Ben Carla David Elena Felix Grace Hugo Iris Jonas Karim Lena Marco Nina Omar Paula Quinn Rosa Sam Tara Ugo Vera Will Yara Zoe "
         "Mia Leo Eva Max Ida Alice Bob Charlie Diana Emma Frank George Hannah Ivan Julia Kevin Laura Maria Nathan Olivia Peter Rachel Sophie "
         "Thomas Victor Wendy Ahmed Priya Chen Yuki Fatima Lucas Noah Liam Amelia Jack Tom Lucy Anna Paul John Mary James Sarah Daniel").split()
SURNAMES = "Smith Jones Garcia Miller Silva Rossi Novak Keller Tanaka Khan Lopez Weber Moreau Larsen Costa Ivanov Brown Taylor Patel Kim".split()
CITIES = ("Paris Rome Berlin Madrid Oslo Lima Cairo Tokyo Delhi Lisbon Vienna Prague Dublin Athens Quito Seoul Boston Nairobi Zurich Geneva Milan "
          "Porto Lyon Bonn London Munich Hamburg Chicago Denver Seattle Toronto Montreal Sydney Melbourne Mumbai Bangkok Hanoi Warsaw Budapest "
          "Helsinki Stockholm Brussels Amsterdam Istanbul Dubai Miami Dallas Lagos Accra Bogota Havana Riga").split() + ["New York", "San Francisco",
              "Hong Kong", "Cape Town"]
COLORS = "red blue green yellow orange purple pink brown black white gray".split()
NOUNS = ("apple book car chair clock door engine flower garden hammer island jacket key lamp map notebook onion pencil queen river ship table "
         "umbrella violin window bottle candle desk envelope forest guitar helmet ladder mirror needle oven paper ring shoe train vase wheel "
         "bridge camera dragon eagle feather glove horse kite lemon mountain ocean piano radio spoon tiger tower wagon zebra box cup hat bag coin "
         "phone laptop letter ticket bread cheese milk tea coffee soup salad cake ball drum flag stone tree cloud star moon").split()
ADJECTIVES = "small big old new bright quiet fast slow heavy light warm cold soft hard clean round happy brave calm kind clever gentle".split()
JOBS = "teacher doctor nurse engineer baker farmer pilot lawyer designer painter driver chef writer plumber dentist gardener".split()
TOPICS = ("budget travel garden recipe meeting birthday invoice project holiday music football climate history cooking painting fitness "
          "marketing security database kitchen insurance science astronomy chess photography").split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
WORDS = NOUNS + ADJECTIVES + COLORS + TOPICS
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
        "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ONSETS = "b br c ch cl d dr f fl g gr h j k kl l m n p pl qu r s sh sl st t tr th v w x y z".split() + ["", ""]
VOWELS = "a e i o u a e i o u ai ea ee oo ou ia".split()
CODAS = ["", "", "", "n", "r", "l", "s", "t", "x", "m", "k", "nd", "rt", "ck", "ng", "st"]


def number_word(n):
    """Spell 0..99."""
    if n < 20:
        return ONES[n]
    return TENS[n // 10] + ("-" + ONES[n % 10] if n % 10 else "")


RUDE = re.compile("fuck|shit|cunt|cock|dick|slut|nazi|rape|porn|piss|tits|suck|sex|anus|fag|wank|bitch|penis|puss|crap|^nig|whor")


def pseudo_word(r, syllables=None):
    """A word that is in no dictionary, such as 'brendaix'."""
    word = "".join(r.choice(ONSETS) + r.choice(VOWELS) + r.choice(CODAS) for _ in range(syllables or r.choice([1, 2, 2, 3])))
    return pseudo_word(r, syllables) if RUDE.search(word) else word


def random_name(r):
    """A proper name, often an invented one."""
    k = r.random()
    if k < 0.5:
        return r.choice(NAMES)
    if k < 0.6:
        return r.choice(NAMES) + " " + r.choice(SURNAMES)
    return pseudo_word(r).capitalize()


def random_city(r):
    return r.choice(CITIES) if r.random() < 0.65 else pseudo_word(r).capitalize()


def random_number(r, top_digits=4):
    digits = r.randint(1, top_digits)
    return r.randint(10 ** (digits - 1) if digits > 1 else 0, 10 ** digits - 1)


def identifier(r):
    """Codes: 'A7K-204', '8f3b01', 'ORD-5512', 'x92', and those of `odd_code`."""
    k = r.randint(0, 7)
    upper, lower = string.ascii_uppercase, "abcdef0123456789"
    if k == 0:
        return "".join(r.choice(upper + string.digits) for _ in range(3)) + "-" + str(r.randint(100, 999))
    if k == 1:
        return "".join(r.choice(lower) for _ in range(r.randint(4, 8)))
    if k == 2:
        return "".join(r.choice(upper) for _ in range(r.randint(2, 3))) + "-" + str(r.randint(10, 99999))
    if k == 3:
        return str(r.randint(1000, 999999))
    if k == 4:
        return r.choice(upper) + str(r.randint(1, 999))
    return odd_code(r)


def odd_code(r):
    """A code of any shape, so that a shape is never guessed: '7/44-b', 'Rt.902', 'blue_17_fox', '#4C:9', '03-11-82'."""
    def letters(alphabet, most):
        return "".join(r.choice(alphabet) for _ in range(r.randint(1, most)))

    groups = [lambda: letters(string.ascii_uppercase, 4), lambda: letters(string.ascii_lowercase, 3), lambda: letters(string.digits, 5), lambda: letters(string.digits, 2),
        lambda: letters(string.ascii_uppercase + string.digits, 6), lambda: letters(string.ascii_letters + string.digits, 6), lambda: r.choice(WORDS),
        lambda: r.choice(WORDS).capitalize(), lambda: pseudo_word(r, 1)]
    count = r.choices([1, 2, 3, 4], [1, 6, 4, 1])[0]
    one, same = r.choice(groups), r.random() < 0.25
    parts = [one() if same else r.choice(groups)() for _ in range(count)]
    code = r.choice(["-", "-", "-", "", "/", ".", "_", ":"]).join(parts)
    code = r.choice(["", "", "", "", "", "", "#"]) + code
    return code if len(code) > 1 else code + str(r.randint(10, 99))


def email(r):
    return f"{(r.choice(NAMES) if r.random() < .6 else pseudo_word(r)).lower()}{r.choice(['', '', str(r.randint(1, 99))])}@{r.choice(['example.com', 'mail.com', 'test.org', pseudo_word(r) + '.com'])}"


def file_path(r):
    folder = r.choice(["src", "docs", "data", "images", "home", "notes", pseudo_word(r)])
    return f"{r.choice(['', '/', '/home/'])}{folder}/{r.choice(WORDS)}.{r.choice(['txt', 'md', 'py', 'json', 'csv', 'ts', 'js'])}"


def date(r):
    return f"20{r.randint(20, 29)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}"


def clock_time(r):
    return f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d}"


def phrase_of_words(r, low=2, high=5):
    """Random words in a row, some of them invented."""
    return " ".join(r.choice(WORDS) if r.random() < 0.75 else pseudo_word(r) for _ in range(r.randint(low, high)))


def value(r):
    """Any short thing worth copying."""
    return r.choice([random_name, random_city, identifier, email, date, clock_time, lambda r: r.choice(WORDS), pseudo_word,
                     lambda r: str(random_number(r)), lambda r: r.choice(DAYS), file_path])(r)


def article(noun):
    return ("an " if noun[0].lower() in "aeiou" and not noun.startswith(("uni", "uku")) else "a ") + noun


PLURALS = {"wolf": "wolves", "person": "people", "deer": "deer", "goose": "geese", "mouse": "mice", "sheep": "sheep", "fish": "fish", "octopus": "octopuses", "leaf": "leaves", "stop sign": "stop signs", "tooth": "teeth", "goldfish": "goldfish", "cactus": "cactuses", "snowman": "snowmen"}


def capitalized(text):
    """With a capital at the start; the other letters stay as they are."""
    return text[0].upper() + text[1:]


def many(noun):
    """The plural of an animal or a thing."""
    if noun in PLURALS:
        return PLURALS[noun]
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + ("es" if noun.endswith(("to", "x", "ch", "s")) else "s")


def plural(unit, n):
    return unit if n == 1 else {"foot": "feet", "inch": "inches", "century": "centuries"}.get(unit, unit + "s")


def join_and(items):
    """'a', 'a and b', 'a, b and c'."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " and " + items[-1]
