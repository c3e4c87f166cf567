// Written by `cargo xtask generate`; do not edit.
// @provides: qf_kernel
// @depends_nmath: qf
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_beta_tables,
//   special_conventions, special_double_double, special_mills_tables, special_scaling, special_error_tables,
//   special_exponential, special_stirling, special_trigonometric_pairs, special_logarithm, dpq,
//   special_error_function, special_extra_precision, special_fine_logarithms, special_beta_zeros,
//   special_gamma_function, special_normal_tail, special_binomial_kernel, special_gamma_step, special_beta_constant,
//   special_beta_function, special_f_ratio, special_incomplete_beta, special_beta_point,
//   special_beta_quantile_small, special_beta_quantile_tiny, special_beta_quantile, special_student_tail,
//   dist_fisher_f, qf
// @all_depends_nmath_count: 35

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void qf_kernel(
    __global const double* p,
    __global const double* m,
    __global const double* n,
    __global const int* lower,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = qf(p[i], m[i], n[i], lower[i] != 0, give_log[i] != 0);
}
