"""Every kernel as a :class:`numpy.ufunc`, with the kernel's own parameters; flags are trailing bool inputs.

A module, because a ufunc is pickled by the module and name under which it is found.
"""

from . import _gristmill

_all = _gristmill.ufuncs()
globals().update(_all)
__all__ = sorted(_all)
