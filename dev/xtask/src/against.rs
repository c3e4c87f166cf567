//! `cargo xtask bench against OLD`: `gristmill eval` of another commit against this one's, over files of every format.
//!
//! Calls alternate, and the least of some rounds counts for each, so that both see the same machine.

use crate::process::{Result, cargo, root, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Debug, clap::Parser)]
#[command(name = "cargo xtask bench against", about = "`gristmill eval` of another release build against this one's")]
struct Args {
    /// The other command, say `target/release/gristmill` of an older checkout
    old: PathBuf,
    /// This one; without it, it is built
    new: Option<PathBuf>,
    /// Rows of the tables
    #[arg(long, default_value_t = 3_000_000)]
    rows: u64,
    /// Calls of each, of which the least counts
    #[arg(long, default_value_t = 7)]
    rounds: u32,
}

/// What is measured, and the words behind `eval -q`; ROWS stands for their number.
const CASES: &[(&str, &[&str])] = &[
    ("csv to csv", &["p = pnorm((x - 1) / 2)", "in.csv", "-o", "out.csv"]),
    ("csv to csv, arithmetic", &["p = x + 1", "in.csv", "-o", "out.csv"]),
    ("csv to csv, one thread", &["p = x + 1", "in.csv", "-o", "out.csv", "--threads", "1"]),
    ("csv to parquet", &["p = pnorm((x - 1) / 2)", "in.csv", "-o", "out.parquet"]),
    ("csv to npy", &["p = pnorm((x - 1) / 2)", "in.csv", "--only", "-o", "out.npy"]),
    ("parquet to parquet", &["p = pnorm((x - 1) / 2)", "in.parquet", "-o", "out.parquet"]),
    ("parquet to csv", &["p = pnorm((x - 1) / 2)", "in.parquet", "-o", "out.csv"]),
    ("arrow to arrow", &["p = pnorm((x - 1) / 2)", "in.arrow", "-o", "out.arrow"]),
    ("npz to npz", &["p = pnorm(x)", "in.npz", "--only", "-o", "out.npz"]),
    ("csv, two passes", &["p = x - mean(x)", "in.csv", "-o", "out.csv"]),
    ("parquet, two passes", &["p = x - mean(x)", "in.parquet", "--only", "-o", "out.npy"]),
    ("nothing to npy", &["p = pnorm(i / 1e6)", "--n", "ROWS", "-o", "out.npy"]),
    ("nothing to csv", &["p = i / 7", "--n", "ROWS", "-o", "out.csv"]),
    ("three rows", &["p = i", "--n", "3", "-o", "out.csv"]),
];

/// Seconds of one call.
fn seconds(program: &Path, folder: &Path, words: &[String]) -> Result<f64> {
    let mut command = Command::new(program);
    command.args(["eval", "-q"]).args(words).current_dir(folder).env("GRISTMILL_NO_CACHE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let start = Instant::now();
    let status = command.status().map_err(|e| format!("could not start `{}`: {e}", program.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    let line = format!("{} eval -q {}", program.display(), words.join(" "));
    if status.success() { Ok(seconds) } else { Err(format!("`{line}` failed ({status})")) }
}

pub(crate) fn main(words: &[String]) -> Result {
    let args = match <Args as clap::Parser>::try_parse_from(std::iter::once(&"against".to_string()).chain(words)) {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => return error.print().map_err(|e| e.to_string()),
        Err(error) => return Err(error.to_string()),
    };
    let found = |path: &Path| path.canonicalize().map_err(|e| format!("`{}`: {e}", path.display()));
    let new = match &args.new {
        Some(new) => found(new)?,
        None => {
            run(&mut cargo(&["build", "--release", "--locked", "--package", "gristmill", "--bin", "gristmill"]))?;
            root().join("target/release/gristmill")
        }
    };
    let programs = [found(&args.old)?, new];
    let folder = root().join("target/bench-against");
    std::fs::create_dir_all(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let rows = args.rows.to_string();
    let words = |words: &[&str]| -> Vec<String> {
        words.iter().map(|w| if *w == "ROWS" { rows.clone() } else { (*w).to_string() }).collect()
    };
    for table in ["in.csv", "in.parquet", "in.arrow", "in.npz"] {
        let make = ["x = sin(i) * 3", "y = i / 7", "n = i", "--n", "ROWS", "--only", "-o", table];
        seconds(&programs[0], &folder, &words(&make))?;
    }
    println!(
        "{} rows, least of {} calls, seconds\n{:26} {:>8} {:>8} {:>8}",
        rows, args.rounds, "", "old", "new", "new/old"
    );
    let mut slower = 0;
    for (name, case) in CASES {
        let mut least = [f64::INFINITY; 2];
        for _ in 0..args.rounds {
            for (least, program) in least.iter_mut().zip(&programs) {
                *least = least.min(seconds(program, &folder, &words(case))?);
            }
        }
        let [old, new] = least;
        let much = new > 1.02 * old;
        slower += u32::from(much);
        println!("{name:26} {old:8.4} {new:8.4} {:8.3}{}", new / old, if much { "  slower" } else { "" });
    }
    println!("{slower} of {} cases take more than 2 % longer", CASES.len());
    std::fs::remove_dir_all(&folder).map_err(|e| format!("`{}`: {e}", folder.display()))
}
