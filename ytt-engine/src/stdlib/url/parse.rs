//! Taking URLs apart and putting them together again, byte for byte as the reference does: nothing is normalised.

use super::escape::{Part, escape, escaped, stays, unescape};
use crate::quoted;

/// A URL in parts; unescaped but where it says `written`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Url {
    scheme: Vec<u8>,
    /// What follows a scheme without `/`, as written.
    opaque: Vec<u8>,
    pub(super) user: Option<User>,
    host: Vec<u8>,
    path: Escaped,
    /// As written.
    query: Vec<u8>,
    /// There is a `?` with nothing behind it.
    empty_query: bool,
    fragment: Escaped,
    /// `scheme:/path`, without an authority.
    no_host: bool,
}

/// A path or fragment: unescaped, and as written where that differs from escaping it anew.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Escaped {
    text: Vec<u8>,
    written: Option<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct User {
    pub(super) name: Vec<u8>,
    pub(super) password: Option<Vec<u8>>,
}

impl User {
    pub(super) fn text(&self) -> Vec<u8> {
        let mut out = escaped(&self.name, Part::User);
        if let Some(password) = &self.password {
            out.push(b':');
            escape(password, Part::User, &mut out);
        }
        out
    }
}

impl Escaped {
    fn read(written: &[u8], part: Part) -> Result<Escaped, String> {
        let text = unescape(written, part)?;
        let written = (escaped(&text, part) != written).then(|| written.to_vec());
        Ok(Escaped { text, written })
    }

    /// The written form, if it is made of characters that may stand there.
    fn text(&self, part: Part) -> Vec<u8> {
        match &self.written {
            Some(written) if written.iter().all(|byte| may_stand(*byte, part)) => written.clone(),
            // Compat: a star alone is kept.
            _ if self.text == b"*" => b"*".to_vec(),
            _ => escaped(&self.text, part),
        }
    }
}

fn may_stand(byte: u8, part: Part) -> bool {
    matches!(byte, b'!' | b'\'' | b'(' | b')' | b'*' | b'[' | b']' | b'%') || stays(byte, part)
}

/// Reads a URL; the error is the reference's text.
pub(super) fn parse(text: &[u8]) -> Result<Url, String> {
    let (rest, fragment) = cut(text, b'#');
    let mut url = parse_without_fragment(rest).map_err(|what| format!("parse {}: {what}", quoted::go(rest)))?;
    if let Some(fragment) = fragment.filter(|fragment| !fragment.is_empty()) {
        url.fragment =
            Escaped::read(fragment, Part::Fragment).map_err(|what| format!("parse {}: {what}", quoted::go(text)))?;
    }
    Ok(url)
}

/// What is before the first `mark`, and what is behind it.
pub(super) fn cut(text: &[u8], mark: u8) -> (&[u8], Option<&[u8]>) {
    let mut parts = text.splitn(2, |byte| *byte == mark);
    (parts.next().unwrap_or_default(), parts.next())
}

fn parse_without_fragment(text: &[u8]) -> Result<Url, String> {
    if text.iter().any(u8::is_ascii_control) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    let mut url = Url::default();
    if text == b"*" {
        url.path.text = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, mut rest) = scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    if let Some(before) = rest.strip_suffix(b"?").filter(|before| !before.contains(&b'?')) {
        url.empty_query = true;
        rest = before;
    } else {
        let query;
        (rest, query) = cut(rest, b'?');
        url.query = query.unwrap_or_default().to_vec();
    }
    let has_scheme = !url.scheme.is_empty();
    if !rest.starts_with(b"/") {
        if has_scheme {
            url.opaque = rest.to_vec();
            return Ok(url);
        }
        let segment = cut(rest, b'/').0;
        if segment.contains(&b':') {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    if let Some(behind) = rest.strip_prefix(b"//").filter(|behind| has_scheme || !behind.starts_with(b"/")) {
        let end = behind.iter().position(|byte| *byte == b'/').unwrap_or(behind.len());
        let authority;
        (authority, rest) = behind.split_at(end);
        parse_authority(authority, &mut url)?;
    } else if has_scheme && rest.starts_with(b"/") {
        url.no_host = true;
    }
    url.path = Escaped::read(rest, Part::Path)?;
    Ok(url)
}

/// The scheme, if there is one, and what follows it.
fn scheme(text: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let belongs = |(at, byte): (usize, &u8)| match byte {
        b'a'..=b'z' | b'A'..=b'Z' => true,
        b'0'..=b'9' | b'+' | b'-' | b'.' => at > 0,
        _ => false,
    };
    let end = text.iter().enumerate().position(|found| !belongs(found)).unwrap_or(text.len());
    match text.split_at(end) {
        ([], [b':', ..]) => Err("missing protocol scheme".to_owned()),
        (scheme, [b':', rest @ ..]) => Ok((scheme, rest)),
        _ => Ok((b"", text)),
    }
}

fn parse_authority(authority: &[u8], url: &mut Url) -> Result<(), String> {
    let mut parts = authority.rsplitn(2, |byte| *byte == b'@');
    url.host = parse_host(parts.next().unwrap_or_default())?;
    let Some(written) = parts.next() else { return Ok(()) };
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(byte);
    if !written.iter().all(allowed) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let (name, password) = cut(written, b':');
    url.user = Some(User {
        name: unescape(name, Part::User)?,
        password: password.map(|password| unescape(password, Part::User)).transpose()?,
    });
    Ok(())
}

fn parse_host(host: &[u8]) -> Result<Vec<u8>, String> {
    if host.starts_with(b"[") {
        let Some(end) = host.iter().rposition(|byte| *byte == b']') else {
            return Err("missing ']' in host".to_owned());
        };
        let (address, closed) = host.split_at(end);
        check_port(closed.strip_prefix(b"]").unwrap_or(closed))?;
        if let Some(zone) = address.windows(3).position(|window| window == b"%25") {
            let (address, zone) = address.split_at(zone);
            let mut out = unescape(address, Part::Host)?;
            out.extend(unescape(zone, Part::Zone)?);
            out.extend(unescape(closed, Part::Host)?);
            return Ok(out);
        }
    } else if let Some(colon) = host.iter().rposition(|byte| *byte == b':') {
        check_port(host.split_at(colon).1)?;
    }
    unescape(host, Part::Host)
}

fn check_port(port: &[u8]) -> Result<(), String> {
    match port.split_first() {
        None => Ok(()),
        Some((b':', digits)) if digits.iter().all(u8::is_ascii_digit) => Ok(()),
        _ => Err(format!("invalid port {} after host", quoted::go(port))),
    }
}

impl Url {
    pub(super) fn without_user(&self) -> Url {
        Url { user: None, ..self.clone() }
    }

    /// The host without port and brackets.
    pub(super) fn hostname(&self) -> &[u8] {
        let mut host = &self.host[..];
        if let Some((name, port)) = host.iter().rposition(|byte| *byte == b':').map(|colon| host.split_at(colon))
            && check_port(port).is_ok()
        {
            host = name;
        }
        host.strip_prefix(b"[").and_then(|inner| inner.strip_suffix(b"]")).unwrap_or(host)
    }

    pub(super) fn text(&self) -> Vec<u8> {
        let mut out = self.scheme.clone();
        let has_scheme = !self.scheme.is_empty();
        if has_scheme {
            out.push(b':');
        }
        if self.opaque.is_empty() {
            let has_host = !self.host.is_empty();
            if has_scheme || has_host || self.user.is_some() {
                let bare = self.no_host && !has_host && self.user.is_none();
                if !bare {
                    if has_host || !self.path.text.is_empty() || self.user.is_some() {
                        out.extend_from_slice(b"//");
                    }
                    if let Some(user) = &self.user {
                        out.extend(user.text());
                        out.push(b'@');
                    }
                    escape(&self.host, Part::Host, &mut out);
                }
            }
            let path = self.path.text(Part::Path);
            if !path.is_empty() && !path.starts_with(b"/") && has_host {
                out.push(b'/');
            }
            if out.is_empty() && cut(&path, b'/').0.contains(&b':') {
                out.extend_from_slice(b"./");
            }
            out.extend(path);
        } else {
            out.extend_from_slice(&self.opaque);
        }
        if self.empty_query || !self.query.is_empty() {
            out.push(b'?');
            out.extend_from_slice(&self.query);
        }
        if !self.fragment.text.is_empty() {
            out.push(b'#');
            out.extend(self.fragment.text(Part::Fragment));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(text: &str) -> String {
        match parse(text.as_bytes()) {
            Ok(url) => String::from_utf8(url.text()).unwrap(),
            Err(text) => text,
        }
    }

    #[test]
    fn texts_come_back() {
        for (text, expected) in [
            ("HTTP://u:p%40@Host:80/a%2fb?q=%zz&x#f", "http://u:p%40@Host:80/a%2fb?q=%zz&x#f"),
            ("mailto:a@b", "mailto:a@b"),
            ("/a b", "/a%20b"),
            ("/é", "/%C3%A9"),
            ("#b#c", "#b%23c"),
            ("//", ""),
            ("a:/b", "a:/b"),
            ("?", "?"),
            ("*", "*"),
            ("a/b:c", "a/b:c"),
            ("x://[fe80::1%25en0]:8/", "x://[fe80::1%25en0]:8/"),
            ("http://a<b>", "http://a<b>"),
        ] {
            assert_eq!(round(text), expected, "{text}");
        }
    }

    #[test]
    fn errors() {
        for (text, expected) in [
            (":a", r#"parse ":a": missing protocol scheme"#),
            ("a b:c", r#"parse "a b:c": first path segment in URL cannot contain colon"#),
            ("http://[::1", r#"parse "http://[::1": missing ']' in host"#),
            ("http://h:a/", r#"parse "http://h:a/": invalid port ":a" after host"#),
            ("http://a b/", r#"parse "http://a b/": invalid character " " in host name"#),
            ("http://a%20b/", r#"parse "http://a%20b/": invalid URL escape "%20""#),
            ("http://a b@h/", r#"parse "http://a b@h/": net/url: invalid userinfo"#),
            ("/%zz", r#"parse "/%zz": invalid URL escape "%zz""#),
            ("a#%z", r##"parse "a#%z": invalid URL escape "%z""##),
            ("a\u{7f}", r#"parse "a\x7f": net/url: invalid control character in URL"#),
        ] {
            assert_eq!(round(text), expected);
        }
    }

    #[test]
    fn hosts() {
        for (text, expected) in [("x://h1:1,h2:2", "h1:1,h2"), ("x://[::1]:80", "::1"), ("x://A", "A"), ("/x", "")] {
            assert_eq!(parse(text.as_bytes()).unwrap().hostname(), expected.as_bytes());
        }
        assert_eq!(parse(b"x://u:@h").unwrap().user.unwrap().password, Some(vec![]));
        assert_eq!(parse(b"/\xff").unwrap().text(), b"/%FF");
    }
}
