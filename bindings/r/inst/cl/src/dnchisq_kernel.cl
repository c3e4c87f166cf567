// Written by `cargo xtask generate`; do not edit.
// @provides: dnchisq_kernel
// @depends_nmath: dnchisq
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_debye_remainder, special_double_double, special_mills_tables, special_philox, special_scaling,
//   special_error_tables, special_exponential, special_location_scale, special_noncentral_sums, special_stirling,
//   special_trigonometric, special_trigonometric_pairs, special_contour, special_logarithm, dpq, random_bits,
//   special_deviance, special_error_function, special_extra_precision, special_fine_logarithms,
//   special_gamma_function, special_normal_tail, special_incomplete_gamma, special_poisson_mass, dist_gamma,
//   dist_gamma_random, dist_chi_squared, dist_noncentral_chi_squared, dnchisq
// @all_depends_nmath_count: 35

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void dnchisq_kernel(
    __global const double* x,
    __global const double* df,
    __global const double* ncp,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dnchisq(x[i], df[i], ncp[i], give_log[i] != 0);
}
