// Written by `cargo xtask generate`; do not edit.
// @provides: pgamma_kernel
// @depends_nmath: pgamma
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_mills_tables, special_scaling, special_error_tables, special_exponential,
//   special_location_scale, special_stirling, special_trigonometric_pairs, special_logarithm, dpq, log1pmx,
//   special_deviance, special_error_function, special_extra_precision, special_fine_logarithms, special_log_sum,
//   special_power, logspace_sum, special_exponential_tail, special_gamma_function, special_normal_tail, lgamma1p,
//   special_incomplete_gamma, special_log_space, special_poisson_mass, dist_gamma, logspace_add, logspace_sub,
//   pgamma_raw, pgamma_utils, pgamma
// @all_depends_nmath_count: 37

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void pgamma_kernel(
    __global const double* x,
    __global const double* shape,
    __global const double* scale,
    __global const int* lower,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = pgamma(x[i], shape[i], scale[i], lower[i] != 0, give_log[i] != 0);
}
