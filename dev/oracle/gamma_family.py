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


def flags():
    return rng.randint(0, 1), rng.randint(0, 1)


def probability(log):
    """A probability, or the log of one: the middle, both tails, next to 1."""
    kind = rng.random()
    if kind < 0.4:
        p = rng.random()
    elif kind < 0.7:
        p = log_uniform(1e-300, 0.1)
    else:
        p = 1 - log_uniform(1e-16, 0.1)
    if not log:
        return p
    if kind < 0.2:
        return -log_uniform(1e-300, 1e-10)
    if kind < 0.4:
        return -log_uniform(1, 1e6)
    return math.log(p)


def location_scale(standard, count=250):
    """x, location and scale, from ordinary to the ends of the range; `standard` draws (x - location)/scale."""
    for _ in range(count):
        scale = log_uniform(1e-3, 1e3) if rng.random() < 0.7 else log_uniform(1e-290, 1e290)
        location = rng.choice([0.0, rng.gauss(0, 10) * scale, rng.gauss(0, 1e5) * scale])
        yield location + standard() * scale, location, scale


def normal_like(standard, kind):
    for x, location, scale in location_scale(standard):
        lower, log = flags()
        if kind == 'd':
            yield x, location, scale, log
        elif kind == 'p':
            yield x, location, scale, lower, log
        else:
            yield probability(log), location, scale, lower, log


def positive_like(draw, kind, count=250):
    """`draw` gives x and the parameters."""
    for _ in range(count):
        x, *parameters = draw()
        lower, log = flags()
        if kind == 'd':
            yield x, *parameters, log
        elif kind == 'p':
            yield x, *parameters, lower, log
        else:
            yield probability(log), *parameters, lower, log


def gaussian():
    return rng.gauss(0, rng.choice([1, 10]))


def heavy():
    return rng.choice([-1, 1]) * log_uniform(1e-10, 1e20)


def lognormal():
    sd = log_uniform(1e-3, 20)
    mean = rng.gauss(0, 10)
    return math.exp(min(700, max(-700, mean + rng.gauss(0, 5) * sd))), mean, sd


def weibull():
    shape = log_uniform(0.02, 200)
    scale = log_uniform(1e-5, 1e5)
    return scale * math.exp(min(600, max(-600, math.log(log_uniform(1e-8, 700)) / shape))), shape, scale


def exponential():
    scale = log_uniform(1e-5, 1e5) if rng.random() < 0.7 else log_uniform(1e-290, 1e290)
    return scale * log_uniform(1e-10, 1000), scale


def uniform():
    a = rng.gauss(0, 10)
    b = a + log_uniform(1e-8, 1e8)
    t = rng.choice([rng.random(), log_uniform(1e-10, 1), 1 - log_uniform(1e-10, 1)])
    return a + t * (b - a), a, b


def geometric():
    prob = rng.choice([rng.random(), log_uniform(1e-12, 1), 1 - log_uniform(1e-12, 0.5)])
    return float(math.floor(log_uniform(0.3, 50) / max(prob, 1e-12))), prob


def gamma():
    """Shapes about the borders at 1 and 15, small and large ones; x about the borders in x/shape."""
    shape = rng.choice([log_uniform(0.5, 30), near(15, 1e-2), log_uniform(1e-300, 0.5), log_uniform(30, 1e5)])
    ratio = rng.choice([log_uniform(0.1, 10), near(0.302, 1e-2), near(2.357, 1e-2), near(1, 0.3), 1.25 / shape])
    scale = rng.choice([1.0, log_uniform(1e-3, 1e3)])
    x = scale * min(shape * ratio, 1e300) if shape > 0.01 else scale * log_uniform(1e-200, 10)
    return max(x, 1e-300), shape, scale


def chisq():
    x, shape, scale = gamma()
    return x / scale, 2 * shape


def poisson():
    mean = rng.choice([log_uniform(0.01, 100), log_uniform(100, 1e6)])
    x = math.floor(mean * rng.choice([log_uniform(0.1, 10), near(1, 0.1)]) + rng.random() * 3)
    return float(x), mean


SETS = {
    'bd0': bd0,
    'stirlerr': stirlerr,
    'lgammafn+zeros': zeros_of_lgamma,
}
for name, draw in [('norm', gaussian), ('logis', gaussian), ('cauchy', heavy)]:
    for kind in 'dpq':
        SETS[f'{kind}{name}+wide'] = lambda draw=draw, kind=kind: normal_like(draw, kind)
for name, draw in [('lnorm', lognormal), ('weibull', weibull), ('exp', exponential), ('unif', uniform),
                   ('geom', geometric), ('gamma', gamma), ('chisq', chisq), ('pois', poisson)]:
    for kind in 'dpq':
        SETS[f'{kind}{name}+wide'] = lambda draw=draw, kind=kind: positive_like(draw, kind)


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
