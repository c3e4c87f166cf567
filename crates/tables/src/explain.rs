//! Plans as text.

use gristmill_engine::plan::{Derived, Plan, Step, StepId};

/// What a column is, in words.
fn column(plan: &Plan, column: usize, used: &[String]) -> String {
    let derived = column.checked_sub(plan.column_count()).and_then(|d| plan.derived().nth(d));
    match derived {
        None => format!("column `{}`", used[column]),
        Some(Derived::OfGroup(r)) => {
            let reduce = &plan.reductions[*r];
            let by = reduce.grouping.map_or(String::new(), |g| plan.groupings[g].join(", "));
            format!("{:?} of %{} by {by}", reduce.reduction, reduce.over.value.0)
        }
        Some(Derived::Running(r)) => {
            format!("running {:?} of %{}", plan.running[*r].kind, plan.running[*r].over.value.0)
        }
        Some(Derived::RowNumber) => "the row's number from 0".to_string(),
        Some(Derived::IsOneOf { column, words }) => format!("whether `{column}` is one of {words:?}"),
    }
}

/// The plan as text: a line per step that is used.
pub(crate) fn describe(plan: &Plan, used: &[String]) -> String {
    let mut text = String::from("steps:\n");
    for (i, step) in plan.steps_used() {
        let what = match step {
            Step::Column(c) => column(plan, *c, used),
            Step::ColumnMissing(c) => format!("where {} is missing", column(plan, *c, used)),
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
