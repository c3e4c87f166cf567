#!/usr/bin/env python3
"""Points for the rank distributions: `ranks.py [--seed SEED]` writes values/{d,p,q}{wilcox,signrank}+sweep.tsv.

The truth is a ratio of integers, counted by a dynamic programme over the generating function; rank sums of 1000 and 1000 in the
middle, which have too many and too large counts, come from the same function at points of a circle, with 60 digits, twice as
many points as needed and another radius than the kernels use.

`ranks.py --far` prints logarithms of far tails of large samples, which the tests hold: the same with 260 bits (python-flint) on the
circle through the saddle point.
"""
import argparse
import math
import os
import random

import mpmath

HERE = os.path.dirname(os.path.abspath(__file__))
mpmath.mp.dps = 60


def rank_sum_counts(m, n, last):
    counts = [1] + [0] * last
    for i in range(1, min(m, last) + 1):
        for k in range(i, last + 1):
            counts[k] += counts[k - i]
        for k in range(last, n + i - 1, -1):
            counts[k] -= counts[k - n - i]
    return counts


def signed_rank_counts(n, last):
    counts = [1] + [0] * last
    degree = 0
    for i in range(1, min(n, last) + 1):
        degree = min(last, degree + i)
        for k in range(degree, i - 1, -1):
            counts[k] += counts[k - i]
    return counts


class Exact:
    """A distribution of which `known` values from the low end are counted."""

    def __init__(self, sizes, known=None):
        self.sizes = sizes
        m, n = sizes if len(sizes) == 2 else (0, sizes[0])
        self.last = m * n if m else n * (n + 1) // 2
        self.all = math.comb(m + n, m) if m else 2**n
        self.sd = math.sqrt(self.last * (m + n + 1) / 12 if m else self.last * (2 * n + 1) / 12)
        top = min(self.last // 2, known or self.last)
        self.counts = rank_sum_counts(min(m, n), max(m, n), top) if m else signed_rank_counts(n, top)
        self.sums, total = [], 0
        for count in self.counts:
            total += count
            self.sums.append(total)

    def known(self, j):
        return min(j, self.last - j) < len(self.counts) and min(j, self.last - 1 - j) < len(self.counts)

    def mass(self, x):
        return self.counts[min(x, self.last - x)]

    def below(self, x):
        """The count of values up to x."""
        if x < 0:
            return 0
        if x >= self.last:
            return self.all
        return self.sums[x] if 2 * x < self.last else self.all - self.sums[self.last - 1 - x]


def text(count, all_, log):
    if not log:
        return mpmath.nstr(mpmath.mpf(count) / all_, 25)
    if count == 0:
        return '-inf'
    if 2 * count > all_:
        return mpmath.nstr(mpmath.log1p(-mpmath.mpf(all_ - count) / all_), 25)
    return mpmath.nstr(mpmath.log(mpmath.mpf(count)) - mpmath.log(mpmath.mpf(all_)), 25)


def circle(m, n, j):
    """Mass and distribution function of a rank sum at j from its generating function."""
    sd = math.sqrt(m * n * (m + n + 1) / 12)
    t = max(6, (m * n / 2 - j) / sd) / sd
    count = int(30 * sd) | 1
    mass = total = mpmath.mpf(0)
    for node in range(int(12 / sd * count / (2 * math.pi))):
        z = mpmath.exp(mpmath.mpc(-t, 2 * mpmath.pi * node / count))
        g, w, v = mpmath.mpf(1), z, z ** (n + 1)
        for i in range(m):
            g *= (1 - v) / (1 - w)
            w *= z
            v *= z
        g *= z ** -j * (1 if node == 0 else 2)
        mass += mpmath.re(g)
        total += mpmath.re(g / (1 - z))
    all_ = count * mpmath.mpf(math.comb(m + n, m))
    return mass / all_, total / all_


def far(m, n, j):
    """Logarithms of mass and distribution function of a rank sum in the far lower tail."""
    from flint import acb, arb, ctx
    ctx.prec = 260
    middle = lambda z: acb(z.real.mid(), z.imag.mid())  # intervals would grow with every factor
    low, high = 1e-9, 1.0
    for _ in range(30):
        t = math.sqrt(low * high)
        mean = variance = 0.0
        for i in range(1, m + 1):
            a, b = i / -math.expm1(-t * i), (n + i) / -math.expm1(-t * (n + i))
            mean += a * math.exp(-t * i) - b * math.exp(-t * (n + i))
            variance += a * a * math.exp(-t * i) - b * b * math.exp(-t * (n + i))
        low, high = (t, high) if mean > j else (low, t)
    sd = math.sqrt(variance)
    count = int(18 * sd) | 1
    mass = total = arb(0)
    for node in range(int(14 / sd * count / (2 * math.pi)) + 1):
        z = (acb(-t) + acb(0, 1) * 2 * arb.pi() * node / count).exp()
        top, bottom, w, v = acb(1), acb(1), z, z ** (n + 1)
        for _ in range(m):
            top, bottom = middle(top * (1 - v)), middle(bottom * (1 - w))
            w, v = middle(w * z), middle(v * z)
        g = top / bottom * z ** -j * (1 if node == 0 else 2)
        mass += g.real
        total += (g / (1 - z)).real
    all_ = arb(m + n + 1).lgamma() - arb(m + 1).lgamma() - arb(n + 1).lgamma()
    return [((x / count).log() - all_).str(25, radius=False) for x in (mass, total)]


def positions(d, rng, count):
    """Values in the middle, in both tails and next to both ends."""
    out = []
    while len(out) < count:
        kind = rng.random()
        if kind < 0.5:
            x = d.last / 2 + d.sd * rng.gauss(0, 1.5)
        elif kind < 0.8:
            x = d.last * rng.random()
        else:
            x = math.exp(rng.uniform(0, math.log(d.last + 1))) - 1
            x = x if rng.random() < 0.5 else d.last - x
        x = round(x)
        if 0 <= x <= d.last and d.known(x):
            out.append(x)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=14)
    parser.add_argument('--far', action='store_true')
    arguments = parser.parse_args()
    if arguments.far:
        for m, n, j in [(300, 300, 9000), (10_000, 10_000, 10**7), (100_000, 100_000, 10**9)]:
            print(m, n, j, *far(m, n, j))
        return
    rng = random.Random(arguments.seed)
    wide = [(70, 70), (66, 66), (80, 120), (100, 100), (150, 150), (40, 300), (20, 400), (10, 700), (12, 500), (5, 1000), (3, 1000),
            (2, 1000), (1, 1000), (200, 200)]
    sums = [Exact((rng.randint(1, 60), rng.randint(1, 60))) for _ in range(25)] + [Exact((50, 50))]
    sums += [Exact(s) for s in wide] + [Exact((1000, 1000), 4000), Exact((30, 1000), 4000), Exact((16, 3000), 6000)]
    signed = [Exact((rng.randint(1, 80),)) for _ in range(20)] + [Exact((50,))]
    signed += [Exact((n,)) for n in (70, 71, 95, 96, 100, 130, 200, 300, 400)] + [Exact((1000,), 5000)]
    for name, family, columns in [('wilcox', sums, 'm\tn'), ('signrank', signed, 'n')]:
        lines = {'d': [f'x\t{columns}\tlog\texpected'], 'p': [f'x\t{columns}\tlower\tlog\texpected'],
                 'q': [f'p\t{columns}\tlower\tlog\texpected']}
        for d in family:
            sizes = '\t'.join(f'{s}.0' for s in d.sizes)
            for x in positions(d, rng, 24):
                log = rng.random() < 0.4
                lines['d'].append(f'{x}.0\t{sizes}\t{int(log)}\t{text(d.mass(x), d.all, log)}')
            for x in positions(d, rng, 36):
                log, lower = rng.random() < 0.4, rng.random() < 0.5
                count = d.below(x) if lower else d.all - d.below(x)
                lines['p'].append(f'{x}.0\t{sizes}\t{int(lower)}\t{int(log)}\t{text(count, d.all, log)}')
            for x in positions(d, rng, 16):
                # a probability strictly between two steps, so that its rounding does not decide
                log, lower = rng.random() < 0.4, rng.random() < 0.5
                before, here = d.below(x - 1), d.below(x)
                if not lower:
                    before, here = d.all - before, d.all - here
                p = (mpmath.mpf(before) * 3 + mpmath.mpf(here) * 7) / (10 * mpmath.mpf(d.all))
                p = mpmath.log(p) if log and p < 0.5 else mpmath.log1p(-(1 - p)) if log else p
                p = float(p)
                exact = mpmath.exp(mpmath.mpf(p)) if log else mpmath.mpf(p)
                low, high = sorted([mpmath.mpf(before) / d.all, mpmath.mpf(here) / d.all])
                width = high - low
                if low + width / 100 < exact < high - width / 100 and p not in (0.0, -math.inf):
                    lines['q'].append(f'{p!r}\t{sizes}\t{int(lower)}\t{int(log)}\t{x}')
        if name == 'wilcox':
            for j in (500_000, 499_999, 480_000, 450_000, 400_000, 300_000):
                mass, total = circle(1000, 1000, j)
                for log in (0, 1):
                    show = lambda v: mpmath.nstr(mpmath.log(v) if log else v, 25)
                    lines['d'].append(f'{j}.0\t1000.0\t1000.0\t{log}\t{show(mass)}')
                    lines['p'].append(f'{j}.0\t1000.0\t1000.0\t1\t{log}\t{show(total)}')
        for kind, rows in lines.items():
            with open(os.path.join(HERE, 'values', f'{kind}{name}+sweep.tsv'), 'w') as out:
                out.write('\n'.join(rows) + '\n')
            print(f'{kind}{name}+sweep: {len(rows) - 1} points')


if __name__ == '__main__':
    main()
