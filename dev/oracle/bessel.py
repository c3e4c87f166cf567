#!/usr/bin/env python3
"""Reference points for the Bessel functions: `bessel.py [--seed SEED] [--to FOLDER] [--count N] [SET...]`.

Writes `bessel_{i,j,k,y}+SET.tsv`; a SET is `sweep`, `corners` or `large` (all if none is given).
J and Y, and I and K, share their points.

The truth is Arb's, at the exact doubles. Arb has no uniform expansions, so for orders above 30 it runs out of precision or
of time; there the recurrences take over, in balls, from orders in [-1/2, 3/2): upwards for Y, J and K, where the radius
accounts for whatever cancels, and for I the continued fraction of I(nu+1)/I(nu) with the Wronskian, at two lengths.
Each value is computed at two precisions which must agree to 2^-88. What cannot be had in 5 seconds (`--seconds`) is left out.
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
from oracle import A, Drop, arb, ctx

DIRECT_ORDER = 30.0


def climb(first, second, start, steps, x, sign):
    """The values at orders start + steps and start + steps + 1: y(n+1) = (2 n/x) y(n) + sign y(n-1)."""
    order = start + 1
    for _ in range(steps):
        first, second = second, 2 * order / x * second + sign * first
        order += 1
    return first, second


def start_of(nu):
    steps = round(nu)
    return A(nu) - steps, steps


def large_j(x, nu):
    start, steps = start_of(nu)
    X = A(x)
    return climb(X.bessel_j(start), X.bessel_j(start + 1), start, steps, X, -1)[0]


def large_y(x, nu):
    start, steps = start_of(nu)
    X = A(x)
    return climb(X.bessel_y(start), X.bessel_y(start + 1), start, steps, X, -1)[0]


def both_k(x, nu):
    start, steps = start_of(nu)
    X = A(x)
    return climb(X.bessel_k(start, scaled=True), X.bessel_k(start + 1, scaled=True), start, steps, X, 1)


def large_k(x, nu, expo):
    k = both_k(x, nu)[0]
    return k if expo == 2 else k * (-A(x)).exp()


def large_i(x, nu, expo):
    lower, upper = both_k(x, nu)
    X = A(x)
    # the ratio's error falls by the product of its own values: until 2^-prec
    length = 0
    bits = 0.0
    while bits < ctx.prec + 20:
        length += 1
        bits += 2 * math.asinh((nu + length) / x) / math.log(2)
    ratio = A(0)
    for k in range(length, 0, -1):
        ratio = 1 / (2 * (A(nu) + k) / X + ratio)
    value = 1 / (X * (upper + ratio * lower))
    return value if expo == 2 else value * X.exp()


def value(name, point):
    x, nu = point[0], point[1]
    direct = oracle.REG[name][1]
    if abs(nu) <= DIRECT_ORDER or (name in ('bessel_j',) and x * x < 100 * nu):
        return direct(*point)
    if nu < 0:
        return direct(*point)
    function = {'bessel_i': large_i, 'bessel_j': large_j, 'bessel_k': large_k, 'bessel_y': large_y}[name]
    # balls of J and Y grow like I: start high enough to hold that
    start = 256
    if name in ('bessel_j', 'bessel_y'):
        start += int(2.9 * nu * math.asinh(nu / x) + 2.9 * max(0.0, nu * math.acosh(nu / x) if nu > x else 0.0))
    if start > 900000:
        raise Drop('precision')
    return oracle.certify(function, point, maxprec=16 * start, start=start)


def alarm(*_):
    raise Drop('time')


def job(task):
    name, point, seconds = task
    signal.signal(signal.SIGALRM, alarm)
    signal.alarm(seconds)
    try:
        return value(name, point)
    except Exception:
        return None
    finally:
        signal.alarm(0)


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def sweep_points(rng, count):
    """(x, nu): everywhere, next to the transition, at and next to integers and half integers, small orders."""
    for _ in range(count):
        kind = rng.randrange(10)
        if kind <= 1:
            x, nu = log_uniform(rng, 1e-10, 1e6), log_uniform(rng, 1e-10, 3e4)
        elif kind == 2:
            nu = log_uniform(rng, 1, 2e4)
            x = nu + rng.uniform(-8, 8) * nu ** (1 / 3)
        elif kind == 3:
            x, nu = rng.uniform(0, 60), rng.uniform(0, 40)
        elif kind == 4:
            x, nu = rng.uniform(0, 30), float(rng.randrange(0, 30))
        elif kind == 5:
            x, nu = log_uniform(rng, 1e-3, 1e3), rng.randrange(0, 60) + 0.5
        elif kind == 6:
            nu = rng.randrange(0, 25) + rng.choice([-1, 1]) * log_uniform(rng, 1e-14, 0.5)
            x = log_uniform(rng, 1e-4, 100)
        elif kind == 7:
            nu = log_uniform(rng, 5, 3e3)
            x = nu * log_uniform(rng, 0.1, 10)
        elif kind == 8:
            x, nu = log_uniform(rng, 0.1, 50), log_uniform(rng, 0.01, 20)
        else:
            x, nu = log_uniform(rng, 10, 1e5), rng.uniform(0, 20)
        yield float(abs(x)), float(abs(nu))


def corner_points(rng):
    """(x, nu): next to zeros of J and Y, around the borders between formulas, tiny and huge arguments, negative orders."""
    out = []
    for nu in [0.0, 1.0, 2.5, 7.25, 19.0, 24.5, 26.0, 60.0, 300.0]:
        for k in [1, 2, 5, 12, 40]:
            # McMahon; from there to the zero itself by the secant rule on Arb's values
            b = (k + nu / 2 - 0.25) * math.pi
            x = b - (4 * nu * nu - 1) / (8 * b) if b > nu * 1.3 else nu + 1.9 * k * max(nu, 1.0) ** (1 / 3)
            ctx.prec = 600
            for _ in range(30):
                X = A(x)
                f = X.bessel_j(A(nu))
                slope = (X.bessel_j(A(nu) - 1) - X.bessel_j(A(nu) + 1)) / 2
                step = float((f / slope).mid())
                if not math.isfinite(step) or abs(step) < 1e-16 * x:
                    break
                x -= max(-0.5, min(0.5, step))
            out += [(x, nu), (math.nextafter(x, 0), nu), (x * (1 + 1e-9), nu)]
    for border in [1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 20.0, 23.0, 28.0]:
        for nu in [0.0, 0.5, 3.3, 12.7, 19.99]:
            out += [(border, nu), (math.nextafter(border, 0), nu), (math.nextafter(border, 100), nu)]
    for nu in [19.999, 20.0, 24.999999, 25.0, 25.000001, 31.7, 100.0, 1000.3, 20000.0]:
        for d in [-9.0, -7.6, -7.0, -3.0, -0.1, 0.0, 1e-9, 0.1, 3.0, 5.9, 6.3, 7.0, 7.6, 9.0]:
            out.append((nu + d * nu ** (1 / 3), nu))
    for nu in [0.0, 1e-300, 1e-17, 1e-8, 0.25, 0.5, 1.0, 1.5, 3.0]:
        for x in [5e-324, 1e-310, 1e-300, 1e-155, 1e-20, 1e-8]:
            out.append((x, nu))
    for x in [1e5, 123456.75, 1e7, 3e8, 1e10, 1e15]:
        for nu in [0.0, 0.5, 1.0, 12.25, 100.0]:
            out.append((x, nu))
    for nu in [0.5, 1.0, 1.5, 2.0, 2.3, 2.5, 3.75, 7.0, 7.1, 12.5, 20.4, 26.5]:
        for x in [0.01, 0.7, 1.7, 6.5, 14.0, 33.0, 90.0]:
            out.append((x, -nu))
    # around overflow and underflow of the results
    for nu in [50.5, 120.0, 170.0, 300.0, 1000.0]:
        for _ in range(6):
            low, high = 1e-12 * nu, nu
            target = rng.choice([-740.0, -745.0, -700.0, 705.0, -720.0])
            for _ in range(60):
                mid = math.sqrt(low * high)
                eta = math.sqrt(nu * nu - mid * mid) - nu * math.acosh(nu / mid)
                low, high = (mid, high) if eta < -abs(target) else (low, mid)
            out.append((low, nu))
    for x in [700.0, 705.0, 709.5, 712.0, 713.9, 740.0, 745.5]:
        for nu in [0.0, 2.5, 30.0]:
            out.append((x, nu))
    return [p for p in out if p[0] > 0]


def large_points(rng):
    """(x, nu): orders of 1e5, at the transition and on both sides of it, and arguments far above. Give it `--seconds 120`."""
    out = []
    for nu in [4e4, 99999.5, 123456.789]:
        for d in [-8.0, -2.0, 0.0, 3.0, 7.0, 30.0]:
            out.append((nu + d * nu ** (1 / 3), nu))
        out.append((nu * rng.uniform(1.1, 5.0), nu))
        out.append((nu * 1000, nu))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=14)
    parser.add_argument('--to', default=os.path.join(HERE, 'values'))
    parser.add_argument('--count', type=int, default=800)
    parser.add_argument('--seconds', type=int, default=5)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('sets', nargs='*')
    options = parser.parse_args()
    rng = random.Random(options.seed)
    sets = {'sweep': list(sweep_points(rng, options.count)), 'corners': corner_points(rng), 'large': large_points(rng)}
    with multiprocessing.Pool(options.jobs) as pool:
        for chosen in options.sets or list(sets):
            for name in ['bessel_j', 'bessel_y', 'bessel_k', 'bessel_i']:
                columns = oracle.REG[name][0]
                rows = sets[chosen]
                if len(columns) == 3:
                    rows = [(x, nu, float(1 + i % 2)) for i, (x, nu) in enumerate(rows)]
                kept = 0
                path = os.path.join(options.to, f'{name}+{chosen}.tsv')
                with open(path, 'w') as file:
                    print(*columns, 'expected', sep='\t', file=file)
                    for row, truth in zip(rows, pool.imap(job, [(name, row, options.seconds) for row in rows], 1)):
                        if truth not in (None, 'dropped'):
                            print(*[repr(v) for v in row], truth, sep='\t', file=file)
                            kept += 1
                print(f'{name}+{chosen}: {kept} of {len(rows)}', file=sys.stderr)


if __name__ == '__main__':
    main()
