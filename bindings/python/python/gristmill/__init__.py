"""R's math library as NumPy ufuncs, with the bits of every other door of Gristmill.

>>> import gristmill as gm
>>> gm.pnorm([-1.0, 0.0, 1.0])
array([0.15865525, 0.5       , 0.84134475])
>>> gm.qgamma(0.99, shape=2.5, rate=3.0)
np.float64(2.514397...)
>>> gm.rnorm(3, mean=10, seed=1)
array([...])
"""

from . import _functions, stats, ufuncs
from ._deferred import Deferred
from ._device import device, devices, doctor
from ._device_array import DeviceArray, to_device
from ._eval import eval
from ._functions import *  # noqa: F403
from ._generator import Generator
from ._glm import ConvergenceWarning, GlmData, GlmFit, Partial, glm, merge
from ._gristmill import __version__, get_num_threads, set_num_threads
from ._information import FunctionTable, functions, report_new_nans, show_config
from ._kernel import Kernels, kernel, kernel_text, set_kernel_fuel
from ._library import Library, library, source
from ._table import Table

# Without `eval`: `from gristmill import *` must not hide Python's own.
__all__ = [
    *_functions.__all__,
    "ConvergenceWarning",
    "Deferred",
    "DeviceArray",
    "FunctionTable",
    "Generator",
    "GlmData",
    "GlmFit",
    "Kernels",
    "Library",
    "Partial",
    "Table",
    "__version__",
    "dask",
    "device",
    "devices",
    "doctor",
    "functions",
    "get_num_threads",
    "glm",
    "kernel",
    "kernel_text",
    "library",
    "merge",
    "plot_library",
    "report_new_nans",
    "set_kernel_fuel",
    "set_num_threads",
    "show_config",
    "source",
    "stats",
    "to_device",
    "ufuncs",
]


def __getattr__(name):
    # What needs other packages, or is seldom used, is loaded when it is.
    if name == "dask":
        from importlib import import_module

        return import_module(".dask", __name__)
    if name == "plot_library":
        from ._plot import plot_library

        return plot_library
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
