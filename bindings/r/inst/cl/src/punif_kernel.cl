// Written by `cargo xtask generate`; do not edit.
// @provides: punif_kernel
// @depends_nmath: punif
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_philox, special_scaling, special_exponential, special_trigonometric,
//   special_logarithm, dpq, random_bits, dist_uniform, punif
// @all_depends_nmath_count: 16

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void punif_kernel(
    __global const double* x,
    __global const double* a,
    __global const double* b,
    __global const int* lower,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = punif(x[i], a[i], b[i], lower[i] != 0, give_log[i] != 0);
}
