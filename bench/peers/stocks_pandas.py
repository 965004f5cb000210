"""A rotation over all stocks in pandas: ranks of the rebalance days, then a loop over the days.

usage: stocks_pandas.py FOLDER
"""
import sys

import numpy as np
import pandas as pd

from panel_input import PanelInput
from turns import serve, timed

panel = PanelInput(sys.argv[1])
FIRST, EVERY, COUNT, RATE = 5, 5, 20, 0.001


def run(close, market_value, volume):
    days = np.arange(FIRST, len(close), EVERY)
    factors = [close / close.shift(5) - 1, market_value, volume]
    cost = sum(factor.iloc[days].rank(axis=1) for factor in factors)
    prices = close.to_numpy()
    held, cash, value = {}, 1.0, 1.0
    for day in range(FIRST, len(prices)):
        price = prices[day]
        if (day - FIRST) % EVERY == 0:
            equity = cash + sum(size * price[c] for c, size in held.items())
            chosen = cost.iloc[(day - FIRST) // EVERY].sort_values(kind="stable").index[:COUNT].tolist()
            target = equity / COUNT
            for c in list(held):
                worth, wanted = held[c] * price[c], target if c in chosen else 0.0
                if worth > wanted:
                    cash += (worth - wanted) * (1 - RATE)
                    if wanted == 0.0:
                        del held[c]
                    else:
                        held[c] = wanted / price[c]
            for c in chosen:
                buy = min(target - held.get(c, 0.0) * price[c], cash / (1 + RATE))
                if buy > 0:
                    held[c] = held.get(c, 0.0) + buy / price[c]
                    cash -= buy * (1 + RATE)
        value = cash + sum(size * price[c] for c, size in held.items())
    return value


def answer(question):
    close = pd.DataFrame(panel.moved_field("close", question["turn"]))
    others = [pd.DataFrame(panel.fields[key]) for key in ("total_mv", "vol")]
    took, last = timed(lambda: run(close, *others))
    return took | {"last": float(last)}


serve(answer)
