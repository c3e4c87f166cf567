// @depends_nmath: exp, log

__kernel void libm_kernel(
    __global const double* x,
    __global const double* y,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    /* the stems of these names take the device's functions away, so that the bits are ours */
    out[i] = exp(x[i]) + log(y[i]) + sqrt(y[i]);
}
