# -*- coding: utf-8 -*-
"""What the client tells the site of its terminal while nothing can be traded."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from test_ledger import A, B, SECOND, Story  # noqa: E402


class TroubleOfTheTerminal(Story):
    def test_that_does_not_answer_is_told_and_taken_back(self):
        self.world.habits['away'] = 1.0
        self.trade()
        self.assertEqual((self.held, self.site.heard['note']), ({}, u'终端没有应答'))
        self.world.habits['away'] = 0.0
        self.day(SECOND)
        self.trade()
        self.assertEqual((self.held, 'note' in self.site.heard), ({A: 490, B: 400}, False))

    def test_whose_quotes_stand_still_is_told(self):
        self.world.habits['still'] = self.clock.at('14:00')
        self.trade(maker='simulator')
        self.assertEqual((self.world.sent, self.site.heard['note']), ([], u'终端的行情停在 14:00:00，不下单'))

    def test_no_trouble_is_told_outside_the_hours(self):
        self.clock.seconds = self.clock.at('14:57:10')
        self.trade(start_time='00:00:00', end_time='23:59:59')
        self.assertNotIn('note', self.site.heard)


if __name__ == '__main__':
    unittest.main()
