# -*- coding: utf-8 -*-
"""What the client needs of a broker. Makers: xtquant_broker.py, passorder_broker.py, simulator.py; all pass test/broker_conformance.py."""

OPEN, FILLED, PART_CANCELLED, CANCELLED, REJECTED = 'open', 'filled', 'part_cancelled', 'cancelled', 'rejected'
FINAL = (FILLED, PART_CANCELLED, CANCELLED, REJECTED)


class BrokerAway(Exception):
    """The terminal did not answer. Whether an order has arrived is not known: it is looked up, never sent again."""


class Quote(object):
    """A price now. `last` 0: no price; `up`, `down`: the limits of the day, 0 = none; `before`: the close before today, 0 = none."""

    def __init__(self, last, bid, ask, up, down, halted=False, before=0.0):
        self.last, self.bid, self.ask, self.up, self.down, self.halted, self.before = last, bid, ask, up, down, halted, before


class Order(object):
    """An order of today: `remark` is the id that the client gave it."""

    def __init__(self, number, remark, code, side, volume, filled, price, status, note=''):
        self.number, self.remark, self.code, self.side = number, remark, code, side
        self.volume, self.filled, self.price, self.status, self.note = volume, filled, price, status, note


class Broker(object):
    """Every call may raise BrokerAway. `settle`: seconds after which an order that is not listed was never there."""

    settle = 10

    def positions(self):
        """{code: (volume, volume that may be sold now)} of the whole account."""
        raise NotImplementedError

    def cash(self):
        """Yuan that may be bought for now."""
        raise NotImplementedError

    def orders(self):
        """All orders of today, whoever gave them."""
        raise NotImplementedError

    def quote(self, code):
        """The Quote of a security; None where there is none."""
        raise NotImplementedError

    def place(self, code, side, volume, price, remark):
        """Sends an order at a fixed price. What became of it is told by `orders`."""
        raise NotImplementedError

    def cancel(self, number):
        """Asks to take an order back. What became of it is told by `orders`."""
        raise NotImplementedError
