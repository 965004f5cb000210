# -*- coding: utf-8 -*-
"""What the client tells the site of its terminal while nothing can be traded."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.day import Day  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.server import Refused  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from terminals import MAKERS  # noqa: E402
from test_ledger import FIRST, FOURTH, LIST, PRICES, SECOND, THIRD, A, B, C, D, Story  # noqa: E402
from world import Site, item, settings, targets_of  # noqa: E402


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


class BookAndOrders(Story):
    def test_of_every_report_fit_together(self):
        # The site has the account of the first order at the same moment as the order itself, and so of each that follows.
        self.world.habits.update(partial=0.5, fill_after=20)
        real, checked, test = self.site.heartbeat, [], self

        def heartbeat(told):
            answer = real(told)
            made = {}
            for one in test.site.told.values():
                made[one['code']] = made.get(one['code'], 0) + (one['filled'] if one['side'] == 'buy' else -one['filled'])
            test.assertEqual(dict((one['code'], one['volume']) for one in told['holdings']), dict((code, volume) for code, volume in made.items() if volume))
            checked.append(len(told['holdings']))
            return answer
        self.site.heartbeat = heartbeat
        rows = [item(code, i + 1, 0.25, PRICES[code]) for i, code in enumerate((A, B, C, D))]
        for maker, date, items in (('xtquant', None, rows), ('passorder', SECOND, rows[:2]), ('simulator', THIRD, rows[1:])):
            if date:
                self.day(date)
            self.trade(items, maker=maker)
        self.assertGreater(len(checked), 15)
        self.assertGreater(max(checked), 2)

    def test_are_told_again_while_the_site_keeps_neither(self):
        self.trade()
        told = dict(self.site.told)
        self.site.told.clear()
        self.site.halt = u'委托记录与网站最后见到的不同'
        self.day(SECOND)
        self.trade()
        self.assertEqual((self.site.told, len(self.site.heard['fills'])), ({}, 2))
        self.site.halt = ''
        self.trade()
        self.assertEqual(set(self.site.told), set(told))

    def test_that_ended_without_a_row_before_a_death_are_told_by_the_next_process(self):
        # Of a day that is not the last one with orders.
        journal = Journal(self.path, FIRST)
        journal.begin()
        for one, date, code, by in (('A' * 20, '2026-11-20', A, 'positions'), ('B' * 20, '2026-11-20', C, 'user'), ('C' * 20, '2026-10-16', D, 'user'), ('D' * 20, '2026-11-23', B, '')):
            journal.intend(one, date, 0.0, code, 'buy', 100, 100.0)
            journal.learn(one, 100, 100.0, 'filled', '') if not by else journal.end(one, 0, 'cancelled', by)
        journal.close()
        self.day(SECOND)
        self.world.volumes[B] = 100
        self.trade([])
        self.assertEqual(sorted((one, told.get('proof')) for one, told in self.site.told.items() if one[0] in 'ABC' and len(set(one)) == 1), [('A' * 20, 'positions'), ('B' * 20, 'user')])

    def test_that_the_users_word_has_changed_are_told_at_once(self):
        self.world.habits.update(late=10 ** 6)
        self.trade([LIST[0]], maker='simulator')
        [asked] = self.site.told
        self.site.settled = [{'order_id': asked, 'filled': 490, 'word': 'w'}]
        self.trade([LIST[0]], maker='simulator')
        self.assertEqual((self.site.heard['holdings'], self.site.told[asked]['proof']), ([{'code': A, 'volume': 490}], 'user'))


class TheJournal(Story):
    def test_names_the_processes_that_wrote_it_and_a_copy_lacks_those_after_it(self):
        self.trade()
        copy = open(self.path, 'rb').read()
        self.trade()
        [first, last] = self.site.heard['journal']['starts']
        self.assertEqual(self.site.heard['journal']['start']['token'], last)
        with open(self.path, 'wb') as file:
            file.write(copy)
        for _ in range(60):
            self.trade()
        told = self.site.heard['journal']
        self.assertEqual((len(told['starts']), last in told['starts']), (50, False))


class TheEndOfAPlan(Story):
    """Before the report, orders of a plan may be unknown to the site: another computer without a journal must not trade."""

    def told(self, days):
        said, real = [], self.site.heartbeat

        def heartbeat(told):
            said.append(told['may_order'])
            return real(told)
        self.site.heartbeat = heartbeat
        days()
        self.site.heartbeat = real
        return [one for i, one in enumerate(said) if i == 0 or said[i - 1] != one]

    def test_is_told_when_the_window_is_over_and_on_the_next_day_anew(self):
        for maker in ('xtquant', 'passorder'):
            self.setUp()
            self.assertEqual(self.told(lambda: self.trade(maker=maker)), [False, True, False])
            self.day(SECOND)
            self.assertEqual(self.told(lambda: self.trade(maker=maker)), [False, True, False])

    def test_is_not_told_by_a_process_that_dies(self):
        self.assertEqual(self.told(lambda: self.trade(killed_at=15)), [False, True])
        # Started again within the window it has that plan still.
        self.assertEqual(self.told(self.trade), [True, False])

    def test_is_told_at_the_close_where_sales_with_profit_may_follow_the_window(self):
        ends, rules = [], settings(take_profit={'activate': 0.02, 'drawdown': 0.003, 'deal': 0.5}, order_max=50000)
        self.site.made = targets_of(LIST, FIRST)
        real = self.site.heartbeat

        def heartbeat(told):
            ends.append((told['may_order'], self.clock.stamp(self.clock.now())[11:16]))
            return real(told)
        self.site.heartbeat = heartbeat
        journal = Journal(self.path, FIRST)
        self.clock.seconds = self.clock.at('14:45')
        Day(Trader(rules, self.site, MAKERS['xtquant'](self.world, self.clock), journal, self.clock, self.lines.append, dry_run=False)).run()
        journal.close()
        self.assertEqual((ends[-2][0], ends[-1]), (True, (False, '14:57')))


class OlderSite(Site):
    """Knows these fields of a heartbeat, of its journal and of an order, and refuses others as the site's contract does."""

    def __init__(self, beat, journal, fill, states=('open', 'filled', 'part_cancelled', 'cancelled', 'rejected')):
        Site.__init__(self, None)
        self.known, self.states, self.refused = {'beat': beat, 'journal': journal, 'fill': fill}, states, 0

    def check(self, kind, told):
        for key in told:
            if key not in self.known[kind]:
                self.refused += 1
                raise Refused(u'请求参数有误：不认识的字段「%s」（40000）' % key, 40000)

    def heartbeat(self, told):
        self.reach()
        self.check('beat', told)
        self.check('journal', told.get('journal', {}))
        if any(row['why'] not in ('order', 'event', 'ex', 'less') for row in told.get('resting', [])):
            raise Refused(u'请求参数有误（40000）', 40000)
        return Site.heartbeat(self, told)

    def fills(self, fills):
        for one in fills:
            self.check('fill', one)
            assert one['status'] in self.states
        Site.fills(self, fills)


BEAT_1 = {'client_version', 'dry_run', 'holdings', 'fresh', 'note'}
FILL_1 = {'order_id', 'trade_date', 'code', 'side', 'volume', 'filled', 'price', 'status', 'note', 'dry_run', 'ordered_at'}
BEAT_2, FILL_2 = BEAT_1 | {'journal', 'resting', 'changes', 'words', 'offset_ms', 'session'}, FILL_1 | {'limit', 'seq', 'proof'}


class AnOlderSite(Story):
    def sites(self):
        # Of the first 2.0.0, and of the last before it, which tells no facts.
        yield OlderSite(BEAT_2, {'id', 'n', 'opening'}, FILL_2, ('unsure', 'open', 'filled', 'part_cancelled', 'cancelled', 'rejected'))
        yield OlderSite(BEAT_1, set(), FILL_1)

    def test_is_told_what_it_knows_and_of_that_everything(self):
        for site in self.sites():
            self.setUp()
            self.site = site
            self.trade()
            self.assertEqual(self.held, {A: 490, B: 400})
            self.assertEqual(sum(one['filled'] for one in site.told.values()), 890)
            self.assertLessEqual(site.refused, 2)
            self.assertEqual(len(self.said(u'网站的版本较旧')), 1)
            self.assertEqual(self.said(u'心跳没有送达'), [])

    def test_hears_of_an_order_in_question_as_far_as_it_has_a_word(self):
        for site in self.sites():
            self.setUp()
            self.site = site
            self.world.habits.update(late=10 ** 6)
            self.trade([LIST[0]])
            self.assertEqual([one['status'] for one in site.told.values()], ['unsure' if 'unsure' in site.states else 'open'])

    def test_hears_of_a_book_in_doubt_by_a_reason_that_it_knows(self):
        self.site = OlderSite(BEAT_2, {'id', 'n', 'opening'}, FILL_2)
        self.trade()
        self.world.habits['no_value'] = True
        self.world.sell_by_hand(A, 490)
        self.world.sell_by_hand(B, 400)
        for date in (SECOND, THIRD, FOURTH):
            self.day(date)
            self.trade()
        self.assertEqual(sorted((row['code'], row['why']) for row in self.site.heard['resting']), [(A, 'less'), (B, 'less')])

    def test_is_not_what_a_site_of_today_is_that_refuses_a_report(self):
        real, beats = self.site.heartbeat, []
        self.site.clock = self.clock

        def heartbeat(told):
            beats.append(set(told))
            if 'journal' in told:
                raise Refused(u'请求参数有误：交易记录（40000）', 40000)
            return real(told)
        self.site.heartbeat = heartbeat
        self.trade(duration=60)
        self.assertEqual((self.world.sent, self.said(u'网站的版本较旧')), ([], []))
        self.assertEqual(len(self.said(u'今天不交易')), 1)


if __name__ == '__main__':
    unittest.main()
