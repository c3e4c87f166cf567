//! The secret with which programs on disk are signed: 32 random bytes in a file of this user's.
//!
//! It is kept apart from the programs. Whoever could once write to their folder still cannot sign one.

use crate::private_folder::PrivateFolder;
use std::io;
use std::path::{Path, PathBuf};

/// Signs what is kept on disk.
#[derive(Clone, Copy)]
pub(crate) struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// Who does not know the secret cannot make it.
    pub(crate) fn sign(&self, parts: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in parts {
            // Lengths keep ("ab", "c") and ("a", "bc") apart.
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
        hasher.finalize()
    }

    #[cfg(test)]
    pub(crate) fn of_byte(byte: u8) -> Secret {
        Secret([byte; 32])
    }

    /// Reads it, or makes it. Processes at once agree on one.
    pub(crate) fn read_or_make(file: &Path) -> io::Result<Secret> {
        let named = || io::Error::new(io::ErrorKind::InvalidInput, "names no file");
        let name = file.file_name().and_then(|n| n.to_str()).ok_or_else(named)?;
        let folder = PrivateFolder::create(file.parent().ok_or_else(named)?)?;
        // Twice: the second time it is there, ours or that of a process that was faster.
        for _ in 0..2 {
            match folder.read(name)? {
                Some(Ok(bytes)) if !folder.is_secret(name) => {
                    drop(bytes);
                    return Err(io::Error::new(
                        io::ErrorKind::PermissionDenied,
                        "others may read it: `chmod 600` mends it, or remove it",
                    ));
                }
                Some(Ok(bytes)) => match <[u8; 32]>::try_from(bytes) {
                    Ok(secret) => return Ok(Secret(secret)),
                    // Written by nobody that we know: every program is compiled once more.
                    Err(_) => folder.write(name, &random()?)?,
                },
                Some(Err(why)) => return Err(io::Error::new(io::ErrorKind::PermissionDenied, why)),
                None => {
                    folder.write_new(name, &random()?)?;
                }
            }
        }
        Err(io::Error::other("it is removed again and again"))
    }
}

fn random() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

/// `gristmill/program-cache.key` in the user's data folder (`~/.local/share` on Linux).
pub(crate) fn default_file() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.data_dir().join("gristmill").join("program-cache.key"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_and_threads_at_once_agree_on_one_secret() {
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("data/key");
        let secrets: Vec<[u8; 32]> = std::thread::scope(|scope| {
            let make = || Secret::read_or_make(&file).expect("private").0;
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
            threads.into_iter().map(|t| t.join().expect("no panic")).collect()
        });
        assert!(secrets.iter().all(|s| *s == secrets[0]) && secrets[0] != [0; 32]);
        assert_eq!(std::fs::read(&file).expect("kept"), secrets[0]);
        assert_eq!(std::fs::read_dir(dir.path().join("data")).expect("a folder").count(), 1, "no temporary file stays");
        // A file that is none is replaced.
        std::fs::write(&file, "short").expect("writable");
        assert_ne!(Secret::read_or_make(&file).expect("private").0, secrets[0]);
    }

    #[cfg(unix)]
    #[test]
    fn a_secret_that_others_may_read_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a folder");
        let file = dir.path().join("key");
        Secret::read_or_make(&file).expect("private");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("ours");
        let error = Secret::read_or_make(&file).expect_err("not secret").to_string();
        assert_eq!(error, "others may read it: `chmod 600` mends it, or remove it");
    }

    #[test]
    fn signatures_depend_on_the_secret_and_on_how_parts_are_cut() {
        let sign = |byte, parts: &[&[u8]]| Secret::of_byte(byte).sign(parts);
        assert_eq!(sign(1, &[b"ab", b"c"]), sign(1, &[b"ab", b"c"]));
        assert_ne!(sign(1, &[b"ab", b"c"]), sign(2, &[b"ab", b"c"]));
        assert_ne!(sign(1, &[b"ab", b"c"]), sign(1, &[b"a", b"bc"]));
    }
}
