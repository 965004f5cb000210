"""Formulas in alpha-lib (PyPI: py-alpha-lib): flat arrays, security after security; windows must be full, as ours."""
import alpha
import numpy as np

from programs import main

np.seterr(all="ignore")


def finite(cells):
    return np.where(np.isfinite(cells), cells, np.nan)


def known(result, *operands):
    absent = np.zeros(result.shape, dtype=bool)
    for operand in operands:
        absent |= np.isnan(operand)
    return np.where(absent, np.nan, result)


class AlphaLib:
    def __init__(self, panel):
        self.days, self.count = panel.days, panel.count
        self.groups = {key: np.repeat(numbers, panel.days).astype(float) for key, numbers in panel.groups.items()}
        alpha.set_ctx(groups=panel.count, flags=alpha.FLAG_STRICTLY_CYCLE)

    def load(self, fields):
        self.fields = {key: np.ascontiguousarray(cells.T).reshape(-1) for key, cells in fields.items()}

    def field(self, key):
        return self.fields[key]

    def dense(self, value):
        return np.ascontiguousarray(value.reshape(self.count, self.days).T)

    def add(self, a, b): return a + b
    def subtract(self, a, b): return a - b
    def multiply(self, a, b): return a * b
    def divide(self, a, b): return finite(a / b)
    def power(self, a, b): return finite(np.power(a, b))
    def negative(self, a): return -a
    def absolute(self, a): return np.abs(a)
    def less(self, a, b): return known(a < b, a, b)
    def less_equal(self, a, b): return known(a <= b, a, b)
    def greater(self, a, b): return known(a > b, a, b)
    def greater_equal(self, a, b): return known(a >= b, a, b)
    def equal(self, a, b): return known(a == b, a, b)
    def either(self, a, b): return np.where((a == 1) | (b == 1), 1.0, known((a != 0) | (b != 0), a, b))
    def both(self, a, b): return np.where((a == 0) | (b == 0), 0.0, known((a != 0) & (b != 0), a, b))
    def choose(self, test, a, b): return np.where(np.isnan(test), np.nan, np.where(test != 0, a, b))
    def larger(self, a, b): return np.maximum(a, b)
    def smaller(self, a, b): return np.minimum(a, b)
    def log(self, a): return finite(np.log(a))
    def sign(self, a): return np.sign(a)
    def signed_power(self, a, b): return finite(np.sign(a) * np.power(np.abs(a), b))

    def ref(self, a, n): return alpha.REF(a, n)
    def delta(self, a, n=1): return a - alpha.REF(a, n)
    def ts_sum(self, a, n): return alpha.SUM(a, n)
    def ts_mean(self, a, n): return alpha.MA(a, n)
    def ts_std(self, a, n): return alpha.STDDEV(a, n)
    def ts_min(self, a, n): return alpha.LLV(a, n)
    def ts_max(self, a, n): return alpha.HHV(a, n)
    def ts_rank(self, a, n): return alpha.RANK(a, n) / n
    def ts_corr(self, a, b, n): return finite(alpha.CORR2(a, b, n))
    def ts_cov(self, a, b, n): return alpha.COV(a, b, n)
    def ts_prod(self, a, n): return alpha.PRODUCT(a, n)
    def ts_decay(self, a, n): return alpha.LWMA(a, n)
    def ts_argmax(self, a, n): return alpha.HHVBARS(a, n)
    def ts_argmin(self, a, n): return alpha.LLVBARS(a, n)
    def cs_rank(self, a): return alpha.CC_RANK(a)
    def gp_demean(self, group, a): return alpha.NEUTRALIZE(self.groups[group], a)

    def cs_scale(self, a, to=1):
        cells = a.reshape(self.count, self.days)
        return finite((to * cells / np.nansum(np.abs(cells), axis=0)).reshape(-1))


main(AlphaLib)
