// @depends_nmath: pgamma

__kernel void logspace_sum_kernel(
    __global const double* x,
    __global const double* y,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    /* of a few numbers of its own, and of all in global memory */
    double own[3] = {x[i], y[i], x[i] - y[i]};
    out[i] = (i % 2) ? logspace_sum(own, 3) : Rf_logspace_sum(own, 2) + logspace_sum_global(x, len - i);
}
