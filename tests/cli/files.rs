//! eval and files that are not as they should be: inputs of every wrong kind, outputs that cannot be, interruptions.

use crate::command::{gristmill, run, shown};
use std::fs;
use std::path::Path;
use std::process::Stdio;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable").flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What a run prints, where it has to succeed.
fn result(folder: &Path, words: &[&str]) -> String {
    let output = run(folder, words);
    assert!(output.status.success(), "{words:?}: {}", shown(&output));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn unusual_tables_are_read_right() {
    let folder = folder();
    for (table, expected) in [
        // Line ends of Windows, a byte-order mark, no line end at the end.
        ("\u{feff}x,t\r\n1,a\r\n2,b", "x,t,y\n1,a,2\n2,b,3\n"),
        // Breaks, commas and quotes in quotes; a quote in the middle of a field is a character.
        ("x,t\n1,\"a\nb, \"\"c\"\"\"\n2,5\" disk\n", "x,t,y\n1,\"a\nb, \"\"c\"\"\",2\n2,5\" disk,3\n"),
        ("x\n", "x,y\n"),
        ("x", "x,y\n"),
        // Empty lines are passed over, missing values are not.
        ("x,t\n\n1,\n\nNA,a\n,b\n", "x,t,y\n1,,2\nNA,a,NA\n,b,NA\n"),
        (
            "x,t\n9007199254740993,9223372036854775807\n",
            "x,t,y\n9007199254740993,9223372036854775807,9007199254740992\n",
        ),
        ("x,t\n1e999,x\n-Inf,x\nNaN,x\n", "x,t,y\n1e999,x,Inf\n-Inf,x,-Inf\nNaN,x,NaN\n"),
        // A name that R would not take, and one of letters outside ASCII.
        ("x,größe,a b\n1,2,3\n", "x,größe,a b,y\n1,2,3,2\n"),
    ] {
        fs::write(folder.path().join("t.csv"), table).expect("written");
        assert_eq!(result(folder.path(), &["eval", "-q", "y = x + 1", "t.csv"]), expected, "{table:?}");
    }
    assert_eq!(result(folder.path(), &["eval", "-q", "--only", "y = größe * `a b`", "t.csv"]), "y\n6\n");
    // A long line: ten thousand columns.
    let header: Vec<String> = (0..10_000).map(|i| format!("c{i}")).collect();
    let row: Vec<String> = (0..10_000).map(|i| i.to_string()).collect();
    fs::write(folder.path().join("wide.csv"), format!("{}\n{}\n", header.join(","), row.join(","))).expect("written");
    assert_eq!(result(folder.path(), &["eval", "-q", "--only", "y = c9999 - c1", "wide.csv"]), "y\n9998\n");
}

#[test]
fn results_take_the_place_of_columns_and_of_earlier_results() {
    let folder = folder();
    fs::write(folder.path().join("t.csv"), "x,t\n1,a\n2,b\n").expect("written");
    let table = |words: &[&str]| result(folder.path(), words);
    let twice = ["eval", "-q", "x = x * 10", "y = x + 1", "y = y * 2", "t.csv"];
    assert_eq!(table(&twice), "x,t,y\n10,a,22\n20,b,42\n");
    for name in ["t.parquet", "t.arrow"] {
        table(&["eval", "-q", "u = 1", "t.csv", "-o", name]);
        table(&["eval", "-q", "x = x * 10", "y = x + 1", "y = y * 2", name, "-o", name]);
        assert_eq!(
            table(&["eval", "-q", "z = 1 > 2", name]),
            "x,t,u,y,z\n10,a,1,22,FALSE\n20,b,1,42,FALSE\n",
            "{name}"
        );
    }
    // A stream that was stored in a file is a table too.
    let stream = run(folder.path(), &["eval", "-q", "y = x", "t.csv", "--format", "arrow"]).stdout;
    fs::write(folder.path().join("t.arrow"), stream).expect("written");
    assert_eq!(table(&["eval", "-q", "--only", "z = y", "t.arrow"]), "z\n1\n2\n");
    // The output may be the input.
    table(&["eval", "-q", "y = mean(x)", "t.csv", "-o", "t.csv"]);
    assert_eq!(table(&["eval", "-q", "z = y", "t.csv"]), "x,t,y,z\n1,a,1.5,1.5\n2,b,1.5,1.5\n");
    assert_eq!(names(folder.path()), ["t.arrow", "t.csv", "t.parquet"]);
}

#[test]
fn text_stays_what_it_is_on_its_way_through_typed_formats() {
    let folder = folder();
    let table = "x,code,big,flag,word\n1,007,99999999999999999999,TRUE,\"a,b\"\n2,010,3,FALSE,NA\n";
    fs::write(folder.path().join("t.csv"), table).expect("written");
    for name in ["t.parquet", "t.arrow"] {
        result(folder.path(), &["eval", "-q", "y = x", "t.csv", "-o", name]);
        let back = result(folder.path(), &["eval", "-q", "y = x", name]);
        // Without quotes `NA` is text here as with them, and text that could be taken for missing is written with them.
        let expected = table.replace("word\n", "word,y\n").replace("b\"\n", "b\",1\n").replace("NA\n", "\"NA\",2\n");
        assert_eq!(back, expected);
    }
}

#[test]
fn wrong_tables_are_errors_with_exit_code_2_and_no_output() {
    let folder = folder();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("written");
    write("out.csv", b"as it was");
    write("quote.csv", b"x,t\n1,a\n2,\"b\n3,c\n");
    write("latin1.csv", b"x,gr\xf6\xdfe\n1,2\n");
    write("utf16.csv", b"\xff\xfex\0\n\0");
    write("mac.csv", b"x,t\r1,a\r");
    write("packed.csv", b"\x1f\x8b\x08\0\0");
    write("twice.csv", b"x,t,x\n1,2,3\n");
    write("hex.csv", b"x\n1\n0x1F\n");
    write("thousands.csv", b"x,t\n\"1,234\",a\n");
    write("nul.csv", b"x\n1\n\0\n");
    write("long.csv", b"x\n1\n2,3\n");
    write("cut.parquet", b"PAR1 and no more");
    write("empty.parquet", b"");
    write("cut.arrow", b"ARROW1\0\0");
    write("cut.npz", b"PK\x03\x04");
    write("empty.npy", b"");
    fs::create_dir(folder.path().join("folder.csv")).expect("made");
    let mut inputs = names(folder.path());
    inputs.retain(|name| name != "out.csv");
    let mut all = String::new();
    for input in &inputs {
        let output = gristmill(folder.path()).args(["eval", "y = x + 1", input, "-o", "out.csv"]).output();
        let output = output.expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{input}: {}", shown(&output));
        all.push_str(&format!("{input}\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    for words in [
        ["eval", "y = 1", "nul.csv", "-o", "no/such/out.csv"],
        ["eval", "y = 1", "nul.csv", "-o", "folder.csv"],
        ["eval", "y = 1", "nul.csv", "-o", "out.xlsx"],
        ["eval", "y = 1", "nul.csv", "--threads", "0"],
        ["eval", "y = 1", "--n", "5", "--format=xml"],
        ["eval", "--format", "npy", "t = nul", "nul.csv"],
    ] {
        let output = run(folder.path(), &words);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", shown(&output));
        all.push_str(&format!("{}\n{}", words.join(" "), String::from_utf8_lossy(&output.stderr)));
    }
    assert!(!all.contains("panicked"), "{all}");
    assert_eq!(fs::read_to_string(folder.path().join("out.csv")).expect("there"), "as it was");
    inputs.push("out.csv".into());
    inputs.sort();
    assert_eq!(names(folder.path()), inputs, "nothing is left behind");
    insta::assert_snapshot!(all);
}

#[test]
fn a_reader_that_goes_away_is_no_error_in_any_format() {
    let folder = folder();
    for format in ["csv", "tsv", "parquet", "arrow", "npy", "npz"] {
        let mut child = gristmill(folder.path())
            .args(["eval", "--n", "400000", "x = i / 3", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && output.stderr.is_empty(), "{format}: {}", shown(&output));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_ends_by_the_signal_and_leaves_the_output_as_it_was() {
    use std::os::unix::process::ExitStatusExt;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    for signal in [1, 2, 15] {
        // Where these tests run in the background, signals may be ignored, and the command would respect that. What is caught here is
        // on its default in the programs that are started from here.
        signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, Arc::new(AtomicBool::new(true)))
            .expect("a signal that may be caught");
    }
    let folder = folder();
    for (signal, number, name) in [("INT", 2, "out.csv"), ("TERM", 15, "out.parquet"), ("HUP", 1, "out.npz")] {
        fs::write(folder.path().join(name), "as it was").expect("written");
        let mut child = gristmill(folder.path())
            .args(["eval", "--quiet", "--n", "100000000000", "x = rnorm()", "-o", name])
            .spawn()
            .expect("it starts");
        let begun = || names(folder.path()).iter().any(|n| n.ends_with(".part"));
        let start = std::time::Instant::now();
        while !begun() {
            assert!(start.elapsed().as_secs() < 60, "no temporary file appears");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args(["-s", signal, &id]).status().expect("kill is there");
        assert!(sent.success());
        assert_eq!(child.wait().expect("it ends").signal(), Some(number));
        assert_eq!(fs::read_to_string(folder.path().join(name)).expect("there"), "as it was");
        fs::remove_file(folder.path().join(name)).expect("removed");
        assert_eq!(names(folder.path()), Vec::<String>::new(), "{signal}");
    }
}

#[test]
fn an_output_that_waits_for_the_disk_is_the_same() {
    let folder = folder();
    result(folder.path(), &["eval", "-q", "--n", "10", "x = i", "-o", "a.csv"]);
    result(folder.path(), &["eval", "-q", "--sync", "--n", "10", "x = i", "-o", "b.csv"]);
    let read = |name: &str| fs::read(folder.path().join(name)).expect("there");
    assert_eq!(read("a.csv"), read("b.csv"));
}

/// Parquet and .npz have their directory at the end: a pipe of that name is refused before anybody waits for it. What is read
/// from front to back may come through one, an Arrow file too.
#[cfg(unix)]
#[test]
fn pipes_are_read_where_the_format_allows_it_and_never_waited_for_where_not() {
    let folder = folder();
    let pipe = |name: &str| {
        let made =
            std::process::Command::new("mkfifo").arg(folder.path().join(name)).status().expect("mkfifo is there");
        assert!(made.success());
    };
    for name in ["p.parquet", "p.npz"] {
        pipe(name);
        let output = run(folder.path(), &["eval", "y = x + 1", name]);
        assert!(!output.status.success());
        assert!(shown(&output).contains("cannot be read from a stream"), "{}", shown(&output));
    }
    for (name, column) in [("t.csv", "x"), ("t.arrow", "x"), ("t.npy", "V1")] {
        result(folder.path(), &["eval", "-q", "--n", "5", "x = i", "-o", name]);
        let through = format!("through_{name}");
        pipe(&through);
        let (from, to) = (folder.path().join(name), folder.path().join(&through));
        let sender = std::thread::spawn(move || fs::write(to, fs::read(from).expect("there")));
        let expression = format!("y = {column} + 1");
        let text = result(folder.path(), &["eval", "-q", "--only", "--format", "csv", &expression, &through]);
        assert_eq!(text, "y\n2\n3\n4\n5\n6\n", "{name}");
        sender.join().expect("no panic").expect("written");
    }
}

/// `ulimit -f`: the write fails and says so, instead of a death by SIGXFSZ that leaves a temporary file.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_an_error_of_the_output() {
    let folder = folder();
    let program = gristmill(folder.path());
    let script =
        format!("ulimit -f 100; exec '{}' eval -q --n 1000000 'x = i' -o out.csv", program.get_program().display());
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output()
        .expect("sh is there");
    assert!(shown(&output).contains("out.csv: cannot be written; no output was made"), "{}", shown(&output));
    assert!(shown(&output).contains("File too large"), "{}", shown(&output));
    assert_eq!(names(folder.path()), Vec::<String>::new());
}
