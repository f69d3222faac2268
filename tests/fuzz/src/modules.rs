//! Modules that read texts: each function gets the same text, and what it makes of it is written and read again.

use ytt_engine::ErrorKind;

use super::render::{check_error, project};

/// What all programs begin with: a decoder either refuses a text, or gives what is the same after it was written and read.
const HEAD: &str = r#"#@ load("@ytt:assert", "assert")
#@ load("@ytt:data", "data")
#@ text = data.read("text.bin")
#@ first = data.read("first.bin")

#@ def stable(decode, encode):
#@   value, error = assert.try_to(lambda: decode(text))
#@   if error != None: return error
#@   written, error = assert.try_to(lambda: encode(value))
#@   if error != None: return error
#@   again, error = assert.try_to(lambda: encode(decode(written)))
#@   if error != None: return ["broken", written, error]
#@   if again != written: return ["broken", written, again]
#@   return written
#@ end

#@ def tried(f):
#@   value, error = assert.try_to(f)
#@   return str(value) if error == None else error
#@ end
---
"#;

/// The first byte of an input decides which of them runs.
const PROGRAMS: [&str; 5] = [
    r#"#@ load("@ytt:json", "json")
#@ load("@ytt:yaml", "yaml")
json: #@ stable(json.decode, json.encode)
indented: #@ stable(json.decode, lambda x: json.encode(x, indent=3))
yaml: #@ stable(yaml.decode, yaml.encode)
"#,
    r#"#@ load("@ytt:toml", "toml")
toml: #@ stable(toml.decode, toml.encode)
"#,
    r#"#@ load("@ytt:url", "url")
segment: #@ stable(url.path_segment_decode, url.path_segment_encode)
parameter: #@ stable(url.query_param_value_decode, url.query_param_value_encode)
query: #@ stable(url.query_params_decode, url.query_params_encode)
url: #@ stable(url.parse, lambda x: x.string())
user: #@ tried(lambda: url.parse(text).user.string())
host: #@ tried(lambda: url.parse(text).hostname())
without_user: #@ tried(lambda: url.parse(text).without_user().string())
"#,
    r#"#@ load("@ytt:regexp", "regexp")
match: #@ tried(lambda: regexp.match(first, text))
replace: #@ tried(lambda: regexp.replace(first, text, "<$1${a}$$>"))
function: #@ tried(lambda: regexp.replace(first, text, lambda found: found + found))
template: #@ tried(lambda: regexp.replace("(?P<a>.)(.)?", text, first))
"#,
    r#"#@ load("@ytt:base64", "base64")
#@ load("@ytt:ip", "ip")
#@ load("@ytt:md5", "md5")
#@ load("@ytt:sha256", "sha256")
#@ load("@ytt:version", "version")
base64: #@ stable(base64.decode, base64.encode)
base64_url: #@ stable(lambda x: base64.decode(x, url=True, raw=True), lambda x: base64.encode(x, url=True, raw=True))
base64_strict: #@ stable(lambda x: base64.decode(x, strict=True), base64.encode)
address: #@ stable(ip.parse_addr, lambda x: x.string())
network: #@ tried(lambda: [part.string() for part in ip.parse_cidr(text)])
version: #@ tried(lambda: version.require_at_least(text))
digests: #@ [md5.sum(text), sha256.sum(text), len(base64.encode(text))]
number: #@ [tried(lambda: int(text)), tried(lambda: float(text)), tried(lambda: int(text, 0))]
format: #@ [tried(lambda: text % (1, "a")), tried(lambda: text.format(1, a=2)), tried(lambda: first % 1.5)]
parts: #@ [text.split(first) if first else 0, text.splitlines(), text.title(), text.strip(first)]
"#,
];

/// The first byte chooses a program, the rest of the first line is a pattern, and all behind it a text.
pub fn modules(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let program = format!("{HEAD}{}", PROGRAMS[usize::from(*choice) % PROGRAMS.len()]);
    let (first, text) = match bytes.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, bytes),
    };
    let mut limits = super::render::limits();
    limits.steps = Some(50_000);
    let project = project().limits(limits).file("first.bin", first).file("text.bin", text).file("a.yml", program);
    // One render: most of the time goes into the program, which is always the same.
    match project.render() {
        Ok(rendered) => {
            let values = rendered.documents().last().expect("a document");
            for (name, value) in values.entries() {
                let is_broken = value.at(0).and_then(|first| first.as_str()) == Some("broken");
                assert!(!is_broken, "{:?}: {}", name.as_str(), value.to_yaml().unwrap_or_default());
            }
        }
        Err(error) => {
            check_error(&error);
            assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        }
    }
}
