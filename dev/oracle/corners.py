#!/usr/bin/env python3
"""Points that other samples miss: `corners.py [FUNCTION...]` writes values/FUNCTION+corners.tsv.

Grids of the numbers people type (integers, half integers, 1/2 on the log scale), very unequal parameters, probabilities whose
logarithm is far below that of the smallest double, arguments where a closed form is next to a zero, and decimal ties. At some of
each a function was once wrong. The functions are those of oracle.py; fround and fprec are rounded here, in integers.
"""
import math
import os
import sys
from fractions import Fraction
from itertools import product

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from oracle import REG
from sweep import Oracle

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'values')
BOTH = (0, 1)
FLAGS = list(product(BOTH, BOTH))
ALMOST_ONE = 1 - 2.0 ** -53
HALF = -0.6931471805599453      # the double next to -log 2, above it
SECONDS = 1     # for a point; those that take longer are left out


def psigamma():
    for k, n in product(range(1, 50, 4), (2, 3, 4, 10, 31, 32, 74, 99, 100)):
        yield -k - 0.5, float(n)


def df():
    """Two degrees of freedom: the density is 1 at 0."""
    for x, n in product((1e-310, 1e-200, 1e-20, 1e-8, 1e-3, 0.3, 50.0, 1e10), (0.5, 3.0, 100.0, 9e3, 1e6, 1e12)):
        for log in BOTH:
            yield x, 2.0, n, log


def pf():
    for x, tiny, other, (lower, log) in product((1e-9, 6e-4, 0.3, 700.0), (2e-290, 1e-290, 1e-300), (0.006, 2.5), FLAGS):
        yield x, tiny, other, lower, log
        yield x, other, tiny, lower, log


def qt():
    for df, lower in product((0.5, 1.0, 2.0, 3.0, 13.5, 30.0), BOTH):
        yield HALF, df, lower, 1
    for df, p, lower in product((5e-3, 2e-3, 1e-3, 8.060577137412178e-4, 9.765625e-4), (0.25, 0.3183098861837908, 0.6694977149331268),
                                BOTH):
        yield p, df, lower, 0


def pweibull():
    for shape, t, (lower, log) in product((8.0, 8.7, 10.0, 12.0), (-680.0, -640.0, -601.0, -599.0, -300.0), FLAGS):
        yield 1e6 * math.exp(t / shape), shape, 1e6, lower, log


def qunif():
    for p, (a, b), lower in product((-700.0, -745.0, -762.0, -900.0), ((-1e10, 0.0), (0.0, 1e10), (0.0, 2.0), (-1.0, 1e300)), BOTH):
        yield p, a, b, lower, 1


def dnbinom_mu():
    for size, mu, x, log in product((1e8, 1e10, 1e12), (1e-300, 3.026966413506816e-300, 1e-283, 1e-270), (0.0, 1.0, 2.0, 7.0), BOTH):
        yield x, size, mu, log


def pnbinom_mu():
    for size, mu, x, (lower, log) in product((1e8, 1e12), (1e-300, 3.026966413506816e-300, 1e-283), (0.0, 1.0, 7.0), FLAGS):
        yield x, size, mu, lower, log
    # the probability of success is subnormal
    for size, mu, x, (lower, log) in product((1e-300, 3e-290, 1e-271), (1e12, 3e25), (0.0, 8.0, 1000.0), FLAGS):
        yield x, size, mu, lower, log


def qbinom():
    """Steps of log F of 30 and more."""
    for n, prob, f in product((100.0, 1e4, 1e6, 2147483648.0), (ALMOST_ONE, 1 - 1e-12, 0.999903), (0.999, 0.97, 0.9, 0.6, 0.3)):
        yield f * n * math.log1p(-prob), n, prob, 1, 1


def qhyper():
    for n, f in product((1e4, 1e6, 4294967297.0, 1e10), (0.999999, 0.9999, 0.99)):
        yield -f * n * math.log(4.0), n, n, n, 1, 1


def qnbinom():
    for size, prob, f in product((59.0, 1024.0), (1e-15, 1 / 6), (0.9999, 0.99, 0.9, 0.5)):
        yield f * size * math.log(prob), size, prob, 1, 1


def root(f, low, high):
    """The double below which an increasing function of oracle.py changes its sign."""
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return low
        low, high = (low, middle) if f(middle) > 0 else (middle, high)


def steps(x, n):
    for _ in range(abs(n)):
        x = math.nextafter(x, math.inf if n > 0 else -math.inf)
    return x


def digamma():
    """The doubles next to its negative zeros, and some way off."""
    for n in [*range(1, 14), 20, 31, 39, 40, 41, 42, 57, 100, 333, 1000, 54321]:
        zero = root(lambda x: float(REG['digamma'][1](x)), -n + 1e-9, -n + 1 - 1e-9)
        for k in range(-2, 4):
            yield steps(zero, k),
        for distance in (1e-13, 1e-11, 1e-8, 1e-5, 1e-3, 1e-2, 0.1):
            yield zero + distance,
            yield zero - distance,


def lbeta():
    """Next to the curve on which it is 0, and next to (1, 1)."""
    for a in (0.05, 0.13, 0.2, 0.31, 0.37, 0.4540, 0.5, 0.6, 0.78, 0.9, 0.96, 0.999, 0.9999999, 1.0):
        b = 1.0 if a == 1 else root(lambda b: -float(REG['lbeta'][1](a, b)), 0.5, 1e30 if a < 0.1 else 1e8)
        for distance in (2e-14, 1e-12, 1e-9, 1e-6, 1e-4, 1e-3, 0.02, 0.2):
            for c in (b * (1 + distance), b * (1 - distance)):
                yield a, c
                yield c, a
    for d in (1e-15, 3e-12, 5e-10, 1e-8, 1e-6):
        for e in (d, -d, 2 * d, -2 * d):
            yield 1 + d, 1 + e


def qbeta():
    """A tiny shape and a probability that is nearly that of the other end."""
    yield 0.9688708782196045, 0.00014448109141085297, 0.16514885425567627, 1, 0
    for a, b, k in product((1e-7, 3e-6, 1.4448e-4, 2e-3, 0.02, 0.2), (0.005, 0.02, 0.1651, 0.9, 1.7, 12.0), (0.7, 9.0, 60.0, 600.0)):
        if a * k < 1:
            for p, lower, log in ((1 - a * k, 1, 0), (a * k, 0, 0), (math.log1p(-a * k), 1, 1)):
                yield p, a, b, lower, log
                yield p, b, a, 1 - lower, log


def qcauchy():
    """The location takes away most of what the quantile is without it."""
    for p, scale, share in product((0.003, 0.1, 0.24, 0.31, 0.62, 0.76, 0.97), (0.01, 1.3, 700.0), (1e-15, 1e-12, 1e-8, 1e-4, 0.01, 0.1, 0.4)):
        for lower in BOTH:
            plain = float(REG['qcauchy'][1](p, 0.0, scale, lower, 0))
            yield p, -plain * (1 + share), scale, lower, 0
            yield p, -plain * (1 - share), scale, lower, 0


def neighbours(x):
    return [math.nextafter(x, 0), x, math.nextafter(x, math.inf)]


def nearest(numerator, denominator):
    """The nearest integer to a fraction, half to even."""
    return round(Fraction(numerator, denominator))


def rounded(x, digits):
    return nearest(Fraction(x) * Fraction(10) ** digits, 1) * Fraction(10) ** -digits


def decimal(value):
    """25 significant digits of a fraction."""
    if value == 0:
        return '0'
    exponent = math.floor(math.log10(abs(value.numerator)) - math.log10(value.denominator)) - 24
    return f'{nearest(value * Fraction(10) ** -exponent, 1)}e{exponent}'


def fround():
    for power, n in product((1, 5, 16, 23, 25, 30, 51, 75, 110, 164, 202, 255, 300), (0, 1, 2, 4, 6, 7, 22)):
        for x in neighbours(float(Fraction(2 * n + 1, 2) * Fraction(10) ** power)):
            yield x, float(-power)
    for power, n in product((1, 2, 5, 17, 30, 300, 301, 320), (0, 1, 4, 15598648787665)):
        for x in neighbours(float(Fraction(2 * n + 1, 2) / Fraction(10) ** power)):
            if x > 0:
                yield x, float(power)


def fprec():
    for power, n in product((-307, -300, -20, -1, 0, 22, 25, 29, 63, 112, 166, 300), (1, 2, 3, 7, 23, 54)):
        for x in neighbours(float(Fraction(2 * n + 1, 2) * Fraction(10) ** power)):
            yield x, float(len(str(n)))


def significant(x, digits):
    exponent = math.floor(math.log10(x))
    exponent += 1 if Fraction(x) >= Fraction(10) ** (exponent + 1) else 0
    exponent -= 1 if Fraction(x) < Fraction(10) ** exponent else 0
    return rounded(x, digits - 1 - exponent)


FUNCTIONS = [
    psigamma, df, pf, qt, pweibull, qunif, dnbinom_mu, pnbinom_mu, qbinom, qhyper, qnbinom, fround, fprec, digamma, lbeta, qbeta, qcauchy,
]


def value(name, point, truth):
    if name == 'fround':
        return decimal(rounded(point[0], int(point[1])))
    if name == 'fprec':
        return decimal(significant(point[0], int(point[1])))
    return truth.value(name, point)


def main(names):
    truth = Oracle(SECONDS)
    for points in FUNCTIONS:
        name = points.__name__
        if names and name not in names:
            continue
        columns = {'fround': ['x', 'digits'], 'fprec': ['x', 'digits']}.get(name) or REG[name][0]
        lines, dropped = ['\t'.join([*columns, 'expected'])], 0
        for point in points():
            expected = value(name, point, truth)
            if expected == 'dropped':
                dropped += 1
            else:
                lines.append('\t'.join([*map(repr, point), expected]))
        with open(os.path.join(HERE, f'{name}+corners.tsv'), 'w') as file:
            file.write('\n'.join(lines) + '\n')
        print(f'{name}: {len(lines) - 1} points, {dropped} not certified', flush=True)


if __name__ == '__main__':
    main(sys.argv[1:])
