// @depends_nmath: polygamma

__kernel void dpsifn_kernel(
    __global const double* y,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    double ans[5];
    int nz = 0, ierr = 0;
    dpsifn(y[i], i % 3, 1 + i % 2, 5, ans, &nz, &ierr);
    out[i] = ierr == 0 && nz == 0 ? ans[i % 5] : ML_NAN;
}
