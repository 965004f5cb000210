# -*- coding: utf-8 -*-
"""The big terminal from inside: functions that it gives to a strategy of its built-in Python, and the strategy's context.

All of them belong to the thread that the terminal calls the strategy in; big_terminal.py sees to that.
"""

from .broker import CANCELLED, FILLED, FINAL, OPEN, PART_CANCELLED, REJECTED, Broker, BrokerAway, Order
from .clock import Clock
from .xtquant_broker import STATUS, quote_of

BY_VOLUME, FIX_PRICE, AT_ONCE = 1101, 11, 2
# Of a margin account: bought and sold as collateral.
KINDS = {'STOCK': {'buy': 23, 'sell': 24}, 'CREDIT': {'buy': 33, 'sell': 34}}
BUY = 48
# The opening auction: before it a terminal may still list the orders of the day before.
OPENING = '09:15:00'


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
        self._listed = set()

    def _ask(self, call, *given):
        try:
            return call(*given)
        except Exception as error:
            raise BrokerAway(u'%s' % error)

    def _account_row(self):
        # A terminal that has lost its connection tells empty lists: then there is not even an account.
        rows = self._ask(self._terminal.get_trade_detail_data, self._account, self._type, 'account')
        if not rows:
            raise BrokerAway(u'终端没有登录资金账号')
        return rows[0]

    def _rows(self, what):
        self._account_row()
        rows = self._ask(self._terminal.get_trade_detail_data, self._account, self._type, what) or []
        # Whoever lost the connection between the two has an empty list and soon no account.
        self._account_row()
        return rows

    def positions(self):
        return dict((_code(row), (int(row.m_nVolume), int(row.m_nCanUseVolume))) for row in self._rows('position') if row.m_nVolume > 0)

    def cash(self):
        return float(self._account_row().m_dAvailable)

    def orders(self):
        orders = [_order(row) for row in self._rows('order')]
        remarks = set(order.remark for order in orders)
        # No order leaves the list of its day: one that lacks some is not all of it. Those of the day before leave in the morning.
        if not self._listed <= remarks:
            raise BrokerAway(u'终端的委托列表不完整')
        if self._clock.now() >= self._clock.at(OPENING):
            self._listed = remarks
        return orders

    def quote(self, code):
        tick = (self._ask(self._context.get_full_tick, [code]) or {}).get(code)
        if not tick:
            return None
        # Terminals of before 2023 know the older name only.
        detail = getattr(self._context, 'get_instrument_detail', None) or self._context.get_instrumentdetail
        return quote_of(tick, self._ask(detail, code) or {})

    def place(self, code, side, volume, price, remark):
        """Nothing is answered: whether the order has arrived is told by `orders` alone."""
        self._account_row()
        self._ask(self._terminal.passorder, KINDS[self._type][side], BY_VOLUME, self._account, code, FIX_PRICE, float(price), int(volume),
                  'convexa', AT_ONCE, remark, self._context)

    def cancel(self, number):
        # Without a number the order has not left the terminal yet; it is asked again with the next interval.
        if number:
            self._ask(self._terminal.cancel, number, self._account, self._type, self._context)


def _code(row):
    return '%s.%s' % (row.m_strInstrumentID, row.m_strExchangeID)


def _order(row):
    filled, volume = int(row.m_nVolumeTraded), int(row.m_nVolumeTotalOriginal)
    status = STATUS.get(row.m_nOrderStatus, OPEN)
    if status not in FINAL and filled == volume:
        status = FILLED
    if status == CANCELLED and filled:
        status = PART_CANCELLED
    note = getattr(row, 'm_strCancelInfo', '') or getattr(row, 'm_strErrorMsg', '') if status in (REJECTED, CANCELLED) else ''
    price = row.m_dTradedPrice if filled else row.m_dLimitPrice
    return Order(row.m_strOrderSysID, row.m_strRemark, _code(row), 'buy' if row.m_nOffsetFlag == BUY else 'sell', volume, filled,
                 float(price), status, note)
