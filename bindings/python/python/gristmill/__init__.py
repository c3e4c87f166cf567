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
from ._functions import *  # noqa: F403
from ._generator import Generator
from ._gristmill import __version__, get_num_threads, set_num_threads
from ._kernel import Kernels, kernel, kernel_text, set_kernel_fuel
from ._information import FunctionTable, functions, report_new_nans, show_config

__all__ = [
    *_functions.__all__,
    "FunctionTable",
    "Generator",
    "Kernels",
    "__version__",
    "functions",
    "get_num_threads",
    "kernel",
    "kernel_text",
    "report_new_nans",
    "set_kernel_fuel",
    "set_num_threads",
    "show_config",
    "stats",
    "ufuncs",
]

