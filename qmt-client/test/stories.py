# -*- coding: utf-8 -*-
"""Random stories of the trading client, days with nights and weekends, against a terminal with habits. `python3 stories.py 300 [seed]`
prints figures as JSON; `npm run drill:client` reads them.

A story draws its broker, its habits, the user's hand, deaths, events and the site's; the invariants are asserted from the world's own truth
at every call of `place` and at the end of each day and story.
"""

import json
import os
import random
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import NotSent  # noqa: E402
from convexa_qmt.day import Day  # noqa: E402
from convexa_qmt.journal import Journal  # noqa: E402
from convexa_qmt.journal_file import CannotWrite, Damaged  # noqa: E402
from convexa_qmt.quantities import lot_of  # noqa: E402
from convexa_qmt.trader import Trader  # noqa: E402
from convexa_qmt.xtquant_broker import XtquantBroker  # noqa: E402
from exchange import OTHERS_REMARK, Exchange  # noqa: E402
from terminals import MAKERS, MiniTerminal  # noqa: E402
from world import Burning, Fuse, Killed, Site, TestClock, item, memory_folder, settings, targets_of  # noqa: E402

BONDS = ['110901.SH', '123901.SZ', '110902.SH', '123902.SZ', '110903.SH', '123903.SZ', '110904.SH', '123904.SZ']
SHARES = ['600001.SH', '000001.SZ', '688001.SH', '830001.BJ', '600002.SH', '688002.SH', '000002.SZ', '830002.BJ']
# Mondays to Fridays; stories cross the weekend.
DATES = ['2026-11-19', '2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27', '2026-11-30', '2026-12-01']
# What a story may draw; `hand` and the like are not habits of the terminal.
DRAWN = {
    'late': [5, 20, 40, 90, 300], 'blank': [30, 120], 'short': [0.05, 0.3], 'remark': ['empty', 'cut', 20, 40], 'minus_one': [0.2, 1.0],
    'silent': [0.1, 0.5], 'no_row': [True], 'simulated': [True], 'late_fill': [0.5], 'deaf_cancel': [0.5], 'unknown': [True], 'lag': [3, 30],
    'thin': [0.05], 'no_value': [True], 'away': [0.02, 0.15], 'fill_after': [5, 60], 'partial': [0.5], 'refuse': [0.1], 'still': [1],
    'restarts': [1], 'kills': [1], 'left': [1], 'slept': [1], 'cut_line': [1], 'lost': [1], 'old_copy': [1], 'full_disk': [1], 'hand_sells': [1],
    'hand_buys': [1], 'hand_holds': [1], 'bonus': [1], 'merge': [1], 'end': [1], 'ex_unknown': [1], 'shares_late': [1, 2], 'clock_off': [-600, 400],
    'site_away': [0.2], 'wrong_answers': [0.2], 'profits': [1], 'small_orders': [1], 'others': [1],
    'early_window': [1]}
# What a habit needs beside it to strike.
COMPANIONS = {'no_row': {'refuse': 0.3}, 'deaf_cancel': {'fill_after': 60}, 'late_fill': {'fill_after': 60}, 'unknown': {'fill_after': 60},
              'slept': {'kills': 1}, 'shares_late': {'bonus': 1}, 'ex_unknown': {'bonus': 1}, 'lag': {'fill_after': 5}}
FOR_SHARES = ('bonus', 'merge', 'ex_unknown', 'shares_late')
TERMINAL = ('late', 'short', 'remark', 'minus_one', 'silent', 'no_row', 'simulated', 'late_fill', 'deaf_cancel', 'unknown', 'lag', 'thin',
            'no_value', 'away', 'fill_after', 'partial', 'refuse')


class Broken(BaseException):
    """An invariant does not hold. No `except Exception` of the client hears of it."""


def need(condition, words):
    if not condition:
        raise Broken(words)


class Story(object):
    def __init__(self, seed, figures):
        self.seed, self.figures, self.chance = seed, figures, random.Random(seed)
        self.maker = self.chance.choice(['xtquant', 'passorder', 'simulator'])
        names = self.chance.sample(sorted(DRAWN), self.chance.choice([0, 1, 2, 3, 4, 5, 6]))
        self.drawn = dict((name, self.chance.choice(DRAWN[name])) for name in names)
        for name in names:
            for other, value in COMPANIONS.get(name, {}).items():
                self.drawn.setdefault(other, value)
        self.kind = 'stk' if any(name in self.drawn for name in FOR_SHARES) else self.chance.choice(['cb', 'cb', 'stk'])
        self.codes = BONDS if self.kind == 'cb' else SHARES
        # What changed a call or an answer.
        self.struck = set()
        self.clock = TestClock(DATES[0], 9 * 3600)
        prices = dict((code, round(self.chance.uniform(60, 200) if self.kind == 'cb' else self.chance.uniform(5, 40), 2)) for code in self.codes)
        lots = dict((code, lot_of(code, self.kind)) for code in self.codes)
        habits = dict((name, value) for name, value in self.drawn.items() if name in TERMINAL)
        self.world = Exchange(prices, 400000.0, self.clock, 0 if self.kind == 'cb' else 1, seed, lots, **habits)
        self.world.struck = self.struck
        self.folder = memory_folder()
        self.path = os.path.join(self.folder, 'journal-live.jsonl')
        self.site, self.lines, self.events = DrillSite(self), [], {}
        # Targets by code that the client may hold at most, the most that any day's list allowed.
        self.allowed, self.ids, self.wrong_words, self.missed, self.profits_today = {}, {}, 0, [], False
        self.rules = settings(kind=self.kind, price_guard=0.9, order_max=self.chance.choice([6000, 30000, 50000]) if 'small_orders' in self.drawn else 50000,
                              day_max=self.chance.choice([10, 200]), sell_first=self.chance.random() < 0.7,
                              **(dict(start_time='09:20:00', end_time='09:40:00', duration=1200) if 'early_window' in self.drawn else {}),
                              take_profit={'activate': 0.02, 'drawdown': 0.003, 'deal': 0.5} if 'profits' in self.drawn else None)
        self.watch_orders()

    def mark(self, name):
        self.struck.add(name)

    def truth(self, code):
        """What this config really holds: the account less what the user holds himself."""
        return self.world.volumes.get(code, 0) - self.world.hand.get(code, 0)

    def filled_of(self, order_id):
        return sum(order.filled for order in self.all_orders + self.world.book if order.remark == order_id)

    # -- invariants at every call -----------------------------------------------------------------------------------------------------

    def watch_orders(self):
        place = self.world.place

        def placed(code, side, volume, price, remark):
            self.at_order(code, side, volume, price, remark)
            try:
                return self.placed(place, code, side, volume, price, remark)
            except NotSent:
                # It does not exist, and counts for nothing but its id.
                self.ids[remark] = (code, side, 0, '')
                raise
        self.world.place = placed

    def placed(self, place, *order):
        try:
            return place(*order)
        finally:
            last = self.world.book[-1] if self.world.book else None
            need(last is None or last.note != u'委托数量不合规', 'an order that no exchange takes: %r' % (order,))

    def at_order(self, code, side, volume, price, remark):
        world, now = self.world, self.clock.now()
        need(remark not in self.ids, 'id twice %s' % remark)
        self.ids[remark] = (code, side, volume, self.clock.date())
        alive = [order for order in world.book if order.code == code and order.status == 'open' and order.remark != OTHERS_REMARK]
        need(not alive, 'a second order of %s while one is alive' % code)
        need(any(self.clock.at(begin) <= now < self.clock.at(end) for begin, end in (('09:30:00', '11:30:00'), ('13:00:00', '14:57:00'))),
             'an order at %s' % self.clock.stamp(now))
        if side == 'sell':
            mine = max(0, self.truth(code))
            need(volume <= mine or self.wrong_words, 'sold what is the user\'s: %s %d of %d' % (code, volume, mine))
        else:
            least = world.lots[code][0]
            reach = max(0, self.truth(code)) + volume
            need(reach <= self.allowed.get(code, 0) + least or self.wrong_words, 'bought %s beyond its target: %d over %d' % (code, reach, self.allowed.get(code, 0)))
            own = sum(max(0, self.truth(one)) * world.prices[one] for one in self.codes) + sum(
                (order.volume - order.filled) * order.price for order in world.book if order.status == 'open' and order.side == 'buy')
            need(own + volume * price <= 100000 * 1.06 or self.wrong_words, 'beyond the capital: %.0f by %s %d, %r' % (own + volume * price, code, volume, sorted((one, self.truth(one), world.prices[one]) for one in self.codes if self.truth(one))))
        refused = [order for order in world.book if (order.code, order.side, order.status) == (code, side, 'rejected')]
        need(len(refused) < 2 + 2 * ('no_row' in self.struck), 'a third order after two refusals of %s' % code)
        least_order = self.world.lots[code][0] * price
        need(volume * price <= max(self.rules['trading']['order_max'], least_order if side == 'sell' else 0) * (2 if side == 'sell' else 1) + 1, 'an order too large')
        today = [one for one in self.ids.values() if one[3] == self.clock.date()]
        need(len(today) <= self.rules['trading']['day_max'], 'too many orders of a day')
        need(sum(1 for one in today if one[:2] == (code, side)) <= 40, 'too many orders of one security')

    # -- days ------------------------------------------------------------------------------------------------------------------------

    def run(self):
        try:
            days = self.chance.randrange(2, 6)
            for number in range(days):
                self.one_day(number)
            # Quiet days: everything comes to rest.
            self.calm()
            for number in range(days, days + 3):
                self.one_day(number, calm=True)
            self.at_end()
        finally:
            shutil.rmtree(self.folder)
        for name in self.struck:
            self.figures['habits'][name] = self.figures['habits'].get(name, 0) + 1

    def calm(self):
        for name in TERMINAL:
            if name not in ('no_value',):
                self.world.habits[name] = 'whole' if name == 'remark' else 0
        self.world.habits.update(blank_until=0.0, still=0.0, no_value=False)
        self.drawn = {}
        self.world.refused_codes.clear()

    def one_day(self, number, calm=False):
        chance, world = self.chance, self.world
        self.clock.seconds = self.clock.at('15:30')
        world.new_day(dict((code, round(price * chance.uniform(0.97, 1.03), 2)) for code, price in sorted(world.prices.items())))
        date = DATES[number]
        self.clock.seconds = self.clock.at('00:00', date) + (9 * 3600 + 15 * 60 if self.rules['trading']['start_time'] < '10' else 14 * 3600 + 45 * 60 if not self.rules['trading']['take_profit'] else 13 * 3600)
        self.night(date, calm)
        made = self.list_of(date)
        self.site.new_day(made)
        if self.rules['trading']['start_time'] < '10':
            self.mark('early_window')
        if 'blank' in self.drawn:
            world.habits['blank_until'] = self.clock.at('14:50:05') + self.drawn['blank']
        if 'still' in self.drawn:
            world.habits['still'] = self.clock.at('14:51:00')
        if 'left' in self.drawn and chance.random() < 0.3:
            self.mark('left')
            return
        self.client(calm)
        self.figures['days'] += 1

    def night(self, date, calm):
        """What happens between days: the user's hand, events, damage."""
        chance, world, drawn = self.chance, self.world, self.drawn
        self.by_hand()
        for name, kind in (('bonus', 1.0), ('merge', -0.5), ('end', None)):
            held = [code for code in self.codes if world.volumes.get(code, 0) > 0 and code not in self.events and (self.kind == 'stk' or name == 'end')]
            if name in drawn and held and chance.random() < 0.5:
                self.event(date, chance.choice(held), kind)
                self.mark(name)
        for code, event in self.events.items():
            if event['due'] is not None and event['due'] <= date:
                if event['kind'] in ('matured', 'delisted'):
                    world.multiply(code, 0)
                else:
                    # What was held on the eve of the ex-day gets its share, whenever that comes.
                    for held, more in ((world.volumes, event['more'][0]), (world.hand, event['more'][1])):
                        held[code] = held.get(code, 0) + more
                event['due'] = None
        if 'lost' in drawn and os.path.exists(self.path) and chance.random() < 0.3:
            os.remove(self.path)
            self.mark('lost')
            self.forget(order for order in self.all_orders if order.remark not in self.site.told)
        if 'old_copy' in drawn:
            copy = self.path + '.old'
            if os.path.exists(copy) and chance.random() < 0.3:
                shutil.copyfile(copy, self.path)
                self.mark('old_copy')
            elif os.path.exists(self.path):
                shutil.copyfile(self.path, copy)
        if 'cut_line' in drawn and os.path.exists(self.path) and chance.random() < 0.4:
            # The last line was on its way to the disk: nothing of it had been done.
            with open(self.path, 'ab') as file:
                file.write(chance.choice([b'{"kind": "news", "id', b'\0' * 50]))
            self.mark('cut_line')

    def forget(self, orders):
        """What neither a journal nor the site knows of, nobody can: it lies in the account as if the user had bought it. Every bound holds for
        the rest."""
        for order in orders:
            if order.side == 'buy':
                self.world.hand[order.code] = self.world.hand.get(order.code, 0) + order.filled

    def by_hand(self):
        chance, world, drawn = self.chance, self.world, self.drawn
        code = chance.choice(self.codes)
        if 'hand_buys' in drawn and chance.random() < 0.5:
            world.hold(code, world.lots[code][0] * chance.randrange(1, 4))
            self.mark('hand_buys')
        mine = [one for one in self.codes if self.truth(one) > 0]
        if 'hand_sells' in drawn and mine and chance.random() < 0.5:
            code = chance.choice(mine)
            world.sell_by_hand(code, chance.choice([self.truth(code), max(1, self.truth(code) // 2)]) + world.hand.get(code, 0))
            self.mark('hand_sells')
        if 'others' in drawn and not world.hand:
            # Another config of the account: its volumes are foreign here, and the site knows them.
            for one in chance.sample(self.codes, 4):
                world.hold(one, world.lots[one][0] * 3)
            self.mark('others')
        if 'hand_holds' in drawn and not world.hand:
            for one in chance.sample(self.codes, 3):
                world.hold(one, world.lots[one][0] * 2)
            self.mark('hand_holds')

    def event(self, date, code, ratio):
        late = self.drawn.get('shares_late', 0) if ratio is not None and ratio > 0 else 0
        if late:
            self.mark('shares_late')
        due = DATES[min(DATES.index(date) + late, len(DATES) - 1)]
        kind = ('matured' if self.kind == 'cb' else 'delisted') if ratio is None else 'merge' if ratio < 0 else 'shares'
        close = self.world.previous[code] = self.world.previous[code]
        self.events[code] = {'day': date, 'kind': kind, 'ratio': ratio or 0.0, 'due': due, 'known': 'ex_unknown' not in self.drawn, 'close': close,
                             'more': [int(held.get(code, 0) * (1 + (ratio or 0))) - held.get(code, 0) for held in (self.world.volumes, self.world.hand)]}
        if 'ex_unknown' in self.drawn and ratio is not None:
            self.mark('ex_unknown')
        if ratio is not None:
            self.world.prices[code] = round(self.world.prices[code] / (1 + ratio), 2)
            self.world.previous[code] = round(close / (1 + ratio), 2)
            self.allowed[code] = int(self.allowed.get(code, 0) * (1 + ratio)) + 1
        else:
            self.world.halted.add(code)

    def list_of(self, date):
        """Targets of a day with their facts; remembers what they allow."""
        chance, world = self.chance, self.world
        gone = set(code for code, event in self.events.items() if event['kind'] in ('matured', 'delisted'))
        left = [code for code in self.codes if code not in gone]
        listed = chance.sample(left, min(len(left), chance.randrange(2, 6)))
        places = max(1, min(len(listed), chance.randrange(1, 5)))
        items = [item(code, i + 1, int(1e6 / places) / 1e6 if i < places else 0, world.prices[code], *world.lots[code]) for i, code in enumerate(listed)]
        facts = {}
        for code in self.codes:
            event, least = self.events.get(code), world.lots[code]
            rows = []
            # An unknown ex-day is in the evening's data.
            if event and (event['known'] or event['day'] < date):
                rows = [{'day': event['day'], 'kind': event['kind'], 'ratio': event['ratio'], 'cash': 0.0}]
            close = world.previous[code]
            if event and event['day'] == date:
                close = event['close']
            others = world.hand.get(code, 0) if 'others' in self.struck else 0
            facts[code] = {'lot_min': least[0], 'lot_step': least[1], 'close': close, 'events': rows, 'others': others}
        for one in items:
            wanted = 98000.0 / places / one['ref_price']
            held = max(0, self.truth(one['code']))
            self.allowed[one['code']] = max(int(wanted) + 1, held)
        for code in self.codes:
            if code not in listed:
                self.allowed[code] = max(0, self.truth(code))
        return targets_of(items, date, facts=facts)

    # -- the client -------------------------------------------------------------------------------------------------------------------

    def client(self, calm):
        chance, drawn = self.chance, self.drawn
        kills = 0 if calm or 'kills' not in drawn else chance.choice([0, 1, 2, 3])
        for _ in range(12):
            steps = chance.randrange(1, 150) if kills > 0 else -1
            kills -= 1
            if self.attempt(steps, calm):
                return
            self.mark('kills')
            self.figures['kills'] += 1
            if 'slept' in drawn and chance.random() < 0.5:
                # Back on the next day only.
                self.mark('slept')
                return
            self.clock.sleep(chance.choice([0, 1, 15, 60]))

    def attempt(self, steps, calm):
        """Runs the client; False: it was killed."""
        fuse = Fuse(steps, self.chance.random() < 0.5)
        try:
            journal = Journal(self.path, self.clock.date())
        except Damaged as error:
            raise Broken(u'%s' % error)
        journal.file.write = fuse.wrap(journal.file.write)
        clock, said = self.clock, []
        if 'clock_off' in self.drawn:
            clock = OffClock(self.clock, self.drawn['clock_off'])
            self.mark('clock_off')
        broker = MAKERS[self.maker](Burning(self.world, fuse) if steps > 0 else self.world, clock)
        if 'restarts' in self.drawn and self.maker == 'xtquant':
            broker = self.restarting(clock)
        if 'full_disk' in self.drawn and self.chance.random() < 0.3:
            self.fill_the_disk(journal)
        try:
            trader = Trader(self.rules, self.site, broker, journal, clock, said.append, dry_run=False)
            summary = Day(trader).run()
            self.profits_today = bool(journal.profits.get(self.clock.date()))
            self.after(journal, summary, said, calm)
            return True
        except Killed:
            return False
        except CannotWrite:
            return True
        finally:
            journal.close()
            self.lines = said

    def restarting(self, clock):
        """A miniQMT whose trading object is dead from a moment on; a new one answers."""
        story, moment = self, self.clock.at('14:50:20') + self.chance.randrange(0, 300)

        class Dying(MiniTerminal):
            def __getattribute__(mini, name):
                if name.startswith(('query', 'order_stock', 'cancel')) and mini.born < moment <= story.clock.now():
                    story.mark('restarts')
                    return lambda *_: None
                return MiniTerminal.__getattribute__(mini, name)

        def connect(_lost):
            terminal = Dying(self.world)
            terminal.born = self.clock.now()
            return terminal, 'account', terminal
        return XtquantBroker(connect, clock)

    def fill_the_disk(self, journal):
        write, left = journal.file.write, [self.chance.randrange(5, 60)]

        def full(line, new_id=None):
            left[0] -= 1
            if left[0] < 0:
                self.mark('full_disk')
                raise CannotWrite(u'委托记录写不进磁盘')
            return write(line, new_id)
        journal.file.write = full

    def after(self, journal, summary, said, calm):
        """At the end of a day: the caps; every question told; every missed security named."""
        done = {'buy': 0.0, 'sell': 0.0}
        for order in self.world.book:
            done[order.side] += order.filled * order.price
        for side, yuan in done.items():
            need(yuan <= 100000 * self.rules['trading']['max_daily_turnover'] * 1.0001, 'the turnover of a day: %s %.0f' % (side, yuan))
        for code, _target, _volume in summary['missed']:
            need(any(code in line for line in said), 'missed without a word: %s' % code)
        for one in journal.without_end():
            if one['state'] == 'unsure':
                self.site.ask(one)
        self.figures['orders'] += len(self.world.sent)
        self.world.sent = []
        self.missed = [] if summary['halted'] else summary['missed']

    def at_end(self):
        """After quiet days: the journal knows the account, or the user was asked and has not answered."""
        journal = Journal(self.path, self.clock.date())
        journal.close()
        held, resting = journal.holdings(), set(one['code'] for one in journal.without_end()) | set(journal.rests)
        if self.site.halted:
            self.figures['halted'] += 1
            return
        for code in self.codes:
            if code in resting or self.wrong_words:
                self.figures['resting'] += code in resting
                continue
            need(held.get(code, 0) <= self.world.volumes.get(code, 0), 'the book has more of %s than the account: %d of %d' % (
                code, held.get(code, 0), self.world.volumes.get(code, 0)))
            if not self.touched():
                need(held.get(code, 0) == self.truth(code), 'the book of %s is %d, in truth %d' % (code, held.get(code, 0), self.truth(code)))
        self.figures['exact'] += not resting
        if not resting and not self.touched() and self.rules['trading']['day_max'] == 200 and not self.profits_today and self.rules['trading']['order_max'] == 50000:
            need(not [row for row in self.missed if abs(row[1] - row[2]) >= self.world.lots[row[0]][0] and not any(row[0] in line and (u'不买' in line or u'不卖' in line) for line in self.lines)], 'the last calm day missed its plan: %r' % (self.missed,))

    def touched(self):
        """Whether the user's own trading makes it a matter of choice whose a volume is."""
        return bool(self.struck & {'hand_buys', 'hand_sells', 'hand_holds', 'others', 'merge', 'bonus', 'end', 'lost', 'old_copy'})


class OffClock(TestClock):
    """The computer's clock: off by seconds."""

    def __init__(self, true, off):
        self.true, self.off = true, off

    def now(self):
        return self.true.now() + self.off

    def sleep(self, seconds):
        self.true.sleep(seconds)


class DrillSite(Site):
    """The site with its rules on journals, and a user who answers after some days."""

    def __init__(self, story):
        Site.__init__(self, None)
        self.story, self.clock = story, story.clock
        self.known, self.journal, self.answers, self.asked, self.halted, self.day = {}, None, {}, {}, False, 0

    def new_day(self, made):
        self.made, self.day = made, self.day + 1
        chance = self.story.chance
        self.away = 'site_away' in self.story.drawn and chance.random() < self.story.drawn['site_away']
        if self.away:
            self.story.mark('site_away')
        # The user answers what was asked some days before, out of his terminal's history.
        self.settled = [{'order_id': one, 'filled': self.story.filled_of(one), 'word': str(day)} for one, day in sorted(self.answers.items()) if day <= self.day]

    def ask(self, one):
        if self.answers.get(one['id'], 0) > self.day:
            return
        self.answers[one['id']] = self.day + self.story.chance.randrange(1, 4)
        self.story.figures['questions'] += 1

    def reach(self):
        Site.reach(self)
        if 'wrong_answers' in self.story.drawn and self.story.chance.random() < self.story.drawn['wrong_answers']:
            self.story.mark('wrong_answers')
            from convexa_qmt.server import checked_beat
            checked_beat(self.story.chance.choice([None, [], {}, {'halt': None}, {'halt': False, 'halt_reason': 1}]))

    def heartbeat(self, told):
        self.reach()
        journal = told.get('journal')
        holds = dict((one['code'], one['volume']) for one in told['holdings'])
        is_same = self.journal is not None and journal['id'] == self.journal['id']
        knows = bool(self.known) or any(one['status'] in ('open', 'unsure') for one in self.told.values())
        # An old copy is halted whatever the site knows: orders since then may be known to nobody (server/src/qmt/journals.ts).
        self.halted = journal['n'] < self.journal['n'] if is_same else self.journal is not None and knows
        self.halt = u'委托记录不符' if self.halted else ''
        if not self.halted:
            self.known, self.journal = holds, journal
        return Site.heartbeat(self, told)


def story_of(seed, figures):
    story = Story(seed, figures)
    story.all_orders = []
    new_day = story.world.new_day

    def remembered(prices=None):
        story.world.close_day()
        story.all_orders += story.world.book
        new_day(prices)
    story.world.new_day = remembered
    try:
        story.run()
    except (Exception, Broken) as error:
        error.story = story
        if isinstance(error, Broken):
            error.args = ('story %d: %s' % (seed, error),)
        raise


def main(wanted, seed=1):
    figures = {'stories': 0, 'days': 0, 'orders': 0, 'kills': 0, 'questions': 0, 'resting': 0, 'exact': 0, 'halted': 0, 'habits': {}}
    for one in range(seed, seed + wanted):
        story_of(one, figures)
        figures['stories'] += 1
    return figures


if __name__ == '__main__':
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100, int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
