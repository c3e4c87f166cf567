// @depends_nmath: Rmath, polygamma, gamma, pnorm, qnorm, dnorm, bessel_j, choose, pchisq

__kernel void published_kernel(__global double* out, const int len) {
    int i = get_global_id(0);
    if (i >= len) return;
    switch (i) {
    case 0: out[i] = trigamma(0.5); break;
    case 1: out[i] = pnorm5(1.96, 0.0, 1.0, TRUE, FALSE); break;
    case 2: out[i] = dnorm4(0.0, 0.0, 1.0, FALSE); break;
    case 3: out[i] = gammafn(0.5); break;
    case 4: out[i] = bessel_j(1.0, 0.0); break;
    case 5: out[i] = -digamma(1.0); break;
    case 6: out[i] = Rf_choose(52.0, 5.0); break;
    case 7: out[i] = qnorm5(0.975, 0.0, 1.0, TRUE, FALSE); break;
    default: out[i] = 0.0;
    }
}
