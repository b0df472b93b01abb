//! A scene, drawn into the room that there is.
//!
//! Everything has a place of its own, from the most important on: the sentence, the moves,
//! the figures, the line of play, the board, the graph. What has no room is left out whole.

use super::{Column, History, Row, Scale, Watched};
use crate::display::screen::columns;
use proofwood::Value;
use proofwood_session::words::numbers;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Paragraph, Wrap};
use std::time::Duration;

/// What is shown.
pub(crate) struct Scene<'s> {
    /// The game, and whose turn it is.
    pub(crate) title: &'s str,
    pub(crate) board: &'s str,
    pub(crate) watched: &'s Watched,
    pub(crate) history: &'s History,
    /// Rows of the table that are scrolled away.
    pub(crate) scrolled: usize,
    /// Whether there are colours.
    pub(crate) colours: bool,
}

/// Where the board stands.
#[derive(Clone, Copy)]
enum Board {
    Beside,
    Above,
}

const KEYS: &str = "q: stop and print the answer";
/// Columns of a bar, at least and at most.
const BAR: (usize, usize) = (8, 24);
/// Columns of the names of figures, and of all figures.
const NAMES: usize = 14;
const FIGURES: u16 = 38;
/// Rows of the graph and the figures.
const GRAPH: u16 = 8;

impl Scene<'_> {
    /// Draws it all.
    pub(crate) fn draw(&self, frame: &mut Frame<'_>) {
        let area = frame.area();
        let (width, height) = (usize::from(area.width), area.height);
        let sentence = height_of(&self.watched.sentence, width).clamp(1, 2);
        let line = height_of(&self.watched.line, width.saturating_sub(6)).clamp(1, 2);
        let above = u16::from(height >= 6) + sentence.min(height);
        let room = height.saturating_sub(above + if height >= 8 { line } else { 0 });
        // The graph gives way to the board, and has what the rest leaves.
        let (with, without) = (room.saturating_sub(GRAPH), room.saturating_sub(1));
        let shown = self.board_in(with, area.width);
        let has_graph = height >= 20
            && width >= 60
            && (shown.is_some() || self.board_in(without, area.width).is_none());
        let rest = with.saturating_sub(self.wanted(shown)).min(height / 2);
        // Of few rows the title, the figures and the line are the first to go.
        let rows = [
            (u16::from(height >= 6), 0),
            (sentence.min(height), 1),
            (0, 2),
            (if height >= 8 { line } else { 0 }, 3),
            (if has_graph { GRAPH + rest } else { u16::from(height >= 3) }, 4),
        ];
        let constraints = rows.map(|(rows, place)| match place {
            2 => Constraint::Fill(1),
            _ => Constraint::Length(rows),
        });
        let [title, sentence, middle, line, bottom] = Layout::vertical(constraints).areas(area);
        self.draw_title(frame, title);
        let style = self.style_of(self.watched.value).add_modifier(Modifier::BOLD);
        let text = Paragraph::new(self.watched.sentence.as_str()).style(style);
        frame.render_widget(text.wrap(Wrap { trim: true }), sentence);
        self.draw_middle(frame, middle);
        if !self.watched.line.is_empty() {
            let text = format!("Line  {}", self.watched.line);
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), line);
        }
        if has_graph {
            let parts = [Constraint::Fill(1), Constraint::Length(FIGURES)];
            let [graph, figures] = Layout::horizontal(parts).areas(bottom);
            self.draw_graph(frame, graph);
            self.draw_figures(frame, figures);
        } else {
            frame.render_widget(Paragraph::new(self.watched.short.text(width)), bottom);
        }
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect) {
        let width = usize::from(area.width);
        let mut line = vec![Span::styled(self.title, Modifier::BOLD)];
        let rest = width.checked_sub(columns(self.title) + 2 + columns(KEYS));
        if let Some(rest) = rest {
            line.push(Span::raw(" ".repeat(rest + 2)));
            line.push(Span::styled(KEYS, Modifier::DIM));
        }
        frame.render_widget(Line::from(line), area);
    }

    /// Where the board has room with the table, in so many rows.
    fn board_in(&self, rows: u16, width: u16) -> Option<Board> {
        /// The table's header, and two moves.
        const TABLE: usize = 3;
        let (wide, high) = self.board_size();
        let rows = usize::from(rows);
        match usize::from(width) {
            _ if wide == 0 => None,
            width if self.least_width() + wide + 3 <= width && high <= rows => Some(Board::Beside),
            width if wide <= width && high + 1 + TABLE <= rows => Some(Board::Above),
            _ => None,
        }
    }

    /// Rows that the board and the whole table take.
    fn wanted(&self, board: Option<Board>) -> u16 {
        let (table, (_, high)) = (self.watched.rows.len() + 1, self.board_size());
        let rows = match board {
            Some(Board::Beside) => table.max(high),
            Some(Board::Above) => table + 1 + high,
            None => table,
        };
        rows.min(1000) as u16
    }

    /// Columns and rows of the board.
    fn board_size(&self) -> (usize, usize) {
        let lines = || self.board.trim_end().lines();
        (lines().map(columns).max().unwrap_or(0), lines().count())
    }

    /// The board beside the table or above it, where there is room for both.
    fn draw_middle(&self, frame: &mut Frame<'_>, area: Rect) {
        let (wide, high) = self.board_size();
        let table = Constraint::Fill(1);
        let [board, table] = match self.board_in(area.height, area.width) {
            Some(Board::Above) => {
                Layout::vertical([Constraint::Length(high as u16 + 1), table]).areas(area)
            }
            Some(Board::Beside) => {
                Layout::horizontal([Constraint::Length(wide as u16 + 3), table]).areas(area)
            }
            None => [Rect::ZERO, area],
        };
        if !board.is_empty() {
            let lines: Vec<Line<'_>> = self.board.trim_end().lines().map(Line::from).collect();
            frame.render_widget(Paragraph::new(lines), board);
        }
        self.draw_table(frame, table);
    }

    /// What the table needs to tell anything.
    fn least_width(&self) -> usize {
        let bar = if self.watched.rows.iter().any(|row| row.bar.is_some()) { BAR.0 + 1 } else { 0 };
        widths(self.watched, 1) + bar
    }

    fn draw_table(&self, frame: &mut Frame<'_>, area: Rect) {
        let Watched { header, rows, .. } = self.watched;
        let room = usize::from(area.width);
        let with_bars = rows.iter().any(|row| row.bar.is_some());
        let bar = if with_bars { BAR.0 + 1 } else { 0 };
        let most = header.iter().map(|column| column.rank).max().unwrap_or(0);
        let rank = (0..=most).rev().find(|&rank| widths(self.watched, rank) + bar <= room);
        let rank = rank.unwrap_or(0);
        // The bars have what is left, if that is enough.
        let left = room.saturating_sub(widths(self.watched, rank) + 1);
        let bar = if with_bars && left >= BAR.0 { left.min(BAR.1) } else { 0 };
        let header =
            Line::styled(self.line(rank, bar, |_, c| c.name.clone(), None), Modifier::BOLD);
        let mut lines = vec![header];
        let height = usize::from(area.height).saturating_sub(1);
        let first = self.scrolled.min(rows.len().saturating_sub(height));
        let shown = if rows.len() - first > height { height.saturating_sub(1) } else { height };
        for row in rows.iter().skip(first).take(shown) {
            let text = self.line(rank, bar, |number, _| row.cells[number].clone(), Some(row));
            lines.push(Line::styled(text, self.style_of(row.value)));
        }
        let below = (rows.len() - first).saturating_sub(shown);
        if below > 0 {
            lines.push(Line::styled(format!("and {below} more: ↑ ↓"), Modifier::DIM));
        }
        frame.render_widget(Paragraph::new(lines), area);
    }

    /// A line of the table. The bar stands behind the first column.
    fn line(
        &self,
        rank: u8,
        bar: usize,
        cell: impl Fn(usize, &Column) -> String,
        row: Option<&Row>,
    ) -> String {
        let mut text = String::new();
        let header = &self.watched.header;
        for (number, column) in header.iter().enumerate().filter(|(_, c)| c.rank <= rank) {
            let (cell, wide) = (cell(number, column), width_of(self.watched, number));
            let gap = " ".repeat(wide.saturating_sub(columns(&cell)));
            match column.right {
                true => text.extend([&gap, &cell, "  "].map(|part| part as &str)),
                false => text.extend([&cell as &str, &gap, "  "]),
            }
            if number == 0 && bar > 0 {
                let share = row.map_or(Some(0.0), |row| row.bar);
                let shape = match row {
                    Some(_) => share.map_or_else(|| " ".repeat(bar), |share| blocks(share, bar)),
                    None => " ".repeat(bar),
                };
                text.push_str(&shape);
                text.push_str("  ");
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn draw_figures(&self, frame: &mut Frame<'_>, area: Rect) {
        let figure = |(name, figure): &(&str, String)| {
            let name = Span::styled(format!(" {name:<NAMES$}"), Modifier::DIM);
            Line::from(vec![name, Span::raw(figure.clone())])
        };
        let lines: Vec<Line<'_>> = self.watched.figures.iter().map(figure).collect();
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn draw_graph(&self, frame: &mut Frame<'_>, area: Rect) {
        let points = self.history.points();
        let (low, high) = range(points, self.watched.scale);
        let end = self.watched.elapsed.as_secs_f64().max(0.1);
        let name = match self.watched.scale {
            Scale::Points => "win rate of the best move",
            Scale::Nodes => "nodes a second",
        };
        let text = |value: f64| match self.watched.scale {
            // The middle of two whole numbers may be a half.
            Scale::Points => format!("{} %", (value * 1000.0).round() / 10.0),
            Scale::Nodes => numbers::count(value),
        };
        let style = if self.colours { Style::new().fg(Color::Cyan) } else { Style::new() };
        let line = Dataset::default()
            .marker(Marker::Braille)
            .graph_type(GraphType::Line)
            .style(style)
            .data(points);
        let up = Axis::default().bounds([low, high]);
        let up = up.labels([low, (low + high) / 2.0, high].map(text));
        let across = Axis::default().bounds([0.0, end]);
        let across = across.labels(["0".to_string(), numbers::time(Duration::from_secs_f64(end))]);
        let [title, graph] =
            Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(area);
        frame.render_widget(Line::styled(name, Modifier::DIM), title);
        frame.render_widget(Chart::new(vec![line]).x_axis(across).y_axis(up), graph);
    }

    fn style_of(&self, value: Value) -> Style {
        match value {
            _ if !self.colours => Style::new(),
            Value::Win => Style::new().fg(Color::Green),
            Value::Loss => Style::new().fg(Color::Red),
            Value::Draw => Style::new().fg(Color::Yellow),
            _ => Style::new(),
        }
    }
}

/// Rows that a text takes.
fn height_of(text: &str, width: usize) -> u16 {
    columns(text).div_ceil(width.max(1)).min(1000) as u16
}

/// Columns that a column takes.
fn width_of(watched: &Watched, number: usize) -> usize {
    let cells = watched.rows.iter().map(|row| columns(&row.cells[number]));
    cells.fold(columns(&watched.header[number].name), usize::max)
}

/// Columns that all columns up to a rank take, with the gaps behind them.
fn widths(watched: &Watched, rank: u8) -> usize {
    let shown = (0..watched.header.len()).filter(|&number| watched.header[number].rank <= rank);
    shown.map(|number| width_of(watched, number) + 2).sum()
}

/// A bar, to an eighth of a column.
fn blocks(share: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (width * 8) as f64).round() as usize;
    let bar = "█".repeat(eighths / 8) + PARTS[eighths % 8];
    let rest = width - columns(&bar);
    bar + &" ".repeat(rest)
}

/// The ends of the graph: round ones, and never nearer than a tenth of all points.
fn range(points: &[(f64, f64)], scale: Scale) -> (f64, f64) {
    let all = points.iter().map(|&(_, value)| value);
    let (least, most) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    match scale {
        Scale::Points if least > most => (0.0, 1.0),
        Scale::Points => {
            let low = (least * 20.0).floor() / 20.0;
            let high = (most * 20.0).ceil() / 20.0;
            let (low, high) =
                if high - low < 0.1 { (low - 0.05, high + 0.05) } else { (low, high) };
            (low.max(0.0), high.min(1.0))
        }
        Scale::Nodes => (0.0, most.max(1.0)),
    }
}
