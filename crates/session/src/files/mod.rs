//! Files that the program writes. No other part of the program creates, replaces or locks files, so
//! the same rules hold for every option that names a file:
//!
//! - A file with contents is replaced only with `--force`, and continued only on request. An empty
//!   file may always be overwritten.
//! - A device or a pipe is written to directly, or refused if the result must be read again.
//! - A symbolic link is followed: its target is written, and the link remains. A broken link is
//!   refused.
//! - A file is locked while it is open. A second process that tries to write it is refused.
//!
//! A [`Whole`] file is either complete or absent. A [`Growing`] file is written line by line, and
//! each line is synced to disk before it counts. A [`Folder`] contains many files.
//!
//! # Locks
//!
//! A lock belongs to a file rather than to its name, and the name can be moved to another file. A
//! process therefore claims a name by locking every file that has it or is about to receive it. A
//! file is locked before it is renamed to that name, and after locking a file we check that it
//! still has the name (`open_locked`). The system releases the locks of a killed process; the next
//! process overwrites its incomplete files.

#[cfg(feature = "private-folders")]
mod private;

#[cfg(feature = "private-folders")]
pub use private::PrivateFolder;

use crate::Trouble;
use serde::Serialize;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The treatment of an existing file that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Keep the file and refuse the command.
    Kept,
    /// Replace the file.
    Replaced,
    /// Append to the file.
    Continued,
}

/// The option that allows existing files to be replaced.
#[cfg_attr(feature = "args", derive(clap::Args))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Force {
    /// Replace files that exist
    #[cfg_attr(feature = "args", arg(long))]
    pub force: bool,
}

impl Force {
    /// Returns what to do with existing files.
    pub fn existing(self) -> Existing {
        if self.force { Existing::Replaced } else { Existing::Kept }
    }
}

/// A file named by an option.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The option that names the file, for error messages.
    pub option: &'a str,
    /// The path of the file.
    pub path: &'a Path,
    /// The treatment of an existing file.
    pub existing: Existing,
    /// The results that `--resume` would continue, for error messages; `None` if the command has no
    /// such option.
    pub resumable: Option<&'a str>,
}

enum Destination {
    File(PathBuf),
    Stream(PathBuf),
}

impl<'a> Asked<'a> {
    /// Describes a file that cannot be resumed.
    pub fn new(option: &'a str, path: &'a Path, force: Force) -> Asked<'a> {
        Asked { option, path, existing: force.existing(), resumable: None }
    }

    /// Resolves the path. Does not check whether the file may be replaced.
    fn place(&self) -> Result<Destination, Trouble> {
        let name = self.path.display();
        if self.path == Path::new("-") {
            return Err(Trouble::Input(format!(
                "{} -: the answer goes to standard output; give a file",
                self.option
            )));
        }
        // These names stand for open files, which must not be resolved to other names.
        let open = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];
        if open.iter().any(|open| self.path.starts_with(open)) {
            return Ok(Destination::Stream(self.path.into()));
        }
        let path = match fs::symlink_metadata(self.path) {
            Ok(data) if data.is_symlink() => self.path.canonicalize().map_err(|_| {
                Trouble::Input(format!("{name} is a broken link; give another name"))
            })?,
            _ => self.path.to_path_buf(),
        };
        match fs::metadata(&path) {
            Ok(data) if data.is_dir() => {
                Err(Trouble::writing(name, &io::ErrorKind::IsADirectory.into()))
            }
            Ok(data) if !data.is_file() => Ok(Destination::Stream(path)),
            _ => Ok(Destination::File(path)),
        }
    }

    /// Refuses a file with contents unless it may be replaced or continued.
    fn check(&self, holds_something: bool) -> Result<(), Trouble> {
        if self.existing != Existing::Kept || !holds_something {
            return Ok(());
        }
        let resume = self.resumable.map(|what| format!("--resume continues the {what} in it, "));
        Err(Trouble::Input(format!(
            "{} already exists: {}--force replaces it, and {} FILE writes to another file",
            self.path.display(),
            resume.unwrap_or_default(),
            self.option
        )))
    }

    fn unwritable(&self, error: &io::Error) -> Trouble {
        Trouble::writing(self.path.display(), error)
    }
}

/// Opens the file at this path and locks it. Returns `None` if another process holds the lock.
fn open_locked(path: &Path, options: &OpenOptions) -> io::Result<Option<File>> {
    loop {
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // Some file systems do not support locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // The name may have been moved to another file before we locked this one.
        if has_name(&file, path)? {
            return Ok(Some(file));
        }
    }
}

#[cfg(unix)]
fn has_name(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        found => found?,
    };
    let own = file.metadata()?;
    Ok((own.dev(), own.ino()) == (found.dev(), found.ino()))
}

/// On other systems an open file keeps its name.
#[cfg(not(unix))]
fn has_name(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

fn busy(asked: &Asked<'_>) -> Trouble {
    Trouble::Input(format!("{}: another process is writing to this file", asked.path.display()))
}

/// Returns the temporary name that a file has until it is complete.
fn temporary(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(".partial");
    PathBuf::from(name)
}

/// Returns the options for opening a file that may or may not exist.
fn create() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options
}

/// A file that is either complete or absent. It is written under a temporary name and renamed when
/// it is complete. An incomplete file is removed on drop. The file can be written repeatedly; each
/// complete version replaces the last.
#[derive(Debug)]
pub struct Whole {
    /// The path shown in messages.
    name: PathBuf,
    target: PathBuf,
    temporary: PathBuf,
    /// The incomplete file under its temporary name, or the stream.
    made: Option<File>,
    /// The locked file that currently has the target's name.
    standing: Option<File>,
    is_stream: bool,
}

impl Whole {
    /// Claims a file before its contents are computed, so that an unwritable file is reported
    /// before any work is lost. The old contents remain until [`finish`](Whole::finish).
    pub fn claim(asked: Asked<'_>) -> Result<Whole, Trouble> {
        let name = asked.path.to_path_buf();
        let target = match asked.place()? {
            Destination::File(target) => target,
            Destination::Stream(target) => {
                let made = File::options().append(true).open(&target);
                let made = Some(made.map_err(|error| asked.unwritable(&error))?);
                let (temporary, standing) = (PathBuf::new(), None);
                return Ok(Whole { name, target, temporary, made, standing, is_stream: true });
            }
        };
        let temporary = temporary(&target);
        // A process that has locked the target also locks the temporary file at times, so we lock
        // the target first. Once the temporary file is locked, we lock the target again, because
        // the previous holder may have replaced it in the meantime.
        lock_standing(&target, &asked)?;
        let made = open_locked(&temporary, &create()).map_err(|error| asked.unwritable(&error))?;
        let made = Some(made.ok_or_else(|| busy(&asked))?);
        let mut whole = Whole { name, target, temporary, made, standing: None, is_stream: false };
        whole.standing = lock_standing(&whole.target, &asked)?;
        Ok(whole)
    }

    /// Claims a file like [`claim`](Whole::claim), but refuses a device or a pipe, which cannot be
    /// read again.
    pub fn claim_file(asked: Asked<'_>) -> Result<Whole, Trouble> {
        match asked.place()? {
            Destination::File(_) => Whole::claim(asked),
            Destination::Stream(_) => Err(Trouble::Input(format!(
                "{} is a device or a pipe; {} needs a regular file",
                asked.path.display(),
                asked.option
            ))),
        }
    }

    /// Empties the temporary file and returns it for writing.
    pub fn begin(&mut self) -> Result<&mut File, Trouble> {
        let unwritable = |error: &io::Error| Trouble::writing(self.name.display(), error);
        let mut file = match self.made.take() {
            Some(file) => file,
            None => open_locked(&self.temporary, &create())
                .map_err(|error| unwritable(&error))?
                .ok_or_else(|| unwritable(&io::ErrorKind::ResourceBusy.into()))?,
        };
        if !self.is_stream {
            let empty = file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
            empty.map_err(|error| unwritable(&error))?;
        }
        Ok(self.made.insert(file))
    }

    /// Returns the path of the file while it is incomplete.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Returns the complete file, if there is one.
    pub fn standing(&self) -> Option<&File> {
        self.standing.as_ref()
    }

    /// Syncs the file to disk and renames it to its final name.
    pub fn finish(&mut self) -> Result<(), Trouble> {
        let Some(made) = &self.made else { return Ok(()) };
        if self.is_stream {
            return Ok(());
        }
        let named = made.sync_all().and_then(|()| fs::rename(&self.temporary, &self.target));
        named.map_err(|error| Trouble::writing(self.name.display(), &error))?;
        self.standing = self.made.take();
        Ok(())
    }

    /// Writes the whole content and finishes the file.
    pub fn write(&mut self, content: &[u8]) -> Result<(), Trouble> {
        let written = self.begin()?.write_all(content);
        written.map_err(|error| Trouble::writing(self.name.display(), &error))?;
        self.finish()
    }
}

/// Locks the existing file at `target`, if any, and checks that it may be replaced.
fn lock_standing(target: &Path, asked: &Asked<'_>) -> Result<Option<File>, Trouble> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    match open_locked(target, &options) {
        Ok(Some(file)) => {
            let length = file.metadata().map_err(|error| asked.unwritable(&error))?.len();
            asked.check(length > 0)?;
            Ok(Some(file))
        }
        Ok(None) => Err(busy(asked)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(asked.unwritable(&error)),
    }
}

impl Drop for Whole {
    fn drop(&mut self) {
        if self.made.is_some() && !self.is_stream {
            // We hold its lock, so the file is ours. A failure is harmless.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A file to which lines are appended.
#[derive(Debug)]
pub struct Growing {
    /// The path shown in messages.
    name: PathBuf,
    target: PathBuf,
    file: File,
    /// The contents that the file is to keep; the rest is removed before the next line is written.
    kept: Option<Vec<u8>>,
    is_stream: bool,
}

impl Growing {
    /// Opens a file for appending, or creates it. A file to be replaced keeps its contents until
    /// the first line is written.
    pub fn open(asked: Asked<'_>) -> Result<Growing, Trouble> {
        let unwritable = |error: io::Error| asked.unwritable(&error);
        let name = asked.path.to_path_buf();
        let target = match asked.place()? {
            Destination::File(target) => target,
            Destination::Stream(target) => {
                let file = File::options().append(true).open(&target).map_err(unwritable)?;
                return Ok(Growing { name, target, file, kept: None, is_stream: true });
            }
        };
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let file = open_locked(&target, &options).map_err(unwritable)?;
        let file = file.ok_or_else(|| busy(&asked))?;
        asked.check(file.metadata().map_err(unwritable)?.len() > 0)?;
        let kept = (asked.existing == Existing::Replaced).then(Vec::new);
        Ok(Growing { name, target, file, kept, is_stream: false })
    }

    /// Returns the contents to be continued; empty for a stream or a file to be replaced.
    pub fn read(&mut self) -> Result<Vec<u8>, Trouble> {
        let mut bytes = Vec::new();
        if self.kept.is_none() && !self.is_stream {
            let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut bytes));
            read.map_err(|error| Trouble::reading(self.name.display(), &error))?;
        }
        Ok(bytes)
    }

    /// Discards all contents except `kept`. The file is cut only when the next line is written,
    /// because until then it may turn out to belong to another run. Has no effect on a stream.
    pub fn keep(&mut self, kept: Vec<u8>) {
        self.kept = Some(kept).filter(|_| !self.is_stream);
    }

    /// Writes a JSON document as one line, and syncs it to disk.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Trouble> {
        self.line(json_line(value)?.trim_end_matches('\n'))
    }

    /// Writes a line of text, which must not contain a line feed, and syncs it to disk.
    pub fn line(&mut self, text: &str) -> Result<(), Trouble> {
        let line = format!("{text}\n");
        let written = self.cut().and_then(|()| self.file.write_all(line.as_bytes()));
        // Pipes and devices cannot be synced.
        let _ = self.file.sync_data();
        written.map_err(|error| Trouble::writing(self.name.display(), &error))
    }

    /// Replaces the contents with those to be kept.
    fn cut(&mut self) -> io::Result<()> {
        let Some(kept) = &self.kept else { return Ok(()) };
        let temporary = temporary(&self.target);
        let made = open_locked(&temporary, &create())?;
        let mut made = made.ok_or(io::ErrorKind::ResourceBusy)?;
        let replaced = made
            .set_len(0)
            .and_then(|()| made.write_all(kept))
            .and_then(|()| made.sync_all())
            .and_then(|()| fs::rename(&temporary, &self.target));
        if replaced.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        replaced?;
        (self.file, self.kept) = (made, None);
        Ok(())
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that another thread is about to start may
        // inherit it for a moment. A failure is harmless.
        let _ = self.file.unlock();
    }
}

/// A folder for many files, locked against other processes. Records in it are continued, and files
/// computed from them are replaced.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// An empty file whose lock protects the folder.
    lock: PathBuf,
    _locked: File,
}

impl Folder {
    /// Creates the folder, or claims an existing one. Unless `force` is given, an existing folder
    /// must be empty or contain records (`.jsonl`) of an earlier run.
    pub fn claim(option: &str, path: &Path, force: Force) -> Result<Folder, Trouble> {
        let unwritable = |error: io::Error| Trouble::writing(path.display(), &error);
        fs::create_dir_all(path).map_err(unwritable)?;
        let names: io::Result<Vec<OsString>> =
            fs::read_dir(path).map_err(unwritable)?.map(|entry| Ok(entry?.file_name())).collect();
        let names = names.map_err(unwritable)?;
        let is_visible = |name: &&OsString| !name.as_encoded_bytes().starts_with(b".");
        let is_ours = names.iter().any(|name| name.as_encoded_bytes().ends_with(b".jsonl"));
        if names.iter().any(|name| is_visible(&name)) && !is_ours && !force.force {
            return Err(Trouble::Input(format!(
                "{} contains files but no record of an earlier run: --force writes into it anyway, \
                 and {option} DIR uses another folder",
                path.display()
            )));
        }
        let lock = path.join(".lock");
        match open_locked(&lock, &create()).map_err(unwritable)? {
            Some(locked) => Ok(Folder { path: path.to_path_buf(), lock, _locked: locked }),
            None => Err(Trouble::Input(format!(
                "{}: another process is writing to this folder",
                path.display()
            ))),
        }
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Claims a file in the folder that is computed from its records.
    pub fn file(&self, name: &str) -> Result<Whole, Trouble> {
        let (option, existing) = ("--out", Existing::Replaced);
        Whole::claim(Asked { option, path: &self.path.join(name), existing, resumable: None })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A failure is harmless: the next process reuses the file.
        let _ = fs::remove_file(&self.lock);
    }
}

/// Refuses an output that is the same file as the input.
pub fn check_distinct(option: &str, out: &Path, input: &Path) -> Result<(), Trouble> {
    match is_same(out, input) {
        true => Err(Trouble::Input(format!(
            "{option} {}: this is the input file; give another name",
            out.display()
        ))),
        false => Ok(()),
    }
}

/// Refuses an output that is the same file as another output.
pub fn check_apart(option: &str, out: &Path, other: &Path) -> Result<(), Trouble> {
    match is_same(out, other) {
        true => Err(Trouble::Input(format!(
            "{option} {}: another option writes to this file; give another name",
            out.display()
        ))),
        false => Ok(()),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        // One of them does not exist yet. If the paths are equal, one would overwrite the other,
        // except that `-` means standard input for one and standard output for the other.
        _ => one == other && one != Path::new("-"),
    }
}

/// Formats a value as JSON on one line, with the line feed.
pub fn json_line(value: &impl Serialize) -> Result<String, Trouble> {
    serde_json::to_string(value)
        .map(|text| text + "\n")
        .map_err(|error| Trouble::Failed(format!("cannot write JSON: {error}")))
}

/// Writes rows as CSV with a column for each field.
pub fn csv_file<R: Serialize>(
    file: &mut Whole,
    rows: impl IntoIterator<Item = R>,
) -> Result<(), Trouble> {
    let failed = |error: String| Trouble::Failed(format!("cannot write CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(|error| failed(error.to_string()))?;
    }
    let text = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    file.write(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let name = format!("proofwood-files-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn asked(path: &Path, existing: Existing) -> Asked<'_> {
        Asked { option: "--out", path, existing, resumable: Some("results") }
    }

    fn why<T>(result: Result<T, Trouble>) -> String {
        match result {
            Ok(_) => panic!("it must be refused"),
            Err(failure) => failure.to_string(),
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| name(e).into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_holds_something_is_replaced_only_where_that_is_asked_for() {
        let folder = folder("kept");
        let path = folder.join("x");
        fs::write(&path, "a diary").unwrap();
        for refused in [
            why(Whole::claim(asked(&path, Existing::Kept))),
            why(Growing::open(asked(&path, Existing::Kept))),
        ] {
            assert!(refused.contains("x already exists: --resume continues"), "{refused}");
            assert!(
                refused.contains("--force replaces it, and --out FILE writes to another"),
                "{refused}"
            );
        }
        // The old contents stay until the first write.
        drop(Whole::claim(asked(&path, Existing::Replaced)).unwrap());
        drop(Growing::open(asked(&path, Existing::Replaced)).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "a diary");
        Whole::claim(asked(&path, Existing::Replaced)).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        Growing::open(asked(&path, Existing::Replaced)).unwrap().json(&1).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n");
        Growing::open(asked(&path, Existing::Continued)).unwrap().json(&2).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "1\n2\n");
        assert_eq!(names(&folder), ["x"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn one_writes_and_the_second_is_refused() {
        let folder = folder("locked");
        let path = folder.join("x");
        let second = |why: String| assert!(why.contains("x: another process is writing"), "{why}");
        let refused = || {
            second(why(Whole::claim(asked(&path, Existing::Replaced))));
            if path.exists() {
                second(why(Growing::open(asked(&path, Existing::Continued))));
            }
        };
        // A second writer is refused before the first write, between writes, and after the last.
        let mut whole = Whole::claim(asked(&path, Existing::Kept)).unwrap();
        refused();
        whole.write(b"1").unwrap();
        refused();
        whole.begin().unwrap().write_all(b"2").unwrap();
        refused();
        whole.finish().unwrap();
        refused();
        assert_eq!((fs::read_to_string(&path).unwrap(), names(&folder).len()), ("2".into(), 1));
        drop(whole);

        let mut growing = Growing::open(asked(&path, Existing::Continued)).unwrap();
        refused();
        growing.keep(b"kept\n".to_vec());
        growing.json(&3).unwrap();
        refused();
        growing.json(&4).unwrap();
        drop(growing);
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept\n3\n4\n");

        // The incomplete file of a killed process is overwritten.
        fs::write(folder.join("x.partial"), "half-made and long").unwrap();
        Whole::claim(asked(&path, Existing::Replaced)).unwrap().write(b"5").unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap(), names(&folder).len()), ("5".into(), 1));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_pipes_keep_their_names() {
        use std::os::unix::fs::{FileTypeExt, symlink};
        let folder = folder("special");
        let (link, target) = (folder.join("link"), folder.join("target"));
        symlink(&target, &link).unwrap();
        let refused = why(Whole::claim(asked(&link, Existing::Replaced)));
        assert!(refused.contains("a broken link"), "{refused}");
        fs::write(&target, "old").unwrap();
        assert!(why(Whole::claim(asked(&link, Existing::Kept))).contains("already exists"));
        Whole::claim(asked(&link, Existing::Replaced)).unwrap().write(b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");

        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let is_pipe = || fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo();
        let refused = why(Whole::claim_file(asked(&pipe, Existing::Replaced)));
        assert!(
            refused.contains("pipe is a device or a pipe; --out needs a regular file"),
            "{refused}"
        );
        assert!(is_pipe());
        // Opening a pipe blocks until the other end is opened, too.
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        Whole::claim(asked(&pipe, Existing::Kept)).unwrap().write(b"all").unwrap();
        assert_eq!(reader.join().unwrap(), "all");
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        let mut growing = Growing::open(asked(&pipe, Existing::Kept)).unwrap();
        growing.keep(Vec::new());
        growing.json(&1).unwrap();
        drop(growing);
        assert_eq!(reader.join().unwrap(), "1\n");
        assert!(is_pipe());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_folder_is_new_or_ours() {
        let folder = folder("folder");
        let claim = |force| Folder::claim("--out", &folder, Force { force });
        let first = claim(false).unwrap();
        assert!(why(claim(false)).contains("another process is writing to this folder"));
        drop(first);
        assert_eq!(names(&folder).len(), 0);
        fs::write(folder.join(".hidden"), "").unwrap();
        drop(claim(false).unwrap());
        fs::write(folder.join("letter.txt"), "").unwrap();
        assert!(why(claim(false)).contains("no record of an earlier run: --force"));
        drop(claim(true).unwrap());
        fs::write(folder.join("runs.jsonl"), "").unwrap();
        let ours = claim(false).unwrap();
        for content in ["1", "2"] {
            ours.file("figure").unwrap().write(content.as_bytes()).unwrap();
        }
        assert_eq!(fs::read_to_string(folder.join("figure")).unwrap(), "2");
        fs::remove_dir_all(&folder).unwrap();
    }
}
