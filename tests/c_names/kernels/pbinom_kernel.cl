// @depends_nmath: pbinom

__kernel void pbinom_kernel(
    __global const double* k,
    __global const double* n,
    __global const double* p,
    __global const int* lower_tail,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = pbinom(k[i], n[i], p[i], lower_tail[i], give_log[i]);
}
