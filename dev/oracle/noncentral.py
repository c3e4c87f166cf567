#!/usr/bin/env python3
"""Points of the noncentral chi-squared, beta, F and t distributions: `noncentral.py --seed SEED --to FOLDER [--count N] [FUNCTION...]`.

Two files for each function: `NAME+sweep.tsv`, parameters from 1e-8 to 1e7 with arguments around the mean and in both tails,
and `NAME+corners.tsv`, arguments next to the ends of the support, tiny noncentralities, tiny degrees of freedom, far tails. With
`--circle` instead `pnchisq+circle.tsv`: points whose tails are integrals over a circle, most of them with small noncentralities. With
`--ones` instead `dnbeta+ones.tsv` and `dnf+ones.tsv`: logarithms of densities that are 1 but for 1e-3 to 1e-13.
The truth is oracle.py's, at the exact doubles; points that it cannot certify within `--seconds` are left out and counted.
"""
import argparse
import math
import multiprocessing
import os
import random
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import oracle
from oracle import REG

FUNCTIONS = [kind + name for name in ('nchisq', 'nbeta', 'nf', 'nt') for kind in 'dpq']
rng = random.Random()


def log_uniform(low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def sweep_shape():
    """Degrees of freedom."""
    kind = rng.random()
    if kind < 0.55:
        return log_uniform(0.1, 300)
    if kind < 0.75:
        return float(rng.randint(1, 60))
    return log_uniform(1e-8, 1e7)


def sweep_ncp():
    kind = rng.random()
    if kind < 0.55:
        return log_uniform(0.05, 400)
    if kind < 0.75:
        return float(rng.randint(1, 60))
    return log_uniform(1e-10, 2e6)


def corner_shape():
    return rng.choice([log_uniform(1e-8, 1e-2), log_uniform(0.5, 4), 1.0, 2.0, 0.5, 3.0, log_uniform(1e3, 1e7)])


def corner_ncp():
    return rng.choice([log_uniform(1e-10, 1e-3), log_uniform(1, 100), log_uniform(1e3, 1e6), 1.0])


def about(mean, sd, corner):
    kind = rng.random()
    if corner and kind < 0.6:
        return mean * log_uniform(*rng.choice([(1e-300, 1e-10), (1e-12, 1e-2), (1e-3, 1), (1, 30)]))
    if kind < 0.75:
        return abs(mean + sd * rng.gauss(0, 2.5))
    return mean * log_uniform(1e-3, 10)


def chisq_x(df, ncp, corner):
    return about(df + ncp, math.sqrt(2 * df + 4 * ncp), corner)


def nt_point(kind, corner, log):
    """The noncentral t distribution has two signs, and its noncentrality is the root of the others'."""
    df = rng.choice([log_uniform(0.02, 1), log_uniform(1, 8), log_uniform(1e4, 1e12)]) if corner else \
        rng.choice([log_uniform(0.2, 300), float(rng.randint(1, 60)), log_uniform(1, 1e5)])
    ncp = rng.choice([log_uniform(1e-10, 1e-2), log_uniform(0.1, 10), log_uniform(10, 1e5), (6 * df) ** 0.5]) if corner else \
        rng.choice([log_uniform(0.05, 5), log_uniform(1, 40), float(rng.randint(1, 10))])
    ncp *= rng.choice([-1, 1])
    reach = 6 if corner else 2.5
    x = (ncp + rng.gauss(0, reach)) / max(0.03, 1 + rng.gauss(0, reach / (2 * df) ** 0.5))
    if corner and rng.random() < 0.4:
        x = rng.choice([-1, 1]) * log_uniform(*rng.choice([(1e-300, 1e-8), (1e-3, 1), (1, 100), (1e3, 1e8)]))
    if kind == 'd':
        return [x, df, ncp, log]
    lower = rng.randint(0, 1)
    if kind == 'p':
        return [x, df, ncp, lower, log]
    p = rng.choice([rng.random(), rng.random(), log_uniform(1e-12, 1), log_uniform(1e-100, 1)])
    return [math.log(p) if log else p, df, ncp, lower, log]


def point(name, corner):
    if name[1:] == 'nt':
        return nt_point(name[0], corner, rng.randint(0, 1))
    shape = corner_shape if corner else sweep_shape
    ncp = corner_ncp() if corner else sweep_ncp()
    kind, family = name[0], name[1:]
    log = rng.randint(0, 1)
    if family == 'nchisq':
        df = 0.0 if corner and kind != 'q' and rng.random() < 0.1 else shape()
        parameters = [df, ncp]
        x = chisq_x(df, ncp, corner)
    else:
        df1, df2 = shape(), shape()
        if family == 'nbeta':
            df1, df2 = df1 / 2, df2 / 2
        parameters = [df1, df2, ncp]
        a, b = (df1, df2) if family == 'nbeta' else (df1 / 2, df2 / 2)
        first = chisq_x(2 * a, ncp, corner) / 2
        second = about(b, math.sqrt(b), False)
        if family == 'nf':
            x = (first / a) / (second / b)
        else:
            x = first / (first + second)
            if corner and rng.random() < 0.2:
                x = 1 - log_uniform(1e-16, 1e-3)
            if not 0 < x < 1:
                return point(name, corner)
    if not 0 < x < 1e300:
        return point(name, corner)
    if kind == 'd':
        return [x] + parameters + [log]
    lower = rng.randint(0, 1)
    if kind == 'p':
        return [x] + parameters + [lower, log]
    p = rng.choice([rng.random(), rng.random(), log_uniform(1e-12, 1), log_uniform(1e-12, 1), log_uniform(1e-300, 1)])
    if log:
        p = rng.choice([math.log(p), -log_uniform(1e-15, 1), -log_uniform(1e-3, 100)])
    return [p] + parameters + [lower, log]


def circle_point():
    """A point of `pnchisq` with `(df/2 - 1)^2 + x ncp` above 625: the kernel does not sum it."""
    while True:
        df = rng.choice([log_uniform(52, 110), log_uniform(52, 110), log_uniform(52, 3000), log_uniform(0.5, 60), float(rng.randint(60, 100))])
        ncp = rng.choice([log_uniform(0.01, 0.5), log_uniform(1e-6, 0.3), log_uniform(0.3, 30), log_uniform(10, 1000)])
        mean, sd = df + ncp, math.sqrt(2 * df + 4 * ncp)
        x = rng.choice([mean + sd * rng.gauss(0, 1), mean + sd * rng.gauss(0, 3), mean * log_uniform(0.2, 4)])
        if x > 0 and (df / 2 - 1) ** 2 + x * ncp > 630:
            return [x, df, ncp, rng.randint(0, 1), rng.randint(0, 1)]


def one_point(name):
    """A point of `dnbeta` or `dnf` next to which the logarithm of the density is 0."""
    log_density = {'dnbeta': oracle.ld_nbeta, 'dnf': oracle.ld_nf}[name]
    oracle.ctx.prec = 160
    while True:
        a, b = (rng.choice([log_uniform(0.2, 4), log_uniform(0.5, 120), float(rng.randint(1, 9)), rng.randint(1, 9) / 2]) for _ in range(2))
        ncp = rng.choice([log_uniform(0.01, 5), log_uniform(1, 100), log_uniform(30, 1000)])
        parameters = [a, b, ncp] if name == 'dnbeta' else [2 * a, 2 * b, ncp]
        place = (lambda u: u) if name == 'dnbeta' else (lambda u: u / (1 - u) * b / a)
        f = lambda u: float(log_density(place(u), *parameters).mid())
        grid = [(i + rng.random()) / 24 for i in range(24)]
        signs = [i for i in range(23) if (f(grid[i]) > 0) != (f(grid[i + 1]) > 0)]
        if not signs:
            continue
        at = rng.choice(signs)
        low, high = grid[at], grid[at + 1]
        rises = f(high) > 0
        for _ in range(60):
            middle = (low + high) / 2
            if (f(middle) > 0) == rises:
                high = middle
            else:
                low = middle
        x = place(low * (1 + rng.choice([-1, 1]) * log_uniform(1e-13, 1e-3)))
        if x > 0 and (x < 1 or name == 'dnf'):
            return [x] + parameters + [1]


class TooLong(Exception):
    pass


def alarm(*_):
    raise TooLong


def evaluate(task):
    name, arguments, seconds = task
    signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return arguments, REG[name][1](*arguments)
    except (oracle.Drop, TooLong, ArithmeticError, ValueError):
        return arguments, None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def text(value):
    return str(value) if isinstance(value, int) else repr(value)


def write(name, file, points, options):
    """Evaluates the points and writes those that were certified."""
    tasks = [(name, point, options.seconds) for point in points]
    with multiprocessing.Pool(options.jobs) as pool:
        done = pool.map(evaluate, tasks, chunksize=4)
    with open(os.path.join(options.to, file), 'w') as out:
        out.write('\t'.join(REG[name][0] + ['expected']) + '\n')
        for arguments, value in done:
            if value is not None:
                out.write('\t'.join([text(a) for a in arguments] + [value]) + '\n')
    left_out = sum(value is None for _, value in done)
    print(f'{file}: {len(done) - left_out} points, {left_out} left out', file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, required=True)
    parser.add_argument('--to', required=True)
    parser.add_argument('--count', type=int, default=400)
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--circle', action='store_true')
    parser.add_argument('--ones', action='store_true')
    parser.add_argument('functions', nargs='*')
    options = parser.parse_args()
    os.makedirs(options.to, exist_ok=True)
    if options.circle:
        rng.seed(f'{options.seed} circle')
        write('pnchisq', 'pnchisq+circle.tsv', [circle_point() for _ in range(options.count)], options)
        return
    if options.ones:
        for name in ('dnbeta', 'dnf'):
            rng.seed(f'{options.seed} {name} ones')
            write(name, f'{name}+ones.tsv', [one_point(name) for _ in range(options.count)], options)
        return
    for name in options.functions or FUNCTIONS:
        for corner in (False, True):
            rng.seed(f'{options.seed} {name} {corner}')
            points = [point(name, corner) for _ in range(options.count)]
            write(name, f'{name}+{"corners" if corner else "sweep"}.tsv', points, options)


if __name__ == '__main__':
    main()
