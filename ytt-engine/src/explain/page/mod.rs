//! The explanation as one page for a browser: it needs no network, and nothing beside it.
//!
//! `page.html` and `page.css` are the page, and four files of script: `model.js` reads what `data` wrote, `output.js` and
//! `panel.js` draw the left and the right side, `page.js` searches and listens. The page says to the browser that no
//! script may run but its own, which is named by its digest; what comes from outside is a text that the script reads, and
//! it only ever makes texts of it, never elements.

mod data;
#[cfg(test)]
mod tests;

use data_encoding::BASE64;
use hmac_sha256::Hash as Sha256;

use super::Explanation;
use crate::diag::Diagnostic;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// One script of four parts: each uses the names of those before it.
const SCRIPT: &str =
    concat!(include_str!("model.js"), include_str!("output.js"), include_str!("panel.js"), include_str!("page.js"));

impl Explanation<'_> {
    /// The whole as a page for a browser, in one file: the lines of the output, each with its history, excerpts of the
    /// sources, overlays, data values, and `warnings`, which are those of the render.
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").explain(true).render()?;
    /// let page = rendered.explanation()?.unwrap().to_html(rendered.warnings());
    /// assert!(page.starts_with("<!doctype html>"));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_html(&self, warnings: &[Diagnostic]) -> String {
        // A browser reads one kind of line break, and compares the digests with what it read.
        let (style, script) = (STYLE.replace("\r\n", "\n"), SCRIPT.replace("\r\n", "\n"));
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; base-uri 'none'; form-action 'none'",
            digest(&script),
            digest(&style),
        );
        let data = data::of(self, warnings);
        let mut out = String::with_capacity([PAGE, &style, &script, &data].iter().map(|part| part.len()).sum());
        let mut rest = PAGE;
        let parts = [("{{policy}}", &policy), ("{{style}}", &style), ("{{data}}", &data), ("{{script}}", &script)];
        for (mark, text) in parts {
            let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
            out.push_str(before);
            out.push_str(text);
            rest = after;
        }
        out + rest
    }
}

/// How a content security policy names a text.
fn digest(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(&Sha256::hash(text.as_bytes())))
}
