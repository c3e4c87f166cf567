"""One value of a kernel for Python's own numbers: None where the ufunc must do it."""

from . import _gristmill

globals().update(_gristmill.ones())
