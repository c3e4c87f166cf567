//! The functions that are measured: one line each, arguments in the order of the columns in dev/oracle/values.

/// A function by name, taking the arguments of one line of its reference file.
pub(crate) type Function = (&'static str, fn(&[f64]) -> f64);

/// `name(x, y)`: all arguments are numbers; `name(x; lower, log)`: those after the semicolon are flags (0 or 1);
/// `name => |a| expression`: anything else.
macro_rules! functions {
    (@one $name:ident ($($number:ident),* $(; $($flag:ident),*)?)) => {
        (stringify!($name), |arguments| {
            let mut rest = arguments.iter().copied();
            let mut next = || rest.next().expect("as many columns as the function has arguments");
            gristmill_nmath::$name($({ let $number = next(); $number }),* $($(, { let $flag = next(); $flag != 0.0 })*)?)
        })
    };
    (@one $name:ident => |$a:ident| $body:expr) => {
        (stringify!($name), |$a| $body)
    };
    ($({ $($line:tt)* })*) => {
        /// Every measured function.
        pub(crate) const FUNCTIONS: &[Function] = &[$(functions!(@one $($line)*)),*];
    };
}

functions! {
    // elementary
    { exp(x) }
    { expm1(x) }
    { log(x) }
    { log1p(x) }
    { pow(x, y) }
    { log2(x) }
    { log10(x) }
    { sqrt(x) }
    { cbrt(x) }
    { sin(x) }
    { cos(x) }
    { tan(x) }
    { sinpi(x) }
    { cospi(x) }
    { tanpi(x) }
    { asin(x) }
    { acos(x) }
    { atan(x) }
    { atan2(y, x) }
    { sinh(x) }
    { cosh(x) }
    { tanh(x) }
    // special
    { erf(x) }
    { erfc(x) }
    { erfinv(p) }
    { erfcinv(q) }
    { log1pexp(x) }
    { log1mexp(x) }
    { logspace_add(lx, ly) }
    { logspace_sub(lx, ly) }
    { pow1p(x, y) }
    { digamma(x) }
    { trigamma(x) }
    { tetragamma(x) }
    { pentagamma(x) }
    { psigamma(x, deriv) }
    { fround(x, digits) }
    { fprec(x, digits) }
    { log1pmx(x) }
    // normal and gamma families
    { bd0(x, m) }
    { gammafn(x) }
    { lgamma1p(x) }
    { lgammafn(x) }
    { stirlerr(x) }
    { dcauchy(x, location, scale; log) }
    { pcauchy(x, location, scale; lower, log) }
    { qcauchy(p, location, scale; lower, log) }
    { dchisq(x, df; log) }
    { pchisq(x, df; lower, log) }
    { qchisq(p, df; lower, log) }
    { dexp(x, scale; log) }
    { pexp(x, scale; lower, log) }
    { qexp(p, scale; lower, log) }
    { dgamma(x, shape, scale; log) }
    { pgamma(x, shape, scale; lower, log) }
    { qgamma(p, shape, scale; lower, log) }
    { dgeom(x, prob; log) }
    { pgeom(x, prob; lower, log) }
    { qgeom(p, prob; lower, log) }
    { dlnorm(x, meanlog, sdlog; log) }
    { plnorm(x, meanlog, sdlog; lower, log) }
    { qlnorm(p, meanlog, sdlog; lower, log) }
    { dlogis(x, location, scale; log) }
    { plogis(x, location, scale; lower, log) }
    { qlogis(p, location, scale; lower, log) }
    { dnorm(x, mu, sigma; log) }
    { pnorm(x, mu, sigma; lower, log) }
    { qnorm(p, mu, sigma; lower, log) }
    { dpois(x, lambda; log) }
    { ppois(x, lambda; lower, log) }
    { qpois(p, lambda; lower, log) }
    { dunif(x, a, b; log) }
    { punif(x, a, b; lower, log) }
    { qunif(p, a, b; lower, log) }
    { dweibull(x, shape, scale; log) }
    { pweibull(x, shape, scale; lower, log) }
    { qweibull(p, shape, scale; lower, log) }
    // beta family
    { beta(a, b) }
    { lbeta(a, b) }
    { choose(n, k) }
    { lchoose(n, k) }
    { dbeta(x, a, b; log) }
    { pbeta(x, a, b; lower, log) }
    { qbeta(p, a, b; lower, log) }
    { dbinom(x, n, prob; log) }
    { dbinom_raw(x, n, p, q; log) }
    { pbinom(x, n, prob; lower, log) }
    { qbinom(p, n, prob; lower, log) }
    { dt(x, df; log) }
    { pt(x, df; lower, log) }
    { qt(p, df; lower, log) }
    { df(x, m, n; log) }
    { pf(x, m, n; lower, log) }
    { qf(p, m, n; lower, log) }
    { dnbinom(x, size, prob; log) }
    { pnbinom(x, size, prob; lower, log) }
    { qnbinom(p, size, prob; lower, log) }
    { dnbinom_mu(x, size, mu; log) }
    { pnbinom_mu(x, size, mu; lower, log) }
    { qnbinom_mu(p, size, mu; lower, log) }
    { dhyper(x, r, b, n; log) }
    { phyper(x, r, b, n; lower, log) }
    { qhyper(p, r, b, n; lower, log) }
}
