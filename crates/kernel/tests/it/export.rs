//! Exported trees.

use crate::{demo, shapes};
use gristmill_kernel::{EmittedShard, KernelItem, kernel};
use gristmill_kernel_cl::export::{ExportError, Tree};

fn roots() -> impl Iterator<Item = &'static EmittedShard> {
    demo::KERNELS.iter().chain(shapes::FUNCTIONS).map(|f| f.shard()).chain([<shapes::axpy as KernelItem>::SHARD])
}

#[test]
fn one_file_for_each_module_that_compiles_as_a_whole() {
    let tree = Tree::new(roots(), "it").expect("no cycles");
    let names: Vec<&str> = tree.files().map(|(n, _)| n).collect();
    assert_eq!(names, ["demo.cl", "gm_exact.cl", "shapes.cl"]);
    let text = tree.load().expect("in order");
    assert!(!text.contains("#line"), "an exported file is its own source");
    let device = gristmill_cl_runtime::Device::from_env().expect("an OpenCL device");
    let program = device.build(&text, "").unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(program.kernel("axpy").is_ok());
}

#[test]
fn writing_twice_changes_nothing_and_removes_strangers() {
    let dir = std::env::temp_dir().join(format!("gristmill-export-{}", std::process::id()));
    let tree = Tree::new(roots(), "it").expect("no cycles");
    tree.write(&dir).expect("writable");
    assert!(tree.differences(&dir).expect("readable").is_empty());
    let library = gristmill_cl_library::Library::from_dir(&dir).expect("a library");
    assert_eq!(library.order().expect("in order").indices().count(), 3);
    std::fs::write(dir.join("old.cl"), "").expect("writable");
    std::fs::write(dir.join("demo.cl"), "changed").expect("writable");
    assert_eq!(tree.differences(&dir).expect("readable"), [dir.join("demo.cl"), dir.join("old.cl")]);
    tree.write(&dir).expect("writable");
    assert!(tree.differences(&dir).expect("readable").is_empty());
    std::fs::remove_dir_all(&dir).expect("ours");
}

mod ping {
    use gristmill_kernel::kernel;
    #[kernel]
    pub fn first(x: f64) -> f64 {
        x + 1.0
    }
    #[kernel]
    pub fn third(x: f64) -> f64 {
        super::pong::second(x)
    }
}

mod pong {
    use gristmill_kernel::kernel;
    #[kernel]
    pub fn second(x: f64) -> f64 {
        super::ping::first(x)
    }
}

#[test]
fn a_function_with_a_name_of_its_own_is_called_by_it_and_has_a_macro_under_the_usual_one() {
    let own_name = |s: &EmittedShard| (s.name == "first").then(|| "gm_first".to_string());
    let mut tree = Tree::with_own_names([pong::second::FUNCTION.shard()], "it", own_name).expect("no cycles");
    let text = |name: &str| {
        let found = tree.files().find(|(n, _)| n.ends_with(name)).map(|(_, text)| text.to_string());
        found.expect("a file for each module")
    };
    let (ping, pong) = (text("ping.cl"), text("pong.cl"));
    assert!(ping.contains("@provides: gm_first,\n//   first\n"), "{ping}");
    assert!(ping.contains("double gm_first(double x_)") && ping.contains("#define first(x) gm_first(x)\n"), "{ping}");
    assert!(pong.contains("return gm_first(x_);"), "{pong}");
    // a file of the author's own may take the usual name over
    let own = "// @depends: gm_first\n#undef first\n#define first(x, y) (gm_first(x) + (y))\n".to_string();
    tree.add("first", own.clone()).expect("a new stem");
    tree.check().expect("in order");
    let error = tree.add("first", own).expect_err("the same stem").to_string();
    assert_eq!(error, "there is a file `first.cl` already; give the other one another stem");
}

#[test]
fn a_circle_of_modules_is_an_error_that_names_the_path() {
    let error = Tree::new([ping::third::FUNCTION.shard()], "it").expect_err("a circle").to_string();
    assert!(error.contains("it::export::ping -> it::export::pong -> it::export::ping"), "{error}");
    assert!(error.contains("`it::export::ping::third` needs `it::export::pong::second`"), "{error}");
}

#[kernel]
pub fn first(x: f64) -> f64 {
    x
}

#[test]
fn two_public_items_of_one_name_are_an_error_that_names_both() {
    let error = Tree::new([ping::first::FUNCTION.shard(), first::FUNCTION.shard()], "it").expect_err("the same name");
    assert!(matches!(error, ExportError::SameName { .. }));
    assert!(error.to_string().contains("`it::export::ping::first` and `it::export::first`"), "{error}");
}
