//! `gristmill lib for-kernel KERNEL --library LIB`

use super::super::findings::{self, Format};
use super::super::source::{ProgramArgs, packages};
use super::super::{Outcome, Result, write_stdout};
use super::{failed, problems};
use gristmill_cl_library::Shard;
use serde_json::json;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The kernel: a .cl file, with --package a path in the package's tree, or PACKAGE::PATH
    #[arg(value_name = "KERNEL")]
    kernel: String,
    #[command(flatten)]
    program: ProgramArgs,
    /// How to print the text
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result {
    let request = args.program.request(&args.kernel)?;
    let (kernel, shards) = match request.library_part(&packages()) {
        Ok(found) => found,
        Err(error) => {
            let read = |file: &str| Shard::read(file.as_ref()).map(|s| s.text().to_owned()).unwrap_or_default();
            let Some(found) = findings::from_error(&error, read) else { return Err(error.into()) };
            return failed(&found, 1, &request.libraries.join(", "), "for-kernel", args.format);
        }
    };
    let mut text = String::new();
    for shard in &shards {
        text.push_str(shard.text());
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    }
    match args.format {
        Format::Text => write_stdout(text.as_bytes())?,
        Format::Json => {
            let stems: Vec<&str> = shards.iter().map(Shard::stem).collect();
            let more = json!({"kernel": kernel.stem(), "order": stems, "text": text});
            findings::write_json(&problems("for-kernel", &request.libraries.join(", "), stems.len(), &[], more))?;
        }
    }
    Ok(Outcome::Fine)
}
