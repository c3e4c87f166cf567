//! `cargo xtask bench nmath [FUNCTION…]`: ns per element on one thread over 10^6 elements, and of single calls, against libRmath
//! (opened at run time, if the system has it) and NumPy or SciPy (if python3 has it), in one run. The figures to read are the ratios.
//! With `--wide` the d, p and q functions of every family at small, middle and large parameters, both tails and the log
//! scale, and the r functions whose method depends on the parameters, against libRmath alone; what is below its goal is marked.
//! With `--worst` the longest single call of each function that was found among arguments of every size.
//! With `--against=PROGRAM`, this program as another commit's build left it (target/release/deps/nmath-…), how many times faster
//! this build is than that one: both measure each line in turns.
#![allow(missing_docs)]

#[path = "../tests/support/mod.rs"]
mod support;

use gristmill_kernel::Level;
use gristmill_kernel::{Column, ColumnMut, Function};
use gristmill_nmath as nmath;
use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use support::Random;
use support::calls::{Argument, time};

const COUNT: usize = 1_000_000;

/// One line of the table.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    /// Its name in libRmath.
    r: &'static str,
    /// Python: `x` is the vector, `np` is NumPy, `s` scipy.special, `t` scipy.stats. Empty: SciPy has no such function.
    scipy: &'static str,
    /// The first argument from a uniform number in (0, 1).
    x: fn(f64) -> f64,
    parameters: &'static [f64],
    flags: &'static [bool],
    /// The plain function at a first argument; none in `--wide`.
    single: Option<fn(f64) -> f64>,
}

impl Case {
    /// What its line is called.
    fn label(&self) -> String {
        format!("{}{:?}{:?}", self.name, self.parameters, self.flags)
    }

    /// As compiled in the crate itself.
    fn function(&self) -> Function {
        nmath::kernel(self.name).expect("the cases are kernels")
    }
}

macro_rules! cases {
    ($($name:ident($x:expr $(, $parameter:expr)* $(; $($flag:expr),*)?), $r:literal, $scipy:literal;)*) => {
        &[$(Case {
            name: stringify!($name),
            r: $r,
            scipy: $scipy,
            x: $x,
            parameters: &[$($parameter),*],
            flags: &[$($($flag),*)?],
            single: Some(|x| nmath::$name(x $(, $parameter)* $($(, $flag)*)?)),
        }),*]
    };
}

const CASES: &[Case] = cases! {
    // normal and gamma families
    lgammafn(|u| 20.0 * u), "lgammafn", "s.gammaln(x)";
    gammafn(|u| 20.0 * u), "gammafn", "s.gamma(x)";
    lgamma1p(|u| 20.0 * u - 0.5), "lgamma1p", "";
    digamma(|u| 20.0 * u), "digamma", "s.digamma(x)";
    trigamma(|u| 20.0 * u), "trigamma", "s.polygamma(1, x)";
    tetragamma(|u| 20.0 * u), "tetragamma", "s.polygamma(2, x)";
    pentagamma(|u| 20.0 * u), "pentagamma", "s.polygamma(3, x)";
    psigamma(|u| 20.0 * u, 1.0), "psigamma", "s.polygamma(1, x)";
    psigamma(|u| 20.0 * u, 5.0), "psigamma", "s.polygamma(5, x)";
    choose(|u| (50.0 * u).floor(), 3.0), "choose", "s.binom(x, 3.0)";
    choose(|u| (500.0 * u).floor(), 40.0), "choose", "s.binom(x, 40.0)";
    choose(|u| 50.0 * u, 12.0), "choose", "s.binom(x, 12.0)";
    lchoose(|u| (500.0 * u).floor(), 40.0), "lchoose", "";
    erf(|u| 8.0 * u - 4.0), "", "s.erf(x)";
    erfc(|u| 8.0 * u - 4.0), "", "s.erfc(x)";
    erfinv(|u| 2.0 * u - 1.0), "", "s.erfinv(x)";
    erfcinv(|u| 2.0 * u), "", "s.erfcinv(x)";
    log1pmx(|u| 4.0 * u - 0.9), "log1pmx", "";
    log1pexp(|u| 80.0 * u - 40.0), "log1pexp", "np.logaddexp(x, 0.0)";
    log1mexp(|u| 10.0 * u), "log1mexp", "";
    logspace_add(|u| 20.0 * u - 10.0, 1.5), "logspace_add", "np.logaddexp(x, 1.5)";
    logspace_sub(|u| 20.0 * u + 2.0, 1.5), "logspace_sub", "";
    pow1p(|u| 2.0 * u - 0.5, 3.7), "", "";
    r_pow(|u| 20.0 * u, 3.7), "R_pow", "np.power(x, 3.7)";
    // (np.round multiplies, rounds and divides: not the same function)
    fround(|u| 2000.0 * u - 1000.0, 2.0), "fround", "";
    fprec(|u| 2000.0 * u - 1000.0, 4.0), "fprec", "";
    ftrunc(|u| 2000.0 * u - 1000.0), "ftrunc", "np.trunc(x)";
    sign(|u| 2.0 * u - 1.0), "sign", "np.sign(x)";
    fsign(|u| 2.0 * u - 1.0, -3.0), "fsign", "np.copysign(x, -3.0)";
    fmax2(|u| 2.0 * u - 1.0, 0.1), "fmax2", "np.maximum(x, 0.1)";
    fmin2(|u| 2.0 * u - 1.0, 0.1), "fmin2", "np.minimum(x, 0.1)";
    sinpi(|u| 20.0 * u - 10.0), "sinpi", "";
    cospi(|u| 20.0 * u - 10.0), "cospi", "";
    tanpi(|u| 20.0 * u - 10.0), "tanpi", "";
    dpois_raw(|u| 20.0 * u, 7.3; false), "dpois_raw", "";
    dbinom_raw(|u| 100.0 * u, 100.0, 0.3, 0.7; false), "dbinom_raw", "";
    dnorm(|u| 8.0 * u - 4.0, 0.1, 1.3; false), "dnorm4", "t.norm.pdf(x, 0.1, 1.3)";
    dnorm(|u| 8.0 * u - 4.0, 0.1, 1.3; true), "dnorm4", "t.norm.logpdf(x, 0.1, 1.3)";
    pnorm(|u| 8.0 * u - 4.0, 0.1, 1.3; true, false), "pnorm5", "t.norm.cdf(x, 0.1, 1.3)";
    pnorm(|u| 8.0 * u - 4.0, 0.1, 1.3; true, true), "pnorm5", "t.norm.logcdf(x, 0.1, 1.3)";
    qnorm(|u| u, 0.1, 1.3; true, false), "qnorm5", "t.norm.ppf(x, 0.1, 1.3)";
    dlnorm(|u| 8.0 * u, 0.1, 1.3; false), "dlnorm", "t.lognorm.pdf(x, 1.3)";
    plnorm(|u| 8.0 * u, 0.1, 1.3; true, false), "plnorm", "t.lognorm.cdf(x, 1.3)";
    qlnorm(|u| u, 0.1, 1.3; true, false), "qlnorm", "t.lognorm.ppf(x, 1.3)";
    dgamma(|u| 12.0 * u, 3.7, 1.1; false), "dgamma", "t.gamma.pdf(x, 3.7, scale=1.1)";
    dgamma(|u| 12.0 * u, 3.7, 1.1; true), "dgamma", "t.gamma.logpdf(x, 3.7, scale=1.1)";
    dgamma(|u| 3.0 * u, 0.5, 1.1; false), "dgamma", "t.gamma.pdf(x, 0.5, scale=1.1)";
    pgamma(|u| 12.0 * u, 3.7, 1.1; true, false), "pgamma", "t.gamma.cdf(x, 3.7, scale=1.1)";
    pgamma(|u| 12.0 * u, 3.7, 1.1; false, false), "pgamma", "t.gamma.sf(x, 3.7, scale=1.1)";
    pgamma(|u| 3.0 * u, 0.5, 1.1; true, false), "pgamma", "t.gamma.cdf(x, 0.5, scale=1.1)";
    pgamma(|u| 60.0 + 80.0 * u, 100.5, 1.0; true, false), "pgamma", "t.gamma.cdf(x, 100.5)";
    pgamma(|u| 997_000.0 + 6_000.0 * u, 1e6, 1.0; true, false), "pgamma", "t.gamma.cdf(x, 1e6)";
    qgamma(|u| u, 3.7, 1.1; true, false), "qgamma", "t.gamma.ppf(x, 3.7, scale=1.1)";
    qgamma(|u| u, 0.5, 1.1; true, false), "qgamma", "t.gamma.ppf(x, 0.5, scale=1.1)";
    qgamma(|u| u, 100.5, 1.1; true, false), "qgamma", "t.gamma.ppf(x, 100.5, scale=1.1)";
    dchisq(|u| 15.0 * u, 5.0; false), "dchisq", "t.chi2.pdf(x, 5.0)";
    pchisq(|u| 15.0 * u, 5.0; true, false), "pchisq", "t.chi2.cdf(x, 5.0)";
    qchisq(|u| u, 5.0; true, false), "qchisq", "t.chi2.ppf(x, 5.0)";
    dpois(|u| (20.0 * u).floor(), 7.3; false), "dpois", "t.poisson.pmf(x, 7.3)";
    dpois(|u| (20.0 * u).floor(), 7.3; true), "dpois", "t.poisson.logpmf(x, 7.3)";
    ppois(|u| (20.0 * u).floor(), 7.3; true, false), "ppois", "t.poisson.cdf(x, 7.3)";
    qpois(|u| u, 7.3; true, false), "qpois", "t.poisson.ppf(x, 7.3)";
    dexp(|u| 8.0 * u, 1.3; false), "dexp", "t.expon.pdf(x, scale=1.3)";
    pexp(|u| 8.0 * u, 1.3; true, false), "pexp", "t.expon.cdf(x, scale=1.3)";
    qexp(|u| u, 1.3; true, false), "qexp", "t.expon.ppf(x, scale=1.3)";
    dweibull(|u| 3.0 * u, 1.7, 1.3; false), "dweibull", "t.weibull_min.pdf(x, 1.7, scale=1.3)";
    pweibull(|u| 3.0 * u, 1.7, 1.3; true, false), "pweibull", "t.weibull_min.cdf(x, 1.7, scale=1.3)";
    qweibull(|u| u, 1.7, 1.3; true, false), "qweibull", "t.weibull_min.ppf(x, 1.7, scale=1.3)";
    dlogis(|u| 16.0 * u - 8.0, 0.1, 1.3; false), "dlogis", "t.logistic.pdf(x, 0.1, 1.3)";
    plogis(|u| 16.0 * u - 8.0, 0.1, 1.3; true, false), "plogis", "t.logistic.cdf(x, 0.1, 1.3)";
    qlogis(|u| u, 0.1, 1.3; true, false), "qlogis", "t.logistic.ppf(x, 0.1, 1.3)";
    dcauchy(|u| 16.0 * u - 8.0, 0.1, 1.3; false), "dcauchy", "t.cauchy.pdf(x, 0.1, 1.3)";
    pcauchy(|u| 16.0 * u - 8.0, 0.1, 1.3; true, false), "pcauchy", "t.cauchy.cdf(x, 0.1, 1.3)";
    qcauchy(|u| u, 0.1, 1.3; true, false), "qcauchy", "t.cauchy.ppf(x, 0.1, 1.3)";
    dunif(|u| 4.0 * u, 0.5, 3.5; false), "dunif", "t.uniform.pdf(x, 0.5, 3.0)";
    punif(|u| 4.0 * u, 0.5, 3.5; true, false), "punif", "t.uniform.cdf(x, 0.5, 3.0)";
    qunif(|u| u, 0.5, 3.5; true, false), "qunif", "t.uniform.ppf(x, 0.5, 3.0)";
    dgeom(|u| (30.0 * u).floor(), 0.15; false), "dgeom", "t.geom.pmf(x, 0.15)";
    pgeom(|u| (30.0 * u).floor(), 0.15; true, false), "pgeom", "t.geom.cdf(x, 0.15)";
    qgeom(|u| u, 0.15; true, false), "qgeom", "t.geom.ppf(x, 0.15)";
    // beta family
    beta(|u| 5.0 * u + 0.1, 3.5), "beta", "s.beta(x, 3.5)";
    lbeta(|u| 5.0 * u + 0.1, 3.5), "lbeta", "s.betaln(x, 3.5)";
    dbeta(|u| u, 2.5, 3.5; false), "dbeta", "t.beta.pdf(x, 2.5, 3.5)";
    dbeta(|u| u, 2.5, 3.5; true), "dbeta", "t.beta.logpdf(x, 2.5, 3.5)";
    pbeta(|u| u, 2.5, 3.5; true, false), "pbeta", "t.beta.cdf(x, 2.5, 3.5)";
    pbeta(|u| u, 0.5, 0.5; true, false), "pbeta", "t.beta.cdf(x, 0.5, 0.5)";
    pbeta(|u| 0.2 + 0.4 * u, 20.0, 30.0; true, false), "pbeta", "t.beta.cdf(x, 20.0, 30.0)";
    pbeta(|u| 0.3 + 0.2 * u, 200.0, 300.0; true, false), "pbeta", "t.beta.cdf(x, 200.0, 300.0)";
    qbeta(|u| u, 2.5, 3.5; true, false), "qbeta", "t.beta.ppf(x, 2.5, 3.5)";
    qbeta(|u| u, 20.0, 30.0; true, false), "qbeta", "t.beta.ppf(x, 20.0, 30.0)";
    qbeta(|u| u, 200.0, 300.0; true, false), "qbeta", "t.beta.ppf(x, 200.0, 300.0)";
    dbinom(|u| (101.0 * u).floor(), 100.0, 0.3; false), "dbinom", "t.binom.pmf(x, 100, 0.3)";
    dbinom(|u| (101.0 * u).floor(), 100.0, 0.3; true), "dbinom", "t.binom.logpmf(x, 100, 0.3)";
    dbinom(|u| (1400.0 + 200.0 * u).floor(), 5000.0, 0.3; false), "dbinom", "t.binom.pmf(x, 5000, 0.3)";
    pbinom(|u| (101.0 * u).floor(), 100.0, 0.3; true, false), "pbinom", "t.binom.cdf(x, 100, 0.3)";
    pbinom(|u| (250.0 + 100.0 * u).floor(), 1000.0, 0.3; true, false), "pbinom", "t.binom.cdf(x, 1000, 0.3)";
    qbinom(|u| u, 100.0, 0.3; true, false), "qbinom", "t.binom.ppf(x, 100, 0.3)";
    dt(|u| 10.0 * u - 5.0, 7.5; false), "dt", "t.t.pdf(x, 7.5)";
    dt(|u| 10.0 * u - 5.0, 7.5; true), "dt", "t.t.logpdf(x, 7.5)";
    pt(|u| 10.0 * u - 5.0, 7.5; true, false), "pt", "t.t.cdf(x, 7.5)";
    qt(|u| u, 7.5; true, false), "qt", "t.t.ppf(x, 7.5)";
    df(|u| 4.0 * u, 5.0, 12.0; false), "df", "t.f.pdf(x, 5.0, 12.0)";
    pf(|u| 4.0 * u, 5.0, 12.0; true, false), "pf", "t.f.cdf(x, 5.0, 12.0)";
    qf(|u| u, 5.0, 12.0; true, false), "qf", "t.f.ppf(x, 5.0, 12.0)";
    dnbinom(|u| (30.0 * u).floor(), 5.5, 0.3; false), "dnbinom", "t.nbinom.pmf(x, 5.5, 0.3)";
    pnbinom(|u| (30.0 * u).floor(), 5.5, 0.3; true, false), "pnbinom", "t.nbinom.cdf(x, 5.5, 0.3)";
    qnbinom(|u| u, 5.5, 0.3; true, false), "qnbinom", "t.nbinom.ppf(x, 5.5, 0.3)";
    dnbinom_mu(|u| (30.0 * u).floor(), 5.5, 12.0; false), "dnbinom_mu", "";
    pnbinom_mu(|u| (30.0 * u).floor(), 5.5, 12.0; true, false), "pnbinom_mu", "";
    qnbinom_mu(|u| u, 5.5, 12.0; true, false), "qnbinom_mu", "";
    dhyper(|u| (45.0 * u).floor(), 60.0, 80.0, 50.0; false), "dhyper", "t.hypergeom.pmf(x, 140, 60, 50)";
    phyper(|u| (45.0 * u).floor(), 60.0, 80.0, 50.0; true, false), "phyper", "t.hypergeom.cdf(x, 140, 60, 50)";
    qhyper(|u| u, 60.0, 80.0, 50.0; true, false), "qhyper", "t.hypergeom.ppf(x, 140, 60, 50)";
    // noncentral distributions
    dnchisq(|u| 30.0 * u, 5.0, 7.5; false), "dnchisq", "t.ncx2.pdf(x, 5.0, 7.5)";
    pnchisq(|u| 30.0 * u, 5.0, 7.5; true, false), "pnchisq", "t.ncx2.cdf(x, 5.0, 7.5)";
    qnchisq(|u| u, 5.0, 7.5; true, false), "qnchisq", "";
    dnbeta(|u| u, 2.5, 3.5, 4.0; false), "dnbeta", "";
    pnbeta(|u| u, 2.5, 3.5, 4.0; true, false), "pnbeta", "";
    qnbeta(|u| u, 2.5, 3.5, 4.0; true, false), "qnbeta", "";
    dnf(|u| 8.0 * u, 5.0, 12.0, 4.0; false), "dnf", "t.ncf.pdf(x, 5.0, 12.0, 4.0)";
    pnf(|u| 8.0 * u, 5.0, 12.0, 4.0; true, false), "pnf", "t.ncf.cdf(x, 5.0, 12.0, 4.0)";
    qnf(|u| u, 5.0, 12.0, 4.0; true, false), "qnf", "";
    dnt(|u| 12.0 * u - 4.0, 12.0, 1.5; false), "dnt", "t.nct.pdf(x, 12.0, 1.5)";
    pnt(|u| 12.0 * u - 4.0, 12.0, 1.5; true, false), "pnt", "t.nct.cdf(x, 12.0, 1.5)";
    qnt(|u| u, 12.0, 1.5; true, false), "qnt", "";
    // the studentised range
    ptukey(|u| 8.0 * u, 1.0, 4.0, 20.0; true, false), "ptukey", "";
    qtukey(|u| u, 1.0, 4.0, 20.0; true, false), "qtukey", "";
    // rank statistics
    dwilcox(|u| (2500.0 * u).floor(), 50.0, 50.0; false), "dwilcox", "";
    pwilcox(|u| (2500.0 * u).floor(), 50.0, 50.0; true, false), "pwilcox", "";
    qwilcox(|u| u, 50.0, 50.0; true, false), "qwilcox", "";
    dsignrank(|u| (1275.0 * u).floor(), 50.0; false), "dsignrank", "";
    psignrank(|u| (1275.0 * u).floor(), 50.0; true, false), "psignrank", "";
    qsignrank(|u| u, 50.0; true, false), "qsignrank", "";
    // Bessel functions
    bessel_i(|u| 50.0 * u, 2.5, 1.0), "bessel_i", "s.iv(2.5, x)";
    bessel_j(|u| 50.0 * u, 2.25), "bessel_j", "s.jv(2.25, x)";
    bessel_k(|u| 50.0 * u, 2.25, 1.0), "bessel_k", "s.kv(2.25, x)";
    bessel_y(|u| 50.0 * u, 2.25), "bessel_y", "s.yv(2.25, x)";
    // (below 0.1 R prints a warning for every call)
    bessel_j(|u| 0.1 + 999.9 * u, 100.5), "bessel_j", "s.jv(100.5, x)";
};

/// One line of the table of random numbers: a function, its name in libRmath, its parameters.
type Draw = (&'static str, &'static str, &'static [f64]);

macro_rules! draws {
    ($($name:ident($($parameter:expr),*), $r:literal;)*) => {
        &[$((stringify!($name), $r, &[$($parameter),*])),*]
    };
}

const DRAWS: &[Draw] = draws! {
    runif(0.5, 3.5), "runif";
    rnorm(0.1, 1.3), "rnorm";
    rexp(1.3), "rexp";
    rlnorm(0.1, 1.3), "rlnorm";
    rgamma(3.7, 1.1), "rgamma";
    rgamma(0.5, 1.1), "rgamma";
    rchisq(5.0), "rchisq";
    rweibull(1.7, 1.3), "rweibull";
    rlogis(0.1, 1.3), "rlogis";
    rcauchy(0.1, 1.3), "rcauchy";
    rpois(7.3), "rpois";
    rpois(100.0), "rpois";
    rgeom(0.15), "rgeom";
    rbeta(2.5, 3.5), "rbeta";
    rt(7.5), "rt";
    rf(5.0, 12.0), "rf";
    rbinom(100.0, 0.3), "rbinom";
    rnbinom(5.5, 0.3), "rnbinom";
    rnbinom_mu(5.5, 12.0), "rnbinom_mu";
    rhyper(60.0, 80.0, 50.0), "rhyper";
};

/// The random numbers of `--wide`: those whose method depends on the parameters, at small, middle and large ones.
const WIDE_DRAWS: &[Draw] = draws! {
    rgamma(1e-3, 1.0), "rgamma";
    rgamma(0.5, 1.1), "rgamma";
    rgamma(1.0, 1.0), "rgamma";
    rgamma(3.7, 1.1), "rgamma";
    rgamma(40.0, 2.0), "rgamma";
    rgamma(1e8, 1.0), "rgamma";
    rchisq(0.3), "rchisq";
    rchisq(5.0), "rchisq";
    rchisq(3000.0), "rchisq";
    rbeta(0.05, 0.2), "rbeta";
    rbeta(0.5, 0.5), "rbeta";
    rbeta(2.0, 3.0), "rbeta";
    rbeta(0.7, 40.0), "rbeta";
    rbeta(30.0, 50.0), "rbeta";
    rbeta(1e6, 1e5), "rbeta";
    rt(0.3), "rt";
    rt(4.5), "rt";
    rt(1e5), "rt";
    rf(1.0, 3.0), "rf";
    rf(5.0, 12.0), "rf";
    rf(1e6, 1e5), "rf";
    rpois(0.3), "rpois";
    rpois(3.0), "rpois";
    rpois(9.9), "rpois";
    rpois(12.0), "rpois";
    rpois(40.0), "rpois";
    rpois(1000.0), "rpois";
    rpois(1e7), "rpois";
    rbinom(10.0, 0.4), "rbinom";
    rbinom(50.0, 0.1), "rbinom";
    rbinom(40.0, 0.5), "rbinom";
    rbinom(1000.0, 0.7), "rbinom";
    rbinom(1e4, 0.01), "rbinom";
    rbinom(1e8, 0.2), "rbinom";
    rnbinom(0.6, 0.2), "rnbinom";
    rnbinom(0.6, 0.02), "rnbinom";
    rnbinom(5.5, 0.3), "rnbinom";
    rnbinom(550.0, 0.4), "rnbinom";
    rnbinom(1e7, 0.5), "rnbinom";
    rnbinom_mu(0.1, 50.0), "rnbinom_mu";
    rnbinom_mu(5.5, 12.0), "rnbinom_mu";
    rnbinom_mu(550.0, 800.0), "rnbinom_mu";
    rnbinom_mu(1e7, 1e5), "rnbinom_mu";
    rhyper(10.0, 15.0, 8.0), "rhyper";
    rhyper(40.0, 200.0, 50.0), "rhyper";
    rhyper(60.0, 80.0, 50.0), "rhyper";
    rhyper(600.0, 800.0, 500.0), "rhyper";
    rhyper(1e5, 3e5, 2e4), "rhyper";
    rhyper(1e8, 3e8, 2e7), "rhyper";
};

/// A distribution of `--wide`: its name after d, p and q, its name in libRmath, and sets of parameters with the range of x.
type Family = (&'static str, &'static [(&'static [f64], f64, f64)]);

const WIDE: &[Family] = &[
    ("norm", &[(&[0.1, 1.3], -5.0, 5.0), (&[0.1, 1.3], -45.0, 45.0), (&[1e5, 1e-3], 99_999.996, 100_000.004)]),
    ("unif", &[(&[0.5, 3.5], 0.0, 4.0), (&[-1e5, 3e6], -2e5, 4e6)]),
    ("exp", &[(&[1.3], 0.0, 8.0), (&[1e-3], 0.0, 0.3), (&[1e6], 0.0, 1e5)]),
    (
        "weibull",
        &[(&[1.7, 1.3], 0.0, 3.0), (&[0.5, 2.0], 0.0, 40.0), (&[9.5, 2.0], 1.0, 2.6), (&[100.0, 2.0], 1.9, 2.05)],
    ),
    ("logis", &[(&[0.1, 1.3], -8.0, 8.0), (&[0.1, 1.3], -300.0, 300.0), (&[1e5, 0.01], 99_999.9, 100_000.1)]),
    ("lnorm", &[(&[0.1, 1.3], 0.0, 8.0), (&[0.1, 0.03], 1.0, 1.25), (&[2.0, 9.0], 0.0, 1e6)]),
    ("cauchy", &[(&[0.1, 1.3], -8.0, 8.0), (&[0.1, 1.3], -1e4, 1e4), (&[1e5, 0.01], 99_999.9, 100_000.1)]),
    (
        "gamma",
        &[
            (&[1e-3, 1.0], 0.0, 2.0),
            (&[0.5, 1.1], 0.0, 3.0),
            (&[3.7, 1.1], 0.0, 12.0),
            (&[12.5, 0.1], 0.3, 3.0),
            (&[40.0, 2.0], 40.0, 130.0),
            (&[1e4, 1.0], 9_700.0, 10_300.0),
            (&[1e8, 1.0], 99_960_000.0, 100_040_000.0),
        ],
    ),
    ("chisq", &[(&[0.3], 0.0, 3.0), (&[5.0], 0.0, 15.0), (&[60.0], 30.0, 100.0), (&[3000.0], 2_700.0, 3_300.0)]),
    (
        "pois",
        &[
            (&[0.3], 0.0, 5.0),
            (&[7.3], 0.0, 20.0),
            (&[40.0], 15.0, 70.0),
            (&[1000.0], 900.0, 1_100.0),
            (&[1e7], 9_990_000.0, 10_010_000.0),
        ],
    ),
    ("geom", &[(&[0.9], 0.0, 6.0), (&[0.15], 0.0, 30.0), (&[1e-4], 0.0, 40_000.0)]),
    (
        "beta",
        &[
            (&[0.05, 0.2], 0.0, 1.0),
            (&[0.5, 0.5], 0.0, 1.0),
            (&[2.0, 3.0], 0.0, 1.0),
            (&[0.7, 40.0], 0.0, 0.1),
            (&[30.0, 50.0], 0.23, 0.53),
            (&[1e3, 2e3], 0.31, 0.36),
            (&[1e6, 1e5], 0.908, 0.91),
        ],
    ),
    (
        "t",
        &[
            (&[0.3], -50.0, 50.0),
            (&[1.0], -30.0, 30.0),
            (&[4.5], -5.0, 5.0),
            (&[30.0], -4.0, 4.0),
            (&[150.0], -4.0, 4.0),
            (&[1e5], -4.0, 4.0),
        ],
    ),
    (
        "f",
        &[
            (&[1.0, 3.0], 0.0, 20.0),
            (&[5.0, 12.0], 0.0, 5.0),
            (&[60.0, 80.0], 0.5, 2.0),
            (&[3.0, 1e3], 0.0, 5.0),
            (&[1e6, 1e5], 0.98, 1.02),
        ],
    ),
    (
        "binom",
        &[
            (&[10.0, 0.4], 0.0, 11.0),
            (&[100.0, 0.3], 15.0, 46.0),
            (&[1e4, 0.01], 70.0, 131.0),
            (&[1e8, 0.2], 19_988_000.0, 20_012_000.0),
        ],
    ),
    (
        "nbinom",
        &[
            (&[0.6, 0.2], 0.0, 20.0),
            (&[5.5, 0.3], 0.0, 30.0),
            (&[550.0, 0.4], 700.0, 950.0),
            (&[1e7, 0.5], 9_990_000.0, 10_010_000.0),
        ],
    ),
    ("nbinom_mu", &[(&[5.5, 12.0], 0.0, 40.0), (&[550.0, 800.0], 700.0, 900.0), (&[1e7, 1e5], 99_200.0, 100_800.0)]),
    (
        "hyper",
        &[
            (&[10.0, 15.0, 8.0], 0.0, 8.0),
            (&[60.0, 80.0, 50.0], 12.0, 31.0),
            (&[600.0, 800.0, 500.0], 190.0, 240.0),
            (&[1e5, 3e5, 2e4], 4_850.0, 5_150.0),
        ],
    ),
];

/// Every line of `--wide`, with the first arguments.
fn wide(u: &[f64], names: &[String]) -> Vec<(Case, Vec<f64>)> {
    let mut lines = Vec::new();
    for (family, sets) in WIDE {
        for kind in ["d", "p", "q"] {
            let Some(kernel) = nmath::KERNELS.iter().find(|k| k.name() == format!("{kind}{family}")) else { continue };
            let name: &'static str = kernel.name();
            if !names.is_empty() && !names.iter().any(|n| n == name) {
                continue;
            }
            let r = match name {
                "dnorm" => "dnorm4",
                "pnorm" => "pnorm5",
                "qnorm" => "qnorm5",
                _ => name,
            };
            let flags: &[&[bool]] = match kind {
                "d" => &[&[false], &[true]],
                _ => &[&[true, false], &[false, false], &[true, true], &[false, true]],
            };
            let whole = ["pois", "geom", "binom", "nbinom", "nbinom_mu", "hyper"].contains(family) && kind != "q";
            for (parameters, low, high) in *sets {
                for flags in flags {
                    let log = flags[flags.len() - 1];
                    let x = u.iter().map(|u| match kind {
                        "q" if log => u.ln(),
                        "q" => *u,
                        _ => low + (high - low) * u,
                    });
                    let x = x.map(|x| if whole { x.floor() } else { x }).collect();
                    lines.push((Case { name, r, scipy: "", x: |u| u, parameters, flags, single: None }, x));
                }
            }
        }
    }
    lines
}

/// How many times faster than libRmath a function is meant to be with parameters that are the same for all elements; as
/// arrays 1.5.
fn goal(name: &str) -> f64 {
    match name {
        "runif" | "rnorm" | "rweibull" | "rlogis" => 2.0,
        "pnchisq" | "qnchisq" | "pnbeta" | "qnbeta" | "pnf" | "qnf" | "pnt" | "qnt" => 3.0,
        "bessel_i" | "bessel_j" | "bessel_k" | "bessel_y" => 3.0,
        "ptukey" | "qtukey" => 10.0,
        _ if name.ends_with("wilcox") || name.ends_with("signrank") => 10.0,
        "dnorm" | "qgamma" | "qchisq" | "qbeta" | "qt" => 3.0,
        "pnorm" => 4.0,
        "qnorm" | "lgammafn" => 2.0,
        "pgamma" | "pchisq" | "ppois" => 5.0,
        "pbeta" | "pt" | "pbinom" => 2.5,
        "rgamma" | "rchisq" | "rbeta" | "rt" | "rf" | "rpois" | "rbinom" | "rnbinom" | "rnbinom_mu" | "rhyper" => 1.5,
        _ if name.starts_with('d') && !name.ends_with("gamma") || name == "dgamma" => 5.0,
        _ => 1.0,
    }
}

/// Uniform in (0, 1), the same in every run.
fn uniforms() -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    (0..COUNT)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((state >> 11) as f64 + 0.5) / 9_007_199_254_740_992.0
        })
        .collect()
}

/// Elements per timed piece: short against what an operating system gives a thread before it serves another one.
const PIECE: usize = COUNT / 100;

/// One measurement takes no longer than this; what is slow is measured on fewer pieces, at least on one.
const LIMIT_NS: f64 = 4e9;

/// The same where two builds take turns.
const TURN_NS: f64 = 2e8;

/// Whether two builds take turns.
static TURNS: AtomicBool = AtomicBool::new(false);

/// Runs a function over all elements `times` times, piece by piece, and adds up the least time of each piece: ns per element.
/// On a busy machine a whole run is always interrupted; a piece is not. `run` fills its second argument, and `bring` reads what it
/// reads: between two runs of a piece all others ran, and what is measured is the function, not the way from the memory.
fn least(times: usize, bring: impl Fn(Range<usize>), mut run: impl FnMut(Range<usize>, &mut [f64])) -> f64 {
    let mut y = vec![0.0; PIECE];
    let mut time = |i: usize| {
        let at = i * PIECE..(i + 1) * PIECE;
        bring(at.clone());
        y.fill(0.0);
        let start = Instant::now();
        run(at, &mut y);
        black_box(&y);
        start.elapsed().as_nanos() as f64
    };
    let mut pieces = vec![time(0)];
    let limit = if TURNS.load(Ordering::Relaxed) { TURN_NS } else { LIMIT_NS };
    let affordable = (limit / (times as f64 * pieces[0])) as usize;
    pieces.resize(affordable.clamp(1, COUNT / PIECE), f64::INFINITY);
    for _ in 0..times {
        for (i, piece) in pieces.iter_mut().enumerate() {
            *piece = piece.min(time(i));
        }
    }
    pieces.iter().sum::<f64>() / (pieces.len() * PIECE) as f64
}

/// Reads it, so that it is in a cache.
fn read<T: Copy>(x: &[T]) {
    for x in x {
        black_box(*x);
    }
}

/// What a loop costs that does nothing but read a vector and write another one.
fn copying(x: &[f64]) -> f64 {
    least(
        5,
        |at| read(&x[at]),
        |at, y| {
            for (y, x) in y.iter_mut().zip(&x[at]) {
                *y = -x;
            }
        },
    )
}

fn ours(case: &Case, x: &[f64], spread: bool) -> f64 {
    let columns: Vec<Vec<f64>> = case.parameters.iter().map(|p| vec![*p; if spread { COUNT } else { 1 }]).collect();
    let flags: Vec<[bool; 1]> = case.flags.iter().map(|f| [*f]).collect();
    let bring = |at: Range<usize>| {
        read(&x[at.clone()]);
        columns.iter().for_each(|c| read(if spread { &c[at.clone()] } else { &c[..] }));
    };
    least(3, bring, |at, y| {
        let mut ins = vec![Column::from(&x[at.clone()])];
        ins.extend(columns.iter().map(|c| Column::from(if spread { &c[at.clone()] } else { &c[..] })));
        ins.extend(flags.iter().map(|f| Column::from(&f[..])));
        case.function().map_on(Level::best(), &ins, &mut [ColumnMut::from(y)]).expect("the columns fit");
    })
}

/// Single calls of the plain function, one element after the other.
fn our_singles(case: &Case, x: &[f64]) -> Option<f64> {
    let single = case.single?;
    Some(least(
        2,
        |at| read(&x[at]),
        |at, y| {
            for (x, y) in x[at].iter().zip(y) {
                *y = black_box(single)(*x);
            }
        },
    ))
}

/// A million draws, element by element from their own counters.
fn our_draws(function: Function, parameters: &[f64], spread: bool) -> f64 {
    let index: Vec<u64> = (0..COUNT as u64).collect();
    let columns: Vec<Vec<f64>> = parameters.iter().map(|p| vec![*p; if spread { COUNT } else { 1 }]).collect();
    let bring = |at: Range<usize>| {
        read(&index[at.clone()]);
        columns.iter().for_each(|c| read(if spread { &c[at.clone()] } else { &c[..] }));
    };
    least(3, bring, |at, y| {
        let mut ins = vec![Column::U64(&[1]), Column::U32(&[0]), Column::U64(&index[at.clone()])];
        ins.extend(columns.iter().map(|c| Column::from(if spread { &c[at.clone()] } else { &c[..] })));
        function.map_on(Level::best(), &ins, &mut [ColumnMut::from(y)]).expect("the columns fit");
    })
}

fn figures_of_draws(function: Function, parameters: &[f64]) -> Ours {
    let (uniform, arrays) = (our_draws(function, parameters, false), our_draws(function, parameters, true));
    Ours { uniform, arrays, single: None }
}

/// A million draws of libRmath's own generator.
fn libr_draws(library: &libloading::Library, name: &str, parameters: &[f64]) -> Option<f64> {
    macro_rules! call {
        ($($parameter:ident)*) => {{
            type F = unsafe extern "C" fn($(call!(@f64 $parameter)),*) -> f64;
            // SAFETY: libRmath's header declares this function with these types.
            let f = unsafe { library.get::<F>(name.as_bytes()) }.ok()?;
            let [$($parameter),*] = *parameters else { return None };
            least(2, |_| (), |_, y| {
                for y in y {
                    // SAFETY: only this thread uses the state of libRmath's generator.
                    *y = unsafe { f($($parameter),*) };
                }
            })
        }};
        (@f64 $n:ident) => { f64 };
    }
    Some(match parameters.len() {
        1 => call!(a),
        2 => call!(a b),
        3 => call!(a b c),
        _ => return None,
    })
}

fn libr(library: &libloading::Library, case: &Case, x: &[f64]) -> Option<f64> {
    macro_rules! call {
        (($($number:ident)*), ($($flag:ident)*)) => {{
            type F = unsafe extern "C" fn(f64 $(, call!(@f64 $number))* $(, call!(@i32 $flag))*) -> f64;
            // SAFETY: libRmath's header declares this function with these types.
            let f = unsafe { library.get::<F>(case.r.as_bytes()) }.ok()?;
            let [$($number),*] = *case.parameters else { return None };
            let [$($flag),*] = *case.flags else { return None };
            least(2, |at| read(&x[at]), |at, y| {
                for (x, y) in x[at].iter().zip(y) {
                    // SAFETY: a function of numbers, with no other effect.
                    *y = unsafe { f(*x $(, $number)* $(, i32::from($flag))*) };
                }
            })
        }};
        (@f64 $n:ident) => { f64 };
        (@i32 $n:ident) => { i32 };
    }
    Some(match (case.parameters.len(), case.flags.len()) {
        (0, 0) => call!((), ()),
        (1, 0) => call!((a), ()),
        (1, 1) => call!((a), (f)),
        (1, 2) => call!((a), (f g)),
        (2, 0) => call!((a b), ()),
        (2, 1) => call!((a b), (f)),
        (2, 2) => call!((a b), (f g)),
        (3, 1) => call!((a b c), (f)),
        (3, 2) => call!((a b c), (f g)),
        _ => return None,
    })
}

/// SciPy's figures for the chosen lines, by index; empty if python3 or SciPy is missing.
fn scipy(chosen: &[(usize, &Case)]) -> HashMap<usize, f64> {
    // What NumPy has itself takes less time than memory does: it is measured as ours is, piece by piece over as many elements and
    // into an array that is there already, both in a cache. Functions of SciPy take 50 microseconds to begin: they have 10^5 elements at once.
    let mut script = format!(
        "import time, numpy as np, scipy.special as s, scipy.stats as t\n\
         u = (np.arange({COUNT}) + 0.5) / {COUNT}\n\
         np.random.default_rng(1).shuffle(u)\n\
         to = np.empty({COUNT})\n\
         def run(i, f, x, piece, into):\n\
        \x20   all = 0\n\
        \x20   for at in range(0, len(x), piece):\n\
        \x20       best = 1e9\n\
        \x20       part = x[at:at + piece]\n\
        \x20       more = dict(out=to[at:at + piece]) if into else dict()\n\
        \x20       for _ in range(3 if into else 2):\n\
        \x20           b = time.perf_counter(); f(part, **more); best = min(best, time.perf_counter() - b)\n\
        \x20       all += best\n\
        \x20   print(i, all / len(x) * 1e9)\n",
    );
    for (i, case) in chosen.iter().filter(|(_, c)| !c.scipy.is_empty()) {
        // the range of x, from its two ends; discrete ones are whole
        let (low, high) = ((case.x)(0.0), (case.x)(1.0));
        let whole = (case.x)(0.503) == (case.x)(0.503).floor();
        let of_numpy = case.scipy.starts_with("np.");
        let some = if of_numpy { "" } else { "[:100000]" };
        let x = format!("{low} + {} * u{some}", high - low);
        let x = if whole { format!("np.floor({x})") } else { x };
        let (call, piece) = match case.scipy.strip_suffix(')') {
            Some(call) if of_numpy => (format!("lambda x, out: {call}, out=out)"), PIECE),
            _ => (format!("lambda x: {}", case.scipy), 100_000),
        };
        script += &format!("run({i}, {call}, {x}, {piece}, {})\n", if of_numpy { "True" } else { "False" });
    }
    let Ok(output) = Command::new("python3").args(["-c", &script]).output() else { return HashMap::new() };
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|l| {
            let (i, ns) = l.split_once(' ')?;
            Some((i.parse().ok()?, ns.parse().ok()?))
        })
        .collect()
}

/// What was measured of ours.
struct Ours {
    uniform: f64,
    arrays: f64,
    single: Option<f64>,
}

/// One line: ours with uniform parameters, with arrays and as single calls, libRmath's and SciPy's figure.
fn print_line(label: &str, name: &str, ours: &Ours, r: Option<f64>, scipy: Option<f64>) {
    let Ours { uniform, arrays, single } = *ours;
    let show = |v: Option<f64>| v.map_or("-".into(), |v| format!("{v:.1}"));
    let slower_than = |peer: Option<f64>, times: f64, ours: f64| peer.is_some_and(|peer| peer < times * ours);
    let mut marks = String::new();
    if slower_than(r, goal(name), uniform) {
        marks += &format!("  below {}", goal(name));
    }
    if slower_than(r, 1.5, arrays) {
        marks += "  arrays below 1.5";
    }
    if single.is_some_and(|single| slower_than(r, 1.0, single)) {
        marks += "  single calls slower than R";
    }
    if slower_than(scipy, 1.0, uniform) {
        marks += "  slower than SciPy";
    }
    println!(
        "{label:44} {uniform:8.2} {arrays:8.2} {:>8} {:>8} {:>7} {:>7} {:>8} {:>8} {:>7}{}",
        show(single),
        show(r),
        show(r.map(|r| r / uniform)),
        show(r.map(|r| r / arrays)),
        show(r.zip(single).map(|(r, single)| r / single)),
        show(scipy),
        show(scipy.map(|s| s / uniform)),
        marks,
    );
}

fn all_of_ours(case: &Case, x: &[f64]) -> Ours {
    Ours { uniform: ours(case, x, false), arrays: ours(case, x, true), single: our_singles(case, x) }
}

/// The names of all lines, with the function of each.
fn lines() -> impl Iterator<Item = (String, &'static str)> {
    let cases = CASES.iter().map(|case| (case.label(), case.name));
    cases.chain(DRAWS.iter().map(|(name, _, parameters)| (format!("{name}{parameters:?}"), *name)))
}

/// Ours for the line of that name.
fn figures_of(line: &str, u: &[f64]) -> Option<Ours> {
    if let Some(case) = CASES.iter().find(|case| case.label() == line) {
        let x: Vec<f64> = u.iter().map(|u| (case.x)(*u)).collect();
        return Some(all_of_ours(case, &x));
    }
    let (name, _, parameters) = DRAWS.iter().find(|(name, _, parameters)| format!("{name}{parameters:?}") == line)?;
    Some(figures_of_draws(nmath::kernel(name)?, parameters))
}

/// `--turns`: answers each line of the input, the name of a line, with its figures; those that are not there are NaN.
fn answer(u: &[f64]) {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let none = Ours { uniform: f64::NAN, arrays: f64::NAN, single: None };
        let Ours { uniform, arrays, single } = figures_of(&line, u).unwrap_or(none);
        println!("{uniform} {arrays} {}", single.unwrap_or(f64::NAN));
    }
}

/// How often each build measures a line; the least counts.
const ROUNDS: usize = 4;

/// `--against=PROGRAM`: its time over this build's.
fn print_against(program: &str, names: &[String], u: &[f64]) {
    TURNS.store(true, Ordering::Relaxed);
    let mut other = Command::new(program)
        .arg("--turns")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("could not start `{program}`: {e}"));
    let (mut questions, answers) = (other.stdin.take().expect("piped"), other.stdout.take().expect("piped"));
    let mut answers = BufReader::new(answers).lines();
    println!("{:44} {:>8} {:>8} {:>8}", "times faster than the other build", "uniform", "arrays", "single");
    let mut slower = 0;
    for (line, _) in lines().filter(|(_, name)| names.is_empty() || names.iter().any(|n| n == name)) {
        let (mut theirs, mut here) = ([f64::INFINITY; 3], [f64::INFINITY; 3]);
        for _ in 0..ROUNDS {
            writeln!(questions, "{line}").expect("the other build reads");
            let answer = answers.next().expect("the other build answers").expect("in text");
            for (least, figure) in theirs.iter_mut().zip(answer.split(' ')) {
                *least = figure.parse().map_or(f64::NAN, |f: f64| if f < *least { f } else { *least });
            }
            let Some(Ours { uniform, arrays, single }) = figures_of(&line, u) else { continue };
            for (least, figure) in here.iter_mut().zip([uniform, arrays, single.unwrap_or(f64::NAN)]) {
                *least = if figure < *least { figure } else { *least };
            }
        }
        let ratio = |i: usize| theirs[i] / here[i];
        let mark = if (0..3).any(|i| ratio(i) < 0.95) { "  below 0.95" } else { "" };
        slower += usize::from(!mark.is_empty());
        println!("{line:44} {:8.2} {:8.2} {:8.2}{mark}", ratio(0), ratio(1), ratio(2));
    }
    println!("{slower} lines below 0.95");
    drop(questions);
    let _ = other.wait();
}

/// How long the search for the longest call of a function goes on, in calls and in seconds.
const SEARCH: (usize, f64) = (20_000, 2.0);

/// `--worst`: the longest single call of each function among arguments of every size, from the longest to the shortest.
fn print_worst(names: &[String]) {
    let mut found = vec![];
    for (i, f) in nmath::KERNELS.iter().filter(|f| names.is_empty() || names.iter().any(|n| n == f.name())).enumerate()
    {
        let (mut random, begin) = (Random(i as u64 + 1), Instant::now());
        let mut longest: Vec<(f64, Vec<Argument>)> = vec![];
        for _ in 0..SEARCH.0 {
            let arguments: Vec<Argument> = f.params().map(|p| Argument::draw(p.1, &mut random)).collect();
            longest.push((time(*f, &arguments, 1), arguments));
            if longest.len() > 64 {
                longest.sort_by(|a, b| b.0.total_cmp(&a.0));
                longest.truncate(16);
            }
            if begin.elapsed().as_secs_f64() > SEARCH.1 {
                break;
            }
        }
        // a call may have been interrupted: the longest ones are repeated
        longest.sort_by(|a, b| b.0.total_cmp(&a.0));
        longest.truncate(16);
        let again = longest.into_iter().map(|(_, a)| (time(*f, &a, 5), a));
        if let Some((us, arguments)) = again.max_by(|a, b| a.0.total_cmp(&b.0)) {
            found.push((us, f.name(), arguments));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("milliseconds of the longest single call found, and its arguments");
    for (us, name, arguments) in found {
        let shown: Vec<String> = arguments.iter().map(Argument::shown).collect();
        println!("{:10.4} {name}({})", us / 1000.0, shown.join(", "));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<String> = arguments.iter().filter(|a| !a.starts_with("--")).cloned().collect();
    let all = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
    if arguments.iter().any(|a| a == "--worst") {
        return print_worst(&names);
    }
    let u = uniforms();
    if arguments.iter().any(|a| a == "--turns") {
        TURNS.store(true, Ordering::Relaxed);
        return answer(&u);
    }
    if let Some(program) = arguments.iter().find_map(|a| a.strip_prefix("--against=")) {
        return print_against(program, &names, &u);
    }
    // SAFETY: libRmath's initialisers only set up its own data.
    let library = ["libRmath.so.1", "libRmath.so"].iter().find_map(|n| unsafe { libloading::Library::new(n) }.ok());
    if library.is_none() {
        eprintln!("libRmath.so.1 was not found (Debian: r-mathlib): its columns stay empty");
    }
    println!(
        "ns per element; `uniform`: parameters the same for all, `arrays`: as columns, `single`: calls; x: times faster"
    );
    println!("a loop that only reads and writes: {:.2}", copying(&u));
    println!(
        "{:44} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>8} {:>8} {:>7}",
        "", "uniform", "arrays", "single", "libRmath", "x", "arr. x", "single x", "SciPy", "x"
    );
    if arguments.iter().any(|a| a == "--wide") {
        for (case, x) in wide(&u, &names) {
            let r = library.as_ref().and_then(|l| libr(l, &case, &x));
            print_line(&case.label(), case.name, &all_of_ours(&case, &x), r, None);
        }
        print_draws(WIDE_DRAWS, &names, library.as_ref());
        return;
    }
    let chosen: Vec<(usize, &Case)> = CASES.iter().enumerate().filter(|(_, c)| all(c.name)).collect();
    let scipy = scipy(&chosen);
    if scipy.is_empty() {
        eprintln!("python3 with SciPy was not found: its columns stay empty");
    }
    for (i, case) in chosen {
        let x: Vec<f64> = u.iter().map(|u| (case.x)(*u)).collect();
        let r = library.as_ref().and_then(|l| libr(l, case, &x));
        print_line(&case.label(), case.name, &all_of_ours(case, &x), r, scipy.get(&i).copied());
    }
    print_draws(DRAWS, &names, library.as_ref());
}

/// The lines of random numbers, those named or all.
fn print_draws(draws: &[Draw], names: &[String], library: Option<&libloading::Library>) {
    for (name, r, parameters) in draws {
        if !names.is_empty() && !names.iter().any(|n| n == name) {
            continue;
        }
        let function = nmath::kernel(name).expect("the cases are kernels");
        let figures = figures_of_draws(function, parameters);
        let r = library.and_then(|l| libr_draws(l, r, parameters));
        print_line(&format!("{}{parameters:?}", function.name()), function.name(), &figures, r, None);
    }
}
