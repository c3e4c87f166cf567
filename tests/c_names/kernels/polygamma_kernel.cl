// @depends_nmath: polygamma

__kernel void polygamma_kernel(
    __global const double* y,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = (i % 5 == 0) ? digamma(y[i]) : (i % 5 == 1) ? trigamma(y[i]) : (i % 5 == 2) ? tetragamma(y[i])
        : (i % 5 == 3) ? pentagamma(y[i]) : psigamma(y[i], 4.0);
}
