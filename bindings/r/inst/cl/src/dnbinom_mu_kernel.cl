// Written by `cargo xtask generate`; do not edit.
// @provides: dnbinom_mu_kernel
// @depends_nmath: dnbinom_mu
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_beta_tables,
//   special_conventions, special_double_double, special_mills_tables, special_philox, special_scaling,
//   special_error_tables, special_exponential, special_location_scale, special_stirling, special_trigonometric,
//   special_trigonometric_pairs, special_logarithm, dpq, random_bits, special_deviance, special_error_function,
//   special_extra_precision, special_fine_logarithms, random_small_mean, special_beta_zeros, special_gamma_function,
//   special_normal_tail, special_binomial_kernel, special_gamma_step, special_incomplete_gamma,
//   special_poisson_mass, dist_gamma, special_beta_constant, special_beta_function, dist_gamma_random,
//   special_incomplete_beta, special_beta_point, special_hypergeometric_sum, special_negative_binomial_kernel,
//   special_beta_quantile_small, special_beta_quantile_tiny, special_beta_quantile, special_discrete_quantile,
//   dist_poisson, dist_poisson_random, dist_negative_binomial_random, dist_negative_binomial_mu, dnbinom_mu
// @all_depends_nmath_count: 49

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void dnbinom_mu_kernel(
    __global const double* x,
    __global const double* size,
    __global const double* mu,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dnbinom_mu(x[i], size[i], mu[i], give_log[i] != 0);
}
