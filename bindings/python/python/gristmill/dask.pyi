from typing import Any

from numpy.typing import ArrayLike

BLOCK: int

def glm_grid(
    X: Any, y: Any, grid: ArrayLike, *, weights: Any = ..., offset: Any = ..., compute: bool = ..., **model: Any
) -> Any: ...
