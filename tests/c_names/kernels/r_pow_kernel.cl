// @depends_nmath: mlutils

__kernel void r_pow_kernel(
    __global const double* x,
    __global const double* y,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = R_pow(y[i], x[i]) + R_pow_di(x[i], i % 5);
}
