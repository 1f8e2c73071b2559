"""The kinds of arguments: what they may be called in a schema, how a value is made, and how people say it in a clause."""
import string

from . import knowledge, lexicon, words
from .grammar import choose
from .tool_catalog import INTEGER, NUMBER, STRING

SAME = lambda v: (str(v), v)


class Slot:
    """One kind of argument. `make` gives (spoken, JSON value) or (spoken, value, phrases of its own)."""

    def __init__(self, names, kind, make, phrases, items=None):
        self.names, self.kind, self.make, self.phrases, self.items = names.split(), kind, make, phrases.split(" / "), items

    def schema(self, r, name, described):
        out = {"type": "array", "items": {"type": "string"}} if self.items else {"type": self.kind}
        if described:
            plain = name.replace("_", " ")
            out["description"] = r.choice([f"The {plain}.", f"The {plain}", plain.capitalize(), f"{plain.capitalize()} to use", f"What the {plain} is."])
            if self.make and not self.items and r.random() < 0.25:
                out["description"] = out["description"].rstrip(".") + r.choice([", e.g. {v}", ", for example {v}.", " (such as {v})"]).replace("{v}", str(self.make(r)[1]))
        return out

    def sample(self, r):
        """(clause that says it, spoken value, JSON value)."""
        made = self.make(r)
        phrases = made[2] if len(made) > 2 else self.phrases
        return choose(r, phrases).replace("{v}", made[0]), made[0], made[1]


class Enum(Slot):
    """An argument with a fixed set of values, some of them said in other words."""

    def __init__(self, names, values, phrases, also=None):
        super().__init__(names, STRING, None, phrases)
        self.values, self.also = values, also or {}

    def pick(self, r):
        """The same kind with some of its values only."""
        n = r.randint(2, min(5, len(self.values)))
        keep = sorted(r.sample(range(len(self.values)), n))
        return Enum(" ".join(self.names), [self.values[i] for i in keep], " / ".join(self.phrases), self.also)

    def schema(self, r, name, described):
        return {**super().schema(r, name, described), "enum": self.values}

    def sample(self, r):
        v = r.choice(self.values)
        spoken = r.choice(self.also[v]) if v in self.also and r.random() < 0.5 else v
        return choose(r, self.phrases).replace("{v}", spoken), spoken, v


def counted(low, high):
    """A number, sometimes in words."""
    def make(r):
        n = r.randint(low, high)
        return (lexicon.number_word(n) if n <= 20 and r.random() < 0.2 else str(n)), n
    return make


def money(r):
    return SAME(r.choice([r.randint(1, 900), r.randint(1, 99) + r.choice([0.5, 0.25, 0.99, 0.75])]))


def quoted(make):
    """Free text, sometimes in quotation marks."""
    def sample(r):
        v, mark = make(r), r.choice(["", "", "'", '"'])
        return f"{mark}{v}{mark}", v
    return sample


def date(r):
    text, bare = words.day(r)
    return text, text, (["{v}", "for {v}", ", {v},", "{v}"] if bare else ["on {v}", "for {v}", ", {v},", "on {v}", "dated {v}", "~as of {v}"])


def several(make, low=1, high=4):
    def sample(r):
        values = list(dict.fromkeys(make(r) for _ in range(r.randint(low, high))))
        return (lexicon.join_and(values) if r.random() < 0.7 else ", ".join(values)), values
    return sample


def switch(r, name):
    """(clause, spoken, value) of a boolean that is said in words."""
    on, word = r.random() < 0.65, name.removeprefix("is_").replace("_", " ")
    yes = [f"and make it {word}", f"and mark it as {word}", f"it is {word}", f"as {word}", f"{word}", f"and {word} should be true", f"with {word} on",
        f"{word} yes"]
    no = [f"not {word}", f"it is not {word}", f"but not {word}", f"and {word} should be false", f"with {word} off", f"{word} no", f"without {word}"]
    return choose(r, yes if on else no), ("yes" if on else "no"), on


SLOTS = {
    "city": Slot("city city location place town", STRING, lambda r: SAME(lexicon.random_city(r)),
    "in {v} / for {v} / in {v} / near {v} / around {v} / ~within {v}"),
    "origin": Slot("origin from source departure start from_city", STRING, lambda r: SAME(lexicon.random_city(r)),
    "from {v} / starting in {v} / leaving {v} / ~out of {v}"),
    "destination": Slot("destination to target arrival end to_city", STRING, lambda r: SAME(lexicon.random_city(r)),
    "to {v} / going to {v} / to {v} / bound for {v} / ~heading for {v}"),
    "recipient": Slot("recipient to contact receiver person", STRING, lambda r: SAME(lexicon.random_name(r)), "to {v} / to {v} / for {v} / to my friend {v}"),
    "person": Slot("name person customer guest patient employee", STRING, lambda r: SAME(lexicon.random_name(r)),
    "for {v} / for {v} / in the name of {v} / under the name {v} / ~on behalf of {v}"),
    "with": Slot("attendee with guest partner participant", STRING, lambda r: SAME(lexicon.random_name(r)), "with {v} / together with {v} / and {v}"),
    "owner": Slot("assignee owner user author", STRING, lambda r: SAME(lexicon.random_name(r)), "assigned to {v} / owned by {v} / by {v} / for {v}"),
    "people": Slot("people guests party_size seats persons adults", INTEGER, counted(1, 12),
    "for {v} / for {v} people / for {v} guests / for a party of {v} / ~to seat {v}"),
    "venue": Slot("restaurant venue hotel place shop", STRING, lambda r: SAME(words.venue(r)), "at {v} / in {v} / at {v}"),
    "date": Slot("date day date due_date deadline", STRING, date, "on {v}"),
    "time": Slot("time start_time time hour", STRING, lambda r: SAME(words.clock(r)),
    "at {v} / at {v} / , {v}, / starting at {v} / around {v} / ~from {v} on"),
    "minutes": Slot("minutes duration duration_minutes length", INTEGER, counted(1, 120),
    "for {v} minutes / lasting {v} minutes / {v} minutes long / of {v} minutes"),
    "nights": Slot("nights days", INTEGER, counted(1, 14), "for {v} nights / for {v} nights / staying {v} nights"),
    "count": Slot("limit count max_results n quantity number", INTEGER, counted(1, 50),
    "limited to {v} / only {v} of them / at most {v} / maximum {v} / no more than {v} / ~capped at {v}"),
    "quantity": Slot("quantity amount count number", INTEGER, counted(1, 60), "{v} times / quantity {v} / {v} pieces / {v} of them"),
    "level": Slot("level volume brightness percent value", INTEGER, counted(0, 100), "to {v} / to {v} percent / at {v} / to {v}% / on {v} / to level {v}"),
    "degrees": Slot("temperature degrees celsius value", INTEGER, counted(5, 40), "to {v} degrees / to {v} / at {v} degrees / to {v}°C"),
    "room": Slot("room room area zone", STRING,
    lambda r: SAME(r.choice("kitchen;bedroom;bathroom;office;hall;garage;living room;attic;basement;garden".split(";"))),
        "in the {v} / of the {v} / in the {v}"),
    "price": Slot("max_price price budget limit", NUMBER, money,
    "under {v} dollars / for at most {v} euros / below {v} / up to {v} dollars / costing {v} euros"),
    "sum": Slot("amount amount sum value", NUMBER, money, "of {v} dollars / of {v} euros / of {v} / : {v}, / over {v}"),
    "title": Slot("title name subject label summary", STRING, quoted(words.title),
    "called {v} / titled {v} / named {v} / with the title {v} / : {v}, / {v} / ~entitled {v}"),
    "topic": Slot("topic subject query keyword about", STRING, quoted(words.title), "about {v} / on {v} / about {v} / on the topic of {v} / ~regarding {v}"),
    "text": Slot("text message body content note", STRING, quoted(words.message),
    "saying {v} / that says {v} / with the text {v} / : {v} / with the message {v} / ~reading {v}"),
    "id": Slot("id code order_id ticket_id reference number", STRING, lambda r: SAME(lexicon.identifier(r)),
    "{v} / number {v} / with the id {v} / with code {v} / {v} / no. {v}"),
    "key": Slot("id user_id customer_id item_id", INTEGER, lambda r: SAME(lexicon.random_number(r, 5)), "{v} / number {v} / with id {v} / #{v}"),
    "email": Slot("email to address recipient", STRING, lambda r: SAME(lexicon.email(r)), "to {v} / to {v} / at {v}"),
    "path": Slot("path file filename", STRING, lambda r: SAME(lexicon.file_path(r)), "{v} / in {v} / at {v} / to {v}"),
    "tags": Slot("tags labels keywords", STRING, several(lambda r: r.choice(lexicon.WORDS), 1, 3),
    "tagged {v} / with the tags {v} / with tags {v} / labelled {v}", items=True),
    "attendees": Slot("attendees guests participants members", STRING, several(lambda r: r.choice(lexicon.NAMES), 1, 3),
    "with {v} / together with {v} / inviting {v}", items=True),
    "items": Slot("items products things ingredients", STRING, several(lambda r: r.choice(lexicon.NOUNS + words.COMMON), 1, 4),
    "with {v} / : {v} / of {v} / containing {v}", items=True),
    "model": Slot("item product model object thing", STRING, lambda r: SAME(words.title(r)), ": {v}, / {v} / of {v}"),
    "unit": Enum("unit units scale", ["celsius", "fahrenheit", "kelvin"], "in {v} / in degrees {v} / in {v}",
    {"celsius": ["Celsius", "C", "°C"], "fahrenheit": ["Fahrenheit", "F", "°F"]}),
    "priority": Enum("priority urgency importance", ["low", "medium", "high", "urgent"],
    "with {v} priority / priority {v} / as {v} priority / with {v} importance / of {v} priority"),
    "format": Enum("format type output", ["pdf", "csv", "json", "html", "xml", "txt"], "as {v} / in {v} format / as a {v} file / as {v}",
    {"pdf": ["PDF"], "csv": ["CSV"], "json": ["JSON"]}),
    "size": Enum("size", ["small", "medium", "large", "extra large"], "in size {v} / size {v} / in {v} / , {v},"),
    "color": Enum("color colour", lexicon.COLORS, "in {v} / colored {v} / in {v} / color {v}"),
    "language": Enum("language target_language lang", "French German Spanish Italian English Japanese Dutch Polish".split(), "in {v} / into {v} / to {v}"),
    "currency": Enum("currency", ["EUR", "USD", "GBP", "JPY", "CHF"], "in {v} / in {v} / currency {v}",
    {"EUR": ["euros"], "USD": ["dollars"], "GBP": ["pounds"]}),
    "from_currency": Enum("from from_currency source_currency base", ["EUR", "USD", "GBP", "JPY", "CHF"], "from {v} / from {v} / out of {v}",
    {"EUR": ["euros"], "USD": ["dollars"], "GBP": ["pounds"]}),
    "to_currency": Enum("to to_currency target_currency target", ["EUR", "USD", "GBP", "JPY", "CHF"], "to {v} / into {v} / in {v}",
    {"EUR": ["euros"], "USD": ["dollars"], "GBP": ["pounds"]}),
    "status": Enum("status state", ["open", "closed", "pending", "done", "active", "cancelled"], "to {v} / as {v} / with status {v} / that is {v}"),
    "class": Enum("class cabin category", ["economy", "business", "first"], "in {v} class / {v} class / in {v}"),
    "mode": Enum("mode method by", ["car", "train", "bike", "walking", "bus"], "by {v} / by {v} / using {v}", {"walking": ["foot"]}),
    "meal": Enum("meal category type", ["breakfast", "lunch", "dinner", "snack"], "for {v} / as {v}"),
    "speed": Enum("mode speed level", ["eco", "normal", "boost", "auto", "silent", "turbo"], "to {v} / in {v} mode / on {v} / to {v} mode"),
    "day": Enum("day weekday", lexicon.DAYS, "on {v} / every {v} / for {v}"),
    "genre": Enum("genre style category", ["rock", "jazz", "pop", "classical", "comedy", "drama", "horror"], "in the genre {v} / , {v},  / of the genre {v}"),
    "percent": Slot("percent percentage discount", INTEGER, counted(0, 100), "of {v} percent / at {v}% / {v} percent"),
    "hours": Slot("hours duration_hours length", INTEGER, counted(1, 24), "for {v} hours / lasting {v} hours"),
    "year": Slot("year", INTEGER, lambda r: SAME(r.randint(1900, 2030)), "in {v} / of {v} / from {v}"),
    "number": Slot("number value n x", INTEGER, lambda r: SAME(lexicon.random_number(r, 5)), "{v} / of {v} / with {v}"),
    "decimal": Slot("value number amount x", NUMBER, lambda r: SAME(r.choice([r.randint(1, 500), round(r.random() * 100, 1)])), "{v} / of {v} / with {v}"),
    "phone": Slot("phone phone_number number to", STRING, lambda r: SAME(words.phone(r)), "at {v} / to {v} / {v}"),
    "symbol": Slot("symbol ticker stock", STRING, lambda r: SAME("".join(r.choice(string.ascii_uppercase) for _ in range(r.randint(3, 4)))), "{v} / of {v}"),
    "url": Slot("url link address website", STRING, lambda r: SAME(words.url(r)), "{v} / at {v} / from {v}"),
    "word": Slot("word term query", STRING, lambda r: SAME(r.choice(lexicon.WORDS + words.COMMON)), "{v} / of {v}"),
    "street": Slot("address street location", STRING, lambda r: SAME(words.street(r)), "at {v} / to {v} / in {v}"),
    "country": Slot("country nation", STRING, lambda r: SAME(r.choice(list(knowledge.CAPITALS))), "in {v} / of {v} / for {v}"),
    "animal": Slot("animal pet species", STRING, lambda r: SAME(r.choice(words.ANIMALS)), "for a {v} / of a {v}"),
    "subject": Slot("subject course field", STRING, lambda r: SAME(r.choice(words.SUBJECTS)), "in {v} / for {v}"),
    "sport": Slot("sport activity discipline", STRING, lambda r: SAME(r.choice(words.SPORTS)), "in {v} / of {v}"),
    "unit_from": Slot("from_unit unit source_unit", STRING, lambda r: SAME(r.choice(words.UNITS)), "from {v} / in {v}"),
    "unit_to": Slot("to_unit target_unit target", STRING, lambda r: SAME(r.choice(words.UNITS)), "to {v} / into {v}"),
    "language_code": Enum("language lang locale", ["en", "de", "fr", "es", "it"], "in {v} / into {v}",
    {"en": ["English"], "de": ["German"], "fr": ["French"], "es": ["Spanish"], "it": ["Italian"]}),
}
SWITCHES = "urgent private public active hidden silent visible recurring gift_wrap vegetarian notify enabled is_remote shuffle".split()
