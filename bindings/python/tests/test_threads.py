"""Where the system gives no more threads, the caller's does the work: nothing panics, and the numbers are the same."""

import os
import subprocess
import sys

import pytest

# A limit of processes counts for users other than root only: root becomes one, when everything is loaded.
WITHOUT_THREADS = """
import os, resource, threading
import numpy as np
import gristmill as gm

looped = gm.kernel("fn looped(x: f64) -> f64 { let mut s = 0.0; let mut i = 0; while i < 3 { s += x; i += 1; } s }")

def results():
    x = np.linspace(0.1, 5.0, 300_000)
    yield looped(x)
    yield gm.pgamma(x, 2.0, 1.0)
    try:
        yield gm.eval("y = x / sum(x)", {"x": x})["y"]
    except RuntimeError as error:
        # Work that Ctrl-C can stop has a thread of its own.
        assert "no thread can be started" in str(error), error
        yield None

gm.set_num_threads(4)
expected = list(results())
os.setgroups([])
os.setgid(64323)
os.setuid(64323)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
gm.set_num_threads(3)
try:
    threading.Thread(target=print).start()
    raise SystemExit("the limit does not hold")
except RuntimeError:
    pass
for before, now in zip(expected, results()):
    assert now is None or np.array_equal(before, now)
print("the same")
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs to become a user with a limit")
def test_without_threads_the_caller_computes():
    done = subprocess.run([sys.executable, "-c", WITHOUT_THREADS], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout == "the same\n", done.stdout + done.stderr
