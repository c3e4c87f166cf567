"""Kernels of one's own: a text in the kernel language, or a Python function, as ufuncs."""

import textwrap
import types

import numpy as np

from . import _gristmill

# What is behind each ufunc that was made here. Ufuncs live to the end of the process anyway.
_made = {}


class Kernels(types.SimpleNamespace):
    """The kernels of one text, by name."""

    def __repr__(self):
        return f"Kernels({', '.join(vars(self))})"


def kernel(source, /):
    """Make a ufunc of a kernel.

    Parameters
    ----------
    source : str or function
        A text in the kernel language, a restricted Rust (docs/kernel-language.md): one or more functions, constants and structs,
        which may call each other and every function of :mod:`gristmill.ufuncs` by name. Or a Python function of numbers, which
        is translated: arithmetic, comparisons, `and`, `or`, `not`, conditional expressions, `if`, `while`, `for` over `range`,
        tuples, and calls of functions of :mod:`math`, :mod:`numpy`, this package and other kernels. Parameters are `float` where no
        hint says `int` or `bool`.

    Returns
    -------
    numpy.ufunc or Kernels
        The ufunc, or, of a text with several functions, a namespace of them.

    Raises
    ------
    SyntaxError
        What is not part of the language, with its place.

    Examples
    --------
    >>> import gristmill as gm
    >>> growth = gm.kernel("fn growth(t: f64, a: f64, b: f64) -> f64 { a / (1.0 + exp(-b * t)) }")
    >>> growth([0.0, 100.0], 3.0, 0.7)
    array([1.5, 3. ])
    >>> @gm.kernel
    ... def collatz(n: int) -> int:
    ...     steps = 0
    ...     while n != 1:
    ...         n = 3 * n + 1 if n % 2 else n // 2
    ...         steps += 1
    ...     return steps
    >>> collatz([6, 27])
    array([  8, 111])
    """
    if isinstance(source, str):
        return _of_text(source)
    if isinstance(source, types.FunctionType):
        return _of_function(source)
    if isinstance(source, np.ufunc) and source in _made:
        return source
    raise TypeError(f"a kernel is a text or a Python function, but this is {type(source).__name__}")


def _of_text(text):
    # Reads Python's own syntax: loaded by those who need it.
    from ._translate import TYPES, Written

    text = textwrap.dedent(text)
    made = _gristmill.kernels_of(text, "<kernel>")
    if not made:
        raise ValueError("the text has no function from numbers to numbers, such as `fn half(x: f64) -> f64 { x / 2.0 }`")
    for name, ufunc, parameters, results in made:
        result = tuple(TYPES.get(ty, ty) for ty in results)
        types_of = [TYPES.get(ty, ty) for ty in parameters]
        _made[ufunc] = Written(name, types_of, result[0] if len(result) == 1 else result, text)
    if len(made) == 1:
        return made[0][1]
    return Kernels(**{name: ufunc for name, ufunc, _, _ in made})


def _of_function(function):
    from ._translate import Translator, whole_text

    try:
        translated = Translator(function, _made).translate()
    except SyntaxError as error:
        # How the translator came there does not help: the place in the function does.
        raise error.with_traceback(None) from None
    text, name = whole_text(translated)
    try:
        made = {made_name: ufunc for made_name, ufunc, _, _ in _gristmill.kernels_of(text, f"<kernel {function.__name__}>")}
    except SyntaxError as error:
        # The translation is ours: what it writes must be the language.
        raise SyntaxError(f"{function.__name__} cannot be a kernel: {error.msg}", error.args[1]) from None
    ufunc = made[name]
    _made[ufunc] = translated
    return ufunc


def kernel_text(ufunc, lang="rust"):
    """The text of a kernel that :func:`kernel` made.

    Parameters
    ----------
    ufunc : numpy.ufunc
    lang : {"rust", "opencl", "ir"}
        In the kernel language with all that it calls, as an OpenCL C program, or the typed intermediate form.
    """
    from ._translate import whole_text

    behind = _made.get(ufunc) if isinstance(ufunc, np.ufunc) else None
    if behind is None:
        raise TypeError("this is no ufunc that `gm.kernel` made")
    text, name = whole_text(behind)
    return text if lang == "rust" else _gristmill.kernel_text(text, name, lang)


def set_kernel_fuel(rounds):
    """End calls of kernels that loop too long.

    Parameters
    ----------
    rounds : int or None
        How many rounds of loops one call of a kernel may make, roughly; more is a `RuntimeError`. `None`: any number, until Ctrl-C.
    """
    _gristmill.set_kernel_fuel(rounds)
