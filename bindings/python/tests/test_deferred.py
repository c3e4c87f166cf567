"""Deferred kernels and NumPy's ufuncs are each other, and travel between extensions."""

import importlib.util
import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import gristmill as gm
from gristmill import Deferred

HEADER = Path(__file__).resolve().parents[3] / "crates" / "ckernel" / "include"


@pytest.fixture(scope="module")
def x():
    return np.random.default_rng(4).normal(size=(6, 50))


@pytest.mark.parametrize("ufunc", [np.sin, np.add, np.ldexp, np.hypot, np.isnan, np.floor_divide, gm.ufuncs.dnorm, gm.ufuncs.lgammafn])
def test_a_ufunc_is_itself_after_the_way_there_and_back(ufunc, x):
    kernel = Deferred.from_ufunc(ufunc)
    arguments = [np.abs(x[:1]).astype(dtype) + dtype.type(1) if dtype.kind != "b" else np.True_ for dtype in kernel.types[1:]]
    back = kernel.as_ufunc()
    assert isinstance(back, np.ufunc) and back is kernel.as_ufunc()
    assert np.array_equal(back(*arguments), ufunc(*arguments), equal_nan=True)
    assert np.array_equal(kernel(*arguments), ufunc(*arguments), equal_nan=True)


def test_a_loop_is_chosen_by_its_types():
    assert [t.name for t in Deferred.from_ufunc(np.ldexp, "fi->f").types] == ["float32", "float32", "int32"]
    assert [t.name for t in Deferred.from_ufunc(np.add, (np.int16, np.int16, np.int16)).types] == ["int16"] * 3
    assert "float64" in repr(Deferred.from_ufunc(np.add))


def test_results_beside_the_first(x):
    fraction, exponent = np.frexp(x)
    assert np.array_equal(Deferred.from_ufunc(np.frexp)(x), fraction)
    assert np.array_equal(Deferred.from_ufunc(np.frexp, output=1)(x), exponent)
    assert np.array_equal(Deferred.from_ufunc(np.divmod, output=1)(x, 0.25), np.divmod(x, 0.25)[1])


def test_strides_broadcasting_and_overlap(x):
    hypot = Deferred.from_ufunc(np.hypot)
    assert np.array_equal(hypot(x[::-1, ::3], x[0, ::3]), np.hypot(x[::-1, ::3], x[0, ::3]))
    y = x.copy()
    hypot.as_ufunc()(y[:, 1:], y[:, :-1], out=y[:, 1:])
    assert np.array_equal(y[:, 1:], np.hypot(x[:, 1:], x[:, :-1]))
    assert hypot(np.zeros((0, 3)), 1.0).shape == (0, 3)


def test_a_chain_goes_through_both(x):
    chained = Deferred.from_ufunc(np.sin).chain(Deferred.from_ufunc(gm.ufuncs.lgammafn))
    assert np.array_equal(chained(x), gm.ufuncs.lgammafn(np.sin(x)))
    with pytest.raises((ValueError, TypeError)):
        Deferred.from_ufunc(np.add).chain(Deferred.from_ufunc(np.sin))
    with pytest.raises(TypeError, match="`second` is 3"):
        Deferred.from_ufunc(np.sin).chain(3)


def test_lifted_kernels_take_arrays_of_their_types(x):
    add = Deferred.from_ufunc(np.add).lift(2)
    assert add.ndim == 2 and "strided * strided * float64" in repr(add)
    assert np.array_equal(add(x, x[0]), x + x[0])
    assert np.array_equal(add(x[::-1, ::2], np.asfortranarray(x)[:, ::2]), x[::-1, ::2] + x[:, ::2])
    assert np.array_equal(add(x[:, :1], x[0]), x[:, :1] + x[0])
    assert add(x[:, :0], x[:, :0]).shape == (6, 0)
    with pytest.raises(TypeError, match="values are not converted"):
        add(x.astype(np.float32), x)
    with pytest.raises(TypeError, match="takes 2"):
        add(x)
    with pytest.raises(ValueError):
        add(x, x[:, :7])
    with pytest.raises(ValueError, match="`ndim` is -1"):
        Deferred.from_ufunc(np.add).lift(-1)


def test_numpys_error_state_is_respected():
    divide = Deferred.from_ufunc(np.divide)
    with np.errstate(divide="ignore"):
        assert divide(1.0, 0.0) == np.inf
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        divide(1.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((len,), "`ufunc` is <built-in"),
        ((np.add, "OO->O"), "Python objects"),
        ((np.add, "xx->x"), "the loops of `add` are"),
        ((np.add, 3), "`signature` is 3"),
        ((np.logical_and, "gg->?"), "no plain numbers"),
    ],
)
def test_bad_input(arguments, text):
    with pytest.raises(TypeError, match=text):
        Deferred.from_ufunc(*arguments)
    with pytest.raises(ValueError, match="`output` is 2"):
        Deferred.from_ufunc(np.frexp, output=2)


ARRAYS = [
    (np.matmul, None, [(5, 3, 4), (5, 4, 2)]),
    (np.matmul, None, [(3, 4), (4, 2)]),
    (np.matmul, "ff->f", [(6, 3, 4), (4, 2)]),
    (np.matmul, "DD->D", [(3, 4), (4,)]),
    (np.linalg._umath_linalg.det, None, [(7, 4, 4)]),
    (np.linalg._umath_linalg.inv, None, [(2, 3, 4, 4)]),
    (np.linalg._umath_linalg.solve, None, [(7, 4, 4), (4, 2)]),
    (np.linalg._umath_linalg.cholesky_lo, None, [(3, 3)]),
]
if hasattr(np, "vecdot"):
    ARRAYS += [(np.vecdot, None, [(5, 6), (6,)]), (np.vecdot, "ll->l", [(6,), (2, 6)])]


def filled(shape, dtype, seed=5):
    values = np.random.default_rng(seed).normal(size=shape) * 4
    if len(shape) > 1 and shape[-1] == shape[-2]:
        values = values @ values.swapaxes(-1, -2) + 5 * np.eye(shape[-1])
    return values.astype(dtype)


@pytest.mark.parametrize(("gufunc", "signature", "shapes"), ARRAYS)
def test_a_gufunc_is_a_kernel_of_arrays_and_a_gufunc_again(gufunc, signature, shapes):
    kernel = Deferred.from_ufunc(gufunc, signature)
    arrays = [filled(shape, dtype) for shape, dtype in zip(shapes, kernel.types[1:])]
    expected = gufunc(*arrays)
    assert kernel.signature == gufunc.signature.replace(" ", "") and gufunc.__name__ in repr(kernel)
    back = kernel.as_ufunc()
    assert isinstance(back, np.ufunc) and back.signature == kernel.signature and back is kernel.as_ufunc()
    assert np.array_equal(kernel(*arrays), expected)
    assert np.array_equal(back(*arrays, out=np.empty_like(expected)), expected)
    # Other layouts in memory are the same numbers.
    strided = [np.asfortranarray(np.repeat(array, 2, axis=-1))[..., ::2] for array in arrays]
    assert np.allclose(kernel(*strided), expected, rtol=1e-4)
    # Through a capsule the numbers are known, but not which sizes go together.
    taken = Deferred.from_capsule(kernel)
    with pytest.raises(TypeError, match="which of their sizes go together"):
        taken.as_ufunc()


def test_a_lifted_gufunc_takes_one_dimension_more():
    kernel = Deferred.from_ufunc(np.matmul).lift(1)
    assert kernel.ndim == 1 and "(strided * strided * strided * float64" in repr(kernel)
    a, b = filled((5, 3, 4), float), filled((5, 4, 2), float)
    assert np.array_equal(kernel(a, b), a @ b)
    assert np.array_equal(kernel(a[:1], b), a[:1] @ b)
    assert np.array_equal(kernel(a[0], b), a[0] @ b)
    assert kernel(a[:0], b[:0]).shape == (0, 3, 2)
    with pytest.raises(TypeError, match="must have 3 of float64"):
        kernel(a, b[0, :, 0])
    with pytest.raises(ValueError):
        kernel(a, b[:, :3])
    vectors = Deferred.from_ufunc(np.linalg._umath_linalg.det).lift(2)
    c = filled((2, 3, 4, 4), float)
    assert np.array_equal(vectors(c), np.linalg.det(c))


def test_results_of_a_gufunc_beside_the_wanted_one():
    a = filled((3, 4, 4), float)
    slogdet = np.linalg._umath_linalg.slogdet
    sign, logarithm = slogdet(a)
    assert np.array_equal(Deferred.from_ufunc(slogdet)(a), sign)
    assert np.array_equal(Deferred.from_ufunc(slogdet, output=1)(a), logarithm)
    values, vectors = np.linalg._umath_linalg.eigh_lo(a)
    assert np.array_equal(Deferred.from_ufunc(np.linalg._umath_linalg.eigh_lo)(a), values)
    assert np.array_equal(Deferred.from_ufunc(np.linalg._umath_linalg.eigh_lo, output=1)(a), vectors)


def test_gufuncs_respect_numpys_error_state_and_check_sizes():
    inverse = Deferred.from_ufunc(np.linalg._umath_linalg.inv)
    singular = np.zeros((2, 2))
    with np.errstate(invalid="ignore"):
        assert np.isnan(inverse(singular)).all()
    for kernel in (inverse, inverse.lift(1)):
        with np.errstate(invalid="raise"), pytest.raises(FloatingPointError, match="inv"):
            kernel(singular)
    with pytest.raises(ValueError, match="core dimension"):
        inverse(np.zeros((2, 3)))
    with pytest.raises(TypeError, match="kernel of arrays"):
        inverse.chain(inverse)
    with pytest.raises(TypeError, match="kernel of arrays"):
        Deferred.from_ufunc(np.sin).chain(Deferred.from_ufunc(np.sin).lift(1))


def test_a_lifted_kernel_is_a_ufunc_with_core_dimensions(x):
    add = Deferred.from_ufunc(np.add).lift(2)
    assert add.as_ufunc().signature == add.signature == "(lifted_0,lifted_1),(lifted_0,lifted_1)->(lifted_0,lifted_1)"
    assert np.array_equal(add.as_ufunc()(np.stack([x, x]), x), np.stack([x, x]) + x)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide"):
        Deferred.from_ufunc(np.divide).lift(1)(np.ones(3), np.zeros(3))


def test_objects_are_refused_with_a_reason():
    with pytest.raises(TypeError, match="Python objects only"):
        Deferred.from_ufunc(np.frompyfunc(lambda a: a, 1, 1))
    with pytest.raises(TypeError, match="Python objects"):
        Deferred.from_ufunc(np.matmul, "OO->O")


def test_capsules_are_taken_once(x):
    capsule = Deferred.from_ufunc(np.cos).__gristmill_ckernel__()
    kernel = Deferred.from_capsule(capsule, "cosine")
    assert np.array_equal(kernel(x), np.cos(x)) and "cosine" in repr(kernel)
    with pytest.raises(ValueError, match="no instantiate function"):
        Deferred.from_capsule(capsule)
    with pytest.raises(TypeError, match="`source` is 3"):
        Deferred.from_capsule(3)
    assert np.array_equal(Deferred.from_capsule(kernel)(x), np.cos(x))
    Deferred.from_ufunc(np.cos).__gristmill_ckernel__()  # one that nobody takes


EXTENSION = r"""
#include <Python.h>
#include "gristmill_ckernel.h"

static void triple(char *dst, intptr_t dst_stride, const char *const *src, const intptr_t *src_stride, size_t count,
                   ckernel_prefix *self) {
  const char *x = src[0];
  for (size_t i = 0; i < count; ++i, dst += dst_stride, x += src_stride[0]) *(double *)dst = 3.0 * *(const double *)x;
}

static void triple_one(char *dst, const char *const *src, ckernel_prefix *self) {
  *(double *)dst = 3.0 * *(const double *)src[0];
}

static intptr_t instantiate(void *data, ckernel_builder *ckb, intptr_t offset, const char *const *metadata,
                            uint32_t request) {
  /* A kernel that is a function pointer only: its zeroed prefix is there. */
  ckernel_prefix *kernel = (ckernel_prefix *)(ckb->data + offset);
  kernel->function = request == kernel_request_single ? (void *)triple_one : (void *)triple;
  return offset + (intptr_t)sizeof(ckernel_prefix);
}

static const ckernel_type *const types[] = {(const ckernel_type *)float64_type_id, (const ckernel_type *)float64_type_id};
static deferred_ckernel kernel;

static PyObject *give(PyObject *self, PyObject *none) {
  deferred_ckernel fresh = {expr_operation_funcproto_id, 2, types, NULL, instantiate, NULL};
  kernel = fresh;
  return PyCapsule_New(&kernel, "gristmill_deferred_ckernel", NULL);
}

/* Runs a kernel of another extension on one number. */
static PyObject *take(PyObject *self, PyObject *args) {
  PyObject *capsule;
  double x, y = 0.0;
  if (!PyArg_ParseTuple(args, "Od", &capsule, &x)) return NULL;
  deferred_ckernel *given = PyCapsule_GetPointer(capsule, "gristmill_deferred_ckernel");
  if (!given) return NULL;
  ckernel_builder ckb;
  memset(&ckb, 0, sizeof ckb);
  ckb.data = (char *)ckb.static_data;
  ckb.capacity = sizeof ckb.static_data;
  const char *metadata[2] = {NULL, NULL}, *src = (const char *)&x;
  if (given->instantiate_func(given->data_ptr, &ckb, 0, metadata, kernel_request_single) < 0) {
    PyErr_SetString(PyExc_RuntimeError, "the kernel could not be built");
    return NULL;
  }
  ckernel_prefix *built = (ckernel_prefix *)ckb.data;
  ((expr_single_operation_t)built->function)((char *)&y, &src, built);
  if (built->destructor) built->destructor(built);
  return PyFloat_FromDouble(y);
}

static PyMethodDef methods[] = {{"give", give, METH_NOARGS, NULL}, {"take", take, METH_VARARGS, NULL}, {NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "trade", NULL, -1, methods};
PyMODINIT_FUNC PyInit_trade(void) { return PyModule_Create(&module); }
"""


def test_a_c_extension_gives_and_takes_kernels(tmp_path, x):
    compiler = shutil.which("cc")
    include = sysconfig.get_paths()["include"]
    if not compiler or not Path(include, "Python.h").exists() or not HEADER.exists():
        pytest.skip("needs a C compiler, Python's headers and the source tree")
    source, built = tmp_path / "trade.c", tmp_path / ("trade" + sysconfig.get_config_var("EXT_SUFFIX"))
    source.write_text(EXTENSION)
    options = ["-shared", "-fPIC", "-w", f"-I{include}", f"-I{HEADER}", "-o", str(built), str(source)]
    subprocess.run([compiler, *options], check=True, capture_output=True)
    spec = importlib.util.spec_from_file_location("trade", built)
    trade = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(trade)
    assert np.array_equal(Deferred.from_capsule(trade.give(), "triple")(x), 3.0 * x)
    assert trade.take(Deferred.from_ufunc(np.sqrt).__gristmill_ckernel__(), 2.0) == np.sqrt(2.0)
