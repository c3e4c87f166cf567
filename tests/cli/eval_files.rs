//! eval: compressed files, delimiters, several files, JSON lines, tables for a person.

use crate::command::{gristmill, run, shown};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let text: String = (0..5000).map(|i| format!("{i},\"a, {}\",{}\n", i % 7, f64::from(i) / 8.0)).collect();
    std::fs::write(folder.path().join("t.csv"), format!("id,g,x\n{text}")).expect("written");
    folder
}

fn out(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, &[&["eval", "-q"], words].concat());
    assert!(output.status.success() && output.stderr.is_empty(), "{words:?}\n{}", shown(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn said(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, &[&["eval"], words].concat());
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn compressed_text_is_read_and_written() {
    let folder = folder();
    let plain = out(folder.path(), &["y = x + 1", "z = x - mean(x)", "t.csv"]);
    for ending in ["gz", "zst", "bz2"] {
        let name = format!("t.csv.{ending}");
        assert_eq!(out(folder.path(), &["y = x + 1", "z = x - mean(x)", "t.csv", "-o", &name]), "");
        let packed = std::fs::read(folder.path().join(&name)).expect("there");
        assert!(packed.len() < plain.len() / 2, "{name} has {} bytes", packed.len());
        assert_eq!(out(folder.path(), &["y = y", "z = z", &name]), plain, "{name}");
        // By its content, whatever its name, and from a pipe.
        std::fs::rename(folder.path().join(&name), folder.path().join("any.csv")).expect("renamed");
        assert_eq!(out(folder.path(), &["--only", "m = mean(y)", "any.csv"]), "m\n313.4375\n");
        let file = std::fs::File::open(folder.path().join("any.csv")).expect("there");
        let piped = gristmill(folder.path()).args(["eval", "-q", "--only", "m = mean(y)"]).stdin(file).output();
        assert_eq!(String::from_utf8_lossy(&piped.expect("it starts").stdout), "m\n313.4375\n");
        // Cut off, it is an error.
        std::fs::write(folder.path().join("cut.csv"), &packed[..packed.len() - 9]).expect("written");
        let cut = said(folder.path(), &["z = x", "cut.csv"]);
        assert!(cut.contains("cut.csv: cannot be read") && cut.contains("damaged or cut off"), "{cut}");
    }
    assert!(
        said(folder.path(), &["z = x", "t.csv", "-o", "t.parquet.gz"]).contains("is not compressed by gzip as a whole")
    );
}

#[test]
fn a_delimiter_is_guessed_or_given() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    for (delimiter, shown) in [(";", "`;`"), ("\t", "a tab"), ("|", "`|`")] {
        write("d.csv", &"a;b;\"c,d\"\n1;2;\"x;y\"\n3;4;\"x,y\"\n".replace(';', delimiter));
        let output = run(folder.path(), &["eval", "s = a + b", "d.csv"]);
        let inside = if delimiter == ";" { "x;y".to_string() } else { format!("x{delimiter}y") };
        let inside = format!("\"{inside}\"");
        let expected = format!("a,b,\"c,d\",s\n1,2,{inside},3\n3,4,\"x,y\",7\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
        let note = format!(
            "note: {shown} separates the fields, because the header has no comma; `--delimiter ,` says otherwise"
        );
        assert!(String::from_utf8_lossy(&output.stderr).contains(&note), "{}", crate::command::shown(&output));
    }
    write("e.csv", "a:b\n1:2\n");
    assert_eq!(out(folder.path(), &["--delimiter", ":", "s = a + b", "e.csv"]), "a,b,s\n1,2,3\n");
    write("n.csv", "\u{feff}1,2\r\n3,\r\n");
    assert_eq!(out(folder.path(), &["--no-header", "s = V1 + V2", "n.csv"]), "V1,V2,s\n1,2,3\n3,,\n");
    assert_eq!(out(folder.path(), &["--no-header", "--only", "n = n()", "n.csv", "-o", "n.parquet"]), "");
    assert!(said(folder.path(), &["--delimiter", "ab", "s = 1", "e.csv"]).contains("must be one character"));
    assert!(said(folder.path(), &["--no-header", "s = 1", "n.parquet"]).contains("are for text tables"));
}

#[test]
fn several_files_are_one_table() {
    let folder = folder();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("p1.csv", "a,b\n1,x\n2,y\n");
    write("p2.csv", "a,b\n3,z\n");
    write("p3.csv", "b,a\n3,z\n");
    let expected = "a,b,s,r\n1,x,1,1\n2,y,3,2\n3,z,6,3\n";
    assert_eq!(out(folder.path(), &["s = cumsum(a)", "r = row()", "p1.csv", "p2.csv"]), expected);
    assert_eq!(out(folder.path(), &["s = cumsum(a)", "r = row()", "p[12].csv"]), expected);
    assert_eq!(out(folder.path(), &["--only", "m = mean(a)", "n = n()", "p[12].csv"]), "m,n\n2,3\n");
    for name in ["o.parquet", "o.arrow"] {
        out(folder.path(), &["n = 1", "p1.csv", "-o", "one.parquet"]);
        out(folder.path(), &["n = 1", "p2.csv", "-o", "two.parquet"]);
        out(folder.path(), &["k = a", "one.parquet", "two.parquet", "-o", name]);
        assert_eq!(out(folder.path(), &["k = k", name]), "a,b,n,k\n1,x,1,1\n2,y,1,2\n3,z,1,3\n", "{name}");
    }
    // The type of a column is that of all files.
    write("p4.csv", "a,b\n4.5,7\n");
    out(folder.path(), &["n = 1", "p2.csv", "p4.csv", "-o", "typed.parquet"]);
    assert_eq!(out(folder.path(), &["n = n", "typed.parquet"]), "a,b,n\n3,z,1\n4.5,7,1\n");
    assert!(
        said(folder.path(), &["s = a", "p1.csv", "p3.csv"])
            .contains("p3.csv: has other columns, or of other types, than p1.csv")
    );
    assert!(said(folder.path(), &["s = a", "q*.csv"]).contains("`q*.csv` matches no file"));
}

#[test]
fn json_lines_and_tables_for_a_person_are_written() {
    let folder = folder();
    std::fs::write(folder.path().join("j.csv"), "id,name\n007,\"a \"\"b\"\"\"\n8,NA\n,\n").expect("written");
    assert_eq!(
        out(folder.path(), &["--format", "jsonl", "z = 1 / 3", "u = is.na(id)", "j.csv"]),
        "{\"id\":\"007\",\"name\":\"a \\\"b\\\"\",\"z\":0.3333333333333333,\"u\":false}\n\
         {\"id\":\"8\",\"name\":\"NA\",\"z\":0.3333333333333333,\"u\":false}\n\
         {\"id\":null,\"name\":null,\"z\":0.3333333333333333,\"u\":true}\n"
    );
    insta::assert_snapshot!(out(folder.path(), &["--format", "table", "z = sqrt(x)", "up = x > 300", "t.csv"]));
    assert!(said(folder.path(), &["s = id", "any.jsonl"]).contains("cannot be opened"));
    std::fs::write(folder.path().join("any.jsonl"), "{}\n").expect("written");
    assert!(said(folder.path(), &["s = id", "any.jsonl"]).contains("jsonl is written only"));
}

#[test]
fn a_stream_needs_no_name() {
    let folder = folder();
    let mut child = gristmill(folder.path())
        .args(["eval", "-q", "s = a + 1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    child.stdin.take().expect("piped").write_all(b"a\n1\n2\n").expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a,s\n1,2\n2,3\n", "{}", shown(&output));
    assert_eq!(out(folder.path(), &["--only", "--n", "1e3", "s = sum(i)"]), "s\n500500\n");
    assert!(said(folder.path(), &["--n", "1.5", "s = i"]).contains("must be a whole number, such as 1000 or 1e6"));
}
