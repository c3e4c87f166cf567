//! `gristmill lib annotate DIR [--kernels …] [--dry-run] [--break-cycles]`

use super::super::findings::{self, Format};
use super::super::source::{PreludeArgs, packages};
use super::super::{Outcome, Result};
use super::{LibraryArgs, prelude, problems, unordered};
use gristmill_cl_library::{
    Change, CycleProposal, KernelCalls, Shard, annotate_kernels, apply_changes, display_path, library_tag,
    refresh_kernels,
};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    library: LibraryArgs,
    /// Annotate these kernels against the library, and leave the library alone: .cl files, with --package paths in the
    /// package's tree, or PACKAGE::PATH
    #[arg(long, num_args = 1.., value_name = "KERNEL")]
    kernels: Vec<String>,
    /// The library's name in the kernels' annotations (default: the one they use, else the directory's name)
    #[arg(long, value_name = "NAME", requires = "kernels")]
    tag: Option<String>,
    /// Write nothing; show the changes as a diff
    #[arg(long)]
    dry_run: bool,
    /// Only bring up to date what follows from @depends: @all_depends, its count, @load_order (of kernels: @all_depends_LIB)
    #[arg(long, conflicts_with = "break_cycles")]
    derived: bool,
    /// Split files that need each other in a circle
    #[arg(long, conflicts_with = "kernels")]
    break_cycles: bool,
    #[command(flatten)]
    prelude: PreludeArgs,
    /// How to print the changes
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    if args.kernels.is_empty() { run_library(args) } else { run_kernels(args) }
}

fn run_library(args: &Args) -> Result {
    let folder = args.library.folder()?;
    let prelude = prelude(&folder, &args.prelude)?;
    let plan = if args.derived {
        match folder.refresh_derived() {
            Ok(plan) => plan,
            Err(error) => return unordered(error, &folder.library()?, "annotate", args.format),
        }
    } else {
        folder.annotate(&prelude.pieces)?
    };
    let proposals = plan.proposals(&prelude.pieces);
    let plan = if args.break_cycles { plan.break_cycles(&prelude.pieces)? } else { plan };
    let remaining = plan.cycles();
    let changes = plan.changes();
    // Files with cycles between them are still annotated: the annotations are true, and show the cycle.
    finish(args, &changes)?;
    if args.format == Format::Json {
        let more = json!({
            "written": !args.dry_run && !changes.is_empty(),
            "changes": changes.iter().map(change_json).collect::<Vec<_>>(),
            "cycles": proposals.iter().map(proposal_json).collect::<Vec<_>>(),
            "cycles_remaining": remaining,
        });
        findings::write_json(&problems("annotate", plan.library().name(), plan.library().shards().len(), &[], more))?;
    } else {
        let broken = |p: &CycleProposal| !remaining.contains(&p.cycle);
        for proposal in &proposals {
            super::super::output::write_stderr(&describe(proposal, args.break_cycles && broken(proposal)));
        }
    }
    Ok(if remaining.is_empty() { Outcome::Fine } else { Outcome::ProblemsFound })
}

fn run_kernels(args: &Args) -> Result {
    let folder = args.library.folder()?;
    let library = folder.library()?;
    let prelude = prelude(&folder, &args.prelude)?;
    let mut results: Vec<KernelCalls> = Vec::new();
    let packages = packages();
    let package = args.library.package.find(&packages)?;
    let path = |name: &String| Ok(packages.path_of_file(name, package.as_ref())?);
    let kernels: Vec<PathBuf> = args.kernels.iter().map(path).collect::<Result<_>>()?;
    for kernel in &kernels {
        let tag = match &args.tag {
            Some(tag) => tag.clone(),
            None => library_tag(&Shard::read(kernel)?, &library),
        };
        let one = std::slice::from_ref(kernel);
        let result = if args.derived {
            refresh_kernels(one, &library, &tag)
        } else {
            annotate_kernels(one, &library, &tag, &prelude.pieces)
        };
        match result {
            Ok(found) => results.extend(found),
            Err(error) => return unordered(error, &library, "annotate", args.format),
        }
    }
    let changes: Vec<Change> = results.iter().filter_map(|r| r.change.clone()).collect();
    finish(args, &changes)?;
    if args.format == Format::Json {
        let kernels: Vec<Value> = results.iter().map(kernel_json).collect();
        let more = json!({
            "written": !args.dry_run && !changes.is_empty(),
            "changes": changes.iter().map(change_json).collect::<Vec<_>>(),
            "kernels": kernels,
        });
        findings::write_json(&problems("annotate", library.name(), args.kernels.len(), &[], more))?;
    }
    Ok(Outcome::Fine)
}

/// Shows or applies the changes.
fn finish(args: &Args, changes: &[Change]) -> Result<()> {
    if args.dry_run {
        if args.format == Format::Text {
            super::super::write_stdout(changes.iter().map(Change::diff).collect::<String>().as_bytes())?;
        }
        return Ok(());
    }
    apply_changes(changes)?;
    if args.format == Format::Text {
        let count = changes.len();
        say!(
            "{}",
            if count == 0 {
                "nothing to change".to_owned()
            } else {
                format!("changed {count} file{}", if count == 1 { "" } else { "s" })
            }
        );
    }
    Ok(())
}

/// The cycle, why it is there, and how to break it.
fn describe(proposal: &CycleProposal, broken: bool) -> String {
    let what = if broken { "broke the dependency cycle" } else { "error[dependency-cycle]: dependency cycle" };
    let mut text = format!("{what}: {}\n", proposal.cycle.join(" -> "));
    for reason in &proposal.because {
        text.push_str(&format!("  because {reason}\n"));
    }
    if let Some(obstacle) = &proposal.obstacle {
        text.push_str(&format!("  it cannot be split: {obstacle}\n"));
    }
    for fragment in &proposal.fragments {
        let functions =
            if fragment.functions.is_empty() { "no function".to_owned() } else { fragment.functions.join(", ") };
        text.push_str(&format!("  {}.cl: {functions}\n", fragment.stem));
        if !fragment.forward_declarations.is_empty() {
            text.push_str(&format!("    with forward declarations of {}\n", fragment.forward_declarations.join(", ")));
        }
    }
    if !broken && proposal.obstacle.is_none() {
        text.push_str("  help: `--break-cycles` splits the files like this\n");
    }
    text
}

fn change_json(change: &Change) -> Value {
    json!({"path": display_path(&change.path), "new": change.before.is_none(), "diff": change.diff()})
}

fn proposal_json(proposal: &CycleProposal) -> Value {
    let fragment = |f: &gristmill_cl_library::Fragment| json!({"stem": f.stem, "functions": f.functions, "forward_declarations": f.forward_declarations});
    json!({
        "cycle": proposal.cycle,
        "because": proposal.because,
        "obstacle": proposal.obstacle,
        "fragments": proposal.fragments.iter().map(fragment).collect::<Vec<_>>(),
    })
}

fn kernel_json(kernel: &KernelCalls) -> Value {
    json!({
        "kernel": kernel.kernel,
        "calls": kernel.calls,
        "depends": kernel.depends,
        "all_depends": kernel.all_depends,
        "opencl_builtins": kernel.opencl_builtins,
        "changed": kernel.change.is_some(),
    })
}
