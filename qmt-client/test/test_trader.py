# -*- coding: utf-8 -*-
"""Stories of one day."""

import os
import shutil
import sys
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.server import Refused, Server, ServerAway, checked_targets, checksum_of  # noqa: E402
from convexa_qmt.simulator import Simulator  # noqa: E402
from convexa_qmt.trader import Trader, order_id  # noqa: E402
from world import Site, TestClock, item, memory_folder, settings, targets_of  # noqa: E402

A, B, C, D = '110901.SH', '123901.SZ', '110902.SH', '123902.SZ'
PRICES = {A: 100.0, B: 120.0, C: 90.0, D: 110.0}


class ADay(unittest.TestCase):
    def setUp(self):
        self.folder = memory_folder()
        self.path = os.path.join(self.folder, 'journal.jsonl')
        self.lines, self.clock = [], TestClock()
        self.broker = Simulator(PRICES, 100000.0)
        self.site = Site(targets_of([item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0), item(C, 3, 0, 90.0)]))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def trade(self, dry_run=False, **over):
        journal = Journal(self.path)
        try:
            return Trader(settings(**over), self.site, self.broker, journal, self.clock, self.lines.append, dry_run=dry_run).run()
        finally:
            self.held = journal.holdings()
            journal.close()

    def test_buys_in_slices_within_the_largest_order_and_tells_the_site(self):
        summary = self.trade()
        self.assertEqual(self.held, {A: 490, B: 400})
        self.assertEqual(summary['missed'], [])
        self.assertTrue(all(volume * price <= 30000 for _id, _code, _side, volume, price in self.broker.sent))
        self.assertEqual(sum(one['filled'] for one in self.site.told.values()), 890)
        self.assertTrue(all(one['status'] == 'filled' for one in self.site.told.values()))

    def test_started_again_does_nothing_more(self):
        self.trade()
        sent = list(self.broker.sent)
        self.assertEqual(self.trade()['missed'], [])
        self.assertEqual(self.broker.sent, sent)

    def test_sells_only_what_it_has_bought_and_sells_first(self):
        self.broker.hold(A, 1000)
        self.trade()
        self.broker.new_day()
        self.clock = TestClock('2026-11-24')
        self.site.made = targets_of([item(C, 1, 0.5, 90.0), item(D, 2, 0.5, 110.0)], '2026-11-24')
        before = len(self.broker.sent)
        self.trade()
        self.assertEqual(self.held, {C: 540, D: 440})
        self.assertEqual(self.broker.volumes[A], 1000)
        sides = [side for _id, _code, side, _volume, _price in self.broker.sent[before:]]
        self.assertEqual(sides, sorted(sides, reverse=True))

    def test_keeps_away_from_a_price_that_ran_off_and_says_so(self):
        self.broker.prices[A] = 104.0
        self.trade()
        self.assertEqual(self.held, {B: 400})
        self.assertTrue(any(A in line and u'价格保护' in line for line in self.lines))

    def test_buys_nothing_at_its_upper_limit_nor_what_is_halted(self):
        self.broker.previous[A] = 100.0 / 1.2
        self.broker.halted.add(B)
        self.trade()
        self.assertEqual(self.held, {})
        self.assertTrue(any(u'涨停' in line for line in self.lines) and any(u'停牌' in line for line in self.lines))

    def test_sells_nothing_that_stands_at_its_upper_limit_and_buys_nothing_at_its_lower_one(self):
        self.trade()
        self.broker.new_day()
        self.broker.previous.update({A: 100.0 / 1.2, C: 90.0 / 0.8})
        self.clock = TestClock('2026-11-24')
        self.site.made = targets_of([item(B, 1, 0.5, 120.0), item(C, 2, 0.5, 90.0)], '2026-11-24')
        self.trade()
        self.assertEqual(self.held, {A: 490, B: 400})
        self.assertTrue(any(A in line and u'涨停' in line for line in self.lines))
        self.assertTrue(any(C in line and u'跌停' in line for line in self.lines))

    def test_orders_nothing_after_the_window_however_long_the_site_was_silent(self):
        self.trade()
        self.broker.new_day()
        self.clock = TestClock('2026-11-24', self.clock.at('14:56:20'))
        self.site.made = targets_of([item(C, 1, 0.5, 90.0), item(D, 2, 0.5, 110.0)], '2026-11-24')
        beats, before = self.site.heartbeat, len(self.broker.sent)

        def heartbeat(*given):
            self.clock.sleep(40)
            return beats(*given)
        self.site.heartbeat = heartbeat
        self.trade()
        self.assertEqual((len(self.broker.sent), self.held), (before, {A: 490, B: 400}))

    def test_tells_in_one_line_what_a_terminal_says_in_several(self):
        self.broker.faults['reject'] = 1.0
        place = self.broker.place

        def placed(*given):
            place(*given)
            self.broker.book[-1].note = u'[COUNTER]\r\n 资金不足\x00'
        self.broker.place = placed
        self.trade()
        self.assertEqual(set(one['note'] for one in self.site.told.values()), {u'[COUNTER] 资金不足'})

    def test_tells_the_next_day_what_the_site_did_not_hear_at_the_end_of_the_last(self):
        beats = self.site.heartbeat

        def heartbeat(told):
            if self.clock.date() == '2026-11-23' and sum(one['volume'] for one in told['holdings']) == 890:
                raise ServerAway(u'没有连接')
            return beats(told)
        self.site.heartbeat = heartbeat
        self.trade()
        self.assertLess(sum(one['filled'] for one in self.site.told.values()), 890)
        self.broker.new_day()
        self.clock = TestClock('2026-11-24')
        self.site.made = targets_of(self.site.made['items'], '2026-11-24')
        self.trade()
        self.assertEqual(sum(one['filled'] for one in self.site.told.values()), 890)

    def test_stops_at_the_kill_switch_with_nothing_left_open(self):
        self.broker.fill = lambda order, volume: None
        beats = self.site.heartbeat

        def heartbeat(*given):
            if self.site.beats == 2:
                self.site.halt = u'自动交易已急停'
            return beats(*given)
        self.site.heartbeat = heartbeat
        summary = self.trade()
        self.assertEqual(summary['halted'], u'自动交易已急停')
        self.assertTrue(all(order.status == 'cancelled' for order in self.broker.book))

    def test_buys_nothing_while_the_site_has_been_away_for_a_minute(self):
        real = self.site.heartbeat

        def heartbeat(told):
            answer = real(told)
            # Once it has heard of the plan.
            self.site.away = told['journal']['n'] > 3
            return answer
        self.site.heartbeat = heartbeat
        self.broker.fill = lambda order, volume: None
        self.trade(duration=300)
        self.assertTrue(any(u'失联' in line for line in self.lines))
        times = [one['at'] for one in Journal(self.path).orders.values()]
        self.assertLessEqual(max(times), TestClock().now() + 90)

    def test_orders_nothing_before_the_site_has_heard_of_its_plan(self):
        real = self.site.targets

        def targets(date):
            made = real(date)
            self.site.away = True
            return made
        self.site.targets = targets
        self.trade(duration=300)
        self.assertEqual(self.broker.sent, [])
        self.assertTrue(any(u'网站还没有收到' in line for line in self.lines))

    def test_trades_nothing_by_targets_of_another_day_or_that_were_changed(self):
        self.site.made = targets_of([item(A, 1, 0.5, 100.0)], '2026-11-20')
        self.trade()
        self.site.made = dict(targets_of([item(A, 1, 0.5, 100.0)]), money=980000.0)
        self.trade()
        self.assertEqual(self.broker.sent, [])

    def test_spends_and_orders_no_more_than_a_day_may(self):
        self.trade(max_daily_turnover=0.3)
        self.assertLessEqual(sum(volume * price for _id, _code, _side, volume, price in self.broker.sent), 30000)
        self.broker.sent = []
        self.clock = TestClock('2026-11-24')
        self.site.made = targets_of(self.site.made['items'], '2026-11-24')
        self.trade(day_max=1)
        self.assertEqual(len(self.broker.sent), 1)

    def test_an_order_on_paper_has_another_id_than_the_real_one_of_the_day(self):
        self.trade(dry_run=True)
        paper, self.path = set(self.site.told), self.path + '.live'
        self.broker = Simulator(PRICES, 100000.0)
        self.trade()
        self.assertEqual(self.held, {A: 490, B: 400})
        self.assertEqual(len(self.site.told), 2 * len(paper))

    def test_asks_the_site_before_it_plans_without_any_memory(self):
        self.site.halt = u'这个目录里没有本配置的委托记录'
        self.assertEqual(self.trade()['halted'], self.site.halt)
        self.assertEqual((self.broker.sent, Journal(self.path).plans, set(self.site.fresh)), ([], {}, {True}))
        self.site.halt = ''
        self.clock, self.site.fresh = TestClock(), []
        self.trade()
        self.assertEqual((self.held, self.site.fresh[0], self.site.fresh[-1]), ({A: 490, B: 400}, True, False))

    def test_gives_no_id_a_second_time_to_an_order_beside_those_it_found_again(self):
        self.broker.faults['reject'] = 1.0
        self.trade()
        os.remove(self.path)
        # The second of three never arrived.
        self.broker.faults = {}
        first = [one for one in self.broker.book if one.code == A]
        self.broker.book.remove(first[1])
        self.broker.sent = [one for one in self.broker.sent if one[0] != first[1].remark]
        self.site.fresh, self.clock = [], TestClock()
        self.trade()
        ids = [one[0] for one in self.broker.sent]
        self.assertEqual((len(set(ids)), self.site.fresh[0]), (len(ids), True))

    def test_finds_its_orders_again_when_the_journal_was_lost(self):
        self.trade()
        os.remove(self.path)
        sent = list(self.broker.sent)
        self.trade()
        self.assertEqual((self.held, self.broker.sent), ({A: 490, B: 400}, sent))

    def test_a_line_that_was_cut_off_is_none(self):
        self.trade()
        with open(self.path, 'ab') as file:
            file.write(b'{"kind": "news", "id"')
        self.assertEqual(Journal(self.path).holdings(), {A: 490, B: 400})
        self.assertEqual(Journal(self.path).holdings(), {A: 490, B: 400})


class TheWire(unittest.TestCase):
    def test_an_order_id_fits_a_remark_and_is_of_config_day_security_side_and_leg(self):
        ids = [order_id(c, d, code, side, leg) for c in 'xy' for d in ('2026-11-23', '2026-11-24') for code in (A, B)
               for side in ('buy', 'sell') for leg in range(3)]
        self.assertEqual(len(set(ids)), len(ids))
        self.assertTrue(all(len(one) == 20 and one.isalnum() for one in ids))

    def test_a_checksum_is_that_of_the_server(self):
        made = dict(targets_of([item('000001.SZ', 1, 0.333333, 11.23, 100, 100)]), config_version=3)
        made['checksum'] = checksum_of(made)
        # The same lines hashed by server/src/qmt/targets.ts.
        lines = '01990000-0000-7000-8000-000000000001,3,2026-11-23,2026-11-20,98000.00\n000001.SZ,1,0.333333,11.230,100,100'
        import hashlib
        self.assertEqual(made['checksum'], hashlib.sha256(lines.encode('utf-8')).hexdigest())
        self.assertRaises(Refused, checked_targets, made, settings(), '2026-11-23')

    def test_a_key_goes_to_no_other_address_than_its_own(self):
        keys = []

        class Site(BaseHTTPRequestHandler):
            def do_GET(self):
                keys.append((self.path[:8], self.headers.get('X-Api-Key')))
                self.send_response(302 if self.path.startswith('/v1') else 200)
                self.send_header('Location', 'http://localhost:%d/elsewhere' % self.server.server_address[1])
                self.end_headers()

            def log_message(self, *_):
                pass
        site = HTTPServer(('127.0.0.1', 0), Site)
        served = threading.Thread(target=site.serve_forever)
        served.start()
        try:
            server = Server(dict(settings(), server='http://127.0.0.1:%d' % site.server_address[1]))
            self.assertRaises(ServerAway, server.targets, '2026-11-23')
        finally:
            site.shutdown()
            served.join()
            site.server_close()
        self.assertEqual(keys, [('/v1/qmt-', 'qmt_x')])

    def test_a_key_is_not_sent_without_tls(self):
        self.assertRaises(Refused, Server, dict(settings(), server='http://example.test'))
        self.assertRaises(Refused, Server, dict(settings(), api_key=''))


if __name__ == '__main__':
    unittest.main()
