//! Plans as text.

use gristmill_engine::plan::{Plan, Step, StepId};

/// The plan as text: a line per step that is used.
pub(crate) fn describe(plan: &Plan, used: &[String]) -> String {
    let mut text = String::from("steps:\n");
    for (i, step) in plan.steps_used() {
        let what = match step {
            Step::Column(c) => format!("column `{}`", used[*c]),
            Step::ColumnMissing(c) => format!("where column `{}` is missing", used[*c]),
            Step::RowIndex => "the row's number from 0".to_string(),
            Step::Constant(value) => value.to_string(),
            Step::Reduced(r) => format!("{:?} of %{}", plan.reductions[*r].reduction, plan.reductions[*r].over.value.0),
            Step::ReducedMissing(r) => format!("whether reduction {r} is missing"),
            Step::Call(function, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|a| format!("%{}", a.0)).collect();
                let once = if plan.is_uniform(StepId(i)) { " (once)" } else { "" };
                format!("{}({}){once}", function.name(), arguments.join(", "))
            }
        };
        text.push_str(&format!("  %{i} = {what}\n"));
    }
    text.push_str("results:\n");
    for output in &plan.outputs {
        text.push_str(&format!("  `{}` = %{}\n", output.name, output.bound.value.0));
    }
    text
}
