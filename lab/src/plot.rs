//! `proofwood-lab plot`: draws two columns of a table.

use crate::chart::{Axis, Chart, LineStyle, Series};
use proofwood_cli::terminal::print::Printer;
use proofwood_session::files::{Asked, Force, Whole, check_distinct};
use proofwood_session::{Ended, Trouble};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Draw two columns of a table
///
/// Reads CSV, as --csv writes it, or one JSON object per line, as --json prints them. A field of a
/// nested object has a name such as before.mean. Rows without a number in the --up column are left
/// out.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  proofwood-lab plot scale.csv --across threads --up speed_up --by virtual_loss --svg a.svg
  proofwood-lab plot game.jsonl --across ply --up before.mean --svg game.svg")]
pub(crate) struct Plot {
    /// Table: CSV, or one JSON object per line
    file: PathBuf,
    /// Column for the horizontal axis
    #[arg(long, value_name = "COLUMN")]
    across: String,
    /// Column of numbers for the vertical axis
    #[arg(long, value_name = "COLUMN")]
    up: String,
    /// Column that separates the rows into lines
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// File for the picture
    #[arg(long, value_name = "FILE")]
    svg: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// The non-empty cells of a row, by column.
type Row = BTreeMap<String, String>;

impl Plot {
    pub(crate) fn run(self, _: &mut Printer) -> Result<Ended, Trouble> {
        let name = self.file.display().to_string();
        check_distinct("--svg", &self.svg, &self.file)?;
        let text = fs::read_to_string(&self.file);
        let text = text.map_err(|error| Trouble::reading(&name, &error))?;
        let wrong = |why: String| Trouble::Input(format!("{name}: {why}"));
        let svg = self.drawn(&rows(&text).map_err(wrong)?).map_err(wrong)?;
        let mut file = Whole::claim(Asked::new("--svg", &self.svg, self.force))?;
        file.write(svg.as_bytes())?;
        Ok(Ended::Done)
    }

    fn drawn(&self, rows: &[Row]) -> Result<String, String> {
        for column in [Some(&self.across), Some(&self.up), self.by.as_ref()].into_iter().flatten() {
            if !rows.iter().any(|row| row.contains_key(column)) {
                let mut known: Vec<&str> = rows.iter().flat_map(Row::keys).map(|s| &**s).collect();
                known.sort_unstable();
                known.dedup();
                return Err(format!(
                    "there is no column '{column}'; there are {}",
                    known.join(", ")
                ));
            }
        }
        // The values on the horizontal axis: numbers, or else words in the order of the rows.
        let shown = rows.iter().filter_map(|row| {
            let up: f64 = row.get(&self.up)?.parse().ok().filter(|up: &f64| up.is_finite())?;
            let line = self.by.as_ref().map_or("", |by| row.get(by).map_or("", String::as_str));
            Some((line, row.get(&self.across)?.as_str(), up))
        });
        let shown: Vec<(&str, &str, f64)> = shown.collect();
        let mut words: Vec<String> = Vec::new();
        for (_, across, _) in &shown {
            if !words.iter().any(|word| word == across) {
                words.push((*across).into());
            }
        }
        let numbers: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
        let range = |of: &mut dyn Iterator<Item = f64>| {
            of.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)))
        };
        let (across, places) = match numbers {
            Some(numbers) => {
                let (low, high) = range(&mut numbers.iter().copied());
                (Axis::linear(&self.across, low, high), numbers)
            }
            None => {
                (Axis::places(&self.across, &words), (0..words.len()).map(|n| n as f64).collect())
            }
        };
        let place =
            |across: &str| places[words.iter().position(|word| word == across).unwrap_or(0)];
        let mut series: Vec<Series> = Vec::new();
        for (line, across, up) in &shown {
            let number = series.iter().position(|s| s.name == *line).unwrap_or_else(|| {
                let (name, colour) = (line.to_string(), series.len());
                series.push(Series { name, colour, style: LineStyle::Line, points: Vec::new() });
                series.len() - 1
            });
            series[number].points.push((place(across), *up, None));
        }
        let (low, high) = range(&mut shown.iter().map(|(_, _, up)| *up));
        let chart = Chart {
            title: &self.file.file_stem().unwrap_or_default().to_string_lossy(),
            across,
            up: Axis::linear(&self.up, low.min(0.0), high.max(0.0)),
            mark: None,
            legend: self.by.as_deref().unwrap_or_default(),
            beside: false,
            series,
        };
        Ok(chart.svg())
    }
}

fn rows(text: &str) -> Result<Vec<Row>, String> {
    if text.trim_start().starts_with('{') {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let read = lines.map(|(number, line)| {
            let value = serde_json::from_str(line);
            let value: Value = value.map_err(|error| format!("line {number}: {error}"))?;
            let mut row = Row::new();
            flatten("", &value, &mut row);
            Ok(row)
        });
        return read.collect();
    }
    let read: Result<Vec<Row>, csv::Error> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().collect();
    let mut rows = read.map_err(|error| error.to_string())?;
    rows.iter_mut().for_each(|row| row.retain(|_, cell| !cell.is_empty()));
    Ok(rows)
}

/// Adds the fields of a value, including those of nested objects.
fn flatten(path: &str, value: &Value, row: &mut Row) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, value, row);
            }
        }
        Value::Null | Value::Array(_) => {}
        Value::String(text) => drop(row.insert(path.into(), text.clone())),
        other => drop(row.insert(path.into(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(across: &str, up: &str, by: Option<&str>) -> Plot {
        let (across, up, by) = (across.into(), up.into(), by.map(String::from));
        let (file, svg) = ("dir/scale.csv".into(), "a.svg".into());
        Plot { file, across, up, by, svg, force: Force::default() }
    }

    #[test]
    fn columns_become_lines() {
        let table = "threads,way,speed_up\n1,a,1.0\n2,a,1.9\n2,b,1.5\n4,b,\n";
        let rows = rows(table).unwrap();
        assert_eq!(rows.len(), 4);
        let svg = plot("threads", "speed_up", Some("way")).drawn(&rows).unwrap();
        // Three points, and a marker of each line in the legend.
        assert_eq!(svg.matches("<polyline").count(), 2 + 2, "{svg}");
        for part in ["scale", "threads", "speed_up", "way"] {
            assert!(svg.contains(part), "{part}");
        }
        let error = plot("thread", "speed_up", None).drawn(&rows).unwrap_err();
        assert_eq!(error, "there is no column 'thread'; there are speed_up, threads, way");
    }

    #[test]
    fn objects_have_paths() {
        let lines =
            "{\"ply\":1,\"before\":{\"mean\":0.5}}\n{\"ply\":2,\"before\":{\"mean\":null}}\n";
        let rows = rows(lines).unwrap();
        assert_eq!(rows[0]["before.mean"], "0.5");
        assert!(!rows[1].contains_key("before.mean"));
        assert!(plot("ply", "before.mean", None).drawn(&rows).is_ok());
        assert!(super::rows("{\"ply\":1}\n{\n").unwrap_err().starts_with("line 2: "));
    }
}
