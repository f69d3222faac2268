//! The file that was probably meant by a path under which there is none.

use super::{FolderId, FoundFile, Tree};
use crate::diag::{Advice, Diagnostic, Fact, suggest};
use crate::files::PRIVATE;
use crate::nearest::only;

impl Tree {
    /// Adds the file that was probably meant: with a similar path, or of the same name elsewhere in the library.
    pub(super) fn near_file(
        &self,
        diagnostic: Diagnostic,
        (start, root): (FolderId, FolderId),
        (path, is_absolute): (&str, bool),
    ) -> Diagnostic {
        /// Files that are looked through.
        const MOST: usize = 2_000;
        let below: Vec<FoundFile> = self.in_tree_order(start);
        let below: Vec<&str> = below.iter().take(MOST).map(|found| self.path_in(start, &found.file)).collect();
        let is_without_ending = |known: &&str| known.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
        let longer = below.iter().copied().filter(is_without_ending);
        // The name of the folder that is given is no part of a path.
        let inside = path.split_once('/').map(|(_, rest)| rest).filter(|rest| below.contains(rest));
        let longer = only(longer);
        if let (Some(near), None) = (inside, longer) {
            let surplus = path.strip_suffix(near).unwrap_or_default().to_owned();
            let mut told = diagnostic.misspelt(path, Some(near)).saying("no such file");
            let found = self.file(start, root, near).ok();
            let given = found.as_ref().and_then(|found| found.file.given()).filter(|given| given.ends_with(path));
            if let (Some(given), Some(help)) = (given, told.parts_mut().helps.last_mut()) {
                help.text = format!("`{given}` is `{near}` here: the folder that `-f` names is no part of it");
            }
            return told.fact(Fact::SurplusFolder { surplus });
        }
        if let Some(near) = longer.or_else(|| suggest::similar(path, below.iter().copied())) {
            return diagnostic.misspelt(path, Some(near)).saying("no such file");
        }
        if let Some((library, rest)) = self.in_a_library(start, path).filter(|_| !is_absolute) {
            let near = format!("@{library}:{rest}");
            let told = diagnostic.misspelt(path, Some(&near)).saying("no such file beside this one");
            let text = format!("`{rest}` is a file of the library `{library}`: `@{library}:` in front says so");
            return helped(told, text);
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        let everywhere = self.in_tree_order(root);
        // By the path that it has on disk, where a mark or flag gives it another one.
        let is_given = |found: &&FoundFile| {
            let given = found.file.given().and_then(|given| given.strip_suffix(path));
            given.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        if let Some(found) =
            only(everywhere.iter().take(MOST).filter(is_given)).filter(|found| found.file.path.name() != name)
        {
            let own = self.path_in(root, &found.file);
            let near = if is_absolute { own.to_owned() } else { format!("/{own}") };
            let told = diagnostic.misspelt(path, Some(&near)).saying("no such file");
            return helped(told, format!("`{path}` is `/{own}` here: a mark or a flag gives it that path"));
        }
        let mut same = everywhere.iter().take(MOST).filter(|found| found.file.path.name() == name);
        match (same.next(), same.next()) {
            (Some(found), None) => {
                let near = format!("/{}", self.path_in(root, &found.file));
                let told = diagnostic.misspelt(path, Some(&near)).saying("no such file");
                let is_at_root = near.strip_prefix('/') == Some(path);
                let given = found.file.given().filter(|given| !near.ends_with(given) && !is_at_root);
                helped(
                    told,
                    match given {
                        Some(given) => {
                            format!("`{given}` is `{near}` here: the folder that `-f` names is no part of it")
                        }
                        None => format!(
                            "there is `{near}`: a path starts in the folder of the file that names it, or with a slash in \
                         its library's root"
                        ),
                    },
                )
            }
            (None, _) if root != Tree::ROOT => {
                let told = diagnostic.misspelt(path, None).saying("no such file in this library");
                let outside = self.in_tree_order(Tree::ROOT);
                match outside.iter().take(MOST).find(|found| found.file.path.name() == name) {
                    Some(found) => told.help(format!(
                        "`{}` lies outside of this library, whose code finds files of its own only",
                        found.file.path
                    )),
                    None => match files_there(&below) {
                        Some(files) => told.help(format!("files of this library: {files}")),
                        None => told.advise(Advice::AddFile),
                    },
                }
            }
            _ => diagnostic.misspelt(path, None).saying("no such file").advise(Advice::AddFile),
        }
    }

    /// The library beside a folder that the beginning of a path names, and the path of a file in it that the rest is.
    fn in_a_library<'p>(&self, folder: FolderId, path: &'p str) -> Option<(&'p str, &'p str)> {
        let libraries = self.child(folder, PRIVATE)?;
        path.match_indices('/').find_map(|(at, _)| {
            let (name, rest) = (path.get(..at)?, path.get(at.saturating_add(1)..)?);
            let library = self.folder(libraries, name).ok()?;
            self.file(library, library, rest).is_ok().then_some((name, rest))
        })
    }
}

/// A problem whose last help says something else.
fn helped(mut told: Diagnostic, text: String) -> Diagnostic {
    told.parts_mut().helps.last_mut().into_iter().for_each(|help| help.text.clone_from(&text));
    told
}

/// The files of a library, if they are few; those that are made to be loaded, if there are any.
fn files_there(paths: &[&str]) -> Option<String> {
    const SHOWN: usize = 5;
    let is_module = |path: &&&str| path.ends_with(".star") || path.rsplit('/').next().unwrap_or(path).contains(".lib.");
    let modules: Vec<&&str> = paths.iter().filter(is_module).collect();
    let files = if modules.is_empty() { paths.iter().collect() } else { modules };
    let names: Vec<String> = files.iter().map(|path| format!("`{path}`")).collect();
    (1..=SHOWN).contains(&names.len()).then(|| names.join(", "))
}
