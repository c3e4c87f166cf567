//! `cargo xtask ci`: what must hold before anything lands.

use crate::process::{Result, cargo, run};
use crate::{features, generate, package, test, torture};

pub(crate) fn main() -> Result {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"]))?;
    features::check()?;
    package::package(false)?;
    run(cargo(&["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "--deny warnings"))?;
    generate::generate(true)?;
    test::run_tests(true, &[])?;
    torture::short()
}
