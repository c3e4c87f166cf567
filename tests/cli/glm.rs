//! glm: whole runs over small tables.

use crate::command::{folder_with, gristmill, run, shown};
use std::process::Output;

fn folder() -> tempfile::TempDir {
    folder_with(&["beetles.csv", "budworm.csv"])
}

/// The whole run as text; times, rates and places become `[TIME]`, `[RATE]` and `[CPU]` or `[DEVICE]`.
fn text(output: &Output) -> String {
    let text = shown(output);
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let parts: Vec<&str> = line.split(", ").collect();
            let Some(time) = parts.iter().position(|p| p.ends_with(" s") && p[..p.len() - 2].parse::<f64>().is_ok())
            else {
                return line.to_string();
            };
            let place = if parts.get(time + 1) == Some(&"cpu") { "[CPU]" } else { "[DEVICE]" };
            let rate = if line.ends_with(" points/s") { ", [RATE]" } else { "" };
            format!("{}, [TIME], {place}{rate}", parts[..time].join(", "))
        })
        .collect();
    lines.join("\n")
}

/// Long numbers with 10 digits, those below `least` as 0: how `exp` rounds is not what these snapshots are about.
fn rounded(text: &str, least: f64) -> String {
    let is_part = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        match word.parse::<f64>() {
            Ok(x) if word.len() > 12 && x.abs() < least => out.push('0'),
            Ok(x) if word.len() > 12 => {
                let short: f64 = format!("{x:.9e}").parse().expect("a number");
                out.push_str(&format!("{short:?}"));
            }
            _ => out.push_str(word),
        }
        let next = rest[length..].find(is_part).map_or(rest.len(), |n| length + n);
        out.push_str(&rest[length..next]);
        rest = &rest[next..];
    }
    out
}

const BUDWORM: [&str; 6] =
    ["glm", "budworm.csv", "--family", "binomial", "--formula", "cbind(dead, moths - dead) ~ sex * log2(dose)"];
const BEETLES: [&str; 8] =
    ["glm", "beetles.csv", "--family", "binomial", "--weights", "beetles", "--formula", "killed/beetles ~ log10_dose"];

#[test]
fn a_fit_is_printed_as_r_prints_it() {
    let folder = folder();
    let output = run(folder.path(), &BUDWORM);
    insta::assert_snapshot!(text(&output));
    let docs = include_str!("../../docs/glm.md");
    assert!(docs.contains(&*String::from_utf8_lossy(&output.stdout)), "docs/glm.md shows another output");
}

#[test]
fn a_fit_as_json_has_the_documented_object() {
    let folder = folder();
    let output = run(folder.path(), &[&BEETLES[..], &["--link", "cloglog", "--format", "json", "-q"]].concat());
    insta::assert_snapshot!(rounded(&text(&output), 0.0));
}

#[test]
fn the_dispersion_of_a_gaussian_fit_is_estimated_and_missing_rows_are_counted() {
    let folder = folder();
    let table = "y,x,g\n1.2,0,a\n2.9,1,b\nNA,2,a\n5.1,3,b\n6.8,4,a\n9.3,5,b\n,6,a\n12.7,7,NA\n15.2,8,b\n";
    std::fs::write(folder.path().join("gaps.csv"), table).expect("written");
    let output = run(folder.path(), &["glm", "gaps.csv", "--formula", "y ~ x + g"]);
    insta::assert_snapshot!(text(&output));
}

#[test]
fn a_prior_gives_the_mode_of_the_posterior() {
    let folder = folder();
    let output = run(
        folder.path(),
        &[&BEETLES[..], &["--prior-precision", "(Intercept)=0.001,log10_dose=0.01", "--prior-mean", "log10_dose=20"]]
            .concat(),
    );
    insta::assert_snapshot!(text(&output));
}

#[test]
fn a_prior_from_a_table_is_the_prior_given_by_numbers() {
    let folder = folder();
    std::fs::write(folder.path().join("p.csv"), "log10_dose,(Intercept)\n0.01,0\n0,0.001\n").expect("written");
    std::fs::write(folder.path().join("m.csv"), "log10_dose,(Intercept)\n20,0\n").expect("written");
    let json = |prior: &[&str]| {
        let output = run(folder.path(), &[&BEETLES[..], &["--format", "json", "-q"], prior].concat());
        assert!(output.status.success(), "{}", shown(&output));
        output.stdout
    };
    let numbers = json(&["--prior-precision", "0.001,0.01", "--prior-mean", "0,20"]);
    assert_eq!(numbers, json(&["--prior-precision", "p.csv", "--prior-mean", "m.csv"]));
    assert_ne!(numbers, json(&["--prior-precision", "0.01", "--prior-mean", "m.csv"]));
}

#[test]
fn a_grid_around_the_mode_has_its_lowest_value_and_no_slope_in_the_middle() {
    let folder = folder();
    let output = run(folder.path(), &[&BEETLES[..], &["--grid-around-mode", "2"]].concat());
    insta::assert_snapshot!(rounded(&text(&output), 1e-9));
}

#[test]
fn a_grid_from_a_table_is_the_same_on_threads_and_on_a_device_in_every_format() {
    let folder = folder();
    let grid = "log10_dose,(Intercept),note\n34,-60,a\n20,-35,b\n0,0,c\n-1e300,1e300,d\nNA,1,e\n";
    std::fs::write(folder.path().join("grid.csv"), grid).expect("written");
    let output = run(folder.path(), &[&BEETLES[..], &["--grid", "grid.csv"]].concat());
    insta::assert_snapshot!(rounded(&text(&output), 1e-9));
    for extra in [&["--threads", "1"][..], &["--device", "0"], &["--threads", "2"]] {
        let other = run(folder.path(), &[&BEETLES[..], &["--grid", "grid.csv"], extra].concat());
        assert_eq!(
            String::from_utf8_lossy(&other.stdout),
            String::from_utf8_lossy(&output.stdout),
            "{extra:?}: {}",
            shown(&other)
        );
    }
    for name in ["out.parquet", "out.arrow", "out.tsv"] {
        let written = run(folder.path(), &[&BEETLES[..], &["--grid", "grid.csv", "-q", "-o", name]].concat());
        assert!(written.status.success() && written.stdout.is_empty(), "{}", shown(&written));
        let back = run(folder.path(), &["eval", "-q", "value = value", name]);
        assert_eq!(String::from_utf8_lossy(&back.stdout), String::from_utf8_lossy(&output.stdout), "{name}");
    }
}

#[test]
fn fits_without_a_mode_say_so_and_end_with_exit_code_1() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("separated.csv", "y,x\n0,1\n0,2\n0,3\n1,4\n1,5\n1,6\n");
    write("twice.csv", "y,x,z\n0,1,2\n1,2,4\n0,3,6\n1,4,8\n1,2,4\n");
    let mut all = String::new();
    for words in [
        &["glm", "separated.csv", "--family", "binomial", "--formula", "y ~ x"][..],
        &["glm", "separated.csv", "--family", "binomial", "--formula", "y ~ x", "--prior-precision", "0.1"],
        &["glm", "separated.csv", "--family", "binomial", "--formula", "y ~ x", "--grid-around-mode", "1"],
        &["glm", "twice.csv", "--family", "binomial", "--formula", "y ~ x + z"],
        &["glm", "twice.csv", "--family", "binomial", "--formula", "y ~ x + z", "--grid-around-mode", "1"],
    ] {
        // Where a search that climbs without end stops is of no interest: digits of large numbers are left out.
        let shown = text(&run(folder.path(), words));
        let shown = if words.contains(&"separated.csv") && !words.contains(&"--prior-precision") {
            shown
                .lines()
                .filter(|l| !l.starts_with("(Intercept)") && !l.starts_with("x  ") && !l.contains("deviance"))
                .collect::<Vec<_>>()
                .join("\n")
        } else {
            shown
        };
        all.push_str(&format!("{}\n{shown}\n", words.join(" ")));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn wrong_models_and_tables_are_errors_with_exit_code_2_and_no_output() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("out.csv", "as it was");
    write("counts.csv", "y,x,w,t\n1,1,1,a\n,2,1,b\n-2,3,1,a\n4,4,-1,b\n");
    write("typo.csv", "y,x\n1,1\n2,2\n3,3O\n4,4\n");
    write("empty.csv", "y,x\n");
    write("grid.csv", "log_dose,(Intercept)\n1,2\n");
    let wide: Vec<String> = (0..20).map(|j| format!("v{j}")).collect();
    let row = |i: usize| (0..21).map(|j| ((i * 7 + j * j * (i + 3)) % 11).to_string()).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..60).map(row).collect();
    write("wide.csv", &format!("y,{}\n{}\n", wide.join(","), rows.join("\n")));
    let mut all = String::new();
    for words in [
        &["counts.csv", "--formula", "y ~ xx", "--family", "poisson"][..],
        &["counts.csv", "--formula", "y ~ log(x", "--family", "poisson"],
        &["counts.csv", "--formula", "y ~ lgo(x)", "--family", "poisson"],
        &["counts.csv", "--formula", "y ~ x / 2", "--family", "poisson"],
        &["counts.csv", "--formula", "y + x", "--family", "poisson"],
        &["counts.csv", "--formula", "y ~ x", "--family", "poisson"],
        &["counts.csv", "--formula", "y ~ x", "--family", "gaussian", "--weights", "w"],
        &["counts.csv", "--formula", "t ~ x", "--family", "poisson"],
        &["counts.csv", "--formula", "cbind(y, x) ~ 1", "--family", "binomial"],
        &["counts.csv", "--formula", "x ~ I(t + 1)"],
        &["counts.csv", "--formula", "x ~ I(1 / (x - 1))"],
        &["counts.csv", "--formula", "x ~ t", "--family", "poison"],
        &["counts.csv", "--formula", "x ~ t", "--family", "poisson", "--link", "logit"],
        &["counts.csv", "--formula", "x ~ t", "--family", "negative.binomial"],
        &["counts.csv", "--formula", "x ~ t", "--family", "poisson", "--dispersion", "2"],
        &["counts.csv", "--formula", "x ~ t", "--prior-precision", "1,2,3"],
        &["counts.csv", "--formula", "x ~ t", "--prior-precision", "tc=1"],
        &["counts.csv", "--formula", "x ~ t", "--prior-precision", "-1"],
        &["counts.csv", "--formula", "x ~ t", "--prior-precision", "many"],
        &["typo.csv", "--formula", "x ~ y", "--family", "poisson"],
        &["empty.csv", "--formula", "y ~ x"],
        &["nowhere.csv", "--formula", "y ~ x"],
        &["beetles.csv", "--formula", "killed/beetles ~ log10_dose", "--family", "binomial"],
        &["wide.csv", "--formula", "y ~ .", "--grid-around-mode", "1"],
    ] {
        let grid = words.contains(&"--grid-around-mode");
        let mut command = gristmill(folder.path());
        command.arg("glm").args(words);
        if grid {
            command.args(["-o", "out.csv"]);
        }
        all.push_str(&format!("{}\n{}\n", words.join(" "), text(&command.output().expect("it starts"))));
    }
    for extra in [
        &["--grid", "grid.csv", "-o", "out.csv"][..],
        &["-o", "out.csv"],
        &["--grid", "grid.csv", "--format", "json", "-o", "out.csv"],
        &["--grid-around-mode", "1", "--fit"],
        &["--grid-around-mode", "0", "-o", "out.csv"],
    ] {
        let output = run(folder.path(), &[&BEETLES[..], extra].concat());
        all.push_str(&format!("{}\n{}\n", extra.join(" "), text(&output)));
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("out.csv")).expect("still there"), "as it was");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("readable").flatten().map(|e| e.file_name()).collect();
    assert!(left.iter().all(|n| !n.to_string_lossy().ends_with(".part")), "half a file was left: {left:?}");
    insta::assert_snapshot!(all);
}

#[test]
fn help_of_glm() {
    let folder = folder();
    insta::assert_snapshot!("help_glm", text(&run(folder.path(), &["glm", "--help"])));
}

#[test]
fn the_command_is_listed_and_completed() {
    let folder = folder();
    let output = run(folder.path(), &["--help"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("\n  glm "), "{}", shown(&output));
    let output = run(folder.path(), &["completions", "bash"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("--grid-around-mode"));
}

/// A table's types are found from all of it, wherever they stand, and standard input is a table too.
#[test]
fn every_format_of_a_table_and_standard_input_give_the_same_fit() {
    use std::io::Write;
    let folder = folder();
    let fit = |name: &str| {
        let words = [&["glm", name], &BUDWORM[2..], &["--format", "json", "-q"]].concat();
        let output = run(folder.path(), &words);
        assert!(output.status.success(), "{}", shown(&output));
        output.stdout
    };
    let direct = fit("budworm.csv");
    for name in ["t.parquet", "t.arrow", "t.tsv"] {
        let made = run(folder.path(), &["eval", "-q", "dead = dead", "budworm.csv", "-o", name]);
        assert!(made.status.success(), "{}", shown(&made));
        assert_eq!(fit(name), direct, "{name}");
    }
    let mut child = gristmill(folder.path())
        .args([&["glm", "-"], &BUDWORM[2..], &["--format", "json", "-q"]].concat())
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    let table = std::fs::read(folder.path().join("budworm.csv")).expect("the table");
    child.stdin.take().expect("a pipe").write_all(&table).expect("written");
    assert_eq!(child.wait_with_output().expect("it ends").stdout, direct);
}
