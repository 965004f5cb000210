"""The reference rotation in backtrader: one feed a security, orders to a target value filled at the close that they were made on.

usage: rotation_backtrader.py FILE.parquet CASE.json
The feeds are made once and not timed; a run reads them and goes day by day. Its broker takes each day's orders in the order they are sent:
ours, so the net values are those of the reference.
"""
import sys

import backtrader as bt
import numpy as np
import pandas as pd

from rotation_market import Market, chosen_of, read_case, told
from turns import serve, timed

market = Market(sys.argv[1], read_case(sys.argv[2]))
codes = list(market.whole.columns)
traded = market.traded.loc[market.days].to_numpy()
place = {code: at for at, code in enumerate(codes)}
leaves = market.leaving()


class Closes(bt.feeds.PandasData):
    params = (("datetime", None), ("open", -1), ("high", -1), ("low", -1), ("close", 0), ("volume", -1), ("openinterest", -1))


class Fractions(bt.CommInfoBase):
    params = (("stocklike", True), ("commtype", bt.CommInfoBase.COMM_PERC), ("percabs", True))


class Rotation(bt.Strategy):
    """Orders of a day are filled at its close when the next bar comes: `value_before` is that day's net value."""

    def __init__(self, orders, values):
        self.orders_of, self.values, self.number, self.held = orders, values, 0, {}

    def prenext(self):
        self.next()

    def next(self):
        if self.number > 0:
            self.values.append(self.broker.getcash() + sum(q.size * d.close[-1] for d, q in self.broker.positions.items() if q.size))
        day, self.number = self.number, self.number + 1
        if day >= len(market.days):
            return
        for at in leaves.get(day, ()):
            if self.getposition(self.datas[at]).size:
                self.close(data=self.datas[at])
        if day % market.every == 0:
            self.orders_of(self, day)


def run(close):
    factor = market.factor(close)
    order_of = {}
    pool = market.pool(factor)
    for day in range(0, len(market.days), market.every):
        at = market.days[day]
        ranked = factor.loc[at][pool.loc[at]].sort_index().sort_values(kind="stable").index
        order_of[day] = [place[code] for code in ranked]

    def orders(strategy, day):
        datas, count, rate = strategy.datas, market.count, market.rate
        out = set(leaves.get(day, ()))
        position = {at: strategy.getposition(data).size for at, data in enumerate(datas)}
        held = {at: size for at, size in position.items() if size}
        cash = strategy.broker.getcash() + sum(held.pop(at) * datas[at].close[0] * (1 - rate) for at in out & held.keys())
        equity = cash + sum(size * datas[at].close[0] for at, size in held.items())
        stuck = {at for at in held if not traded[day, at]}
        chosen = chosen_of(order_of[day], held, stuck, count, market.buffer)
        target = equity / count
        keeping = set(chosen)
        for at, size in held.items():
            value, wanted = size * datas[at].close[0], target if at in keeping else 0.0
            if at in stuck or value <= wanted:
                continue
            strategy.sell(data=datas[at], size=size if wanted == 0.0 else (value - wanted) / datas[at].close[0])
            cash += (value - wanted) * (1 - rate)
        for at in chosen:
            price = datas[at].close[0]
            buy = min(target - held.get(at, 0.0) * price, cash / (1 + rate))
            if buy > 1e-15:
                # A hair less, so that the broker's own sum of the same cash does not refuse the last of them.
                strategy.buy(data=datas[at], size=buy * (1 - 1e-12) / price)
                cash -= buy * (1 + rate)

    cerebro = bt.Cerebro(stdstats=False)
    cerebro.broker.setcash(1.0)
    cerebro.broker.set_coc(True)
    cerebro.broker.addcommissioninfo(Fractions(commission=market.rate))
    prices = close.ffill().bfill().loc[market.days[0] :].iloc[: len(market.days) + 1]
    if len(prices) == len(market.days):
        prices = pd.concat([prices, prices.iloc[[-1]].set_axis([prices.index[-1] + pd.Timedelta(days=1)])])
    for code in codes:
        cerebro.adddata(Closes(dataname=prices[[code]].rename(columns={code: "close"})))
    values = []
    cerebro.addstrategy(Rotation, orders, values)
    cerebro.run()
    return np.array(values)


def answer(question):
    close = market.closes(question["turn"])
    took, nav = timed(lambda: run(close))
    return took | told(nav)


serve(answer)
