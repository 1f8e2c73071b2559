"""Tests of the corpus, without PyTorch: python3 -m unittest discover -s models/training -p 'test_*.py'"""
import json
import os
import random
import re
import unittest

import chat_format
import tokenizer
from corpus import arithmetic, frames, grammar, long_context, mixture, multi_step, system_prompts, tool_families, tools, unknown

SEED = int(os.environ.get("SEED", "26"))
CALL = re.compile(r"<tool_call>\n(.*?)\n</tool_call>", re.S)
KINDS = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}


def sources(count):
    return [random.Random(SEED * 100_000 + i) for i in range(count)]


class Grammar(unittest.TestCase):
    def test_alternatives_optional_parts_and_nesting(self):
        line = "[a|b[c|d]*]* x[y|z]?"
        found = {grammar.expand(r, line) for r in sources(500)}
        self.assertEqual(found, {f"{a} x{b}?" for a in ("a", "b", "bc", "bd", "") for b in "yz"})
        self.assertEqual(grammar.count(line), len(found))

    def test_held_out_alternatives_are_never_trained(self):
        options = ["a", "~b", "[c|~d]"]
        self.assertEqual({grammar.expand(r, grammar.choose(r, options)) for r in sources(200)}, {"a", "c"})
        with grammar.held_out():
            self.assertEqual({grammar.expand(r, grammar.choose(r, options)) for r in sources(200)}, {"b"})

    def test_no_mark_of_the_grammar_is_left_in_a_chat(self):
        for r in sources(1500):
            for role, text in mixture.short_chat(r, r.random()):
                if role == "user" and not text.startswith(("{", "[")):
                    self.assertIsNone(re.search(r"\[[a-zA-Z ]+\||\]\*|^~|@ |\{[a-z]\}", text), text)

    def test_what_is_to_be_copied_stays_at_the_end(self):
        for r in sources(300):
            self.assertTrue(frames.frame(r, "Repeat: {x}").endswith("{x}"))

    def test_clauses(self):
        for question, inner in (("Where does {k} live?", "where {k} lives"), ("What is my name?", "what my name is"),
            ("Who wrote Hamlet?", "who wrote Hamlet"),
                ("How many legs does {a} have?", "how many legs {a} has"), ("Where do I live?", "where I live")):
            self.assertEqual(frames.clause(question), inner)


class Sums(unittest.TestCase):
    def value(self, text):
        return eval(text.replace("/", "//"), {"__builtins__": {}})

    def test_replies_and_thoughts_agree(self):
        for r in sources(3000):
            turn = r.choice([arithmetic.sum_turn, arithmetic.story_turn, multi_step.chain])(r)[0]
            result = re.findall(r"\d+", turn.reply)[-1]
            self.assertEqual(re.findall(r"\d+", turn.thought)[-1], result, turn)
            for reply in (turn.reply, turn.reply_after_thought()):
                *parts, last = reply.split(" = ")
                self.assertEqual([self.value(part) for part in parts] + [int(re.findall(r"\d+", last)[0])], [int(result)] * (len(parts) + 1), turn)
            self.assertLessEqual(turn.reply_after_thought().count("="), 1)
            for left, right in re.findall(r"(\d[\d +*-]*) = (\d+)", turn.thought):
                self.assertEqual(self.value(left), int(right), turn)

    def test_every_step_of_a_thought_is_right(self):
        for r in sources(2000):
            a, b, op, result = arithmetic.operands(r)
            thought = arithmetic.reasoning(a, op, b, result)
            for left, right in re.findall(r"(\d[\d +*-]*) = (\d+)", thought):
                self.assertEqual(self.value(left), int(right), thought)
            self.assertEqual(int(re.findall(r"(?:= |gives )(\d+)", thought)[-1]), result, thought)

    def test_a_long_sum_goes_place_by_place(self):
        for (a, op, b), text in {(358, "+", 246): "358 + 246 = 558 + 46 = 598 + 6 = 604", (604, "-", 246): "604 - 246 = 404 - 46 = 364 - 6 = 358",
            (46, "+", 358): "46 + 358 = 358 + 46 = 398 + 6 = 404", (358, "+", 206): "358 + 206 = 558 + 6 = 564", (358, "+", 200): "358 + 200 = 558",
                (17, "+", 25): "17 + 25 = 37 + 5 = 42", (62, "-", 47): "62 - 47 = 22 - 7 = 15", (20, "+", 25): "20 + 25 = 45",
                (7, "+", 25): "7 + 25 = 32", (7, "*", 23): "7 * 23 = 140 + 21 = 161"}.items():
            self.assertEqual(arithmetic.worked(a, op, b, self.value(f"{a}{op}{b}")), text)

    def test_several_steps_stand_in_one_line(self):
        self.assertEqual(arithmetic.in_one_line(14, [("+", 46), ("-", 30), ("+", 25)]),
            "14 + 46 - 30 + 25 = 54 + 6 - 30 + 25 = 60 - 30 + 25 = 30 + 25 = 55")
        self.assertEqual(arithmetic.in_one_line(18, [("*", 7), ("/", 6)]), "18 * 7 / 6 = 126 / 6 = 21")
        self.assertEqual(arithmetic.in_one_line(96, [("/", 8), ("+", 3)]), "96 / 8 + 3 = 12 + 3 = 15")

    def test_a_style_changes_both_replies(self):
        styled = system_prompts.apply(lambda turn: f"Well, {turn.reply}", arithmetic.answer("358 + 246", 358, "+", 246, 604, "apples"))
        self.assertEqual(styled.reply, "Well, 358 + 246 = 558 + 46 = 598 + 6 = 604 apples.")
        self.assertEqual(styled.reply_after_thought(), "Well, 358 + 246 = 604 apples.")

    def test_three_digits_are_most_sums(self):
        pairs = [arithmetic.operands(r) for r in sources(1000)]
        self.assertGreater(sum(max(a, b) >= 100 for a, b, op, _ in pairs if op in "+-") / sum(op in "+-" for _, _, op, _ in pairs), 0.5)


class Tools(unittest.TestCase):
    def check(self, schema, arguments, said):
        properties = schema["parameters"]["properties"]
        self.assertEqual([k for k in properties if k in arguments], list(arguments), "order of the schema")
        for key, value in arguments.items():
            spec = properties[key]
            self.assertIsInstance(value, KINDS[spec["type"]])
            self.assertFalse(spec["type"] in ("integer", "number") and isinstance(value, bool))
            if "enum" in spec:
                self.assertIn(value, spec["enum"])
            elif spec["type"] == "string":
                self.assertIn(value, said)

    def test_calls_are_valid_and_strings_stand_in_the_chat(self):
        for r in sources(1500):
            messages, thoughts = tools.tool_chat(r, 4)
            self.assertEqual(len(thoughts), sum(role == "assistant" for role, _ in messages))
            block = messages[0][1].split("<tools>\n")[1].split("\n</tools>")[0]
            schemas = {t["function"]["name"]: t["function"] for t in map(json.loads, block.split("\n"))}
            said = ""
            for role, content in messages[1:]:
                said += content if role == "user" else ""
                for call in CALL.findall(content) if role == "assistant" else ():
                    call = json.loads(call)
                    self.check(schemas[call["name"]], call["arguments"], said)

    def test_every_required_argument_is_said(self):
        for r in sources(1500):
            family = r.choice([tool_families.known, tool_families.invented])(r)
            _, arguments = family.request(r)
            self.assertEqual([k for k in family.slots if k not in family.optional and k not in arguments], [])

    def test_a_follow_up_changes_one_value(self):
        for r in sources(500):
            family = tool_families.known(r)
            _, arguments = family.request(r)
            again = tool_families.follow_up(r, family, arguments)
            if again:
                self.assertEqual(list(again[1]), list(arguments))
                self.assertLessEqual(sum(again[1][k] != arguments[k] for k in arguments), 1)


class Chats(unittest.TestCase):
    def test_the_refusal_keeps_its_words(self):
        self.assertEqual({unknown.unknown(r)[0].reply for r in sources(300)}, {"I don't know that. I am a very small model."})

    def test_the_answer_of_a_document_stands_in_it(self):
        for r in sources(300):
            text, turns = long_context.document(r, 200)
            for turn in turns:
                self.assertIn(turn.thought.removeprefix("The text says: "), text)

    def test_most_chats_fit_and_the_same_seed_gives_the_same_chat(self):
        encoder = tokenizer.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tiny-chat/tokenizer.json"))
        lengths = [len(chat_format.encode(encoder, mixture.short_chat(r))[0]) for r in sources(400)]
        self.assertLess(sum(n > 768 for n in lengths), 20)
        self.assertEqual(*[[mixture.short_chat(r) for r in sources(50)] for _ in range(2)])


if __name__ == "__main__":
    unittest.main()
