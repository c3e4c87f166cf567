//! R's functions as R documents them: names, order and defaults of the arguments, and the kernel that computes each.
//!
//! What a user may write and what it becomes is text, read by the same parser as the expressions: that of nmath's functions
//! stands in their documentation, the rest here.

use super::{Argument, Expr, ExprError, ExprKind, Span, parse_expression};
use gristmill_kernel::Function;
use gristmill_nmath::documentation;
use gristmill_support::nearest;
use std::collections::HashMap;
use std::sync::OnceLock;

/// One function that expressions may call.
#[derive(Debug)]
pub struct RFunction {
    /// Its name in R.
    pub name: String,
    /// R's usage line, for example `pexp(q, rate = 1, lower.tail = TRUE, log.p = FALSE, ..., scale = 1/rate)`.
    pub usage: String,
    /// One line about it.
    pub about: String,
    is_random: bool,
    parameters: Vec<Parameter>,
    forms: Vec<Form>,
}

#[derive(Debug)]
struct Parameter {
    name: String,
    default: Option<Expr>,
    /// After `...`: only by its full name, as in R.
    by_name_only: bool,
}

/// One way to compute it: the kernel call that stands for it when `given` (if any) is among the arguments.
#[derive(Debug)]
struct Form {
    given: Option<String>,
    call: Expr,
}

/// Two spellings of one parameter: giving both is an error, as in R.
const EXCLUSIVE: &[(&str, &str)] = &[("rate", "scale"), ("prob", "mu")];

/// Usage, what it becomes (`NAME?` before a form: when that argument is given), about.
///
/// In a form, a name is a parameter; `kernel(...)` calls the kernel of that name. `n()` is accepted as the first argument
/// of the r functions, so that R's `rnorm(n(), 0, 1)` reads the same here.
type Row = (&'static str, &'static [&'static str], &'static str);

/// What is no function of nmath: those say in their documentation how R calls them.
#[rustfmt::skip]
const OWN: &[Row] = &[
    ("log(x, base = exp(1))", &["base? log_base(x, base)", "log(x)"], "natural logarithm, or that of the given base"),
    ("abs(x)", &["abs(x)"], "absolute value"),
    ("floor(x)", &["floor(x)"], "largest integer not above x"),
    ("ceiling(x)", &["ceiling(x)"], "smallest integer not below x"),
    ("trunc(x)", &["trunc(x)"], "x without its fraction"),
    ("ftrunc(x)", &["ftrunc(x)"], "x without its fraction, by its name in C"),
    ("fmin2(x, y)", &["fmin2(x, y)"], "the smaller of two, by its name in C"),
    ("fmax2(x, y)", &["fmax2(x, y)"], "the larger of two, by its name in C"),
    ("R_pow(x, y)", &["r_pow(x, y)"], "x^y, by its name in C"),
    ("R_unif_index(dn)", &["r_unif_index(dn)"], "whole random number below dn, by its name in C"),
    ("pow(x, y)", &["pow(x, y)"], "x^y as C has it, defined for negative bases and infinite exponents too"),
    ("unif_rand()", &["unif_rand()"], "uniform random number, by its name in C"),
    ("norm_rand()", &["norm_rand()"], "standard normal random number, by its name in C"),
    ("exp_rand()", &["exp_rand()"], "standard exponential random number, by its name in C"),
    ("pmin(x, y)", &["pmin(x, y)"], "the smaller of two; NaN if one is"),
    ("pmax(x, y)", &["pmax(x, y)"], "the larger of two; NaN if one is"),
    ("ifelse(test, yes, no)", &["ifelse(test, yes, no)"], "yes where the test is true, no where it is false"),
    ("xor(x, y)", &["xor(x, y)"], "true where exactly one of two is"),
    ("is.na(x)", &["is.na(x)"], "true where a value is missing or not a number"),
    ("is.nan(x)", &["is.nan(x)"], "true where a value is not a number"),
    ("is.finite(x)", &["is.finite(x)"], "true where a value is an ordinary number"),
    ("is.infinite(x)", &["is.infinite(x)"], "true where a value is Inf or -Inf"),
    ("asinh(x)", &["asinh(x)"], "inverse hyperbolic sine"),
    ("acosh(x)", &["acosh(x)"], "inverse hyperbolic cosine"),
    ("atanh(x)", &["atanh(x)"], "inverse hyperbolic tangent"),
    ("as.numeric(x)", &["as.numeric(x)"], "as a number: a truth value as 0 or 1, a date as days, a time as seconds since 1970"),
    ("row()", &["row()"], "the row's number in the table, from 1"),
    ("lag(x, n = 1, ..., by)", &["lag(x, n)"], "the value n rows before, of the same group"),
    ("cumsum(x, ..., by)", &["cumsum(x)"], "sum of the rows up to this one, of the same group"),
    ("cumprod(x, ..., by)", &["cumprod(x)"], "product of the rows up to this one, of the same group"),
    ("sum(x, na.rm = FALSE, ..., by)", &["sum(x, na.rm)"], "sum over all rows, or the group's, the same bits on every device"),
    ("mean(x, na.rm = FALSE, ..., by)", &["mean(x, na.rm)"], "mean over all rows, or the group's, the same bits on every device"),
    ("var(x, na.rm = FALSE, ..., by)", &["var(x, na.rm)"], "variance over all rows, or the group's, with one less than their number"),
    ("sd(x, na.rm = FALSE, ..., by)", &["sd(x, na.rm)"], "standard deviation: the root of the variance"),
    ("min(x, na.rm = FALSE, ..., by)", &["min(x, na.rm)"], "smallest value of all rows, or the group's"),
    ("max(x, na.rm = FALSE, ..., by)", &["max(x, na.rm)"], "largest value of all rows, or the group's"),
    ("range(x, na.rm = FALSE, ..., by)", &["range(x, na.rm)"], "smallest and largest value, as two results"),
    ("median(x, na.rm = FALSE, ..., by)", &["quantile(x, 0.5, na.rm)"], "middle value of all rows, or the group's"),
    ("quantile(x, probs, na.rm = FALSE, ..., by)", &["quantile(x, probs, na.rm)"], "quantile (R's type 7) of all rows, or the group's; one or more probabilities"),
    ("prod(x, na.rm = FALSE, ..., by)", &["prod(x, na.rm)"], "product over all rows, or the group's"),
    ("logspace_sum(x, na.rm = FALSE, ..., by)", &["logspace_sum(x, na.rm)"], "log of the sum of exp(x) over all rows, or the group's, the same bits on every device"),
    ("any(x, na.rm = FALSE, ..., by)", &["any(x, na.rm)"], "whether a value is true"),
    ("all(x, na.rm = FALSE, ..., by)", &["all(x, na.rm)"], "whether all values are true"),
    ("count(x, na.rm = FALSE, ..., by)", &["count(x, na.rm)"], "number of rows whose value is true, or not missing"),
    ("n(..., by)", &["n()"], "number of rows, or of the group's"),
];

/// Whether a function combines rows into one value.
pub fn is_reduction(name: &str) -> bool {
    matches!(
        name,
        "sum"
            | "mean"
            | "var"
            | "sd"
            | "min"
            | "max"
            | "range"
            | "median"
            | "quantile"
            | "prod"
            | "logspace_sum"
            | "any"
            | "all"
            | "count"
            | "n"
    )
}

/// What somebody means who calls a function by the name that it has elsewhere.
pub fn meant(name: &str) -> Option<&'static str> {
    const ELSEWHERE: &[(&[&str], &str)] = &[
        (&["average", "avg"], "`mean`"),
        (&["std", "stdev", "stddev"], "`sd`"),
        (&["variance"], "`var`"),
        (&["percentile", "quantiles"], "`quantile(x, p)`"),
        (&["product"], "`prod`"),
        (&["ln"], "`log`"),
        (&["arcsin", "arccos", "arctan"], "`asin`, `acos` or `atan`"),
        (&["arcsinh", "arsinh", "arccosh", "arcosh", "arctanh", "artanh"], "`asinh`, `acosh` or `atanh`"),
        (&["power"], "`x ^ y`"),
        (&["mod", "fmod"], "`x %% y`"),
        (&["if_else", "iif", "where", "case"], "`ifelse(test, yes, no)`"),
        (&["length", "nrow", "len", "size"], "`n()`"),
        (&["row_number", "rownum", "seq_len"], "`row()`"),
        (&["clamp", "clip"], "`pmin(pmax(x, low), high)`"),
        (&["coalesce", "nvl", "fillna"], "`ifelse(is.na(x), y, x)`"),
        (&["is.null", "isnull", "isna", "isnan"], "`is.na(x)`"),
        (&["shift", "previous"], "`lag(x, n)`"),
        (&["scale"], "`(x - mean(x)) / sd(x)`"),
        (&["diff"], "`x - lag(x)`"),
        // It draws a vector, and a row has one value.
        (
            &["rmultinom"],
            "`rbinom` for one count; vectors are drawn by `rmultinom` in Rust, in R and in OpenCL kernels (docs/c-names.md)",
        ),
    ];
    ELSEWHERE.iter().find(|(names, _)| names.contains(&name.to_ascii_lowercase().as_str())).map(|(_, meant)| *meant)
}

/// Whether a function's value in a row depends on the rows before it.
pub fn is_scan(name: &str) -> bool {
    matches!(name, "lag" | "cumsum" | "cumprod")
}

/// All functions that expressions may call, in the order of their groups.
pub fn functions() -> &'static [RFunction] {
    static FUNCTIONS: OnceLock<Vec<RFunction>> = OnceLock::new();
    FUNCTIONS.get_or_init(|| {
        let own = OWN.iter().map(|(usage, forms, about)| {
            let function = read_row(usage, forms.iter().copied().map(form).collect(), about);
            let draws = |name: &String| gristmill_nmath::kernel(name).is_some_and(|k| is_random(&k));
            RFunction { is_random: function.kernels().iter().any(draws), ..function }
        });
        nmath_functions().chain(own).collect()
    })
}

/// The function of that name.
pub fn function(name: &str) -> Option<&'static RFunction> {
    static BY_NAME: OnceLock<HashMap<&'static str, &'static RFunction>> = OnceLock::new();
    BY_NAME.get_or_init(|| functions().iter().map(|f| (f.name.as_str(), f)).collect()).get(name).copied()
}

/// The functions of nmath as R knows them: distributions first, each with its random numbers.
fn nmath_functions() -> impl Iterator<Item = RFunction> {
    let of_distributions = |f: &&Function| f.module().contains("::dist::");
    let (distributions, others): (Vec<_>, Vec<_>) = gristmill_nmath::KERNELS.iter().partition(of_distributions);
    distributions.into_iter().chain(others).flat_map(|kernel| {
        let signatures = documentation::r_signatures(kernel);
        signatures.into_iter().map(|r| {
            let forms = r.calls.iter().map(|c| Form { given: c.given.map(String::from), call: read(c.call) });
            let function = read_row(r.usage, forms.collect(), &r.about);
            RFunction { is_random: is_random(kernel), ..function }
        })
    })
}

/// Whether a kernel draws: it takes a seed, a stream and an index first.
fn is_random(kernel: &Function) -> bool {
    kernel.params().any(|(name, _)| name == "seed")
}

fn form(text: &str) -> Form {
    match text.split_once("? ") {
        Some((given, call)) => Form { given: Some(given.to_string()), call: read(call) },
        None => Form { given: None, call: read(text) },
    }
}

/// # Panics
/// If a usage or a call is no expression; a test reads them all.
fn read(text: &str) -> Expr {
    parse_expression(text).unwrap_or_else(|e| panic!("{e}"))
}

/// # Panics
/// If a usage is not of the form that it should have; a test reads them all.
fn read_row(usage: &str, mut forms: Vec<Form>, about: &str) -> RFunction {
    let Expr { kind: ExprKind::Call { function: name, function_span, arguments }, span } = read(usage) else {
        panic!("`{usage}` is not a call")
    };
    let mut by_name_only = false;
    let mut parameters = Vec::new();
    for argument in arguments {
        match argument {
            Argument { name: None, value: Expr { kind: ExprKind::Name(dots), .. } } if dots == "..." => {
                by_name_only = true
            }
            Argument { name: None, value: Expr { kind: ExprKind::Name(name), .. } } => {
                parameters.push(Parameter { name, default: None, by_name_only });
            }
            Argument { name: Some((name, _)), value } => {
                parameters.push(Parameter { name, default: Some(value), by_name_only });
            }
            other => panic!("`{usage}`: {other:?} is not a parameter"),
        }
    }
    if forms.is_empty() {
        // The kernel of the same name takes the parameters as they are.
        let argument =
            |p: &Parameter| Argument { name: None, value: Expr { kind: ExprKind::Name(p.name.clone()), span } };
        let arguments = parameters.iter().map(argument).collect();
        let call = Expr { kind: ExprKind::Call { function: name.clone(), function_span, arguments }, span };
        forms.push(Form { given: None, call });
    }
    RFunction { name, usage: usage.to_string(), about: about.to_string(), is_random: false, parameters, forms }
}

impl RFunction {
    /// The kernel call that this call stands for: arguments matched as R matches them (full names, then beginnings of
    /// names, then positions), defaults filled in.
    pub fn resolve(&self, source: &str, call_span: Span, arguments: &[Argument]) -> Result<Expr, ExprError> {
        let given = self.match_arguments(source, arguments)?;
        for (one, other) in EXCLUSIVE {
            if let (Some(_), Some(second)) = (given.get(*one), given.get(*other)) {
                return Err(ExprError::new(source, second.span, format!("`{one}` and `{other}` are both given"))
                    .help("they say the same in two ways: give one of them"));
            }
        }
        // A function has one form without a condition, the last one: the search ends there.
        let form = self.forms.iter().find(|f| f.given.as_ref().is_none_or(|name| given.contains_key(name.as_str())));
        let form = form.unwrap_or(&self.forms[self.forms.len() - 1]);
        self.fill(source, call_span, &form.call, &given, 0)
    }

    fn match_arguments<'a>(
        &'a self,
        source: &str,
        arguments: &'a [Argument],
    ) -> Result<HashMap<&'a str, &'a Expr>, ExprError> {
        let arguments = self.without_leading_n(arguments);
        let mut given: HashMap<&str, &Expr> = HashMap::new();
        let mut place = |parameter: &'a Parameter, argument: &'a Argument, at: Span| match given
            .insert(&parameter.name, &argument.value)
        {
            None => Ok(()),
            Some(_) => Err(ExprError::new(source, at, format!("`{}` is given twice", parameter.name))
                .help(format!("usage: {}", self.usage))),
        };
        let exact = |name: &str| self.parameters.iter().find(|p| p.name == name);
        // Full names first: they win over beginnings, wherever they stand.
        for argument in arguments {
            if let Some((name, at)) = &argument.name
                && let Some(parameter) = exact(name)
            {
                place(parameter, argument, *at)?;
            }
        }
        for argument in arguments {
            if let Some((name, at)) = &argument.name
                && exact(name).is_none()
            {
                place(self.by_beginning(source, name, *at)?, argument, *at)?;
            }
        }
        let named: Vec<&str> = given.keys().copied().collect();
        let mut free = self.parameters.iter().filter(|p| !p.by_name_only && !named.contains(&p.name.as_str()));
        for argument in arguments.iter().filter(|a| a.name.is_none()) {
            let Some(parameter) = free.next() else {
                let most = self.parameters.iter().filter(|p| !p.by_name_only).count();
                return Err(ExprError::new(
                    source,
                    argument.value.span,
                    format!(
                        "`{}` takes at most {most} argument{}, this is one more",
                        self.name,
                        if most == 1 { "" } else { "s" }
                    ),
                )
                .help(format!("usage: {}", self.usage)));
            };
            given.insert(&parameter.name, &argument.value);
        }
        Ok(given)
    }

    /// `rnorm(n(), …)`: R's first argument says how many; here there is one per row.
    fn without_leading_n<'a>(&self, arguments: &'a [Argument]) -> &'a [Argument] {
        match arguments {
            [
                Argument { name: None, value: Expr { kind: ExprKind::Call { function, arguments, .. }, .. } },
                rest @ ..,
            ] if self.is_random() && function == "n" && arguments.is_empty() => rest,
            all => all,
        }
    }

    /// The names of the kernels that compute it.
    pub fn kernels(&self) -> Vec<String> {
        let called = |form: &Form| match &form.call.kind {
            ExprKind::Call { function, .. } => Some(function.clone()),
            _ => None,
        };
        self.forms.iter().filter_map(called).collect()
    }

    /// One call of each form with `x` for what has no default, for tests.
    #[cfg(test)]
    pub(crate) fn sample_calls(&self) -> Vec<String> {
        self.forms
            .iter()
            .map(|form| {
                let other_forms: Vec<&str> = self.forms.iter().filter_map(|f| f.given.as_deref()).collect();
                let wanted = |p: &&Parameter| {
                    let in_this = form.given.as_deref() == Some(p.name.as_str());
                    let excluded = EXCLUSIVE.iter().any(|(a, b)| {
                        (*a == p.name && form.given.as_deref() == Some(*b)) || (*b == p.name && form.given.is_none())
                    });
                    in_this
                        || (p.default.is_none()
                            && p.name != "ncp"
                            && !excluded
                            && !other_forms.contains(&p.name.as_str()))
                };
                let given: Vec<String> = self
                    .parameters
                    .iter()
                    .filter(wanted)
                    .map(|p| format!("{} = {}", p.name, if p.name == "probs" { "0.5" } else { "x" }))
                    .collect();
                format!("{}({})", self.name, given.join(", "))
            })
            .collect()
    }

    /// Whether it draws a random number for each row.
    pub fn is_random(&self) -> bool {
        self.is_random
    }

    fn by_beginning(&self, source: &str, name: &str, at: Span) -> Result<&Parameter, ExprError> {
        let usage = format!("usage: {}", self.usage);
        let mut found = self.parameters.iter().filter(|p| !p.by_name_only && p.name.starts_with(name));
        match (found.next(), found.next()) {
            (Some(parameter), None) => Ok(parameter),
            (Some(one), Some(other)) => Err(ExprError::new(
                source,
                at,
                format!("`{name}` may mean `{}` or `{}` of `{}`", one.name, other.name, self.name),
            )
            .help(usage)),
            (None, _) => {
                let near = nearest(name, self.parameters.iter().map(|p| p.name.as_str()));
                let near = near.map_or(String::new(), |n| format!("did you mean `{n}`? "));
                Err(ExprError::new(source, at, format!("`{}` has no argument `{name}`", self.name)).help(near + &usage))
            }
        }
    }

    /// The form with its parameters replaced by what was given, or by their defaults. `depth` counts defaults of defaults.
    fn fill(
        &self,
        source: &str,
        call_span: Span,
        form: &Expr,
        given: &HashMap<&str, &Expr>,
        depth: usize,
    ) -> Result<Expr, ExprError> {
        let fill = |e: &Expr| self.fill(source, call_span, e, given, depth);
        let kind = match &form.kind {
            ExprKind::Name(name) => {
                let Some(parameter) = self.parameters.iter().find(|p| p.name == *name) else {
                    return Ok(Expr { kind: form.kind.clone(), span: call_span });
                };
                return match (given.get(name.as_str()), &parameter.default) {
                    (Some(value), _) => Ok((*value).clone()),
                    (None, Some(default)) if depth < 2 => self.fill(source, call_span, default, given, depth + 1),
                    (None, _) => Err(ExprError::new(source, call_span, format!("`{}` needs `{name}`", self.name))
                        .help(format!("usage: {}", self.usage))),
                };
            }
            ExprKind::Call { function, arguments, .. } => ExprKind::Call {
                function: function.clone(),
                function_span: call_span,
                arguments: arguments
                    .iter()
                    .map(|a| Ok(Argument { name: None, value: fill(&a.value)? }))
                    .collect::<Result<_, ExprError>>()?,
            },
            ExprKind::Unary(op, inner) => ExprKind::Unary(*op, Box::new(fill(inner)?)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, Box::new(fill(a)?), Box::new(fill(b)?)),
            constant => constant.clone(),
        };
        Ok(Expr { kind, span: call_span })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a call becomes, or its error.
    fn resolved(source: &str) -> String {
        let parsed = parse_expression(source).unwrap();
        let ExprKind::Call { function: name, arguments, .. } = &parsed.kind else { panic!("{source}") };
        match function(name).unwrap().resolve(source, parsed.span, arguments) {
            Ok(call) => text(&call),
            Err(error) => error.to_string(),
        }
    }

    fn text(expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Number(x) => x.to_string(),
            ExprKind::Bool(b) => b.to_string(),
            ExprKind::Name(n) => n.clone(),
            ExprKind::Call { function, arguments, .. } => {
                format!("{function}({})", arguments.iter().map(|a| text(&a.value)).collect::<Vec<_>>().join(", "))
            }
            ExprKind::Binary(op, a, b) => format!("{}{}{}", text(a), op.symbol(), text(b)),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn every_row_of_the_table_is_well_formed_and_every_name_is_there_once() {
        let mut names: Vec<&str> = functions().iter().map(|f| f.name.as_str()).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "two functions have one name");
        for function in functions() {
            assert!(
                function.forms.last().is_some_and(|f| f.given.is_none()),
                "{}: no form without a condition",
                function.name
            );
        }
    }

    /// What no expression can say is listed here with its reason; every other kernel is some function's.
    #[test]
    fn expressions_reach_every_kernel() {
        let reached: Vec<String> = functions().iter().flat_map(RFunction::kernels).collect();
        let not_reached: Vec<&str> = gristmill_nmath::KERNELS
            .iter()
            .map(Function::name)
            .filter(|name| !reached.iter().any(|r| r == name))
            .collect();
        assert_eq!(
            not_reached,
            [
                "r_pow_di",                // whole exponents of 32 bits: x^n
                "imax2",                   // whole numbers of 32 bits: pmax
                "imin2",                   // whole numbers of 32 bits: pmin
                "lgammafn_sign",           // two results: lgamma and lgammafn_sign
                "digamma_and_derivatives", // four results, each a function of its own
                "ebd0",                    // two results: bd0 is their sum
                "philox4x32",              // words, not numbers
                "pnorm_both",              // two results of pnorm
            ]
        );
    }

    #[test]
    fn arguments_are_matched_as_r_matches_them() {
        assert_eq!(resolved("pnorm(z)"), "pnorm(z, 0, 1, true, false)");
        assert_eq!(resolved("pnorm(z, lower.tail = FALSE)"), "pnorm(z, 0, 1, false, false)");
        assert_eq!(resolved("pnorm(z, lower = FALSE, log = TRUE)"), "pnorm(z, 0, 1, false, true)");
        assert_eq!(resolved("pnorm(sd = s, z, m)"), "pnorm(z, m, s, true, false)");
        assert_eq!(resolved("pnorm(m = 1, z)"), "pnorm(z, 1, 1, true, false)");
        assert_eq!(resolved("dnorm(x, log = TRUE)"), "dnorm(x, 0, 1, true)");
    }

    #[test]
    fn rate_and_scale_prob_and_mu_are_two_ways_to_say_one_thing() {
        assert_eq!(resolved("pgamma(q, 2)"), "pgamma(q, 2, 1/1, true, false)");
        assert_eq!(resolved("pgamma(q, 2, 3)"), "pgamma(q, 2, 1/3, true, false)");
        assert_eq!(resolved("pgamma(q, 2, scale = s)"), "pgamma(q, 2, s, true, false)");
        assert_eq!(resolved("dexp(x, r, TRUE)"), "dexp(x, 1/r, true)");
        assert_eq!(resolved("dexp(x, scale = s)"), "dexp(x, s, false)");
        assert_eq!(resolved("dnbinom(x, 3, 0.5)"), "dnbinom(x, 3, 0.5, false)");
        assert_eq!(resolved("dnbinom(x, 3, mu = m)"), "dnbinom_mu(x, 3, m, false)");
        assert!(resolved("pgamma(q, 2, 3, scale = 4)").starts_with("`rate` and `scale` are both given"));
        assert!(resolved("dnbinom(x, 3, 0.5, 2)").starts_with("`prob` and `mu` are both given"));
    }

    #[test]
    fn r_functions_take_one_number_per_row_and_accept_n() {
        assert_eq!(resolved("rnorm()"), "rnorm(0, 1)");
        assert_eq!(resolved("rnorm(n(), m, 2)"), "rnorm(m, 2)");
        assert_eq!(resolved("rexp(2)"), "rexp(1/2)");
        assert_eq!(resolved("pt(x, 3, 1)"), "pnt(x, 3, 1, true, false)");
    }

    #[test]
    fn wrong_calls_say_what_was_expected() {
        assert!(resolved("pnorm()").starts_with("`pnorm` needs `q`"));
        assert!(resolved("dnbinom(x, 3)").starts_with("`dnbinom` needs `prob`"));
        assert!(resolved("pnorm(x, sigma = 2)").contains("has no argument `sigma`"));
        assert!(resolved("pnorm(x, 0, 1, TRUE, FALSE, 7)").contains("takes at most 5 arguments"));
        assert!(resolved("pnorm(x, l = TRUE)").contains("may mean `lower.tail` or `log.p`"));
        assert!(resolved("pnorm(x, sd = 1, sd = 2)").contains("`sd` is given twice"));
    }
}
