//! The book's page of results, whose certificates open in the explorer.

use crate::{Failure, root};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the certificates, relative to the book's pages.
const FOLDER: &str = "results";

/// Copies the certificates to the folder `site` of a page, each with a script that contains it,
/// because a page on disk may load scripts but not fetch files.
pub(crate) fn carry(site: &Path) -> Result<(), Failure> {
    let folder = site.join(FOLDER);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    for certificate in certificates()? {
        let bytes = fs::read(&certificate).map_err(failed)?;
        let place = folder.join(certificate.file_name().unwrap_or_default());
        fs::write(&place, &bytes).map_err(failed)?;
        let script = format!("certificate(\"{}\");\n", STANDARD.encode(&bytes));
        fs::write(format!("{}.js", place.display()), script).map_err(failed)?;
    }
    Ok(())
}

fn certificates() -> Result<Vec<PathBuf>, Failure> {
    let folder = root().join("docs").join("src").join(FOLDER);
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut certificates = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "proof") {
            certificates.push(path);
        }
    }
    certificates.sort();
    Ok(certificates)
}

/// Adds a link before each certificate on a page; the link opens the certificate in the explorer.
pub(crate) fn linked(page: &str, explorer: &str) -> String {
    let begins = format!("<a href=\"{FOLDER}/");
    let mut parts = page.split(&begins);
    let mut linked = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let file = part.split('"').next().unwrap_or_default();
        if file.ends_with(".proof") {
            linked += &format!("<a href=\"{explorer}#certificate={FOLDER}/{file}\">open</a> · ");
        }
        linked += &begins;
        linked += part;
    }
    linked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_open_in_the_explorer() {
        let page = "<p><a href=\"results/a.proof\">a.proof</a> <a href=\"results/b.csv\">b</a></p>";
        let expected = "<p><a href=\"x.html#certificate=results/a.proof\">open</a> · \
                        <a href=\"results/a.proof\">a.proof</a> <a href=\"results/b.csv\">b</a></p>";
        assert_eq!(linked(page, "x.html"), expected);
    }

    #[test]
    fn scripts_carry_all_of_a_certificate() {
        let site = std::env::temp_dir().join(format!("proofwood-results-{}", std::process::id()));
        carry(&site).unwrap();
        for certificate in certificates().unwrap() {
            let name = certificate.file_name().unwrap().to_str().unwrap();
            let place = site.join(FOLDER).join(name);
            let bytes = fs::read(&place).unwrap();
            assert_eq!(bytes, fs::read(&certificate).unwrap());
            let script = fs::read_to_string(format!("{}.js", place.display())).unwrap();
            let carried =
                script.strip_prefix("certificate(\"").and_then(|it| it.strip_suffix("\");\n"));
            assert_eq!(STANDARD.decode(carried.unwrap()).unwrap(), bytes);
        }
        fs::remove_dir_all(&site).unwrap();
    }
}
