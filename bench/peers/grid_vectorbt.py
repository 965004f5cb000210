"""Cells of a grid with vectorbt: ranks once for all, targets cell by cell in numpy, all cells in one call of its simulator.

usage: grid_vectorbt.py FILE.parquet CASE.json
"""
from grid_market import MARKET, cost, ranks
from rotation_vectorbt import rotate, targets
from turns import serve, timed

leaves = MARKET.leaving()


def run(close, cells):
    ranked, pool = ranks(close)
    known = {}
    sizes = []
    for cell in cells:
        key = tuple(cell["weights"])
        if key not in known:
            known[key] = cost(ranked, cell["weights"]).reindex(close.index)
        sizes.append(targets(MARKET, known[key], pool, leaves, cell["hold"], cell["buffer"]))
    return rotate(MARKET, close.ffill(), sizes)[-1].tolist()


def answer(question):
    close = MARKET.closes(question["turn"])
    took, last = timed(lambda: run(close, question["cells"]))
    return took | {"last": last}


serve(answer)
