"""`cargo xtask bench python [--dev] [N]`: ratios of one run against SciPy, pandas, numexpr, polars and NumPy, and the time of the
import.

A ratio is the other's time over ours: 2 means that ours takes half as long. Each time is the best of several. `N` is the length of
arrays (1e6); tables have ten times as many rows.
"""

import importlib
import subprocess
import sys
import time

import numpy as np

import gristmill as gm


def best(function, repeats=5):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def per_call(function, calls=2000):
    def loop():
        for _ in range(calls):
            function()

    return best(loop) / calls


def line(what, ours, others):
    ratios = ", ".join(f"{ratio:.2f} x {name}" for name, ratio in ((n, t / ours) for n, t in others.items()))
    unit = f"{ours * 1e6:.2f} us" if ours < 1e-3 else f"{ours * 1e3:.1f} ms"
    print(f"  {what:<28} {unit:>10}   {ratios}", flush=True)


def scalars():
    from scipy import special, stats

    print("one value (goal: 20 x scipy.stats, never slower than scipy.special)")
    cases = {
        "dnorm(0.7)": (lambda: gm.dnorm(0.7), {"scipy.stats": (lambda: stats.norm.pdf(0.7), 200)}),
        "pnorm(0.7)": (
            lambda: gm.pnorm(0.7),
            {"scipy.special.ndtr": (lambda: special.ndtr(0.7), 2000), "scipy.stats": (lambda: stats.norm.cdf(0.7), 200)},
        ),
        "ufuncs.pnorm(0.7, 0, 1, …)": (
            lambda: gm.ufuncs.pnorm(0.7, 0.0, 1.0, True, False),
            {"scipy.special.ndtr": (lambda: special.ndtr(0.7), 2000), "scipy.stats": (lambda: stats.norm.cdf(0.7), 200)},
        ),
        "stats.norm.cdf(0.7)": (lambda: gm.stats.norm.cdf(0.7), {"scipy.stats": (lambda: stats.norm.cdf(0.7), 200)}),
        "pgamma(2, 2.5)": (
            lambda: gm.pgamma(2.0, 2.5),
            {
                "scipy.special.gammainc": (lambda: special.gammainc(2.5, 2.0), 2000),
                "scipy.stats": (lambda: stats.gamma.cdf(2.0, 2.5), 200),
            },
        ),
        "qbeta(0.3, 2, 3)": (
            lambda: gm.qbeta(0.3, 2.0, 3.0),
            {
                "scipy.special.betaincinv": (lambda: special.betaincinv(2.0, 3.0, 0.3), 2000),
                "scipy.stats": (lambda: stats.beta.ppf(0.3, 2.0, 3.0), 200),
            },
        ),
        "lgamma(2.5)": (lambda: gm.lgamma(2.5), {"scipy.special.gammaln": (lambda: special.gammaln(2.5), 2000)}),
    }
    for name, (ours, others) in cases.items():
        line(name, per_call(ours), {other: per_call(function, calls) for other, (function, calls) in others.items()})


def arrays(n):
    from scipy import special, stats

    rng = np.random.default_rng(1)
    x, u = rng.normal(size=n), rng.random(n)
    g = np.abs(x) + 0.1
    print(f"{n:,} values, on one and on two threads (goal: 5 x SciPy on two, never slower than scipy.special)")
    cases = {
        "dnorm": (lambda: gm.dnorm(x), {"scipy.stats": lambda: stats.norm.pdf(x)}),
        "pnorm": (lambda: gm.pnorm(x), {"ndtr": lambda: special.ndtr(x), "scipy.stats": lambda: stats.norm.cdf(x)}),
        "pgamma(x, 2.5)": (
            lambda: gm.pgamma(g, 2.5),
            {"gammainc": lambda: special.gammainc(2.5, g), "scipy.stats": lambda: stats.gamma.cdf(g, 2.5)},
        ),
        "qbeta(u, 2, 3)": (
            lambda: gm.qbeta(u, 2.0, 3.0),
            {"betaincinv": lambda: special.betaincinv(2.0, 3.0, u), "scipy.stats": lambda: stats.beta.ppf(u, 2.0, 3.0)},
        ),
        "lgamma": (lambda: gm.lgamma(g), {"gammaln": lambda: special.gammaln(g)}),
    }
    before = gm.get_num_threads()
    for name, (ours, others) in cases.items():
        times = {other: best(function, 3) for other, function in others.items()}
        for threads in (1, 2):
            gm.set_num_threads(threads)
            line(f"{name}, {threads} thread{'s' * (threads > 1)}", best(ours, 3), times)
    gm.set_num_threads(before)


def rival(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"  {name} is not installed, and left out")
        return None


def expressions(n):
    rng = np.random.default_rng(1)
    table = {"x": rng.normal(size=n), "y": rng.normal(size=n)}
    x, y = table["x"], table["y"]
    print(f"expressions over {n:,} rows, {gm.get_num_threads()} threads (goal: faster than all)")
    pandas, numexpr, polars = rival("pandas"), rival("numexpr"), rival("polars")
    cases = {"(x - y) / 2 + x * y": None, "exp(-x * x / 2) * sqrt(abs(y))": None}
    for text in cases:
        others = {}
        if pandas:
            frame = pandas.DataFrame(table)
            others["pandas.eval"] = best(lambda: frame.eval(text), 3)
        if numexpr:
            others["numexpr"] = best(lambda: numexpr.evaluate(text, {"x": x, "y": y}), 3)
        if polars:
            data = polars.DataFrame(table)
            a, b = polars.col("x"), polars.col("y")
            lazy = (a - b) / 2 + a * b if text.startswith("(x") else (-a * a / 2).exp() * b.abs().sqrt()
            others["polars"] = best(lambda: data.select(z=lazy), 3)
        line(text, best(lambda: gm.eval(f"z = {text}", table, only=True), 3), others)


def models(n):
    rng = np.random.default_rng(1)
    rows = max(n // 50, 100)
    x = np.column_stack([np.ones(rows), rng.normal(size=(rows, 4))])
    y = (rng.random(rows) < 0.5).astype(float)
    grid = rng.normal(size=(500, 5)) * 0.2
    data = gm.GlmData(x, y, family="binomial")

    def numpy():
        eta = x @ grid.T
        return np.logaddexp(0, eta).sum(0) - y @ eta, (1 / (1 + np.exp(-eta)) - y[:, None]).T @ x

    print(f"binomial posterior and gradient, {rows:,} rows, {len(grid)} points")
    values, gradients = data.evaluate(grid)
    assert np.allclose(values, numpy()[0]) and np.allclose(gradients, numpy()[1])
    line("GlmData.evaluate", best(lambda: data.evaluate(grid), 3), {"NumPy": best(numpy, 3)})


def imports():
    program = "import numpy, time; t = time.perf_counter(); import gristmill; print(time.perf_counter() - t)"
    times = [float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout) for _ in range(7)]
    print(f"import after numpy: {min(times) * 1e3:.1f} ms (goal: under 50)")


if __name__ == "__main__":
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    gm.show_config()
    imports()
    scalars()
    arrays(size)
    expressions(size * 10)
    models(size)
