#!/usr/bin/env python3
"""Points of the studentised range that tukey.py does not reach: `tukey_many.py --seed SEED [--count N] > FILE`.

Hundreds of means, fractional numbers of means and ranges, tails far below the range of a double on the log scale. Both tails are
computed by themselves, as logarithms: sums over equally spaced nodes in Arb with 200 bits, for the range about its middle and for
the scale about the integrand's peak, with two distances of the nodes that must agree to 1e-22. A point takes up to a minute; those
that do not agree are left out.
"""
import argparse
import math
import random
import sys

from flint import arb, ctx


def beyond(x):
    return (x / arb(2).sqrt()).erfc() / 2


def density(x):
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def range_tail(w, c, upper, step):
    """The log of a tail of the range of `c` normal numbers: the sum over the least of them."""
    m = arb(c) - 1
    total = arb(0)
    for way in (1, -1):
        k = 0 if way == 1 else 1
        small = 0
        while k * float(step) < 40:
            x = arb(way * k) * step - w / 2
            far = x + w
            b = beyond(far)
            if upper:
                log_a = beyond(x).log() if x > 0 else (-beyond(-x)).log1p()
                a = beyond(x) if x > 0 else 1 - beyond(-x)
                term = density(x) * (m * log_a).exp() * -((m * (-b / a).log1p()).expm1())
            else:
                between = beyond(-far) - beyond(-x) if far < 0 else 1 - beyond(-x) - b if x < 0 else beyond(x) - b
                term = density(x) * (m * between.log()).exp()
            term = term.mid()
            if not term.is_finite():
                break
            total = (total + term).mid()
            small = small + 1 if term < total * arb(2) ** -130 else 0
            if small > 6 and (not upper or k * float(step) > math.sqrt(2 * math.log(c)) + 2):
                break
            k += 1
    return (arb(c) * step * total).log().mid()


def tail(q, r, c, n, upper, fine):
    """The log of a tail, with nodes `fine` times as far apart as usual."""
    q = arb(q)
    step = arb((0.30 * c ** -0.3 if upper else 0.40 / math.sqrt(c)) * fine)

    def of_ranges(w):
        one = range_tail(w, c, upper, step)
        if not upper:
            return (arb(r) * one).mid()
        return (-((arb(r) * (-one.exp()).log1p()).expm1())).log().mid()

    if n == math.inf:
        return of_ranges(q)
    n = arb(n)

    def exponent(u):
        s = arb(u).exp()
        return (of_ranges(q * s) + n * arb(u) - n * s * s / 2).mid()

    # the peak by golden sections
    low, high, golden = (-math.log(float(q)) - 6 if upper else -12.0), 8.0, 0.6180339887
    a, b = high - golden * (high - low), low + golden * (high - low)
    at_a, at_b = exponent(a), exponent(b)
    for _ in range(26):
        if at_a > at_b:
            high, b, at_b = b, a, at_a
            a = high - golden * (high - low)
            at_a = exponent(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + golden * (high - low)
            at_b = exponent(b)
    peak = 0.5 * (low + high)
    top = exponent(peak)
    curvature = -float((exponent(peak + 1e-3) - 2 * top + exponent(peak - 1e-3)).mid()) * 1e6
    distance = arb(0.42 * fine * min(curvature ** -0.5, 0.55))
    total = arb(1)
    for way in (1, -1):
        for k in range(1, 4000):
            fall = exponent(arb(peak) + way * k * distance) - top
            total = (total + fall.exp()).mid()
            if float(fall.mid()) < -72:
                break
    constant = arb(2).log() + n / 2 * (n / 2).log() - (n / 2).lgamma()
    return (constant + top + total.log() + distance.log()).mid()


def ptukey(q, r, c, n, lower, log):
    ctx.prec = 200
    found = []
    for fine in (1.0, 0.7):
        above = tail(q, r, c, n, True, fine)
        found.append((above, tail(q, r, c, n, False, fine) if float(above) > -50 else None))
    (rough_above, rough_below), (above, below) = found
    smaller_is_upper = below is None or float(above) < float(below)
    rough, value = (rough_above, above) if smaller_is_upper else (rough_below, below)
    if float(abs(rough - value)) > 1e-22 * max(1, abs(float(value))):
        raise ArithmeticError('the two sums differ')
    if smaller_is_upper != bool(lower):
        result = value if log else value.exp()
    else:
        result = (-(value.exp())).log1p() if log else 1 - value.exp()
    return result.mid().str(25, radius=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', required=True)
    parser.add_argument('--count', type=int, default=40)
    options = parser.parse_args()
    rng = random.Random(options.seed)

    def log_uniform(a, b):
        return math.exp(rng.uniform(math.log(a), math.log(b)))

    print('\t'.join('q rr cc df lower log expected'.split()), flush=True)
    done = 0
    while done < options.count:
        kind = rng.randint(0, 2)
        c = rng.choice([25.0, 30.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2.5, 17.3, 333.3, log_uniform(2, 1000)])
        r = rng.choice([1.0, 1.0, 1.0, 2.0, 2.5, 10.0, log_uniform(1, 1000)])
        n = rng.choice([2.0, 2.5, 3.0, 10.0, 30.0, log_uniform(2, 1e3), 1e6, math.inf])
        lower, log = rng.randint(0, 1), rng.randint(0, 1)
        q = log_uniform(*[(0.02, 3), (2, 12), (12, 400)][kind])
        if kind == 2:
            lower, log = 0, 1
        try:
            value = ptukey(q, r, c, n, lower, log)
        except (ArithmeticError, ValueError) as error:
            print(q, r, c, n, lower, log, error, file=sys.stderr, flush=True)
            continue
        print('\t'.join([repr(q), repr(r), repr(c), repr(n), str(lower), str(log), value]), flush=True)
        done += 1


if __name__ == '__main__':
    main()
