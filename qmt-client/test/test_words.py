# -*- coding: utf-8 -*-
"""The user's word on an order whose end is not known: from when on it counts, and what the client then does."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from test_ledger import LIST, SECOND, A, B, Story, after_the_call  # noqa: E402
from world import item  # noqa: E402


class TheUsersWord(Story):
    """The computer dies after the first order and is started again on the same day; no list ever shows the order."""

    def setUp(self, items=LIST):
        Story.setUp(self)
        self.world.habits.update(late=10 ** 6, fill_after=1)
        after_the_call(self.world, 1)
        self.assertIsNone(self.trade(items))
        self.world.book[0].due = 0
        self.asked = list(self.journal.orders)[0]

    def say(self, filled):
        self.site.settled = [{'order_id': self.asked, 'filled': filled, 'word': 'w%d' % filled}]

    def buys(self, code):
        return [order.volume for order in self.world.book if (order.code, order.side) == (code, 'buy')]

    def test_less_than_the_whole_waits_for_the_close_of_the_orders_day(self):
        for filled in (0, 120, 489):
            self.say(filled)
            self.trade(end_time='14:56:30')
            self.assertEqual((self.journal.orders[self.asked]['state'], self.buys(A), self.held.get(A, 0)), ('unsure', [490], 0))

    def test_nothing_filled_buys_again_on_the_next_day(self):
        self.say(0)
        self.day(SECOND)
        self.world.habits['late'] = 0
        self.trade()
        self.assertEqual((self.journal.orders[self.asked]['by'], self.held, self.world.volumes[A]), ('user', {A: 490, B: 400}, 490))
        self.assertEqual((self.site.told[self.asked]['status'], self.site.told[self.asked]['proof']), ('cancelled', 'user'))

    def test_the_whole_counts_at_once_and_nothing_more_is_sent(self):
        self.say(490)
        self.trade()
        self.assertEqual((self.journal.orders[self.asked]['by'], self.held[A], self.buys(A)), ('user', 490, [490]))

    def test_that_was_wrong_gives_way_to_a_row_that_comes_late_on_the_same_day(self):
        self.setUp([item(A, 1, 0.5, 100.0)])
        self.world.habits['late'] = 120
        self.say(490)
        self.trade([item(A, 1, 0.5, 100.0)])
        one = self.journal.orders[self.asked]
        self.assertEqual((one['by'], one['filled'], self.held, self.buys(A)), ('list', 0, {}, [490]))

    def test_that_was_taken_is_not_taken_again(self):
        self.say(490)
        self.trade()
        lines = self.journal.n
        self.day(SECOND)
        self.world.hold(A, 490)
        self.trade()
        words = [one for one in self.journal.orders.values() if one['word'] == 'w490']
        self.assertEqual((len(words), self.held[A]), (1, 490))
        self.assertGreater(self.journal.n, lines)


if __name__ == '__main__':
    unittest.main()
