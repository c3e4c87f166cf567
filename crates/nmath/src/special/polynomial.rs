//! `polynomial!`: a kernel that evaluates a polynomial with constant coefficients, written out without a loop or a table.

/// Makes an inline kernel `fn NAME(x: f64) -> f64` from its coefficients, highest power first.
///
/// - `fn p = [c, b, a];` evaluates `(c x + b) x + a` by Horner's rule: fewest roundings, one long chain of `fma`.
/// - `fn p = [g, f, e] [d, c, b, a];` takes blocks of four (the first may be shorter), each evaluated by itself, and
///   joins them by Horner's rule in `x^4`: the same number of operations, a chain a quarter as long.
///
/// The order of operations is part of the result's bits: do not regroup coefficients for looks.
macro_rules! polynomial {
    ($(#[$meta:meta])* $vis:vis fn $name:ident = [$top:expr $(, $next:expr)* $(,)?];) => {
        $(#[$meta])*
        #[gristmill_kernel::kernel(inline)]
        $vis fn $name(x: f64) -> f64 {
            let p: f64 = $top;
            $(let p = p.mul_add(x, $next);)*
            p
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident = [$p0:expr] $([$c3:expr, $c2:expr, $c1:expr, $c0:expr])+;) => {
        $(#[$meta])*
        #[gristmill_kernel::kernel(inline)]
        $vis fn $name(x: f64) -> f64 {
            let x2 = x * x;
            let x4 = x2 * x2;
            let p: f64 = $p0;
            $(let u: f64 = $c3;
            let v: f64 = $c1;
            let p = p.mul_add(x4, u.mul_add(x, $c2).mul_add(x2, v.mul_add(x, $c0)));)+
            p
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident = [$p1:expr, $p0:expr] $([$c3:expr, $c2:expr, $c1:expr, $c0:expr])+;) => {
        $(#[$meta])*
        #[gristmill_kernel::kernel(inline)]
        $vis fn $name(x: f64) -> f64 {
            let x2 = x * x;
            let x4 = x2 * x2;
            let p: f64 = $p1;
            let p = p.mul_add(x, $p0);
            $(let u: f64 = $c3;
            let v: f64 = $c1;
            let p = p.mul_add(x4, u.mul_add(x, $c2).mul_add(x2, v.mul_add(x, $c0)));)+
            p
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident = [$p2:expr, $p1:expr, $p0:expr] $([$c3:expr, $c2:expr, $c1:expr, $c0:expr])+;) => {
        $(#[$meta])*
        #[gristmill_kernel::kernel(inline)]
        $vis fn $name(x: f64) -> f64 {
            let x2 = x * x;
            let x4 = x2 * x2;
            let p: f64 = $p2;
            let p = p.mul_add(x, $p1).mul_add(x, $p0);
            $(let u: f64 = $c3;
            let v: f64 = $c1;
            let p = p.mul_add(x4, u.mul_add(x, $c2).mul_add(x2, v.mul_add(x, $c0)));)+
            p
        }
    };
    ($(#[$meta:meta])* $vis:vis fn $name:ident = [$p3:expr, $p2:expr, $p1:expr, $p0:expr] $([$c3:expr, $c2:expr, $c1:expr, $c0:expr])+;) => {
        $(#[$meta])*
        #[gristmill_kernel::kernel(inline)]
        $vis fn $name(x: f64) -> f64 {
            let x2 = x * x;
            let x4 = x2 * x2;
            let u: f64 = $p3;
            let v: f64 = $p1;
            let p = u.mul_add(x, $p2).mul_add(x2, v.mul_add(x, $p0));
            $(let u: f64 = $c3;
            let v: f64 = $c1;
            let p = p.mul_add(x4, u.mul_add(x, $c2).mul_add(x2, v.mul_add(x, $c0)));)+
            p
        }
    };
}
