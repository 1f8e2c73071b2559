"""Tools with two to five arguments: known ones and invented ones, all with the same grammar of requests."""
from . import lexicon
from .grammar import choose, expand
from .frames import COMMAND, put
from .frames import VERBS as VERBS_OF_COMMANDS
from .phrasing import misspell
from .tool_requests import SENTENCES
from .tool_slots import SLOTS, SWITCHES, BOOLEAN, Enum, switch

# name | description | heads | parameters as name:kind; those after a slash are optional.
KNOWN = """book_table|Book a table in a restaurant.|book a table;reserve a table;get us a table;make a reservation|restaurant:venue people:people date:date time:time
reserve_table|Reserve a table.|reserve a table;book a table;we need a table|restaurant:venue guests:people / time:time
book_flight|Book a flight.|book a flight;find a flight;get me a flight;reserve a flight;I need to fly|from:origin to:destination date:date / class:class passengers:people
search_flights|Search flights between two cities.|search flights;find flights;look for flights;show me flights|origin:origin destination:destination date:date
book_hotel|Book a hotel room.|book a hotel;reserve a room;find me a hotel;get a hotel room|city:city nights:nights / guests:people date:date
book_train|Book a train ticket.|book a train;buy a train ticket;get me a train ticket|from:origin to:destination / date:date time:time
get_directions|Get directions between two places.|get directions;how do I get;show me the way;navigate|from:origin to:destination / mode:mode
get_distance|Get the distance between two cities.|what is the distance;how far is it;get the distance|from:origin to:destination
send_email|Send an email.|send an email;send a mail;write an email;email|to:email subject:topic / body:text
send_message|Send a text message.|send a message;send a text;write a message;text|recipient:recipient text:text
post_message|Post a message to a channel.|post a message;post;publish a message|channel:room text:text
create_event|Create a calendar event.|create an event;add an event;schedule an event;put an event in my calendar;set up an event|title:title date:date time:time / attendees:attendees
schedule_meeting|Schedule a meeting.|schedule a meeting;arrange a meeting;set up a meeting;plan a meeting|with:with date:date time:time / topic:topic duration:minutes
create_reminder|Create a reminder.|create a reminder;set a reminder;add a reminder|text:title time:time / date:date
set_reminder|Set a reminder.|set a reminder;remind me;make a reminder|message:title date:date
set_alarm|Set an alarm.|set an alarm;wake me up;alarm|time:time / day:day label:title
start_timer|Start a timer.|start a timer;set a timer;timer|minutes:minutes / name:title
create_task|Create a task.|create a task;add a task;make a task;new task|title:title priority:priority / due_date:date
create_ticket|Open a support ticket.|open a ticket;create a ticket;file a ticket|title:title priority:priority / assignee:owner
translate_text|Translate a text.|translate;how do you say;translate the text|text:text target_language:language
get_weather|Get the weather.|what is the weather;get the weather;how is the weather;weather|city:city unit:unit
get_forecast|Get the weather forecast.|what is the forecast;get the forecast;show me the forecast;what will the weather be|city:city date:date / unit:unit
convert_currency|Convert money.|convert;exchange;change|amount:sum from:from_currency to:to_currency
transfer_money|Transfer money to a person.|transfer money;send money;pay;make a transfer|recipient:recipient amount:sum / currency:currency
order_food|Order food.|order food;order;get me|item:model quantity:quantity / restaurant:venue
add_to_cart|Add a product to the cart.|add to my cart;put in the cart;buy|product:model quantity:quantity / color:color
search_products|Search products in the shop.|search products;find products;look for things;show me products|query:topic max_price:price / limit:count color:color
search_web|Search the web.|search the web;look up;search;google|query:topic / limit:count language:language
find_recipe|Find a recipe.|find a recipe;give me a recipe;search a recipe|ingredients:items / meal:meal minutes:minutes
set_light|Set the light of a room.|set the light;dim the light;put the lights;turn the lamp|room:room brightness:level / color:color
set_temperature|Set the temperature of a room.|set the temperature;set the heating;turn the heating;heat|room:room degrees:degrees
set_volume|Set the volume.|set the volume;turn the volume;put the volume|room:room level:level
set_mode|Set the mode of a device.|set the mode;switch the mode;put the heater|room:room mode:speed
play_music|Play music.|play music;play a song;put on some music|song:title / artist:person volume:level
play_video|Play a video.|play the video;show the video;start the video|title:title / room:room
create_note|Save a note.|create a note;save a note;write a note;note down|title:title / text:text tags:tags
update_status|Change the status of an order.|update the status;change the status;set the status of order|id:id status:status
track_package|Track a package.|track the package;where is the package;follow my package|code:id / email:email
export_report|Export a report.|export the report;download the report;save the report|title:title format:format
create_user|Create a user.|create a user;add a user;register a user|name:person email:email / active:switch
rent_car|Rent a car.|rent a car;book a car;I need a car;hire a car|city:city days:nights / date:date
buy_tickets|Buy tickets for an event.|buy tickets;get tickets;order tickets|event:title quantity:quantity date:date
log_meal|Log a meal.|log a meal;record a meal;note my meal|food:model meal:meal / time:time
copy_file|Copy a file.|copy the file;duplicate the file|source:path destination:path
find_restaurant|Find restaurants.|find a restaurant;search for restaurants;where can I eat|city:city / cuisine:genre people:people""".split("\n")
VERBS = {"create": "create add make register", "delete": "delete remove erase", "update": "update change edit modify", "find": "find search locate",
    "send": "send deliver forward",
    "book": "book reserve", "cancel": "cancel stop drop", "list": "list show display", "open": "open start launch", "close": "close shut end",
    "move": "move shift transfer",
    "check": "check inspect verify", "rent": "rent hire", "buy": "buy order purchase", "archive": "archive store", "assign": "assign give",
    "set": "set put adjust", "print": "print output",
    "plan": "plan schedule arrange", "log": "log record note", "share": "share publish post"}
OBJECTS = ("order ticket user account room device sensor report invoice product package flight hotel recipe playlist contact document task message image camera door alarm "
    "project branch server job lamp robot ship train course lesson class visit tour parcel bike boat table survey poll job game match payment refund coupon album event").split()
SETS = ["city date", "origin destination date", "person date time", "title priority", "recipient text", "id status", "title date time", "people date",
    "level room", "topic count",
    "email topic", "topic price count", "person people time", "title tags", "id owner", "venue people time", "sum recipient", "model quantity color",
    "path format", "key status",
    "topic language", "city nights people", "person email", "title owner date", "size color quantity", "items people", "attendees date time", "city unit",
    "id date", "room speed"]
CONTEXTS = ["[I am in a hurry.|My friends are coming.|We are planning a trip.|It is my birthday soon.|I am very busy today.|Good morning.|My boss asked for it.|I almost forgot.|Thanks for your help so far.|I have no time.] "]
HEADS = ["@", "@", "please @", "can you @", "could you @", "could you please @", "I want to @", "I'd like to @", "I need to @", "would you @",
    "go ahead and @", "let's @",
    "I would like you to @", "hey, @", "we have to @", "help me to @", "~kindly @", "~I'd appreciate it if you could @"]
WHOLE = 0.6
"""Share of the known tools' requests that are whole sentences."""
NAMED = ["with {k} {v}", "{k} {v}", "{k}: {v}", "{k} = {v}", "where {k} is {v}", "using {k} {v}", "and the {k} is {v}", "{k} should be {v}"]


class Family:
    """A tool: name, description, the ways to ask for it, and {parameter: slot}."""

    def __init__(self, name, description, heads, slots, optional, kinds=None):
        self.name, self.description, self.heads, self.slots, self.optional, self.kinds = name, description, heads, slots, optional, kinds or {}

    def schema(self, r):
        described = r.random() < 0.5
        make = lambda k, s: {"type": BOOLEAN, **({"description": f"Whether it is {k}."} if described else {})} if s == "switch" else s.schema(r, k, described)
        parameters = {"type": "object", "properties": {k: make(k, s) for k, s in self.slots.items()}}
        required = [k for k in self.slots if k not in self.optional]
        if required and r.random() < 0.92:
            parameters["required"] = required
        return {"type": "function", "function": {"name": self.name, "description": self.description, "parameters": parameters}}

    def request(self, r):
        """(user text, arguments in the schema's order)."""
        return self.spoken(r) if r.random() < WHOLE and self.name in SENTENCES and self.kinds else self.composed(r)

    def spoken(self, r):
        """One of the tool's whole sentences, with clauses for the arguments that it does not name."""
        line, clauses, arguments = expand(r, choose(r, SENTENCES[self.name])), [], {}
        value_first = line.startswith("{")
        for k, kind in self.kinds.items():
            slot = self.slots[k]
            mark = "{amount}" if kind == "sum" else "{path2}" if kind == "path" and "{path}" not in line else "{" + kind + "}"
            if mark not in line and k in self.optional and r.random() < 0.6:
                continue
            clause, spoken, arguments[k] = slot.sample(r)
            if mark in line:
                # A date brings its own 'on', unless the sentence has put a word before it.
                line = line.replace(mark, clause.strip(" ,") if kind == "date" else spoken)
            else:
                clauses.append(clause)
        if "{" in line:
            return self.composed(r)
        start = put(r, COMMAND, line[0].lower() + line[1:]) if not value_first and r.random() < 0.3 and line.split()[0].lower() in VERBS_OF_COMMANDS else line
        tail = start[-1] if clauses and start[-1] in ".?!" else ""
        text = tidy((start.rstrip(".?!") if clauses else start) + "".join(r.choice([" ", ", "]) + c for c in clauses)) + tail
        return (text if value_first or r.random() < 0.2 else text[0].upper() + text[1:]) + (r.choice([".", "", "", " please", "!",
            ", thanks."]) if text[-1] not in ".?!" else ""), arguments

    def composed(self, r):
        """A head and a clause for each argument."""
        clauses, arguments, spoken_key = [], {}, r.random() < 0.15
        for k, slot in self.slots.items():
            if k in self.optional and r.random() < 0.5:
                continue
            clause, spoken, value = switch(r, k) if slot == "switch" else slot.sample(r)
            if spoken_key or r.random() < 0.07:
                clause = r.choice(NAMED).replace("{k}", k.replace("_", " ")).replace("{v}", spoken)
            clauses.append(clause)
            arguments[k] = value
        if r.random() < 0.6:
            r.shuffle(clauses)
        clauses.sort(key=lambda c: c.startswith(":"))
        return sentence(r, choose(r, self.heads), clauses), arguments


AGAIN = ["[And|And also|Now|Then] @[ too| as well| please]*[?|.|]", "[What|How] about the same @?",
    "[Do the same|The same|Same thing|Same|Once more|Again,] @[.|, please.|]",
    "[No, I meant|Sorry, I meant|I mean|Actually,|Change it:|Correction:|No,|Wait,] @[.|]", "Now do it @.", "~Repeat that @."]
REPEATED = {"city", "origin", "destination", "recipient", "person", "date", "time", "room", "venue", "people", "with"}


def follow_up(r, family, arguments):
    """(text, arguments): the same call with one value changed; None if no argument can be said alone."""
    keys = [k for k, s in family.slots.items() if k in arguments and s in [SLOTS[n] for n in REPEATED]]
    if not keys:
        return None
    key = r.choice(keys)
    clause, _, value = family.slots[key].sample(r)
    return expand(r, choose(r, AGAIN)).replace("@", clause.strip(" ,")), {**arguments, key: value}


def sentence(r, head, clauses):
    """Head and clauses as one request; sometimes a clause comes first, sometimes there is a sentence before."""
    asks = head.startswith(("I ", "we ", "what ", "how ", "where ", "show ", "weather", "alarm"))
    start = head if asks else choose(r, HEADS).replace("@", head)
    first = ""
    if len(clauses) > 1 and r.random() < 0.12 and not clauses[0].startswith((":", ",", "and ", "but ")):
        first = clauses.pop(0).strip(" ,") + ", "
    if r.random() < 0.05:
        start = misspell(r, start)
    link = r.choice([" ", " ", " ", ", "])
    text = first + start + " " + (" " if link == " " else ", ").join(clauses) if clauses else start
    text = tidy(text)
    question = start.startswith(("can ", "could ", "would ", "what ", "how ", "where "))
    text += r.choice(["?", "?", ""]) if question else r.choice([".", "", "", "!", " please", ", please.", " thanks"])
    text = text[0].upper() + text[1:] if r.random() < 0.7 and not first else text
    return (expand(r, r.choice(CONTEXTS)) if r.random() < 0.06 else "") + text


def tidy(text):
    """Commas and spaces that met, as one."""
    while ", ," in text or ",," in text or " ," in text or " :" in text or ",:" in text or "  " in text:
        text = text.replace(", ,", ",").replace(",,", ",").replace(" ,", ",").replace(" :", ":").replace(",:", ":").replace("  ", " ")
    return text.rstrip(" ,")


def parse(line):
    name, description, heads, parameters = line.split("|")
    required, _, optional = parameters.partition(" / ")
    kinds = dict(p.split(":") for p in (required + " " + optional).split())
    return name, description, heads.split(";"), kinds, [p.split(":")[0] for p in optional.split()]


def slot_of(r, kind):
    slot = SLOTS[kind] if kind != "switch" else "switch"
    return slot.pick(r) if isinstance(slot, Enum) and kind not in ("language", "day") else slot


def known(r):
    name, description, heads, kinds, optional = parse(r.choice(KNOWN))
    kept = {k: v for k, v in kinds.items() if k not in optional or r.random() < 0.6}
    renamed = r.random() < 0.3
    slots, kinds, optional_now = {}, {}, []
    for k, kind in kept.items():
        slot = slot_of(r, kind)
        key = r.choice(slot.names) if renamed and slot != "switch" and r.random() < 0.5 else k
        key = k if key in slots or key in kept else key
        slots[key], kinds[key] = slot, kind
        optional_now += [key] * (k in optional)
    return Family(name, description, heads, slots, optional_now, {} if "switch" in kinds.values() else kinds)


def _style(r, *parts):
    k = r.random()
    return "_".join(parts) if k < 0.75 else parts[0] + "".join(p.capitalize() for p in parts[1:]) if k < 0.9 else "-".join(parts)


def invented(r, verb=None, thing=None, kinds=None):
    """Verb, object and a set of arguments that may stand together."""
    verb, thing = verb or r.choice(list(VERBS)), thing or (r.choice(OBJECTS) if r.random() < 0.85 else lexicon.pseudo_word(r, 2))
    kinds = kinds or r.choice(SETS).split()
    if r.random() < 0.25:
        kinds = kinds + [k for k in r.sample(["priority", "tags", "date", "switch", "format", "price", "minutes", "person", "color"], 1) if k not in kinds]
    if r.random() < 0.15:
        kinds = r.sample(kinds, len(kinds))
    slots, optional = {}, []
    for i, kind in enumerate(kinds):
        slot = slot_of(r, kind)
        key = r.choice(SWITCHES) if slot == "switch" else slot.names[0] if r.random() < 0.4 else r.choice(slot.names) if r.random() < 0.9 else lexicon.pseudo_word(r, 2)
        if key in slots:
            continue
        slots[key] = slot
        if i > 0 and r.random() < 0.2:
            optional.append(key)
    heads = [f"{v} {d}{thing}" for v in VERBS[verb].split() for d in ("the ", lexicon.article(thing)[:-len(thing)], "my ")]
    description = r.choice([f"{verb.capitalize()} the {thing}.", f"{verb.capitalize()} {lexicon.article(thing)}.",
        f"Use this to {verb} {lexicon.article(thing)}.", f"{verb.capitalize()}s one {thing}."])
    return Family(_style(r, verb, thing) if r.random() < 0.85 else _style(r, thing, verb), description, heads, slots, optional)


def sibling(r, family):
    """A tool whose name looks like this one's: other verb, same object, or the other way round."""
    for separator in ("_", "-"):
        parts = family.name.split(separator)
        if len(parts) == 2:
            verb, thing = parts
            other = r.choice([v for v in VERBS if v != verb])
            return invented(r, other, thing) if r.random() < 0.6 else invented(r, verb if verb in VERBS else None,
                r.choice([o for o in OBJECTS if o != thing]))
    return invented(r)
