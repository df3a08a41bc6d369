//! How the parts of the tool stand to each other: a module of the crate uses only those below it in the map.
//!
//! What a file uses is what its `use` lines and paths name, tests aside. A name that a module passes on is that of the file
//! which defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, ensure};
use libtest_mimic::Trial;
use petgraph::algo::tarjan_scc;
use petgraph::prelude::DiGraphMap;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

use crate::case::project;
use crate::sources::rust_files;
use crate::trials_of;

pub fn trials() -> Vec<Trial> {
    trials_of(
        "modules",
        &[
            ("the_map_names_all", check_map),
            ("each_uses_those_below_it", check_order),
            ("files_of_one_form_known_circles_only", check_circles),
        ],
    )
}

/// Files that use each other, and why. Every other module can be read from its bottom to its top.
const CIRCLES: [(&[&str], &str); 3] = [
    (&["ir::expr", "ir::parts"], "an expression reads elements, whose subscripts are expressions"),
    (
        &[
            "front::control_flow",
            "front::control_flow::names",
            "front::declarations",
            "front::file_names",
            "front::qualifiers",
            "front::symbols",
            "front::tree",
            "front::tree::constructs",
            "front::types",
        ],
        "the text knows the ways through a function, which are read from its tree, as types and names are",
    ),
    (
        &[
            "front::arrays",
            "front::counters",
            "front::counting",
            "front::coverage",
            "front::digits",
            "front::exits",
            "front::expressions",
            "front::forms",
            "front::frames",
            "front::function_pointers",
            "front::growth",
            "front::headers",
            "front::integers",
            "front::integral",
            "front::left",
            "front::limits",
            "front::local_arrays",
            "front::local_pointers",
            "front::loops",
            "front::objects",
            "front::polynomial",
            "front::reader",
            "front::rotation",
            "front::rules",
            "front::stores",
            "front::strips",
            "front::trails",
            "front::unroll",
        ],
        "the methods of one reader of C stand in several files, and what these keep of it stands there",
    ),
];

/// A module by its path in the crate; the crate itself is the empty one.
type Module = Vec<String>;

/// The modules of the crate and what they use.
struct House {
    files: BTreeMap<Module, File>,
}

/// One file.
#[derive(Default)]
struct File {
    /// Paths that it names, as written, and whether the file passes the name on.
    paths: Vec<(Vec<String>, bool)>,
}

impl House {
    /// The house, which is read once.
    fn get() -> Result<&'static Self> {
        static HOUSE: OnceLock<Result<House, String>> = OnceLock::new();
        HOUSE
            .get_or_init(|| Self::read().map_err(|error| format!("{error:#}")))
            .as_ref()
            .map_err(|error| anyhow!("{error}"))
    }

    fn read() -> Result<Self> {
        let root = project().join("src");
        let mut files = BTreeMap::new();
        for path in rust_files(&root)? {
            let text = fs::read_to_string(&path)?;
            let syntax = syn::parse_file(&text).with_context(|| format!("{} is no Rust", path.display()))?;
            let mut file = File::default();
            file.visit_file(&syntax);
            files.insert(module_of(path.strip_prefix(&root)?), file);
        }
        files.remove(&vec!["main".to_owned()]);
        files.remove(&vec!["testing".to_owned()]);
        files.retain(|module, _| module.last().is_none_or(|last| !last.ends_with("tests")));
        Ok(Self { files })
    }

    /// What each module uses of others.
    fn uses(&self) -> BTreeSet<(&Module, &Module)> {
        let used = |(module, file): (&'_ Module, &'_ File)| -> Vec<(Module, Module)> {
            let own = file.paths.iter().filter(|(_, is_passed_on)| !is_passed_on);
            let targets = own.filter_map(|(path, _)| self.absolute(module, path)).map(|path| self.owner(&path, 0));
            targets.filter(|target| target != module).map(|target| (module.clone(), target)).collect()
        };
        let all: Vec<(Module, Module)> = self.files.iter().flat_map(used).collect();
        let key = |module: &Module| self.files.get_key_value(module).map(|(key, _)| key);
        all.iter().filter_map(|(from, to)| Some((key(from)?, key(to)?))).collect()
    }

    /// A path from the crate's root; `None` if it leads out of the crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module.as_slice(), rest].concat()),
            "super" => {
                let parent = module.split_last()?.1.to_vec();
                if rest.first().is_some_and(|next| next == "super") {
                    return self.absolute(&parent, rest);
                }
                Some([parent, rest.to_vec()].concat())
            }
            _ => {
                let inside = [module.as_slice(), std::slice::from_ref(first)].concat();
                self.files.contains_key(&inside).then(|| [module.as_slice(), path].concat())
            }
        }
    }

    /// The module that defines what an absolute path names.
    fn owner(&self, path: &[String], depth: usize) -> Module {
        let length = (0..=path.len()).rev().find(|length| self.files.contains_key(&path[..*length]));
        let (module, rest) = path.split_at(length.unwrap_or(0));
        let module = module.to_vec();
        let Some(name) = rest.first().filter(|_| depth < 8) else { return module };
        let passed_on = self.files[&module].paths.iter().filter(|(_, is_passed_on)| *is_passed_on);
        let mut sources = passed_on.filter(|(path, _)| path.last() == Some(name));
        let source = sources.find_map(|(path, _)| self.absolute(&module, path));
        source.map_or(module, |source| self.owner(&source, depth + 1))
    }
}

/// `poly::memory` of `poly/memory.rs`, `poly` of `poly/mod.rs`.
fn module_of(path: &Path) -> Module {
    let path = path.with_extension("");
    let mut parts: Module = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    parts.pop_if(|last| last == "mod" || last == "lib");
    parts
}

impl<'s> Visit<'s> for File {
    fn visit_item(&mut self, item: &'s syn::Item) {
        let attributes = match item {
            syn::Item::Mod(it) => &it.attrs,
            syn::Item::Use(it) => &it.attrs,
            syn::Item::Fn(it) => &it.attrs,
            syn::Item::Impl(it) => &it.attrs,
            _ => return syn::visit::visit_item(self, item),
        };
        let is_for_tests = |attribute: &syn::Attribute| {
            matches!(&attribute.meta, syn::Meta::List(list)
                if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
        };
        if !attributes.iter().any(is_for_tests) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'s syn::ItemUse) {
        let is_passed_on = !matches!(item.vis, syn::Visibility::Inherited);
        self.add_tree(&item.tree, &mut Vec::new(), is_passed_on);
    }

    fn visit_path(&mut self, path: &'s syn::Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, it: &'s syn::Macro) {
        self.add_tokens(it.tokens.clone());
        syn::visit::visit_macro(self, it);
    }
}

impl File {
    /// A path in the text; only those count that say where they begin.
    fn add(&mut self, path: Vec<String>) {
        if path.len() > 1 && ["crate", "super", "self"].contains(&path[0].as_str()) {
            self.paths.push((path, false));
        }
    }

    fn add_tree(&mut self, tree: &syn::UseTree, before: &mut Vec<String>, is_passed_on: bool) {
        match tree {
            syn::UseTree::Path(it) => {
                before.push(it.ident.to_string());
                self.add_tree(&it.tree, before, is_passed_on);
                before.pop();
            }
            syn::UseTree::Group(it) => it.items.iter().for_each(|tree| self.add_tree(tree, before, is_passed_on)),
            syn::UseTree::Name(it) if it.ident == "self" => self.paths.push((before.clone(), is_passed_on)),
            syn::UseTree::Name(it) => {
                self.paths.push(([before.as_slice(), &[it.ident.to_string()]].concat(), is_passed_on));
            }
            syn::UseTree::Rename(it) => {
                self.paths.push(([before.as_slice(), &[it.ident.to_string()]].concat(), is_passed_on));
            }
            syn::UseTree::Glob(_) => self.paths.push((before.clone(), is_passed_on)),
        }
    }

    /// The paths in what a macro is given, which no parser of Rust takes apart.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) if colons == 2 && !path.is_empty() => path.push(word.to_string()),
                TokenTree::Ident(word) => {
                    self.add(std::mem::take(&mut path));
                    path.push(word.to_string());
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                _ => self.add(std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.add(path);
    }
}

/// The modules in the order of the map in the crate's documentation, from top to bottom.
fn map() -> Result<Vec<String>> {
    let text = fs::read_to_string(project().join("src/lib.rs"))?;
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | [`"));
    Ok(rows.filter_map(|row| Some(row.split_once("`] |")?.0.to_owned())).collect())
}

fn check_map() -> Result<()> {
    let house = House::get()?;
    let of_files: BTreeSet<String> = house.files.keys().filter_map(|module| module.first().cloned()).collect();
    let of_map: BTreeSet<String> = map()?.into_iter().collect();
    ensure!(of_files == of_map, "the map in src/lib.rs has {of_map:?}, the folder {of_files:?}");
    Ok(())
}

fn check_order() -> Result<()> {
    let house = House::get()?;
    let map = map()?;
    let place = |module: &Module| map.iter().position(|top| Some(top) == module.first());
    let uses = house.uses();
    ensure!(uses.len() > 300, "only {} uses were found", uses.len());
    let upward: Vec<String> = uses
        .into_iter()
        .filter(|(from, to)| !from.is_empty() && from.first() != to.first() && place(from) > place(to))
        .map(|(from, to)| format!("{} uses {}", from.join("::"), to.join("::")))
        .collect();
    ensure!(upward.is_empty(), "against the order of the map in src/lib.rs:\n{}", upward.join("\n"));
    Ok(())
}

fn check_circles() -> Result<()> {
    let house = House::get()?;
    let mut graph: DiGraphMap<&Module, ()> = DiGraphMap::new();
    for (from, to) in house.uses() {
        graph.add_edge(from, to, ());
    }
    let names = |circle: Vec<&Module>| circle.iter().map(|module| module.join("::")).collect::<BTreeSet<_>>();
    let found: Vec<BTreeSet<String>> =
        tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1).map(names).collect();
    let known: Vec<BTreeSet<String>> =
        CIRCLES.iter().map(|(files, _)| files.iter().map(ToString::to_string).collect()).collect();
    let only_in = |one: &[BTreeSet<String>], other: &[BTreeSet<String>]| {
        one.iter()
            .filter(|circle| !other.contains(circle))
            .map(|circle| format!("{circle:?}"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let (new, gone) = (only_in(&found, &known), only_in(&known, &found));
    ensure!(new.is_empty(), "these use each other:\n{new}");
    ensure!(gone.is_empty(), "these are listed and use each other no more:\n{gone}");
    Ok(())
}
