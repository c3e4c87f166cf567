#!/usr/bin/env python3
"""Further points of the normal and gamma families: `gamma_family.py [FILE...]` writes values/FILE.tsv.

The functions are those of oracle.py, and two that it does not have (bd0, stirlerr). The points are drawn with a fixed
seed, so that a second run gives the same files. They lie where the formulas change over, next to zeros, and at the ends
of the range.
"""
import math
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle
from oracle import A, REG, sp

sp('bd0', 'x m', lambda x, m: A(x) * (A(x) / A(m)).log() + A(m) - A(x))
sp('stirlerr', 'x', lambda x: (A(x) + 1).lgamma() - (A(x) + 0.5) * A(x).log() + A(x) - (2 * A.pi()).log() / 2)

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'values')
rng = random.Random(20261115)


def log_uniform(low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def near(x, spread=1e-3):
    return x * (1 + rng.uniform(-1, 1) * log_uniform(1e-16, spread))


def bd0():
    for _ in range(400):
        m = log_uniform(1e-10, 1e12)
        kind = rng.random()
        if kind < 0.4:
            x = near(m, 0.5)
        elif kind < 0.8:
            x = m * log_uniform(1e-3, 1e3)
        else:
            x = log_uniform(1e-300, 1e300)
        yield x, m


def stirlerr():
    for _ in range(250):
        yield log_uniform(0.9, 1e4),
    for _ in range(100):
        yield log_uniform(1e-300, 1.0),
    for _ in range(50):
        yield log_uniform(1e4, 1e300),


def zeros_of_lgamma():
    """Next to 1, 2 and the zeros on the negative axis, at distances down to a few ulps."""
    def zero(low, high):
        f = lambda x: oracle.REG['lgammafn'][1](x)
        a, b = low, high
        fa = float(f(a))
        for _ in range(200):
            c = 0.5 * (a + b)
            if c in (a, b):
                break
            fc = float(f(c))
            if (fc > 0) == (fa > 0):
                a, fa = c, fc
            else:
                b = c
        return a
    spots = [1.0, 2.0, zero(-2.5, -2.4), zero(-2.8, -2.7)]
    for n in range(3, 12):
        d = 1 / math.factorial(n)
        spots += [zero(-n - 1.8 * d, -n - 0.4 * d), zero(-n + 0.4 * d, -n + min(0.45, 1.8 * d))]
    for spot in spots:
        for _ in range(12):
            yield near(spot, 0.05 if abs(spot) < 3.5 else 1e-4),


SETS = {
    'bd0': bd0,
    'stirlerr': stirlerr,
    'lgammafn+zeros': zeros_of_lgamma,
}


def main(names):
    for name in names or SETS:
        columns, function = REG[name.split('+')[0]]
        rng.seed(name)
        lines = ['\t'.join([*columns, 'expected'])]
        for point in SETS[name]():
            try:
                value = function(*point)
            except oracle.Drop:
                continue
            if value != 'dropped':
                lines.append('\t'.join([*map(repr, point), value]))
        with open(os.path.join(HERE, name + '.tsv'), 'w') as file:
            file.write('\n'.join(lines) + '\n')
        print(name, len(lines) - 1)


if __name__ == '__main__':
    main(sys.argv[1:])
