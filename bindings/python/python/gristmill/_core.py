"""What the generated functions share: flags, alternatives of a parameter, seeds."""

import os

import numpy as np


def flag(name, value):
    """A truth value, or an array of them: numbers 0 and 1 count, as in R."""
    array = np.asarray(value)
    if array.dtype.kind == "b":
        return value
    if array.dtype.kind in "iuf" and np.all((array == 0) | (array == 1)):
        return array.astype(bool)
    raise TypeError(f"`{name}` is {_shown(value)}, but must be True or False, or an array of them")


def explained(error, **arguments):
    """What a ufunc said, with the name of the argument and what it should have been, where that can be seen."""
    shapes = {}
    for name, value in arguments.items():
        if value is None:
            return TypeError(f"`{name}` is None, but must be a number, or an array of numbers")
        try:
            array = value if hasattr(value, "dtype") else np.asarray(value)
        except ValueError:
            return ValueError(f"`{name}` is {_shown(value)}, which has no shape: its parts differ in length")
        dtype = array.dtype
        if isinstance(dtype, np.dtype) and (dtype.kind not in "biuf" or dtype.itemsize > 8):
            kind = {"O": "Python objects", "U": "text", "S": "bytes", "M": "dates", "m": "time spans"}.get(dtype.kind, dtype.name)
            way = {"O": "; `.astype(float)` makes numbers of them where they are some", "f": "; `.astype(float)` rounds them",
                   "U": "; `.astype(float)` reads numbers"}.get(dtype.kind, "")
            if getattr(array, "ndim", 0):
                return TypeError(f"`{name}` is an array of {kind}, but must be numbers that doubles hold: bool, int or float{way}")
            return TypeError(f"`{name}` is {_shown(value)}, but must be a number that a double holds: bool, int or float")
        shapes[name] = tuple(getattr(array, "shape", ()))
    if "broadcast" in str(error):
        of = [f"`{name}` has the shape {shape}" for name, shape in shapes.items() if shape]
        return ValueError(f"the shapes do not go together: {', '.join(of)}" if len(of) > 1 else str(error))
    return error


def inverse(name, value, default, other_name, other):
    """The parameter `other`, which is 1 / value where only `value` was given."""
    if other is None:
        if (type(value) is float and value != 0.0) or (type(value) is int and 0 < value <= 2**53):
            return 1.0 / value
        with np.errstate(all="ignore"):
            return np.divide(1.0, value)
    if not _is_same(value, default):
        raise ValueError(f"`{name}` and `{other_name}` were both given, but mean the same: give one of them")
    return other


def one_of(**given):
    """Exactly one of two parameters must be there."""
    first, second = given
    count = sum(value is not None for value in given.values())
    if count == 2:
        raise ValueError(f"`{first}` and `{second}` were both given, but mean the same: give one of them")
    if count == 0:
        raise TypeError(f"neither `{first}` nor `{second}` was given: give one of them")


def _is_same(value, default):
    return isinstance(value, (int, float)) and value == default


def _shown(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def seed_of(seed):
    """64 bits: an int, bits of a numpy.random.Generator, or fresh ones."""
    if seed is None:
        return np.uint64(int.from_bytes(os.urandom(8), "little"))
    if isinstance(seed, np.random.Generator):
        return seed.integers(0, 2**64, dtype=np.uint64)
    if isinstance(seed, np.random.RandomState):
        low, high = seed.randint(0, 2**32, size=2, dtype=np.uint64)
        return np.uint64((int(high) << 32) | int(low))
    number = _whole("seed", seed, 2**64)
    return np.uint64(number)


def _whole(name, value, end):
    try:
        number = value.__index__()
    except AttributeError:
        raise TypeError(f"`{name}` is {_shown(value)}, but must be a whole number from 0 to {end - 1}") from None
    if not 0 <= number < end:
        raise ValueError(f"`{name}` is {number}, but must be a whole number from 0 to {end - 1}")
    return number


def shape_of(size):
    if isinstance(size, (int, np.integer)):
        size = (size,)
    try:
        shape = tuple(n.__index__() for n in size)
    except (AttributeError, TypeError):
        raise TypeError(f"`size` is {_shown(size)}, but must be a whole number or a tuple of them") from None
    if any(n < 0 for n in shape):
        raise ValueError(f"`size` is {shape}, but must have no negative parts")
    return shape


def draw(ufunc, size, seed, stream, start, *parameters):
    """The sample of a shape: element `i` in C order is number `start + i` of the stream."""
    shape = shape_of(size)
    count = 1
    for n in shape:
        count *= n
    index = np.arange(start, start + count, dtype=np.uint64).reshape(shape)
    stream = np.uint32(_whole("stream", stream, 2**32))
    for parameter in parameters:
        its = np.shape(parameter)
        if len(its) > len(shape) or any(n not in (1, m) for n, m in zip(its[::-1], shape[::-1])):
            raise ValueError(f"a parameter has the shape {its}, which does not fit the sample's: `size` is {shape}")
    return ufunc(seed_of(seed), stream, index, *parameters)
