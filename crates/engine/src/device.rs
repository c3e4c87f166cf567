//! Runs a plan on an OpenCL device: one fused kernel, with just the shards that it needs.

use crate::error::EngineError;
use crate::exec::{ResultValues, Rows};
use crate::plan::{Step, StepId, Value};
use crate::steps::{Place, PreparedSteps};
use gristmill_cl_runtime::{Arg, CheckedKernel, Device, DeviceBuffer, ElementType, Touched};
use gristmill_kernel::Scalar;
use gristmill_kernel_cl::Assembly;
use std::fmt::Write;

/// Rows per launch: enough to fill a device, few enough that no buffer is split, which would lose the row's number.
const ROWS_PER_LAUNCH: usize = 1 << 20;

/// The entry point's name.
const ENTRY: &str = "gristmill_plan";

/// A program's text and what its entry point takes, after the number of rows and the first row's number.
pub(crate) struct DeviceText {
    pub(crate) text: String,
    columns: Vec<usize>,
    missing: Vec<usize>,
}

/// A plan's roots, ready to run on a device.
pub(crate) struct DeviceProgram {
    kernel: CheckedKernel,
    layout: DeviceText,
    results: Vec<Scalar>,
}

/// Writes the program that computes the roots; uniform steps are in it as constants.
pub(crate) fn write_program(steps: &PreparedSteps) -> DeviceText {
    let plan = steps.plan();
    let mut assembly = Assembly::new();
    let (mut columns, mut missing) = (Vec::new(), Vec::new());
    let mut body = String::new();
    for (i, step) in plan.steps().iter().enumerate() {
        let id = StepId(i);
        match (steps.place(id), step) {
            (Place::Unused, _) => {}
            (Place::Uniform(_), _) => {
                if let Some(value) = steps.uniform(id) {
                    let _ = writeln!(body, "    const {} s{i} = {};", value.scalar().c_name(), literal(value));
                }
            }
            (_, Step::Column(c)) => {
                columns.push(*c);
                let _ = writeln!(body, "    const double s{i} = c{c}[i];");
            }
            (_, Step::ColumnMissing(c)) => {
                missing.push(*c);
                let _ = writeln!(body, "    const int s{i} = m{c}[i];");
            }
            (_, Step::RowIndex) => {
                let _ = writeln!(body, "    const ulong s{i} = first + (ulong)i;");
            }
            (_, Step::Call(function, arguments)) => {
                let name = assembly.add(function.shard());
                let arguments: Vec<String> = arguments.iter().map(|a| format!("s{}", a.0)).collect();
                let _ =
                    writeln!(body, "    const {} s{i} = {name}({});", plan.scalar(id).c_name(), arguments.join(", "));
            }
            // Uniform, above.
            (_, Step::Constant(_) | Step::Reduced(_) | Step::ReducedMissing(_)) => {}
        }
    }
    let mut parameters = vec!["ulong n".to_string(), "ulong first".to_string()];
    parameters.extend(columns.iter().map(|c| format!("__global const double *c{c}")));
    parameters.extend(missing.iter().map(|c| format!("__global const uchar *m{c}")));
    for (k, root) in steps.roots().iter().enumerate() {
        parameters.push(format!("__global {} *r{k}", plan.scalar(*root).c_element()));
        let _ = writeln!(body, "    r{k}[i] = s{};", root.0);
    }
    let entry = format!(
        "__kernel void {ENTRY}({})\n{{\n    const size_t i = get_global_id(0);\n    if (i >= n) return;\n{body}}}\n",
        parameters.join(", ")
    );
    assembly.add_entry(ENTRY, entry);
    DeviceText { text: assembly.text(), columns, missing }
}

/// The constant in C, to the bit.
fn literal(value: Value) -> String {
    match value {
        Value::F64(x) => format!("as_double(0x{:016x}UL) /* {x:?} */", x.to_bits()),
        Value::Bool(b) => i32::from(b).to_string(),
        // The bits, because the smallest integer has no literal in C.
        Value::I32(x) => format!("as_int(0x{x:08x}u)"),
        Value::U32(x) => format!("{x}u"),
        Value::U64(x) => format!("{x}UL"),
    }
}

impl DeviceProgram {
    pub(crate) fn new(steps: &PreparedSteps, device: &Device) -> Result<DeviceProgram, EngineError> {
        let layout = write_program(steps);
        let built = device.build(&layout.text, "").map_err(EngineError::Device)?;
        let kernel = built.kernel(ENTRY).map_err(EngineError::Device)?;
        let arguments = kernel.signature().params.len();
        // SAFETY: `write_program` wrote the text: it returns from `n` on, and reads and writes element `i` of each array, which
        // are all arguments behind the first two.
        let kernel = unsafe {
            kernel.with_bounds(move |request| {
                let elements = request.count(0)?;
                Ok((2..arguments).map(|argument| Touched { argument, elements }).collect())
            })
        };
        let results = steps.roots().iter().map(|root| steps.plan().scalar(*root)).collect();
        Ok(DeviceProgram { kernel, layout, results })
    }

    /// Computes one column per root from columns that are on the device, and leaves it there. Nothing is missing in them.
    pub(crate) fn run_there(&self, columns: &[&DeviceBuffer], rows: usize) -> Result<Vec<DeviceBuffer>, EngineError> {
        let device = self.kernel.device();
        let results = self.results.iter().map(|scalar| device.allocate(ElementType::in_buffer(*scalar), rows));
        let results = results.collect::<Result<Vec<DeviceBuffer>, _>>().map_err(EngineError::Device)?;
        if rows == 0 {
            return Ok(results);
        }
        let nowhere = vec![0_u8; if self.layout.missing.is_empty() { 0 } else { rows }];
        let mut args = vec![Arg::Count, Arg::value(0_u64)];
        args.extend(self.layout.columns.iter().map(|c| Arg::Buffer(columns[*c])));
        args.extend(self.layout.missing.iter().map(|_| Arg::input(nowhere.as_slice())));
        args.extend(results.iter().map(Arg::Buffer));
        self.kernel.run_elementwise(rows, &mut args).map_err(EngineError::Device)?;
        drop(args);
        Ok(results)
    }

    /// Computes one column per root.
    pub(crate) fn run(&self, rows: &Rows<'_>) -> Result<Vec<ResultValues>, EngineError> {
        let mut results: Vec<DeviceColumn> = self
            .results
            .iter()
            .map(|scalar| match scalar {
                Scalar::Bool => DeviceColumn::Bool(vec![0; rows.count]),
                _ => DeviceColumn::F64(vec![0.0; rows.count]),
            })
            .collect();
        for start in (0..rows.count).step_by(ROWS_PER_LAUNCH) {
            let end = rows.count.min(start + ROWS_PER_LAUNCH);
            // A column without missing values needs a buffer all the same.
            let nowhere = vec![0_u8; end - start];
            let missing: Vec<Vec<u8>> = self
                .layout
                .missing
                .iter()
                .map(|c| match rows.columns[*c].missing {
                    Some(m) => m[start..end].iter().map(|b| u8::from(*b)).collect(),
                    None => nowhere.clone(),
                })
                .collect();
            let mut args = vec![Arg::Count, Arg::value(rows.first + start as u64)];
            args.extend(self.layout.columns.iter().map(|c| Arg::input(&rows.columns[*c].values[start..end])));
            args.extend(missing.iter().map(|m| Arg::input(m.as_slice())));
            for result in &mut results {
                args.push(match result {
                    DeviceColumn::F64(v) => Arg::output(&mut v[start..end]),
                    DeviceColumn::Bool(v) => Arg::output(&mut v[start..end]),
                });
            }
            self.kernel.run_elementwise(end - start, &mut args).map_err(EngineError::Device)?;
        }
        Ok(results
            .into_iter()
            .map(|column| match column {
                DeviceColumn::F64(v) => ResultValues::F64(v),
                DeviceColumn::Bool(v) => ResultValues::Bool(v.into_iter().map(|b| b != 0).collect()),
            })
            .collect())
    }
}

enum DeviceColumn {
    F64(Vec<f64>),
    Bool(Vec<u8>),
}
