// @depends_nmath: fround, fprec, ftrunc, fsign, sign, fmax2, fmin2, imax2, imin2

__kernel void rounding_kernel(
    __global const double* x,
    __global const double* y,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 7 == 0) ? fround(x[i], 2.0) : (i % 7 == 1) ? fprec(x[i], 3.0) : (i % 7 == 2) ? ftrunc(x[i]) : (i % 7 == 3) ? fsign(y[i], x[i])
        : (i % 7 == 4) ? sign(x[i]) : (i % 7 == 5) ? fmax2(x[i], y[i]) - fmin2(x[i], y[i]) : (double)(imax2(i, 7) - imin2(i, 7));
}
