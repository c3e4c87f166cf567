"""R's names, defaults and alternatives; every function is right where SciPy is."""

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gristmill as gm

HERE = Path(__file__).resolve().parent


def test_the_generated_file_is_current():
    if not (HERE.parent / "tools" / "generate.py").exists():
        pytest.skip("not in the source tree")
    subprocess.run([sys.executable, HERE.parent / "tools" / "generate.py", "--check"], check=True)


def test_every_kernel_is_reached_by_a_function():
    source = (Path(gm.__file__).parent / "_functions.py").read_text()
    documented = {name for item in gm.functions() for name in [item["kernel"]]}
    for name in documented:
        assert f"ufuncs.{name}" in source, name


@pytest.mark.parametrize("name", gm._functions.__all__)
def test_every_function_explains_itself(name):
    function = getattr(gm, name)
    assert function.__doc__ and "Parameters" in function.__doc__
    assert inspect.signature(function).parameters


def test_signatures_are_those_of_r():
    assert str(inspect.signature(gm.pnorm)) == (
        "(q, mean=0, sd=1, *, lower_tail=True, log_p=False, out=None, where=True, **kwargs)"
    )
    assert list(inspect.signature(gm.rnorm).parameters)[:3] == ["size", "mean", "sd"]


def test_rate_and_scale():
    assert gm.pgamma(3.0, 2.0, rate=4.0) == gm.pgamma(3.0, 2.0, scale=0.25)
    assert gm.pgamma(3.0, 2.0, 4.0) == gm.pgamma(3.0, 2.0, scale=0.25)
    assert gm.dexp([1.0], rate=[2.0]) == gm.dexp([1.0], scale=0.5)
    with pytest.raises(ValueError, match="`rate` and `scale` were both given"):
        gm.pgamma(3.0, 2.0, rate=4.0, scale=2.0)


def test_prob_and_mu():
    assert gm.dnbinom(3, 2, mu=4.0) == gm.ufuncs.dnbinom_mu(3, 2, 4.0, False)
    assert gm.dnbinom(3, 2, prob=0.5) == gm.ufuncs.dnbinom(3, 2, 0.5, False)
    with pytest.raises(ValueError, match="`prob` and `mu` were both given"):
        gm.dnbinom(3, 2, prob=0.5, mu=4.0)
    with pytest.raises(TypeError, match="neither `prob` nor `mu`"):
        gm.dnbinom(3, 2)


def test_ncp_of_zero_is_the_central_function():
    assert gm.pchisq(3.0, 2.0, ncp=0.0) == gm.pchisq(3.0, 2.0)
    assert gm.pbeta(0.3, 2.0, 3.0, ncp=1.0) < gm.pbeta(0.3, 2.0, 3.0)


SPECIAL = {
    "erf": "erf",
    "erfc": "erfc",
    "gamma": "gamma",
    "lgamma": "gammaln",
    "digamma": "digamma",
    "expm1": "expm1",
    "log1p": "log1p",
    "cbrt": "cbrt",
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_functions_agree_with_scipy(name):
    special = pytest.importorskip("scipy.special")
    x = np.linspace(0.3, 20, 1000)
    np.testing.assert_allclose(getattr(gm, name)(x), getattr(special, SPECIAL[name])(x), rtol=5e-13, atol=1e-15)


def test_two_argument_functions_agree_with_scipy():
    special = pytest.importorskip("scipy.special")
    x, nu = np.meshgrid(np.linspace(0.5, 30, 40), np.linspace(0, 8, 17))
    np.testing.assert_allclose(gm.besselJ(x, nu), special.jv(nu, x), rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(gm.besselI(x, nu, expon_scaled=True), special.ive(nu, x), rtol=1e-12)
    np.testing.assert_allclose(gm.besselK(x, nu), special.kv(nu, x), rtol=1e-12)
    np.testing.assert_allclose(gm.lbeta(x, nu + 1), special.betaln(x, nu + 1), rtol=1e-12, atol=1e-13)


def test_functions_are_listed():
    table = gm.functions("chi-squared")
    assert {item["name"] for item in table} == {"dchisq", "pchisq", "qchisq", "rchisq"}
    assert "pchisq(q, df, ncp" in repr(table)
    assert "<table>" in table._repr_html_()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.array([1.0], dtype=np.longdouble), r"`q` is an array of (longdouble|float128|float96).*`.astype\(float\)` rounds"),
        (np.array([1.0], dtype=object), "`q` is an array of Python objects"),
        (["1", "2"], "`q` is an array of text"),
        ([1j], "`q` is an array of complex128"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "`q` is an array of dates"),
        (None, "`q` is None, but must be a number"),
        ("x", "`q` is 'x', but must be a number that a double holds"),
    ],
)
def test_what_is_no_number_is_refused_with_the_name_of_the_argument(value, message):
    with pytest.raises(TypeError, match=message):
        gm.pnorm(value)
    with pytest.raises(TypeError, match=message.replace("`q`", "`sd`")):
        gm.pnorm([0.5, 1.0], sd=value)
    with pytest.raises(TypeError, match=message.replace("`q`", "`mean`")):
        gm.rnorm(3, mean=value)


def test_shapes_that_do_not_go_together_are_named():
    with pytest.raises(ValueError, match=r"`q` has the shape \(3,\), `mean` has the shape \(2,\)"):
        gm.pnorm([1, 2, 3], [1, 2])
    if np.lib.NumpyVersion(np.__version__) >= "1.24.0":
        # Before, NumPy made an array of lists of it, with a warning.
        with pytest.raises(ValueError, match="its parts differ in length"):
            gm.pnorm([[1], [1, 2]])
