#!/usr/bin/env python3
"""Compares results on bad and extreme input with R's: `conventions.py [FUNCTION...]` prints the differences.

R is libRmath (Debian: r-mathlib), called at run time; ours is the example `evaluate` of crates/nmath, which must be built.
Every argument takes NaN, both infinities, both zeros, negative, subnormal, huge and non-integer values. Results differ if
one is NaN, infinite or 0 and the other is not, or if they are further apart than 1e-6 (relative). Differences are grouped by
the kinds of arguments and results; each group prints its size and one example. Those that stay are in
docs/differences-from-R.md.
"""
import ctypes
import ctypes.util
import itertools
import math
import multiprocessing
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NAN, INF = math.nan, math.inf

WIDE = [NAN, -INF, -1e300, -2.5, -1.0, -1e-310, -0.0, 0.0, 5e-324, 1e-300, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 7.00000001,
        1e10, 1e300, INF]
NARROW = [NAN, -INF, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0, 10.0, 1e-300, 1e300, INF]
PROBABILITIES = [NAN, -INF, -1e300, -800.0, -1.0, -1e-310, -0.0, 0.0, 5e-324, 1e-300, 0.3, 0.5, 1 - 2 ** -53, 1.0,
                 1 + 2 ** -52, 2.0, INF]
DISTRIBUTIONS = {'norm': 2, 'lnorm': 2, 'unif': 2, 'exp': 1, 'gamma': 2, 'chisq': 1, 'weibull': 2, 'logis': 2, 'cauchy': 2,
                 'pois': 1, 'geom': 1, 'beta': 2, 't': 1, 'f': 2, 'binom': 2, 'nbinom': 2, 'nbinom_mu': 2, 'hyper': 3}
# How many arguments.
SPECIAL = {
    'gammafn': 1, 'lgammafn': 1, 'lgamma1p': 1, 'beta': 2, 'lbeta': 2, 'choose': 2, 'lchoose': 2, 'digamma': 1,
    'trigamma': 1, 'tetragamma': 1, 'pentagamma': 1, 'psigamma': 2, 'log1pmx': 1, 'log1pexp': 1, 'logspace_add': 2,
    'logspace_sub': 2, 'fmax2': 2, 'fmin2': 2, 'fprec': 2, 'fround': 2, 'fsign': 2, 'ftrunc': 1, 'sign': 1, 'r_pow': 2,
    'cospi': 1, 'sinpi': 1, 'tanpi': 1,
}
# The symbol in libRmath, where it is another one than the function's name in C.
C_NAMES = {'dnorm': 'dnorm4', 'pnorm': 'pnorm5', 'qnorm': 'qnorm5', 'r_pow': 'R_pow'}


def cases(function):
    kind, name = function[0], function[1:]
    if function in SPECIAL:
        return list(itertools.product(WIDE + [-3.0, 25.0, 170.7, 1e15], repeat=SPECIAL[function])), 0
    n = DISTRIBUTIONS[name]
    values = WIDE if n < 3 else NARROW
    first = PROBABILITIES if kind == 'q' else values
    flags = 1 if kind == 'd' else 2
    return list(itertools.product(first, *[values] * n, *[[0, 1]] * flags)), flags


def library():
    for name in ('libRmath.so.1', 'libRmath.so', ctypes.util.find_library('Rmath')):
        try:
            return ctypes.CDLL(name)
        except (OSError, TypeError):
            pass
    sys.exit('libRmath is not installed')


def r_worker(function, points, flags, start, results, place):
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)      # libRmath prints its warnings
    f = getattr(library(), C_NAMES.get(function, function))
    f.restype = ctypes.c_double
    n = len(points[0]) - flags
    f.argtypes = [ctypes.c_double] * n + [ctypes.c_int] * flags
    for i in range(start, len(points)):
        place.value = i
        results[i] = f(*points[i])
    place.value = len(points)


def of_r(function, points, flags):
    """R's results; None where it does not return within two seconds."""
    results = multiprocessing.RawArray('d', len(points))
    place = multiprocessing.RawValue('q', 0)
    hung = set()
    start = 0
    while start < len(points):
        process = multiprocessing.Process(target=r_worker, args=(function, points, flags, start, results, place))
        process.start()
        last, since = -1, time.time()
        while process.is_alive():
            process.join(0.05)
            if place.value != last:
                last, since = place.value, time.time()
            elif time.time() - since > 2:
                process.kill()
                process.join()
        if place.value >= len(points):
            break
        hung.add(place.value)
        start = place.value + 1
        if len(hung) > 100:
            hung.update(range(start, len(points)))
            break
    return [None if i in hung else results[i] for i in range(len(points))]


def ours(function, points, flags):
    binary = os.path.join(HERE, '../../target/release/examples/evaluate')
    text = '\n'.join('\t'.join([function, *map(str, p)]) for p in points) + '\n'
    done = subprocess.run([binary], input=text, capture_output=True, text=True, check=True)
    return [float(line.split('\t')[0]) for line in done.stdout.splitlines()]


def kind(x):
    if x is None:
        return 'hangs'
    if math.isnan(x):
        return 'NaN'
    if math.isinf(x):
        return 'inf' if x > 0 else '-inf'
    return '0' if x == 0 else 'one' if x == 1 else 'number'


def argument_kind(x):
    if isinstance(x, int):
        return str(x)
    if math.isnan(x) or math.isinf(x):
        return kind(x)
    if x == 0:
        return '0'
    if abs(x) < 1e-200:
        return 'tiny' if x > 0 else '-tiny'
    if abs(x) > 1e200:
        return 'huge' if x > 0 else '-huge'
    if x < 0:
        return 'negative'
    if 0 < x < 1:
        return '(0,1)'
    return 'integer' if x == math.floor(x) else 'fraction'


def differ(a, b):
    if kind(a) in ('NaN', 'inf', '-inf', 'hangs') or kind(b) in ('NaN', 'inf', '-inf'):
        return kind(a) != kind(b)
    return abs(a - b) > 1e-6 * max(abs(a), abs(b)) and max(abs(a), abs(b)) > 1e-320


def main(names):
    everything = [k + d for d in DISTRIBUTIONS for k in 'dpq'] + list(SPECIAL)
    for function in names or everything:
        if not hasattr(library(), C_NAMES.get(function, function)):
            print(f'{function}: not in libRmath')
            continue
        points, flags = cases(function)
        groups = {}
        for point, r, g in zip(points, of_r(function, points, flags), ours(function, points, flags)):
            if differ(r, g):
                if any(isinstance(x, float) and math.isnan(x) for x in point) and kind(r) == 'NaN' and kind(g) == 'NaN':
                    continue
                key = (*map(argument_kind, point[:len(point) - flags]), kind(r), kind(g))
                groups.setdefault(key, []).append((point, r, g))
        total = sum(map(len, groups.values()))
        print(f'{function}: {len(points)} points, {total} differences in {len(groups)} groups')
        for key, members in groups.items():
            point, r, g = members[0]
            print(f'  {len(members):5}  {function}{point}: R {r}, here {g}')
        sys.stdout.flush()


if __name__ == '__main__':
    main(sys.argv[1:])
