"""Models over rows that live in many places: `gristmill.dask.glm_grid`."""

import numpy as np

from . import _glm

#: Rows of parts start at multiples of this.
BLOCK = 64


def glm_grid(X, y, grid, *, weights=None, offset=None, compute=True, **model):
    """The negative log-posterior and its gradients at a grid of coefficients, over row blocks of Dask arrays.

    Every block is evaluated where it lives, and only the sums travel. The result has the bits of
    ``gm.GlmData(X, y).evaluate(grid)`` in one place, whatever the blocks and however many workers there are.

    Parameters
    ----------
    X : dask.array of two dimensions
        Its columns are in one block.
    y, weights, offset : dask.array or array
        A value for each row.
    grid : array
        A row for each point, a column for each coefficient.
    compute : bool
        False gives a delayed object instead.
    model
        ``family``, ``link``, ``prior``, ``size`` and so on, as for :class:`gristmill.GlmData`.

    Returns
    -------
    values, gradients : numpy.ndarray
    """
    import dask
    import dask.array as da

    if not hasattr(X, "dask"):
        raise TypeError(f"`X` is a {type(X).__name__}, but must be a dask.array; GlmData evaluates arrays in memory")
    if X.ndim != 2:
        raise ValueError(f"`X` has {X.ndim} dimensions, but must have 2")
    grid = _glm._floats("grid", grid, 2)
    rows, columns = X.shape
    if np.isnan(rows):
        raise ValueError("`X` has blocks of unknown length; call X.compute_chunk_sizes() first")
    if grid.shape[1] != columns:
        raise ValueError(f"`grid` has {grid.shape[1]} columns, but must have one for each of the {columns} coefficients")
    prior = model.pop("prior", None)
    chunks = _starts(X.chunks[0])
    X = X.rechunk({0: chunks, 1: columns})

    def blocks(name, values):
        if values is None:
            return [None] * len(chunks)
        if values.shape != (rows,):
            raise ValueError(f"`{name}` has the shape {values.shape}, but there are {rows} rows")
        values = values.rechunk((chunks,)) if hasattr(values, "dask") else da.from_array(np.asarray(values), chunks=(chunks,))
        return values.to_delayed().ravel().tolist()

    part = dask.delayed(_part, pure=True)
    first = np.cumsum([0, *chunks])
    parts = [
        part(x, its_y, its_weights, its_offset, grid, int(start), model)
        for x, its_y, its_weights, its_offset, start in zip(
            X.to_delayed().ravel().tolist(),
            blocks("y", y),
            blocks("weights", weights),
            blocks("offset", offset),
            first,
        )
    ]
    result = dask.delayed(_finish, pure=True)(parts, grid, prior, model)
    return result.compute() if compute else result


def _starts(chunks):
    """Lengths of blocks that start at multiples of 64, near those that there are."""
    rows = sum(chunks)
    ends = sorted({min(rows, -(-end // BLOCK) * BLOCK) for end in np.cumsum(chunks).tolist()} | {rows})
    return tuple(int(end - start) for start, end in zip([0, *ends], ends) if end > start) or (0,)


def _part(x, y, weights, offset, grid, first_row, model):
    data = _glm.GlmData(x, y, weights=weights, offset=offset, first_row=first_row, **model)
    return data.partial(grid)


def _finish(parts, grid, prior, model):
    # The prior is that of the coefficients: any data of this model knows what to do with it.
    empty = _glm.GlmData(np.zeros((0, grid.shape[1])), np.zeros(0), prior=prior, **model)
    return empty.finish(grid, _glm.merge(parts))
