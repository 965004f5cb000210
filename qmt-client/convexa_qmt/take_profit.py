# -*- coding: utf-8 -*-
"""Take-profit of own holdings during the day.

A gain is that of the day: the last price against the close before. From `activate` on its top is kept; when the gain has fallen by
`drawdown` from there, the share `deal` of the holding is sold in whole lots, at least one, once a day. What was sold so is not bought back
on that day.
"""

import math

from .broker import BrokerAway


class TakeProfit(object):
    def __init__(self, trader):
        self.trader, self.rules = trader, trader.rules['take_profit']
        self.tops = {}

    def round(self):
        """Exchanges a heartbeat, cancels old orders, checks each position."""
        trader = self.trader
        reading = trader.hear()
        if reading is None or trader.halted:
            return
        closed = trader.desk.why_closed()
        if closed:
            if trader.desk.in_hours():
                trader.say(closed)
            return
        held = trader.journal.holdings()
        try:
            for code in sorted(held):
                if code not in trader.ignored() and code not in trader.profits() and not trader.view.blocked(code):
                    self.look(code, held[code])
            for code, gap, _target in trader.profit_gaps():
                if not trader.desk.in_hours():
                    return
                trader.desk.slice(code, 'sell', -gap, 0.0, guarded=False)
        except BrokerAway as error:
            trader.say(u'暂停下单，等待完整的委托列表：%s' % error)

    def look(self, code, held):
        quote = self.trader.broker.quote(code)
        if quote is None or quote.halted or not quote.last > 0 or not quote.before > 0:
            return
        gain = quote.last / quote.before - 1
        top = self.tops[code] = max(gain, self.tops.get(code, gain))
        if top < self.rules['activate'] or top - gain < self.rules['drawdown'] - 1e-9:
            return
        sold = self.share_of(held, self.trader.desk.lot(code))
        self.trader.log(u'%s 止盈：当日涨幅 %.2f%%，最高 %.2f%%，卖出 %d' % (code, gain * 100, top * 100, sold))
        self.trader.journal.take_profit(self.trader.date, code, held - sold)

    def share_of(self, held, lot):
        """The share that is sold: steps, at least the least order of the board, and whole where less than that would be left."""
        least, step = lot
        sold = max(least, int(math.ceil(held * self.rules['deal'] / step - 1e-9)) * step)
        return held if held - sold < least else sold
