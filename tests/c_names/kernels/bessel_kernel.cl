// @depends_nmath: bessel_i, bessel_j, bessel_k, bessel_y

__kernel void bessel_kernel(
    __global const double* y,
    __global const double* a,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 4 == 0) ? bessel_i(y[i], a[i], 2.0) : (i % 4 == 1) ? bessel_j(y[i], a[i]) : (i % 4 == 2) ? bessel_k(y[i], a[i], 1.0) : bessel_y(y[i], a[i]);
}
