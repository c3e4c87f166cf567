"""gristmill.stats has scipy.stats' methods, parameters and values."""

import numpy as np
import pytest

from gristmill import stats

scipy_stats = pytest.importorskip("scipy.stats")

CONTINUOUS = {
    "norm": [(), (1.5, 2.0)],
    "uniform": [(), (1.0, 3.0)],
    "expon": [(), (1.0, 3.0)],
    "gamma": [(2.5,), (0.7, 1.0, 3.0)],
    "weibull_min": [(1.7,), (0.8, -1.0, 2.0)],
    "logistic": [(), (1.0, 0.5)],
    "cauchy": [(), (1.0, 0.5)],
    "lognorm": [(0.9,), (0.5, 1.0, 3.0)],
    "beta": [(2.0, 3.5), (0.7, 1.2, 1.0, 4.0)],
    "chi2": [(3.0,), (7.5, 1.0, 2.0)],
    "t": [(4.0,), (7.5, 1.0, 2.0)],
    "f": [(4.0, 9.0), (3.0, 7.5, 1.0, 2.0)],
    "ncx2": [(3.0, 2.5)],
}
DISCRETE = {
    "binom": [(12, 0.3), (12, 0.3, 5)],
    "poisson": [(4.5,), (4.5, 2)],
    "nbinom": [(3.5, 0.4), (3.5, 0.4, 1)],
    "geom": [(0.3,), (0.3, 2)],
    "hypergeom": [(30, 12, 9)],
}
CASES = [(n, a) for n, all_ in {**CONTINUOUS, **DISCRETE}.items() for a in all_]


@pytest.mark.parametrize(("name", "args"), CASES)
def test_every_method_agrees_with_scipy(name, args):
    ours, theirs = getattr(stats, name), getattr(scipy_stats, name)
    p = np.linspace(0.02, 0.98, 25)
    x = theirs.ppf(p, *args)
    methods = ["cdf", "sf", "logcdf", "logsf"]
    methods += ["pmf", "logpmf"] if name in DISCRETE else ["pdf", "logpdf"]
    for method in methods:
        np.testing.assert_allclose(getattr(ours, method)(x, *args), getattr(theirs, method)(x, *args), rtol=1e-10, atol=1e-14, err_msg=method)
        frozen = getattr(ours(*args), method)(x)
        assert np.array_equal(frozen, getattr(ours, method)(x, *args))
    for method in ("ppf", "isf"):
        np.testing.assert_allclose(getattr(ours, method)(p, *args), getattr(theirs, method)(p, *args), rtol=1e-9, atol=1e-14)
    for method in ("mean", "var", "std", "median"):
        np.testing.assert_allclose(getattr(ours, method)(*args), getattr(theirs, method)(*args), rtol=1e-10)
    np.testing.assert_allclose(ours.support(*args), theirs.support(*args))
    np.testing.assert_allclose(ours.interval(0.9, *args), theirs.interval(0.9, *args), rtol=1e-9)
    outside = np.array([-np.inf, -1e300, np.inf, np.nan])
    np.testing.assert_allclose(ours.cdf(outside, *args), theirs.cdf(outside, *args), rtol=1e-14)


@pytest.mark.parametrize(("name", "args"), CASES)
def test_samples_have_the_distribution(name, args):
    sample = getattr(stats, name).rvs(*args, size=20_000, random_state=3)
    assert sample.shape == (20_000,)
    theirs = getattr(scipy_stats, name)(*args)
    for q in (0.1, 0.5, 0.9):
        at = theirs.ppf(q)
        share, expected = (sample <= at).mean(), theirs.cdf(at)
        assert abs(share - expected) < 5 * np.sqrt(expected * (1 - expected) / 20_000) + 1e-9, q


def test_keywords_and_errors():
    assert stats.norm.cdf(1.0, loc=1.0) == 0.5
    assert stats.norm(loc=1.0, scale=2.0).cdf(1.0) == 0.5
    assert np.isnan(stats.norm.cdf(0.0, scale=-1.0)) and np.isnan(stats.chi2.cdf(1.0, 3.0, scale=-1.0))
    with pytest.raises(TypeError, match="`gamma` needs `a`"):
        stats.gamma.cdf(1.0)
    with pytest.raises(TypeError, match="`shape` is no parameter of `gamma`"):
        stats.gamma.cdf(1.0, shape=2.0)
    with pytest.raises(AttributeError, match="`pmf`"):
        stats.poisson.pdf(1, 2.0)
    assert repr(stats.gamma(2.5, scale=2)) == "<gristmill.stats.gamma(2.5, scale=2)>"


def test_a_mass_between_whole_numbers_is_zero():
    assert stats.poisson.pmf(2.5, 3.0) == 0.0
    assert np.isnan(stats.poisson.pmf(np.nan, 3.0))
