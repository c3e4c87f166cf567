//! What the tests need from the machine beyond Rust, how to see whether it is there, and how to install it.

use crate::jobs::say;
use crate::process::{Result, root, run, works};
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
    Need {
        what: "Python with virtual environments (python3, venv)",
        packages: &["python3", "python3-venv"],
        present: || works("python3", &["-c", "import ensurepip, venv"]),
    },
    Need {
        what: "R with tinytest",
        packages: &["r-base-core", "r-cran-tinytest", "make"],
        present: crate::r::is_installed,
    },
    Need { what: "a C compiler (cc)", packages: &["gcc", "libc6-dev"], present: || works("cc", &["--version"]) },
];

/// What other readers say that our files hold: the tests compare with them. Pinned, so that every machine asks the same ones.
const PYTHON_PACKAGES: &[&str] = &["pyarrow==26.0.1", "numpy"];
const PYTHON_HAS_THEM: &[&str] = &["-c", "import numpy, pyarrow; assert pyarrow.__version__ == '26.0.1'"];

/// An environment in target/python with these packages; nothing outside the project is touched.
fn provide_python(install: bool) -> Result {
    let environment = root().join("target/python");
    let python = environment.join("bin/python").display().to_string();
    if works(&python, PYTHON_HAS_THEM) {
        return Ok(());
    }
    if !install {
        return Err(format!(
            "the tests need {} in {}, and --no-install was given; leave it out",
            PYTHON_PACKAGES.join(", "),
            environment.display()
        ));
    }
    // Where the machine has them already, they are not fetched again.
    let of_the_machine: &[&str] = if works("python3", PYTHON_HAS_THEM) { &["--system-site-packages"] } else { &[] };
    run(Command::new("python3").args(["-m", "venv"]).args(of_the_machine).arg(&environment))?;
    if !works(&python, PYTHON_HAS_THEM) {
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(PYTHON_PACKAGES))?;
    }
    if works(&python, PYTHON_HAS_THEM) { Ok(()) } else { Err(format!("{python} cannot import pyarrow and numpy")) }
}

/// Installs what is missing, or with `install == false` only says what is missing and fails.
pub(crate) fn provide(install: bool) -> Result {
    provide_programs(install)?;
    provide_python(install)
}

fn provide_programs(install: bool) -> Result {
    let missing: Vec<&Need> = NEEDS.iter().filter(|n| !(n.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = missing.iter().flat_map(|n| n.packages.iter().copied()).collect();
    for need in &missing {
        say(&format!("xtask: the tests need {}, which this machine lacks", need.what));
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
    say(&format!("xtask: installing {}", packages.join(" ")));
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
