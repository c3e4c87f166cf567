//! eval and functions: whole runs over small tables.

use crate::command::{folder_with, gristmill, run, shown};
use std::path::Path;
use std::process::Output;

fn folder() -> tempfile::TempDir {
    folder_with(&["beetles.csv"])
}

/// The whole run as text; times and rates become `[TIME]` and `[RATE]`.
fn text(output: &Output) -> String {
    let text = shown(output);
    let lines: Vec<String> = text
        .lines()
        .map(|line| match line.split(", ").collect::<Vec<_>>().as_slice() {
            [rows, columns, _, device @ .., _] if line.ends_with(" rows/s") => {
                let device = if device.join(", ").starts_with("cpu, ") { "[CPU]" } else { "[DEVICE]" };
                format!("{rows}, {columns}, [TIME], {device}, [RATE]")
            }
            _ => line.to_string(),
        })
        .collect();
    lines.join("\n")
}

#[test]
fn the_first_command_of_the_readme() {
    let folder = folder();
    let output = run(
        folder.path(),
        &["eval", "rate = killed / beetles", "p = pbinom(killed, beetles, 0.5, lower.tail = FALSE)", "beetles.csv"],
    );
    insta::assert_snapshot!(text(&output));
}

#[test]
fn results_see_earlier_results_and_reductions() {
    let folder = folder();
    let output = run(
        folder.path(),
        &["eval", "--only", "m = mean(log10_dose)", "d = log10_dose - m", "far = abs(d) > 0.05", "beetles.csv"],
    );
    insta::assert_snapshot!(text(&output));
}

#[test]
fn missing_values_stay_missing_and_new_nans_are_counted() {
    let folder = folder();
    std::fs::write(folder.path().join("gaps.csv"), "x,note\n4,a\nNA,b\n-1,c\n,d\nNaN,e\n").expect("written");
    let output = run(folder.path(), &["eval", "r = sqrt(x)", "known = !is.na(x)", "gaps.csv"]);
    insta::assert_snapshot!(text(&output));
}

#[test]
fn wrong_expressions_and_tables_are_errors_with_exit_code_2_and_no_output() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("ragged.csv", "a,b\n1,2\n3\n");
    write("words.csv", "a,b\n1,2\n3,many\n");
    write("empty.csv", "");
    write("out.csv", "as it was");
    let mut all = String::new();
    for words in [
        ["eval", "r = kiled / beetles", "beetles.csv"],
        ["eval", "p = pnrom(killed)", "beetles.csv"],
        ["eval", "p = pnorm(killed, sigma = 2)", "beetles.csv"],
        ["eval", "p = (killed + 1", "beetles.csv"],
        ["eval", "x = a + b", "ragged.csv"],
        ["eval", "x = a + b", "words.csv"],
        ["eval", "x = 1", "empty.csv"],
        ["eval", "p = dnorm(killed, log = true)", "beetles.csv"],
        ["eval", "killed > 2 and beetles < 3", "beetles.csv"],
        ["eval", "s = if (killed) 1 else 0", "beetles.csv"],
        ["eval", "p == 2", "beetles.csv"],
        ["eval", "x = 1", "nowhere.csv"],
        ["eval", "x = 1", "betles.csv"],
        ["eval", "x = 1", "table.xlsx"],
    ] {
        let output = gristmill(folder.path()).args(words).args(["-o", "out.csv"]).output().expect("it starts");
        all.push_str(&format!("{}\n{}\n", words.join(" "), text(&output)));
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("out.csv")).expect("still there"), "as it was");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("readable").flatten().map(|e| e.file_name()).collect();
    assert!(left.iter().all(|n| !n.to_string_lossy().ends_with(".part")), "half a file was left: {left:?}");
    insta::assert_snapshot!(all);
}

#[test]
fn random_numbers_depend_on_seed_and_row_only() {
    let folder = folder();
    let draw = |extra: &[&str]| {
        let words =
            [&["eval", "--n", "1000", "--quiet", "u = runif()", "z = rnorm(n(), 10, 2)", "k = rpois(3)"], extra]
                .concat();
        let output = run(folder.path(), &words);
        assert!(output.status.success(), "{}", shown(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let once = draw(&[]);
    assert_eq!(once.lines().count(), 1001);
    assert_eq!(once, draw(&["--threads", "1"]));
    assert_eq!(once, draw(&["--device", "0"]));
    assert_ne!(once, draw(&["--seed", "2"]));
    let half = {
        let output = run(
            folder.path(),
            &["eval", "--n", "500", "--quiet", "u = runif()", "z = rnorm(n(), 10, 2)", "k = rpois(3)"],
        );
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(once.starts_with(&half), "the first rows must not depend on how many there are");
}

#[test]
fn tables_keep_their_columns_and_numbers_through_every_format() {
    let folder = folder();
    let quiet = |words: &[&str]| {
        let output = run(folder.path(), words);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", shown(&output));
        output.stdout
    };
    let direct = quiet(&["eval", "-q", "p = dbinom(killed, beetles, 0.3)", "l = p > 0.01", "beetles.csv"]);
    for name in ["t.parquet", "t.arrow", "t.tsv", "t.npy", "t.npz"] {
        quiet(&["eval", "-q", "p = dbinom(killed, beetles, 0.3)", "l = p > 0.01", "beetles.csv", "-o", name]);
        let back = quiet(&["eval", "-q", "p = p", name]);
        let strip = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("1.8610", "1.861");
        assert_eq!(strip(&back), strip(&direct), "{name}");
    }
}

#[test]
fn columns_are_carried_by_their_text_whatever_is_computed_with_them() {
    let folder = folder();
    let table = "id,code,b,land,x\n9007199254740993,007,TRUE,NA,1\n-5,010,false,\"NA\",NA\n,,,,0.5\n18,1,True,\"\",2\n";
    std::fs::write(folder.path().join("t.csv"), table).expect("written");
    let back = |name: &str| {
        let output = run(folder.path(), &["eval", "-q", "n = 1", name]);
        String::from_utf8(output.stdout).expect("text")
    };
    let expected = "id,code,b,land,x,n\n9007199254740993,007,TRUE,\"NA\",1,1\n-5,010,FALSE,\"NA\",,1\n,,,,0.5,1\n\
                    18,1,TRUE,\"\",2,1\n";
    for name in ["t.parquet", "t.arrow"] {
        for use_it in [&["n = 1"][..], &["n = is.na(id) | is.na(code) | is.na(b) | is.na(x)", "n = 1"]] {
            let words = [&["eval"], use_it, &["t.csv", "-o", name]].concat();
            let output = run(folder.path(), &words);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(back(name), expected, "{name} after {use_it:?}");
            assert!(
                said.contains("note: NA is text in columns of text: 1, in `land`; `--na NA` makes it missing"),
                "{said}"
            );
            let warned = said.contains(
                "warning: integers beyond 2^53 were computed with as doubles, which may be their neighbours: 1, in `id`",
            );
            assert_eq!(warned, use_it.len() == 2, "{said}");
        }
        // `--na` says what is missing in text too.
        run(folder.path(), &["eval", "-q", "--na", "NA,007", "n = 1", "t.csv", "-o", name]);
        assert_eq!(back(name), expected.replacen("\"NA\"", "", 1).replace(",007", ","), "{name}");
    }
}

/// Values, types and what is missing, through every pair of formats, as pyarrow and NumPy read them.
#[test]
fn tables_of_every_type_go_through_every_pair_of_formats() {
    let folder = folder();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // `cargo xtask test` makes this one; without it, one with pyarrow may be on the path.
    let made = root.join("target/python/bin/python");
    let python = if made.exists() { made } else { "python3".into() };
    let has_pyarrow = std::process::Command::new(&python).args(["-c", "import numpy, pyarrow"]).output();
    assert!(
        has_pyarrow.is_ok_and(|o| o.status.success()),
        "{} has no pyarrow; `cargo xtask test` provides it",
        python.display()
    );
    let output = std::process::Command::new(&python)
        .arg(root.join("tests/cli/every_type.py"))
        .arg(env!("CARGO_BIN_EXE_gristmill"))
        .arg(folder.path())
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{}", shown(&output));
}

#[test]
fn truth_values_stay_truth_values() {
    let folder = folder();
    std::fs::write(folder.path().join("t.csv"), "b,x\ntrue,1\nFALSE,2\nNA,3\n").expect("written");
    let direct = run(folder.path(), &["eval", "-q", "y = b", "s = b + 1", "either = b | x > 2", "t.csv"]);
    let direct = String::from_utf8(direct.stdout).expect("text");
    assert_eq!(direct, "b,x,y,s,either\ntrue,1,TRUE,2,TRUE\nFALSE,2,FALSE,1,FALSE\nNA,3,NA,NA,TRUE\n");
    for name in ["t.parquet", "t.arrow"] {
        run(folder.path(), &["eval", "-q", "n = 1", "t.csv", "-o", name]);
        let output = run(folder.path(), &["eval", "-q", "--only", "y = b", "s = sum(b, na.rm = TRUE)", name]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "y,s\nTRUE,1\nFALSE,1\n,1\n", "{name}");
    }
    // NumPy has no missing truth values.
    std::fs::write(folder.path().join("t.csv"), "b\ntrue\nFALSE\n").expect("written");
    for name in ["t.npy", "t.npz"] {
        run(folder.path(), &["eval", "-q", "y = b", "t.csv", "-o", name]);
        let output = run(folder.path(), &["eval", "-q", "z = !y", name]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "b,y,z\nTRUE,TRUE,FALSE\nFALSE,FALSE,TRUE\n", "{name}");
    }
}

#[test]
fn missing_results_are_written_as_the_input_writes_missing_values() {
    let folder = folder();
    let write = |text: &str| std::fs::write(folder.path().join("t.csv"), text).expect("written");
    let result = |words: &[&str]| {
        let output = run(folder.path(), &[&["eval", "-q", "y = x + 1"], words].concat());
        assert!(output.status.success(), "{}", shown(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    write("x,t\n1,NA\n,b\n");
    assert_eq!(result(&["t.csv"]), "x,t,y\n1,NA,2\n,b,\n");
    assert_eq!(result(&["--only", "t.csv"]), "y\n2\n\"\"\n", "an empty line would be no row");
    assert_eq!(result(&["--na-out", "-", "t.csv"]), "x,t,y\n1,NA,2\n,b,-\n");
    write("x,t\n1,\nNA,b\n,c\n");
    assert_eq!(result(&["t.csv"]), "x,t,y\n1,,2\nNA,b,NA\n,c,NA\n");
    write("x,t\n1,a\n-99,b\n");
    assert_eq!(result(&["--na", "-99", "t.csv"]), "x,t,y\n1,a,2\n-99,b,-99\n");
    let error = |words: &[&str]| {
        let output = run(folder.path(), &[&["eval", "y = 1"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(error(&["--na", "x", "--n", "3"]).starts_with("error: `--na` is for text tables"));
    assert!(error(&["--na-out", "x", "t.csv", "-o", "t.npz"]).starts_with("error: `--na-out` is for text"));
}

#[test]
fn a_stream_has_the_types_of_all_its_values() {
    let folder = folder();
    // The first megabyte says less than the last row.
    let mut table = String::from("i,n,w,b\n");
    (0..100_000).for_each(|i| table.push_str(&format!("{i},{i},{i},TRUE\n")));
    table.push_str("7,0.5,abc,FALSE\n");
    std::fs::write(folder.path().join("t.csv"), &table).expect("written");
    let through = |words: &[&str]| {
        let table = std::fs::File::open(folder.path().join("t.csv")).expect("there");
        let output = gristmill(folder.path()).args(words).stdin(table).output().expect("it starts");
        assert!(output.status.success(), "{}", shown(&output));
        output.stdout
    };
    through(&["eval", "-q", "y = b", "-", "-o", "stream.parquet"]);
    through(&["eval", "-q", "y = b", "t.csv", "-o", "file.parquet"]);
    let text = |name: &str| through(&["eval", "-q", "z = y", name]);
    assert!(text("stream.parquet") == text("file.parquet"), "a stream and a file should be one table");
    assert!(text("file.parquet").ends_with(b"\n99999,99999,99999,TRUE,TRUE,TRUE\n7,0.5,abc,FALSE,FALSE,FALSE\n"));
}

#[test]
fn a_full_disk_is_an_error_and_leaves_the_output_as_it_was() {
    let folder = folder();
    let fill = |output: &str| run(folder.path(), &["eval", "-q", "--n", "200000", "x = runif()", "-o", output]);
    if Path::new("/dev/full").exists() {
        for format in ["csv", "parquet", "arrow", "npy", "npz"] {
            let output = run(
                folder.path(),
                &["eval", "-q", "--n", "200000", "x = runif()", "-o", "/dev/full", "--format", format],
            );
            let text = shown(&output);
            assert!(
                text.starts_with("exit 2\n") && text.contains("/dev/full: cannot be written; no output was made"),
                "{text}"
            );
            assert!(text.contains("caused by: No space left on device"), "{text}");
        }
    } else {
        eprintln!("skipped: there is no /dev/full");
    }
    let small = folder.path().join("small");
    std::fs::create_dir(&small).expect("made");
    let mount =
        std::process::Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "none"]).arg(&small).output();
    if !mount.is_ok_and(|o| o.status.success()) {
        return eprintln!("skipped: a small file system needs the right to mount one");
    }
    std::fs::write(small.join("out.csv"), "as it was").expect("written");
    let output = fill("small/out.csv");
    let left: Vec<_> = std::fs::read_dir(&small).expect("readable").flatten().map(|e| e.file_name()).collect();
    let content = std::fs::read_to_string(small.join("out.csv"));
    let unmounted = std::process::Command::new("umount").arg(&small).status();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert_eq!(content.expect("still there"), "as it was");
    assert_eq!(left, ["out.csv"]);
    assert!(unmounted.is_ok_and(|s| s.success()));
}

#[test]
fn auto_stays_on_the_cpu_until_a_measurement_says_that_a_device_pays() {
    let folder = folder();
    let auto = |more: &[&str]| {
        run(folder.path(), &[&["eval", "--device", "auto", "p = pnorm(killed / 10)", "beetles.csv"], more].concat())
    };
    let stderr = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let unknown = auto(&[]);
    assert!(unknown.status.success());
    assert!(stderr(&unknown).contains("auto: cpu, because nothing is known of "), "{}", shown(&unknown));
    assert!(stderr(&unknown).contains("`gristmill bench --crossover` measures it"));
    let bench = run(folder.path(), &["bench", "--crossover"]);
    assert!(bench.status.success(), "{}", shown(&bench));
    let stored = folder.path().join("cache").join("crossover.json");
    let text = std::fs::read_to_string(&stored).expect("stored");
    // Eight rows never pay; a device without any cost always does.
    let known = auto(&[]);
    assert!(stderr(&known).contains("auto: cpu, because about "), "{}", shown(&known));
    assert_eq!(known.stdout, unknown.stdout);
    let free = text
        .lines()
        .map(|line| match line.split_once(": ") {
            Some((key, _)) if key.contains("_seconds") || key.contains("per_byte") => format!("{key}: 0.0,"),
            Some((key, value)) if key.contains("\"speed\"") => {
                format!("{key}: 1e9{}", if value.ends_with(',') { "," } else { "" })
            }
            _ => line.to_string(),
        })
        .collect::<Vec<_>>()
        .join("\n");
    std::fs::write(&stored, free).expect("written");
    let paid = auto(&[]);
    assert!(stderr(&paid).contains("rows take about") && !stderr(&paid).contains("auto: cpu"), "{}", shown(&paid));
    assert_eq!(paid.stdout, unknown.stdout, "the bits do not depend on where they are computed");
    let named = run(folder.path(), &["eval", "--device", "no such device", "x = 1", "beetles.csv"]);
    assert_eq!(named.status.code(), Some(2), "a named device that is not there is an error");
}

#[test]
fn a_reader_that_goes_away_is_the_end_and_no_error() {
    let folder = folder();
    let mut child = gristmill(folder.path())
        .args(["eval", "--n", "2000000", "x = i / 2"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{}", shown(&output));
}

#[test]
fn a_stream_is_read_once_whatever_the_device() {
    let folder = folder();
    let through = |words: &[&str]| {
        let table = std::fs::File::open(folder.path().join("beetles.csv")).expect("there");
        gristmill(folder.path()).args(words).stdin(table).output().expect("it starts")
    };
    let plain = through(&["eval", "p = pnorm(killed / 10)", "-"]);
    assert!(plain.status.success() && plain.stdout.len() > 100, "{}", shown(&plain));
    let auto = through(&["eval", "--device", "auto", "p = pnorm(killed / 10)", "-"]);
    assert_eq!(auto.stdout, plain.stdout, "{}", shown(&auto));
    let mean = through(&["eval", "m = mean(killed)", "-"]);
    assert_eq!(mean.status.code(), Some(2));
    assert!(shown(&mean).contains("which standard input or a pipe does not allow; give a file"));
}

#[test]
fn rows_of_many_pieces_keep_their_numbers() {
    let folder = folder();
    // Enough text for several pieces; the draws say which row each line thinks it is.
    let table: String = std::iter::once("k,pad\n".to_string())
        .chain((0..200_000).map(|k| format!("{k},{}\n", "x".repeat(k % 17))))
        .collect();
    std::fs::write(folder.path().join("long.csv"), table).expect("written");
    let column = |words: &[&str]| {
        let output = run(folder.path(), words);
        assert!(output.status.success(), "{}", shown(&output));
        output.stdout
    };
    let from_file = column(&["eval", "-q", "--only", "u = runif()", "k2 = k + 1", "long.csv", "--threads", "3"]);
    let from_nothing = column(&["eval", "-q", "--n", "200000", "u = runif()", "k2 = i"]);
    assert_eq!(from_file, from_nothing);
}

#[test]
fn the_plan_can_be_looked_at() {
    let folder = folder();
    let output = run(folder.path(), &["eval", "--explain", "p = pnorm((killed - 2 * 3) / sqrt(16))", "beetles.csv"]);
    insta::assert_snapshot!(text(&output));
}

#[test]
fn help_of_eval_and_functions() {
    let folder = folder();
    insta::assert_snapshot!("help_eval", text(&run(folder.path(), &["eval", "--help"])));
    insta::assert_snapshot!("help_bench", text(&run(folder.path(), &["bench", "--help"])));
    insta::assert_snapshot!("help_functions", text(&run(folder.path(), &["functions", "--help"])));
    insta::assert_snapshot!("functions_unknown", text(&run(folder.path(), &["functions", "pnrom"])));
    let described = text(&run(folder.path(), &["functions", "normal"]));
    assert!(described.contains("`gristmill functions --search normal` looks in descriptions"), "{described}");
    // What is no name of a result is no reason to say how results are named.
    let condition = text(&run(folder.path(), &["eval", "--where", "p == 2", "z = 1", "beetles.csv"]));
    assert!(condition.contains("no column is called `p`") && !condition.contains("result"), "{condition}");
    // One `=` would name the condition and keep every row.
    let slip = text(&run(folder.path(), &["eval", "--where", "killed = 2", "z = 1", "beetles.csv"]));
    assert!(slip.contains("a condition has no name") && slip.contains("help: `==` compares"), "{slip}");
    let vectors = text(&run(folder.path(), &["functions", "rmultinom"]));
    assert!(vectors.contains("vectors are drawn by `rmultinom` in Rust, in R and in OpenCL kernels"), "{vectors}");
    insta::assert_snapshot!("functions", text(&run(folder.path(), &["functions"])));
}

#[test]
fn a_function_is_shown_with_its_domain_method_and_error() {
    let folder = folder();
    let output = run(folder.path(), &["functions", "pnorm"]);
    let text = text(&output);
    for part in ["pnorm(q, mean = 0, sd = 1, lower.tail = TRUE, log.p = FALSE)", "Domain:", "Method:", "Error:"] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

#[test]
fn a_function_of_two_kernels_shows_its_own_first_and_nothing_twice() {
    let folder = folder();
    let text = text(&run(folder.path(), &["functions", "pbeta"]));
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("`{part}` is missing in:\n{text}"));
    assert!(place("kernel pbeta(") < place("kernel pnbeta("), "{text}");
    assert!(text.contains("`ncp = 0` is `pbeta`, bit for bit"), "links are names:\n{text}");
    assert!(!text.contains("[`") && text.matches("pbeta(q, shape1").count() == 1, "{text}");
    assert!(text.contains("\n  Domain:") && !text.contains("  R:"), "{text}");
}
