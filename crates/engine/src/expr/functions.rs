//! R's functions as R documents them: names, order and defaults of the arguments, and the kernel that computes each.
//!
//! The table is text, read by the same parser as the expressions: a row says what a user may write and what it becomes.

use super::{Argument, Expr, ExprError, ExprKind, Span, parse_expression};
use gristmill_support::nearest;
use std::collections::HashMap;
use std::sync::OnceLock;

/// One function that expressions may call.
#[derive(Debug)]
pub struct RFunction {
    /// Its name in R.
    pub name: String,
    /// R's usage line, for example `pexp(q, rate = 1, lower.tail = TRUE, log.p = FALSE, ..., scale = 1/rate)`.
    pub usage: &'static str,
    /// One line about it.
    pub about: &'static str,
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

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // Distributions.
    ("dnorm(x, mean = 0, sd = 1, log = FALSE)", &["dnorm(x, mean, sd, log)"], "normal density"),
    ("pnorm(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)", &["pnorm(q, mean, sd, lower.tail, log.p)"], "normal distribution function"),
    ("qnorm(p, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)", &["qnorm(p, mean, sd, lower.tail, log.p)"], "normal quantile"),
    ("rnorm(mean = 0, sd = 1)", &["rnorm(mean, sd)"], "normal random number"),
    ("dunif(x, min = 0, max = 1, log = FALSE)", &["dunif(x, min, max, log)"], "uniform density"),
    ("punif(q, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE)", &["punif(q, min, max, lower.tail, log.p)"], "uniform distribution function"),
    ("qunif(p, min = 0, max = 1, lower.tail = TRUE, log.p = FALSE)", &["qunif(p, min, max, lower.tail, log.p)"], "uniform quantile"),
    ("runif(min = 0, max = 1)", &["runif(min, max)"], "uniform random number"),
    ("dexp(x, rate = 1, log = FALSE, ..., scale = 1/rate)", &["dexp(x, scale, log)"], "exponential density"),
    ("pexp(q, rate = 1, lower.tail = TRUE, log.p = FALSE, ..., scale = 1/rate)", &["pexp(q, scale, lower.tail, log.p)"], "exponential distribution function"),
    ("qexp(p, rate = 1, lower.tail = TRUE, log.p = FALSE, ..., scale = 1/rate)", &["qexp(p, scale, lower.tail, log.p)"], "exponential quantile"),
    ("rexp(rate = 1, ..., scale = 1/rate)", &["rexp(scale)"], "exponential random number"),
    ("dgamma(x, shape, rate = 1, scale = 1/rate, log = FALSE)", &["dgamma(x, shape, scale, log)"], "gamma density"),
    ("pgamma(q, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE)", &["pgamma(q, shape, scale, lower.tail, log.p)"], "gamma distribution function"),
    ("qgamma(p, shape, rate = 1, scale = 1/rate, lower.tail = TRUE, log.p = FALSE)", &["qgamma(p, shape, scale, lower.tail, log.p)"], "gamma quantile"),
    ("rgamma(shape, rate = 1, scale = 1/rate)", &["rgamma(shape, scale)"], "gamma random number"),
    ("dchisq(x, df, ncp, log = FALSE)", &["dchisq(x, df, log)"], "chi-squared density"),
    ("pchisq(q, df, ncp, lower.tail = TRUE, log.p = FALSE)", &["pchisq(q, df, lower.tail, log.p)"], "chi-squared distribution function"),
    ("qchisq(p, df, ncp, lower.tail = TRUE, log.p = FALSE)", &["qchisq(p, df, lower.tail, log.p)"], "chi-squared quantile"),
    ("rchisq(df, ncp)", &["rchisq(df)"], "chi-squared random number"),
    ("dbeta(x, shape1, shape2, ncp, log = FALSE)", &["dbeta(x, shape1, shape2, log)"], "beta density"),
    ("pbeta(q, shape1, shape2, ncp, lower.tail = TRUE, log.p = FALSE)", &["pbeta(q, shape1, shape2, lower.tail, log.p)"], "beta distribution function"),
    ("qbeta(p, shape1, shape2, ncp, lower.tail = TRUE, log.p = FALSE)", &["qbeta(p, shape1, shape2, lower.tail, log.p)"], "beta quantile"),
    ("rbeta(shape1, shape2, ncp)", &["rbeta(shape1, shape2)"], "beta random number"),
    ("dt(x, df, ncp, log = FALSE)", &["dt(x, df, log)"], "Student t density"),
    ("pt(q, df, ncp, lower.tail = TRUE, log.p = FALSE)", &["pt(q, df, lower.tail, log.p)"], "Student t distribution function"),
    ("qt(p, df, ncp, lower.tail = TRUE, log.p = FALSE)", &["qt(p, df, lower.tail, log.p)"], "Student t quantile"),
    ("rt(df, ncp)", &["rt(df)"], "Student t random number"),
    ("df(x, df1, df2, ncp, log = FALSE)", &["df(x, df1, df2, log)"], "F density"),
    ("pf(q, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)", &["pf(q, df1, df2, lower.tail, log.p)"], "F distribution function"),
    ("qf(p, df1, df2, ncp, lower.tail = TRUE, log.p = FALSE)", &["qf(p, df1, df2, lower.tail, log.p)"], "F quantile"),
    ("rf(df1, df2, ncp)", &["rf(df1, df2)"], "F random number"),
    ("dlnorm(x, meanlog = 0, sdlog = 1, log = FALSE)", &["dlnorm(x, meanlog, sdlog, log)"], "log-normal density"),
    ("plnorm(q, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE)", &["plnorm(q, meanlog, sdlog, lower.tail, log.p)"], "log-normal distribution function"),
    ("qlnorm(p, meanlog = 0, sdlog = 1, lower.tail = TRUE, log.p = FALSE)", &["qlnorm(p, meanlog, sdlog, lower.tail, log.p)"], "log-normal quantile"),
    ("rlnorm(meanlog = 0, sdlog = 1)", &["rlnorm(meanlog, sdlog)"], "log-normal random number"),
    ("dweibull(x, shape, scale = 1, log = FALSE)", &["dweibull(x, shape, scale, log)"], "Weibull density"),
    ("pweibull(q, shape, scale = 1, lower.tail = TRUE, log.p = FALSE)", &["pweibull(q, shape, scale, lower.tail, log.p)"], "Weibull distribution function"),
    ("qweibull(p, shape, scale = 1, lower.tail = TRUE, log.p = FALSE)", &["qweibull(p, shape, scale, lower.tail, log.p)"], "Weibull quantile"),
    ("rweibull(shape, scale = 1)", &["rweibull(shape, scale)"], "Weibull random number"),
    ("dlogis(x, location = 0, scale = 1, log = FALSE)", &["dlogis(x, location, scale, log)"], "logistic density"),
    ("plogis(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)", &["plogis(q, location, scale, lower.tail, log.p)"], "logistic distribution function"),
    ("qlogis(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)", &["qlogis(p, location, scale, lower.tail, log.p)"], "logistic quantile"),
    ("rlogis(location = 0, scale = 1)", &["rlogis(location, scale)"], "logistic random number"),
    ("dcauchy(x, location = 0, scale = 1, log = FALSE)", &["dcauchy(x, location, scale, log)"], "Cauchy density"),
    ("pcauchy(q, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)", &["pcauchy(q, location, scale, lower.tail, log.p)"], "Cauchy distribution function"),
    ("qcauchy(p, location = 0, scale = 1, lower.tail = TRUE, log.p = FALSE)", &["qcauchy(p, location, scale, lower.tail, log.p)"], "Cauchy quantile"),
    ("rcauchy(location = 0, scale = 1)", &["rcauchy(location, scale)"], "Cauchy random number"),
    ("dbinom(x, size, prob, log = FALSE)", &["dbinom(x, size, prob, log)"], "binomial probability"),
    ("pbinom(q, size, prob, lower.tail = TRUE, log.p = FALSE)", &["pbinom(q, size, prob, lower.tail, log.p)"], "binomial distribution function"),
    ("qbinom(p, size, prob, lower.tail = TRUE, log.p = FALSE)", &["qbinom(p, size, prob, lower.tail, log.p)"], "binomial quantile"),
    ("rbinom(size, prob)", &["rbinom(size, prob)"], "binomial random number"),
    ("dnbinom(x, size, prob, mu, log = FALSE)", &["mu? dnbinom_mu(x, size, mu, log)", "dnbinom(x, size, prob, log)"], "negative binomial probability"),
    ("pnbinom(q, size, prob, mu, lower.tail = TRUE, log.p = FALSE)", &["mu? pnbinom_mu(q, size, mu, lower.tail, log.p)", "pnbinom(q, size, prob, lower.tail, log.p)"], "negative binomial distribution function"),
    ("qnbinom(p, size, prob, mu, lower.tail = TRUE, log.p = FALSE)", &["mu? qnbinom_mu(p, size, mu, lower.tail, log.p)", "qnbinom(p, size, prob, lower.tail, log.p)"], "negative binomial quantile"),
    ("rnbinom(size, prob, mu)", &["mu? rnbinom_mu(size, mu)", "rnbinom(size, prob)"], "negative binomial random number"),
    ("dpois(x, lambda, log = FALSE)", &["dpois(x, lambda, log)"], "Poisson probability"),
    ("ppois(q, lambda, lower.tail = TRUE, log.p = FALSE)", &["ppois(q, lambda, lower.tail, log.p)"], "Poisson distribution function"),
    ("qpois(p, lambda, lower.tail = TRUE, log.p = FALSE)", &["qpois(p, lambda, lower.tail, log.p)"], "Poisson quantile"),
    ("rpois(lambda)", &["rpois(lambda)"], "Poisson random number"),
    ("dgeom(x, prob, log = FALSE)", &["dgeom(x, prob, log)"], "geometric probability"),
    ("pgeom(q, prob, lower.tail = TRUE, log.p = FALSE)", &["pgeom(q, prob, lower.tail, log.p)"], "geometric distribution function"),
    ("qgeom(p, prob, lower.tail = TRUE, log.p = FALSE)", &["qgeom(p, prob, lower.tail, log.p)"], "geometric quantile"),
    ("rgeom(prob)", &["rgeom(prob)"], "geometric random number"),
    ("dhyper(x, m, n, k, log = FALSE)", &["dhyper(x, m, n, k, log)"], "hypergeometric probability"),
    ("phyper(q, m, n, k, lower.tail = TRUE, log.p = FALSE)", &["phyper(q, m, n, k, lower.tail, log.p)"], "hypergeometric distribution function"),
    ("qhyper(p, m, n, k, lower.tail = TRUE, log.p = FALSE)", &["qhyper(p, m, n, k, lower.tail, log.p)"], "hypergeometric quantile"),
    ("rhyper(m, n, k)", &["rhyper(m, n, k)"], "hypergeometric random number"),
    // Special functions.
    ("gamma(x)", &["gammafn(x)"], "gamma function"),
    ("lgamma(x)", &["lgammafn(x)"], "logarithm of the absolute value of the gamma function"),
    ("factorial(x)", &["gammafn(x + 1)"], "x!"),
    ("lfactorial(x)", &["lgammafn(x + 1)"], "logarithm of x!"),
    ("beta(a, b)", &["beta(a, b)"], "beta function"),
    ("lbeta(a, b)", &["lbeta(a, b)"], "logarithm of the beta function"),
    ("choose(n, k)", &["choose(n, k)"], "binomial coefficient"),
    ("lchoose(n, k)", &["lchoose(n, k)"], "logarithm of the absolute value of the binomial coefficient"),
    ("digamma(x)", &["digamma(x)"], "first derivative of lgamma"),
    ("trigamma(x)", &["trigamma(x)"], "second derivative of lgamma"),
    ("psigamma(x, deriv = 0)", &["psigamma(x, deriv)"], "derivatives of digamma"),
    ("erf(x)", &["erf(x)"], "error function"),
    ("erfc(x)", &["erfc(x)"], "complementary error function"),
    ("log1pexp(x)", &["log1pexp(x)"], "log(1 + exp(x))"),
    ("log1mexp(x)", &["log1mexp(x)"], "log(1 - exp(-x))"),
    ("log1pmx(x)", &["log1pmx(x)"], "log(1 + x) - x"),
    ("lgamma1p(x)", &["lgamma1p(x)"], "log(gamma(1 + x))"),
    ("logspace_add(logx, logy)", &["logspace_add(logx, logy)"], "log(exp(logx) + exp(logy))"),
    ("logspace_sub(logx, logy)", &["logspace_sub(logx, logy)"], "log(exp(logx) - exp(logy))"),
    // Elementary functions.
    ("exp(x)", &["exp(x)"], "exponential"),
    ("expm1(x)", &["expm1(x)"], "exp(x) - 1"),
    ("log(x, base = exp(1))", &["base? log_base(x, base)", "log(x)"], "natural logarithm, or that of the given base"),
    ("log1p(x)", &["log1p(x)"], "log(1 + x)"),
    ("log2(x)", &["log2(x)"], "logarithm of base 2"),
    ("log10(x)", &["log10(x)"], "logarithm of base 10"),
    ("sqrt(x)", &["sqrt(x)"], "square root"),
    ("cbrt(x)", &["cbrt(x)"], "cube root"),
    ("sin(x)", &["sin(x)"], "sine"),
    ("cos(x)", &["cos(x)"], "cosine"),
    ("tan(x)", &["tan(x)"], "tangent"),
    ("sinpi(x)", &["sinpi(x)"], "sine of pi x"),
    ("cospi(x)", &["cospi(x)"], "cosine of pi x"),
    ("tanpi(x)", &["tanpi(x)"], "tangent of pi x"),
    ("asin(x)", &["asin(x)"], "arc sine"),
    ("acos(x)", &["acos(x)"], "arc cosine"),
    ("atan(x)", &["atan(x)"], "arc tangent"),
    ("atan2(y, x)", &["atan2(y, x)"], "angle of the point (x, y)"),
    ("sinh(x)", &["sinh(x)"], "hyperbolic sine"),
    ("cosh(x)", &["cosh(x)"], "hyperbolic cosine"),
    ("tanh(x)", &["tanh(x)"], "hyperbolic tangent"),
    ("abs(x)", &["abs(x)"], "absolute value"),
    ("sign(x)", &["sign(x)"], "-1, 0 or 1"),
    ("floor(x)", &["floor(x)"], "largest integer not above x"),
    ("ceiling(x)", &["ceiling(x)"], "smallest integer not below x"),
    ("trunc(x)", &["trunc(x)"], "x without its fraction"),
    ("round(x, digits = 0)", &["fround(x, digits)"], "x rounded to decimal digits"),
    ("signif(x, digits = 6)", &["fprec(x, digits)"], "x rounded to significant digits"),
    ("pmin(x, y)", &["pmin(x, y)"], "the smaller of two; NaN if one is"),
    ("pmax(x, y)", &["pmax(x, y)"], "the larger of two; NaN if one is"),
    // Logic.
    ("ifelse(test, yes, no)", &["ifelse(test, yes, no)"], "yes where the test is true, no where it is false"),
    ("xor(x, y)", &["xor(x, y)"], "true where exactly one of two is"),
    ("is.na(x)", &["is.na(x)"], "true where a value is missing or not a number"),
    ("is.nan(x)", &["is.nan(x)"], "true where a value is not a number"),
    ("is.finite(x)", &["is.finite(x)"], "true where a value is an ordinary number"),
    ("is.infinite(x)", &["is.infinite(x)"], "true where a value is Inf or -Inf"),
    // Reductions.
    ("sum(x, na.rm = FALSE)", &["sum(x, na.rm)"], "sum over all rows, the same bits on every device"),
    ("mean(x, na.rm = FALSE)", &["mean(x, na.rm)"], "mean over all rows, the same bits on every device"),
    ("min(x, na.rm = FALSE)", &["min(x, na.rm)"], "smallest value of all rows"),
    ("max(x, na.rm = FALSE)", &["max(x, na.rm)"], "largest value of all rows"),
    ("count(x, na.rm = FALSE)", &["count(x, na.rm)"], "number of rows whose value is true, or not missing"),
];

/// All functions that expressions may call, in the order of their groups.
pub fn functions() -> &'static [RFunction] {
    static FUNCTIONS: OnceLock<Vec<RFunction>> = OnceLock::new();
    FUNCTIONS.get_or_init(|| TABLE.iter().map(read_row).collect())
}

/// The function of that name.
pub fn function(name: &str) -> Option<&'static RFunction> {
    static BY_NAME: OnceLock<HashMap<&'static str, &'static RFunction>> = OnceLock::new();
    BY_NAME.get_or_init(|| functions().iter().map(|f| (f.name.as_str(), f)).collect()).get(name).copied()
}

/// # Panics
/// If a row of [`TABLE`] is not of the form it should have; a test reads them all.
fn read_row(row: &Row) -> RFunction {
    let (usage, forms, about) = *row;
    let parsed = parse_expression(usage).unwrap_or_else(|e| panic!("{e}"));
    let ExprKind::Call { function: name, arguments, .. } = parsed.kind else { panic!("`{usage}` is not a call") };
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
    let forms = forms
        .iter()
        .map(|form| {
            let (given, call) = match form.split_once("? ") {
                Some((given, call)) => (Some(given.to_string()), call),
                None => (None, *form),
            };
            Form { given, call: parse_expression(call).unwrap_or_else(|e| panic!("{e}")) }
        })
        .collect();
    RFunction { name, usage, about, parameters, forms }
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
        if let Some(value) = given.get("ncp") {
            return Err(ExprError::new(source, value.span, format!("`{}` has no noncentral version yet", self.name))
                .help("leave out `ncp`"));
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
                let given: Vec<String> =
                    self.parameters.iter().filter(wanted).map(|p| format!("{} = x", p.name)).collect();
                format!("{}({})", self.name, given.join(", "))
            })
            .collect()
    }

    /// Whether it draws a random number for each row.
    pub fn is_random(&self) -> bool {
        self.about.ends_with("random number")
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
        assert_eq!(names.len(), TABLE.len());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len(), "a function stands twice in the table");
        for function in functions() {
            assert!(
                function.forms.last().is_some_and(|f| f.given.is_none()),
                "{}: no form without a condition",
                function.name
            );
        }
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
    }

    #[test]
    fn wrong_calls_say_what_was_expected() {
        assert!(resolved("pnorm()").starts_with("`pnorm` needs `q`"));
        assert!(resolved("dnbinom(x, 3)").starts_with("`dnbinom` needs `prob`"));
        assert!(resolved("pnorm(x, sigma = 2)").contains("has no argument `sigma`"));
        assert!(resolved("pnorm(x, 0, 1, TRUE, FALSE, 7)").contains("takes at most 5 arguments"));
        assert!(resolved("pnorm(x, l = TRUE)").contains("may mean `lower.tail` or `log.p`"));
        assert!(resolved("pnorm(x, sd = 1, sd = 2)").contains("`sd` is given twice"));
        assert!(resolved("pt(x, 3, 1)").contains("no noncentral version"));
    }
}
