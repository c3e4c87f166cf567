// @depends_nmath: dgamma, exp
// @all_depends_nmath: Rmath, gm_exact, special_constants, special_powers_of_two, nmath, special_conventions,
//   special_double_double, special_mills_tables, special_scaling, special_error_tables, special_exponential,
//   special_location_scale, special_stirling, special_trigonometric_pairs, exp, special_logarithm, dpq,
//   special_deviance, special_error_function, special_extra_precision, special_fine_logarithms,
//   special_gamma_function, special_normal_tail, special_incomplete_gamma, special_poisson_mass, dist_gamma, dgamma
// @all_depends_nmath_count: 27

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

/* The negative log-posterior of a gamma model with the link log, and its gradient: a work-item does one point of a grid.
   Every matrix is column-major, as R has them. */
#define MAX_L2 64 /* coefficients, at most: their gradient is in private memory */

__kernel void f2_f3_gamma(
    __global const double* X,      /* design matrix, l1 x l2 */
    __global const double* B,      /* points, l2 x m1 */
    __global const double* mu,     /* prior mean, l2 */
    __global const double* P,      /* prior precision, l2 x l2 */
    __global const double* alpha,  /* offsets, l1 */
    __global const double* y,      /* positive numbers, whose mean has the link log, l1 */
    __global const double* wt,     /* shapes, l1 */
    __global double* qf,           /* negative log-posterior, m1 */
    __global double* grad,         /* its gradient, m1 x l2 */
    const int l1,
    const int l2,
    const int m1)
{
    const int j = get_global_id(0);
    if (j >= m1 || l2 > MAX_L2) return;
    __global const double* b = B + (size_t) j * l2;
    double gradient[MAX_L2];

    double value = 0.0;
    for (int k = 0; k < l2; k++) {
        gradient[k] = 0.0;
        for (int m = 0; m < l2; m++) gradient[k] += P[(size_t) m * l2 + k] * (b[m] - mu[m]);
        value += 0.5 * (b[k] - mu[k]) * gradient[k];
    }
    for (int i = 0; i < l1; i++) {
        double eta = alpha[i];
        for (int k = 0; k < l2; k++) eta += X[(size_t) k * l1 + i] * b[k];
        const double mean = exp(eta);
        value -= dgamma(y[i], wt[i], mean / wt[i], 1);
        const double slope = wt[i] * (1.0 - y[i] / mean);
        for (int k = 0; k < l2; k++) gradient[k] += X[(size_t) k * l1 + i] * slope;
    }
    qf[j] = value;
    for (int k = 0; k < l2; k++) grad[(size_t) k * m1 + j] = gradient[k];
}
