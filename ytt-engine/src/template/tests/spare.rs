//! Which functions of a file a program may lack, and what it is without them.

use super::program;
use crate::template::Spare;

/// Functions without anything that would keep them.
const SIX: &str = "def a(): return 1\ndef b(x=-1, y=[None, (\"t\",)], z={}): return a()\ndef c(): return 3\n\
                   def d(): return lambda: c()\ndef f(): return 5\ndef g(): return 6\n";

fn spare(text: &str) -> (String, Spare) {
    let program = program("a.star", text);
    (program.text, program.spare.expect("there are functions to leave out"))
}

/// The lines of the program that gives these names, with their numbers where there is anything.
fn lines(text: &str, names: &[&str]) -> Vec<(usize, String)> {
    let (whole, spare) = spare(text);
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let text = spare.text(&whole, &spare.needed(&names, None));
    assert_eq!(text.lines().count(), whole.lines().count());
    (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()).map(|(at, line)| (at, line.to_owned())).collect()
}

/// The names of a file that are always there.
fn kept(text: &str) -> Vec<String> {
    let all = lines(text, &[]);
    let (_, last) = all.last().expect("a program returns something");
    let names = last.trim().trim_start_matches("return (None, (").split_once("), (").expect("there are names").0;
    names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn lines_stay_where_they_are() {
    let line = |at, text: &str| (at, text.to_owned());
    let (first, last) = (line(1, "def __ytt_file(__i):"), |text: &str| line(14, text));
    assert_eq!(lines(SIX, &[]), [first.clone(), last(" return (None, (), ())")]);
    assert_eq!(lines(SIX, &["other"]), lines(SIX, &[]));
    let one = [first.clone(), line(6, " def c():"), line(7, "  return 3"), last(" return (None, (c,), ())")];
    assert_eq!(lines(SIX, &["c"]), one);
    let body = [line(6, " def c():"), line(7, "  return 3"), line(8, " def d():"), line(9, "  return lambda: c()")];
    let two = [&[first][..], &body, &[last(" return (None, (c,d,), ())")]].concat();
    assert_eq!(lines(SIX, &["d"]), two);
}

#[test]
fn with_all_functions_the_text_is_the_program() {
    let text = format!("x = 1\n{SIX}y = x\nif x:\n  z = y\nend\n");
    let (whole, spare) = spare(&text);
    let names = ["a", "b", "c", "d", "f", "g"].map(str::to_owned);
    let all = spare.needed(&names, None);
    assert_eq!(spare.text(&whole, &all), whole);
    let some = spare.needed(&names[1..2], None);
    assert_eq!(spare.needed(&names[3..], Some(&some)), all);
    let without = spare.text(&whole, &some);
    assert!(without.ends_with("return (None, (x,a,b,y,), (lambda: z,))\n"), "{without}");
    assert_eq!(spare.values(&["x", "a", "b", "y"], &some, "-"), ["x", "a", "b", "-", "-", "-", "-", "y"]);
}

#[test]
fn what_other_code_names_stays() {
    for (code, expected) in [
        ("", ""),
        ("x = a()\n", "a x"),
        ("x = [lambda: b]\n", "a b x"),
        ("def e(x=d): return x\n", "c d e"),
        ("load(\"m\", d=\"a\")\n", "c __ytt_g_d"),
        ("for x in [c]:\n  x()\nend\n", "c"),
        ("c = 1\n", "c"),
        ("def c(): return 2\n", "c"),
        ("if True:\n  def b(): return 2\nend\n", "a b"),
        ("x = list(a=1).b\n", "a b x"),
        ("[a for a in []]\n", "a"),
    ] {
        let (text, names) = (format!("{SIX}{code}"), expected.split_whitespace());
        assert_eq!(kept(&text), names.collect::<Vec<_>>(), "{code}");
    }
}

#[test]
fn what_may_do_something_stays() {
    for (function, is_kept) in [
        ("def e(x=1, *y, z=\"t\", **w): return 1", false),
        ("def e(x=None, y=True, z=-2.5): return 1", false),
        ("def e(x=[[], ()], y=({},)): return 1", false),
        ("def e(x=-\"t\"): return 1", true),
        ("def e(x=not 1): return 1", true),
        ("def e(x={\"k\": 1, \"k\": 2}): return 1", true),
        ("def e(x=1 // 0): return 1", true),
        ("def e(x=list()): return 1", true),
        ("def e(x=[list]): return 1", true),
        ("def len(): return 1", true),
        ("if True:\n  def e(): return 1\nend\ndef e(): return 1", true),
    ] {
        assert_eq!(!kept(&format!("{SIX}{function}\n")).is_empty(), is_kept, "{function}");
    }
}

#[test]
fn few_functions_are_not_looked_at() {
    assert!(program("a.star", "def a(): return 1\ndef b(): return 2\ndef c(): return 3\n").spare.is_none());
    assert!(
        program("a.star", "def a(): return 1\ndef a(): return 2\ndef a(): return 3\ndef a(): return 4\n")
            .spare
            .is_none()
    );
}
