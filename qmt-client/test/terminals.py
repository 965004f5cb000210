# -*- coding: utf-8 -*-
"""Stand-ins of the two terminals over a simulator: the functions that their manuals describe, and no more of them than the client calls."""

import time

from convexa_qmt.broker import BrokerAway
from convexa_qmt.clock import OFFSET
from convexa_qmt.passorder_broker import PassorderBroker, Terminal
from convexa_qmt.xtquant_broker import INDEX, XtquantBroker
from world import TestClock

NUMBERS = {'open': 50, 'filled': 56, 'part_cancelled': 53, 'cancelled': 54, 'rejected': 57}


def time_of(at):
    """`145003` of seconds since 1970, '' = not told."""
    return '' if at is None else time.strftime('%H%M%S', time.gmtime(at + OFFSET))


class Row(object):
    def __init__(self, **members):
        self.__dict__.update(members)


class MiniTerminal(object):
    """XtQuantTrader and xtdata."""

    def __init__(self, market):
        self.market = market

    def number_of(self, status):
        """Some terminals tell 255 of what is open."""
        return 255 if status == 'open' and getattr(self.market, 'habits', {}).get('unknown') and self.market.strike('unknown') else NUMBERS[status]

    def query_stock_positions(self, _account):
        return [Row(stock_code=code, volume=one.volume, can_use_volume=one.saleable, open_price=one.cost, market_value=one.value)
                for code, one in self.market.positions().items()]

    def query_stock_asset(self, _account):
        account = self.market.account()
        return Row(cash=account.cash, market_value=account.value)

    def query_stock_orders(self, _account):
        return [Row(order_id=o.number, order_sysid=o.sysid, order_remark=o.remark, stock_code=o.code, order_type=23 if o.side == 'buy' else 24,
                    order_volume=o.volume, traded_volume=o.filled, traded_price=o.price if o.filled else 0.0, price=o.price,
                    order_status=self.number_of(o.status), status_msg=o.note, order_time=o.at or 0) for o in self.market.orders()]

    def query_stock_trades(self, _account):
        return [Row(order_id=one.number, order_remark=one.remark, stock_code=one.code, order_type=23 if one.side == 'buy' else 24,
                    traded_volume=one.volume, traded_price=one.price, traded_id=one.id) for one in self.market.trades()]

    def order_stock(self, _account, code, kind, volume, price_type, price, _strategy, remark):
        assert price_type == 11 and kind in (23, 24) and isinstance(volume, int)
        return self.market.place(code, 'buy' if kind == 23 else 'sell', volume, price, remark)

    def cancel_order_stock(self, _account, number):
        self.market.cancel(number)
        return 0

    def stop(self):
        pass

    def get_full_tick(self, codes):
        if codes == [INDEX]:
            tick = getattr(self.market, 'index_time', lambda: None)()
            return {INDEX: {'time': int(tick * 1000)}} if tick else {}
        quotes = dict((code, self.market.quote(code)) for code in codes)
        return dict((code, {'lastPrice': q.last, 'bidPrice': [q.bid, 0], 'askPrice': [q.ask, 0], 'stockStatus': 1 if q.halted else 0,
                            'lastClose': q.before})
                    for code, q in quotes.items() if q)

    def get_instrument_detail(self, code):
        quote = self.market.quote(code)
        return {'UpStopPrice': quote.up, 'DownStopPrice': quote.down}


class BigTerminal(object):
    """What a strategy of the built-in Python finds around it, and its context. Its calls return nothing.

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
        account = self.market.account()
        return [Row(m_dAvailable=account.cash, m_dInstrumentValue=account.value)]

    def _position(self):
        return [Row(m_strInstrumentID=code[:6], m_strExchangeID=code[7:], m_nVolume=one.volume, m_nCanUseVolume=one.saleable,
                    m_dOpenPrice=one.cost, m_dInstrumentValue=one.value)
                for code, one in self.market.positions().items()]

    def _order(self):
        return [Row(m_strOrderSysID='' if getattr(o, 'is_unnumbered', False) else str(o.number), m_strInsertDate=o.date.replace('-', ''), m_strInsertTime=time_of(o.at), m_strRemark=o.remark, m_strInstrumentID=o.code[:6], m_strExchangeID=o.code[7:],
                    m_nOffsetFlag=48 if o.side == 'buy' else 49, m_nVolumeTotalOriginal=o.volume, m_nVolumeTraded=o.filled,
                    m_dTradedPrice=o.price if o.filled else 0.0, m_dLimitPrice=o.price, m_nOrderStatus=MiniTerminal.number_of(self, o.status),
                    m_strCancelInfo=o.note) for o in self.market.orders()]

    def _deal(self):
        return [Row(m_strOrderSysID=str(one.number), m_strRemark=one.remark, m_strInstrumentID=one.code[:6], m_strExchangeID=one.code[7:],
                    m_nOffsetFlag=48 if one.side == 'buy' else 49, m_nVolume=one.volume, m_dPrice=one.price, m_strTradeID=one.id) for one in self.market.trades()]

    def cancel(self, number, _account, _type, _context):
        self.market.cancel(int(number))
        return True

    def get_full_tick(self, codes):
        return MiniTerminal.get_full_tick(self, codes)

    def get_instrumentdetail(self, code):
        return MiniTerminal.get_instrument_detail(self, code)


def _xtquant(market, clock=None):
    terminal = MiniTerminal(market)
    return XtquantBroker(lambda _lost: (terminal, 'account', terminal), clock or TestClock())


def _passorder(market, clock=None, account_type='STOCK'):
    big = BigTerminal(market)
    terminal = Terminal(big.passorder, big.get_trade_detail_data, big.cancel)
    return PassorderBroker(terminal, big, 'account', account_type, clock or TestClock())


MAKERS = {'simulator': lambda market, clock=None: market, 'xtquant': _xtquant, 'passorder': _passorder}
