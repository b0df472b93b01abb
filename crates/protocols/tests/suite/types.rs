//! Reads the types of JSON objects from their Rust source: fields with comments and types.
//!
//! From these types, a test generates the declarations on the book's page on JSON and the schema
//! that `analyze --schema` prints.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Integer,
    Number,
    Boolean,
    Text,
    /// One of these words, as a string.
    Word(&'static [&'static str]),
    Null,
    List(Box<Kind>),
    /// A list of this length.
    Some(Box<Kind>, usize),
    /// An object with arbitrary keys whose values have this type.
    Map(Box<Kind>),
    Any(Vec<Kind>),
    Named(String),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    about: String,
    kind: Kind,
    /// Whether the field may be missing.
    optional: bool,
    /// Whether the field is replaced by the fields of its type, as with `serde(flatten)`.
    pub flat: bool,
}

#[derive(Clone, Debug)]
pub struct Type {
    about: String,
    pub fields: Vec<Field>,
}

/// All types by their names on the book's page, in the page's order.
pub struct Types {
    names: Vec<&'static str>,
    all: BTreeMap<String, Type>,
}

const PROVEN: &[&str] = &["win", "draw", "loss", "not-win", "not-loss", "unknown"];
const OUTCOME: &[&str] = &["outcome", "score", "win", "draw-or-better"];

impl Kind {
    /// Reads a Rust type; `known` maps a type's name to that of its object type, if it has one.
    fn read(rust: &str, known: &dyn Fn(&str) -> Option<String>) -> Kind {
        let read = |rust: &str| Box::new(Kind::read(rust, known));
        let rust = rust.trim().trim_start_matches('&');
        let rust = rust.strip_prefix("'static ").or(rust.strip_prefix("'a ")).unwrap_or(rust);
        if let Some(inner) = rust.strip_prefix('[').and_then(|rust| rust.strip_suffix(']')) {
            return match inner.rsplit_once("; ") {
                Some((inner, length)) => Kind::Some(read(inner), length.parse().unwrap()),
                None => Kind::List(read(inner)),
            };
        }
        if let Some(inner) = rust.strip_prefix('(') {
            let (first, _) = inner.split_once(", ").expect(rust);
            return Kind::Some(read(first), 2);
        }
        let (name, inner) = rust.split_once('<').unwrap_or((rust, ""));
        let inner = inner.strip_suffix('>').unwrap_or(inner);
        if let Some(known) = known(name) {
            return Kind::Named(known);
        }
        let name = name.rsplit("::").next().unwrap_or(name);
        match name {
            "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => Kind::Integer,
            "f64" | "Duration" => Kind::Number,
            "bool" => Kind::Boolean,
            "str" | "String" | "Path" | "StopReason" | "Algorithm" => Kind::Text,
            "Value" => Kind::Word(PROVEN),
            "Goal" | "ProofGoal" => Kind::Word(OUTCOME),
            "Verdict" => Kind::Word(&["proven", "disproven"]),
            "Source" => Kind::Word(&["given", "recommended", "default"]),
            "TestVerdict" => Kind::Word(&["elo0", "elo1", "open"]),
            "Id" => Kind::Any(vec![Kind::Text, Kind::Number]),
            "Given" => Kind::Any(vec![Kind::Text, Kind::Number, Kind::Boolean]),
            "Moves" => Kind::Any(vec![Kind::Text, Kind::List(Box::new(Kind::Text))]),
            "Option" => read(inner).or(Kind::Null),
            "Box" => *read(inner),
            "Vec" => Kind::List(read(inner)),
            "BTreeMap" => Kind::Map(read(inner.split_once(", ").expect(rust).1)),
            "Counters" => Kind::Map(Box::new(Kind::Integer)),
            "Bounds" => Kind::Some(Box::new(Kind::Integer.or(Kind::Null)), 2),
            "ProofNumbers" => {
                Kind::List(Box::new(Kind::Integer.or(Kind::Word(&["inf"])).or(Kind::Null)))
            }
            "AnyAnswer" => ["Answer", "ProofAnswer"].map(|name| Kind::Named(name.into())).into(),
            "Expected" => Kind::Named("Expected".into()),
            "Openings" => Kind::Map(Box::new(Kind::Integer.or(Kind::List(Box::new(Kind::Text))))),
            _ => panic!("what does {rust} look like in JSON?"),
        }
    }

    fn or(self, other: Kind) -> Kind {
        match self {
            Kind::Any(mut all) => {
                all.push(other);
                Kind::Any(all)
            }
            one => Kind::Any(vec![one, other]),
        }
    }

    fn script(&self) -> String {
        match self {
            Kind::Integer => "integer".into(),
            Kind::Number => "number".into(),
            Kind::Boolean => "boolean".into(),
            Kind::Text => "string".into(),
            Kind::Null => "null".into(),
            Kind::Word(words) if *words == PROVEN => "Proven".into(),
            Kind::Word(words) => format!("{words:?}")[1..].replace(", ", " | ").replace(']', ""),
            Kind::List(inner) => match &**inner {
                Kind::Any(_) => format!("({})[]", inner.script()),
                _ => format!("{}[]", inner.script()),
            },
            Kind::Some(inner, length) => format!("[{}]", vec![inner.script(); *length].join(", ")),
            Kind::Map(inner) => format!("{{ [name: string]: {} }}", inner.script()),
            Kind::Any(all) => all.iter().map(Kind::script).collect::<Vec<_>>().join(" | "),
            Kind::Named(name) => name.clone(),
        }
    }

    fn schema(&self) -> Value {
        match self {
            Kind::Integer => json!({ "type": "integer" }),
            Kind::Number => json!({ "type": "number" }),
            Kind::Boolean => json!({ "type": "boolean" }),
            Kind::Text => json!({ "type": "string" }),
            Kind::Null => json!({ "type": "null" }),
            Kind::Word(words) => json!({ "enum": words }),
            Kind::List(inner) => json!({ "type": "array", "items": inner.schema() }),
            Kind::Some(inner, n) => {
                json!({ "type": "array", "items": inner.schema(), "minItems": n, "maxItems": n })
            }
            Kind::Map(inner) => json!({ "type": "object", "additionalProperties": inner.schema() }),
            Kind::Any(all) => json!({ "anyOf": all.iter().map(Kind::schema).collect::<Vec<_>>() }),
            Kind::Named(name) => json!({ "$ref": format!("#/$defs/{name}") }),
        }
    }
}

impl From<[Kind; 2]> for Kind {
    fn from([one, other]: [Kind; 2]) -> Kind {
        one.or(other)
    }
}

impl Types {
    /// Reads types from sources. Each source is given as its text, with the names of its types in
    /// Rust and on the page.
    pub fn read(files: &[(&str, &[(&str, &'static str)])]) -> Types {
        let mut types = Types { names: Vec::new(), all: BTreeMap::new() };
        for (text, named) in files {
            // A name means the type in the same file, or else the only one in another file.
            let known = |name: &str| {
                let all = || files.iter().flat_map(|(_, named)| named.iter());
                let own = named.iter().chain(all()).find(|(rust, _)| *rust == name);
                own.map(|(_, page)| page.to_string())
            };
            for (rust, page) in *named {
                types.names.push(page);
                let read = read_type(text, rust, &known);
                assert!(types.all.insert(page.to_string(), read).is_none(), "two types {page}");
            }
        }
        types
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Type)> {
        self.names.iter().map(|name| (*name, &self.all[*name]))
    }

    pub fn script(&self) -> String {
        let mut text = String::new();
        for (name, Type { about, fields }) in self.iter() {
            let flat = fields.iter().filter(|field| field.flat).map(|field| match &field.kind {
                Kind::Any(all) if !all.contains(&Kind::Null) => {
                    format!("({})", field.kind.script())
                }
                Kind::Any(all) => format!("({} | {{}})", all[0].script()),
                kind => kind.script(),
            });
            let flat: Vec<String> = flat.collect();
            let extends = if flat.is_empty() { "" } else { " & " };
            let _ = writeln!(text, "\n// {about}\ntype {name} = {}{extends}{{", flat.join(" & "));
            for field in fields.iter().filter(|field| !field.flat) {
                let mark = if field.optional { "?" } else { "" };
                let about = if field.about.is_empty() { "" } else { "  // " };
                let kind = field.kind.script();
                let _ = writeln!(text, "  {}{mark}: {kind};{about}{}", field.name, field.about);
            }
            text += "};\n";
        }
        text
    }

    /// Returns the schema of an object. If `open` is set, further fields are allowed, as a
    /// flattened type requires.
    pub fn schema(&self, name: &str, open: bool) -> Value {
        let Type { about, fields } = &self.all[name];
        let own = || fields.iter().filter(|field| !field.flat);
        let properties: Map<String, Value> = own()
            .map(|field| {
                let mut kind = field.kind.schema();
                if !field.about.is_empty() {
                    kind["description"] = field.about.as_str().into();
                }
                (field.name.clone(), kind)
            })
            .collect();
        let required: Vec<&str> =
            own().filter(|field| !field.optional).map(|field| &*field.name).collect();
        let mut schema = json!({
            "description": about, "type": "object", "required": required, "properties": properties,
        });
        if !open {
            schema["additionalProperties"] = false.into();
        }
        schema
    }

    /// Checks an object against a type, and calls `seen` for each field.
    pub fn check(&self, name: &str, object: &Value, seen: &mut dyn FnMut(&str, &str)) {
        let mut left =
            object.as_object().unwrap_or_else(|| panic!("{object} is no {name}")).clone();
        self.take(name, &mut left, seen);
        assert!(left.is_empty(), "{name} has no fields {left:?}");
    }

    /// Removes the fields of a type from an object and checks them.
    fn take(&self, name: &str, left: &mut Map<String, Value>, seen: &mut dyn FnMut(&str, &str)) {
        for field in &self.all[name].fields {
            if field.flat {
                let inner = match &field.kind {
                    // Only a prover's answer has questions.
                    Kind::Any(all) if !all.contains(&Kind::Null) => {
                        let proven = usize::from(left.contains_key("questions"));
                        Some(&all[proven])
                    }
                    Kind::Any(all) => Some(&all[0]).filter(|_| !left.is_empty()),
                    kind => Some(kind),
                };
                if let Some(Kind::Named(inner)) = inner {
                    self.take(inner, left, seen);
                }
                continue;
            }
            match left.remove(&field.name) {
                Some(value) => {
                    seen(name, &field.name);
                    let fits = self.fits(&value, &field.kind, seen);
                    assert!(fits, "{name}.{}: {value} is no {}", field.name, field.kind.script());
                }
                None => assert!(field.optional, "{name}.{} is missing in {left:?}", field.name),
            }
        }
    }

    fn fits(&self, value: &Value, kind: &Kind, seen: &mut dyn FnMut(&str, &str)) -> bool {
        match (kind, value) {
            (Kind::Integer, Value::Number(number)) => !number.is_f64(),
            (Kind::Number, Value::Number(_))
            | (Kind::Boolean, Value::Bool(_))
            | (Kind::Text, Value::String(_))
            | (Kind::Null, Value::Null) => true,
            (Kind::Word(words), Value::String(word)) => words.contains(&&**word),
            (Kind::List(inner), Value::Array(list)) => {
                list.iter().all(|value| self.fits(value, inner, seen))
            }
            (Kind::Some(inner, length), Value::Array(list)) => {
                list.len() == *length && list.iter().all(|value| self.fits(value, inner, seen))
            }
            (Kind::Map(inner), Value::Object(map)) => {
                map.values().all(|value| self.fits(value, inner, seen))
            }
            (Kind::Any(all), value) => all.iter().any(|kind| self.fits(value, kind, seen)),
            (Kind::Named(name), Value::Object(_)) => {
                self.check(name, value, seen);
                true
            }
            _ => false,
        }
    }
}

/// Reads a type from its source, which must be formatted by rustfmt.
fn read_type(source: &str, name: &str, known: &dyn Fn(&str) -> Option<String>) -> Type {
    let is_it = |line: &&str| {
        let line = line.trim_start_matches("pub").trim_start_matches("(crate)");
        let line = line.trim_start_matches("(super)").trim_start();
        let rest = line.strip_prefix("struct ").and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with([' ', '<']))
    };
    let lines: Vec<&str> = source.lines().collect();
    let at = lines.iter().position(is_it).unwrap_or_else(|| panic!("no {name}"));
    let before = lines[..at].iter().rev();
    let mut about: Vec<&str> = before
        .skip_while(|line| line.starts_with('#'))
        .map_while(|line| line.strip_prefix("///"))
        .map(str::trim)
        .collect();
    about.reverse();
    let optional = lines[..at].iter().rev().take(3).any(|line| line.contains("serde(default"));
    let mut read = Type { about: plain(&about.join(" ")), fields: Vec::new() };
    if lines[at].ends_with("{}") {
        return read;
    }
    let (mut about, mut serde) = (String::new(), String::new());
    for line in lines[at + 1..].iter().take_while(|line| **line != "}") {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("///") {
            about += text;
        } else if line.starts_with("//") {
            continue;
        } else if line.starts_with('#') || serde.matches('(').count() > serde.matches(')').count() {
            serde += line;
        } else if let Some((field, rust)) = line.trim_end_matches(',').split_once(": ") {
            let field = field.rsplit(' ').next().unwrap_or(field);
            if serde.contains("serde(skip)") {
                (about, serde) = (String::new(), String::new());
                continue;
            }
            // In these fields, the Rust type's name is ambiguous.
            let rust = match (name, field) {
                ("Reply", "id") | ("Stop", "which") => "Option<Id>",
                ("SprtResult", "verdict") => "TestVerdict",
                _ => rust,
            };
            let renamed =
                serde.split_once("rename = \"").and_then(|(_, name)| name.split_once('"'));
            let mut kind = Kind::read(rust, known);
            // The field may be missing, or null.
            let skipped = serde.contains("skip_serializing_if");
            match &mut kind {
                Kind::Any(all) if skipped || optional => {
                    if all.last() == Some(&Kind::Null) {
                        all.pop();
                    }
                    if all.len() == 1 {
                        kind = all.remove(0);
                    }
                }
                _ if serde.contains("write::text") => kind = kind.or(Kind::Null),
                _ => {}
            }
            read.fields.push(Field {
                name: renamed.map_or(field, |(name, _)| name).into(),
                about: plain(&about),
                kind,
                optional: optional || skipped,
                flat: serde.contains("flatten"),
            });
            (about, serde) = (String::new(), String::new());
        }
    }
    read
}

/// Removes links and the full stop from a comment.
fn plain(about: &str) -> String {
    let about = about.trim().replace("](", "](\u{0}");
    let mut text = String::new();
    let mut rest = &*about;
    while let Some((before, behind)) = rest.split_once("](\u{0}") {
        text += &before.replace('[', "");
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    text += &rest.replace("[`", "`").replace("`]", "`");
    text.trim_end_matches('.').replace('\u{0}', "").replace("`None`", "null")
}
