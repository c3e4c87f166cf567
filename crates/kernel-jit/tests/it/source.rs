//! What users do with a text.

use gristmill_ckernel::KernelRequest;
use gristmill_kernel::{Column, ColumnMut, Level};
use gristmill_kernel_jit::{KernelSource, Lowering, Slot};

const GROWTH: &str = "/// Logistic growth.\n\
     fn growth(t: f64, a: f64, b: f64) -> f64 {\n    a / (1.0 + exp(-b * t))\n}\n";

#[test]
fn a_text_runs_over_columns_as_one_element_and_as_a_ckernel_with_the_same_bits() {
    let source = KernelSource::parse(GROWTH).expect("a program");
    let growth = source.function("growth").expect("it is there");
    assert_eq!(growth.doc(), "Logistic growth.");
    let t: Vec<f64> = (0..103).map(|i| f64::from(i) * 0.01 - 5.0).collect();
    let ins = [Column::F64(&t), Column::F64(&[3.0]), Column::F64(&[1.5])];
    let (mut block, mut single) = (vec![0.0; t.len()], vec![0.0; t.len()]);
    growth.map(&ins, &mut [ColumnMut::F64(&mut block)]).expect("the columns fit");
    for i in 0..t.len() {
        growth.call_at(Level::best(), &ins, &mut [ColumnMut::F64(&mut single)], i).expect("the columns fit");
    }
    let expected: Vec<f64> = t.iter().map(|t| 3.0 / (1.0 + gristmill_nmath::exp(-1.5 * t))).collect();
    let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&block), bits(&expected));
    assert_eq!(bits(&single), bits(&expected));
    for request in [KernelRequest::Single, KernelRequest::Strided] {
        growth.deferred().expect("one result").instantiate(request).expect("it compiles");
    }
}

#[test]
fn the_same_text_is_one_and_different_texts_are_not() {
    let (a, b) = (KernelSource::parse(GROWTH).expect("ok"), KernelSource::parse(GROWTH).expect("ok"));
    let module = |s: &KernelSource| s.function("growth").expect("there").module();
    assert_eq!(module(&a), module(&b));
    let other = KernelSource::parse(&format!("{GROWTH}\n")).expect("ok");
    assert_ne!(module(&a), module(&other));
}

#[test]
fn constants_structs_references_and_helpers_work_together() {
    let text = "const TABLE: [f64; 4] = [1.0, 0.5, 0.25, 0.125];\n\
         struct Pair { lo: f64, n: i32 }\n\
         fn step(p: &mut Pair, x: f64) { if x > 0.5 { (*p).n += 1; return; } (*p).lo = (*p).lo + x; }\n\
         fn f(x: f64, k: usize) -> (f64, i32) {\n\
             let mut p = Pair { lo: TABLE[k], n: 0 };\n\
             let mut a = [x, x * 2.0, x * 3.0];\n\
             for i in 0..3 { step(&mut p, a[i]); a[i] = p.lo; }\n\
             (a[k] + p.lo, p.n)\n\
         }\n";
    let source = KernelSource::parse(text).expect("a program");
    assert!(matches!(source.explain("f"), Some(Lowering::Native { lanes: 4.., reason: None })));
    let module = gristmill_kernel_lang::interp::Module::parse(
        &text
            .replace("const ", "#[kernel]\nconst ")
            .replace("struct ", "#[kernel]\nstruct ")
            .replace("fn ", "#[kernel]\nfn "),
    )
    .expect("a program");
    let f = source.function("f").expect("there");
    let mut rng = crate::data::Rng(7);
    crate::data::judge(&module, &f, &mut rng, 100).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn errors_point_into_the_text() {
    let error = KernelSource::parse("fn f(x: f64) -> f64 {\n    let y = exq(x);\n    y\n}\n").expect_err("no exq");
    let text = error.in_file("mine.rs").to_string();
    assert_eq!(
        text,
        "no kernel is called `exq`; did you mean `exp`?\n --> mine.rs:2:13\n  |\n2 |     let y = exq(x);\n  |             ^^^"
    );
}

#[test]
fn an_entry_point_runs_over_slices_and_never_leaves_them() {
    let text = "#[kernel(entry)]\nfn axpy(i: usize, a: f64, x: &[f64], y: &mut [f64]) { y[i] += a * x[i + 1]; y[i + 100] = 7.0; }";
    let source = KernelSource::parse(text).expect("a program");
    let [axpy] = source.entries() else { panic!("one entry") };
    let (x, mut y) = ([1.0f64, 2.0, 3.0], [10.0f64; 3]);
    let bytes = |v: &[f64]| v.iter().flat_map(|x| x.to_ne_bytes()).collect::<Vec<u8>>();
    let (x, mut out) = (bytes(&x), bytes(&y));
    axpy.launch(3, &mut [Slot::Value(2.0f64.to_bits()), Slot::In(&x), Slot::Out(&mut out)]).expect("it runs");
    for (y, b) in y.iter_mut().zip(out.chunks_exact(8)) {
        *y = f64::from_ne_bytes(b.try_into().expect("eight"));
    }
    assert_eq!(y, [14.0, 16.0, 10.0]);
    assert!(axpy.launch(3, &mut []).is_err());
}

#[test]
fn the_device_text_has_all_that_a_function_needs() {
    let source = KernelSource::parse(GROWTH).expect("a program");
    let text = source.opencl("growth").expect("there");
    assert!(text.contains("double growth(double t_, double a_, double b_)") && text.contains("exp"), "{text}");
    assert!(source.rust("growth").expect("there").starts_with("/// Logistic growth."));
    assert!(source.ir("growth").expect("there").contains("Call"));
    assert!(source.machine_code("growth").is_ok_and(|asm| !asm.is_empty()));
}
