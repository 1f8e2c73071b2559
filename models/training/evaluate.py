"""Measure a checkpoint: the 100 fixed prompts, held-out loss, tool calls, thinking, and facts at four prompt lengths."""
import argparse
import collections
import json
import random
import re

import torch
import torch.nn.functional as F

import chat_format
from corpus import long_context, mixture, tools
from generate import Generator
from unseen_text import filler_of

LENGTHS = (128, 1024, 2048, 3500)
SEED = 987_654_321
TOOL_CALL = re.compile(r"<tool_call>\n(.*?)\n</tool_call>", re.S)
THINK = re.compile(r"<think>\n(.+?)\n</think>\n\n(.+)", re.S)


def parse_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def passes(rule, expected, reply):
    """Does the reply follow the rule?"""
    if rule == "exact":
        return reply == expected
    if rule == "contains":
        return expected in reply
    if rule == "contains_any":
        return any(x in reply for x in expected)
    if rule == "contains_all":
        return all(x in reply for x in expected)
    if rule == "number":
        return [expected] == re.findall(r"\d+", reply)[-1:]
    if rule == "json":
        return parse_json(reply) == expected
    if rule == "tool_calls":
        return [parse_json(c) for c in TOOL_CALL.findall(reply)] == expected
    if rule == "thinking":
        match = THINK.fullmatch(reply)
        return bool(match) and expected in match.group(2)
    if rule == "no_thinking":
        return "<think>" not in reply and expected in reply
    raise ValueError(rule)


def fixed_prompts(generator, path, verbose):
    """({skill: (right, all)}, list of the wrong ones)."""
    with open(path, encoding="utf-8") as file:
        entries = json.load(file)
    table, wrong = collections.defaultdict(lambda: [0, 0]), []
    for entry in entries:
        messages = [(m["role"], m["content"]) for m in entry["messages"]]
        if entry.get("tools"):
            system = messages.pop(0)[1] if messages[0][0] == "system" else ""
            messages.insert(0, ("system", chat_format.with_tools(system, entry["tools"])))
        reply = generator.reply(messages)
        right = passes(entry["rule"], entry["expected"], reply)
        table[entry["skill"]][0] += right
        table[entry["skill"]][1] += 1
        if not right:
            wrong.append((entry["id"], messages[-1][1], reply))
            if verbose:
                print(entry["skill"], repr(messages[-1][1]), "->", repr(reply), flush=True)
    return {k: tuple(v) for k, v in table.items()}, wrong


@torch.no_grad()
def held_out_loss(generator, count):
    """(mean loss per assistant token of fresh short chats, the same of long chats)."""
    out = []
    for make, n in ((lambda r: mixture.short_chat(r), count), (lambda r: mixture.long_chat(r, r.choice([1000, 2000, 3400])), count // 16)):
        r, total, tokens = random.Random(SEED), 0.0, 0
        for _ in range(n):
            ids, weights = chat_format.encode(generator.tokenizer, make(r))
            ids, weights = ids[:generator.arch.context_window], weights[:generator.arch.context_window]
            ids, answer = torch.tensor([ids]), torch.tensor(weights)[1:] == 1.0
            hidden = generator.model(ids[:, :-1], torch.arange(ids.shape[1] - 1)[None])[0]
            loss = F.cross_entropy(generator.model.logits(hidden[answer]), ids[0, 1:][answer], reduction="sum")
            total, tokens = total + float(loss), tokens + int(answer.sum())
        out.append(total / tokens)
    return tuple(out)


def tool_accuracy(generator, count, verbose):
    """Share of fresh tool chats whose first reply is exactly right, and of those whose reply to a tool result is."""
    r, scores = random.Random(SEED + 1), {"first reply": [0, 0], "reply to a result": [0, 0]}
    while min(n for _, n in scores.values()) < count:
        chat, _ = tools.tool_chat(r, 3)
        seen = set()
        for i, (role, content) in enumerate(chat):
            kind = "reply to a result" if chat[i - 1][0] == "tool" else "first reply"
            if role != "assistant" or kind in seen or scores[kind][1] >= count or (kind == "first reply" and "<tool_call>" not in content):
                continue
            seen.add(kind)
            reply = generator.reply(chat[:i])
            scores[kind][0] += reply == content
            scores[kind][1] += 1
            if verbose and reply != content:
                print(kind, "| want", repr(content), "| got", repr(reply), flush=True)
    return {k: a / n for k, (a, n) in scores.items()}


def thinking_accuracy(generator, count):
    """(well-formed with /think, and the answer right; no thinking without /think)."""
    r, formed, right, silent = random.Random(SEED + 2), 0, 0, 0
    for _ in range(count):
        turns = mixture.weighted(r, mixture.SKILLS)
        reply = generator.reply(mixture.messages(r, "", turns[:1], "system")[:-1])
        match = THINK.fullmatch(reply)
        formed += bool(match)
        right += bool(match) and match.group(2) == turns[0].reply_after_thought()
        silent += "<think>" not in generator.reply(mixture.messages(r, "", turns[:1], None)[:-1])
    return {"well-formed": formed / count, "answer right": right / count, "none without request": silent / count}


def fact_prompt(generator, r, length, place, unseen):
    """(messages, expected): a fact near the start or the end of a text, so that the whole prompt has about `length` tokens."""
    sentence, turn = long_context.needle(r)
    room = length - len(generator.tokenizer.encode(chat_format.prompt([("user", sentence + turn.user)]))) - 4
    pieces = filler_of(r, room, generator.tokenizer, unseen)
    where = max(0, len(pieces) // 12) if place == "early" else len(pieces) - len(pieces) // 12
    pieces.insert(where, sentence)
    return [("user", " ".join(pieces) + "\n\n" + turn.user)], turn.reply


def context_accuracy(generator, count, verbose):
    """{(length, place, kind of filler): share of exact answers}."""
    out = {}
    for length in LENGTHS:
        for place in ("early", "late"):
            for unseen in (False, True):
                r, right = random.Random(SEED + length), 0
                for _ in range(count):
                    messages, expected = fact_prompt(generator, r, length, place, unseen)
                    reply = generator.reply(messages, 60)
                    right += reply == expected
                    if verbose and reply != expected:
                        print(length, place, "unseen" if unseen else "seen", "| want", repr(expected), "| got", repr(reply), flush=True)
                out[length, place, "unseen" if unseen else "seen"] = right / count
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--architecture", required=True)
    p.add_argument("--tokenizer", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--prompts", required=True, help="evaluation.json")
    p.add_argument("--out", help="write the numbers here as JSON")
    p.add_argument("--count", type=int, default=100, help="fresh samples per measure")
    p.add_argument("--quick", action="store_true", help="only the fixed prompts")
    p.add_argument("--verbose", action="store_true", help="print wrong replies")
    a = p.parse_args()
    torch.set_num_threads(1)
    generator = Generator(a.architecture, a.tokenizer, a.checkpoint)
    skills, wrong = fixed_prompts(generator, a.prompts, a.verbose)
    report = {"training": generator.info, "fixed_prompts": sum(x for x, _ in skills.values()), "skills": skills}
    print(report, flush=True)
    if not a.quick:
        report["held_out_loss"] = held_out_loss(generator, a.count * 8)
        print("held-out loss (short, long)", report["held_out_loss"], flush=True)
        report["tools"] = tool_accuracy(generator, a.count, a.verbose)
        print(report["tools"], flush=True)
        report["thinking"] = thinking_accuracy(generator, a.count)
        print(report["thinking"], flush=True)
        report["context"] = {f"{n} {place} {kind}": v for (n, place, kind), v in context_accuracy(generator, a.count // 4, a.verbose).items()}
        print(report["context"], flush=True)
    if a.out:
        with open(a.out, "w", encoding="utf-8") as file:
            json.dump({**report, "wrong": wrong}, file, indent=1, ensure_ascii=False)


if __name__ == "__main__":
    main()
