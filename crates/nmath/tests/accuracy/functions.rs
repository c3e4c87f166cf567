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
    // special
    { log1pmx(x) }
    // normal and gamma families
    { bd0(x, m) }
    { gammafn(x) }
    { lgamma1p(x) }
    { lgammafn(x) }
    { stirlerr(x) }
    // beta family
}
