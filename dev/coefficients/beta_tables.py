#!/usr/bin/env python3
"""Writes crates/nmath/src/special/beta_tables.rs: constants of the beta family, from their definitions.

Needs mpmath. Usage: dev/coefficients/beta_tables.py > crates/nmath/src/special/beta_tables.rs
"""
from fractions import Fraction as F

from mpmath import cos, erfc, exp, factorial, log, loggamma, matrix, mp, mpf, pi, qr_solve, sqrt, zeta

mp.dps = 60
out = []


def table(name, doc, values):
    out.append(f"/// {doc}\n#[kernel]\n#[rustfmt::skip]\npub(crate) const {name}: [f64; {len(values)}] = [\n    "
               + ",\n    ".join(", ".join(repr(float(v)) for v in values[i:i + 4]) for i in range(0, len(values), 4))
               + ",\n];\n")


def fit(f, a, b, degree, keep=None):
    """Monomial coefficients in t in [-1, 1] of the Chebyshev interpolant of f on [a, b], or of its first `keep` terms."""
    n = degree + 1
    xs = [cos(pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    ys = [f((a + b) / 2 + (b - a) / 2 * x) for x in xs]
    cs = [sum(ys[k] * cos(pi * j * (2 * k + 1) / (2 * n)) for k in range(n)) * 2 / n for j in range(n)]
    cs[0] /= 2
    t0, t1, mono = [mpf(1)], [mpf(0), mpf(1)], [mpf(0)] * n
    for j in range(keep or n):
        if j >= 2:
            t2 = [mpf(0)] + [2 * t for t in t1]
            for i, t in enumerate(t0):
                t2[i] -= t
            t0, t1 = t1, t2
        for i, t in enumerate(t0 if j == 0 else t1):
            mono[i] += cs[j] * t
    return mono[:keep or n]


def low(v):
    return v - mpf(float(v))


# log k!
lf = [loggamma(mpf(k + 1)) for k in range(512)]
table("LOG_FACTORIAL_HIGH", "`log k!`, leading part, k = 0..511.", lf)
table("LOG_FACTORIAL_LOW", "`log k!`, the rest.", [low(v) for v in lf])

# k!
fs = [factorial(k) for k in range(41)]
table("FACTORIAL_HIGH", "`k!`, leading part, k = 0..40.", fs)
table("FACTORIAL_LOW", "`k!`, the rest.", [low(v) for v in fs])


# normal quantile for start values
def mills(z):
    return sqrt(pi / 2) * exp(z * z / 2) * erfc(z / sqrt(mpf(2)))


def upper_quantile(r):
    """z with log Q(z) = -r^2/2."""
    z = mpf(r) if r > 3 else mpf(1)
    for _ in range(80):
        m = mills(z)
        dz = (log(m) - z * z / 2 - log(2 * pi) / 2 + r * r / 2) * m
        z += dz
        if abs(dz) < mpf(10) ** -25:
            break
    return z


def rational(f, a, b, top, bottom):
    """Coefficients of p/q, q(0) = 1, close to f on [a, b]: linear least squares, weighted by the last q."""
    n = 160
    us = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    fs = [f(u) for u in us]
    weights = [mpf(1)] * n
    for _ in range(12):
        rows = matrix(n, top + 1 + bottom)
        right = matrix(n, 1)
        for i, (u, v, w) in enumerate(zip(us, fs, weights)):
            for j in range(top + 1):
                rows[i, j] = w * u ** j
            for j in range(1, bottom + 1):
                rows[i, top + j] = -w * v * u ** j
            right[i] = w * v
        c = qr_solve(rows, right)[0]
        weights = [1 / abs(1 + sum(c[top + j] * u ** j for j in range(1, bottom + 1))) for u in us]
    return [c[j] for j in range(top + 1)], [mpf(1)] + [c[top + j] for j in range(1, bottom + 1)]


def polynomial(name, doc, coefs):
    out.append(f"polynomial! {{\n    /// {doc}\n    #[rustfmt::skip]\n    pub(crate) fn {name} = ["
               + ", ".join(repr(float(c)) for c in coefs) + "];\n}\n")


def blocks(name, doc, coefs):
    """Highest power first, in blocks of four."""
    first = len(coefs) % 4 or 4
    rows = [coefs[:first]] + [coefs[i:i + 4] for i in range(first, len(coefs), 4)]
    out.append(f"polynomial! {{\n    /// {doc}\n    #[rustfmt::skip]\n    pub(crate) fn {name} =\n        "
               + "\n        ".join("[" + ", ".join(repr(float(c)) for c in row) + "]" for row in rows) + ";\n}\n")


# log G(2 + t)
def fourth(t):
    return sum((-1) ** k * (zeta(k) - 1) / k * t ** (k - 4) for k in range(4, 180))


blocks("fourth_terms",
       "The terms of `log G(2+t)` from the fourth on, divided by `t^4`, for `|t| <= 1/2`: they leave 2^-61 in the logarithm.",
       [c * 2 ** i for i, c in enumerate(fit(lambda u: fourth(u / 2), mpf(-1), mpf(1), 29, 17))][::-1])


# the height of the t distribution
def height(t):
    z = mpf(7) / 8 * (1 + t) / (1 - t)
    return loggamma(z + mpf(1) / 2) - loggamma(z + 1) + log((1120 * z * z + 792 * z + 163) / (512 + 1120 * z)) / 2


blocks("height_correction",
       "`g` of `student_tail::square_at_zero` in `t = (n - 7/4)/(n + 7/4)`, for all `n > 0`: absolute error 2^-61; it is below 0.003.",
       fit(height, mpf(-1), mpf(1), 63, 28)[::-1])

start = sqrt(2 * log(mpf(2)))
p, q = rational(lambda u: 8 * (1 + u) / (1 - u) - upper_quantile(8 * (1 + u) / (1 - u)), (start - 8) / (start + 8),
                mpf(52) / 68, 6, 5)
polynomial("normal_start_top", "`r - z`, `r = sqrt(-2 log Q(z))` in [1.17, 60], in `u = (r-8)/(r+8)`: the numerator. Error 2e-8.",
           p[::-1])
polynomial("normal_start_bottom", "`r - z`, the denominator.", q[::-1])


# uniform expansion of the incomplete beta ratio: g_k as polynomials in q, exact
def padd(a, b):
    return [(a[i] if i < len(a) else 0) + (b[i] if i < len(b) else 0) for i in range(max(len(a), len(b)))]


def pmul(a, b):
    r = [F(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            r[i + j] += x * y
    return r


def pscale(a, c):
    return [x * c for x in a]


ORDER = 21
pq, q = [F(1, 4), F(0), F(-1, 4)], [F(0), F(1)]
big, v, g = [[F(1)], pscale(q, F(2, 3))], [[F(1)], pscale(q, F(1, 3))], [[F(1)], pscale(q, F(-1, 3))]
for k in range(2, ORDER + 1):
    w = pscale(padd(pmul(q, v[k - 1]), pscale(pmul(pq, big[k - 2]), -1)), 1 / (1 + F(k, 2)))
    c = [F(0)]
    for i in range(1, k):
        c = padd(c, pmul(v[i], v[k - i]))
    vk = pscale(padd(w, pscale(c, -1)), F(1, 2))
    h = vk
    for i in range(1, k):
        h = padd(h, pmul(v[i], g[k - i]))
    big.append(w)
    v.append(vk)
    g.append(pscale(h, -1))
for k in range(2, ORDER + 1):
    coefs = [float(x) for x in g[k][k % 2::2]][::-1]
    odd = " / q" if k % 2 else ""
    out.append(f"polynomial! {{\n    /// `g_{k}{odd}` as a polynomial in `q^2`.\n    #[rustfmt::skip]\n    pub(crate) fn uniform_g{k} = ["
               + ", ".join(repr(c) for c in coefs) + "];\n}\n")

print("//! Constants of the beta family. Written by dev/coefficients/beta_tables.py from their definitions (60 digits, and exact\n"
      "//! rational arithmetic for the uniform expansion).\n"
      "#![allow(clippy::excessive_precision)]\n\nuse gristmill_kernel::kernel;\n\n" + "\n".join(out), end="")
