// Written by `cargo xtask generate`; do not edit.
// @provides: dweibull_kernel
// @depends_nmath: dweibull
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_philox, special_scaling, special_exponential, special_stirling,
//   special_trigonometric, special_trigonometric_pairs, special_logarithm, dpq, random_bits, special_deviance,
//   special_extra_precision, special_exponential_tail, special_gamma_function, special_poisson_mass, dist_weibull,
//   dweibull
// @all_depends_nmath_count: 23

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void dweibull_kernel(
    __global const double* x,
    __global const double* shape,
    __global const double* scale,
    __global const int* give_log,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dweibull(x[i], shape[i], scale[i], give_log[i] != 0);
}
