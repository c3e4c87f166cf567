// @depends_nmath: lgamma

__kernel void lgammafn_sign_kernel(
    __global const double* x,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    int sgn = 0;
    double value = lgammafn_sign(x[i], &sgn);
    out[i] = value == lgammafn(x[i]) ? sgn : ML_NAN;
}
