//! Lists the kind and the name of each document in rendered manifests.
//!
//! This is no YAML reader. It relies on how ytt prints: block style, one `key: value` a line, a
//! document's own keys without indent, and a line `---` between documents, which no text inside a
//! document can imitate because such text is indented or quoted.

use std::collections::BTreeMap;

/// What the listing says about one document.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    kind: Option<String>,
    name: Option<String>,
}

/// One line for each document, in their order, then how many there are of each kind.
pub(crate) fn listing(manifests: &str) -> String {
    let entries = entries(manifests);
    let kinds: Vec<&str> = entries.iter().map(|entry| entry.kind.as_deref().unwrap_or("-")).collect();
    let width = kinds.iter().map(|kind| kind.chars().count()).max().unwrap_or(0);

    let mut lines = Vec::new();
    let mut counts = BTreeMap::new();
    for (entry, kind) in entries.iter().zip(kinds) {
        lines.push(format!("{kind:width$}  {}", entry.name.as_deref().unwrap_or("-")));
        *counts.entry(kind).or_insert(0) += 1;
    }
    if !lines.is_empty() {
        lines.push(String::new());
    }
    lines.extend(counts.iter().map(|(kind, count)| format!("{count} {kind}")));
    lines.push(format!("{} {}", entries.len(), if entries.len() == 1 { "document" } else { "documents" }));
    lines.join("\n") + "\n"
}

fn entries(manifests: &str) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut document = Vec::new();
    for line in manifests.lines() {
        if line.trim_end() == "---" {
            found.extend(entry(&document));
            document.clear();
        } else {
            document.push(line);
        }
    }
    found.extend(entry(&document));
    found
}

/// `None` for a document without any text.
fn entry(document: &[&str]) -> Option<Entry> {
    if document.iter().all(|line| line.trim().is_empty()) {
        return None;
    }
    let mut entry = Entry::default();
    // Indent of the keys right below `metadata:`, known once the first of them was seen.
    let mut indent = None;
    let mut in_metadata = false;
    for line in document.iter().filter(|line| !line.trim().is_empty()) {
        let text = line.trim_start_matches(' ');
        let depth = line.len() - text.len();
        if depth == 0 {
            in_metadata = text.trim_end() == "metadata:";
            if let Some(value) = text.strip_prefix("kind:") {
                entry.kind = scalar(value);
            }
        } else if in_metadata
            && depth == *indent.get_or_insert(depth)
            && let Some(value) = text.strip_prefix("name:")
        {
            entry.name = scalar(value);
        }
    }
    Some(entry)
}

/// The text of a plain or quoted scalar; nothing for an empty one and for what spans several lines.
fn scalar(value: &str) -> Option<String> {
    // `kind:x` is a plain scalar, not a key with a value.
    let value = value.strip_prefix(' ')?.trim();
    let text = if let Some(inner) = quoted(value, '\'') {
        inner.replace("''", "'")
    } else if let Some(inner) = quoted(value, '"') {
        inner.replace("\\\"", "\"").replace("\\\\", "\\")
    } else if value.starts_with(['|', '>', '{', '[', '\'', '"']) || value == "null" {
        return None;
    } else {
        value.to_owned()
    };
    if text.is_empty() { None } else { Some(text) }
}

fn quoted(value: &str, quote: char) -> Option<&str> {
    value.strip_prefix(quote)?.strip_suffix(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(manifests: &str, expected: &[(&str, &str)]) {
        let found: Vec<(String, String)> = entries(manifests)
            .into_iter()
            .map(|entry| (entry.kind.unwrap_or_default(), entry.name.unwrap_or_default()))
            .collect();
        let expected: Vec<(String, String)> =
            expected.iter().map(|(kind, name)| ((*kind).to_owned(), (*name).to_owned())).collect();
        assert_eq!(found, expected, "{manifests}");
    }

    #[test]
    fn reads_each_document() {
        check(
            "kind: Service\nmetadata:\n  name: web\n---\nkind: Secret\nmetadata:\n  name: key\n",
            &[("Service", "web"), ("Secret", "key")],
        );
        check("metadata:\n  name: web\nkind: Service\n", &[("Service", "web")]);
        check("---\nkind: Service\r\nmetadata:\r\n  name: web\r\n---\r\n", &[("Service", "web")]);
    }

    #[test]
    fn skips_empty_documents() {
        check("", &[]);
        check("\n", &[]);
        check("---\n---\n", &[]);
        check("kind: A\n---\n---\nkind: B\n", &[("A", ""), ("B", "")]);
    }

    #[test]
    fn takes_only_the_document_s_own_keys() {
        check("kind: List\nitems:\n- kind: Service\n  metadata:\n    name: web\n", &[("List", "")]);
        check("kind: Job\nmetadata:\n  labels:\n    name: other\n    kind: other\n", &[("Job", "")]);
        check("kind: Job\nmetadata:\n  labels:\n    name: other\n  name: own\n", &[("Job", "own")]);
        check("kind: Job\nspec:\n  name: other\n", &[("Job", "")]);
        check("kind: Job\nmetadata:\n  name: own\nspec:\n  name: other\n", &[("Job", "own")]);
        check("kinds: many\nmetadata: {}\n", &[("", "")]);
    }

    #[test]
    fn ignores_yaml_inside_texts() {
        check(
            "kind: ConfigMap\nmetadata:\n  name: own\ndata:\n  a.yml: |\n    kind: Other\n\n    ---\n    name: other\n",
            &[("ConfigMap", "own")],
        );
        check("kind: A\nmetadata:\n  annotations:\n    note: |\n      name: other\n  name: own\n", &[("A", "own")]);
    }

    #[test]
    fn unquotes_names() {
        for (written, name) in [
            ("web", "web"),
            ("\"1\"", "1"),
            ("'a: b'", "a: b"),
            ("'it''s'", "it's"),
            ("\"say \\\"x\\\"\"", "say \"x\""),
            ("null", ""),
            ("\"\"", ""),
            ("\"", ""),
            ("|", ""),
            ("", ""),
        ] {
            check(&format!("kind: A\nmetadata:\n  name: {written}\n"), &[("A", name)]);
        }
        check("kind: A\nmetadata:\n  name:x\n", &[("A", "")]);
    }

    #[test]
    fn lines_up_and_counts() {
        let manifests = "kind: Deployment\nmetadata:\n  name: web\n---\nkind: Service\nmetadata:\n  name: web\n---\n\
                         kind: Service\nmetadata:\n  name: api\n---\na: 1\n";
        assert_eq!(
            listing(manifests),
            "Deployment  web\nService     web\nService     api\n-           -\n\n1 -\n1 Deployment\n2 Service\n4 documents\n"
        );
        assert_eq!(listing(""), "0 documents\n");
    }
}
