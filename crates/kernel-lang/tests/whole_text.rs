//! Texts that rustc never sees: what it would have refused is refused here, and nothing needs an annotation.

use gristmill_kernel_lang::Externs;
use gristmill_kernel_lang::interp::{Module, Val};
use gristmill_kernel_lang::ir::Ty;
use std::rc::Rc;

#[derive(Debug)]
struct Doubling;

impl Externs for Doubling {
    fn signature(&self, name: &str) -> Option<(Vec<Ty>, Ty)> {
        match name {
            "double" => Some((vec![Ty::F64], Ty::F64)),
            "split" => Some((vec![Ty::F64], Ty::Tuple(vec![Ty::F64, Ty::I32]))),
            _ => None,
        }
    }
    fn call(&self, name: &str, args: &[Val]) -> Option<Val> {
        match (name, args) {
            ("double", [Val::F64(x)]) => Some(Val::F64(2.0 * x)),
            ("split", [Val::F64(x)]) => Some(Val::Tuple(vec![Val::F64(x.fract()), Val::I32(x.trunc() as i32)])),
            _ => None,
        }
    }
    fn nearest(&self, name: &str) -> Option<String> {
        (name == "doble").then(|| "double".into())
    }
}

fn read(text: &str) -> Result<Module, String> {
    Module::of_text(text, Rc::new(Doubling)).map_err(|e| {
        let at = e.span().start();
        format!("{}:{}: {e}", at.line, at.column + 1)
    })
}

fn refused(text: &str) -> String {
    read(text).expect_err("it is not a program")
}

#[test]
fn types_of_calls_constants_and_fields_need_no_annotation() {
    let module = read(
        "const TABLE: [u32; 3] = [1, 2, 3];\n\
         struct S { n: i32, x: f64 }\n\
         fn make(x: f64) -> S { let (f, k) = split(x); S { x: double(f), n: k } }\n\
         pub fn f(x: f64) -> f64 { let s = make(x); let m = TABLE[1]; s.n as f64 + s.x + m as f64 }\n",
    )
    .expect("a program");
    assert_eq!(module.call("f", vec![Val::F64(3.25)], 1000), Ok(Val::F64(5.5)));
}

#[test]
fn a_constant_may_be_a_tuple_and_stand_behind_its_use() {
    let module = read(
        "fn f(x: f64) -> f64 { x * WIDE.0 + WIDE.1.1 as f64 }\n\
         const WIDE: (f64, (bool, u32)) = (NARROW.0 + NARROW.1, (true, 7));\n\
         const NARROW: (f64, f64) = (1.5, double(0.5));\n",
    )
    .expect("a program");
    assert_eq!(module.call("f", vec![Val::F64(2.0)], 1000), Ok(Val::F64(12.0)));
}

#[test]
fn what_rustc_would_refuse_is_refused_with_its_place() {
    for (text, expected) in [
        ("fn f(x: f64) -> f64 { doble(x) }", "1:23: #[kernel]: no kernel is called `doble`; did you mean `double`?"),
        ("fn f(x: f64) -> f64 { double(x, x) }", "1:23: #[kernel]: `double` takes 1 argument(s), but 2 are given"),
        ("fn f(n: i32) -> f64 { double(n) }", "1:30: #[kernel]: argument 1 of `double` is `i32`, but must be `f64`"),
        ("fn f(x: f64) -> f64 { y }", "1:23: #[kernel]: no variable or constant is called `y`"),
        ("fn f(x: f64) -> f64 { g(x) }\nfn g(x: f64) -> f64 { f(x) }", "`f` needs itself (f -> g -> f)"),
        ("fn f(x: bool) -> bool { -x }", "`-` does not work on `bool`"),
        ("fn f(x: f64) -> f64 { !x }", "`!` does not work on `f64`"),
        ("fn f(x: u32) -> u32 { -x }", "`-` does not work on `u32`"),
        ("fn f(a: bool, b: bool) -> bool { a + b }", "`+` does not work on `bool`"),
        ("fn f(b: bool) -> f64 { b as f64 }", "`bool` cannot be cast to `f64`"),
        ("fn f(n: i32) -> i32 { match n { 0 => 1, 1.. => 2 } }", "`match` does not cover -2147483648"),
        ("fn f(c: bool) -> f64 { let x: f64; if c { x = 1.0; } x }", "`x` may have no value here"),
        ("fn f() -> i32 { 3000000000 }", "3000000000 is out of range for `i32`"),
        ("fn f(x: f64) -> f64 { return; }", "`return` without a value"),
        ("fn f(x: f64) -> f64 { x; }", "1:"),
        ("fn f(c: bool) { if c { 1.0 } }", "an `if` without `else` has no value"),
        ("struct S { s: S }", "`S` contains itself"),
        ("struct S { s: T }", "no struct is called `T`"),
        ("fn f(s: S) -> f64 { 1.0 }", "no struct is called `S`"),
        ("struct S { x: f64 }\nfn f() -> S { S { } }", "`x` is missing"),
        ("struct S { x: f64 }\nstruct T { x: f64 }\nfn f(s: S) -> T { s }", "meets"),
        ("struct S { x: f64 }\nfn f(s: S) -> f64 { s.y }", "`S` has no field `y`"),
        ("fn f() {}\nfn f() {}", "2:4: `f` is defined twice"),
        (
            "fn g(a: &mut f64, b: &mut f64) {}\nfn f(x: f64) -> f64 { let mut y = x; g(&mut y, &mut y); y }",
            "`y` is borrowed twice",
        ),
        ("fn f() -> f64 { let a = [0.0; 1000000000000]; a[0] }", "is too large"),
        ("const C: f64 = { loop {} };", "`C` has no value: the run took more steps than allowed"),
        ("const A: f64 = B;\nconst B: f64 = A;", "needs itself"),
        ("const P: (f64, f64) = (1.0, 2);", "1:23: #[kernel]: `(f64, i32)` meets `(f64, f64)` here"),
        ("const P: (f64, f64) = (1.0, 2.0, 3.0);", "1:23: #[kernel]: `(f64, f64, f64)` meets `(f64, f64)` here"),
        ("const P: (f64, f64) = P;", "needs itself"),
        ("const P: (f64, f64) = (1.0, Q.1);\nconst Q: (f64, f64) = (P.0, 1.0);", "needs itself"),
        ("const P: (f64, f64) = (1.0, 2.0);\nfn f() -> f64 { P.2 }", "no such field"),
        ("const P: (f64, f64) = (1.0, 2.0);\nfn f() -> f64 { P }", "`(f64, f64)` meets `f64` here"),
        ("const P: (f64, f64) = (1.0, 2.0);\nfn f() -> f64 { P + 1.0 }", "2:17: #[kernel]: "),
        (
            "const P: (f64, f64) = (1.0, 2.0);\nfn f() -> f64 { double(P) }",
            "argument 1 of `double` is `(f64, f64)`, but must be `f64`",
        ),
        (
            "const P: (f64, f64) = (1.0, 2.0);\nfn f() -> f64 { P[0] }",
            "only arrays, slices and constant tables can be indexed",
        ),
        ("const P: (f64, f64) = (1.0, 2.0);\nfn f() -> f64 { P.0 = 3.0; P.0 }", "this cannot be assigned to"),
        ("const P: [(f64, f64); 2] = [(1.0, 2.0), (3.0, 4.0)];", "write one array for each part of the tuple"),
        ("const P: ([f64; 2], f64) = ([1.0, 2.0], 3.0);", "write one constant for each part that is no number or bool"),
        ("struct S { x: f64 }\nconst P: (S, f64) = (S { x: 1.0 }, 3.0);", "write one constant for each part"),
        ("struct S { x: f64 }\nconst P: S = S { x: 1.0 };", "make a struct from such constants in a function"),
        ("const P: (f64,) = (1.0,);", "a tuple has two or more parts"),
        ("enum E { A }", "functions, constants and structs only"),
        ("fn f(", "1:"),
    ] {
        let found = refused(text);
        assert!(found.contains(expected), "{text}\n  gives {found}\n  not   {expected}");
    }
}

#[test]
fn a_variable_that_every_way_sets_may_be_read() {
    for text in [
        "fn f(c: bool) -> f64 { let x: f64; if c { x = 1.0; } else { x = 2.0; } x }",
        "fn f(c: bool) -> f64 { let x: f64; if c { x = 1.0; } else { return 0.0; } x }",
        "fn f(n: i32) -> f64 { let x; match n { 0 => x = 1.0, _ => x = 2.0 } x }",
        "fn f(n: i32) -> f64 { let x; loop { if n > 0 { x = 1.0; break; } x = 2.0; break; } x }",
    ] {
        assert!(read(text).is_ok(), "{text}: {:?}", read(text).err());
    }
}
