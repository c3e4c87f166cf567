//! Kernels written for R's C names, in the folder `kernels`: they assemble against the built-in library as they stand, build, and
//! give the bits of our functions. (docs/c-names.md)

use gristmill::BUILTIN_PACKAGES;
use gristmill::cl_library::{Packages, PreludeRequest, ProgramRequest, ProgramSource, Severity, check_program};
use gristmill::cl_runtime::{Arg, CacheSetting, Device, DeviceOptions, KernelParam, Launch, choose_device};
use gristmill::nmath::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const COUNT: usize = 48;
const SEED: u64 = 0x5eed_0000_0042;

/// What the kernels read, by the name of the parameter: numbers and flags of all kinds.
struct Inputs {
    numbers: BTreeMap<&'static str, Vec<f64>>,
    flags: BTreeMap<&'static str, Vec<i32>>,
}

impl Inputs {
    fn new() -> Inputs {
        let of = |f: &dyn Fn(f64) -> f64| (0..COUNT).map(|i| f(i as f64)).collect::<Vec<f64>>();
        let numbers = BTreeMap::from([
            ("x", of(&|i| 0.37 * i - 8.1)),
            ("y", of(&|i| 0.05 + 0.41 * i)),
            ("a", of(&|i| 0.3 + 0.7 * (i % 13.0))),
            ("b", of(&|i| 0.9 + 0.55 * (i % 11.0))),
            ("p", of(&|i| (i + 0.5) / COUNT as f64)),
            ("k", of(&|i| i % 17.0)),
            ("n", of(&|i| 16.0 + i)),
        ]);
        // C takes every flag that is not 0 for true.
        let flags = BTreeMap::from([
            ("lower_tail", (0..COUNT).map(|i| [0, 1, -1, 2][i % 4]).collect()),
            ("give_log", (0..COUNT).map(|i| [0, 0, 1, 8][i / 2 % 4]).collect()),
        ]);
        Inputs { numbers, flags }
    }
}

/// One element's arguments.
struct At<'a> {
    inputs: &'a Inputs,
    i: usize,
}

impl At<'_> {
    fn n(&self, name: &str) -> f64 {
        self.inputs.numbers[name][self.i]
    }
    fn flag(&self, name: &str) -> bool {
        self.inputs.flags[name][self.i] != 0
    }
    /// The element as an index of random numbers.
    fn index(&self) -> u64 {
        self.i as u64
    }
}

type Expected = fn(&At<'_>) -> f64;

/// Each kernel of the folder, and what our functions give for its element.
#[rustfmt::skip]
const EXPECTED: &[(&str, Expected)] = &[
    ("dnorm_kernel", |e| dnorm(e.n("x"), 0.25, e.n("a"), e.flag("give_log"))),
    ("dnorm4_kernel", |e| dnorm(e.n("x"), 0.25, e.n("a"), e.flag("give_log"))),
    ("rf_dnorm4_kernel", |e| dnorm(e.n("x"), 0.25, e.n("a"), e.flag("give_log"))),
    ("dgamma_kernel", |e| dgamma(e.n("y"), e.n("a"), e.n("b"), e.flag("give_log"))),
    ("dbeta_kernel", |e| dbeta(e.n("p"), e.n("a"), e.n("b"), e.flag("give_log"))),
    ("dbinom_kernel", |e| dbinom(e.n("k"), e.n("n"), e.n("p"), e.flag("give_log"))),
    ("dbinom_raw_kernel", |e| dbinom_raw(e.n("k"), e.n("n"), e.n("p"), 1.0 - e.n("p"), e.flag("give_log"))),
    ("dpois_kernel", |e| dpois(e.n("k"), e.n("y"), e.flag("give_log"))),
    ("dpois_raw_kernel", |e| dpois_raw(e.n("k"), e.n("y"), e.flag("give_log"))),
    ("dnbinom_both_kernel", |e| match e.i % 2 {
        1 => dnbinom(e.n("k"), e.n("a"), e.n("p"), e.flag("give_log")),
        _ => dnbinom_mu(e.n("k"), e.n("a"), e.n("y"), e.flag("give_log")),
    }),
    ("dhyper_kernel", |e| dhyper(e.n("k"), e.n("n"), 20.0, 15.0, e.flag("give_log"))),
    ("dnchisq_kernel", |e| dnchisq(e.n("y"), e.n("a"), e.n("b"), e.flag("give_log"))),
    ("dwilcox_kernel", |e| dwilcox(e.n("k"), 6.0, 7.0, e.flag("give_log"))),
    ("pnorm5_kernel", |e| pnorm(e.n("x"), 0.25, e.n("a"), e.flag("lower_tail"), e.flag("give_log"))),
    ("pgamma_kernel", |e| pgamma(e.n("y"), e.n("a"), e.n("b"), e.flag("lower_tail"), e.flag("give_log"))),
    ("rf_pbeta_kernel", |e| pbeta(e.n("p"), e.n("a"), e.n("b"), e.flag("lower_tail"), e.flag("give_log"))),
    ("pbinom_kernel", |e| pbinom(e.n("k"), e.n("n"), e.n("p"), e.flag("lower_tail"), e.flag("give_log"))),
    ("pt_and_pf_kernel", |e| match e.i % 2 {
        1 => pt(e.n("x"), e.n("a"), e.flag("lower_tail"), e.flag("give_log")),
        _ => pf(e.n("y"), e.n("a"), e.n("b"), e.flag("lower_tail"), e.flag("give_log")),
    }),
    ("pchisq_kernel", |e| pchisq(e.n("y"), e.n("a"), e.flag("lower_tail"), e.flag("give_log"))),
    ("pnbeta_kernel", |e| pnbeta(e.n("p"), e.n("a"), e.n("b"), e.n("y"), e.flag("lower_tail"), e.flag("give_log"))),
    ("psignrank_kernel", |e| psignrank(e.n("k"), 12.0, e.flag("lower_tail"), e.flag("give_log"))),
    ("pexp_and_plogis_kernel", |e| match e.i % 2 {
        1 => pexp(e.n("y"), e.n("a"), e.flag("lower_tail"), e.flag("give_log")),
        _ => plogis(e.n("x"), 0.5, e.n("a"), e.flag("lower_tail"), e.flag("give_log")),
    }),
    ("qnorm5_kernel", |e| qnorm(e.n("p"), 0.25, e.n("a"), e.flag("lower_tail"), false)),
    ("qgamma_kernel", |e| qgamma(e.n("p"), e.n("a"), e.n("b"), e.flag("lower_tail"), false)),
    ("qbeta_kernel", |e| qbeta(e.n("p"), e.n("a"), e.n("b"), e.flag("lower_tail"), false)),
    ("qbinom_kernel", |e| qbinom(e.n("p"), e.n("n"), 0.375, e.flag("lower_tail"), false)),
    ("qt_kernel", |e| qt(e.n("p"), e.n("a"), e.flag("lower_tail"), false)),
    ("qnchisq_kernel", |e| qnchisq(e.n("p"), e.n("a"), e.n("b"), e.flag("lower_tail"), false)),
    ("norm_rand_kernel", |e| norm_rand(SEED, 0, e.index())),
    ("unif_and_exp_rand_kernel", |e| unif_rand(SEED, 3, e.index()) + exp_rand(SEED, 4, e.index())),
    ("rnorm_kernel", |e| rnorm(SEED, 0, e.index(), e.n("x"), e.n("a"))),
    ("rgamma_kernel", |e| rgamma(SEED, 1, e.index(), e.n("a"), e.n("b"))),
    ("rbinom_and_rpois_kernel", |e| {
        rbinom(SEED, 0, e.index(), e.n("n"), e.n("p")) + 1000.0 * rpois(SEED, 1, e.index(), e.n("y"))
    }),
    ("rnchisq_kernel", |e| rnchisq(SEED, 0, e.index(), e.n("a"), e.n("b"))),
    ("rlnorm_kernel", |e| {
        let (z, l) = (rnorm(SEED, 0, e.index(), 0.0, 1.0), rlnorm(SEED, 1, e.index(), 0.0, e.n("a")));
        z + l + rchisq(SEED, 2, e.index(), e.n("a"))
    }),
    ("r_unif_index_kernel", |e| r_unif_index(SEED, 0, e.index(), e.n("n"))),
    ("bootstrap_kernel", |e| {
        let draw = |j: usize| e.inputs.numbers["x"][r_unif_index(SEED, j as u32, e.index(), COUNT as f64) as usize];
        (0..COUNT).fold(0.0, |sum, j| sum + draw(j)) / COUNT as f64
    }),
    ("walk_kernel", |e| {
        let jump = |stream, scale| {
            let size = rexp(SEED, stream, e.index(), scale);
            if rnorm(SEED, stream + 1, e.index(), 0.0, 1.0) < 0.0 { -size } else { size }
        };
        jump(7, 0.5) + jump(9, 2.0)
    }),
    ("gammafn_kernel", |e| gammafn(e.n("x"))),
    ("lgammafn_sign_kernel", |e| f64::from(lgammafn_sign(e.n("x")).1)),
    ("polygamma_kernel", |e| match e.i % 5 {
        0 => digamma(e.n("y")),
        1 => trigamma(e.n("y")),
        2 => tetragamma(e.n("y")),
        3 => pentagamma(e.n("y")),
        _ => psigamma(e.n("y"), 4.0),
    }),
    ("beta_and_choose_kernel", |e| match e.i % 4 {
        0 => beta(e.n("a"), e.n("b")),
        1 => lbeta(e.n("a"), e.n("b")),
        2 => choose(e.n("n"), e.n("k")),
        _ => lchoose(e.n("n"), e.n("k")),
    }),
    ("bessel_kernel", |e| match e.i % 4 {
        0 => bessel_i(e.n("y"), e.n("a"), 2.0),
        1 => bessel_j(e.n("y"), e.n("a")),
        2 => bessel_k(e.n("y"), e.n("a"), 1.0),
        _ => bessel_y(e.n("y"), e.n("a")),
    }),
    ("bessel_i_ex_kernel", |e| bessel_i(e.n("y"), e.n("a"), 1.0)),
    ("rounding_kernel", |e| match e.i % 7 {
        0 => fround(e.n("x"), 2.0),
        1 => fprec(e.n("x"), 3.0),
        2 => ftrunc(e.n("x")),
        3 => fsign(e.n("y"), e.n("x")),
        4 => sign(e.n("x")),
        5 => fmax2(e.n("x"), e.n("y")) - fmin2(e.n("x"), e.n("y")),
        _ => f64::from(imax2(e.i as i32, 7) - imin2(e.i as i32, 7)),
    }),
    ("r_pow_kernel", |e| r_pow(e.n("y"), e.n("x")) + r_pow_di(e.n("x"), e.i as i32 % 5)),
    ("log_space_kernel", |e| match e.i % 6 {
        0 => log1pmx(e.n("y")),
        1 => lgamma1p(e.n("p")),
        2 => logspace_add(e.n("x"), e.n("y")),
        3 => logspace_sub(e.n("y") + 5.0, e.n("x")),
        4 => log1pexp(e.n("x")),
        _ => log1mexp(e.n("y")),
    }),
    ("cospi_kernel", |e| cospi(e.n("x")) + sinpi(e.n("x")) * expm1(e.n("x")) + log1p(e.n("y"))),
    ("libm_kernel", |e| exp(e.n("x")) + log(e.n("y")) + sqrt(e.n("y"))),
    ("pnorm_both_kernel", |e| {
        let (lower, upper) = pnorm_both(e.n("x"), e.flag("give_log"));
        (if e.i % 3 == 1 { 9.0 } else { lower }) - 100.0 * (if e.i % 3 == 0 { 9.0 } else { upper })
    }),
    ("ebd0_kernel", |e| {
        let (high, low) = ebd0(e.n("y"), e.n("b"));
        if e.i % 2 == 1 { high } else { low }
    }),
    ("raw_kernel", |e| match e.i % 4 {
        0 => pgamma(e.n("y"), e.n("a"), 1.0, e.flag("lower_tail"), e.flag("give_log")),
        1 => pbeta(e.n("p"), e.n("a"), e.n("b"), e.flag("lower_tail"), e.flag("give_log")),
        2 => lfastchoose(e.n("a") + e.n("b"), e.n("a")),
        _ => lgammacor(10.0 + e.n("y")),
    }),
    ("dpsifn_kernel", |e| match (e.i % 3 + e.i % 5, e.i % 2) {
        (0, 1) => log_minus_digamma(e.n("y")),
        (order, _) => scaled_psigamma(e.n("y"), order as f64),
    }),
    ("rmultinom_kernel", |e| {
        let mut counts = [0.0; 4];
        rmultinom(SEED, 5, e.index(), 60.0, &[e.n("p"), 0.25, 0.0, 1.5], &mut counts);
        counts[0] + 100.0 * counts[1] + 10000.0 * counts[2] + 1e6 * counts[3] + runif(SEED, 6, e.index(), 0.0, 0.5)
    }),
    ("logspace_sum_kernel", |e| match e.i % 2 {
        1 => logspace_sum(&[e.n("x"), e.n("y"), e.n("x") - e.n("y")]),
        _ => logspace_sum(&[e.n("x"), e.n("y")]) + logspace_sum(&e.inputs.numbers["x"][..COUNT - e.i]),
    }),
    ("beside_others_kernel", |e| pgamma(1.0 + e.i as f64, 2.0, 1.0, true, false)),
    ("published_kernel", |e| published(e.i)),
    ("constants_kernel", |e| constant(e.i)),
    ("laplace_density_kernel", |e| {
        let exponent = -e.n("x").abs() / e.n("a");
        if e.flag("give_log") { exponent - log(2.0 * e.n("a")) } else { exp(exponent) / (2.0 * e.n("a")) }
    }),
    ("count_density_kernel", |e| {
        dpois(e.n("k") + [0.0, 5e-8, 1e-5][e.i % 3], e.n("y"), e.flag("give_log"))
    }),
    ("saddle_density_kernel", |e| match (e.n("x"), e.n("a"), e.flag("give_log")) {
        (x, a, true) if x < 0.0 => -0.5 * log(std::f64::consts::TAU * a) + x,
        (x, a, false) if x < 0.0 => exp(x) / sqrt(std::f64::consts::TAU * a),
        (x, a, true) if x < 5.0 => -log(a) - x,
        (x, a, false) if x < 5.0 => exp(-x) / a,
        (_, _, log) => if log { -std::f64::consts::LN_2 } else { 0.5 },
    }),
    ("quantile_kernel", |e| {
        let (p, y, is_lower, log) = (e.n("p"), e.n("y"), e.flag("lower_tail"), e.flag("give_log"));
        match e.i {
            24..28 => return if is_lower { -1.0 } else { 3.0 },
            28..32 => return if is_lower { 3.0 } else { -1.0 },
            32..36 => return f64::NAN,
            36..40 => return 110.0, // NA is no R_IsNaN, NaN is, and is no NA; both are ISNAN
            _ => (),
        }
        let (of_tail, of_other) = if log { (exp(-y), -expm1(-y)) } else { (p, 1.0 - p) };
        let (lower, upper) = if is_lower { (of_tail, of_other) } else { (of_other, of_tail) };
        if lower < upper { 4.0 * lower } else { -4.0 * upper }
    }),
    ("logit_likelihood_kernel", |e| {
        let eta = e.n("x") + 0.5 * rnorm(SEED, 0, e.index(), 0.0, 1.0);
        dbinom(e.n("k").min(e.n("n")), e.n("n"), plogis(eta, 0.0, 1.0, true, false), true)
    }),
];

/// What `published_kernel` computes.
fn published(i: usize) -> f64 {
    match i {
        0 => trigamma(0.5),
        1 => pnorm(1.96, 0.0, 1.0, true, false),
        2 => dnorm(0.0, 0.0, 1.0, false),
        3 => gammafn(0.5),
        4 => bessel_j(1.0, 0.0),
        5 => -digamma(1.0),
        6 => choose(52.0, 5.0),
        7 => qnorm(0.975, 0.0, 1.0, true, false),
        _ => 0.0,
    }
}

/// The constants in the kernel's order. Rust's own where it has them; the others are those of mpmath, rounded.
fn constant(i: usize) -> f64 {
    use std::f64::consts::*;
    let of_rust = [
        E,
        LOG2_E,
        LOG10_E,
        LN_2,
        LN_10,
        PI,
        FRAC_PI_2,
        FRAC_PI_4,
        FRAC_1_PI,
        FRAC_2_PI,
        FRAC_2_SQRT_PI,
        SQRT_2,
        FRAC_1_SQRT_2,
        TAU,
    ];
    let of_mpmath = [
        1.7320508075688772,
        5.656854249492381,
        std::f64::consts::LOG10_2,
        1.772453850905516,
        0.3989422804014327,
        0.7978845608028654,
        1.8378770664093456,
        0.5723649429247001,
        0.9189385332046728,
        0.22579135264472744,
    ];
    match i {
        0..14 => of_rust[i],
        14..24 => of_mpmath[i - 14],
        24 => f64::INFINITY,
        25 => f64::NEG_INFINITY,
        26 => f64::NAN,
        _ => 5.0, // a NaN is one, an infinity is not finite, a number is
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_names/kernels")
}

fn packages() -> Packages {
    Packages::new(Vec::new(), BUILTIN_PACKAGES)
}

fn assembled(kernel: &str) -> ProgramSource {
    let request = ProgramRequest {
        kernel: folder().join(kernel).with_extension("cl").display().to_string(),
        libraries: vec!["nmath::nmath".to_string()],
        package: None,
        tags: Vec::new(),
        prelude: PreludeRequest::default(),
    };
    let program = request.assemble(&packages()).unwrap_or_else(|e| panic!("{kernel}: {e}")).program;
    let found: Vec<String> = check_program(&program, &[])
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| d.message.clone())
        .collect();
    assert!(found.is_empty(), "{kernel}: {found:?}");
    program
}

fn device() -> Device {
    let mut options = DeviceOptions::default();
    options.cache = CacheSetting::Off;
    Device::open_with(&choose_device().expect("the tests need an OpenCL device (PoCL)"), options).expect("a context")
}

/// One run over all elements.
fn run(device: &Device, kernel: &str, inputs: &Inputs) -> Vec<f64> {
    let program = device.build(&assembled(kernel).text(), "").unwrap_or_else(|e| panic!("{kernel}: {e}"));
    let entry = program.kernel(kernel).expect("the kernel is named like its file");
    let mut out = vec![0.0; COUNT];
    let params: Vec<KernelParam> = entry.signature().params.clone();
    let mut results = Some(&mut out);
    let mut args: Vec<Arg<'_>> = params
        .iter()
        .map(|param| match param.name.as_str() {
            "out" => Arg::output(&mut results.take().expect("one result")[..]),
            "len" => Arg::value(COUNT as i32),
            "seed" => Arg::value(SEED),
            flag if inputs.flags.contains_key(flag) => Arg::input(&inputs.flags[flag][..]),
            number => {
                let values = inputs.numbers.get(number).unwrap_or_else(|| panic!("{kernel}: what is `{number}`?"));
                Arg::input(&values[..])
            }
        })
        .collect();
    entry.run_guarded(&Launch::linear(COUNT), &mut args).unwrap_or_else(|e| panic!("{kernel}: {e}"));
    drop(args);
    out
}

#[test]
fn kernels_with_cs_names_give_the_bits_of_our_functions() {
    let (device, inputs) = (device(), Inputs::new());
    let mut wrong = Vec::new();
    for (kernel, expected) in EXPECTED {
        for (i, computed) in run(&device, kernel, &inputs).into_iter().enumerate() {
            let expected = expected(&At { inputs: &inputs, i });
            if computed.to_bits() != expected.to_bits() && !(computed.is_nan() && expected.is_nan()) {
                wrong.push(format!("{kernel}[{i}] is {computed:e}, not {expected:e}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kernel_of_the_folder_is_tested_and_there_are_more_than_forty() {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .map(|f| f.expect("a file").path().file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    files.sort_unstable();
    let mut tested: Vec<&str> = EXPECTED.iter().map(|(name, _)| *name).collect();
    tested.sort_unstable();
    assert_eq!(files, tested);
    assert!(tested.len() > 40, "{}", tested.len());
}

/// `gristmill run` takes the kernel of the file, whatever kernels the library brings.
#[test]
fn the_files_own_kernel_is_run_without_being_named() {
    let out = tempfile::tempdir().expect("a folder");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gristmill"))
        .current_dir(out.path())
        .arg("run")
        .arg(folder().join("beside_others_kernel.cl"))
        .args(["--library", "nmath::nmath", "--arg", "len=4", "--out", "out=out.npy", "--global", "4"])
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(out.path().join("out.npy").is_file());
}

/// The files of R's math library, as kernels name them that list what they need to the last file.
const FILES_OF_R: &str = "\
    bd0 bessel bessel_i bessel_j bessel_j_cycle_dependent bessel_j_cycle_free bessel_k bessel_y bessel_y_cycle_dependent \
    bessel_y_cycle_free beta chebyshev choose cospi d1mach dbeta dbinom dcauchy dchisq dexp df dgamma dgeom dhyper dlnorm dlogis \
    dnbeta dnbinom dnchisq dnf dnorm dpois dpq dt dunif dweibull expm1 fmax2 fmin2 fprec fround fsign ftrunc gamma gamma_cody \
    gammalims i1mach imax2 imin2 lbeta lgamma lgammacor log1p mlutils nmath nmath2 pbeta pbinom pcauchy pchisq pexp pf pgamma \
    pgamma_utils pgeom phyper plnorm plogis pnbeta pnbinom pnchisq pnf pnorm polygamma ppois pt punif pweibull qDiscrete_search \
    qbeta qbinom qcauchy qchisq qexp qf qgamma qgeom qhyper qlnorm qlogis qnbeta qnbinom qnbinom_mu qnchisq qnf qnorm qpois qt \
    qunif qweibull r_check_user_interrupt rbeta rbinom rcauchy rchisq refactored rexp rf rgamma rgeom rhyper rlnorm rlogis rnbinom \
    rmultinom rnchisq rnorm rpois rt runif rweibull sexp sign signrank snorm stirlerr stirlerr_cycle_dependent stirlerr_cycle_free sunif \
    toms708 wilcox Rmath";

#[test]
fn every_file_of_rs_library_is_a_stem() {
    let library = packages().find("nmath").expect("it is built in");
    let library = library.folder("nmath").expect("it is there").library().expect("in order");
    for stem in FILES_OF_R.split_whitespace() {
        assert!(library.shards().iter().any(|s| s.stem() == stem), "there is no stem `{stem}`");
    }
}

/// Values that nobody here computed: abramowitz1972, 6.4.4, tables 26.1 and 26.5, 6.1.8, table 9.1, 6.1.3; hands of five cards.
#[test]
fn a_handful_of_published_values() {
    let computed = run(&device(), "published_kernel", &Inputs::new());
    let shown: Vec<String> = computed[..8].iter().map(|x| format!("{x:.10}")).collect();
    let published = [
        "4.9348022005",
        "0.9750021049",
        "0.3989422804",
        "1.7724538509",
        "0.7651976866",
        "0.5772156649",
        "2598960.0000000000",
        "1.9599639845",
    ];
    assert_eq!(shown, published);
}
