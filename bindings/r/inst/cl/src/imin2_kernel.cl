// Written by `cargo xtask generate`; do not edit.
// @provides: imin2_kernel
// @depends_nmath: imin2
// @all_depends_nmath: Rmath, gm_exact, special_powers_of_two, nmath, special_double_double, special_scaling,
//   special_exponential, special_logarithm, special_rounding, imin2
// @all_depends_nmath_count: 10

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void imin2_kernel(
    __global const int* x,
    __global const int* y,
    __global int* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = imin2(x[i], y[i]);
}
