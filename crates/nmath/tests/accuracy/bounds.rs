//! The largest errors that may occur on the points of dev/oracle, in ulps of the true value. A bound may only fall.

/// Name, bound of the 99 % quantile, bound of the maximum.
pub(crate) type Bound = (&'static str, f64, f64);

macro_rules! bounds {
    ($($name:ident => $high:literal, $max:literal;)*) => { &[$((stringify!($name), $high, $max)),*] };
}

/// The bound that holds for a function on the points of a file of dev/oracle.
pub(crate) fn bound_of(function: &str, file: &str) -> Option<&'static Bound> {
    let find = |list: &'static [Bound]| list.iter().find(|b| b.0 == function);
    let harder = if file.ends_with("+sweep") {
        find(SWEEP)
    } else if file.ends_with("+corners") {
        find(CORNERS)
    } else {
        None
    };
    harder.or_else(|| find(BOUNDS))
}

/// One line per measured function.
pub(crate) const BOUNDS: &[Bound] = bounds! { // 99 %   max
    // elementary
    exp        =>    0.51,  0.56;
    expm1      =>    0.51,  0.52;
    log        =>    0.51,  0.55;
    log1p      =>    0.51,  0.52;
    pow        =>    0.50,  0.51;
    log2       =>    0.51,  0.53;
    log10      =>    0.51,  0.55;
    sqrt       =>    0.50,  0.50;
    cbrt       =>    0.50,  0.50;
    sin        =>    0.53,  0.65;
    cos        =>    0.53,  0.60;
    tan        =>    0.53,  0.65;
    sinpi      =>    0.57,  0.60;
    cospi      =>    0.53,  0.58;
    tanpi      =>    0.53,  0.60;
    asin       =>    0.53,  0.60;
    acos       =>    0.53,  0.60;
    atan       =>    0.53,  0.60;
    atan2      =>    0.53,  0.60;
    sinh       =>    0.51,  0.53;
    cosh       =>    0.51,  0.53;
    tanh       =>    0.51,  0.53;
    // special
    erf        =>    0.51,  0.53;
    erfc       =>    0.52,  0.62;
    erfinv     =>    0.51,  0.54;
    erfcinv    =>    0.51,  0.53;
    log1pexp   =>    0.52,  0.56;
    log1mexp   =>    0.52,  0.56;
    logspace_add =>    0.51,  0.52;
    logspace_sub =>    0.51,  0.52;
    pow1p      =>    0.51,  0.52;
    digamma    =>    0.52,  2.80;
    trigamma   =>    0.51,  0.52;
    tetragamma =>    0.51,  0.52;
    pentagamma =>    0.51,  0.52;
    psigamma   =>    0.51,  0.52;
    fround     =>    0.50,  0.51;
    fprec      =>    0.51,  0.52;
    log1pmx    =>    0.51,  0.52;
    // normal and gamma families
    bd0        =>    0.52,  0.60;
    gammafn    =>    0.52,  0.65;
    lgamma1p   =>    0.52,  0.74;
    lgammafn   =>    0.90,  1.35;
    stirlerr   =>    0.52,  0.55;
    dcauchy    =>    0.51,  0.52;
    pcauchy    =>    0.52,  0.54;
    qcauchy    =>    0.92,  1.43;
    dchisq     =>    0.53,  0.58;
    pchisq     =>    0.77,  1.40;
    qchisq     =>    0.57,  0.63;
    dexp       =>    0.51,  0.52;
    pexp       =>    0.52,  0.52;
    qexp       =>    0.84,  1.01;
    dgamma     =>    0.52,  0.56;
    pgamma     =>    1.33,  1.53;
    qgamma     =>    0.54,  0.98;
    dgeom      =>    0.53,  0.57;
    pgeom      =>    0.52,  0.52;
    qgeom      =>    0.00,  0.00;
    dlnorm     =>    0.52,  0.57;
    plnorm     =>    0.60,  0.70;
    qlnorm     =>    0.53,  0.80;
    dlogis     =>    0.52,  0.52;
    plogis     =>    0.52,  0.63;
    qlogis     =>    0.52,  0.52;
    dnorm      =>    0.52,  0.54;
    pnorm      =>    0.53,  0.60;
    qnorm      =>    0.52,  0.90;
    dpois      =>    0.53,  0.54;
    ppois      =>    0.80,  0.95;
    qpois      =>    0.00,  0.00;
    dunif      =>    0.51,  0.52;
    punif      =>    0.52,  0.52;
    qunif      =>    0.52,  0.52;
    dweibull   =>    0.58,  1.15;
    pweibull   =>    0.54,  0.58;
    qweibull   =>    0.52,  0.55;
    // beta family
    beta       =>    0.51,  0.55;
    lbeta      =>    0.51,  0.55;
    choose     =>    0.51,  0.52;
    lchoose    =>    0.51,  0.51;
    dbeta      =>    0.51,  0.55;
    pbeta      =>    1.00,  4.50;
    qbeta      =>    1.10,  5.50;
    dbinom     =>    0.51,  0.55;
    dbinom_raw =>    0.51,  0.55;
    pbinom     =>    1.10,  1.50;
    qbinom     =>    0.00,  0.00;
    dt         =>    0.51,  0.55;
    pt         =>    0.60,  0.80;
    qt         =>    1.20,  2.50;
    df         =>    0.51,  0.80;
    pf         =>    1.00,  1.40;
    qf         =>    2.50,  4.00;
    dnbinom    =>    0.51,  0.55;
    pnbinom    =>    1.10,  1.40;
    qnbinom    =>    0.00,  0.00;
    dnbinom_mu =>    0.51,  0.55;
    pnbinom_mu =>    0.90,  1.60;
    qnbinom_mu =>    0.00,  0.00;
    dhyper     =>    0.51,  0.55;
    phyper     =>    0.51,  0.55;
    qhyper     =>    0.00,  0.00;
};

/// Where the points of `NAME+sweep`, which lie at borders and in far corners on purpose, are harder than the others.
pub(crate) const SWEEP: &[Bound] = bounds! { // 99 %   max
    log1p      =>    0.51,  0.55;
    tanpi      =>    0.55,  0.62;
    lgamma1p   =>    0.57,  0.74;
    dgamma     =>    0.52,  0.64;
    dlnorm     =>    0.52,  0.66;
    dnorm      =>    0.54,  0.57;
    pnbinom    =>    1.10,  1.73;
    pnbinom_mu =>    1.20,  1.60;
    dhyper     =>    0.52,  0.77;
    phyper     =>    0.52,  0.90;
};

/// The same of `NAME+corners`, whose points are all of the hard kind.
pub(crate) const CORNERS: &[Bound] = bounds! { // 99 %   max
    df         =>    0.75,  0.80;
    pf         =>    1.15,  1.40;
    qt         =>    3.40,  3.40;
};
