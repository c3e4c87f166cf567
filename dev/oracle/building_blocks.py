#!/usr/bin/env python3
"""Points for the building blocks that C code calls by name: `building_blocks.py [--seed SEED]` writes values/NAME.tsv for
lgammacor, lfastchoose (and its corners), scaled_psigamma and log_minus_digamma.

The truth is the definition with so many digits that nothing cancels; it is computed with two precisions, which must agree to 28
digits, and not by the way in which the kernels compute it: gamma functions, and sums of powers instead of reflections.
"""
import argparse
import os
import random

import mpmath
from mpmath import mp, mpf

HERE = os.path.dirname(os.path.abspath(__file__))


def lgammacor(x):
    return mpmath.loggamma(x) - ((x - mpf(1) / 2) * mpmath.log(x) - x + mpmath.log(2 * mpmath.pi) / 2)


def lfastchoose(n, k):
    return mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)


def scaled_psigamma(x, deriv):
    order = int(deriv)
    if order == 0:
        return -mpmath.psi(0, x)
    if x > 0:
        return mpmath.zeta(order + 1, x)
    # the terms up to the first positive argument, then the sum from there on
    steps = int(mpmath.ceil(-x))
    return mpmath.fsum((x + k) ** -(order + 1) for k in range(steps)) + mpmath.zeta(order + 1, x + steps)


def log_minus_digamma(x):
    return mpmath.log(x) - mpmath.psi(0, x)


def certified(function, arguments):
    """The value to 25 digits, or None where 28 digits cannot be had."""
    last = None
    # what cancels in the gamma functions of arguments of 1e300 , to 1e-300, is 600 digits long
    for digits in (700, 1000):
        mp.dps = digits
        value = function(*[mpf(a) for a in arguments])
        if last is not None and abs(value - last) > abs(value) * mpf(10) ** -28:
            return None
        last = value
    if last == 0:
        return "0"
    return mpmath.nstr(last, 25, strip_zeros=False, min_fixed=-5, max_fixed=20)


def points(rng):
    def log_uniform(low, high):
        return 10 ** rng.uniform(low, high)

    yield "lgammacor", "x", lgammacor, [(10.0,), (171.0,), (1e8,)] + [(log_uniform(1, 4),) for _ in range(150)] + [
        (log_uniform(4, 300),) for _ in range(147)
    ]

    def pair():
        n = log_uniform(-2, 12)
        return (n, n * rng.random()) if rng.random() < 0.6 else (n, min(n, log_uniform(-8, 3)))

    fast = [(5.0, 2.0), (5.5, 2.25), (-0.5, -0.25), (0.25, -0.75), (3.0, 3.5), (10.0, -0.5)]
    fast += [pair() for _ in range(264)]
    fast += [(rng.uniform(-0.9, 5.0), rng.uniform(-0.95, 0.0)) for _ in range(30)]
    fast = [(n, k) for n, k in fast if n - k > -1 and n > -1 and k > -1 and k != 0 and n != k]
    # next to a result of 0 the error is an absolute one
    corners = [(n, k) for n, k in fast if 0 < min(k, n - k) < 0.02]
    yield "lfastchoose", "n\tk", lfastchoose, [point for point in fast if point not in corners]
    yield "lfastchoose+corners", "n\tk", lfastchoose, corners

    psi = [(log_uniform(-3, 5), float(rng.randint(0, 100))) for _ in range(200)]
    psi += [(-rng.uniform(0.0, 30.0), float(rng.randint(1, 40))) for _ in range(100)]
    yield "scaled_psigamma", "x\tderiv", scaled_psigamma, psi

    yield "log_minus_digamma", "x", log_minus_digamma, [(log_uniform(-300, 300),) for _ in range(80)] + [
        (log_uniform(-3, 3),) for _ in range(220)
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", default="14")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    for name, columns, function, drawn in points(rng):
        rows = []
        for arguments in drawn:
            value = certified(function, arguments)
            if value is not None:
                rows.append("\t".join([*map(repr, arguments), value]))
        with open(os.path.join(HERE, "values", f"{name}.tsv"), "w") as file:
            file.write(f"{columns}\texpected\n" + "\n".join(rows) + "\n")
        print(name, len(rows), "points of", len(drawn))


if __name__ == "__main__":
    main()
