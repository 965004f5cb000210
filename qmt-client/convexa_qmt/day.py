# -*- coding: utf-8 -*-
"""The trading day of a config.

1. At the time of the heartbeat tell the site that the client is here.
2. Until the window: a heartbeat a minute, and the take-profit watch where the trading config has one.
3. A minute before the window pull the targets, then trade: see trader.py.
4. After it the watch goes on to the end of continuous trading.
"""

from .journal_file import CannotWrite
from .take_profit import TakeProfit
from .trader import BEAT

LEAD = 60
LAST = '14:57:00'


class Day(object):
    def __init__(self, trader):
        self.trader, self.rules, self.clock, self.log = trader, trader.rules, trader.clock, trader.log
        self.watch = TakeProfit(trader) if self.rules['take_profit'] else None

    def run(self):
        """The day's summary, a dict."""
        start = self.trader.at(self.rules['start_time'])
        self.trader.begin()
        self.wait(min(start - LEAD, self.trader.at(self.rules['heartbeat'])))
        self.trader.greet()
        self.until(start - LEAD)
        self.trader.prepare()
        self.until(start)
        summary = self.trader.trade(goes_on=self.watch is not None)
        if self.watch and not self.trader.is_over:
            self.until(self.trader.at(LAST))
            self.trader.close()
        return summary

    def wait(self, moment):
        if moment > self.clock.now():
            self.log(u'等待至 %s' % self.clock.stamp(moment)[11:19])
            self.clock.sleep(moment - self.clock.now())

    def until(self, moment):
        pace = max(3, self.rules['interval']) if self.watch else BEAT
        beaten = self.clock.now()
        while self.clock.now() < moment:
            if self.watch and not self.trader.halted:
                self.look()
            elif self.clock.now() - beaten >= BEAT:
                self.trader.look()
                beaten = self.clock.now()
            self.clock.sleep(min(pace, max(0.0, moment - self.clock.now())))

    def look(self):
        try:
            self.watch.round()
        except CannotWrite as error:
            self.trader.unwritten(error)
