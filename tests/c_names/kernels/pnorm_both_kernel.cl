// @depends_nmath: pnorm

__kernel void pnorm_both_kernel(
    __global const double* x,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    double cum = 9.0, ccum = 9.0;
    pnorm_both(x[i], &cum, &ccum, i % 3, give_log[i]);
    out[i] = cum - 100.0 * ccum;
}
