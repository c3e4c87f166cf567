// Written by `cargo xtask generate`; do not edit.
// @provides: pchisq_kernel
// @depends_nmath: pchisq
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_mills_tables, special_philox, special_scaling, special_error_tables,
//   special_exponential, special_location_scale, special_stirling, special_trigonometric,
//   special_trigonometric_pairs, special_logarithm, dpq, random_bits, special_deviance, special_error_function,
//   special_extra_precision, special_fine_logarithms, special_gamma_function, special_normal_tail,
//   special_incomplete_gamma, special_poisson_mass, dist_gamma, dist_gamma_random, dist_chi_squared, pchisq
// @all_depends_nmath_count: 31

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void pchisq_kernel(
    __global const double* x,
    __global const double* df,
    __global const int* lower,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = pchisq(x[i], df[i], lower[i] != 0, give_log[i] != 0);
}
