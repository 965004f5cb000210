"""A whole market by DuckDB from Parquet into one days × securities array per field, as ours reads it from its own store.

usage: load_duckdb.py SHAPE.json — writes the Parquet file once, long form, a row for each traded security and day."""
import json
import os
import sys

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from turns import serve, timed

with open(sys.argv[1]) as file:
    shape = json.load(file)
rows, stride, count = shape["rows"], shape["stride"], shape["securities"]
keys = [field["key"] for field in shape["fields"]]


def stored(key, kind):
    parts = [np.fromfile(os.path.join(shape["folder"], f"{key}.{year['year']}.{kind}"), dtype={"f32": np.float32, "f64": np.float64, "u8": np.uint8}[kind]) for year in shape["years"]]
    return np.concatenate(parts).reshape(rows, stride)[:, :count]


def make(path):
    with open(os.path.join(shape["folder"], "dates.json")) as file:
        dates = np.array(json.load(file), dtype="datetime64[D]")
    with open(os.path.join(shape["folder"], "securities.json")) as file:
        codes = [security["code"] for security in json.load(file)]
    day, place = np.nonzero(stored("traded", "u8"))
    columns = {"date": pa.array(dates[day]), "code": pa.DictionaryArray.from_arrays(pa.array(place.astype(np.int32)), codes)}
    for field in shape["fields"]:
        columns[field["key"]] = pa.array(np.ascontiguousarray(stored(field["key"], field["store"]))[day, place])
    pq.write_table(pa.table(columns), path + ".new", compression="zstd")
    os.rename(path + ".new", path)


if not os.path.exists(shape["parquet"]):
    make(shape["parquet"])


def load(fields):
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    source = f"'{shape['parquet']}'"
    connection.execute(f"CREATE TYPE codes AS ENUM (SELECT code FROM (SELECT DISTINCT code FROM {source}) ORDER BY code)")
    names = ", ".join(f'"{key}"' for key in fields)
    told = connection.execute(f"SELECT date, enum_code(code::codes) AS place, {names} FROM {source}").fetchnumpy()
    dates, day = np.unique(told["date"], return_inverse=True)
    cell = day * count + told["place"].astype(np.int64)
    out = {}
    for key in fields:
        column = np.full(len(dates) * count, np.nan)
        column[cell] = told[key]
        out[key] = column.reshape(len(dates), count)
    return out


def answer(question):
    run, panel = timed(lambda: load(question["fields"]))
    if "to" in question:
        panel[question["field"]].tofile(question["to"])
    return run


serve(answer)
