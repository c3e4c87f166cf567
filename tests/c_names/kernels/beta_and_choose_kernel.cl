// @depends_nmath: beta, lbeta, choose

__kernel void beta_and_choose_kernel(
    __global const double* a,
    __global const double* b,
    __global const double* n,
    __global const double* k,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 4 == 0) ? beta(a[i], b[i]) : (i % 4 == 1) ? lbeta(a[i], b[i]) : (i % 4 == 2) ? choose(n[i], k[i]) : lchoose(n[i], k[i]);
}
