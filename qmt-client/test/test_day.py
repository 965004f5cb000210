# -*- coding: utf-8 -*-
"""Stories of what stands around the window: the first heartbeat, profits taken, a loss that ends the day, late orders, one client at a time."""

import io
import json
import os
import shutil
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.big_terminal import Stopped, Strategy, TurnBroker, Turns  # noqa: E402
from convexa_qmt.broker import BrokerAway, Quote  # noqa: E402
from convexa_qmt.clock import TrialClock  # noqa: E402
from convexa_qmt.day import Day  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.main import logger, settings_of  # noqa: E402
from convexa_qmt.only_one import only_one  # noqa: E402
from convexa_qmt.simulator import Simulator  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from terminals import BigTerminal  # noqa: E402
from world import RULES, Site, TestClock, item, memory_folder, settings, targets_of  # noqa: E402

A, B, C, D = '110901.SH', '123901.SZ', '110902.SH', '123902.SZ'
PRICES = {A: 100.0, B: 120.0, C: 90.0, D: 110.0}
PROFIT = {'activate': 0.065, 'drawdown': 0.003, 'deal': 0.5}
FIRST, SECOND, THIRD = '2026-11-23', '2026-11-24', '2026-11-25'


class Story(unittest.TestCase):
    def setUp(self):
        self.folder = memory_folder()
        self.lines = []
        self.broker = Simulator(PRICES, 200000.0)
        self.day(FIRST, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)])
        self.run_day()
        self.broker.new_day(PRICES)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def day(self, date, items, at=9 * 3600):
        self.date, self.clock, self.site = date, TestClock(date, at), Site(targets_of(items, date))

    def run_day(self, **over):
        journal = Journal(os.path.join(self.folder, 'journal.jsonl'))
        try:
            return Day(Trader(settings(**over), self.site, self.broker, journal, self.clock, self.lines.append, dry_run=False)).run()
        finally:
            self.held, self.profits = journal.holdings(), journal.profits
            journal.close()

    def prices_of(self, code, *path):
        """The price of a security at each look of the watch, from now on; the last one stays."""
        look, began = self.broker.positions, self.clock.now()

        def positions():
            self.broker.prices[code] = path[min(len(path) - 1, int((self.clock.now() - began) / RULES['interval']))]
            return look()
        self.broker.prices[code] = path[0]
        self.broker.positions = positions

    def said(self, words):
        return [line for line in self.lines if words in line]


class TheDay(Story):
    def test_begins_with_a_heartbeat_at_its_time_and_pulls_a_minute_before_the_window(self):
        self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)])
        heard = []
        beats, targets = self.site.heartbeat, self.site.targets
        self.site.heartbeat = lambda *given: heard.append(('beat', self.clock.now())) or beats(*given)
        self.site.targets = lambda *given: heard.append(('targets', self.clock.now())) or targets(*given)
        self.run_day()
        self.assertEqual(heard[0], ('beat', self.clock.at('09:15')))
        self.assertEqual([at for what, at in heard if what == 'targets'], [self.clock.at('14:49')])
        between = [at for what, at in heard if what == 'beat' and at < self.clock.at('14:49')]
        self.assertTrue(all(later - earlier <= 61 for earlier, later in zip(between, between[1:])))

    def test_goes_on_when_a_stop_of_the_morning_was_taken_back_before_the_window(self):
        self.day(SECOND, [item(A, 1, 1.0, 100.0)])
        beats = self.site.heartbeat

        def heartbeat(*given):
            self.site.halt = u'自动交易已急停' if self.clock.at('10:00') <= self.clock.now() < self.clock.at('11:00') else ''
            return beats(*given)
        self.site.heartbeat = heartbeat
        self.assertEqual(self.run_day()['halted'], '')
        self.assertEqual(self.held, {A: 980})
        self.assertTrue(self.said(u'收到停止') and self.said(u'停止已解除'))

    def halted(self, *spans):
        """The site stops the client from and until these times, and tells of it by heartbeats; orders by their times."""
        beats, place, sent = self.site.heartbeat, self.broker.place, []

        def heartbeat(*given):
            self.site.halt = u'自动交易已急停' if any(self.clock.at(begin) <= self.clock.now() < self.clock.at(end) for begin, end in spans) else ''
            return beats(*given)

        def placed(*given):
            sent.append(self.clock.stamp(self.clock.now())[11:19])
            return place(*given)
        self.site.heartbeat, self.broker.place = heartbeat, placed
        return sent

    def test_goes_on_when_a_stop_is_taken_back_within_the_window(self):
        # Heard before the plan; or with an order open, which is taken back.
        for begin, end, first in (('14:40', '14:52', '14:53:'), ('14:50:20', '14:52', '14:50:0')):
            self.setUp()
            self.day(SECOND, [item(C, 1, 1.0, 90.0)])
            sent, real, until = self.halted((begin, end)), self.broker.fill, self.clock.at('14:53')
            self.broker.fill = lambda order, volume: real(order, volume) if order.side == 'sell' or self.clock.now() >= until else None
            self.assertEqual(self.run_day(order_max=200000)['halted'], '')
            self.assertEqual(self.held, {C: 1080})
            self.assertEqual([at for at in sent if begin <= at < '14:53:00' and at > '14:50:25'], [])
            self.assertTrue(sent[0].startswith(first), sent)
            self.assertEqual([order.status for order in self.broker.book if order.status == 'open'], [])

    def test_ends_with_its_window_when_a_stop_is_not_taken_back(self):
        for over, latest in (({}, '14:57:00'), ({'start_time': '00:00:00', 'end_time': '23:59:59'}, '10:06:00')):
            self.setUp()
            self.day(SECOND, [item(C, 1, 1.0, 90.0)], at=9 * 3600 if not over else 10 * 3600)
            sent = self.halted(('09:00', '16:00'))
            self.assertEqual((self.run_day(**over)['halted'], sent, self.held), (u'自动交易已急停', [], {A: 490, B: 400}))
            self.assertLess(self.clock.now(), self.clock.at(latest))

    def test_takes_profits_after_a_stop_that_was_taken_back_behind_the_window(self):
        self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)])
        sent = self.halted(('09:30:40', '09:42'))
        quote = self.broker.quote

        def quoted(code):
            self.broker.prices[A] = 108.0 if self.clock.now() < self.clock.at('09:50') else 107.0
            return quote(code)
        self.broker.quote = quoted
        self.run_day(take_profit=PROFIT, start_time='09:31:00', end_time='09:40:00', price_guard=0.5)
        self.assertEqual((self.held[A], len(sent)), (240, 1))

    def test_asks_again_for_a_minute_while_the_site_is_away(self):
        self.day(SECOND, [item(C, 1, 1.0, 90.0)])
        reach = self.site.reach

        def late():
            self.site.away = self.clock.now() < self.clock.at('14:50:20')
            reach()
        self.site.reach = late
        self.run_day()
        self.assertIn(C, self.held)

    def test_an_order_that_is_listed_late_is_counted_after_all(self):
        self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0), item(C, 3, 0, 90.0)])
        self.broker.hold(D, 10)
        self.site.made = targets_of([item(D, 1, 0.5, 110.0), item(B, 2, 0.5, 120.0)], SECOND)
        orders, hidden = self.broker.orders, self.clock.at('14:50:45')

        def late():
            return [one for one in orders() if self.clock.now() >= hidden]
        self.broker.orders = late
        self.run_day()
        own = dict((code, volume - (10 if code == D else 0)) for code, volume in self.broker.volumes.items() if volume)
        self.assertEqual(own, self.held)


class TakingProfit(Story):
    def test_sells_its_share_when_the_gain_falls_from_the_top_and_does_not_buy_it_back(self):
        self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)], at=10 * 3600)
        self.prices_of(A, 103.0, 107.0, 108.0, 107.9, 107.5, 107.5, 101.0)
        self.run_day(take_profit=PROFIT)
        self.assertEqual(self.profits, {SECOND: {A: 240}})
        self.assertEqual(self.held, {A: 240, B: 400})
        self.assertTrue(self.said(u'止盈：当日涨幅 7.50%，最高 8.00%，卖出 250'))
        self.assertTrue(self.said(u'当日止盈后不再买回'))
        # Far from the price of the signal, and sold all the same.
        self.assertFalse(self.said(u'价格保护'))

    def test_does_nothing_below_the_threshold_or_on_the_way_up_or_at_noon(self):
        for at, path in ((10 * 3600, (106.0, 105.0, 101.0)), (10 * 3600, (107.0, 108.0, 109.0)), (11 * 3600 + 30 * 60, (108.0,))):
            self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)], at=at)
            self.prices_of(A, *path)
            before = len(self.broker.sent)
            self.run_day(take_profit=PROFIT)
            self.assertEqual((self.profits, len(self.broker.sent)), ({}, before), path)

    def test_sells_own_holdings_only_and_at_least_a_lot(self):
        self.broker.hold(A, 1000)
        self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)], at=10 * 3600)
        self.prices_of(A, 108.0, 107.0)
        self.run_day(take_profit=dict(PROFIT, deal=0.01))
        self.assertEqual(self.held[A], 480)
        self.assertEqual(self.broker.volumes[A], 1480)

    def test_is_remembered_by_whoever_starts_again(self):
        self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)], at=10 * 3600)
        self.prices_of(A, 108.0, 107.0, 100.0)
        self.run_day(take_profit=PROFIT)
        sent = len(self.broker.sent)
        self.clock = TestClock(SECOND, 14 * 3600 + 52 * 60)
        self.run_day(take_profit=PROFIT)
        self.assertEqual((self.held[A], len(self.broker.sent)), (240, sent))


class ALossOfTheDay(Story):
    def test_ends_it_with_nothing_open_and_stands_until_tomorrow(self):
        self.day(SECOND, [item(C, 1, 0.5, 90.0), item(D, 2, 0.5, 110.0)], at=14 * 3600 + 45 * 60)
        self.broker.prices.update({A: 94.0, B: 113.0})
        before = len(self.broker.sent)
        summary = self.run_day()
        self.assertIn(u'当日亏损', summary['halted'])
        self.assertEqual((len(self.broker.sent), self.held), (before, {A: 490, B: 400}))
        # A price that came back in the afternoon does not lift it.
        self.broker.prices.update(PRICES)
        self.clock = TestClock(SECOND, 14 * 3600 + 52 * 60)
        self.assertIn(u'当日亏损', self.run_day()['halted'])
        self.assertEqual(len(self.broker.sent), before)
        self.broker.new_day(PRICES)
        self.day('2026-11-25', [item(C, 1, 0.5, 90.0), item(D, 2, 0.5, 110.0)])
        self.assertEqual(self.run_day()['halted'], '')
        self.assertEqual(sorted(self.held), [C, D])

    def test_below_a_twentieth_of_the_capital_ends_nothing(self):
        self.day(SECOND, [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)])
        self.broker.prices.update({A: 97.0, B: 114.0})
        self.assertEqual(self.run_day()['halted'], '')


class SleepyClock(TrialClock):
    """Of a computer that falls asleep at a moment of the second day and is woken on the third."""
    def __init__(self, text, asleep):
        TrialClock.__init__(self, SECOND, text)
        self.asleep, self.awake = self.at(asleep, SECOND), self.at('10:00', THIRD)

    def sleep(self, seconds):
        TrialClock.sleep(self, seconds)
        if self.asleep <= self.now() < self.awake:
            self._now = self.awake


class ADaySleptOver(Story):
    def wake(self, items, asleep, **over):
        """Runs the second day on a computer that wakes on the third; what it sends there."""
        self.day(SECOND, items)
        self.clock = SleepyClock('14:48', asleep)
        sent, place = [], self.broker.place

        def placed(*order):
            if self.clock.date() == THIRD:
                sent.append(order)
            return place(*order)
        self.broker.place = placed
        self.run_day(**over)
        return sent

    def test_its_list_is_not_traded_on_the_next(self):
        self.assertEqual(self.wake([item(C, 1, 0.5, 90.0), item(D, 2, 0.5, 110.0)], '14:49:10'), [])

    def test_its_profits_are_not_taken_on_the_next(self):
        items = [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0), item(C, 3, 0.1, 90.0)]
        # Well up on the second day; on the third that is the close before.
        self.broker.prices[A], quote = 108.0, self.broker.quote

        def quoted(code):
            if self.clock.date() == THIRD:
                self.broker.previous[A] = 108.0
            return quote(code)
        self.broker.quote = quoted
        self.assertEqual(self.wake(items, '14:50:20', take_profit=PROFIT), [])


class OnAComputer(unittest.TestCase):
    def setUp(self):
        self.folder = memory_folder()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def test_what_an_editor_marks_as_utf_8_is_read_all_the_same(self):
        for name, text in (('config.json', json.dumps(dict(settings(), api_key=''))), ('api_key.txt', u'qmt_abc\n')):
            with io.open(os.path.join(self.folder, name), 'w', encoding='utf-8-sig') as file:
                file.write(text)
        self.assertEqual(settings_of(self.folder)['api_key'], 'qmt_abc')

    def test_a_log_that_cannot_be_written_ends_no_day(self):
        log = logger(os.path.join(self.folder, 'not-there'), TestClock())
        log(u'一句话')


class OneAtATime(unittest.TestCase):
    def test_a_second_client_of_a_config_finds_the_place_taken_until_the_first_is_gone(self):
        first = only_one('test-%d' % os.getpid())
        self.assertIsNone(only_one('test-%d' % os.getpid()))
        first.close()
        second = only_one('test-%d' % os.getpid())
        self.assertIsNotNone(second)
        second.close()
        os.remove(second.name)


class TheTurnsOfTheTerminal(unittest.TestCase):
    def test_every_call_is_made_in_the_terminals_thread_and_its_answer_comes_back(self):
        threads, market = set(), Simulator(PRICES, 100000.0)
        real, here = market.quote, threading.current_thread()
        market.quote = lambda code: threads.add(threading.current_thread()) or real(code)
        turns, seen = Turns(), []
        broker = TurnBroker(market, turns)
        work = threading.Thread(target=lambda: seen.extend(broker.quote(code).last for code in (A, B)))
        work.start()
        while work.is_alive():
            turns.serve()
        self.assertEqual((seen, threads), ([100.0, 120.0], {here}))

    def test_an_order_that_was_given_up_is_never_sent(self):
        market, turns = Simulator(PRICES, 100000.0), Turns(patience=0.01)
        self.assertRaises(BrokerAway, TurnBroker(market, turns).place, A, 'buy', 10, 100.0, 'R1')
        turns.serve()
        self.assertEqual(market.sent, [])

    def test_a_strategy_that_is_stopped_ends_where_it_stands(self):
        ended, began = [], threading.Event()

        def work(_folder, broker_of, _arguments, clock):
            broker = broker_of({'account': {'type': 'STOCK'}}, None)
            try:
                self.assertIsInstance(broker.quote(A), Quote)
                began.set()
                clock.sleep(1000)
            except Stopped:
                ended.append(True)
                raise
        big = BigTerminal(Simulator(PRICES, 100000.0))
        strategy = Strategy('', '70010001', False, work)
        strategy.start(big, big.passorder, big.get_trade_detail_data, big.cancel)
        until = time.time() + 20
        while not began.is_set() and time.time() < until:
            strategy.turns.serve()
        strategy.stop()
        self.assertEqual(ended, [True])


if __name__ == '__main__':
    unittest.main()
