"""Random numbers depend on seed, stream and place alone."""

import numpy as np
import pytest

import gristmill as gm


def test_a_seed_gives_the_same_numbers():
    a = gm.rgamma((3, 4), 2.5, seed=42)
    assert a.shape == (3, 4) and a.dtype == float
    assert np.array_equal(a.ravel(), gm.rgamma(12, 2.5, seed=42))
    assert not np.array_equal(a, gm.rgamma((3, 4), 2.5, seed=43))
    assert not np.array_equal(a, gm.rgamma((3, 4), 2.5, seed=42, stream=1))
    assert not np.array_equal(gm.rnorm(3), gm.rnorm(3))


def test_the_numbers_are_those_of_the_kernel():
    index = np.arange(5, dtype=np.uint64)
    assert np.array_equal(gm.rnorm(5, 10, 2, seed=7), gm.ufuncs.rnorm(np.uint64(7), np.uint32(0), index, 10.0, 2.0))


def test_a_generator_goes_on_where_it_was():
    generator = gm.Generator(42)
    parts = np.concatenate([generator.rnorm(3), generator.rnorm((2, 2)).ravel()])
    assert np.array_equal(parts, gm.rnorm(7, seed=42))
    assert generator.place == 7
    first, second = generator.spawn(2)
    assert not np.array_equal(first.rnorm(3), second.rnorm(3))


def test_seeds_from_numpy():
    a = gm.rnorm(3, seed=np.random.default_rng(1))
    assert np.array_equal(a, gm.rnorm(3, seed=np.random.default_rng(1)))


def test_parameters_are_arrays_of_the_sample():
    y = gm.rpois((2, 3), [1.0, 100.0, 1e6], seed=1)
    assert y.shape == (2, 3) and (y[:, 2] > y[:, 1]).all()
    with pytest.raises(ValueError, match=r"`size` is \(2,\)"):
        gm.rpois(2, [1.0, 2.0, 3.0], seed=1)


def test_moments_are_those_of_the_distribution():
    x = gm.rnorm(400_000, 3, 2, seed=11)
    assert abs(x.mean() - 3) < 0.02 and abs(x.std() - 2) < 0.02
    k = gm.rbinom(400_000, 10, 0.3, seed=11)
    assert abs(k.mean() - 3) < 0.02 and set(np.unique(k)) <= set(range(11))


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "x"])
def test_a_bad_seed_is_an_error(seed):
    with pytest.raises((TypeError, ValueError), match="`seed` is"):
        gm.rnorm(3, seed=seed)


@pytest.mark.parametrize("size", [-1, "x", 2.5, (2, -1)])
def test_a_bad_size_is_an_error(size):
    with pytest.raises((TypeError, ValueError), match="`size` is"):
        gm.rnorm(size)
