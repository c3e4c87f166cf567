"""What the package has, and how it is set up."""

import html
import sys

import numpy as np

from . import _gristmill


class FunctionTable(list):
    """The functions as a list of dictionaries, which prints and shows itself as a table."""

    def __repr__(self):
        width = max((len(item["usage"]) for item in self), default=0)
        return "\n".join(f"{item['usage']:<{width}}  {item['about']}" for item in self)

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td><code>{html.escape(item['usage'])}</code></td><td>{html.escape(item['about'])}</td>"
            f"<td>{html.escape(item['error'] or '')}</td></tr>"
            for item in self
        )
        return f"<table><tr><th>function</th><th>what it is</th><th>error</th></tr>{rows}</table>"


def functions(search=None):
    """Every function: how R calls it, what it is, its error. `search` keeps those whose name or description has the text."""
    found = FunctionTable()
    for function in _gristmill.functions():
        for usage in function["usages"]:
            item = {
                "name": usage["usage"].split("(")[0],
                "usage": usage["usage"],
                "about": usage["about"],
                "kernel": function["name"],
                "domain": function["domain"],
                "method": function["method"],
                "error": function["error"],
            }
            if search is None or search.lower() in (item["name"] + " " + item["about"]).lower():
                found.append(item)
    return found


def report_new_nans(report=True):
    """Whether a NaN that no argument had raises NumPy's "invalid value", so that `np.errstate` decides what happens.

    Off by default, because NumPy's own default would print a warning for every `qnorm(2)`.
    """
    _gristmill.report_new_nans(bool(report))


def show_config():
    """Prints versions, the instruction set and the number of threads."""
    print(f"gristmill {_gristmill.__version__}")
    print(f"python {sys.version.split()[0]}, numpy {np.__version__}")
    print(f"block loops: {_gristmill.instruction_set()}")
    print(f"threads: {_gristmill.get_num_threads()} (GRISTMILL_NUM_THREADS, gristmill.set_num_threads)")
