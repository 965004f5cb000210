# -*- coding: utf-8 -*-
"""Which rows of the terminal's list are orders of ours, and what they say of them.

A row is ours by its remark, which is the order's id, whole or its beginning; else by the number that the call answered; else by the number
of the exchange that it had before; always with code, side and volume. That no row is found proves nothing.
"""

from .broker import FINAL, NO_NUMBER, OPEN
from .journal import ENDED, LISTED, UNSURE

# A remark of at least so many characters that an id begins with is that id, cut.
CUT_REMARK = 10


def looks_like(one, row):
    return (row.code, row.side, row.volume) == (one['code'], one['side'], one['volume'])


def rows_of(orders, rows, ids=()):
    """({order id: its rows}, rows that are nobody's). ids: of all orders ever; a row that names one of them is no other's."""
    found, left = {}, list(rows)

    def take(belongs):
        for one in orders:
            if one['id'] in found:
                continue
            own = [row for row in left if looks_like(one, row) and belongs(one, row)]
            if own:
                found[one['id']] = own
                for row in own:
                    left.remove(row)
    take(lambda one, row: row.remark == one['id'])
    take(lambda one, row: len(row.remark) >= CUT_REMARK and one['id'].startswith(row.remark))
    take(lambda one, row: one['number'] not in NO_NUMBER and row.number == one['number'] and row.remark not in ids)
    take(lambda one, row: bool(one['sysid']) and row.sysid == one['sysid'] and row.remark not in ids)
    return found, left


def once(rows):
    """Rows without those that a terminal lists twice: the same numbers of the same order; of an order without a number, rows that are equal in everything."""
    made = []
    for row in rows:
        if not any(is_again(row, one) for one in made):
            made.append(row)
    return made


def is_again(row, one):
    if row.number in NO_NUMBER and not row.remark:
        return False
    return (row.number, row.sysid, row.remark, row.code) == (one.number, one.sysid, one.remark, one.code) and (
        row.number not in NO_NUMBER or (row.side, row.volume, row.filled, row.status, row.at) == (one.side, one.volume, one.filled, one.status, one.at))


def once_each(trades):
    """Trades without those that a terminal lists twice, which their numbers of the exchange tell."""
    made, seen = [], set()
    for trade in trades:
        key = (trade.id, trade.code, trade.side, trade.number)
        if trade.id and key in seen:
            continue
        seen.add(key)
        made.append(trade)
    return made


def is_perhaps(one, row):
    """No proof, but no foreigner either: the same order without a remark that says so."""
    return (looks_like(one, row) and len(row.remark) < CUT_REMARK and (not row.remark or one['id'].startswith(row.remark))
            and (row.limit is None or abs(row.limit - one['price']) < 1e-6) and (row.at is None or row.at >= one['at'] - 1))


def have_rows(orders, rows):
    """Whether each order has a row of its own that looks like it."""
    left = list(rows)
    for one in orders:
        row = next((row for row in left if looks_like(one, row)), None)
        if row is None:
            return False
        left.remove(row)
    return True


def own_trades(one, found, left, trades):
    """Trades that cannot belong to rows of others, which may carry the same number or remark."""
    others = [row for row in left if not looks_like(one, row)]
    others += [row for other, rows in found.items() if other != one['id'] for row in rows]
    return [trade for trade in trades if trade.code == one['code'] and not any(
        row.code == one['code'] and (row.number == trade.number or (row.remark and row.remark == trade.remark)) for row in others)]


class Ledger(object):
    def __init__(self, journal, clock, date, settle):
        self._journal, self._clock, self._date, self._settle = journal, clock, date, settle
        # Rows of nobody's that were seen today, by code and number: a later list may lack them.
        self._strangers = {}

    def start(self):
        """Orders of earlier days without an end have become questions: their list is gone. Each is written down anew: the site may know of a later
        end by lines that this file has lost, and learns of the question from one that counts further."""
        return [self._ask(one, one['why'] if one['state'] == UNSURE else 'day') for one in self._journal.without_end() if one['date'] != self._date]

    def _ask(self, one, why):
        self._journal.unsure(one['id'], why)
        return one['id']

    def take(self, reading):
        """Writes down what a reading says; marks it as whole or not. ([ids with news], [ids that have two rows])."""
        journal, today = self._journal, self._journal.of_day(self._date)
        rows = once(row for row in reading.orders if row.date in ('', self._date))
        found, left = rows_of(today, rows, journal.orders)
        trades = once_each(reading.trades)
        self._strangers.update(((row.code, row.number), row) for row in left)
        news = []
        for one in sorted(today, key=lambda one: one['id']):
            if self._hear(one, found.get(one['id'], []), own_trades(one, found, self._strangers.values(), trades)):
                news.append(one['id'])
        open_ones = [one for one in today if one['state'] != ENDED and one['id'] not in found]
        for row in left:
            mine = next((one for one in open_ones if is_perhaps(one, row)), None)
            if mine:
                journal.perhaps(mine['id'], row.filled)
            # Where no time tells that a row came after the order, it may be another program's as well.
            if (not mine or row.at is None) and (row.filled > 0 or row.status not in FINAL):
                journal.see_foreign(self._date, row.code)
        # A list that lacks an order of today that it once had, or still has those of yesterday, is not all of it.
        perhaps = [one for one in today if one['perhaps'] is not None and not one['seen'] and one['id'] not in found]
        reading.whole = (all(row.date in ('', self._date) for row in reading.orders) and all(one['id'] in found for one in today if one['seen'])
                         and have_rows(perhaps, left))
        if reading.whole:
            news += [self._ask(one, 'list') for one in open_ones if one['state'] not in (UNSURE, LISTED) and self._is_late(one)]
        return news, [one for one, own in found.items() if len(own) > 1]

    def _is_number_of_another(self, one, number):
        return any(other['seen'] and other['number'] == number for other in self._journal.of_day(self._date) if other['id'] != one['id'])

    def _is_late(self, one):
        return self._clock.now() - one['at'] > self._settle

    def _hear(self, one, rows, trades):
        """True when the journal learnt something of an order."""
        # The number that was answered counts while no row says another, and no other order has it.
        own = [row.number for row in rows] or [one['number']]
        own = [number for number in own if rows or not self._is_number_of_another(one, number)]
        traded = [trade for trade in trades if (trade.code, trade.side) == (one['code'], one['side']) and (
            trade.remark == one['id'] or (trade.number in own and trade.number not in NO_NUMBER))]
        filled = max(sum(row.filled for row in rows), min(one['volume'], sum(trade.volume for trade in traded)))
        if not rows and not traded:
            return False
        last = rows[-1] if rows else None
        final = bool(rows) and all(row.status in FINAL for row in rows)
        status = last.status if final else OPEN
        mean = last.price if last and last.filled else traded[-1].price if traded else one['mean']
        return self._journal.learn(one['id'], filled, mean, status, last.note if last else one['note'],
                                   last.number if last else None, last.sysid if last else '')
