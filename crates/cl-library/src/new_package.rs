//! A package to start from: small, complete, and right in every check.

use crate::error::{LibraryError, Result};
use crate::index::{INDEX_RDS, INDEX_TSV, Index, IndexMeta, direct_depends};
use crate::library::{Library, Shard};
use crate::manifest::{CONFIGURATION_FILE, EntryKind, MANIFEST, MANIFEST_RDS, Manifest, ManifestEntry};
use crate::package::{Package, folder_name, folder_of};
use crate::rds;
use gristmill_support::AtomicFolder;
use std::path::Path;

const CONFIGURATION: &str = "\
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
";

/// The library's header: what every file of it may use.
const HEADER: &str = "\
// @provides: @LIB@_square
// @depends: (none)
// What every file of the library may use. A file named like its library is the header, and comes first.
#define @LIB@_square(x) ((x) * (x))
";

const FUNCTION: &str = "\
// @provides: @LIB@_norm
// @depends: @LIB@
// The length of the vector (x, y).
double @LIB@_norm(double x, double y) { return sqrt(@LIB@_square(x) + @LIB@_square(y)); }
";

const KERNEL: &str = "\
// @library_deps: @LIB@
// @calls_@LIB@: @LIB@_norm
// @depends_@LIB@: norm
// @calls_opencl_builtin: get_global_id
// @all_depends_@LIB@_count: 2
// @all_depends_@LIB@: @LIB@, norm
// One work-item for each element: out[i] is the length of (x[i], y[i]).
__kernel void @LIB@_kernel(__global const double* x, __global const double* y, __global double* out, const int n) {
  int i = get_global_id(0);
  if (i < n) {
    out[i] = @LIB@_norm(x[i], y[i]);
  }
}
";

const TEST: &str = "\
#!/bin/sh
# Checks the library, builds the kernel's program, runs it on a device, and compares the result to the last bit.
set -e
cd \"$(dirname \"$0\")/..\"
out=$(mktemp -d)
trap 'rm -r \"$out\"' EXIT
gristmill lib check @LIB@ --package . --strict
gristmill lib index @LIB@ --package . --check
gristmill lib manifest check .
gristmill program src/@LIB@_kernel.cl --package . --library @LIB@ -o \"$out/program.cl\"
gristmill run src/@LIB@_kernel.cl --package . --library @LIB@ \\
  --arg x=tests/x.npy --arg y=tests/y.npy --arg n=3 --out out=\"$out/out.npy\" --global 3
cmp \"$out/out.npy\" tests/expected.npy
echo \"@LIB@: all is well\"
";

/// Makes a package with one library, an entry kernel, manifest, index and a test. The folder appears whole or not at all.
/// Returns its name.
///
/// # Errors
/// If the folder is there already or cannot be made, or its name is no C identifier.
pub fn new_package(dir: &Path) -> Result<String> {
    let name = folder_name(dir);
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts_well || name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        return Err(LibraryError::BadPackageName { name });
    }
    if dir.symlink_metadata().is_ok() {
        let exists = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
        return Err(LibraryError::io("create", dir)(exists));
    }
    let parent = folder_of(dir);
    if !parent.is_dir() {
        return Err(LibraryError::NoParent { dest: dir.to_path_buf(), parent: parent.to_path_buf() });
    }
    Package::admit_destination(dir)?;
    let mut folder = AtomicFolder::create(dir).map_err(LibraryError::io("create", dir))?;
    for (path, bytes) in files(&name)? {
        folder.write(Path::new(&path), &bytes).map_err(LibraryError::io("write", dir.join(&path)))?;
    }
    folder.commit().map_err(LibraryError::io("create", dir))?;
    Ok(name)
}

fn files(name: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let text = |template: &str| template.replace("@LIB@", name);
    let shards = vec![Shard::new(name, text(HEADER)), Shard::new("norm", text(FUNCTION))];
    let library = Library::new(name, shards)?;
    let index = Index::of_library(&library)?;
    let meta = IndexMeta::in_package(&format!("cl/{name}"), name);
    let line = |rank, kind, path: &str| ManifestEntry { rank, kind, rel_path: path.to_owned() };
    let manifest = Manifest::of_entries(vec![line(1, EntryKind::File, CONFIGURATION_FILE)]);
    let npy = |values: [f64; 3]| npy(&values);
    Ok(vec![
        (format!("cl/{CONFIGURATION_FILE}"), CONFIGURATION.as_bytes().to_vec()),
        (format!("cl/{MANIFEST}"), manifest.to_tsv().into_bytes()),
        (format!("cl/{MANIFEST_RDS}"), rds::write(&manifest.to_r())),
        (format!("cl/{name}/{name}.cl"), text(HEADER).into_bytes()),
        (format!("cl/{name}/norm.cl"), text(FUNCTION).into_bytes()),
        (format!("cl/{name}/{INDEX_TSV}"), index.to_tsv().into_bytes()),
        (format!("cl/{name}/{INDEX_RDS}"), rds::write(&index.to_r(&meta, &direct_depends(&library)))),
        (format!("cl/src/{name}_kernel.cl"), text(KERNEL).into_bytes()),
        ("tests/run.sh".to_owned(), text(TEST).into_bytes()),
        ("tests/x.npy".to_owned(), npy([3.0, 5.0, 8.0])),
        ("tests/y.npy".to_owned(), npy([4.0, 12.0, 15.0])),
        ("tests/expected.npy".to_owned(), npy([5.0, 13.0, 17.0])),
    ])
}

/// Numbers as a NumPy file: format 1.0, the header padded so that the data starts at a multiple of 64.
fn npy(values: &[f64]) -> Vec<u8> {
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({},), }}", values.len());
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(header.as_bytes());
    values.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    bytes
}
