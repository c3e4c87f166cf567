"""Python functions as texts in the kernel language: their syntax trees, with Python's meaning.

Every expression becomes an :class:`Expression`, which knows its type: `float`, `int`, `bool`, or a tuple of these. A variable has
one type for the whole function, the widest that it is given (`bool` < `int` < `float`), so the function is walked until the types
of its variables no longer grow. What cannot be translated is a `SyntaxError` that points into the file.
"""

import ast
import builtins
import inspect
import math
import textwrap
import types
from dataclasses import dataclass, field

import numpy as np

from . import _gristmill, ufuncs

FLOAT, INT, BOOL = "float", "int", "bool"
RUST = {FLOAT: "f64", INT: "i64", BOOL: "bool"}
ZERO = {FLOAT: "0.0", INT: "0_i64", BOOL: "false"}
# How tightly a text holds together, so that only what must be is put in brackets.
ATOM, UNARY, PRODUCT, SUM, COMPARISON, AND, OR = 9, 8, 7, 6, 3, 2, 1

KEYWORDS = frozenset(
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return "
    "self Self static struct super trait true type unsafe use where while abstract become box do final gen macro override priv try "
    "typeof unsized virtual yield".split()
)
PARAMETERS = {f["name"]: [ty for _, ty in f["params"]] for f in _gristmill.functions()}
RESULTS = {f["name"]: f["results"] for f in _gristmill.functions()}
TYPES = {"float64": FLOAT, "int64": INT, "bool": BOOL}

# What Python computes and the language does not have as an operation.
HELPERS = {
    "python_fmod": """
/// The remainder of a division towards zero, exactly, as C's `fmod`.
fn python_fmod(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 { return f64::NAN; }
    if x.abs() < y.abs() { return x; }
    let fraction: u64 = (1 << 52) - 1;
    let (x_bits, y_bits) = (x.abs().to_bits(), y.abs().to_bits());
    let mut exponent: i64 = (x_bits >> 52) as i64;
    let mut left: u64 = x_bits & fraction;
    if exponent == 0 { exponent = 1; } else { left = left | (fraction + 1); }
    let mut last: i64 = (y_bits >> 52) as i64;
    let mut divisor: u64 = y_bits & fraction;
    if last == 0 { last = 1; } else { divisor = divisor | (fraction + 1); }
    left = left % divisor;
    while exponent > last {
        let mut step = exponent - last;
        if step > 11 { step = 11; }
        left = (left << step) % divisor;
        exponent -= step;
    }
    if left == 0 { return (0.0_f64).copysign(x); }
    let mut up: i64 = left.leading_zeros() as i64 - 11;
    if up > last - 1 { up = last - 1; }
    left = left << up;
    let mut bits: u64 = left;
    if left > fraction { bits = (left & fraction) | (((last - up) as u64) << 52); }
    f64::from_bits(bits).copysign(x)
}
""",
    "python_mod": """
/// `x % y`: the sign of `y`.
fn python_mod(x: f64, y: f64) -> f64 {
    let left = python_fmod(x, y);
    if left == 0.0 { return (0.0_f64).copysign(y); }
    if (y < 0.0) != (left < 0.0) { left + y } else { left }
}
""",
    "python_floor_divide": """
/// `x // y`, rounded down once.
fn python_floor_divide(x: f64, y: f64) -> f64 {
    if y == 0.0 { return x / y; }
    let left = python_fmod(x, y);
    let mut quotient: f64 = (x - left) / y;
    if left != 0.0 && ((y < 0.0) != (left < 0.0)) { quotient -= 1.0; }
    if quotient == 0.0 { return (0.0_f64).copysign(x / y); }
    let down: f64 = quotient.floor();
    if quotient - down > 0.5 { down + 1.0 } else { down }
}
""",
    "python_int_floor_divide": """
/// `a // b` of whole numbers; 0 if `b` is.
fn python_int_floor_divide(a: i64, b: i64) -> i64 {
    if b == 0 { return 0; }
    let left = a % b;
    if left != 0 && ((left < 0) != (b < 0)) { a / b - 1 } else { a / b }
}
""",
    "python_int_mod": """
/// `a % b` of whole numbers, with the sign of `b`; 0 if `b` is.
fn python_int_mod(a: i64, b: i64) -> i64 {
    if b == 0 { return 0; }
    let left = a % b;
    if left != 0 && ((left < 0) != (b < 0)) { left + b } else { left }
}
""",
    "python_int_power": """
/// `a ** n` of whole numbers, in 64 bits.
fn python_int_power(a: i64, n: i64) -> i64 {
    let (mut power, mut base, mut left) = (1_i64, a, n);
    while left > 0 {
        if left & 1 == 1 { power = power * base; }
        base = base * base;
        left = left >> 1;
    }
    power
}
""",
    "python_shift_left": """
/// `a << n`; nothing is left of 64 bits from 64 on.
fn python_shift_left(a: i64, n: i64) -> i64 {
    if n < 0 || n > 63 { 0 } else { a << n }
}
""",
    "python_shift_right": """
/// `a >> n`.
fn python_shift_right(a: i64, n: i64) -> i64 {
    if n < 0 { 0 } else if n > 63 { a >> 63 } else { a >> n }
}
""",
    "python_rounds": """
/// How many values `range(from, to, step)` has; none if `step` is 0.
fn python_rounds(from: i64, to: i64, step: i64) -> i64 {
    if step > 0 && from < to { return (to - from - 1) / step + 1; }
    if step < 0 && from > to { return (from - to - 1) / -step + 1; }
    0
}
""",
}
NEEDS = {"python_mod": ["python_fmod"], "python_floor_divide": ["python_fmod"]}


@dataclass
class Expression:
    text: str
    type: object
    strength: int = ATOM
    value: object = None  # of a literal

    def at(self, strength):
        return self.text if self.strength >= strength else f"({self.text})"


@dataclass
class Translated:
    """A kernel that other kernels may call."""

    name: str
    parameters: list  # types
    result: object  # a type
    body: str  # the function; `\x01k\x01` is the name of callee k, `\x01self\x01` its own
    callees: list = field(default_factory=list)  # Translated or Written
    helpers: set = field(default_factory=set)


@dataclass
class Written:
    """A function of a text that was written by hand."""

    name: str
    parameters: list
    result: object
    text: str  # all of it


def whole_text(kernel):
    """A kernel with all that it calls, as one text, and the name that it has there."""
    if isinstance(kernel, Written):
        return kernel.text, kernel.name
    order, names, texts = [], {}, []

    def visit(one):
        if id(one) in names or (isinstance(one, Written) and one.text in texts):
            names.setdefault(id(one), one.name)
            return
        if isinstance(one, Written):
            texts.append(one.text)
            names[id(one)] = one.name
            return
        names[id(one)] = None
        for callee in one.callees:
            visit(callee)
        order.append(one)

    visit(kernel)
    taken = set(PARAMETERS) | set(HELPERS) | KEYWORDS
    for text in texts:
        taken |= {word for _, _, word in _items(text)}
    for one in [kernel, *order]:
        if names[id(one)] is None:
            plain = one.name if one.name.isascii() else "kernel"
            name, number = plain, 1
            while name in taken:
                number += 1
                name = f"{plain}_{number}"
            names[id(one)] = name
            taken.add(name)
    helpers = set().union(*(one.helpers for one in order))
    for helper in list(helpers):
        helpers.update(NEEDS.get(helper, []))
    parts = [HELPERS[name].strip("\n") for name in HELPERS if name in helpers]
    parts += [text.strip("\n") for text in texts]
    for one in order:
        body = one.body.replace("\x01self\x01", names[id(one)])
        for k, callee in enumerate(one.callees):
            body = body.replace(f"\x01{k}\x01", names[id(callee)])
        parts.append(body.strip("\n"))
    return "\n\n".join(parts) + "\n", names[id(kernel)]


def _items(text):
    """The kinds, places and names of the items of a text, roughly: what must not be defined twice."""
    import re

    return [(m.group(1), m.start(), m.group(2)) for m in re.finditer(r"\b(fn|const|struct)\s+(\w+)", text)]


def join(a, b):
    """The type that holds values of both."""
    if a == b:
        return a
    if isinstance(a, tuple) or isinstance(b, tuple):
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
            parts = tuple(join(x, y) for x, y in zip(a, b))
            return None if None in parts else parts
        return None
    order = [BOOL, INT, FLOAT]
    return order[max(order.index(a), order.index(b))]


def rust_type(ty):
    return f"({', '.join(map(rust_type, ty))})" if isinstance(ty, tuple) else RUST[ty]


def zero(ty):
    return f"({', '.join(map(zero, ty))})" if isinstance(ty, tuple) else ZERO[ty]


def shown_type(ty):
    return f"tuple[{', '.join(map(shown_type, ty))}]" if isinstance(ty, tuple) else ty


def literal(value):
    if isinstance(value, (bool, np.bool_)):
        return Expression("true" if value else "false", BOOL, ATOM, bool(value))
    if isinstance(value, (int, np.integer)):
        value = int(value)
        if not -(2**63) < value < 2**63:
            raise OverflowError(f"{value} has more than 64 bits")
        text = f"{abs(value)}_i64"
        return Expression(text if value >= 0 else f"-{text}", INT, ATOM if value >= 0 else UNARY, value)
    value = float(value)
    if math.isnan(value):
        return Expression("f64::NAN", FLOAT, ATOM, value)
    if math.isinf(value):
        return Expression("f64::INFINITY" if value > 0 else "f64::NEG_INFINITY", FLOAT, ATOM, value)
    negative = math.copysign(1.0, value) < 0
    return Expression(repr(value), FLOAT, UNARY if negative else ATOM, value)


def converted(one, ty):
    """The same value as a wider type."""
    if one.type == ty:
        return one
    if one.value is not None and ty == FLOAT and abs(one.value) <= 2**53:
        return literal(float(one.value))
    if one.value is not None and ty == INT:
        return literal(int(one.value))
    if isinstance(ty, tuple):
        parts = [converted(Expression(f"t.{k}", one.type[k]), part).text for k, part in enumerate(ty)]
        return Expression(f"({{ let t = {one.text}; ({', '.join(parts)}) }})", ty)
    if one.type == BOOL:
        yes, no = ("1.0", "0.0") if ty == FLOAT else ("1_i64", "0_i64")
        return Expression(f"(if {one.text} {{ {yes} }} else {{ {no} }})", ty)
    return Expression(f"({one.at(UNARY)} as f64)", ty)


def truth(one):
    if one.type == BOOL:
        return one
    return Expression(f"{one.at(SUM)} != {ZERO[one.type]}", BOOL, COMPARISON)


def _call(name, *parts):
    return Expression(f"{name}({', '.join(p.text for p in parts)})", FLOAT)


def _as_float(method):
    return lambda x: Expression(f"{converted(x, FLOAT).at(ATOM)}.{method}()", FLOAT)


def _test(method):
    return lambda x: Expression(f"{converted(x, FLOAT).at(ATOM)}.{method}()", BOOL)


def _whole(method):
    """Python's `math.floor` and its like give an int."""

    def apply(x):
        if x.type != FLOAT:
            return converted(x, INT)
        return Expression(f"({x.at(ATOM)}.{method}() as i64)", INT)

    return apply


def _absolute(x):
    ty = INT if x.type == BOOL else x.type
    return Expression(f"{converted(x, ty).at(ATOM)}.abs()", ty)


def _choice(condition, yes, no):
    ty = join(yes.type, no.type)
    return Expression(f"(if {truth(condition).text} {{ {converted(yes, ty).text} }} else {{ {converted(no, ty).text} }})", ty)


def _better(operator):
    """Python's `min` and `max`: the first one, unless a later one is truly better."""

    def apply(*all_of_them):
        best = all_of_them[0]
        for one in all_of_them[1:]:
            ty = join(best.type, one.type)
            a, b = converted(best, ty), converted(one, ty)
            best = Expression(f"({{ let a = {a.text}; let b = {b.text}; if b {operator} a {{ b }} else {{ a }} }})", ty)
        return best

    return apply


def _numpy_better(operator):
    """NumPy's: a NaN wins."""

    def apply(x, y):
        ty = join(x.type, y.type)
        a, b = converted(x, ty), converted(y, ty)
        keep = f"a {operator} b || a != a" if ty == FLOAT else f"a {operator} b"
        return Expression(f"({{ let a = {a.text}; let b = {b.text}; if {keep} {{ a }} else {{ b }} }})", ty)

    return apply


def _sign(x):
    if x.type != FLOAT:
        x = converted(x, INT)
        return Expression(f"({{ let a = {x.text}; if a > 0 {{ 1_i64 }} else if a < 0 {{ -1_i64 }} else {{ 0_i64 }} }})", INT)
    return Expression(f"({{ let a = {x.text}; if a > 0.0 {{ 1.0 }} else if a < 0.0 {{ -1.0 }} else {{ a * 0.0 + a }} }})", FLOAT)


def _scaled(factor):
    return lambda x: Expression(f"{converted(x, FLOAT).at(PRODUCT)} * {factor!r}", FLOAT, PRODUCT)


def _kernel(name):
    return lambda *parts: _call(name, *(converted(p, FLOAT) for p in parts))


def _logarithm(x, base=None):
    log = _kernel("log")
    return log(x) if base is None else Expression(f"{log(x).text} / {log(base).text}", FLOAT, PRODUCT)


def _to_int(x):
    return Expression(f"({x.at(UNARY)} as i64)", INT) if x.type == FLOAT else converted(x, INT)


def _known_functions():
    """What may be called, by the object that the name stands for: how many arguments, and what becomes of them."""
    known = {
        abs: (1, _absolute),
        float: (1, lambda x: converted(x, FLOAT)),
        int: (1, _to_int),
        bool: (1, truth),
        round: (1, _whole("round_ties_even")),
        min: (range(2, 1000), _better("<")),
        max: (range(2, 1000), _better(">")),
        math.sqrt: (1, _as_float("sqrt")),
        math.fabs: (1, _as_float("abs")),
        math.floor: (1, _whole("floor")),
        math.ceil: (1, _whole("ceil")),
        math.trunc: (1, _whole("trunc")),
        math.isnan: (1, _test("is_nan")),
        math.isinf: (1, _test("is_infinite")),
        math.isfinite: (1, _test("is_finite")),
        math.copysign: (2, lambda x, y: Expression(f"{converted(x, FLOAT).at(ATOM)}.copysign({converted(y, FLOAT).text})", FLOAT)),
        math.degrees: (1, _scaled(180.0 / math.pi)),
        math.radians: (1, _scaled(math.pi / 180.0)),
        math.log: (range(1, 3), _logarithm),
        math.pow: (2, _kernel("pow")),
        math.gamma: (1, _kernel("gammafn")),
        math.lgamma: (1, _kernel("lgammafn")),
        np.sqrt: (1, _as_float("sqrt")),
        np.abs: (1, _absolute),
        np.fabs: (1, _as_float("abs")),
        np.floor: (1, _as_float("floor")),
        np.ceil: (1, _as_float("ceil")),
        np.trunc: (1, _as_float("trunc")),
        np.rint: (1, _as_float("round_ties_even")),
        np.isnan: (1, _test("is_nan")),
        np.isinf: (1, _test("is_infinite")),
        np.isfinite: (1, _test("is_finite")),
        np.copysign: (2, lambda x, y: Expression(f"{converted(x, FLOAT).at(ATOM)}.copysign({converted(y, FLOAT).text})", FLOAT)),
        np.degrees: (1, _scaled(180.0 / math.pi)),
        np.radians: (1, _scaled(math.pi / 180.0)),
        np.square: (1, lambda x: Expression(f"({{ let a = {x.text}; a * a }})", x.type)),
        np.minimum: (2, _numpy_better("<")),
        np.maximum: (2, _numpy_better(">")),
        np.sign: (1, _sign),
        np.where: (3, _choice),
    }
    same_name = "exp expm1 log log1p log2 log10 cbrt sin cos tan sinh cosh tanh erf erfc".split()
    other_name = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}
    for name in [*same_name, *other_name]:
        count = 2 if name == "atan2" else 1
        for module, attribute in ((math, name), (np, other_name.get(name, name))):
            if hasattr(module, attribute) and name in PARAMETERS:
                known.setdefault(getattr(module, attribute), (count, _kernel(name)))
    return known


KNOWN = _known_functions()
OF_NMATH = {getattr(ufuncs, name): name for name in ufuncs.__all__}


class _Symbol:
    """Stands for an argument while a function of this package is asked what it calls."""

    def __init__(self, expression):
        self.expression = expression

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        parts = [i.expression if isinstance(i, _Symbol) else literal(i) for i in inputs]
        if ufunc is np.divide:
            a, b = (converted(p, FLOAT) for p in parts)
            return _Symbol(Expression(f"{a.at(PRODUCT)} / {b.at(UNARY)}", FLOAT, PRODUCT))
        name = OF_NMATH.get(ufunc)
        if method != "__call__" or name is None or any(k not in ("out", "where") for k in options):
            return NotImplemented
        return _Symbol(nmath_call(name, parts))


def nmath_call(name, parts):
    wanted = PARAMETERS[name]
    if len(parts) != len(wanted):
        raise TypeError(f"`{name}` takes {len(wanted)} arguments, but {len(parts)} are given")
    if any(ty not in TYPES for ty in [*wanted, *RESULTS[name]]):
        raise TypeError(f"`{name}` takes or gives numbers that are neither float nor int nor bool")
    texts = []
    for part, ty in zip(parts, wanted):
        ty = TYPES[ty]
        if ty == BOOL:
            part = truth(part)
        elif join(part.type, ty) != ty:
            raise TypeError(f"an argument of `{name}` is {part.type}, but must be {ty}")
        texts.append(converted(part, ty).text)
    results = tuple(TYPES[ty] for ty in RESULTS[name])
    return Expression(f"{name}({', '.join(texts)})", results[0] if len(results) == 1 else results)


class Translator:
    """One function."""

    def __init__(self, function, registry):
        self.function, self.registry = function, registry
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise TypeError(
                f"the source of `{function.__name__}` cannot be found, so it cannot be translated; give the kernel as a text"
            ) from None
        text = "".join(lines)
        self.lines, self.first = lines, first
        self.indent = len(lines[0]) - len(lines[0].lstrip())
        try:
            self.tree = ast.parse(textwrap.dedent(text)).body[0]
        except SyntaxError:
            self.tree = None
        if not isinstance(self.tree, ast.FunctionDef):
            raise TypeError("a kernel is a function with a name: use `def`")
        self.callees, self.helpers = [], set()
        self.variables = {}
        self.result = None
        self.temporaries = 0
        free = function.__code__.co_freevars
        self.cells = dict(zip(free, function.__closure__ or ()))

    def error(self, node, message):
        line = self.first + node.lineno - 1
        text = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        column = node.col_offset + self.indent + 1
        end_line = self.first + (node.end_lineno or node.lineno) - 1
        end = (node.end_col_offset or node.col_offset) + self.indent + 1
        raise SyntaxError(message, (inspect.getsourcefile(self.function), line, column, text, end_line, end))

    def translate(self):
        try:
            return self.translated()
        except RecursionError:
            pass
        self.error(self.tree, f"an expression of `{self.tree.name}` is too deep; give its parts names")

    def translated(self):
        tree = self.tree
        a = tree.args
        for extra in [a.vararg, a.kwarg, *a.kwonlyargs]:
            if extra is not None:
                self.error(extra, "a kernel has plain parameters only")
        for default in a.defaults:
            self.error(default, "a kernel is a ufunc, and those have no default values; write a function around it")
        arguments = [*a.posonlyargs, *a.args]
        if not arguments:
            self.error(tree, "a kernel has at least one parameter")
        parameters = [(arg.arg, self.hint(arg.annotation) or FLOAT) for arg in arguments]
        for arg, (_, ty) in zip(arguments, parameters):
            if isinstance(ty, tuple):
                self.error(arg, "a parameter is float, int or bool")
        hinted = self.hint(tree.returns) if tree.returns is not None else None
        self.variables = dict(parameters)
        body = tree.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and isinstance(body[0].value.value, str):
            body = body[1:]
        self.result = hinted
        # Types only grow, in a lattice of a few steps for each variable.
        while True:
            before = (dict(self.variables), self.result)
            self.callees, self.helpers, self.temporaries = [], set(), 0
            self.assigned, self.loop_depth = {name for name, _ in parameters}, 0
            text, returns = self.block(body, 1)
            if (self.variables, self.result) == before:
                break
        if not returns:
            self.error(tree, f"`{tree.name}` may come to its end without `return`")
        if hinted is not None and self.result != hinted:
            self.error(tree.returns, f"the hint is {shown_type(hinted)}, but {shown_type(self.result)} is returned")
        named = [(name if name.isascii() and name not in KEYWORDS else f"p{k}", name, ty) for k, (name, ty) in enumerate(parameters)]
        head = ", ".join(f"{rust}: {RUST[ty]}" for rust, _, ty in named)
        lines = [f"/// {line}".rstrip() for line in (ast.get_docstring(tree) or "").splitlines()]
        lines.append(f"fn \x01self\x01({head}) -> {rust_type(self.result)} {{")
        for rust, name, ty in named:
            value = converted(Expression(rust, ty), self.variables[name])
            lines.append(f"    let mut {variable(name)}: {rust_type(value.type)} = {value.text};")
        for name, ty in self.variables.items():
            if name not in dict(parameters):
                lines.append(f"    let mut {variable(name)}: {rust_type(ty)} = {zero(ty)};")
        lines += text
        # All ways end with a `return` before.
        lines.append(f"    {zero(self.result)}")
        lines.append("}")
        return Translated(tree.name, [ty for _, ty in parameters], self.result, "\n".join(lines), self.callees, self.helpers)

    def hint(self, node):
        if node is None:
            return None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                inner = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                inner = None
            name = getattr(inner, "id", None)
        else:
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        if name in ("float", "float64"):
            return FLOAT
        if name in ("int", "int64"):
            return INT
        if name in ("bool", "bool_"):
            return BOOL
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in ("tuple", "Tuple"):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return tuple(self.hint(part) for part in parts)
        self.error(node, "a hint is float, int, bool, or a tuple of them")

    # Statements: their lines, and whether they always return or leave the loop.

    def block(self, statements, depth):
        lines, ends = [], False
        for statement in statements:
            if ends:
                break  # Python never comes here either.
            more, ends = self.statement(statement, depth)
            lines += more
        return lines, ends

    def statement(self, node, depth):
        pad = "    " * depth
        if isinstance(node, ast.Pass):
            return [], False
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return [], False
        if isinstance(node, ast.Return):
            if node.value is None:
                self.error(node, "a kernel returns a value")
            value = self.expression(node.value)
            if self.result is None:
                self.result = value.type
            joined = join(self.result, value.type)
            if joined is None:
                self.error(node, f"{shown_type(value.type)} is returned here, and {shown_type(self.result)} elsewhere")
            self.result = joined
            return [f"{pad}return {converted(value, joined).text};"], True
        if isinstance(node, ast.Assign):
            value = self.expression(node.value)
            lines = []
            if len(node.targets) > 1 or isinstance(node.targets[0], (ast.Tuple, ast.List)):
                name = self.temporary()
                lines.append(f"{pad}let {name} = {value.text};")
                value = Expression(name, value.type)
            for target in node.targets:
                lines += self.assign(target, value, pad)
            return lines, False
        if isinstance(node, ast.AnnAssign):
            ty = self.hint(node.annotation)
            if node.value is None:
                return [], False
            value = self.expression(node.value)
            if join(value.type, ty) != ty:
                self.error(node.value, f"the hint is {shown_type(ty)}, but the value is {shown_type(value.type)}")
            return self.assign(node.target, converted(value, ty), pad), False
        if isinstance(node, ast.AugAssign):
            if not isinstance(node.target, ast.Name):
                self.error(node.target, "only a variable can be assigned to")
            before = self.expression(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            value = self.binary(node, node.op, before, self.expression(node.value), node.value)
            return self.assign(node.target, value, pad), False
        if isinstance(node, ast.If):
            return self.branch(node, depth)
        if isinstance(node, ast.While):
            return self.loop(node, depth)
        if isinstance(node, ast.For):
            return self.counted(node, depth)
        if isinstance(node, (ast.Break, ast.Continue)):
            return [f"{pad}{'break' if isinstance(node, ast.Break) else 'continue'};"], True
        what = type(node).__name__.lower()
        self.error(node, f"`{what}` is not part of what a kernel can do: it has assignments, if, while, for over range and return")

    def assign(self, target, value, pad):
        if isinstance(target, (ast.Tuple, ast.List)):
            if not isinstance(value.type, tuple):
                self.error(target, f"{shown_type(value.type)} is one value, and there are {len(target.elts)} names")
            if len(value.type) != len(target.elts):
                self.error(target, f"there are {len(value.type)} values, and {len(target.elts)} names")
            lines = []
            for k, (part, ty) in enumerate(zip(target.elts, value.type)):
                lines += self.assign(part, Expression(f"{value.text}.{k}", ty), pad)
            return lines
        if not isinstance(target, ast.Name):
            self.error(target, "only a variable can be assigned to")
        name = target.id
        known = self.variables.get(name)
        joined = value.type if known is None else join(known, value.type)
        if joined is None:
            self.error(target, f"`{name}` is {shown_type(known)} elsewhere, and {shown_type(value.type)} here")
        self.variables[name] = joined
        self.assigned.add(name)
        return [f"{pad}{variable(name)} = {converted(value, joined).text};"]

    def branch(self, node, depth):
        pad = "    " * depth
        condition = truth(self.expression(node.test))
        before = set(self.assigned)
        yes, yes_ends = self.block(node.body, depth + 1)
        after_yes, self.assigned = self.assigned, set(before)
        no, no_ends = self.block(node.orelse, depth + 1)
        after_no = self.assigned
        if yes_ends or no_ends:
            self.assigned = after_no if yes_ends else after_yes
            if yes_ends and no_ends:
                self.assigned = before
        else:
            self.assigned = after_yes & after_no
        lines = [f"{pad}if {condition.text} {{", *yes]
        lines += [f"{pad}}} else {{", *no, f"{pad}}}"] if no else [f"{pad}}}"]
        return lines, yes_ends and no_ends

    def without_else(self, node):
        if node.orelse:
            self.error(node.orelse[0], "a loop of a kernel has no `else`")

    def loop(self, node, depth):
        self.without_else(node)
        pad = "    " * depth
        endless = isinstance(node.test, ast.Constant) and node.test.value in (True, 1)
        condition = truth(self.expression(node.test))
        before = set(self.assigned)
        body, _ = self.block(node.body, depth + 1)
        has_break = any(isinstance(n, ast.Break) for n in _own_nodes(node.body))
        self.assigned = before
        lines = [f"{pad}while {condition.text} {{", *body, f"{pad}}}"]
        # What loops for ever comes to its end by `return` alone.
        return lines, endless and not has_break

    def counted(self, node, depth):
        self.without_else(node)
        pad = "    " * depth
        call = node.iter
        is_range = isinstance(call, ast.Call) and not call.keywords and self.lookup(call.func)[1] is range
        if not is_range or not 1 <= len(call.args) <= 3:
            self.error(node.iter, "`for` of a kernel is over range(...)")
        ends = [self.expression(a) for a in call.args]
        for end, a in zip(ends, call.args):
            if end.type == FLOAT or isinstance(end.type, tuple):
                self.error(a, f"range takes ints, and this is {shown_type(end.type)}; write int(...)")
        ends = [converted(end, INT) for end in ends]
        start, stop = (literal(0), ends[0]) if len(ends) == 1 else ends[:2]
        step = ends[2] if len(ends) == 3 else literal(1)
        if step.value == 0:
            self.error(call.args[2], "the step of range is 0")
        first, width, rounds = self.temporary(), self.temporary(), self.temporary()
        self.helpers.add("python_rounds")
        lines = [
            f"{pad}let mut {first}: i64 = {start.text};",
            f"{pad}let {width}: i64 = {step.text};",
            f"{pad}let mut {rounds}: i64 = python_rounds({first}, {stop.text}, {width});",
            f"{pad}while {rounds} > 0 {{",
        ]
        before = set(self.assigned)
        lines += self.assign(node.target, Expression(first, INT), pad + "    ")
        lines += [f"{pad}    {first} = {first} + {width};", f"{pad}    {rounds} = {rounds} - 1;"]
        body, _ = self.block(node.body, depth + 1)
        self.assigned = before
        return [*lines, *body, f"{pad}}}"], False

    def temporary(self):
        self.temporaries += 1
        return f"t{self.temporaries}"

    # Expressions.

    def expression(self, node):
        try:
            return self.typed(node)
        except (OverflowError, TypeError, ValueError) as error:
            self.error(node, str(error))

    def number(self, node):
        """An expression that is one value."""
        one = self.expression(node)
        if isinstance(one.type, tuple):
            self.error(node, "this is a tuple, and one value is needed")
        return one

    def typed(self, node):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, (bool, int, float)):
                return literal(node.value)
            self.error(node, f"{node.value!r} is no number")
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.name(node)
        if isinstance(node, ast.BinOp):
            return self.binary(node, node.op, self.number(node.left), self.number(node.right), node.right)
        if isinstance(node, ast.UnaryOp):
            return self.unary(node)
        if isinstance(node, ast.Compare):
            return self.comparison(node)
        if isinstance(node, ast.BoolOp):
            return self.both_or_either(node)
        if isinstance(node, ast.IfExp):
            condition, yes, no = truth(self.number(node.test)), self.expression(node.body), self.expression(node.orelse)
            ty = join(yes.type, no.type)
            if ty is None:
                self.error(node, f"this is {shown_type(yes.type)} or {shown_type(no.type)}")
            return Expression(f"(if {condition.text} {{ {converted(yes, ty).text} }} else {{ {converted(no, ty).text} }})", ty)
        if isinstance(node, ast.Tuple):
            parts = [self.number(e) for e in node.elts]
            if len(parts) < 2:
                self.error(node, "a tuple of a kernel has at least two values")
            return Expression(f"({', '.join(p.text for p in parts)})", tuple(p.type for p in parts))
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        self.error(node, f"`{type(node).__name__.lower()}` is not part of what a kernel can compute")

    def lookup(self, node):
        """Whether a name has a meaning outside of the function, and what it stands for."""
        if isinstance(node, ast.Name):
            name = node.id
            if name in self.variables:
                return False, None
            if name in self.cells:
                try:
                    return True, self.cells[name].cell_contents
                except ValueError:
                    return False, None
            for scope in (self.function.__globals__, vars(builtins)):
                if name in scope:
                    return True, scope[name]
        if isinstance(node, ast.Attribute):
            found, inner = self.lookup(node.value)
            if found and isinstance(inner, (types.ModuleType, type, types.SimpleNamespace)) and hasattr(inner, node.attr):
                return True, getattr(inner, node.attr)
        return False, None

    def name(self, node):
        if isinstance(node, ast.Name) and node.id in self.variables:
            if node.id not in self.assigned:
                self.error(node, f"`{node.id}` may have no value here")
            return Expression(variable(node.id), self.variables[node.id])
        found, value = self.lookup(node)
        shown = ast.unparse(node)
        if not found:
            is_later = isinstance(node, ast.Name) and node.id in self.function.__code__.co_varnames
            self.error(node, f"`{shown}` has no value here" if is_later else f"nothing is called `{shown}`")
        if isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
            return literal(value)
        self.error(node, f"`{shown}` is {type(value).__name__}, and only numbers can be used from outside of a kernel")

    def helper(self, name, *parts):
        self.helpers.add(name)
        return f"{name}({', '.join(parts)})"

    def binary(self, node, op, a, b, right):
        if isinstance(a.type, tuple) or isinstance(b.type, tuple):
            self.error(node, "a tuple has no arithmetic")
        ty = join(join(a.type, b.type), INT)
        if isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and a.type == b.type == BOOL:
            sign = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}[type(op)]
            return Expression(f"({a.at(UNARY)} {sign} {b.at(UNARY)})", BOOL)
        if isinstance(op, ast.Div):
            ty = FLOAT
        if isinstance(op, ast.Pow):
            return self.power(node, a, b, right)
        x, y = converted(a, ty), converted(b, ty)
        simple = {ast.Add: ("+", SUM), ast.Sub: ("-", SUM), ast.Mult: ("*", PRODUCT), ast.Div: ("/", PRODUCT)}
        if type(op) in simple:
            sign, strength = simple[type(op)]
            return Expression(f"{x.at(strength)} {sign} {y.at(strength + 1)}", ty, strength)
        whole = ty == INT
        if isinstance(op, ast.FloorDiv):
            name = "python_int_floor_divide" if whole else "python_floor_divide"
            return Expression(self.helper(name, x.text, y.text), ty)
        if isinstance(op, ast.Mod):
            return Expression(self.helper("python_int_mod" if whole else "python_mod", x.text, y.text), ty)
        if not whole:
            self.error(node, "bits are those of ints, and this is float")
        if isinstance(op, (ast.LShift, ast.RShift)):
            name = "python_shift_left" if isinstance(op, ast.LShift) else "python_shift_right"
            return Expression(self.helper(name, x.text, y.text), INT)
        bits = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
        if type(op) in bits:
            return Expression(f"({x.at(UNARY)} {bits[type(op)]} {y.at(UNARY)})", INT)
        self.error(node, f"`{type(op).__name__.lower()}` is not part of what a kernel can compute")

    def power(self, node, a, b, right):
        if FLOAT not in (a.type, b.type):
            # In Python the type depends on the sign: 2 ** 3 is an int, 2 ** -3 a float.
            exponent = b.value
            if exponent is None:
                self.error(right, "whether an int to the power of an int is an int depends on its sign; write float(...) around one")
            if exponent >= 0:
                return Expression(self.helper("python_int_power", converted(a, INT).text, converted(b, INT).text), INT)
        return _kernel("pow")(a, b)

    def unary(self, node):
        one = self.number(node.operand)
        if isinstance(node.op, ast.Not):
            return Expression(f"!{truth(one).at(UNARY)}", BOOL, UNARY)
        if one.value is not None and one.type != BOOL and isinstance(node.op, ast.USub):
            return literal(-one.value)
        ty = INT if one.type == BOOL else one.type
        one = converted(one, ty)
        if isinstance(node.op, ast.UAdd):
            return one
        if isinstance(node.op, ast.USub):
            return Expression(f"-{one.at(UNARY)}", ty, UNARY)
        if ty != INT:
            self.error(node, "`~` is for ints")
        return Expression(f"!{one.at(UNARY)}", INT, UNARY)

    def comparison(self, node):
        signs = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
        lets, tests = [], []
        a = self.number(node.left)
        for k, (op, right) in enumerate(zip(node.ops, node.comparators)):
            if type(op) not in signs:
                self.error(node, "a kernel compares by ==, !=, <, <=, > and >=")
            b = self.number(right)
            if k + 1 < len(node.ops) and not b.text.isidentifier() and b.value is None:
                # Evaluated once, though it is compared twice.
                name = self.temporary()
                lets.append(f"let {name} = {b.text}; ")
                b = Expression(name, b.type)
            ty = join(a.type, b.type)
            if ty == BOOL and type(op) not in (ast.Eq, ast.NotEq):
                ty = INT
            tests.append(f"{converted(a, ty).at(SUM)} {signs[type(op)]} {converted(b, ty).at(SUM)}")
            a = b
        if len(tests) == 1:
            return Expression(tests[0], BOOL, COMPARISON)
        test = " && ".join(tests)
        return Expression(f"({{ {''.join(lets)}{test} }})", BOOL) if lets else Expression(test, BOOL, AND)

    def both_or_either(self, node):
        parts = [self.number(v) for v in node.values]
        both = isinstance(node.op, ast.And)
        if all(p.type == BOOL for p in parts):
            strength = AND if both else OR
            return Expression(f" {'&&' if both else '||'} ".join(p.at(strength + 1) for p in parts), BOOL, strength)
        # The value of the operand that decides, as in Python.
        ty = parts[0].type
        for part in parts[1:]:
            ty = join(ty, part.type)
        last = converted(parts[-1], ty)
        for part in reversed(parts[:-1]):
            name = self.temporary()
            test = truth(Expression(name, part.type)).text
            kept = converted(Expression(name, part.type), ty).text
            yes, no = (last.text, kept) if both else (kept, last.text)
            last = Expression(f"({{ let {name} = {part.text}; if {test} {{ {yes} }} else {{ {no} }} }})", ty)
        return last

    def subscript(self, node):
        one = self.expression(node.value)
        index = node.slice
        if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub) and isinstance(index.operand, ast.Constant):
            place = -index.operand.value if isinstance(index.operand.value, int) else None
        else:
            place = index.value if isinstance(index, ast.Constant) and type(index.value) is int else None
        if not isinstance(one.type, tuple) or place is None:
            self.error(node, "only a tuple can be indexed, and only by a whole number that stands there")
        if not -len(one.type) <= place < len(one.type):
            self.error(node, f"the tuple has {len(one.type)} values, and the index is {place}")
        place %= len(one.type)
        return Expression(f"{one.at(ATOM)}.{place}", one.type[place])

    def call(self, node):
        found, function = self.lookup(node.func)
        shown = ast.unparse(node.func)
        if shown == self.tree.name and (not found or function is self.function):
            self.error(node.func, "a kernel cannot call itself: write a loop")
        if not found:
            self.error(node.func, f"no function is called `{shown}`")
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            self.error(node, "arguments are given one by one here")
        kernel = self.registry.get(function) if isinstance(function, np.ufunc) else None
        if kernel is not None:
            return self.kernel_call(node, shown, kernel)
        if function is divmod and len(node.args) == 2 and not node.keywords:
            a, b = (self.number(x) for x in node.args)
            parts = [self.binary(node, op, a, b, node.args[1]) for op in (ast.FloorDiv(), ast.Mod())]
            return Expression(f"({parts[0].text}, {parts[1].text})", tuple(p.type for p in parts))
        if function in (pow, np.power, np.float_power) and len(node.args) == 2 and not node.keywords:
            a, b = (self.number(x) for x in node.args)
            return self.power(node, a, b, node.args[1])
        if function in (math.fmod, np.fmod) and len(node.args) == 2 and not node.keywords:
            a, b = (converted(self.number(x), FLOAT) for x in node.args)
            return Expression(self.helper("python_fmod", a.text, b.text), FLOAT)
        if isinstance(function, types.FunctionType) and function.__module__ == f"{__package__}._functions":
            return self.package_call(node, shown, function)
        if function in OF_NMATH:
            return nmath_call(OF_NMATH[function], self.plain_arguments(node, shown))
        try:
            known = KNOWN.get(function)
        except TypeError:
            known = None
        if known is None:
            is_mine = isinstance(function, types.FunctionType)
            help_text = "; put @gm.kernel above it" if is_mine else ""
            self.error(node.func, f"`{shown}` is nothing that a kernel can call{help_text}")
        counts, make = known
        arguments = self.plain_arguments(node, shown)
        counts = counts if isinstance(counts, range) else range(counts, counts + 1)
        if len(arguments) not in counts:
            wanted = f"{counts.start}" if len(counts) == 1 else f"at least {counts.start}" if counts.stop > 9 else f"{counts.start} or {counts.stop - 1}"
            self.error(node, f"`{shown}` takes {wanted} arguments in a kernel, and there are {len(arguments)}")
        return make(*arguments)

    def plain_arguments(self, node, shown):
        if node.keywords:
            self.error(node.keywords[0], f"arguments of `{shown}` are given by their places in a kernel")
        return [self.number(a) for a in node.args]

    def kernel_call(self, node, shown, kernel):
        arguments = self.plain_arguments(node, shown)
        if len(arguments) != len(kernel.parameters):
            self.error(node, f"`{shown}` takes {len(kernel.parameters)} arguments, and there are {len(arguments)}")
        texts = []
        for argument, ty, a in zip(arguments, kernel.parameters, node.args):
            if ty not in RUST:
                self.error(node, f"`{shown}` takes a {ty}, and a kernel in Python has float, int and bool")
            if join(argument.type, ty) != ty:
                self.error(a, f"this is {argument.type}, and `{shown}` takes {ty} here")
            texts.append(converted(argument, ty).text)
        flat = kernel.result if isinstance(kernel.result, tuple) else (kernel.result,)
        if any(ty not in RUST for ty in flat):
            self.error(node, f"`{shown}` gives a number that is neither float nor int nor bool")
        if kernel not in self.callees:
            self.callees.append(kernel)
        return Expression(f"\x01{self.callees.index(kernel)}\x01({', '.join(texts)})", kernel.result)

    def package_call(self, node, shown, function):
        """R's functions: asked what they call, with symbols for the arguments."""
        given = [_Symbol(self.number(a)) for a in node.args]
        named = {}
        for keyword in node.keywords:
            one = self.number(keyword.value)
            named[keyword.arg] = one.value if one.type == BOOL and one.value is not None else _Symbol(one)
            if isinstance(named[keyword.arg], _Symbol) and keyword.arg in ("lower_tail", "log_p", "log", "expon_scaled"):
                self.error(keyword.value, f"`{keyword.arg}` must be True or False in a kernel")
        result = function(*given, **named)
        if not isinstance(result, _Symbol):
            self.error(node, f"`{shown}` is nothing that a kernel can call")
        return result.expression


def variable(name):
    """A local variable's name in the text: never a keyword, never a kernel's."""
    return f"v_{name}" if name.isascii() else "v_" + "".join(c if c.isascii() else f"u{ord(c):x}" for c in name)


def _own_nodes(statements):
    """All nodes of a loop's body, without those of loops in it."""
    for statement in statements:
        yield statement
        if not isinstance(statement, (ast.While, ast.For)):
            for inner in ("body", "orelse"):
                yield from _own_nodes(getattr(statement, inner, []))
