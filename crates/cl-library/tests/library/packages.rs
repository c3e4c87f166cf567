//! Packages: where they are found, and what may be read from them.

use crate::support::{annotated, write_tree};
use gristmill_cl_library::{BuiltinPackage, Layer, LibraryError, Manifest, Package, Packages, ProgramSource};
use std::path::Path;

const BUILT_IN: &[BuiltinPackage] = &[BuiltinPackage {
    name: "tiny",
    files: &[
        ("OPENCL.cl", "#pragma OPENCL FP_CONTRACT OFF\n"),
        ("lib/a.cl", "// @provides: a\n// @depends: b\nint a(int x) { return b(x); }\n"),
        ("lib/b.cl", "// @provides: b\nint b(int x) { return x; }\n"),
        ("lib/deep/c.cl", "// not part of lib\n"),
        ("program_preload_manifest.tsv", "rank\tkind\trel_path\n1\tfile\tOPENCL.cl\n2\tlibrary\tlib\n"),
    ],
}];

fn package(dir: &Path) -> Package {
    Package::at(dir).expect("a package")
}

#[test]
fn a_package_is_found_by_path_then_on_the_search_path_then_built_in() {
    let temp = tempfile::tempdir().unwrap();
    write_tree(
        temp.path(),
        &[("one/tiny/cl/x.cl", "by path"), ("two/tiny/cl/x.cl", "on the search path"), ("src/rpkg/inst/cl/x.cl", "R")],
    );
    let at = |p: &str| temp.path().join(p);
    let packages = Packages::new(vec![at("none"), at("two"), at("src/rpkg")], BUILT_IN);
    let source = |name: &str| packages.find(name).unwrap().load_kernel_source("x.cl").unwrap();
    assert_eq!(source(at("one/tiny").to_str().unwrap()), "by path");
    assert_eq!(source("tiny"), "on the search path");
    assert_eq!(source("rpkg"), "R"); // the entry of the search path is the package itself
    let built_in = Packages::new(vec![], BUILT_IN).find("tiny").unwrap();
    assert_eq!(built_in.load_kernel_source("OPENCL.cl").unwrap(), "#pragma OPENCL FP_CONTRACT OFF\n");
    let error = Packages::new(vec![at("two")], BUILT_IN).find("tinny").unwrap_err().to_string();
    assert!(error.starts_with("no package `tinny`: looked for tinny/cl, "), "{error}");
    assert!(error.ends_with("(GRISTMILL_PATH), the built-in packages (tiny)"), "{error}");
}

#[test]
fn a_built_in_package_loads_like_a_directory() {
    let built_in = Packages::new(vec![], BUILT_IN).find("tiny").unwrap();
    let (text, library, _) = built_in.load_kernel_library("lib").unwrap();
    assert_eq!(library.shards().len(), 2);
    assert!(text.find("int b(").unwrap() < text.find("int a(").unwrap());
    let pieces = Manifest::of_package(&built_in).unwrap().expect("a manifest").load(&built_in).unwrap();
    let layers: Vec<(Layer, &str)> = pieces.iter().map(|p| (p.layer, p.path.as_str())).collect();
    assert_eq!(
        layers,
        [
            (Layer::Configuration, "tiny:cl/OPENCL.cl"),
            (Layer::Shim, "tiny:cl/lib/b.cl"),
            (Layer::Shim, "tiny:cl/lib/a.cl")
        ]
    );
    let program = ProgramSource::new(pieces);
    assert_eq!(program.text(), program.clone().text());
    assert!(program.text().starts_with("#line 1 \"tiny:cl/OPENCL.cl\"\n#pragma"));
}

#[test]
fn a_path_that_leaves_the_tree_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    write_tree(temp.path(), &[("pkg/cl/lib/a.cl", "int a;"), ("pkg/secret.cl", "secret"), ("pkg/out/b.cl", "int b;")]);
    let package = package(&temp.path().join("pkg"));
    for path in ["../secret.cl", "lib/../../secret.cl", "/etc/passwd", "lib\\a.cl"] {
        assert!(
            matches!(package.load_kernel_source(path), Err(LibraryError::PathLeavesPackage { .. })),
            "{path} was not refused"
        );
    }
    assert_eq!(package.load_kernel_source("./lib/a.cl").unwrap(), "int a;");
    #[cfg(unix)]
    {
        let link =
            |from: &str, to: &str| std::os::unix::fs::symlink(temp.path().join(from), temp.path().join(to)).unwrap();
        link("pkg/secret.cl", "pkg/cl/lib/link.cl");
        link("pkg/out", "pkg/cl/outside");
        link("pkg/cl/lib/a.cl", "pkg/cl/same.cl");
        let message = package.load_kernel_source("lib/link.cl").unwrap_err().to_string();
        assert!(message.starts_with("`lib/link.cl` leaves the tree of package `pkg`: "), "{message}");
        assert!(message.contains("is a symbolic link to"), "{message}");
        assert!(matches!(package.library("lib"), Err(LibraryError::PathLeavesPackage { .. })));
        assert!(matches!(package.library("outside"), Err(LibraryError::PathLeavesPackage { .. })));
        assert_eq!(package.load_kernel_source("same.cl").unwrap(), "int a;");
    }
}

/// The tree itself may be a link, but only to a folder of the package; and a name of a file is no path.
#[cfg(unix)]
#[test]
fn a_tree_that_is_a_link_stays_in_its_package() {
    use gristmill_cl_library::{Folder, Library};
    let temp = tempfile::tempdir().unwrap();
    let at = |path: &str| temp.path().join(path);
    write_tree(
        temp.path(),
        &[("victim/lib/a.cl", "int a;"), ("own/cl/lib/a.cl", "int a;"), ("far/inst/cl/lib/a.cl", "")],
    );
    for package in ["out", "own/inst", "deep"] {
        std::fs::create_dir(at(package)).unwrap();
    }
    for (target, link) in [("../victim", "out/cl"), ("../cl", "own/inst/cl"), ("../far/inst", "deep/inst")] {
        std::os::unix::fs::symlink(target, at(link)).unwrap();
    }
    let leaves = |result: Result<Library, LibraryError>| matches!(result, Err(LibraryError::PathLeavesPackage { .. }));
    for (dir, tree) in [("out", "out/cl/lib"), ("deep", "deep/inst/cl/lib")] {
        assert!(leaves(package(&at(dir)).library("lib")), "{dir}");
        assert!(leaves(Folder::at(&at(tree)).and_then(|f| f.library())), "{tree}");
    }
    assert!(Folder::at(&at("own/inst/cl/lib")).and_then(|f| f.library()).is_ok());
    let folder = Folder::at(&at("own/cl/lib")).unwrap();
    for stem in ["../../../victim/lib/a", "/etc/passwd", "../lib/a"] {
        assert!(matches!(folder.shard(stem), Err(LibraryError::PathLeavesPackage { .. })), "{stem}");
    }
    assert!(matches!(folder.write(vec![("../a.cl".into(), vec![])]), Err(LibraryError::PathLeavesPackage { .. })));
}

/// Whoever draws somebody's library gets no script of theirs, however names, and the folder, are written.
#[test]
fn names_of_a_drawing_are_no_markup() {
    use gristmill_cl_library::{Drawing, Library, Shard};
    let odd = "<!--<script>alert(1)</script><img/src=x/onerror=alert(2)>";
    let shard = Shard::new("a", format!("// @provides: {odd}\n// @depends: {odd}x\nint a;\n"));
    let page = Drawing::new(&Library::new("@DATA@", vec![shard]).unwrap(), None).html();
    let plain = Drawing::new(&Library::new("l", vec![Shard::new("a", "int a;\n")]).unwrap(), None).html();
    for sign in ["<!--", "<script", "</script", "<img"] {
        assert_eq!(page.matches(sign).count(), plain.matches(sign).count(), "{sign}");
    }
}

#[test]
fn a_missing_file_is_named_with_its_tree_and_the_nearest_name() {
    let temp = tempfile::tempdir().unwrap();
    write_tree(temp.path(), &[("p/inst/cl/src/dnorm_kernel.cl", "int a;")]);
    let error = package(&temp.path().join("p")).load_kernel_source("src/dnrom_kernel.cl").unwrap_err();
    assert_eq!(
        error.to_string(),
        "File not found: inst/cl/src/dnrom_kernel.cl in package `p`; did you mean `src/dnorm_kernel.cl`?"
    );
}

#[test]
fn carriage_returns_marks_and_missing_line_ends_do_not_matter() {
    let temp = tempfile::tempdir().unwrap();
    write_tree(
        temp.path(),
        &[("p/cl/l/b.cl", "// @provides: b\r\nint b;"), ("p/cl/l/a.cl", &annotated("a", "b", "int a;"))],
    );
    std::fs::write(temp.path().join("p/cl/l/c.cl"), b"\xEF\xBB\xBF// @depends: a\r\n// caf\xE9\r\nint c;").unwrap();
    let (text, library, order) = package(&temp.path().join("p")).load_kernel_library("l").unwrap();
    let stems: Vec<&str> = order.shards(&library).map(|s| s.stem()).collect();
    assert_eq!(stems, ["b", "a", "c"]);
    assert_eq!(
        text,
        "// @provides: b\nint b;\n// @provides: a\n// @depends: b\nint a;\n// @depends: a\n// caf\u{FFFD}\nint c;\n"
    );
    assert_eq!(library.shard("c").unwrap().first_invalid_line(), Some(2));
}
