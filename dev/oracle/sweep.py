#!/usr/bin/env python3
"""Fresh points for every measured function: `sweep.py --seed SEED --to FOLDER [--count N] [FUNCTION...]`.

Parameters go from 1e-300 to 1e12. The arguments of densities and distribution functions are placed by quantile (centre,
both tails, far tails on the log scale), next to modes, at integers and half integers, and next to the ends of the
support; our own quantile functions place them (the example `evaluate` of crates/nmath, which must be built), but no value
comes from there: the truth is oracle.py's, at the exact doubles. Points that the oracle cannot certify within its time
are left out and counted.

`cargo xtask accuracy --from FOLDER` measures on the points.
"""
import argparse
import math
import multiprocessing
import os
import random
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import oracle
import elementary      # registers further functions
import gamma_family    # bd0, stirlerr
from oracle import REG

for name, (columns, function, _) in elementary.FILES.items():
    REG.setdefault(name, (columns.split(), lambda *point, function=function: oracle.certify(function, point)))

rng = random.Random()
INF = math.inf


def log_uniform(low, high):
    return min(high, max(low, math.exp(rng.uniform(math.log(low), math.log(high)))))


def sign():
    return rng.choice([-1.0, 1.0])


def positive():
    """A parameter: anything from 1e-300 to 1e12, an ordinary number, an integer or half integer, a neighbour of one."""
    kind = rng.random()
    if kind < 0.2:
        return log_uniform(1e-300, 1e12)
    if kind < 0.4:
        return log_uniform(1e-10, 1e12)
    if kind < 0.7:
        return log_uniform(1e-2, 1e4)
    n = rng.choice([rng.randint(1, 40), rng.randint(1, 400), int(log_uniform(1, 1e9))]) / 2
    if kind < 0.9:
        return n
    return n * (1 + sign() * log_uniform(1e-16, 1e-3))


def location():
    return rng.choice([0.0, sign() * log_uniform(1e-300, 1e12), rng.gauss(0, 10), sign() * log_uniform(1, 1e4)])


def probability_parameter():
    return rng.choice([rng.random(), log_uniform(1e-300, 1), log_uniform(1e-12, 1), 1 - log_uniform(1e-16, 0.5),
                       0.5, rng.randint(1, 99) / 100])


def count(high=1e12):
    return float(math.floor(rng.choice([log_uniform(1, 60), log_uniform(1, 1e4), log_uniform(1, high)])))


def location_scale():
    scale = positive()
    return rng.choice([location(), scale * rng.gauss(0, 1e3), scale * sign() * log_uniform(1, 1e14)]), scale


def two_shapes():
    a = positive()
    b = rng.choice([positive(), positive(), a, a * log_uniform(1e-3, 1e3), a * (1 + sign() * log_uniform(1e-16, 1e-2))])
    return (a, b) if rng.random() < 0.5 else (b, a)


def hyper():
    high = rng.choice([30, 1e3, 1e5, 1e9])
    r, b = float(int(log_uniform(1, high))), float(int(log_uniform(1, high)))
    return r, b, float(int(min(r + b, log_uniform(1, r + b + 1))))


PARAMETERS = {
    'norm': location_scale,
    'lnorm': lambda: (rng.choice([0.0, sign() * log_uniform(1e-300, 700), rng.gauss(0, 5)]),
                      rng.choice([log_uniform(1e-300, 1e3), log_uniform(1e-3, 30)])),
    'unif': lambda: (lambda a, w: (a, a + w))(location(), log_uniform(1e-3, 1e13)),
    'exp': lambda: (positive(),),
    'gamma': lambda: (positive(), rng.choice([1.0, positive(), log_uniform(1e-3, 1e3)])),
    'chisq': lambda: (positive(),),
    'beta': two_shapes,
    't': lambda: (positive(),),
    'f': two_shapes,
    'weibull': lambda: (rng.choice([log_uniform(1e-3, 1e4), positive()]), positive()),
    'logis': location_scale,
    'cauchy': location_scale,
    'binom': lambda: (count(), probability_parameter()),
    'nbinom': lambda: (positive(), probability_parameter()),
    'nbinom_mu': lambda: (positive(), positive()),
    'pois': lambda: (positive(),),
    'geom': lambda: (probability_parameter(),),
    'hyper': hyper,
}


def at_border(*borders):
    """Next to one of them: within a few ulps up to a tenth."""
    border = rng.choice(borders)
    return border * (1 + rng.choice([0, -1, 1]) * log_uniform(2e-16, 0.1))


def shapes_at_borders():
    """a b/(a+b) = 32, a + b = 4096, a = 0.3, 0.01, 1/2, 1."""
    kind = rng.random()
    if kind < 0.4:
        size = at_border(32.0)
        a = size * (1 + log_uniform(1e-3, 1e6))
        return rng.choice([(a, size * a / (a - size)), (size * a / (a - size), a)])
    if kind < 0.6:
        n = at_border(4096.0)
        a = n * rng.choice([rng.random(), log_uniform(1e-6, 0.5)])
        return rng.choice([(a, n - a), (n - a, a)])
    a, b = at_border(0.3, 0.01, 0.5, 1.0), log_uniform(1e-3, 1e5)
    return rng.choice([(a, b), (b, a)])


BORDERS = {
    'gamma': lambda: (at_border(1.0, 1.25, 15.0, 300.0, 100.0), 1.0),
    'chisq': lambda: (at_border(2.0, 2.5, 30.0, 600.0),),
    'pois': lambda: (at_border(1.0, 15.0, 300.0, 10.0),),
    'beta': shapes_at_borders,
    'f': lambda: (lambda s: (2 * s[0], 2 * s[1]))(shapes_at_borders()),
    't': lambda: (at_border(1.0, 2.0, 64.0, 65.0, 8192.0, 0.6, 0.02, 1e10),),
    'binom': lambda: (float(rng.choice([510, 511, 512, 513, rng.randint(64, 130), rng.randint(4090, 4100)])),
                      probability_parameter()),
    'nbinom': lambda: (at_border(0.5, 512.0, 32.0, 1.0), probability_parameter()),
    'nbinom_mu': lambda: (at_border(0.5, 512.0, 32.0, 1.0), log_uniform(1e-3, 1e5)),
    'hyper': lambda: (lambda r, b: (r, b, float(rng.randint(1, int(r + b) - 1))))(
        *rng.choice([(float(rng.randint(1, 510)), float(rng.randint(1, 510))), (400000.0, 3e5 + rng.randint(0, 9)),
                     (float(rng.randint(100, 400)), 512.0 - rng.randint(100, 400))])),
    'lnorm': lambda: (rng.gauss(0, 5), at_border(0.05, 0.5, 1.5, 2.0, 1e-6)),
    'weibull': lambda: (at_border(8.0, 0.1, 1.0, 1e9), log_uniform(1e-3, 1e3)),
}
DISCRETE = {'binom', 'nbinom', 'nbinom_mu', 'pois', 'geom', 'hyper'}


def probability():
    """p, lower, log: the middle, both tails, far tails on the log scale, next to 1."""
    lower = rng.randint(0, 1)
    kind = rng.random()
    if kind < 0.3:
        p = rng.random()
    elif kind < 0.45:
        p = log_uniform(1e-16, 0.1)
    elif kind < 0.55:
        p = log_uniform(1e-307, 1e-16)
    elif kind < 0.65:
        p = 1 - log_uniform(2e-16, 0.1)
    elif kind < 0.72:
        p = 0.5 * (1 + sign() * log_uniform(1e-15, 1e-3))
    elif kind < 0.75:
        p = log_uniform(5e-324, 2e-308)
    elif kind < 0.88:
        return -log_uniform(1, 1e6), lower, 1
    else:
        return -log_uniform(1e-300, 1), lower, 1
    if rng.random() < 0.4 and p > 0:
        return (math.log(p) if p < 0.9 else math.log1p(p - 1)), lower, 1
    return p, lower, 0


def evaluate(lines):
    """Results of our own functions, to place points."""
    binary = os.path.join(HERE, '../../target/release/examples/evaluate')
    text = '\n'.join('\t'.join(map(str, line)) for line in lines) + '\n'
    done = subprocess.run([binary], input=text, capture_output=True, text=True, check=True)
    return [[float(field) for field in line.split('\t')] for line in done.stdout.splitlines()]


def distribution_points(kind, name, n):
    draws = [(PARAMETERS[name](), probability()) for _ in range(n)]
    if kind == 'q':
        return [(p, *parameters, lower, log) for parameters, (p, lower, log) in draws]
    places = evaluate([(f'q{name}', repr(p), *map(repr, parameters), lower, log) for parameters, (p, lower, log) in draws])
    points = []
    for (parameters, (p, _, _)), (x,) in zip(draws, places):
        lower, log = rng.randint(0, 1), rng.randint(0, 1)
        what = rng.random()
        if name in DISCRETE:
            if what < 0.1:
                x += rng.choice([-1, 1, 2, 10])
            elif what < 0.2:
                x = float(rng.choice([0, 1, 2, 3, int(log_uniform(1, 1e6))]))
            if math.isfinite(x):
                x = float(math.floor(min(max(x, 0), 2 ** 52)))
        elif what < 0.06:
            x = float(math.floor(x)) if abs(x) < 1e15 else x
        elif what < 0.12:
            x = math.floor(x) + 0.5 if abs(x) < 1e14 else x
        elif what < 0.18:
            x = x * (1 + sign() * log_uniform(1e-15, 1))
        elif what < 0.22:
            x = math.nextafter(x, rng.choice([-INF, INF]))
        if not math.isfinite(x):
            continue
        points.append((x, *parameters, log) if kind == 'd' else (x, *parameters, lower, log))
    return points


def anything():
    return sign() * log_uniform(1e-300, 1e300)


def near(*spots):
    spot = rng.choice(spots)
    return spot + sign() * log_uniform(1e-16, 0.3) * max(1e-3, abs(spot))


def gamma_argument():
    return rng.choice([log_uniform(1e-300, 1e12), log_uniform(1e-2, 200), -log_uniform(1e-2, 180), rng.uniform(-20, 20),
                       near(1.0, 2.0, 0.5, 15.0, 171.6), near(*map(float, range(-12, 0))), rng.randint(1, 340) / 2])


def polygamma_argument():
    return rng.choice([log_uniform(1e-100, 1e100), log_uniform(1e-2, 200), -log_uniform(1e-2, 1000), rng.uniform(-20, 20),
                       near(1.4616321449683622, 1.0, 2.0, 10.0), near(*map(float, range(-12, 0)))])


def choose_arguments():
    k = float(int(rng.choice([log_uniform(1, 12), log_uniform(1, 300), log_uniform(1, 1e6)])))
    n = rng.choice([float(int(log_uniform(1, 1e3))), float(int(k * log_uniform(1, 1e4))), -float(int(log_uniform(1, 1e6))),
                    k + rng.uniform(-3, 3), sign() * log_uniform(1e-10, 1e9), k - 0.5, rng.uniform(-1, 1) * k])
    return n, k


SPECIAL = {
    'gammafn': lambda: (gamma_argument(),),
    'lgammafn': lambda: (rng.choice([gamma_argument(), log_uniform(1e12, 1e305)]),),
    'lgamma1p': lambda: (rng.choice([rng.uniform(-0.999, 1.5), sign() * log_uniform(1e-300, 0.9), near(1.0, 0.5, -0.5),
                                     log_uniform(1, 1e12)]),),
    'digamma': lambda: (polygamma_argument(),),
    'trigamma': lambda: (polygamma_argument(),),
    'tetragamma': lambda: (polygamma_argument(),),
    'pentagamma': lambda: (polygamma_argument(),),
    'psigamma': lambda: (rng.choice([log_uniform(1e-2, 1e3), log_uniform(1e-20, 1e20), rng.uniform(-30, 30)]),
                         float(rng.choice([rng.randint(0, 6), rng.randint(0, 100)]))),
    'beta': two_shapes,
    'lbeta': lambda: rng.choice([two_shapes(), (log_uniform(1e-300, 1e300), log_uniform(1e-300, 1e300))]),
    'choose': choose_arguments,
    'lchoose': choose_arguments,
    'log1pmx': lambda: (rng.choice([rng.uniform(-0.9999, 2), sign() * log_uniform(1e-160, 0.9), log_uniform(1, 1e300),
                                    -1 + log_uniform(1e-16, 1e-2), near(0.5, -0.5, 1.0)]),),
    'log1pexp': lambda: (rng.choice([anything() if rng.random() < 0.3 else sign() * log_uniform(1e-5, 800)]),),
    'log1mexp': lambda: (rng.choice([log_uniform(1e-300, 800), log_uniform(1e-3, 40), near(0.6931471805599453)]),),
    'logspace_add': lambda: (lambda a: (a, a + rng.choice([rng.gauss(0, 1), rng.gauss(0, 20), sign() * log_uniform(1e-12, 1e3)])))(
        rng.choice([rng.gauss(0, 100), sign() * log_uniform(1e-10, 1e6)])),
    'logspace_sub': lambda: (lambda a: (a, a - rng.choice([log_uniform(1e-12, 1e3), log_uniform(1e-2, 40)])))(
        rng.choice([rng.gauss(0, 100), sign() * log_uniform(1e-10, 1e6), log_uniform(1e-14, 1)])),
    'pow1p': lambda: (lambda x: (x, sign() * min(1e300, log_uniform(1e-3, 700) / max(1e-290, abs(math.log1p(x))))))(
        rng.choice([rng.uniform(-0.999, 3), sign() * log_uniform(1e-280, 0.5), log_uniform(1, 1e20)])),
    'stirlerr': lambda: (rng.choice([log_uniform(1e-300, 1e300), log_uniform(1e-3, 100), rng.randint(1, 60) / 2, near(15.0, 0.5, 1.0)]),),
    'bd0': lambda: (lambda m: (rng.choice([m * (1 + sign() * log_uniform(1e-16, 0.9)), m * log_uniform(1e-6, 1e6), log_uniform(1e-300, 1e300)]), m))(
        log_uniform(1e-300, 1e12)),
    'erf': lambda: (sign() * rng.choice([log_uniform(1e-300, 1), rng.uniform(0, 6.2)]),),
    'erfc': lambda: (rng.choice([sign() * log_uniform(1e-300, 1), rng.uniform(-6.2, 27.3)]),),
    'erfinv': lambda: (sign() * rng.choice([log_uniform(1e-300, 1), rng.random(), 1 - log_uniform(1.2e-16, 0.5)]),),
    'erfcinv': lambda: (rng.choice([log_uniform(5e-324, 1), rng.uniform(0, 2), 2 - log_uniform(2.3e-16, 0.5), near(1.0)]),),
    'fround': lambda: (sign() * log_uniform(1e-10, 1e14), float(rng.randint(-12, 18))),
    'fprec': lambda: (anything(), float(rng.randint(1, 24))),
    'exp': lambda: (rng.choice([rng.uniform(-745.2, 709.8), sign() * log_uniform(1e-20, 700)]),),
    'expm1': lambda: (rng.choice([rng.uniform(-40, 709.8), sign() * log_uniform(1e-300, 700)]),),
    'log': lambda: (rng.choice([log_uniform(5e-324, 1.7e308), 1 + sign() * log_uniform(1e-15, 0.5)]),),
    'log1p': lambda: (rng.choice([log_uniform(1e-300, 1.7e308), -log_uniform(1e-300, 1), rng.uniform(-0.99, 3)]),),
    'log2': lambda: (rng.choice([log_uniform(5e-324, 1.7e308), 1 + sign() * log_uniform(1e-15, 0.5)]),),
    'log10': lambda: (rng.choice([log_uniform(5e-324, 1.7e308), 1 + sign() * log_uniform(1e-15, 0.5)]),),
    'pow': lambda: (lambda x: (x, sign() * log_uniform(1e-3, 745) / max(1e-16, abs(math.log(x)))))(
        rng.choice([log_uniform(1e-300, 1e300), 1 + sign() * log_uniform(1e-15, 0.5), rng.uniform(0.1, 10)])),
    'cbrt': lambda: (anything(),),
    'sin': lambda: (rng.choice([anything(), rng.uniform(-100, 100), near(*[k * math.pi / 2 for k in range(1, 9)])]),),
    'cos': lambda: (rng.choice([anything(), rng.uniform(-100, 100), near(*[k * math.pi / 2 for k in range(1, 9)])]),),
    'tan': lambda: (rng.choice([anything(), rng.uniform(-100, 100), near(*[k * math.pi / 2 for k in range(1, 9)])]),),
    'sinpi': lambda: (rng.choice([sign() * log_uniform(1e-300, 1e16), rng.uniform(-100, 100), near(0.5, 1.0, 1.5, 2.0)]),),
    'cospi': lambda: (rng.choice([sign() * log_uniform(1e-300, 1e16), rng.uniform(-100, 100), near(0.5, 1.0, 1.5, 2.0)]),),
    'tanpi': lambda: (rng.choice([sign() * log_uniform(1e-300, 1e16), rng.uniform(-100, 100), near(0.25, 0.5, 1.0, 1.5, 2.0)]),),
    'asin': lambda: (sign() * rng.choice([log_uniform(1e-300, 1), rng.random(), 1 - log_uniform(1e-16, 0.5)]),),
    'acos': lambda: (sign() * rng.choice([log_uniform(1e-300, 1), rng.random(), 1 - log_uniform(1e-16, 0.5)]),),
    'atan': lambda: (rng.choice([anything(), rng.uniform(-5, 5)]),),
    'atan2': lambda: (lambda y: (y, y * sign() * log_uniform(1e-6, 1e6)))(sign() * log_uniform(1e-290, 1e290)),
    'sinh': lambda: (sign() * rng.choice([log_uniform(1e-300, 710), rng.uniform(0, 20)]),),
    'cosh': lambda: (sign() * rng.choice([log_uniform(1e-300, 710), rng.uniform(0, 20)]),),
    'tanh': lambda: (sign() * rng.choice([log_uniform(1e-300, 30), rng.uniform(0, 20)]),),
}


def points(function, n):
    kind, name = function[0], function[1:]
    if kind in 'dpq' and name in PARAMETERS:
        return distribution_points(kind, name, n)
    return [SPECIAL[function]() for _ in range(n)]


def within_reach(value):
    """Values whose exponent has more than eight digits are 0 or infinite for every purpose."""
    parts = re.fullmatch(r'(-?)[0-9.]+e([+-])\d{8,}', value)
    if not parts:
        return value
    return '0' if parts[2] == '-' else parts[1] + 'inf'


def work(pipe):
    while True:
        function, point = pipe.recv()
        try:
            pipe.send(within_reach(REG[function][1](*point)))
        except oracle.Drop:
            pipe.send('dropped')
        except (ArithmeticError, ValueError, OverflowError):
            pipe.send('dropped')


class Oracle:
    """oracle.py in a process of its own, so that a point that takes too long can be given up."""
    def __init__(self, seconds):
        self.seconds = seconds
        self.start()

    def start(self):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(other,), daemon=True)
        self.process.start()

    def value(self, function, point):
        self.pipe.send((function, point))
        if self.pipe.poll(self.seconds):
            return self.pipe.recv()
        self.process.kill()
        self.start()
        return 'dropped'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--seed', default='1')
    parser.add_argument('--to', required=True)
    parser.add_argument('--count', type=int, default=400)
    parser.add_argument('--seconds', type=float, default=2.0)
    parser.add_argument('--borders', action='store_true', help='parameters next to those where our formulas change')
    parser.add_argument('functions', nargs='*')
    options = parser.parse_args()
    if options.borders:
        PARAMETERS.clear()
        PARAMETERS.update(BORDERS)
        SPECIAL.clear()
    names = [k + d for d in PARAMETERS for k in 'dpq'] + list(SPECIAL)
    os.makedirs(os.path.join(options.to, 'values'), exist_ok=True)
    truth = Oracle(options.seconds)
    for function in options.functions or names:
        rng.seed(f'{options.seed} {function}')
        columns = REG[function][0]
        lines, dropped = ['\t'.join([*columns, 'expected'])], []
        for point in points(function, options.count):
            value = truth.value(function, point)
            if value in ('dropped', 'nan'):
                dropped.append(point)
            else:
                lines.append('\t'.join([*map(repr, point), value]))
        with open(os.path.join(options.to, 'values', function + '.tsv'), 'w') as file:
            file.write('\n'.join(lines) + '\n')
        with open(os.path.join(options.to, function + '.dropped'), 'w') as file:
            file.writelines('\t'.join(map(repr, point)) + '\n' for point in dropped)
        print(f'{function}: {len(lines) - 1} points, {len(dropped)} dropped', flush=True)


if __name__ == '__main__':
    main()
