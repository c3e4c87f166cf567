//! Expressions for every row of a table in a file, which may be larger than memory.
use gristmill::tables::Evaluation;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = std::env::temp_dir().join(format!("gristmill-table-{}.csv", std::process::id()));
    let expressions = ["rate = killed / beetles", "p = pbinom(killed, beetles, mean(rate), lower.tail = FALSE)"];
    let summary = Evaluation::new(expressions).input(here.join("examples/beetles.csv")).output(&out).run()?;
    print!("{}", std::fs::read_to_string(&out)?);
    std::fs::remove_file(&out)?;
    assert_eq!((summary.rows, summary.columns), (8, 5));
    Ok(())
}
