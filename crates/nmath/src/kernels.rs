//! The list of all functions, from which tests, the command line, the documentation and the exported library are made.

use gristmill_kernel::{Function, Kernel, Shard};

macro_rules! list {
    ($($name:ident)*) => { &[$(crate::$name::FUNCTION),*] };
}

/// Every public function of the crate as data, once, in the order of its group: elementary functions, special functions,
/// then the distributions, then random numbers.
// A static, so that the block loops are compiled here once and not again in every crate that names them.
pub static KERNELS: &[Function] = list! {
    exp expm1 log log1p log2 log10 pow sqrt cbrt
    sin cos tan sinpi cospi tanpi asin acos atan atan2 sinh cosh tanh
    erf erfc erfinv erfcinv digamma trigamma tetragamma pentagamma psigamma
    log1pexp log1mexp logspace_add logspace_sub pow1p r_pow r_pow_di
    fround fprec ftrunc fsign sign fmax2 fmin2 imax2 imin2
    gammafn lgammafn lgammafn_sign lgamma1p log1pmx beta lbeta choose lchoose stirlerr bd0 dpois_raw dbinom_raw
    dnorm pnorm qnorm
    dlnorm plnorm qlnorm
    dunif punif qunif
    dexp pexp qexp
    dgamma pgamma qgamma
    dchisq pchisq qchisq
    dweibull pweibull qweibull
    dlogis plogis qlogis
    dcauchy pcauchy qcauchy
    dpois ppois qpois
    dgeom pgeom qgeom
    dbeta pbeta qbeta
    dt pt qt
    df pf qf
    dbinom pbinom qbinom
    dnbinom pnbinom qnbinom
    dnbinom_mu pnbinom_mu qnbinom_mu
    dhyper phyper qhyper
    philox4x32 unif_rand norm_rand exp_rand r_unif_index
    rnorm rlnorm runif rexp rgamma rchisq rweibull rlogis rcauchy rpois rgeom
    rbeta rt rf rbinom rnbinom rnbinom_mu rhyper
};

/// What works on slices instead of scalars: part of the exported library, but not of [`KERNELS`].
pub static ENTRIES: &[&Shard] = &[<crate::special::log_sum::logspace_sums as Kernel>::SHARD];

/// The function of that name.
pub fn kernel(name: &str) -> Option<Function> {
    KERNELS.iter().find(|f| f.name() == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_listed_once() {
        let mut names: Vec<&str> = KERNELS.iter().map(Function::name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    /// Whoever adds a public function adds it to the list, or this test names it.
    #[test]
    fn what_is_re_exported_at_the_root_is_listed() {
        for source in [include_str!("special/mod.rs"), include_str!("dist/mod.rs"), include_str!("random/mod.rs")] {
            for line in source.lines().filter_map(|l| l.strip_prefix("pub use ")) {
                let names = line.split_once("::").map_or("", |(_, names)| names);
                for name in names.trim_matches(['{', '}', ';']).split(',').map(|n| n.trim_matches(['{', '}', ';', ' ']))
                {
                    assert!(kernel(name).is_some(), "`{name}` is public, but not in KERNELS");
                }
            }
        }
    }
}
