"""Expressions over tables of every kind: the command's bits, the caller's kind of table."""

import datetime
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from decimal import Decimal

import numpy as np
import pytest

import gristmill as gm

EXPRESSIONS = ["z = (x - mean(x)) / 2", "p = pnorm(z)", "up = x > 0"]


def bits(x):
    return np.asarray(x, dtype=float).view(np.uint64)


def same(a, b):
    assert np.array_equal(bits(a), bits(b))


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    n = 50_000
    return {
        "x": rng.normal(size=n),
        "k": rng.integers(-5, 5, size=n),
        "g": np.array(["a", "b", "c"])[rng.integers(0, 3, size=n)],
        "flag": rng.random(n) < 0.5,
    }


@pytest.fixture(scope="module")
def expected(data):
    return gm.eval(EXPRESSIONS, data)


def test_a_dict_of_arrays(data, expected):
    assert list(expected) == ["x", "k", "g", "flag", "z", "p", "up"]
    assert expected["x"] is data["x"]
    same(expected["p"], gm.pnorm(expected["z"]))
    assert expected["up"].dtype == bool and np.array_equal(expected["up"], data["x"] > 0)
    assert abs(expected["z"].mean()) < 1e-12


def test_the_bits_are_those_of_the_command(data, tmp_path):
    some = {name: data[name][:2000] for name in ("x", "k", "g")}
    gm.eval("`(none)` = 0", some)
    table = tmp_path / "in.csv"
    lines = ["x,k,g", *(f"{x!r},{k},{g}" for x, k, g in zip(some["x"].tolist(), some["k"].tolist(), some["g"].tolist()))]
    table.write_text("\n".join(lines) + "\n")
    out = tmp_path / "out.csv"
    words = ["z = (x - mean(x)) / sd(x)", "q = qgamma(pnorm(z), 2.5)", "u = runif()"]
    run = [sys.executable, "-m", "gristmill", "eval", *words, str(table), "-o", str(out), "--where", "k >= 0"]
    subprocess.run(run, check=True, capture_output=True)
    here = gm.eval(words, some, where="k >= 0")
    there = gm.eval("same = z", out)
    for name in ("x", "z", "q", "u"):
        same(here[name], there[name])
    written = gm.eval(words, table, output=tmp_path / "again.csv", where="k >= 0")
    assert written["rows"] == len(here["x"])
    assert (tmp_path / "again.csv").read_bytes() == out.read_bytes()


def test_pandas_keeps_its_index_and_types(data, expected):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(data, index=np.arange(len(data["x"]))[::-1])
    frame["c"] = pandas.Categorical(frame["g"])
    frame["odd"] = [object()] * len(frame)
    result = gm.eval(EXPRESSIONS, frame)
    assert isinstance(result, pandas.DataFrame) and result.index.equals(frame.index)
    assert list(result.columns) == ["x", "k", "g", "flag", "c", "odd", "z", "p", "up"]
    assert isinstance(result["c"].dtype, pandas.CategoricalDtype) and result["odd"].iloc[0] is frame["odd"].iloc[0]
    same(result["z"], expected["z"])
    assert list(frame.columns) == ["x", "k", "g", "flag", "c", "odd"]
    kept = gm.eval("y = x", frame, where='c == "a"', select=["g", "y"])
    assert list(kept.columns) == ["g", "y"] and (kept["g"] == "a").all()
    assert kept.index.equals(frame.index[frame["g"] == "a"])


def test_pandas_own_missing_values():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {
            "i": pandas.array([1, None, 3], dtype="Int64"),
            "b": pandas.array([True, None, False], dtype="boolean"),
            "s": pandas.array(["a", None, "c"], dtype="string"),
            "t": pandas.to_datetime(["2020-01-01", None, "2020-01-03"]),
        }
    )
    result = gm.eval(["j = i + 1", "k = i > 1", 'e = s == "a"', "d = t - 86400"], frame)
    assert result["j"].isna().tolist() == [False, True, False] and result["j"].tolist()[2] == 4.0
    assert result["k"].tolist()[::2] == [False, True] and result["k"].isna()[1]
    assert result["e"].tolist()[::2] == [True, False] and result["e"].isna()[1]
    assert result["d"].isna()[1] and result["d"][0] == 1577750400.0
    assert gm.eval("n = n()", frame, by="b", only=True)["b"].tolist()[0] is True


def test_polars_keeps_nulls(data, expected):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({name: values for name, values in data.items()})
    result = gm.eval(EXPRESSIONS, frame)
    assert isinstance(result, polars.DataFrame) and result.columns == [*data, "z", "p", "up"]
    same(result["z"].to_numpy(), expected["z"])
    holes = polars.DataFrame({"x": [1.0, None, 3.0, float("nan")], "s": ["a", None, "c", "d"], "i": [1, 2, None, 4]})
    result = gm.eval(["y = x * 2", "up = x > 1", "w = i + 1", "m = mean(x, na.rm = TRUE)"], holes)
    assert result["y"].null_count() == 1 and result["y"][1] is None and result["up"][1] is None
    assert result["w"][2] is None and result["s"].to_list() == holes["s"].to_list()
    kept = gm.eval("y = x", holes, where='s == "c"')
    assert kept["s"].to_list() == ["c"] and kept["i"].to_list() == [None]
    with pytest.raises(TypeError, match="collect"):
        gm.eval("y = x", holes.lazy())


def test_pyarrow_keeps_nulls_and_chunks(data, expected):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(data)
    chunked = pyarrow.concat_tables([table.slice(0, 7), table.slice(7, 0), table.slice(7)])
    result = gm.eval(EXPRESSIONS, chunked)
    assert isinstance(result, pyarrow.Table) and result.column_names == [*data, "z", "p", "up"]
    same(result["z"].to_numpy(), expected["z"])
    holes = pyarrow.table({"x": pyarrow.array([1.0, None, 3.0]), "d": pyarrow.array([["a"], None, []])})
    result = gm.eval("y = -x", holes)
    assert result["y"].to_pylist() == [-1.0, None, -3.0] and result["d"].to_pylist() == [["a"], None, []]
    batch = gm.eval("y = -x", holes.to_batches()[0], where="x > 1")
    assert isinstance(batch, pyarrow.RecordBatch) and batch.to_pydict() == {"x": [3.0], "d": [[]], "y": [-3.0]}
    empty = gm.eval("y = x", holes.slice(0, 0))
    assert empty.num_rows == 0 and empty.column_names == ["x", "d", "y"]


def test_numbers_are_not_copied():
    pyarrow = pytest.importorskip("pyarrow")
    x = np.arange(100_000, dtype=float)
    inner = gm._gristmill.Table.of_columns(len(x), [gm._columns.column("x", x)])
    there = pyarrow.table(inner)["x"].chunk(0)
    assert there.buffers()[1].address == x.ctypes.data
    array = pyarrow.array(x)
    back = pyarrow.table(gm._gristmill.Table.of_capsules(pyarrow.table({"x": array})))
    assert back["x"].chunk(0).buffers()[1].address == array.buffers()[1].address
    # The memory lives as long as somebody uses it.
    del x, array
    assert there.to_numpy()[-1] == 99_999.0 and back["x"][99_999].as_py() == 99_999.0


def test_anything_with_the_capsule_interface(data):
    pyarrow = pytest.importorskip("pyarrow")

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return pyarrow.table({"x": data["x"]}).__arrow_c_stream__(requested_schema)

    class Array:
        def __arrow_c_array__(self, requested_schema=None):
            return pyarrow.RecordBatch.from_pydict({"x": data["x"]}).__arrow_c_array__(requested_schema)

    for one in (Stream(), Array()):
        result = gm.eval("y = x + 1", one)
        assert isinstance(result, gm.Table) and result.columns == ["x", "y"]
        same(result["y"], data["x"] + 1)
    again = gm.eval("z = y", result)
    same(again["z"], data["x"] + 1)
    assert pyarrow.table(again).num_rows == len(again) == len(data["x"])

    class Column:
        def __arrow_c_array__(self, requested_schema=None):
            return pyarrow.array([1.0]).__arrow_c_array__(requested_schema)

    with pytest.raises(TypeError, match="must be a table"):
        gm.eval("y = x", Column())


def test_groups_and_reductions(data):
    result = gm.eval(["n = n()", "m = mean(x)"], data, by="g")
    assert sorted(result["g"].tolist()) == ["a", "b", "c"] and result["n"].sum() == len(data["x"])
    for name, mean in zip(result["g"], result["m"]):
        assert mean == pytest.approx(data["x"][data["g"] == name].mean(), rel=1e-12)
    one = gm.eval("s = sum(k)", data, only=True)
    assert one["s"].tolist() == [data["k"].sum()]
    pandas = pytest.importorskip("pandas")
    frame = gm.eval(["n = n()"], pandas.DataFrame(data), by=["g", "flag"])
    assert isinstance(frame, pandas.DataFrame) and frame["n"].sum() == len(data["x"]) and frame["flag"].dtype == bool


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f8", "i1", "i8", "u2", ">i4", "?"])
def test_every_type_of_number(dtype):
    x = np.array([0, 1, 1, 0, 1]).astype(dtype)
    assert gm.eval("y = x + 1", {"x": x})["y"].tolist() == (x.astype(float) + 1).tolist()
    assert gm.eval("y = x + 1", {"x": x[::-2]})["y"].tolist() == (x[::-2].astype(float) + 1).tolist()


def test_ugly_columns():
    n = 4
    table = {
        "a b": [1, 2, 3, 4],
        "masked": np.ma.MaskedArray([1.0, 2.0, 3.0, 4.0], [False, True, False, False]),
        "day": np.array(["2020-01-01", "NaT", "1969-12-31", "2020-01-02"], "M8[D]"),
        "objects": np.array([1, None, 2.5, float("nan")], object),
        "texts": np.array(["ä", None, "", "x"], object),
        "bytes": np.array([b"a", b"b", b"", b"c"]),
        "record": np.zeros(n, [("x", "i1"), ("y", "f8")])["y"],
        "unused": [1j] * n,
    }
    result = gm.eval(
        ["z = `a b` + masked", "d = day + 1", "o = objects", 't = texts == ""', 'b = bytes == "a"', "r = record"], table
    )
    assert isinstance(result["z"], np.ma.MaskedArray) and result["z"].mask.tolist() == [False, True, False, False]
    assert result["d"].tolist()[0] == 18263.0 and result["d"].mask.tolist() == [False, True, False, False]
    assert result["o"].mask.tolist() == [False, True, False, True]
    assert result["t"].tolist() == [False, None, True, False] and result["b"].tolist() == [True, False, False, False]
    assert result["unused"] is table["unused"]
    assert gm.eval("y = x", {"x": []})["y"].shape == (0,)
    assert gm.eval("y = 1", {})["y"].shape == (0,)


def test_dates_as_objects_and_integers_beyond_doubles():
    day, hour = datetime.date(1970, 1, 3), datetime.datetime(1970, 1, 1, 1)
    result = gm.eval(["d = day", "h = hour"], {"day": [day, None], "hour": [hour, hour]})
    assert result["d"][0] == 2.0 and np.isnan(result["d"][1]) and result["h"].tolist() == [3600.0, 3600.0]
    with pytest.raises(TypeError, match="with zones"):
        gm.eval("t = x", {"x": [hour.astimezone(datetime.timezone.utc)]})
    with pytest.warns(RuntimeWarning, match="1, in `x`"):
        assert gm.eval("y = x", {"x": np.array([2**53 + 1, 5])})["y"].tolist() == [2.0**53, 5.0]


def test_categories_of_numbers_are_numbers():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"c": pandas.Categorical([3, 1, None]), "n": pandas.Categorical([None, None, None])})
    result = gm.eval(["y = c + 1", "z = n"], frame)
    assert result["y"].tolist()[:2] == [4.0, 2.0] and np.isnan(result["y"][2]) and np.isnan(result["z"].astype(float)).all()


def test_a_result_takes_the_place_of_a_column():
    assert gm.eval(["x = x + 1", "y = x"], {"x": [1.0], "w": [2.0]}) == {"x": [2.0], "w": [2.0], "y": [2.0]}


def test_rows_without_a_table():
    result = gm.eval(["u = runif()", "r = i"], 5, seed=3)
    assert result.columns == ["u", "r"] and result["r"].tolist() == [1, 2, 3, 4, 5]
    same(result["u"], gm.runif(5, seed=3)) if len(set(result["u"])) == 5 else pytest.fail("not random")


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        (("y = nope", {"x": [1.0]}), ValueError, "nope"),
        (("y = xx", {"xy": [1.0]}), ValueError, "did you mean `xy`"),
        (("y = (x", {"x": [1.0]}), ValueError, r"\)"),
        (("y = x", {"x": [1.0], "z": [1.0, 2.0]}), ValueError, "column `x` has 1 values, but `z` has 2"),
        (("y = x", {"x": 3.0}), TypeError, "column `x` is a float"),
        (("y = x", {"x": np.zeros((2, 2))}), ValueError, "column `x` has 2 dimensions"),
        (("y = x", {"x": np.array([1j])}), TypeError, "column `x` holds complex128"),
        (("y = x", {"x": [object()]}), TypeError, "column `x` holds a object"),
        (("y = x + 1", {"x": ["a"]}), (TypeError, ValueError), "`x`"),
        (("y = x", {1: [1.0]}), TypeError, "key 1"),
        (("y = x", 3.5), TypeError, "`table` is a builtins.float"),
        (("y = x", [1.0]), TypeError, "`table` is a builtins.list"),
        (("y = x", -1), ValueError, "`table` is -1"),
        ((3, {"x": [1.0]}), TypeError, "`expressions` is 3"),
        (([], {"x": [1.0]}), ValueError, "`expressions` is empty"),
        (("y = x", "no-such-file.csv"), FileNotFoundError, "no-such-file.csv"),
        (("y = x", "no-such-*.csv"), FileNotFoundError, "matches no file"),
        (("y = x", "table.xyz"), ValueError, "xyz"),
    ],
)
def test_bad_input(arguments, kind, text):
    with pytest.raises(kind, match=text):
        gm.eval(*arguments)


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"by": "nope"}, ValueError, "`by` names `nope`"),
        ({"select": ["nope"]}, ValueError, "`select` names `nope`"),
        ({"where": "nope > 1"}, ValueError, "nope"),
        ({"where": 3}, TypeError, "`where` is 3"),
        ({"seed": -1}, ValueError, "`seed` is -1"),
        ({"na": ["NA"]}, ValueError, "`na` is for text tables"),
        ({"output": "out.xyz"}, ValueError, "xyz"),
        ({"output": "no/such/folder/out.csv"}, FileNotFoundError, "folder"),
    ],
)
def test_bad_options(options, kind, text):
    with pytest.raises(kind, match=text):
        gm.eval("y = x", {"x": [1.0]}, **options)


def test_files_of_every_format(tmp_path, data):
    some = {name: data[name][:100] for name in ("x", "k")}
    for ending in ("csv", "tsv", "parquet", "arrow", "npz", "csv.gz"):
        path = tmp_path / f"t.{ending}"
        assert gm.eval("y = x", some, output=path)["rows"] == 100
        back = gm.eval("z = y", path)
        same(back["z"], some["x"])
    assert back.columns == ["x", "k", "y", "z"] and len(back) == 100
    (tmp_path / "a-1.csv").write_text("x;s\n1;u\nNA;v\n")
    (tmp_path / "a-2.csv").write_text("x;s\n3;\n")
    both = gm.eval("y = 2 * x", str(tmp_path / "a-*.csv"))
    assert both["y"].tolist()[::2] == [2.0, 6.0] and np.isnan(both["y"][1])
    assert both["s"].tolist() == ["u", "v", None]
    assert "3 rows" in repr(both) and "<table>" in both._repr_html_()
    pytest.importorskip("pandas")
    assert list(both.to_pandas().columns) == ["x", "s", "y"]


def test_progress_is_told_and_its_error_stops_the_work(tmp_path):
    seen = []
    gm.eval("y = ptukey(i / 1e5, 3, 10)", 60_000, progress=seen.append, only=True)
    assert seen and seen[-1]["size"] == 60_000 and seen[-1]["unit"] == "rows"

    def stop(at):
        raise RuntimeError("enough")

    out = tmp_path / "out.csv"
    with pytest.raises(RuntimeError, match="enough"):
        gm.eval("y = ptukey(i / 1e5, 3, 10)", 10_000_000, progress=stop, output=out)
    assert not out.exists()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_within_a_second():
    program = textwrap.dedent(
        """
        import os, signal, threading, time
        import gristmill as gm
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            gm.eval("y = ptukey(i / 1e5, 3, 10)", 10**9, only=True)
        except KeyboardInterrupt:
            print(time.monotonic() - start - 0.5)
        """
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 1.0


def test_other_threads_go_on():
    counted = 0
    done = threading.Event()

    def work():
        gm.eval("y = ptukey(i / 1e5, 3, 10)", 60_000, only=True)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_after_fork_evaluates(data):
    gm.eval("y = pnorm(x)", data)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        result = gm.eval("y = pnorm(x)", data)
        os._exit(0 if len(result["y"]) == len(data["x"]) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_objects_may_be_missing_in_every_way():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x": pandas.Series([1, pandas.NA, None, np.nan, np.float32("nan"), pandas.NaT, Decimal("nan"), 2.5], dtype=object)})
    assert gm.eval("z = x + 1", frame)["z"].isna().tolist() == [False, True, True, True, True, True, True, False]
    with pytest.raises(TypeError, match="one kind of them only"):
        gm.eval("z = x + 1", {"x": np.array([1, "a"], dtype=object)})


@pytest.mark.parametrize("rows", [0, 1, 16_384, 50_001])
def test_results_of_many_pieces_are_one_array(rows):
    x = np.arange(rows, dtype=float)
    result = gm.eval(["y = x * 2 + 1", "z = ifelse(x == 20000, NA, x)"], {"x": x}, only=True)
    assert result["y"].tobytes() == (x * 2 + 1).tobytes()
    there = np.ma.filled(np.ma.asarray(result["z"], dtype=float), np.nan)
    assert np.array_equal(np.isnan(there), x == 20000)


def test_all_rows_at_once_and_piece_by_piece_have_the_same_bits():
    rng = np.random.default_rng(11)
    for n in (0, 1, 5, 4096, 4097, 300_001):
        x, y = rng.normal(size=n), rng.normal(size=n)
        expressions = ["z = (x - mean(x)) / sd(x) + y", "p = pgamma(abs(z), 2.5)", "up = x > y", "same = x", "u = runif(0, 1)", "l = sqrt(x)"]
        at_once = gm.eval(expressions, {"x": x, "y": y})
        # Every row stays, but nobody knows that before.
        pieces = gm.eval(expressions, {"x": x, "y": y}, where="x < 1e300")
        for name in at_once:
            same(at_once[name], pieces[name])
        assert at_once["up"].dtype == bool
        assert at_once["same"].flags.writeable
        if n:
            at_once["same"][0] = 99.0
            assert x[0] != 99.0 and at_once["x"][0] != 99.0


def test_new_nans_are_counted_at_once_as_in_pieces(tmp_path):
    from gristmill import _gristmill

    x = np.linspace(-1.0, 1.0, 200_000)
    x[5] = np.nan
    found = {}
    options = dict.fromkeys(
        ("output", "where", "by", "select", "only", "seed", "input_format", "output_format", "delimiter", "header", "na", "na_out", "device")
    )
    options.update(by=[], only=True, seed=1, header=True)
    for where in (None, "x < 5 | is.na(x)"):
        source = gm._table.source_of({"x": x}, lambda name: True)
        options["where"] = where
        found[where] = _gristmill.evaluate(["y = sqrt(x)"], source.inner(), options, False, None)[4]["new_nans"]
    assert found[None] == (x < 0).sum() == found["x < 5 | is.na(x)"]


def test_a_result_outlives_its_table_and_its_neighbours():
    import gc

    x = np.arange(500_000.0)
    kept = gm.eval(["y = x + 1", "z = 2 * x"], {"x": x})["z"]
    del x
    gc.collect()
    assert kept[-1] == 2 * 499_999 and kept.sum() == 2 * np.arange(500_000.0).sum()


def test_progress_of_rows_in_memory_ends_at_all_of_them():
    seen = []
    gm.eval("y = qbeta(x, 2, 3)", {"x": np.linspace(0, 1, 400_000)}, progress=seen.append)
    assert seen and seen[-1]["rows"] == 400_000 and seen[-1]["done"] == seen[-1]["size"] == 400_000
