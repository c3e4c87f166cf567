// @depends_nmath: pgamma, pbeta, choose, stirlerr

__kernel void raw_kernel(
    __global const double* y,
    __global const double* p,
    __global const double* a,
    __global const double* b,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 4 == 0) ? pgamma_raw(y[i], a[i], lower_tail[i], give_log[i]) : (i % 4 == 1) ? pbeta_raw(p[i], a[i], b[i], lower_tail[i], give_log[i])
        : (i % 4 == 2) ? lfastchoose(a[i] + b[i], a[i]) : lgammacor(10.0 + y[i]);
}
