//! What the commands share: the choice of format, tables, and messages.

use gristmill_support::{align_left, align_right};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes a line for the user to stderr, as `eprintln!` does, which panics when nobody reads it any more:
/// `gristmill … 2>&1 | head`. Messages are no reason to stop.
macro_rules! say {
    ($($message:tt)*) => { $crate::cli::output::write_stderr(&format!("{}\n", format_args!($($message)*))) };
}

/// Text for the user that has its line ends. See [`say!`].
pub(crate) fn write_stderr(text: &str) {
    // One write, so that lines of several processes on one terminal stay whole. There is nobody to tell if it fails.
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// How a command prints its data
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(crate) enum Format {
    /// For a person
    #[default]
    Text,
    /// For a program: the same facts, stable names
    Json,
}

/// Two outputs of a command must not be one file, by whatever names: the second would take the first one's place. Each has the
/// option that named it.
pub(crate) fn must_differ(outputs: impl IntoIterator<Item = (String, PathBuf)>) -> super::Result<()> {
    let mut seen: Vec<(String, PathBuf)> = Vec::new();
    for (option, path) in outputs {
        // What is no file is written to as it is, by both.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            continue;
        }
        let file = final_name(&path);
        if let Some((other, _)) = seen.iter().find(|(_, earlier)| *earlier == file) {
            return Err(format!("{other} and {option} are the same file: {}", path.display()).into());
        }
        seen.push((option, file));
    }
    Ok(())
}

/// The path without links and dots, whether the file is there or not.
fn final_name(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many links as Linux follows; one that leads to nothing names what will be made.
    for _ in 0..40 {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some((folder, name)) = folder.canonicalize().ok().zip(path.file_name()) else { break };
        let here = folder.join(name);
        match here.read_link() {
            Ok(target) => path = folder.join(target),
            Err(_) => return here,
        }
    }
    path
}

/// An output that goes into its own input would be read while it grows: that is refused. An input that is given as an output
/// by its name is fine: it is replaced when the output is complete. `-` is standard input and output.
pub(crate) fn refuse_own_input(output: Option<&Path>, input: Option<&Path>) -> super::Result<()> {
    let is_standard = |path: &Path| path == Path::new("-");
    let output = output.filter(|path| !is_standard(path)).unwrap_or(Path::new("/dev/stdout"));
    let Some(input) = input else { return Ok(()) };
    let (file, name) = match is_standard(input) {
        true => (Path::new("/dev/stdin"), "standard input".into()),
        false => (input, input.display().to_string()),
    };
    match gristmill_support::writes_into(output, file) {
        false => Ok(()),
        true => Err(format!(
            "{name}: the output would be added to the input itself while that is read; give it a name with -o (which may be \
             the input's: it is replaced when the output is complete)"
        )
        .into()),
    }
}

/// A JSON value with a final newline, on stdout.
pub(crate) fn write_json(value: &serde_json::Value) -> super::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    super::write_stdout(text.as_bytes())
}

/// Cells that are wider do not widen their column: one name of a thousand letters would move all others off the screen.
const WIDEST: usize = 100;

/// Columns two spaces apart, as wide as their widest cell of a usual width; wider ones are shown whole. The last column is
/// not padded. `right` names the columns of numbers.
pub(crate) fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths = |c: usize| rows.iter().filter_map(move |r| r.get(c)).map(|s| s.chars().count());
    let width: Vec<usize> =
        (0..columns).map(|c| widths(c).filter(|width| *width <= WIDEST).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(c, cell)| if right.contains(&c) { align_right(cell, width[c]) } else { align_left(cell, width[c]) })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// `15.6 GiB`
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

pub(crate) fn row<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.map(str::to_string).to_vec()
}

/// `1 program`, `2 programs`
pub(crate) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// `1 row`, `1,234,567 rows`
pub(crate) fn many(count: u64, what: &str) -> String {
    format!("{} {what}{}", count_with_separators(count), if count == 1 { "" } else { "s" })
}

/// A whole number as people write it: `1000`, `1e6`, `1_000_000`.
pub(crate) fn whole_number(text: &str) -> Result<u64, String> {
    let plain = text.replace('_', "");
    if let Ok(number) = plain.parse() {
        return Ok(number);
    }
    match plain.parse::<f64>() {
        // Up to here every whole number is a double.
        Ok(number) if (0.0..=9007199254740992.0).contains(&number) && number.fract() == 0.0 => Ok(number as u64),
        _ => Err("must be a whole number, such as 1000 or 1e6".to_string()),
    }
}

/// `1,234,567`
pub(crate) fn count_with_separators(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
