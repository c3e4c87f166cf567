// Written by `cargo xtask generate`; do not edit.
// @provides: r_unif_index_kernel
// @depends_nmath: r_unif_index
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, gm_random, nmath,
//   special_double_double, special_philox, special_scaling, special_exponential, special_trigonometric,
//   special_logarithm, random_bits, r_unif_index
// @all_depends_nmath_count: 14

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void r_unif_index_kernel(
    __global const double* dn,
    const int seed_high,
    const int seed_low,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM((ulong) (uint) seed_high << 32 | (uint) seed_low, 0, i);
    out[i] = r_unif_index(dn[i]);
}
