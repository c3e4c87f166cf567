from typing import Any

from . import dask as dask
from . import stats as stats
from . import ufuncs as ufuncs
from ._deferred import Deferred as Deferred
from ._device import DeviceList as DeviceList
from ._device import Findings as Findings
from ._device import device as device
from ._device import devices as devices
from ._device import doctor as doctor
from ._device_array import DeviceArray as DeviceArray
from ._device_array import to_device as to_device
from ._eval import eval as eval
from ._functions import *
from ._generator import Generator as Generator
from ._glm import ConvergenceWarning as ConvergenceWarning
from ._glm import GlmData as GlmData
from ._glm import GlmFit as GlmFit
from ._glm import Partial as Partial
from ._glm import glm as glm
from ._glm import merge as merge
from ._information import FunctionTable as FunctionTable
from ._information import functions as functions
from ._information import report_new_nans as report_new_nans
from ._information import show_config as show_config
from ._kernel import Kernels as Kernels
from ._kernel import kernel as kernel
from ._kernel import kernel_text as kernel_text
from ._kernel import set_kernel_fuel as set_kernel_fuel
from ._library import Library as Library
from ._library import library as library
from ._library import source as source
from ._plot import plot_library as plot_library
from ._table import Table as Table

__version__: str

def get_num_threads() -> int: ...
def set_num_threads(n: int) -> None: ...
def __getattr__(name: str) -> Any: ...
