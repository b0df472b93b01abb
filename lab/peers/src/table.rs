//! Formats tables for human readers.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// Formats a table whose first `words` columns are text and whose others are figures.
pub(crate) fn grid(header: &[&str], words: usize, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    for number in words..header.len() {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(rows);
    table.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}
