// @depends_nmath: rnorm, rexp

double jump(GM_RANDOM_PARAMETER, double scale) {
    double size = rexp(scale);
    return rnorm(0.0, 1.0) < 0.0 ? -size : size;
}

__kernel void walk_kernel(
    const ulong seed,
    __global double* out,
    const int len
) {
    int i = get_global_id(0);
    if (i >= len) return;
    GM_RANDOM(seed, 7, i);
    double first = jump(GM_RANDOM_ARGUMENT, 0.5);
    out[i] = first + jump(GM_RANDOM_ARGUMENT, 2.0);
}
