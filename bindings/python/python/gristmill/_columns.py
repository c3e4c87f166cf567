"""Columns of every kind of table, sorted out for the compiled half without copying numbers.

A column becomes `(name, kind, values, mask, more)`: `numbers` (an array, True in the mask where a value is missing), `time`
(ticks, with their unit), `text` (a list of str and None), `codes` (of a categorical, with its levels), or `nothing`, for a
column that nobody looks at.
"""

import datetime
import numbers

import numpy as np

_UNITS = {"D": "D", "s": "s", "ms": "ms", "us": "us", "ns": "ns"}


def column(name, values):
    """The column of an array or a sequence. TypeError if it holds nothing that can be computed with."""
    mask = None
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        values = values.data
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"column `{name}` has {array.ndim} dimensions, but must have one")
    kind = array.dtype.kind
    if kind in "OUST":
        return _of_objects(name, array, mask)
    if kind == "M":
        return _of_times(name, array, mask)
    if kind == "f":
        array = array.astype({2: np.float32, 4: np.float32, 8: np.float64}.get(array.dtype.itemsize, np.float64), copy=False)
    elif kind not in "biu":
        raise TypeError(f"column `{name}` holds {array.dtype}, but must hold numbers, truth values, text or dates")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return name, "numbers", np.require(array, requirements="CA"), _contiguous(mask), None


def nothing(name):
    """A column that takes no part."""
    return name, "nothing", None, None, None


def codes(name, numbers, levels):
    """A categorical column: the number of each value's level, -1 where it is missing."""
    numbers = np.require(np.asarray(numbers, dtype=np.int32), requirements="CA")
    return name, "codes", numbers, None, [str(level) for level in levels]


def _contiguous(mask):
    return None if mask is None else np.require(mask, dtype=bool, requirements="CA")


def _of_times(name, array, mask):
    unit, count = np.datetime_data(array.dtype)
    if count != 1 or unit not in _UNITS:
        # What Arrow has no type for, such as minutes and months.
        unit = "D" if unit in ("Y", "M", "W") else "ns" if unit in ("ps", "fs", "as") else "s"
        array = array.astype(f"M8[{unit}]")
    missing = np.isnat(array)
    if mask is not None:
        missing = missing | mask
    ticks = array.astype(array.dtype.newbyteorder("=")).view(np.int64)
    if unit == "D":
        ticks = np.where(missing, 0, ticks).astype(np.int32)
    return name, "time", np.require(ticks, requirements="CA"), _contiguous(missing) if missing.any() else None, unit


def _of_objects(name, array, mask):
    """Text, numbers or truth values among None and NaN."""
    items = array.tolist()
    if mask is not None:
        items = [None if hidden else item for item, hidden in zip(items, mask.tolist())]
    missing = [_is_missing(item) for item in items]
    there = [item for item, gone in zip(items, missing) if not gone]
    if all(isinstance(item, str) for item in there):
        return name, "text", [None if gone else item for item, gone in zip(items, missing)], None, None
    if all(isinstance(item, bytes) for item in there):
        try:
            texts = [None if gone else item.decode() for item, gone in zip(items, missing)]
        except UnicodeDecodeError:
            raise TypeError(f"column `{name}` holds bytes that are not UTF-8") from None
        return name, "text", texts, None, None
    if all(isinstance(item, datetime.date) for item in there):
        if any(getattr(item, "tzinfo", None) is not None for item in there):
            raise TypeError(f"column `{name}` holds times with zones as objects; give them as datetime64, in UTC")
        unit = "us" if any(isinstance(item, datetime.datetime) for item in there) else "D"
        return _of_times(name, np.array([None if gone else item for item, gone in zip(items, missing)], f"M8[{unit}]"), None)
    if all(isinstance(item, (bool, np.bool_)) for item in there):
        values = np.array([False if gone else bool(item) for item, gone in zip(items, missing)], dtype=bool)
    else:
        odd = next((item for item in there if not _is_number(item)), None)
        if odd is not None:
            raise TypeError(
                f"column `{name}` holds a {type(odd).__name__}, but must hold numbers, truth values, text or dates, and one kind "
                "of them only"
            )
        values = np.array([np.nan if gone else float(item) for item, gone in zip(items, missing)], dtype=float)
    return name, "numbers", values, np.array(missing, dtype=bool) if any(missing) else None, None


def _is_missing(item):
    # pandas' NA is neither equal to itself nor different from it: its name is asked first.
    if item is None or type(item).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(item, numbers.Number) and item != item


def _is_number(item):
    from decimal import Decimal

    return isinstance(item, (numbers.Real, Decimal, np.number)) and not isinstance(item, complex)


def array_of(values, mask, unit, *, keep_mask=False):
    """The array of a column of the compiled half: NaN, NaT or None where values are missing; a masked array for whole numbers
    and truth values, which have no sign for it, and where masks are wanted."""
    if isinstance(values, list):
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    if unit is not None:
        array = values.astype(np.int64).view(f"M8[{unit}]")
        if mask is not None:
            array[mask] = np.datetime64("NaT")
        return array
    if mask is None:
        return values
    if values.dtype.kind == "f" and not keep_mask:
        values[mask] = np.nan
        return values
    return np.ma.MaskedArray(values, mask)
