"""The reference rotation in pandas, as a careful Python user would write it: pivoted once, then a loop over days.

usage: rotation_pandas.py FILE.parquet CASE.json
The rules are those of an ideal run: signal and fill at the close, sells before buys, fractional quantities.
"""
import sys

import numpy as np

from rotation_market import Market, chosen_of, read_case, told
from turns import serve, timed


def rotate(market, carried, cost, pool, count, buffer):
    """Net values of holding the `count` of lowest cost; those held stay within `buffer` places more."""
    rate, last = market.rate, market.last_day
    held, cash, nav = {}, 1.0, []
    for number, day in enumerate(market.days):
        price, trades = carried.loc[day], market.traded.loc[day]
        for code in [c for c in held if last.get(c) == day]:
            cash += held.pop(code) * price[code] * (1 - rate)
        if number % market.every == 0:
            equity = cash + sum(q * price[c] for c, q in held.items())
            order = cost.loc[day][pool.loc[day]].sort_index().sort_values(kind="stable").index.tolist()
            stuck = [c for c in held if not trades[c]]
            chosen = chosen_of(order, held, stuck, count, buffer)
            target = equity / count
            for code in list(held):
                if code in stuck:
                    continue
                value = held[code] * price[code]
                wanted = target if code in chosen else 0.0
                if value > wanted:
                    cash += (value - wanted) * (1 - rate)
                    if wanted == 0.0:
                        del held[code]
                    else:
                        held[code] = wanted / price[code]
            for code in chosen:
                value = held.get(code, 0.0) * price[code]
                buy = min(target - value, cash / (1 + rate))
                if buy > 0:
                    held[code] = held.get(code, 0.0) + buy / price[code]
                    cash -= buy * (1 + rate)
        nav.append(cash + sum(q * price[c] for c, q in held.items()))
    return np.array(nav)


def main():
    market = Market(sys.argv[1], read_case(sys.argv[2]))

    def run(close):
        factor = market.factor(close)
        return rotate(market, close.ffill(), factor, market.pool(factor), market.count, market.buffer)

    def answer(question):
        close = market.closes(question["turn"])
        took, nav = timed(lambda: run(close))
        return took | told(nav)

    serve(answer)


if __name__ == "__main__":
    main()
