# -*- coding: utf-8 -*-
"""miniQMT through xtquant, which the broker installs beside the terminal."""

import random

from .broker import NO_NUMBER, Account, Broker, BrokerAway, NotSent, Order, Position, Quote, Trade, order_status, positions_of
from .clock import Clock

BUY, SELL, FIX_PRICE = 23, 24, 11
INDEX = '000001.SH'
# 1: trading is halted for the day; 17, 20: halted for a while.
HALTED = (1, 17, 20)
# Unanswered calls in a row after which a session counts as dead; seconds between tries for a new one.
SILENT, WAITS = 3, (5, 10, 20, 40, 60)


def connector(folder, account_no, account_type):
    """A function that makes a new session on miniQMT: (trader, account, data). A trader that lost its session is dead for good.

    folder: its userdata_mini. Raises BrokerAway where the terminal is not ready.
    """
    def connect(listener):
        from xtquant import xtdata
        from xtquant.xttrader import XtQuantTrader, XtQuantTraderCallback
        from xtquant.xttype import StockAccount

        class Callback(XtQuantTraderCallback):
            def on_disconnected(self):
                listener.disconnected()

            def on_order_error(self, error):
                listener.refused(getattr(error, 'order_remark', ''), getattr(error, 'order_id', None), getattr(error, 'error_msg', ''))
        # Two connections by one number need time between them: a new one is drawn each time, from those that scripts rarely take.
        trader, account = XtQuantTrader(folder, random.SystemRandom().randrange(10 ** 6, 2 * 10 ** 9)), StockAccount(account_no, account_type)
        trader.register_callback(Callback())
        trader.start()
        if trader.connect() != 0 or trader.subscribe(account) != 0:
            trader.stop()
            raise BrokerAway(u'没有连上 miniQMT：请先登录终端，并核对 userdata_mini 路径与资金账号')
        return trader, account, xtdata
    return connect


class Listener(object):
    """What a session calls by itself, in a thread of its own."""

    def __init__(self, words):
        self._words, self.is_lost = words, False

    def disconnected(self):
        self.is_lost = True

    def refused(self, remark, number, words):
        """A refusal may come without a row."""
        for key in (remark, number):
            if key not in NO_NUMBER and words:
                self._words[key] = u'%s' % words


class XtquantBroker(Broker):
    def __init__(self, connect, clock=None):
        """connect: a function of one argument, the Listener of the session, that makes (trader, account, data)."""
        self._connect, self._clock = connect, clock or Clock()
        self._trader = self._account = self._data = None
        # {remark or number: words} of refusals.
        self._listener, self._words = None, {}
        self._silent, self._tries, self._next_try = 0, 0, 0.0

    def _login(self):
        """Makes a new session where there is none, or the last one is dead. Raises BrokerAway."""
        if self._trader is not None and self._silent < SILENT and not self._listener.is_lost:
            return
        if self._clock.now() < self._next_try:
            raise BrokerAway(u'终端已断开，正在重新连接')
        self._next_try = self._clock.now() + WAITS[min(self._tries, len(WAITS) - 1)]
        self._tries += 1
        if self._trader is not None:
            try:
                self._trader.stop()
            except Exception:
                pass
            self._trader = None
        listener = Listener(self._words)
        try:
            trader, account, data = self._connect(listener)
        except BrokerAway:
            raise
        except Exception as error:
            raise BrokerAway(u'%s' % error)
        self._trader, self._account, self._data, self._listener = trader, account, data, listener
        self._silent, self._tries, self._next_try = 0, 0, 0.0
        self.session += 1

    def _ask(self, call, *given):
        """call: a function of the trader, or of the data, that is not there before the login."""
        self._login()
        try:
            answer = call(*given)
        except Exception as error:
            self._silent += 1
            raise BrokerAway(u'%s' % error)
        if answer is None:
            self._silent += 1
            raise BrokerAway(u'没有应答')
        self._silent = 0
        return answer

    def positions(self):
        rows = self._ask(lambda: self._trader.query_stock_positions(self._account))
        return positions_of((row.stock_code, getattr(row, 'secu_account', ''), Position(
            int(row.volume), int(row.can_use_volume), float(getattr(row, 'open_price', 0) or 0), float(getattr(row, 'market_value', 0) or 0))) for row in rows)

    def account(self):
        row = self._ask(lambda: self._trader.query_stock_asset(self._account))
        return Account(float(row.cash), _given(getattr(row, 'market_value', None)))

    def orders(self):
        return [self._order(row) for row in self._ask(lambda: self._trader.query_stock_orders(self._account))]

    def _order(self, row):
        filled, volume = int(row.traded_volume), int(row.order_volume)
        at = getattr(row, 'order_time', None)
        at = float(at) if isinstance(at, (int, float)) and at > 1e9 else None
        return Order(row.order_id, row.order_remark or '', row.stock_code, 'buy' if row.order_type == BUY else 'sell', volume, filled,
                     float(row.traded_price or row.price), order_status(row.order_status, volume, filled), row.status_msg or '',
                     str(getattr(row, 'order_sysid', '') or ''), float(row.price or 0) or None, self._clock.stamp(at)[:10] if at else '', at)

    def trades(self):
        return [Trade(row.order_id, getattr(row, 'order_remark', '') or '', row.stock_code, 'buy' if row.order_type == BUY else 'sell',
                      int(row.traded_volume), float(row.traded_price), str(getattr(row, 'traded_id', '') or ''))
                for row in self._ask(lambda: self._trader.query_stock_trades(self._account))]

    def quote(self, code):
        tick = self._ask(lambda: self._data.get_full_tick([code])).get(code)
        return quote_of(tick, self._ask(lambda: self._data.get_instrument_detail(code))) if tick else None

    def index_time(self):
        return time_of_tick(self._ask(lambda: self._data.get_full_tick([INDEX])).get(INDEX), self._clock)

    def renew(self):
        self._silent = SILENT

    def place(self, code, side, volume, price, remark):
        try:
            self._login()
        except BrokerAway as error:
            raise NotSent(u'%s' % error)
        number = self._ask(lambda: self._trader.order_stock(self._account, code, BUY if side == 'buy' else SELL, int(volume), FIX_PRICE,
                                                            float(price), 'convexa', remark))
        if number <= 0:
            # Users saw this for orders that were live: it proves nothing.
            raise BrokerAway(u'下单返回 %s' % number)
        return number

    def words_of(self, remark, number):
        return self._words.get(remark) or (self._words.get(number, u'') if number not in NO_NUMBER else u'')

    def cancel(self, number):
        self._ask(lambda: self._trader.cancel_order_stock(self._account, number))


def _given(value):
    return None if value is None else float(value)


def time_of_tick(tick, clock):
    """Seconds since 1970 of a tick: `time` in milliseconds, or `timetag` as `20261123 14:50:00`; None where it has neither."""
    tick = tick or {}
    if isinstance(tick.get('time'), (int, float)) and tick['time'] > 1e11:
        return tick['time'] / 1000.0
    tag = str(tick.get('timetag') or '')
    if len(tag) >= 17 and tag[:8].isdigit():
        try:
            return clock.at(tag[9:17], '%s-%s-%s' % (tag[:4], tag[4:6], tag[6:8]))
        except ValueError:
            return None
    return None


def quote_of(tick, detail):
    """A Quote of what both terminals tell of a security: its last tick and its facts."""
    return Quote(float(tick['lastPrice']), _first(tick.get('bidPrice')), _first(tick.get('askPrice')), _limit(detail.get('UpStopPrice')),
                 _limit(detail.get('DownStopPrice')), tick.get('stockStatus') in HALTED, float(tick.get('lastClose') or 0.0))


def _first(prices):
    return float(prices[0]) if prices and prices[0] > 0 else 0.0


def _limit(price):
    # No limit is written as 0 or as a very large number.
    return float(price) if price and 0 < price < 1e6 else 0.0
