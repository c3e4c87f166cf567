#!/usr/bin/env python3
"""Points of the noncentral t distribution with noncentralities from 1e8 to 1e300: `noncentral_t_far.py --seed SEED --to FOLDER [--count N]`.

Writes `dnt+far.tsv`, `pnt+far.tsv` and `qnt+far.tsv`. The density is the integral over `s` of `s f(s) phi(t s - ncp)`, by the trapezoidal rule
in `log s` about the saddle point; a tail is the integral of the density over `log t`, by the double exponential rule of Takahasi and Mori
(`w = exp(x - exp(-x))`), with steps that are halved until two sums agree to 2^-88. mpmath, with as many digits more than 60 as the parameters have before
the point: nothing is expanded and nothing approximated but by these rules. No function of the library is used, also not to place points.

`pnt+inner.tsv` has arguments up to the root of the degrees of freedom, noncentralities from 16 to 1e4 and the lower tail: there the integral over `s` of
`f(s) Phi(t s - ncp)` is smooth, and the trapezoidal rule serves.
"""
import argparse
import math
import os
import random

from mpmath import mp, mpf, log, exp, sqrt, loggamma, pi, erfc, floor

AGREE = mpf(2) ** -88
# Beyond, exp(-x^2/2) is below 2^-150.
REACH = 14.5


class Unsettled(Exception):
    """Two steps do not agree."""


def digits_for(n, d, t):
    return 60 + int(max(0, math.log10(n), math.log10(abs(d)), math.log10(abs(t))))


class Density:
    """log of the density at any t for these parameters."""

    def __init__(self, n, d):
        self.n, self.d = n, d
        a = n / 2
        # 2 a^a/Gamma(a)/sqrt(2 pi)
        self.constant = log(2) + a * log(a) - loggamma(a) - log(2 * pi) / 2

    def exponent(self, s, t):
        return self.n * log(s) - self.n * s * s / 2 - (t * s - self.d) ** 2 / 2

    def log(self, t):
        n, d = self.n, self.d
        b = t * d
        q = n + t * t
        root = sqrt(b * b + 4 * (n + 1) * q)
        s0 = (b + root) / (2 * q) if b > 0 else 2 * (n + 1) / (root - b)
        width = 1 / sqrt(n + 1 + s0 * s0 * q)
        top = self.exponent(s0, t) + log(s0)
        sums = []
        step = mpf(1) / 2
        total = mpf(0)
        while True:
            # only the new nodes: at odd multiples after the first round
            first = not sums
            k = 0 if first else 1
            new = mpf(0)
            for side in (1, -1):
                k = (0 if side > 0 else 1) if first else 1
                while True:
                    v = side * k * step
                    s = s0 * exp(v * width)
                    term = exp(self.exponent(s, t) + log(s) - top)
                    new += term
                    if term < mpf(2) ** -110 * (new + total) and k > 2:
                        break
                    k += 1 if first else 2
            total += new
            sums.append(total * step)
            if len(sums) > 1 and abs(sums[-1] / sums[-2] - 1) < AGREE:
                return self.constant + top + log(sums[-1] * width)
            if len(sums) > 6:
                raise Unsettled
            step /= 2


def tail(density, t, upper):
    """log of P(T > t), or of P(T <= t), for t and ncp positive."""
    n, d = density.n, density.d
    sign = 1 if upper else -1
    here = density.log(t)
    small = mpf(2) ** -40
    slope = -sign * (density.log(t * exp(small)) - density.log(t * exp(-small))) / (2 * small) - sign
    spread = sqrt(1 / (2 * n) + 1 / d ** 2) if n > 1 else 1 / n
    scale = 1 / max(slope, 1 / spread)

    def term(x):
        inner = exp(-x)
        w = exp(x - inner) * scale
        tau = t * exp(sign * w)
        return exp(density.log(tau) - here) * (tau / t) * w * (1 + inner)

    step = mpf(1) / 4
    total = mpf(0)
    sums = []
    while True:
        first = not sums
        new = mpf(0)
        for side in (1, -1):
            k = (0 if side > 0 else 1) if first else 1
            while True:
                y = term(side * k * step)
                new += y
                if y < mpf(2) ** -105 * (new + total) and k * step > 2:
                    break
                k += 1 if first else 2
        total += new
        sums.append(total * step)
        if len(sums) > 1 and abs(sums[-1] / sums[-2] - 1) < AGREE:
            break
        if len(sums) > 5:
            raise Unsettled
        step /= 2
    value = here + log(t) + log(sums[-1])
    if not upper:
        below_zero = log(erfc(d / sqrt(2)) / 2) if d < 1e6 else -d * d / 2 - log(d * sqrt(2 * pi))
        if below_zero > value - 200:
            value = value + log(1 + exp(below_zero - value))
    return value


def complement(l):
    return log(-mp.expm1(l)) if l > -1e-3 else mp.log1p(-exp(l))


def probability(t, n, d, lower):
    """log of P(T <= t) (lower) or of P(T > t), for t of the sign of d, by the smaller tail."""
    if d < 0:
        t, d, lower = -t, -d, not lower
    density = Density(n, d)
    median = d * (sqrt(n / (n - mpf(2) / 3)) if n > 1 else mpf(2) ** (1 / n))
    upper = t > median
    value = tail(density, t, upper)
    return value if upper != lower else complement(value)


def inner_tail(t, n, d):
    """log of P(T <= t) for 0 < t <= sqrt(n), d > 15."""
    constant = log(2) + n / 2 * log(n / 2) - loggamma(n / 2)
    q = n + t * t
    s0 = (t * d + sqrt((t * d) ** 2 + 4 * n * q)) / (2 * q)
    width = 1 / sqrt(n + s0 * s0 * q)

    def term(v):
        s = s0 * exp(v * width)
        z = (d - t * s) / sqrt(mpf(2))
        return exp(constant + n * log(s) - n * s * s / 2) * erfc(z) / 2

    def total(step):
        value = mpf(0)
        for side in (1, -1):
            k = 0 if side > 0 else 1
            while True:
                y = term(side * k * step)
                value += y
                if y < value * mpf(2) ** -105 and k * step > 3:
                    break
                k += 1
        return value * step * width

    coarse, fine = total(mpf(1) / 3), total(mpf(1) / 6)
    if abs(coarse / fine - 1) > AGREE:
        raise Unsettled
    return log(fine)


def inner_point(rng):
    while True:
        n = rng.choice([log_uniform(rng, 1e-2, 1), log_uniform(rng, 0.5, 30), float(rng.randint(1, 20))])
        d = max(16, math.sqrt(61 * n)) * rng.choice([1, log_uniform(rng, 1, 2), log_uniform(rng, 1, 1e3)])
        t = math.sqrt(n) * log_uniform(rng, 0.03, 1)
        sign = rng.choice([-1, 1])
        log_scale = 1 if d > 37 else rng.randint(0, 1)
        mp.dps = 40
        try:
            l = inner_tail(mpf(t), mpf(n), mpf(d))
        except Unsettled:
            continue
        arguments = [repr(sign * t), repr(n), repr(sign * d), '1' if sign > 0 else '0', str(log_scale)]
        return arguments, text(l if log_scale else exp(l))


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def parameters(rng, kind):
    # a quantile takes several probabilities, and digits their time
    most = 1e60 if kind == 'q' else 1e300
    d = rng.choice([log_uniform(rng, 1e8, 1e13), log_uniform(rng, 1e12, 1e18), log_uniform(rng, 1e15, 1e40), log_uniform(rng, 1e30, most)])
    limit = 1e290
    n = rng.choice([
        float(rng.randint(1, 40)), log_uniform(rng, 0.05, 50), log_uniform(rng, 1, 1e8), log_uniform(rng, 1e6, 1e24),
        min(limit, d) * log_uniform(rng, 1e-3, 1e3), min(limit, (min(d, 1e140) ** 2) * log_uniform(rng, 1e-4, 1e2)),
        log_uniform(rng, 1e22, 1e60)])
    return n, d * rng.choice([-1.0, 1.0])


def argument(rng, n, d):
    kind = rng.random()
    if kind < 0.08:
        return d * log_uniform(rng, 1e-6, 1e6)
    if n > 30:
        deviation = rng.gauss(0, rng.choice([1, 2, 6, 12]))
        if kind > 0.92:
            deviation *= 1e3
        width = math.sqrt(0.5 / n + d ** -2)
        return d * (1 + deviation * width) if abs(deviation * width) < 0.9 else d * math.exp(deviation * width)
    return d * math.sqrt(n / max(1e-300, rng.gammavariate(n / 2, 2))) * log_uniform(rng, 0.3, 3)


def in_range(value):
    """Whether a decimal exponent of three digits or so is enough."""
    return value and abs(mp.log10(abs(value))) < 330


def text(value):
    return mp.nstr(value, 25, min_fixed=1, max_fixed=0) 


def point(rng, kind):
    while True:
        n, d = parameters(rng, kind)
        t = argument(rng, n, d)
        lower, log_scale = rng.randint(0, 1), rng.randint(0, 1)
        if not 1e-250 < abs(t) < 1e305:
            continue
        mp.dps = digits_for(n, d, t)
        try:
            if kind == 'd':
                l = Density(mpf(n), mpf(d)).log(mpf(t))
                if not in_range(l if log_scale else exp(l)):
                    continue
                return [repr(t), repr(n), repr(d), str(log_scale)], text(l if log_scale else exp(l))
            l = probability(mpf(t), mpf(n), mpf(d), bool(lower))
            if not in_range(l if log_scale else exp(l)):
                continue
            if kind == 'p':
                return [repr(t), repr(n), repr(d), str(lower), str(log_scale)], text(l if log_scale else exp(l))
            p = float(l) if log_scale else float(exp(l))
            if not (p < 0 if log_scale else 1e-300 < p < 1):
                continue
            target = mpf(p) if log_scale else log(mpf(p))
            if target > -1e-3:
                continue
            q = mpf(t)
            for _ in range(3):
                move = (target - l) / exp(Density(mpf(n), mpf(d)).log(q) - l)
                q += move if lower else -move
                l = probability(q, mpf(n), mpf(d), bool(lower))
                if abs(move) < abs(q) * mpf(2) ** -45:
                    return [repr(p), repr(n), repr(d), str(lower), str(log_scale)], text(q)
        except Unsettled:
            pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, required=True)
    parser.add_argument('--to', required=True)
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('kinds', nargs='*', default=['d', 'p', 'q', 'inner'])
    options = parser.parse_args()
    columns = {'d': 'x df ncp log', 'p': 'x df ncp lower log', 'q': 'p df ncp lower log'}
    for kind in options.kinds:
        rng = random.Random(f'{options.seed} {kind}')
        inner = kind == 'inner'
        file = 'pnt+inner.tsv' if inner else f'{kind}nt+far.tsv'
        with open(os.path.join(options.to, file), 'w') as out:
            out.write('\t'.join(columns['p' if inner else kind].split() + ['expected']) + '\n')
            for _ in range(options.count if kind != 'q' else options.count // 3):
                arguments, value = inner_point(rng) if inner else point(rng, kind)
                out.write('\t'.join(arguments + [value]) + '\n')
                out.flush()


if __name__ == '__main__':
    main()
