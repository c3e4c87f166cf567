"""The package has the command."""

import os
import signal
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "gristmill"]


def run(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, **options)


def test_it_is_the_same_program():
    done = run("--version")
    assert done.returncode == 0 and done.stdout.startswith("gristmill ")
    done = run("eval", "y = x * 2", "-", input="x\n1\n2\n")
    assert (done.returncode, done.stdout) == (0, "x,y\n1,2\n2,4\n")
    assert "Usage: gristmill" in run("--help").stdout


def test_exit_codes_and_errors_are_those_of_the_command():
    done = run("eval", "y = nope", "-", input="x\n1\n")
    assert done.returncode == 2 and "error" in done.stderr and done.stdout == ""
    assert run("no-such-command").returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_signal_ends_it_as_it_ends_the_command(tmp_path):
    out = tmp_path / "out.csv"
    words = ["eval", "--only", "--n", "1000000000", "y = ptukey(i / 1e5, 3, 10)", "-o", str(out)]
    child = subprocess.Popen([*COMMAND, *words], stderr=subprocess.DEVNULL)
    limit = time.monotonic() + 20
    while not list(tmp_path.iterdir()) and time.monotonic() < limit:
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=10) == -signal.SIGINT
    assert list(tmp_path.iterdir()) == []
