// @depends_nmath: pgamma, rmultinom

/* what it asks for brings kernels of the library too */
__kernel void beside_others_kernel(__global double* out, const int len) {
    int i = get_global_id(0);
    if (i >= len) return;
    out[i] = pgamma(1.0 + i, 2.0, 1.0, TRUE, FALSE);
}
