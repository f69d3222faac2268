//! Places of programs lead back to the source.

use super::compile;

/// Each name `mN` of the program comes from the same name of the source.
fn check(name: &str, text: &str) {
    let compiled = compile(name, text.as_bytes(), false);
    let program = compiled.program.expect(text);
    let mut found = 0;
    for (number, line) in program.text.lines().enumerate() {
        let chars: Vec<char> = line.chars().collect();
        let is_word = |at: usize| chars.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        for at in 0..chars.len() {
            if chars[at] != 'm' || at > 0 && is_word(at - 1) || !chars.get(at + 1).is_some_and(char::is_ascii_digit) {
                continue;
            }
            let end = (at..).find(|at| !is_word(*at)).unwrap_or(at);
            let word: String = chars[at..end].iter().collect();
            let Some(span) = program.lines.range((number as u32, at as u32), (number as u32, end as u32)) else {
                panic!("{word} has no place in {text}");
            };
            // names of the last line come from the whole file
            if line.trim_start().starts_with("return (") && number + 1 == program.text.lines().count() {
                continue;
            }
            let source = &text.as_bytes()[span.start as usize..span.end as usize];
            assert_eq!(String::from_utf8_lossy(source), word, "{text}\n{}", program.text);
            found += 1;
        }
    }
    assert!(found > 0, "{text}");
}

#[test]
fn names_of_every_kind_of_file() {
    for (name, text) in [
        ("a.star", "m1 = 1\n   def m2(m3, m4=m1):\n\t return m3 + m4\n end\nm5 = m2(m1)"),
        ("a.star", "m1 = '\\u00e9é' + str(2); m2 = m1 + '''a\nb\r\n  c''' + m1\nm3 = m2"),
        ("a.star", "m1 = [1,\r\n  2] + [m2 for m2 in [3]\r\n  if m2]\n"),
        ("a.star", "m1 = {}\nm2 = m1.keys().format(m1).é(m1, *m1, m4=m1, **m1) % m1"),
        ("a.star", "m1 = 5\n  m1 %= m1\nwhile m1: m1 = m1 - 1\n"),
        ("a.star", "if len([1]):\n m1 = 2\n else:\n m1 = 3\n end m3 = 4"),
        ("a.txt", "é(@ m1 = 'x' @) (@- m2 = m1\n  m3 = m2 -@)(@=  m3\n + m2 @)"),
        ("a.yml", "#@ m1 = 1\n  #@  m2 = m1\na: #@ m1 + m2\n#@foo m1, m3=m2\nb:\n  - #@ m1\n"),
        ("a.yml", "#@ if/end True:  \na: #@ 1\n#@ for/end m1 in [1]:\nb: #@ m1\n"),
        (
            "a.yml",
            "#@yaml/text-templated-strings\na:\n  b: é(@ m1 = 1 @)\n  c: \"\\n(@ m2 = m1 @)x\"\n  d: |\n    x\n      (@ m3 = m2 @)\n    (@= str(m3) @)\n",
        ),
    ] {
        check(name, text);
    }
}

#[test]
fn expressions_over_lines_know_their_operator() {
    let text = "x = (1\n  + 'a')\ny = x\\\n  .foo(1)\nz = 1 + 2\n";
    let compiled = compile("a.star", text.as_bytes(), false);
    let lines = compiled.program.expect(text).lines;
    let mut found = Vec::new();
    for start in 0..text.len() {
        for end in start..text.len() {
            let whole = crate::source::Span::new(crate::source::SourceId(0), start as u32, end as u32);
            if let Some(operator) = lines.operator(whole) {
                found.push((&text[start..end], &text[operator.start as usize..operator.end as usize]));
            }
        }
    }
    assert_eq!(found, [("1\n  + 'a'", "+"), ("x\\\n  .foo", "."), ("x\\\n  .foo(1)", "(")]);
}

#[test]
fn lines_of_strings_know_their_item() {
    let text = "#@yaml/text-templated-strings\na: |\n  (@ m1 = 1 @)\nb: #@ m1\n";
    let compiled = compile("a.yml", text.as_bytes(), false);
    let program = compiled.program.expect(text);
    let code = program.text.lines().position(|line| line == " m1 = 1").expect("the code of the string");
    for (number, line) in program.text.lines().enumerate() {
        let item = program.lines.string_item(number as u32).map(|span| &text[span.start as usize..span.end as usize]);
        // the text begins in front of the code, has a piece behind it, and is taken then
        assert_eq!(item, (code - 1..=code + 2).contains(&number).then_some("a"), "{line}");
    }
}
