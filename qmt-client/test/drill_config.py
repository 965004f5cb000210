# -*- coding: utf-8 -*-
"""One config of a story: its client with its computer, and the invariants that are asserted from the world's own truth."""

import math
import os

from convexa_qmt.broker import FINAL, NotSent
from convexa_qmt.day import Day
from convexa_qmt.journal import ENDED, UNSURE, Journal
from convexa_qmt.journal_file import CannotWrite
from convexa_qmt.main import open_journal
from convexa_qmt.trader import Trader
from convexa_qmt.xtquant_broker import XtquantBroker
from drill_computer import ComputerClock, Door, Doorbell
from drill_site import DrillSite
from exchange import FIRST, USER
import real_kills
from terminals import MAKERS, MiniTerminal
from world import Burning, Fuse, Killed, settings

HOURS = (('09:30:00', '11:30:00'), ('13:00:00', '14:57:00'))
CAPITAL, WEALTH = 100000.0, 98000.0
# Prices move while orders are on their way, and a smallest order may be more than what is left.
SLACK = 1.06


class Broken(BaseException):
    """An invariant does not hold. A BaseException, so that no `except Exception` of the client catches it."""


def need(condition, words):
    if not condition:
        raise Broken(words)


class Config(object):
    def __init__(self, story, owner, config_id, maker, rules):
        self.story, self.owner, self.maker = story, owner, maker
        self.world, self.clock, self.chance, self.drawn = story.world, story.clock, story.chance, story.drawn
        self.rules = settings(kind=story.kind, config_id=config_id, **rules)
        self.path = os.path.join(story.folder, 'journal-%s.jsonl' % owner)
        self.site = DrillSite(self)
        # What may be held of a code by the day's targets; {id: (code, side, volume, day)} of all orders; codes whose book a wrong word, or two
        # losses at once, made wrong: nobody can know better.
        self.allowed, self.ids, self.doubted = {}, {}, set()
        # Orders that the user has wrongly called filled while they were alive.
        self.said_over = set()
        self.damaged, self.journal, self.missed, self.lines, self.profited = False, None, [], [], False
        # Whether the file of the journal cannot be read.
        self.is_unreadable = False
        # The broker of this process, {session: (its first order, when)}; {code: calm days in a row on which it should have left and did not}.
        self.broker, self.firsts, self.unwanted = None, {}, {}
        # While the same config runs on another computer too.
        self.doubled, self.told, self.told_others = False, None, {}

    def truth(self, code):
        return self.world.truth(code, self.owner)

    def doubt(self, code):
        """Of this security the user said what is not true: nothing can be asserted of it, under a new code of it either."""
        self.story.mark('wrong_words')
        self.doubted.update([code, self.story.events.get(code, {}).get('to', code)])

    def others(self, code):
        """What the site tells of other configs of the account: their last holdings."""
        return sum(one.site.known.get(code, 0) for one in self.story.configs if one is not self)

    # -- records that were lost ------------------------------------------------------------------------------------------------------------

    def take_record(self, book, filled_of_open):
        """From here on the client works by this record. What was bought beyond it nobody can know any more: it lies in the account as if the
        user had bought it. What was sold beyond it is a book that is too large: of that code nothing can be asserted."""
        self.damaged = False
        for code in self.story.all_codes():
            since = [(self.ids[one][1], self.story.filled_of(one) - filled) for one, filled in filled_of_open.items() if one in self.ids and self.ids[one][0] == code]
            known = book.get(code, 0) + sum(volume if side == 'buy' else -volume for side, volume in since)
            more = self.truth(code) - known
            if more > 0 and code not in self.story.events:
                self.story.forget(code, more, self.owner)
            elif more or self.story.is_due(code):
                # Of shares on their way to a book that is gone nobody knows how many.
                self.doubted.add(code)

    def take_journal(self):
        """The user says that the journal of this computer counts."""
        journal = Journal(self.path, self.clock.date())
        journal.close()
        if self.damaged:
            self.take_record(journal.holdings(), dict((one['id'], one['filled']) for one in journal.without_end()))
        self.damaged = False

    def heard_beat(self, told):
        self.told = told

    # -- invariants at every call ----------------------------------------------------------------------------------------------------------

    def place(self, code, side, volume, price, remark):
        self.at_order(code, side, volume, price, remark)
        count = len(self.world.book)
        try:
            return self.world.place(code, side, volume, price, remark, self.owner)
        except NotSent:
            # It does not exist, and counts for nothing but its id.
            self.ids[remark] = (code, side, 0, '')
            raise
        finally:
            made = [order for order in self.world.book[count:] if order.owner == self.owner]
            need(not made or made[0].note != u'委托数量不合规', 'an order that no exchange takes: %s %s %d' % (code, side, volume))

    def at_order(self, code, side, volume, price, remark):
        world, now, today = self.world, self.clock.now(), self.clock.date()
        need(remark not in self.ids, 'id twice %s' % remark)
        self.ids[remark] = (code, side, volume, today)
        need(not [order for order in world.book if (order.code, order.owner, order.status) == (code, self.owner, 'open') and order.remark not in self.said_over],
             'a second order of %s while one is alive' % code)
        if not self.doubled and self.journal is not None:
            with open(self.path, 'rb') as file:
                need(remark.encode('ascii') in file.read(), 'an order that is not on disk')
            need(len(self.story.configs) > 1 or 'kills' in self.story.struck or world.is_list_whole, 'an order by a list that is not whole')
        if self.journal is not None and remark in self.journal.orders:
            self.at_turn(side, remark)
            need([one['id'] for one in self.journal.without_end() if one['code'] == code] == [remark], 'a second order of %s without an end' % code)
        need(any(self.clock.at(begin) <= now < self.clock.at(end) for begin, end in HOURS), 'an order at %s' % self.clock.stamp(now))
        still = world.habits['still']
        need(not still or now - still <= 31 or any(self.clock.at(begin) <= now < self.clock.at(begin) + 31 for begin, _end in HOURS),
             'an order while quotes stand still')
        need(not self.site.halted or self.doubled, 'an order of a client that the site has halted')
        need(not self.site.stopped or self.doubled, 'an order after the user has stopped all trading')
        least = world.lots[code][0]
        if code not in self.doubted:
            mine = max(0, self.truth(code))
            if side == 'sell':
                mine += self.story.shared_of(code, self)
                need(volume <= mine, 'sold what is the user\'s: %s %d of %d' % (code, volume, mine))
            elif code not in self.story.shared:
                need(mine + volume <= self.allowed.get(code, 0) + least, 'bought %s beyond its target: %d over %d' % (code, mine + volume, self.allowed.get(code, 0)))
        if side == 'buy':
            own = sum(max(0, self.truth(one)) * world.prices[one] for one in self.story.all_codes() if one not in self.doubted and one not in self.story.shared)
            own += sum((order.volume - order.filled) * order.price for order in world.book
                       if (order.owner, order.status, order.side) == (self.owner, 'open', 'buy'))
            need(own + volume * price <= CAPITAL * SLACK, 'beyond the capital: %.0f by %s %d' % (own + volume * price, code, volume))
        self.at_count(code, side, volume, price)

    def at_turn(self, side, remark):
        """The first order of a session goes alone until it was seen or is late; a buy waits for sells that may still bring cash."""
        now, journal = self.clock.now(), self.journal
        first, at = self.firsts.setdefault(self.broker.session, (remark, now))
        if journal.orders.get(first, {}).get('by') == 'not_sent':
            self.firsts[self.broker.session] = first, at = remark, now
        need(first == remark or first not in journal.orders or journal.orders[first]['seen'] or now - at >= self.broker.settle,
             'a second order before the first of a session was seen')
        waits = self.rules['trading']['wait'] if self.rules['trading']['sell_first'] and side == 'buy' else 0
        need(not [one for one in journal.without_end(self.clock.date()) if one['side'] == 'sell' and one['state'] != UNSURE and 0 <= now - one['at'] < waits - 1],
             'a buy before a sell that is open')

    def at_count(self, code, side, volume, price):
        trading, today = self.rules['trading'], self.clock.date()
        rows = [order for order in self.world.book if (order.owner, order.code, order.side) == (self.owner, code, side)]
        refused = [order for order in rows if order.status == 'rejected']
        need(len(refused) < 2 + 2 * ('no_row' in self.story.struck), 'a third order after two refusals of %s' % code)
        least_order = self.world.lots[code][0] * price
        need(volume * price <= max(trading['order_max'], least_order if side == 'sell' else 0) * (2 if side == 'sell' else 1) + 1, 'an order too large')
        orders = [one for one in self.ids.values() if one[3] == today]
        need(len(orders) <= trading['day_max'], 'too many orders of a day')
        # What was taken back is ordered again; everything else is a slice of the day's gap.
        kept = [order for order in rows if order.status not in ('cancelled', 'part_cancelled')]
        slice_of = max(1.0, min(trading['order_max'], CAPITAL) - self.world.lots[code][1] * price, least_order if side == 'sell' else 0)
        need(len(kept) <= math.ceil(2 * CAPITAL / slice_of) + 2, 'too many orders of %s: %d' % (code, len(kept)))
        if self.doubled or self.journal is None:
            return
        # As the plan has it; what a word or an event has changed since is no more than what the account has. Orders that the money bounds are
        # smaller than a slice, and count by the line above.
        planned = dict((row[0], row[2]) for row in self.journal.plans.get(today, {}).get('rows', []))
        gap = max(self.world.volumes.get(code, 0) + sum(order.filled for order in rows) if side == 'sell' else 0, planned.get(code, 0)) + self.world.lots[code][0]
        slices = [order for order in kept if order.volume * order.price >= slice_of]
        need(len(slices) <= math.ceil(gap * price / slice_of) + 2, 'more orders of %s than the plan has slices: %d' % (code, len(slices)))

    def at_cancel(self):
        """Whatever was cancelled by this round was an order of a client, or has the number of one."""
        if {'late', 'blank', 'short', 'no_row'} & set(self.drawn):
            # A number that was answered is an answer: that it is another order's shows in the list alone.
            return
        numbers = set(order.number for order in self.world.book if order.owner != USER)
        for order in self.world.cancels:
            need(order.number in numbers, 'took back an order of the user\'s')

    # -- a day -----------------------------------------------------------------------------------------------------------------------------

    def run(self, calm):
        kills = 0 if calm or 'kills' not in self.drawn else self.chance.choice([0, 1, 2, 3])
        for _ in range(12):
            steps = self.chance.randrange(1, 150) if kills > 0 else -1
            kills -= 1
            if self.attempt(steps, calm):
                return
            self.story.mark('kills')
            self.story.figures['kills'] += 1
            if 'slept' in self.drawn and self.chance.random() < 0.5:
                # Back on the next day only.
                self.story.mark('slept')
                return
            self.clock.sleep(self.chance.choice([0, 1, 15, 60]))

    def attempt(self, steps, calm, path=None):
        """Runs the client; False: it was killed. path: of the journal of another computer."""
        said = []
        clock = ComputerClock(self, calm)
        if steps > 0 and self.story.is_real:
            return self.in_a_process(path or self.path, steps, calm)
        fuse = Fuse(steps, self.chance.random() < 0.5)
        site = Doorbell(self.site, fuse)
        try:
            journal = self.opened(path or self.path, site, clock, said)
        except Killed:
            return False
        if journal is None:
            return True
        journal.file.write = fuse.wrap(journal.file.write)
        market = Door(self.world, self)
        broker = MAKERS[self.maker](Burning(market, fuse) if steps > 0 else market, clock)
        if 'restarts' in self.drawn and self.maker == 'xtquant':
            broker = self.restarting(market, clock)
        if 'full_disk' in self.drawn and self.chance.random() < 0.6:
            self.fill_the_disk(journal)
        if path is None:
            self.journal, self.broker, self.firsts = journal, broker, {}
        try:
            trader = Trader(self.rules, site, broker, journal, clock, said.append, dry_run=False)
            summary = Day(trader).run()
            self.at_cancel()
            self.after(journal, summary, said, calm, clock, path)
            return True
        except Killed:
            return False
        except CannotWrite:
            return True
        finally:
            journal.close()
            if path is None:
                self.journal, self.lines = None, said

    def opened(self, path, site, clock, said):
        """The journal as the client opens it, None: it is damaged, and the user has not said that the site's record takes its place."""
        journal = open_journal(path, True, site, clock, said.append)
        need(self.is_unreadable or not any(u'已损坏' in line for line in said), 'a journal that the client has damaged')
        self.is_unreadable = self.is_unreadable and journal is None
        return journal

    def in_a_process(self, path, steps, calm):
        """The client as a process of its own that is ended by SIGKILL."""
        said = []
        outside = {'market': Door(self.world, self), 'site': self.site, 'clock': self.clock, 'log': said}
        summary = real_kills.client(outside, path, self.rules, self.maker, self.chance, steps)
        self.at_cancel()
        if summary is None:
            self.story.mark('real_kills')
            return False
        journal = Journal(path, self.clock.date())
        journal.close()
        self.after(journal, summary, said, calm, ComputerClock(self, True), None)
        self.lines = said
        return True

    def restarting(self, market, clock):
        """A miniQMT whose trading object is dead from a moment on; a new one answers."""
        config, moment = self, self.story.in_window(self.chance.randrange(20, 300))

        class Dying(MiniTerminal):
            def __getattribute__(mini, name):
                if name.startswith(('query', 'order_stock', 'cancel')) and mini.born < moment <= config.clock.now():
                    config.story.mark('restarts')
                    return lambda *_: None
                return MiniTerminal.__getattribute__(mini, name)

        def connect(_lost):
            terminal = Dying(market)
            terminal.born = self.clock.now()
            return terminal, 'account', terminal
        return XtquantBroker(connect, clock)

    def fill_the_disk(self, journal):
        write, left = journal.file.write, [self.chance.randrange(2, 30)]

        def full(line, new_id=None):
            left[0] -= 1
            if left[0] < 0:
                self.story.mark('full_disk')
                raise CannotWrite(u'委托记录写不进磁盘')
            return write(line, new_id)
        journal.file.write = full

    def after(self, journal, summary, said, calm, clock, path):
        """At the end of a day: the caps; every question told; every missed security named; every change of the book a line and a word."""
        trading = self.rules['trading']
        for side in ('buy', 'sell'):
            done = sum(order.filled * order.price for order in self.world.book if (order.owner, order.side) == (self.owner, side))
            need(done <= CAPITAL * trading['max_daily_turnover'] * 1.0001, 'the turnover of a day: %s %.0f' % (side, done))
        need(not summary['halted'] or path is not None or self.site.stop is None or summary['halted'] != u'自动交易已急停' or self.site.away
             or self.site.stop[1] > self.story.in_window(180) or 'wrong_answers' in self.drawn or clock.slept, 'a day that a stop has ended which was taken back in its window')
        for code, _target, _volume in summary['missed']:
            need(any(code in line for line in said), 'missed without a word: %s' % code)
        if path is None:
            self.profited = bool(journal.profits.get(self.clock.date()))
            self.missed = [] if summary['halted'] else summary['missed']
            if self.site.reached and not self.site.halted and not self.doubled and not clock.slept and 'full_disk' not in self.story.struck:
                self.after_told(journal, said, calm)
        self.story.figures['orders'] += len(self.world.sent)
        self.world.sent = []

    def after_told(self, journal, said, calm):
        """The site was there all day and knows everything."""
        today, told = self.clock.date(), self.told
        resting = set(row['code'] for row in told['resting'])
        need(dict((one['code'], one['volume']) for one in told['holdings']) == journal.holdings(), 'the site was told another book')
        for one in journal.without_end():
            need(one['state'] != UNSURE or (self.site.told.get(one['id'], {}).get('status') == 'unsure' and one['code'] in resting), 'an order in question, and nobody was asked')
            need(one['state'] == UNSURE or one['date'] == today, 'an order of an earlier day that is no question')
        for one in journal.adjusts:
            if one['date'] == today and one['by'] and one['why'] != 'opening':
                need([row for row in told['changes'] if (row['code'], row['why']) == (one['code'], one['why'])], 'a change of the book that the site was not told')
                need(any(one['code'] in line for line in said) or 'kills' in self.story.struck, 'a change of the book without a line in the log')
        for one, day in self.site.right.items():
            known = journal.orders.get(one)
            need(day > self.site.number or known is None or known['state'] == ENDED or known['again'], 'an answer that was not heard')
        for one in journal.adjusts:
            need(one['date'] != today or one['why'] != 'cut' or 'kills' in self.story.struck or not self.told_others.get(one['code']), 'cut what may be another config\'s')
        for code, day in self.site.said_on.items():
            word = self.site.said_books.get(code)
            need(word is None or day >= self.site.number or word['volume'] > self.world.volumes.get(code, 0) or today not in journal.plans,
                 'an answer on the book of %s that was not heard' % code)
        for one in journal.adjusts:
            # A heard word ends the rest that it was asked for.
            rest, events = journal.rests.get(one['code'], {}), self.story.events.get(one['code'], {})
            need(one['date'] != today or one['why'] != 'user' or rest.get('why') not in ('event', 'ex') or today == events.get('day') or self.story.is_due(one['code']),
                 'a word on the book of %s that ended no rest' % one['code'])
        if calm:
            self.at_unwanted(journal, said)
        if calm or self.story.is_provable(self):
            for one in journal.of_day(today):
                self.at_row(one, calm)

    def at_unwanted(self, journal, said):
        """What the plan of a second calm day still wants to sell is sold, or a log line gives the reason."""
        plan = journal.plans.get(self.clock.date(), {}).get('rows', [])
        held, resting = journal.holdings(), set(one['code'] for one in journal.without_end()) | set(journal.rests)
        is_bound = self.rules['trading']['day_max'] < 200 or journal.stops.get(self.clock.date())
        stays = [code for code, _held, target in plan if target == 0 and held.get(code, 0) and code not in resting and code not in self.world.halted
                 and not is_bound and not any(code in line and u'不卖' in line for line in said)]
        self.unwanted = dict((code, self.unwanted.get(code, 0) + 1) for code in stays)
        need(not [code for code in stays if self.unwanted[code] > 1], 'what should have left is still there: %r' % (stays,))

    def at_row(self, one, calm):
        """An order of a day on which rows were to be seen: it was found, and ended as its row says."""
        words = '%s %s %s' % (one['code'], one['state'], one['why'])
        if not one['seen'] and 'renumbered' in self.drawn:
            # The terminal restarted before its row was ever read.
            return
        need(one['seen'] or one['by'] == 'not_sent', 'an order that the list told of and the client did not see: ' + words)
        rows = [order for order in self.world.book if order.remark == one['id'] and order.owner == self.owner]
        if rows and all(order.status in FINAL for order in rows):
            need(one['state'] == ENDED and one['by'] == 'list', 'an order whose end the list told of and the client did not see: ' + words)
            need(one['filled'] == sum(order.filled for order in rows), 'an order that was filled otherwise than its row: ' + words)
        need(not calm or one['state'] == ENDED, 'an order without an end on a calm day: ' + words)
        for order in rows:
            shown = order.at + max(self.drawn.get('late', 0), self.drawn.get('unnumbered', 0))
            need(order.status in FINAL or order.is_asked_back or shown > self.clock.at('14:56:55') - 60, 'an open order that nobody took back: ' + words)

    def at_end(self):
        """After quiet days: the journal knows the account, or the user was asked and has not answered."""
        figures = self.story.figures
        if self.site.halted:
            need(self.site.word is None or self.site.word['day'] >= self.site.number, 'a client that is halted after the user has answered')
            figures['halted'] += 1
            return
        journal = Journal(self.path, self.clock.date())
        journal.close()
        held, resting = journal.holdings(), set(one['code'] for one in journal.without_end()) | set(journal.rests)
        # A question of a code that has changed holds up the new one too.
        resting |= set(self.story.events[code]['to'] for code in resting if 'to' in self.story.events.get(code, {}))
        for code in self.story.all_codes():
            if code in resting or code in self.doubted:
                figures['resting'] += code in resting
                continue
            book, true = held.get(code, 0), self.truth(code)
            need(book <= self.world.volumes.get(code, 0), 'the book has more of %s than the account: %d of %d' % (code, book, self.world.volumes.get(code, 0)))
            if not self.story.is_open_to_choice(code, self):
                need(abs(book - true) <= self.story.rounding(code), 'the book of %s is %d, in truth %d' % (code, book, true))
        figures['exact'] += not resting
        self.last_day(resting)

    def last_day(self, resting):
        trading = self.rules['trading']
        if resting or self.doubted or trading['day_max'] < 200 or self.profited or trading['order_max'] < 50000 or self.story.is_crowded():
            return
        lots = self.world.lots
        missed = [row for row in self.missed if abs(row[1] - row[2]) >= lots[row[0]][0]
                  and not any(row[0] in line and (u'不买' in line or u'不卖' in line) for line in self.lines)]
        need(not missed, 'the last calm day missed its plan: %r' % (missed,))
