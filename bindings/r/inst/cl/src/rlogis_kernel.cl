// Written by `cargo xtask generate`; do not edit.
// @provides: rlogis_kernel
// @depends_nmath: rlogis
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, gm_random, nmath,
//   special_conventions, special_double_double, special_philox, special_scaling, special_exponential,
//   special_location_scale, special_stirling, special_trigonometric, special_trigonometric_pairs, special_logarithm,
//   random_bits, special_deviance, special_extra_precision, special_fine_logarithms, special_gamma_function,
//   special_poisson_mass, dist_logistic, rlogis
// @all_depends_nmath_count: 24

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void rlogis_kernel(
    __global const double* location,
    __global const double* scale,
    const int seed_high,
    const int seed_low,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM((ulong) (uint) seed_high << 32 | (uint) seed_low, 0, i);
    out[i] = rlogis(location[i], scale[i]);
}
