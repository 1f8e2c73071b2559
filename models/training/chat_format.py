"""The chat template: messages to text, with the weight that each piece has in the loss.

A message is `(role, content)` with role system, user, assistant or tool. web-llm's `conv_template` renders the same text.
"""
import json

PROMPT_WEIGHT = 0.1
TOOLS_HEADER = (
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>\n")
TOOLS_FOOTER = (
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments within "
    "<tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>")
ASSISTANT_HEADER = "<|im_start|>assistant\n"


def dumps(value):
    """JSON as the model writes it."""
    return json.dumps(value, ensure_ascii=False)


def with_tools(system, tools):
    """The system message for `tools` (objects `{"type": "function", "function": …}`)."""
    block = TOOLS_HEADER + "\n".join(dumps(tool) for tool in tools) + TOOLS_FOOTER
    return f"{system}\n\n{block}" if system else block


def tool_call(name, arguments):
    return f"<tool_call>\n{dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


def thinking(thought, answer):
    return f"<think>\n{thought}\n</think>\n\n{answer}"


def pieces(messages):
    """[(text, weight)]: assistant content and its end mark weigh 1, the rest `PROMPT_WEIGHT`. Tool messages in a row share one turn."""
    out, i = [], 0
    while i < len(messages):
        role, content = messages[i]
        if role == "assistant":
            out += [(ASSISTANT_HEADER, PROMPT_WEIGHT), (content + "<|im_end|>", 1.0), ("\n", PROMPT_WEIGHT)]
        elif role == "tool":
            responses = []
            while i < len(messages) and messages[i][0] == "tool":
                responses.append(f"<tool_response>\n{messages[i][1]}\n</tool_response>")
                i += 1
            out.append(("<|im_start|>user\n" + "\n".join(responses) + "<|im_end|>\n", PROMPT_WEIGHT))
            continue
        else:
            out.append((f"<|im_start|>{role}\n{content}<|im_end|>\n", PROMPT_WEIGHT))
        i += 1
    return out


def text(messages):
    return "".join(piece for piece, _ in pieces(messages))


def prompt(messages):
    """What the model continues: the messages and the header of the next reply."""
    return text(messages) + ASSISTANT_HEADER


def encode(tokenizer, messages):
    """(ids, weights) of a whole chat."""
    ids, weights = [], []
    for piece, weight in pieces(messages):
        encoded = tokenizer.encode(piece)
        ids += encoded
        weights += [weight] * len(encoded)
    return ids, weights
