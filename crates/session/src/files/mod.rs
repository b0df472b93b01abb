//! Files that the program writes. Nothing else in the program makes, replaces or
//! locks one, so that one rule holds for every option that names a file:
//!
//! - A file that holds something is replaced only with `--force`, and gone on with
//!   only where that was asked for. An empty file has nothing to lose.
//! - What is no file, such as a device or a pipe, keeps its name: it is written to as
//!   it is, or refused where the result must be read again.
//! - A link stays a link: what it leads to is written. One that leads nowhere is refused.
//! - Nobody else writes to a file meanwhile: it is locked, and the second process is
//!   refused by the file's name.
//!
//! A [`Whole`] file is there in full or not at all. A [`Growing`] one takes line after
//! line, each of which is on the disk before it counts. A [`Folder`] takes many files.
//!
//! # Locks
//!
//! A lock holds for a file and not for its name, and a name can pass to another file.
//! So whoever holds a name holds locks on every file that has it or is about to:
//! a file is locked before it gets the name, and who has locked a file looks whether
//! it still has the name ([`open_locked`]). The system drops the locks of a process
//! that is killed; what it has left half-made is written over by the next one.

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

/// What becomes of a file that holds something already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays as it is, and the command is refused.
    Kept,
    /// It is replaced.
    Replaced,
    /// It is gone on with.
    Continued,
}

/// The option that lets files be replaced.
#[cfg_attr(feature = "args", derive(clap::Args))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Force {
    /// Replace files that exist
    #[cfg_attr(feature = "args", arg(long))]
    pub force: bool,
}

impl Force {
    /// What becomes of files that exist.
    pub fn existing(self) -> Existing {
        if self.force { Existing::Replaced } else { Existing::Kept }
    }
}

/// A file that the user has asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The option that names it.
    pub option: &'a str,
    /// The file's name.
    pub path: &'a Path,
    /// What becomes of a file of this name.
    pub existing: Existing,
    /// What it holds that --resume goes on with, where there is a --resume.
    pub resumable: Option<&'a str>,
}

/// What a path leads to.
enum Destination {
    /// A file, or the name of one that is not there yet.
    File(PathBuf),
    /// A device, a pipe or the like.
    Stream(PathBuf),
}

impl<'a> Asked<'a> {
    /// A file that cannot be gone on with.
    pub fn new(option: &'a str, path: &'a Path, force: Force) -> Asked<'a> {
        Asked { option, path, existing: force.existing(), resumable: None }
    }

    /// Where it is. Whether it may be replaced is not looked at.
    fn place(&self) -> Result<Destination, Trouble> {
        let name = self.path.display();
        if self.path == Path::new("-") {
            return Err(Trouble::Input(format!(
                "{} -: the standard output has the answer; give a file",
                self.option
            )));
        }
        // What is open already is not opened anew under the name that it may have.
        let open = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];
        if open.iter().any(|open| self.path.starts_with(open)) {
            return Ok(Destination::Stream(self.path.into()));
        }
        let path = match fs::symlink_metadata(self.path) {
            Ok(data) if data.is_symlink() => self.path.canonicalize().map_err(|_| {
                Trouble::Input(format!("{name} is a link that leads nowhere; give another name"))
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

    /// Refuses a file that holds something, unless it may be replaced or gone on
    /// with.
    fn check(&self, holds_something: bool) -> Result<(), Trouble> {
        if self.existing != Existing::Kept || !holds_something {
            return Ok(());
        }
        let resume = self.resumable.map(|what| format!("--resume goes on with the {what} in it, "));
        Err(Trouble::Input(format!(
            "{} exists already: {}--force replaces it, {} FILE takes another file",
            self.path.display(),
            resume.unwrap_or_default(),
            self.option
        )))
    }

    fn unwritable(&self, error: &io::Error) -> Trouble {
        Trouble::writing(self.path.display(), error)
    }
}

/// Opens the file that has this name, for nobody else to write to. `None` when
/// somebody else does.
fn open_locked(path: &Path, options: &OpenOptions) -> io::Result<Option<File>> {
    loop {
        let file = options.open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            // There are file systems without locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Before it was locked its name may have passed to another file.
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

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn has_name(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

fn busy(asked: &Asked<'_>) -> Trouble {
    Trouble::Input(format!("{}: another process is writing to it", asked.path.display()))
}

/// The name that a file has until it is complete.
fn temporary(target: &Path) -> PathBuf {
    let mut name = OsString::from(target);
    name.push(".partial");
    PathBuf::from(name)
}

/// How a file is opened that may be there or not.
fn create() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options
}

/// A file that is there in full or not at all. It is made under a temporary name
/// and gets its own when it is complete; nothing is left of one that never is. It
/// can be written several times, each in place of the last.
#[derive(Debug)]
pub struct Whole {
    /// The name that the user knows.
    name: PathBuf,
    target: PathBuf,
    temporary: PathBuf,
    /// The file in the making, under its temporary name; a stream.
    made: Option<File>,
    /// The file that has the target's name, locked.
    standing: Option<File>,
    is_stream: bool,
}

impl Whole {
    /// Claims a file, before there is work that could be lost: whatever keeps it
    /// from being written is an error now. What it holds stays until
    /// [`finish`](Whole::finish).
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
        // Who holds the target is not to meet us under the temporary name, which it
        // uses now and then. Once we hold that, the target is looked at again: the
        // last holder may have made it meanwhile.
        lock_standing(&target, &asked)?;
        let made = open_locked(&temporary, &create()).map_err(|error| asked.unwritable(&error))?;
        let made = Some(made.ok_or_else(|| busy(&asked))?);
        let mut whole = Whole { name, target, temporary, made, standing: None, is_stream: false };
        whole.standing = lock_standing(&whole.target, &asked)?;
        Ok(whole)
    }

    /// The same for a file that is to be read again, which no device is.
    pub fn claim_file(asked: Asked<'_>) -> Result<Whole, Trouble> {
        match asked.place()? {
            Destination::File(_) => Whole::claim(asked),
            Destination::Stream(_) => Err(Trouble::Input(format!(
                "{} is a device or a pipe; {} takes a file",
                asked.path.display(),
                asked.option
            ))),
        }
    }

    /// Where to write, from the beginning.
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

    /// Where it is until it is complete.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The file that has the name now.
    pub fn standing(&self) -> Option<&File> {
        self.standing.as_ref()
    }

    /// Gives the file its name, once all of it is on the disk.
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

    /// Writes all of it.
    pub fn write(&mut self, content: &[u8]) -> Result<(), Trouble> {
        let written = self.begin()?.write_all(content);
        written.map_err(|error| Trouble::writing(self.name.display(), &error))?;
        self.finish()
    }
}

/// Locks the file that has the target's name, if there is one, and looks whether
/// it may be replaced.
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
            // It is ours as long as we hold its lock. An error changes nothing.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// A file that takes line after line.
#[derive(Debug)]
pub struct Growing {
    /// The name that the user knows.
    name: PathBuf,
    target: PathBuf,
    file: File,
    /// What the first line must find in the file in place of what is there.
    kept: Option<Vec<u8>>,
    is_stream: bool,
}

impl Growing {
    /// Opens a file to add to it, or makes it. One that is to be replaced stays as
    /// it is until the first line.
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

    /// All that it holds and is to be gone on with.
    pub fn read(&mut self) -> Result<Vec<u8>, Trouble> {
        let mut bytes = Vec::new();
        if self.kept.is_none() && !self.is_stream {
            let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut bytes));
            read.map_err(|error| Trouble::reading(self.name.display(), &error))?;
        }
        Ok(bytes)
    }

    /// Keeps only this of what it holds. What else is there is gone with the next
    /// line, and not before: until then the file may turn out to be another run's.
    /// A stream holds nothing.
    pub fn keep(&mut self, kept: Vec<u8>) {
        self.kept = Some(kept).filter(|_| !self.is_stream);
    }

    /// Writes one JSON document on one line, in one piece; it is on the disk when
    /// this returns.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), Trouble> {
        self.line(json_line(value)?.trim_end_matches('\n'))
    }

    /// Writes one JSON document that is text already, without an end of line in it.
    pub fn line(&mut self, text: &str) -> Result<(), Trouble> {
        let line = format!("{text}\n");
        let written = self.cut().and_then(|()| self.file.write_all(line.as_bytes()));
        // Pipes and the like cannot be told to write through.
        let _ = self.file.sync_data();
        written.map_err(|error| Trouble::writing(self.name.display(), &error))
    }

    /// Puts what is kept in the place of all that there is.
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
        // Closing is not enough: a process that another thread is starting just now has
        // the file open for a moment, too. An error changes nothing.
        let _ = self.file.unlock();
    }
}

/// A folder for many files that nobody else writes into. Records in it are gone on
/// with, and what is made of them is made anew each time.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// A file without content, whose lock is the folder's.
    lock: PathBuf,
    _locked: File,
}

impl Folder {
    /// Makes the folder, or finds one that is empty or that this command has
    /// filled, as records (`.jsonl`) in it show.
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
                "{} holds files and no record of an earlier run: --force writes into it all the \
                 same, {option} DIR takes another folder",
                path.display()
            )));
        }
        let lock = path.join(".lock");
        match open_locked(&lock, &create()).map_err(unwritable)? {
            Some(locked) => Ok(Folder { path: path.to_path_buf(), lock, _locked: locked }),
            None => Err(Trouble::Input(format!(
                "{}: another process is writing into it",
                path.display()
            ))),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it that is made of its records.
    pub fn file(&self, name: &str) -> Result<Whole, Trouble> {
        let (option, existing) = ("--out", Existing::Replaced);
        Whole::claim(Asked { option, path: &self.path.join(name), existing, resumable: None })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // An error changes nothing: the next one takes it over.
        let _ = fs::remove_file(&self.lock);
    }
}

/// Refuses to write with this option where the input is read from.
pub fn check_distinct(option: &str, out: &Path, input: &Path) -> Result<(), Trouble> {
    match is_same(out, input) {
        true => Err(Trouble::Input(format!(
            "{option} {}: that is the file to read from; give another name",
            out.display()
        ))),
        false => Ok(()),
    }
}

/// Refuses to write two results to one file.
pub fn check_apart(option: &str, out: &Path, other: &Path) -> Result<(), Trouble> {
    match is_same(out, other) {
        true => Err(Trouble::Input(format!(
            "{option} {}: another option writes that file; give another name",
            out.display()
        ))),
        false => Ok(()),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        // Not there yet: the one would be written over the other. The standard
        // input and output are two.
        _ => one == other && one != Path::new("-"),
    }
}

/// One JSON document on one line.
pub fn json_line(value: &impl Serialize) -> Result<String, Trouble> {
    serde_json::to_string(value)
        .map(|text| text + "\n")
        .map_err(|error| Trouble::Failed(format!("cannot write JSON: {error}")))
}

/// Writes a file of rows whose fields are its columns.
pub fn csv_file<R: Serialize>(
    file: &mut Whole,
    rows: impl IntoIterator<Item = R>,
) -> Result<(), Trouble> {
    let failed = |error: String| Trouble::Failed(format!("cannot write a table: {error}"));
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
            assert!(refused.contains("x exists already: --resume goes on with"), "{refused}");
            assert!(refused.contains("--force replaces it, --out FILE takes another"), "{refused}");
        }
        // Nothing is lost before there is something new.
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
        // Before the first time, in between, and afterwards.
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

        // What a killed process has left is written over.
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
        assert!(refused.contains("a link that leads nowhere"), "{refused}");
        fs::write(&target, "old").unwrap();
        assert!(why(Whole::claim(asked(&link, Existing::Kept))).contains("exists already"));
        Whole::claim(asked(&link, Existing::Replaced)).unwrap().write(b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");

        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let is_pipe = || fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo();
        let refused = why(Whole::claim_file(asked(&pipe, Existing::Replaced)));
        assert!(refused.contains("pipe is a device or a pipe; --out takes a file"), "{refused}");
        assert!(is_pipe());
        // Opened from both sides: each waits for the other.
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
        assert!(why(claim(false)).contains("another process is writing into it"));
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
