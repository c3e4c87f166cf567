//! `--no-check` of `program` and `run`: which rules a program is not checked by.

use gristmill_cl_library::{Diagnostic, PROGRAM_RULES, ProgramSource, check_program};
use gristmill_support::nearest;

/// What `--no-check` alone leaves out.
const ALL: &str = "all";

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Take the program whatever the check finds, or whatever these rules find: undefined-function, argument-count,
    /// address-space and the other codes of `gristmill guide cl-library`
    #[arg(long, value_name = "RULE,…", num_args = 0..=1, require_equals = true, value_delimiter = ',',
          default_missing_value = ALL, value_parser = rule)]
    no_check: Vec<String>,
}

impl CheckArgs {
    /// What the rules that are not left out find in a program that is built with these macros.
    pub(crate) fn check(&self, program: &ProgramSource, defines: &[(String, String)]) -> Vec<Diagnostic> {
        let off = |code: &str| self.no_check.iter().any(|rule| rule == code);
        let mut found = if off(ALL) { Vec::new() } else { check_program(program, defines) };
        found.retain(|d| !off(d.code));
        found
    }

    pub(crate) fn is_given(&self) -> bool {
        !self.no_check.is_empty()
    }
}

fn rule(text: &str) -> std::result::Result<String, String> {
    if text == ALL || PROGRAM_RULES.contains(&text) {
        return Ok(text.to_owned());
    }
    let nearest = nearest(text, PROGRAM_RULES.iter().copied());
    let hint =
        nearest.map_or_else(|| format!("there are: {}", PROGRAM_RULES.join(", ")), |n| format!("did you mean `{n}`?"));
    Err(format!("there is no rule `{text}`; {hint}"))
}
