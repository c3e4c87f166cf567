// Written by `cargo xtask generate`; do not edit.
// @provides: dnf_kernel
// @depends_nmath: dnf
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_beta_tables,
//   special_conventions, special_debye_remainder, special_double_double, special_mills_tables, special_philox,
//   special_scaling, special_error_tables, special_exponential, special_inverse_trigonometric,
//   special_location_scale, special_mixture_levels, special_noncentral_sums, special_stirling,
//   special_trigonometric, special_trigonometric_pairs, special_contour, special_logarithm, dpq, random_bits,
//   special_deviance, special_error_function, special_extra_precision, special_fine_logarithms, special_beta_zeros,
//   special_gamma_function, special_normal_tail, special_binomial_kernel, special_gamma_step,
//   special_incomplete_gamma, special_poisson_mass, dist_gamma, special_beta_constant, special_beta_function,
//   special_f_ratio, dist_gamma_random, special_incomplete_beta, dist_beta_beyond, dist_chi_squared,
//   special_beta_point, special_noncentral_ratio, dist_noncentral_chi_squared, special_beta_quantile_small,
//   special_beta_quantile_tiny, special_beta_quantile, dist_beta, special_student_tail, dist_fisher_f,
//   dist_noncentral_beta, dist_noncentral_f, dnf
// @all_depends_nmath_count: 56

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void dnf_kernel(
    __global const double* x,
    __global const double* df1,
    __global const double* df2,
    __global const double* ncp,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dnf(x[i], df1[i], df2[i], ncp[i], give_log[i] != 0);
}
