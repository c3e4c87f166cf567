"""Tables of every kind in, and results of the same kind out."""

import html
import os
from collections.abc import Mapping

import numpy as np

from . import _columns, _gristmill


class Table:
    """A table in memory: what `eval` gives for files and for tables of a kind that cannot be built.

    It has the Arrow PyCapsule interface, so that `pandas.DataFrame.from_arrow`, `polars.DataFrame`, `pyarrow.table` and DuckDB
    take it as it is, without a copy.
    """

    def __init__(self, inner):
        self._inner = inner

    @property
    def columns(self):
        """The names of the columns."""
        return list(self._inner.names)

    def __len__(self):
        return self._inner.rows

    def __contains__(self, name):
        return name in self._inner.names

    def __getitem__(self, name):
        """The column as a NumPy array."""
        try:
            place = self._inner.names.index(name)
        except ValueError:
            raise KeyError(f"`{name}` is no column; there are {', '.join(f'`{n}`' for n in self.columns)}") from None
        return _columns.array_of(*self._inner.column(place))

    def to_dict(self):
        """The columns as NumPy arrays, by name."""
        return {name: self[name] for name in self.columns}

    def to_arrow(self):
        """A pyarrow.Table over the same memory."""
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self):
        """A polars.DataFrame over the same memory."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self):
        """A pandas.DataFrame."""
        import pandas

        return pandas.DataFrame({name: _for_pandas(pandas, *self._column(name)) for name in self.columns})

    def _column(self, name):
        return self._inner.column(self._inner.names.index(name))

    def __arrow_c_stream__(self, requested_schema=None):
        return self._inner.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self):
        return self._inner.__arrow_c_schema__()

    def _shown(self, rows):
        """Names and the texts of the first rows."""
        count = min(rows, len(self))
        head = {name: self[name][:count].tolist() for name in self.columns}
        return [[_text(head[name][i]) for name in self.columns] for i in range(count)]

    def __repr__(self):
        rows = [self.columns, *self._shown(10)]
        widths = [max(len(row[c]) for row in rows) for c in range(len(self.columns))]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows]
        return "\n".join([*lines, f"[{len(self)} rows, {len(self.columns)} columns]"])

    def _repr_html_(self):
        def line(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line(row, "td") for row in self._shown(20))
        return f"<table>{line(self.columns, 'th')}{body}</table><p>{len(self)} rows, {len(self.columns)} columns</p>"


def _text(value):
    return "" if value is None or value is np.ma.masked else f"{value:.6g}" if isinstance(value, float) else str(value)


def _for_pandas(pandas, values, mask, unit):
    """An array for a column of pandas: its own types for missing whole numbers and truth values."""
    if mask is not None and unit is None and not isinstance(values, list) and values.dtype.kind in "biu":
        make = pandas.arrays.BooleanArray if values.dtype.kind == "b" else pandas.arrays.IntegerArray
        return make(values, np.array(mask))
    return _columns.array_of(values, mask, unit)


class Source:
    """A table of somebody, as the compiled half takes it, and the way back.

    `look` says of a column's name whether an expression may look at it: what nobody looks at is not converted.
    """

    def __init__(self, table, look):
        self.table = table
        self.look = look

    def inner(self):
        """The compiled half's table."""
        columns = [self.column(name) if self.look(name) else _columns.nothing(name) for name in self.names()]
        return _gristmill.Table.of_columns(self.rows(), columns)

    def result(self, found):
        """The results as the same kind of table: `found` is what the compiled half gave."""
        inner, is_result, aggregated, kept, _ = found
        new = {name for name, result in zip(inner.names, is_result) if result}
        old = None if aggregated else self.taken(kept)
        return self.build(inner, inner.names, new, old)


class DictSource(Source):
    """Arrays by name."""

    def __init__(self, table, look):
        super().__init__(dict(table), look)
        for name in self.table:
            if not isinstance(name, str):
                raise TypeError(f"`table` has the key {name!r}, but names of columns are text")
        lengths = {}
        for name, values in self.table.items():
            try:
                lengths[name] = len(values)
            except TypeError:
                kind = type(values).__name__
                raise TypeError(
                    f"column `{name}` is a {kind}, but must be an array or a sequence; a number can stand in the expression"
                ) from None
        different = sorted(set(lengths.values()))
        if len(different) > 1:
            names = {n: next(name for name, length in lengths.items() if length == n) for n in different[:2]}
            (a, x), (b, y) = names.items()
            raise ValueError(f"column `{x}` has {a} values, but `{y}` has {b}: all must have as many")
        self._rows = different[0] if different else 0
        self._masked = any(isinstance(values, np.ma.MaskedArray) for values in self.table.values())

    def names(self):
        return list(self.table)

    def rows(self):
        return self._rows

    def column(self, name):
        return _columns.column(name, self.table[name])

    def taken(self, kept):
        if kept is None:
            return self.table
        return {name: (v if isinstance(v, np.ndarray) else np.asarray(v))[kept] for name, v in self.table.items()}

    def build(self, inner, names, new, old):
        def one(place, name):
            if name in new or old is None:
                return _columns.array_of(*inner.column(place, name in new), keep_mask=self._masked)
            return old[name]

        return {name: one(place, name) for place, name in enumerate(names)}


class PandasSource(Source):
    """pandas.DataFrame: the index and the types of its columns stay."""

    def __init__(self, table, look):
        super().__init__(table, look)
        import pandas

        self.pandas = pandas
        if table.columns.nlevels > 1:
            raise TypeError("`table` has columns of several levels; flatten their names first")
        if not table.columns.is_unique:
            twice = next(name for name in table.columns if (table.columns == name).sum() > 1)
            raise ValueError(f"`table` has two columns `{twice}`: names must be different")
        # A result that is missing somewhere is pandas' own missing value if the table knows that already.
        self._nullable = False

    def names(self):
        return [str(name) for name in self.table.columns]

    def rows(self):
        return len(self.table)

    def column(self, name):
        pandas = self.pandas
        series = self.table.iloc[:, self.names().index(name)]
        dtype = series.dtype
        if isinstance(dtype, np.dtype):
            return _columns.column(name, series.to_numpy())
        if isinstance(dtype, pandas.CategoricalDtype):
            codes, levels = series.cat.codes.to_numpy(), series.cat.categories
            if levels.dtype.kind not in "biuf":
                return _columns.codes(name, codes, levels)
            # -1, where a value is missing, would be the last level.
            values = levels.to_numpy()[codes] if len(levels) else np.zeros(len(codes))
            return _columns.column(name, np.ma.MaskedArray(values, codes < 0) if (codes < 0).any() else values)
        if isinstance(dtype, pandas.DatetimeTZDtype):
            return _columns.column(name, series.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
        missing = series.isna().to_numpy()
        if pandas.api.types.is_string_dtype(dtype):
            return _columns.column(name, np.where(missing, None, series.to_numpy(dtype=object)))
        self._nullable = True
        mask = missing if missing.any() else None
        if pandas.api.types.is_bool_dtype(dtype):
            values = series.to_numpy(dtype=bool, na_value=False)
        elif pandas.api.types.is_integer_dtype(dtype):
            values = series.to_numpy(dtype=np.uint64 if "uint" in str(dtype).lower() else np.int64, na_value=0)
        elif pandas.api.types.is_datetime64_any_dtype(dtype):
            return _columns.column(name, series.to_numpy(dtype="M8[ns]"))
        else:
            try:
                values = series.to_numpy(dtype=float, na_value=np.nan)
            except (TypeError, ValueError):
                raise TypeError(
                    f"column `{name}` holds {dtype}, but must hold numbers, truth values, text or dates"
                ) from None
        return _columns.column(name, values if mask is None else np.ma.MaskedArray(values, mask))

    def taken(self, kept):
        return self.table if kept is None else self.table.iloc[kept]

    def build(self, inner, names, new, old):
        pandas = self.pandas

        def one(place):
            values, mask, unit = inner.column(place, names[place] in new)
            if mask is not None and self._nullable and not isinstance(values, list) and values.dtype.kind == "f":
                return pandas.arrays.FloatingArray(values, np.array(mask))
            return _for_pandas(pandas, values, mask, unit)

        if old is None:
            return pandas.DataFrame({name: one(place) for place, name in enumerate(names)})
        its_names = self.names()
        parts = {}
        for place, name in enumerate(names):
            if name in new:
                parts[name] = pandas.Series(one(place), index=old.index)
            else:
                label = its_names.index(name)
                parts[self.table.columns[label]] = old.iloc[:, label]
        return pandas.DataFrame(parts, index=old.index, copy=False)


class ArrowSource(Source):
    """Anything with the Arrow PyCapsule interface: its memory is used as it is."""

    def __init__(self, table, look):
        super().__init__(table, look)
        self._inner = _gristmill.Table.of_capsules(table)

    def names(self):
        return self._inner.names

    def rows(self):
        return self._inner.rows

    def inner(self):
        return self._inner

    def result(self, found):
        return Table(found[0])


class PyarrowSource(ArrowSource):
    """pyarrow.Table and pyarrow.RecordBatch."""

    def result(self, found):
        import pyarrow

        inner, is_result, aggregated, kept, _ = found
        if aggregated:
            return self._as_given(pyarrow.table(inner))
        places = [place for place, result in enumerate(is_result) if result]
        results = pyarrow.table(inner.select(places))
        old = self.table if kept is None else self.table.take(pyarrow.array(kept))
        new = dict(zip((inner.names[place] for place in places), results.columns))
        columns = [new[name] if name in new else old.column(name) for name in inner.names]
        return self._as_given(pyarrow.table(columns, names=inner.names))

    def _as_given(self, table):
        import pyarrow

        if isinstance(self.table, pyarrow.RecordBatch):
            batches = table.combine_chunks().to_batches()
            return batches[0] if batches else pyarrow.RecordBatch.from_pylist([], schema=table.schema)
        return table


class PolarsSource(ArrowSource):
    """polars.DataFrame."""

    def result(self, found):
        import polars

        inner, is_result, aggregated, kept, _ = found
        if aggregated:
            return polars.DataFrame(inner.select(list(range(len(inner.names)))))
        results = polars.DataFrame(inner.select([place for place, result in enumerate(is_result) if result]))
        old = self.table if kept is None else self.table[kept]
        return polars.DataFrame([results[n] if n in results.columns else old[n] for n in inner.names])


def source_of(table, look):
    """The source for a table of any kind."""
    module = type(table).__module__.split(".")[0]
    kind = type(table).__name__
    if isinstance(table, Table):
        return ArrowSource(table, look)
    if module == "pandas" and kind == "DataFrame":
        return PandasSource(table, look)
    if module == "polars":
        if kind == "DataFrame":
            return PolarsSource(table, look)
        if kind == "LazyFrame":
            raise TypeError("`table` is a polars.LazyFrame, which has no rows yet; give `table.collect()`")
    if module == "pyarrow" and kind in ("Table", "RecordBatch"):
        return PyarrowSource(table, look)
    if isinstance(table, Mapping):
        return DictSource(table, look)
    if module not in ("pandas", "polars") and (hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__")):
        return ArrowSource(table, look)
    raise TypeError(
        f"`table` is a {module}.{kind}, but must be a dict of arrays, a table of pandas, polars or pyarrow, something with "
        "`__arrow_c_stream__`, or the name of a file"
    )


def is_path(table):
    return isinstance(table, (str, os.PathLike))
