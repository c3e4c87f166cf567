//! What a folder holds: to put it there, and to compare it.

use crate::process::Result;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// One entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Folder,
    /// Its mode and content.
    File(u32, Vec<u8>),
    Link(PathBuf),
}

/// Everything below a folder, by its path in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct State(BTreeMap<PathBuf, Entry>);

fn at(path: &Path) -> impl Fn(std::io::Error) -> String {
    let path = path.display().to_string();
    move |e| format!("`{path}`: {e}")
}

#[cfg(unix)]
fn mode(metadata: &fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o7777
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> u32 {
    0
}

impl State {
    /// Reads a folder.
    pub(super) fn of(folder: &Path) -> Result<State> {
        let mut state = State::default();
        state.add(folder, Path::new(""))?;
        Ok(state)
    }

    fn add(&mut self, root: &Path, below: &Path) -> Result {
        let folder = root.join(below);
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let entry = entry.map_err(at(&folder))?;
            let (path, name) = (entry.path(), below.join(entry.file_name()));
            let metadata = fs::symlink_metadata(&path).map_err(at(&path))?;
            let found = if metadata.is_dir() {
                self.add(root, &name)?;
                Entry::Folder
            } else if metadata.is_symlink() {
                Entry::Link(fs::read_link(&path).map_err(at(&path))?)
            } else {
                Entry::File(mode(&metadata), fs::read(&path).map_err(at(&path))?)
            };
            self.0.insert(name, found);
        }
        Ok(())
    }

    /// Makes a folder anew that holds this.
    pub(super) fn put(&self, folder: &Path) -> Result {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(at(folder))?;
        }
        fs::create_dir_all(folder).map_err(at(folder))?;
        for (name, entry) in &self.0 {
            let path = folder.join(name);
            match entry {
                Entry::Folder => fs::create_dir(&path),
                Entry::Link(target) => link(target, &path),
                Entry::File(mode, bytes) => fs::write(&path, bytes).and_then(|()| set_mode(&path, *mode)),
            }
            .map_err(at(&path))?;
        }
        Ok(())
    }

    /// Without the entries of this folder of it.
    pub(super) fn without(mut self, folder: &str) -> State {
        self.0.retain(|path, _| !path.starts_with(folder));
        self
    }

    /// Without what a command that was killed may leave for the next one: see docs/outputs.md.
    pub(super) fn without_temporaries(mut self) -> State {
        let is_temporary = |name: &std::ffi::OsStr| {
            let name = name.to_string_lossy();
            name.starts_with('.') && [".part", ".set", ".old"].iter().any(|end| name.ends_with(end))
        };
        self.0.retain(|path, _| !path.iter().any(is_temporary));
        self
    }

    /// What is different in this state from another, in words.
    pub(super) fn differences(&self, other: &State) -> String {
        let mut words = Vec::new();
        for (path, entry) in &self.0 {
            match other.0.get(path) {
                None => words.push(format!("+{}", path.display())),
                Some(there) if there != entry => words.push(format!("~{}", path.display())),
                Some(_) => {}
            }
        }
        words.extend(other.0.keys().filter(|p| !self.0.contains_key(*p)).map(|p| format!("-{}", p.display())));
        words.join(" ")
    }
}

#[cfg(unix)]
fn link(target: &Path, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}
