"""Tools: well-known ones, and schemas that are made up with invented names."""
from . import lexicon
from .phrasing import fill, phrase

STRING, INTEGER, NUMBER, BOOLEAN = "string", "integer", "number", "boolean"


class Parameter:
    """One argument: its schema and a maker of (spoken form, JSON value)."""

    def __init__(self, name, kind, make=None, enum=None, description=None, items=None):
        self.name, self.kind, self.make, self.enum, self.description, self.items = name, kind, make, enum, description, items

    def schema(self, described):
        out = {"type": "array", "items": {"type": self.items}} if self.items else {"type": self.kind}
        if self.enum:
            out["enum"] = self.enum
        if described:
            out["description"] = self.description or f"The {self.name.replace('_', ' ')}."
        return out

    def sample(self, r):
        """(what the user says, what the JSON holds)."""
        if self.enum:
            v = r.choice(self.enum)
            return v, v
        v = self.make(r)
        if self.items:
            return lexicon.join_and([str(x) for x in v]), v
        if self.kind == BOOLEAN:
            return ("yes" if v else "no"), v
        return str(v), v


class Tool:
    """A function with its parameters, and requests whose slots are the parameters' names."""

    def __init__(self, name, description, parameters, requests, optional=()):
        self.name, self.description, self.parameters, self.requests, self.optional = name, description, parameters, requests, optional

    def schema(self, r):
        """The `tools` entry; descriptions of the parameters are there in some samples only."""
        described = r.random() < 0.5
        parameters = {"type": "object", "properties": {p.name: p.schema(described) for p in self.parameters}}
        required = [p.name for p in self.parameters if p.name not in self.optional]
        if required and r.random() < 0.9:
            parameters["required"] = required
        if r.random() < 0.08:
            parameters["additionalProperties"] = False
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        if r.random() < 0.05:
            function["strict"] = True
        return {"type": "function", "function": function}

    def request(self, r):
        """(user text, arguments)."""
        spoken, arguments, template = {}, {}, phrase(r, self.requests)
        for p in self.parameters:
            if "{" + p.name + "}" in template:
                spoken[p.name], arguments[p.name] = p.sample(r)
        return fill(template, **spoken), arguments


def _p(name, kind, make=None, **more):
    return Parameter(name, kind, make, **more)


city, name, topic = lexicon.random_city, lexicon.random_name, lambda r: lexicon.phrase_of_words(r, 1, 3)
KNOWN = [
    Tool("get_weather", "Get the current weather for a city.", [_p("city", STRING, city)],
        ["What is the weather in {city}?", "How is the weather in {city}?", "Weather in {city} please.", "Is it raining in {city}?",
        "Do I need an umbrella in {city}?", "What's the weather like in {city}?", "Is it cold in {city} today?", "weather {city}",
        "How warm is it in {city}?", "Tell me the weather for {city}."]),
    Tool("get_current_weather", "Get the current weather in a given location.", [_p("location", STRING, city),
        _p("unit", STRING, enum=["celsius", "fahrenheit"])], ["What is the weather in {location} in {unit}?",
        "Weather in {location}, in {unit} please.", "Tell me the temperature in {location} in {unit}."]),
    Tool("get_weather", "Returns the weather at a location.", [_p("location", STRING, city)],
        ["What is the weather in {location}?", "How is the weather in {location}?", "Weather for {location}?",
        "What's it like outside in {location}?", "Will it rain in {location}?"]),
    Tool("get_time", "Get the local time in a city.", [_p("city", STRING, city)], ["What time is it in {city}?", "Tell me the time in {city}.",
        "Current time in {city}?", "What is the local time in {city}?"]),
    Tool("calculator", "Evaluate an arithmetic expression.", [_p("expression", STRING,
        lambda r: f"{r.randint(2, 9999)} {r.choice('+-*/')} {r.randint(2, 999)}")], ["What is {expression}?", "Calculate {expression}.",
        "Compute {expression} for me.", "How much is {expression}?", "Use the calculator for {expression}."]),
    Tool("add", "Add two numbers.", [_p("a", INTEGER, lambda r: lexicon.random_number(r)), _p("b", INTEGER, lambda r: lexicon.random_number(r))],
        ["Add {a} and {b}.", "What is {a} + {b}?", "What is {a} plus {b}?", "Sum {a} and {b}."]),
    Tool("multiply", "Multiply two numbers.", [_p("a", NUMBER, lambda r: lexicon.random_number(r, 3)),
        _p("b", NUMBER, lambda r: lexicon.random_number(r, 3))], ["Multiply {a} by {b}.", "What is {a} * {b}?", "What is {a} times {b}?",
        "Compute {a} x {b}."]),
    Tool("search_notes", "Search the user's notes.", [_p("query", STRING, topic)], ["Search my notes for {query}.", "Find notes about {query}.",
        "What did I write about {query}?", "Look in my notes for {query}."]),
    Tool("search_web", "Search the web.", [_p("query", STRING, topic)], ["Search the web for {query}.", "Look up {query} online.", "Google {query}.",
        "Find web pages about {query}.", "Search for {query} on the internet."]),
    Tool("set_timer", "Start a timer.", [_p("minutes", INTEGER, lambda r: r.randint(1, 90))],
        ["Set a timer for {minutes} minutes.", "Start a {minutes} minute timer.", "Timer, {minutes} minutes.", "Remind me in {minutes} minutes."]),
    Tool("send_email", "Send an email.", [_p("to", STRING, lexicon.email), _p("subject", STRING, topic)],
        ["Send an email to {to} about {subject}.", "Email {to} with the subject {subject}.", "Write to {to} about {subject}.",
        "Please mail {to}, subject {subject}."]),
    Tool("send_message", "Send a text message to a contact.", [_p("recipient", STRING, name), _p("text", STRING, topic)],
        ["Send {recipient} the message: {text}", "Tell {recipient}: {text}", "Text {recipient}: {text}", "Message {recipient} this: {text}"]),
    Tool("create_event", "Create a calendar event.", [_p("title", STRING, topic), _p("date", STRING, lexicon.date),
        _p("time", STRING, lexicon.clock_time)], ["Create an event {title} on {date} at {time}.", "Put {title} in my calendar on {date} at {time}.",
        "Schedule {title} for {date} at {time}."]),
    Tool("translate", "Translate a text.", [_p("text", STRING, topic), _p("language", STRING, enum=["French", "German", "Spanish", "Italian"])],
        ["Translate {text} into {language}.", "How do you say {text} in {language}?", "Say {text} in {language}."]),
    Tool("set_light", "Switch a light on or off.", [_p("room", STRING, lambda r: r.choice(["kitchen", "bedroom", "bathroom", "office", "hall",
        "garage"])), _p("on", BOOLEAN, lambda r: True)], ["Turn on the light in the {room}.", "Switch the {room} light on.",
        "Lights on in the {room}."]),
    Tool("lights_off", "Turn off the lights in a room.", [_p("room", STRING, lambda r: r.choice(["kitchen", "bedroom", "bathroom", "office", "hall",
        "garage"]))], ["Turn off the light in the {room}.", "Lights off in the {room}.", "Switch off the {room} lights."]),
    Tool("read_file", "Read a file from disk.", [_p("path", STRING, lexicon.file_path)],
        ["Read the file {path}.", "Open {path}.", "What is in {path}?", "Show me the file {path}.", "Print the contents of {path}."]),
    Tool("list_files", "List the files in a folder.", [_p("path", STRING, lambda r: lexicon.file_path(r).rsplit("/", 1)[0])],
        ["List the files in {path}.", "Which files are in {path}?", "Show the folder {path}."]),
    Tool("run_command", "Run a shell command.", [_p("command", STRING, lambda r: r.choice(["ls -la", "git status", "npm test", "npm run build", "pwd",
        "cat " + lexicon.file_path(r), "python " + r.choice(lexicon.WORDS) + ".py"]))],
        ["Run {command}.", "Execute {command}.", "Run the command {command}.", "Please run: {command}"]),
    Tool("play_music", "Play a song.", [_p("song", STRING, topic), _p("volume", INTEGER, lambda r: r.randint(1, 100))],
        ["Play {song} at volume {volume}.", "Play the song {song} with volume {volume}."], optional=("volume",)),
    Tool("get_stock_price", "Get the price of a stock.", [_p("symbol", STRING, lambda r: "".join(r.choice("ABCDEFGHIKLMNOPRSTUVXYZ")
        for _ in range(r.randint(2, 4))))], ["What is the price of {symbol}?", "Stock price of {symbol}?", "How much is {symbol} trading for?",
        "Get the stock {symbol}."]),
    Tool("book_table", "Book a table in a restaurant.", [_p("restaurant", STRING, lambda r: lexicon.pseudo_word(r).capitalize()),
        _p("people", INTEGER, lambda r: r.randint(1, 12)), _p("time", STRING, lexicon.clock_time)],
        ["Book a table for {people} at {restaurant} at {time}.", "Reserve a table at {restaurant} for {people} people at {time}."]),
    Tool("add_to_list", "Add items to the shopping list.", [_p("items", "array", lambda r: r.sample(lexicon.NOUNS, r.randint(1, 4)), items="string")],
        ["Add {items} to my shopping list.", "Put {items} on the list.", "I need to buy {items}."]),
    Tool("get_user", "Look up a user by id.", [_p("id", INTEGER, lambda r: lexicon.random_number(r, 5))],
        ["Look up user {id}.", "Who is user {id}?", "Get the user with id {id}.", "Show user {id}."]),
    Tool("create_task", "Create a task.", [_p("title", STRING, topic), _p("priority", STRING, enum=["low", "medium", "high"])],
        ["Create a task {title} with {priority} priority.", "Add a {priority} priority task: {title}", "New task {title}, priority {priority}."]),
    Tool("convert_currency", "Convert an amount between currencies.", [_p("amount", NUMBER, lambda r: r.randint(1, 5000)),
        _p("from", STRING, enum=["EUR", "USD", "GBP", "JPY"]), _p("to", STRING, enum=["EUR", "USD", "GBP", "CHF"])],
        ["Convert {amount} {from} to {to}.", "How much is {amount} {from} in {to}?", "{amount} {from} in {to}?"]),
    Tool("roll_dice", "Roll dice.", [_p("sides", INTEGER, lambda r: r.choice([4, 6, 8, 10, 12, 20]))],
        ["Roll a die with {sides} sides.", "Roll a {sides} sided die.", "Throw a d{sides}."]),
    Tool("get_date", "Get today's date.", [], ["What is today's date?", "What day is it today?", "Which date is it?", "What is the date today?"]),
    Tool("get_location", "Get the user's location.", [], ["Where am I?", "What is my location?", "Find my location."]),
]
VERBS = "get set find create delete update list send open close start stop check count move copy rename book show load save fetch query lookup notify assign archive".split()
OBJECTS = "order ticket user account room device sensor report invoice product package flight hotel recipe playlist contact document task message image camera door alarm project branch server job lamp robot ship train".split()
ARGUMENTS = [
    lambda r: _p(r.choice(["id", "code", "key", "reference"]), STRING, lexicon.identifier),
        lambda r: _p(r.choice(["name", "owner", "user", "customer", "person"]), STRING, name),
        lambda r: _p(r.choice(["city", "place", "destination", "location"]), STRING, city),
    lambda r: _p(r.choice(["count", "amount", "limit", "level", "size", "number"]), INTEGER, lambda r: lexicon.random_number(r, 3)),
        lambda r: _p(r.choice(["price", "value", "weight"]), NUMBER, lambda r: r.choice([r.randint(1, 900), r.randint(1, 99) + 0.5])),
    lambda r: _p(r.choice(["date", "day", "deadline"]), STRING, lexicon.date), lambda r: _p(r.choice(["color", "mode", "status", "type"]), STRING,
        enum=r.sample(lexicon.COLORS + lexicon.ADJECTIVES, r.randint(2, 4))), lambda r: _p(r.choice(["query", "title", "label", "topic", "text"]),
        STRING, topic),
    lambda r: _p(r.choice(["urgent", "active", "visible", "force"]), BOOLEAN, lambda r: r.random() < 0.5),
        lambda r: _p(r.choice(["tags", "items", "names"]), "array", lambda r: [r.choice(lexicon.WORDS) for _ in range(r.randint(1, 3))],
        items="string"),
    lambda r: _p(lexicon.pseudo_word(r), STRING, lexicon.value), lambda r: _p(lexicon.pseudo_word(r), INTEGER, lambda r: lexicon.random_number(r))]
LINKS = ["with {k} {v}", "{k} {v}", "using {k} {v}", "for {k} {v}", "where {k} is {v}", "{k}: {v}", "{k} = {v}"]


def invented(r):
    """A tool that nobody has seen: a verb and an object, or an invented word, with one to three arguments."""
    if r.random() < 0.75:
        verb, thing = r.choice(VERBS), r.choice(OBJECTS) if r.random() < 0.8 else lexicon.pseudo_word(r)
        name_ = r.choice([f"{verb}_{thing}", f"{verb}{thing.capitalize()}", f"{thing}_{verb}", f"{verb}-{thing}"])
        spoken = f"{verb} the {thing}"
    else:
        verb = thing = lexicon.pseudo_word(r, 2)
        name_, spoken = thing, f"{r.choice(['use', 'run', 'call', 'do'])} {thing}"
    parameters = {p.name: p for p in (r.choice(ARGUMENTS)(r) for _ in range(r.choices([0, 1, 2, 3], [5, 50, 30, 15])[0]))}
    link = r.choice(LINKS)
    words = (" and " if r.random() < 0.5 else ", ").join(link.replace("{k}", k.replace("_", " ")).replace("{v}", "{" + k + "}") for k in parameters)
    requests = [f"{spoken[0].upper()}{spoken[1:]} {words}".strip() + end for end in (".", "",
        " please.")] + [f"Can you {spoken} {words}".strip() + "?", f"I want to {spoken} {words}".strip() + "."]
    description = r.choice([f"{verb.capitalize()} the {thing}.", f"{verb.capitalize()} a {thing} in the system.", f"Use this to {spoken}.",
        f"{verb.capitalize()}s one {thing}."])
    return Tool(name_, description, list(parameters.values()), requests)


def any_tool(r):
    return r.choice(KNOWN) if r.random() < 0.5 else invented(r)
