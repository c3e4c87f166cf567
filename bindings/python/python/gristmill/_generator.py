"""A source of random numbers with a place in its stream."""

import inspect

from . import _functions
from ._core import seed_of, shape_of


class Generator:
    """Random numbers one sample after another: `Generator(42).rnorm((2, 3), mean=10)`.

    A number depends on seed, stream and its place alone, so that any part of a stream can be drawn anywhere: the command, R
    and a device give the same. Every draw takes the next places of the stream.

    Parameters
    ----------
    seed : int or numpy.random.Generator, optional
        Fresh entropy where none is given.
    stream : int
        Generators of one seed and different streams are independent.
    """

    def __init__(self, seed=None, stream=0):
        self.seed = int(seed_of(seed))
        self.stream = stream
        self.place = 0

    def __repr__(self):
        return f"Generator(seed={self.seed}, stream={self.stream}) at place {self.place}"

    def spawn(self, n):
        """`n` generators of the same seed, of the next streams."""
        return [Generator(self.seed, self.stream + 1 + i) for i in range(n)]


def _method(name, function):
    parameters = inspect.signature(function).parameters

    def method(self, size, *args, **kwargs):
        count = 1
        for n in shape_of(size):
            count *= n
        place = self.place
        result = function(size, *args, **kwargs, seed=self.seed, stream=self.stream, _start=place)
        self.place = place + count
        return result

    method.__name__ = name
    method.__doc__ = function.__doc__
    method.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [p for p in parameters.values() if p.name not in {"seed", "stream", "_start"}]
    )
    return method


for _name in _functions.__all__:
    # Asked of the code: a signature takes a hundred times as long, and the package should load quickly.
    if "seed" in getattr(_functions, _name).__code__.co_varnames:
        setattr(Generator, _name, _method(_name, getattr(_functions, _name)))
