// @depends_nmath: cospi, expm1, log1p

__kernel void cospi_kernel(
    __global const double* x,
    __global const double* y,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = cospi(x[i]) + sinpi(x[i]) * expm1(x[i]) + log1p(y[i]);
}
