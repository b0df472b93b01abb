//! Files that are there in full or not at all.

use crate::exit::Failure;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A file in the making: it gets its name when it is complete, and is gone when
/// it never is. A program that is killed leaves the half-made file under its
/// temporary name, and the next one writes over it.
pub(crate) struct Replacing {
    target: PathBuf,
    temporary: PathBuf,
    file: File,
}

impl Replacing {
    /// Makes the file under its temporary name, `.partial` added to `target`.
    pub(crate) fn create(target: &Path) -> Result<Replacing, Failure> {
        let mut name = OsString::from(target);
        name.push(".partial");
        let temporary = PathBuf::from(name);
        if target.is_dir() {
            let why = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(Failure::writing(target.display(), &why));
        }
        let file =
            File::create(&temporary).map_err(|error| Failure::writing(target.display(), &error))?;
        Ok(Replacing { target: target.to_path_buf(), temporary, file })
    }

    /// Where to write.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Where it is until it is complete.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name, once all of it is on the disk.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let named = self.file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.target));
        named.map_err(|error| Failure::writing(self.target.display(), &error))
    }
}

impl Drop for Replacing {
    fn drop(&mut self) {
        // Renamed or not wanted: an error changes nothing.
        let _ = fs::remove_file(&self.temporary);
    }
}
