//! eval: reductions, groups, running results, conditions, selections. Expected numbers are R's.

use crate::command::{gristmill, run, shown};
use std::path::Path;

/// Five patients of two sexes; `g` has an accent, `x` a missing value, and group `c` nothing else.
const TABLE: &str = "id,sex,g,x,y\n1,m,ä b,1,2\n2,f,\"b, 1\",4,1\n3,m,ä b,2,NA\n4,f,c,NA,0.5\n5,m,\"b, 1\",8,4\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("t.csv"), TABLE).expect("written");
    folder
}

/// What goes to stdout; nothing may go to stderr.
fn out(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, &[&["eval", "-q"], words].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}\n{}", shown(&output));
    String::from_utf8(output.stdout).expect("text")
}

/// The message of a command that cannot run.
fn refused(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, &[&["eval"], words].concat());
    assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{words:?}\n{}", shown(&output));
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn reductions_alone_are_one_row() {
    let folder = folder();
    let all = out(
        folder.path(),
        &[
            "--only",
            "n = n()",
            "known = count(x)",
            "s = sum(y, na.rm = TRUE)",
            "v = var(y, na.rm = TRUE)",
            "d = sd(x, na.rm = TRUE)",
            "m = median(x, na.rm = TRUE)",
            "q = quantile(x, c(0.25, 0.9), na.rm = TRUE)",
            "p = prod(y, na.rm = TRUE)",
            "r = range(id)",
            "some = any(x > 7, na.rm = TRUE)",
            "each = all(id > 0)",
            "unknown = mean(x)",
            "z = m / 3",
            "t.csv",
        ],
    );
    assert_eq!(
        all,
        "n,known,s,v,d,m,q.25%,q.90%,p,r.min,r.max,some,each,unknown,z\n\
         5,4,7.5,2.3958333333333335,3.095695936834452,3,1.75,6.800000000000001,4,1,5,TRUE,TRUE,NA,1\n"
    );
    // Beside a value for each row there is a row for each.
    assert_eq!(out(folder.path(), &["--only", "m = mean(id)", "d = id - m", "t.csv"]).lines().count(), 6);
    let said = run(folder.path(), &["eval", "--only", "m = mean(id)", "t.csv"]);
    assert!(String::from_utf8_lossy(&said.stderr).starts_with("1 row, 1 column, "), "{}", shown(&said));
}

#[test]
fn one_pass_is_enough_for_a_stream() {
    let folder = folder();
    let of_stream = |words: &[&str]| {
        let table = std::fs::File::open(folder.path().join("t.csv")).expect("there");
        gristmill(folder.path()).args(["eval", "-q"]).args(words).stdin(table).output().expect("it starts")
    };
    let output = of_stream(&["--only", "m = mean(id)", "-"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "m\n3\n", "{}", shown(&output));
    let output = of_stream(&["d = id - mean(id)", "-"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("second pass"), "{}", shown(&output));
}

#[test]
fn a_group_is_a_row_in_the_order_of_appearance() {
    let folder = folder();
    let of = |words: &[&str]| out(folder.path(), words);
    assert_eq!(
        of(&[
            "--by",
            "g",
            "n = n()",
            "m = mean(x)",
            "k = mean(x, na.rm = TRUE)",
            "d = sd(id)",
            "q = median(id)",
            "t.csv"
        ]),
        "g,n,m,k,d,q\nä b,2,1.5,1.5,1.4142135623730951,2\n\"b, 1\",2,6,6,2.1213203435596424,3.5\nc,1,NA,NaN,NA,4\n"
    );
    assert_eq!(of(&["--by", "sex,g", "s = sum(id)", "t.csv"]), "sex,g,s\nm,ä b,4\nf,\"b, 1\",2\nf,c,4\nm,\"b, 1\",5\n");
    // A column of numbers stays one, and what is missing is a group.
    assert_eq!(of(&["--by", "x", "n = n()", "t.csv"]), "x,n\n1,1\n4,1\n2,1\n,1\n8,1\n");
    // Missing text is nothing, whatever stands for missing numbers: `NA` would be a text.
    std::fs::write(folder.path().join("n.csv"), "g,x\na,1\nb,NA\n,3\n").expect("written");
    let sums = of(&["--by", "g", "s = sum(x)", "n.csv"]);
    assert_eq!(sums, "g,s\na,1\nb,NA\n,3\n");
    std::fs::write(folder.path().join("sums.csv"), sums).expect("written");
    assert_eq!(of(&["--only", "u = is.na(g)", "sums.csv"]), "u\nFALSE\nFALSE\nTRUE\n");
    assert_eq!(of(&["--na-out", "-", "--by", "g", "s = sum(x)", "n.csv"]), "g,s\na,1\nb,-\n-,3\n");
    // Over all rows, beside groups.
    assert_eq!(of(&["--by", "sex", "share = n() / 5", "t.csv"]), "sex,share\nm,0.6\nf,0.4\n");
    let through = |name: &str| {
        of(&["--by", "sex,x", "n = n()", "t.csv", "-o", name]);
        of(&["k = n", name])
    };
    assert_eq!(through("t.parquet"), "sex,x,n,k\nm,1,1,1\nf,4,1,1\nm,2,1,1\nf,,1,1\nm,8,1,1\n");
    assert_eq!(through("t.arrow"), through("t.parquet"));
    // Groups of a typed file.
    of(&["n = 1", "t.csv", "-o", "typed.parquet"]);
    assert_eq!(of(&["--by", "sex", "s = sum(id)", "typed.parquet"]), "sex,s\nm,9\nf,6\n");
    assert_eq!(of(&["--by", "x", "s = sum(id)", "typed.parquet"]), "x,s\n1,1\n4,2\n2,3\n,4\n8,5\n");
}

#[test]
fn a_group_has_its_value_in_each_row_beside_values_of_rows() {
    let folder = folder();
    let expected = "d\n-2\n-1\n0\n1\n2\n";
    assert_eq!(out(folder.path(), &["--only", "--by", "sex", "d = id - mean(id)", "t.csv"]), expected);
    assert_eq!(out(folder.path(), &["--only", "d = id - mean(id, by = sex)", "t.csv"]), expected);
    // The largest deviation within groups, of all rows: a reduction of reductions.
    assert_eq!(out(folder.path(), &["--only", "m = max(id - mean(id, by = sex))", "t.csv"]), "m\n2\n");
    assert_eq!(
        out(folder.path(), &["--only", "s = cumsum(id, by = sex)", "l = lag(id, by = c(sex, g))", "t.csv"]),
        "s,l\n1,\n2,\n4,1\n6,\n9,\n"
    );
}

#[test]
fn running_results_see_the_rows_before() {
    let folder = folder();
    assert_eq!(
        out(
            folder.path(),
            &["--only", "r = row()", "s = cumsum(id)", "p = cumprod(id)", "l = lag(id, 2)", "k = cumsum(x)", "t.csv"]
        ),
        "r,s,p,l,k\n1,1,1,NA,1\n2,3,2,NA,5\n3,6,6,1,7\n4,10,24,2,NA\n5,15,120,3,NA\n"
    );
    assert_eq!(out(folder.path(), &["--only", "c = cumsum(cumsum(id))", "t.csv"]), "c\n1\n4\n10\n20\n35\n");
    // Of many pieces, whatever the threads.
    let long: String = std::iter::once("x\n".into()).chain((1..=400_000).map(|i| format!("{}\n", i % 1000))).collect();
    std::fs::write(folder.path().join("long.csv"), long).expect("written");
    let of = |threads: &str| {
        out(folder.path(), &["--only", "--threads", threads, "s = cumsum(x)", "l = lag(x, 1000)", "long.csv"])
    };
    let one = of("1");
    assert!(one == of("3") && one.ends_with("\n199800000,0\n"), "{}", &one[one.len() - 100..]);
    assert_eq!(out(folder.path(), &["--only", "m = max(cumsum(x))", "long.csv"]), "m\n199800000\n");
}

#[test]
fn rows_are_kept_where_a_condition_is_true() {
    let folder = folder();
    let of = |words: &[&str]| out(folder.path(), words);
    // Missing is not true; the lines are as they were.
    assert_eq!(
        of(&["--where", "x < 5", "z = id", "t.csv"]),
        "id,sex,g,x,y,z\n1,m,ä b,1,2,1\n2,f,\"b, 1\",4,1,2\n3,m,ä b,2,NA,3\n"
    );
    // Its own reductions are over all rows, those of the results over what is left.
    assert_eq!(of(&["--where", "id > mean(id)", "--only", "m = mean(id)", "n = n()", "t.csv"]), "m,n\n4.5,2\n");
    assert_eq!(of(&["--where", "row() >= 4", "--only", "r = row()", "t.csv"]), "r\n4\n5\n");
    assert_eq!(of(&["--where", "sex == \"f\"", "--by", "g", "n = n()", "t.csv"]), "g,n\n\"b, 1\",1\nc,1\n");
    assert_eq!(of(&["--where", "FALSE", "z = id", "t.csv"]), "id,sex,g,x,y,z\n");
    assert_eq!(of(&["--where", "id > 99", "--only", "n = n()", "m = mean(x)", "t.csv"]), "n,m\n0,NaN\n");
    assert_eq!(of(&["--where", "id > 99", "--by", "sex", "n = n()", "t.csv"]), "sex,n\n");
    // Random numbers belong to rows of the table.
    let all = of(&["--only", "u = runif()", "t.csv"]);
    let kept = of(&["--where", "id == 2 | id == 5", "--only", "u = runif()", "t.csv"]);
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(kept, format!("u\n{}\n{}\n", lines[2], lines[5]));
    of(&["n = 1", "t.csv", "-o", "t.parquet"]);
    assert_eq!(of(&["--where", "x < 5", "--select", "z,sex", "z = id * 2", "t.parquet"]), "z,sex\n2,m\n4,f\n6,m\n");
    of(&["--where", "x < 5", "z = id", "t.parquet", "-o", "kept.parquet"]);
    assert_eq!(of(&["--only", "n = n()", "kept.parquet"]), "n\n3\n");
}

#[test]
fn columns_are_selected_in_their_order() {
    let folder = folder();
    let of = |words: &[&str]| out(folder.path(), words);
    assert_eq!(of(&["--select", "z,id", "a = id * 2", "z = a + 1", "t.csv"]), "z,id\n3,1\n5,2\n7,3\n9,4\n11,5\n");
    assert_eq!(of(&["--select", "m", "m = mean(id)", "d = m * 2", "t.csv"]), "m\n3\n");
    assert_eq!(of(&["--by", "sex", "--select", "m,sex", "m = mean(id)", "d = m * 2", "t.csv"]), "m,sex\n3,m\n3,f\n");
    assert_eq!(of(&["--select", "g", "z = 1", "t.csv"]), "g\nä b\n\"b, 1\"\nä b\nc\n\"b, 1\"\n");
}

#[test]
fn text_is_compared_with_constants() {
    let folder = folder();
    std::fs::write(folder.path().join("s.csv"), "a,b\nm,1\n\"m\",2\n,3\nNA,4\nö,5\n\"\",6\n").expect("written");
    let of = |words: &[&str]| out(folder.path(), words);
    let expressions = [
        "--only",
        "e = a == \"m\"",
        "d = a != 'm'",
        "i = a %in% c(\"m\", \"ö\")",
        "u = is.na(a)",
        "k = b %in% c(1, 5, NA)",
    ];
    let expected = "e,d,i,u,k\nTRUE,FALSE,TRUE,FALSE,TRUE\nTRUE,FALSE,TRUE,FALSE,FALSE\n,,FALSE,TRUE,FALSE\n\
                    FALSE,TRUE,FALSE,FALSE,FALSE\nFALSE,TRUE,TRUE,FALSE,TRUE\nFALSE,TRUE,FALSE,FALSE,FALSE\n";
    assert_eq!(of(&[&expressions[..], &["s.csv"]].concat()), expected);
    for name in ["s.parquet", "s.arrow"] {
        of(&["n = 1", "s.csv", "-o", name]);
        assert_eq!(of(&[&expressions[..], &[name]].concat()), expected, "{name}");
    }
    // NA and NaN are found by themselves, and not by each other.
    std::fs::write(folder.path().join("m.csv"), "x\n1\nNaN\nNA\n2\n").expect("written");
    assert_eq!(
        of(&["--only", "n = x %in% c(1, NaN)", "m = x %in% c(1, NA)", "b = x %in% c(NaN, NA)", "m.csv"]),
        "n,m,b\nTRUE,TRUE,FALSE\nTRUE,FALSE,TRUE\nFALSE,TRUE,TRUE\nFALSE,FALSE,FALSE\n"
    );
    let constants = ["n = NaN %in% c(1, NaN)", "m = NA %in% NA", "k = NA %in% NaN", "l = NaN %in% NA"];
    let all = of(&[&["--only"], &constants[..], &["m.csv"]].concat());
    assert_eq!(all.lines().nth(1), Some("TRUE,TRUE,FALSE,FALSE"));
    assert_eq!(of(&["--only", "p = NA^0", "q = 1^NA", "r = x^0", "t.csv"]).lines().nth(4), Some("1,1,1"));
}

#[test]
fn wrong_groups_conditions_and_texts_are_explained() {
    let folder = folder();
    let mut all = String::new();
    for words in [
        &["--by", "sexx", "m = mean(x)", "t.csv"][..],
        &["--select", "zz", "z = 1", "t.csv"],
        &["--where", "z > 1", "z = id", "t.csv"],
        &["m = mean(x, by = z)", "t.csv"],
        &["z = id", "m = mean(x, by = z)", "t.csv"],
        &["m = max(id, 3)", "t.csv"],
        &["q = quantile(x, id)", "t.csv"],
        &["q = quantile(x, 25)", "t.csv"],
        &["q = 1 + quantile(x, c(0.1, 0.2))", "t.csv"],
        &["q = 1 + range(x)", "t.csv"],
        &["l = lag(x, 0.5)", "t.csv"],
        &["e = sex < \"m\"", "t.csv"],
        &["e = sex + \"m\"", "t.csv"],
        &["e = id %in% c(1, x)", "t.csv"],
        &["e = c(1, 2)", "t.csv"],
        &["e = sex == \"m", "t.csv"],
        &["e = stdev(x)", "t.csv"],
        &["e = arcsinh(x)", "t.csv"],
        &["e = medain(x)", "t.csv"],
    ] {
        all.push_str(&format!("{}\n{}\n", words.join(" "), refused(folder.path(), words)));
    }
    insta::assert_snapshot!(all);
}

/// A million groups, and sums that do not depend on the threads.
#[test]
fn many_groups_are_no_trouble() {
    let folder = folder();
    let make = ["g = (i * 7919) %% 1000003", "x = i / 7"];
    out(folder.path(), &[&["--n", "1e6"], &make[..], &["-o", "many.parquet"]].concat());
    let of = |threads: &str| {
        let words = [
            "--by",
            "g",
            "--threads",
            threads,
            "n = n()",
            "s = sum(x)",
            "q = median(x)",
            "many.parquet",
            "-o",
            "out.parquet",
        ];
        out(folder.path(), &words);
        out(folder.path(), &["--only", "k = n()", "n = sum(n)", "s = sum(s)", "q = sum(q)", "out.parquet"])
    };
    let one = of("1");
    assert_eq!(one, of("3"));
    assert!(one.starts_with("k,n,s,q\n1000000,1000000,"), "{one}");
}
