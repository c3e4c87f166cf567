"""Generalized linear models: fits of formulas, and posteriors over grids of coefficients."""

import html
import warnings

import numpy as np

from . import _columns, _functions, _gristmill
from ._core import _shown, _whole
from ._device import device_name
from ._device_array import DeviceArray, to_device
from ._table import Source, is_path, source_of

_WEIGHTS, _OFFSET = "(weights)", "(offset)"


class ConvergenceWarning(UserWarning):
    """The numbers of a fit are something else than they seem."""


def glm(
    formula,
    data,
    *,
    family="gaussian",
    link=None,
    weights=None,
    offset=None,
    prior=None,
    dispersion=None,
    size=None,
    variance=None,
):
    """Fits a generalized linear model, as R's ``glm`` does; with a prior, the mode of the posterior.

    Parameters
    ----------
    formula : str
        As in R: ``"y ~ x + g"``, ``"cbind(dead, n - dead) ~ sex * log2(dose)"``. Any expression of :func:`eval` can be a
        variable; columns of text, truth values and categories are factors. Rows with a missing value are left out.
    data : dict of arrays, DataFrame, pyarrow.Table, object with ``__arrow_c_stream__``, or path
        The table.
    family : str
        binomial, quasibinomial, poisson, quasipoisson, Gamma, gaussian, inverse.gaussian, negative.binomial or quasi.
    link : str, optional
        logit, probit, cloglog, cauchit, log, inverse, identity, sqrt or 1/mu^2; R's default if not given.
    weights, offset : str or array, optional
        A column, an expression, or a value for each row.
    prior : float or dict, optional
        A normal prior: its precision (the inverse of its variance) for every coefficient; or a dict with ``precision`` and
        ``mean``, each a number, one for each coefficient, or a dict by their names; the precision may be a matrix.
    dispersion : float, optional
        Of the families that have one; estimated if not given, 1 with a prior.
    size : float, optional
        Of the negative binomial family: the variance is mean + mean^2/size. Estimated if not given.
    variance : str, optional
        Of the family quasi: constant, mu, mu(1-mu), mu^2 or mu^3.

    Returns
    -------
    GlmFit

    Examples
    --------
    >>> fit = gm.glm("dist ~ speed", cars)
    >>> print(fit.summary())
    """
    if not isinstance(formula, str):
        raise TypeError(f"`formula` is {_shown(formula)}, but must be text, such as \"y ~ x\"")
    model = _model(family, link, variance, size)
    extra = {}
    roles = []
    for name, column, value in (("weights", _WEIGHTS, weights), ("offset", _OFFSET, offset)):
        if value is None or isinstance(value, str):
            roles.append(value)
        else:
            extra[column] = value
            roles.append(f"`{column}`")
    text = " ".join([formula, *(role or "" for role in roles)])
    table = _table(data, text, extra)
    design = _gristmill.GlmDesign(formula, table, *roles, model["family"] in ("binomial", "quasibinomial"))
    mean, precision = _prior(prior, design.names)
    fit = GlmFit(design.fit(model, _number("dispersion", dispersion), mean.tolist(), precision.ravel().tolist()), formula)
    for problem in fit.problems:
        warnings.warn(problem, ConvergenceWarning, stacklevel=2)
    return fit


def _model(family, link, variance, size, constants=False):
    for name, value in (("family", family), ("link", link), ("variance", variance)):
        if not isinstance(value, str) and (name == "family" or value is not None):
            raise TypeError(f"`{name}` is {_shown(value)}, but must be a name, such as \"{_EXAMPLES[name]}\"")
    return {
        "family": family,
        "link": link,
        "variance": variance,
        "size": _number("size", size),
        "constants": bool(constants),
    }


_EXAMPLES = {"family": "binomial", "link": "logit", "variance": "mu"}


def _number(name, value):
    if value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"`{name}` is {_shown(value)}, but must be a number") from None


def _table(data, text, extra=None):
    """The compiled half's table with the columns that a text may name, and more of them."""
    every = "." in text.split("~", 1)[-1]

    def look(name):
        return every or name in text

    if is_path(data):
        from ._eval import eval

        # A file is read whole: what a formula uses is not known before its names are.
        inner = eval("`(rows)` = 0", data)._inner
        return inner.select([place for place, name in enumerate(inner.names) if name != "(rows)"])
    try:
        source = source_of(data, look)
    except TypeError as error:
        raise TypeError(str(error).replace("`table`", "`data`")) from None
    if not extra:
        return source.inner()
    if type(source).inner is not Source.inner:
        # Columns that are in Arrow's memory already: one table of both.
        return _joined(source, look, extra)
    columns = [source.column(n) if look(n) else _columns.nothing(n) for n in source.names()]
    return _gristmill.Table.of_columns(source.rows(), [*columns, *_extra(extra, source.rows())])


def _joined(source, look, extra):
    inner = source.inner()
    columns = []
    for place, name in enumerate(inner.names):
        if not look(name):
            columns.append(_columns.nothing(name))
            continue
        columns.append(_columns.column(name, _columns.array_of(*inner.column(place), keep_mask=True)))
    return _gristmill.Table.of_columns(inner.rows, [*columns, *_extra(extra, inner.rows)])


def _extra(extra, rows):
    for name, value in extra.items():
        values = np.asarray(value, dtype=float)
        shown = name.strip("()")
        if values.ndim != 1 or len(values) != rows:
            raise ValueError(f"`{shown}` has the shape {values.shape}, but the data has {rows} rows")
        yield _columns.column(name, values)


def _prior(prior, names):
    """Mean and precision of a prior, for coefficients of these names."""
    n = len(names)
    if prior is None:
        return np.zeros(n), np.zeros((n, n))
    if not isinstance(prior, dict):
        prior = {"precision": prior}
    unknown = sorted(set(prior) - {"mean", "precision"})
    if unknown:
        raise ValueError(f"`prior` has `{unknown[0]}`, but only `mean` and `precision` are known")
    if "precision" not in prior:
        raise ValueError("`prior` has no `precision`: without it the mean has no weight")
    mean = _vector("mean", prior.get("mean", 0.0), names)
    precision = prior["precision"]
    if not isinstance(precision, dict) and np.ndim(precision) == 2:
        matrix = np.asarray(precision, dtype=float)
        if matrix.shape != (n, n):
            raise ValueError(f"the precision of `prior` has the shape {matrix.shape}, but there are {n} coefficients")
        return mean, matrix
    return mean, np.diag(_vector("precision", precision, names))


def _vector(what, value, names):
    if isinstance(value, dict):
        unknown = [name for name in value if name not in names]
        if unknown:
            there = ", ".join(f"`{name}`" for name in names)
            raise ValueError(f"the {what} of `prior` names `{unknown[0]}`, but the coefficients are {there}")
        return np.array([float(value.get(name, 0.0)) for name in names])
    try:
        vector = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise TypeError(f"the {what} of `prior` is {_shown(value)}, but must be numbers") from None
    if vector.ndim > 1 or (vector.ndim == 1 and len(vector) != len(names)):
        raise ValueError(f"the {what} of `prior` has the shape {vector.shape}, but there are {len(names)} coefficients")
    return np.broadcast_to(vector, len(names)).copy()


class GlmFit:
    """A fitted model: what :func:`glm` gives.

    Attributes
    ----------
    names : list of str
        The coefficients, as R names them.
    coef_, bse, statistics, pvalues : numpy.ndarray
        Estimates, standard errors, z or t values and their p values; NaN for coefficients without a value of their own.
    deviance, null_deviance, df_residual, df_null, aic, bic, dispersion : float
        As R's ``summary`` has them; `aic` and `bic` are None where there is no likelihood.
    converged : bool
    """

    def __init__(self, inner, formula):
        self._inner = inner
        self._numbers = inner.numbers()
        self.formula = formula
        self.names = inner.design.names

    coef_ = property(lambda self: self._numbers["coef"])
    bse = property(lambda self: self._numbers["bse"])
    statistics = property(lambda self: self._numbers["statistics"])
    pvalues = property(lambda self: self._numbers["pvalues"])
    deviance = property(lambda self: self._numbers["deviance"])
    null_deviance = property(lambda self: self._numbers["null_deviance"])
    df_residual = property(lambda self: self._numbers["df_residual"])
    df_null = property(lambda self: self._numbers["df_null"])
    dispersion = property(lambda self: self._numbers["dispersion"])
    aic = property(lambda self: self._numbers["aic"])
    bic = property(lambda self: self._numbers["bic"])
    converged = property(lambda self: self._numbers["converged"])
    iterations = property(lambda self: self._numbers["iterations"])
    family = property(lambda self: self._numbers["family"])
    link = property(lambda self: self._numbers["link"])
    size = property(lambda self: self._numbers["size"])
    negative_log_posterior = property(lambda self: self._numbers["negative_log_posterior"])

    @property
    def problems(self):
        """What makes the numbers something else than they seem, as texts."""
        return self._inner.problems()

    @property
    def rows(self):
        """The rows of the table that were used, from 0."""
        return self._inner.design.rows

    @property
    def design_matrix(self):
        """The model matrix, a row for each row that was used."""
        return self._inner.design.matrix

    def vcov(self):
        """The covariance of the coefficients."""
        return self._numbers["vcov"].copy()

    def summary(self):
        """R's table of coefficients and what follows it, as text that prints itself."""
        return Summary(self)

    def confint(self, level=0.95, kind="profile"):
        """Lower and upper ends of confidence intervals: by the profile of the likelihood, or ``"wald"``."""
        level = _number("level", level)
        if not 0 < level < 1:
            raise ValueError(f"`level` is {level}, but must be between 0 and 1")
        if kind == "profile":
            return self._inner.profile_intervals(level)
        if kind == "wald":
            z = _functions.qnorm(0.5 + 0.5 * level)
            return np.column_stack([self.coef_ - z * self.bse, self.coef_ + z * self.bse])
        raise ValueError(f"`kind` is {_shown(kind)}, but must be \"profile\" or \"wald\"")

    def predict(self, data, kind="response", se=False):
        """The mean (``"response"``) or the linear predictor (``"link"``) for the rows of another table.

        A row with a missing value has NaN. With `se`, also the standard errors.
        """
        if kind not in ("response", "link"):
            raise ValueError(f"`kind` is {_shown(kind)}, but must be \"response\" or \"link\"")
        found = self._inner.predict(_table(data, self.formula))
        first = 2 if kind == "response" else 0
        values, errors = found[:, first].copy(), found[:, first + 1].copy()
        return (values, errors) if se else values

    def influence(self):
        """Of each row that was used: fitted value, residuals, leverage and Cook's distance, as a dict of arrays."""
        return self._inner.influence()

    def plot(self, axes=None):
        """The four diagnostic plots, with matplotlib; gives the figure."""
        from ._plot import plot_fit

        return plot_fit(self, axes)

    def __repr__(self):
        return f"<GlmFit {self.formula!r}, family {self.family}, link {self.link}, deviance {self.deviance:.6g}>"

    def _repr_html_(self):
        letter = self._numbers["test"]
        head = ["", "Estimate", "Std. Error", f"{letter} value", f"Pr(&gt;|{letter}|)"]
        lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
        for row in zip(self.names, self.coef_, self.bse, self.statistics, self.pvalues):
            cells = [html.escape(row[0]), *(f"{value:.4g}" for value in row[1:])]
            lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        about = f"<p>{html.escape(self.formula)}, {self.family} ({self.link}), deviance {self.deviance:.5g}"
        about += "" if self.aic is None else f", AIC {self.aic:.5g}"
        return f"<table>{''.join(lines)}</table>{about}</p>"


class Summary:
    """A fit as R's ``summary`` prints it."""

    def __init__(self, fit):
        self._text = fit._inner.text()
        self._fit = fit

    def __str__(self):
        return self._text

    __repr__ = __str__

    def _repr_html_(self):
        return f"<pre>{html.escape(self._text)}</pre>"


class GlmData:
    """The data of a model, whose negative log-posterior is evaluated at many coefficient vectors at once.

    Parameters
    ----------
    X : array of two dimensions, or a SciPy sparse matrix
        A row for each observation, a column for each coefficient. An array of a device (:func:`to_device`) is used where it is,
        and all evaluations are done there.
    y : array
    family, link, size, variance : as for :func:`glm`
    weights, offset : array, optional
    prior : as for :func:`glm`, by place instead of by name
    first_row : int
        The number of the first row among those of a larger set, a multiple of 64: for :meth:`partial`.
    constants : bool
        Adds the constants of the density to the values of quasi families.
    """

    def __init__(
        self,
        X,
        y,
        *,
        family="gaussian",
        link=None,
        weights=None,
        offset=None,
        prior=None,
        size=None,
        variance=None,
        first_row=0,
        constants=False,
    ):
        there = X._inner if isinstance(X, DeviceArray) and X.dtype == float and X.size else None
        if hasattr(X, "tocsr"):
            rows = X.tocsr()
            rows.sort_indices()
            shape = rows.shape
            matrix = (shape[1], rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data.astype(float))
        else:
            matrix = _floats("X", X, 2)
            shape = matrix.shape
        mean = precision = None
        if prior is not None:
            mean, precision = _prior(prior, [str(j) for j in range(shape[1])])
        self._inner = _gristmill.GlmPosterior(
            matrix,
            _floats("y", y, 1),
            _model(family, link, variance, size, constants),
            None if weights is None else _floats("weights", weights, 1),
            None if offset is None else _floats("offset", offset, 1),
            mean,
            precision,
            _whole("first_row", first_row, 2**53),
            device_name(),
            there,
        )
        self.first_row = first_row

    @property
    def shape(self):
        """Rows and coefficients."""
        return self._inner.rows, self._inner.coefficients

    def evaluate(self, grid):
        """The negative log-posterior at each point of a grid, which has a row for each point, and its gradients.

        For a grid on a device both are there too.
        """
        return _as_grid(grid, self._inner.evaluate(self._grid(grid)))

    def partial(self, grid, start=None, stop=None):
        """What the rows from `start` to `stop` (all, if not given) add: a :class:`Partial` that travels and merges."""
        first = self.first_row
        start = first if start is None else _whole("start", start, 2**53)
        stop = first + self._inner.rows if stop is None else _whole("stop", stop, 2**53)
        return Partial(self._inner.partial(self._grid(grid), start, stop))

    def finish(self, grid, part):
        """Values and gradients from a part that covers all rows: the same bits as :meth:`evaluate` gives in one place."""
        if not isinstance(part, Partial):
            raise TypeError(f"`part` is {_shown(part)}, but must be a Partial")
        return _as_grid(grid, self._inner.finish(self._grid(grid), part._inner))

    def _grid(self, grid):
        grid = _floats("grid", grid, 2)
        if grid.shape[1] != self._inner.coefficients:
            raise ValueError(
                f"`grid` has {grid.shape[1]} columns, but must have one for each of the {self._inner.coefficients} coefficients"
            )
        return grid

    def __repr__(self):
        return f"<GlmData of {self._inner.rows} rows and {self._inner.coefficients} coefficients>"


class Partial:
    """What some rows add to the values and gradients at a grid. Parts merge in any order, to the same bits."""

    def __init__(self, inner):
        self._inner = inner

    @property
    def rows(self):
        """The first row and the one behind the last."""
        return self._inner.rows

    def merge(self, *others):
        """This part with those of the other rows."""
        return merge([self, *others])

    def to_bytes(self):
        """The same on every machine."""
        return self._inner.to_bytes()

    @staticmethod
    def from_bytes(data):
        """The part that :meth:`to_bytes` wrote."""
        return Partial(_gristmill.GlmPartial.from_bytes(bytes(data)))

    def __reduce__(self):
        return Partial.from_bytes, (self.to_bytes(),)

    def __repr__(self):
        return f"<Partial of rows {self.rows[0]} to {self.rows[1]}>"


def merge(parts):
    """One part of several, given in any order."""
    parts = list(parts)
    for part in parts:
        if not isinstance(part, Partial):
            raise TypeError(f"`parts` has {_shown(part)}, but must have parts only")
    return Partial(_gristmill.GlmPartial.merge_all([part._inner for part in parts]))


def _as_grid(grid, results):
    """Values and gradients where the grid is."""
    if not isinstance(grid, DeviceArray):
        return results
    return tuple(to_device(array, grid._inner.device[0]) for array in results)


def _floats(name, value, dimensions):
    if isinstance(value, DeviceArray):
        value = value.to_numpy()
    try:
        # Aligned: what came over a network may start anywhere.
        array = np.require(np.asarray(value, dtype=float), requirements="A")
    except (TypeError, ValueError):
        raise TypeError(f"`{name}` is {_shown(value)}, but must be numbers") from None
    if array.ndim != dimensions:
        raise ValueError(f"`{name}` has {array.ndim} dimensions, but must have {dimensions}")
    return array
