#!/usr/bin/env python3
"""Reference values of functions and points that oracle.py's own files do not cover. Writes values/NAME.tsv.

Usage: elementary.py [NAME...]    (all without a name; NAME as in FILES below)
Points: ordinary, logarithmically spread, both ends of the range, next to branch borders (+- a few ulps), next to zeros and
poles; for the trigonometric functions also the doubles closest to multiples of pi/2 (continued fractions) and huge ones.
Every value is certified by oracle.certify: Arb balls at two precisions that agree to 2^-88.
"""
import math, os, random, sys
import oracle
from flint import arb, ctx
from fractions import Fraction

A = arb
FILES = {}


def file(name, columns, f):
    def register(points):
        FILES[name] = (columns, f, points)
        return points

    return register


def ulps(x, n=3):
    """x and its neighbours."""
    out = [x]
    up = down = x
    for _ in range(n):
        up, down = math.nextafter(up, math.inf), math.nextafter(down, -math.inf)
        out += [up, down]
    return out


def spread(rng, low, high, n, signs=True):
    """Log-uniform magnitudes."""
    a, b = math.log(low), math.log(high)
    return [math.exp(rng.uniform(a, b)) * (rng.choice([-1, 1]) if signs else 1) for _ in range(n)]


def uniform(rng, low, high, n):
    return [rng.uniform(low, high) for _ in range(n)]


EDGES = [5e-324, 1e-310, 2.2250738585072014e-308, 1e-300, 1e-100, 1e-20, 2.0**-54, 2.0**-53, 2.0**-28, 2.0**-27, 2.0**-26]


def both(xs):
    return [s * x for x in xs for s in (1, -1)]


def bits(rng, n, positive=False):
    """Random bit patterns of finite doubles."""
    import struct

    out = []
    while len(out) < n:
        x = struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
        if math.isfinite(x):
            out.append(abs(x) if positive else x)
    return out


def near_half_pi_multiples(rng, n):
    """Doubles M 2^e closest to multiples of pi/2, by continued fractions, over many exponents e."""
    ctx.prec = 2400
    half_pi = arb.pi() / 2
    out = [6381956970095103 * 2.0**797]
    exponents = list(range(-52, 971))
    rng.shuffle(exponents)
    for e in exponents:
        # M 2^e / (pi/2) close to an integer: convergents of 2^e / (pi/2)
        t = arb(2) ** e / half_pi
        p0, q0, p1, q1 = 0, 1, 1, 0
        best = None
        for _ in range(120):
            a = int(t.floor().unique_fmpz())
            p0, q0, p1, q1 = p1, q1, a * p1 + p0, a * q1 + q0
            if q1 >= 2**53:
                break
            if q1 >= 2**52:
                best = q1
            elif q1 > 0:
                # a multiple of a convergent's denominator is nearly as good
                factor = (2**53 - 1) // q1
                if factor < 64 and best is None:
                    best = q1 * factor
            t = t - a
            if not (t > 0):
                break
            t = 1 / t
        if best:
            x = math.ldexp(best, e)
            if 0.5 < x < 1.7e308:
                out.append(x * rng.choice([-1, 1]))
        if len(out) >= n:
            break
    return out


def trig_points(seed):
    rng = random.Random(seed)
    xs = uniform(rng, -10, 10, 120) + spread(rng, 1e-10, 1e3, 60) + spread(rng, 1e3, 2.6e8, 80) + both(EDGES)
    xs += spread(rng, 2.7e8, 1.7e308, 90) + bits(rng, 40) + near_half_pi_multiples(rng, 60)
    for k in [1, 2, 3, 4, 5, 7, 100, 1001, 12345678, 170891318]:
        xs += ulps(k * math.pi / 2, 1) + ulps(k * math.pi / 4, 1)
    xs += ulps(2.0**28, 2) + [1.7976931348623157e308, -1.7976931348623157e308, 1e22, 2.0**1000, 2.0**52, 2.0**53]
    return [(x,) for x in xs]


def one(xs):
    return [(x,) for x in xs]


rng = random.Random(20261115)
file("sin", "x", lambda x: A(x).sin())(trig_points(1))
file("cos", "x", lambda x: A(x).cos())(trig_points(2))
file("tan", "x", lambda x: A(x).tan())(trig_points(3))

unit = uniform(rng, -1, 1, 220) + spread(rng, 1e-12, 1, 60) + both(EDGES) + both(ulps(0.5, 3)) + [1.0, -1.0, 0.0]
unit += [s * (1 - d) for d in [2.0**-53, 2.0**-52, 3e-16] + spread(rng, 1e-16, 0.5, 60, False) for s in (1, -1)]
file("asin", "x", lambda x: A(x).asin())(one(unit))
file("acos", "x", lambda x: A(x).acos())(one(unit))
atan_border = both(ulps(math.sqrt(2) - 1, 3) + ulps(math.sqrt(2) + 1, 3) + ulps(1.0, 3) + ulps(1e18, 1))
file("atan", "x", lambda x: A(x).atan())(
    one(uniform(rng, -5, 5, 200) + spread(rng, 1e-12, 1e20, 150) + both(EDGES) + atan_border + bits(rng, 60) + [0.0])
)
pairs = [(s, t) for s, t in zip(uniform(rng, -3, 3, 150), uniform(rng, -3, 3, 150))]
pairs += list(zip(spread(rng, 1e-300, 1e300, 80), spread(rng, 1e-300, 1e300, 80)))
pairs += list(zip(bits(rng, 80), bits(rng, 80)))
pairs += [(y, x) for y, x in zip(spread(rng, 1e-320, 1e-290, 30), spread(rng, 1e-10, 1e10, 30))]
pairs += [(y, x) for y, x in zip(spread(rng, 1e-323, 1e-308, 30), spread(rng, 1e-320, 1e-300, 30))]
pairs += [(r * x, x) for x in spread(rng, 1e-5, 1e5, 12) for r in (math.sqrt(2) - 1, 1.0, math.sqrt(2) + 1)]
pairs += [(1.0, -1e300), (1e300, 1.0), (1.7e308, 1.7e308), (-1.7e308, -1.7e308), (5e-324, 5e-324), (5e-324, -5e-324), (1e-20, 1e290), (1e-18, -1.0)]
file("atan2", "y\tx", lambda y, x: arb.atan2(A(y), A(x)))(pairs)

hyper = uniform(rng, -3, 3, 150) + uniform(rng, -40, 40, 60) + uniform(rng, -720, 720, 60) + spread(rng, 1e-12, 1, 60) + both(EDGES)
hyper += both(ulps(709.782712893384, 2) + ulps(710.4758600739439, 3) + ulps(math.log(2) / 2, 2) + ulps(22.0, 2) + [709.0, 710.0, 711.0, 0.3, 1.0, 20.0])
file("sinh", "x", lambda x: A(x).sinh())(one(hyper))
file("cosh", "x", lambda x: A(x).cosh())(one(hyper))
file("tanh", "x", lambda x: A(x).tanh())(one(uniform(rng, -3, 3, 200) + uniform(rng, -25, 25, 60) + spread(rng, 1e-12, 1, 80) + both(EDGES) + both(ulps(22.0, 2) + ulps(math.log(2) / 4, 2) + [19.0, 700.0, 1e300])))

def cube_root(x):
    return A(x).root(3) if x > 0 else -((-A(x)).root(3)) if x < 0 else A(0)

file("cbrt", "x", cube_root)(one(uniform(rng, -30, 30, 150) + bits(rng, 200) + both(EDGES) + [0.0] + [float(k**3) for k in range(-20, 21)] + ulps(8.0) + ulps(1.0) + ulps(2.0) + ulps(4.0)))
file("sqrt", "x", lambda x: A(x).sqrt())(one(uniform(rng, 0, 30, 100) + bits(rng, 150, True) + EDGES + [0.0] + [float(k * k) for k in range(20)]))

positive = spread(rng, 5e-324, 1.7e308, 100, False) + bits(rng, 100, True) + uniform(rng, 0.5, 2, 150) + EDGES
positive += [1 + s * d for d in spread(rng, 1e-16, 1e-3, 60, False) for s in (1, -1)] + ulps(1.0) + ulps(math.sqrt(0.5)) + ulps(math.sqrt(2))
file("log2", "x", lambda x: A(x).log() / A(2).log())(one(positive + [2.0**k for k in range(-1074, 1024, 61)]))
file("log10", "x", lambda x: A(x).log() / A(10).log())(one(positive + [10.0**k for k in range(23)]))
file("log+more", "x", lambda x: A(x).log())(one(positive))
file("log1p+more", "x", lambda x: A(x).log1p())(one(
    uniform(rng, -0.9999, 3, 200) + spread(rng, 1e-18, 1, 120, False) + [-x for x in spread(rng, 1e-18, 0.999, 80, False)]
    + spread(rng, 1, 1.7e308, 60, False) + both(EDGES) + [math.nextafter(-1, 0), -1 + 2.0**-52, -0.5, 1.0]
    + ulps(math.sqrt(2) - 1) + ulps(math.sqrt(0.5) - 1)))
file("exp+more", "x", lambda x: A(x).exp())(one(
    uniform(rng, -746, 710, 200) + uniform(rng, -2, 2, 150) + spread(rng, 1e-18, 1, 40) + both(EDGES)
    + [x for k in (-1074, -1022, -1, 0, 1, 5, 500, 1023) for x in ulps((k + 0.5) * math.log(2), 1)]
    + ulps(709.782712893384, 2) + uniform(rng, -745.2, -708, 60) + [-745.1332191019411, -745.1332191019412, -800.0]))
file("expm1+more", "x", lambda x: A(x).expm1())(one(
    uniform(rng, -40, 710, 120) + uniform(rng, -1.2, 1.2, 250) + spread(rng, 1e-18, 1, 60) + both(EDGES)
    + [x for k in (-3, -2, -1, 0, 1, 2, 3, 1023) for x in ulps((k + 0.5) * math.log(2), 2)] + ulps(709.782712893384, 2) + [-60.0, -61.0, -1000.0]))
powers = []
while len(powers) < 400:
    x = abs(bits(rng, 1)[0]) if rng.random() < 0.4 else math.exp(rng.uniform(-4, 4))
    if x in (0.0, 1.0):
        continue
    powers.append((x, rng.uniform(-745, 709.7) / math.log(x)))
powers += [(1 + d, rng.uniform(-700, 700) / math.log1p(d)) for d in spread(rng, 1e-15, 1e-2, 60)]
powers += [(float(x), float(y)) for x in (-7, -3, -2, -1, -0.5, 0.5, 2, 3, 10) for y in (-301, -7, -2, -1, 1, 2, 3, 17, 300)]
powers += [(x, y) for x in (0.3, 2.0, 7.5) for y in (5e-324, 1e-300, 1e-18, -1e-18, 0.5, -0.5, 1 / 3)]
file("pow+more", "x\ty", lambda x, y: A(x) ** A(y) if x > 0 else A(x) ** int(y))(powers)


# ------------------------------------------------------------------ error functions
file("erf", "x", lambda x: A(x).erf())(one(uniform(rng, -6.2, 6.2, 150) + uniform(rng, -1.5, 1.5, 150) + spread(rng, 1e-12, 1, 60) + both(EDGES) + both(ulps(1.0) + ulps(0.5) + ulps(6.0, 1)) + [0.0, 30.0, -1e300]))
file("erfc", "x", lambda x: A(x).erfc())(one(uniform(rng, -6.2, 27.3, 200) + uniform(rng, -1.5, 3, 150) + spread(rng, 1e-12, 1, 40) + both(EDGES) + both(ulps(1.0) + ulps(0.5)) + [0.0, 26.5, 27.2, 27.226, 27.25, 28.0, 30.0, -30.0, 1e300] + uniform(rng, 26, 27.3, 30)))


def erf_inverse(p):
    return A(p).erfinv() if p else A(0)


def erfc_inverse(q):
    return A(q).erfcinv() if q != 1 else A(0)


file("erfinv", "p", erf_inverse)(one(uniform(rng, -1, 1, 250) + spread(rng, 1e-12, 1, 60) + both(EDGES[3:]) + both(ulps(0.75)) + [s * (1 - d) for d in [2.0**-53] + spread(rng, 1e-16, 0.25, 60, False) for s in (1, -1)] + [0.0]))
file("erfcinv", "q", erfc_inverse)(one(uniform(rng, 0, 2, 200) + spread(rng, 5e-324, 1, 150, False) + EDGES + ulps(0.25) + ulps(1.75) + ulps(0.5, 1) + [1 + s * d for d in spread(rng, 1e-15, 0.5, 40, False) for s in (1, -1)] + [2 - d for d in spread(rng, 1e-15, 0.25, 30, False)]))

# ------------------------------------------------------------------ (1 + x)^y
powers1 = [(d, rng.uniform(-700, 700) / math.log1p(d)) for d in spread(rng, 1e-17, 0.9, 200) + spread(rng, 1, 1e300, 60, False)]
powers1 += [(x, y) for x in (1e-300, -1e-300, 1e-20, 1e-17, -1e-17, 0.5, -0.5) for y in (1e-5, 0.5, 1.0, -3.0, 1e10, 1e17)]
powers1 += [(float(x), float(y)) for x in (-3, -2.5, -5) for y in (-3, -2, 2, 5)]
file("pow1p", "x\ty", lambda x, y: ((1 + A(x)).log() * A(y)).exp() if x > -1 else (1 + A(x)) ** int(y))(powers1)

# ------------------------------------------------------------------ digamma next to its zeros, and far out
zeros = [1.4616321449683622, -0.5040830082644554, -1.5734984731623904, -2.6107208684441446, -3.6352933664369010, -4.6532377617431424, -9.7026725400018637, -19.7]
dig = [z + s * d for z in zeros for d in [1e-1, 1e-2, 1e-3, 1e-4] for s in (1, -1)] + ulps(zeros[0], 20)
dig += [zeros[0] + s * d for d in spread(rng, 1e-16, 0.2, 40, False) for s in (1, -1)]
dig += spread(rng, 1e-300, 1e300, 80, False) + uniform(rng, 0, 20, 100) + uniform(rng, -60, 0, 80) + [-40.1, -39.9, -123456.7, -1e8 - 0.25] + ulps(10.0, 1)
file("digamma+more", "x", lambda x: A(x).digamma())(one(dig))


# ------------------------------------------------------------------ decimal rounding: exact rationals
def rounded(x, places):
    grid = Fraction(10) ** (-places)
    return A(0) + arb_of(Fraction(round(Fraction(x) / grid)) * grid)


def arb_of(f):
    from flint import fmpq

    return A(fmpq(f.numerator, f.denominator))


def significant(x, digits):
    if x == 0:
        return A(0)
    f, e = abs(Fraction(x)), 0
    e = math.floor(math.log10(abs(x)))
    while Fraction(10) ** e > f:
        e -= 1
    while Fraction(10) ** (e + 1) <= f:
        e += 1
    return rounded(x, int(digits) - 1 - e)


places = [(x, float(d)) for x in uniform(rng, -1000, 1000, 60) + [0.15, 0.25, 0.35, 2.5, -1.5, 5.015, 2.675, 1234567.891, 0.5, 55.0, 150.0, 250.0, 1e15 + 0.3] for d in (-3, -2, -1, 0, 1, 2, 5, 10, 15)]
places += [(x, float(d)) for x, d in [(1e300, -299), (1.5e300, -300), (1e-300, 301), (1.2345e-310, 315), (123e-320, 322), (2.5e22, -22), (1.7e308, -308)]]
file("fround", "x\tdigits", lambda x, d: rounded(x, int(d)))(places)
prec = [(x, float(d)) for x in spread(rng, 1e-300, 1e300, 60) + [123456.0, 0.00012345, 9.9999, 999.9999999999999, 0.15, 2.5, 1e22, 1e-5, 5e-324, 1.7e308] for d in (1, 2, 3, 7, 15)]
file("fprec", "x\tdigits", significant)(prec)


# ------------------------------------------------------------------ the binomial density of real arguments
def raw_binomial(x, n, p, q, log):
    """q is 1 - p, or p is 1 - q, rounded: the smaller one is exact, the other not rounded."""
    assert p == 1 - q or q == 1 - p
    X, N = A(x), A(n)
    P, Q = (A(p), 1 - A(p)) if p <= q else (1 - A(q), A(q))
    l = oracle.lbinc(N, X) if 0 < x < n else A(0)
    l += (X * P.log() if x > 0 else 0) + ((N - X) * Q.log() if x < n else 0)
    return oracle.dens(l, log)


def raw_points(rng, count):
    for i in range(count):
        n = rng.choice([rng.uniform(0.01, 3), rng.uniform(1, 100), float(rng.randint(1, 1500)), math.exp(rng.uniform(0, 25)),
                        1024 * (1 + rng.choice([-1, 0, 1]) * 10 ** rng.uniform(-15, -1))])
        p = rng.choice([rng.random(), rng.random(), 10 ** rng.uniform(-12, 0), 10 ** rng.uniform(-280, 0)])
        p, q = (p, 1 - p) if rng.random() < 0.7 else (1 - p, p)
        sd = math.sqrt(n * p * q)
        x = rng.choice([n * rng.random(), n * p + rng.gauss(0, 3) * sd, n * p + rng.gauss(0, 30) * sd, rng.uniform(0, 2),
                        n - rng.uniform(0, 2), 10 ** rng.uniform(-20, 0)])
        x = min(max(x, 0.0), n)
        if rng.random() < 0.4:
            x = min(float(round(x)), n)
        if 0 < p < 1 and 0 < q < 1:
            yield x, n, p, q, i % 2


file("dbinom_raw", "x\tn\tp\tq\tlog", raw_binomial)(list(raw_points(random.Random("dbinom_raw"), 500)))


def main():
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "values")
    for name in sys.argv[1:] or FILES:
        columns, f, points = FILES[name]
        lines, seen = [], set()
        for p in points:
            if p in seen:
                continue
            seen.add(p)
            try:
                value = oracle.certify(f, p)
                if "e-" in value and len(value.split("e-")[1]) > 8:
                    value = "0"  # far below every double
                lines.append("\t".join([repr(float(x)) for x in p] + [value]))
            except oracle.Drop:
                print(f"{name}: dropped {p}", file=sys.stderr)
        with open(os.path.join(here, name + ".tsv"), "w") as out:
            out.write(columns + "\texpected\n" + "\n".join(lines) + "\n")
        print(name, len(lines))


if __name__ == "__main__":
    main()
