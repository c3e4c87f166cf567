// Written by `cargo xtask generate`; do not edit.
// @provides: qlogis_kernel
// @depends_nmath: qlogis
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_philox, special_scaling, special_exponential, special_location_scale,
//   special_stirling, special_trigonometric, special_trigonometric_pairs, special_logarithm, dpq, random_bits,
//   special_deviance, special_extra_precision, special_fine_logarithms, special_gamma_function,
//   special_poisson_mass, dist_logistic, qlogis
// @all_depends_nmath_count: 24

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void qlogis_kernel(
    __global const double* p,
    __global const double* location,
    __global const double* scale,
    __global const int* lower,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = qlogis(p[i], location[i], scale[i], lower[i] != 0, give_log[i] != 0);
}
