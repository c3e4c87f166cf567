//! The list of all functions, from which tests, the command line, the documentation and the exported library are made.

use gristmill_kernel::Function;

macro_rules! list {
    ($($name:ident)*) => { &[$(crate::$name::FUNCTION),*] };
}

/// Every public function of the crate as data, once, in the order of its group: elementary functions, special functions,
/// then the distributions.
pub const KERNELS: &[Function] = list! {
    exp expm1 log log1p log2 log10 pow sqrt cbrt
    sin cos tan sinpi cospi tanpi asin acos atan atan2 sinh cosh tanh
    gammafn lgammafn lgammafn_sign lgamma1p log1pmx stirlerr bd0 dpois_raw
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
};

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
}
