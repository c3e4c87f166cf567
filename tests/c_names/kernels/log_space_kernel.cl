// @depends_nmath: pgamma, plogis

__kernel void log_space_kernel(
    __global const double* x,
    __global const double* y,
    __global const double* p,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 6 == 0) ? log1pmx(y[i]) : (i % 6 == 1) ? lgamma1p(p[i]) : (i % 6 == 2) ? logspace_add(x[i], y[i]) : (i % 6 == 3) ? logspace_sub(y[i] + 5.0, x[i])
        : (i % 6 == 4) ? log1pexp(x[i]) : log1mexp(y[i]);
}
