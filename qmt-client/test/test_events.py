# -*- coding: utf-8 -*-
"""Stories of what happens to a security without an order of anybody: it ends, or its code changes."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.journal_file import JournalFile  # noqa: E402
from test_ledger import A, B, FIFTH, FIRST, FOURTH, PRICES, SECOND, THIRD, Story  # noqa: E402
from world import Killed, item  # noqa: E402

NEW = '110909.SH'
RENAMED = {'day': SECOND, 'kind': 'renamed', 'to': NEW}


class AnEnd(Story):
    """A bond is called, matures or is converted, a share leaves the list: one day the account has none of it."""

    def test_of_every_kind_is_followed_when_the_account_shows_it(self):
        for kind in ('called', 'matured', 'converted', 'delisted', 'ended'):
            self.setUp()
            self.trade()
            self.assertEqual(self.held, {A: 490, B: 400})
            facts = {A: {'events': [{'day': SECOND, 'kind': kind}]}}
            rest = [item(B, 1, 0.5, 120.0)]
            self.day(SECOND)
            self.trade(rest, facts=facts)
            # Not sold here: nobody trades it. The account shows it for some days.
            self.assertEqual(self.held.get(A, 0), self.world.volumes[A])
            self.day(THIRD)
            self.world.volumes[A] = 0
            self.trade(rest, facts=facts)
            self.assertEqual((self.held, self.said(u'少于账本')), ({B: 400}, []))


class ACodeThatChanges(Story):
    """The account shows the security under its new code from a morning on; nobody has traded."""

    prices = dict(PRICES, **{NEW: PRICES[A]})

    def move(self):
        """The broker has changed the code in the account."""
        for kept in (self.world.volumes, self.world.costs):
            kept[NEW], kept[A] = kept[A], 0

    def wanted(self):
        return [item(NEW, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)]

    def test_moves_the_book_and_buys_nothing_again(self):
        self.trade()
        self.day(SECOND)
        self.move()
        self.trade(self.wanted(), facts={A: {'events': [RENAMED]}})
        self.assertEqual((self.held, self.world.volumes[NEW], len(self.world.sent)), ({NEW: 490, B: 400}, 490, 2))
        self.day(THIRD)
        self.trade([item(B, 1, 0.5, 120.0)], facts={A: {'events': [RENAMED]}})
        self.assertEqual((self.held, self.world.volumes[NEW]), ({B: 400}, 0))

    def test_that_the_account_does_not_show_yet_buys_neither_code_and_is_asked_after_days(self):
        self.trade()
        sent = len(self.world.sent)
        for date in (SECOND, THIRD, FOURTH):
            self.day(date)
            self.trade(self.wanted(), facts={A: {'events': [RENAMED]}})
            self.assertEqual((self.held, [one for one in self.world.sent[sent:] if one[1] == 'buy']), ({A: 490, B: 400}, []))
        self.day(FIFTH)
        self.trade(self.wanted(), facts={A: {'events': [RENAMED]}})
        self.assertEqual([(row['code'], row['why']) for row in self.site.heard['resting']], [(A, 'event')])
        self.move()
        self.day('2026-11-30')
        self.trade(self.wanted(), facts={A: {'events': [RENAMED]}})
        self.assertEqual((self.held, self.site.heard['resting']), ({NEW: 490, B: 400}, []))

    def test_loses_no_book_however_the_computer_dies(self):
        alive, line = False, 0
        while not alive:
            line += 1
            self.setUp()
            self.trade()
            self.day(SECOND)
            self.move()
            alive = self.dies_at(line)
            self.trade(self.wanted(), facts={A: {'events': [RENAMED]}})
            self.assertEqual((self.held, self.world.volumes[NEW]), ({NEW: 490, B: 400}, 490), line)
        self.assertGreater(line, 3)

    def dies_at(self, line):
        """Trades until that line of the journal is written; whether there was none."""
        write, count = JournalFile.write, [0]

        def last(file, *given):
            made = write(file, *given)
            count[0] += 1
            if count[0] == line:
                raise Killed()
            return made
        JournalFile.write = last
        try:
            return self.trade(self.wanted(), facts={A: {'events': [RENAMED]}}) is not None
        except Killed:
            return False
        finally:
            JournalFile.write = write

    def test_leaves_to_the_user_what_is_his(self):
        self.world.hold(A, 100)
        self.trade()
        self.day(SECOND)
        self.move()
        self.trade([item(B, 1, 0.5, 120.0)], facts={A: {'events': [RENAMED]}})
        self.day(THIRD)
        self.trade([item(B, 1, 0.5, 120.0)], facts={A: {'events': [RENAMED]}})
        self.assertEqual((self.held, self.world.volumes[NEW]), ({B: 400}, 100))

    def test_is_left_alone_where_the_former_one_was(self):
        self.trade(self.wanted(), facts={A: {'events': [dict(RENAMED, day=FIRST)]}}, ignore_codes=[A])
        self.assertEqual(self.held, {B: 400})


if __name__ == '__main__':
    unittest.main()
