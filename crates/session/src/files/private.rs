//! Temporary folders private to a process.

use crate::Trouble;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A temporary folder with an unguessable name that no other user can read or write. It is removed
/// on drop.
#[derive(Debug)]
pub struct PrivateFolder {
    folder: tempfile::TempDir,
    /// A lock file, locked until the process ends.
    _lock: File,
}

impl PrivateFolder {
    const PREFIX: &str = "proofwood-";
    const LOCK: &str = "lock";

    /// Creates a folder, and removes those left behind by killed processes of this user.
    pub fn new() -> Result<PrivateFolder, Trouble> {
        let parent = std::env::temp_dir();
        let unusable = |error: io::Error| Trouble::writing(parent.display(), &error);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PrivateFolder::PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir_in(&parent).map_err(unusable)?;
        // Lock the file before it gets its final name, so that it never seems abandoned.
        let lock = File::create_new(folder.path().join("new")).map_err(unusable)?;
        let _ = lock.try_lock();
        fs::rename(folder.path().join("new"), folder.path().join(PrivateFolder::LOCK))
            .map_err(unusable)?;
        PrivateFolder::remove_abandoned(&parent, folder.path());
        Ok(PrivateFolder { folder, _lock: lock })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes folders left behind by killed processes of this user, whose locks are free. Failures
    /// are ignored.
    #[cfg(unix)]
    fn remove_abandoned(parent: &Path, own: &Path) {
        use std::os::unix::fs::MetadataExt;
        let user = |path: &Path| fs::symlink_metadata(path).ok().filter(|data| data.is_dir());
        let Some(own) = user(own).map(|data| data.uid()) else { return };
        for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
            let is_named =
                entry.file_name().as_encoded_bytes().starts_with(Self::PREFIX.as_bytes());
            let path = entry.path();
            if !is_named || user(&path).is_none_or(|data| data.uid() != own) {
                continue;
            }
            let lock = File::open(path.join(PrivateFolder::LOCK));
            if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(&path);
            }
        }
    }

    #[cfg(not(unix))]
    fn remove_abandoned(_: &Path, _: &Path) {}
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Checks that other users cannot read the folder, and that the next call of `new` removes
    /// abandoned folders.
    #[test]
    fn private_folders_are_private_and_do_not_pile_up() {
        use std::os::unix::fs::PermissionsExt;
        let one = PrivateFolder::new().unwrap();
        let mode = fs::metadata(one.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        // The lock of a killed process is free.
        let parent = one.path().parent().unwrap();
        let left = tempfile::Builder::new().prefix(PrivateFolder::PREFIX).tempdir_in(parent);
        let left = left.unwrap();
        fs::write(left.path().join(PrivateFolder::LOCK), "").unwrap();
        let strange = tempfile::Builder::new().prefix(PrivateFolder::PREFIX).tempdir_in(parent);
        let (strange, other) = (strange.unwrap(), PrivateFolder::new().unwrap());
        assert!(!left.path().exists());
        assert!(one.path().exists() && other.path().exists() && strange.path().exists());
        let path = one.path().to_path_buf();
        drop(one);
        assert!(!path.exists());
    }
}
