use crate::{SCALE, Trusted, cache_at, device, private, with_cache};
use gristmill_cl_runtime::{Arg, CacheSetting, Damage, Device, Launch, Origin, ProgramCache, RuntimeError};
use std::path::Path;

/// Builds, runs, and says where the program came from.
fn run(device: &Device) -> Origin {
    let program = device.build(SCALE, "").expect("it compiles");
    let (x, mut y) = ([3.0], [0.0]);
    let kernel = program.kernel("scale").expect("it is there");
    kernel
        .run_trusted(&Launch::linear(1), &mut [Arg::input(&x), Arg::value(2.0), Arg::output(&mut y)])
        .expect("it runs");
    assert_eq!(y, [6.0]);
    assert_eq!(kernel.signature().to_string(), "scale(__global const double* x, double factor, __global double* y)");
    program.origin()
}

fn only_entry(dir: &Path) -> std::path::PathBuf {
    let mut entries = crate::entries(dir);
    assert_eq!(entries.len(), 1);
    entries.remove(0)
}

#[test]
fn a_program_is_built_once_per_process() {
    let device = private(|_| {});
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| run(&device));
        }
    });
    assert_eq!(device.built_programs(), 1);
    device.build(SCALE, "-D OTHER=1").expect("it compiles");
    assert_eq!(device.built_programs(), 2, "other options are another program");
    let open = || Device::from_env().expect("a device");
    assert!(std::ptr::eq(open().info(), open().info()), "one context per device and process");
}

#[test]
fn the_second_context_loads_what_the_first_one_built() {
    let dir = tempfile::tempdir().expect("a folder");
    assert_eq!(run(&with_cache(dir.path())), Origin::Built);
    assert_eq!(run(&with_cache(dir.path())), Origin::DiskCache);
    let entries = cache_at(dir.path()).entries().expect("readable");
    let content = entries[0].content.as_ref().expect("whole");
    assert_eq!(content.kernels[0].name, "scale");
    assert_eq!(content.device, device().info().name);
}

#[test]
fn a_damaged_entry_is_rebuilt_and_replaced() {
    let dir = tempfile::tempdir().expect("a folder");
    run(&with_cache(dir.path()));
    let file = only_entry(dir.path());
    let whole = std::fs::read(&file).expect("readable");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [b"garbage".to_vec(), Vec::new(), whole[..whole.len() - 1].to_vec(), flipped] {
        std::fs::write(&file, &damaged).expect("writable");
        let cache = cache_at(dir.path());
        assert!(cache.entries().expect("readable")[0].content.is_err());
        assert_eq!(run(&with_cache(dir.path())), Origin::Built);
        assert!(cache.entries().expect("readable")[0].content.is_ok(), "it was replaced");
        assert_eq!(run(&with_cache(dir.path())), Origin::DiskCache);
    }
}

#[test]
fn an_entry_of_another_program_under_this_name_is_not_used() {
    let dir = tempfile::tempdir().expect("a folder");
    run(&with_cache(dir.path()));
    let file = only_entry(dir.path());
    let other = tempfile::tempdir().expect("a folder");
    let device = with_cache(other.path());
    device
        .build("__kernel void scale(__global double* x) { x[0] = 666.0; }", "")
        .expect("it compiles")
        .save()
        .expect("written");
    std::fs::copy(only_entry(other.path()), &file).expect("copied");
    assert_eq!(cache_at(dir.path()).entries().expect("readable")[0].content, Err(Damage::Signature), "another key");
    assert_eq!(run(&with_cache(dir.path())), Origin::Built);
}

#[test]
fn a_cache_that_cannot_be_written_is_a_warning_or_an_error_as_asked() {
    let dir = tempfile::tempdir().expect("a folder");
    // A file where the folder should be: unusable also for root.
    let blocked = dir.path().join("file");
    std::fs::write(&blocked, "").expect("writable");
    let at = |strict| private(|o| o.cache = CacheSetting::At(ProgramCache::at(blocked.join("cache")).strict(strict)));
    assert_eq!(run(&at(false)), Origin::Built);
    let error = at(true).build(SCALE, "").and_then(|p| p.save()).expect_err("strict");
    assert!(matches!(error, RuntimeError::Cache { .. }), "{error}");
    assert!(std::error::Error::source(&error).is_some(), "with its cause");
}

#[test]
fn a_folder_full_of_garbage_does_no_harm() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, content) in [
        ("a.clprog", "x"),
        (".x.clprog.1-1.part", "half"),
        ("README", "hello"),
        (&format!("{}.clprog", "0".repeat(64)), "GRISTCLP"),
    ] {
        std::fs::write(dir.path().join(name), content).expect("writable");
    }
    std::fs::create_dir(dir.path().join("folder.clprog")).expect("made");
    assert_eq!(run(&with_cache(dir.path())), Origin::Built);
    assert_eq!(run(&with_cache(dir.path())), Origin::DiskCache);
    let cache = cache_at(dir.path());
    let entries = cache.entries().expect("readable");
    assert_eq!(entries.iter().filter(|e| e.content.is_ok()).count(), 1);
    assert_eq!(entries.iter().filter(|e| e.content.is_err()).count(), 2);
    assert_eq!(cache.clear().expect("removable").0, 2, "both files with our names");
    assert!(dir.path().join("README").exists());
}

/// A folder in which others may plant a program under the name that they can compute.
#[cfg(unix)]
#[test]
fn a_folder_that_others_may_write_to_is_neither_read_nor_written() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    run(&with_cache(dir.path()));
    let (file, before) = (only_entry(dir.path()), std::fs::read(only_entry(dir.path())).expect("readable"));
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o777)).expect("ours");
    let gentle = private(|o| o.cache = CacheSetting::At(cache_at(dir.path())));
    assert_eq!(run(&gentle), Origin::Built);
    assert_eq!(std::fs::read(file).expect("readable"), before);
    let error = with_cache(dir.path()).build(SCALE, "").expect_err("strict");
    assert!(error.to_string().starts_with("program cache: cannot use `"), "{error}");
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o700)).expect("ours");
    assert_eq!(run(&with_cache(dir.path())), Origin::DiskCache);
}
