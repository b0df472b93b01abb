//! The rooms of a crate: which module imports from which, and that none imports upwards.
//!
//! A room is a module that stands directly below the crate's root, with all its children.
//! Where the root's head has a table of its rooms "from the lowest to the highest", a room
//! imports from rooms above it in the table alone. Without such a table no circle of
//! rooms is enough. Tests may import what they like.

use crate::Failure;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// The roots of the crates whose rooms are looked at.
const ROOTS: &[&str] =
    &["src/lib.rs", "cli/src/lib.rs", "crates/games/src/lib.rs", "crates/explorer/src/lib.rs"];

/// Checks every crate, and says of each what it found.
pub fn check(workspace: &Path) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    for root in ROOTS {
        let house = House::read(&workspace.join(root))?;
        let arrows: BTreeSet<_> = house.arrows.keys().collect();
        let order = if house.order.is_empty() { "no order" } else { "in order" };
        println!("{root}: {} rooms, {} arrows, {order}", house.rooms.len(), arrows.len());
        wrong.extend(house.complaints());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// One crate.
struct House {
    /// The root's path, for messages.
    root: String,
    /// Every room, by name.
    rooms: BTreeSet<String>,
    /// From the lowest to the highest; empty where the root has no table.
    order: Vec<String>,
    /// Who imports from whom, and where it is seen first.
    arrows: BTreeMap<(String, String), String>,
    /// Imports of a room's things from the root, which is there for other crates.
    detours: Vec<String>,
}

impl House {
    fn read(root: &Path) -> Result<House, Failure> {
        let (text, file) = parse(root)?;
        let mut house = House {
            root: root.display().to_string(),
            rooms: BTreeSet::new(),
            order: order(&text),
            arrows: BTreeMap::new(),
            detours: Vec::new(),
        };
        let modules = modules(&file);
        house.rooms.extend(modules.iter().cloned());
        let folder = root.parent().unwrap_or(Path::new("."));
        for room in modules {
            house.walk(&find(folder, &room)?, &[room])?;
        }
        Ok(house)
    }

    /// Reads a module and its children.
    fn walk(&mut self, path: &Path, module: &[String]) -> Result<(), Failure> {
        let (_, file) = parse(path)?;
        let mut names = Names { module, found: Vec::new() };
        names.visit_file(&file);
        for (first, line) in std::mem::take(&mut names.found) {
            let place = format!("{}:{line}", path.display());
            if self.rooms.contains(&first) {
                if first != module[0] {
                    self.arrows.entry((module[0].clone(), first)).or_insert(place);
                }
            } else if !self.order.is_empty() {
                self.detours.push(format!(
                    "{place}: crate::{first} is there for other crates; name its room"
                ));
            }
        }
        let is_root = path.file_name().is_some_and(|name| name == "mod.rs");
        let folder = if is_root { path.with_file_name("") } else { path.with_extension("") };
        for child in modules(&file) {
            let path = find(&folder, &child)?;
            self.walk(&path, &[module, &[child]].concat())?;
        }
        Ok(())
    }

    fn complaints(&self) -> Vec<String> {
        let mut wrong = self.detours.clone();
        if self.order.is_empty() {
            wrong.extend(
                self.circle().map(|rooms| {
                    format!("{}: a circle of rooms: {}", self.root, rooms.join(" -> "))
                }),
            );
            return wrong;
        }
        let listed: BTreeSet<_> = self.order.iter().cloned().collect();
        for room in self.rooms.difference(&listed) {
            wrong.push(format!("{}: the room {room} is missing in the table", self.root));
        }
        for room in listed.difference(&self.rooms) {
            wrong.push(format!("{}: the table names {room}, which is no room", self.root));
        }
        let height = |room: &String| self.order.iter().position(|other| other == room);
        for ((from, to), place) in &self.arrows {
            if height(to) > height(from) {
                wrong.push(format!("{place}: {from} imports from {to}, a higher room"));
            }
        }
        wrong
    }

    /// Some rooms that import from each other in a circle.
    fn circle(&self) -> Option<Vec<String>> {
        fn go<'h>(
            house: &'h House,
            room: &'h str,
            way: &mut Vec<&'h str>,
            done: &mut BTreeSet<&'h str>,
        ) -> bool {
            if let Some(from) = way.iter().position(|&other| other == room) {
                way.drain(..from);
                way.push(room);
                return true;
            }
            if !done.insert(room) {
                return false;
            }
            way.push(room);
            let next = house.arrows.keys().filter(|(from, _)| from == room);
            if next.into_iter().any(|(_, to)| go(house, to, way, done)) {
                return true;
            }
            way.pop();
            false
        }
        let (mut way, mut done) = (Vec::new(), BTreeSet::new());
        let found = self.rooms.iter().any(|room| go(self, room, &mut way, &mut done));
        found.then(|| way.into_iter().map(String::from).collect())
    }
}

/// The rooms in the table of a root's head.
fn order(text: &str) -> Vec<String> {
    let head = text.lines().map_while(|line| line.strip_prefix("//!"));
    let table = head.skip_while(|line| !line.contains("from the lowest to the highest"));
    let rows = table.map(str::trim).skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    let name = |row: &str| Some(row.split('|').nth(1)?.trim().trim_matches(['[', ']', '`']).into());
    rows.filter_map(name).collect()
}

fn parse(path: &Path) -> Result<(String, syn::File), Failure> {
    let text =
        fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let file = syn::parse_file(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok((text, file))
}

/// The file of a module.
fn find(folder: &Path, name: &str) -> Result<PathBuf, Failure> {
    let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
    let found = files.into_iter().find(|file| file.is_file());
    found.ok_or_else(|| format!("{}: the module {name} has no file", folder.display()))
}

/// The modules that a file declares and that are not tests.
fn modules(file: &syn::File) -> Vec<String> {
    let declared = file.items.iter().filter_map(|item| match item {
        syn::Item::Mod(module) if module.content.is_none() => Some(module),
        _ => None,
    });
    declared.filter(|module| !is_test(&module.attrs)).map(|m| m.ident.to_string()).collect()
}

/// Whether something is compiled for tests alone.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        let text = list.tokens.to_string();
        list.path.is_ident("cfg") && (text == "test" || text.starts_with("all (test"))
    })
}

/// The names that a module takes from its crate: what follows `crate::`.
struct Names<'m> {
    module: &'m [String],
    /// The names, with their lines.
    found: Vec<(String, usize)>,
}

impl Names<'_> {
    /// Notes a path, if it leads out of the module's room: `segments` are its first ones.
    fn note(&mut self, segments: &[String], line: usize) {
        let supers = segments.iter().take_while(|name| *name == "super").count();
        let rest = match segments.first().map(String::as_str) {
            Some("crate") => &segments[1..],
            Some("super") if supers >= self.module.len() => &segments[supers..],
            _ => return,
        };
        self.found.extend(rest.first().map(|name| (name.clone(), line)));
    }

    fn note_use(&mut self, tree: &syn::UseTree, way: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                way.push(path.ident.to_string());
                self.note_use(&path.tree, way);
                way.pop();
            }
            syn::UseTree::Name(name) => self.note_leaf(&name.ident, way),
            syn::UseTree::Rename(rename) => self.note_leaf(&rename.ident, way),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.note_use(tree, way));
            }
            syn::UseTree::Glob(_) => {}
        }
    }

    fn note_leaf(&mut self, ident: &syn::Ident, way: &[String]) {
        let path = [way, &[ident.to_string()]].concat();
        self.note(&path, ident.span().start().line);
    }

    /// Looks for paths in the code of a macro, which is not parsed.
    fn note_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        for (place, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.note_tokens(group.stream()),
                TokenTree::Ident(ident) if ident == "crate" => {
                    if let Some(TokenTree::Ident(name)) = tokens.get(place + 3) {
                        self.found.push((name.to_string(), ident.span().start().line));
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.note_use(&item.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let Some(first) = path.segments.first() {
            self.note(&segments, first.ident.span().start().line);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.visit_path(&called.path);
        self.note_tokens(called.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate with these files, and what is wrong with it.
    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let house = House::read(&folder.path().join("lib.rs")).expect("code");
        let shorter = |line: String| line.replace(&format!("{}/", folder.path().display()), "");
        house.complaints().into_iter().map(shorter).collect()
    }

    const ROOT: &str = "//! Rooms, from the lowest to the highest:\n//!\n//! | room | what |\n\
                        //! |---|---|\n//! | `low` | a |\n//! | [`high`] | b |\nmod high;\nmod low;\n\
                        pub use low::Thing;\n";

    #[test]
    fn a_way_down_is_fine_and_a_way_up_is_named() {
        let high = ("high/mod.rs", "mod part;\nuse crate::low::Thing;");
        let part = ("high/part.rs", "use super::super::low;\nuse super::Thing;");
        let good = ("low.rs", "pub struct Thing;\n#[cfg(test)]\nmod tests { use crate::high::X; }");
        assert_eq!(complaints(&[("lib.rs", ROOT), high, part, good]), [""; 0]);
        for text in [
            "pub struct Thing;\nuse crate::{high::X, low};",
            "pub struct Thing;\nfn f() { crate::high::g() }",
            "pub struct Thing;\nfn f() { m!(a, [crate::high::g()]) }",
            "pub struct Thing;\nuse super::high;",
        ] {
            let found = complaints(&[("lib.rs", ROOT), high, part, ("low.rs", text)]);
            assert_eq!(found, ["low.rs:2: low imports from high, a higher room"], "{text}");
        }
    }

    #[test]
    fn the_table_names_every_room_and_the_root_is_for_others() {
        let root = ROOT.replace("| `low` |", "| `lower` |");
        let files = [("lib.rs", &*root), ("low.rs", "pub struct Thing;"), ("high.rs", "")];
        let found = complaints(&files);
        assert!(found[0].ends_with("the room low is missing in the table"), "{found:?}");
        assert!(found[1].ends_with("the table names lower, which is no room"), "{found:?}");
        let files =
            [("lib.rs", ROOT), ("low.rs", "pub struct Thing;"), ("high.rs", "use crate::Thing;")];
        let detour = "high.rs:1: crate::Thing is there for other crates; name its room";
        assert_eq!(complaints(&files), [detour]);
    }

    #[test]
    fn without_a_table_circles_are_named() {
        let root = "mod a;\nmod b;\nmod c;\n";
        let files = |c| {
            [
                ("lib.rs", root),
                ("a.rs", "use crate::b::X;"),
                ("b.rs", "use crate::c::X;"),
                ("c.rs", c),
            ]
        };
        assert_eq!(complaints(&files("")), [""; 0]);
        let found = complaints(&files("use crate::b::X;"));
        assert!(found[0].ends_with("lib.rs: a circle of rooms: b -> c -> b"), "{found:?}");
    }
}
