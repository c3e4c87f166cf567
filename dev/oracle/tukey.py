#!/usr/bin/env python3
"""Points of the studentised range: `tukey.py --seed SEED --to FOLDER [--count N] [FUNCTION...]`.

Two files for each function: `NAME+sweep.tsv`, arguments as in tables of the distribution, and `NAME+corners.tsv`, far tails, many
means, several ranges, the least degrees of freedom and infinitely many.

The distribution function is oracle.py's double sum over equally spaced nodes, in Arb with so many bits that the smaller tail keeps
30 digits; the number of nodes of both sums grows until two of them agree to 2^-88 of the tail. Points that take longer than
`--seconds` are left out and counted.
"""
import argparse
import math
import multiprocessing
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import oracle
from flint import arb, ctx
from noncentral import TooLong, alarm, log_uniform, text
import noncentral
import signal

rng = noncentral.rng
COLUMNS = {'ptukey': 'q rr cc df lower log'.split(), 'qtukey': 'p rr cc df lower log'.split()}


def lower_tail(q, rr, cc, df, bits):
    """The distribution function with an absolute error of about 2^-bits."""
    ctx.prec = bits + 40
    step = 0.40 / math.sqrt(cc) * math.sqrt(150 / (bits + 40))
    nodes = 1
    if df != math.inf:
        # how wide oracle.tukey_P sums, and how close the nodes must be
        reach = (ctx.prec * 0.7 + 10)
        left = 1e-4
        while df * left + df * math.exp(-2 * left) / 2 - df / 2 < reach:
            left *= 1.1
        nodes = int((left + math.asinh(math.sqrt(reach / df))) *
                    (math.sqrt(3.1 * bits * df) + 0.75 * bits + 6 * math.sqrt(cc * rr)) / (2 * math.pi)) + 4
    old = oracle.tukey_P(arb(q), rr, cc, df, step, nodes).mid()
    while True:
        step *= 0.87
        nodes = int(nodes * 1.2) if nodes > 1 else 1
        value = oracle.tukey_P(arb(q), rr, cc, df, step, nodes).mid()
        if abs(value - old) < arb(2) ** -bits:
            return value
        if nodes > 3000 or step < 0.01:
            raise oracle.Drop('tukey')
        old = value


def tails(q, rr, cc, df):
    """Both tails with 2^-90 of the smaller one; `q` an exact number."""
    bits = 100
    while True:
        value = lower_tail(q, rr, cc, df, bits)
        ctx.prec = bits + 40
        below, above = value, 1 - value
        small = below if below < above else above
        if small > arb(2) ** (90 - bits):
            return below, above
        if small > arb(2) ** -bits:
            bits = 94 + int(-math.log2(float(small)))
        else:
            bits *= 2
        if bits > 700:
            raise oracle.Drop('tukey')


def ptukey(q, rr, cc, df, lower, log):
    below, above = tails(q, rr, cc, df)
    value = below if lower else above
    return oracle.fmt(value.log() if log else value)


def qtukey(p, rr, cc, df, lower, log):
    """Secant steps on the log of the smaller tail, from libRmath's value; certified by a change of sign 1e-26 to both sides."""
    ctx.prec = 200
    wanted = arb(p).exp() if log else arb(p)
    small_is_same = float(wanted) < 0.5
    target = (wanted if small_is_same else 1 - wanted).log()
    take = 0 if small_is_same == bool(lower) else 1

    def gap(x):
        value = tails(x, rr, cc, df)[take].log()
        return (value - target).mid()

    a = arb(oracle.rguess('qtukey', p, rr, cc, df, int(lower), int(log)))
    b = (a * (1 + arb('1e-7'))).mid()
    fa, fb = gap(a), gap(b)
    for _ in range(12):
        ctx.prec = 200
        c = (b - fb * (b - a) / (fb - fa)).mid()
        a, fa, b = b, fb, c
        if abs(b - a) < abs(b) * arb('1e-14'):
            break
        fb = gap(b)
    fb = gap(b)
    ctx.prec = 200
    c = (b - fb * (b - a) / (fb - fa)).mid()
    near = abs(c) * arb('1e-26')
    if (gap((c - near).mid()) < 0) == (gap((c + near).mid()) < 0):
        raise oracle.Drop('qtukey')
    ctx.prec = 200
    return oracle.fmt(c)


FUNCTIONS = {'ptukey': ptukey, 'qtukey': qtukey}


def point(name, corner):
    lower, log = rng.randint(0, 1), rng.randint(0, 1)
    if corner:
        cc = float(rng.choice([2, 3, 20, 40, rng.randint(2, 60)]))
        rr = float(rng.choice([1, 1, 2, 5, 10]))
        df = rng.choice([2.0, 2.0 + log_uniform(1e-3, 1), log_uniform(100, 1e6), math.inf, math.inf])
        q = rng.choice([log_uniform(0.01, 1), log_uniform(5, 15), log_uniform(1, 6)])
    else:
        cc = float(rng.randint(2, 15))
        rr = float(rng.choice([1, 1, 1, 2, 3]))
        df = rng.choice([float(rng.randint(2, 60)), log_uniform(2, 200), math.inf])
        q = log_uniform(0.5, 8)
    if name == 'ptukey':
        return [q, rr, cc, df, lower, log]
    p = rng.choice([rng.random(), rng.random(), log_uniform(1e-6, 1), 0.95, 0.99, 0.05])
    return [math.log(p) if log else p, rr, cc, df, lower, log]


def evaluate(task):
    name, arguments, seconds = task
    signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return arguments, FUNCTIONS[name](*arguments)
    except (oracle.Drop, TooLong, ArithmeticError, ValueError):
        return arguments, None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, required=True)
    parser.add_argument('--to', required=True)
    parser.add_argument('--count', type=int, default=100)
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('functions', nargs='*')
    options = parser.parse_args()
    os.makedirs(options.to, exist_ok=True)
    for name in options.functions or FUNCTIONS:
        for corner in (False, True):
            rng.seed(f'{options.seed} {name} {corner}')
            tasks = [(name, point(name, corner), options.seconds) for _ in range(options.count)]
            file = f'{name}+{"corners" if corner else "sweep"}.tsv'
            left_out = 0
            with open(os.path.join(options.to, file), 'w') as out, multiprocessing.Pool(options.jobs) as pool:
                out.write('\t'.join(COLUMNS[name] + ['expected']) + '\n')
                for arguments, value in pool.imap(evaluate, tasks):
                    if value is None:
                        left_out += 1
                        continue
                    out.write('\t'.join([text(a) for a in arguments] + [value]) + '\n')
                    out.flush()
            print(f'{file}: {len(tasks) - left_out} points, {left_out} left out', file=sys.stderr, flush=True)


if __name__ == '__main__':
    main()
