"""The development set: fresh chats of every skill in held-out phrasings; the share of last replies that greedy decoding gives exactly."""
import argparse
import json
import random

import torch

import chat_format
import tokenizer as bpe
from corpus import arithmetic, copying, dialogue, grammar, knowledge, lists, long_context, mixture, multi_step, product, structured, tools, unknown, writing
from model import Architecture, Llama
from load_weights import load_state

SEED = 2026


def chat(turns, think=None):
    return lambda r: mixture.messages(r, "", turns(r), think)


def three_digits(r):
    """A sum or a difference of three digits."""
    while True:
        turns = arithmetic.sum_turn(r)
        a, op, b = turns[0].reply.split()[:3] if " = " in turns[0].reply else ("0", "", "0")
        if op in ("+", "-") and min(len(a), len(b)) == 3 == max(len(a), len(b)):
            return turns


def one_call(r):
    """A chat that ends with its first call; of two arguments and more."""
    while True:
        messages = tools.tool_chat(r, 3)[0]
        for i, (role, content) in enumerate(messages):
            if role == "assistant" and content.count("<tool_call>") == 1 and len(json.loads(content.split("\n")[1])["arguments"]) > 1 and i == 2:
                return messages[:3]


def needle_at(tokens):
    """One fact in a text; the marks of a length are those of prose."""
    return lambda r: mixture.messages(r, *long_context.one_needle(r, tokens), None)


SKILLS = {
    "sums of three digits": chat(three_digits), "sums": chat(arithmetic.sum_turn), "word problems": chat(arithmetic.story_turn),
    "several steps": chat(multi_step.multi_step),
    "thinking, sums": chat(arithmetic.sum_turn, "system"), "thinking, steps": chat(multi_step.multi_step, "user"),
    "tools, two arguments": one_call, "tools": lambda r: tools.tool_chat(r, 3)[0], "I don't know": chat(unknown.unknown),
    "facts": chat(lambda r: r.choice([knowledge.capital, knowledge.fact, knowledge.unit, knowledge.calendar, knowledge.opposite])(r)),
    "chat": chat(dialogue.greeting), "about": chat(lambda r: r.choice([product.about_self, product.about_product])(r)),
    "memory": chat(lambda r: dialogue.memory(r, lambda r: [])), "correction": chat(dialogue.correction), "lists": chat(lists.list_turn),
    "quoting": chat(copying.repeat), "look-ups": chat(copying.lookup), "extraction": chat(structured.extraction),
    "json": chat(lambda r: r.choice([structured.sentence_json, structured.object_json])(r)), "stories": chat(writing.story),
    "retrieval at 500": needle_at(500),
    "retrieval at 2000": needle_at(2000), "retrieval at 3500": needle_at(3400)}


@torch.no_grad()
def exact(model, tokenizer, messages):
    """Would temperature 0 give the last reply? One pass over the whole chat shows it."""
    ids, _ = chat_format.encode(tokenizer, messages[:-1])
    prompt = ids + tokenizer.encode(chat_format.ASSISTANT_HEADER)
    reply = tokenizer.encode(messages[-1][1] + "<|im_end|>")
    if len(prompt) + len(reply) > model.arch.context_window:
        prompt = prompt[:2] + prompt[len(prompt) + len(reply) - model.arch.context_window + 2:]
    whole = torch.tensor([prompt + reply])
    hidden = model(whole[:, :-1], torch.arange(whole.shape[1] - 1)[None])[0]
    return bool((model.logits(hidden[len(prompt) - 1:]).argmax(-1) == whole[0, len(prompt):]).all())


def measure(model, tokenizer, count, skills=SKILLS):
    """{skill: share of exact replies}; long prompts a third as often."""
    model.eval()
    out = {}
    with grammar.held_out():
        for name, make in skills.items():
            r, n = random.Random(SEED), count // 3 if "retrieval" in name else count
            out[name] = round(sum(exact(model, tokenizer, make(r)) for _ in range(n)) / n, 3)
    model.train()
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--weights", required=True, help="a checkpoint or a folder of shipped files")
    p.add_argument("--count", type=int, default=100)
    a = p.parse_args()
    torch.set_num_threads(1)
    model = Llama(Architecture.read(a.architecture))
    model.load_state_dict(load_state(a.weights))
    for name, share in measure(model, bpe.load(a.tokenizer), a.count).items():
        print(f"{name:24s} {share:.3f}", flush=True)


if __name__ == "__main__":
    main()
