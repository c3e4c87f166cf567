// Written by `cargo xtask generate`; do not edit.
// @provides: erfcinv_kernel
// @depends_nmath: erfcinv
// @all_depends_nmath: Rmath, gm_exact, special_powers_of_two, nmath, special_double_double, special_scaling,
//   special_error_tables, special_exponential, special_logarithm, special_error_function, erfcinv
// @all_depends_nmath_count: 11

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

__kernel void erfcinv_kernel(
    __global const double* q,
    __global double* out,
    const int len)
{
    const int i = get_global_id(0);
    if (i >= len) return;
    out[i] = erfcinv(q[i]);
}
