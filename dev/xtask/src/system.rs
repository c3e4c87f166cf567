//! What the tests need from the machine beyond Rust, how to see whether it is there, and how to install it.

use crate::process::{Result, run, works};
use std::path::Path;
use std::process::Command;

/// One thing the tests cannot do without.
struct Need {
    what: &'static str,
    /// Debian packages that bring it.
    packages: &'static [&'static str],
    present: fn() -> bool,
}

const NEEDS: &[Need] = &[
    Need { what: "an OpenCL device (PoCL)", packages: &["pocl-opencl-icd"], present: pocl_is_registered },
    Need {
        what: "the OpenCL loader (libOpenCL.so.1)",
        packages: &["ocl-icd-libopencl1"],
        present: loader_is_installed,
    },
    Need { what: "a C compiler (cc)", packages: &["gcc", "libc6-dev"], present: || works("cc", &["--version"]) },
];

/// Installs what is missing, or with `install == false` only says what is missing and fails.
pub(crate) fn provide(install: bool) -> Result {
    let missing: Vec<&Need> = NEEDS.iter().filter(|n| !(n.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().flat_map(|n| n.packages.iter().copied()).collect();
    for need in &missing {
        eprintln!("xtask: the tests need {}, which this machine lacks", need.what);
    }
    let by_hand = format!("apt-get install {}", packages.join(" "));
    if !install {
        return Err(format!(
            "something is missing and --no-install was given; run `{by_hand}`, or leave out --no-install"
        ));
    }
    if !works("apt-get", &["--version"]) {
        return Err(format!("this machine has no apt-get; install by hand what `{by_hand}` would bring on Debian"));
    }
    eprintln!("xtask: installing {}", packages.join(" "));
    run(&mut as_root(&["apt-get", "update"]))?;
    let mut install = vec!["apt-get", "install", "--yes", "--no-install-recommends"];
    install.extend(packages);
    run(as_root(&install).env("DEBIAN_FRONTEND", "noninteractive"))?;
    match missing.iter().find(|n| !(n.present)()) {
        Some(need) => Err(format!("{} is still missing after `{by_hand}`", need.what)),
        None => Ok(()),
    }
}

/// The command as it is for root, behind `sudo` for everybody else.
fn as_root(words: &[&str]) -> Command {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.trim_ascii() == b"0");
    let words = if is_root { words.to_vec() } else { [&["sudo"], words].concat() };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    command
}

fn pocl_is_registered() -> bool {
    let vendors = std::env::var_os("OCL_ICD_VENDORS").unwrap_or_else(|| "/etc/OpenCL/vendors".into());
    let Ok(entries) = std::fs::read_dir(Path::new(&vendors)) else { return false };
    entries.flatten().any(|e| {
        e.path().extension().is_some_and(|x| x == "icd")
            && std::fs::read_to_string(e.path()).is_ok_and(|t| t.contains("pocl"))
    })
}

fn loader_is_installed() -> bool {
    let folders = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"];
    let here = |folder: &Path| folder.join("libOpenCL.so.1").exists();
    folders.iter().map(Path::new).any(|folder| {
        here(folder)
            || std::fs::read_dir(folder)
                .is_ok_and(|entries| entries.flatten().any(|e| e.path().is_dir() && here(&e.path())))
    })
}
