"""Arrays that stay on a device."""

import numpy as np

from . import _gristmill, ufuncs
from ._core import _shown
from ._device import _find, device_name


class DeviceArray:
    """Numbers that live on a device: what :func:`to_device` gives, and what functions of it give.

    Functions of this package take them (``gm.pnorm(x, 0.5)``) and leave their results on the device; arrays of one call are on
    one device and have one shape, other arguments are numbers. There is no arithmetic: an expression of :func:`eval` has it.
    """

    __array_priority__ = 1000

    def __init__(self, inner):
        self._inner = inner

    shape = property(lambda self: tuple(self._inner.shape))
    ndim = property(lambda self: len(self._inner.shape))
    size = property(lambda self: int(np.prod(self._inner.shape, dtype=np.int64)))
    dtype = property(lambda self: np.dtype(self._inner.dtype))

    @property
    def device(self):
        """The name of its device."""
        return self._inner.device[1]

    def to_numpy(self):
        """A copy in the host's memory."""
        return self._inner.values().reshape(self.shape)

    def reshape(self, *shape):
        """The same numbers in another shape."""
        shape = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        return DeviceArray(self._inner.reshape(list(shape)))

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("an array on a device cannot be used without a copy")
        values = self.to_numpy()
        return values if dtype is None else values.astype(dtype, copy=False)

    def __len__(self):
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self):
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device!r})"

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, where=True, **kwargs):
        name = ufunc.__name__
        if method != "__call__" or getattr(ufuncs, name, None) is not ufunc:
            # Not one of ours: NumPy says that it does not know how.
            return NotImplemented
        if out is not None and any(o is not None for o in out):
            raise TypeError(f"`out` was given to `{name}`, but results of arrays on a device are new arrays there")
        if where is not True:
            raise TypeError(f"`where` was given to `{name}`, but arrays on a device are computed whole")
        if kwargs:
            raise TypeError(f"`{next(iter(kwargs))}` was given to `{name}`, but arrays on a device do not know it")
        found = _gristmill.map_on_device(name, [_argument(name, value) for value in inputs])
        return DeviceArray(found[0]) if len(found) == 1 else tuple(DeviceArray(one) for one in found)


def _argument(name, value):
    if isinstance(value, DeviceArray):
        return value._inner
    array = np.asarray(value)
    if array.ndim or array.dtype.kind not in "biuf":
        raise TypeError(
            f"`{name}` was given {_shown(value)} beside an array on a device, but must be given numbers, or arrays that are "
            "there: gm.to_device(x)"
        )
    return bool(array) if array.dtype.kind == "b" else float(array)


def to_device(x, device=None):
    """Copies numbers to a device, where they stay: a :class:`DeviceArray`.

    Parameters
    ----------
    x : array_like
        Numbers, which become doubles, or truth values.
    device : str or int, optional
        As for :func:`device`; that of the current block, or else the best one (GRISTMILL_DEVICE), if not given.
    """
    if isinstance(x, DeviceArray):
        x = x.to_numpy()
    array = np.asarray(x)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"`x` is an array of {array.dtype}, but must hold numbers or truth values")
    if array.dtype.kind != "b":
        array = array.astype(float, copy=False)
    if device is None:
        device = device_name()
    if device is None:
        import os

        device = os.environ.get("GRISTMILL_DEVICE", "").strip() or "auto"
    number = str(_find(device)[0])
    flat = np.require(array, requirements="CA").reshape(-1)
    return DeviceArray(_gristmill.DeviceArray.of(number, flat, list(array.shape)))
