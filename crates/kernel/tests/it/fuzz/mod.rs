//! Differential tests with random programs. `cargo xtask fuzz` runs more of them, with new seeds.

#[rustfmt::skip]
mod batch;
pub mod generate;
pub mod judge;

use crate::data::{Data, OnDevice, Rng};
use gristmill_cl_runtime::{Arg, Device, Launch};
use gristmill_kernel_lang::interp::Module;
use gristmill_scalar::LAYER_0;
use std::fmt::Write;

const POINTS: usize = 400;

/// Programs that rustc never sees: interpreter against device, with indices out of range too.
#[test]
fn random_programs_interpreter_and_device_agree() {
    let (seed, count) = (2026, 40);
    let text = generate::module(seed, count, true);
    let module = Module::parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    let mut program = format!("{LAYER_0}{}{}", gristmill_scalar::PRELUDE, module.to_c().expect("closed"));
    let names: Vec<&str> = module.function_names().filter(|n| n.starts_with('k') && !n.contains('_')).collect();
    for name in &names {
        let f = module.function(name).expect("it is there");
        let mut params = vec!["ulong n".to_string()];
        let mut args = vec![];
        for (i, p) in f.params.iter().enumerate() {
            params.push(format!("__global const {} *a{i}", judge::scalar(&p.ty).c_element()));
            args.push(format!("a{i}[i]"));
        }
        let results = judge::results(f);
        for (i, r) in results.iter().enumerate() {
            params.push(format!("__global {} *r{i}", r.c_element()));
        }
        let call = format!("{name}({})", args.join(", "));
        let store = if results.len() > 1 {
            let c = gristmill_kernel_lang::c_type(&f.ret);
            let parts: Vec<String> = (0..results.len()).map(|i| format!("r{i}[i] = y.v{i};")).collect();
            format!("{c} y = {call}; {}", parts.join(" "))
        } else {
            format!("r0[i] = {call};")
        };
        let _ = writeln!(
            program,
            "__kernel void map_{name}({}) {{ ulong i = get_global_id(0); if (i >= n) return; {store} }}",
            params.join(", ")
        );
    }
    let device = Device::from_env().expect("an OpenCL device: install PoCL, or run `cargo xtask test`");
    let built = device.build(&program, "").unwrap_or_else(|e| panic!("seed {seed}: {e}\n{program}"));
    let mut rng = Rng(seed);
    for name in names {
        let f = module.function(name).expect("it is there");
        let ins = judge::inputs(f, &mut rng, POINTS);
        let expected = judge::interpret(&module, name, &ins, POINTS).expect("bounded");
        let mut hosts: Vec<_> = ins.iter().map(crate::data::Host::new).collect();
        let types = judge::results(f);
        let mut outs: Vec<_> = types.iter().map(|r| crate::data::Host::new(&Data::zeros(*r, POINTS))).collect();
        let mut args = vec![Arg::value(POINTS as u64)];
        args.extend(hosts.iter_mut().map(|h| h.arg(false)));
        args.extend(outs.iter_mut().map(|h| h.arg(true)));
        built
            .kernel(&format!("map_{name}"))
            .expect("it is there")
            .run_guarded_once(&Launch::linear(POINTS), &mut args)
            .expect("it runs");
        let given: Vec<Data> = outs.into_iter().zip(types).map(|(h, ty)| h.data(ty)).collect();
        if let Some(first) = judge::difference(&ins, &expected, &given, POINTS) {
            panic!("seed {seed}, {name}: interpreter or device: {first}\n{text}");
        }
    }
}

/// The programs in batch.rs: native against interpreter against device.
#[test]
fn random_programs_native_interpreter_and_device_agree() {
    let text = include_str!("batch.rs");
    let module = Module::parse(text).expect("rustc has accepted it");
    let device = OnDevice::build(batch::KERNELS);
    let mut rng = Rng(99);
    let mut verdict = judge::Verdict::default();
    for (k, f) in batch::KERNELS.iter().enumerate() {
        judge::judge(&module, (k, f), &device, &mut rng, POINTS, &mut verdict).expect("bounded");
        if let Some(first) = verdict.differences.first() {
            panic!("{first}\n{}", judge::text_of(text, f.name()));
        }
    }
    println!("{} programs, {} results compared", batch::KERNELS.len(), verdict.compared);
}

/// Without this the tests above could pass without trying what they are for.
#[test]
fn elements_of_random_programs_go_different_ways() {
    let module = Module::parse(&generate::module(5, 60, true)).expect("of the language");
    let mut rng = Rng(3);
    let (mut functions, mut varied) = (0, 0);
    for name in module.function_names().filter(|n| n.starts_with('k') && !n.contains('_')) {
        let ins = judge::inputs(module.function(name).expect("it is there"), &mut rng, 200);
        let trace = judge::steps(&module, name, &ins, 200).expect("bounded");
        functions += 1;
        // Neighbours of the second half take different numbers of steps: they went different ways.
        varied += usize::from((101..200).filter(|i| trace[*i] != trace[*i - 1]).count() > 30);
    }
    assert!(varied * 10 >= functions * 6, "{varied} of {functions} programs diverge");
}
