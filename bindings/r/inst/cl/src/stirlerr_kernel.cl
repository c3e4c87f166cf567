// Written by `cargo xtask generate`; do not edit.
// @provides: stirlerr_kernel
// @depends_nmath: stirlerr
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_double_double,
//   special_scaling, special_exponential, special_stirling, special_trigonometric_pairs, special_logarithm,
//   special_extra_precision, special_gamma_function, lgammacor, stirlerr
// @all_depends_nmath_count: 15

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void stirlerr_kernel(
    __global const double* x,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = stirlerr(x[i]);
}
