"""Formulas in polars_ta: a long frame sorted by security and day, window functions over the security, cross-sections over the day."""
import numpy as np
import polars as pl
from polars_ta.prefix import wq

from programs import main


class PolarsTa:
    def __init__(self, panel):
        self.days, self.count = panel.days, panel.count
        self.codes = np.repeat(np.arange(panel.count, dtype=np.int32), panel.days)
        self.dates = np.tile(np.arange(panel.days, dtype=np.int32), panel.count)
        self.groups = {key: np.repeat(numbers, panel.days) for key, numbers in panel.groups.items()}

    def load(self, fields):
        columns = {key: np.ascontiguousarray(cells.T).reshape(-1) for key, cells in fields.items()}
        self.frame = pl.DataFrame({"code": self.codes, "date": self.dates, **self.groups, **columns}).with_columns(
            pl.col(list(columns)).fill_nan(None)
        )
        self.made = 0

    def field(self, key):
        return pl.col(key)

    def dense(self, value):
        cells = self.frame.select(value.cast(pl.Float64).fill_null(float("nan")).alias("value"))["value"].to_numpy()
        return np.ascontiguousarray(cells.reshape(self.count, self.days).T)

    def _column(self, expression):
        name = f"made {self.made}"
        self.made += 1
        self.frame = self.frame.with_columns(expression.alias(name))
        return pl.col(name)

    def _cells(self, expression): return self._column(expression)
    def _finite(self, expression): return self._column(pl.when(expression.is_finite()).then(expression))
    def _rolling(self, expression): return self._column(expression.over("code", order_by="date"))
    def _section(self, expression): return self._column(expression.over("date"))
    def _number(self, a): return a if isinstance(a, pl.Expr) else pl.lit(float(a))

    def add(self, a, b): return self._cells(a + b)
    def subtract(self, a, b): return self._cells(a - b)
    def multiply(self, a, b): return self._cells(a * b)
    def divide(self, a, b): return self._finite(a / b)
    def power(self, a, b): return self._finite(self._number(a) ** b)
    def negative(self, a): return -a
    def absolute(self, a): return self._cells(wq.abs_(a))
    def less(self, a, b): return self._cells((self._number(a) < b).cast(pl.Float64))
    def less_equal(self, a, b): return self._cells((self._number(a) <= b).cast(pl.Float64))
    def greater(self, a, b): return self._cells((self._number(a) > b).cast(pl.Float64))
    def greater_equal(self, a, b): return self._cells((self._number(a) >= b).cast(pl.Float64))
    def equal(self, a, b): return self._cells((self._number(a) == b).cast(pl.Float64))
    def either(self, a, b): return self._cells(((a != 0) | (b != 0)).cast(pl.Float64))
    def both(self, a, b): return self._cells(((a != 0) & (b != 0)).cast(pl.Float64))
    def choose(self, test, a, b): return self._cells(pl.when(test.is_null()).then(None).when(test != 0).then(a).otherwise(b))
    def larger(self, a, b): return self._cells(wq.max_(a, b))
    def smaller(self, a, b): return self._cells(wq.min_(a, b))
    def log(self, a): return self._finite(wq.log(a))
    def sign(self, a): return self._cells(wq.sign(a))
    def signed_power(self, a, b): return self._finite(wq.signed_power(a, b))

    def ref(self, a, n): return self._rolling(wq.ts_delay(a, n))
    def delta(self, a, n=1): return self._rolling(wq.ts_delta(a, n))
    def ts_sum(self, a, n): return self._rolling(wq.ts_sum(a, n))
    def ts_mean(self, a, n): return self._rolling(wq.ts_mean(a, n))
    def ts_std(self, a, n): return self._rolling(wq.ts_std_dev(a, n, ddof=1))
    def ts_min(self, a, n): return self._rolling(wq.ts_min(a, n))
    def ts_max(self, a, n): return self._rolling(wq.ts_max(a, n))
    def ts_rank(self, a, n): return self._rolling(wq.ts_rank(a, n))
    def ts_corr(self, a, b, n): return self._finite(self._rolling(wq.ts_corr(a, b, n)))
    def ts_cov(self, a, b, n): return self._rolling(wq.ts_covariance(a, b, n))
    def ts_prod(self, a, n): return self._rolling(wq.ts_product(a, n))
    def ts_decay(self, a, n): return self._rolling(wq.ts_decay_linear(a, n))
    def ts_argmax(self, a, n): return self._rolling(wq.ts_arg_max(a, n))
    def ts_argmin(self, a, n): return self._rolling(wq.ts_arg_min(a, n))
    def cs_rank(self, a): return self._section(wq.cs_rank(a))
    def cs_scale(self, a, to=1): return self._section(wq.cs_scale(a, to))
    def gp_demean(self, group, a): return self._column((a - a.mean()).over("date", group))


main(PolarsTa)
