# -*- coding: utf-8 -*-
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from random_days import main  # noqa: E402
import fuzzed_answers  # noqa: E402
import stories  # noqa: E402
from broker_conformance import BigTerminal, TheSimulator, Xtquant  # noqa: E402,F401


class RandomDays(unittest.TestCase):
    def test_a_small_share(self):
        made = main(6, seed=20261121, real_every=3)
        self.assertGreater(made['orders'], 10)
        self.assertGreater(made['kills'], 0)
        self.assertGreater(made['profits'], 0)
        self.assertGreater(made['exact'], 0)


class RandomStories(unittest.TestCase):
    def test_a_small_share(self):
        made = stories.main(100, seed=20261126)
        self.assertEqual(made['broken'], [])
        self.assertGreater(made['orders'], 1000)
        self.assertGreater(len(made['habits']), 40)


class FuzzedAnswers(unittest.TestCase):
    def test_a_small_share_of_days_on_which_the_site_answers_nonsense_ends_no_client(self):
        made = fuzzed_answers.main(100, seed=20261126)
        self.assertGreater(made['changed'], 500)
        self.assertGreater(made['orders'], 50)


if __name__ == '__main__':
    unittest.main()
