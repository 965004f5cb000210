"""Mean rank IC of a factor at some horizons in pandas: ranks by day, correlations row by row.

usage: binning_pandas.py FOLDER
"""
import sys

import pandas as pd

from panel_input import PanelInput
from turns import serve, timed

panel = PanelInput(sys.argv[1])
FIRST = 5


def run(close, horizons):
    factor = close / close.shift(5) - 1
    told = []
    for horizon in horizons:
        forward = (close.shift(-horizon) / close - 1).iloc[FIRST : len(close) - horizon]
        ranks = factor.loc[forward.index].where(forward.notna()).rank(axis=1)
        told.append(float(ranks.corrwith(forward.where(ranks.notna()).rank(axis=1), axis=1).mean()))
    return told


def answer(question):
    close = pd.DataFrame(panel.moved_field("close", question["turn"]))
    took, rank_ic = timed(lambda: run(close, question["horizons"]))
    return took | {"rank_ic": rank_ic}


serve(answer)
