# -*- coding: utf-8 -*-
"""Rules that stories seldom bring into play, and the proof that their tests notice when a rule is taken out (mutants.py)."""

import copy
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

import mutants  # noqa: E402
from convexa_qmt.broker import CANCELLED  # noqa: E402
from convexa_qmt.proof import proved_fill  # noqa: E402
from test_ledger import LIST, PRICES, SECOND, A, B, C, D, Story  # noqa: E402
from world import TestClock, item  # noqa: E402

SILENT = 10 ** 6


class TheWall(Story):
    def test_an_account_that_knows_of_a_fill_before_the_list_does_is_not_added_to(self):
        # The second slice was filled while it was taken back; its row says for the rest of the day that nothing was.
        place, orders, late = self.world.place, self.world.orders, set()

        def placed(*given):
            self.world.habits.update(fill_after=SILENT, late_fill=1.0) if self.world.sent else None
            return place(*given)

        def lagging():
            rows = [copy.copy(row) for row in orders()]
            for row in rows[1:]:
                if row.status != 'open':
                    row.filled, row.status = 0, CANCELLED
                    late.add(row.number)
            return rows
        self.world.place, self.world.orders = placed, lagging
        self.world.trades = lambda: []
        self.trade([LIST[0]], order_max=30000, maker='simulator', duration=120)
        self.assertTrue(late)
        self.assertLessEqual(self.world.volumes[A], 490 + 10)


class AProofByPositions(unittest.TestCase):
    def test_that_a_buy_was_not_filled_needs_no_word_on_others_where_the_account_has_no_more_than_the_book(self):
        one = {'volume': 100, 'filled': 0, 'base': 300, 'perhaps': None, 'side': 'buy', 'cost': 0.0}
        for others in (None, 0, 300):
            for untouched in (True, False):
                self.assertEqual(proved_fill(one, 490, 490, 0.0, others, untouched), 0)
                self.assertIsNone(proved_fill(one, 491, 490, 0.0, others, untouched))
                self.assertIsNone(proved_fill(dict(one, side='sell'), 490, 490, 0.0, others, untouched))


class SellsFirst(Story):
    def test_no_buy_goes_out_while_a_sell_may_still_bring_its_cash(self):
        self.trade()
        self.day(SECOND)
        place, waited = self.world.place, []

        def placed(code, side, *given):
            if side == 'buy':
                waited.append([order.code for order in self.world.book if order.side == 'sell' and order.status == 'open'])
            return place(code, side, *given)
        self.world.place = placed
        self.world.habits['fill_after'] = 20
        self.trade([item(C, 1, 0.5, 90.0), item(D, 2, 0.5, 110.0)])
        self.assertEqual((self.held, [one for one in waited if one]), ({C: 540, D: 440}, []))

    def test_a_sell_that_stays_open_holds_up_no_buy_for_ever(self):
        self.trade()
        self.day(SECOND)
        self.world.habits.update(fill_after=SILENT, deaf_cancel=1.0)
        self.trade([item(C, 1, 0.5, 90.0), item(D, 2, 0.5, 110.0)], capital=30)
        self.assertEqual(set(one[1] for one in self.world.sent[2:] if one[2] == 'buy'), {C, D})


class NappingClock(TestClock):
    """Of a computer that falls asleep for some seconds with the first order; its monotonic clock stands meanwhile."""

    def __init__(self, world_of):
        TestClock.__init__(self, at=14 * 3600 + 56 * 60 + 40)
        self.world_of, self.still = world_of, 0.0

    def monotonic(self):
        return self.now() - self.still

    def sleep(self, seconds):
        TestClock.sleep(self, seconds)
        if self.world_of().sent and not self.still:
            self.still = 25.0
            TestClock.sleep(self, self.still)


class AComputerThatSlept(Story):
    def test_sends_nothing_more_before_it_has_heard_the_time(self):
        self.clock = NappingClock(lambda: self.world)
        self.world.clock = self.site.clock = self.clock
        # A terminal that tells no tick of the index is no second witness.
        self.world.index_time = lambda: None
        self.trade(end_time='14:57:00')
        # Shorter than what makes a clock wrong, and long enough to lead into the auction.
        self.assertEqual([one[1] for one in self.world.sent], [A])


class RulesWithTests(unittest.TestCase):
    def test_are_missed_by_them_when_they_are_taken_out(self):
        for rule, owner, name, instead in mutants.RULES:
            if rule in mutants.TESTED:
                self.assertIsNotNone(mutants.caught_by_test(rule, owner, name, instead), rule)
        self.assertEqual(set(mutants.TESTED) - set(one[0] for one in mutants.RULES), set())


if __name__ == '__main__':
    unittest.main()
