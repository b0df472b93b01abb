//! The explorer as one HTML file that contains its engine as WebAssembly.

use crate::{Failure, TESTS, WORKSPACE, cargo, results, root, step};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The size limit of the compressed page, in bytes.
const MOST: usize = 3_000_000;
const TARGET: &str = "wasm32-unknown-unknown";
/// The compiler's flags for vector instructions that handle eight scores at a time, as in native
/// builds, and for a stack large enough for deep searches.
const FLAGS: &str = "-C target-feature=+simd128 -C link-arg=-zstack-size=4194304";

/// Builds the page into `target/page`; with `--test`, tests it in a browser.
pub(crate) fn run(arguments: &[String]) -> Result<(), Failure> {
    match arguments {
        [] => match build()? {
            Some(page) => {
                println!("{}", page.display());
                Ok(())
            }
            None => Err(NO_TARGET.into()),
        },
        [only] if only == "--test" => test(),
        _ => Err("usage: cargo xtask page [--test]".into()),
    }
}

const NO_TARGET: &str = "no compiler here makes WebAssembly: `rustup target add \
    wasm32-unknown-unknown`, or Debian's rustc-web, cargo-web, rust-web-src and lld";

/// Tests the page in Chromium; skips the test with a message if something is missing.
fn test() -> Result<(), Failure> {
    let skipped = |what: &str| {
        println!("==> the page is not tested in a browser: {what}");
        Ok(())
    };
    let Some(chromium) = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|program| runs(Command::new(program).arg("--version")))
    else {
        return skipped("no Chromium");
    };
    if !runs(Command::new("python3").arg("--version")) {
        return skipped("no python3");
    }
    let Some(page) = build()? else { return skipped(NO_TARGET) };
    // These tests write certificates for the page.
    let certificates = target().join("tmp").join("certificates");
    if !certificates.is_dir() {
        let tests = ["test", "--quiet", "--package", "proofwood-explorer", "--test", "suite"];
        step("certificates for the page", cargo(&[&tests[..], &["certificates::"]].concat()))?;
    }
    // The page is tested in the book's site, and as the program serves it.
    let site = folder().join("site");
    results::carry(&site)?;
    fs::copy(&page, site.join("proofwood.html")).map_err(|e| format!("{}: {e}", site.display()))?;
    // In the profile of the tests, most of it is built already.
    let program = [&["test"], WORKSPACE, TESTS, &["--quiet", "--no-run"]].concat();
    step("the program that serves the page", cargo(&program))?;
    let program = target().join("debug").join("proofwood");
    let mut script = Command::new("python3");
    script.arg(root().join("crates/explorer").join("tests").join("browser.py"));
    script.args([OsStr::new(chromium), site.as_os_str(), certificates.as_os_str()]);
    script.arg(program);
    step("the page in a browser", script)
}

/// Builds the page; returns its path, or `None` if no compiler can target WebAssembly.
fn build() -> Result<Option<PathBuf>, Failure> {
    let Some(mut engine) = compiler() else { return Ok(None) };
    engine.args(["build", "--quiet", "--package", "proofwood-explorer", "--lib"]);
    engine.args(["--profile", "page", "--target", TARGET]).arg("--target-dir").arg(folder());
    engine.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", FLAGS);
    step("the engine as WebAssembly", engine)?;
    let module = folder().join(TARGET).join("page").join("proofwood_explorer.wasm");
    let module = fs::read(&module).map_err(|e| format!("{}: {e}", module.display()))?;
    let packed = packed(&module)?;
    let sources = root().join("crates/explorer").join("page");
    let page = assemble(&|name| read(&sources.join(name)), &STANDARD.encode(&packed))?;
    let size = self::packed(page.as_bytes())?.len();
    println!(
        "WebAssembly {} bytes, {} compressed; the page {} bytes, {size} compressed",
        module.len(),
        packed.len(),
        page.len(),
    );
    if size > MOST {
        return Err(format!("the page has {size} bytes compressed, and may have {MOST}"));
    }
    let place = file();
    fs::write(&place, page).map_err(|e| format!("cannot write {}: {e}", place.display()))?;
    Ok(Some(place))
}

/// Returns a cargo that can target WebAssembly: this one if it has the target, else Debian's, which
/// compiles the standard library, too.
fn compiler() -> Option<Command> {
    if makes_wasm() {
        return Some(cargo(&[]));
    }
    let (rustc, cargo) = ("/usr/bin/rustc", "/usr/bin/cargo");
    let sources = Path::new(&told(Command::new(rustc).args(["--print", "sysroot"]))?)
        .join("lib/rustlib/src/rust/library/std");
    if !sources.is_dir() || !runs(Command::new(cargo).arg("--version")) {
        return None;
    }
    if !runs(Command::new("wasm-ld").arg("--version")) {
        return None;
    }
    let mut command = Command::new(cargo);
    command.current_dir(root());
    for inherited in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC_WRAPPER", "RUSTDOC"] {
        command.env_remove(inherited);
    }
    command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    command.arg("-Zbuild-std=std,panic_abort");
    Some(command)
}

/// Returns whether this compiler has the WebAssembly target.
pub(crate) fn makes_wasm() -> bool {
    let print = ["--print", "target-libdir", "--target", TARGET];
    let library = told(Command::new("rustc").args(print));
    library.is_some_and(|folder| Path::new(&folder).is_dir())
}

/// Inserts the style, the scripts and the engine (in base64) into the page; `file` reads the other
/// files.
fn assemble(
    file: &dyn Fn(&str) -> Result<String, Failure>,
    engine: &str,
) -> Result<String, Failure> {
    let mut page = String::new();
    for line in file("index.html")?.lines() {
        let quoted = |before: &str, after: &str| {
            let name = line.trim().strip_prefix(before)?.strip_suffix(after)?;
            Some(name.to_string())
        };
        if let Some(name) = quoted("<link rel=\"stylesheet\" href=\"", "\">") {
            page += &format!("<style>\n{}</style>", harmless(&file(&name)?, "</style"));
        } else if let Some(name) = quoted("<script src=\"", "\"></script>") {
            page += &format!("<script>\n{}</script>", harmless(&file(&name)?, "</script"));
        } else if line.contains("id=\"engine-worker\"></script>") {
            let worker = harmless(&file("worker.js")?, "</script");
            page += &line.replace("></script>", &format!(">\n{worker}</script>"));
        } else if line.contains("id=\"engine-wasm\"></script>") {
            page += &line.replace("></script>", &format!(">{engine}</script>"));
        } else {
            page += line;
        }
        page.push('\n');
    }
    match page.contains(engine) {
        true => Ok(page),
        false => {
            Err("crates/explorer/page/index.html has no element 'engine-wasm' on one line".into())
        }
    }
}

/// Escapes a text for an element that `end` would close; in scripts and in styles, a backslash
/// prevents that.
fn harmless(text: &str, end: &str) -> String {
    text.replace(end, &end.replace('/', "\\/"))
}

fn packed(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let packed = packer.write_all(bytes).and_then(|()| packer.finish());
    packed.map_err(|error| format!("cannot compress: {error}"))
}

fn folder() -> PathBuf {
    root().join("target").join("page")
}

pub(crate) fn file() -> PathBuf {
    folder().join("proofwood.html")
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))
}

/// Returns the output of a program, if it succeeds.
fn told(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).output().ok().filter(|it| it.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn runs(command: &mut Command) -> bool {
    told(command).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_put_together() {
        let file = |name: &str| {
            Ok(match name {
                "index.html" => {
                    "<link rel=\"stylesheet\" href=\"a.css\">\n\
                     <script type=\"text/plain\" id=\"engine-worker\"></script>\n\
                     <script type=\"text/plain\" id=\"engine-wasm\"></script>\n\
                     <script src=\"b.js\"></script>\n"
                }
                "b.js" => "f('</script>');\n",
                name => name,
            }
            .to_string())
        };
        let page = assemble(&file, "AAAA").unwrap();
        let expected = "<style>\na.css</style>\n\
                        <script type=\"text/plain\" id=\"engine-worker\">\nworker.js</script>\n\
                        <script type=\"text/plain\" id=\"engine-wasm\">AAAA</script>\n\
                        <script>\nf('<\\/script>');\n</script>\n";
        assert_eq!(page, expected);
        assert!(assemble(&|_| Ok(String::new()), "AAAA").is_err());
    }
}
