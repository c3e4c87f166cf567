// Written by `cargo xtask generate`; do not edit.
// @provides: rf_kernel
// @depends_nmath: rf
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, gm_random, nmath,
//   special_conventions, special_double_double, special_mills_tables, special_philox, special_scaling,
//   special_error_tables, special_exponential, special_location_scale, special_stirling, special_trigonometric,
//   special_trigonometric_pairs, special_logarithm, random_bits, special_deviance, special_error_function,
//   special_extra_precision, special_fine_logarithms, special_gamma_function, special_normal_tail,
//   special_incomplete_gamma, special_poisson_mass, dist_gamma, dist_gamma_random, dist_beta_random,
//   dist_fisher_f_random, rf
// @all_depends_nmath_count: 32

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void rf_kernel(
    __global const double* df1,
    __global const double* df2,
    const int seed_high,
    const int seed_low,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM((ulong) (uint) seed_high << 32 | (uint) seed_low, 0, i);
    out[i] = rf(df1[i], df2[i]);
}
