//! glm: what comes after a fit, flag by flag, as whole outputs. That the numbers are R's is the claim of
//! crates/glm/tests/it/after.rs.

use crate::command::{folder_with, run, shown};
use std::path::Path;

const BUDWORM: [&str; 7] =
    ["glm", "budworm.csv", "-q", "--family", "binomial", "--formula", "cbind(dead, moths - dead) ~ sex + log2(dose)"];

fn folder() -> tempfile::TempDir {
    folder_with(&["beetles.csv", "budworm.csv"])
}

fn with(more: &[&'static str]) -> Vec<&'static str> {
    [&BUDWORM[..], more].concat()
}

/// What follows the fit itself.
fn after_fit(folder: &Path, words: &[&str]) -> String {
    let text = shown(&run(folder, words));
    match text.split_once("Number of Newton iterations") {
        Some((_, rest)) => rest.split_once('\n').map_or(String::new(), |(_, rest)| rest.to_string()),
        None => text,
    }
}

fn written(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn intervals_covariances_and_the_analysis_of_deviance_follow_the_fit() {
    let folder = folder();
    let mut all = String::new();
    for words in [
        with(&["--confint"]),
        with(&["--confint=wald", "--level", "0.9"]),
        with(&["--vcov"]),
        with(&["--anova"]),
        with(&["--anova=f"]),
        with(&["--confint", "--vcov", "--anova"])
            .iter()
            .map(|w| if *w == "binomial" { "quasibinomial" } else { w })
            .collect(),
    ] {
        all.push_str(&format!("$ {}\n{}\n", words[3..].join(" "), after_fit(folder.path(), &words)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn all_of_it_is_in_the_json() {
    let folder = folder();
    let output = run(folder.path(), &with(&["--confint", "--vcov", "--anova", "--format", "json"]));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
    assert_eq!(json["confint"]["kind"], "profile");
    assert_eq!(json["confint"]["intervals"].as_array().map(Vec::len), Some(3));
    assert_eq!(json["vcov"].as_array().map(Vec::len), Some(3));
    assert_eq!(json["anova"]["test"], "Chisq");
    let terms: Vec<&str> =
        json["anova"]["terms"].as_array().expect("terms").iter().filter_map(|t| t["term"].as_str()).collect();
    assert_eq!(terms, ["NULL", "sex", "log2(dose)"]);
    // R 4.2: anova(fit, test = "Chisq") has 6.077 and 112.042 on 1 degree each.
    let near = |value: &serde_json::Value, expected: f64| {
        assert!((value.as_f64().expect("a number") - expected).abs() < 5e-4, "{value} instead of {expected}");
    };
    near(&json["anova"]["terms"][1]["deviance"], 6.0770);
    near(&json["anova"]["terms"][2]["deviance"], 112.0415);
}

#[test]
fn predictions_have_link_and_response_with_standard_errors_and_say_what_they_lack() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("new.csv", "note,dose,sex\na,1,male\nb,64,female\nc,,male\nd,8,\n");
    write("other.csv", "dose,sex\n1,male\n2,unknown\n");
    write("less.csv", "dose\n1\n");
    let mut all = String::new();
    let words: [&[&'static str]; 5] = [
        &["--predict", "new.csv"],
        &["--predict", "new.csv", "-o", "out.csv"],
        &["--predict", "other.csv"],
        &["--predict", "less.csv"],
        &["--predict", "nowhere.csv"],
    ];
    for more in words {
        // With the messages, which `-q` would leave out.
        let words: Vec<&str> = with(more).into_iter().filter(|w| *w != "-q").collect();
        all.push_str(&format!("$ {}\n{}\n", more.join(" "), shown(&run(folder.path(), &words))));
    }
    insta::assert_snapshot!(all);
    let printed = run(folder.path(), &with(&["--predict", "new.csv"]));
    assert_eq!(written(folder.path(), "out.csv").as_bytes(), printed.stdout);
}

#[test]
fn two_outputs_in_one_file_are_refused() {
    let folder = folder();
    std::fs::write(folder.path().join("t.csv"), "y,x\n1,1\n2,2\n4,3\n").expect("written");
    let words = ["glm", "t.csv", "--formula", "y ~ x", "--predict", "t.csv", "-o", "r.csv", "--residuals", "./r.csv"];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, "error: -o and --residuals are the same file: ./r.csv\n");
    assert!(!folder.path().join("r.csv").exists());
}

#[test]
fn residuals_are_a_table_with_a_row_for_each_row_of_the_fit() {
    let folder = folder();
    let table = "y,x\n1.1,0\n,1\n2.7,2\n4.2,3\n4.4,4\n20,40\n";
    std::fs::write(folder.path().join("t.csv"), table).expect("written");
    let output = run(folder.path(), &["glm", "t.csv", "-q", "--formula", "y ~ x", "--residuals", "r.csv"]);
    assert!(output.status.success(), "{}", shown(&output));
    insta::assert_snapshot!(written(folder.path(), "r.csv"));
}

/// The last row decides the coefficient of its level alone: its leverage is 1, and what is divided by 1 - 1 has no value.
#[test]
fn a_row_of_leverage_1_has_no_standardised_residual() {
    let folder = folder();
    std::fs::write(folder.path().join("t.csv"), "y,g\n1,a\n2,a\n4,a\n9,b\n").expect("written");
    let output = run(folder.path(), &["glm", "t.csv", "-q", "--formula", "y ~ g", "--residuals", "r.csv"]);
    assert!(output.status.success(), "{}", shown(&output));
    let last = written(folder.path(), "r.csv").lines().last().map(str::to_string).expect("a row");
    assert!(last.starts_with("4,9") && last.ends_with(",1,,,"), "{last}");
}

#[test]
fn plots_have_four_panels_and_the_coefficients_and_names_that_are_not_markup() {
    let folder = folder();
    let table = "y,a<b,\"c&d\"\n1,0,u\n3,1,v\n2,2,u\n5,3,v\n4,4,u\n7,5,v\n6,7,u\n";
    std::fs::write(folder.path().join("t.csv"), table).expect("written");
    let words = ["glm", "t.csv", "-q", "--formula", "y ~ `a<b` + `c&d`", "--plot", "p.svg"];
    let output = run(folder.path(), &words);
    assert!(output.status.success(), "{}", shown(&output));
    let svg = written(folder.path(), "p.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    // Seven rows in four panels, and one mark for each coefficient but the intercept.
    assert_eq!(svg.matches("<circle ").count(), 7 * 4 + 2);
    assert!(!svg.contains("NaN"), "{svg}");
    let texts: Vec<&str> =
        svg.lines().filter_map(|l| l.strip_suffix("</text>").and_then(|l| l.rsplit_once('>'))).map(|p| p.1).collect();
    insta::assert_snapshot!(texts.join("\n"));
    let wrong = run(folder.path(), &["glm", "t.csv", "--formula", "y ~ `a<b`", "--plot", "p.png"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(shown(&wrong).contains("plots are .svg files"), "{}", shown(&wrong));
}

/// An .npy file of version 1.0.
fn npy(folder: &Path, name: &str, shape: &str, fortran: bool, values: &[f64]) {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    std::fs::write(folder.join(name), bytes).expect("written");
}

/// The first numbers of a member that is stored as it is.
fn stored(archive: &[u8], name: &str, count: usize) -> Vec<f64> {
    let at = archive.windows(name.len()).position(|w| w == name.as_bytes()).expect("a member") + name.len();
    let header = archive[at..].iter().position(|b| *b == b'\n').expect("a header") + 1;
    archive[at + header..]
        .chunks_exact(8)
        .take(count)
        .map(|c| f64::from_le_bytes(c.try_into().expect("8 bytes")))
        .collect()
}

#[test]
fn raw_matrices_give_the_fit_of_the_formula_and_grids_with_gradients() {
    let folder = folder();
    let at = folder.path();
    let table = "y,x\n1,0.5\n0,1.5\n3,2\n5,3.5\n4,4\n9,5\n";
    std::fs::write(at.join("t.csv"), table).expect("written");
    let x = [0.5, 1.5, 2.0, 3.5, 4.0, 5.0];
    npy(at, "x.npy", "(6, 2)", false, &x.iter().flat_map(|v| [1.0, *v]).collect::<Vec<f64>>());
    npy(at, "xf.npy", "(6, 2)", true, &[[1.0; 6], x].concat());
    npy(at, "y.npy", "(6,)", false, &[1.0, 0.0, 3.0, 5.0, 4.0, 9.0]);
    npy(at, "b.npy", "(2, 2)", false, &[0.1, 0.4, 0.0, 0.0]);
    npy(at, "b3.npy", "(3, 1)", false, &[0.1, 0.4, 0.0]);
    let json = |words: &[&str]| -> serde_json::Value {
        let output = run(at, &[words, &["--family", "poisson", "-q", "--format", "json"]].concat());
        assert!(output.status.success(), "{}", shown(&output));
        serde_json::from_slice(&output.stdout).expect("json")
    };
    let table = json(&["glm", "t.csv", "--formula", "y ~ x"]);
    for x in ["x.npy", "xf.npy"] {
        let raw = json(&["glm", "--x", x, "--y", "y.npy"]);
        for field in ["deviance", "null_deviance", "aic", "iterations"] {
            assert_eq!(raw[field], table[field], "{x} {field}");
        }
        assert_eq!(raw["coefficients"][1]["estimate"], table["coefficients"][1]["estimate"], "{x}");
        assert_eq!(raw["coefficients"][1]["name"], "V2");
    }
    let grid = ["glm", "--x", "x.npy", "--y", "y.npy", "--family", "poisson", "--prior-precision", "1", "--grid"];
    let output = run(at, &[&grid[..], &["b.npy", "-o", "out.npz"]].concat());
    assert!(output.status.success() && output.stdout.is_empty(), "{}", shown(&output));
    // The same points through the table's way.
    std::fs::write(at.join("b.csv"), "(Intercept),x\n0.1,0.4\n0,0\n").expect("written");
    let words = [
        "glm",
        "t.csv",
        "--formula",
        "y ~ x",
        "--family",
        "poisson",
        "--prior-precision",
        "1",
        "-q",
        "--grid",
        "b.csv",
    ];
    let by_table = run(at, &words);
    let header = String::from_utf8_lossy(&by_table.stdout).lines().next().map(str::to_string).expect("a header");
    let value = header.split(',').position(|name| name == "value").expect("values");
    let expected: Vec<f64> = String::from_utf8_lossy(&by_table.stdout)
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(value).and_then(|v| v.parse().ok()))
        .collect();
    assert_eq!(stored(&std::fs::read(at.join("out.npz")).expect("an archive"), "values.npy", 2), expected);
    let mut all = String::new();
    for more in
        [&["b3.npy", "-o", "out.npz"][..], &["b.npy"], &["b.npy", "-o", "out.csv"], &["nowhere.npy", "-o", "out.npz"]]
    {
        all.push_str(&format!("$ --grid {}\n{}\n", more.join(" "), shown(&run(at, &[&grid[..], more].concat()))));
    }
    let lonely = run(at, &["glm", "--x", "x.npy", "--family", "poisson"]);
    let short = run(at, &["glm", "--x", "x.npy", "--y", "b.npy", "--family", "poisson"]);
    all.push_str(&format!("$ no --y\n{}\n$ --y of another length\n{}", shown(&lonely), shown(&short)));
    insta::assert_snapshot!(all);
}

/// MASS's `glm.nb(y ~ x)` of these counts (R 4.2.2, MASS 7.3-58) has the coefficients 0.6577 and 0.1236, theta 1.951 with the
/// standard error 1.004 and AIC 94.003; with the square root link 1.1933, 0.1470, 1.964, 1.011 and 93.911. With the identity
/// link it finds no start.
#[test]
fn the_size_of_a_negative_binomial_is_estimated_for_all_its_links() {
    let folder = folder();
    let counts = [3, 0, 1, 7, 2, 9, 0, 4, 12, 5, 2, 19, 8, 3, 6, 22];
    let rows: Vec<String> = counts.iter().enumerate().map(|(i, y)| format!("{y},{}", i + 1)).collect();
    std::fs::write(folder.path().join("t.csv"), format!("y,x\n{}\n", rows.join("\n"))).expect("written");
    let mut all = String::new();
    for link in ["log", "sqrt", "identity"] {
        let words = ["glm", "t.csv", "-q", "--formula", "y ~ x", "--family", "negative.binomial", "--link", link];
        all.push_str(&format!("$ --link {link}\n{}\n", shown(&run(folder.path(), &words))));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_likelihood_that_is_highest_at_the_border_of_the_link_says_so() {
    let folder = folder();
    // The proportions rise faster than an exponential that stays below 1: the last row's mean is 1.
    std::fs::write(folder.path().join("t.csv"), "k,n,x\n1,10,1\n2,10,2\n6,10,3\n9,10,4\n10,10,5\n").expect("written");
    let words = ["glm", "t.csv", "--formula", "cbind(k, n - k) ~ x", "--family", "binomial", "--link", "log", "-q"];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    insta::assert_snapshot!(shown(&output));
}

#[test]
fn a_coefficient_that_runs_away_has_no_profile() {
    let folder = folder();
    std::fs::write(folder.path().join("t.csv"), "y,x\n0,1\n0,2\n0,3\n1,4\n1,5\n1,6\n").expect("written");
    let words = ["glm", "t.csv", "-q", "--formula", "y ~ x", "--family", "binomial", "--confint", "--format", "json"];
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("json");
    assert_eq!(json["confint"]["intervals"], serde_json::json!([[null, null], [null, null]]));
}

#[test]
fn ugly_tables_get_an_answer_or_a_reason() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("one.csv", "y,x\n3,1\n");
    write("twice.csv", "y,a,b\n1.1,1,3\n2.3,2,5\n2.9,3,7\n4.2,4,9\n5.4,5,11\n");
    write("weights.csv", "y,x,w\n1,1,1\n2,2,0\n4,3,2\n9,4,0\n5,5,1\n");
    write("perfect.csv", "y,x\n1,0\n3,1\n5,2\n7,3\n");
    let mut all = String::new();
    for words in [
        &["one.csv", "--formula", "y ~ x", "--confint"][..],
        &["twice.csv", "--formula", "y ~ a + b", "--confint", "--anova"],
        &["weights.csv", "--formula", "y ~ x", "--weights", "w", "--anova"],
        &["perfect.csv", "--formula", "y ~ x"],
        &["twice.csv", "--formula", "y ~ a", "--confint=wide"],
        &["twice.csv", "--formula", "y ~ a", "--level", "95"],
        &["twice.csv", "--formula", "y ~ a", "--prior-precision", "1", "--confint"],
        &["twice.csv", "--formula", "y ~ a", "--prior-precision", "1", "--anova"],
        &["twice.csv", "--formula", "y ~ a", "--variance", "mu"],
        &["twice.csv", "--formula", "y ~ poly(a, 9)"],
        &["twice.csv", "--formula", "y ~ relevel(a, ref = \"z\")"],
    ] {
        let output = run(folder.path(), &[&["glm", "-q"], words].concat());
        // Of a perfect fit only what is said about it: the rest is rounding.
        let text = if words[0] == "perfect.csv" {
            String::from_utf8_lossy(&output.stderr).into_owned()
        } else {
            shown(&output)
        };
        all.push_str(&format!("$ {}\n{text}\n", words.join(" ")));
    }
    insta::assert_snapshot!(all);
}
