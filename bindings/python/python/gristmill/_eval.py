"""Expressions for every row of a table."""

import glob
import os
import sys
import warnings
from collections.abc import Mapping

import numpy as np

from . import _gristmill
from ._core import _shown, _whole
from ._device import device_name
from ._device_array import DeviceArray, to_device
from ._table import Table, is_path, source_of


def eval(
    expressions,
    table,
    *,
    output=None,
    where=None,
    by=(),
    select=None,
    only=False,
    seed=1,
    progress=None,
    input_format=None,
    output_format=None,
    delimiter=None,
    header=True,
    na=None,
    na_out=None,
):
    """Evaluates expressions in R's syntax for every row of a table: what the command ``gristmill eval`` does, with its bits.

    Names are columns or results of earlier expressions; sum, mean, sd, quantile and their kin are over all rows, or over groups.

    Parameters
    ----------
    expressions : str or sequence of str
        Such as ``"z = (x - mean(x)) / 2"``. A result with the name of a column takes its place.
    table : dict of arrays, DataFrame, pyarrow.Table, object with ``__arrow_c_stream__``, path, sequence of paths, or int
        Numbers are used where they are, without a copy. Several files with the same columns are one table. A number is that many
        rows without columns, in which ``i`` is the row's number from 1. Of a dict with arrays of a device (:func:`to_device`)
        the results are arrays of that device, unless `where`, `by`, `output`, texts or missing values are involved: then they
        are computed from copies.
    output : path, optional
        Writes the table there instead of returning it: a .csv, .tsv, .parquet, .arrow, .npy, .npz or .jsonl file, which
        appears when it is complete or not at all.
    where : str, optional
        Keeps the rows where this expression over the table's columns is true.
    by : str or sequence of str
        Reductions are over the rows that are equal in these columns: one row for each group if all results are reductions.
    select : sequence of str, optional
        These columns of the table and results, in this order.
    only : bool
        The results alone, without the table's columns.
    seed : int
        Of random numbers.
    progress : bool or callable, optional
        A line on stderr once it takes more than a second (where files are read, and stderr is a terminal, without being asked
        for); or what is called with a dict of ``rows``, ``done``, ``size``, ``pass``, ``passes``, ``seconds`` and
        ``seconds_left``.
    input_format, output_format : str, optional
        Where the names of files do not tell.
    delimiter, header, na, na_out
        How text tables are read and written, as the command's options of these names.

    Returns
    -------
    A table of the kind that was given, with the results behind its columns: a DataFrame keeps its index. For files, and for
    what cannot be built, a :class:`Table`. With `output`, a dict of what was done.

    Examples
    --------
    >>> gm.eval("z = (x - mean(x)) / 2", {"x": [1.0, 2.0, 6.0]})
    {'x': [1.0, 2.0, 6.0], 'z': array([-1. , -0.5,  1.5])}
    """
    expressions = _texts("expressions", expressions)
    if not expressions:
        raise ValueError("`expressions` is empty: give one or more, such as \"z = x + 1\"")
    by = _texts("by", by)
    select = None if select is None else _texts("select", select)
    if where is not None and not isinstance(where, str):
        raise TypeError(f"`where` is {_shown(where)}, but must be an expression as text")
    options = {
        "output": None if output is None else os.fspath(output),
        "where": where,
        "by": by,
        "select": select,
        "only": bool(only),
        "seed": _whole("seed", seed, 2**64),
        "input_format": input_format,
        "output_format": output_format,
        "delimiter": "\t" if delimiter == "tab" else delimiter,
        "header": bool(header),
        "na": None if na is None else _texts("na", na),
        "na_out": na_out,
        "device": device_name(),
    }
    if where is None and output is None and not by:
        there = _there(expressions, table, select, bool(only), options["seed"])
        if there is not None:
            return there
    # A name that stands in no expression cannot be looked at; but what is written is written with all its columns.
    text = None if output is not None else " ".join([*expressions, where or "", *by])
    source, back = _source(table, text)
    bar = _Line() if progress is True or (progress is None and back is Table and sys.stderr.isatty()) else None
    tell = bar.tell if bar else progress if callable(progress) else None
    try:
        found = _gristmill.evaluate(expressions, source, options, output is not None, tell)
    finally:
        if bar:
            bar.clear()
    for note, column, count in (found if output is not None else found[4])["notes"]:
        if "doubles" in note:
            warnings.warn(f"{note}: {count}, in `{column}`", RuntimeWarning, stacklevel=2)
    if output is not None:
        return found
    return Table(found[0]) if back is Table else back.result(found)


def _there(expressions, table, select, only, seed):
    """The results for a dict with arrays of a device, on that device; None if they cannot stay there."""
    if not isinstance(table, Mapping) or not any(isinstance(values, DeviceArray) for values in table.values()):
        return None
    names = [name for name in table if isinstance(name, str)]
    arrays = {name: table[name] for name in names}
    found = _gristmill.columns_used(expressions, names) if len(names) == len(table) else None
    if found is None or (found[1] and (only or select is not None)):
        return None
    used = [_column_there(arrays[name]) for name in found[0]]
    lengths = {len(values) for values in arrays.values() if hasattr(values, "__len__")}
    if not used or any(array is None for array in used) or len(lengths) != 1:
        return None
    device = next((array for array in used if isinstance(array, DeviceArray)), None)
    if device is None:
        return None
    columns = []
    for name, array in zip(found[0], used):
        truth = array.dtype.kind == "b"
        if truth:
            array = array.to_numpy().astype(float) if isinstance(array, DeviceArray) else array.astype(float)
        if not isinstance(array, DeviceArray):
            array = to_device(array, device._inner.device[0])
        columns.append((name, array._inner, truth))
    results = _gristmill.evaluate_there(expressions, names, columns, lengths.pop(), seed)
    if results is None:
        return None
    results = {name: DeviceArray(inner) for name, inner in results}
    every = results if only else {**arrays, **results}
    if select is None:
        return every
    unknown = next((name for name in select if name not in every and name not in arrays), None)
    if unknown is not None:
        there = ", ".join(f"`{name}`" for name in {**arrays, **results})
        raise ValueError(f"`select` names `{unknown}`, but there are {there}")
    return {name: results.get(name, arrays.get(name)) for name in select}


def _column_there(values):
    """An array of one dimension of numbers, none of which can be missing; None for another column."""
    if isinstance(values, DeviceArray):
        return values if values.ndim == 1 else None
    if isinstance(values, np.ma.MaskedArray):
        return None
    array = np.asarray(values)
    return array if array.ndim == 1 and array.dtype.kind in "biuf" and array.dtype.itemsize <= 8 else None


def _source(table, text):
    """What the compiled half reads, and what makes the result."""
    if is_path(table):
        return _files([table]), Table
    if isinstance(table, int) and not isinstance(table, bool):
        return _whole("table", table, 2**53), Table
    if isinstance(table, (list, tuple)) and table and all(is_path(path) for path in table):
        return _files(table), Table
    source = source_of(table, lambda name: text is None or name in text)
    return source.inner(), source


def _files(paths):
    """Their names; a pattern stands for what it matches, in order."""
    names = []
    for path in paths:
        path = os.fspath(path)
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not os.path.exists(path) and any(c in path for c in "*?["):
            found = sorted(glob.glob(path))
            if not found:
                raise FileNotFoundError(f"`{path}` matches no file")
            names += found
        else:
            names.append(path)
    return names


def _texts(name, value):
    if isinstance(value, str):
        return [value]
    try:
        texts = list(value)
    except TypeError:
        texts = [None]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"`{name}` is {_shown(value)}, but must be text, or a sequence of texts")
    return texts


class _Line:
    """A line on stderr that says how far the work is."""

    def __init__(self):
        self.width = 0

    def tell(self, at):
        if at["seconds"] < 1.0:
            return
        text = f"{at['rows']:,} rows"
        if at["size"] and at["unit"] == "rows":
            text = f"{at['rows']:,} of {at['size']:,} rows"
        if at["passes"] > 1:
            text += f", pass {at['pass']} of {at['passes']}"
        text += f", {at['seconds']:.0f} s" if at["seconds_left"] is None else f", {at['seconds_left']:.0f} s left"
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = max(self.width, len(text))

    def clear(self):
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
