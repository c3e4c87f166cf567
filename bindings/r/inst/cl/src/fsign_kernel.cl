// Written by `cargo xtask generate`; do not edit.
// @provides: fsign_kernel
// @depends_nmath: fsign
// @all_depends_nmath: Rmath, gm_exact, special_powers_of_two, nmath, special_double_double, special_scaling,
//   special_exponential, special_logarithm, special_rounding, fsign
// @all_depends_nmath_count: 10

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void fsign_kernel(
    __global const double* x,
    __global const double* y,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = fsign(x[i], y[i]);
}
