"""Rows that live in many places: the same bits, whatever the blocks and the number of workers."""

import numpy as np
import pytest

import gristmill as gm

da = pytest.importorskip("dask.array")


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(7)
    x = np.column_stack([np.ones(3000), rng.normal(size=(3000, 3))])
    y = rng.poisson(2.0, size=3000).astype(float)
    return x, y, rng.normal(size=(17, 4)) * 0.2


@pytest.mark.parametrize("rows", [3000, 1000, 777, 64, 5000])
def test_blocks_do_not_change_the_bits(problem, rows):
    x, y, grid = problem
    values, gradients = gm.GlmData(x, y, family="poisson", prior=0.3, weights=y + 1, offset=y * 0.1).evaluate(grid)
    found = gm.dask.glm_grid(
        da.from_array(x, chunks=(rows, 2)),
        da.from_array(y, chunks=rows // 2),
        grid,
        family="poisson",
        prior=0.3,
        weights=y + 1,
        offset=da.from_array(y * 0.1),
    )
    assert np.array_equal(found[0], values) and np.array_equal(found[1], gradients)


def test_a_cluster_of_two_processes_gives_the_same_bits(problem):
    distributed = pytest.importorskip("distributed")
    x, y, grid = problem
    values, gradients = gm.GlmData(x, y, family="poisson").evaluate(grid)
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None, "processes": True}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        options = {"family": "poisson", "compute": False}
        lazy = gm.dask.glm_grid(da.from_array(x, chunks=(300, 4)), da.from_array(y, chunks=300), grid, **options)
        found = client.compute(lazy).result(timeout=60)
        lazy = gm.pnorm(da.from_array(x, chunks=(300, 4)))
        assert np.array_equal(lazy.compute(), gm.pnorm(x))
    assert np.array_equal(found[0], values) and np.array_equal(found[1], gradients)


def test_it_can_be_delayed(problem):
    x, y, grid = problem
    lazy = gm.dask.glm_grid(da.from_array(x), y, grid, compute=False)
    assert np.array_equal(lazy.compute()[0], gm.GlmData(x, y).evaluate(grid)[0])


def test_bad_input(problem):
    x, y, grid = problem
    with pytest.raises(TypeError, match="`X` is a ndarray"):
        gm.dask.glm_grid(x, y, grid)
    with pytest.raises(ValueError, match="`grid` has 2 columns"):
        gm.dask.glm_grid(da.from_array(x), y, grid[:, :2])
    with pytest.raises(ValueError, match=r"`y` has the shape \(3,\)"):
        gm.dask.glm_grid(da.from_array(x), y[:3], grid)
    with pytest.raises(ValueError, match="unknown length"):
        array = da.from_array(x)
        gm.dask.glm_grid(array[array[:, 1] > 0], y, grid)


def test_functions_of_a_dask_dataframe_stay_lazy_and_keep_its_index():
    pandas = pytest.importorskip("pandas")
    frames = pytest.importorskip("dask.dataframe")
    table = pandas.DataFrame({"x": np.linspace(-2, 2, 11), "k": range(11)}, index=list("abcdefghijk"))
    parts = frames.from_pandas(table, npartitions=3)
    lazy = gm.pnorm(parts["x"], mean=parts["k"], log_p=True)
    assert isinstance(lazy, type(parts["x"]))
    assert lazy.compute().equals(gm.pnorm(table["x"], mean=table["k"], log_p=True))
    rows = parts.map_partitions(lambda part: gm.eval("z = pgamma(abs(x), 2)", part))
    assert rows.compute().equals(gm.eval("z = pgamma(abs(x), 2)", table))
