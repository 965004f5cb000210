# -*- coding: utf-8 -*-
"""What every broker must do: the simulator, and xtquant and the big terminal on stand-ins of theirs, pass the same."""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), HERE]

from convexa_qmt.broker import BrokerAway, NotSent, Position  # noqa: E402
from convexa_qmt.simulator import Simulator  # noqa: E402
from terminals import MAKERS, Row  # noqa: E402

A, B = '110901.SH', '123901.SZ'

class Conformance(object):
    """Mixed into a TestCase that names its `maker`."""

    # Whether placing an order is answered at all: the big terminal's is not.
    answered = True

    def setUp(self):
        self.market = Simulator({A: 100.0, B: 120.0}, 50000.0)
        self.broker = MAKERS[self.maker](self.market)

    def order(self, remark):
        return [one for one in self.broker.orders() if one.remark == remark][0]

    def test_an_order_is_found_by_its_remark_with_what_became_of_it(self):
        self.broker.place(A, 'buy', 100, 100.0, 'R1')
        one = self.order('R1')
        self.assertEqual((one.code, one.side, one.volume, one.filled, one.status, one.price), (A, 'buy', 100, 100, 'filled', 100.0))
        self.assertEqual([(t.remark, t.code, t.side, t.volume, t.price) for t in self.broker.trades()], [('R1', A, 'buy', 100, 100.0)])
        self.assertEqual(self.broker.positions(), {A: Position(100, 100, 0.0, 0.0)})
        self.assertAlmostEqual(self.broker.account().cash, 40000.0)

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
        self.assertAlmostEqual(self.broker.account().cash, 40000.0)
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
        self.assertEqual((quote.last, quote.up, quote.down, quote.halted, quote.before), (100.0, 120.0, 80.0, False, 100.0))
        self.assertIsNone(self.broker.quote('999999.SH'))

    def test_shares_of_today_are_not_for_sale_where_the_market_says_so(self):
        self.market.settlement = 1
        self.broker.place(A, 'buy', 100, 100.0, 'R1')
        self.broker.orders()
        self.assertEqual(self.broker.positions(), {A: Position(100, 0, 0.0, 0.0)})

    def test_silence_is_said_and_an_answer_that_was_lost_leaves_the_order_where_it_can_be_found(self):
        self.market.faults['lost'] = 1.0
        if self.answered:
            self.assertRaises(BrokerAway, self.broker.place, A, 'buy', 100, 100.0, 'R1')
        else:
            self.broker.place(A, 'buy', 100, 100.0, 'R1')
        self.assertEqual(self.order('R1').volume, 100)
        self.market.faults = {'away': 1.0}
        for call in (self.broker.positions, self.broker.account, self.broker.orders, self.broker.trades):
            self.assertRaises(BrokerAway, call)
        self.assertRaises(BrokerAway, self.broker.quote, A)
        self.assertRaises(BrokerAway, self.broker.place, A, 'buy', 10, 100.0, 'R2')


class TheSimulator(Conformance, unittest.TestCase):
    maker = 'simulator'


class SeveralRows(object):
    """Mixed in where a security may stand in several rows of the list of positions."""

    def test_positions_of_several_securities_accounts_are_summed_and_a_row_that_is_listed_twice_counts_once(self):
        rows = [('a', 100, 60, 100.0, 10100.0), ('b', 300, 300, 102.0, 30300.0), ('b', 300, 300, 102.0, 30300.0), ('a', 0, 0, 0.0, 0.0)]
        self.list(rows)
        self.assertEqual(self.broker.positions(), {A: Position(400, 360, 101.5, 40400.0)})
        # What one of them does not tell is not known of the whole.
        self.list([('a', 100, 60, 0.0, 10100.0), ('b', 300, 300, 102.0, 0.0)])
        self.assertEqual(self.broker.positions(), {A: Position(400, 360, 0.0, 0.0)})


class Xtquant(SeveralRows, Conformance, unittest.TestCase):
    maker = 'xtquant'

    def list(self, rows):
        self.broker.account()
        self.broker._trader.query_stock_positions = lambda _account: [
            Row(stock_code=A, secu_account=holder, volume=volume, can_use_volume=saleable, open_price=cost, market_value=value)
            for holder, volume, saleable, cost, value in rows]


class BigTerminal(SeveralRows, Conformance, unittest.TestCase):
    maker = 'passorder'
    answered = False

    def list(self, rows):
        real = self.broker._terminal.get_trade_detail_data
        self.broker._terminal.get_trade_detail_data = lambda account, kind, what: real(account, kind, what) if what != 'position' else [
            Row(m_strInstrumentID=A[:6], m_strExchangeID=A[7:], m_strStockHolder=holder, m_nVolume=volume, m_nCanUseVolume=saleable, m_dOpenPrice=cost,
                m_dInstrumentValue=value) for holder, volume, saleable, cost, value in rows]

    def test_a_terminal_that_lost_its_login_is_away_and_has_no_empty_account(self):
        self.market.faults['away'] = 1.0
        self.assertEqual(self.broker._terminal.get_trade_detail_data('account', 'STOCK', 'order'), [])
        self.assertRaises(BrokerAway, self.broker.orders)

    def test_a_terminal_without_a_login_is_certain_that_it_was_sent_nothing(self):
        self.market.faults['away'] = 1.0
        self.assertRaises(NotSent, self.broker.place, A, 'buy', 10, 100.0, 'R1')
        self.assertEqual(self.market.sent, [])

    def test_an_order_that_has_no_number_yet_is_not_cancelled(self):
        self.broker.cancel('')

    def test_a_margin_account_buys_and_sells_as_collateral(self):
        self.broker = MAKERS['passorder'](self.market, None, 'CREDIT')
        self.broker.place(A, 'buy', 100, 100.0, 'R1')
        self.broker.place(A, 'sell', 50, 100.0, 'R2')
        self.assertEqual([one.side for one in self.broker.orders()], ['buy', 'sell'])


if __name__ == '__main__':
    unittest.main()
