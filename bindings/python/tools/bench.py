"""`cargo xtask bench python`: ratios of one run against SciPy, pandas, numexpr, polars and NumPy, and the time of the import.

A ratio is the other's time over ours: 2 means that ours takes half as long. Each time is the best of several.
"""

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
    print(f"{what:<28} {unit:>10}   {ratios}", flush=True)


def scalars():
    from scipy import special, stats

    print("one value")
    line(
        "pnorm(0.7)",
        per_call(lambda: gm.pnorm(0.7)),
        {"scipy.special.ndtr": per_call(lambda: special.ndtr(0.7)), "scipy.stats": per_call(lambda: stats.norm.cdf(0.7), 200)},
    )
    line(
        "pgamma(2, 2.5)",
        per_call(lambda: gm.pgamma(2.0, 2.5)),
        {
            "scipy.special.gammainc": per_call(lambda: special.gammainc(2.5, 2.0)),
            "scipy.stats": per_call(lambda: stats.gamma.cdf(2.0, 2.5), 200),
        },
    )


def arrays(n):
    from scipy import special, stats

    rng = np.random.default_rng(1)
    x, u = rng.normal(size=n), rng.random(n)
    g = np.abs(x) + 0.1
    print(f"{n:,} values, on one and on two threads")
    cases = {
        "dnorm": (lambda: gm.dnorm(x), {"scipy.stats": lambda: stats.norm.pdf(x)}),
        "pnorm": (lambda: gm.pnorm(x), {"ndtr": lambda: special.ndtr(x)}),
        "pgamma(x, 2.5)": (lambda: gm.pgamma(g, 2.5), {"gammainc": lambda: special.gammainc(2.5, g)}),
        "qbeta(u, 2, 3)": (lambda: gm.qbeta(u, 2.0, 3.0), {"betaincinv": lambda: special.betaincinv(2.0, 3.0, u)}),
        "lgamma": (lambda: gm.lgamma(g), {"gammaln": lambda: special.gammaln(g)}),
    }
    before = gm.get_num_threads()
    for name, (ours, others) in cases.items():
        times = {other: best(function, 3) for other, function in others.items()}
        for threads in (1, 2):
            gm.set_num_threads(threads)
            line(f"{name}, {threads} thread{'s' * (threads > 1)}", best(ours, 3), times)
    gm.set_num_threads(before)


def expressions(n):
    rng = np.random.default_rng(1)
    table = {"x": rng.normal(size=n), "y": rng.normal(size=n)}
    print(f"z = (x - y) / 2 + x * y, {n:,} rows")
    others = {}
    try:
        import pandas

        frame = pandas.DataFrame(table)
        others["pandas.eval"] = best(lambda: frame.eval("(x - y) / 2 + x * y"), 3)
    except ImportError:
        pass
    try:
        import numexpr

        x, y = table["x"], table["y"]
        others["numexpr"] = best(lambda: numexpr.evaluate("(x - y) / 2 + x * y", {"x": x, "y": y}), 3)
    except ImportError:
        pass
    try:
        import polars

        data = polars.DataFrame(table)
        text = (polars.col("x") - polars.col("y")) / 2 + polars.col("x") * polars.col("y")
        others["polars"] = best(lambda: data.select(z=text), 3)
    except ImportError:
        pass
    line("eval", best(lambda: gm.eval("z = (x - y) / 2 + x * y", table, only=True), 3), others)


def models():
    rng = np.random.default_rng(1)
    x = np.column_stack([np.ones(20_000), rng.normal(size=(20_000, 4))])
    y = (rng.random(20_000) < 0.5).astype(float)
    grid = rng.normal(size=(500, 5)) * 0.2
    data = gm.GlmData(x, y, family="binomial")

    def numpy():
        eta = x @ grid.T
        return np.logaddexp(0, eta).sum(0) - y @ eta, (1 / (1 + np.exp(-eta)) - y[:, None]).T @ x

    print("binomial posterior and gradient, 20,000 rows, 500 points")
    line("GlmData.evaluate", best(lambda: data.evaluate(grid), 3), {"NumPy": best(numpy, 3)})


def imports():
    program = "import numpy, time; t = time.perf_counter(); import gristmill; print(time.perf_counter() - t)"
    times = [float(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout) for _ in range(7)]
    print(f"import after numpy: {min(times) * 1e3:.1f} ms")


if __name__ == "__main__":
    size = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**6
    gm.show_config()
    imports()
    scalars()
    arrays(size)
    expressions(size * 10)
    models()
