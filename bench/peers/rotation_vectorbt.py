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


def targets(market, cost, pool, leaves, count, buffer):
    """Wanted shares of equity by security and day of the range, NaN = no order."""
    rows = slice(market.first, market.first + len(market.days))
    cost, pool, traded = (table.to_numpy()[rows] for table in (cost, pool, market.traded))
    size = np.full(cost.shape, np.nan)
    held = set()
    for day in range(len(size)):
        for code in leaves.get(day, ()):
            if code in held:
                held.discard(code)
                size[day, code] = 0.0
        if day % market.every:
            continue
        members = np.flatnonzero(pool[day])
        order = members[np.argsort(cost[day, members], kind="stable")].tolist()
        stuck = {c for c in held if not traded[day, c]}
        chosen = chosen_of(order, held, stuck, count, buffer)
        size[day, [c for c in held if c not in stuck]] = 0.0
        size[day, chosen] = 1 / count
        held = set(chosen) | stuck
    return size


def rotate(market, carried, sizes):
    """Net values of one run for each table of targets, all in one call of its simulator."""
    prices = carried.iloc[market.first : market.first + len(market.days)]
    used = [np.flatnonzero(~np.isnan(size).all(axis=0)) for size in sizes]
    groups = np.repeat(np.arange(len(sizes)), [len(columns) for columns in used])
    wide = prices.iloc[:, np.concatenate(used)]
    wide.columns = np.arange(wide.shape[1])
    size = np.concatenate([size[:, columns] for size, columns in zip(sizes, used)], axis=1)
    portfolio = vbt.Portfolio.from_orders(
        wide, size, size_type="targetpercent", fees=market.rate, init_cash=1.0,
        group_by=groups, cash_sharing=True, call_seq="auto", freq="1D",
    )
    return portfolio.value().to_numpy().reshape(len(prices), len(sizes))


def main():
    market = Market(sys.argv[1], read_case(sys.argv[2]))
    leaves = market.leaving()

    def run(close):
        factor = market.factor(close)
        size = targets(market, factor, market.pool(factor), leaves, market.count, market.buffer)
        return rotate(market, close.ffill(), [size])[:, 0]

    def answer(question):
        close = market.closes(question["turn"])
        took, nav = timed(lambda: run(close))
        return took | told(nav)

    serve(answer)


if __name__ == "__main__":
    main()
