# -*- coding: utf-8 -*-
"""Read as an attacker: deaths and full disks at every step, two processes, clocks, terminals that forget. No order goes out twice."""

import os
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.big_terminal import Stopped, StrategyClock, run_days  # noqa: E402
from convexa_qmt.clock import Clock, SiteClock  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.journal_file import CannotWrite  # noqa: E402
from convexa_qmt.only_one import only_one  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from drill_site import DrillSite  # noqa: E402
from exchange import USER  # noqa: E402
from terminals import MAKERS  # noqa: E402
from test_ledger import FIRST, LIST, SECOND, THIRD, A, B, Story  # noqa: E402
from turns import SharedClock, Turns  # noqa: E402
from world import Burning, Fuse, Killed, TestClock, settings, targets_of  # noqa: E402

TARGET = {A: 490, B: 400}


class Deaths(Story):
    """A small day of two securities, killed at every line of its journal and at every call; then the client is started again."""

    def day_until(self, maker, dies):
        """dies(journal, market): makes both deadly."""
        self.site.made = targets_of(LIST, self.clock.date())
        journal = Journal(self.path, self.clock.date())
        market = dies(journal, self.world)
        rules = settings(order_max=30000, fill_after=1)
        try:
            Trader(rules, self.site, MAKERS[maker](market, self.clock), journal, self.clock, self.lines.append, dry_run=False).run()
            return True
        except Killed:
            return False
        finally:
            journal.close()

    def again(self, maker, date):
        if date == FIRST:
            self.clock.sleep(15)
        else:
            self.day(SECOND)
        self.assertTrue(self.day_until(maker, lambda _journal, market: market))
        ids = [one[0] for one in self.world.sent]
        self.assertEqual(len(set(ids)), len(ids))
        for code, volume in TARGET.items():
            self.assertLessEqual(self.world.volumes.get(code, 0), volume)
        journal = Journal(self.path)
        journal.close()
        self.assertEqual(journal.holdings(), dict((code, volume) for code, volume in self.world.volumes.items() if volume))
        # What was never handed over, and died before that was known, is a question and nothing else is missing.
        asked = set(one['code'] for one in journal.without_end())
        self.assertEqual(set(code for code in TARGET if self.world.volumes.get(code, 0) != TARGET[code]), asked)
        self.assertEqual(asked, set(row['code'] for row in self.site.heard['resting']))

    def test_at_every_line_of_the_journal_torn_or_whole_lead_to_no_second_order(self):
        for maker in ('xtquant', 'passorder'):
            for how in ('before', 'torn', 'zeroed', 'after'):
                line, alive = 0, False
                while not alive:
                    line += 1
                    self.setUp()
                    alive = self.day_until(maker, lambda journal, market: self.deadly_lines(journal, market, line, how))
                    if not alive:
                        self.again(maker, FIRST if line % 2 else SECOND)
                self.assertGreater(line, 12)

    def deadly_lines(self, journal, market, nth, how):
        write, count = journal.file.write, [0]

        def dying(line, new_id=None):
            count[0] += 1
            if count[0] == nth and how != 'after':
                if how != 'before':
                    with open(self.path, 'ab') as file:
                        file.write(b'{"kind": "intent", "co' if how == 'torn' else b'\0' * 40)
                raise Killed()
            made = write(line, new_id)
            if count[0] == nth:
                raise Killed()
            return made
        journal.file.write = dying
        return market

    def test_before_and_after_every_call_of_the_terminal_lead_to_no_second_order(self):
        for maker in ('xtquant', 'passorder'):
            for after in (False, True):
                step, alive = 0, False
                while not alive:
                    step += 1
                    self.setUp()
                    alive = self.day_until(maker, lambda _journal, market: Burning(market, Fuse(step, after)))
                    if not alive:
                        self.again(maker, SECOND if step % 2 else FIRST)
                self.assertGreater(step, 30)

    def test_a_power_cut_loses_no_line_that_was_acted_upon(self):
        # What is not synchronized is not on the disk: at each order that is handed over its intent is.
        place, synced = self.world.place, []
        real = os.fsync

        def fsync(number):
            real(number)
            synced.append(open(self.path, 'rb').read())
        os.fsync = fsync
        try:
            def placed(code, side, volume, price, remark):
                self.assertIn(('"id": "%s"' % remark).encode('ascii'), synced[-1])
                return place(code, side, volume, price, remark)
            self.world.place = placed
            self.trade()
        finally:
            os.fsync = real
        self.assertEqual(self.held, TARGET)


class AFullDisk(Story):
    def test_at_any_line_no_order_goes_out_unwritten_and_nothing_is_left_open(self):
        for maker in ('xtquant', 'passorder'):
            for lasts in (True, False):
                line, went_well = 0, False
                while not went_well:
                    line += 1
                    self.setUp()
                    self.world.habits['fill_after'] = 10 ** 6
                    went_well = self.full_from(maker, line, lasts)
                    text = open(self.path, 'rb').read().decode('utf-8') if os.path.exists(self.path) else ''
                    for one in self.world.sent:
                        self.assertIn(one[0], text)
                    self.assertEqual([order.status for order in self.world.book if order.status == 'open'], [], (maker, line, lasts))
                    self.assertEqual(len(set(one[0] for one in self.world.sent)), len(self.world.sent))
                self.assertGreater(line, 10)

    def full_from(self, maker, nth, lasts):
        """Whether the whole day was written."""
        self.site.made = targets_of(LIST, self.clock.date())
        journal = Journal(self.path, self.clock.date())
        write, count = journal.file.write, [0]

        def full(line, new_id=None):
            count[0] += 1
            if count[0] == nth or (lasts and count[0] > nth):
                raise CannotWrite(u'委托记录写不进磁盘')
            return write(line, new_id)
        journal.file.write = full
        try:
            Trader(settings(), self.site, MAKERS[maker](self.world, self.clock), journal, self.clock, self.lines.append, dry_run=False).run()
        except CannotWrite:
            # Before anything began: main.py says so and ends.
            self.assertEqual(self.world.sent, [])
        finally:
            journal.close()
        return count[0] < nth


class Processes(Story):
    def test_a_second_one_of_the_same_folder_finds_the_place_taken_whatever_its_own_temporary_folder_is(self):
        first = only_one('config', self.folder)
        try:
            self.assertIsNone(only_one('config', self.folder))
        finally:
            first.close()
        again = only_one('config', self.folder)
        self.assertIsNotNone(again)
        again.close()

    def test_of_two_computers_on_copies_of_one_journal_one_orders(self):
        class Told(object):
            """What a site of the stories asks of its config and story."""
            drawn, doubled, damaged = {}, True, False
            clock, chance = SharedClock(FIRST, 14 * 3600 + 45 * 60), None

            def heard_beat(self, told):
                pass
        story = Told()
        story.story, story.rules = story, settings(order_max=50000)
        story.chance = __import__('random').Random(1)
        site = DrillSite(story)
        site.new_day(0, lambda: targets_of(LIST, FIRST))
        self.world.clock = story.clock

        def client(path):
            journal = Journal(path, FIRST)
            Trader(story.rules, site, MAKERS['xtquant'](self.world, story.clock), journal, story.clock, self.lines.append, dry_run=False).run()
            journal.close()
        journal = Journal(self.path, FIRST)
        journal.begin()
        journal.close()
        other = self.path + '.other'
        with open(self.path, 'rb') as file, open(other, 'wb') as copy:
            copy.write(file.read())
        Turns(story.clock, [lambda: client(self.path), lambda: client(other)]).run()
        self.assertEqual((len(self.world.sent), self.world.volumes), (2, TARGET))

    def test_two_configs_of_one_account_sell_only_their_own(self):
        # Both hold A; the second one leaves it while the first one keeps it.
        self.trade([LIST[0]])
        self.day(SECOND)
        self.world.hold(A, 200)
        self.trade([LIST[1]], facts={A: {'others': 200}})
        self.assertEqual((self.world.volumes[A], self.held), (200, {B: 400}))


class Clocks(unittest.TestCase):
    def test_a_clock_that_is_set_moves_nothing_and_the_site_is_heard_before_the_next_order(self):
        class Own(TestClock):
            off = 0

            def now(self):
                return self.seconds + self.off

            def monotonic(self):
                return self.seconds
        own = Own(FIRST)
        for off in (-3600, 3600, -3, 3, -86400):
            own.off = 0
            clock = SiteClock(own)
            clock.hear((own.now() + 7) * 1000, clock.monotonic(), clock.monotonic())
            before = clock.now()
            own.off = off
            own.sleep(10)
            self.assertEqual((clock.now() - before, clock.jumped), (10, True))
            clock.hear((own.seconds + 7) * 1000, clock.monotonic(), clock.monotonic())
            self.assertEqual((clock.jumped, clock.now() - before, clock.wrong), (False, 10, abs(off) > 30))

    def test_days_and_hours_are_shanghais_in_any_zone_with_or_without_daylight_saving(self):
        if not hasattr(time, 'tzset'):
            self.skipTest('no time zones by environment here')
        zone = os.environ.get('TZ')
        try:
            seen = set()
            for name in ('Asia/Shanghai', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe'):
                os.environ['TZ'] = name
                time.tzset()
                clock = Clock()
                # The nights on which clocks are set forward and back.
                seen.add(tuple((clock.at('14:50', day), clock.stamp(clock.at('14:50:01', day))) for day in ('2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01')))
            self.assertEqual(len(seen), 1)
        finally:
            os.environ.pop('TZ') if zone is None else os.environ.update(TZ=zone)
            time.tzset()

    def test_a_terminal_that_runs_over_midnight_begins_each_day_whatever_ended_the_last(self):
        days, clock = [], TestClock(FIRST, 23 * 3600)

        def sleep(seconds):
            clock.seconds += seconds
            if len(days) >= 3:
                raise Stopped()
        clock.sleep = sleep
        import convexa_qmt.main as module
        real = module.main

        def main(_folder, _broker_of, _arguments, clock):
            days.append(clock.date())
            raise [SystemExit('x'), ValueError('y'), SystemExit('z')][len(days) - 1]
        module.main = main
        said, sys.stdout = sys.stdout, open(os.devnull, 'w')
        try:
            self.assertRaises(Stopped, run_days, '', None, [], clock)
        finally:
            sys.stdout.close()
            sys.stdout, module.main = said, real
        self.assertEqual(days, [FIRST, SECOND, THIRD])


class Terminals(Story):
    def test_one_that_restarts_and_gives_other_numbers_still_lists_our_orders(self):
        self.world.habits['fill_after'] = 90
        self.world.habits['renumbered'] = self.clock.at('14:50:45')
        self.trade(wait=200)
        self.assertEqual((self.held, len(self.world.sent)), (TARGET, 2))
        self.assertEqual([by for _code, _state, by in self.states()], ['list', 'list'])

    def test_one_whose_list_empties_and_returns_is_waited_for(self):
        self.world.habits['fill_after'] = 100
        orders = self.world.orders

        def restarted():
            made = orders()
            return [] if self.clock.at('14:50:20') <= self.clock.now() < self.clock.at('14:51:20') else made
        self.world.orders = restarted
        self.trade(wait=200)
        self.assertEqual((self.held, len(self.world.sent)), (TARGET, 2))

    def test_numbers_that_begin_again_on_the_next_day_are_no_orders_of_yesterday(self):
        # Yesterday's order has no end; today's first has its number, its code and its volume, and is the user's own.
        self.world.habits['numbers_again'] = True
        place, count = self.world.place, [0]

        def placed(*given):
            place(*given)
            raise Killed()
        self.world.place = placed
        self.assertIsNone(self.trade())
        self.world.place = place
        self.world.book[0].due = 0
        self.day(SECOND)
        self.world.place(A, 'buy', 490, 100.0, '', USER)
        self.assertEqual(self.world.book[0].number, 1001)
        self.trade()
        asked = [one for one in self.journal.orders.values() if one['date'] == FIRST]
        self.assertEqual([(one['state'], one['filled'], one['number']) for one in asked], [('unsure', 0, None)])
        self.assertEqual((self.held, self.world.truth(A)), ({B: 400}, 0))

    def test_a_row_that_is_listed_twice_counts_once(self):
        self.world.habits['twice'] = 1.0
        self.trade()
        self.assertEqual((self.held, self.journal.stops), (TARGET, {}))

    def test_trades_of_the_order_before_are_not_those_of_an_order_that_was_answered_its_number(self):
        # Halves are filled, the rest is taken back and ordered again: each order is answered the number of the one before.
        self.world.habits.update(partial=1.0, stale_number=1.0)
        for maker in ('xtquant', 'passorder'):
            self.trade([LIST[0]], maker=maker)
            self.assertEqual(self.held[A], self.world.volumes[A])

    def test_a_number_that_is_another_orders_takes_back_none_of_the_users(self):
        self.world.habits.update(fill_after=200, remark='empty', stale_number=1.0)
        self.world.place(A, 'buy', 20, 100.0, '', USER)
        self.trade([LIST[0]], wait=10)
        self.assertEqual((len(self.world.sent), self.world.cancels), (2, []))

    def test_a_part_that_was_filled_before_the_cancel_counts_and_the_rest_is_ordered_again(self):
        self.world.habits.update(partial=1.0, fill_after=5)
        self.trade([LIST[0]])
        volumes = [one[3] for one in self.world.sent]
        self.assertEqual(volumes[0], 490)
        self.assertTrue(all(later <= earlier for earlier, later in zip(volumes, volumes[1:])))
        self.assertEqual(self.held[A], self.world.volumes[A])
        self.assertLess(self.world.volumes[A], 491)


del Story

if __name__ == '__main__':
    unittest.main()
