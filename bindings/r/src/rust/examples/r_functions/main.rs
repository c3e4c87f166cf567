//! Writes the R functions of the kernels, their help pages and their exports from what the kernels' comments say of R's usage;
//! with `--check`, says which file is stale. `cargo xtask generate` runs it.
#![allow(missing_docs)] // a program, not an interface

mod kernel_files;

use gristmill_kernel::{Function, Scalar};
use gristmill_nmath::KERNELS;
use gristmill_nmath::documentation::{r_signatures, section};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Functions that R has as primitives of its group `Math`: they dispatch on classes, and some take complex numbers.
const MATH_GROUP: &[&str] = &[
    "acos", "asin", "atan", "cos", "cosh", "cospi", "digamma", "exp", "expm1", "gamma", "lgamma", "log10", "log1p",
    "log2", "sign", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi", "trigamma",
];
/// R's other functions of `base`; what is left with a flag is in `stats`.
const BASE: &[&str] = &[
    "atan2",
    "besselI",
    "besselJ",
    "besselK",
    "besselY",
    "beta",
    "choose",
    "factorial",
    "lbeta",
    "lchoose",
    "lfactorial",
    "psigamma",
];
/// R's rounding is not the kernels' (which round the exact decimal value): those are there under nmath's own names.
const NOT_AS_R: &[&str] = &["round", "signif"];
/// Random numbers that R gives as integers where they fit.
const COUNTS: &[&str] = &["rbinom", "rgeom", "rhyper", "rnbinom", "rpois", "rsignrank", "rwilcox"];
/// Where `ncp` has a default although it matters whether it is given, as in R.
const NCP_IS_ZERO: &[&str] = &["dchisq", "pchisq", "qchisq", "rchisq", "dbeta", "pbeta", "qbeta", "rbeta"];
/// Kernels that no function of R calls by name: usage (the kernel's name and its parameters), and what it is.
const OF_NMATH: &[(&str, &str)] = &[
    ("fround(x, digits = 0)", "x rounded to decimal digits, by its exact value"),
    ("fprec(x, digits = 6)", "x rounded to significant digits, by its exact value"),
    ("ftrunc(x)", "x rounded toward 0"),
    ("fmax2(x, y)", "the larger number"),
    ("fmin2(x, y)", "the smaller number"),
    ("imax2(x, y)", "the larger integer"),
    ("imin2(x, y)", "the smaller integer"),
    ("pow(x, y)", "x to the power y, as C's pow"),
    ("r_pow(x, y)", "x to the power y, as R's ^"),
    ("r_pow_di(x, n)", "x to an integer power"),
    ("gammafn(x)", "gamma function"),
    ("lgammafn(x)", "logarithm of the absolute value of the gamma function"),
    ("dnbinom_mu(x, size, mu, log = FALSE)", "negative binomial probability, by the mean"),
    (
        "pnbinom_mu(q, size, mu, lower.tail = TRUE, log.p = FALSE)",
        "negative binomial distribution function, by the mean",
    ),
    ("qnbinom_mu(p, size, mu, lower.tail = TRUE, log.p = FALSE)", "negative binomial quantile, by the mean"),
    ("rnbinom_mu(size, mu)", "negative binomial random number, by the mean"),
    ("dnchisq(x, df, ncp, log = FALSE)", "noncentral chi-squared density"),
    ("pnchisq(q, df, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral chi-squared distribution function"),
    ("qnchisq(p, df, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral chi-squared quantile"),
    ("rnchisq(df, ncp)", "noncentral chi-squared random number"),
    ("dnbeta(x, shape1, shape2, ncp, log = FALSE)", "noncentral beta density"),
    ("pnbeta(q, shape1, shape2, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral beta distribution function"),
    ("qnbeta(p, shape1, shape2, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral beta quantile"),
    ("rnbeta(shape1, shape2, ncp)", "noncentral beta random number"),
    ("dnf(x, df1, df2, ncp, log = FALSE)", "noncentral F density"),
    ("pnf(q, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral F distribution function"),
    ("qnf(p, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral F quantile"),
    ("rnf(df1, df2, ncp)", "noncentral F random number"),
    ("dnt(x, df, ncp, log = FALSE)", "noncentral t density"),
    ("pnt(q, df, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral t distribution function"),
    ("qnt(p, df, ncp, lower.tail = TRUE, log.p = FALSE)", "noncentral t quantile"),
    ("rnt(df, ncp)", "noncentral t random number"),
    ("unif_rand()", "uniform random number between 0 and 1"),
    ("norm_rand()", "standard normal random number"),
    ("exp_rand()", "standard exponential random number"),
];
/// Kernels with several results: usage, the results' names, what it is.
const SEVERAL: &[(&str, &[&str], &str)] = &[
    ("pnorm_both(x, log.p = FALSE)", &["lower", "upper"], "both tails of the standard normal distribution"),
    ("ebd0(x, np)", &["high", "low"], "deviance x log(x/np) + np - x, as the sum of two numbers"),
    (
        "digamma_and_derivatives(x)",
        &["digamma", "trigamma", "tetragamma", "pentagamma"],
        "digamma and its first three derivatives",
    ),
    ("philox4x32(c0, c1, c2, c3, k0, k1)", &["r0", "r1", "r2", "r3"], "a block of random bits, by counter and key"),
];
/// What a help page says of a parameter, and a value for its example.
const PARAMETERS: &[(&str, &str, &str)] = &[
    ("x", "Vector of numbers: quantiles for a density.", "c(0.25, 0.5, 2)"),
    ("q", "Vector of quantiles.", "c(0.25, 0.5, 2)"),
    ("p", "Vector of probabilities.", "c(0.1, 0.5, 0.9)"),
    ("y", "Vector of numbers.", "2"),
    ("n", "Number of draws (or a vector whose length is it); in a function without draws, a size.", "3"),
    ("nn", "Number of draws, or a vector whose length is it.", "3"),
    ("mean", "Vector of means.", "0"),
    ("sd", "Vector of standard deviations.", "1"),
    ("min", "Lower limits.", "0"),
    ("max", "Upper limits.", "1"),
    ("rate", "Vector of rates: 1/scale.", "1"),
    ("scale", "Vector of scales.", "1"),
    ("shape", "Vector of shapes.", "2"),
    ("shape1", "First shape.", "2"),
    ("shape2", "Second shape.", "3"),
    ("df", "Degrees of freedom.", "3"),
    ("df1", "Degrees of freedom of the numerator.", "3"),
    ("df2", "Degrees of freedom of the denominator.", "5"),
    ("ncp", "Noncentrality; without it the central distribution.", "1"),
    ("meanlog", "Mean on the log scale.", "0"),
    ("sdlog", "Standard deviation on the log scale.", "1"),
    ("location", "Vector of locations.", "0"),
    ("size", "Number of trials, or of successes to wait for.", "5"),
    ("prob", "Probability of success on each trial.", "0.3"),
    ("mu", "Mean, in place of \\code{prob}.", "2"),
    ("lambda", "Vector of means.", "2"),
    ("m", "White balls, or observations in the first sample.", "5"),
    ("k", "Balls drawn, or a number to choose.", "3"),
    ("nmeans", "Number of means.", "3"),
    ("nranges", "Number of groups whose largest range is taken.", "1"),
    ("nu", "Order.", "1"),
    ("expon.scaled", "Whether the result is scaled by an exponential, so that it does not overflow.", "TRUE"),
    ("a", "First argument, a positive number.", "2"),
    ("b", "Second argument, a positive number.", "3"),
    ("deriv", "Order of the derivative.", "1"),
    ("digits", "Number of digits.", "1"),
    ("np", "The mean that \\code{x} is compared with.", "2"),
    ("alph", "Vector of shapes.", "2"),
    ("dn", "Numbers below it are drawn.", "6"),
    ("logx", "Logarithm of a number.", "0.5"),
    ("logy", "Logarithm of a number.", "0.25"),
    ("log", "Whether the logarithm of the result is wanted.", "TRUE"),
    ("log.p", "Whether probabilities are given or returned as logarithms.", "TRUE"),
    ("lower.tail", "Whether probabilities are those of values up to \\code{q}, else of values above.", "FALSE"),
    ("c0", "Word of the counter, from 0 to 2^32 - 1.", "1"),
    ("c1", "Word of the counter.", "2"),
    ("c2", "Word of the counter.", "3"),
    ("c3", "Word of the counter.", "4"),
    ("k0", "Word of the key.", "5"),
    ("k1", "Word of the key.", "6"),
    ("n_black", "Black balls.", "4"),
    ("nsize", "Number of observations.", "5"),
    ("qprob", "\\code{1 - prob}, where that is known better.", "0.7"),
    ("n_exp", "An integer exponent.", "3"),
    ("opencl_parallel", "\\code{FALSE} computes on the CPU; \\code{NA} and \\code{TRUE} on the device.", "FALSE"),
    (
        "fallback",
        "Whether the CPU takes over where a device is required (\\code{options(gristmill.device_required = TRUE)}) or fails.",
        "TRUE",
    ),
    ("verbose", "Whether it is said where the numbers were computed.", "TRUE"),
];

const FLAGS: &[&str] = &["log", "log.p", "lower.tail"];

/// `name(a, b = 1, ..., c = 2)`: the name and the parameters, without what follows `...`, and what follows it.
struct Usage {
    name: String,
    params: Vec<(String, Option<String>)>,
    further: Vec<(String, Option<String>)>,
}

fn split(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut part) = (vec![], 0, String::new());
    for c in text.chars() {
        match c {
            ',' if depth == 0 => parts.push(std::mem::take(&mut part).trim().to_string()),
            _ => {
                depth += i32::from(c == '(') - i32::from(c == ')');
                part.push(c);
            }
        }
    }
    parts.push(part.trim().to_string());
    parts.retain(|p| !p.is_empty());
    parts
}

fn usage(text: &str) -> Usage {
    let (name, rest) = text.split_once('(').expect("a usage has parentheses");
    let rest = rest.trim_end().strip_suffix(')').expect("a usage has parentheses");
    let one = |p: &String| match p.split_once(" = ") {
        Some((name, default)) => (name.to_string(), Some(default.to_string())),
        None => (p.clone(), None),
    };
    let all: Vec<(String, Option<String>)> = split(rest).iter().map(one).collect();
    let dots = all.iter().position(|p| p.0 == "...").unwrap_or(all.len());
    let further = all.get(dots + 1..).unwrap_or_default().to_vec();
    Usage { name: name.to_string(), params: all[..dots].to_vec(), further }
}

/// One function of the package.
struct RFunction {
    name: String,
    usage: String,
    params: Vec<(String, Option<String>)>,
    body: String,
    about: String,
    /// Of the kernel, for the help page.
    notes: Vec<(&'static str, String)>,
    page: String,
    is_of_r: bool,
}

fn number(kernel: &str) -> usize {
    KERNELS.iter().position(|f| f.name() == kernel).unwrap_or_else(|| panic!("no kernel is called `{kernel}`"))
}

fn function(kernel: &str) -> &'static Function {
    &KERNELS[number(kernel)]
}

fn is_random(kernel: &str) -> bool {
    function(kernel).params().next().is_some_and(|(name, _)| name == "seed")
}

/// `.Call` of a kernel with these arguments, in R's text: those that the kernel takes as flags are last.
fn call(kernel: &str, arguments: &[String], draws: Option<&str>) -> String {
    let list = arguments.join(", ");
    let k = number(kernel);
    if let Some(n) = draws {
        let kind = if COUNTS.contains(&kernel) { "count" } else { "draw" };
        let comma = if arguments.is_empty() { "" } else { ", " };
        return format!(".Call(C_{kind}_{}, {k}L, {n}{comma}{list})", arguments.len());
    }
    let flags = function(kernel).params().filter(|(_, ty)| *ty == Scalar::Bool).count();
    let values = arguments.len() - flags;
    match flags {
        0 => format!(".Call(C_base_{values}, {k}L, {list})"),
        _ => format!(".Call(C_stats_{values}_{flags}, {k}L, {list})"),
    }
}

/// The arguments of a kernel call as R's text.
fn arguments(text: &str, u: &Usage) -> (String, Vec<String>) {
    let (kernel, rest) = text.split_once('(').expect("a call");
    let rest = rest.strip_suffix(')').expect("a call");
    let of_r = |a: String| match a.as_str() {
        // R's exponential functions have no scale of their own.
        "scale" if u.further.iter().any(|p| p.0 == "scale") => "1/rate".to_string(),
        "1 + expon.scaled" => "1 + as.logical(expon.scaled)".to_string(),
        _ => a,
    };
    (kernel.to_string(), split(rest).into_iter().map(of_r).collect())
}

/// What the folder and file of a kernel say of its topic.
fn page_of(f: &Function) -> String {
    let module = f.module().trim_start_matches("gristmill_nmath::");
    let mut parts = module.split("::");
    let group = parts.next().unwrap_or_default();
    let topic = parts.next().unwrap_or(group);
    let topic = match (group, topic) {
        ("random", _) => "uniform_numbers",
        (_, "deviance" | "stirling" | "poisson_mass" | "binomial_kernel") => "mass_parts",
        (
            "special",
            "power" | "roots" | "exponential" | "logarithm" | "trigonometric" | "inverse_trigonometric" | "hyperbolic",
        ) => "elementary",
        (_, other) => other,
    };
    topic.to_string()
}

fn notes_of(f: &Function) -> Vec<(&'static str, String)> {
    ["Domain", "Method", "Error"].into_iter().filter_map(|l| Some((l, section(f, l)?.to_string()))).collect()
}

fn shown(params: &[(String, Option<String>)]) -> String {
    let one = |(name, default): &(String, Option<String>)| match default {
        Some(default) => format!("{name} = {default}"),
        None => name.clone(),
    };
    params.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The functions of R, and those of nmath that R's functions do not reach.
fn functions() -> Vec<RFunction> {
    let mut all = vec![];
    for f in KERNELS {
        for signature in r_signatures(f) {
            let u = usage(signature.usage);
            if NOT_AS_R.contains(&u.name.as_str()) {
                continue;
            }
            let calls: Vec<(Option<&str>, &str)> = signature.calls.iter().map(|c| (c.given, c.call)).collect();
            all.push(r_function(f, u, &calls, &signature.about));
        }
    }
    for (text, about) in OF_NMATH {
        let u = usage(text);
        all.push(r_function(function(&u.name), u, &[], about));
    }
    for (text, results, about) in SEVERAL {
        let u = usage(text);
        let flags: Vec<&str> = u.params.iter().map(|p| p.0.as_str()).filter(|p| FLAGS.contains(p)).collect();
        let values: Vec<&str> = u.params.iter().map(|p| p.0.as_str()).filter(|p| !FLAGS.contains(p)).collect();
        let names = results.iter().map(|r| format!("\"{r}\"")).collect::<Vec<_>>().join(", ");
        let body = format!(
            "    .Call(C_several, {}L, list({}), list({}), c({names}))",
            number(&u.name),
            values.join(", "),
            flags.join(", ")
        );
        let f = function(&u.name);
        all.push(RFunction {
            usage: (*text).to_string(),
            params: u.params,
            body,
            about: (*about).to_string(),
            notes: notes_of(f),
            page: page_of(f),
            is_of_r: false,
            name: u.name,
        });
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn r_function(f: &Function, mut u: Usage, calls: &[(Option<&str>, &str)], about: &str) -> RFunction {
    let name = u.name.clone();
    for (param, default) in &mut u.params {
        match param.as_str() {
            "ncp" if NCP_IS_ZERO.contains(&name.as_str()) => *default = Some("0".into()),
            "deriv" if default.is_some() => *default = Some("0L".into()),
            _ => {}
        }
    }
    let own: Vec<String> = u.params.iter().map(|p| p.0.clone()).collect();
    let draws = is_random(f.name()).then(|| if own.iter().any(|p| p == "n") { "nn" } else { "n" });
    let text = |call_text: &str| {
        let (kernel, list) = arguments(call_text, &u);
        call(&kernel, &list, draws)
    };
    let plain = calls.iter().find(|c| c.0.is_none()).map_or_else(|| call(f.name(), &own, draws), |c| text(c.1));
    let given = calls.iter().find_map(|c| Some((c.0?, text(c.1))));
    let has = |p: &str| own.iter().any(|o| o == p);
    let mut lines = vec![];
    if has("rate") && has("scale") {
        lines.push("    if (!missing(rate) && !missing(scale))".to_string());
        lines.push(
            "        (if (abs(rate * scale - 1) < 1e-15) warning else stop)(\"specify 'rate' or 'scale' but not both\")".into(),
        );
    }
    match (name.as_str(), given) {
        ("factorial", _) => lines.push("    gamma(x + 1)".into()),
        ("lfactorial", _) => lines.push("    lgamma(x + 1)".into()),
        (_, Some(("mu", by_mean))) => {
            lines.push(format!("    if (missing(mu)) return({plain})"));
            lines.push("    if (!missing(prob)) stop(\"'prob' and 'mu' both specified\")".into());
            lines.push(format!("    {by_mean}"));
        }
        (_, Some((given, other))) => lines.push(format!("    if (missing({given})) {plain} else {other}")),
        (_, None) if MATH_GROUP.contains(&name.as_str()) => {
            let k = number(f.name());
            lines.push(format!("    .Call(C_math_1, {k}L, \"{name}\", x)"));
        }
        ("atan2", None) => {
            lines.push(format!("    if (is.complex(y) || is.complex(x)) base::atan2(y, x) else {plain}"))
        }
        (_, None) => lines.push(format!("    {plain}")),
    }
    let body = if lines.len() == 1 { lines.remove(0) } else { format!("{{\n{}\n}}", lines.join("\n")) };
    if let Some(n) = draws {
        u.params.insert(0, (n.to_string(), None));
    }
    let is_raw = name.ends_with("_raw") || name.ends_with("_index");
    let has_r_form = r_signatures(f).iter().any(|s| s.usage.starts_with(&format!("{name}(")));
    let is_of_r = BASE.contains(&name.as_str())
        || MATH_GROUP.contains(&name.as_str())
        || (has_r_form && !is_raw && (draws.is_some() || own.iter().any(|p| FLAGS.contains(&p.as_str()))));
    RFunction {
        usage: format!("{name}({})", shown(&u.params)),
        params: u.params,
        body,
        about: about.to_string(),
        notes: notes_of(f),
        page: page_of(f),
        is_of_r,
        name,
    }
}

/// `(values, flags)` of an `_opencl` function, and the kernel: its parameters stand in R's order.
fn opencl_functions(list: &str) -> Vec<RFunction> {
    let mut all = vec![];
    for line in list.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let u = usage(line);
        let name = u.name.strip_suffix("_opencl").expect("the list holds these only").to_string();
        let technical = ["opencl_parallel", "fallback", "verbose"];
        let own: Vec<&str> = u.params.iter().map(|p| p.0.as_str()).filter(|p| !technical.contains(p)).collect();
        let flags: Vec<&str> = own.iter().copied().filter(|p| FLAGS.contains(p)).collect();
        let values: Vec<&str> = own.iter().copied().filter(|p| !FLAGS.contains(p)).collect();
        let parallel = if u.params.iter().any(|p| p.0 == "opencl_parallel") { "opencl_parallel" } else { "NA" };
        // `.Call` here, not in a function of its own: R names the caller in what it reports.
        let on_device = |kernel: &str, values: &[&str]| {
            format!(
                ".Call(C_device_map, {}L, list({}), list({}), wants_device({parallel}, fallback, verbose), may_fall_back(fallback))",
                number(kernel),
                values.join(", "),
                flags.join(", ")
            )
        };
        let drawn = |kernel: &str, values: &[&str]| {
            let is_count = if COUNTS.contains(&kernel) { "TRUE" } else { "FALSE" };
            format!(
                ".Call(C_device_draw, {}L, n, list({}), {is_count}, wants_device(NA, fallback, verbose), may_fall_back(fallback))",
                number(kernel),
                values.join(", ")
            )
        };
        let without_ncp: Vec<&str> = values.iter().copied().filter(|p| *p != "ncp").collect();
        // `dt` and `dnt`, `pbeta` and `pnbeta`.
        let noncentral = format!("{}n{}", &name[..1], &name[1..]);
        let mut before = vec![];
        let body = match name.as_str() {
            "rmultinom" => "multinomial_on_device(n, size, prob, fallback, verbose)".to_string(),
            // There is no stack and no user to ask on a device: each element says only that it was reached.
            "r_check_stack" | "r_check_user_interrupt" => "reached_on_device(n, fallback, verbose)".to_string(),
            "ptukey" | "qtukey" => on_device(&name, &[values[0], "nranges", "nmeans", "df"]),
            "besselI" | "besselK" => {
                let kernel = if name == "besselI" { "bessel_i" } else { "bessel_k" };
                on_device(kernel, &["x", "nu", "1 + as.logical(expon.scaled)"])
            }
            "besselJ" => on_device("bessel_j", &values),
            "besselY" => on_device("bessel_y", &values),
            "logspace_sum" => on_device("logspace_add", &values),
            "dbinom_raw" => {
                before.push("    if (is.null(qprob)) qprob <- 1 - prob".to_string());
                on_device(&name, &values)
            }
            "dexp" | "pexp" | "qexp" => on_device(&name, &[values[0], "1/rate"]),
            "rexp" => drawn("rexp", &["1/rate"]),
            "pgamma" => {
                before.push("    if (!missing(rate) && !missing(scale))".to_string());
                before.push(
                    "        (if (abs(rate * scale - 1) < 1e-15) warning else stop)(\"specify 'rate' or 'scale' but not both\")".into(),
                );
                on_device("pgamma", &["q", "shape", "scale"])
            }
            _ if is_random(&name) && values.contains(&"ncp") => {
                format!(
                    "if (missing(ncp)) {} else {}",
                    drawn(&name, &without_ncp[1..]),
                    drawn(&noncentral, &values[1..])
                )
            }
            _ if is_random(&name) => drawn(&name, &values[1..]),
            _ if values.contains(&"ncp") && without_ncp.len() + flags.len() == function(&name).params().len() => {
                format!("if (missing(ncp)) {} else {}", on_device(&name, &without_ncp), on_device(&noncentral, &values))
            }
            _ => on_device(&name, &values),
        };
        before.push(format!("    {body}"));
        let body = if before.len() == 1 { before.remove(0) } else { format!("{{\n{}\n}}", before.join("\n")) };
        let about = format!("\\code{{{name}}} on a device");
        all.push(RFunction {
            usage: line.to_string(),
            params: u.params.clone(),
            body,
            about,
            notes: vec![],
            page: match name.as_bytes()[0] {
                _ if own.first() == Some(&"n") && name != "choose" && name != "lchoose" => "random_opencl".into(),
                b'd' | b'p' | b'q' if !flags.is_empty() => "distributions_opencl".into(),
                _ => "special_opencl".into(),
            },
            is_of_r: false,
            name: u.name,
        });
    }
    all
}

fn r_file(title: &str, functions: &[RFunction]) -> String {
    let mut text = format!("# {title} Written by `cargo xtask generate`; do not edit.\n");
    for f in functions {
        let head = format!("{} <- function({})", f.name, shown(&f.params));
        let body = if f.body.starts_with('{') { format!(" {}", f.body) } else { format!("\n{}", f.body) };
        let _ = write!(text, "\n{head}{body}\n");
    }
    text
}

/// A usage in lines that a help page can show.
fn folded(usage: &str) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    for (i, part) in usage.split(", ").enumerate() {
        if i > 0 {
            line.push(',');
            if line.len() + part.len() > 80 {
                text.push_str(&line);
                text.push('\n');
                line = "    ".into();
            } else {
                line.push(' ');
            }
        }
        line.push_str(part);
    }
    text + &line
}

fn rd_text(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('%', "\\%").replace('{', "\\{").replace('}', "\\}");
    // What the comments write in backticks.
    let mut out = String::new();
    for (i, part) in text.split('`').enumerate() {
        if i % 2 == 1 {
            let _ = write!(out, "\\code{{{}}}", part.trim_start_matches('[').trim_end_matches(']'));
        } else {
            out.push_str(part);
        }
    }
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    out.replace("[\\code", "\\code").replace("}]", "}")
}

fn parameter(name: &str) -> (&'static str, &'static str) {
    let found = PARAMETERS.iter().find(|p| p.0 == name);
    let found = found.unwrap_or_else(|| panic!("PARAMETERS says nothing of `{name}`"));
    (found.1, found.2)
}

fn example_call(f: &RFunction) -> String {
    let discrete = ["binom", "pois", "geom", "hyper", "wilcox", "signrank"].iter().any(|d| f.name.contains(d));
    let values: Vec<String> = f
        .params
        .iter()
        .filter(|(_, default)| default.is_none())
        // `prob` or `mu`, not both; without `ncp` the central distribution
        .filter(|(name, _)| name != "mu" || !f.params.iter().any(|p| p.0 == "prob"))
        .filter(|(name, _)| name != "ncp" || !f.is_of_r)
        .enumerate()
        .map(|(i, (name, _))| {
            let value = match name.as_str() {
                "x" | "q" if discrete => "0:3",
                // Log of a number below 1, inverse error functions.
                "x" if f.name.starts_with("erf") || matches!(f.name.as_str(), "acos" | "asin") => "c(0.25, 0.5, 0.75)",
                "x" if f.name.starts_with("imax") || f.name.starts_with("imin") => "c(1L, 5L)",
                "n" if f.name == "choose" || f.name == "lchoose" || f.name == "lfastchoose" => "5:7",
                "n" if f.name.starts_with("choose_") || f.name.starts_with("lchoose_") => "5:7",
                _ => parameter(name).1,
            };
            if i == 0 { value.to_string() } else { format!("{name} = {value}") }
        })
        .collect();
    values.join(", ")
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().collect::<String>() + chars.as_str())
}

fn pages(functions: &[RFunction]) -> BTreeMap<String, String> {
    let mut by_page: BTreeMap<&str, Vec<&RFunction>> = BTreeMap::new();
    for f in functions {
        by_page.entry(&f.page).or_default().push(f);
    }
    let mut files = BTreeMap::new();
    for (page, functions) in by_page {
        let is_opencl = page.ends_with("_opencl");
        let name = format!("gm_{page}");
        let title = match page {
            "distributions_opencl" => "Densities, Distribution Functions and Quantiles on a Device".to_string(),
            "special_opencl" => "Special Functions on a Device".to_string(),
            "random_opencl" => "Random Numbers on a Device".to_string(),
            "mass_parts" => "Parts of Probability Masses".to_string(),
            "elementary" => "Elementary Functions".to_string(),
            "uniform_numbers" => "Uniform, Normal and Exponential Numbers".to_string(),
            "philox" => "Random Bits".to_string(),
            other => {
                let words: Vec<String> = other.split('_').map(capitalised).collect();
                let is_distribution =
                    functions.iter().any(|f| f.name.starts_with(['d', 'r']) && f.is_of_r || f.name.starts_with("dn"));
                let is_distribution = is_distribution && other != "gamma_function" && other != "polygamma";
                format!("{}{}", words.join(" "), if is_distribution { " Distribution" } else { "" })
            }
        };
        let mut text = format!("% Written by `cargo xtask generate`; do not edit.\n\\name{{{name}}}\n");
        for f in &functions {
            let _ = writeln!(text, "\\alias{{{}}}", f.name);
        }
        let _ = write!(text, "\\title{{{title}}}\n\\description{{\n");
        if is_opencl {
            text.push_str(
                "The functions of the same names without \\code{_opencl}, computed on the chosen OpenCL device: the same bits. Where there\n\
                 is no device, or \\code{opencl_parallel} is \\code{FALSE}, the CPU computes them.\n",
            );
        } else {
            let items: Vec<String> =
                functions.iter().map(|f| format!("\\code{{{}}}: {}.", f.name, rd_text(&f.about))).collect();
            text.push_str(&items.join("\n\n"));
            text.push('\n');
        }
        text.push_str("}\n\\usage{\n");
        for f in &functions {
            let _ = writeln!(text, "{}", folded(&f.usage));
        }
        text.push_str("}\n\\arguments{\n");
        let mut seen = BTreeSet::new();
        for (param, _) in functions.iter().flat_map(|f| &f.params) {
            if seen.insert(param.clone()) {
                let _ = writeln!(text, "\\item{{{param}}}{{{}}}", parameter(param).0);
            }
        }
        text.push_str("}\n\\details{\n");
        if is_opencl {
            text.push_str(
                "All arguments are recycled, flags too. Random numbers take their key from R's generator, so that \\code{set.seed} decides\n\
                 them; the functions without \\code{_opencl} draw the same numbers for the same seed. \\code{rmultinom_opencl} takes a\n\
                 single \\code{prob} as that of the first of two classes. \\code{r_check_stack_opencl} and\n\
                 \\code{r_check_user_interrupt_opencl} have nothing to check on a device, and give the numbers from 1 to \\code{n}.\n",
            );
        } else {
            text.push_str(
                "Arguments are recycled, attributes kept and warnings given as R's own functions do. Long vectors use several threads\n\
                 (\\code{\\link{gm_threads}}); results do not depend on their number.\n\n",
            );
            for f in functions.iter().filter(|f| !f.notes.is_empty()) {
                let notes: Vec<String> =
                    f.notes.iter().filter(|n| n.0 != "Method").map(|(l, t)| format!("{l}: {}", rd_text(t))).collect();
                if !notes.is_empty() {
                    let _ = write!(text, "\\code{{{}}}. {}\n\n", f.name, notes.join(" "));
                }
            }
        }
        text.push_str("}\n\\value{\n");
        text.push_str(match page {
            _ if functions.iter().any(|f| SEVERAL.iter().any(|s| s.0.starts_with(&format!("{}(", f.name)))) => {
                "A numeric vector; a list of them, one for each result, where the usage says that there are several.\n"
            }
            _ => "A vector as long as the longest argument; of random numbers, as many as were asked for.\n",
        });
        text.push_str("}\n\\seealso{\\code{\\link{use_distributions}}, \\code{\\link{gm_threads}}}\n\\examples{\n");
        // Every function would be compiled for the device: one of them is enough for an example.
        let shown = match page {
            "distributions_opencl" => "pnorm_opencl",
            "special_opencl" => "lgamma1p_opencl",
            _ => "runif_opencl",
        };
        for f in functions.iter().filter(|f| is_opencl && f.name == shown) {
            let _ = writeln!(text, "# on the device, if there is one: the first call compiles the function for it");
            let _ = writeln!(text, "gristmill::{}({})", f.name, example_call(f));
            text.push_str(
                "# the others here on the CPU, with the same bits\nold <- options(gristmill.device = FALSE)\n",
            );
        }
        for f in functions.iter().filter(|f| !is_opencl || f.name != shown) {
            let _ = writeln!(text, "gristmill::{}({})", f.name, example_call(f));
        }
        if is_opencl {
            text.push_str("options(old)\n");
        }
        text.push_str("}\n");
        files.insert(format!("{name}.Rd"), text.replace("\n\n\n", "\n\n"));
    }
    files
}

/// The file with the lines between the two marks replaced.
fn with_exports(old: &str, exports: &[&str]) -> String {
    const BEGIN: &str = "# generated by `cargo xtask generate`: begin\n";
    const END: &str = "# generated: end\n";
    let (before, rest) = old.split_once(BEGIN).expect("NAMESPACE has the mark");
    let (_, after) = rest.split_once(END).expect("NAMESPACE has the mark");
    let lines: String = exports.iter().map(|e| format!("export({e})\n")).collect();
    format!("{before}{BEGIN}{lines}{END}{after}")
}

fn main() -> ExitCode {
    let check = std::env::args().any(|a| a == "--check");
    let package: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("src/rust").to_path_buf();
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let own = functions();
    let opencl = opencl_functions(&read(&package.join("tools/opencl-functions.txt")));
    let mut files = BTreeMap::new();
    files.insert(package.join("R/functions.R"), r_file("R's functions, and nmath's.", &own));
    files.insert(package.join("R/opencl.R"), r_file("Functions on a device.", &opencl));
    let names: Vec<&str> = KERNELS.iter().map(|f| f.name()).collect();
    let listed = names.iter().map(|n| format!("    \"{n}\"")).collect::<Vec<_>>().join(",\n");
    files.insert(
        package.join("R/kernel_names.R"),
        format!(
            "# The kernels by their numbers, which the other generated files hold: the tests compare it with the library's own list.\n\
             # Written by `cargo xtask generate`; do not edit.\nkernel_list <- c(\n{listed}\n)\n"
        ),
    );
    for (name, text) in pages(&own).into_iter().chain(pages(&opencl)) {
        files.insert(package.join("man").join(name), text);
    }
    let namespace = package.join("NAMESPACE");
    let mut exports: Vec<&str> = own.iter().chain(&opencl).map(|f| f.name.as_str()).collect();
    exports.sort_unstable();
    files.insert(namespace.clone(), with_exports(&read(&namespace), &exports));
    let of_r: Vec<String> = own.iter().filter(|f| f.is_of_r).map(|f| format!("    \"{}\"", f.name)).collect();
    files.insert(
        package.join("R/names_of_r.R"),
        format!(
            "# The functions that R has, too. Written by `cargo xtask generate`; do not edit.\nfunctions_of_r <- c(\n{}\n)\n",
            of_r.join(",\n")
        ),
    );
    let tree = package.join("inst/cl");
    let written = kernel_files::tree(&tree);
    files.extend(written.texts);
    let mut stale = vec![];
    for (path, text) in &files {
        if read(path) == *text {
            continue;
        }
        stale.push(path.clone());
        if !check && let Err(error) = std::fs::write(path, text) {
            eprintln!("could not write {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    for (path, target) in &written.links {
        if std::fs::read_link(path).is_ok_and(|old| old == *target) {
            continue;
        }
        stale.push(path.clone());
        if !check && let Err(error) = kernel_files::link(path, target) {
            eprintln!("could not link {}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    // What is in these folders is written here, all of it.
    for folder in ["src", "ex_glmbayes_nmath"] {
        for entry in std::fs::read_dir(tree.join(folder)).into_iter().flatten().flatten() {
            let path = entry.path();
            if files.contains_key(&path) || written.links.contains_key(&path) {
                continue;
            }
            if !check && let Err(error) = std::fs::remove_file(&path) {
                eprintln!("could not remove {}: {error}", path.display());
                return ExitCode::FAILURE;
            }
            stale.push(path);
        }
    }
    if !check || stale.is_empty() {
        return ExitCode::SUCCESS;
    }
    for path in stale {
        eprintln!("{} is stale; run `cargo xtask generate`", path.display());
    }
    ExitCode::FAILURE
}
