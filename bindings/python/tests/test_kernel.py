"""Kernels of one's own: texts and Python functions as ufuncs, with Python's meaning."""

import math
import os
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pytest

import gristmill as gm

GROWTH = "fn growth(t: f64, a: f64, b: f64) -> f64 { a / (1.0 + exp(-b * t)) }"

# What a kernel must not stumble over.
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 7.5, 1e300, -1e300, 5e-324, -5e-324, 2.0**53, math.inf, -math.inf, math.nan]
LIMIT = 4.0
COUNT = 3
DEEP = [1.0]


def numbers(seed, n=300):
    rng = np.random.default_rng(seed)
    some = np.concatenate([rng.normal(size=n) * 10, rng.integers(-20, 20, n).astype(float), np.exp(rng.normal(size=n) * 50)])
    return np.concatenate([SPECIAL, some, -some])


def pairs(seed):
    rng = np.random.default_rng(seed)
    values = numbers(seed)
    x, y = rng.permutation(values)[:1500], rng.permutation(values)[:1500]
    special = np.array([(a, b) for a in SPECIAL for b in SPECIAL])
    return np.concatenate([special[:, 0], x]), np.concatenate([special[:, 1], y])


def whole_pairs(seed):
    rng = np.random.default_rng(seed)
    small = [(a, b) for a in range(-7, 8) for b in range(-7, 8)]
    many = rng.integers(-1000, 1000, (1000, 2)).tolist()
    both = np.array(small + many)
    return both[:, 0], both[:, 1]


def plainly(function, *columns):
    """Python's own results; where it raises, what the documentation promises is left open (None)."""
    results = []
    for row in zip(*(column.tolist() for column in columns)):
        try:
            results.append(function(*row))
        except (ZeroDivisionError, OverflowError, ValueError):
            results.append(None)
    return results


def agrees(function, *columns, ulps=0):
    """The kernel against Python's evaluation of the same function."""
    made = gm.kernel(function)
    assert isinstance(made, np.ufunc)
    given = made(*columns)
    expected = plainly(function, *columns)
    compared = 0
    for i, value in enumerate(expected):
        if value is None or isinstance(value, complex):
            continue
        got = given[i].item()
        arguments = tuple(column[i].item() for column in columns)
        if isinstance(value, float) and math.isnan(value):
            assert math.isnan(got), (arguments, got)
        elif ulps and isinstance(value, float) and math.isfinite(value):
            assert abs(got - value) <= ulps * math.ulp(value), (arguments, got, value)
        else:
            assert got == value and math.copysign(1, got) == math.copysign(1, value), (arguments, got, value)
        compared += 1
    assert compared > len(expected) // 3
    return made


def test_a_text_is_a_ufunc():
    growth = gm.kernel(GROWTH)
    assert isinstance(growth, np.ufunc) and growth.nin == 3 and growth.__name__ == "growth"
    t = np.linspace(-5, 5, 10_000)
    expected = 3.0 / (1.0 + gm.ufuncs.exp(-0.7 * t))
    assert np.array_equal(growth(t, 3.0, 0.7), expected)
    assert np.array_equal(growth(t.reshape(100, 100).T, 3.0, 0.7), expected.reshape(100, 100).T)
    assert growth(t[:, None], np.ones(3), 1.0).shape == (10_000, 3)
    out = np.empty_like(t)
    assert growth(t, 3.0, 0.7, out=out) is out and np.array_equal(out, expected)
    assert growth(t.astype("f4"), np.float32(3), np.float32(1)).dtype == np.float32
    assert growth(1, 2, 3).dtype == np.float64
    assert gm.kernel(GROWTH)(0.0, 3.0, 1.0) == 1.5


def test_threads_do_not_change_the_bits():
    growth, t, before = gm.kernel(GROWTH), np.linspace(-5, 5, 100_000), gm.get_num_threads()
    try:
        gm.set_num_threads(1)
        alone = growth(t, 3.0, 0.7)
        gm.set_num_threads(3)
        assert np.array_equal(growth(t, 3.0, 0.7), alone)
    finally:
        gm.set_num_threads(before)


def test_several_functions_are_a_namespace():
    both = gm.kernel("""
        const TWO: f64 = 2.0;
        fn twice(x: f64) -> f64 { TWO * x }
        fn halves(x: f64, up: bool) -> (f64, i64) { if up { (x / TWO, 1) } else { (-x / TWO, -1) } }
    """)
    assert repr(both) == "Kernels(twice, halves)"
    assert both.twice(1.5) == 3.0
    value, sign = both.halves([3.0, 3.0], [True, False])
    assert value.tolist() == [1.5, -1.5] and sign.tolist() == [1, -1] and sign.dtype == np.int64


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("fn f(x: f64) -> f64 {\n    exq(x)\n}", "did you mean `exp`", 2),
        ("fn f(x: f64) -> f64 {\n    x + 1\n}", "meets", 2),
        ("fn f(x: f64) -> f64 { f(x) }", "calls itself", 1),
        ("fn f(x: f64) -> f64 {", "not closed", 1),
        ("fn f(x: f64) -> f64 { " + "{" * 10_000 + "x" + "}" * 10_000 + " }", "brackets", 1),
    ],
)
def test_what_is_wrong_in_a_text_has_its_place(text, message, line):
    with pytest.raises(SyntaxError, match=message) as error:
        gm.kernel(text)
    assert error.value.lineno == line and error.value.filename == "<kernel>"


@pytest.mark.parametrize("text", ["", "const A: f64 = 1.0;", "fn f() -> f64 { 1.0 }"])
def test_a_text_without_a_kernel_is_an_error(text):
    with pytest.raises(ValueError):
        gm.kernel(text)


def test_what_is_no_kernel_is_an_error():
    for bad in (1, None, [GROWTH], len, lambda x: x):
        with pytest.raises(TypeError):
            gm.kernel(bad)


# Python functions: each is compared with Python itself.


def arithmetic(x, y):
    z = x * y - 3 * x + y / 7
    z += x
    z -= 0.5 * y
    return -z + +x


def test_arithmetic():
    agrees(arithmetic, *pairs(1))


def floor_divide(x, y):
    return x // y


def modulo(x, y):
    return x % y


def test_floor_division_and_modulo_of_floats():
    agrees(floor_divide, *pairs(2))
    agrees(modulo, *pairs(3))


def whole_floor_divide(a: int, b: int) -> int:
    return a // b


def whole_modulo(a: int, b: int) -> int:
    return a % b


def true_division(a: int, b: int) -> float:
    return a / b


def test_division_of_ints():
    for function in (whole_floor_divide, whole_modulo, true_division):
        agrees(function, *whole_pairs(4))
    assert gm.kernel(whole_floor_divide)(5, 0) == 0 and gm.kernel(whole_modulo)(5, 0) == 0


def both_at_once(a: int, b: int):
    q, r = divmod(a, b)
    return q, r


def test_tuples():
    made = gm.kernel(both_at_once)
    a, b = whole_pairs(5)
    a, b = a[b != 0], b[b != 0]
    q, r = made(a, b)
    assert np.array_equal(q, a // b) and np.array_equal(r, a % b)


def powers(x, y):
    return x**2 + x**y - 2.0**y + (x**-1 if x != 0 else 0)


def whole_powers(a: int, b: int) -> int:
    return a**3 - b**2 + 2**5 + a**0


def half_power(a: int) -> float:
    return (a * a + 1) ** 0.5 + 2**-1


def test_powers():
    x, y = pairs(6)
    keep = (np.abs(x) < 50) & (np.abs(y) < 20) & (x > 1e-10)
    # Several roundings: each power of ours and of the C library is within an ulp, of terms as large as the largest.
    made = gm.kernel(powers)
    expected = [powers(a, b) for a, b in zip(x[keep].tolist(), y[keep].tolist())]
    scale = [abs(a**b) + 2.0**b + a * a + 1 / a for a, b in zip(x[keep].tolist(), y[keep].tolist())]
    assert np.all(np.abs(made(x[keep], y[keep]) - expected) <= 4e-16 * np.array(scale))
    agrees(whole_powers, *whole_pairs(7))
    agrees(half_power, np.arange(-100, 100), ulps=2)


def chained(x, y):
    a = 0 < x <= y
    b = x < y - 1 < 3 * x + 2 != 5
    return a and not b or x == y


def test_chained_comparisons_and_truth():
    made = agrees(chained, *pairs(8))
    assert made(1.0, 2.0).dtype == bool


def deciding(x, y):
    return (x and y) + (x or 2) * (not y) + (x > 0 and 3)


def test_and_and_or_give_the_operand_that_decides():
    agrees(deciding, *pairs(9))


def choose(x, y):
    z = x if x > y else y if y > 0 else -1
    if z > 10:
        z = 10
    elif z > 5:
        z = z - 1
    else:
        z = z * 2
    return z


def test_conditions():
    agrees(choose, *pairs(10))


def loops(x, n: int):
    s = 0
    for i in range(n):
        if i == 7:
            continue
        s += x * i
        if s > 1000:
            break
    for i in range(10, n, -3):
        s -= i
    k = 0
    while k * k < n:
        k += 1
    return s + k


def test_loops():
    x = numbers(11, 60)
    agrees(loops, x, np.resize(np.arange(-5, 40), x.shape))


def nested(n: int) -> int:
    total = 0
    for i in range(n):
        for j in range(i, n, 2):
            if (i + j) % 3 == 0:
                continue
            if j > 12:
                break
            total += i * j
    return total


def test_nested_loops():
    agrees(nested, np.arange(-3, 30))


def collatz(n: int) -> int:
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def test_while_over_ints():
    agrees(collatz, np.arange(1, 500))


def forever(n: int) -> int:
    while True:
        n -= 1
        if n < 0:
            return n


def test_a_loop_that_only_return_leaves():
    agrees(forever, np.arange(-3, 30))


def swapped(x, y):
    a, b = x, y
    a, b = b, a + b
    pair = (a, b * 2)
    c = d = pair[0] - pair[-1]
    return c + d


def test_assignments():
    agrees(swapped, *pairs(12))


def bits(a: int, b: int) -> int:
    return (a & b) | (a ^ 12) + (~b) + (a << 3) + (b >> 1) + (a > b) + (True & (a < 3))


def test_bits():
    agrees(bits, *whole_pairs(13))


def built_in(x, y):
    return min(x, y, 3) + max(x, -y) + abs(x) + float(int(y) if abs(y) < 1e15 else 0)


def rounded(x) -> int:
    return round(x) + math.floor(x) - math.ceil(x) + math.trunc(x) + int(x > 0)


def test_builtins():
    agrees(built_in, *pairs(14))
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 3.49, -3.51, 1e15 + 0.5, -7.0])
    agrees(rounded, x)


def of_math(x):
    if not math.isfinite(x) or abs(x) > 300:
        return math.copysign(math.inf, x) if math.isinf(x) else 0.0
    return math.sqrt(abs(x)) + math.exp(x / 10) + math.log1p(abs(x)) + math.sin(x) * math.pi + math.erf(x) + math.fabs(x)


def test_functions_of_math():
    x = numbers(15)
    made, expected = gm.kernel(of_math), plainly(of_math, x)
    np.testing.assert_allclose(made(x), expected, rtol=1e-14)


def fmods(x, y):
    return math.fmod(x, y)


def test_fmod_is_exact():
    agrees(fmods, *pairs(16))


def of_numpy(x, y):
    return np.where(x > y, np.maximum(x, 0.0), np.minimum(y, 1.0)) + np.floor(y) + np.sign(x) + np.abs(y) + np.isnan(x)


def test_functions_of_numpy():
    x, y = pairs(17)
    with np.errstate(all="ignore"):
        expected = of_numpy(x, y)
    assert np.array_equal(gm.kernel(of_numpy)(x, y), expected, equal_nan=True)


@gm.kernel
def tail(x, rate):
    return gm.pgamma(x, 2.0, rate=rate, lower_tail=False) + gm.dnorm(x, sd=2.0) + gm.ufuncs.lgammafn(x)


def test_functions_of_this_package():
    x = np.linspace(0.1, 20, 500)
    expected = gm.pgamma(x, 2.0, rate=1.5, lower_tail=False) + gm.dnorm(x, sd=2.0) + gm.lgamma(x)
    assert np.array_equal(tail(x, 1.5), expected)


@gm.kernel
def inner(x, n: int):
    return x * n + LIMIT


written = gm.kernel("fn shifted(x: f64) -> f64 { x + SHIFT }\nconst SHIFT: f64 = 0.25;\nfn inner(x: f64) -> f64 { x }")


def test_kernels_call_kernels_and_use_constants_of_the_module():
    @gm.kernel
    def outer(x):
        return inner(x, COUNT) - inner(2, 1) + written.shifted(x)

    assert outer(2.0) == (2.0 * 3 + 4) - (2 * 1 + 4) + 2.25
    text = gm.kernel_text(outer)
    assert "fn outer(x: f64) -> f64" in text and "fn shifted" in text
    assert "__kernel" not in text and "double outer(" in gm.kernel_text(outer, "opencl")


def test_constants_of_an_enclosing_function():
    factor = 3

    @gm.kernel
    def scaled(x):
        return factor * x

    assert scaled(2.0) == 6.0


def test_names_of_any_kind():
    @gm.kernel
    def match(fn, größe, let: int, type: bool):
        """Rust's words are fine in Python."""
        loop = fn + größe
        return loop * let if type else -loop

    assert match(1.0, 2.0, 3, True) == 9.0 and match(1.0, 2.0, 3, False) == -3.0

    @gm.kernel
    def exp(x):
        return math.exp(x) + 1

    assert exp(0.0) == 2.0


def refused():
    """Functions that cannot be translated, each with the line (from its `def`) and a part of the message."""

    def no_return(x):
        x = 1

    def may_end(x):
        if x > 0:
            return x

    def text(x):
        return x + "a"

    def listed(x):
        return [x][0]

    def over_list(x):
        for i in (1, 2):
            x += i
        return x

    def unknown(x):
        return nothing(x)

    def printing(x):
        print(x)
        return x

    def own(x):
        return plainly(x)

    def unbound(x):
        if x > 0:
            y = 1
        return y

    def after_loop(x):
        for i in range(3):
            z = i
        return x + z

    def float_range(x):
        for i in range(x):
            pass
        return x

    def defaults(x, y=1.0):
        return x + y

    def star(*x):
        return x

    def power(a: int, b: int):
        return a**b

    def wrong_hint(x: str):
        return x

    def wrong_result(x) -> int:
        return x

    def attribute(x):
        return x.real

    def comprehension(x):
        return sum(x for i in range(3))

    def trying(x):
        try:
            return x
        finally:
            pass

    def compared(x):
        return x in (1, 2)

    def shapes(x):
        return (x, x) if x > 0 else x

    def large(x):
        return x + 2**3 + 99999999999999999999

    def flagged(x):
        return gm.pnorm(x, lower_tail=x > 0)

    def recursive(x):
        return x if x < 1 else x * recursive(x - 1)

    def deep(x):
        return DEEP

    def too_few(x):
        return math.atan2(x)

    return [
        (no_return, 0, "without `return`"),
        (may_end, 0, "without `return`"),
        (text, 1, "no number"),
        (listed, 1, "not part"),
        (over_list, 1, "over range"),
        (unknown, 1, "no function is called `nothing`"),
        (printing, 1, "not part|nothing that a kernel"),
        (own, 1, "@gm.kernel above it"),
        (unbound, 3, "may have no value"),
        (after_loop, 3, "may have no value"),
        (float_range, 1, "range takes ints"),
        (defaults, 0, "no default values"),
        (star, 0, "plain parameters"),
        (power, 1, "depends on its sign"),
        (wrong_hint, 0, "a hint is"),
        (wrong_result, 0, "the hint is int"),
        (attribute, 1, "nothing is called"),
        (comprehension, 1, "not part|nothing that a kernel"),
        (trying, 1, "not part"),
        (compared, 1, "compares by"),
        (shapes, 1, "tuple"),
        (large, 1, "64 bits"),
        (flagged, 1, "True or False"),
        (too_few, 1, "takes 2 arguments"),
        (recursive, 1, "cannot call itself"),
        (deep, 1, "only numbers"),
    ]


@pytest.mark.parametrize(("function", "line", "message"), refused(), ids=lambda v: getattr(v, "__name__", None))
def test_what_cannot_be_translated_is_an_error_with_its_line(function, line, message):
    with pytest.raises(SyntaxError, match=message) as error:
        gm.kernel(function)
    assert error.value.filename == __file__
    assert error.value.lineno == function.__code__.co_firstlineno + line


def test_a_function_without_source_is_an_error():
    scope = {}
    exec("def f(x):\n    return x", scope)
    with pytest.raises(TypeError, match="source"):
        gm.kernel(scope["f"])


def test_random_expressions_have_pythons_values(tmp_path):
    """Expressions that nobody wrote, over floats and ints, against Python's own evaluation."""
    rng = np.random.default_rng(20)

    def expression(depth):
        if depth == 0:
            return str(rng.choice(["x", "y", "n", "m", "2", "0.5", "-3", "7"]))
        a, b = expression(depth - 1), expression(depth - 1)
        kind = rng.integers(0, 9)
        if kind < 5:
            return f"({a} {rng.choice(['+', '-', '*', '//', '%'])} {b})"
        if kind == 5:
            return f"({a} if {b} {rng.choice(['<', '>=', '==', '!='])} {expression(depth - 1)} else {b})"
        if kind == 6:
            return f"(-{a})"
        if kind == 7:
            return f"({a} {rng.choice(['and', 'or'])} {b})"
        return f"{rng.choice(['min', 'max'])}({a}, {b})"

    lines = [f"def f{k}(x, y, n: int, m: int):\n    return {expression(3)}\n" for k in range(60)]
    (tmp_path / "generated_kernels.py").write_text("\n".join(lines))
    sys.path.insert(0, str(tmp_path))
    try:
        import generated_kernels
    finally:
        sys.path.pop(0)
    x, y = rng.choice(SPECIAL[:10], 200) * rng.choice([1.0, 0.3, 11.0], 200), rng.normal(size=200) * 5
    n, m = rng.integers(-9, 10, 200), rng.integers(-9, 10, 200)
    compared = 0
    for k in range(60):
        function = getattr(generated_kernels, f"f{k}")
        given, expected = gm.kernel(function)(x, y, n, m), plainly(function, x, y, n, m)
        for got, value, *arguments in zip(given.tolist(), expected, x, y, n, m):
            if value is None:
                continue
            same = got == value or (math.isnan(got) and math.isnan(value))
            assert same, (lines[k], arguments, got, value)
            compared += 1
    assert compared > 5000


ENDLESS = "fn endless(x: f64) -> f64 { let mut y = x; while y == y { y = y + 0.0; } y }"


def test_fuel_ends_a_kernel_that_does_not_end():
    endless = gm.kernel(ENDLESS)
    gm.set_kernel_fuel(1_000_000)
    try:
        for x in (1.0, np.ones(3), np.ones(10_000)):
            with pytest.raises(RuntimeError, match="`endless` was stopped"):
                endless(x)
    finally:
        gm.set_kernel_fuel(None)
    assert np.isnan(endless(np.nan))


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_kernel_that_does_not_end():
    code = (
        "import gristmill as gm, numpy as np, sys\n"
        f"endless = gm.kernel('''{ENDLESS}''')\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    endless(np.ones(10))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', gm.kernel('fn f(x: f64) -> f64 { x }')(2.0), endless(np.nan))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out == "interrupted 2.0 nan\n", (out, err)


def test_other_threads_of_python_go_on():
    endless, ticks, stop = gm.kernel(ENDLESS.replace("endless", "slow")), [], threading.Event()

    def tick():
        while not stop.wait(0.005):
            ticks.append(time.monotonic())

    ticking = threading.Thread(target=tick)
    gm.set_kernel_fuel(4_000_000)
    ticking.start()
    try:
        start = time.monotonic()
        with pytest.raises(RuntimeError):
            endless(np.ones(2))
        end = time.monotonic()
    finally:
        gm.set_kernel_fuel(None)
        stop.set()
        ticking.join()
    assert end - start < 0.1 or sum(start < t < end for t in ticks) > 3


def test_kernels_is_a_plain_namespace():
    assert issubclass(gm.Kernels, types.SimpleNamespace)
