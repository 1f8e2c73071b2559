"""Tests of what needs no PyTorch: python3 -m unittest discover -s models/training/embedding"""
import random
import unittest

import baseline
import check_data
import measures
import pairs
import wordpiece

SEED = 11


class Data(unittest.TestCase):
    def test_training_and_evaluation_are_apart(self):
        self.assertEqual((check_data.repeated(), check_data.known()), ([], []))

    def test_a_meaning_has_another_wrong_text(self):
        r = random.Random(SEED)
        for _ in range(2000):
            key, first, right, other, wrong = pairs.pair(r, pairs.WEIGHED)
            self.assertNotEqual(key, other)
            self.assertTrue(all(text.strip() for text in (first, right, wrong)))

    def test_the_same_seed_gives_the_same_pairs(self):
        first, second = ([pairs.pair(r) for _ in range(50)] for r in (random.Random(SEED), random.Random(SEED)))
        self.assertEqual(first, second)


class Pieces(unittest.TestCase):
    def setUp(self):
        self.tokenizer = wordpiece.WordPiece(wordpiece.build_vocabulary(["glacier", "valley"] * 2, 100, ["ice"]))

    def split(self, text, longest=lambda: None):
        return [self.tokenizer.vocabulary[token] for token in self.tokenizer.encode(text, longest)[1:-1]]

    def test_known_words_are_whole_and_others_in_short_pieces(self):
        self.assertEqual(self.split("Ice"), ["ice"])
        self.assertEqual(self.split("glacier"), ["gla", "##cie", "##r"])

    def test_pieces_can_be_cut_shorter_and_say_the_same(self):
        cut = self.split("glacier", lambda: 2)
        self.assertTrue(all(len(piece.removeprefix("##")) <= 2 for piece in cut))
        self.assertEqual("".join(piece.removeprefix("##") for piece in cut), "glacier")

    def test_letters_outside_the_alphabet_are_unknown(self):
        self.assertEqual(self.split("日"), ["[UNK]"])


class Scores(unittest.TestCase):
    passages, queries = [("a", ""), ("b", "")], [("a", ""), ("b", ""), ("b", "")]

    def test_a_tie_counts_against_the_right_passage(self):
        self.assertEqual(measures.ranks(self.passages, self.queries, [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]]), [1, 2, 1])

    def test_the_interval_holds_the_share(self):
        score = measures.retrieval(self.queries, [1, 2, 1])
        self.assertEqual(score["first"], 0.6667)
        self.assertTrue(score["interval"][0] <= score["first"] <= score["interval"][1])

    def test_baselines_find_a_passage_by_its_words(self):
        for family in baseline.FAMILIES:
            for name, table in baseline.similarities(family, ["the ice melts"], ["melting ice", "a dry desert"]):
                self.assertGreater(table[0][0], table[0][1], name)

    def test_each_negation_has_two_texts(self):
        self.assertTrue(all(len(item) == 3 for item in measures.negations()))


if __name__ == "__main__":
    unittest.main()
