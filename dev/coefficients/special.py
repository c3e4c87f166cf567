"""Coefficients and constants of the error functions and the polygamma functions in crates/nmath/src/special."""
import sys
from fit import *

two_over_sqrt_pi = 2 / m.sqrt(pi)
# erf(x) = x (C0 + C1 u + u^2 P(u)), u = x^2
polynomial("erf_tail", series(lambda k: two_over_sqrt_pi * (-1) ** k / m.factorial(k + 2) / (2 * k + 5)), 0, mpf(1), 13)
pair("2/sqrt(pi)", two_over_sqrt_pi)
pair("sqrt(pi)/2", m.sqrt(pi) / 2)
pair("-2/(3 sqrt(pi))", -two_over_sqrt_pi / 3)


def erfcx(x):
    if x > 200:
        s, t, k = mpf(0), mpf(1), 0
        while abs(t) > mpf(10) ** -70 and k < 60:
            s += t
            k += 1
            t *= -(2 * k - 1) / (2 * x * x)
        return s / (x * m.sqrt(pi))
    return m.exp(x * x) * m.erfc(x)


# exp(x^2) erfc(x) (x + C) as a polynomial in t = (x - C)/(x + C), x >= 1/2
C = mpf(3)


def g(t):
    if 1 - t < mpf(10) ** -40:
        return 1 / m.sqrt(pi)
    x = C * (1 + t) / (1 - t)
    return erfcx(x) * (x + C)


low = (mpf("0.49") - C) / (mpf("0.49") + C)
cs = monomials(g, low, 1, 23)
print("erfcx: degree 23, error", m.nstr(error(g, [mpf(float(c)) for c in cs], low, 1, 300), 3))
for i in range(4):
    pair(f"SCALED_{i}", cs[i])
text = [repr(float(c)) for c in reversed(cs[4:])]
first = len(text) % 4
groups = ([text[:first]] if first else []) + [text[i : i + 4] for i in range(first, len(text), 4)]
print("scaled_tail\n" + "\n".join("    [" + ", ".join(x) + "]" for x in groups) + ";")

# erfinv(p) = p Q(p^2) for |p| <= 0.75; erfcinv(q) = w - c(t), w = sqrt(-log q), t = (w-3)/(w+3), for q <= 0.5
def center(v):
    if v == 0:
        return m.sqrt(pi) / 2
    p = m.sqrt(v)
    return m.erfinv(p) / p


polynomial("erfinv_center", center, mpf(0), mpf("0.5626"), 12)


def inverse_tail(w):
    q = -w * w  # log of erfc
    x = w
    for _ in range(60):
        # Newton on log(erfc(x)) = q
        f = m.log(erfcx(x)) - x * x - q
        d = -2 / m.sqrt(pi) / erfcx(x)
        step = f / d
        x -= step
        if abs(step) < mpf(10) ** -45:
            break
    return x


def tail(t):
    w = 3 * (1 + t) / (1 - t)
    return inverse_tail(w) / w


w_low, w_high = m.sqrt(-m.log(mpf("0.51"))), mpf("27.4")
mp.dps = 50
polynomial("erfcinv_tail", tail, (w_low - 3) / (w_low + 3), (w_high - 3) / (w_high + 3), 14)
mp.dps = 80

# digamma about its positive zero: psi(x0 + d) = d * P(d), |d| <= 1/8
x0 = m.findroot(lambda x: m.digamma(x), mpf("1.4616321449683623"))
pair("DIGAMMA_ZERO", x0, 3)
taylor = [m.polygamma(k, x0) / m.factorial(k) for k in range(1, 41)]
near = lambda d: m.polyval(list(reversed(taylor)), d)
polynomial("digamma_near", near, mpf("-0.1251"), mpf("0.1251"), 13)
pair("digamma'(x0)", taylor[0])
# Bernoulli numbers over (2j)!: Euler-Maclaurin; over 2j: digamma's asymptotic series
print("B_2j/(2j)!  ", [repr(float(m.bernoulli(2 * j) / m.factorial(2 * j))) for j in range(1, 13)])
print("B_2j/(2j)   ", [repr(float(m.bernoulli(2 * j) / (2 * j))) for j in range(1, 13)])
