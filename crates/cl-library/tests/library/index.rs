//! The index: what is written, what R reads, what is loaded by it, and what makes it stale.

use crate::support::{annotated, write_tree};
use gristmill_cl_library::rds::{self, Object, Value};
use gristmill_cl_library::{
    Files, INDEX_RDS, INDEX_TSV, Index, IndexDifference, IndexStatus, Library, LibraryError, Shard,
    check_kernel_dependency_index, default_depends_tag, extract_library_subset, load_library_for_kernel,
    load_library_for_kernel_with, write_kernel_dependency_index,
};
use proptest::prelude::*;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Command;

const TREE: &[(&str, &str)] = &[
    ("Rmath", ""),
    ("dpq", ""),
    ("nmath", "Rmath"),
    ("dnorm", "nmath, dpq"),
    ("pnorm", "nmath, dpq"),
    ("user", "pnorm, dnorm"),
];

fn tree() -> tempfile::TempDir {
    let temp = tempfile::tempdir().unwrap();
    for (stem, depends) in TREE {
        write_tree(
            temp.path(),
            &[(&format!("p/cl/lib/{stem}.cl"), &annotated(stem, depends, &format!("int {stem}_x;\n")))],
        );
    }
    temp
}

fn lib(temp: &tempfile::TempDir) -> PathBuf {
    temp.path().join("p/cl/lib")
}

fn indexed() -> (tempfile::TempDir, PathBuf) {
    let temp = tree();
    let dir = lib(&temp);
    write_kernel_dependency_index(&dir).unwrap();
    (temp, dir)
}

fn kernel(depends: &str) -> Shard {
    Shard::new("kernel", format!("// @depends_lib: {depends}\n__kernel void k() {{}}\n"))
}

fn stems(dir: &Path, depends: &str) -> Vec<String> {
    let loaded = load_library_for_kernel(&kernel(depends), dir, "depends_lib", None).unwrap();
    loaded.shards().iter().map(|s| s.stem().to_owned()).collect()
}

#[test]
fn the_index_lists_rows_and_dependencies_in_load_order() {
    let (_temp, dir) = indexed();
    assert_eq!(
        std::fs::read_to_string(dir.join(INDEX_TSV)).unwrap(),
        "stem\tall_depends\nRmath\t\ndpq\t\nnmath\tRmath\ndnorm\tRmath, dpq, nmath\npnorm\tRmath, dpq, nmath\n\
         user\tRmath, dpq, nmath, dnorm, pnorm\n"
    );
}

/// What R should see, as text: one line for each part of the list.
const R_PRINTS: &str = r#"
x <- readRDS(commandArgs(TRUE)[1])
cat(paste(names(x), collapse = ","), "\n")
cat(class(x$version), x$version, class(x$generated_at)[1], inherits(x$generated_at, "POSIXt"), "\n")
cat(x$library_dir, x$library_name, class(x$n_files), x$n_files, "\n")
cat(x$stems_ordered, "\n")
cat(class(x$load_order), paste(names(x$load_order), x$load_order, sep = "="), "\n")
for (s in x$stems_ordered) cat(s, class(x$depends[[s]]), ":", x$depends[[s]], ":", x$all_depends[[s]], "\n")
"#;

const R_EXPECTED: &str = "version,generated_at,library_dir,library_name,stems_ordered,load_order,depends,all_depends,n_files \n\
    integer 1 POSIXct TRUE \n\
    cl/lib lib integer 6 \n\
    Rmath dpq nmath dnorm pnorm user \n\
    integer Rmath=1 dpq=2 nmath=3 dnorm=4 pnorm=5 user=6 \n\
    Rmath character :  :  \n\
    dpq character :  :  \n\
    nmath character : Rmath : Rmath \n\
    dnorm character : nmath dpq : Rmath dpq nmath \n\
    pnorm character : nmath dpq : Rmath dpq nmath \n\
    user character : pnorm dnorm : Rmath dpq nmath dnorm pnorm \n";

/// The same text from our own reader.
fn printed_by_us(bytes: &[u8]) -> String {
    let x = rds::read(bytes).unwrap();
    let strings = |o: &Object| o.as_strings().unwrap().join(" ");
    let integers = |o: &Object| match &o.value {
        Value::Integers(i) => i.clone(),
        other => panic!("{other:?}"),
    };
    let get = |name: &str| x.get(name).unwrap();
    let mut out = format!("{} \n", x.names().unwrap().join(","));
    let class = get("generated_at").attribute("class").unwrap().as_strings().unwrap();
    let posix = if class.contains(&"POSIXt") { "TRUE" } else { "FALSE" };
    out += &format!("integer {} {} {posix} \n", integers(get("version"))[0], class[0]);
    let count = integers(get("n_files"))[0];
    out += &format!("{} {} integer {count} \n", strings(get("library_dir")), strings(get("library_name")));
    out += &format!("{} \n", strings(get("stems_ordered")));
    let order = get("load_order");
    let pairs: Vec<String> =
        order.names().unwrap().iter().zip(integers(order)).map(|(n, i)| format!("{n}={i}")).collect();
    out += &format!("integer {} \n", pairs.join(" "));
    for stem in get("stems_ordered").as_strings().unwrap() {
        let (direct, all) = (get("depends").get(stem).unwrap(), get("all_depends").get(stem).unwrap());
        out += &format!("{stem} character : {} : {} \n", strings(direct), strings(all));
    }
    out
}

fn rscript() -> Option<Command> {
    let mut command = Command::new("Rscript");
    command.arg("--vanilla");
    let works = Command::new("Rscript").arg("--version").output().is_ok_and(|o| o.status.success());
    if !works {
        println!("note: Rscript is not installed, so that only our own reader opens the .rds file");
    }
    works.then_some(command)
}

#[test]
fn r_reads_the_index_as_the_list_it_should_be() {
    let (_temp, dir) = indexed();
    let file = dir.join(INDEX_RDS);
    assert_eq!(printed_by_us(&std::fs::read(&file).unwrap()), R_EXPECTED);
    if let Some(mut r) = rscript() {
        let output = r.args(["-e", R_PRINTS]).arg(&file).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        // R's cat() writes no blank for an empty vector.
        let squeeze =
            |t: &str| t.lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>();
        assert_eq!(squeeze(&text), squeeze(R_EXPECTED), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn what_r_writes_is_read_in_both_versions_with_and_without_compression() {
    let Some(mut r) = rscript() else { return };
    let temp = tempfile::tempdir().unwrap();
    let script = r#"
        stems <- sprintf("s%03d", 1:200)
        x <- list(version = 1L, generated_at = Sys.time(), library_dir = "d", library_name = "d", stems_ordered = sort(stems),
                  load_order = setNames(seq_along(stems), stems), depends = setNames(lapply(stems, function(s) character()), stems),
                  all_depends = setNames(lapply(stems, function(s) if (s > "s100") c("s001", "s002") else character()), stems),
                  n_files = 200L, extra = 1:10, flag = c(TRUE, NA), nothing = NULL, real = pi)
        for (v in 2:3) for (z in c(TRUE, FALSE)) saveRDS(x, file.path(commandArgs(TRUE)[1], paste0(v, z)), version = v, compress = z)
    "#;
    let output = r.args(["-e", script]).arg(temp.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for name in ["2TRUE", "2FALSE", "3TRUE", "3FALSE"] {
        let bytes = std::fs::read(temp.path().join(name)).unwrap();
        let (index, depends) = Index::from_r(&bytes).unwrap();
        assert_eq!((index.rows().len(), depends.len()), (200, 200), "{name}");
        assert_eq!(index.rows()[150].all_depends, ["s001", "s002"], "{name}");
        let object = rds::read(&bytes).unwrap();
        assert_eq!(object.get("load_order").unwrap().names().unwrap()[199], "s200", "{name}");
        assert_eq!(object.get("extra").unwrap().value, Value::Integers((1..=10).collect()), "{name}");
        assert_eq!(object.get("flag").unwrap().value, Value::Logicals(vec![Some(true), None]), "{name}");
    }
}

proptest! {
    #[test]
    fn an_r_object_survives_writing_and_reading(
        strings in proptest::collection::vec(proptest::option::of(".{0,8}"), 0..9),
        integers in proptest::collection::vec(any::<i32>(), 0..9),
        reals in proptest::collection::vec(-1e300_f64..1e300, 0..9),
    ) {
        let names: Vec<String> = (0..3).map(|i| format!("n{i}")).collect();
        let object = Object::new(Value::List(vec![
            Object::new(Value::Strings(strings)), Object::new(Value::Integers(integers)).class(&["k"]), Object::new(Value::Reals(reals)),
        ])).named(&names);
        prop_assert_eq!(rds::read(&rds::write(&object)).unwrap(), object);
    }

    #[test]
    fn a_damaged_r_object_is_an_error_and_never_a_panic(cut in 0_usize..400, at in 0_usize..400, to in any::<u8>()) {
        let index = Index::of_library(&crate::support::library(TREE)).unwrap();
        let meta = gristmill_cl_library::IndexMeta { generated_at: 0.0, library_dir: "d".into(), library_name: "d".into() };
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(
            &mut flate2::read::GzDecoder::new(&rds::write(&index.to_r(&meta, &std::collections::HashMap::new()))[..]),
            &mut bytes,
        ).unwrap();
        if at < bytes.len() {
            bytes[at] = to;
        }
        bytes.truncate(cut.max(2));
        let _ = Index::from_r(&bytes);
    }
}

#[test]
fn check_says_which_files_changed_and_a_current_index_is_left_alone() {
    let (_temp, dir) = indexed();
    let check = || check_kernel_dependency_index(&dir, &Library::from_dir(&dir).unwrap()).unwrap();
    assert!(check().is_current());
    let before = std::fs::read(dir.join(INDEX_RDS)).unwrap();
    write_kernel_dependency_index(&dir).unwrap();
    assert_eq!(std::fs::read(dir.join(INDEX_RDS)).unwrap(), before, "the time stamp alone is no reason to write");

    std::fs::write(dir.join("new.cl"), "// @depends: dpq\n").unwrap();
    std::fs::write(dir.join("pnorm.cl"), "// @depends: nmath, dpq, dnorm\n").unwrap();
    std::fs::write(dir.join("user.cl"), "// @depends: dnorm\n").unwrap();
    let difference =
        IndexDifference { added: vec!["new".into()], removed: vec![], changed: vec!["pnorm".into(), "user".into()] };
    assert_eq!(check().tsv, IndexStatus::Stale(difference.clone()));
    assert_eq!(check().rds, IndexStatus::Stale(difference.clone()));
    assert_eq!(difference.to_string(), "added: new; changed: pnorm, user");
    std::fs::remove_file(dir.join(INDEX_TSV)).unwrap();
    std::fs::write(dir.join(INDEX_RDS), "X\nrubbish").unwrap();
    assert_eq!(check().tsv, IndexStatus::Missing);
    assert!(matches!(check().rds, IndexStatus::Damaged(_)));
    write_kernel_dependency_index(&dir).unwrap();
    assert!(check().is_current());
}

#[test]
fn an_index_in_another_valid_order_is_current() {
    let (_temp, dir) = indexed();
    let rows = "stem\tall_depends\r\ndpq\t\r\nRmath\t\r\nnmath\tRmath\r\npnorm\tdpq, Rmath, nmath\r\ndnorm\tdpq, Rmath, nmath\r\n\
                user\tdpq, Rmath, nmath, pnorm, dnorm\r\n";
    std::fs::write(dir.join(INDEX_TSV), rows).unwrap();
    let library = Library::from_dir(&dir).unwrap();
    assert!(check_kernel_dependency_index(&dir, &library).unwrap().is_current());
    assert_eq!(stems(&dir, "user"), ["dpq", "Rmath", "nmath", "pnorm", "dnorm", "user"], "the index's order counts");
}

/// Counts what is opened.
#[derive(Default)]
struct Counting(RefCell<Vec<String>>);

impl Files for Counting {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.0.borrow_mut().push(path.file_name().unwrap().to_string_lossy().into_owned());
        std::fs::read(path)
    }
}

#[test]
fn loading_for_a_kernel_opens_the_index_and_the_needed_files_and_nothing_else() {
    let (_temp, dir) = indexed();
    let files = Counting::default();
    let loaded = load_library_for_kernel_with(&files, &kernel("dnorm"), &dir, "depends_lib", None).unwrap();
    assert_eq!(*files.0.borrow(), [INDEX_TSV, "Rmath.cl", "dpq.cl", "nmath.cl", "dnorm.cl"]);
    assert!(loaded.text().ends_with("int dnorm_x;\n"));
    let index = Index::read(&dir).unwrap();
    let files = Counting::default();
    load_library_for_kernel_with(&files, &kernel("dpq"), &dir, "depends_lib", Some(&index)).unwrap();
    assert_eq!(*files.0.borrow(), ["dpq.cl"]);
}

#[test]
fn a_kernel_may_list_direct_or_transitive_stems_or_symbols() {
    let (_temp, dir) = indexed();
    let expected = ["Rmath", "dpq", "nmath", "dnorm"];
    assert_eq!(stems(&dir, "dnorm"), expected);
    assert_eq!(stems(&dir, "dpq, Rmath, nmath, dnorm"), expected);
    assert_eq!(stems(&dir, "dnorm.cl"), expected);
    std::fs::write(dir.join("dnorm.cl"), "// @provides: dnorm4, dens\n// @depends: nmath, dpq\n").unwrap();
    assert_eq!(stems(&dir, "dens"), expected);
}

#[test]
fn a_kernel_without_the_tag_gets_nothing_and_needs_no_index() {
    let temp = tree();
    for text in ["__kernel void k() {}\n", "// @depends_lib: (none)\n", "// @depends_lib:\n"] {
        let loaded = load_library_for_kernel(&Shard::new("k", text), &lib(&temp), "depends_lib", None).unwrap();
        assert_eq!(loaded.text(), "");
    }
}

#[test]
fn a_missing_stale_or_damaged_index_is_an_error_that_says_what_changed() {
    let load = |dir: &Path, depends: &str| {
        let error = load_library_for_kernel(&kernel(depends), dir, "depends_lib", None).unwrap_err();
        error.to_string().replace(dir.to_str().unwrap(), "LIB")
    };
    let temp = tree();
    assert_eq!(
        load(&lib(&temp), "dnorm"),
        "LIB/kernel_dependency_index.tsv does not exist; write it with `gristmill lib index LIB`"
    );

    let (_temp, dir) = indexed();
    std::fs::write(dir.join("dnorm.cl"), "// @depends: nmath, dpq, pnorm\n").unwrap();
    let stale =
        "LIB/kernel_dependency_index.tsv is stale (changed: dnorm); write it again with `gristmill lib index LIB`";
    assert_eq!(load(&dir, "user"), stale);
    assert_eq!(stems(&dir, "pnorm").len(), 4, "a change elsewhere does not matter to this kernel");

    let (_temp, dir) = indexed();
    std::fs::write(dir.join("new.cl"), "").unwrap();
    assert_eq!(load(&dir, "dpq"), stale.replace("changed: dnorm", "added: new"));

    let (_temp, dir) = indexed();
    std::fs::remove_file(dir.join("nmath.cl")).unwrap();
    assert_eq!(load(&dir, "dnorm"), stale.replace("changed: dnorm", "removed: nmath"));
    assert_eq!(stems(&dir, "dpq"), ["dpq"], "an index may list files that a subset left out");

    for (text, problem) in [
        ("", ":1: the first line is not `stem<TAB>all_depends`"),
        ("stem\tall_depends\ndpq\n", ":2: there is no tab between the stem and what it needs"),
        ("stem\tall_depends\ndpq\t\ndpq\t\n", ":3: the stem `dpq` is empty or there twice"),
        (
            "stem\tall_depends\nnmath\tRmath\nRmath\t\ndpq\t\ndnorm\t\npnorm\t\nuser\t\n",
            ":2: `nmath` needs `Rmath`, which no line above names",
        ),
    ] {
        std::fs::write(dir.join(INDEX_TSV), text).unwrap();
        let expected =
            format!("LIB/kernel_dependency_index.tsv{problem}; write the index again with `gristmill lib index LIB`");
        assert_eq!(load(&dir, "nmath"), expected);
    }
}

#[test]
fn an_unknown_name_in_a_kernel_is_named_with_its_line_and_the_nearest_name() {
    let (_temp, dir) = indexed();
    let error = load_library_for_kernel(&kernel("dnrom, pnorm"), &dir, "depends_lib", None).unwrap_err();
    let LibraryError::MissingDependencies { missing } = &error else { panic!("{error}") };
    assert_eq!(
        missing[0].to_string(),
        "kernel.cl:1: `kernel` depends on `dnrom`, which no file provides; did you mean `dnorm`?"
    );
}

#[test]
fn the_default_tag_is_the_one_for_the_library() {
    let tag = |text: &str, library: &str| default_depends_tag(&Shard::new("k", text), library);
    assert_eq!(tag("// @depends_nmath: a\n// @all_depends_nmath: a\n", "nmath"), "depends_nmath");
    assert_eq!(
        tag("// @all_depends_nmath_count: 1\n// @all_depends_nmath: a\n// @depends_x: b\n", "ex_glmbayes_nmath"),
        "all_depends_nmath"
    );
    assert_eq!(tag("// @depends_nmath: a\n", "other"), "depends_nmath");
    assert_eq!(tag("// @all_depends: a\n", "nmath"), "all_depends");
    assert_eq!(tag("int x;\n", "nmath"), "depends_nmath");
}

#[test]
fn a_subset_is_the_needed_files_and_an_index_for_just_them() {
    let (temp, dir) = indexed();
    let dest = temp.path().join("subset");
    let kernels = [kernel("dnorm"), kernel("pnorm"), Shard::new("plain", "__kernel void k() {}")];
    let rows = extract_library_subset(&kernels, &dir, &dest, Some("depends_lib"), None, false).unwrap();
    let names: Vec<(&str, bool)> = rows.iter().map(|r| (r.stem.as_str(), r.copied)).collect();
    assert_eq!(
        names,
        [
            ("Rmath", true),
            ("dpq", true),
            ("nmath", true),
            ("dnorm", true),
            ("pnorm", true),
            (INDEX_RDS, true),
            (INDEX_TSV, true)
        ]
    );
    assert_eq!((&rows[0].source, &rows[0].dest), (&dir.join("Rmath.cl"), &dest.join("Rmath.cl")));
    let library = Library::from_dir(&dest).unwrap();
    assert_eq!(library.shards().len(), 5);
    assert!(check_kernel_dependency_index(&dest, &library).unwrap().is_current());
    let whole = load_library_for_kernel(&kernels[0], &dir, "depends_lib", None).unwrap().text();
    assert_eq!(load_library_for_kernel(&kernels[0], &dest, "depends_lib", None).unwrap().text(), whole);
    // Again: everything is there already.
    let rows = extract_library_subset(&kernels, &dir, &dest, Some("depends_lib"), None, false).unwrap();
    assert!(rows.iter().all(|r| !r.copied), "{rows:?}");
}

/// Every file below a directory with its content.
fn snapshot(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(dir)
        .unwrap()
        .flatten()
        .map(|e| (e.file_name().to_string_lossy().into_owned(), std::fs::read(e.path()).unwrap_or_default()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_subset_overwrites_only_when_told_and_leaves_nothing_half_written() {
    let (temp, dir) = indexed();
    let dest = temp.path().join("subset");
    std::fs::create_dir(&dest).unwrap();
    std::fs::write(dest.join("nmath.cl"), "mine").unwrap();
    std::fs::write(dest.join("notes.txt"), "keep").unwrap();
    let before = snapshot(&dest);
    let extract =
        |overwrite| extract_library_subset(&[kernel("dnorm")], &dir, &dest, Some("depends_lib"), None, overwrite);
    let error = extract(false).unwrap_err();
    assert!(error.to_string().ends_with("would be overwritten: nmath.cl; say so with `--overwrite`"), "{error}");
    assert_eq!(snapshot(&dest), before);

    // A directory where a file has to go: the third of six moves fails.
    std::fs::remove_file(dest.join("nmath.cl")).unwrap();
    std::fs::create_dir_all(dest.join("nmath.cl/inner")).unwrap();
    std::fs::write(dest.join("Rmath.cl"), "old").unwrap();
    let before = snapshot(&dest);
    assert!(extract(true).is_err());
    assert_eq!(snapshot(&dest), before);

    std::fs::remove_dir_all(dest.join("nmath.cl")).unwrap();
    assert_eq!(extract(true).unwrap().iter().filter(|r| r.copied).count(), 6);
    assert_eq!(std::fs::read_to_string(dest.join("notes.txt")).unwrap(), "keep");
    assert_eq!(snapshot(&dest).len(), 7, "no temporary file is left");
}

#[test]
fn a_subset_of_a_library_into_itself_is_refused() {
    let (_temp, dir) = indexed();
    let before = snapshot(&dir);
    assert!(extract_library_subset(&[kernel("dnorm")], &dir, &dir, Some("depends_lib"), None, true).is_err());
    assert_eq!(snapshot(&dir), before);
}
