"""Plain numbers do without NumPy: the ufunc's bits, and its rules for all that is not plain."""

import numpy as np
import pytest

import gristmill as gm
from gristmill import _gristmill, stats

ONES = _gristmill.ones()
VALUES = [0.0, -0.0, 1, 0.3, 2.5, -1.7, 7, 1e-300, 1e300, float("inf"), -float("inf"), float("nan")]


def bits(x):
    return np.float64(x).view(np.uint64)


@pytest.mark.parametrize("name", sorted(ONES))
def test_one_value_has_the_bits_of_the_ufunc(name):
    one, ufunc = ONES[name], getattr(gm.ufuncs, name)
    inputs = ufunc.types[-1].split("->")[0]
    rng = np.random.default_rng(7)
    for _ in range(40):
        arguments = [bool(rng.integers(2)) if kind == "?" else VALUES[rng.integers(len(VALUES))] for kind in inputs]
        if any(word in name for word in ("wilcox", "signrank", "tukey", "ppois_", "nt", "nbeta", "nf")):
            # Their largest arguments take milliseconds.
            arguments = [a if isinstance(a, bool) or not abs(a) > 100 else 3.5 for a in arguments]
        found = one(*arguments)
        expected = ufunc(*arguments)
        assert type(found) is np.float64
        assert bits(found) == bits(expected) or (np.isnan(found) and np.isnan(expected)), (arguments, found, expected)


def test_what_is_not_plain_goes_to_the_ufunc():
    one = ONES["pnorm"]
    assert one(np.float64(0.7), 0, 1.0, True, False) == gm.ufuncs.pnorm(0.7, 0, 1, True, False)
    for argument in (True, np.float32(1), np.int64(1), 2**53 + 1, -(2**70), 10**400, "1", None, [1.0], 1j, np.array(1.0)):
        assert one(argument, 0, 1, True, False) is None
    assert one(0.7, 0, 1, 1, False) is None
    assert one(0.7, 0, 1, True, np.True_) is None
    assert one(0.7, 0, 1, True) is None
    assert one(0.7, 0, 1, True, False, False) is None
    assert gm.pnorm(np.float32(1)).dtype == np.float32
    assert gm.pnorm(True) == gm.pnorm(1) == gm.pnorm(1.0)
    assert gm.pnorm(0.7, lower_tail=0, log_p=1) == gm.pnorm(0.7, lower_tail=False, log_p=True)
    assert gm.pnorm(np.float32(0.5), dtype=np.float64).dtype == np.float64
    assert np.isnan(gm.pnorm(1.0, out=np.array([np.nan]), where=False)).all()
    with pytest.raises(TypeError, match="lower_tail"):
        gm.pnorm(0.7, lower_tail=3)
    with pytest.raises(TypeError):
        gm.pnorm("0.7")
    with pytest.raises((TypeError, OverflowError)):
        gm.pnorm(10**400)


def test_no_error_is_left_behind():
    one = ONES["pnorm"]
    assert one(10**400, 0, 1, True, False) is None
    assert one(-1, 0, 1, True, False) == gm.ufuncs.pnorm(-1.0, 0.0, 1.0, True, False)


def test_new_nans_are_reported_for_one_value_too():
    _gristmill.report_new_nans(True)
    try:
        with np.errstate(invalid="raise"), pytest.raises(FloatingPointError):
            gm.pnorm(0.7, 0.0, -1.0)
    finally:
        _gristmill.report_new_nans(False)
    assert np.isnan(gm.pnorm(0.7, 0.0, -1.0))


def test_rates_of_whole_numbers_are_what_they_were():
    for rate in (1, 3, 2.5, 0.0, 0, -2, 2**53 + 2, True):
        with np.errstate(divide="ignore"):
            scale = np.divide(1.0, rate)
        assert bits(gm.pgamma(1.5, 2.5, rate)) == bits(gm.ufuncs.pgamma(1.5, 2.5, scale, True, False)) or np.isnan(
            gm.ufuncs.pgamma(1.5, 2.5, scale, True, False)
        ), rate


@pytest.mark.parametrize("name", [name for name in stats.__all__ if isinstance(getattr(stats, name), stats.Distribution)])
def test_distributions_of_one_value_and_of_arrays_have_the_same_bits(name):
    its = getattr(stats, name)
    shapes = {"binom": (12, 0.3), "nbinom": (3.5, 0.4), "geom": (0.3,), "poisson": (4.5,), "hypergeom": (30, 12, 9)}.get(
        name, (2.5, 3.5)[: len(its.shapes)]
    )
    places = [shapes, (*shapes, 1), (*shapes, -0.5)]
    if not its.discrete:
        places += [(*shapes, 0, 2), (*shapes, 1.25, 0.7), (*shapes, 0, -1), (*shapes, 0, 0), (*shapes, 1, 2**60)]
    methods = ["cdf", "sf", "logcdf", "logsf", *(["pmf", "logpmf"] if its.discrete else ["pdf", "logpdf"])]
    for arguments in places:
        for method in methods:
            for x in (-1, 0, 0.5, 1, 2, 2.5, 3, 7.25, 1e300, float("inf"), -float("inf"), float("nan")):
                one = getattr(its, method)(x, *arguments)
                many = getattr(its, method)(np.array([x, x], dtype=float), *arguments)[0]
                assert isinstance(one, np.float64)
                assert bits(one) == bits(many) or (np.isnan(one) and np.isnan(many)), (method, x, arguments)
        for method in ("ppf", "isf"):
            for p in (0, 0.25, 0.5, 0.99, 1, 2.0, float("nan")):
                one = getattr(its, method)(p, *arguments)
                many = getattr(its, method)(np.array([p, p], dtype=float), *arguments)[0]
                assert bits(one) == bits(many) or (np.isnan(one) and np.isnan(many)), (method, p, arguments)
