// Written by `cargo xtask generate`; do not edit.
// @provides: cospi_kernel
// @depends_nmath: cospi
// @all_depends_nmath: Rmath, gm_exact, special_constants, nmath, special_double_double, special_scaling,
//   special_trigonometric, sinpi, tanpi, cospi
// @all_depends_nmath_count: 10

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void cospi_kernel(
    __global const double* x,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = cospi(x[i]);
}
