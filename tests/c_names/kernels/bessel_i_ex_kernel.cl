// @all_depends_nmath: bessel, Rmath, nmath, bessel_k, cospi, fmax2, gamma_cody, bessel_i

__kernel void bessel_i_ex_kernel(
    __global const double* y,
    __global const double* a,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    double work = 0.0;
    out[i] = bessel_i_ex(y[i], a[i], 1.0, &work);
}
