# -*- coding: utf-8 -*-
"""Stories of orders whose end is not known: power cuts, late lists, remarks that are lost, holdings that change without an order of ours."""

import copy
import os
import random
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import BrokerAway, NotSent, Order  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.ledger import rows_of  # noqa: E402
from convexa_qmt.server import Refused, ServerAway, checked_beat, checked_targets, data_of  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from convexa_qmt.xtquant_broker import INDEX, XtquantBroker  # noqa: E402
from exchange import USER, Exchange  # noqa: E402
from terminals import MAKERS, MiniTerminal  # noqa: E402
from world import Burning, Fuse, Killed, Site, TestClock, item, memory_folder, settings, targets_of  # noqa: E402

A, B, C, D = '110901.SH', '123901.SZ', '110902.SH', '123902.SZ'
STAR, BSE, MAIN = '688001.SH', '830001.BJ', '600001.SH'
PRICES = {A: 100.0, B: 120.0, C: 90.0, D: 110.0}
FIRST, SECOND, THIRD, FOURTH, FIFTH = '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'
LIST = [item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)]


class Story(unittest.TestCase):
    prices, cash = PRICES, 200000.0

    def setUp(self):
        self.folder, self.lines, self.clock = memory_folder(), [], TestClock(FIRST)
        self.path = os.path.join(self.folder, 'journal-live.jsonl')
        self.world = Exchange(self.prices, self.cash, self.clock, lots={STAR: (200, 1), BSE: (100, 1), MAIN: (100, 100)})
        self.site, self.over = Site(None), {}

    def tearDown(self):
        shutil.rmtree(self.folder)

    def day(self, date, prices=None, at='14:50'):
        """Another day begins, at the time of the window."""
        self.clock.seconds = self.clock.at('15:30')
        self.world.new_day(prices)
        self.clock.seconds = self.clock.at(at, date)

    def trade(self, items=LIST, maker='xtquant', facts=None, broker=None, killed_at=None, **over):
        """A day's window; its summary, None: it was killed at that call of the world."""
        self.site.made = targets_of(items, self.clock.date(), facts=facts)
        journal = Journal(self.path, self.clock.date())
        broker = broker or MAKERS[maker](self.world, self.clock)
        if killed_at:
            broker = MAKERS[maker](Burning(self.world, Fuse(killed_at, True)), self.clock)
        rules = settings(**dict(dict(order_max=50000, **self.over), **over))
        try:
            return Trader(rules, self.site, broker, journal, self.clock, self.lines.append, dry_run=False).run()
        except Killed:
            return None
        finally:
            self.held, self.journal = journal.holdings(), journal
            journal.close()

    def said(self, words):
        return [line for line in self.lines if words in line]

    def states(self):
        return sorted((one['code'], one['state'], one['by']) for one in self.journal.orders.values())


def after_the_call(world, nth):
    """Dies after the nth order was handed over and before anything else."""
    place, count = world.place, [0]

    def placed(*given):
        place(*given)
        count[0] += 1
        if count[0] == nth:
            world.place = place
            raise Killed()
    world.place = placed


class APowerCut(Story):
    """Both orders are handed over, the computer dies, both are filled; the client is started on the next day."""

    def cut(self, maker, nth=1, unfilled=False, **habits):
        self.world.habits.update(habits)
        after_the_call(self.world, nth)
        self.assertIsNone(self.trade(maker=maker))
        if unfilled:
            self.world.book[0].due = 0
        self.day(SECOND)

    def test_positions_of_the_next_day_say_that_it_was_filled(self):
        for maker in ('xtquant', 'passorder'):
            self.setUp()
            self.cut(maker)
            self.trade(maker=maker)
            self.assertEqual(self.held, {A: 490, B: 400})
            self.assertEqual((self.world.volumes[A], self.world.volumes[B]), (490, 400))
            self.assertIn((A, 'ended', 'positions'), self.states())

    def test_positions_of_the_next_day_say_that_nothing_was_filled(self):
        self.cut('xtquant', unfilled=True, fill_after=1)
        self.assertEqual(self.world.volumes, {})
        self.world.hold(D, 100)
        self.trade()
        self.assertIn((A, 'ended', 'positions'), self.states())
        self.assertEqual(self.held, {A: 490, B: 400})
        self.assertEqual(self.world.volumes[A], 490)

    def test_a_part_is_asked_and_nothing_of_it_is_bought_before_the_answer(self):
        self.cut('xtquant', partial=1.0)
        self.world.habits['partial'] = 0.0
        first = self.world.volumes[A]
        self.assertTrue(0 < first < 490)
        self.trade()
        self.assertEqual((self.held.get(A), self.world.volumes[A], self.held[B]), (None, first, 400))
        self.assertTrue(self.said(u'请在网站的运行配置里核对并回答'))
        [asked] = [one for one in self.site.told.values() if one['status'] == 'unsure']
        self.assertEqual([row['order_id'] for row in self.site.heard['resting']], [asked['order_id']])
        # The answer.
        self.day(THIRD)
        self.site.settled = [{'order_id': asked['order_id'], 'filled': first, 'word': 'w'}]
        self.trade()
        self.assertEqual((self.held[A], self.world.volumes[A]), (490, 490))
        self.assertEqual((self.site.told[asked['order_id']]['proof'], self.site.told[asked['order_id']]['filled']), ('user', first))

    def test_the_same_security_held_by_the_user_makes_it_a_question(self):
        self.world.hold(A, 490)
        self.cut('xtquant')
        self.trade()
        self.assertEqual((self.world.volumes[A], self.held.get(A)), (980, None))
        self.assertEqual([row['why'] for row in self.site.heard['resting']], ['order'])

    def test_a_question_counts_further_than_an_end_whose_line_the_file_has_lost(self):
        self.world.hold(A, 490)
        self.cut('xtquant')
        self.trade()
        [order] = [row['order_id'] for row in self.site.heard['resting']]
        # The site heard of its end by a line that a backup of the folder has not; it tells by counts which telling is the later one.
        known = self.site.told[order] = dict(self.site.told[order], status='filled', filled=490, seq=self.journal.n + 1)
        self.day(THIRD)
        self.trade()
        self.trade()
        self.assertGreater(self.site.told[order]['seq'], known['seq'])
        self.assertEqual(self.site.told[order]['status'], 'unsure')

    def test_positions_that_are_not_whole_prove_nothing(self):
        self.cut('xtquant', unfilled=True, fill_after=1)
        self.world.habits['no_value'] = True
        self.trade([LIST[0]])
        self.assertEqual(self.world.volumes.get(A, 0), 0)

    def test_another_config_that_holds_it_too_makes_it_a_question(self):
        self.cut('xtquant')
        self.trade(facts={A: {'others': 100}})
        self.assertEqual((self.world.volumes[A], self.held.get(A)), (490, None))

    def test_on_the_same_day_the_row_is_found_again(self):
        after_the_call(self.world, 2)
        self.trade()
        self.trade()
        self.assertEqual((self.held, self.world.volumes), ({A: 490, B: 400}, {A: 490, B: 400}))

    def test_of_a_week_later_too(self):
        self.cut('xtquant')
        self.day('2026-12-01')
        self.trade()
        self.assertEqual((self.held, self.world.volumes), ({A: 490, B: 400}, {A: 490, B: 400}))


class ALateList(Story):
    def test_of_any_length_makes_no_order_twice(self):
        for maker in ('xtquant', 'passorder'):
            for seconds in (20, 40, 90, 300):
                self.setUp()
                # The list goes blank with the first order.
                self.world.habits['late'] = seconds
                self.trade(maker=maker)
                self.assertLessEqual(self.world.volumes.get(A, 0), 490)
                self.assertLessEqual(self.world.volumes.get(B, 0), 400)
                codes = [one[1] for one in self.world.sent]
                self.assertEqual(len(codes), len(set(codes)), (maker, seconds, codes))

    def test_with_a_remark_that_is_lost_or_cut_is_found_by_its_number(self):
        for remark in (20, 40, 'empty', 'cut'):
            self.setUp()
            self.world.habits['remark'] = remark
            self.trade()
            self.assertEqual((self.held, self.world.volumes), ({A: 490, B: 400}, {A: 490, B: 400}), remark)

    def test_where_neither_number_nor_remark_is_told_the_user_is_asked(self):
        self.world.habits.update(remark='empty', minus_one=1.0)
        self.trade()
        self.assertLessEqual(len(self.world.sent), 2)
        self.assertEqual(set(one['status'] for one in self.site.told.values()), {'unsure'})
        # Its row that may be ours and the positions agree on the next day.
        self.day(SECOND)
        self.world.habits.update(remark='whole', minus_one=0.0)
        self.trade()
        self.assertEqual((self.held, self.world.volumes), ({A: 490, B: 400}, {A: 490, B: 400}))

    def test_that_lacks_a_row_which_may_be_ours_is_no_ground_for_an_order(self):
        # The one looks again with its next round, by which the row is there, the other waits for the row of its first order.
        for maker, sent in (('xtquant', 2), ('passorder', 1)):
            self.setUp()
            self.world.habits.update(remark='empty', minus_one=1.0)
            orders, shown = self.world.orders, []

            def once():
                rows = orders()
                shown.extend(rows)
                return rows if len(shown) == 1 else []
            self.world.orders = once
            self.trade([item(code, i + 1, 0.25, PRICES[code]) for i, code in enumerate((A, B, C))], maker=maker)
            self.assertEqual(len(self.world.sent), sent, maker)

    def test_whose_rows_tell_no_time_proves_nothing_by_a_row_like_ours(self):
        # Another program bought the same a moment before; the terminal refused ours in a pop-up. Or the row is ours: nobody can tell.
        for ours, maker in ((False, 'xtquant'), (True, 'xtquant'), (False, 'passorder'), (True, 'passorder')):
            self.setUp()
            self.world.habits.update(remark='empty', minus_one=1.0, undated=True, no_row=True, silent=1.0)
            if not ours:
                self.world.refused_codes.add(A)
                place = self.world.place

                def beside(*given):
                    try:
                        return place(*given)
                    finally:
                        self.world.refused_codes.clear()
                        place(A, 'buy', 490, 100.0, '', USER)
                self.world.place = beside
            self.trade([LIST[0]], maker=maker)
            self.day(SECOND)
            self.trade([], maker=maker, facts={A: {}})
            self.assertEqual((self.world.volumes[A], [row['why'] for row in self.site.heard['resting']]), (490, ['order']), (ours, maker))

    def test_without_any_row_stops_after_two_orders(self):
        for habit in ('simulated', 'late'):
            self.setUp()
            self.world.habits[habit] = 10000
            self.trade([item(code, i + 1, 0.25, PRICES[code]) for i, code in enumerate((A, B, C, D))], maker='passorder')
            self.assertEqual(len(self.world.sent), 2)
            self.assertTrue(self.said(u'终端没有登记委托'))

    def test_that_lacks_an_order_it_had_is_no_ground_for_another(self):
        self.world.habits['partial'] = 1.0
        self.trade([item(A, 1, 1.0, 100.0)], duration=60)
        sent, orders = len(self.world.sent), self.world.orders
        self.world.orders = lambda: orders()[1:]
        self.trade([item(A, 1, 1.0, 100.0)], duration=60)
        self.assertEqual(len(self.world.sent), sent)

    def test_with_two_rows_of_one_id_counts_both_and_ends_the_day(self):
        place = self.world.place

        def twice(*given):
            place(*given)
            return place(*given)
        self.world.place = twice
        self.trade([LIST[0]])
        self.assertEqual((self.held, self.world.volumes), ({A: 980}, {A: 980}))
        self.assertTrue(self.said(u'编号相同'))

    def test_that_has_the_number_of_an_order_later_than_its_row_lets_it_be_taken_back(self):
        # At the big terminal that number alone takes an order back; nothing of it is filled, so that the number is all that is new.
        for maker in ('xtquant', 'passorder'):
            for over in ({'wait': 24}, {'wait': 200}):
                self.setUp()
                self.world.habits.update(unnumbered=10, fill_after=10 ** 6)
                self.trade([LIST[0]], maker=maker, duration=60, **over)
                self.assertTrue(all(order.is_asked_back for order in self.world.book), (maker, over))
                self.assertEqual((set(order.status for order in self.world.book), self.held), ({'cancelled'}, {}))

    def test_whose_number_comes_after_the_window_has_it_taken_back_then(self):
        self.world.habits.update(unnumbered=200, fill_after=10 ** 6)
        self.trade([LIST[0]], maker='passorder', duration=40)
        self.assertEqual([order.status for order in self.world.book], ['cancelled'])

    def test_of_a_terminal_that_restarted_has_other_numbers_which_take_an_order_back(self):
        # The number of the exchange was not there with the first row, and is all that tells of it later.
        self.world.habits.update(unnumbered=10, fill_after=10 ** 6, renumbered=self.clock.at('14:50:45'))
        self.trade([LIST[0]], duration=90, wait=200)
        self.assertEqual(([order.status for order in self.world.book], len(self.world.sent)), (['cancelled'], 1))

    def test_whose_rows_have_no_number_yet_proves_none_of_them_by_that(self):
        one = {'id': 'A' * 20, 'code': A, 'side': 'buy', 'volume': 490, 'number': '', 'sysid': ''}
        for remark in ('', 'by hand'):
            row = Order('', remark, A, 'buy', 490, 490, 100.0, 'filled')
            self.assertEqual(rows_of([one], [row]), ({}, [row]))

    def test_an_order_that_was_certainly_not_sent_is_sent_later(self):
        place, refusals = self.world.place, [NotSent(u'终端没有轮到本策略')]

        def placed(*given):
            if refusals:
                raise refusals.pop()
            return place(*given)
        self.world.place = placed
        self.trade(maker='simulator')
        self.assertEqual(self.held, {A: 490, B: 400})

    def test_that_has_its_trades_twice_counts_each_of_them_once(self):
        for maker in ('xtquant', 'passorder'):
            self.setUp()
            self.world.habits.update(partial=1.0, twice=1.0)
            self.trade([LIST[0]], maker=maker, duration=60)
            self.assertEqual((self.held[A], self.world.volumes[A] < 490), (self.world.volumes[A], True))

    def test_a_fill_after_the_cancel_is_counted(self):
        self.world.habits.update(fill_after=10000, late_fill=1.0)
        self.trade([LIST[0]], duration=40)
        self.assertEqual(self.held, {A: self.world.volumes[A]})


class TheUsersHand(Story):
    def bought(self, **facts):
        self.trade()
        self.day(SECOND)

    def test_what_was_sold_by_hand_leaves_the_book_and_is_bought_again_on_the_next_day(self):
        self.bought()
        self.world.sell_by_hand(A, 490)
        self.trade()
        self.assertEqual(self.held, {B: 400})
        self.assertTrue(self.said(u'账本从 490 改为 0'))
        self.assertEqual([(one['code'], one['why'], one['before'], one['after']) for one in self.site.heard['changes']], [(A, 'cut', 490, 0)])
        self.day(THIRD)
        self.trade()
        self.assertEqual((self.held, self.world.volumes[A]), ({A: 490, B: 400}, 490))

    def test_what_was_cut_and_is_back_is_taken_back(self):
        self.bought()
        self.world.sell_by_hand(A, 490)
        self.trade()
        self.day(THIRD)
        self.world.volumes[A] = 490
        self.trade()
        self.assertEqual((self.held, len([one for one in self.world.sent if one[1] == A])), ({A: 490, B: 400}, 1))

    def test_what_was_cut_before_a_week_of_holidays_is_taken_back_after_it(self):
        self.day('2026-09-28')
        self.trade()
        self.day('2026-09-29')
        self.world.sell_by_hand(A, 490)
        self.trade()
        self.assertEqual(self.held, {B: 400})
        self.day('2026-10-14')
        self.world.volumes[A] = 490
        self.trade()
        self.assertEqual((self.held, len([one for one in self.world.sent if one[1] == A])), ({A: 490, B: 400}, 1))

    def test_what_the_user_buys_beside_us_is_his(self):
        self.bought()
        self.world.hold(A, 200)
        self.trade([item(B, 1, 0.5, 120.0), item(C, 2, 0.5, 90.0)])
        self.assertEqual((self.world.volumes[A], self.held), (200, {B: 400, C: 540}))

    def test_less_than_the_book_with_another_config_is_asked(self):
        self.bought()
        self.world.sell_by_hand(A, 100)
        self.trade(facts={A: {'others': 50}})
        self.assertEqual(([row['why'] for row in self.site.heard['resting']], self.held[A]), (['less'], 490))
        self.day(THIRD)
        self.site.books = [{'code': A, 'volume': 390, 'word': 'w1'}]
        self.trade(facts={A: {'others': 50}})
        self.assertIn('w1', self.site.heard['words'])
        self.assertEqual((self.held[A], self.world.volumes[A]), (490, 490))

    def test_what_another_config_says_to_hold_and_the_account_has_not_is_asked_and_not_sold(self):
        # The user sold all of it by hand while the client was off; another config bought as much since.
        self.bought()
        rest = [item(B, 1, 0.5, 120.0)]
        self.trade(rest, facts={A: {'others': 490}})
        self.assertEqual((self.held[A], self.world.volumes[A], [row['why'] for row in self.site.heard['resting']]), (490, 490, ['less']))
        # The answer settles it for what the other config held then.
        for date in (THIRD, FOURTH):
            self.day(date)
            self.site.books = [{'code': A, 'volume': 100, 'word': 'w1'}]
            self.trade([item(A, 1, 0.1, 100.0)] + rest if date == THIRD else rest, facts={A: {'others': 490}})
        self.assertEqual((self.world.volumes[A], self.held, self.site.heard['resting']), (390, {B: 400}, []))

    def test_what_another_config_trades_today_is_no_question(self):
        self.bought()
        self.world.hold(A, 100)
        self.world.place(A, 'sell', 100, 100.0, '', USER)
        self.trade(facts={A: {'others': 100}})
        self.assertEqual((self.held, self.site.heard['resting']), ({A: 490, B: 400}, []))

    def test_a_word_on_a_book_whose_question_has_gone_changes_nothing(self):
        self.bought()
        self.site.books = [{'code': A, 'volume': 100, 'word': 'w1'}]
        self.trade()
        self.assertEqual((self.held[A], self.site.heard['words']), (490, ['w1']))

    def test_a_word_of_more_than_the_account_has_is_not_taken(self):
        self.bought()
        self.world.sell_by_hand(A, 100)
        self.trade(facts={A: {'others': 50}})
        self.day(THIRD)
        self.site.books = [{'code': A, 'volume': 480, 'word': 'w1'}]
        self.trade(facts={A: {'others': 50}})
        self.assertEqual((self.held[A], self.site.heard['words']), (490, []))
        self.assertTrue(self.said(u'请重新回答'))

    def unproven_days(self, *dates, **over):
        """What was asked after each of these days."""
        asked = []
        for date in dates:
            if date != self.clock.date():
                self.day(date)
            self.trade(**over)
            asked.append([(row['code'], row['why'], row['account'], row['book']) for row in self.site.heard['resting']])
        return asked

    def test_an_empty_list_without_a_value_is_asked_on_the_third_day_and_the_answer_settles_it(self):
        for maker in ('xtquant', 'passorder'):
            self.setUp()
            self.bought()
            self.world.habits['no_value'] = True
            for code in (A, B):
                self.world.sell_by_hand(code, 1000)
            asked = [(A, 'unproven', 0, 490), (B, 'unproven', 0, 400)]
            self.assertEqual(self.unproven_days(SECOND, THIRD, FOURTH, maker=maker), [[], [], asked])
            self.assertEqual((len(self.said(u'无法确认')), self.said(u'待核对')), (2, []))
            self.assertEqual(self.unproven_days(FIFTH, maker=maker), [asked])
            self.assertEqual((len(self.said(u'待核对')), self.held, len(self.world.sent)), (2, {A: 490, B: 400}, 2))
            self.day('2026-11-30')
            self.site.books = [{'code': A, 'volume': 0, 'word': 'w1'}, {'code': B, 'volume': 0, 'word': 'w2'}]
            self.assertEqual(self.unproven_days('2026-11-30', maker=maker), [[]])
            self.assertEqual((self.site.heard['words'], self.held, self.world.volumes), (['w1', 'w2'], {A: 490, B: 400}, {A: 490, B: 400}))

    def test_of_an_empty_list_that_is_wrong_the_answer_is_what_he_holds_and_it_is_asked_again_later(self):
        self.bought()
        self.world.habits.update(no_value=True, bare=1.0)
        self.unproven_days(SECOND, THIRD, FOURTH)
        self.site.books = [{'code': A, 'volume': 490, 'word': 'w1'}, {'code': B, 'volume': 401, 'word': 'w2'}]
        asked = self.unproven_days(FIFTH, '2026-11-30', '2026-12-01')
        self.assertEqual([[row[0] for row in rows] for rows in asked], [[B], [B], [A, B]])
        self.assertTrue(self.said(u'回答的持有 401 超过账户的 400，请重新回答'))
        # The list has them again.
        self.world.habits['bare'] = 0.0
        self.assertEqual(self.unproven_days('2026-12-02'), [[]])
        self.assertEqual((self.held, self.world.volumes, len(self.world.sent)), ({A: 490, B: 400}, {A: 490, B: 400}, 2))

    def test_what_the_user_buys_after_he_has_sold_all_of_it_is_asked_and_not_sold(self):
        # Less than the book, and more: after a day on which nothing proved the sale, and after one that ended before anything was proved.
        for no_value, window in ((True, 300), (False, 30)):
            self.setUp()
            self.bought()
            self.world.habits['no_value'] = no_value
            for code in (A, B):
                self.world.sell_by_hand(code, 1000)
            self.assertEqual(self.unproven_days(SECOND, duration=window), [[]])
            self.day(THIRD)
            self.world.hold(A, 30)
            self.world.hold(B, 430)
            asked = [(A, 'unproven', 30, 490), (B, 'unproven', 430, 400)]
            self.assertEqual(self.unproven_days(THIRD, FOURTH, items=[]), [asked, asked])
            self.site.books = [{'code': code, 'volume': 0, 'word': 'w' + code} for code in (A, B)]
            self.assertEqual(self.unproven_days(FIFTH, items=[]), [[]])
            self.assertEqual((self.held, self.world.volumes, len(self.world.sent)), ({}, {A: 30, B: 430}, 2))

    def test_what_he_buys_after_he_has_sold_what_an_order_in_question_had_filled_is_asked_too(self):
        after_the_call(self.world, 1)
        self.assertIsNone(self.trade([LIST[0]]))
        self.day(SECOND)
        self.world.habits['no_value'] = True
        self.world.sell_by_hand(A, 490)
        [(_code, why, account, _book)] = self.unproven_days(SECOND, items=[])[0]
        [order] = self.journal.orders
        self.day(THIRD)
        self.world.hold(A, 30)
        self.site.settled = [{'order_id': order, 'filled': 490, 'word': 'w1'}]
        self.assertEqual(((why, account), self.unproven_days(THIRD, FOURTH, items=[])), (('order', 0), [[(A, 'unproven', 30, 490)]] * 2))
        self.assertEqual((self.world.volumes[A], len(self.world.sent)), (30, 1))

    def test_an_account_that_shows_nothing_at_all_after_a_login_proves_nothing(self):
        # An order of the day before that was filled, and a book: the terminal has not heard of the account for some minutes.
        self.trade([LIST[0]])
        self.day(SECOND)
        after_the_call(self.world, 1)
        self.assertIsNone(self.trade())
        self.day(THIRD)
        self.assertEqual(self.world.volumes, {A: 490, B: 400})
        self.world.habits['unsynced_until'] = self.clock.at('14:52')
        self.trade()
        self.assertEqual((self.held, self.world.volumes, len(self.world.sent)), ({A: 490, B: 400}, {A: 490, B: 400}, 2))
        self.assertEqual(self.site.heard['changes'], [])

    def test_days_on_which_the_list_has_all_of_it_begin_the_count_anew(self):
        self.bought()
        for date, bare in ((SECOND, 1.0), (THIRD, 1.0), (FOURTH, 0.0), (FIFTH, 1.0), ('2026-11-30', 1.0)):
            self.world.habits.update(no_value=True, bare=bare)
            self.assertEqual(self.unproven_days(date), [[]])

    def test_positions_that_do_not_make_up_the_value_and_securities_without_a_quote_are_asked_too(self):
        for kind, code in (('cb', A), ('stk', MAIN)):
            self.setUp()
            self.world.prices.update({MAIN: 20.0})
            self.trade([item(code, 1, 0.5, self.world.prices[code], 100, 100)], kind=kind)
            self.day(SECOND)
            held, real = self.world.sell_by_hand(code, 10000), self.world.account
            if kind == 'cb':
                self.world.account = lambda: real()._replace(value=50000.0)
            else:
                self.world.quote = lambda _code: None
            self.assertEqual(self.unproven_days(SECOND, THIRD, FOURTH, items=[], kind=kind, facts={code: {'others': 0, 'close': 20.0}}), [[], [], [(code, 'unproven', 0, held)]])

    def test_an_account_with_more_than_the_target_is_not_added_to(self):
        # The wall: a fill that the book does not know of.
        self.trade([LIST[0]])
        self.day(SECOND)
        self.trade([item(A, 1, 1.0, 100.0)], facts={A: {'others': 0}})
        self.assertEqual(self.world.volumes[A], 980)


class Shares(Story):
    prices = {STAR: 100.0, BSE: 20.0, MAIN: 20.0, '600002.SH': 10.0}

    def setUp(self):
        Story.setUp(self)
        self.world.settlement = 1
        self.over = {'kind': 'stk', 'price_guard': 0.6}

    def share(self, code, rank, weight, price):
        return item(code, rank, weight, price, *self.world.lots.get(code, (100, 100)))

    def test_bonus_shares_are_followed_on_their_day(self):
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.assertEqual(self.held, {MAIN: 1900})
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.world.multiply(MAIN, 2)
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        self.trade([self.share(MAIN, 1, 0.4, 10.0)], facts={MAIN: {'close': 20.0, 'events': [event]}})
        self.assertEqual((self.held, self.world.volumes[MAIN]), ({MAIN: 3800}, 3800))
        self.day(THIRD)
        self.trade([self.share('600002.SH', 1, 0.4, 10.0)], facts={MAIN: {'close': 10.0, 'events': [event]}})
        self.assertEqual(self.world.volumes[MAIN], 0)

    def test_after_a_merge_the_capital_counts_what_shares_are_worth_now(self):
        # Killed with a sell on its way and started again: nothing of the held security has been looked at yet.
        self.trade([self.share(MAIN, 1, 1.0, 20.0)], order_max=100000)
        self.assertEqual(self.held, {MAIN: 4900})
        self.day(SECOND, {MAIN: 40.0})
        self.world.previous[MAIN] = 40.0
        self.world.multiply(MAIN, 0.5)
        self.world.habits['fill_after'] = 10 ** 6
        after_the_call(self.world, 1)
        event = {'day': SECOND, 'kind': 'merge', 'ratio': -0.5, 'cash': 0.0}
        for _ in range(2):
            self.trade([self.share('600002.SH', 1, 1.0, 10.0)], facts={MAIN: {'close': 20.0, 'events': [event], 'lot_min': 100, 'lot_step': 100}}, sell_first=False,
                       wait=1000)
        self.assertEqual(max([one[3] for one in self.world.sent if one[1] == '600002.SH'] or [0]), 200)

    def test_bonus_shares_that_come_late_are_waited_for(self):
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        for date, factor in ((SECOND, 1), (THIRD, 2)):
            self.day(date, {MAIN: 10.0})
            self.world.previous[MAIN] = 10.0
            self.world.multiply(MAIN, factor)
            self.trade([self.share(MAIN, 1, 0.4, 10.0)], facts={MAIN: {'close': 20.0 if date == SECOND else 10.0, 'events': [event]}})
            self.assertEqual(self.world.volumes[MAIN], 1900 * factor)
        self.assertEqual(self.held, {MAIN: 3800})

    def test_on_their_way_count_for_the_capital_also_where_no_quote_tells_of_them(self):
        # The terminal has no quote when the book is compared, and one a moment later: the old shares are sold, the new ones are there.
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.world.multiply(MAIN, 2)
        quote, silent = self.world.quote, [True] * 3

        def once_silent(code):
            if code == MAIN and silent and self.clock.now() >= self.clock.at('14:50'):
                silent.pop()
                raise BrokerAway(u'应答丢失')
            return quote(code)
        self.world.quote = once_silent
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        self.trade([self.share('600002.SH', 1, 1.0, 10.0)], facts={MAIN: {'close': 20.0, 'events': [event]}}, sell_first=False, maker='simulator', order_max=1e6)
        bought = sum(one[3] for one in self.world.sent if one[1] == '600002.SH')
        self.assertLessEqual(bought * 10.0 + self.world.truth(MAIN) * 10.0, 100000.0)

    def test_shares_that_may_be_ours_count_for_the_capital_while_they_rest(self):
        # Sold on the ex-day; the new shares come two days later, and the user buys some of the same meanwhile.
        event, other = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}, '600002.SH'
        facts = {MAIN: {'close': 10.0, 'events': [event]}}
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.trade([], facts={MAIN: {'close': 20.0, 'events': [event]}})
        self.day(THIRD)
        self.world.hold(MAIN, 300)
        self.trade([], facts=facts)
        self.assertEqual([row['why'] for row in self.site.heard['resting']], ['event'])
        self.day(FOURTH)
        self.world.volumes[MAIN] += 1900
        self.trade([self.share(other, 1, 1.0, 10.0)], facts=facts)
        # 2,200 at 10 yuan may be ours of a capital of 100,000.
        self.assertEqual((self.world.volumes[other], self.held), (7800, {other: 7800}))

    def test_new_shares_are_not_told_from_what_others_bought_on_the_eve(self):
        # The user bought as much as there will be new shares, after the config's own order of that day.
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.world.place(MAIN, 'buy', 1900, 20.0, '', USER)
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        self.trade([], facts={MAIN: {'close': 20.0, 'events': [event]}})
        self.assertEqual((self.held, self.world.truth(MAIN)), ({MAIN: 1900}, 1900))
        self.assertEqual([row['why'] for row in self.site.heard['resting']], ['event'])

    def test_a_question_of_the_old_code_holds_up_the_new_one(self):
        after_the_call(self.world, 1)
        new, rows = '600009.SH', [self.share(MAIN, 1, 0.4, 20.0)]
        self.assertIsNone(self.trade(rows))
        self.day(SECOND)
        self.world.volumes[new], self.world.lots[new] = self.world.volumes.pop(MAIN), (100, 100)
        self.world.prices[new] = self.world.previous[new] = 20.0
        facts = {MAIN: {'events': [{'day': SECOND, 'kind': 'renamed', 'to': new}], 'lot_min': 100, 'lot_step': 100}}
        self.trade([self.share(new, 1, 0.4, 20.0)], facts=facts)
        self.assertEqual((self.world.volumes[new], len(self.world.sent)), (1900, 1))
        [asked] = [row['order_id'] for row in self.site.heard['resting'] if row['account'] == 1900]
        self.site.settled = [{'order_id': asked, 'filled': 1900, 'word': 'w'}]
        self.day(THIRD)
        self.trade([self.share(new, 1, 0.4, 20.0)], facts=facts)
        self.assertEqual((self.held, self.world.volumes[new], len(self.world.sent)), ({new: 1900}, 1900, 1))

    def test_new_shares_of_what_was_sold_before_they_came_are_sold_too(self):
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        other = [self.share('600002.SH', 1, 0.4, 10.0)]
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.trade(other, facts={MAIN: {'close': 20.0, 'events': [event]}})
        self.assertEqual((self.world.volumes[MAIN], [row['why'] for row in self.site.heard['resting']]), (0, ['event']))
        self.day(THIRD)
        self.world.volumes[MAIN] = 1900
        self.trade(other, facts={MAIN: {'close': 10.0, 'events': [event]}})
        self.assertEqual((self.world.volumes[MAIN], self.site.heard['resting'], self.held), (0, [], {'600002.SH': 3900}))

    def test_that_come_after_a_week_of_holidays_are_waited_for_by_trading_days(self):
        event = {'day': '2026-09-30', 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        facts = {MAIN: {'close': 10.0, 'events': [event], 'lot_min': 100, 'lot_step': 100}}
        self.day('2026-09-29')
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day('2026-09-30', {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.trade([self.share(MAIN, 1, 0.4, 10.0)], facts={MAIN: dict(facts[MAIN], close=20.0)})
        # One trading day later: what is there may be sold.
        for date, blocked in (('2026-10-09', False), ('2026-10-12', False), ('2026-10-13', True)):
            self.day(date)
            self.trade([self.share(MAIN, 1, 0.4, 10.0)], facts=facts)
            self.assertEqual(MAIN in self.journal.rests, blocked, date)

    def test_an_event_that_does_not_fit_is_settled_by_the_users_word(self):
        # The user has bought 300 of it before the new shares came: what the account has fits no event. His word ends the question for good.
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        facts = {MAIN: {'close': 10.0, 'events': [event], 'lot_min': 100, 'lot_step': 100}}
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.trade([self.share(MAIN, 1, 0.4, 10.0)], facts={MAIN: dict(facts[MAIN], close=20.0)})
        self.day(THIRD)
        self.world.hold(MAIN, 300)
        self.world.volumes[MAIN] = 4100
        self.trade([self.share(MAIN, 1, 0.4, 10.0)], facts=facts)
        self.assertEqual([row['why'] for row in self.site.heard['resting']], ['event'])
        self.day(FOURTH)
        self.site.books = [{'code': MAIN, 'volume': 3800, 'word': 'w1'}]
        self.trade([self.share('600002.SH', 1, 0.4, 10.0)], facts=facts)
        self.assertEqual((self.world.volumes[MAIN], self.held, self.site.heard['resting']), (300, {'600002.SH': 3900}, []))
        self.day(FIFTH)
        self.trade([self.share('600002.SH', 1, 0.4, 10.0)], facts=facts)
        self.assertEqual((self.world.volumes[MAIN], self.site.heard['resting']), (300, []))

    def test_a_word_on_an_event_that_is_waited_for_is_taken_by_the_next_process_too(self):
        # Sold before its new shares came, which never do: the site asks after three trading days, and nothing rests here.
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        facts, other = {MAIN: {'close': 10.0, 'events': [event], 'lot_min': 100, 'lot_step': 100}}, [self.share('600002.SH', 1, 0.4, 10.0)]
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.trade(other, facts={MAIN: dict(facts[MAIN], close=20.0)})
        self.assertEqual((self.world.volumes[MAIN], [row['why'] for row in self.site.heard['resting']]), (0, ['event']))
        self.day(FOURTH)
        self.site.books = [{'code': MAIN, 'volume': 0, 'word': 'w1'}]
        self.trade(other, facts=facts)
        self.assertEqual((self.held, self.site.heard['resting'], self.site.heard['words']), ({'600002.SH': 3900}, [], ['w1']))

    def test_an_event_of_the_day_on_which_a_word_is_heard_is_followed(self):
        first, later = {'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}, {'day': FOURTH, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}
        facts = {MAIN: {'close': 10.0, 'events': [first], 'lot_min': 100, 'lot_step': 100}}
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.world.hold(MAIN, 300)
        self.world.volumes[MAIN] = 4100
        self.trade([], facts={MAIN: dict(facts[MAIN], close=20.0)})
        self.day(FOURTH, {MAIN: 5.0})
        self.world.previous[MAIN] = 5.0
        self.site.books = [{'code': MAIN, 'volume': 3800, 'word': 'w1'}]
        self.trade([], facts={MAIN: dict(facts[MAIN], events=[first, later])})
        self.assertEqual((self.world.volumes[MAIN], [row['why'] for row in self.site.heard['resting']]), (300, ['event']))
        self.day(FIFTH)
        # Of what stood there on the eve.
        self.world.volumes[MAIN] += 4100
        self.trade([], facts={MAIN: dict(facts[MAIN], close=5.0, events=[first, later])})
        self.assertEqual((self.held, self.world.volumes[MAIN], self.site.heard['resting']), ({}, 600, []))

    def test_an_ex_day_that_the_user_has_answered_for_asks_nothing_when_the_site_learns_of_it(self):
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.world.multiply(MAIN, 2)
        self.trade([self.share(MAIN, 1, 0.4, 20.0)], facts={MAIN: {'close': 20.0}})
        self.day(THIRD)
        self.site.books = [{'code': MAIN, 'volume': 3800, 'word': 'w1'}]
        self.trade([self.share(MAIN, 1, 0.4, 10.0)], facts={MAIN: {'close': 10.0}})
        self.assertEqual((self.held, self.site.heard['resting']), ({MAIN: 3800}, []))
        self.day(FOURTH)
        self.trade([self.share(MAIN, 1, 0.4, 10.0)],
                   facts={MAIN: {'close': 10.0, 'events': [{'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}]}})
        self.assertEqual((self.held, self.world.volumes[MAIN], self.site.heard['resting']), ({MAIN: 3800}, 3800, []))

    def test_an_ex_day_that_the_site_does_not_know_rests_until_it_does(self):
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND, {MAIN: 10.0})
        self.world.previous[MAIN] = 10.0
        self.world.multiply(MAIN, 2)
        self.trade([self.share(MAIN, 1, 0.4, 20.0)], facts={MAIN: {'close': 20.0}})
        self.assertEqual((self.world.volumes[MAIN], [row['why'] for row in self.site.heard['resting']]), (3800, ['ex']))
        self.day(THIRD)
        self.trade([self.share(MAIN, 1, 0.4, 10.0)],
                   facts={MAIN: {'close': 10.0, 'events': [{'day': SECOND, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}]}})
        self.assertEqual((self.held, self.world.volumes[MAIN], self.site.heard['resting']), ({MAIN: 3800}, 3800, []))

    def test_a_sell_below_the_smallest_order_of_the_board_is_none(self):
        for code, price, weight, less in ((STAR, 100.0, 0.65, 0.55), (BSE, 20.0, 0.0615, 0.0513)):
            self.setUp()
            self.trade([self.share(code, 1, weight, price)])
            held, sent = self.held, len(self.world.sent)
            self.day(SECOND)
            self.trade([self.share(code, 1, less, price)], order_min=100)
            self.assertEqual((self.held, len(self.world.sent)), (held, sent))
            self.day(THIRD)
            self.trade([self.share('600002.SH', 1, 0.4, 10.0)])
            self.assertEqual(self.world.volumes[code], 0)

    def test_a_dear_share_leaves_in_orders_of_the_boards_least(self):
        self.trade([self.share(STAR, 1, 0.65, 100.0)])
        self.day(SECOND, {STAR: 200.0})
        self.world.previous[STAR] = 200.0
        self.trade([self.share('600002.SH', 1, 0.4, 10.0)], order_max=30000, max_daily_turnover=2)
        self.assertEqual((self.world.volumes[STAR], self.held), (0, {'600002.SH': 3900}))
        self.assertEqual([one for one in self.world.book if one.status == 'rejected'], [])

    def test_after_a_bonus_issue_leave_with_the_rest_in_orders_that_the_exchange_takes(self):
        for code, ratio, price in ((MAIN, 0.35, 20.0), (STAR, 0.1, 100.0), (BSE, 0.03, 20.0)):
            self.setUp()
            self.trade([self.share(code, 1, 0.41, price)])
            self.day(SECOND, {code: round(price / (1 + ratio), 2)})
            self.world.previous[code] = self.world.prices[code]
            self.world.multiply(code, 1 + ratio)
            event = {'day': SECOND, 'kind': 'shares', 'ratio': ratio, 'cash': 0.0}
            self.trade([self.share('600002.SH', 1, 0.4, 10.0)],
                       facts={code: dict(zip(('lot_min', 'lot_step'), self.world.lots[code]), close=price, events=[event])}, order_max=20000)
            self.assertEqual((self.world.volumes[code], self.held), (0, {'600002.SH': 3900}))
            self.assertEqual([one for one in self.world.book if one.status == 'rejected'], [])

    def test_positions_of_yesterday_sell_no_odd_rest(self):
        rows, leave = [self.share(MAIN, 1, 0.4, 20.0)], [self.share('600002.SH', 1, 0.4, 10.0)]
        self.trade(rows)
        self.day(SECOND)
        self.world.multiply(MAIN, 1.35)
        event = {'day': SECOND, 'kind': 'shares', 'ratio': 0.35, 'cash': 0.0}
        self.trade(rows, facts={MAIN: {'close': 27.0, 'events': [event]}}, order_min=1e6)
        self.assertEqual(self.held, {MAIN: 2565})
        self.day(THIRD, at='09:30')
        self.world.old_volumes, self.world.habits['old_positions_until'] = {MAIN: 2565}, self.clock.at('09:31:25')
        self.world.multiply(MAIN, 2)
        again = dict(event, day=THIRD, ratio=1.0)
        self.trade(leave, facts={MAIN: dict(lot_min=100, lot_step=100, close=40.0, events=[event, again])}, start_time='09:30:00', duration=180)
        self.assertEqual([one[3] for one in self.world.sent if one[2] == 'sell'], [2500, 30])
        self.assertEqual([one for one in self.world.book if one.status == 'rejected'], [])
        self.assertTrue(self.said(u'09:32 起才卖零股'))

    def test_what_is_refused_is_tried_twice_and_holds_up_no_other(self):
        self.trade([self.share(MAIN, 1, 0.4, 20.0)])
        self.day(SECOND)
        self.world.refused_codes.add(MAIN)
        self.trade([self.share('600002.SH', 1, 0.4, 10.0)])
        sides = [(one[1], one[2]) for one in self.world.sent[1:]]
        self.assertEqual(sides.count((MAIN, 'sell')), 2)
        self.assertEqual(self.held['600002.SH'], 3900)
        self.assertEqual(len(self.said(u'卖出委托两次被拒，今天不再卖：[COUNTER] 无此权限')), 1)


class ASession(Story):
    def restarting(self, *dead):
        """A mini broker whose trader dies at these moments; traders that were made."""
        made = []

        class Trader(MiniTerminal):
            def __getattribute__(mini, name):
                if name.startswith(('query', 'order_stock', 'cancel')) and any(mini.born < at <= self.clock.now() for at in dead):
                    return lambda *_: None
                return MiniTerminal.__getattribute__(mini, name)

        def connect(_lost):
            trader = Trader(self.world)
            trader.born = self.clock.now()
            made.append(trader)
            return trader, 'account', trader
        return XtquantBroker(connect, self.clock), made

    def test_that_is_lost_is_made_anew_and_the_days_orders_are_read_first(self):
        self.world.habits['fill_after'] = 10
        broker, made = self.restarting(self.clock.at('14:50:20'))
        self.trade(broker=broker)
        self.assertGreater(len(made), 1)
        self.assertEqual((self.held, self.world.volumes), ({A: 490, B: 400}, {A: 490, B: 400}))
        self.assertEqual((len(self.said(u'终端没有应答，稍后再试')), len(self.said(u'终端已恢复应答'))), (1, 1))

    def test_that_is_not_there_at_the_start_is_waited_for(self):
        ready = self.clock.at('14:51:30')
        connect = lambda _lost: (MiniTerminal(self.world), 'account', MiniTerminal(self.world)) if self.clock.now() >= ready else self.fail_away()
        self.trade(broker=XtquantBroker(connect, self.clock))
        self.assertEqual(self.held, {A: 490, B: 400})

    def fail_away(self):
        raise BrokerAway(u'没有连上 miniQMT')

    def test_whose_quotes_stand_still_is_made_anew_once_a_minute(self):
        for healed in (1, 3, 10 ** 6):
            self.setUp()
            made, begun = [], self.clock.at('14:49:00')

            class Trader(MiniTerminal):
                def get_full_tick(mini, codes):
                    ticks = MiniTerminal.get_full_tick(mini, codes)
                    return dict((code, dict(tick, time=int(begun * 1000)) if code == INDEX and mini.nth < healed else tick) for code, tick in ticks.items())

            def connect(_lost):
                trader = Trader(self.world)
                trader.nth = len(made)
                made.append(self.clock.now())
                return trader, 'account', trader
            self.trade(broker=XtquantBroker(connect, self.clock))
            self.assertTrue(self.said(u'终端的行情停在 14:49:00'))
            if healed < 10:
                self.assertEqual((self.held, len(made)), ({A: 490, B: 400}, healed + 1))
            else:
                self.assertEqual(self.world.sent, [])
                self.assertLessEqual(len(made), 7)
            self.assertTrue(all(later - earlier >= 30 for earlier, later in zip(made, made[1:])), made)

    def test_whose_refusal_has_no_row_tells_its_words_and_ends_nothing_by_them(self):
        for by_remark in (True, False):
            self.setUp()
            self.world.habits['no_row'] = True
            self.world.refused_codes.add(A)
            heard, place = [], self.world.place

            class Trader(MiniTerminal):
                def order_stock(mini, account, code, *given):
                    number = MiniTerminal.order_stock(mini, account, code, *given)
                    if code == A:
                        heard[0].refused(given[-1] if by_remark else '', number, u'[251005]\n可用资金不足')
                    return number

            def connect(listener):
                heard[:] = [listener]
                trader = Trader(self.world)
                return trader, 'account', trader
            self.trade(broker=XtquantBroker(connect, self.clock))
            [asked] = [one for one in self.site.told.values() if one['status'] == 'unsure']
            self.assertEqual((asked['code'], asked['note'], self.held), (A, u'[251005] 可用资金不足', {B: 400}))
            self.assertEqual(len(self.said(u'可用资金不足')), 1)
            self.assertEqual(Journal(self.path).orders[asked['order_id']]['state'], 'unsure')


class TheHour(Story):
    def off(self, seconds):
        """The computer's clock is off by so much: it is not the exchange's."""
        self.site.clock = TestClock(FIRST, self.clock.now())
        true, self.site.clock.now = self.clock, lambda: true.now() - seconds
        self.trade()

    def test_a_clock_that_is_minutes_off_sends_nothing_and_says_so(self):
        for seconds in (-420, 600):
            self.setUp()
            self.off(seconds)
            self.assertEqual(self.world.sent, [])
            self.assertTrue(self.said(u'本机时钟与网站相差 %.1f 分钟' % abs(seconds / 60.0)))

    def test_a_clock_that_is_seconds_off_works_by_the_sites_time(self):
        self.off(20)
        self.assertEqual(self.held, {A: 490, B: 400})

    def test_quotes_that_stand_still_send_nothing(self):
        self.world.habits['still'] = self.clock.at('14:00')
        self.trade(maker='simulator')
        self.assertEqual(self.world.sent, [])
        self.assertTrue(self.said(u'终端的行情停在 14:00:00'))

    def test_nothing_is_sent_in_an_auction_whatever_the_window_says(self):
        for at in ('09:20', '11:40', '14:57:10'):
            self.setUp()
            self.clock.seconds = self.clock.at(at)
            self.trade(start_time='00:00:00', end_time='23:59:59')
            self.assertEqual([one for one in self.world.sent if not self.clock.at('09:30') <= one[5]], [])
            self.assertEqual(self.world.sent, [])


class TheLimits(Story):
    def test_a_site_that_doubles_its_list_every_day_holds_no_more_than_the_capital(self):
        codes = sorted(PRICES)
        for i, date in enumerate((FIRST, SECOND, THIRD, FOURTH, FIFTH)):
            if i:
                self.day(date)
            # A faulty site: each day all of the money into another bond, the old ones ignored.
            self.trade([item(codes[i % 4], 1, 1.0, PRICES[codes[i % 4]])], ignore_codes=codes[:i % 4])
            self.assertLessEqual(sum(volume * PRICES[code] for code, volume in self.world.volumes.items()), 100000)

    def test_an_order_that_is_in_question_counts_in_full(self):
        self.world.habits.update(late=10 ** 6, fill_after=10 ** 6)
        self.trade([item(A, 1, 1.0, 100.0)])
        self.world.habits.update(late=0)
        self.day(SECOND)
        self.world.hold(A, 10)
        self.trade([item(A, 1, 0.5, 100.0), item(B, 2, 0.5, 120.0)])
        self.assertLessEqual(self.world.volumes.get(B, 0) * 120.0, 51000)


class TheSitesAnswers(unittest.TestCase):
    def test_of_a_wrong_shape_are_none(self):
        good = {'halt': False, 'halt_reason': ''}
        self.assertEqual(checked_beat(good)['settled'], [])
        for wrong in (None, [], 'x', {}, {'halt': 1, 'halt_reason': ''}, {'halt': False}, dict(good, settled={}), dict(good, settled=[1]),
                      dict(good, settled=[{'order_id': 'X', 'filled': 1.5, 'word': 'w'}]), dict(good, server_ms='1'), dict(good, server_ms=float('nan')),
                      dict(good, opening=[]), dict(good, books=[{'code': A}])):
            self.assertRaises(ServerAway, checked_beat, wrong)
        for wrong in (None, [], {}, {'code': None}, {'code': '0'}, {'code': True}):
            self.assertRaises(ServerAway, data_of, wrong)

    def test_that_were_changed_anywhere_are_taken_or_refused_and_raise_nothing_else(self):
        chance = random.Random(20261126)
        targets = targets_of(LIST, FIRST, facts={A: {'events': [{'day': FIRST, 'kind': 'shares', 'ratio': 1.0, 'cash': 0.0}]}})
        beat = {'halt': False, 'halt_reason': '', 'server_ms': 1, 'settled': [{'order_id': 'X', 'filled': 1, 'word': 'w'}],
                'books': [{'code': A, 'volume': 1, 'word': 'w'}], 'opening': {'token': 't', 'book': [{'code': A, 'volume': 1}], 'orders': []}}
        refused = 0
        for i in range(int(os.environ.get('CONVEXA_ANSWERS', '1000'))):
            answer = changed(chance, copy.deepcopy({'code': 0, 'msg': '', 'data': targets if i % 2 else beat}))
            try:
                data = data_of(answer)
                checked_targets(data, settings(), FIRST) if i % 2 else checked_beat(data)
            except (Refused, ServerAway):
                refused += 1
        self.assertGreater(refused, 300)


def changed(chance, value):
    """An answer with one of its members replaced, dropped or added to."""
    place = value
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return value
        key = chance.choice(keys)
        if isinstance(place[key], (dict, list)) and chance.random() < 0.8:
            place = place[key]
            continue
        if isinstance(place, dict) and chance.random() < 0.2:
            del place[key]
        else:
            place[key] = chance.choice([None, True, -1, 0, 1.5, 1e400, float('nan'), '', u'x\x00', [], {}, [None], {'a': []}, 10 ** 30])
        return value


if __name__ == '__main__':
    unittest.main()
