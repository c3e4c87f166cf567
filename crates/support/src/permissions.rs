//! Who may read and write what takes the place of something else.
//!
//! Kept are the mode (without set-user and set-group bits, which new content has not earned), the owner and the group where
//! we may set them, and on Linux the access control list. Not kept are other extended attributes: labels, capabilities,
//! `user.*`. Where the group or the list cannot be kept, the group gets no more than everybody has.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Gives a file or folder that was made with [`narrow_mode`] the permissions of the one at `path` whose place it will take.
/// At no moment may somebody open it who may not open the other.
#[cfg(unix)]
pub(crate) fn adopt(file: &File, path: &Path, replaced: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let mut mode = replaced.mode() & 0o777;
    let mut narrow = false;
    if own.gid() != replaced.gid() {
        narrow |= fchown(file, None, Some(replaced.gid())).is_err();
    }
    if own.uid() != replaced.uid() {
        // Only root may; anybody else's file is then simply theirs.
        let _ = fchown(file, Some(replaced.uid()), None);
    }
    let list = access_list(path);
    // With a list, the group's bits are the most that anybody on the list has, not what the group has.
    narrow |= list.is_some();
    if narrow {
        mode = mode & !0o070 | (mode & 0o007) << 3 & mode;
    }
    if file.metadata()?.mode() & 0o7777 != mode {
        file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    if let Some(list) = list {
        // If it cannot be set, the narrower mode stays.
        let _ = set_access_list(file, &list);
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn adopt(_: &File, _: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// The mode to make something with that will take the place of `replaced`: until [`adopt`], only its owner has it.
#[cfg(unix)]
pub(crate) fn narrow_mode(replaced: &Metadata) -> u32 {
    use std::os::unix::fs::MetadataExt;
    replaced.mode() & 0o700
}

/// What [`adopt`] would give differs from what it gave before.
#[cfg(unix)]
pub(crate) fn differ(before: &Metadata, now: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (before.mode(), before.uid(), before.gid()) != (now.mode(), now.uid(), now.gid())
}

#[cfg(not(unix))]
pub(crate) fn differ(_: &Metadata, _: &Metadata) -> bool {
    false
}

#[cfg(target_os = "linux")]
const ACCESS_LIST: &str = "system.posix_acl_access";

#[cfg(target_os = "linux")]
fn access_list(path: &Path) -> Option<Vec<u8>> {
    let size = rustix::fs::lgetxattr_query(path, ACCESS_LIST).ok()?;
    let mut list = vec![0; size];
    let size = rustix::fs::lgetxattr(path, ACCESS_LIST, &mut list[..]).ok()?;
    list.truncate(size);
    Some(list)
}

#[cfg(target_os = "linux")]
fn set_access_list(file: &File, list: &[u8]) -> io::Result<()> {
    Ok(rustix::fs::fsetxattr(file, ACCESS_LIST, list, rustix::fs::XattrFlags::empty())?)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn access_list(_: &Path) -> Option<Vec<u8>> {
    None
}

#[cfg(all(unix, not(target_os = "linux")))]
fn set_access_list(_: &File, _: &[u8]) -> io::Result<()> {
    Ok(())
}
