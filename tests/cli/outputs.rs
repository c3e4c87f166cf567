//! Outputs that lose nothing: where they go, what is left of them when the command is killed, readers that go away, limits.
#![cfg(unix)]

use crate::command::{folder_with, gristmill, run, shown};
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("in.csv"), "x\n1\n2\n").expect("written");
    folder
}

/// A line of a shell, in which `$G` is the command.
fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    let own = gristmill(folder);
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.current_dir(folder).env("G", own.get_program()).args(["-c", line]).output().expect("a shell")
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("there")
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable").flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name != "cache");
    names.sort();
    names
}

const RESULT: &str = "x,y\n1,2\n2,3\n";

#[test]
fn an_output_by_the_name_of_a_descriptor_is_added_to_what_is_behind_it() {
    let folder = folder();
    for line in [
        "$G eval -q 'y = x + 1' in.csv -o /dev/stdout --format csv >> log.csv",
        "$G eval -q 'y = x + 1' in.csv -o /dev/fd/1 --format csv >> log.csv",
        "$G eval -q 'y = x + 1' in.csv -o /dev/fd/3 --format csv 3>> log.csv",
        "$G eval -q 'y = x + 1' in.csv -o /dev/stderr --format csv 2>> log.csv",
        "{ echo PRECIOUS; $G eval -q 'y = x + 1' in.csv -o /dev/stdout --format csv; } > log.csv",
        #[cfg(target_os = "linux")]
        "$G eval -q 'y = x + 1' in.csv -o /proc/self/fd/1 --format csv >> log.csv",
        #[cfg(target_os = "linux")]
        "ln -sf /proc/self/fd/1 link; $G eval -q 'y = x + 1' in.csv -o link --format csv >> log.csv; rm link",
    ] {
        fs::write(folder.path().join("log.csv"), "PRECIOUS\n").expect("written");
        let output = shell(folder.path(), line);
        assert!(output.status.success(), "{line}: {}", shown(&output));
        assert_eq!(read(folder.path(), "log.csv"), format!("PRECIOUS\n{RESULT}"), "{line}");
        assert_eq!(names(folder.path()), ["in.csv", "log.csv"], "{line}");
    }
    // Every format, also those that need a temporary file; and a file that has lost its name.
    for format in ["tsv", "parquet", "arrow", "npy", "npz"] {
        let line = format!("$G eval -q 'y = x' in.csv -o /dev/stdout --format {format} >> log.csv");
        let output = shell(folder.path(), &line);
        assert!(output.status.success(), "{line}: {}", shown(&output));
    }
    assert!(fs::read(folder.path().join("log.csv")).expect("there").starts_with(b"PRECIOUS\n"));
    let line = "exec > gone.csv; rm gone.csv; $G eval -q 'y = x' in.csv -o /dev/stdout --format csv";
    assert!(shell(folder.path(), line).status.success());
    let output = shell(folder.path(), "$G eval -q 'y = x' in.csv -o /dev/stdin --format csv < log.csv");
    assert!(shown(&output).contains("is open for reading only"), "{}", shown(&output));
    assert_eq!(names(folder.path()), ["in.csv", "log.csv"]);
}

#[test]
fn an_output_may_replace_its_input_but_not_be_added_to_it() {
    let folder = folder();
    for line in [
        "$G eval 'y = x' in.csv >> in.csv",
        "$G eval 'y = x' in.csv -o - >> in.csv",
        "$G eval 'y = x' in.csv -o /dev/stdout --format parquet >> in.csv",
        "$G eval 'y = x' - --format csv -o /dev/fd/0 <> in.csv",
    ] {
        let output = shell(folder.path(), line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(shown(&output).contains("the output would be added to the input itself"), "{line}: {}", shown(&output));
        assert_eq!(read(folder.path(), "in.csv"), "x\n1\n2\n", "{line}");
    }
    assert!(shell(folder.path(), "$G eval -q 'y = x + 1' - -o in.csv < in.csv").status.success());
    assert_eq!(read(folder.path(), "in.csv"), RESULT);
}

#[test]
fn pipes_links_and_modes_stay_what_they_are() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let eval = |name: &str| run(folder.path(), &["eval", "-q", "y = x + 1", "in.csv", "--format", "csv", "-o", name]);
    let output =
        shell(folder.path(), "mkfifo pipe; cat pipe & $G eval -q 'y = x + 1' in.csv --format csv -o pipe; wait");
    assert_eq!(String::from_utf8_lossy(&output.stdout), RESULT);
    assert!(fs::metadata(at("pipe")).expect("there").file_type().is_fifo());
    fs::create_dir(at("real")).expect("made");
    symlink("real", at("folder")).expect("linked");
    symlink("folder/new.csv", at("link.csv")).expect("linked");
    assert!(eval("link.csv").status.success());
    assert!(at("link.csv").is_symlink() && !at("real/new.csv").is_symlink());
    assert_eq!(read(folder.path(), "real/new.csv"), RESULT);
    // Another name of the file keeps the old content: documented in docs/outputs.md.
    fs::write(at("one.csv"), "old").expect("written");
    fs::set_permissions(at("one.csv"), fs::Permissions::from_mode(0o640)).expect("set");
    fs::hard_link(at("one.csv"), at("two.csv")).expect("linked");
    assert!(eval("one.csv").status.success());
    assert_eq!((read(folder.path(), "one.csv"), read(folder.path(), "two.csv")), (RESULT.into(), "old".into()));
    assert_eq!(fs::metadata(at("one.csv")).expect("there").mode() & 0o7777, 0o640);
    let long = format!("{}.csv", "n".repeat(251));
    assert!(eval(&long).status.success());
    symlink("loop", at("loop")).expect("linked");
    for (name, why) in [
        ("loop", "is a symbolic link that leads back to itself"),
        ("real", "is a folder"),
        ("nothing/", "names a folder"),
        ("in.csv/x", "Not a directory"),
    ] {
        let output = eval(name);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(shown(&output).contains(why), "{name}: {}", shown(&output));
    }
    let expected = ["folder", "in.csv", "link.csv", "loop", &long, "one.csv", "pipe", "real", "two.csv"];
    assert_eq!(names(folder.path()), expected);
}

/// Numbers that are as good as random here: xorshift, from a seed that is printed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

#[test]
fn killed_at_any_moment_it_leaves_the_old_output_or_the_new_one() {
    let folder = folder();
    let seed = std::time::UNIX_EPOCH.elapsed().map_or(1, |t| t.as_nanos() as u64 | 1);
    eprintln!("seed {seed}");
    let mut random = Random(seed);
    let words = |name: &'static str| ["eval", "-q", "--n", "300000", "x = qnorm(i / 300001)", "-o", name];
    for (i, name) in ["out.csv", "out.parquet", "out.npz"].into_iter().cycle().take(24).enumerate() {
        let path = folder.path().join(name);
        fs::write(&path, "as it was").expect("written");
        let mut child = gristmill(folder.path()).args(words(name)).spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros(random.below(120_000)));
        let signal = ["KILL", "INT", "TERM", "KILL"][i % 4];
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        drop(sent);
        let status = child.wait().expect("it ends");
        let found = fs::metadata(&path).expect("there").len();
        assert!(status.signal().is_some() || status.success(), "{status}");
        assert!(found == 9 || found > 1_000_000, "{name} has {found} bytes after {status}");
        assert!(!status.success() || found != 9, "{name}: it was complete and is the old one");
    }
    for name in ["out.csv", "out.parquet", "out.npz"] {
        assert!(run(folder.path(), &["eval", "-q", "--n", "3", "x = i", "-o", name]).status.success());
    }
    assert_eq!(names(folder.path()), ["in.csv", "out.csv", "out.npz", "out.parquet"], "seed {seed}");
}

#[test]
fn many_columns_need_few_descriptors() {
    let folder = folder();
    let header: Vec<String> = (0..10_000).map(|i| format!("c{i}")).collect();
    let row: Vec<String> = (0..10_000).map(|i| i.to_string()).collect();
    let table = format!("{}\n{}\n", header.join(","), row.join(","));
    fs::write(folder.path().join("wide.csv"), table).expect("written");
    let line = "ulimit -n 64; $G eval -q 'y = c1 + c9999' wide.csv -o wide.npz";
    let output = shell(folder.path(), line);
    assert!(output.status.success(), "{}", shown(&output));
    let back = run(folder.path(), &["eval", "-q", "--only", "z = y + c9998", "wide.npz"]);
    assert_eq!(String::from_utf8_lossy(&back.stdout), "z\n19998\n", "{}", shown(&back));
}

#[test]
fn too_many_threads_are_refused_and_few_are_enough() {
    let folder = folder();
    let output = run(folder.path(), &["eval", "y = x", "in.csv", "--threads", "100000"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(shown(&output).contains("--threads is 100000, but must be at most 1024"), "{}", shown(&output));
    // A limit of processes counts for users other than root only: root becomes one that has no other process.
    let is_root = fs::metadata("/proc/self").is_ok_and(|m| m.uid() == 0);
    let is_there = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    if !is_root || !is_there("setpriv") || !is_there("prlimit") {
        return;
    }
    // Where that user may read it: not below the folder in which this was built.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("set");
    let copy = folder.path().join("gristmill");
    fs::copy(gristmill(folder.path()).get_program(), &copy).expect("copied");
    fs::set_permissions(copy, fs::Permissions::from_mode(0o755)).expect("set");
    for limit in [1, 2, 5] {
        let line = format!(
            "exec prlimit --nproc={limit} setpriv --reuid=64321 --regid=64321 --clear-groups --bounding-set=-all \
             ./gristmill eval -q 'y = x + sum(x)' --threads 8 in.csv"
        );
        let output = shell(folder.path(), &line);
        assert!(output.status.success(), "{}", shown(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "x,y\n1,4\n2,5\n", "{}", shown(&output));
        let warned = shown(&output).contains("of 8 threads could be started");
        assert!(warned, "{}", shown(&output));
    }
    // Nobody can watch for signals: they end the command all the same.
    let line = "prlimit --nproc=1 setpriv --reuid=64321 --regid=64321 --clear-groups --bounding-set=-all \
                ./gristmill eval -q --n 100000000000 'x = i' --format csv > /dev/null & P=$!; sleep 1; kill -TERM $P; \
                (sleep 20; kill -KILL $P) > /dev/null 2>&1 & wait $P";
    let output = shell(folder.path(), line);
    assert_eq!(output.status.code(), Some(128 + 15), "{}", shown(&output));
    // A driver that would end the process where it cannot start its threads is not asked.
    for command in ["eval -q --device 0 'y = x' in.csv", "doctor", "devices", "verify exp --points 10"] {
        let line = format!(
            "exec prlimit --nproc=1 setpriv --reuid=64321 --regid=64321 --clear-groups --bounding-set=-all ./gristmill {command}"
        );
        let output = shell(folder.path(), &line);
        assert!(output.status.code().is_some_and(|code| code <= 2), "{command}: {}", shown(&output));
    }
    // A text of kernels is read on a thread with a large stack: without one, it says so.
    fs::write(folder.path().join("k.rs"), "pub fn twice(x: f64) -> f64 { x + x }\n").expect("written");
    let line = "exec prlimit --nproc=1 setpriv --reuid=64321 --regid=64321 --clear-groups --bounding-set=-all \
                ./gristmill eval -q --kernels k.rs 'y = twice(x)' in.csv";
    let output = shell(folder.path(), line);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(shown(&output).contains("no thread can be started for the text"), "{}", shown(&output));
}

#[test]
fn an_empty_device_is_none_and_a_wrong_one_is_named_with_its_variable() {
    let folder = folder_with(&["beetles.csv"]);
    let glm = "$G glm beetles.csv --formula 'cbind(killed, beetles - killed) ~ log10_dose' --family binomial";
    for command in
        ["$G eval -q 'y = log10_dose' beetles.csv", "$G verify exp --points 10", "$G devices", "$G doctor", glm]
    {
        let output = shell(folder.path(), &format!("GRISTMILL_DEVICE= {command}"));
        assert!(output.status.code() != Some(2), "{command}: {}", shown(&output));
        assert!(!shown(&output).contains("GRISTMILL_DEVICE is"), "{command}: {}", shown(&output));
    }
    for command in ["$G eval -q 'y = log10_dose' beetles.csv", "$G verify exp", "$G devices"] {
        let output = shell(folder.path(), &format!("GRISTMILL_DEVICE=nonsense {command}"));
        assert!(!output.status.success(), "{command}");
        let said = shown(&output);
        // A machine without OpenCL says that instead.
        assert!(said.contains("GRISTMILL_DEVICE") || said.contains("OpenCL"), "{command}: {said}");
    }
}

#[test]
fn names_of_seventy_thousand_letters_are_names() {
    let folder = folder();
    let name = "n".repeat(70_000);
    fs::write(folder.path().join("long.csv"), format!("{name},x,g\n1,2,{name}\n2,3,b\n3,5,{name}\n4,4,b\n"))
        .expect("written");
    // In a file: a word of a command line has at most 128 KB on Linux, a whole one more.
    let expression = format!("y = `{name}` + nothing");
    for (words, code) in [
        (vec!["eval", expression.as_str(), "long.csv"], 2),
        (vec!["eval", "y = nnnn + 1", "long.csv"], 2),
        (vec!["eval", "-q", "y = x + 1", "long.csv", "-o", "long.parquet"], 0),
        (vec!["eval", "-q", "y = x + 1", "long.csv", "-o", "long.arrow"], 0),
        (vec!["eval", "-q", "--explain", "y = x + 1", "long.csv"], 0),
        (vec!["glm", "long.csv", "--formula", "x ~ g", "--family", "gaussian"], 0),
        (vec!["eval", "--device", &name, "y = x", "long.csv"], 2),
        (vec!["functions", &name], 2),
        (vec!["show", &name], 2),
    ] {
        let output = run(folder.path(), &words);
        let said = shown(&output);
        let start: String = words.join(" ").chars().take(80).collect();
        assert!(!said.contains("panicked"), "{start}: {}", said.chars().rev().take(500).collect::<String>());
        assert_eq!(output.status.code(), Some(code), "{start}");
    }
    let wide = run(folder.path(), &["eval", "-q", "y = x", "long.parquet", "-o", "long.npz"]);
    assert!(!shown(&wide).contains("panicked"));
}

/// One run of every command, as `--help` lists them.
fn commands(folder: &Path) -> Vec<String> {
    let library = folder.join("lib");
    fs::create_dir_all(&library).expect("made");
    fs::write(library.join("a.cl"), "// @provides: a\n// @depends: missing\ndouble a(double x) { return x; }\n")
        .expect("written");
    let glm = "glm beetles.csv --formula 'cbind(killed, beetles - killed) ~ log10_dose' --family binomial";
    let lines = [
        "eval 'y = sqrt(-log10_dose)' beetles.csv",
        "eval --n 5 'y = nothing'",
        "functions",
        glm,
        "glm beetles.csv --formula 'y ~ nothing'",
        "run nothing.cl",
        "verify exp --points 10",
        "verify nothing",
        "show dnorm",
        "devices",
        "doctor",
        "cache list",
        "cache clear",
        "lib check lib",
        "lib order lib",
        "lib index lib",
        "lib load lib",
        "lib graph lib",
        "lib annotate lib",
        "program nothing.cl",
        "new lib",
        "bench",
        "completions bash",
        "guide glm",
        "man glm",
        "licences",
        "--help",
        "--version",
        "nothing",
    ];
    let help = run(folder, &["--help"]);
    for command in String::from_utf8_lossy(&help.stdout).lines().filter_map(|l| l.strip_prefix("  ")) {
        let name = command.split_whitespace().next().unwrap_or_default();
        let is_command = command.starts_with(|c: char| c.is_ascii_lowercase()) && name != "help" && name != "gristmill";
        assert!(!is_command || lines.iter().any(|l| l.starts_with(name)), "`{name}` has no line here");
    }
    lines.map(|line| format!("$G {line}")).into()
}

#[test]
fn a_reader_that_has_gone_away_makes_no_command_panic() {
    let folder = folder_with(&["beetles.csv"]);
    for command in commands(folder.path()) {
        let usual = shell(folder.path(), &command).status.code();
        // Pipes that nobody reads: the other end is closed before the command starts. The exit code says what it always says.
        for line in [
            format!("exec 3>code; {{ sleep 0.02; {command}; echo $? >&3; }} 2>&1 | true; cat code"),
            format!("exec 3>code; {{ sleep 0.02; {command}; echo $? >&3; }} 2>/dev/null | true; cat code"),
            format!("{command} 2>&- >/dev/null; echo $?"),
            format!("{command} >&- 2>/dev/null; echo $?"),
            format!("{command} >&- 2>&-; echo $?"),
        ] {
            let output = shell(folder.path(), &line);
            let code = String::from_utf8_lossy(&output.stdout).trim().parse::<i32>().ok();
            assert_eq!(code, usual, "{line}: {}", shown(&output));
        }
    }
}
