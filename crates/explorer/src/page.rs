//! The page's own files, for a program that serves them together with the engine.
//!
//! As a single file, made by `cargo xtask page`, the page contains its engine. Here it sends
//! requests to the server that it comes from.

/// The tag with which the page states where its engine runs: in the page itself, or behind the
/// server.
const IN_THE_PAGE: &str = r#"<meta name="engine" content="page">"#;
const BEHIND_THE_SERVER: &str = r#"<meta name="engine" content="http">"#;

const INDEX: &str = include_str!("../page/index.html");

macro_rules! parts {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!("../page/", $name)))),+]
    };
}

const PARTS: &[(&str, &str)] = parts! {
    "style.css" "dom.js" "transport.js" "figures.js" "pieces.js" "board.js" "moves.js" "tree.js"
    "proof.js" "address.js" "main.js"
};

/// Returns the page, set up to use the engine of the server that sends it.
pub fn over_http() -> String {
    INDEX.replace(IN_THE_PAGE, BEHIND_THE_SERVER)
}

/// Returns the media type and the text of a part of the page; `None` if there is no such part.
pub fn part(name: &str) -> Option<(&'static str, &'static str)> {
    let (name, text) = PARTS.iter().find(|(known, _)| *known == name)?;
    let kind = if name.ends_with(".css") { "text/css" } else { "text/javascript" };
    Some((kind, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_all_its_parts() {
        let page = over_http();
        assert!(page.contains(BEHIND_THE_SERVER) && !page.contains(IN_THE_PAGE));
        let named = page.split("src=\"").chain(page.split("href=\"")).filter_map(|rest| {
            let name = rest.split('"').next()?;
            (name.ends_with(".js") || name.ends_with(".css")).then_some(name)
        });
        for name in named {
            assert!(part(name).is_some_and(|(_, text)| !text.is_empty()), "{name}");
        }
        assert!(part("../Cargo.toml").is_none());
    }
}
