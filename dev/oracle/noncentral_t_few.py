#!/usr/bin/env python3
"""Points of the noncentral t distribution with very few degrees of freedom: `noncentral_t_few.py --seed SEED --to FOLDER [--count N]`.

Writes `pnt+few.tsv`: 1e-6 to 0.05 degrees of freedom, arguments from their root to 1e60 of both signs, noncentralities up to 15. A tail is
the integral over `s = sqrt(chi-squared/df)` of `f(s) Phi(t s - ncp)`, in `log s`: below `s = 1e-40/t` the normal part is `Phi(-ncp)`, and
what is left of `f` a power; above, Gauss and Legendre's rule on pieces of length 1/2 and 1/8, with two numbers of nodes that agree to 2^-88.
mpmath, 60 digits. (The kernel sums another integral, over `t s`.)
"""
import argparse
import math
import os
import random

from mpmath import mp, mpf, erfc, exp, log, log1p, loggamma, nstr, sqrt

mp.dps = 60
AGREE = mpf(2) ** -88


def rule(count):
    """Nodes and weights on [-1, 1], by Newton's method."""
    nodes = []
    for i in range(1, count + 1):
        x = mp.cos(mp.pi * (i - mpf(1) / 4) / (count + mpf(1) / 2))
        for _ in range(8):
            a, b = mpf(1), x
            for k in range(2, count + 1):
                a, b = b, ((2 * k - 1) * x * b - (k - 1) * a) / k
            slope = count * (x * b - a) / (x * x - 1)
            x -= b / slope
        nodes.append((x, 2 / ((1 - x * x) * slope * slope)))
    return nodes


RULES = [rule(20), rule(26)]


def normal(z):
    return erfc(-z / sqrt(mpf(2))) / 2


def tail(t, n, d, lower):
    """P(T <= t) or P(T > t) for t > 0."""
    sign = 1 if lower else -1
    log_c = log(mpf(2)) + n / 2 * log(n / 2) - loggamma(n / 2)
    begin = log(mpf(10)) * -40 - log(t)
    # the density is below exp(-200) beyond
    end = log(400 / n) / 2
    value = normal(-sign * d) * exp(log_c + n * begin) / n
    # finer where the normal part changes
    pieces = []
    for start, stop, length in ((begin, -3 - log(t), 0.5), (-3 - log(t), 4 - log(t), 0.125), (4 - log(t), end, 0.5)):
        count = max(0, int(math.ceil((min(stop, end) - start) / length)))
        half = (min(stop, end) - start) / (2 * count) if count else 0
        pieces += [(start + (2 * i + 1) * half, half) for i in range(count)]
    sums = []
    for nodes in RULES:
        total = mpf(0)
        for middle, half in pieces:
            # where the normal part is nothing
            if not lower and t * exp(middle - half) - d > 60:
                break
            for x, w in nodes:
                u = middle + half * x
                s = exp(u)
                total += half * w * exp(log_c + n * (u - s * s / 2)) * normal(sign * (t * s - d))
        sums.append(value + total)
    assert abs(sums[0] / sums[1] - 1) < AGREE, (t, n, d, lower, nstr(sums[0] / sums[1] - 1))
    return sums[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--to", required=True)
    parser.add_argument("--count", type=int, default=40)
    args = parser.parse_args()
    draw = random.Random(args.seed)
    lines = ["x\tdf\tncp\tlower\tlog\texpected"]
    for i in range(args.count):
        n = 10 ** draw.uniform(-6, -1.302)
        t = math.sqrt(n) * 10 ** draw.uniform(0.01, 6 if i % 2 else 60)
        d = draw.choice([-1, 1]) * 10 ** draw.uniform(-1, 1.17)
        sign = draw.choice([-1, 1])
        lower, logs = draw.random() < 0.5, draw.random() < 0.5
        below = lower == (sign > 0)
        value = tail(mpf(t), mpf(n), mpf(sign * d), below)
        if logs:
            # next to 0 by the other tail
            value = log(value) if value < 0.5 else log1p(-tail(mpf(t), mpf(n), mpf(sign * d), not below))
        lines.append(f"{sign * t!r}\t{n!r}\t{d!r}\t{lower:d}\t{logs:d}\t{nstr(value, 25, min_fixed=1, max_fixed=0)}")
        print(i, lines[-1], flush=True)
    with open(os.path.join(args.to, "pnt+few.tsv"), "w") as file:
        file.write("\n".join(lines) + "\n")


main()
