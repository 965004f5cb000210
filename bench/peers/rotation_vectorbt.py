"""The reference rotation with vectorbt: ranks and selections in numpy, its compiled simulator for the orders.

usage: rotation_vectorbt.py FILE.parquet CASE.json
Target weights by security and day go to Portfolio.from_orders with shared cash, sells first. It buys in the order of the amounts where
ours buys in the order of the ranking, so who is short of the last cents differs, and it takes the equity before the forced sales of the day.
"""
import sys

import numpy as np
import vectorbt as vbt

from rotation_market import Market, chosen_of, read_case, told
from turns import serve, timed

market = Market(sys.argv[1], read_case(sys.argv[2]))
codes = {code: at for at, code in enumerate(market.whole.columns)}
rows = slice(market.first, market.first + len(market.days))
traded = market.traded.to_numpy()[rows]
leaves = {}
for code, day in market.last_day.items():
    leaves.setdefault(int(market.whole.index.searchsorted(day)) - market.first, []).append(codes[code])


def targets(factor, pool):
    size = np.full(factor.shape, np.nan)
    held = set()
    for day in range(len(size)):
        for code in leaves.get(day, ()):
            if code in held:
                held.discard(code)
                size[day, code] = 0.0
        if day % market.every:
            continue
        members = np.flatnonzero(pool[day])
        order = members[np.argsort(factor[day, members], kind="stable")].tolist()
        stuck = {c for c in held if not traded[day, c]}
        chosen = chosen_of(order, held, stuck, market.count, market.buffer)
        gone = [c for c in held if c not in stuck]
        size[day, gone] = 0.0
        size[day, chosen] = 1 / market.count
        held = set(chosen) | stuck
    return size


def run(close):
    factor = market.factor(close)
    pool = market.pool(factor).to_numpy()[rows]
    size = targets(factor.to_numpy()[rows], pool)
    prices = close.ffill().iloc[rows]
    used = np.flatnonzero(~np.isnan(size).all(axis=0))
    portfolio = vbt.Portfolio.from_orders(
        prices.iloc[:, used], size[:, used], size_type="targetpercent", fees=market.rate, init_cash=1.0,
        group_by=True, cash_sharing=True, call_seq="auto", freq="1D",
    )
    return portfolio.value().to_numpy()


def answer(question):
    close = market.closes(question["turn"])
    took, nav = timed(lambda: run(close))
    return took | told(nav)


serve(answer)
