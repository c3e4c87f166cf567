//! Manual pages, the guide, completions and the list of functions.

use crate::command::{folder_with, run, shown};

#[test]
fn a_manual_page_says_what_the_help_says() {
    let folder = folder_with(&[]);
    let output = run(folder.path(), &["man", "functions"]);
    insta::assert_snapshot!(shown(&output).replace(env!("CARGO_PKG_VERSION"), "[VERSION]"));
    let wrong = run(folder.path(), &["man", "lib", "chekc"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(shown(&wrong).contains("`gristmill lib` has no command `chekc`; it has: `"), "{}", shown(&wrong));
}

#[test]
fn every_command_has_a_page_with_all_its_options() {
    let folder = folder_with(&[]);
    let output = run(folder.path(), &["man", "--folder", "man1"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", shown(&output));
    let pages: Vec<std::path::PathBuf> =
        std::fs::read_dir(folder.path().join("man1")).expect("a folder").flatten().map(|e| e.path()).collect();
    assert!(pages.len() > 15, "{pages:?}");
    for path in pages {
        let page = std::fs::read_to_string(&path).expect("a page");
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut words: Vec<&str> = name.split('-').skip(1).collect();
        if name == "gristmill-lib-for-kernel" {
            words = vec!["lib", "for-kernel"];
        }
        let help = run(folder.path(), &[&words[..], &["--help"]].concat());
        assert!(help.status.success(), "{name}: {}", shown(&help));
        let help = String::from_utf8_lossy(&help.stdout).into_owned();
        let options = help.lines().map(str::trim_start).filter(|l| l.starts_with('-'));
        for option in options.filter_map(|l| l.split([' ', ',', '[', '=']).find(|w| w.starts_with("--"))) {
            let escaped = option.replace('-', "\\-");
            assert!(page.contains(&escaped), "{name} does not have {option}:\n{page}");
        }
        for part in [".TH ", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n"] {
            assert!(page.contains(part), "{name} has no {part}");
        }
    }
}

#[test]
fn shells_complete_families_links_formats_and_functions() {
    let folder = folder_with(&[]);
    for shell in ["bash", "zsh", "fish"] {
        let output = run(folder.path(), &["completions", shell]);
        let script = String::from_utf8_lossy(&output.stdout).into_owned();
        for word in ["quasipoisson", "cauchit", "parquet", "jsonl", "pgamma", "besselJ", "profile"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
    }
}

#[test]
fn functions_are_grouped_and_found_by_what_they_are_about() {
    let folder = folder_with(&[]);
    insta::assert_snapshot!(shown(&run(folder.path(), &["functions", "--search", "bessel"])));
    let all = shown(&run(folder.path(), &["functions"]));
    let titles: Vec<&str> = all.lines().skip(2).filter(|l| l.starts_with(char::is_uppercase)).collect();
    assert_eq!(
        titles,
        [
            "Elementary functions",
            "Over all rows, or the rows of a group",
            "Truth values and missing values",
            "Distributions: density d, distribution function p, quantile q, random number r",
            "Special functions",
            "By their names in C",
        ]
    );
    let none = run(folder.path(), &["functions", "--search", "no such thing"]);
    assert_eq!(none.status.code(), Some(2));
}

/// What helps and messages name is in the command: the list of chapters, and a name that is none.
#[test]
fn the_guide_has_the_chapters_that_messages_name() {
    let folder = folder_with(&[]);
    let guide = |topic: &[&str]| run(folder.path(), &[&["guide"][..], topic].concat());
    let all = [guide(&[]), guide(&["expresions"])].map(|output| shown(&output)).join("\n");
    insta::assert_snapshot!(all);
    let chapter = guide(&["docs/kernel-language.md#loops"]);
    let text = std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/kernel-language.md"));
    assert_eq!((chapter.status.code(), chapter.stdout), (Some(0), text.expect("the chapter")));
}
