"""What NumPy promises of every ufunc holds for ours, and the bits do not depend on how they are called."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import gristmill as gm
from gristmill import ufuncs


def bits(x):
    return np.asarray(x, dtype=float).view(np.uint64)


def same(a, b):
    assert np.array_equal(bits(a), bits(b))


@pytest.fixture(scope="module")
def x():
    return np.random.default_rng(1).normal(size=100_000) * 3


def one_by_one(function, values, *rest):
    return np.array([function(v, *rest) for v in values.ravel()]).reshape(values.shape)


def test_a_block_and_single_calls_give_the_same_bits(x):
    some = x[:500]
    same(ufuncs.pnorm(some, 0.5, 2.0, True, False), one_by_one(ufuncs.pnorm, some, 0.5, 2.0, True, False))
    same(ufuncs.lgammafn(some), one_by_one(ufuncs.lgammafn, some))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_change_the_bits(x, threads):
    before = gm.get_num_threads()
    reference = gm.qnorm(gm.pnorm(x))
    try:
        gm.set_num_threads(threads)
        same(gm.qnorm(gm.pnorm(x)), reference)
    finally:
        gm.set_num_threads(before)


@pytest.mark.parametrize("n", [0, -1, 5000, 10**30])
def test_a_bad_number_of_threads_is_an_error(n):
    with pytest.raises((ValueError, OverflowError)):
        gm.set_num_threads(n)


def test_strides_of_any_kind(x):
    reference = gm.pnorm(x)
    same(gm.pnorm(x[::-1]), reference[::-1])
    same(gm.pnorm(x[::7]), reference[::7])
    same(gm.pnorm(x.reshape(100, 1000).T), reference.reshape(100, 1000).T)
    record = np.zeros(1000, dtype=[("a", "i1"), ("b", "f8")])
    record["b"] = x[:1000]
    same(gm.pnorm(record["b"]), reference[:1000])
    swapped = x[:1000].astype(">f8")
    same(gm.pnorm(swapped), reference[:1000])


def test_results_may_overlap_arguments(x):
    reference = gm.pnorm(x)
    y = x.copy()
    assert gm.pnorm(y, out=y) is y
    same(y, reference)
    y = x.copy()
    gm.pnorm(y[:-1], out=y[1:])
    same(y[1:], reference[:-1])
    y = x.copy()
    gm.pnorm(y[::-1], out=y)
    same(y, reference[::-1])
    y = np.asfortranarray(x.reshape(100, 1000).copy())
    gm.pnorm(y, out=y)
    same(y, reference.reshape(100, 1000))


def test_where_and_out():
    out = np.full(3, 7.0)
    gm.pnorm([0.0, 0.0, 0.0], out=out, where=[True, False, True])
    assert out.tolist() == [0.5, 7.0, 0.5]
    strided = np.zeros(6)
    gm.pnorm([0.0, 0.0, 0.0], out=strided[::2])
    assert strided.tolist() == [0.5, 0, 0.5, 0, 0.5, 0]


def test_empty_scalar_and_many_dimensions():
    assert gm.pnorm(np.zeros((0, 3))).shape == (0, 3)
    assert gm.pnorm([]).shape == (0,)
    assert isinstance(gm.pnorm(0.0), np.float64)
    assert gm.pnorm(np.array(0.0)).shape == ()
    deep = np.zeros((1,) * 31 + (4,))
    assert gm.pnorm(deep, np.zeros(4)).shape == deep.shape
    assert gm.dnorm(np.zeros((3, 1)), np.zeros(4)).shape == (3, 4)


@pytest.mark.parametrize(
    ("given", "expected"),
    [("f4", "f4"), ("f2", "f4"), ("f8", "f8"), ("?", "f8"), ("i1", "f8"), ("u2", "f8"), ("i4", "f8"), ("i8", "f8"), ("u8", "f8")],
)
def test_types(given, expected):
    y = gm.pnorm(np.array([0, 1], dtype=given))
    assert y.dtype == expected
    assert np.allclose(y, [0.5, 0.8413447460685429], rtol=1e-7)


def test_float32_is_the_double_rounded_once(x):
    narrow = x.astype(np.float32)
    assert np.array_equal(gm.pnorm(narrow), gm.pnorm(narrow.astype(float)).astype(np.float32))


def test_whole_numbers_keep_their_values():
    same(gm.dpois(np.arange(100, dtype=np.int32), 50.0), gm.dpois(np.arange(100.0), 50.0))
    same(gm.dpois(np.arange(100, dtype=np.int64), 50.0), gm.dpois(np.arange(100.0), 50.0))


def test_what_has_no_double_is_an_error():
    for bad in (["a"], [None], [1j], np.array(["2020-01-01"], dtype="M8[D]")):
        with pytest.raises(TypeError):
            gm.pnorm(bad)


def test_flags_are_arrays_too():
    y = ufuncs.pnorm(1.0, 0.0, 1.0, [True, False], False)
    same(y, [gm.pnorm(1.0), gm.pnorm(1.0, lower_tail=False)])
    odd = np.array([0, 2, 255], dtype=np.uint8).view(bool)
    same(ufuncs.pnorm(1.0, 0.0, 1.0, odd, False), [gm.pnorm(1.0, lower_tail=False), gm.pnorm(1.0), gm.pnorm(1.0)])
    same(gm.pnorm(1.0, lower_tail=0), gm.pnorm(1.0, lower_tail=False))
    with pytest.raises(TypeError, match="`lower_tail` is 'no', but must be True or False"):
        gm.pnorm(1.0, lower_tail="no")


def test_no_warnings_unless_asked_for():
    with np.errstate(all="raise"):
        assert np.isnan(gm.qnorm(2.0))
        gm.pnorm(np.linspace(-50, 50, 1000), log_p=True)
        gm.gamma([0.0, 180.0, 1e-310])
    gm.report_new_nans()
    try:
        with np.errstate(invalid="raise"):
            with pytest.raises(FloatingPointError):
                gm.qnorm([0.5, 2.0])
            gm.qnorm([0.5, np.nan])
        with pytest.warns(RuntimeWarning, match="invalid value"):
            gm.qnorm(np.full(100_000, 2.0))
    finally:
        gm.report_new_nans(False)


def test_pickles_by_name():
    assert pickle.loads(pickle.dumps(ufuncs.qbeta)) is ufuncs.qbeta
    assert pickle.loads(pickle.dumps(gm.qbeta)) is gm.qbeta
    assert pickle.loads(pickle.dumps(gm.stats.norm)) is gm.stats.norm


def test_subclasses_and_masks():
    masked = np.ma.array([0.0, 1.0], mask=[False, True])
    assert gm.pnorm(masked).mask.tolist() == [False, True]
    matrix = np.zeros((2, 2)).view(type("Mine", (np.ndarray,), {}))
    assert type(gm.pnorm(matrix)) is type(matrix)


def test_array_ufunc_is_asked_first():
    class Lazy:
        def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
            return ufunc.__name__, method

    assert gm.pnorm(Lazy()) == ("pnorm", "__call__")


def test_pandas_polars_xarray_and_dask_keep_their_kind():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series([0.0, 1.0], index=["a", "b"], name="z")
    assert gm.pnorm(series).index.tolist() == ["a", "b"]
    assert gm.pnorm(series).name == "z"
    polars = pytest.importorskip("polars")
    column = gm.pnorm(polars.Series("z", [0.0, None, 1.0]))
    assert isinstance(column, polars.Series) and column.null_count() == 1 and column[0] == 0.5
    xarray = pytest.importorskip("xarray")
    data = xarray.DataArray([0.0, 1.0], dims="t", coords={"t": [10, 20]})
    assert gm.pnorm(data).coords["t"].values.tolist() == [10, 20]
    dask = pytest.importorskip("dask.array")
    lazy = gm.pnorm(dask.from_array(np.zeros(10), chunks=3))
    assert type(lazy).__module__.startswith("dask") and lazy.compute().tolist() == [0.5] * 10


def test_import_is_quick_and_works_after_a_fork():
    code = (
        "import numpy, time; t = time.perf_counter(); import gristmill; t = time.perf_counter() - t\n"
        "import os, numpy as np\n"
        "x = np.linspace(-3, 3, 300_000); gristmill.set_num_threads(2); y = gristmill.qnorm(gristmill.pnorm(x))\n"
        "child = os.fork()\n"
        "if child == 0: os._exit(0 if np.array_equal(gristmill.qnorm(gristmill.pnorm(x)), y) else 1)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "print(t)"
    )
    out = subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True, text=True, timeout=120)
    assert float(out.stdout) < 1.0
