// Written by `cargo xtask generate`; do not edit.
// @provides: tan_kernel
// @depends_nmath: tan
// @all_depends_nmath: Rmath, gm_exact, special_constants, nmath, special_double_double, special_scaling,
//   special_trigonometric, tan
// @all_depends_nmath_count: 8

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void tan_kernel(
    __global const double* x,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = tan(x[i]);
}
