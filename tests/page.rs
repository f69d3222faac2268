//! The page of `cargo ytt explain --html` in a real browser: what it says is what the JSON form says, for mouse and keys.
#![forbid(unsafe_code)]

#[path = "page/browser.rs"]
mod browser;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use browser::Browser;
use serde_json::Value;
use ytt_engine::Project;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("page-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

/// Opens the page of a project; `test` gets the JSON form, too.
fn page(name: &str, project: Project, test: impl FnOnce(&mut Browser, &Value)) {
    let program = std::env::var("CHROMIUM").expect("CHROMIUM names the program");
    let folder = folder(name);
    let rendered = project.explain(true).render().expect("a render");
    let explanation = rendered.explanation().expect("an explanation").expect("it was asked for");
    let file = folder.join("page.html");
    fs::write(&file, explanation.to_html(rendered.warnings())).expect("a temporary file");
    let mut json: Value = serde_json::from_str(&explanation.to_json()).expect("the JSON form");
    // Of the whole, steps name their scopes; of one value, what was read there.
    for (line, number) in json["lines"].as_array_mut().expect("lines").iter_mut().zip(1..) {
        let found = explanation.find(&format!(":{number}"), "").expect("a line").to_json();
        line["history"] = serde_json::from_str::<Value>(&found).expect("the JSON form")["history"].take();
    }
    browser::with(&program, &folder.join("profile"), |browser| {
        browser.open(&file);
        test(browser, &json);
    });
}

fn guestbook() -> Project {
    let example = support::workspace().join("examples/guestbook");
    Project::new().read(example.join("config")).read(example.join("overlays/prod"))
}

/// Lines of the JSON form that are no `---`, with their numbers.
fn lines(json: &Value) -> impl Iterator<Item = (u64, &Value)> {
    let lines = json["lines"].as_array().expect("lines");
    lines.iter().zip(1..).map(|(line, number)| (number, line)).filter(|(_, line)| line["text"] != "---")
}

fn history(line: &Value) -> &[Value] {
    line["history"].as_array().expect("a history")
}

/// The numbers of runs of lines, but for those of lines `---`.
fn numbers(json: &Value, runs: &Value) -> Vec<u64> {
    let ends = |run: &Value| Some(run[0].as_u64()?..=run[1].as_u64()?);
    let all = runs.as_array().expect("runs").iter().filter_map(ends).flatten();
    all.filter(|line| json["lines"][*line as usize - 1]["text"] != "---").collect()
}

/// A place as the page writes it.
fn place(place: &Value) -> Option<String> {
    let name = place["path"].as_str().or(place["file"].as_str())?;
    Some(format!("{name}:{}:{}", place["line"], place["column"]))
}

/// The lines that the page marks.
fn marked(browser: &mut Browser) -> Vec<u64> {
    let found = browser.ask("[...document.querySelectorAll('.line.hit')].map(line => Number(line.dataset.line))");
    found.as_array().expect("a list").iter().filter_map(Value::as_u64).collect()
}

fn selected(browser: &mut Browser) -> String {
    browser.text("document.querySelector('.output .selected').id")
}

/// What the panel says of the line that is selected, as one text.
const PANEL: &str = "(() => {
  const all = (from, what) => [...from.querySelectorAll(what)];
  const text = element => element ? element.textContent : '';
  return all(document, '#panel > .history > .step').map(step => [
    text(step.querySelector(':scope > .told > .said')),
    text(step.querySelector(':scope > .told > .value')),
    step.querySelector(':scope > .place')?.dataset.place ?? '',
    ...all(step, ':scope > .called > .place').map(place => 'called ' + place.dataset.place),
    ...all(step, ':scope > .returned > .place').map(place => 'returned ' + place.dataset.place).sort(),
    ...all(step, ':scope > .set > .place').map(place => 'set ' + place.dataset.place),
    ...all(step, ':scope > .read > .data-value > b').map(name => 'read ' + text(name)),
    ...all(step, ':scope > .scope .data-value > b').map(name => 'scope ' + text(name)),
  ].join(' ; ')).join('\\n');
})()";

fn told(steps: &[Value]) -> String {
    let told = steps.iter().map(|step| {
        let text = |key: &str| step[key].as_str().unwrap_or_default().to_owned();
        let removed = step["overlay"]["operation"] == "remove";
        let value = if removed { "removed".into() } else { text("value") };
        let mut parts = vec![text("said"), value, place(&step["place"]).unwrap_or_default()];
        let list = |key: &str| step[key].as_array().cloned().unwrap_or_default();
        parts.extend(list("calls").iter().filter_map(place).map(|place| format!("called {place}")));
        let ends = |returned: &Value| [place(&returned["place"]), place(&returned["call"])];
        let mut returned: Vec<String> = list("returns").iter().flat_map(ends).flatten().collect();
        returned.sort();
        parts.extend(returned.into_iter().map(|place| format!("returned {place}")));
        parts.extend(list("names").iter().filter_map(|set| place(&set["place"])).map(|place| format!("set {place}")));
        for (in_scope, word) in [(false, "read"), (true, "scope")] {
            let reads = list("reads").into_iter().filter(|read| read["in_scope"] == in_scope);
            parts.extend(reads.map(|read| format!("{word} {}", read["name"].as_str().unwrap_or_default())));
        }
        parts.join(" ; ")
    });
    told.collect::<Vec<_>>().join("\n")
}

#[test]
#[ignore = "needs CHROMIUM, the path of a Chromium; .ci/run installs it"]
fn the_page_says_what_the_json_form_says() {
    page("json", guestbook(), |browser, json| {
        let shown =
            browser.ask("[...document.querySelectorAll('.line')].map(line => line.querySelector('code').textContent)");
        let expected: Vec<&Value> = json["lines"].as_array().expect("lines").iter().map(|line| &line["text"]).collect();
        assert_eq!(shown.as_array().expect("a list").iter().collect::<Vec<_>>(), expected);

        for (number, line) in lines(json) {
            browser.ask(&format!("document.querySelector('#line-{number}').click()"));
            assert_eq!(browser.text(PANEL), told(history(line)), "line {number}");
            let path = browser.text("document.querySelector('.subject').textContent");
            assert_eq!(path, line["path"].as_str().unwrap_or_default(), "line {number}");
        }
    });
}

#[test]
#[ignore = "needs CHROMIUM, the path of a Chromium; .ci/run installs it"]
fn a_click_shows_the_lines_that_a_place_or_a_data_value_made() {
    page("clicks", guestbook(), |browser, json| {
        let (number, line) = lines(json)
            .find(|(_, line)| line["path"] == "spec.template.spec.containers[0].image")
            .expect("the image of a container");
        browser.click(&format!("#line-{number}"));
        assert_eq!(selected(browser), format!("line-{number}"));
        let wanted = place(&history(line)[0]["place"]).expect("a place");
        browser.click("#panel > .history > .step > .place");
        let made = |line: &Value| {
            let mut steps = history(line).iter();
            let is_wanted = |at: &Value| place(at).as_ref() == Some(&wanted);
            steps.any(|step| {
                is_wanted(&step["place"]) || step["calls"].as_array().is_some_and(|calls| calls.iter().any(is_wanted))
            })
        };
        let expected: Vec<u64> = lines(json).filter(|(_, line)| made(line)).map(|(number, _)| number).collect();
        assert_eq!(marked(browser), expected);
        let said = browser.text("document.querySelector('#marked').textContent");
        assert!(said.contains(&format!("{} line", expected.len())) && said.contains(&wanted), "{said}");
        browser.press("Escape");
        assert_eq!(browser.ask("document.querySelector('#marked').hidden"), true);

        browser.click("#tab-values");
        let names = browser.ask("[...document.querySelectorAll('details.data')].map(value => value.dataset.name)");
        let values = json["data_values"].as_array().expect("data values");
        let expected: Vec<&Value> = values.iter().map(|value| &value["name"]).collect();
        assert_eq!(names.as_array().expect("a list").iter().collect::<Vec<_>>(), expected);
        for (at, value) in values.iter().enumerate() {
            let open = format!(
                "(() => {{ const value = document.querySelectorAll('details.data')[{at}]; value.open = true; }})()"
            );
            browser.ask(&open);
            browser.settle();
            let steps = browser.ask(&format!(
                "[...document.querySelectorAll('details.data')[{at}].querySelectorAll('.place[data-place]')].map(place => place.dataset.place)"
            ));
            let places: Vec<String> =
                value["history"].as_array().expect("steps").iter().filter_map(|step| place(&step["place"])).collect();
            assert_eq!(steps, Value::from(places), "{}", value["name"]);
            let expected = numbers(json, &value["lines"]);
            if !expected.is_empty() {
                browser
                    .ask(&format!("document.querySelectorAll('details.data')[{at}].querySelector('.place').click()"));
                assert_eq!(marked(browser), expected, "{}", value["name"]);
            }
        }
    });
}

#[test]
#[ignore = "needs CHROMIUM, the path of a Chromium; .ci/run installs it"]
fn lines_are_found_by_keys_alone() {
    page("keys", guestbook(), |browser, json| {
        browser.press("/");
        browser.write("kind:deployment name:frontend key:image");
        let documents = json["documents"].as_array().expect("documents");
        let fits = |line: &Value| {
            let document = &documents[line["document"].as_u64().expect("a number") as usize];
            let path = line["path"].as_str().unwrap_or_default();
            let key = path.rsplit('.').next().unwrap_or_default();
            document["name"].as_str().is_some_and(|name| name.starts_with("Deployment/") && name.contains("frontend"))
                && key.to_lowercase().contains("image")
        };
        // A list of scalars stands below its key.
        let has_key = |line: &Value| line["text"].as_str().is_some_and(|text| text.contains("mage"));
        let expected: Vec<u64> =
            lines(json).filter(|(_, line)| fits(line) && has_key(line)).map(|(number, _)| number).collect();
        assert!(expected.len() > 1, "the example has several images");
        assert_eq!(marked(browser), expected);
        assert_eq!(selected(browser), format!("line-{}", expected[0]));
        browser.press("Enter");
        assert_eq!(selected(browser), format!("line-{}", expected[1]));

        browser.press("ArrowDown");
        assert_eq!(browser.text("document.activeElement.id"), "output");
        browser.press("N");
        assert_eq!(selected(browser), format!("line-{}", expected[0]));
        browser.press("n");
        assert_eq!(selected(browser), format!("line-{}", expected[1]));
        browser.press("Escape");
        assert_eq!(browser.ask("document.querySelector('#marked').hidden"), true);
        browser.press("ArrowDown");
        assert_eq!(selected(browser), format!("line-{}", expected[1] + 1));
        browser.press("ArrowUp");
        assert_eq!(selected(browser), format!("line-{}", expected[1]));

        browser.press("Home");
        assert_eq!(selected(browser), "document-0");
        browser.press("ArrowDown");
        assert_eq!(selected(browser), "line-1");
        browser.press("ArrowLeft");
        assert_eq!(selected(browser), "document-0");
        browser.press("ArrowDown");
        assert_eq!(selected(browser), "document-1", "what is folded is no line");
        browser.press("ArrowUp");
        browser.press("ArrowRight");
        assert_eq!(selected(browser), "line-1");
        browser.press("End");
        assert_eq!(selected(browser), format!("line-{}", json["lines"].as_array().expect("lines").len()));
        browser.press("Enter");
        assert!(
            browser
                .ask("document.querySelector('#panel').contains(document.activeElement)")
                .as_bool()
                .unwrap_or_default()
        );
    });
}

#[test]
#[ignore = "needs CHROMIUM, the path of a Chromium; .ci/run installs it"]
fn files_and_overlays_show_their_lines() {
    page("files", guestbook(), |browser, json| {
        let newest = |line: &Value| history(line).first().and_then(|step| place(&step["place"]));
        let file = support::workspace().join("examples/guestbook/overlays/prod/exporter.yml").display().to_string();
        let chip = "[...document.querySelectorAll('.chip')].find(chip => chip.textContent.includes('exporter.yml'))";
        browser.ask(&format!("{chip}.click()"));
        let is_of_file = |line: &Value| newest(line).is_some_and(|place| place.starts_with(&format!("{file}:")));
        let expected: Vec<u64> = lines(json).filter(|(_, line)| is_of_file(line)).map(|(number, _)| number).collect();
        assert_eq!(marked(browser), expected);
        browser.ask(&format!("{chip}.click()"));
        assert_eq!(browser.ask("document.querySelector('#marked').hidden"), true);

        browser.click("#tab-overlays");
        let overlay = "[...document.querySelectorAll('.overlay')].find(each => each.textContent.includes('expects=2'))";
        assert!(browser.text(&format!("{overlay}.textContent")).contains("2 matches"));
        browser.ask(&format!("{overlay}.querySelector('.overlay-head').click()"));
        let by_it = |step: &Value| step["overlay"]["matcher"] == "by=redis, expects=2";
        let expected: Vec<u64> =
            lines(json).filter(|(_, line)| history(line).iter().any(by_it)).map(|(number, _)| number).collect();
        assert!(!expected.is_empty());
        assert_eq!(marked(browser), expected);

        // Code may make several items at one place.
        let mut items = BTreeMap::<String, BTreeSet<u64>>::new();
        // What made no line has none to be marked.
        let all = json["overlays"].as_array().expect("overlays");
        for item in all.iter().filter(|item| item["lines"].as_array().is_some_and(|lines| !lines.is_empty())) {
            let lines = numbers(json, &item["lines"]);
            items.entry(place(&item["place"]).expect("a place")).or_default().extend(lines);
        }
        assert!(items.len() > 10, "the example has many overlays");
        for (place, lines) in items {
            let quoted = Value::from(place.clone());
            browser.ask(&format!(
                "document.querySelector(`.changes li[data-place=${{CSS.escape({quoted})}}] button`).click()"
            ));
            assert_eq!(marked(browser), Vec::from_iter(lines), "{place}");
        }

        let idle: Vec<&Value> = all.iter().filter(|item| item["changes"] == 0).collect();
        assert!(idle.len() > 5, "documents of overlays change nothing themselves");
        for item in idle {
            let place = Value::from(place(&item["place"]).expect("a place"));
            let shown =
                format!("document.querySelector(`.overlay[data-place=${{CSS.escape({place})}}] .overlay-head`)");
            let words = match item["matches"].as_u64() {
                Some(0) => "matched nothing".to_owned(),
                Some(1) => "1 match".to_owned(),
                matches => format!("{} matches", matches.expect("a number")),
            };
            assert!(browser.text(&format!("{shown}.textContent")).contains(&words), "{place}: {words}");
        }
    });
}

/// What breaks out of a page that puts texts together.
const HOSTILE: &str = "</script><script>document.title='broken'</script><img src=x onerror=\"document.title='broken'\"> '\"& \u{2028}\u{2029} {{script}} <!--";

#[test]
#[ignore = "needs CHROMIUM, the path of a Chromium; .ci/run installs it"]
fn what_comes_from_outside_stays_text() {
    // As they are, the separators would end a line of YAML.
    let quoted = serde_json::to_string(HOSTILE).expect("a text");
    let quoted = quoted.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    let yaml = format!("kind: {quoted}\nmetadata:\n  name: {quoted}\n{quoted}: {quoted}\nread: #@ data.values.value\n");
    let project = Project::new()
        .file("schema.yml", "#@data/values-schema\n---\nvalue: \"\"\n")
        .file(format!("{HOSTILE}.yml"), format!("#@ load(\"@ytt:data\", \"data\")\n---\n{yaml}"))
        .data_value("value", HOSTILE);
    page("hostile", project, |browser, json| {
        assert_eq!(browser.ask("document.querySelectorAll('img, script').length"), 1, "its own script");
        for (number, line) in lines(json) {
            browser.ask(&format!("document.querySelector('#line-{number}').click()"));
            assert_eq!(browser.text(PANEL), told(history(line)), "line {number}");
            assert_eq!(
                browser.ask(&format!("document.querySelector('#line-{number} code').textContent")),
                line["text"]
            );
        }
        for tab in ["overlays", "values", "warnings"] {
            browser.click(&format!("#tab-{tab}"));
        }
        browser.press("/");
        browser.write(HOSTILE);
        assert_eq!(browser.ask("document.title"), "Where the output comes from");
        assert_eq!(browser.ask("document.querySelectorAll('img, script').length"), 1);
    });
}
