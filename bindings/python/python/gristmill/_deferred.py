"""Deferred kernels: typed factories of ckernels, which NumPy's ufuncs and kernels of other extensions become."""

import numpy as np

from . import _gristmill
from ._core import _shown


class Deferred:
    """A kernel that is lowered when it is needed, with one destination and one or more sources (docs/ckernel-abi.md).

    `Deferred.from_ufunc(np.ldexp)` takes one from NumPy, `Deferred.from_capsule(x)` from another extension; `as_ufunc()` gives
    one to NumPy, `__gristmill_ckernel__()` to another extension. Calling it computes over arrays, with broadcasting.
    """

    def __init__(self, inner):
        self._inner = inner

    @staticmethod
    def from_ufunc(ufunc, signature=None, output=0):
        """The kernel of one loop of a ufunc.

        Of a ufunc with core dimensions (``np.matmul``, ``np.vecdot``, those behind ``np.linalg``) it is a kernel of arrays.

        Parameters
        ----------
        ufunc : numpy.ufunc
            Loops over Python objects are refused: a kernel runs without Python's lock.
        signature : str, optional
            Which loop, as in ``ufunc.types``: ``"di->d"``. The first one over doubles if not given.
        output : int
            Which result, where there are several: a kernel has one destination.
        """
        if not isinstance(ufunc, np.ufunc):
            raise TypeError(f"`ufunc` is {_shown(ufunc)}, but must be a numpy.ufunc")
        if not 0 <= output < ufunc.nout:
            raise ValueError(f"`output` is {output}, but `{ufunc.__name__}` has {ufunc.nout} of them")
        types = list(ufunc.types)
        if signature is None:
            wanted = next((text for text in types if text.startswith("d")), None)
            if wanted is None and types and all("O" in text for text in types):
                raise TypeError(f"`{ufunc.__name__}` works on Python objects only, but a kernel runs without Python's lock")
            if wanted is None:
                raise TypeError(f"`{ufunc.__name__}` has no loop over doubles; name one of {', '.join(types)}")
        else:
            wanted = _characters(signature)
            if wanted not in types:
                raise TypeError(f"`signature` is {_shown(signature)}, but the loops of `{ufunc.__name__}` are {', '.join(types)}")
        return Deferred(_gristmill.DeferredKernel.from_ufunc(ufunc, types.index(wanted), output))

    @staticmethod
    def from_capsule(source, name="kernel"):
        """Takes the kernel of an object with ``__gristmill_ckernel__``, or of a capsule, which is empty afterwards."""
        capsule = source.__gristmill_ckernel__() if hasattr(source, "__gristmill_ckernel__") else source
        if type(capsule).__name__ != "PyCapsule":
            raise TypeError(f"`source` is {_shown(source)}, but must be a capsule, or have `__gristmill_ckernel__`")
        return Deferred(_gristmill.DeferredKernel.from_capsule(capsule, getattr(source, "__name__", name)))

    def __gristmill_ckernel__(self):
        """A capsule that holds a ``deferred_ckernel``, for another extension."""
        return self._inner.capsule()

    @property
    def types(self):
        """The destination's type and then the sources', as NumPy's."""
        return [np.dtype(name) for name in self._inner.types]

    @property
    def ndim(self):
        """How many dimensions it was lifted over."""
        return self._inner.ndim

    @property
    def signature(self):
        """The dimensions of a kernel of arrays as NumPy writes them, such as ``"(n?,k),(k,m?)->(n?,m?)"``; None for a kernel of
        elements."""
        return self._inner.signature

    def chain(self, second):
        """Elements go through this kernel and then through the other; both have one source."""
        if not isinstance(second, Deferred):
            raise TypeError(f"`second` is {_shown(second)}, but must be a Deferred")
        return Deferred(self._inner.chain(second._inner))

    def lift(self, ndim):
        """A kernel of arrays of so many dimensions; it takes arrays of exactly its types."""
        if not isinstance(ndim, int) or not 0 <= ndim <= 16:
            raise ValueError(f"`ndim` is {_shown(ndim)}, but must be a number of dimensions from 0 to 16")
        return Deferred(self._inner.lift(ndim))

    def as_ufunc(self):
        """A :class:`numpy.ufunc` that runs the kernel: NumPy's broadcasting, casting, ``out=`` and ``np.errstate``. That of a
        kernel of arrays has core dimensions."""
        return self._inner.as_ufunc()

    def __call__(self, *arrays):
        ufunc = self.as_ufunc()
        if not self.ndim:
            return ufunc(*arrays)
        _, *types = self.types
        _, *cores = self._inner.core_ndims
        if len(arrays) != len(types):
            raise TypeError(f"`{self._inner.name}` was given {len(arrays)} arrays, but takes {len(types)}")
        given = []
        for k, (array, wanted, core) in enumerate(zip(arrays, types, cores)):
            array = np.require(array, requirements="A")
            ndim = self.ndim + core
            if array.dtype != wanted or not core <= array.ndim <= ndim:
                raise TypeError(
                    f"source {k} of `{self._inner.name}` is an array of {array.ndim} dimensions of {array.dtype}, but must have "
                    f"{ndim} of {wanted}: values are not converted"
                )
            given.append(array.reshape((1,) * (ndim - array.ndim) + array.shape))
        lifted = np.broadcast_shapes(*(array.shape[: self.ndim] for array in given))
        return ufunc(*(np.broadcast_to(array, lifted + array.shape[self.ndim :]) for array in given))

    def __repr__(self):
        destination, *sources = (
            "strided * " * (self.ndim + core) + dtype.name for dtype, core in zip(self.types, self._inner.core_ndims)
        )
        return f"<Deferred {self._inner.name}: ({', '.join(sources)}) -> {destination}>"


def _characters(signature):
    """`"di->d"`, from that or from a tuple of types, sources first."""
    if isinstance(signature, str):
        return signature.replace(" ", "")
    try:
        characters = [np.dtype(one).char for one in signature]
    except TypeError:
        raise TypeError(f"`signature` is {_shown(signature)}, but must be text such as \"dd->d\"") from None
    return "".join(characters[:-1]) + "->" + "".join(characters[-1:])
