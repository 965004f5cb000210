# -*- coding: utf-8 -*-
"""An account at an exchange, as it truly is, and as a terminal with habits shows it.

`volumes`, `book` and `money` are the truth; `orders`, `trades`, `positions` and `account` are what the terminal shows. Habits, all off:
late (seconds before a row is listed), blank_until (no list before this moment), short (share of reads that lack a row), remark (whole, empty,
cut, or seconds until it comes), minus_one (share of live orders that are answered -1), silent (share of calls that raise after they were
served), no_row (refusals are only a pop-up), simulated (nothing is sent), late_fill (a cancelled order is filled after all), deaf_cancel
(share of cancels that do nothing), unknown (open rows have status 255), lag (seconds by which positions are late), thin (share of reads with
short positions), bare (share of reads without any), no_value (the account shows no value), no_cost (nor the price of cost), away (share of
calls without an answer), unsynced_until (before this moment the account has no cash, no value and no positions), old_list_until and old_positions_until (those of yesterday are shown before this moment), undated (rows have neither
day nor time), stale_number (share of orders that are answered the number of the one before), numbers_again (each day begins with the same
number), unnumbered (seconds before an order has its number of the exchange, by which alone the big terminal takes it back), twice (share of reads that list a row, or all trades, twice), renumbered (from this moment on rows have other numbers and no remark), other_program (share of orders beside which another program gives one, with the same number or remark or with none).
"""

import random

from convexa_qmt.broker import (CANCELLED, FILLED, FINAL, OPEN, PART_CANCELLED, REJECTED, Account, Broker, BrokerAway, NotSent, Order,
                                Position, Quote, Trade)

HABITS = {'late': 0, 'blank_until': 0.0, 'short': 0.0, 'remark': 'whole', 'minus_one': 0.0, 'silent': 0.0, 'no_row': False, 'simulated': False,
          'late_fill': 0.0, 'deaf_cancel': 0.0, 'unknown': False, 'lag': 0, 'thin': 0.0, 'no_value': False, 'away': 0.0, 'fill_after': 0,
          'partial': 0.0, 'refuse': 0.0, 'still': 0.0, 'bare': 0.0, 'no_cost': False, 'old_list_until': 0.0, 'old_positions_until': 0.0,
          'undated': False, 'stale_number': 0.0, 'numbers_again': False, 'other_program': 0.0, 'twice': 0.0, 'unsynced_until': 0.0, 'renumbered': 0.0, 'unnumbered': 0}
OTHERS_REMARK = 'by hand'
# Owners of a volume: the user, or the first config, which has what no other owner has.
FIRST, USER = 'first', 'user'


class Exchange(Broker):
    def __init__(self, prices, cash, clock, settlement=0, seed=1, lots=None, limit=0.2, **habits):
        self.clock, self.prices, self.previous, self.money = clock, dict(prices), dict(prices), cash
        self.settlement, self.limit, self.lots = settlement, limit, lots or {}
        # volumes: of the whole account; owned: what of it is not the first config's; costs: what was paid for the whole of a security.
        self.volumes, self.owned, self.costs, self.fresh, self.halted = {}, {USER: {}}, {}, {}, set()
        # The book and the volumes of the day before, as it began.
        self.old_book, self.old_volumes, self.cancels = [], {}, []
        self.book, self.sent, self.refused_codes, self.frozen_codes = [], [], set(), set()
        self.random, self.habits, self.number = random.Random(seed), dict(HABITS, **habits), 1000
        self._snapshots, self.struck, self._began = [], set(), {}
        # Orders of the day that were ever listed, and whether the last list had them all.
        self._ever, self.is_list_whole = set(), True

    # -- the truth -------------------------------------------------------------------------------------------------------------------

    def new_day(self, prices=None):
        self.close_day()
        for code, price in (prices or {}).items():
            self.previous[code], self.prices[code] = self.prices.get(code, price), price
        self.old_book, self.old_volumes, self._began = self.book, self._began, dict(self.volumes)
        self.book, self.fresh, self._snapshots, self.cancels = [], {}, [], []
        self._ever, self.is_list_whole = set(), True
        if self.habits['numbers_again'] and self.number > 1000:
            self.strike('numbers_again')
            self.number = 1000

    @property
    def hand(self):
        return self.owned[USER]

    def truth(self, code, owner=FIRST):
        """What an owner holds."""
        if owner != FIRST:
            return self.owned[owner].get(code, 0)
        return self.volumes.get(code, 0) - sum(volumes.get(code, 0) for volumes in self.owned.values())

    def give(self, code, volume, owner):
        """Makes a volume that is the first config's somebody else's, or takes it back (< 0)."""
        held = self.owned.setdefault(owner, {})
        held[code] = held.get(code, 0) + volume

    def close_day(self):
        """Whatever is still open at the close is filled or gone."""
        for order in self.book:
            if order.status == OPEN:
                self._fill(order, 0 if order.code in self.halted else order.due)
                order.status = FILLED if order.filled >= order.volume else PART_CANCELLED if order.filled else CANCELLED

    def hold(self, code, volume):
        """Volume that the user has bought himself."""
        self._add(code, volume, self.prices[code])
        self.give(code, volume, USER)

    def sell_by_hand(self, code, volume):
        """The user sells what is there, of his own first."""
        volume = min(volume, self.volumes.get(code, 0))
        self._add(code, -volume, self.prices[code])
        self.hand[code] = max(0, self.hand.get(code, 0) - volume)
        return volume

    def multiply(self, code, factor):
        """A bonus issue, split, merge (factor), or an end (0) that all holders follow."""
        for held in [self.volumes] + list(self.owned.values()):
            held[code] = int(held.get(code, 0) * factor)

    def _add(self, code, volume, price):
        self.volumes[code] = self.volumes.get(code, 0) + volume
        self.costs[code] = self.costs.get(code, 0.0) + volume * price if self.volumes[code] else 0.0
        self.money -= volume * price

    def _fill(self, order, volume):
        volume = min(volume, order.volume) - order.filled
        if volume <= 0:
            return
        if order.side == 'buy':
            self._add(order.code, volume, order.price)
            self.fresh[order.code] = self.fresh.get(order.code, 0) + volume
        else:
            volume = min(volume, self.volumes.get(order.code, 0))
            self._add(order.code, -volume, order.price)
        if order.owner != FIRST:
            self.give(order.code, volume if order.side == 'buy' else -volume, order.owner)
        order.filled += volume

    def step(self):
        """What was due by now has been filled."""
        if self.habits['renumbered'] and self.clock.now() >= self.habits['renumbered']:
            for order in self.book:
                if order.at < self.habits['renumbered'] and order.number < 7000000 and self.strike('renumbered'):
                    order.number, order.is_bare = order.number + 7000000, True
        for order in self.book:
            if order.status == OPEN and order.code not in self.halted and self.clock.now() - order.at >= max(self.habits['fill_after'], self.habits['unnumbered']):
                self._fill(order, order.due)
                if order.filled >= order.volume:
                    order.status = FILLED
        self._snapshots.append((self.clock.now(), dict(self.volumes)))
        del self._snapshots[:-200]

    def saleable(self, code):
        frozen = sum(order.volume - order.filled for order in self.book if order.status == OPEN and order.side == 'sell' and order.code == code)
        fresh = self.fresh.get(code, 0) if self.settlement else 0
        return max(0, self.volumes.get(code, 0) - fresh - frozen)

    def bound(self):
        return sum((order.volume - order.filled) * order.price for order in self.book if order.status == OPEN and order.side == 'buy')

    def _why_refused(self, code, side, volume, price):
        least, step = self.lots.get(code, (10, 10))
        whole = self.saleable(code)
        if code in self.refused_codes or self.chance('refuse'):
            return u'[COUNTER]\r\n 无此权限\x00'
        if side == 'buy':
            if volume < least or volume % step:
                return u'委托数量不合规'
            return u'可用资金不足' if volume * price > self.money - self.bound() + 0.01 else ''
        if volume > whole:
            return u'可用数量不足'
        whole_steps = volume >= least and volume % step == 0
        return '' if whole_steps or volume == whole or (step > 1 and volume % step == whole % step) else u'委托数量不合规'

    def strike(self, name):
        self.struck.add(name)
        return True

    def chance(self, name):
        return self.random.random() < self.habits[name] and self.strike(name)

    # -- what the terminal does and tells ----------------------------------------------------------------------------------------------

    def answer(self):
        if self.chance('away'):
            raise BrokerAway(u'连接断开')

    def place(self, code, side, volume, price, remark, owner=FIRST):
        if self.chance('away'):
            raise NotSent(u'连接断开')
        self.step()
        self.sent.append((remark, code, side, volume, price, self.clock.now()))
        self.number += 1
        if self.habits['simulated']:
            self.strike('simulated')
            return self.number
        order = Order(self.number, remark, code, side, volume, 0, price, OPEN, sysid='S%d' % self.number, limit=price,
                      date=self.clock.date(), at=self.clock.now())
        order.due = volume if not self.chance('partial') else volume // 20 * 10
        order.hidden, order.owner, order.is_asked_back = False, owner, False
        why = self._why_refused(code, side, volume, price)
        if why:
            order.status, order.note, order.due = REJECTED, why, 0
            order.hidden = bool(self.habits['no_row'] and self.strike('no_row'))
        self.book.append(order)
        if owner != USER and self.chance('other_program'):
            self._other_program(order)
        if self.chance('silent'):
            raise BrokerAway(u'应答丢失')
        if len(self.book) > 1 and self.chance('stale_number'):
            return self.book[-2].number
        return -1 if self.chance('minus_one') else order.number

    def _other_program(self, order):
        """The user's own program buys the same security, in a row that looks like ours but for one thing."""
        lot = self.lots.get(order.code, (10, 10))
        looks = self.random.choice(['number', 'remark', 'nothing'])
        # Its order was given a moment before ours. A twin of ours whose number is answered for ours is nothing that could be told apart.
        is_twin = looks == 'nothing' and order.side == 'buy' and not self.habits['stale_number']
        volume = order.volume if is_twin else order.volume + lot[0]
        other = Order(order.number if looks == 'number' else order.number + 500000, order.remark if looks == 'remark' else '', order.code, 'buy', volume, 0,
                      order.price, OPEN, sysid='P%d' % order.number, limit=order.price, date=order.date, at=order.at - 5)
        other.due, other.hidden, other.owner, other.is_asked_back = volume, False, USER, False
        self.book.insert(len(self.book) - 1, other)

    def cancel(self, number):
        self.answer()
        self.step()
        for order in self.book:
            if number in (order.number, order.sysid):
                order.is_asked_back = True
                if order.owner == USER:
                    self.cancels.append(order)
            if number in (order.number, order.sysid) and order.status not in FINAL and not self.chance('deaf_cancel'):
                order.status = PART_CANCELLED if order.filled else CANCELLED
                if self.chance('late_fill'):
                    # The exchange had filled it already.
                    self._fill(order, order.volume)

    def orders(self):
        self.answer()
        self.step()
        now = self.clock.now()
        if now < self.habits['blank_until']:
            self.is_list_whole = not self._ever
            return [] if not self.book or self.strike('blank_until') else []
        rows = []
        if now < self.habits['old_list_until'] and self.old_book and self.strike('old_list'):
            rows = [self._row(order, now) for order in self.old_book if not order.hidden]
        for order in self.book:
            if order.hidden or (now - order.at < self.habits['late'] and self.strike('late')):
                continue
            rows.append(self._row(order, now))
        if rows and self.chance('twice'):
            rows.append(rows[self.random.randrange(len(rows))])
        if rows and self.chance('short'):
            rows.pop(self.random.randrange(len(rows)))
        listed = set(order.remark for order in self.book if order.owner != USER and any(row.of is order for row in rows))
        self.is_list_whole, self._ever = self._ever <= listed, self._ever | listed
        return rows

    def _row(self, order, now):
        is_dated = not self.habits['undated'] or not self.strike('undated')
        row = Order(order.number, self._remark(order, now), order.code, order.side, order.volume, order.filled, order.price, order.status,
                    order.note, order.sysid, order.limit, order.date if is_dated else '', order.at if is_dated else None)
        row.of, row.is_unnumbered = order, now - order.at < self.habits['unnumbered'] and self.strike('unnumbered')
        row.sysid = '' if row.is_unnumbered else row.sysid
        return row

    def _remark(self, order, now):
        kind = self.habits['remark']
        if getattr(order, 'is_bare', False):
            return ''
        if kind == 'whole' or order.remark == OTHERS_REMARK:
            return order.remark
        self.strike('remark_' + (kind if kind in ('empty', 'cut') else 'late'))
        if kind == 'cut':
            return order.remark[:16]
        return '' if kind == 'empty' or now - order.at < kind else order.remark

    def trades(self):
        self.answer()
        now = self.clock.now()
        if now < self.habits['blank_until']:
            return []
        rows = [Trade(order.number, self._remark(order, now), order.code, order.side, order.filled, order.price, 'T%s' % order.sysid) for order in self.book
                if order.filled and now - order.at >= self.habits['late']]
        return rows * 2 if rows and self.chance('twice') else rows

    def positions(self):
        self.answer()
        self.step()
        shown = dict(self.volumes)
        if self.habits['lag']:
            known = [volumes for at, volumes in self._snapshots if at <= self.clock.now() - self.habits['lag']]
            late = known[-1] if known else self._snapshots[0][1]
            if late != shown:
                self.strike('lag')
            shown = late
        if self.clock.now() < self.habits['old_positions_until'] and self.old_volumes != shown and self.strike('old_positions'):
            shown = self.old_volumes
        if self.is_unsynced():
            return {}
        has_cost = not self.habits['no_cost'] or not self.strike('no_cost')
        rows = dict((code, Position(volume, min(volume, self.saleable(code)), self.costs.get(code, 0.0) / max(1, self.volumes.get(code, 0)) if has_cost else 0.0,
                                    volume * self.prices.get(code, 10.0))) for code, volume in shown.items() if volume > 0)
        if rows and self.chance('thin'):
            rows.pop(sorted(rows)[self.random.randrange(len(rows))])
        return {} if rows and self.chance('bare') else rows

    def is_unsynced(self):
        return self.clock.now() < self.habits['unsynced_until'] and any(self.volumes.values()) and self.strike('unsynced')

    def account(self):
        self.answer()
        if self.is_unsynced():
            return Account(0.0, 0.0)
        value = sum(volume * self.prices.get(code, 10.0) for code, volume in self.volumes.items())
        return Account(self.money - self.bound(), None if self.habits['no_value'] and self.strike('no_value') else value)

    def quote(self, code):
        self.answer()
        last = self.prices.get(code)
        if last is None:
            return None
        before = self.previous.get(code, last)
        return Quote(last, last, last, round(before * (1 + self.limit), 3), round(before * (1 - self.limit), 3), code in self.halted, before)

    def index_time(self):
        now = self.clock.now()
        if self.habits['still'] and now >= self.habits['still']:
            self.strike('still')
            return self.habits['still']
        return now
