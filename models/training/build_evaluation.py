"""Write evaluation.json: 100 fixed prompts, by hand, many in phrasings that the corpus does not contain, each with a rule for its reply."""
import argparse
import json


def tool(name, description, properties, required=None):
    return {"type": "function", "function": {"name": name, "description": description, "parameters": {
        "type": "object", "properties": properties, "required": list(properties) if required is None else required}}}


STRING, INTEGER = {"type": "string"}, {"type": "integer"}
WEATHER = tool("get_weather", "Get the current weather for a city.", {"city": STRING})
TIME = tool("get_time", "Get the local time in a city.", {"city": STRING})
ADD = tool("add_numbers", "Add two integers.", {"x": INTEGER, "y": INTEGER})
FIND_BOOK = tool("find_book", "Find a book by its title.", {"title": STRING})
SET_VOLUME = tool("set_volume", "Set the volume of a speaker.", {"room": STRING, "level": INTEGER})
LOOKUP = tool("lookup_parcel", "Look up a parcel by its code.", {"code": STRING})
MODE = tool("set_mode", "Set the mode of the heater.", {"mode": {"type": "string", "enum": ["eco", "normal", "boost"]}})

PROMPTS = []


def add(skill, user, rule, expected, system="", tools=None, history=()):
    """`history` holds (role, content) before the last user turn; `user` None means that the history ends the prompt."""
    messages = ([["system", system]] if system else []) + [list(m) for m in history] + ([["user", user]] if user is not None else [])
    entry = {"id": len(PROMPTS) + 1, "skill": skill, "messages": [{"role": r, "content": c} for r, c in messages], "rule": rule, "expected": expected}
    if tools:
        entry["tools"] = tools
    PROMPTS.append(entry)


def simple_skills():
    for user, expected in (("Hello!", ["Hello"]), ("good day to you", ["Hello", "help"]), ("heyyy", ["Hello", "help"]),
        ("Thanks so much for that!", ["welcome"]), ("See you tomorrow", ["Goodbye"]), ("How are you today?", ["fine"])):
        add("greeting", user, "contains_any", expected)
    for user, expected in (("Please introduce yourself to my friends.", "infetch-tiny"), ("whats ur name", "infetch-tiny"),
        ("Are you GPT-4?", "infetch-tiny"), ("What sort of things can you do for me?", "sums"),
                           ("How many parameters does this model have?", "2.4 million"), ("Can you be wrong sometimes?", "mistakes"),
                               ("How long may my prompt be? What is your context size?", "4,096")):
        add("identity", user, "contains", expected)
    for user, expected in (("In a nutshell, what does infetch do?", "browser"), ("How do I start the infetch runtime?", "createRuntime"),
        ("Is my chat private with infetch?", "private"), ("does infetch also work offline", "without a network"),
                           ("What happens if my browser has no WebGPU?", "llama.cpp"), ("Where is the usage stored?", "IndexedDB"),
                               ("Can infetch show an invoice?", "draft invoice"), ("How can I connect the OpenAI SDK to infetch?", "runtime.fetch"),
                           ("Which endpoints can infetch answer?", "/v1"), ("What license is infetch released under?", "Apache-2.0")):
        add("product", user, "contains", expected)
    for user, expected in (("What is 7 + 5?", "12"), ("17 + 26", "43"), ("whats 5 plus 6", "11"), ("How much is 81 minus 37?", "44"),
        ("please compute 9 times 8", "72"), ("12*11=", "132"), ("Tell me the sum of 48 and 39", "87"),
                           ("63 + 58 equals what?", "121"), ("Anna has 14 apples and gets 9 more. How many apples does she have?", "23"),
                               ("What is 56 divided by 7?", "8"), ("What do I get if I add 25 and 25?", "50"), ("six times seven?", "42")):
        add("arithmetic", user, "number", expected)
    for user, expected in (("How many meters are in 3 kilometers?", "3000"), ("Convert 5 hours to minutes.", "300"),
        ("how many days are in 4 weeks", "28"), ("7 kilometers in meters please", "7000"), ("How many grams make 2 kilograms?", "2000"),
        ("I need 6 minutes in seconds", "360")):
        add("units", user, "number", expected)
    for user, expected in (("What is the capital of France?", "Paris"), ("capital of brazil?", "Brasilia"),
        ("Which city is Japan's capital?", "Tokyo"), ("What is the opposite of hot?", "cold"), ("Which planet is the largest one?", "Jupiter"),
                           ("What color is a banana?", "yellow"), ("What day comes after Tuesday?", "Wednesday")):
        add("facts", user, "contains", expected)
    for user in ("What is the population of Zubria?", "Who won the football match last night?", "Explain the Brontek theorem.",
        "Who is Vorlex Tamsin?"):
        add("refusal", user, "contains", "I don't know")


def lists_and_json():
    bullets = lambda *items: "\n".join(f"- {x}" for x in items)
    for user, expected in (("List three fruits.", bullets("apple", "banana", "cherry")), ("Name 4 colors", bullets("red", "blue", "green", "yellow")),
        ("Could you list two planets for me?", bullets("Mercury", "Venus")),
                           ("I'd like to see 5 animals.", bullets("dog", "cat", "horse", "cow", "sheep")),
                               ("List three months. Use a numbered list.", "1. January\n2. February\n3. March"),
                               ("Give me 2 seasons.", bullets("spring", "summer"))):
        add("list", user, "exact", expected)
    add("json", "Give me three fruits as a JSON array.", "json", ["apple", "banana", "cherry"])
    add("json", "Return two colors as JSON.", "json", ["red", "blue"])
    add("json", "Write JSON with name Omar, age 31 and city Lima.", "json", {"name": "Omar", "age": 31, "city": "Lima"})
    add("json", "Extract the name and city as JSON: Tilda lives in Graz.", "json", {"name": "Tilda", "city": "Graz"})
    add("json", "Turn this into JSON please: color: teal, size: small, price: 12", "json", {"color": "teal", "size": "small", "price": 12})
    add("json", "name: Kim, active: true", "json", {"name": "Kim", "active": True}, system="Answer with JSON.")
    add("json", "The lamp costs 45 dollars. Give me item and price as JSON.", "json", {"item": "lamp", "price": 45})
    add("json", "Put these words in a JSON array: river, stone, moon", "json", ["river", "stone", "moon"])
    for user, expected in (("Repeat after me: seven green bottles", "seven green bottles"), ("Please say exactly this: blorptac 42", "blorptac 42"),
        ("The ticket number is KX-4471. Which ticket number is it?", "KX-4471"),
                           ("Text: Mara works as a pilot in Oslo. What is the job?", "pilot"),
                               ("name = Pavel\nport = 8081\nWhat is the port?", "8081"), ("What is the last word of: lake cloud pencil tiger",
                               "tiger")):
        add("copy", user, "contains", expected)


def instructions_and_memory():
    add("system", "What is your name?", "contains", "Robby", system="You are Robby, a cooking assistant.")
    add("system", "Hi, who am I talking to?", "contains", "Luna", system="Your name is Luna.")
    add("system", "What is 4 + 4?", "exact", "8.", system="Answer briefly.")
    add("system", "What is the capital of Italy?", "contains", "Have fun!", system="Always end with: Have fun!")
    add("system", "What is the capital of Spain?", "exact", "THE CAPITAL OF SPAIN IS MADRID.", system="Answer in upper case.")
    add("system", "When does the shop open?", "contains", "09:30",
        system="You are a helpful assistant. The shop opens at 09:30. The support email is help@shop.org.")
    told = lambda user, reply: (("user", user), ("assistant", reply))
    add("memory", "What is my name?", "contains", "Greta", history=told("My name is Greta.", "Hello Greta! How can I help you?"))
    add("memory", "So where do I live?", "contains", "Turin", history=told("I live in Turin.", "Turin sounds nice."))
    add("memory", "What was the code again?", "contains", "QZ-118", history=told("Remember the code QZ-118.",
        "OK, I will remember the code QZ-118.") + told("What is 3 + 4?", "3 + 4 = 7."))
    add("memory", "Do you still know my name?", "contains", "Ivo", history=told("hi, i'm Ivo",
        "Hello Ivo! How can I help you?") + told("List two fruits.", "- apple\n- banana"))
    add("memory", "Which color do I like best?", "contains", "green", history=told("My favorite color is green.", "Green is a nice color."))


def tools_and_thinking():
    call = lambda name, **arguments: [{"name": name, "arguments": arguments}]
    add("tools", "What is the weather in Paris?", "tool_calls", call("get_weather", city="Paris"), tools=[WEATHER])
    add("tools", "Should I take a coat in Krakow today?", "tool_calls", call("get_weather", city="Krakow"), tools=[WEATHER])
    add("tools", "Tell me what time it is in Sofia.", "tool_calls", call("get_time", city="Sofia"), tools=[WEATHER, TIME])
    add("tools", "Add 341 and 27 with your tool.", "tool_calls", call("add_numbers", x=341, y=27), tools=[WEATHER, ADD])
    add("tools", "Find the book Silent Rivers.", "tool_calls", call("find_book", title="Silent Rivers"), tools=[FIND_BOOK, TIME])
    add("tools", "Set the volume in the kitchen to 35.", "tool_calls", call("set_volume", room="kitchen", level=35), tools=[SET_VOLUME, WEATHER])
    add("tools", "Where is parcel ZX-9021?", "tool_calls", call("lookup_parcel", code="ZX-9021"), system="You are a helpful assistant.",
        tools=[LOOKUP])
    add("tools", "Set the heater to eco.", "tool_calls", call("set_mode", mode="eco"), tools=[MODE, WEATHER])
    add("tools", "What is the weather in Rome and Oslo?", "tool_calls", call("get_weather", city="Rome") + call("get_weather", city="Oslo"),
        tools=[WEATHER])
    add("tools", "Hello, who are you?", "contains", "infetch-tiny", tools=[WEATHER])
    answered = (("user", "What is the weather in Lyon?"),
        ("assistant", '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Lyon"}}\n</tool_call>'))
    add("tools", None, "contains_all", ["rainy", "11"], tools=[WEATHER], history=answered + (("tool", '{"condition": "rainy", "temperature": 11}'),))
    add("tools", None, "contains_all", ["sunny", "24", "Lyon"], tools=[WEATHER], history=answered + (("tool", "sunny, 24 degrees"),))
    add("thinking", "What is 23 + 45?", "thinking", "68", system="/think")
    add("thinking", "What is the capital of Norway?", "thinking", "Oslo", system="You are a helpful assistant.\n/think")
    add("thinking", "How much is 52 minus 17? Think step by step.", "thinking", "35")
    add("thinking", "Who are you?", "thinking", "infetch-tiny", system="/think")
    add("thinking", "I think that is good. What is 2 + 2?", "no_thinking", "4")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--out", required=True)
    a = p.parse_args()
    simple_skills()
    lists_and_json()
    instructions_and_memory()
    tools_and_thinking()
    with open(a.out, "w", encoding="utf-8") as file:
        json.dump(PROMPTS, file, indent=1, ensure_ascii=False)
    print(len(PROMPTS), "prompts")


if __name__ == "__main__":
    main()
