//! Whole evaluations through the crate's front door.

use gristmill_tables::io::{Format, Note, TableError};
use gristmill_tables::{Evaluation, EvaluationError};
use std::fs;
use std::path::PathBuf;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

/// Enough rows for many pieces.
fn long_table() -> String {
    std::iter::once("x,y\n".to_string()).chain((0..400_000).map(|i| format!("{i},{}\n", i % 7))).collect()
}

#[test]
fn results_stand_behind_the_columns_and_the_summary_tells_what_was_done() {
    let folder = Folder::new();
    let data = folder.with("t.csv", "id,x\n9007199254740993,4\n,-1\n5,\n");
    let evaluation = Evaluation::new(["r = sqrt(x)", "k = is.na(id)"]).input(&data).output(folder.path("out.csv"));
    let summary = evaluation.run().unwrap();
    assert_eq!(folder.text("out.csv"), "id,x,r,k\n9007199254740993,4,2,FALSE\n,-1,NaN,TRUE\n5,,,FALSE\n");
    assert_eq!((summary.rows, summary.columns, summary.nans), (3, 4, 1));
    assert_eq!(summary.notes.iter().collect::<Vec<_>>(), [(Note::LargeInteger, "id", 1)]);
    // It can be run again, and by itself.
    evaluation.only(true).missing_out("-").run().unwrap();
    assert_eq!(folder.text("out.csv"), "r,k\n2,FALSE\nNaN,TRUE\n-,FALSE\n");
}

#[test]
fn rows_can_come_from_nowhere() {
    let folder = Folder::new();
    let draw = |seed, name: &str| {
        let path = folder.path(name);
        Evaluation::new(["i2 = i * 2", "u = runif()"]).rows(100_000).seed(seed).output(path).run().unwrap()
    };
    assert_eq!(draw(1, "a.csv").rows, 100_000);
    draw(1, "b.csv");
    draw(2, "c.csv");
    assert!(folder.text("a.csv") == folder.text("b.csv") && folder.text("a.csv") != folder.text("c.csv"));
    assert!(folder.text("a.csv").lines().nth(100_000).unwrap().starts_with("200000,"));
}

#[test]
fn progress_goes_on_to_the_end() {
    let folder = Folder::new();
    let data = folder.with("t.csv", &long_table());
    let mut seen = Vec::new();
    let evaluation = Evaluation::new(["z = x + y"]).input(&data).output(folder.path("out.parquet"));
    let summary = evaluation.run_with(|progress| seen.push(progress.rows)).unwrap();
    assert!(seen.len() > 2 && seen.is_sorted(), "{seen:?}");
    assert_eq!(seen.last(), Some(&summary.rows));
}

/// The file is cut, grows, is replaced or is written anew at the first piece of the second pass.
#[test]
fn a_file_that_changes_between_passes_is_an_error_and_nothing_is_written() {
    let folder = Folder::new();
    let text = long_table();
    type Change = fn(&Folder, &str);
    let changes: [(&str, Change); 4] = [
        ("cut", |folder, text| fs::write(folder.path("t.csv"), &text[..2_000_001]).unwrap()),
        ("grown", |folder, text| fs::write(folder.path("t.csv"), format!("{text}1,2\n")).unwrap()),
        ("written anew", |folder, text| fs::write(folder.path("t.csv"), text.replace('3', "4")).unwrap()),
        ("replaced", |folder, text| {
            folder.with("other.csv", text);
            fs::rename(folder.path("other.csv"), folder.path("t.csv")).unwrap();
        }),
    ];
    for (what, change) in changes {
        let data = folder.with("t.csv", &text);
        folder.with("out.csv", "as it was");
        let mut changed = false;
        let evaluation = Evaluation::new(["z = x - mean(x)"]).input(&data).output(folder.path("out.csv"));
        let done = evaluation.run_with(|_| {
            if !std::mem::replace(&mut changed, true) {
                change(&folder, &text);
            }
        });
        match done {
            Err(EvaluationError::Table(TableError::Changed { path })) => assert_eq!(path, data, "{what}"),
            other => panic!("{what}: {other:?}"),
        }
        assert_eq!(folder.text("out.csv"), "as it was", "{what}");
    }
}

/// Cut or written anew while it is read once: an error; appended to or replaced: what was opened is read.
#[test]
fn a_file_that_is_cut_while_it_is_read_once_is_an_error_and_one_that_grows_is_not() {
    let folder = Folder::new();
    let text = long_table();
    type Change = fn(&Folder, &str);
    let changes: [(&str, bool, Change); 4] = [
        ("cut", true, |folder, _| {
            fs::OpenOptions::new().write(true).open(folder.path("t.csv")).unwrap().set_len(2_000_001).unwrap();
        }),
        ("written anew", true, |folder, text| fs::write(folder.path("t.csv"), text.replace('3', "4")).unwrap()),
        ("grown", false, |folder, _| {
            let mut file = fs::OpenOptions::new().append(true).open(folder.path("t.csv")).unwrap();
            std::io::Write::write_all(&mut file, b"1,2\n").unwrap();
        }),
        ("replaced", false, |folder, _| {
            folder.with("other.csv", "x,y\n1,2\n");
            fs::rename(folder.path("other.csv"), folder.path("t.csv")).unwrap();
        }),
    ];
    for (what, is_error, change) in changes {
        let data = folder.with("t.csv", &text);
        folder.with("out.csv", "as it was");
        let mut changed = false;
        let evaluation = Evaluation::new(["z = x + y"]).input(&data).output(folder.path("out.csv"));
        let done = evaluation.run_with(|_| {
            if !std::mem::replace(&mut changed, true) {
                change(&folder, &text);
            }
        });
        match done {
            Err(EvaluationError::Table(TableError::Changed { path })) if is_error => assert_eq!(path, data, "{what}"),
            Ok(summary) if !is_error => {
                assert!(summary.rows as usize + 1 >= text.lines().count(), "{what}: {summary:?}")
            }
            other => panic!("{what}: {other:?}"),
        }
        assert_eq!(folder.text("out.csv") == "as it was", is_error, "{what}");
    }
}

#[test]
fn what_cannot_be_is_an_error_that_says_so() {
    let folder = Folder::new();
    let data = folder.with("t.csv", "x\n1\n");
    let wrong = |evaluation: Evaluation| evaluation.output(folder.path("out.npz")).run().unwrap_err().to_string();
    assert!(wrong(Evaluation::new(["y = z"]).input(&data)).contains("no column is called `z`"));
    let unfinished = Evaluation::new(["y = (x"]).input(&data).run().unwrap_err();
    assert!(matches!(unfinished, EvaluationError::Expression(_)), "{unfinished}");
    assert!(wrong(Evaluation::new(["y = x"]).input(folder.path("none.csv"))).ends_with("cannot be opened"));
    assert!(wrong(Evaluation::new(["y = 1"]).rows(3).missing(["x"])).contains("is for text tables"));
    assert!(wrong(Evaluation::new(["y = x"]).input(&data).missing_out("x")).contains("the output is npz"));
    assert!(!folder.path("out.npz").exists());
    let typed = Evaluation::new(["y = x"]).input(&data).output(folder.path("t.pq"));
    typed.run().unwrap();
    let unnamed = Evaluation::new(["y = x"]).input(folder.path("t.pq")).input_format(Format::Parquet);
    unnamed.output(folder.path("out")).output_format(Format::Csv).run().unwrap();
    assert_eq!(folder.text("out"), "x,y\n1,1\n");
}

#[test]
fn plan_and_cost_are_known_without_an_output() {
    let folder = Folder::new();
    let data = folder.with("t.csv", &long_table());
    let evaluation = Evaluation::new(["z = x + 1"]).input(&data);
    assert!(evaluation.explain().unwrap().contains("`z` = "));
    let cost = evaluation.cost().unwrap().unwrap();
    assert!((300_000..500_000).contains(&cost.rows) && cost.per_row > 0.0 && cost.bytes_per_row == 16, "{cost:?}");
}

/// The time of the faster of two runs, in seconds.
fn fastest(mut work: impl FnMut()) -> f64 {
    let mut time = || {
        let start = std::time::Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    time().min(time())
}

/// Eight times as much may take 24 times as long, for caches and for neighbours; what grows with the square takes 64 times.
fn grows_in_proportion(what: &str, most: usize, mut work: impl FnMut(usize)) {
    let few = fastest(|| work(most / 8));
    let many = fastest(|| work(most));
    assert!(many < 24.0 * few, "{most} {what} take {many:.3} s, an eighth of them {few:.3} s");
}

#[test]
fn the_time_for_many_columns_grows_in_proportion() {
    let folder = Folder::new();
    grows_in_proportion("columns", 100_000, |columns| {
        let line = |cell: &dyn Fn(usize) -> String| (0..columns).map(cell).collect::<Vec<_>>().join(",");
        let data = folder.with("wide.csv", &format!("{}\n{}\n", line(&|i| format!("c{i}")), line(&|i| i.to_string())));
        let last = format!("y = c{} + 1", columns - 1);
        let summary = Evaluation::new([&last]).input(&data).output(folder.path("out.csv")).run().unwrap();
        assert_eq!(summary.columns, columns + 1);
        assert!(folder.text("out.csv").ends_with(&format!(",{},{columns}\n", columns - 1)));
    });
}

#[test]
fn the_time_for_many_expressions_grows_in_proportion() {
    let folder = Folder::new();
    let data = folder.with("x.csv", "x\n1\n2\n");
    grows_in_proportion("expressions", 60_000, |count| {
        let expressions: Vec<String> = (0..count).map(|i| format!("z{i} = x + {i}")).collect();
        let summary = Evaluation::new(&expressions).input(&data).output(folder.path("out.csv")).run().unwrap();
        assert_eq!(summary.columns, count + 1);
        assert!(folder.text("out.csv").ends_with(&format!(",{}\n", count + 1)));
    });
}
