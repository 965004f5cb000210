# -*- coding: utf-8 -*-
"""What every broker must do: the simulator, and xtquant on a stand-in of its terminal, pass the same."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import BrokerAway  # noqa: E402
from convexa_qmt.simulator import Simulator  # noqa: E402
from convexa_qmt.xtquant_broker import XtquantBroker  # noqa: E402

A, B = '110901.SH', '123901.SZ'
NUMBERS = {'open': 50, 'filled': 56, 'part_cancelled': 53, 'cancelled': 54, 'rejected': 57}


class Row(object):
    def __init__(self, **members):
        self.__dict__.update(members)


class Terminal(object):
    """XtQuantTrader and xtdata as their manuals have them, over a simulator."""

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
        return len(self.market.book)

    def cancel_order_stock(self, _account, number):
        self.market.cancel(number)
        return 0

    def get_full_tick(self, codes):
        quotes = dict((code, self.market.quote(code)) for code in codes)
        return dict((code, {'lastPrice': q.last, 'bidPrice': [q.bid, 0], 'askPrice': [q.ask, 0], 'stockStatus': 1 if q.halted else 0})
                    for code, q in quotes.items() if q)

    def get_instrument_detail(self, code):
        quote = self.market.quote(code)
        return {'UpStopPrice': quote.up, 'DownStopPrice': quote.down}


class Conformance(object):
    """Mixed into a TestCase that has `make(market)`."""

    def setUp(self):
        self.market = Simulator({A: 100.0, B: 120.0}, 50000.0)
        self.broker = self.make(self.market)

    def order(self, remark):
        return [one for one in self.broker.orders() if one.remark == remark][0]

    def test_an_order_is_found_by_its_remark_with_what_became_of_it(self):
        self.broker.place(A, 'buy', 100, 100.0, 'R1')
        one = self.order('R1')
        self.assertEqual((one.code, one.side, one.volume, one.filled, one.status, one.price), (A, 'buy', 100, 100, 'filled', 100.0))
        self.assertEqual(self.broker.positions(), {A: (100, 100)})
        self.assertAlmostEqual(self.broker.cash(), 40000.0)

    def test_a_part_is_told_as_a_part_and_can_be_taken_back(self):
        self.market.faults['partial'] = 1.0
        self.broker.place(A, 'buy', 100, 100.0, 'R1')
        one = self.order('R1')
        self.assertEqual((one.filled, one.status), (50, 'open'))
        self.broker.cancel(one.number)
        one = self.order('R1')
        self.assertEqual((one.filled, one.status), (50, 'part_cancelled'))

    def test_what_is_not_filled_is_open_and_cancelled_whole(self):
        self.market.halted.add(A)
        self.broker.place(A, 'buy', 100, 100.0, 'R1')
        self.assertEqual(self.order('R1').status, 'open')
        self.assertAlmostEqual(self.broker.cash(), 40000.0)
        self.broker.cancel(self.order('R1').number)
        self.assertEqual((self.order('R1').status, self.order('R1').filled), ('cancelled', 0))

    def test_too_much_is_rejected_with_a_reason(self):
        self.broker.place(A, 'buy', 1000, 100.0, 'R1')
        self.broker.place(A, 'sell', 10, 100.0, 'R2')
        self.assertEqual([(one.status, bool(one.note)) for one in self.broker.orders()], [('rejected', True)] * 2)

    def test_a_halt_a_limit_and_a_security_without_quote_are_told(self):
        self.market.halted.add(B)
        self.assertTrue(self.broker.quote(B).halted)
        quote = self.broker.quote(A)
        self.assertEqual((quote.last, quote.up, quote.down, quote.halted), (100.0, 120.0, 80.0, False))
        self.assertIsNone(self.broker.quote('999999.SH'))

    def test_shares_of_today_are_not_for_sale_where_the_market_says_so(self):
        self.market.settlement = 1
        self.broker.place(A, 'buy', 100, 100.0, 'R1')
        self.broker.orders()
        self.assertEqual(self.broker.positions(), {A: (100, 0)})

    def test_silence_is_said_and_an_answer_that_was_lost_leaves_the_order_where_it_can_be_found(self):
        self.market.faults['lost'] = 1.0
        self.assertRaises(BrokerAway, self.broker.place, A, 'buy', 100, 100.0, 'R1')
        self.assertEqual(self.order('R1').volume, 100)
        self.market.faults = {'away': 1.0}
        for call in (self.broker.positions, self.broker.cash, self.broker.orders):
            self.assertRaises(BrokerAway, call)
        self.assertRaises(BrokerAway, self.broker.quote, A)
        self.assertRaises(BrokerAway, self.broker.place, A, 'buy', 10, 100.0, 'R2')


class TheSimulator(Conformance, unittest.TestCase):
    def make(self, market):
        return market


class Xtquant(Conformance, unittest.TestCase):
    def make(self, market):
        terminal = Terminal(market)
        return XtquantBroker(terminal, 'account', terminal)


if __name__ == '__main__':
    unittest.main()
