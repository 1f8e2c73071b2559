"""Chats with tools: one call, two calls at once, no call, results, and follow-up calls."""
import chat_format
from chat_format import dumps

from . import arithmetic, dialogue, knowledge, lexicon, lists, product, tool_catalog, tool_families, tool_fields, tool_lists, unknown

SYSTEMS = ["", "", "", "", "You are a helpful assistant.", "You are a helpful assistant.", "You are infetch-tiny, a small assistant.",
    "You are a helpful agent. Use the tools when they are needed.", "You are an assistant with tools.", "Use tools to answer.",
    "You are a home assistant."]
NO_CALL = [(dialogue.greeting, 3), (product.about_self, 2), (product.about_product, 1), (knowledge.capital, 1), (lists.list_turn, 1),
    (unknown.unknown, 0.8)]


KINDS = [(tool_lists.any_tool, 80), (tool_fields.any_tool, 16), (tool_families.known, 16), (tool_families.invented, 16), (tool_catalog.any_tool, 18)]
"""Realistic tools with whole sentences; tools of groups of words; realistic ones with sentences made of parts; invented ones; those of one argument."""


def any_tool(r):
    return r.choices([make for make, _ in KINDS], [share for _, share in KINDS])[0](r)


def choose_tools(r, most):
    """Different names, known and invented; some look alike."""
    tools = {}
    for _ in range(r.choices(range(1, most + 1), [n ** -0.6 for n in range(1, most + 1)])[0]):
        near = [t for t in tools.values() if isinstance(t, tool_families.Family)]
        tool = r.choice(near).neighbor(r) if near and r.random() < 0.5 else any_tool(r)
        tools.setdefault(tool.name, tool)
    out = list(tools.values())
    r.shuffle(out)
    return out


WEATHER = ["sunny", "rainy", "cloudy", "windy", "snowy", "foggy", "clear", "stormy"]


def result(r, tool, arguments):
    """(content of the tool message, the sentence that reports it)."""
    place = arguments.get("city") or arguments.get("location")
    if "weather" in tool.name and place:
        sky, degrees = r.choice(WEATHER), r.randint(-10, 40)
        k = r.random()
        if k < 0.5:
            key, sky_key = r.choice(["temperature", "temp", "degrees", "temp_c"]), r.choice(["sky", "condition", "conditions", "weather"])
            data = {sky_key: sky, key: degrees}
            if r.random() < 0.5:
                data = {"city": place, **data}
            if r.random() < 0.3:
                data = dict(reversed(list(data.items())))
            return dumps(data), f"It is {sky} in {place}, {degrees} degrees."
        if k < 0.75:
            return r.choice([f"{sky}, {degrees} degrees", f"{sky.capitalize()}, {degrees}°C",
                f"{degrees} degrees and {sky}"]), f"It is {sky} in {place}, {degrees} degrees."
        return dumps({"temperature": degrees}), f"It is {degrees} degrees in {place}."
    if tool.name == "get_time":
        t = lexicon.clock_time(r)
        return r.choice([dumps({"city": place, "time": t}), t, dumps({"time": t})]), f"It is {t} in {place}."
    k = r.random()
    if k < 0.3 or tool.name in ("calculator", "add", "multiply"):
        v = r.choice([str(lexicon.random_number(r)), lexicon.value(r)]) if tool.name not in ("calculator", "add",
            "multiply") else str(lexicon.random_number(r, 6))
        number = v.isdigit() and not v.startswith("0") or v == "0"
        return r.choice([v, dumps({"result": int(v) if number else v})]), f"The result is {v}."
    if k < 0.5:
        return r.choice(['{"ok": true}', "ok", "done", '{"success": true}', '{"status": "ok"}', "success"]), "Done."
    if k < 0.6:
        reason = r.choice(["not found", "no access", "time out", "bad request", lexicon.phrase_of_words(r, 1, 3)])
        return r.choice([dumps({"error": reason}), f"Error: {reason}"]), f"The tool reported an error: {reason}."
    if k < 0.8:
        key, v = r.choice(["status", "name", "price", "owner", "date", "total", "count", "title", "answer"]), lexicon.value(r)
        data = {key: v}
        return dumps(data), f"The {key} is {v}."
    keys = r.sample(["status", "name", "price", "owner", "date", "total", "city", "title"], 2)
    values = [lexicon.value(r) for _ in keys]
    return dumps(dict(zip(keys, values))), f"The {keys[0]} is {values[0]} and the {keys[1]} is {values[1]}."


def tool_chat(r, most=4, system=None):
    """(messages, thoughts); the thoughts belong to the assistant messages in order."""
    tools = choose_tools(r, most)
    schemas = [tool.schema(r) for tool in tools]
    messages = [("system", chat_format.with_tools(r.choice(SYSTEMS) if system is None else system, schemas))]
    thoughts = []

    def add(turn):
        messages.extend([("user", turn.user), ("assistant", turn.reply)])
        thoughts.append(turn.thought)

    if r.random() < 0.12:
        add(r.choices([f for f, _ in NO_CALL], [w for _, w in NO_CALL])[0](r)[0])
    calls = []
    for _ in range(r.choices([0, 1, 2, 3], [10, 62, 22, 6])[0]):
        again = tool_families.follow_up(r, *calls[0]) if calls and isinstance(calls[0][0], tool_families.Family) and r.random() < 0.5 else None
        tool = calls[0][0] if again else r.choice(tools)
        text, arguments = again or tool.request(r)
        calls = [(tool, arguments)]
        if not again and r.random() < 0.1:
            other = tool if r.random() < 0.5 else r.choice(tools)
            more, more_arguments = second_request(r, tool, other, text)
            text, calls = more, calls + [(other, more_arguments)]
        messages += [("user", text), ("assistant", "\n".join(chat_format.tool_call(t.name, a) for t, a in calls))]
        thoughts.append(f"I need {lexicon.join_and(list(dict.fromkeys(t.name for t, _ in calls)))}.")
        if r.random() < 0.6:
            results = [result(r, t, a) for t, a in calls]
            messages += [("tool", content) for content, _ in results]
            messages.append(("assistant", " ".join(sentence for _, sentence in results)))
            thoughts.append("I have the result. I report it.")
    if not thoughts or r.random() < 0.12:
        add(r.choices([f for f, _ in NO_CALL], [w for _, w in NO_CALL])[0](r)[0])
    return messages, thoughts


def second_request(r, tool, other, text):
    """(both requests in one text, the second one's arguments)."""
    more, arguments = other.request(r)
    if tool is other and isinstance(tool, tool_catalog.Tool) and len(arguments) == 1 and not next(iter(other.parameters)).items:
        key = next(iter(arguments))
        value = str(arguments[key])
        tail = text[-1] if text[-1] in ".?!" else ""
        return (text[:-1] if tail else text) + r.choice([" and ", " and also ", " and for "]) + value + tail, arguments
    return text + r.choice([" ", " And ", " Also: ", " Then ", "\n"]) + more, arguments


def sums_without_tools(r, thinks):
    """Tools are there, but the question is a sum that the model does by itself; `thinks`: its thought will stand before the reply."""
    tools = [t for t in choose_tools(r, 3) if t.name not in ("calculator", "add", "multiply")]
    turn = arithmetic.sum_turn(r)[0]
    reply = turn.reply_after_thought() if thinks else turn.reply
    if not tools:
        return [("user", turn.user), ("assistant", reply)], [turn.thought]
    return [("system", chat_format.with_tools("", [t.schema(r) for t in tools])), ("user", turn.user), ("assistant", reply)], [turn.thought]
