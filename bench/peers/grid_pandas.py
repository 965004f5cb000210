"""Cells of a grid in pandas: ranks once for all, each cell a loop over days.

usage: grid_pandas.py FILE.parquet CASE.json
"""
from grid_market import MARKET, cost, ranks
from rotation_pandas import rotate
from turns import serve, timed


def run(close, cells):
    ranked, pool = ranks(close)
    carried = close.ffill()
    return [float(rotate(MARKET, carried, cost(ranked, cell["weights"]), pool, cell["hold"], cell["buffer"])[-1]) for cell in cells]


def answer(question):
    close = MARKET.closes(question["turn"])
    took, last = timed(lambda: run(close, question["cells"]))
    return took | {"last": last}


serve(answer)
