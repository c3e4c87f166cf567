"""Libraries of annotated OpenCL C, and kernels as text for pyopencl."""

import html
import os

from . import _gristmill
from ._core import _shown
from ._device import _Records


class Problems(_Records):
    """Findings of a check."""

    _columns = ("severity", "code", "message", "file", "line")

    @property
    def ok(self):
        """Whether none is an error."""
        return all(item["severity"] != "error" for item in self)


class Library:
    """A folder of annotated ``.cl`` files: what :func:`library` gives."""

    def __init__(self, name):
        self._inner = _gristmill.Library(name)

    name = property(lambda self: self._inner.name)
    path = property(lambda self: self._inner.path)

    @property
    def files(self):
        """The files, by their names without ``.cl``."""
        return self._inner.stems

    def __len__(self):
        return len(self._inner.stems)

    def __getitem__(self, stem):
        """The text of a file."""
        return self._inner.text(stem)

    def order(self):
        """The files, each behind those that it needs."""
        return self._inner.order()

    def index(self):
        """For each file, in order, all that it needs, directly or not."""
        return dict(self._inner.index())

    def depends(self):
        """For each file what it needs directly."""
        return dict(self._inner.edges())

    def closure(self, *names):
        """The files that are, or provide, these names, and all that they need, in order."""
        return self._inner.closure(list(names))

    def load(self):
        """The text of all files, in order."""
        return self._inner.load()

    def check(self, strict=False):
        """What is wrong: names nobody provides, cycles, two that provide one name. Empty if all is well."""
        return Problems(self._inner.check(bool(strict)))

    def subset(self, kernels, dest, *, tag=None, overwrite=False, plan=False):
        """Copies what kernels (paths of ``.cl`` files) need into a folder, with an index for just that: all or nothing.

        Returns a list of dictionaries: stem, source, dest, and whether it was copied. With `plan`, nothing is written.
        """
        if isinstance(kernels, (str, os.PathLike)):
            kernels = [kernels]
        rows = self._inner.subset([os.fspath(k) for k in kernels], os.fspath(dest), tag, bool(overwrite), bool(plan))
        return [dict(zip(("stem", "source", "dest", "copied"), row)) for row in rows]

    def program(self, kernel, *, tag=None, defines=None, check=True):
        """One text for a device: what comes first, what the kernel needs of this library in order, and the kernel.

        Parameters
        ----------
        kernel : path
            A ``.cl`` file whose annotations name what it needs.
        tag : str, optional
            The annotation in which it does, if that is not the usual one.
        defines : dict, optional
            Macros that the build will define, for the check.
        check : bool
            Refuse a program in which a function is called that nobody defines, and the like.

        Examples
        --------
        >>> text = gm.library("nmath::nmath").program("my_kernel.cl")
        >>> pyopencl.Program(context, text).build()
        """
        pairs = [(str(name), str(value)) for name, value in (defines or {}).items()]
        return self._inner.program(os.fspath(kernel), tag, pairs, bool(check))

    def __repr__(self):
        return f"<Library {self.path!r} of {len(self)} files>"

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{html.escape(stem)}</td><td>{html.escape(', '.join(needs))}</td></tr>"
            for stem, needs in self.depends().items()
        )
        return f"<table><tr><th>file</th><th>needs</th></tr>{rows}</table>"


def library(path):
    """A library of annotated OpenCL C: a folder, or ``PACKAGE::LIB`` of a package on GRISTMILL_PATH or a built-in one."""
    try:
        name = os.fspath(path)
    except TypeError:
        raise TypeError(f"`path` is {_shown(path)}, but must be the path of a folder, or PACKAGE::LIB") from None
    return Library(os.fsdecode(name))


class Source(str):
    """OpenCL C; `entry` is the name of its elementwise entry point."""

    entry = None


def source(name):
    """A kernel of this package as a whole OpenCL C program, with an elementwise entry point: text for any OpenCL.

    The entry point takes the number of elements, for each argument a buffer and a stride (0 for one value, 1 for an array), and
    a buffer for each result.

    Examples
    --------
    >>> text = gm.source("pbeta")
    >>> program = pyopencl.Program(context, text).build()
    >>> kernel = getattr(program, text.entry)
    """
    if not isinstance(name, str):
        raise TypeError(f"`name` is {_shown(name)}, but must be the name of a function, such as \"pbeta\"")
    text, entry = _gristmill.kernel_source(name)
    result = Source(text)
    result.entry = entry
    return result
