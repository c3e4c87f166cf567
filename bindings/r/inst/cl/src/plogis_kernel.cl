// Written by `cargo xtask generate`; do not edit.
// @provides: plogis_kernel
// @depends_nmath: plogis
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_philox, special_scaling, special_exponential, special_location_scale,
//   special_stirling, special_trigonometric, special_trigonometric_pairs, special_logarithm, dpq, random_bits,
//   special_deviance, special_extra_precision, special_fine_logarithms, special_power, special_exponential_tail,
//   special_gamma_function, special_log_space, special_poisson_mass, dist_logistic, log1mexp, log1pexp, plogis
// @all_depends_nmath_count: 29

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void plogis_kernel(
    __global const double* x,
    __global const double* location,
    __global const double* scale,
    __global const int* lower,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = plogis(x[i], location[i], scale[i], lower[i] != 0, give_log[i] != 0);
}
