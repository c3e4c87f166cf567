// Written by `cargo xtask generate`; do not edit.
// @provides: cbrt_kernel
// @depends_nmath: cbrt
// @all_depends_nmath: Rmath, gm_exact, nmath, special_scaling, special_roots, cbrt
// @all_depends_nmath_count: 6

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void cbrt_kernel(
    __global const double* x,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = cbrt(x[i]);
}
