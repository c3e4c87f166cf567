from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeVar, overload

from ._table import Table

_Path = str | PathLike[str]
_T = TypeVar("_T")

@overload
def eval(
    expressions: str | Sequence[str],
    table: Any,
    *,
    output: _Path,
    where: str | None = ...,
    by: str | Sequence[str] = ...,
    select: Sequence[str] | None = ...,
    only: bool = ...,
    seed: int = ...,
    progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    input_format: str | None = ...,
    output_format: str | None = ...,
    delimiter: str | None = ...,
    header: bool = ...,
    na: str | Sequence[str] | None = ...,
    na_out: str | None = ...,
) -> dict[str, Any]: ...
@overload
def eval(
    expressions: str | Sequence[str],
    table: _Path | Sequence[_Path] | int,
    *,
    output: None = ...,
    where: str | None = ...,
    by: str | Sequence[str] = ...,
    select: Sequence[str] | None = ...,
    only: bool = ...,
    seed: int = ...,
    progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    input_format: str | None = ...,
    output_format: str | None = ...,
    delimiter: str | None = ...,
    header: bool = ...,
    na: str | Sequence[str] | None = ...,
    na_out: str | None = ...,
) -> Table: ...
@overload
def eval(
    expressions: str | Sequence[str],
    table: _T,
    *,
    output: None = ...,
    where: str | None = ...,
    by: str | Sequence[str] = ...,
    select: Sequence[str] | None = ...,
    only: bool = ...,
    seed: int = ...,
    progress: bool | Callable[[dict[str, Any]], object] | None = ...,
    input_format: str | None = ...,
    output_format: str | None = ...,
    delimiter: str | None = ...,
    header: bool = ...,
    na: str | Sequence[str] | None = ...,
    na_out: str | None = ...,
) -> _T: ...
