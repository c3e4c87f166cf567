// Written by `cargo xtask generate`; do not edit.
// @provides: psigamma_kernel
// @depends_nmath: psigamma
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_double_double,
//   special_scaling, special_exponential, special_trigonometric, special_logarithm, special_extra_precision,
//   special_circular_triple, special_digamma_zeros, special_polygamma, psigamma
// @all_depends_nmath_count: 15

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void psigamma_kernel(
    __global const double* x,
    __global const double* deriv,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = psigamma(x[i], deriv[i]);
}
