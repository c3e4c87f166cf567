"""Models: R's numbers, the command's text, and posteriors whose parts merge to the same bits."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gristmill as gm

BUDWORM = Path(__file__).resolve().parents[3] / "examples" / "budworm.csv"
FORMULA = "cbind(dead, moths - dead) ~ sex * log2(dose)"


@pytest.fixture(scope="module")
def budworm():
    dose = [1, 2, 4, 8, 16, 32]
    return {
        "sex": ["M"] * 6 + ["F"] * 6,
        "dose": np.array(dose * 2),
        "moths": np.full(12, 20),
        "dead": np.array([1, 4, 9, 13, 18, 20, 0, 2, 6, 10, 12, 16]),
    }


@pytest.fixture(scope="module")
def fit(budworm):
    return gm.glm(FORMULA, budworm, family="binomial")


def test_the_numbers_are_those_of_r(fit):
    # R 4.2.2: summary(glm(cbind(dead, moths - dead) ~ sex * log2(dose), binomial)); venables2002, section 7.2.
    assert fit.names == ["(Intercept)", "sexM", "log2(dose)", "sexM:log2(dose)"]
    np.testing.assert_allclose(fit.coef_, [-2.9935, 0.1750, 0.9060, 0.3529], atol=5e-5)
    np.testing.assert_allclose(fit.bse, [0.5527, 0.7783, 0.1671, 0.2700], atol=5e-5)
    assert fit.deviance == pytest.approx(4.9937, abs=5e-5) and fit.df_residual == 8
    assert fit.null_deviance == pytest.approx(124.8756, abs=5e-5) and fit.df_null == 11
    assert fit.aic == pytest.approx(43.104, abs=5e-4) and fit.converged and fit.problems == []
    np.testing.assert_allclose(np.sqrt(np.diag(fit.vcov())), fit.bse, rtol=1e-12)


def test_the_summary_is_the_text_of_the_command(fit):
    if not BUDWORM.exists():
        pytest.skip("not in the source tree")
    words = ["glm", str(BUDWORM), "--family", "binomial", "--formula", FORMULA, "--quiet"]
    command = subprocess.run([sys.executable, "-m", "gristmill", *words], capture_output=True, text=True, check=True)
    from_file = gm.glm(FORMULA, BUDWORM, family="binomial")
    assert str(from_file.summary()) == command.stdout
    assert "4.9937  on 8 degrees of freedom" in command.stdout
    assert "<table>" in fit._repr_html_() and "Estimate" in fit.summary()._repr_html_() and "binomial" in repr(fit)


def test_tables_of_every_kind_give_the_same_bits(fit, budworm):
    for name, make in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        module = pytest.importorskip(name)
        other = gm.glm(FORMULA, getattr(module, make)(budworm), family="binomial")
        assert np.array_equal(other.coef_, fit.coef_), name


def test_predictions(fit, budworm):
    new = {"sex": ["M", "F", None], "dose": [4.0, np.nan, 1.0]}
    link, link_se = fit.predict(new, kind="link", se=True)
    response, response_se = fit.predict(new, se=True)
    assert link[0] == pytest.approx(-2.9935 + 0.1750 + 2 * (0.9060 + 0.3529), abs=5e-4)
    assert response[0] == pytest.approx(1 / (1 + np.exp(-link[0])), rel=1e-12) and np.isnan(response[1:]).all()
    assert response_se[0] == pytest.approx(link_se[0] * response[0] * (1 - response[0]), rel=1e-9)
    again = fit.predict(budworm)
    np.testing.assert_allclose(again, fit.influence()["fitted"], rtol=1e-12)
    with pytest.raises(ValueError, match="X"):
        fit.predict({"sex": ["X"], "dose": [1.0]})
    with pytest.raises(ValueError, match="dose"):
        fit.predict({"sex": ["M"]})
    with pytest.raises(ValueError, match="`kind` is 'odds'"):
        fit.predict(budworm, kind="odds")


def test_categories_are_levels_in_their_own_order():
    pd = pytest.importorskip("pandas")
    dose = ["lo", "mid", "hi", "mid", "lo", "hi"]
    y = np.array([1.0, 2.5, 4.0, 3.5, 2.0, 6.0])
    categories = pd.Categorical(dose, categories=["none", "lo", "mid", "hi"])
    fit = gm.glm("y ~ dose", pd.DataFrame({"y": y, "dose": categories}))
    # Without the level that no row has; of texts the order would be hi, lo, mid.
    assert fit.names == ["(Intercept)", "dosemid", "dosehi"]
    np.testing.assert_allclose(fit.coef_, [1.5, 1.5, 3.5], rtol=1e-14)
    assert gm.glm("y ~ dose", {"y": y, "dose": dose}).names == ["(Intercept)", "doselo", "dosemid"]


def test_intervals(fit):
    # R 4.2.2: confint(fit) and confint.default(fit).
    wald = fit.confint(kind="wald")
    np.testing.assert_allclose(wald[2], [0.9060 - 1.959964 * 0.1671, 0.9060 + 1.959964 * 0.1671], atol=2e-4)
    profile = fit.confint()
    assert (profile[:, 0] < fit.coef_).all() and (fit.coef_ < profile[:, 1]).all()
    with pytest.raises(ValueError, match="`level` is 1"):
        fit.confint(level=1)


def test_weights_offsets_and_missing_rows():
    x = np.array([0.0, 1.0, 2.0, 3.0, np.nan])
    y = np.array([1, 3, 4, 9, 5])
    t = np.array([1.0, 2.0, 1.0, 2.0, 1.0])
    by_name = gm.glm("y ~ x", {"x": x, "y": y, "t": t}, family="poisson", offset="log(t)", weights="t")
    by_array = gm.glm("y ~ x", {"x": x, "y": y}, family="poisson", offset=np.log(t), weights=t)
    assert np.array_equal(by_name.coef_, by_array.coef_) and by_name.rows.tolist() == [0, 1, 2, 3]
    assert by_name.design_matrix.tolist() == [[1, 0], [1, 1], [1, 2], [1, 3]]
    assert "1 observation deleted" in str(by_name.summary())
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"x": x, "y": y}).with_columns(x=polars.col("x").fill_nan(None))
    assert np.array_equal(gm.glm("y ~ x", frame, family="poisson", offset=np.log(t), weights=t).coef_, by_name.coef_)


def test_a_prior_makes_separated_responses_finite():
    data = {"y": [0, 0, 1, 1], "x": [1.0, 2.0, 3.0, 4.0]}
    with pytest.warns(gm.ConvergenceWarning, match="`prior` makes them finite"):
        assert not gm.glm("y ~ x", data, family="binomial").converged
    fit = gm.glm("y ~ x", data, family="binomial", prior=0.1)
    assert fit.converged and np.isfinite(fit.coef_).all() and "Posterior sd" in str(fit.summary())
    named = gm.glm("y ~ x", data, family="binomial", prior={"precision": {"(Intercept)": 0.1, "x": 0.1}, "mean": 0})
    assert np.array_equal(named.coef_, fit.coef_)
    matrix = gm.glm("y ~ x", data, family="binomial", prior={"precision": np.eye(2) * 0.1})
    assert np.array_equal(matrix.coef_, fit.coef_)


@pytest.mark.parametrize(
    ("formula", "options", "kind", "text"),
    [
        ("y ~ nope", {}, ValueError, "nope"),
        ("y ~ (x", {}, ValueError, r"\)"),
        (3, {}, TypeError, "`formula` is 3"),
        ("y ~ x", {"family": "nope"}, ValueError, "nope"),
        ("y ~ x", {"family": None}, TypeError, "`family` is None"),
        ("y ~ x", {"link": "logit"}, ValueError, "logit"),
        ("y ~ x", {"weights": [1.0]}, ValueError, r"`weights` has the shape \(1,\)"),
        ("y ~ x", {"prior": {"sd": 1}}, ValueError, "`prior` has `sd`"),
        ("y ~ x", {"prior": {"precision": {"z": 1}}}, ValueError, "names `z`"),
        ("y ~ x", {"prior": {"precision": [1, 2, 3]}}, ValueError, "2 coefficients"),
        ("y ~ x", {"prior": "x"}, TypeError, "must be numbers"),
        ("y ~ x", {"dispersion": -1}, ValueError, "`dispersion` is -1"),
        ("y ~ x", {"variance": "mu"}, ValueError, "`variance` was given"),
        ("y ~ x", {"size": "x"}, TypeError, "`size` is 'x'"),
        ("b ~ x", {"family": "poisson"}, ValueError, "row 2"),
    ],
)
def test_bad_input(formula, options, kind, text):
    data = {"y": [1.0, 2.0, 4.0], "x": [0.0, 1.0, 2.0], "b": [1.0, -1.0, 2.0]}
    with pytest.raises(kind, match=text):
        gm.glm(formula, data, **options)


def test_data_that_is_no_table_is_an_error():
    with pytest.raises(TypeError, match="`data` is a builtins.int"):
        gm.glm("y ~ x", 3)
    with pytest.raises(FileNotFoundError):
        gm.glm("y ~ x", "no-such-file.csv")


@pytest.fixture(scope="module")
def posterior():
    rng = np.random.default_rng(5)
    x = np.column_stack([np.ones(1000), rng.normal(size=(1000, 2))])
    y = (rng.random(1000) < 0.4).astype(float)
    return x, y, rng.normal(size=(40, 3)) * 0.3


def test_values_and_gradients(posterior):
    x, y, grid = posterior
    values, gradients = gm.GlmData(x, y, family="binomial").evaluate(grid)
    eta = x @ grid.T
    np.testing.assert_allclose(values, (np.log1p(np.exp(eta)) - y[:, None] * eta).sum(0), rtol=1e-12)
    np.testing.assert_allclose(gradients, (1 / (1 + np.exp(-eta)) - y[:, None]).T @ x, rtol=1e-9, atol=1e-9)
    same = gm.GlmData(np.asfortranarray(x), y, family="binomial").evaluate(grid[::-1])
    assert np.array_equal(same[0][::-1], values) and np.array_equal(same[1][::-1], gradients)
    prior = gm.GlmData(x, y, family="binomial", prior={"precision": 2.0, "mean": 1.0}).evaluate(grid)
    np.testing.assert_allclose(prior[0] - values, ((grid - 1.0) ** 2).sum(1), rtol=1e-9)


def unaligned(array):
    """The same numbers, one byte beside where the processor wants them."""
    place = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    place[...] = array
    assert not place.flags.aligned
    return place


def test_memory_may_start_anywhere(posterior):
    x, y, grid = posterior
    values, gradients = gm.GlmData(x, y, weights=y + 1).evaluate(grid)
    found = gm.GlmData(unaligned(x), unaligned(y), weights=unaligned(y + 1)).evaluate(unaligned(grid))
    assert np.array_equal(found[0], values) and np.array_equal(found[1], gradients)
    assert gm.eval("z = y", {"y": unaligned(y)})["z"].tolist() == y.tolist()


def test_sparse_matrices_give_the_same_bits(posterior):
    sparse = pytest.importorskip("scipy.sparse")
    x, y, grid = posterior
    x = np.where(np.abs(x) > 1.0, x, 0.0)
    dense = gm.GlmData(x, y, family="binomial").evaluate(grid)
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array):
        one = gm.GlmData(kind(x), y, family="binomial").evaluate(grid)
        assert np.array_equal(one[0], dense[0]) and np.array_equal(one[1], dense[1])


def test_parts_merge_to_the_same_bits(posterior):
    x, y, grid = posterior
    whole = gm.GlmData(x, y, family="binomial", prior=0.5)
    values, gradients = whole.evaluate(grid)
    parts = []
    for start, stop in ((640, 1000), (0, 64), (64, 640)):
        data = gm.GlmData(x[start:stop], y[start:stop], family="binomial", first_row=start)
        parts.append(pickle.loads(pickle.dumps(data.partial(grid))))
    merged = gm.merge(parts)
    assert merged.rows == (0, 1000) and "1000" in repr(merged)
    found = whole.finish(grid, merged)
    assert np.array_equal(found[0], values) and np.array_equal(found[1], gradients)
    assert np.array_equal(whole.finish(grid, whole.partial(grid, 0, 128).merge(whole.partial(grid, 128)))[0], values)
    with pytest.raises(ValueError):
        gm.merge([parts[0], parts[0]])
    with pytest.raises(ValueError):
        gm.merge([])
    with pytest.raises(TypeError, match="`parts` has 3"):
        gm.merge([3])
    with pytest.raises(ValueError):
        gm.Partial.from_bytes(b"nothing")
    with pytest.raises(ValueError, match="64"):
        gm.GlmData(x, y, first_row=3)


@pytest.mark.parametrize(
    ("change", "kind", "text"),
    [
        ({"X": [1.0, 2.0]}, ValueError, "`X` has 1 dimensions"),
        ({"X": [["a"]]}, TypeError, "`X` is"),
        ({"y": [1.0]}, ValueError, "length"),
        ({"family": "negative.binomial"}, ValueError, "`size` is None"),
        ({"prior": [1.0]}, ValueError, "2 coefficients"),
        ({"weights": [-1.0, 1.0]}, ValueError, "-1"),
    ],
)
def test_bad_data(change, kind, text):
    arguments = {"X": [[1.0, 2.0], [1.0, 3.0]], "y": [1.0, 0.0], **change}
    with pytest.raises(kind, match=text):
        gm.GlmData(arguments.pop("X"), arguments.pop("y"), **arguments)


def test_a_bad_grid_is_an_error(posterior):
    x, y, grid = posterior
    with pytest.raises(ValueError, match="`grid` has 2 columns"):
        gm.GlmData(x, y).evaluate(grid[:, :2])
    values, gradients = gm.GlmData(x, y).evaluate(np.zeros((0, 3)))
    assert values.shape == (0,) and gradients.shape == (0, 3)


def test_plots(fit):
    pytest.importorskip("matplotlib").use("Agg")
    figure = fit.plot()
    assert len(figure.axes) == 4
    with pytest.raises(ValueError, match="`axes` has 1 parts"):
        fit.plot(axes=figure.axes[0])
