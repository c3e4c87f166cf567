//! Measures every function against dev/oracle. `cargo xtask accuracy` prints it; `cargo xtask accuracy --write` writes
//! docs/accuracy.md.
#![allow(missing_docs, dead_code)]

#[path = "../tests/accuracy/exact.rs"]
mod exact;
#[path = "../tests/accuracy/oracle.rs"]
mod oracle;

use gristmill_nmath::documentation::bound;
use oracle::Measurement;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

const HEADERS: [&str; 12] = [
    "function",
    "points",
    "median",
    "99 %",
    "max",
    "bound",
    "wrong",
    "R 99 %",
    "R max",
    "SciPy 99 %",
    "SciPy max",
    "worst input",
];

fn ulps(u: f64) -> String {
    if u >= 1e4 {
        format!("{u:.1e}")
    } else if u >= 100.0 {
        format!("{u:.0}")
    } else {
        format!("{u:.2}")
    }
}

fn row(m: &Measurement, peers: &[(String, [String; 5], [String; 5])]) -> [String; 12] {
    let name = m.file.split('+').next().unwrap_or_default();
    let set = m.file.split_once('+').map_or("", |(_, set)| set);
    let bound = gristmill_nmath::kernel(name).and_then(|f| bound(&f, set)).map_or("none".into(), |b| ulps(b.all));
    let peer = peers.iter().find(|p| p.0 == m.file);
    let side = |five: Option<&[String; 5]>, i: usize| {
        let Some(five) = five else { return "-".to_string() };
        let wrong = if five[4] == "0" || five[4] == "-" { String::new() } else { format!(", {} wrong", five[4]) };
        let figure = five[i].parse::<f64>().map_or(five[i].clone(), ulps);
        if i == 3 { figure + &wrong } else { figure }
    };
    let worst: Vec<String> = m.worst.iter().map(|x| format!("{x:?}")).collect();
    [
        m.file.clone(),
        m.points.to_string(),
        ulps(m.median),
        ulps(m.high),
        ulps(m.max),
        bound,
        m.wrong.to_string(),
        side(peer.map(|p| &p.1), 2),
        side(peer.map(|p| &p.1), 3),
        side(peer.map(|p| &p.2), 2),
        side(peer.map(|p| &p.2), 3),
        worst.join(", "),
    ]
}

fn print(rows: &[[String; 12]]) {
    let width = |i: usize| rows.iter().map(|r| r[i].len()).chain([HEADERS[i].len()]).max().unwrap_or(0);
    let widths: Vec<usize> = (0..12).map(width).collect();
    let line = |cells: [&str; 12]| {
        let mut text = String::new();
        for (i, cell) in cells.iter().enumerate() {
            let w = widths[i];
            let _ = if i == 0 || i == 11 { write!(text, "{cell:w$}  ") } else { write!(text, "{cell:>w$}  ") };
        }
        println!("{}", text.trim_end());
    };
    line(HEADERS);
    for row in rows {
        line(std::array::from_fn(|i| row[i].as_str()));
    }
}

fn page(rows: &[[String; 12]]) -> String {
    let mut text = String::from(
        "# Accuracy\n\n\
         Written by `cargo xtask accuracy --write`; do not edit. Errors are in ulps of the true value (dev/oracle/README.md says\n\
         how they are counted and where the true values come from). *bound* is what the tests enforce for the maximum; *wrong*\n\
         counts results that are NaN or infinite where a number belongs, or the reverse. R is libRmath 4.4.1, SciPy is 1.17.1, on the\n\
         same points. `NAME+MORE` are further points of the same function, not measured with the peers. Where bessel_j and bessel_y\n\
         oscillate, ours are in ulps of the modulus, the peers' in ulps of the value.\n\n",
    );
    let _ = writeln!(text, "| {} |\n|{}", HEADERS.join(" | "), "---|".repeat(12));
    for row in rows {
        let mut cells = row.clone();
        cells[11] = format!("`{}`", cells[11]);
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut names: Vec<String> = arguments.iter().filter(|a| !a.starts_with("--")).cloned().collect();
    if let Some(i) = arguments.iter().position(|a| a == "--from") {
        let Some(folder) = arguments.get(i + 1) else {
            eprintln!("accuracy: `--from` needs a folder");
            return ExitCode::from(2);
        };
        names.retain(|n| n != folder);
        oracle::ELSEWHERE.get_or_init(|| PathBuf::from(folder));
    }
    let has = |flag: &str| arguments.iter().any(|a| a == flag);
    if let Some(unknown) = names.iter().find(|n| !oracle::measured().any(|f| f.name() == n.as_str())) {
        eprintln!(
            "accuracy: `{unknown}` is not measured; those functions are whose documentation gives an error in ulps"
        );
        return ExitCode::from(2);
    }
    let measured = oracle::measure_all(&names);
    let peers = oracle::peers();
    let rows: Vec<[String; 12]> = measured.iter().map(|m| row(m, &peers)).collect();
    if has("--print") {
        print(&rows);
        for m in &measured {
            if let Some((arguments, computed, truth)) = &m.first_wrong {
                eprintln!("wrong: {}{arguments:?} is {computed}, but must be {truth} ({} such)", m.file, m.wrong);
            }
        }
        if has("--points") {
            // The worst points of each file, for whoever wants to improve them.
            for function in oracle::measured().filter(|f| names.is_empty() || names.iter().any(|n| n == f.name())) {
                for file in oracle::files(function.name()) {
                    let mut all: Vec<(f64, String)> = vec![];
                    for p in oracle::points(&file) {
                        let computed = oracle::evaluate(function, &p.arguments);
                        if let exact::Verdict::Ulps(u) = exact::verdict(computed, &p.truth) {
                            all.push((u, format!("{:?} -> {computed:?}, true {}", p.arguments, p.truth)));
                        }
                    }
                    all.sort_by(|a, b| b.0.total_cmp(&a.0));
                    println!("\n{file}: the worst points");
                    for (u, text) in all.iter().take(15) {
                        println!("{:>10}  {text}", ulps(*u));
                    }
                }
            }
        }
        return if measured.iter().all(|m| m.wrong == 0) { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/accuracy.md");
    let text = page(&rows);
    if has("--check") {
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return ExitCode::SUCCESS;
        }
        eprintln!("docs/accuracy.md is stale: run `cargo xtask accuracy --write`");
        return ExitCode::FAILURE;
    }
    match std::fs::write(&path, text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("accuracy: could not write {}: {e}", path.display());
            ExitCode::from(2)
        }
    }
}
