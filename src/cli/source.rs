//! From names to a program text: what `program`, `run`, `cache warm` and `lib` share.

use super::Result;
use gristmill::cl_library::{
    Assembled, Folder, Layer, Package, Packages, PreludeRequest, ProgramPiece, ProgramRequest, ProgramSource,
};
use gristmill::cl_runtime::{DEVICE_VARIABLE, Device, DeviceInfo, Selector, devices};
use gristmill::kernel_cl::LAYER_0;
use std::path::{Path, PathBuf};

/// The packages of GRISTMILL_PATH and the built-in ones.
pub(crate) fn packages() -> Packages {
    Packages::from_env(gristmill::BUILTIN_PACKAGES)
}

/// `--package`
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct PackageArgs {
    /// The package in whose tree files and libraries are: a path, or a name looked for on GRISTMILL_PATH and among the
    /// built-in packages. `OTHER::PATH` names a file or library of another package
    #[arg(long, value_name = "P")]
    pub(crate) package: Option<String>,
}

impl PackageArgs {
    /// The folder that a name stands for.
    pub(crate) fn folder(&self, name: &str) -> Result<Folder> {
        let packages = packages();
        Ok(packages.folder(name, self.find(&packages)?.as_ref())?)
    }

    pub(crate) fn find(&self, packages: &Packages) -> Result<Option<Package>> {
        Ok(self.package.as_deref().map(|p| packages.find(p)).transpose()?)
    }
}

/// `--manifest` and `--layer`
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct PreludeArgs {
    /// The manifest of what comes first (default: the program_preload_manifest.tsv of each library's package, else its
    /// OPENCL.cl)
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// A .cl file or library of the package that comes first, instead of what a manifest says; may be given more than once
    #[arg(long = "layer", value_name = "FILE|LIB", conflicts_with = "manifest")]
    layers: Vec<String>,
}

impl PreludeArgs {
    pub(crate) fn request(&self) -> PreludeRequest {
        PreludeRequest { manifest: self.manifest.clone(), layers: self.layers.clone() }
    }

    /// Whether the user named a prelude, so that one that does not load is the user's error.
    pub(crate) fn is_explicit(&self) -> bool {
        self.manifest.is_some() || !self.layers.is_empty()
    }
}

/// What a kernel is put together with.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct ProgramArgs {
    /// A library that the kernel may use: a folder of annotated .cl files, a folder of the package's tree, or PACKAGE::LIB;
    /// may be given more than once
    #[arg(long, value_name = "LIB")]
    library: Vec<String>,
    #[command(flatten)]
    package: PackageArgs,
    /// The annotation in which the kernel names what it needs of a library (default: `depends_LIB` and the like)
    #[arg(long, value_name = "[LIB=]TAG")]
    tag: Vec<String>,
    #[command(flatten)]
    prelude: PreludeArgs,
}

impl ProgramArgs {
    /// Whether anything was said.
    pub(crate) fn is_given(&self) -> bool {
        !self.library.is_empty() || self.package.package.is_some() || !self.tag.is_empty() || self.prelude.is_explicit()
    }

    pub(crate) fn request(&self, kernel: &str) -> Result<ProgramRequest> {
        let tag = |text: &String| match text.split_once('=') {
            Some((library, tag)) => (Some(library.to_owned()), tag.to_owned()),
            None => (None, text.clone()),
        };
        let tags: Vec<(Option<String>, String)> = self.tag.iter().map(tag).collect();
        if self.library.len() > 1
            && let Some((_, tag)) = tags.iter().find(|(library, _)| library.is_none())
        {
            return Err(format!("--tag {tag}: there are several libraries: write --tag LIB={tag}").into());
        }
        Ok(ProgramRequest {
            kernel: kernel.to_owned(),
            libraries: self.library.clone(),
            package: self.package.package.clone(),
            tags,
            prelude: self.prelude.request(),
        })
    }

    pub(crate) fn assemble(&self, kernel: &str) -> Result<Assembled> {
        Ok(self.request(kernel)?.assemble(&packages())?)
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    #[command(flatten)]
    program: ProgramArgs,
    /// An option for the device's compiler, such as `-DN=3`; options that change results are refused
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<String>,
}

impl SourceArgs {
    /// Whether anything was said.
    pub(crate) fn is_given(&self) -> bool {
        self.program.is_given() || !self.options.is_empty()
    }

    pub(crate) fn options(&self) -> String {
        self.options.join(" ")
    }

    /// The macros that the options define: `-DN=3`, or `-D` before `N=3`.
    pub(crate) fn defines(&self) -> Vec<(String, String)> {
        let options = self.options();
        let mut words = options.split_whitespace();
        let mut defines = Vec::new();
        while let Some(word) = words.next() {
            let Some(rest) = word.strip_prefix("-D") else { continue };
            let define = if rest.is_empty() { words.next().unwrap_or_default() } else { rest };
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            defines.push((name.to_owned(), value.to_owned()));
        }
        defines
    }

    /// Our configuration, the preludes of the packages, the parts of the libraries that the kernel needs, the kernel.
    pub(crate) fn assemble(&self, kernel: &Path) -> Result<ProgramSource> {
        let assembled = self.program.assemble(&kernel.to_string_lossy())?;
        let mut pieces = vec![ProgramPiece {
            layer: Layer::Configuration,
            path: "gristmill/OPENCL.cl".into(),
            text: LAYER_0.into(),
        }];
        pieces.extend(assembled.program.pieces().iter().cloned());
        Ok(ProgramSource::new(pieces))
    }
}

/// The device that `--device` names, else GRISTMILL_DEVICE, else the best one.
pub(crate) fn device_info(named: Option<&str>) -> Result<DeviceInfo> {
    let (selector, from) = match named {
        Some(text) => (Selector::parse(text, "--device")?, "--device"),
        None => (Selector::from_env()?, DEVICE_VARIABLE),
    };
    Ok(selector.choose(&devices()?, from)?)
}

pub(crate) fn device(named: Option<&str>) -> Result<Device> {
    Ok(Device::open(&device_info(named)?)?)
}
