"""Distributions with the methods and parameters of scipy.stats: moving is `from gristmill import stats`.

>>> from gristmill import stats
>>> stats.norm.cdf(1.0)
np.float64(0.8413447460685429)
>>> stats.gamma(2.5, scale=2).ppf([0.1, 0.9])
array([1.610..., 9.236...])

Every distribution takes SciPy's shape parameters, then `loc` and `scale`.
"""

import numpy as np

from . import _one
from . import ufuncs as _u
from ._core import draw as _draw
from ._core import seed_of as _seed_of


class Distribution:
    """A distribution: its methods take the shape parameters; calling it freezes them.

    Parameters that no distribution has (a negative scale or degrees of freedom below 0) give NaN, as in SciPy.
    """

    def __init__(self, name, shapes, kernels, about, moments, support, discrete=False):
        self.name = name
        self.shapes = shapes
        self.__doc__ = f"{about[0].upper()}{about[1:]}.\n\nShape parameters: {', '.join(shapes) or 'none'}; loc" + (
            "" if discrete else ", scale"
        )
        *functions, self._r, self._parameters = kernels
        self._d, self._p, self._q = map(_quick, functions)
        self._moments = moments
        self._support = support
        self.discrete = discrete

    def __repr__(self):
        return f"<gristmill.stats.{self.name}>"

    def __reduce__(self):
        return _distribution, (self.name,)

    def __call__(self, *args, **kwargs):
        return Frozen(self, args, kwargs)

    freeze = __call__

    def _split(self, args, kwargs):
        """The kernel's parameters, `loc` and `scale` out of a call."""
        if not kwargs and len(args) == len(self.shapes):
            return list(args), 0.0, 1.0
        names = [*self.shapes, "loc"] if self.discrete else [*self.shapes, "loc", "scale"]
        if len(args) > len(names):
            raise TypeError(f"`{self.name}` was given {len(args)} parameters, but has {len(names)}: {', '.join(names)}")
        given = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in names:
                raise TypeError(f"`{name}` is no parameter of `{self.name}`, which has {', '.join(names)}")
            if name in given:
                raise TypeError(f"`{name}` was given twice")
            given[name] = value
        missing = [name for name in self.shapes if name not in given]
        if missing:
            raise TypeError(f"`{self.name}` needs {', '.join(f'`{name}`' for name in missing)}")
        shapes = [given[name] for name in self.shapes]
        loc, scale = given.get("loc", 0.0), given.get("scale", 1.0)
        return shapes, loc, scale

    def _density(self, x, args, kwargs, log):
        shapes, loc, scale = self._split(args, kwargs)
        parameters, inside = self._parameters(shapes, scale)
        x = _minus(x, loc)
        if self.discrete or inside is None:
            return self._d(x, *parameters, log)
        if _is_plain(x) and _is_plain(inside) and inside > 0:
            y = self._d(x / inside, *parameters, log)
            return y - _log(inside) if log else y / inside
        # The scale is no parameter of the kernel: x is divided by it, and the density, too.
        with np.errstate(all="ignore"):
            inside = _positive(inside)
            y = self._d(np.divide(x, inside), *parameters, log)
            return y - _log(inside) if log else y / inside

    def pdf(self, x, *args, **kwargs):
        """The density at x."""
        self._only(False, "pdf", "pmf")
        return self._density(x, args, kwargs, False)

    def logpdf(self, x, *args, **kwargs):
        """The logarithm of the density, exact where the density underflows."""
        self._only(False, "logpdf", "logpmf")
        return self._density(x, args, kwargs, True)

    def pmf(self, k, *args, **kwargs):
        """The probability of k."""
        self._only(True, "pmf", "pdf")
        return self._mass(k, args, kwargs, False)

    def logpmf(self, k, *args, **kwargs):
        """The logarithm of the probability of k."""
        self._only(True, "logpmf", "logpdf")
        return self._mass(k, args, kwargs, True)

    def _mass(self, k, args, kwargs, log):
        shapes, loc, scale = self._split(args, kwargs)
        parameters, _ = self._parameters(shapes, scale)
        k = _minus(k, loc)
        if _is_plain(k):
            return self._d(k if k == k // 1 or k != k or k in (_INF, -_INF) else -1.0, *parameters, log)
        k = np.asarray(k, dtype=float)
        # SciPy's masses are 0 between whole numbers; R's take what is next to one as that number.
        y = self._d(np.where(k == np.floor(k), k, -1.0), *parameters, log)
        return np.where(np.isnan(k), np.nan, y)[()]

    def _only(self, discrete, method, other):
        if self.discrete != discrete:
            raise AttributeError(f"`{self.name}` has no `{method}`: it has `{other}`")

    def _tail(self, x, args, kwargs, lower, log):
        shapes, loc, scale = self._split(args, kwargs)
        parameters, inside = self._parameters(shapes, scale)
        x = _minus(x, loc)
        if inside is not None:
            x = _over(x, inside)
        return self._p(x, *parameters, lower, log)

    def cdf(self, x, *args, **kwargs):
        """P(X <= x)."""
        return self._tail(x, args, kwargs, True, False)

    def sf(self, x, *args, **kwargs):
        """P(X > x), with all its digits where it is small."""
        return self._tail(x, args, kwargs, False, False)

    def logcdf(self, x, *args, **kwargs):
        """log P(X <= x)."""
        return self._tail(x, args, kwargs, True, True)

    def logsf(self, x, *args, **kwargs):
        """log P(X > x)."""
        return self._tail(x, args, kwargs, False, True)

    def _quantile(self, p, args, kwargs, lower):
        shapes, loc, scale = self._split(args, kwargs)
        parameters, inside = self._parameters(shapes, scale)
        x = self._q(p, *parameters, lower, False)
        if inside is not None:
            x = x * _positive(inside)
        return _plus(x, loc)

    def ppf(self, q, *args, **kwargs):
        """The quantile: the smallest x with P(X <= x) >= q."""
        return self._quantile(q, args, kwargs, True)

    def isf(self, q, *args, **kwargs):
        """The quantile of the upper tail."""
        return self._quantile(q, args, kwargs, False)

    def rvs(self, *args, size=None, random_state=None, **kwargs):
        """Random numbers of the shape `size`; `random_state` is a seed or a numpy.random.Generator."""
        shapes, loc, scale = self._split(args, kwargs)
        parameters, inside = self._parameters(shapes, scale)
        broadcast = np.broadcast_shapes(*(np.shape(p) for p in (*shapes, loc, scale)))
        x = _draw(self._r, broadcast if size is None else size, _seed_of(random_state), 0, 0, *parameters)
        if inside is not None:
            x = x * _positive(inside)
        x = _plus(x, loc)
        return x[()] if np.ndim(x) == 0 else x

    def stats(self, *args, moments="mv", **kwargs):
        """Mean and variance, as asked for by the letters m and v."""
        known = {"m": self.mean, "v": self.var}
        unknown = [letter for letter in moments if letter not in known]
        if unknown:
            raise ValueError(f"`moments` is {moments!r}, but `{unknown[0]}` is none of m, v")
        found = tuple(known[letter](*args, **kwargs) for letter in moments)
        return found[0] if len(found) == 1 else found

    def mean(self, *args, **kwargs):
        """The expected value."""
        shapes, loc, scale = self._split(args, kwargs)
        with np.errstate(all="ignore"):
            return _plus(np.multiply(self._moments(*map(_array, shapes))[0], scale), loc)[()]

    def var(self, *args, **kwargs):
        """The variance."""
        shapes, loc, scale = self._split(args, kwargs)
        with np.errstate(all="ignore"):
            return np.multiply(self._moments(*map(_array, shapes))[1], np.square(_array(scale)) + 0 * _array(loc))[()]

    def std(self, *args, **kwargs):
        """The standard deviation."""
        return np.sqrt(self.var(*args, **kwargs))

    def median(self, *args, **kwargs):
        """The quantile of 1/2."""
        return self.ppf(0.5, *args, **kwargs)

    def support(self, *args, **kwargs):
        """The ends of where the distribution lives."""
        shapes, loc, scale = self._split(args, kwargs)
        low, high = self._support(*map(_array, shapes))
        return _plus(np.multiply(low, scale), loc)[()], _plus(np.multiply(high, scale), loc)[()]

    def interval(self, confidence, *args, **kwargs):
        """The ends of the interval with equal tails that holds `confidence` of the probability."""
        tail = (1.0 - _array(confidence)) / 2.0
        return self.ppf(tail, *args, **kwargs), self.isf(tail, *args, **kwargs)


class Frozen:
    """A distribution with its parameters."""

    def __init__(self, dist, args, kwargs):
        dist._split(args, kwargs)
        self.dist, self.args, self.kwds = dist, args, kwargs

    def __repr__(self):
        given = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.kwds.items())]
        return f"<gristmill.stats.{self.dist.name}({', '.join(given)})>"

    def rvs(self, size=None, random_state=None):
        """Random numbers of the shape `size`."""
        return self.dist.rvs(*self.args, size=size, random_state=random_state, **self.kwds)

    def stats(self, moments="mv"):
        """Mean and variance, as asked for by the letters m and v."""
        return self.dist.stats(*self.args, moments=moments, **self.kwds)


def _frozen_method(name):
    def method(self, *args):
        return getattr(self.dist, name)(*args, *self.args, **self.kwds)

    method.__name__ = name
    method.__doc__ = getattr(Distribution, name).__doc__
    return method


for _name in (
    "pdf logpdf pmf logpmf cdf sf logcdf logsf ppf isf mean var std median support interval".split()
):
    setattr(Frozen, _name, _frozen_method(_name))


def _array(value):
    return np.asarray(value, dtype=float)


def _quick(ufunc):
    """A kernel that does without NumPy for plain numbers."""
    one = getattr(_one, ufunc.__name__)

    def call(*args):
        value = one(*args)
        return ufunc(*args) if value is None else value

    return call


_log = _quick(_u.log)


def _is_plain(x):
    """A number of Python's, for which no array is needed, and whose arithmetic is that of doubles."""
    return type(x) is float or (type(x) is int and -(2**53) <= x <= 2**53)


def _minus(x, loc):
    if _is_plain(loc) and (loc == 0 or _is_plain(x)):
        return x - loc if loc else x
    return np.subtract(x, loc)


def _over(x, scale):
    if _is_plain(x) and _is_plain(scale) and scale > 0:
        return x / scale
    with np.errstate(all="ignore"):
        return np.divide(x, _positive(scale))


def _plus(x, loc):
    if _is_plain(loc):
        # A result of ours is a number of NumPy's: the sum is one, too.
        return x + loc if loc else x
    return np.add(x, loc)


def _positive(scale):
    if _is_plain(scale) and scale > 0:
        return scale
    scale = _array(scale)
    return np.where(scale > 0, scale, np.nan)[()]


def _distribution(name):
    return globals()[name]


_INF = np.inf


def _own_scale(order):
    """The kernel has a scale of its own, last of its parameters."""
    return lambda shapes, scale: ([*order(*shapes), scale], None)


def _outside_scale(order):
    """The kernel has no scale."""
    return lambda shapes, scale: (order(*shapes), scale if not _is_one(scale) else None)


def _is_one(scale):
    return _is_plain(scale) and scale == 1


def _same(*shapes):
    return list(shapes)


def _make(name, shapes, letters, parameters, about, moments, support, discrete=False):
    kernels = [getattr(_u, letter + letters) for letter in "dpqr"]
    globals()[name] = Distribution(name, shapes, [*kernels, parameters], about, moments, support, discrete)
    __all__.append(name)


__all__ = ["Distribution", "Frozen"]


def _line(*_):
    return -_INF, _INF


def _half_line(*_):
    return 0.0, _INF


def _unit(*_):
    return 0.0, 1.0


def _where(condition, value, other=np.nan):
    return np.where(condition, value, other)


def _t_moments(df):
    mean = _where(df > 1, 0.0, _where(df > 0, _INF))
    variance = _where(df > 2, df / (df - 2), _where(df > 1, _INF))
    return mean, np.where(np.isinf(df), 1.0, variance)


def _f_moments(dfn, dfd):
    mean = _where(dfd > 2, dfd / (dfd - 2), _INF)
    variance = 2 * dfd**2 * (dfn + dfd - 2) / (dfn * (dfd - 2) ** 2 * (dfd - 4))
    return mean, _where(dfd > 4, variance, _INF)


def _weibull_moments(c):
    first = _u.gammafn(1 + 1 / c)
    return first, _u.gammafn(1 + 2 / c) - first**2


def _beta_moments(a, b):
    return a / (a + b), a * b / ((a + b) ** 2 * (a + b + 1))


def _hyper_moments(M, n, N):
    p = n / M
    return N * p, N * p * (1 - p) * (M - N) / (M - 1)


_make("norm", (), "norm", lambda _, scale: ([0.0, scale], None), "normal distribution",
      lambda: (0.0, 1.0), _line)
_make("uniform", (), "unif", lambda _, scale: ([0.0, scale], None), "uniform distribution on [loc, loc + scale]",
      lambda: (0.5, 1 / 12), _unit)
_make("expon", (), "exp", _own_scale(_same), "exponential distribution", lambda: (1.0, 1.0), _half_line)
_make("gamma", ("a",), "gamma", _own_scale(_same), "gamma distribution", lambda a: (a, a), _half_line)
_make("weibull_min", ("c",), "weibull", _own_scale(_same), "Weibull distribution", _weibull_moments, _half_line)
_make("logistic", (), "logis", lambda _, scale: ([0.0, scale], None), "logistic distribution",
      lambda: (0.0, np.pi**2 / 3), _line)
_make("cauchy", (), "cauchy", lambda _, scale: ([0.0, scale], None), "Cauchy distribution",
      lambda: (np.nan, np.nan), _line)
_make("lognorm", ("s",), "lnorm", lambda shapes, scale: ([_log(_positive(scale)), shapes[0]], None),
      "log-normal distribution", lambda s: (np.exp(s * s / 2), np.expm1(s * s) * np.exp(s * s)), _half_line)
_make("beta", ("a", "b"), "beta", _outside_scale(_same), "beta distribution", _beta_moments, _unit)
_make("chi2", ("df",), "chisq", _outside_scale(_same), "chi-squared distribution", lambda df: (df, 2 * df), _half_line)
_make("t", ("df",), "t", _outside_scale(_same), "Student's t distribution", _t_moments, _line)
_make("f", ("dfn", "dfd"), "f", _outside_scale(_same), "F distribution", _f_moments, _half_line)
_make("ncx2", ("df", "nc"), "nchisq", _outside_scale(_same), "noncentral chi-squared distribution",
      lambda df, nc: (df + nc, 2 * (df + 2 * nc)), _half_line)
_make("binom", ("n", "p"), "binom", lambda shapes, _: (shapes, None), "binomial distribution",
      lambda n, p: (n * p, n * p * (1 - p)), lambda n, p: (0.0, n), True)
_make("poisson", ("mu",), "pois", lambda shapes, _: (shapes, None), "Poisson distribution",
      lambda mu: (mu, mu), _half_line, True)
_make("nbinom", ("n", "p"), "nbinom", lambda shapes, _: (shapes, None), "negative binomial distribution",
      lambda n, p: (n * (1 - p) / p, n * (1 - p) / p**2), _half_line, True)
_make("hypergeom", ("M", "n", "N"), "hyper", lambda shapes, _: ([shapes[1], _minus(shapes[0], shapes[1]), shapes[2]], None),
      "hypergeometric distribution", _hyper_moments,
      lambda M, n, N: (np.maximum(0, N - (M - n)), np.minimum(n, N)), True)


class _Geometric(Distribution):
    """SciPy counts the trials, R the failures before the first success."""

    def _split(self, args, kwargs):
        shapes, loc, scale = super()._split(args, kwargs)
        return shapes, _plus(loc, 1) if _is_plain(loc) else np.add(loc, 1), scale

    def mean(self, *args, **kwargs):
        shapes, loc, _ = self._split(args, kwargs)
        with np.errstate(all="ignore"):
            return (1 / _array(shapes[0]) - 1 + loc)[()]


geom = _Geometric("geom", ("p",), [_u.dgeom, _u.pgeom, _u.qgeom, _u.rgeom, lambda shapes, _: (shapes, None)],
                  "geometric distribution of the number of trials", lambda p: ((1 - p) / p, (1 - p) / p**2), _half_line, True)
__all__.append("geom")
