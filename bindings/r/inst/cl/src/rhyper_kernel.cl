// Written by `cargo xtask generate`; do not edit.
// @provides: rhyper_kernel
// @depends_nmath: rhyper
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, gm_random, nmath,
//   special_beta_tables, special_conventions, special_double_double, special_mills_tables, special_philox,
//   special_scaling, special_error_tables, special_exponential, special_stirling, special_trigonometric,
//   special_trigonometric_pairs, special_logarithm, random_bits, special_deviance, special_error_function,
//   special_extra_precision, random_small_mean, special_beta_zeros, special_gamma_function, special_normal_tail,
//   special_binomial_kernel, special_gamma_step, special_incomplete_gamma, special_beta_constant,
//   special_beta_function, special_incomplete_beta, special_beta_point, special_hypergeometric_sum,
//   special_negative_binomial_kernel, special_beta_quantile_small, special_beta_quantile_tiny,
//   special_beta_quantile, special_discrete_quantile, dist_hypergeometric, dist_hypergeometric_random, rhyper
// @all_depends_nmath_count: 42

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void rhyper_kernel(
    __global const double* r,
    __global const double* b,
    __global const double* n,
    const int seed_high,
    const int seed_low,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM((ulong) (uint) seed_high << 32 | (uint) seed_low, 0, i);
    out[i] = rhyper(r[i], b[i], n[i]);
}
