// Written by `cargo xtask generate`; do not edit.
// @provides: bessel_y_kernel
// @depends_nmath: bessel_y
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_bessel_tables,
//   special_double_double, special_scaling, special_exponential, special_roots, special_stirling,
//   special_trigonometric, special_trigonometric_pairs, special_bessel_airy, special_logarithm,
//   special_bessel_temme, special_extra_precision, special_bessel_debye, special_bessel_recurrence,
//   special_gamma_function, special_bessel_large_argument, special_bessel_quadrature, special_bessel_series,
//   special_bessel_first_kind, bessel_y
// @all_depends_nmath_count: 25

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void bessel_y_kernel(
    __global const double* x,
    __global const double* nu,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = bessel_y(x[i], nu[i]);
}
