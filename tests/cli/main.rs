//! The `gristmill` command as a user meets it: exit code, stdout and stderr of whole runs.

mod command;
mod eval;
mod eval_files;
mod eval_groups;
mod files;
mod glm;
mod glm_after;
mod kernels;
mod manual;
mod outputs;
mod runtime;
