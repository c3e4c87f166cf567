"""Tables of every type through every pair of formats, with and without expressions that use the columns.

usage: every_type.py GRISTMILL FOLDER

What comes out is compared with what pyarrow and NumPy read: values bit for bit, types, and where values are missing.
"""

import csv
import datetime
import decimal
import itertools
import math
import pathlib
import struct
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

GRISTMILL, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
utc = datetime.timezone.utc
moments = [datetime.datetime(1969, 12, 31, 23, 59, 59, 123456, utc), None, datetime.datetime(2024, 2, 29, tzinfo=utc)]

# Three rows each: extremes, and a missing value in the middle.
COLUMNS = {
    **{f"int{b}": pa.array([-(2 ** (b - 1)), None, 2 ** (b - 1) - 1], getattr(pa, f"int{b}")()) for b in (8, 16, 32, 64)},
    **{f"uint{b}": pa.array([0, None, 2**b - 1], getattr(pa, f"uint{b}")()) for b in (8, 16, 32, 64)},
    "id": pa.array([9007199254740993, None, -9007199254740993]),
    "float32": pa.array([0.1, None, -0.0], pa.float32()),
    "float64": pa.array([0.1, None, 1 / 3]),
    "special": pa.array([math.nan, math.inf, -math.inf]),
    "zero": pa.array([-0.0, None, 5e-324]),
    "large": pa.array([1.7976931348623157e308, None, 2.2250738585072014e-308]),
    "bool": pa.array([True, None, False]),
    "text": pa.array(['a "quoted", word', None, "two\nlines"]),
    "na": pa.array(["NA", None, ""]),
    "code": pa.array(["007", None, "grüße, 東京"]),
    "date": pa.array([datetime.date(1969, 12, 31), None, datetime.date(2024, 2, 29)]),
    "moment": pa.array(moments, pa.timestamp("us", "Europe/Rome")),
    "local": pa.array([None if m is None else m.replace(tzinfo=None) for m in moments], pa.timestamp("ns")),
    "decimal": pa.array([decimal.Decimal("-0.10"), None, decimal.Decimal("12345678901234567890.12")], pa.decimal128(30, 2)),
    "seconds": pa.array([None if m is None else m.replace(microsecond=0, tzinfo=None) for m in moments], pa.timestamp("s")),
    "clock": pa.array([datetime.time(1, 2, 3), None, datetime.time(23, 59, 59)], pa.time32("s")),
    "time": pa.array([datetime.time(1, 2, 3, 4), None, datetime.time(23, 59, 59, 999999)], pa.time64("us")),
    "date64": pa.array([datetime.date(1969, 12, 31), None, datetime.date(2024, 2, 29)], pa.date64()),
    "duration": pa.array([datetime.timedelta(microseconds=-1), None, datetime.timedelta(days=3)], pa.duration("us")),
    "half": pa.array([np.float16(0.1), None, np.float16(-65504)], pa.float16()),
    "large_text": pa.array(["a,b", None, "c"], pa.large_string()),
    "view": pa.array(["short", None, "longer than twelve bytes"], pa.string_view()),
    "binary": pa.array([b"a\x01", None, b""]),
    "list": pa.array([[1, None], None, []], pa.list_(pa.int64())),
    "struct": pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": ""}]),
    "dictionary": pa.array(["a", None, ""]).dictionary_encode(),
    "none": pa.array([None, None, None], pa.string()),
}
NOT_NUMBERS = "text na code date moment local seconds clock time date64 duration large_text view binary list struct dictionary none"
COMPUTABLE = [n for n in COLUMNS if n not in NOT_NUMBERS.split() and n != "half"]
# Parquet has no seconds, no dates in milliseconds and no dictionaries of its own: the type is the next one that it has.
OTHER_TYPE_IN_PARQUET = ["seconds", "clock", "date64", "dictionary"]
# Text says them in a way that has no one type: they are compared between typed formats only.
NOT_IN_TEXT = ["duration", "binary", "list", "struct"]
failures = []
runs = 0


def write(table, path):
    {".parquet": pq.write_table, ".arrow": lambda t, p: feather.write_feather(t, p, compression="uncompressed")}[
        path.suffix
    ](table, path)


def read(path):
    return pq.read_table(path) if path.suffix == ".parquet" else feather.read_table(path)


def evaluate(source, target, used):
    """The table with one more column, `result`."""
    global runs
    runs += 1
    expression = " | ".join(["FALSE"] + [f"is.na({name})" for name in used])
    command = [GRISTMILL, "eval", "-q", f"result = {expression}", str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, text=True)
    check(done.returncode == 0, f"{source.name} to {target.name}: {done.stderr}")
    return done.returncode == 0


def check(right, what):
    if not right:
        failures.append(what)


def bits(value):
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack("<d", value)
    return value


def same(found, expected, what, types=True):
    check(not types or found.type == expected.type, f"{what}: type {found.type}, not {expected.type}")
    found, expected = [[bits(v) for v in column.to_pylist()] for column in (found, expected)]
    check(found == expected, f"{what}: {found}, not {expected}")


def same_in_text(field, value, column, what):
    """A field of a text file, as Python's csv module sees it."""
    if value is None:
        return check(field == "", f"{what}: `{field}`, not missing")
    kind = column.type
    if pa.types.is_boolean(kind):
        right = field == str(value).upper()
    elif pa.types.is_integer(kind):
        right = int(field) == value
    elif pa.types.is_floating(kind):
        width = {pa.float16(): np.float16, pa.float32(): np.float32}.get(kind, np.float64)
        right = bits(float(width(field))) == bits(value)
    elif pa.types.is_decimal(kind):
        right = decimal.Decimal(field) == value
    elif pa.types.is_date(kind):
        right = datetime.datetime.fromisoformat(field).date() == value
    elif pa.types.is_time(kind):
        right = datetime.time.fromisoformat(field) == value
    elif pa.types.is_timestamp(kind):
        right = datetime.datetime.fromisoformat(field) == value
    else:
        right = field == value
    check(right, f"{what}: `{field}`, not {value!r}")


def typed_from_text(column):
    """What a text column of these values is in a typed file."""
    kind = column.type
    if pa.types.is_integer(kind):
        needs_all_bits = any(v is not None and v >= 2**63 for v in column.to_pylist())
        return column.cast(pa.uint64() if needs_all_bits else pa.int64())
    if kind == pa.float32():
        # The shortest decimal that is this float, as a double.
        return pa.array([None if v is None else float(str(np.float32(v))) for v in column.to_pylist()])
    if kind == pa.float16():
        return None
    if pa.types.is_floating(kind) or pa.types.is_boolean(kind) or kind == pa.string():
        return column
    if pa.types.is_dictionary(kind):
        return column.cast(pa.string())
    return None


def through(rows, table):
    typed = [FOLDER / f"in{rows}.parquet", FOLDER / f"in{rows}.arrow"]
    for source in typed:
        write(table, source)
    for source, used in itertools.product(typed, (False, True)):
        names = [n for n in table.column_names if used and n in COMPUTABLE]
        what = f"{rows} rows, {source.name}, {'used' if used else 'unused'}"
        expected = read(source)
        for target in (FOLDER / "out.parquet", FOLDER / "out.arrow"):
            if evaluate(source, target, names):
                found = read(target)
                for name in table.column_names:
                    types = name not in OTHER_TYPE_IN_PARQUET
                    same(found[name], expected[name], f"{what} to {target.name}, `{name}`", types)
                    is_integer = pa.types.is_integer(found[name].type)
                    check(types or not is_integer, f"{what} to {target.name}, `{name}` is an integer")
        for target, delimiter in ((FOLDER / "out.csv", ","), (FOLDER / "out.tsv", "\t")):
            if not evaluate(source, target, names):
                continue
            text = target.read_text()
            with open(target, newline="") as file:
                lines = list(csv.reader(file, delimiter=delimiter))
            check(lines[0][:-1] == table.column_names, f"{what} to {target.name}: {lines[0]}")
            check(len(lines) == table.num_rows + 1, f"{what} to {target.name}: {len(lines) - 1} rows")
            for i, name in enumerate(table.column_names):
                for line, value in zip(lines[1:], expected[name].to_pylist() if name not in NOT_IN_TEXT else []):
                    same_in_text(line[i], value, expected[name], f"{what} to {target.name}, `{name}`")
            if rows == 3:
                check('"NA"' in text and '""' in text, f"{what}: text that could be missing has no quotes")
            # And back, and from one text to the other, whose fields are those of the first.
            for again in (FOLDER / "back.parquet", FOLDER / "back.arrow"):
                unambiguous = [n for n in names if typed_from_text(table[n].combine_chunks()) is not None]
                if evaluate(target, again, unambiguous):
                    found = read(again)
                    for name in table.column_names:
                        typed = typed_from_text(table[name].combine_chunks())
                        if typed is not None and not (rows < 3 and typed.null_count == len(typed)):
                            same(found[name], typed, f"{what} to {target.name} to {again.name}, `{name}`", types=rows == 3)
            other = FOLDER / ("other.tsv" if target.suffix == ".csv" else "other.csv")
            if evaluate(target, other, []):
                with open(other, newline="") as file:
                    moved = list(csv.reader(file, delimiter="\t" if delimiter == "," else ","))
                check([m[:-1] for m in moved] == [l[:-1] for l in lines], f"{what}: {target.name} to {other.name}")


def bytes_of(array):
    """The type and the bits; there is one NaN in text."""
    kinds = {"f": np.float64, "b": np.bool_}
    array = np.asarray(array).astype(kinds.get(array.dtype.kind, array.dtype))
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array)
    return str(array.dtype), array.tobytes()


def through_numpy():
    """NumPy has numbers and truth values, none of them missing."""
    arrays = {n: np.array([c[0].as_py(), c[2].as_py()], c.type.to_pandas_dtype()) for n, c in COLUMNS.items() if n in COMPUTABLE and n != "decimal"}
    table = pa.table({n: pa.array(a) for n, a in arrays.items()})
    np.savez(FOLDER / "in.npz", **arrays)
    np.save(FOLDER / "in.npy", np.rec.fromarrays(list(arrays.values()), names=list(arrays)))
    write(table, FOLDER / "numpy.parquet")
    write(table, FOLDER / "numpy.arrow")
    sources = [FOLDER / n for n in ("in.npz", "in.npy", "numpy.parquet", "numpy.arrow")]
    for source, used in itertools.product(sources, (False, True)):
        names = list(arrays) if used else []
        for target in (FOLDER / "out.npz", FOLDER / "out.npy"):
            if evaluate(source, target, names):
                found = np.load(target)
                for name, array in arrays.items():
                    right = found[name].dtype == array.dtype and found[name].tobytes() == array.tobytes()
                    check(right, f"{source.name} to {target.name}, `{name}`: {found[name]}, not {array}")
        for target in (FOLDER / "out.parquet", FOLDER / "out.arrow"):
            if evaluate(source, target, names):
                found = read(target)
                for name in arrays:
                    same(found[name], table[name], f"{source.name} to {target.name}, `{name}`")
        for target, delimiter in ((FOLDER / "out.csv", ","), (FOLDER / "out.tsv", "\t")):
            if not evaluate(source, target, names):
                continue
            with open(target, newline="") as file:
                lines = list(csv.reader(file, delimiter=delimiter))
            for i, name in enumerate(arrays):
                for line, value in zip(lines[1:], table[name].to_pylist()):
                    same_in_text(line[i], value, table[name], f"{source.name} to {target.name}, `{name}`")
            # And back: text has the types of its own rules.
            for again in (FOLDER / "back.npz", FOLDER / "back.npy"):
                if evaluate(target, again, names):
                    found = np.load(again)
                    for name in arrays:
                        typed = typed_from_text(table[name].combine_chunks())
                        right = bytes_of(found[name]) == bytes_of(typed.to_numpy(zero_copy_only=False))
                        check(right, f"{target.name} to {again.name}, `{name}`: {found[name]}, not {typed}")


whole = pa.table(COLUMNS)
for rows in (3, 1, 0):
    through(rows, whole.slice(0, rows))
through_numpy()
for failure in failures:
    print(failure)
print(f"{runs} runs, {len(failures)} failures")
sys.exit(1 if failures or runs == 0 else 0)
