# -*- coding: utf-8 -*-
"""miniQMT through xtquant, which the broker installs beside the terminal."""

from .broker import CANCELLED, FILLED, OPEN, PART_CANCELLED, REJECTED, Broker, BrokerAway, Order, Quote

BUY, SELL, FIX_PRICE = 23, 24, 11
STATUS = {53: PART_CANCELLED, 54: CANCELLED, 56: FILLED, 57: REJECTED}
# 1: trading is halted for the day; 17, 20: halted for a while.
HALTED = (1, 17, 20)


def connect(folder, account_no, account_type, session):
    """A broker on a running miniQMT. `folder`: its userdata_mini; `session`: a number that no other script uses."""
    from xtquant import xtdata
    from xtquant.xttrader import XtQuantTrader
    from xtquant.xttype import StockAccount
    trader = XtQuantTrader(folder, session)
    account = StockAccount(account_no, account_type)
    trader.start()
    if trader.connect() != 0 or trader.subscribe(account) != 0:
        raise SystemExit(u'没有连上 miniQMT：请先登录终端，并核对 userdata_mini 路径与资金账号')
    return XtquantBroker(trader, account, xtdata)


class XtquantBroker(Broker):
    def __init__(self, trader, account, data):
        self._trader, self._account, self._data = trader, account, data

    def _ask(self, call, *given):
        try:
            answer = call(*given)
        except Exception as error:
            raise BrokerAway(u'%s' % error)
        if answer is None:
            raise BrokerAway(u'没有应答')
        return answer

    def positions(self):
        rows = self._ask(self._trader.query_stock_positions, self._account)
        return dict((row.stock_code, (int(row.volume), int(row.can_use_volume))) for row in rows if row.volume > 0)

    def cash(self):
        return float(self._ask(self._trader.query_stock_asset, self._account).cash)

    def orders(self):
        rows = self._ask(self._trader.query_stock_orders, self._account)
        return [Order(row.order_id, row.order_remark, row.stock_code, 'buy' if row.order_type == BUY else 'sell', int(row.order_volume),
                      int(row.traded_volume), float(row.traded_price or row.price), STATUS.get(row.order_status, OPEN), row.status_msg or '')
                for row in rows]

    def quote(self, code):
        tick = self._ask(self._data.get_full_tick, [code]).get(code)
        return quote_of(tick, self._ask(self._data.get_instrument_detail, code)) if tick else None

    def place(self, code, side, volume, price, remark):
        number = self._ask(self._trader.order_stock, self._account, code, BUY if side == 'buy' else SELL, int(volume), FIX_PRICE,
                           float(price), 'convexa', remark)
        if number <= 0:
            raise BrokerAway(u'下单返回 %s' % number)

    def cancel(self, number):
        self._ask(self._trader.cancel_order_stock, self._account, number)


def quote_of(tick, detail):
    """A Quote of what both terminals tell of a security: its last tick and its facts."""
    return Quote(float(tick['lastPrice']), _first(tick.get('bidPrice')), _first(tick.get('askPrice')), _limit(detail.get('UpStopPrice')),
                 _limit(detail.get('DownStopPrice')), tick.get('stockStatus') in HALTED, float(tick.get('lastClose') or 0.0))


def _first(prices):
    return float(prices[0]) if prices and prices[0] > 0 else 0.0


def _limit(price):
    # No limit is written as 0 or as a very large number.
    return float(price) if price and 0 < price < 1e6 else 0.0
