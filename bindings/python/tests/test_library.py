"""Libraries of annotated OpenCL C: order, index, subset, check, and programs that pyopencl builds."""

import numpy as np
import pytest

import gristmill as gm


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / "b.cl").write_text("// @provides twice\n// @depends one\ndouble twice(double x) { return one(x) + one(x); }\n")
    (folder / "a.cl").write_text("// @provides one\ndouble one(double x) { return x; }\n")
    (folder / "c.cl").write_text("// @provides other\ndouble other(double x) { return -x; }\n")
    (tmp_path / "kernel.cl").write_text(
        "// @depends_lib twice\n"
        "__kernel void run(__global const double* x, __global double* y)\n"
        "{ size_t i = get_global_id(0); y[i] = twice(x[i]); }\n"
    )
    return folder


def test_order_index_and_closure(folder):
    library = gm.library(folder)
    assert len(library) == 3 and sorted(library.files) == ["a", "b", "c"]
    order = library.order()
    assert order.index("a") < order.index("b")
    assert library.index()["b"] == ["a"] and library.depends()["b"] == ["a"] and library.depends()["c"] == []
    assert library.closure("twice") == ["a", "b"]
    assert library["a"].startswith("// @provides one") and "one(x) + one(x)" in library.load()
    assert library.check().ok and "<table>" in library._repr_html_() and "3 files" in repr(library)


def test_a_subset_is_what_a_kernel_needs(folder, tmp_path):
    from gristmill import _gristmill

    assert _gristmill
    library = gm.library(folder)
    gm_index = tmp_path / "subset"
    try:
        planned = library.subset(tmp_path / "kernel.cl", gm_index, plan=True)
    except (OSError, ValueError):
        # Subsets are made by the library's index, which the command writes.
        import subprocess
        import sys

        subprocess.run([sys.executable, "-m", "gristmill", "lib", "index", str(folder)], check=True, capture_output=True)
        planned = library.subset(tmp_path / "kernel.cl", gm_index, plan=True)
    assert not gm_index.exists() and {"a", "b"} <= {row["stem"] for row in planned}
    library.subset([tmp_path / "kernel.cl"], gm_index)
    assert sorted(gm.library(gm_index).files) == ["a", "b"]


def test_problems_are_found(folder):
    (folder / "d.cl").write_text("// @provides broken\n// @depends nothing_has_this\ndouble broken(double x) { return x; }\n")
    library = gm.library(folder)
    problems = library.check()
    assert not problems.ok and any("nothing_has_this" in item["message"] for item in problems)
    assert problems[0]["file"].endswith("d.cl") and "nothing_has_this" in repr(problems)
    with pytest.raises(ValueError, match="nothing_has_this"):
        library.order()


def test_bad_input(folder, tmp_path):
    with pytest.raises((FileNotFoundError, ValueError), match="no-such-folder"):
        gm.library(tmp_path / "no-such-folder")
    with pytest.raises(TypeError, match="`path` is 3"):
        gm.library(3)
    with pytest.raises(KeyError, match="no file"):
        gm.library(folder)["nope"]
    with pytest.raises((FileNotFoundError, ValueError), match="nope.cl"):
        gm.library(folder).program(tmp_path / "nope.cl")
    with pytest.raises(ValueError, match="did you mean `pbeta`"):
        gm.source("pbetta")
    with pytest.raises(TypeError, match="`name` is 3"):
        gm.source(3)
    (tmp_path / "bad.cl").write_text("// @depends_lib twice\n__kernel void run() { thrice(1.0); }\n")
    with pytest.raises(ValueError, match="thrice"):
        gm.library(folder).program(tmp_path / "bad.cl")


def test_a_program_is_one_text(folder, tmp_path):
    text = gm.library(folder).program(tmp_path / "kernel.cl")
    assert text.index("double one(") < text.index("double twice(") < text.index("__kernel void run")
    assert "other(" not in text


def test_a_kernel_as_text():
    text = gm.source("pbeta")
    assert text.entry in text and "FP_CONTRACT OFF" in text
    assert gm.source("lgamma").entry


@pytest.fixture(scope="module")
def queue():
    cl = pytest.importorskip("pyopencl")
    try:
        devices = [device for platform in cl.get_platforms() for device in platform.get_devices() if device.double_fp_config]
    except cl.Error:
        devices = []
    if not devices:
        pytest.skip("no device with double precision")
    return cl.CommandQueue(cl.Context(devices[:1]))


def test_pyopencl_runs_a_program_of_a_library(queue, folder, tmp_path):
    import pyopencl as cl
    import pyopencl.array

    program = cl.Program(queue.context, gm.library(folder).program(tmp_path / "kernel.cl")).build()
    x = cl.array.to_device(queue, np.arange(5.0))
    y = cl.array.empty_like(x)
    program.run(queue, (5,), None, x.data, y.data)
    assert y.get().tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]


def test_pyopencl_gives_the_bits_of_the_cpu(queue):
    import pyopencl as cl
    import pyopencl.array

    text = gm.source("pnorm")
    kernel = getattr(cl.Program(queue.context, text).build(), text.entry)
    values = np.linspace(-8, 8, 1001)
    x = cl.array.to_device(queue, values)
    one = [cl.array.to_device(queue, np.array([v], t)) for v, t in ((0.0, "f8"), (1.0, "f8"), (1, "u1"), (0, "u1"))]
    y = cl.array.empty_like(x)
    pairs = [(x, 1), *((array, 0) for array in one)]
    arguments = [part for array, stride in pairs for part in (array.data, np.int64(stride))]
    kernel(queue, (1024,), None, np.uint64(len(values)), *arguments, y.data)
    assert np.array_equal(y.get().view(np.uint64), gm.pnorm(values).view(np.uint64))


def test_plots(folder):
    pytest.importorskip("matplotlib").use("Agg")
    assert gm.plot_library(folder).axes
