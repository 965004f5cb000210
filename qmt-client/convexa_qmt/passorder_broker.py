# -*- coding: utf-8 -*-
"""The big terminal from inside: functions that it gives to a strategy of its built-in Python, and the strategy's context.

All of them belong to the thread that the terminal calls the strategy in; big_terminal.py sees to that.
"""

from .broker import CANCELLED, REJECTED, Account, Broker, BrokerAway, NotSent, Order, Position, Trade, order_status, positions_of
from .clock import Clock
from .xtquant_broker import INDEX, quote_of, time_of_tick

BY_VOLUME, FIX_PRICE, AT_ONCE = 1101, 11, 2
# Of a margin account: bought and sold as collateral.
KINDS = {'STOCK': {'buy': 23, 'sell': 24}, 'CREDIT': {'buy': 33, 'sell': 34}}
BUY = 48


class Terminal(object):
    """`passorder`, `get_trade_detail_data` and `cancel` as the strategy's own namespace has them."""

    def __init__(self, passorder, get_trade_detail_data, cancel):
        self.passorder, self.get_trade_detail_data, self.cancel = passorder, get_trade_detail_data, cancel


class PassorderBroker(Broker):
    # An order travels through the terminal before it is listed.
    settle = 30

    def __init__(self, terminal, context, account_no, account_type, clock=None):
        self._terminal, self._context, self._account, self._type = terminal, context, account_no, account_type
        self._clock = clock or Clock()
        self._away = True

    def _ask(self, call, *given):
        try:
            return call(*given)
        except Exception as error:
            raise BrokerAway(u'%s' % error)

    def _account_row(self):
        # A terminal that has lost its connection tells empty lists: then there is not even an account.
        rows = self._ask(self._terminal.get_trade_detail_data, self._account, self._type, 'account')
        if not rows:
            self._away = True
            raise BrokerAway(u'终端没有登录资金账号')
        if self._away:
            self._away, self.session = False, self.session + 1
        return rows[0]

    def _rows(self, what):
        self._account_row()
        rows = self._ask(self._terminal.get_trade_detail_data, self._account, self._type, what) or []
        # A connection lost between the two calls gives an empty list, and soon no account.
        self._account_row()
        return rows

    def positions(self):
        return positions_of((_code(row), getattr(row, 'm_strStockHolder', ''), Position(
            int(row.m_nVolume), int(row.m_nCanUseVolume), float(getattr(row, 'm_dOpenPrice', 0) or 0), float(getattr(row, 'm_dInstrumentValue', 0) or 0)))
            for row in self._rows('position'))

    def account(self):
        row = self._account_row()
        value = getattr(row, 'm_dInstrumentValue', None)
        return Account(float(row.m_dAvailable), None if value is None else float(value))

    def orders(self):
        return [self._order(row) for row in self._rows('order')]

    def trades(self):
        return [Trade(row.m_strOrderSysID, row.m_strRemark or '', _code(row), 'buy' if row.m_nOffsetFlag == BUY else 'sell',
                      int(row.m_nVolume), float(row.m_dPrice), str(getattr(row, 'm_strTradeID', '') or '')) for row in self._rows('deal')]

    def quote(self, code):
        tick = (self._ask(self._context.get_full_tick, [code]) or {}).get(code)
        if not tick:
            return None
        # Terminals of before 2023 know the older name only.
        detail = getattr(self._context, 'get_instrument_detail', None) or self._context.get_instrumentdetail
        return quote_of(tick, self._ask(detail, code) or {})

    def index_time(self):
        return time_of_tick((self._ask(self._context.get_full_tick, [INDEX]) or {}).get(INDEX), self._clock)

    def place(self, code, side, volume, price, remark):
        """The terminal answers nothing; only `orders` shows whether the order has arrived."""
        try:
            self._account_row()
        except BrokerAway as error:
            raise NotSent(u'%s' % error)
        self._ask(self._terminal.passorder, KINDS[self._type][side], BY_VOLUME, self._account, code, FIX_PRICE, float(price), int(volume),
                  'convexa', AT_ONCE, remark, self._context)

    def cancel(self, number):
        # Without a number the order has not left the terminal yet.
        if number:
            self._ask(self._terminal.cancel, number, self._account, self._type, self._context)

    def _order(self, row):
        filled, volume = int(row.m_nVolumeTraded), int(row.m_nVolumeTotalOriginal)
        status = order_status(row.m_nOrderStatus, volume, filled)
        note = getattr(row, 'm_strCancelInfo', '') or getattr(row, 'm_strErrorMsg', '') if status in (REJECTED, CANCELLED) else ''
        price = row.m_dTradedPrice if filled else row.m_dLimitPrice
        day, time = str(getattr(row, 'm_strInsertDate', '') or ''), str(getattr(row, 'm_strInsertTime', '') or '')
        date = '%s-%s-%s' % (day[:4], day[4:6], day[6:]) if len(day) == 8 and day.isdigit() else ''
        # `93005` has lost its first zero; no time at all is not midnight.
        time = time.zfill(6) if time.isdigit() else ''
        at = self._clock.at('%s:%s:%s' % (time[:2], time[2:4], time[4:]), date) if date and len(time) == 6 else None
        return Order(row.m_strOrderSysID, row.m_strRemark or '', _code(row), 'buy' if row.m_nOffsetFlag == BUY else 'sell', volume, filled,
                     float(price), status, note, row.m_strOrderSysID or '', float(row.m_dLimitPrice or 0) or None, date, at)


def _code(row):
    return '%s.%s' % (row.m_strInstrumentID, row.m_strExchangeID)
