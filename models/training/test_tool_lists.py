"""Tests of the lists of tools, without PyTorch: python3 -m unittest discover -s models/training -p 'test_*.py'"""
import os
import random
import re
import unittest

from corpus import grammar, tool_lists
from corpus.tool_slots import SLOTS, Enum

SEED = int(os.environ.get("SEED", "26"))
SENTENCES = 8


def every():
    return [entry for entries in tool_lists.lists() for entry in entries]


def phrasings(line):
    """Some phrasings of a line."""
    r = random.Random(f"{SEED} {line}")
    return {grammar.expand(r, line) for _ in range(20)}


class ToolLists(unittest.TestCase):
    def test_lines_are_well_formed(self):
        for name, description, kinds, optional, sentences in every():
            self.assertRegex(name, r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$")
            self.assertTrue(description.endswith("."), name)
            self.assertEqual([k for k in kinds.values() if k not in SLOTS and k != "switch"], [], name)
            self.assertGreaterEqual(len(sentences), SENTENCES, name)
            for text in (text for line in sentences for text in phrasings(line)):
                self.assertEqual(sorted(re.findall(r"\{(\w+)\}", text)), sorted(k for k in kinds if k not in optional), text)
                self.assertIsNone(re.search(r"[\[\]|~]", text), text)

    def test_a_name_stands_once_in_a_list(self):
        for entries in tool_lists.lists():
            names = [entry[0] for entry in entries]
            self.assertEqual(sorted(set(names)), sorted(names))

    def test_every_value_is_said(self):
        for i, entry in enumerate(every() * 3):
            r = random.Random(SEED * 100_000 + i)
            tool = tool_lists.make(r, entry, every())
            text, arguments = tool.request(r)
            self.assertNotIn("{", text)
            self.assertEqual([k for k in tool.slots if k not in tool.optional and k not in arguments], [])
            for key, value in arguments.items():
                if isinstance(value, str) and not isinstance(tool.slots[key], Enum):
                    self.assertIn(value, text)

    def test_a_date_stands_bare_behind_a_word_that_leads_to_it(self):
        for before, bare in (("Do it by ", True), ("Dinner, ", True), ("Date: ", True), ("Book it ", False), ("the forecast ", False), ("between ", True)):
            self.assertEqual(bool(tool_lists.LEADS.search(before)), bare, before)


if __name__ == "__main__":
    unittest.main()
