"""The reference rotation in pandas, as a careful Python user would write it: pivot once, then a loop over days.

usage: pandas_rotation.py FILE.parquet CASE.json [REPEATS]
Prints one line of JSON: {"load_ms", "run_ms": [..], "nav_last", "nav_sum"} — nav_sum weighted by index, so that order matters.
The rules are those of an ideal run: signal and fill at the close, sells before buys, fractional quantities.
"""
import json
import sys
import time

import numpy as np
import pandas as pd


def load(path, kind):
    if kind == "cb":
        frame = pd.read_parquet(path, columns=["trade_date", "ts_code", "close", "conv_prem_pct", "is_listed", "is_traded"])
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
    close = wide("close")
    traded = wide("traded").eq(True)
    listed = wide("listed").eq(True)
    premium = wide("premium") if kind == "cb" else None
    if kind == "cb":
        close = close.where(listed)
    return close, traded, listed, premium


def run(close, traded, listed, premium, case):
    kind = case["kind"]
    hold = case["parameters"]["hold_method"]
    count, buffer = int(hold["hold_range_end"]), int(hold["hold_threshold"])
    every = case["parameters"]["rebalance_method"]["rebalance_value"]
    rate = case["settings"]["cost"]["buy_rate"]
    start, end = pd.Timestamp(case["settings"]["start_date"]), pd.Timestamp(case["settings"]["end_date"])
    carried = close.ffill()
    factor = close + 100 * premium if kind == "cb" else carried / carried.shift(5) - 1
    pool = traded & factor.notna()
    last = {}
    if kind == "cb":
        for code in close.columns:
            live = (traded[code] & listed[code]).to_numpy()
            if listed[code].iloc[-1] or not live.any():
                continue
            last[code] = close.index[np.flatnonzero(live)[-1]]
        for code, day in last.items():
            pool.loc[day, code] = False
    days = close.index[(close.index >= start) & (close.index <= end)]
    held, cash, nav = {}, 1.0, []
    for number, day in enumerate(days):
        price, trades = carried.loc[day], traded.loc[day]
        for code in [c for c in held if last.get(c) == day]:
            cash += held.pop(code) * price[code] * (1 - rate)
        if number % every == 0:
            equity = cash + sum(q * price[c] for c, q in held.items())
            values = factor.loc[day][pool.loc[day]]
            rank = values.rank().sort_index()
            order = rank.sort_values(kind="stable").index.tolist()
            stuck = [c for c in held if not trades[c]]
            place = {c: i + 1 for i, c in enumerate(order)}
            kept = sorted((c for c in held if c in place and place[c] <= count + buffer and c not in stuck), key=place.get)[:count] if buffer else []
            chosen = kept + [c for c in order if c not in kept and c not in stuck][: count - len(kept)]
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
    path, case_path = sys.argv[1], sys.argv[2]
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    case = json.load(open(case_path))
    began = time.perf_counter()
    panel = load(path, case["kind"])
    load_ms = (time.perf_counter() - began) * 1000
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        nav = run(*panel, case)
        times.append((time.perf_counter() - began) * 1000)
    print(json.dumps({
        "load_ms": load_ms,
        "run_ms": times,
        "nav_last": nav[-1],
        "nav_sum": float((nav * np.arange(1, len(nav) + 1)).sum()),
        "max_difference": float(np.abs(nav - np.array(case["nav"])).max()),
    }))


main()
