//! Distributions, one file each: density, distribution function, quantile, random number. The kernels are re-exported here and
//! at the crate's root. Whoever adds a distribution adds its module and its line: docs/add-a-distribution.md.

pub mod beta;
pub mod binomial;
pub mod cauchy;
pub mod chi_squared;
pub mod exponential;
pub mod fisher_f;
pub mod gamma;
pub mod geometric;
pub mod hypergeometric;
pub mod logistic;
pub mod lognormal;
pub mod multinomial;
pub mod negative_binomial;
pub mod negative_binomial_mu;
pub mod noncentral_beta;
pub mod noncentral_chi_squared;
pub mod noncentral_f;
pub mod noncentral_random;
pub mod noncentral_t;
pub mod normal;
pub mod poisson;
pub mod signed_rank;
pub mod student_t;
pub mod studentised_range;
pub mod uniform;
pub mod weibull;
pub mod wilcoxon;

crate::list::functions! { dist:
    normal: dnorm pnorm pnorm_both qnorm rnorm;
    uniform: dunif punif qunif runif;
    exponential: dexp pexp qexp rexp;
    gamma: dgamma pgamma pgamma_raw qgamma rgamma;
    chi_squared: dchisq pchisq qchisq rchisq;
    beta: dbeta pbeta pbeta_raw qbeta rbeta;
    student_t: dt pt qt rt;
    fisher_f: df pf qf rf;
    lognormal: dlnorm plnorm qlnorm rlnorm;
    weibull: dweibull pweibull qweibull rweibull;
    logistic: dlogis plogis qlogis rlogis;
    cauchy: dcauchy pcauchy qcauchy rcauchy;
    binomial: dbinom pbinom qbinom rbinom;
    negative_binomial: dnbinom pnbinom qnbinom rnbinom;
    negative_binomial_mu: dnbinom_mu pnbinom_mu qnbinom_mu rnbinom_mu;
    poisson: dpois ppois qpois rpois;
    geometric: dgeom pgeom qgeom rgeom;
    hypergeometric: dhyper phyper qhyper rhyper;
    wilcoxon: dwilcox pwilcox qwilcox rwilcox;
    signed_rank: dsignrank psignrank qsignrank rsignrank;
    noncentral_chi_squared: dnchisq pnchisq qnchisq;
    noncentral_beta: dnbeta pnbeta qnbeta;
    noncentral_f: dnf pnf qnf;
    noncentral_t: dnt pnt qnt;
    studentised_range: ptukey qtukey;
    noncentral_random: rnchisq rnbeta rnf rnt;
}
