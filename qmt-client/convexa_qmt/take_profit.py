# -*- coding: utf-8 -*-
"""Take-profit of own holdings during the day.

A gain is that of the day: the last price against the close before. From `activate` on its top is kept; when the gain has fallen by
`drawdown` from there, the share `deal` of the holding is sold in whole lots, at least one, once a day. What was sold so is not bought back
on that day.
"""

import math

from .broker import BrokerAway

SESSIONS = (('09:30:00', '11:30:00'), ('13:00:00', '14:57:00'))


class TakeProfit(object):
    def __init__(self, trader):
        self.trader, self.rules = trader, trader.rules['take_profit']
        self.tops = {}

    def round(self):
        """Hears the site, gives up old orders, looks at each holding."""
        trader = self.trader
        trader.hear()
        if trader.halted or not self.open():
            return
        try:
            positions = trader.broker.positions()
            held = trader.journal.holdings()
            for code in sorted(held):
                if code not in trader.rules['ignore_codes'] and code not in trader.profits():
                    self.look(code, held[code])
        except BrokerAway as error:
            trader.log(u'终端没有应答：%s' % error)
            return
        for code, gap in trader.profit_gaps():
            if not self.open():
                return
            trader.slice(code, 'sell', min(-gap, positions.get(code, (0, 0))[1]), 0.0, guarded=False)

    def open(self):
        trader = self.trader
        return any(trader.at(begin) <= trader.clock.now() < trader.at(end) for begin, end in SESSIONS)

    def look(self, code, held):
        quote = self.trader.broker.quote(code)
        if quote is None or quote.halted or not quote.last > 0 or not quote.before > 0:
            return
        gain = quote.last / quote.before - 1
        top = self.tops[code] = max(gain, self.tops.get(code, gain))
        if top < self.rules['activate'] or top - gain < self.rules['drawdown'] - 1e-9:
            return
        lot = self.trader.lot(code)
        sold = min(held, int(math.ceil(held * self.rules['deal'] / lot - 1e-9)) * lot)
        self.trader.log(u'%s 止盈：当日涨幅 %.2f%%，最高 %.2f%%，卖出 %d' % (code, gain * 100, top * 100, sold))
        self.trader.journal.take_profit(self.trader.date, code, held - sold)
