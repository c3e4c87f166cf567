//! Translations as text, and refusals with the token they point at.

fn translate(source: &str) -> String {
    gristmill_kernel_lang::translate(&syn::parse_str(source).expect("Rust"), false).expect("a kernel").c.text
}

fn refusal(source: &str) -> String {
    gristmill_kernel_lang::translate(&syn::parse_str(source).expect("Rust"), false).expect_err("refused").to_string()
}

#[test]
fn negative_patterns() {
    let text = translate("fn f(n: i32) -> i32 { match n { -1 => 5, -9..=-3 => 6, i32::MIN..=-10 => 7, _ => 8 } }");
    assert!(text.contains("t1_ == (-1)") && text.contains("(t1_ >= (-9) && t1_ <= (-3))"), "{text}");
    assert!(text.contains("t1_ >= (-2147483647 - 1)"), "{text}");
}

#[test]
fn shadowing_gets_new_names() {
    let text = translate("fn f(x: f64) -> f64 { let x = x + 1.0; x }");
    assert!(text.contains("double x_2 = (x_ + 0x1p+0);"), "{text}");
}

#[test]
fn earlier_operands_are_stored_before_later_effects() {
    let text = translate("fn f(x: f64) -> f64 { let mut a = x; a + { a = 2.0; a } }");
    let (store, effect) =
        (text.find("double t1_ = a_;").expect("stored"), text.find("a_ = 0x1p+1;").expect("assigned"));
    assert!(store < effect, "{text}");
}

#[test]
fn signed_arithmetic_wraps() {
    assert!(translate("fn f(a: i32, b: i32) -> i32 { a * b }").contains("as_int(as_uint(a_) * as_uint(b_))"));
}

#[test]
fn refusals_name_the_way_out() {
    assert!(refusal("fn f(x: f64) -> f64 { x.ln() }").contains("call the kernel `log`"));
    assert!(refusal("fn f(x: f64) -> f64 { f(x) }").contains("recursion"));
    assert!(refusal("fn f<T>(x: f64) -> f64 { x }").contains("generic"));
    assert!(refusal("fn f(x: u8) -> f64 { 0.0 }").contains("use i32"));
    assert!(refusal("fn f(x: f64) -> f64 { println!(\"\"); x }").contains("macros"));
}
