# -*- coding: utf-8 -*-
"""Stand-ins of the two terminals over a simulator: the functions that their manuals describe, and no more of them than the client calls."""

from convexa_qmt.broker import BrokerAway
from convexa_qmt.passorder_broker import PassorderBroker, Terminal
from convexa_qmt.xtquant_broker import XtquantBroker
from world import TestClock

NUMBERS = {'open': 50, 'filled': 56, 'part_cancelled': 53, 'cancelled': 54, 'rejected': 57}


class Row(object):
    def __init__(self, **members):
        self.__dict__.update(members)


class MiniTerminal(object):
    """XtQuantTrader and xtdata."""

    def __init__(self, market):
        self.market = market

    def query_stock_positions(self, _account):
        return [Row(stock_code=code, volume=volume, can_use_volume=free) for code, (volume, free) in self.market.positions().items()]

    def query_stock_asset(self, _account):
        return Row(cash=self.market.cash())

    def query_stock_orders(self, _account):
        return [Row(order_id=o.number, order_remark=o.remark, stock_code=o.code, order_type=23 if o.side == 'buy' else 24,
                    order_volume=o.volume, traded_volume=o.filled, traded_price=o.price if o.filled else 0.0, price=o.price,
                    order_status=NUMBERS[o.status], status_msg=o.note) for o in self.market.orders()]

    def order_stock(self, _account, code, kind, volume, price_type, price, _strategy, remark):
        assert price_type == 11 and kind in (23, 24) and isinstance(volume, int)
        self.market.place(code, 'buy' if kind == 23 else 'sell', volume, price, remark)
        return 1

    def cancel_order_stock(self, _account, number):
        self.market.cancel(number)
        return 0

    def get_full_tick(self, codes):
        quotes = dict((code, self.market.quote(code)) for code in codes)
        return dict((code, {'lastPrice': q.last, 'bidPrice': [q.bid, 0], 'askPrice': [q.ask, 0], 'stockStatus': 1 if q.halted else 0,
                            'lastClose': q.before})
                    for code, q in quotes.items() if q)

    def get_instrument_detail(self, code):
        quote = self.market.quote(code)
        return {'UpStopPrice': quote.up, 'DownStopPrice': quote.down}


class BigTerminal(object):
    """What a strategy of the built-in Python finds around it, and its context. Nothing it is told is answered.

    Without its connection it has empty lists, and no account either: for that call and the next.
    """

    def __init__(self, market):
        self.market, self.away = market, False

    def passorder(self, kind, order_type, _account, code, price_type, price, volume, _strategy, quick, remark, _context):
        assert order_type == 1101 and price_type == 11 and quick == 2 and kind in (23, 24, 33, 34) and isinstance(volume, int)
        try:
            self.market.place(code, 'buy' if kind in (23, 33) else 'sell', volume, price, remark)
        except BrokerAway:
            pass

    def get_trade_detail_data(self, _account, _type, what):
        if self.away:
            self.away = False
            return []
        try:
            return getattr(self, '_' + what)()
        except BrokerAway:
            self.away = True
            return []

    def _account(self):
        return [Row(m_dAvailable=self.market.cash())]

    def _position(self):
        return [Row(m_strInstrumentID=code[:6], m_strExchangeID=code[7:], m_nVolume=volume, m_nCanUseVolume=free)
                for code, (volume, free) in self.market.positions().items()]

    def _order(self):
        return [Row(m_strOrderSysID=str(o.number), m_strRemark=o.remark, m_strInstrumentID=o.code[:6], m_strExchangeID=o.code[7:],
                    m_nOffsetFlag=48 if o.side == 'buy' else 49, m_nVolumeTotalOriginal=o.volume, m_nVolumeTraded=o.filled,
                    m_dTradedPrice=o.price if o.filled else 0.0, m_dLimitPrice=o.price, m_nOrderStatus=NUMBERS[o.status],
                    m_strCancelInfo=o.note) for o in self.market.orders()]

    def cancel(self, number, _account, _type, _context):
        self.market.cancel(int(number))
        return True

    def get_full_tick(self, codes):
        return MiniTerminal.get_full_tick(self, codes)

    def get_instrumentdetail(self, code):
        return MiniTerminal.get_instrument_detail(self, code)


def _xtquant(market):
    terminal = MiniTerminal(market)
    return XtquantBroker(terminal, 'account', terminal)


def _passorder(market, account_type='STOCK', clock=None):
    big = BigTerminal(market)
    terminal = Terminal(big.passorder, big.get_trade_detail_data, big.cancel)
    return PassorderBroker(terminal, big, 'account', account_type, clock or TestClock())


MAKERS = {'simulator': lambda market: market, 'xtquant': _xtquant, 'passorder': _passorder}
