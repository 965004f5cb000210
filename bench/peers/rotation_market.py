"""A reference rotation's market as its peers read it: wide tables of days × codes, pivoted once, and what the rules say of each day."""
import json

import numpy as np
import pandas as pd


def read_case(path):
    with open(path) as file:
        return json.load(file)


class Market:
    """Closes, who trades, and the factor that the case ranks by. A turn moves one day's closes, as ours does."""

    def __init__(self, path, case):
        kind = case["kind"]
        if kind == "cb":
            columns = ["trade_date", "ts_code", "close", "conv_prem_pct", "is_listed", "is_traded", *case.get("fields", ())]
            frame = pd.read_parquet(path, columns=list(dict.fromkeys(columns)))
            frame["premium"] = frame["conv_prem_pct"] / 100
            frame["listed"] = frame["is_listed"].astype(bool)
            frame["traded"] = frame["is_traded"].astype(bool) & frame["listed"]
        else:
            frame = pd.read_parquet(path)
            frame["close"] = frame["close_e4"] / 10000
            frame["listed"] = True
            frame["traded"] = True
        frame = frame.rename(columns={"trade_date": "date", "ts_code": "code"})
        frame["date"] = pd.to_datetime(frame["date"])
        frame["code"] = frame["code"].astype(str)
        wide = lambda column: frame.pivot(index="date", columns="code", values=column).sort_index(axis=0).sort_index(axis=1)
        self.kind = kind
        self.traded = wide("traded").eq(True)
        self.listed = wide("listed").eq(True)
        self.whole = wide("close").where(self.listed)
        self.premium = wide("premium") if kind == "cb" else None
        self.fields = {field: wide(field) for field in case.get("fields", ())}
        hold = case["parameters"]["hold_method"]
        self.count, self.buffer = int(hold["hold_range_end"]), int(hold["hold_threshold"])
        self.every = case["parameters"]["rebalance_method"]["rebalance_value"]
        self.rate = case["settings"]["cost"]["buy_rate"]
        days = self.whole.index
        start, end = pd.Timestamp(case["settings"]["start_date"]), pd.Timestamp(case["settings"]["end_date"])
        self.days = days[(days >= start) & (days <= end)]
        self.first = int(days.searchsorted(start))
        self.last_day = self._last_days() if kind == "cb" else {}

    def closes(self, turn):
        """The closes of a turn; −1 = as they are in the file."""
        if turn < 0:
            return self.whole
        close = self.whole.copy()
        close.iloc[len(close) - 20 - turn % 10] *= 1 + (turn + 1) * 1e-9
        return close

    def factor(self, close):
        if self.kind == "cb":
            return close + 100 * self.premium
        carried = close.ffill()
        return carried / carried.shift(5) - 1

    def pool(self, factor):
        pool = self.traded & factor.notna()
        for code, day in self.last_day.items():
            pool.loc[day, code] = False
        return pool

    def _last_days(self):
        last = {}
        for code in self.whole.columns:
            live = (self.traded[code] & self.listed[code]).to_numpy()
            if not self.listed[code].iloc[-1] and live.any():
                last[code] = self.whole.index[np.flatnonzero(live)[-1]]
        return last


    def leaving(self):
        """By day of the range: the columns of those whose last day it is."""
        columns = {code: at for at, code in enumerate(self.whole.columns)}
        leaving = {}
        for code, day in self.last_day.items():
            leaving.setdefault(int(self.whole.index.searchsorted(day)) - self.first, []).append(columns[code])
        return leaving


def chosen_of(order, held, stuck, count, buffer):
    """Who is held after a ranking: those kept by place, then the newcomers (reference rule 5)."""
    place = {code: at for at, code in enumerate(order, 1)}
    kept = sorted((c for c in held if c in place and place[c] <= count + buffer and c not in stuck), key=place.get)[:count] if buffer else []
    keeping = set(kept)
    free = (c for c in order if c not in keeping and c not in stuck)
    return kept + [code for _, code in zip(range(count - len(kept)), free)]


def told(nav):
    """What says that two runs are the same: the last value and a sum weighted by place, so that another order is another sum."""
    return {"last": float(nav[-1]), "sum": float((nav * np.arange(1, len(nav) + 1)).sum())}
