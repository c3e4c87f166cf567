#!/usr/bin/env python3
"""Points of the noncentral beta and F distributions with noncentralities from 1e14 to 1e99 and relative widths above 1e-14, which no sum over their levels reaches:
`noncentral_far.py --seed SEED --to FOLDER [--count N] [FUNCTION...]` writes `NAME+far.tsv`; `--check` compares with oracle.py instead.

With a noncentral gamma number `U` (shape a, noncentrality l = ncp/2) and a gamma number `G` (shape b) the beta number is at most x
where `y U - x G <= 0`, y = 1 - x. The moment generating function of that difference is
`exp(l y t/(1 - y t)) (1 - y t)^-a (1 + x t)^-b`; over `2 pi i t` and integrated past 0 it gives a tail (Imhof's inversion). The path is two
straight rays from the saddle point, which lean to the side on which the integrand falls. Arb integrates it with rigorous bounds; what lies beyond
the end of the rays is below 2^-200 of the value. No part of this is how the kernels compute.
"""
import argparse
import math
import os
import random
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import oracle
from flint import acb, arb, ctx
from oracle import Drop, REG, certify

A = arb
rng = random.Random()


def log_uniform(low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def log_rest(p):
    """-log(1 - p) - p, for small p by its series, so that a ball of p does not meet itself."""
    size = float(abs(p).upper())
    if not size < 0.05:
        return -(1 - p).log() - p
    terms = 4 + int(-ctx.prec / math.log2(size)) if size > 1e-300 else 4
    r = acb(A(0, 1) * A(2 * size / (terms + 3)), A(0, 1) * A(2 * size / (terms + 3)))
    for n in range(terms + 2, 1, -1):
        r = r * p + A(1) / n
    return r * p * p


def integral(x, y, a, b, l, kind):
    """The tail ('L', 'U', or None for the smaller one) or the density in x ('D'), as (side, log of it)."""
    def exponent(t, log):
        w = 1 - y * t
        return l * y * t / w - a * log(w) - b * log(1 + x * t)

    upper = kind == 'U' or (kind != 'L' and (y * (a + l) < x * b))
    # the saddle point t0 = s/(1 + s)/y, or -s/(1 + s)/x; the pole at 0 counts, but not in the density
    pole = kind != 'D'

    def place(s):
        r = s.exp() / (1 + s.exp())
        return r / y if upper else -r / x

    def slope(t):
        w = 1 - y * t
        k = l * y / (w * w) + a * y / w - b * x / (1 + x * t)
        return k - 1 / t if pole else k

    low, high = A(-700), A(700)
    for _ in range(90):
        s = ((low + high) / 2).mid()
        if (slope(place(s)) > 0) == upper:
            high = s
        else:
            low = s
    t0 = place(s).mid()
    w, v = 1 - y * t0, 1 + x * t0
    second = 2 * l * y * y / (w * w * w) + a * y * y / (w * w) + b * x * x / (v * v)
    if pole:
        second += 1 / (t0 * t0)
    third = 6 * l * y ** 3 / w ** 4 + 2 * a * y ** 3 / w ** 3 - 2 * b * x ** 3 / v ** 3
    width = (1 / second.sqrt()).mid()
    # lean to the left where the third derivative is negative
    lean = (A(third.mid() < 0 and 112 or 68) * A.pi() / 180).mid()
    direction = acb(lean.cos(), lean.sin())
    top = exponent(t0, lambda z: z.log()).mid()
    t0, step = acb(t0), acb(width) * direction
    xa, ya, aa, ba, la = acb(x), acb(y), acb(a), acb(b), acb(l)

    # The exponent less its value at t0, the linear terms taken together: balls of their large parts would not cancel.
    w0, v0 = 1 - ya * t0, 1 + xa * t0
    linear = (la / w0 + aa) * ya / w0 - ba * xa / v0

    def value(u):
        d = step * u
        p, q = ya * d / w0, -xa * d / v0
        e = linear * d + la / w0 * (p * p / (1 - p)) + aa * log_rest(p) + ba * log_rest(q)
        if kind == 'D':
            w = w0 * (1 - p)
            return e.exp() * (la / (w * w) + aa / w + ba / (v0 * (1 - q)))
        return e.exp() / (1 + d / t0)

    first = abs(value(acb(0)))
    goal = first * A(2) ** (-ctx.prec + 40)
    end = 1
    while not abs(value(acb(end))) * end < goal:
        end *= 2
        if end > 1 << 60:
            raise Drop('no end')
    total = acb(0)
    at = 0
    piece = 1
    while at < end:
        to = min(end, at + piece)
        total += acb.integral(lambda u, _: value(u), at, to, rel_tol=2.0 ** (40 - ctx.prec), abs_tol=float(goal.mid()) if float(goal.mid()) > 0 else None)
        at, piece = to, 2 * piece
    sum_ = (total * step).imag / A.pi()
    if kind != 'D':
        sum_ = abs(sum_ / t0.real)
    return ('U' if upper else 'L'), sum_.log() + top


def shares(name, x, p):
    """x, y, a, b of the beta distribution, and dx/df."""
    if name.endswith('nbeta'):
        return A(x), 1 - A(x), A(p[0]), A(p[1]), A(1)
    t = A(p[0]) * A(x)
    n = A(p[1])
    return t / (t + n), n / (t + n), A(p[0]) / 2, A(p[1]) / 2, A(p[0]) * n / ((t + n) * (t + n))


def value(name, arguments):
    kind = name[0]
    if kind == 'd':
        *point, log = arguments
        x, y, a, b, change = shares(name, point[0], point[1:])
        _, l = integral(x, y, a, b, A(point[-1]) / 2, 'D')
        return oracle.dens(l + change.log(), log)
    *point, lower, log = arguments
    x, y, a, b, _ = shares(name, point[0], point[1:])
    side, l = integral(x, y, a, b, A(point[-1]) / 2, None)
    return oracle.fin(side, l, lower, log)


def true_value(name, arguments):
    return certify(lambda *v: value(name, list(v)), arguments, start=240, maxprec=1400)


def point(name):
    """Shapes of every size, an argument by its distance from the mean in standard deviations, or farther out."""
    beta = name.endswith('nbeta')
    while True:
        ncp = log_uniform(*rng.choice([(1e14, 1e18), (1e16, 1e20), (1e16, 1e30), (1e16, 1e60), (1e16, 1e99)]))
        shape = lambda: rng.choice([0.5, 1.0, 2.5, log_uniform(0.01, 1), log_uniform(1, 100), log_uniform(1, 1e6), log_uniform(1, ncp ** 0.5),
                                    log_uniform(1, ncp), log_uniform(ncp / 30, min(ncp * 30, 9e99))])
        a, b = shape(), shape()
        mean = a + ncp / 2
        spread = math.sqrt(1 / b + 1 / mean)
        if spread < 1e-14:
            continue  # what a pair of doubles tells apart is not much less
        z = rng.choice([rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 4), rng.uniform(-30, 30)])
        if b < 30:
            # G by its quantile, near enough
            g = rng.gammavariate(max(b, 0.05), 1) * rng.choice([1, 1, 1, log_uniform(0.1, 10)])
        else:
            g = b * math.exp(-z * spread)
        if g <= 0:
            continue
        odds = mean / g
        log = rng.randint(0, 1)
        if beta:
            x = 1 - 1 / (1 + odds)
            if not 0 < x < 1:
                continue
            parameters = [a, b, ncp]
        else:
            x = odds * b / a
            parameters = [2 * a, 2 * b, ncp]
        if max(parameters[:2]) > 9e99 or not 1e-290 < x < 1e290:
            continue
        if name[0] == 'd':
            return [x] + parameters + [log]
        return [x] + parameters + [rng.randint(0, 1), log]


def check(count):
    """The same values as oracle.py, where both reach."""
    rng.seed(1)
    for _ in range(count):
        name = rng.choice(['pnbeta', 'dnbeta', 'pnf', 'dnf'])
        a, b, ncp = log_uniform(0.3, 300), log_uniform(0.3, 300), log_uniform(1, 3000)
        u, g = (a + ncp / 2) * math.exp(rng.gauss(0, 1) / (a + ncp / 2) ** 0.5), b * math.exp(rng.gauss(0, 1) / b ** 0.5)
        x = u / (u + g) if name.endswith('beta') else u / g * b / a
        parameters = [a, b, ncp] if name.endswith('beta') else [2 * a, 2 * b, ncp]
        flags = [rng.randint(0, 1)] + ([rng.randint(0, 1)] if name[0] == 'p' else [])
        arguments = [x] + parameters + flags
        ours, theirs = true_value(name, arguments), REG[name][1](*arguments)
        same = abs(float((A(ours) - A(theirs)) / A(theirs))) < 1e-23
        print('same' if same else f'DIFFERENT: {ours}, {theirs}', name, arguments)


class TooLong(Exception):
    pass


def alarm(*_):
    raise TooLong


def main():
    signal.signal(signal.SIGALRM, alarm)
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=15)
    parser.add_argument('--to', default='.')
    parser.add_argument('--count', type=int, default=150)
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--check', action='store_true')
    parser.add_argument('functions', nargs='*')
    options = parser.parse_args()
    if options.check:
        return check(options.count)
    os.makedirs(options.to, exist_ok=True)
    for name in options.functions or ['dnbeta', 'pnbeta', 'dnf', 'pnf']:
        rng.seed(f'{options.seed} {name} far')
        left_out = 0
        with open(os.path.join(options.to, f'{name}+far.tsv'), 'w') as out:
            out.write('\t'.join(REG[name][0] + ['expected']) + '\n')
            for _ in range(options.count):
                arguments = point(name)
                signal.setitimer(signal.ITIMER_REAL, options.seconds)
                try:
                    text = true_value(name, arguments)
                except (Drop, TooLong, SystemError, ArithmeticError, ValueError):  # an alarm inside of Arb is a SystemError
                    left_out += 1
                    print('left out', name, arguments, file=sys.stderr)
                    continue
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                out.write('\t'.join([str(v) if isinstance(v, int) else repr(v) for v in arguments] + [text]) + '\n')
        print(f'{name}: {left_out} of {options.count} left out', file=sys.stderr, flush=True)


if __name__ == '__main__':
    main()
