//! Writes outlines as graphs for Graphviz.

use super::{Node, Outline, word};
use std::fmt::Write;

/// Writes outlines as a single graph, with a cluster for each outline.
pub fn dot(title: &str, outlines: &[Outline]) -> String {
    let mut text = format!(
        "digraph {} {{\n  graph [label={}, labelloc=t, fontname=\"sans-serif\"];\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\", \
         fontsize=11];\n  edge [arrowsize=0.6, color=\"#555555\"];\n",
        quoted("outline"),
        quoted(title),
    );
    for (cluster, outline) in outlines.iter().enumerate() {
        let _ = writeln!(text, "  subgraph cluster_{cluster} {{");
        let _ = writeln!(text, "    label={};", quoted(&outline.title));
        for (number, node) in outline.nodes.iter().enumerate() {
            let name = format!("n{cluster}_{number}");
            let colour = match word(node.value) {
                "win" => "#bfe8da",
                "loss" => "#f8d3bf",
                "draw" => "#f3e2b3",
                _ => "#ffffff",
            };
            // The root shows a drawing, whose columns must be aligned.
            let font = if node.mv.is_empty() { ", fontname=\"monospace\"" } else { "" };
            let label = label(node, outline);
            let _ = writeln!(text, "    {name} [label={label}, fillcolor=\"{colour}\"{font}];");
            for &child in &node.children {
                // Edges with a greater share are wider.
                let width = 1.0 + 4.0 * outline.nodes[child].share.unwrap_or(0.0).clamp(0.0, 1.0);
                let _ = writeln!(text, "    {name} -> n{cluster}_{child} [penwidth={width:.2}];");
            }
            if let Some(more) = node.more_text() {
                let more = quoted(&more);
                let _ =
                    writeln!(text, "    {name}_more [label={more}, shape=plaintext, style=\"\"];");
                let _ = writeln!(text, "    {name} -> {name}_more [style=dashed, arrowhead=none];");
            }
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

/// Returns the text of a box: the move, the figures and a note, or the drawing at the root.
fn label(node: &Node, outline: &Outline) -> String {
    let name = node.player.and_then(|player| outline.players.get(player));
    let mut lines = vec![match (node.mv.as_str(), name) {
        ("", _) => node.board.trim_end().to_string(),
        (mv, Some(name)) => format!("{name} {mv}"),
        (mv, None) => mv.to_string(),
    }];
    lines.extend(node.figures());
    lines.extend(node.note.iter().map(ToString::to_string));
    lines.retain(|line| !line.is_empty());
    quoted(&lines.join("\n"))
}

/// Quotes a text for Graphviz, with its lines aligned to the left.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    let ends = if text.contains('\n') { "\\l" } else { "\\n" };
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str(ends),
            c if c.is_control() => quoted.push(' '),
            // Graphviz interprets HTML entities in labels.
            '&' => quoted.push_str("&amp;"),
            c => quoted.push(c),
        }
    }
    if ends == "\\l" {
        quoted.push_str(ends);
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::super::tests::outline;
    use super::*;

    #[test]
    fn texts_stay_within_their_quotes() {
        assert_eq!(quoted("a \"b\" \\ & <c>"), r#""a \"b\" \\ &amp; <c>""#);
        assert_eq!(quoted("two\nlines"), r#""two\llines\l""#);
        let text = dot("a \"title\"", &[outline(), outline()]);
        for line in text.lines() {
            let unescaped = line.replace("\\\\", "").replace("\\\"", "");
            assert_eq!(unescaped.matches('"').count() % 2, 0, "{line}");
        }
        // Each outline has four edges between nodes, and one for the moves left out.
        assert_eq!(text.matches(" -> ").count(), 2 * (4 + 1));
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
