// @depends_nmath: Rmath

__kernel void constants_kernel(
    __global const double* x,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    double all[24] = {M_E, M_LOG2E, M_LOG10E, M_LN2, M_LN10, M_PI, M_PI_2, M_PI_4, M_1_PI, M_2_PI, M_2_SQRTPI, M_SQRT2, M_SQRT1_2, M_2PI,
        M_SQRT_3, M_SQRT_32, M_LOG10_2, M_SQRT_PI, M_1_SQRT_2PI, M_SQRT_2dPI, M_LN_2PI, M_LN_SQRT_PI, M_LN_SQRT_2PI, M_LN_SQRT_PId2};
    out[i] = i < 24 ? all[i] : i == 24 ? ML_POSINF : i == 25 ? ML_NEGINF : i == 26 ? ML_NAN : (double)ISNAN(R_NaN) + 2.0 * R_FINITE(R_PosInf) + 4.0 * R_FINITE(x[i]);
}
