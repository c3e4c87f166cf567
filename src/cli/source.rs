//! From a hand-written kernel file to a program text: what `run` and `cache warm` share.

use super::Result;
use gristmill::cl_library::{
    Layer, Library, Manifest, Package, Piece, ProgramSource, Shard, default_depends_tag, library_pieces,
};
use gristmill::cl_runtime::{DEVICE_VARIABLE, Device, DeviceInfo, Selector, devices};
use std::path::{Path, PathBuf};

/// What every program starts with: without it a compiler may fuse `a * b + c`, and then a device's bits differ.
const CONFIGURATION: &str = "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n\
                             #pragma OPENCL FP_CONTRACT OFF\n";

#[derive(Debug, clap::Args)]
pub(crate) struct SourceArgs {
    /// A folder of annotated .cl files that the kernel may use; may be given more than once
    #[arg(long, value_name = "DIR")]
    library: Vec<PathBuf>,
    /// The annotation in which the kernel names what it needs of the libraries (default: `depends_LIB` and the like)
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// An option for the device's compiler, such as `-DN=3`; options that change results are refused
    #[arg(long = "option", value_name = "OPTION", allow_hyphen_values = true)]
    options: Vec<String>,
}

impl SourceArgs {
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

    /// Configuration, the prelude of the libraries' packages, the parts of the libraries that the kernel needs, the kernel.
    pub(crate) fn assemble(&self, kernel: &Path) -> Result<ProgramSource> {
        let shard = Shard::read(kernel)?;
        let mut pieces =
            vec![Piece { layer: Layer::Configuration, path: "gristmill/OPENCL.cl".into(), text: CONFIGURATION.into() }];
        let mut roots: Vec<Option<PathBuf>> = Vec::new();
        for dir in &self.library {
            if let Some(package) = Package::containing(dir)
                && !roots.contains(&package.root().map(Path::to_path_buf))
            {
                roots.push(package.root().map(Path::to_path_buf));
                if let Some(manifest) = Manifest::of_package(&package)? {
                    pieces.extend(manifest.load(&package)?);
                }
            }
        }
        for dir in &self.library {
            let library = Library::from_dir(dir)?;
            let tag = self.tag.clone().unwrap_or_else(|| default_depends_tag(&shard, library.name()));
            let wanted = shard.annotations().list(&tag);
            for piece in library_pieces(&library, &wanted)? {
                // What the prelude holds already is not defined twice.
                if !pieces.iter().any(|p| p.path == piece.path) {
                    pieces.push(piece);
                }
            }
        }
        pieces.push(Piece::new(Layer::Kernel, &shard));
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
