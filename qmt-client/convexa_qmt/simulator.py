# -*- coding: utf-8 -*-
"""A broker in memory that does what brokers do: partial fills, rejections, halts, price limits, answers that get lost, silence."""

import random

from .broker import (CANCELLED, FILLED, FINAL, OPEN, PART_CANCELLED, REJECTED, Account, Broker, BrokerAway, Order, Position,
                     Quote, Trade)


class Simulator(Broker):
    """`faults`: shares of steps at which something goes wrong, by name: lost, away, reject, partial, slow_cancel."""

    def __init__(self, prices, cash, settlement=0, seed=1, faults=None, limit=0.2):
        self.prices, self.money, self.settlement, self.limit = dict(prices), cash, settlement, limit
        self.volumes, self.fresh, self.halted = {}, {}, set()
        self.previous = dict(prices)
        self.book, self.random, self.faults = [], random.Random(seed), dict(faults or {})
        self.sent = []

    def new_day(self, prices=None):
        for code, price in (prices or {}).items():
            self.previous[code] = self.prices.get(code, price)
            self.prices[code] = price
        self.book, self.fresh = [], {}

    def hold(self, code, volume):
        """Volume that somebody else has bought."""
        self.volumes[code] = self.volumes.get(code, 0) + volume

    def chance(self, name):
        return self.random.random() < self.faults.get(name, 0.0)

    def step(self):
        """The market moves on: open orders are filled, some in part."""
        for order in self.book:
            if order.status != OPEN or order.code in self.halted:
                continue
            left = order.volume - order.filled
            if self.chance('partial'):
                left = left // 2 // 10 * 10
            self.fill(order, left)

    def fill(self, order, volume):
        if volume <= 0:
            return
        cost = volume * order.price
        if order.side == 'buy':
            self.volumes[order.code] = self.volumes.get(order.code, 0) + volume
            self.fresh[order.code] = self.fresh.get(order.code, 0) + volume
            self.money -= cost
        else:
            self.volumes[order.code] -= volume
            self.money += cost
        order.filled += volume
        if order.filled == order.volume:
            order.status = FILLED

    def frozen(self, code):
        return sum(order.volume - order.filled for order in self.book if order.status == OPEN and order.side == 'sell' and order.code == code)

    def bound(self):
        return sum((order.volume - order.filled) * order.price for order in self.book if order.status == OPEN and order.side == 'buy')

    def saleable(self, code):
        fresh = self.fresh.get(code, 0) if self.settlement else 0
        return max(0, self.volumes.get(code, 0) - fresh - self.frozen(code))

    def positions(self):
        self.answer()
        return dict((code, Position(volume, self.saleable(code), 0.0, 0.0)) for code, volume in self.volumes.items() if volume > 0)

    def account(self):
        self.answer()
        return Account(self.money - self.bound(), None)

    def trades(self):
        self.answer()
        return [Trade(o.number, o.remark, o.code, o.side, o.filled, o.price) for o in self.book if o.filled]

    def orders(self):
        self.answer()
        self.step()
        return [Order(o.number, o.remark, o.code, o.side, o.volume, o.filled, o.price, o.status, o.note) for o in self.book]

    def quote(self, code):
        self.answer()
        last = self.prices.get(code)
        if last is None:
            return None
        before = self.previous.get(code, last)
        up, down = round(before * (1 + self.limit), 3), round(before * (1 - self.limit), 3)
        return Quote(last, last, last, up, down, code in self.halted, before)

    def place(self, code, side, volume, price, remark):
        if self.chance('away'):
            raise BrokerAway(u'连接断开')
        self.sent.append((remark, code, side, volume, price))
        order = Order(len(self.book) + 1, remark, code, side, volume, 0, price, OPEN)
        if self.chance('reject'):
            order.status, order.note = REJECTED, u'废单'
        elif side == 'sell' and volume > self.saleable(code):
            order.status, order.note = REJECTED, u'可用数量不足'
        elif side == 'buy' and volume * price > self.money - self.bound() + 0.01:
            order.status, order.note = REJECTED, u'可用资金不足'
        self.book.append(order)
        if self.chance('lost'):
            raise BrokerAway(u'应答丢失')
        return order.number

    def cancel(self, number):
        self.answer()
        for order in self.book:
            if order.number == number and order.status not in FINAL and not self.chance('slow_cancel'):
                order.status = PART_CANCELLED if order.filled else CANCELLED

    def answer(self):
        if self.chance('away'):
            raise BrokerAway(u'连接断开')
