"""Writes python/gristmill/_functions.py: R's functions with R's names and defaults, over the ufuncs; and the type stubs of both.

How R calls a function stands in the comment of the kernel (docs/add-a-distribution.md) and is read from the compiled module, so
a new function of nmath needs no line here. `pytest` fails if the file is not what this program writes.
"""

import ast
import re
import sys
from pathlib import Path

from gristmill import _gristmill

PACKAGE = Path(__file__).resolve().parent.parent / "python" / "gristmill"
FLAGS = {"lower.tail", "log.p", "log", "expon.scaled"}
KEYWORDS = {"lambda": "lambda_"}
ONES = set(_gristmill.ones())
CONSTANTS = {"TRUE": "True", "FALSE": "False"}

HEAD = '''"""R's functions with R's names and defaults. Written by tools/generate.py from the comments of the kernels."""

from . import _one as one
from . import ufuncs
from ._core import draw, explained, flag, inverse, one_of

'''


def python_name(name: str) -> str:
    return KEYWORDS.get(name, name.replace(".", "_"))


def python_text(text: str) -> str:
    """An expression in R's parameters, in Python's."""

    def word(match: re.Match) -> str:
        name = match.group(0)
        return CONSTANTS.get(name, python_name(name))

    return re.sub(r"[A-Za-z][A-Za-z0-9._]*", word, text)


def split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def parse_usage(usage: str) -> tuple[str, list[tuple[str, str | None]]]:
    name, rest = usage.split("(", 1)
    params = []
    for part in split(rest.rsplit(")", 1)[0]):
        if part == "...":
            continue
        left, _, right = part.partition("=")
        params.append((left.strip(), right.strip() or None))
    return name.strip(), params


def wrapped(text: str, indent: str, width: int = 100) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if line and len(indent) + len(line) + 1 + len(word) > width:
            lines.append(indent + line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, indent + line] if line else lines


def docstring(function: dict, usage: dict, params: list, optional_names: set, sample: str | None) -> list[str]:
    out = [f'    """{usage["about"][0].upper()}{usage["about"][1:]}.', ""]
    out += ["    Parameters", "    ----------"]
    if sample:
        out += [f"    {sample} : int or tuple of int", "        The shape of the sample."]
    for name, default in params:
        kind = "bool" if name in FLAGS else "array_like"
        optional = ", optional" if default is not None or name in optional_names else ""
        out.append(f"    {python_name(name)} : {kind}{optional}")
    if sample:
        out += ["    seed : int or numpy.random.Generator, optional", "        Fresh entropy where none is given."]
        out += ["    stream : int", "        Samples of one seed and different streams are independent."]
    else:
        out += ["    out, where, **kwargs", "        As for every :class:`numpy.ufunc`."]
    notes = [(label.capitalize(), function[label]) for label in ("domain", "method", "error") if function[label]]
    if notes:
        out += ["", "    Notes", "    -----"]
        for label, text in notes:
            out += wrapped(f"{label}: {text}".replace("\\", "\\\\").replace('"""', "'''"), "    ")
    out += ['    """']
    return out


def write(function: dict, usage: dict) -> tuple[str, str]:
    name, params = parse_usage(usage["usage"])
    python = python_name(name)
    names = [param for param, _ in params]
    calls = [(given, call) for given, call in usage["calls"]]
    if not calls:
        calls = [(None, f'{function["name"]}({", ".join(names)})')]
    given_names = {given for given, _ in calls if given}
    alternatives = [(p, d) for p, d in params if d and p not in FLAGS and re.search(r"[a-z]", d)]
    is_random = any(param == "seed" for param, _ in function["params"])
    # R calls the number of draws `n`; where that or `size` is a parameter, the other name is free.
    sample = ("n" if "size" in names else "size") if is_random else None
    optional_names = {p for p in names if p in given_names or is_optional(p, given_names)}
    plain, keyword = [], []
    for param, default in params:
        if param in FLAGS:
            keyword.append(f"{python_name(param)}={CONSTANTS[default]}")
        elif default is None and param in optional_names:
            plain.append(f"{python_name(param)}=None")
        elif any(param == p for p, _ in alternatives):
            plain.append(f"{python_name(param)}=None")
        elif default is None:
            plain.append(python_name(param))
        else:
            plain.append(f"{python_name(param)}={default}")
    if is_random:
        head = [sample, *plain, "*", *keyword, "seed=None", "stream=0", "_start=0"]
    else:
        head = [*plain, "*", *keyword, "out=None", "where=True", "**kwargs"]
    lines = [f"def {python}({', '.join(head)}):"]
    lines += docstring(function, usage, params, optional_names, sample)
    is_direct = not alternatives and len(calls) == 1
    if is_direct and not is_random:
        lines += value_of(*call_of(calls[0][1]), "    ")
    for param in names:
        if param in FLAGS:
            flag = python_name(param)
            lines += [f"    if {flag} is not True and {flag} is not False:", f'        {flag} = flag("{flag}", {flag})']
    for param, default in alternatives:
        other = re.search(r"[a-z]+", default).group(0)
        preset = dict(params)[other]
        lines.append(f'    {python_name(param)} = inverse("{python_name(other)}", {python_name(other)}, {preset}, '
                     f'"{python_name(param)}", {python_name(param)})')
    if "prob" in names and "mu" in names:
        lines.append('    one_of(prob=prob, mu=mu)')
    for given, call in calls:
        kernel, arguments = call_of(call)
        if is_random:
            text = f"draw(ufuncs.{kernel}, {sample}, seed, stream, _start, {', '.join(arguments)})"
        else:
            text = f"ufuncs.{kernel}({', '.join(arguments)}, out=out, where=where, **kwargs)"
        attempt = [] if is_random or is_direct else value_of(kernel, arguments, "        " if given else "    ")
        plain = dict.fromkeys(a for a in arguments if a.isidentifier() and a not in CONSTANTS.values())
        its = [*attempt, *explaining(text, plain, "        " if given else "    ")]
        lines += [f"    if {python_name(given)} is not None:", *its] if given else its
    text = "\n".join(lines)
    ast.parse(text)
    return python, text


def call_of(call: str) -> tuple[str, list[str]]:
    """The kernel of a call, and its arguments in Python."""
    kernel, arguments = call.split("(", 1)
    return kernel, [python_text(a) for a in split(arguments.rsplit(")", 1)[0])]


def value_of(kernel: str, arguments: list[str], indent: str) -> list[str]:
    """Plain numbers need no ufunc."""
    if kernel not in ONES:
        return []
    lines = [
        "if out is None and where is True and not kwargs:",
        f"    value = one.{kernel}({', '.join(arguments)})",
        "    if value is not None:",
        "        return value",
    ]
    return [indent + line for line in lines]


def explaining(text: str, arguments: dict[str, None], indent: str) -> list[str]:
    """The call; NumPy's errors do not name the argument."""
    named = ", ".join(f"{name}={name}" for name in arguments)
    lines = [
        "try:",
        f"    return {text}",
        "except (TypeError, ValueError) as error:",
        f"    raise explained(error, {named}) from None",
    ]
    return [indent + line for line in lines]


def is_optional(param: str, given: set) -> bool:
    """`prob` may be absent where `mu` is given in its place; `ncp` where it is not used at all."""
    return (param == "prob" and "mu" in given) or (param == "ncp")


def text() -> str:
    functions = _gristmill.functions()
    written = {}
    for function in functions:
        for usage in function["usages"]:
            name, code = write(function, usage)
            written[name] = code
    parts = [HEAD, "__all__ = [\n", *(f'    "{name}",\n' for name in sorted(written)), "]\n"]
    for name in sorted(written):
        parts += ["\n\n", written[name], "\n"]
    return "".join(parts)


STUB_HEAD = '''"""Types of R's functions. Written by tools/generate.py."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

_Flag = bool | ArrayLike
_Seed = int | np.random.Generator | np.random.RandomState | None

'''


def stub_of(function: ast.FunctionDef) -> str:
    """The line of a function in the stub: numbers in, whatever the arguments' kind makes of them out."""

    def one(argument: ast.arg, default: ast.expr | None) -> str:
        name = argument.arg
        if default is None:
            kind = "ArrayLike" if name != "size" else "int | tuple[int, ...]"
        elif name == "seed":
            kind = "_Seed"
        elif name in ("stream", "_start"):
            kind = "int"
        elif name in ("out", "where"):
            kind = "Any"
        elif isinstance(default, ast.Constant) and isinstance(default.value, bool):
            kind = "_Flag"
        elif isinstance(default, ast.Constant) and default.value is None:
            kind = "ArrayLike | None"
        else:
            kind = "ArrayLike"
        return f"{name}: {kind}" + (" = ..." if default is not None else "")

    its = function.args
    defaults = [None] * (len(its.args) - len(its.defaults)) + list(its.defaults)
    parts = [one(argument, default) for argument, default in zip(its.args, defaults)]
    if its.kwonlyargs:
        parts.append("*")
        parts += [one(argument, default) for argument, default in zip(its.kwonlyargs, its.kw_defaults)]
    if its.kwarg:
        parts.append(f"**{its.kwarg.arg}: Any")
    result = "np.ndarray" if any(argument.arg == "size" for argument in its.args) else "Any"
    return f"def {function.name}({', '.join(parts)}) -> {result}: ..."


def functions_stub(source: str) -> str:
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    names = "".join(f'    "{function.name}",\n' for function in functions)
    return STUB_HEAD + f"__all__ = [\n{names}]\n\n" + "".join(stub_of(function) + "\n" for function in functions)


def ufuncs_stub() -> str:
    names = sorted(function["name"] for function in _gristmill.functions())
    head = '"""Every kernel as a ufunc. Written by tools/generate.py."""\n\nimport numpy as np\n\n'
    return head + "".join(f"{name}: np.ufunc\n" for name in names)


def files() -> dict[str, str]:
    source = text()
    return {"_functions.py": source, "_functions.pyi": functions_stub(source), "ufuncs.pyi": ufuncs_stub()}


if __name__ == "__main__":
    for name, content in files().items():
        path = PACKAGE / name
        if "--check" not in sys.argv:
            path.write_text(content)
        elif not path.exists() or path.read_text() != content:
            sys.exit(f"{name} is not current: run tools/generate.py")
