"""OpenCL devices: which there are, and which one functions, expressions and models run on."""

import contextlib
import contextvars
import html

from . import _gristmill
from ._core import _shown

_current = contextvars.ContextVar("gristmill device", default=None)


def device_name():
    """The number of the device of the current block, as text; None is the CPU's threads."""
    return _current.get()


class _Records(list):
    """Dictionaries that print and show themselves as a table."""

    _columns = ()

    def _rows(self):
        return [list(self._columns), *([_cell(item[name]) for name in self._columns] for item in self)]

    def __repr__(self):
        rows = self._rows()
        widths = [max(len(row[c]) for row in rows) for c in range(len(self._columns))]
        return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)

    def _repr_html_(self):
        head, *rows = self._rows()

        def line(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"


def _cell(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


class DeviceList(_Records):
    """The devices, each a dictionary; `reason` says why there are none."""

    _columns = ("index", "kind", "fp64", "compute_units", "name", "platform", "driver")
    reason = None


class Findings(_Records):
    """What was looked at: status, subject and finding."""

    _columns = ("status", "check", "found")

    @property
    def ok(self):
        """Whether nothing has to be mended."""
        return all(item["status"] != "problem" for item in self)


def devices():
    """The OpenCL devices, as dictionaries in a list that shows itself as a table. Without OpenCL it is empty, and its `reason`
    says why."""
    found, reason = _gristmill.list_devices()
    all = DeviceList(found)
    all.reason = reason
    return all


def doctor():
    """Looks at everything that kernels need (processor, OpenCL, devices, exact operations, the program cache), and says what is
    wrong and what to do, as ``gristmill doctor`` does."""
    return Findings({"status": s, "check": what, "found": found} for s, what, found in _gristmill.look_at_everything())


@contextlib.contextmanager
def device(name):
    """In this block functions of arrays, :func:`eval` and models run on a device, with the same bits.

    Parameters
    ----------
    name : str or int or None
        ``"cpu"``, ``"gpu"``, a part of the device's name, or its number in :func:`devices`; None is the CPU's threads, without
        OpenCL.

    Examples
    --------
    >>> with gm.device("gpu"):
    ...     y = gm.pgamma(x, 2.5)
    """
    number = None if name is None else str(_find(name)[0])
    before = _current.get()
    token = _current.set(number)
    try:
        _gristmill.use_device(number)
        yield
    finally:
        _current.reset(token)
        _gristmill.use_device(before)


def _find(name):
    if isinstance(name, int) and not isinstance(name, bool):
        name = str(name)
    if not isinstance(name, str):
        raise TypeError(f"`device` is {_shown(name)}, but must be \"cpu\", \"gpu\", a part of a name, or a number")
    return _gristmill.find_device(name)
