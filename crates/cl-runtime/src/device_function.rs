//! Kernels as functions of columns on a device: [`Function::map`], somewhere else.

use crate::{
    Arg, CheckedKernel, Device, ElementType, KernelParam, KernelSignature, Request, RunTimes, RuntimeError, Touched,
};
use gristmill_kernel::{Column, ColumnError, ColumnMut, EmittedShard, Function, Item, Scalar, Target, Type};
use gristmill_kernel_cl::Assembly;

/// Why columns could not be mapped on a device.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// The columns do not fit the kernel's signature. The caller's fault; nothing was launched.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// The device's compiler refused the kernel, or the device failed.
    #[error("kernel `{kernel}` cannot run on the device")]
    Device {
        /// The kernel.
        kernel: &'static str,
        /// Why.
        source: RuntimeError,
    },
}

/// A kernel from scalars to scalars, built for a device, with its elementwise entry point.
#[derive(Debug, Clone)]
pub struct DeviceFunction {
    function: Function,
    kernel: CheckedKernel,
}

impl DeviceFunction {
    /// Builds the program of one kernel.
    ///
    /// # Errors
    /// [`MapError::Device`].
    pub fn new(device: &Device, function: &Function) -> Result<DeviceFunction, MapError> {
        Ok(DeviceFunction::together(device, std::slice::from_ref(function))?.remove(0))
    }

    /// Builds one program for several kernels: a compiler reads what they share only once.
    ///
    /// # Errors
    /// [`MapError::Device`].
    pub fn together(device: &Device, functions: &[Function]) -> Result<Vec<DeviceFunction>, MapError> {
        let Some(first) = functions.first() else { return Ok(Vec::new()) };
        let mut assembly = Assembly::new();
        let entries: Vec<String> = functions.iter().map(|f| assembly.add_map(f.shard())).collect();
        let program =
            device.build(&assembly.text(), "").map_err(|source| MapError::Device { kernel: first.name(), source })?;
        let open = |(function, entry): (&Function, &String)| {
            let signature = elementwise_signature(function, entry);
            let bounds = elementwise_bounds(function);
            match program.kernel_with(&signature) {
                // SAFETY: the text is what `Assembly::add_map` writes around a function of scalars: it returns from `n` on,
                // reads element `i * stride` of each argument, writes element `i` of each result, and nothing else.
                Ok(kernel) => Ok(DeviceFunction { function: *function, kernel: unsafe { kernel.with_bounds(bounds) } }),
                Err(source) => Err(MapError::Device { kernel: function.name(), source }),
            }
        };
        functions.iter().zip(&entries).map(open).collect()
    }

    /// The kernel that it runs.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The entry point on the device.
    pub fn kernel(&self) -> &CheckedKernel {
        &self.kernel
    }

    /// Evaluates every element on the device: the same bits as [`Function::map`], under the same rules. An argument has one
    /// value for each element, or one for all.
    ///
    /// # Errors
    /// [`MapError::Columns`] if the columns do not fit: nothing was written then. [`MapError::Device`] if the device fails.
    pub fn map(&self, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<RunTimes, MapError> {
        let n = self.function.check(ins, outs)?;
        if n == 0 {
            return Ok(RunTimes::default());
        }
        let inputs: Vec<Held<'_>> = ins.iter().map(Held::of).collect();
        // A device writes bools as bytes and `usize` as `ulong`.
        let mut bytes: Vec<Vec<u8>> = Vec::new();
        let mut words: Vec<Vec<u64>> = Vec::new();
        for out in outs.iter() {
            match out.scalar() {
                Scalar::Bool => bytes.push(vec![0; n]),
                Scalar::Usize => words.push(vec![0; n]),
                _ => {}
            }
        }
        let mut args = vec![Arg::Count];
        for input in &inputs {
            args.extend(input.args(n));
        }
        let (mut next_bytes, mut next_words) = (bytes.iter_mut(), words.iter_mut());
        for out in outs.iter_mut() {
            args.push(match out {
                ColumnMut::F64(v) => Arg::output(v),
                ColumnMut::F32(v) => Arg::output(v),
                ColumnMut::I32(v) => Arg::output(v),
                ColumnMut::I64(v) => Arg::output(v),
                ColumnMut::U32(v) => Arg::output(v),
                ColumnMut::U64(v) => Arg::output(v),
                ColumnMut::Usize(_) => Arg::output(next_words.next().expect("one for each")),
                ColumnMut::Bool(_) => Arg::output(next_bytes.next().expect("one for each")),
            });
        }
        let failed = |source| MapError::Device { kernel: self.function.name(), source };
        let times = self.kernel.run_elementwise(n, &mut args).map_err(failed)?;
        drop(args);
        let (mut next_bytes, mut next_words) = (bytes.into_iter(), words.into_iter());
        for out in outs.iter_mut() {
            match out {
                ColumnMut::Usize(v) => {
                    let given = next_words.next().expect("one for each");
                    v.iter_mut().zip(given).for_each(|(v, x)| *v = x as usize);
                }
                ColumnMut::Bool(v) => {
                    let given = next_bytes.next().expect("one for each");
                    v.iter_mut().zip(given).for_each(|(v, x)| *v = x != 0);
                }
                _ => {}
            }
        }
        Ok(times)
    }
}

/// `pnorm::on(&device)?.map((&x, 0.0, 1.0, true, false), &mut p)?`
impl Target for Device {
    type Built = DeviceFunction;
    type Error = MapError;

    fn build_function(&self, function: &Function) -> Result<DeviceFunction, MapError> {
        DeviceFunction::new(self, function)
    }

    fn map_function(built: &DeviceFunction, ins: &[Column<'_>], outs: &mut [ColumnMut<'_>]) -> Result<(), MapError> {
        built.map(ins, outs).map(drop)
    }
}

/// An argument in the form that a device takes.
enum Held<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    Words(Vec<u64>),
    Bytes(Vec<u8>),
}

impl<'a> Held<'a> {
    fn of(column: &Column<'a>) -> Held<'a> {
        match *column {
            Column::F64(v) => Held::F64(v),
            Column::F32(v) => Held::F32(v),
            Column::I32(v) => Held::I32(v),
            Column::I64(v) => Held::I64(v),
            Column::U32(v) => Held::U32(v),
            Column::U64(v) => Held::U64(v),
            Column::Usize(v) => Held::Words(v.iter().map(|x| *x as u64).collect()),
            Column::Bool(v) => Held::Bytes(v.iter().map(|x| u8::from(*x)).collect()),
        }
    }

    /// The buffer and its stride.
    fn args(&self, n: usize) -> [Arg<'_>; 2] {
        macro_rules! args {
            ($v:expr) => {
                if $v.len() == n { [Arg::input($v), Arg::value(1i64)] } else { [Arg::whole($v), Arg::value(0i64)] }
            };
        }
        match self {
            Held::F64(v) => args!(v),
            Held::F32(v) => args!(v),
            Held::I32(v) => args!(v),
            Held::I64(v) => args!(v),
            Held::U32(v) => args!(v),
            Held::U64(v) => args!(v),
            Held::Words(v) => args!(v),
            Held::Bytes(v) => args!(v),
        }
    }
}

/// What the elementwise entry point of a kernel takes, from what `#[kernel]` knows: the number of elements, a buffer and
/// a stride for each argument, a buffer for each result.
pub fn elementwise_signature(function: &Function, entry: &str) -> KernelSignature {
    let mut params = vec![KernelParam::value("n", ElementType::U64)];
    for (i, (_, scalar)) in function.params().enumerate() {
        params.push(KernelParam::input(&format!("a{i}"), ElementType::in_buffer(scalar)));
        params.push(KernelParam::value(&format!("s{i}"), ElementType::I64));
    }
    for (i, scalar) in function.results().into_iter().enumerate() {
        params.push(KernelParam::output(&format!("r{i}"), ElementType::in_buffer(scalar)));
    }
    KernelSignature { name: entry.to_string(), params }
}

/// What the elementwise entry point of a kernel touches: see [`elementwise_signature`] for the order of its arguments.
fn elementwise_bounds(function: &Function) -> impl Fn(&Request<'_>) -> Result<Vec<Touched>, String> + use<> {
    let (inputs, outputs) = (function.params().count(), function.results().len());
    move |request| {
        let n = request.count(0)?;
        let input = |k: usize| {
            let (argument, stride) = (1 + 2 * k, request.integer(2 + 2 * k));
            let elements = match stride {
                Some(0) => n.min(1),
                Some(1) => n,
                _ => return Err("a stride must be 0 or 1".to_string()),
            };
            Ok(Touched { argument, elements })
        };
        let mut touched = (0..inputs).map(input).collect::<Result<Vec<Touched>, String>>()?;
        touched.extend((0..outputs).map(|k| Touched { argument: 1 + 2 * inputs + k, elements: n }));
        Ok(touched)
    }
}

/// What a `#[kernel(entry)]` takes: the number of work-items, then its parameters, a slice as a buffer and a length. `None`
/// for a shard that is no entry point.
pub fn entry_signature(shard: &EmittedShard) -> Option<KernelSignature> {
    let Item::Entry(signature) = shard.item else { return None };
    let mut params = vec![KernelParam::value("n_items", ElementType::U64)];
    for p in &signature.params[1..] {
        match p.ty {
            Type::Scalar(scalar) => params.push(KernelParam::value(p.name, ElementType::by_value(scalar))),
            Type::Slice(scalar, written) => {
                let buffer = if written { KernelParam::output } else { KernelParam::input };
                params.push(buffer(p.name, ElementType::in_buffer(scalar)));
                params.push(KernelParam::value(&format!("{}_len", p.name), ElementType::U64));
            }
            _ => return None,
        }
    }
    Some(KernelSignature { name: shard.c_name(), params })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Launch;
    use gristmill_kernel::kernel;

    #[kernel]
    fn mixed(x: f64, k: usize, up: bool) -> (f64, usize, bool) {
        let y = if up { x } else { -x };
        (y * (k & 7) as f64, k + 1, !up)
    }

    #[kernel(entry)]
    fn scaled_sum(i: usize, factor: f64, negate: bool, x: &[f64], keep: &[bool], y: &mut [f64]) {
        if keep[i] {
            y[i] += if negate { -factor * x[i] } else { factor * x[i] };
        }
    }

    fn device() -> Device {
        Device::from_env().expect("an OpenCL device: install PoCL, or run `cargo xtask test`")
    }

    #[test]
    fn columns_of_every_kind_are_mapped_as_natively() {
        let on_device = DeviceFunction::new(&device(), &mixed::FUNCTION).expect("it builds");
        for n in [1, 2, 63, 64, 65, 1000] {
            let x: Vec<f64> = (0..n).map(|i| i as f64 * 0.5 - 3.0).collect();
            let k: Vec<usize> = (0..n).map(|i| i * i).collect();
            for up in [vec![true], (0..n).map(|i| i % 3 == 0).collect::<Vec<bool>>()] {
                let ins = [Column::F64(&x), Column::Usize(&k), Column::Bool(&up)];
                let run = |device: bool| {
                    let (mut a, mut b, mut c) = (vec![0.0; n], vec![0; n], vec![false; n]);
                    let mut outs = [ColumnMut::F64(&mut a), ColumnMut::Usize(&mut b), ColumnMut::Bool(&mut c)];
                    if device {
                        on_device.map(&ins, &mut outs).expect("it runs");
                    } else {
                        mixed::FUNCTION.map(&ins, &mut outs).expect("the columns fit");
                    }
                    (a, b, c)
                };
                assert_eq!(run(true), run(false), "{n} elements");
            }
        }
    }

    #[test]
    fn a_typed_call_on_the_device_gives_the_bits_of_the_function() {
        let on_device = mixed::on(&device()).expect("it builds");
        let x: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.25 - 7.0).collect();
        let (mut y, mut k, mut up) = (vec![0.0; 100], [0; 100], [true; 100]);
        on_device.map((&x, 5_usize, false), (&mut y, &mut k, &mut up)).expect("they fit");
        for i in 0..100 {
            assert_eq!((y[i], k[i], up[i]), mixed(x[i], 5, false));
        }
        let error = on_device.map((&x[..3], 5_usize, false), (&mut y, &mut k, &mut up)).expect_err("3 of 100");
        assert_eq!(error.to_string(), "`x` of `mixed` has 3 values, but must have 100 or one");
        assert_eq!(on_device.built().function().name(), "mixed");
    }

    #[test]
    fn columns_that_do_not_fit_are_refused_before_anything_is_launched() {
        let on_device = DeviceFunction::new(&device(), &mixed::FUNCTION).expect("it builds");
        let (x, k, up) = ([1.0, 2.0], [1_usize, 2], [true]);
        let (mut a, mut b, mut c) = ([7.0, 7.0], [7_usize, 7], [true, true]);
        let mut refused = |ins: &[Column<'_>]| {
            let mut outs = [ColumnMut::F64(&mut a), ColumnMut::Usize(&mut b), ColumnMut::Bool(&mut c)];
            on_device.map(ins, &mut outs).expect_err("refused").to_string()
        };
        let short = refused(&[Column::F64(&x), Column::Usize(&k)]);
        assert!(short.contains("`mixed`") && short.contains('2') && short.contains('3'), "{short}");
        let wrong = refused(&[Column::Usize(&k), Column::Usize(&k), Column::Bool(&up)]);
        assert!(wrong.contains("usize") && wrong.contains("f64"), "{wrong}");
        let long = [1.0; 3];
        let length = refused(&[Column::F64(&long), Column::Usize(&k), Column::Bool(&up)]);
        assert!(length.contains('3') && length.contains('2'), "{length}");
        assert_eq!((a, b, c), ([7.0, 7.0], [7, 7], [true, true]), "nothing was written");
        let (mut a, mut b, mut c) = ([], [], []);
        let mut outs = [ColumnMut::F64(&mut a), ColumnMut::Usize(&mut b), ColumnMut::Bool(&mut c)];
        let none = on_device.map(&[Column::F64(&[]), Column::Usize(&[]), Column::Bool(&[])], &mut outs);
        assert_eq!(none.expect("no elements are fine").launches, 0);
    }

    /// The entry point itself is public: a launch that would leave its arrays is refused there too.
    #[test]
    fn the_entry_point_refuses_lengths_and_strides_that_leave_its_arrays() {
        let on_device = DeviceFunction::new(&device(), &mixed::FUNCTION).expect("it builds");
        let (x, k, up) = ([1.0; 4], [1_u64; 4], [1_u8]);
        let (mut a, mut b, mut c) = ([0.0; 4], [0_u64; 4], [0_u8; 4]);
        let mut run = |n: u64, stride: i64| {
            let mut args = [
                Arg::value(n),
                Arg::input(&x),
                Arg::value(1_i64),
                Arg::input(&k),
                Arg::value(1_i64),
                Arg::input(&up),
                Arg::value(stride),
                Arg::output(&mut a),
                Arg::output(&mut b),
                Arg::output(&mut c),
            ];
            on_device.kernel().run(&Launch::linear(64), &mut args).map(drop).map_err(|e| e.to_string())
        };
        assert_eq!(run(4, 0), Ok(()));
        assert!(run(5, 0).expect_err("5 of 4").contains("has 4 elements, but this launch touches 5"));
        assert!(run(4, 1).expect_err("4 of 1").contains("has 1 elements, but this launch touches 4"));
        assert!(run(4, -1).expect_err("backwards").contains("a stride must be 0 or 1"));
    }

    #[test]
    fn an_entry_points_arguments_are_checked_against_what_the_macro_knows() {
        let mut assembly = Assembly::new();
        assembly.add(<scaled_sum as gristmill_kernel::KernelItem>::SHARD);
        let program = device().build(&assembly.text(), "").expect("it compiles");
        let signature = entry_signature(<scaled_sum as gristmill_kernel::KernelItem>::SHARD).expect("an entry point");
        let kernel = program.kernel_with(&signature).expect("the compiled kernel is the same");
        let (x, keep, mut y) = ([1.0, 2.0, 3.0], [1_u8, 0, 1], [10.0; 3]);
        let mut args = [
            Arg::value(3_u64),
            Arg::value(2.0),
            Arg::value(1_i32),
            Arg::input(&x),
            Arg::value(3_u64),
            Arg::input(&keep),
            Arg::value(3_u64),
            Arg::in_out(&mut y),
            Arg::value(3_u64),
        ];
        let error = kernel.run_guarded(&Launch::linear(3), &mut args[..8]).expect_err("one is missing").to_string();
        assert!(error.contains('9') && error.contains('8'), "{error}");
        kernel.run_guarded(&Launch::linear(3), &mut args).expect("they fit");
        assert_eq!(y, [8.0, 10.0, 4.0]);
        assert!(entry_signature(mixed::FUNCTION.shard()).is_none());
        let mut other = signature.clone();
        other.params.swap(1, 2);
        let error = program.kernel_with(&other).expect_err("another kernel").to_string();
        assert!(error.contains("scaled_sum"), "{error}");
    }
}
