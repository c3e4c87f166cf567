"""Ctrl-C stops what takes long, within a second, and the process can go on."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")

# A timer presses Ctrl-C.
PROGRAM = """
import os, signal, threading, time
import numpy as np
import gristmill as gm

gm.set_num_threads({threads})
{setup}
def press():
    global pressed
    pressed = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer(0.7, press).start()
start = time.perf_counter()
try:
    {work}
    print("ended by itself after", time.perf_counter() - start)
except KeyboardInterrupt:
    print("interrupted", time.perf_counter() - pressed)
    # Nothing of it is left: no pending error, no flag that stops what comes next.
    assert gm.pnorm(0.0) == 0.5 and gm.pnorm(np.zeros(100_000))[-1] == 0.5
    {after}
    # What was told to stop does so: it does not keep a core busy.
    time.sleep(0.8)
    before = time.process_time()
    time.sleep(0.3)
    print("busy", time.process_time() - before)
"""

GLM = """
rng = np.random.default_rng(1)
X = rng.normal(size=(20_000, 30))
y = (rng.random(20_000) < 0.5).astype(float)
data = gm.GlmData(X, y, family="binomial")
grid = rng.normal(size=(60_000, 30)) * 0.1
"""

FIT = """
rng = np.random.default_rng(1)
table = {"y": rng.poisson(3, 400_000).astype(float)}
for k in range(40):
    table[f"x{k}"] = rng.normal(size=400_000)
formula = "y ~ " + " + ".join(name for name in table if name != "y")
"""

CASES = {
    "a long array": (2, "x = np.full(40_000_000, 0.3)", "gm.qbeta(x, 2.0, 3.0, out=x)", "pass"),
    "a long array, one thread": (1, "x = np.full(40_000_000, 0.3)", "gm.qbeta(x, 2.0, 3.0, out=x)", "pass"),
    "many short rows": (1, "x = np.full((400_000, 100), 0.3)[:, ::2]", "gm.qbeta(x, 2.0, 3.0)", "pass"),
    # NumPy converts the other buffers all the same, which takes a nanosecond or two for each element.
    "buffers of NumPy's": (1, "x = np.full(40_000_000, 0.3, dtype=np.float16)", "gm.qbeta(x, 2.0, 3.0)", "pass"),
    "a grid": (2, GLM, "data.evaluate(grid)", "assert data.evaluate(grid[:3])[0].shape == (3,)"),
    "a part": (2, GLM, "data.partial(grid)", "assert data.partial(grid[:3]).rows == (0, 20_000)"),
    "a fit": (2, FIT, "gm.glm(formula, table, family='poisson')", "pass"),
    "expressions": (1, "x = np.full(30_000_000, 0.3)", "gm.eval('z = qbeta(x, 2, 3)', {'x': x})", "pass"),
}


@pytest.mark.parametrize("case", CASES)
def test_ctrl_c_stops_it_within_a_second(case):
    threads, setup, work, after = CASES[case]
    program = PROGRAM.format(threads=threads, setup=setup, work=work, after=after)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    words = done.stdout.split()
    assert words[:1] == ["interrupted"], (done.stdout, done.stderr[-2000:])
    assert float(words[1]) < 1.0, done.stdout
    assert float(words[3]) < 0.15, done.stdout


def test_a_thread_that_gets_no_signals_computes_to_its_end():
    program = """
import threading, numpy as np, gristmill as gm
x, results = np.linspace(-3, 3, 3_000_000), []
thread = threading.Thread(target=lambda: results.append(gm.pnorm(x)))
thread.start(); thread.join()
assert np.array_equal(results[0], gm.pnorm(x))
print("fine")
"""
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60).stdout == "fine\n"
