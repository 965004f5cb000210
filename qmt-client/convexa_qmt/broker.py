# -*- coding: utf-8 -*-
"""What the client needs of a broker. Makers: xtquant_broker.py, passorder_broker.py, simulator.py; all pass test/broker_conformance.py."""

from collections import namedtuple

OPEN, FILLED, PART_CANCELLED, CANCELLED, REJECTED = 'open', 'filled', 'part_cancelled', 'cancelled', 'rejected'
FINAL = (FILLED, PART_CANCELLED, CANCELLED, REJECTED)
# As both terminals number them; all others, 255 among them, are open.
STATUS = {53: PART_CANCELLED, 54: CANCELLED, 56: FILLED, 57: REJECTED}


# What stands in a row, or is answered, where an order has no number (yet).
NO_NUMBER = (None, '')


class BrokerAway(Exception):
    """The terminal did not answer. Whether an order has arrived is not known."""


class NotSent(BrokerAway):
    """The call was certainly never made: the order does not exist."""


# `volume`, `saleable`: whole account, and what of it may be sold now. `cost`: price, 0 = not given. `value`: yuan, 0 = not given.
Position = namedtuple('Position', 'volume saleable cost value')
# `cash`: yuan that may be bought for now. `value`: yuan of all positions, None = not given.
Account = namedtuple('Account', 'cash value')
# `id`: of the exchange, '' = not told: a list may have a trade twice.
Trade = namedtuple('Trade', 'number remark code side volume price id')
Trade.__new__.__defaults__ = ('',)
NOTHING = Position(0, 0, 0.0, 0.0)


def positions_of(rows):
    """{code: Position} of [(code, holder, Position)]. A security may stand in a row of each securities account of its owner; a row that is listed
    twice counts once."""
    made, seen = {}, set()
    for row in rows:
        code, _holder, one = row
        if one.volume <= 0 or row in seen:
            continue
        seen.add(row)
        known = made.get(code, NOTHING)
        volume = known.volume + one.volume
        # A price or a value that one of them lacks is not known of the whole.
        has_cost, has_value = (known is NOTHING or known.cost) and one.cost, (known is NOTHING or known.value) and one.value
        made[code] = Position(volume, known.saleable + one.saleable, (known.cost * known.volume + one.cost * one.volume) / volume if has_cost else 0.0,
                              known.value + one.value if has_value else 0.0)
    return made


class Quote(object):
    """A price now. `last` 0: no price; `up`, `down`: the limits of the day, 0 = none; `before`: the close before today, 0 = none."""

    def __init__(self, last, bid, ask, up, down, halted=False, before=0.0):
        self.last, self.bid, self.ask, self.up, self.down, self.halted, self.before = last, bid, ask, up, down, halted, before


class Order(object):
    """A row of the terminal's list. `number`: by which it can be taken back, '' = none yet. `remark`: the id that the client gave it, in some lists empty or cut. `price`: mean of what was filled,
    else the limit. `limit`: the limit where the terminal tells it. `date`: `2026-11-23`, '' = not told. `at`: time of entry in seconds
    since 1970, None = not told."""

    def __init__(self, number, remark, code, side, volume, filled, price, status, note='', sysid='', limit=None, date='', at=None):
        self.number, self.remark, self.code, self.side = number, remark, code, side
        self.volume, self.filled, self.price, self.status, self.note = volume, filled, price, status, note
        self.sysid, self.limit, self.date, self.at = sysid, limit, date, at


def order_status(number, volume, filled):
    """The status of a row by its number and what was filled of it."""
    status = STATUS.get(number, OPEN)
    if status == OPEN and volume > 0 and filled >= volume:
        return FILLED
    if status in (CANCELLED, REJECTED) and filled > 0:
        return PART_CANCELLED
    return status


class Broker(object):
    """Every call may raise BrokerAway. `settle`: seconds in which an order is usually listed. `session`: grows with each new login."""

    settle = 10
    session = 0

    def account(self):
        """The Account."""
        raise NotImplementedError

    def positions(self):
        """{code: Position} of the whole account."""
        raise NotImplementedError

    def orders(self):
        """All orders of today, those of other programs and by hand too."""
        raise NotImplementedError

    def trades(self):
        """All trades of today, [Trade]."""
        raise NotImplementedError

    def quote(self, code):
        """The Quote of a security; None where there is none."""
        raise NotImplementedError

    def index_time(self):
        """Seconds since 1970 of the newest tick of the Shanghai index; None where it is not told."""
        return None

    def renew(self):
        """Quotes of this session stand still: the next call makes a new session, where sessions are ours to make."""

    def place(self, code, side, volume, price, remark):
        """Hands over an order at a fixed price; its number, or None. Its fate is read from `orders`. Raises NotSent only if the call was never
        made."""
        raise NotImplementedError

    def words_of(self, remark, number):
        """What the terminal has said of an order besides its row, '' = nothing. It proves nothing."""
        return u''

    def cancel(self, number):
        """Requests the cancellation of an order. Its fate is read from `orders`; the answer proves nothing."""
        raise NotImplementedError
