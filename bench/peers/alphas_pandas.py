"""Formulas in pandas, wide form (days × securities), as a careful Python user would write them: rolling methods where pandas has them,
sums of shifted frames or sliding windows where it has not. An absent operand gives an absent result, infinities are absent."""
import numpy as np
import pandas as pd
from numpy.lib.stride_tricks import sliding_window_view

from programs import main

ABSENT = float("nan")


def finite(frame):
    return frame.where(np.isfinite(frame.to_numpy()))


def known(result, *operands):
    """Comparisons of what is absent are absent."""
    absent = np.zeros(result.shape, dtype=bool)
    for operand in operands:
        if isinstance(operand, pd.DataFrame):
            absent |= np.isnan(operand.to_numpy())
    return result.astype(float).mask(absent)


class Pandas:
    def __init__(self, panel):
        self.groups = panel.groups

    def load(self, fields):
        self.fields = {key: pd.DataFrame(cells) for key, cells in fields.items()}

    def field(self, key):
        return self.fields[key]

    def dense(self, value):
        return value.to_numpy()

    def add(self, a, b): return a + b
    def subtract(self, a, b): return a - b
    def multiply(self, a, b): return a * b
    def divide(self, a, b): return finite(a / b)
    def power(self, a, b): return finite(a**b)
    def negative(self, a): return -a
    def absolute(self, a): return abs(a)
    def less(self, a, b): return known(a < b, a, b)
    def less_equal(self, a, b): return known(a <= b, a, b)
    def greater(self, a, b): return known(a > b, a, b)
    def greater_equal(self, a, b): return known(a >= b, a, b)
    def equal(self, a, b): return known(a == b, a, b)
    def either(self, a, b): return known((a != 0) | (b != 0), a, b).mask((a == 1) | (b == 1), 1.0)
    def both(self, a, b): return known((a != 0) & (b != 0), a, b).mask((a == 0) | (b == 0), 0.0)

    def choose(self, test, a, b):
        cells = np.where(test.to_numpy() != 0, self._cells(a), self._cells(b))
        return pd.DataFrame(np.where(np.isnan(test.to_numpy()), ABSENT, cells))

    @staticmethod
    def _cells(value):
        return value.to_numpy() if isinstance(value, pd.DataFrame) else value

    def larger(self, a, b): return pd.DataFrame(np.maximum(a.to_numpy(), b.to_numpy()))
    def smaller(self, a, b): return pd.DataFrame(np.minimum(a.to_numpy(), b.to_numpy()))
    def log(self, a): return finite(np.log(a.where(a > 0)))
    def sign(self, a): return np.sign(a)
    def signed_power(self, a, b): return finite(np.sign(a) * a.abs() ** b)

    def ref(self, a, n): return a.shift(n)
    def delta(self, a, n=1): return a - a.shift(n)
    def ts_sum(self, a, n): return a.rolling(n).sum()
    def ts_mean(self, a, n): return a.rolling(n).mean()
    def ts_std(self, a, n): return a.rolling(n).std()
    def ts_min(self, a, n): return a.rolling(n).min()
    def ts_max(self, a, n): return a.rolling(n).max()
    def ts_rank(self, a, n): return a.rolling(n).rank(pct=True)
    def ts_corr(self, a, b, n): return finite(a.rolling(n).corr(b))
    def ts_cov(self, a, b, n): return a.rolling(n).cov(b)

    def ts_prod(self, a, n):
        result = a
        for k in range(1, n):
            result = result * a.shift(k)
        return result

    def ts_decay(self, a, n):
        result = a * n
        for k in range(1, n):
            result = result + a.shift(k) * (n - k)
        return result / (n * (n + 1) / 2)

    def ts_argmax(self, a, n): return self._since(a, n, np.argmax)
    def ts_argmin(self, a, n): return self._since(a, n, np.argmin)

    @staticmethod
    def _since(a, n, of):
        cells = a.to_numpy()
        out = np.full(cells.shape, ABSENT)
        if len(cells) >= n:
            windows = sliding_window_view(cells, n, axis=0)[:, :, ::-1]
            out[n - 1 :] = np.where(np.isnan(windows).any(axis=2), ABSENT, of(windows, axis=2))
        return pd.DataFrame(out)

    def cs_rank(self, a): return a.rank(axis=1, pct=True)
    def cs_scale(self, a, to=1): return finite(a.mul(to).div(a.abs().sum(axis=1), axis=0))
    def gp_demean(self, group, a): return a - a.T.groupby(self.groups[group]).transform("mean").T


main(Pandas)
