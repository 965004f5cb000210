# -*- coding: utf-8 -*-
"""The journal on disk: what damage leaves of it, what a client before 2.0.0 left, and what the site's record opens."""

import io
import json
import os
import shutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import OPEN, REJECTED, BrokerAway  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.journal_file import CannotWrite, Damaged, copy_of  # noqa: E402
from convexa_qmt.main import open_journal  # noqa: E402
from convexa_qmt.server import ServerAway  # noqa: E402
from test_ledger import A, B, FIRST, FOURTH, LIST, SECOND, THIRD, Story, after_the_call  # noqa: E402
from world import TestClock, memory_folder  # noqa: E402


def line_of_version_1(line):
    return (json.dumps(line, ensure_ascii=False, sort_keys=True) + '\n').encode('utf-8')


def order_of_version_1(order_id, date, code, side, volume, price, **over):
    return dict({'kind': 'intent', 'id': order_id, 'date': date, 'at': 52200.0, 'code': code, 'side': side, 'volume': volume, 'price': price,
                 'filled': 0, 'mean': None, 'status': OPEN, 'note': '', 'seen': False}, **over)


def read_by_version_1(text):
    """What the client 1.2.1 makes of a file: its orders. Raises where it would stop."""
    orders = {}
    for line in text.split(b'\n')[:-1]:
        line = json.loads(line.decode('utf-8'))
        if line['kind'] not in ('plan', 'profit', 'stop'):
            orders.setdefault(line['id'], {}).update(line)
    return [one for one in orders.values() if one['date'] < '9']


class OnDisk(unittest.TestCase):
    def setUp(self):
        self.folder = memory_folder()
        self.path = os.path.join(self.folder, 'journal-live.jsonl')
        journal = self.opened()
        journal.intend('O1', FIRST, 1.0, A, 'buy', 490, 100.0, base=0)
        journal.handed('O1', 7)
        journal.learn('O1', 490, 100.0, 'filled', u'')
        journal.keep_plan(FIRST, 'x', [])
        journal.close()

    def tearDown(self):
        shutil.rmtree(self.folder)

    def opened(self):
        return Journal(self.path, SECOND)

    def text(self, new=None):
        if new is not None:
            with io.open(self.path, 'wb') as file:
                file.write(new)
        with io.open(self.path, 'rb') as file:
            return file.read()

    def test_goes_on_with_its_counts_and_its_id(self):
        first = self.opened()
        first.close()
        again = self.opened()
        again.stop(SECOND, u'够了')
        again.close()
        last = self.opened()
        self.assertEqual((last.id, last.n, last.holdings()), (first.id, first.n + 1, {A: 490}))
        last.close()

    def test_a_last_line_that_was_cut_zeroed_or_changed_is_put_aside(self):
        text = self.text()
        *_, last = text[:-1].split(b'\n')
        for tail in (last[:9], b'\0' * len(last), b'\0' * 40 + b'\n', last.replace(b'plan', b'plam') + b'\n', last[:-3] + b'9}\n'):
            self.text(text[:-len(last) - 1] + tail)
            journal = self.opened()
            self.assertEqual((journal.holdings(), journal.plans), ({A: 490}, {}), tail)
            journal.keep_plan(SECOND, 'y', [])
            journal.close()
            self.assertEqual(list(self.opened_and_closed().plans), [SECOND])
        self.assertTrue(os.path.getsize(os.path.join(self.folder, 'journal-live.cut')) > 9)

    def opened_and_closed(self):
        journal = self.opened()
        journal.close()
        return journal

    def test_damage_in_the_middle_is_said_with_its_line_and_nothing_is_changed(self):
        lines = self.text().split(b'\n')
        for place, line in ((1, lines[1].replace(b'490', b'590')), (2, b'\0' * 30), (1, lines[2])):
            broken = b'\n'.join(lines[:place] + [line] + lines[place + 1:])
            self.text(broken)
            with self.assertRaises(Damaged) as said:
                self.opened()
            self.assertEqual((said.exception.line, self.text()), (place + 1, broken))
        # A line that is gone.
        self.text(b'\n'.join(lines[:1] + lines[2:]))
        self.assertRaises(Damaged, self.opened)

    def test_a_file_of_which_nothing_is_left_but_zeros_is_damaged_and_no_new_one(self):
        size = len(self.text())
        for text in (b'\0' * size, b'\0' * size + b'\n', b'\0' * 4096):
            self.text(text)
            self.assertRaises(Damaged, self.opened)
            self.assertEqual(self.text(), text)
        # The first line of all was cut.
        self.text(b'{"id": "0123')
        self.assertEqual(self.opened_and_closed().orders, {})

    def test_every_byte_that_changes_is_noticed(self):
        text = self.text()
        whole = self.opened_and_closed()
        for place in range(0, len(text) - 1, 7):
            if text[place:place + 1] == b'\n':
                continue
            self.text(text[:place] + bytes(bytearray([text[place] ^ 1])) + text[place + 1:])
            try:
                journal = self.opened_and_closed()
            except Damaged:
                continue
            # Only the last line may be lost without a word of ours.
            self.assertLess(journal.n, whole.n)

    def test_a_line_that_cannot_be_written_leaves_the_file_as_it_was(self):
        journal, text = self.opened(), self.text()

        class Full(object):
            def write(self, _text):
                raise IOError(28, 'No space left on device')

            def close(self):
                pass
        real, journal.file._file = journal.file._file, Full()
        self.assertRaises(CannotWrite, journal.stop, SECOND, u'满')
        real.close()
        self.assertEqual(self.text(), text)
        journal.stop(SECOND, u'又有地方了')
        journal.close()
        self.assertEqual(list(self.opened_and_closed().stops), [SECOND])

    def test_each_start_keeps_a_copy_ten_of_them(self):
        copies = os.path.join(self.folder, 'journal-copies')
        os.mkdir(copies)
        for i in range(12):
            shutil.copyfile(self.path, os.path.join(copies, 'journal-live-20260101-0000%02d.jsonl' % i))
        copy_of(self.path, 'a' * 32, copies)
        self.assertEqual(len(os.listdir(copies)), 10)

    def copies(self):
        folder = os.path.join(self.folder, 'journal-copies')
        found = []
        for name in sorted(os.listdir(folder)):
            with io.open(os.path.join(folder, name), 'rb') as file:
                found.append(file.read())
        return found

    def started(self, live=True, clock=None, site=None):
        """(The journal of a start, what was said, the heartbeats)."""
        said, beats = [], []

        class Site(object):
            def heartbeat(self, told):
                beats.append(told)
                if site == 'away':
                    raise ServerAway(u'没有连接')
                return {'opening': site}
        journal = open_journal(self.path, live, Site(), clock or TestClock(SECOND, 16 * 3600), said.append)
        if journal is not None:
            journal.close()
        return journal, said, beats

    def damage(self):
        # The head has ids made of chance: the volume is looked for behind it.
        head, rest = self.text().split(b'\n', 1)
        return self.text(head + b'\n' + rest.replace(b'490', b'590', 1))

    def test_starts_with_a_damaged_file_take_no_good_copy_away(self):
        self.started()
        good = self.text()
        self.assertEqual(self.copies(), [good])
        self.damage()
        for _ in range(12):
            self.assertIsNone(self.started()[0])
        self.assertEqual(self.copies(), [good])

    def test_starts_with_another_file_or_an_old_one_do_not_take_the_longest_copy_away(self):
        whole, copies = self.text(), os.path.join(self.folder, 'journal-copies')
        self.started()
        os.rename(os.path.join(copies, os.listdir(copies)[0]), os.path.join(copies, 'journal-live-20260101-000000-%s.jsonl' % self.opened_and_closed().id[:8]))
        old = whole[:whole.rindex(b'\n', 0, -1) + 1]
        for kind in ('other', 'old'):
            os.remove(self.path)
            if kind == 'old':
                self.text(old)
            else:
                journal = self.opened()
                journal.start()
                journal.close()
            for i in range(12):
                self.started()
                newest = sorted(os.listdir(copies))[-1]
                os.rename(os.path.join(copies, newest), os.path.join(copies, newest.replace(newest[13:28], '20260102-%d%05d' % (kind == 'old', i))))
            self.assertIn(whole, self.copies())
            self.assertLessEqual(len(self.copies()), 12)

    def test_a_new_file_has_nothing_to_copy(self):
        os.remove(self.path)
        self.started()
        self.assertFalse(os.path.exists(os.path.join(self.folder, 'journal-copies')))

    def test_one_that_is_damaged_is_told_after_the_close_too_until_the_site_has_heard_it(self):
        self.damage()
        journal, said, beats = self.started()
        self.assertEqual((journal, [one['journal'] for one in beats]), (None, [{'id': 'damaged', 'n': 0}]))
        self.assertIn(u'按网站记录重建', said[0])
        # Away until midnight: said once.
        journal, said, beats = self.started(site='away')
        self.assertEqual((journal, len(beats), len(said)), (None, 8 * 60, 2))

    def test_one_on_paper_that_is_damaged_says_what_helps_and_asks_no_site(self):
        self.damage()
        broken = self.text()
        journal, said, beats = self.started(live=False)
        self.assertEqual((journal, beats, self.text()), (None, [], broken))
        self.assertIn(u'改名', said[0])
        self.assertNotIn(u'网站', said[0])

    def test_one_that_is_damaged_trades_nothing_until_the_sites_record_takes_its_place(self):
        broken = self.damage()
        said, beats, clock = [], [], TestClock(SECOND, 9 * 3600)
        order = {'order_id': 'C' * 20, 'trade_date': FIRST, 'code': B, 'side': 'buy', 'volume': 100, 'filled': 0, 'price': 90.0}
        opening = {'token': 't', 'seq': 500, 'book': [{'code': A, 'volume': 480}], 'orders': [order]}

        class Site(object):
            def heartbeat(self, told):
                beats.append(told)
                return {'opening': opening if len(beats) == 3 else None}
        journal = open_journal(self.path, True, Site(), clock, said.append)
        # The site's record is in it before anything else is said to the site: its token is what the site waits for.
        for _ in range(2):
            self.assertEqual((journal.opening, journal.holdings(), [one['id'] for one in journal.without_end()]), ('t', {A: 480}, ['C' * 20]))
            journal.close()
            journal = self.opened()
        journal.close()
        self.assertEqual((len(beats), beats[0]['journal']['id']), (3, 'damaged'))
        self.assertIn(u'第 2 行已损坏', said[0])
        aside = [name for name in os.listdir(self.folder) if name != 'journal-live.jsonl']
        self.assertEqual([name[:27] for name in aside], ['journal-live.jsonl.damaged-'])
        with io.open(os.path.join(self.folder, aside[0]), 'rb') as file:
            self.assertEqual(file.read(), broken)

    def test_a_disk_that_takes_no_new_journal_leaves_the_damaged_one_and_is_tried_again(self):
        broken = self.damage()
        opening, clock, said, full = {'token': 't', 'book': [], 'orders': []}, TestClock(SECOND, 9 * 3600), [], [True]
        real = Journal.open_with

        def open_with(journal, *given):
            if full.pop():
                full.append(False)
                raise CannotWrite(u'委托记录写不进磁盘')
            real(journal, *given)

        class Site(object):
            def heartbeat(_self, _told):
                self.assertEqual(self.text(), broken)
                return {'opening': opening}
        Journal.open_with = open_with
        try:
            journal = open_journal(self.path, True, Site(), clock, said.append)
        finally:
            Journal.open_with = real
        self.assertEqual((journal.opening, clock.now()), ('t', clock.at('09:01:00', SECOND)))
        journal.close()


class AFolderOfClient121(Story):
    """Left with two orders handed over and no end, one that was given up, and a holding."""

    def setUp(self):
        Story.setUp(self)
        lines = [{'kind': 'plan', 'date': FIRST, 'checksum': 'x', 'rows': [[A, 0, 490], [B, 0, 400]]},
                 order_of_version_1('AAAAAAAAAAAAAAAAAAAA', FIRST, A, 'buy', 490, 100.0),
                 order_of_version_1('BBBBBBBBBBBBBBBBBBBB', FIRST, B, 'buy', 400, 120.0),
                 {'kind': 'news', 'id': 'BBBBBBBBBBBBBBBBBBBB', 'filled': 0, 'mean': None, 'status': REJECTED, 'note': u'终端没有这笔委托', 'seen': False}]
        with io.open(self.path, 'wb') as file:
            file.write(b''.join(line_of_version_1(line) for line in lines))
        self.day(SECOND)

    def test_goes_on_with_its_orders_as_questions_and_buys_none_of_them_twice(self):
        # Both were filled, as the old client could not know.
        self.world.hold(A, 490)
        self.world.hold(B, 400)
        self.trade()
        self.assertEqual(([one['status'] for one in self.site.told.values()], self.world.sent), (['unsure', 'unsure'], []))
        self.site.settled = [{'order_id': 'A' * 20, 'filled': 490, 'word': 'v'}, {'order_id': 'B' * 20, 'filled': 400, 'word': 'w'}]
        self.day(THIRD)
        self.trade()
        self.assertEqual((self.held, self.world.sent), ({A: 490, B: 400}, []))

    def test_what_was_not_filled_is_seen_by_the_account(self):
        self.world.hold('110902.SH', 10)
        self.trade()
        self.assertEqual((self.held, self.world.volumes[A], self.world.volumes[B]), ({A: 490, B: 400}, 490, 400))

    def test_stops_the_old_client_where_the_new_one_has_written(self):
        with io.open(self.path, 'rb') as file:
            before = file.read()
        self.assertEqual(len(read_by_version_1(before)), 2)
        self.trade()
        with io.open(self.path, 'rb') as file:
            after = file.read()
        self.assertTrue(after.startswith(before))
        self.assertRaises(KeyError, read_by_version_1, after)


class TheSitesRecord(Story):
    def test_opens_a_journal_that_was_lost(self):
        self.trade()
        os.remove(self.path)
        self.day(SECOND)
        order = {'order_id': 'C' * 20, 'trade_date': FIRST, 'code': '110902.SH', 'side': 'buy', 'volume': 100, 'filled': 0, 'price': 90.0}
        self.site.opening = {'token': 't1', 'book': [{'code': A, 'volume': 490}, {'code': B, 'volume': 400}], 'orders': [order]}
        self.site.halt = u'正在按网站记录重建委托记录'
        self.trade()
        self.assertEqual((self.held, self.site.heard['journal']['opening'], self.world.sent[2:]), ({A: 490, B: 400}, 't1', []))
        self.site.opening, self.site.halt = None, ''
        self.day(THIRD)
        self.trade(LIST)
        self.assertEqual((self.held, len(self.world.sent)), ({A: 490, B: 400}, 2))

    def test_with_orders_that_counted_far_keeps_nobody_from_trading(self):
        self.site.opening = {'token': 't1', 'book': [], 'seq': 500, 'orders': []}
        self.trade([])
        self.site.opening = None
        self.day(SECOND)
        self.trade()
        self.assertEqual((self.held, len(self.world.sent)), ({A: 490, B: 400}, 2))
        self.assertGreater(min(one['seq'] for one in self.site.told.values()), 500)

    def test_takes_the_place_of_what_an_old_copy_held_and_counts_on_from_what_the_site_knows(self):
        old = {'id': 'A' * 20, 'date': FIRST, 'code': A, 'side': 'buy', 'volume': 490, 'filled': 0, 'price': 100.0}
        open_one = dict(old, id='C' * 20, code='110902.SH', volume=100)
        journal = Journal(self.path, FIRST)
        journal.begin()
        journal.intend(old['id'], FIRST, 0.0, A, 'buy', 490, 100.0)
        journal.learn(old['id'], 490, 100.0, 'filled', '')
        journal.intend('D' * 20, FIRST, 0.0, B, 'sell', 400, 120.0)
        journal.open_with(SECOND, 't1', {B: 30}, [open_one], 500)
        for _ in range(2):
            self.assertEqual((journal.holdings(), [one['id'] for one in journal.without_end()]), ({B: 30}, [open_one['id']]))
            self.assertGreater(journal.orders[open_one['id']]['n'], 500)
            journal.close()
            journal = Journal(self.path, SECOND)
        journal.end(open_one['id'], 100, 'filled', 'user')
        self.assertEqual(journal.orders[open_one['id']]['n'], journal.n + 500)
        journal.close()

    def test_with_an_order_that_an_old_copy_asks_of_counts_it_once_whatever_comes_later(self):
        after_the_call(self.world, 1)
        self.assertIsNone(self.trade([LIST[0]]))
        journal = Journal(self.path, SECOND)
        [order] = journal.orders
        journal.open_with(SECOND, 't1', {A: 490}, [])
        journal.close()
        self.day(SECOND)
        self.trade([LIST[0]])
        self.day(THIRD)
        self.world.hold(A, 200)
        self.trade([LIST[0]])
        self.assertEqual((self.held, self.site.heard['resting']), ({A: 490}, []))
        self.day(FOURTH)
        self.site.settled = [{'order_id': order, 'filled': 490, 'word': 'w1'}]
        self.trade([])
        self.assertEqual((self.held, self.world.volumes[A], order in self.site.told), ({}, 200, False))

    def test_has_what_a_row_of_its_day_tells_of_an_order_that_it_has_ended(self):
        for book in ({A: 490}, {}):
            journal = Journal(self.path, FIRST)
            journal.begin()
            journal.intend('A' * 20, FIRST, 0.0, A, 'buy', 490, 100.0)
            journal.handed('A' * 20, 7)
            journal.open_with(FIRST, 't1', book, [])
            journal.learn('A' * 20, 490, 100.0, 'filled', '', 7)
            for _ in range(2):
                self.assertEqual((journal.holdings(), journal.in_doubt), (book, {'A' * 20}))
                journal.close()
                journal = Journal(self.path, FIRST)
            journal.close()
            os.remove(self.path)

    def test_counts_what_an_order_without_an_end_had_filled_once(self):
        order = {'id': 'C' * 20, 'date': FIRST, 'code': A, 'side': 'buy', 'volume': 100, 'filled': 40, 'price': 100.0}
        for filled in (40, 100):
            journal = Journal(self.path, SECOND)
            journal.begin()
            journal.open_with(SECOND, 't1', {A: 490, B: 400}, [order])
            self.assertEqual((journal.holdings(), journal.orders['C' * 20]['filled']), ({A: 490, B: 400}, 40))
            journal.end('C' * 20, filled, 'filled', 'user')
            self.assertEqual(journal.holdings(), {A: 450 + filled, B: 400})
            journal.close()
            os.remove(self.path)


class OrdersOfALostJournal(Story):
    """The journal is lost in the window, with orders of the last minute that the site was not told of; their rows have our ids."""

    def lose(self, heard):
        """The first day's orders, of which the site has heard this book; the record that it gives then."""
        self.trade(duration=60)
        self.assertEqual(self.world.volumes, {A: 490, B: 400})
        os.remove(self.path)
        self.site.told.clear()
        return {'token': 't1', 'book': [{'code': code, 'volume': volume} for code, volume in sorted(heard.items())], 'orders': []}

    def rebuild(self, opening, away=0, maker='xtquant'):
        """Started again with the terminal away for so many seconds; the site gives its record until the journal says that it has it."""
        ready, real, beats = self.clock.now() + away, self.world.answer, self.site.heartbeat

        def answer():
            if self.clock.now() < ready:
                raise BrokerAway(u'没有登录')
            real()

        def heartbeat(told):
            taken = told['journal'].get('opening') == opening['token']
            self.site.opening, self.site.halt = (None, '') if taken else (opening, u'正在按网站记录重建委托记录')
            return beats(told)
        self.world.answer, self.site.heartbeat = answer, heartbeat
        self.trade(maker=maker)
        self.world.answer, self.site.heartbeat, self.site.opening, self.site.halt = real, beats, None, ''

    def ids(self):
        return [one[0] for one in self.world.sent]

    def test_are_found_again_by_whichever_reading_shows_them_and_bought_no_second_time(self):
        for away in (0, 45):
            self.setUp()
            self.rebuild(self.lose({}), away)
            self.assertEqual((self.world.volumes, len(self.ids()), len(set(self.ids()))), ({A: 490, B: 400}, 2, 2), away)
            # Whether the record has them nobody can tell: the user is asked, once, and says so.
            self.assertEqual([(row['code'], row['why'], row['account'], row['book']) for row in self.site.heard['resting']],
                             [(A, 'record', 490, 0), (B, 'record', 400, 0)])
            for date in (SECOND, THIRD):
                self.day(date)
                self.site.books = [{'code': A, 'volume': 490, 'word': 'w1'}, {'code': B, 'volume': 400, 'word': 'w2'}]
                self.trade()
                self.assertEqual((self.held, self.world.volumes, self.site.heard['resting']), ({A: 490, B: 400}, {A: 490, B: 400}, []))

    def test_that_the_record_has_count_once(self):
        for away, maker in ((0, 'xtquant'), (45, 'xtquant'), (45, 'passorder')):
            self.setUp()
            self.rebuild(self.lose({A: 490, B: 400}), away, maker)
            self.assertEqual((self.held, self.site.heard['resting'], len(self.ids())), ({A: 490, B: 400}, [], 2))
            self.assertEqual([one for one in self.site.heard['changes'] if one['before'] == one['after']], [])
            self.day(SECOND)
            self.trade()
            self.assertEqual((self.held, self.world.volumes, len(self.ids())), ({A: 490, B: 400}, {A: 490, B: 400}, 2))

    def test_are_found_where_the_record_was_taken_before_the_account_was_read(self):
        # As main.py does with a damaged file.
        opening = self.lose({A: 490})
        journal = Journal(self.path, FIRST)
        journal.begin()
        journal.open_with(FIRST, 't1', {A: 490}, [], 0)
        journal.close()
        self.rebuild(opening)
        self.assertEqual((self.held, len(self.ids())), ({A: 490}, 2))
        self.assertEqual([(row['code'], row['why']) for row in self.site.heard['resting']], [(B, 'record')])

    def test_that_are_found_when_the_terminal_is_back_come_before_the_plan(self):
        # Without a word of the site's: it knows of no holding and no order.
        self.lose({})
        ready, real = self.clock.now() + 45, self.world.orders

        def orders():
            if self.clock.now() < ready:
                raise BrokerAway(u'没有登录')
            return real()
        self.world.orders = orders
        self.trade()
        self.assertEqual((self.held, self.world.volumes, len(self.ids())), ({A: 490, B: 400}, {A: 490, B: 400}, 2))


class AFullDisk(Story):
    def test_sends_nothing_that_is_not_written_down_and_takes_back_the_rest(self):
        self.world.habits['fill_after'] = 10 ** 6
        write = None

        def full(line, new_id=None):
            if line['kind'] == 'intent' and line['code'] == B:
                raise CannotWrite(u'委托记录写不进磁盘')
            return write(line, new_id)
        real = Journal.start

        def start(journal):
            nonlocal write
            real(journal)
            if write is None:
                write, journal.file.write = journal.file.write, full
        Journal.start = start
        try:
            self.trade()
        finally:
            Journal.start = real
        self.assertEqual([one[1] for one in self.world.sent], [A])
        self.assertEqual([one.status for one in self.world.book], ['cancelled'])
        self.assertTrue(self.said(u'今天不再交易'))


if __name__ == '__main__':
    unittest.main()
