//! The largest errors that may occur on the points of dev/oracle, in ulps of the true value. A bound may only fall.

/// Name, bound of the 99 % quantile, bound of the maximum.
pub(crate) type Bound = (&'static str, f64, f64);

macro_rules! bounds {
    ($($name:ident => $high:literal, $max:literal;)*) => {
        /// One line per measured function.
        pub(crate) const BOUNDS: &[Bound] = &[$((stringify!($name), $high, $max)),*];
    };
}

bounds! { //         99 %   max
    // elementary
    exp        =>    0.51,  0.52;
    expm1      =>    0.51,  0.52;
    log        =>    0.51,  0.52;
    log1p      =>    0.51,  0.52;
    pow        =>    0.52,  0.53;
    // special
    log1pmx    =>    0.51,  0.52;
    // normal and gamma families
    bd0        =>    0.52,  0.60;
    gammafn    =>    0.75,  1.05;
    lgamma1p   =>    0.52,  0.75;
    lgammafn   =>    1.15,  1.50;
    stirlerr   =>    1.30,  1.45;
    // beta family
}
