//! Writes outlines as one self-contained HTML file without scripts, in which readers can expand and
//! collapse positions.

use super::{Node, Outline, word};
use std::collections::HashSet;
use std::fmt::Write;

const STYLE: &str = include_str!("outline.css");
/// Positions at a depth below this are initially expanded.
const OPEN: usize = 1;

/// Writes outlines as a page; `about` contains facts about their source.
pub fn html(title: &str, about: &[(&str, String)], outlines: &[Outline]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Proofwood {}\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(title),
        escaped(title),
    );
    page.push_str("<dl>\n");
    for (name, text) in about {
        let _ = writeln!(page, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(text));
    }
    page.push_str("</dl>\n");
    for (place, outline) in outlines.iter().enumerate() {
        let _ = writeln!(page, "<section>\n<h2>{}</h2>", escaped(&outline.title));
        write_tree(&mut page, place, outline);
        page.push_str("</section>\n");
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

/// Writes the nodes as nested elements, with a stack of steps instead of recursion.
fn write_tree(page: &mut String, place: usize, outline: &Outline) {
    enum Step {
        Open(usize),
        Close(usize),
    }
    let depths = outline.depths();
    // The targets of links; a browser expands the positions that contain them.
    let targets: HashSet<usize> = outline.nodes.iter().filter_map(Node::target).collect();
    let mut steps = vec![Step::Open(0)];
    while let Some(step) = steps.pop() {
        match step {
            Step::Open(number) => {
                let node = &outline.nodes[number];
                let open = if depths[number] < OPEN { " open" } else { "" };
                let class = word(node.value);
                let id = match targets.contains(&number) {
                    true => format!(" id=\"p{place}-{number}\""),
                    false => String::new(),
                };
                let summary = summary(node, &outline.players, place);
                let _ = writeln!(page, "<details{open}{id} class=\"{class}\">{summary}");
                steps.push(Step::Close(number));
                steps.extend(node.children.iter().rev().map(|&child| Step::Open(child)));
            }
            Step::Close(number) => {
                if let Some(more) = outline.nodes[number].more_text() {
                    let _ = writeln!(page, "<p>{more}</p>");
                }
                page.push_str("</details>\n");
            }
        }
    }
}

/// Writes a move with its figures, and the position after it.
fn summary(node: &Node, players: &[String], place: usize) -> String {
    let mv = if node.mv.is_empty() { "Position" } else { &node.mv };
    let mut text = String::from("<summary>");
    if let Some(name) = node.player.and_then(|player| players.get(player)) {
        let _ = write!(text, "<em>{}</em> ", escaped(name));
    }
    let _ = write!(text, "<b>{}</b>", escaped(mv));
    if let Some(share) = node.share {
        let _ = write!(text, "<i style=\"width:{:.1}em\"></i>", 6.0 * share.clamp(0.0, 1.0));
    }
    if word(node.value) != "open" {
        let _ = write!(text, " <strong>{}</strong>", word(node.value));
    }
    for (name, fact) in &node.facts {
        let _ = write!(text, " <span>{} {}</span>", escaped(name), escaped(fact));
    }
    text.push_str("</summary>");
    if !node.board.trim().is_empty() {
        let _ = write!(text, "\n<pre>{}</pre>", escaped(node.board.trim_end()));
    }
    if !node.turn.is_empty() {
        let _ = write!(text, "\n<p>{}</p>", escaped(&node.turn));
    }
    if let Some(note) = &node.note {
        let note = match node.target() {
            Some(number) => format!("<a href=\"#p{place}-{number}\">{note}</a>"),
            None => note.to_string(),
        };
        let _ = write!(text, "\n<p>{note}</p>");
    }
    text
}

/// Escapes a text for any place in HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // HTML cannot represent control characters.
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::super::tests::outline;
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let about = [("file", "<a href=\"x\">".to_string())];
        let page = html("Tic <tac> toe", &about, &[outline(), outline()]);
        for wrong in ["<script", "<tac", "a<b", "<50", "\u{0}"] {
            assert!(!page.contains(wrong), "{wrong}");
        }
        for part in [
            "&lt;script&gt;alert(&#39;x&#39;)",
            "c&quot;d\\",
            "a&lt;b",
            "3 more moves are",
            "&lt;x&gt;",
        ] {
            assert!(page.matches(part).count() >= 2, "{part}");
        }
        // Each link leads to a position of its own tree.
        assert_eq!(page.matches("<a href=").count(), 2);
        assert!(page.contains("<a href=\"#p1-1\">") && page.contains(" id=\"p1-1\""), "{page}");
        // Every element is closed and nested correctly.
        for name in ["details", "summary", "pre", "section", "main", "b", "p", "a", "span", "style"]
        {
            let opened = page.matches(&format!("<{name}>")).count()
                + page.matches(&format!("<{name} ")).count();
            assert_eq!(opened, page.matches(&format!("</{name}>")).count(), "{name}");
        }
        assert_eq!(page.matches("<details").count(), 10);
        assert!(!page.contains("http:") && !page.contains("https:"), "it needs no network");
    }

    #[test]
    fn a_long_line_is_no_recursion() {
        let mut outline = Outline::new(String::new(), Vec::new(), Node::default());
        for number in 0..9_999 {
            outline.add(number, Node { mv: "a1".into(), ..Node::default() });
        }
        assert_eq!(html("", &[], &[outline]).matches("</details>").count(), 10_000);
    }
}
