"""Near-minimax polynomials: interpolation at Chebyshev nodes in 80 digits, coefficients rounded to double.

Prints Rust text for the `polynomial!` macro (highest power first), and the largest relative error of the polynomial
with the rounded coefficients. Needs `pip install mpmath`.
"""
from mpmath import mp, mpf, cos, pi
import mpmath as m

mp.dps = 80


def monomials(f, a, b, degree):
    """Coefficients (lowest first) of the interpolant of f at the Chebyshev nodes of [a, b]."""
    a, b, n = mpf(a), mpf(b), degree + 1
    xs = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    fs = [f(x) for x in xs]
    cheb = [mpf(2) / n * sum(fs[k] * cos(j * pi * (2 * k + 1) / (2 * n)) for k in range(n)) for j in range(n)]
    cheb[0] /= 2
    # sum of Chebyshev polynomials -> powers of v in [-1, 1]
    t0, t1, powers = [mpf(1)], [mpf(0), mpf(1)], [mpf(0)] * n
    for j in range(n):
        t = t0 if j == 0 else t1
        if j >= 2:
            t = [mpf(0)] + [2 * c for c in t1]
            for i, c in enumerate(t0):
                t[i] -= c
            t0, t1 = t1, t
        for i, c in enumerate(t):
            powers[i] += cheb[j] * c
    # v = (x - middle) / half -> powers of x
    middle, half = (a + b) / 2, (b - a) / 2
    result = [mpf(0)]
    for k in reversed(range(n)):
        new = [mpf(0)] * (len(result) + 1)
        for i, c in enumerate(result):
            new[i] += c * (-middle / half)
            new[i + 1] += c / half
        new[0] += powers[k]
        result = new
    return result[:n]


def error(f, coefficients, a, b, points=500):
    worst = mpf(0)
    for k in range(points):
        x = mpf(a) + (mpf(b) - mpf(a)) * (k + mpf(1) / 3) / points
        y = f(x)
        worst = max(worst, abs(m.polyval(list(reversed(coefficients)), x) - y) / abs(y))
    return worst


def polynomial(name, f, a, b, degree, blocks=True):
    exact = monomials(f, a, b, degree)
    rounded = [mpf(float(c)) for c in exact]
    print(f"{name}: degree {degree} on [{m.nstr(mpf(a), 6)}, {m.nstr(mpf(b), 6)}], relative error {m.nstr(error(f, rounded, a, b), 3)}")
    text = [repr(float(c)) for c in reversed(exact)]
    if not blocks:
        print("    [" + ", ".join(text) + "];")
        return
    first = len(text) % 4
    groups = ([text[:first]] if first else []) + [text[i : i + 4] for i in range(first, len(text), 4)]
    print("\n".join("    [" + ", ".join(g) + "]" for g in groups) + ";")


def pair(name, value, parts=2):
    rest, texts = mpf(value), []
    for _ in range(parts):
        texts.append(repr(float(rest)))
        rest -= mpf(float(rest))
    print(f"{name} = {' + '.join(texts)}")


def series(terms):
    """A function given by its power series coefficients terms(k), summed until it no longer changes."""

    def f(x):
        total, power, k = mpf(0), mpf(1), 0
        while True:
            t = terms(k) * power
            total += t
            if k > 8 and abs(t) < mpf(10) ** -75 * abs(total):
                return total
            power *= x
            k += 1

    return f
