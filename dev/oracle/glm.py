#!/usr/bin/env python3
"""Reference data of crates/glm: rows and whole models at 30 digits, from the definitions in docs/glm.md (own code; mpmath).

Derivatives are central differences at 100 and more digits, so they share no formula with the kernels. Needs: pip install mpmath.
Usage: glm.py          writes glm/rows.tsv and glm/models.txt beside this file
       glm.py --fits   prints the coefficients of the polynomials in kernels/logit.rs and kernels/cloglog.rs
"""
import os, random, sys
from mpmath import mp, mpf, atan, binomial, cos, erfc, exp, expm1, log, log1p, loggamma, lu_solve, matrix, pi, sqrt, atanh

mp.dps = 100
STEP = mpf(10) ** -30

# ---------------------------------------------------------------- minus the logarithms of both binomial tails
def logit(eta):
    return log1p(exp(-eta)), log1p(exp(eta))

def symmetric(tail):
    """From the tail function at z >= 0."""
    def both(eta):
        q = tail(abs(eta))
        near, far = -log1p(-q), -log(q)
        return (near, far) if eta >= 0 else (far, near)
    return both

probit = symmetric(lambda z: erfc(z / sqrt(mpf(2))) / 2)
cauchit = symmetric(lambda z: (pi / 2 - atan(z)) / pi if z < 1 else atan(1 / z) / pi)

def cloglog(eta):
    x = exp(eta)
    if eta > 20:  # exp(-x) is below 1e-200000000
        return mpf(0), x
    return -log(-expm1(-x)), x

def log_tails(eta):
    """The log link: p = exp(eta), eta < 0."""
    return -eta, -log(-expm1(eta))

TAILS = {"logit": logit, "probit": probit, "cauchit": cauchit, "cloglog": cloglog}
LINKS = dict(TAILS, log=log_tails)

# ---------------------------------------------------------------- the parts of a row's value, constant ones last
def parts(family, link, size, y, wt, eta):
    """The value is their sum. The second list is the mean of the parts over the response: for the expected curvature."""
    if wt == 0:
        return [mpf(0)]
    if family in ("binomial", "quasibinomial"):
        success, failure = LINKS[link](eta)
        if family == "quasibinomial":
            return [wt * y * success, wt * (1 - y) * failure]
        n, k = mp.nint(wt), mp.nint(wt * y)
        return [k * success, (n - k) * failure, -log(binomial(n, k))]
    mu = mean(family, link, eta)
    if family in ("poisson", "quasipoisson"):
        constant = wt * loggamma(y + 1) if family == "poisson" else mpf(0)
        return [wt * mu, -wt * y * log(mu), constant]
    if family == "Gamma":
        return [wt * log(mu), wt * y / mu, loggamma(wt) - wt * log(wt), -(wt - 1) * log(y)]
    if family == "gaussian":
        return [wt * (y - mu) ** 2 / 2, log(2 * pi / wt) / 2]
    if family == "inverse.gaussian":
        return [wt * y / mu ** 2 / 2, -wt / mu, wt / y / 2, log(2 * pi * y ** 3 / wt) / 2]
    if family == "negative.binomial":
        success, failure = logit(eta - log(size)) if link == "log" else (log1p(size / mu), log1p(mu / size))
        constant = loggamma(y + size) - loggamma(size) - loggamma(y + 1)
        return [wt * y * success, wt * size * failure, -wt * constant]
    raise ValueError(family)

def value(*row):
    return sum(parts(*row))

def differences(row):
    """First and second derivatives of each part with respect to eta."""
    family, link, size, y, wt, eta = row
    h = STEP * max(1, abs(eta)) if eta != 0 else STEP
    if domain(family, link) != "any":
        h = STEP * abs(eta)
    low, mid, high = (parts(family, link, size, y, wt, e) for e in (eta - h, eta, eta + h))
    first = [(b - a) / (2 * h) for a, b in zip(low, high)]
    second = [(a - 2 * m + b) / (h * h) for a, m, b in zip(low, mid, high)]
    return mid, first, second

def mean(family, link, eta):
    if link in TAILS:
        return exp(-TAILS[link](eta)[0])
    return {"log": exp, "identity": lambda e: e, "inverse": lambda e: 1 / e, "sqrt": lambda e: e * e,
            "1/mu^2": lambda e: 1 / sqrt(e)}[link](eta)

def domain(family, link):
    """Which predictors a link takes."""
    if family in ("binomial", "quasibinomial"):
        return "negative" if link == "log" else "any"
    if family == "gaussian":
        return "not zero" if link == "inverse" else "any"
    return "positive" if link in ("inverse", "identity", "sqrt", "1/mu^2") else "any"

def into_domain(family, link, eta):
    if link == "inverse" and family == "Gamma":
        return abs(eta) or 0.25
    where = domain(family, link)
    if (family, link) in (("gaussian", "log"), ("inverse.gaussian", "log")):
        return max(-300.0, min(300.0, eta))
    if where == "any":
        return eta
    size = min(max(abs(eta), 1e-8), 700.0) or 0.25
    return {"positive": size, "negative": -size, "not zero": size if eta >= 0 else -size}[where]

def fisher(family, link, size, y, wt, eta):
    """The second derivative is linear in the response: its expectation is its value at the mean."""
    if wt == 0:
        return mpf(0)
    if family in ("binomial", "quasibinomial"):
        p = mean(family, link, eta)
        q = exp(-LINKS[link](eta)[1])
        _, _, second = differences(("quasibinomial", link, size, mpf(1), wt, eta))
        _, _, other = differences(("quasibinomial", link, size, mpf(0), wt, eta))
        return p * second[0] + q * other[1]
    return sum(differences((family, link, size, mean(family, link, eta), wt, eta))[2])

def deviance(family, link, size, y, wt, eta):
    if wt == 0:
        return mpf(0)
    xlogx = lambda a, b: a * log(a / b) if a > 0 else mpf(0)
    if family in ("binomial", "quasibinomial"):
        n, k = wt, wt * y
        if family == "binomial":
            n, k = mp.nint(n), mp.nint(k)
        success, failure = LINKS[link](eta)
        return 2 * (xlogx(k, n) + k * success + xlogx(n - k, n) + (n - k) * failure)
    if family in ("poisson", "quasipoisson"):
        mu = mean(family, link, eta)
        return 2 * wt * (xlogx(y, mu) + mu - y)
    mu = mean(family, link, eta)
    if family == "Gamma":
        return 2 * wt * (y / mu - 1 - log(y / mu))
    if family == "gaussian":
        return wt * (y - mu) ** 2
    if family == "inverse.gaussian":
        return wt * (y - mu) ** 2 / (y * mu ** 2)
    return 2 * wt * (xlogx(y, mu) - (y + size) * log((y + size) / (mu + size)))

# ---------------------------------------------------------------- what is tested
MODELS = [("binomial", link, 0.0) for link in TAILS] + [("quasibinomial", link, 0.0) for link in TAILS] + [
    ("poisson", "log", 0.0), ("quasipoisson", "log", 0.0), ("Gamma", "log", 0.0), ("Gamma", "inverse", 0.0),
    ("gaussian", "identity", 0.0), ("negative.binomial", "log", 0.7), ("negative.binomial", "log", 3.0),
    ("negative.binomial", "log", 10000.0)] + [("binomial", "log", 0.0), ("quasibinomial", "log", 0.0)] + [
    (family, link, 0.0) for family in ("poisson", "quasipoisson") for link in ("identity", "sqrt")] + [
    ("Gamma", "identity", 0.0), ("gaussian", "log", 0.0), ("gaussian", "inverse", 0.0)] + [
    ("inverse.gaussian", link, 0.0) for link in ("1/mu^2", "inverse", "identity", "log")] + [
    ("negative.binomial", link, size) for link in ("sqrt", "identity") for size in (0.7, 3.0, 10000.0)]
EXTREME = [0.0, 1e-300, 1e-17, 1e-8, 0.001, 0.1, 0.5, 0.9999, 1.0, 2.5, 5.0, 7.0, 10.0, 20.0, 30.5, 35.0, 37.6, 40.0, 100.0,
           300.0, 500.0, 690.0, 700.0]

def response(rng, family):
    """A response and a weight."""
    if family == "binomial":
        n = rng.choice([1, 1, 1, 2, 7, 50])
        return rng.randint(0, n) / n, float(n)
    if family == "quasibinomial":
        return rng.choice([0.0, 1.0, rng.random(), rng.random()]), rng.choice([1.0, 0.25, rng.random() * 5])
    wt = rng.choice([1.0, 1.0, rng.random() * 3, rng.random() * 30])
    if family in ("poisson", "negative.binomial"):
        return float(rng.choice([0, 1, 2, 5, rng.randint(0, 300)])), wt
    if family == "quasipoisson":
        return rng.choice([0.0, rng.random() * 10]), wt
    if family in ("Gamma", "inverse.gaussian"):
        return rng.choice([rng.random(), rng.random() * 100, 1e-6]), wt
    return rng.gauss(0, 10), wt

def text(v):
    return mp.nstr(mpf(v), 30)

def rows(out):
    out.write("family\tlink\tsize\ty\twt\teta\tvalue\tvalue_scale\tgradient\tgradient_scale\thessian\thessian_scale"
              "\tfisher\tdeviance\n")
    rng = random.Random(7)
    for family, link, size in MODELS:
        etas = EXTREME + [rng.gauss(0, 3) for _ in range(20)] + [rng.uniform(-700, 700) for _ in range(10)]
        etas += [-e for e in etas if e != 0]
        for eta in etas:
            eta = into_domain(family, link, eta)
            y, wt = response(rng, family)
            # A second derivative may be exp(-|eta|) of the value, and the step is squared.
            mp.dps = 170 + int(abs(eta) / 2)
            row = (family, link, mpf(size), mpf(y), mpf(wt), mpf(eta))
            v, d, h = differences(row)
            # How far an error of one part in itself and of one ulp in the predictor moves the result.
            reach = abs(mpf(eta)) + (abs(log(mpf(size))) if size and link == "log" else 0)
            third = [abs(s) * (reach + 1) for s in h]
            out.write("\t".join([family, link, repr(size), repr(y), repr(wt), repr(eta), text(sum(v)),
                text(sum(map(abs, v)) + abs(sum(d)) * reach), text(sum(d)),
                text(sum(map(abs, d)) + sum(map(abs, h)) * reach), text(sum(h)), text(sum(third)),
                text(fisher(*row)), text(deviance(*row))]) + "\n")
    mp.dps = 100

def models(out):
    """Whole models: 150 rows, so that there are three blocks, the last one short."""
    rng = random.Random(11)
    count, n = 150, 4
    line = lambda name, values: out.write(name + "\t" + "\t".join(v if isinstance(v, str) else repr(v) for v in values) + "\n")
    for family, link, size in MODELS:
        # Of a domain other than all numbers: all columns, offsets and coefficients are positive, or the latter negative.
        where = domain(family, link)
        positive = where != "any"
        x = [[1.0] + [rng.random() if positive else rng.gauss(0, 1) for _ in range(n - 1)] for _ in range(count)]
        pairs = [response(rng, family) for _ in range(count)]
        offset = [rng.random() * 0.1 if positive else rng.gauss(0, 0.3) for _ in range(count)]
        y, wt = [p[0] for p in pairs], [p[1] for p in pairs]
        if family != "gaussian":
            wt[17] = 0.0
        mu = [rng.gauss(0, 1) for _ in range(n)]
        root = [[rng.gauss(0, 1) for _ in range(n)] for _ in range(n)]
        precision = [[sum(root[i][k] * root[j][k] for k in range(n)) for j in range(n)] for i in range(n)]
        precision = [[(precision[i][j] + precision[j][i]) / 2 for j in range(n)] for i in range(n)]
        scales = [0.05, 0.5, 1.0, 3.0, 20.0, 150.0]
        if (family, link) in (("gaussian", "log"), ("inverse.gaussian", "log")):
            scales = [0.05, 0.5, 1.0, 3.0, 5.0, 10.0]
        grid = [[(abs(rng.gauss(0, s)) if positive else rng.gauss(0, s)) for _ in range(n)] for s in scales]
        if where == "negative":
            offset = [-o for o in offset]
            grid = [[-b for b in point] for point in grid]
        out.write("\t".join(["model", family, link, repr(size)]) + "\n")
        line("x", [v for row in x for v in row])
        line("y", y)
        line("wt", wt)
        line("offset", offset)
        line("prior_mean", mu)
        line("prior_precision", [v for row in precision for v in row])
        for b in grid:
            total, scale = mpf(0), mpf(0)
            gradient, gradient_scale = [mpf(0)] * n, [mpf(0)] * n
            for i in range(count):
                terms = [mpf(x[i][j]) * mpf(b[j]) for j in range(n)] + [mpf(offset[i])]
                reach = sum(map(abs, terms)) + (abs(log(mpf(size))) if size and link == "log" else 0)
                v, d, h = differences((family, link, mpf(size), mpf(y[i]), mpf(wt[i]), sum(terms)))
                total += sum(v)
                scale += sum(map(abs, v)) + abs(sum(d)) * reach
                for j in range(n):
                    gradient[j] += x[i][j] * sum(d)
                    gradient_scale[j] += abs(x[i][j]) * (sum(map(abs, d)) + sum(map(abs, h)) * reach)
            difference = [mpf(b[j]) - mpf(mu[j]) for j in range(n)]
            for j in range(n):
                products = [mpf(precision[j][k]) * difference[k] for k in range(n)]
                total += sum(products) * difference[j] / 2
                scale += sum(map(abs, products)) * abs(difference[j])
                gradient[j] += sum(products)
                gradient_scale[j] += sum(map(abs, products)) * 2
            line("point", b)
            line("value", [text(total), text(scale)])
            line("gradient", [text(g) for g in gradient])
            line("gradient_scale", [text(g) for g in gradient_scale])

# ---------------------------------------------------------------- the polynomials of kernels/logit.rs and cloglog.rs
def interpolate(f, low, high, degree):
    """At Chebyshev's nodes, lowest power first."""
    nodes = [(low + high) / 2 + (high - low) / 2 * cos(pi * (2 * i + 1) / (2 * degree + 2)) for i in range(degree + 1)]
    powers = matrix(degree + 1, degree + 1)
    for i, x in enumerate(nodes):
        for j in range(degree + 1):
            powers[i, j] = x ** j
    return [float(c) for c in lu_solve(powers, matrix([f(x) for x in nodes]))]

def fits():
    half = log(mpf(2)) / 2 * (1 + mpf(2) ** -10)
    print("exp_tail  ", interpolate(lambda r: (exp(r) - 1 - r) / r ** 2 if abs(r) > mpf(10) ** -30 else mpf(1) / 2, -half, half, 9))
    print("atanh_tail", [2 * c for c in interpolate(lambda u: (atanh(sqrt(u)) / sqrt(u) - 1) / u, mpf(0), mpf(1) / 9, 9)])
    print("mean_ratio", interpolate(lambda x: -expm1(-x) / x, mpf(0), mpf(1), 11))

if __name__ == "__main__":
    if sys.argv[1:] == ["--fits"]:
        fits()
    else:
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "glm")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "rows.tsv"), "w") as out:
            rows(out)
        with open(os.path.join(folder, "models.txt"), "w") as out:
            models(out)
