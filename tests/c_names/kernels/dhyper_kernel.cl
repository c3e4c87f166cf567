// @depends_nmath: dhyper

__kernel void dhyper_kernel(
    __global const double* k,
    __global const double* n,
    __global const int* give_log,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = dhyper(k[i], n[i], 20.0, 15.0, give_log[i]);
}
