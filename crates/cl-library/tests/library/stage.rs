//! Libraries copied into what can be ordered and what waits.

use crate::support::{annotated, write_tree};
use gristmill_cl_library::{Folder, Library, LibraryError, Staged, stage};
use std::path::Path;

/// A library with a chain, a circle, a name that nobody provides, and a file that waits for the circle.
fn tree() -> tempfile::TempDir {
    let temp = tempfile::tempdir().unwrap();
    write_tree(
        temp.path(),
        &[
            ("lib/a.cl", "\u{feff}// @provides: a\r\nint a;"),
            ("lib/b.cl", &annotated("b", "a", "int b;\n")),
            ("lib/left.cl", &annotated("left", "right", "")),
            ("lib/right.cl", &annotated("right", "left, b", "")),
            ("lib/waits.cl", &annotated("waits", "right, a", "")),
            ("lib/lacks.cl", &annotated("lacks", "gone, also_gone", "")),
        ],
    );
    temp
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn what_can_be_ordered_and_what_waits_are_apart_with_a_report_of_each() {
    let temp = tree();
    let (folder, dest) = (Folder::at(&temp.path().join("lib")).unwrap(), temp.path().join("staged"));
    let staged = stage(&folder, &dest, false).unwrap();
    assert_eq!(staged.sorted().count(), 2);
    assert_eq!(text(&dest.join("sorted.csv")), "load_order,pass,stem,file\n1,1,a,sorted/a.cl\n2,2,b,sorted/b.cl\n");
    assert_eq!(
        text(&dest.join("unresolved.csv")),
        "stem,file,waits_for,missing,in_cycle\n\
         lacks,unresolved/lacks.cl,\"gone, also_gone\",\"gone, also_gone\",false\n\
         left,unresolved/left.cl,right,,true\n\
         right,unresolved/right.cl,left,,true\n\
         waits,unresolved/waits.cl,right,,false\n"
    );
    for name in ["sorted/a", "sorted/b", "unresolved/lacks", "unresolved/left", "unresolved/right", "unresolved/waits"]
    {
        let stem = name.split_once('/').unwrap().1;
        let (copy, own) = (dest.join(format!("{name}.cl")), temp.path().join(format!("lib/{stem}.cl")));
        assert_eq!(std::fs::read(copy).unwrap(), std::fs::read(own).unwrap(), "{name}: a copy is a copy");
    }
    assert_eq!(Library::from_dir(&dest.join("sorted")).unwrap().order().unwrap().passes().len(), 2, "it is a library");
}

#[test]
fn a_library_without_problems_has_an_empty_folder_and_report_of_what_waits() {
    let temp = tempfile::tempdir().unwrap();
    write_tree(temp.path(), &[("lib/a.cl", "int a;")]);
    let dest = temp.path().join("staged");
    stage(&Folder::at(&temp.path().join("lib")).unwrap(), &dest, false).unwrap();
    assert_eq!(text(&dest.join("unresolved.csv")), "stem,file,waits_for,missing,in_cycle\n");
    assert_eq!(std::fs::read_dir(dest.join("unresolved")).unwrap().count(), 0);
}

#[test]
fn only_what_was_staged_before_is_replaced() {
    let temp = tree();
    let (folder, dest) = (Folder::at(&temp.path().join("lib")).unwrap(), temp.path().join("staged"));
    stage(&folder, &dest, false).unwrap();
    assert!(matches!(stage(&folder, &dest, false), Err(LibraryError::WouldOverwrite { .. })));
    std::fs::write(temp.path().join("lib/lacks.cl"), "int lacks;").unwrap();
    stage(&folder, &dest, true).unwrap();
    assert!(dest.join("sorted/lacks.cl").exists() && !dest.join("unresolved/lacks.cl").exists());
    std::fs::write(dest.join("notes.txt"), "mine").unwrap();
    let error = stage(&folder, &dest, true).unwrap_err();
    assert!(format!("{:?}", error).contains("it holds `notes.txt`"), "{error:?}");
    assert_eq!(text(&dest.join("notes.txt")), "mine");
    assert!(matches!(stage(&folder, &temp.path().join("no/such"), false), Err(LibraryError::NoParent { .. })));
    assert!(stage(&folder, &temp.path().join("lib/a.cl"), true).is_err(), "a file is no folder");
    assert!(stage(&folder, &temp.path().join("lib"), true).is_err(), "the library itself is not replaced");
}

#[test]
fn many_missing_names_are_reported_in_time_linear_in_their_number() {
    let file = |i: usize| gristmill_cl_library::Shard::new(format!("f{i}"), annotated("", &format!("gone{i}"), ""));
    let library = Library::new("big", (0..16_000).map(file).collect()).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(Staged::of(&library).unresolved().count(), 16_000);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
