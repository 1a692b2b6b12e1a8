//! The page of `--html` in a real browser: each part is clicked, typed and read. Where there is no
//! browser the tests say so and do nothing else.
//!
//! `MCC_SCREENSHOTS=directory` keeps pictures, in both themes, 1600 and 400 pixels wide.
//! `cargo test --release -p mcc-murphi --test report_page -- --ignored --nocapture` measures how
//! long a trace of 1,000 steps of 300 variables takes to open and to scroll through.

#![cfg(test)]

#[allow(dead_code)]
#[path = "support/driver.rs"]
mod driver;
mod support;

use driver::Browser;
use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use support::{mcc, root, scratch, shown};

const NO_BROWSER: &str =
    "SKIPPED: chromium and chromedriver are not installed, so the report's page was not tested";

/// Names that are markup, quotes and Unicode; two processes, messages, and an error in a rule.
const HOSTILE: &str = r#"
type kind: enum { ask, reply };
     process: enum { alpha, beta };
     message: record what: kind; dest: process; end;
var x: 0..5;
    net: multiset[3] of message;
    held: array[process] of boolean;
startstate "zero <b>bold</b>"
  x := 0; undefine net; for p: process do held[p] := false; end;
end;
ruleset p: process do
  rule "send <img src=x onerror='window.owned=1'> \"quoted\" → ümläut"
    multisetcount(m: net, true) < 2 & x < 4
  ==> var m: message; begin
    m.what := ask; m.dest := p; multisetadd(m, net); x := x + 1;
  end;
end;
choose m: net do
  rule "receive </script><script>window.owned=2</script>" net[m].what = ask ==>
    held[net[m].dest] := true; multisetremove(m, net);
  end;
end;
invariant "not both & \"<i>x</i>\" < 3" !(held[alpha] & held[beta] & x >= 3);
"#;

/// Runs a model in the interpreter and returns its page.
fn page(model: &Path, options: &[&str]) -> PathBuf {
    let name = model.file_stem().expect("a name").to_string_lossy().into_owned();
    let file = scratch("report_page").join(format!("{name}.html"));
    let mut command = mcc();
    command.current_dir(root()).arg("--interpret").arg(model);
    command.args(["--", "-j1", "--progress", "off", "--html"]).arg(&file).args(options);
    let output = command.output().expect("mcc starts");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", shown(&output));
    file
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = scratch("report_page").join(name);
    fs::write(&path, text).expect("the target directory is writable");
    path
}

fn open(browser: &Browser, page: &Path) {
    browser.go(&format!("file://{}", page.display()));
}

/// What scripts and the policy of the page complain about.
fn assert_quiet(browser: &Browser) {
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn the_page_is_clicked_typed_and_read() {
    let Some(browser) = Browser::start() else {
        eprintln!("{NO_BROWSER}");
        return;
    };
    let file = page(&written("hostile <u>.m", HOSTILE), &[]);
    let text = fs::read_to_string(&file).expect("the page");
    // Without scripts the trace is a table, and nothing is loaded from elsewhere.
    assert!(text.contains("<table class=\"steps\">") && text.contains("default-src 'none'"));
    assert!(!text.contains("http://") && !text.contains("https://"), "the page refers to the network");

    open(&browser, &file);
    browser.await_text("h1", "violated");
    browser.await_text(".why", "x >= 3");
    let steps = browser.run("return document.querySelectorAll('.steps tr[data-step]').length - 1");
    let steps = steps.as_u64().expect("a number of steps");
    browser.await_text(".status", &format!("step {steps} of {steps}"));
    // Buttons, arrow keys wherever the focus is, and the slider.
    browser.click(".controls button[title^='step back']");
    browser.await_text(".status", &format!("step {} of {steps}", steps - 1));
    browser.enter("body", "\u{e012}");
    browser.await_text(".status", &format!("step {} of {steps}", steps - 2));
    browser.enter("body", "\u{e014}");
    browser.await_text(".status", &format!("step {} of {steps}", steps - 1));
    browser.enter(".controls input[type=range]", "\u{e011}");
    browser.await_text(".status", "the first of");
    // A step of the table, and one of the chart; the model's rule is marked and shown.
    browser.click(".steps tr[data-step='1'] td:nth-child(2)");
    browser.await_text(".status", "step 1 of");
    browser.await_text(".rule-text", "multisetadd(m, net)");
    browser.await_text(".source tr.now", "rule \"send <img");
    browser.run("document.querySelector('.chart .action[data-step=\"2\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }))");
    browser.await_text(".status", "step 2 of");
    // A value in full.
    browser.run("[...document.querySelectorAll('.grid .cell.new')].find((one) => one.title === '2').click()");
    browser.await_text(".detail", "x: 1 → 2");
    // Filters by variable and by process, and the search.
    let names = "return [...document.querySelectorAll('.grid .name:not(.head)')].map((one) => one.textContent).join(' ')";
    browser.enter("input[aria-label='filter variables']", "held[b");
    assert_eq!(browser.run(names), "held[beta]");
    browser.enter("input[aria-label='filter variables']", "\u{e009}a\u{e000}\u{e003}");
    let hidden = "return document.querySelectorAll('.steps tr.hidden').length";
    assert_eq!(browser.run(hidden), 0);
    browser.enter("select[aria-label='process']", "beta");
    assert!(browser.run(hidden).as_u64().is_some_and(|count| count > 0), "no step is filtered away");
    browser.enter("select[aria-label='process']", "all");
    browser.enter("input[aria-label='search']", "</script>\u{e007}");
    browser.await_text(".status", "receive </script><script>");
    browser.enter("input[aria-label='search']", "nowhere\u{e007}");
    browser.await_text(".status", "nothing found for");
    // Themes, plots, figures of rules, and how to reproduce it.
    let paper = "return getComputedStyle(document.body).backgroundColor";
    let before = browser.run(paper);
    browser.click(".theme");
    assert_ne!(browser.run(paper), before);
    browser.await_text("#rules", "invariant");
    browser.await_text("#run", "constants set");
    browser.await_text("#growth", "states");
    browser.picture("report-hostile");
    // Nothing of the model has become markup.
    assert_eq!(browser.run("return document.querySelectorAll('img, i, u, h1 b, td b').length"), 0);
    assert_eq!(browser.run("return window.owned ?? null"), Json::Null);
    assert_quiet(&browser);
}

/// A loop, a rule whose body has a part that never runs, and a run that does not end.
const LASSO: &str = "var x: 0..3; y: 0..1;
startstate x := 0; y := 0; end;
rule \"up\" x < 2 ==>
  x := x + 1;
  if x = 3 then
    y := 1;
  end;
end;
rule \"turn\" x = 2 ==> y := 1 - y; end;
invariant \"x is small\" x < 3;
";

#[test]
fn the_only_state_deadlocks_loops_and_what_never_ran_are_seen() {
    let Some(browser) = Browser::start() else {
        eprintln!("{NO_BROWSER}");
        return;
    };
    // Without steps all values are shown, since none changes.
    open(&browser, &page(Path::new("models/broken/invariant_start_state.m"), &[]));
    browser.await_text(".status", "the only state");
    let names = "return document.querySelectorAll('.grid .name:not(.head)').length";
    assert_eq!(browser.run(names), 3);
    assert_eq!(browser.run("return document.querySelector('.steps details').open"), true);
    browser.enter("body", "\u{e012}\u{e014}");
    browser.await_text(".status", "the only state");

    open(&browser, &page(Path::new("models/broken/deadlock_philosophers.m"), &[]));
    browser.await_text(".because", "no rule is enabled");

    // The rule that ends in the error has a place in the chart; messages go through arrays, too.
    open(&browser, &page(Path::new("models/broken/error_msi_writeback.m"), &[]));
    browser.await_text(".chart .action.failing", "8. cache takes a message");
    let german = Path::new("models/broken/invariant_german.m");
    let messages = "return document.querySelectorAll('.chart .message').length";
    open(&browser, &page(german, &[]));
    assert_eq!(browser.run(messages), 5);
    open(&browser, &page(german, &["--messages", "request", "--lanes", "client"]));
    assert_eq!(browser.run(messages), 2);

    let lasso = format!("{LASSO}ltl \"x falls\" (x = 2) leadsto (x = 0);\n");
    open(&browser, &page(&written("lasso.m", &lasso), &[]));
    browser.await_text("#errors", "The last 2 steps are repeated for ever.");
    let loops =
        "return [...document.querySelectorAll('.grid .head')].map((one) => one.textContent).join(' ')";
    assert_eq!(browser.run(loops), "start 1 2 ↻ 3 ↻ 4 ↻ 5 ");

    open(&browser, &page(&written("covered.m", LASSO), &["--coverage"]));
    browser.await_text("h1", "verified");
    browser.await_text("#rules", "evaluated");
    browser.await_text(".source tr.never", "y := 1;");
    let count = "return document.querySelector('#L4 td').textContent";
    assert_eq!(browser.run(count), "2");
    assert_quiet(&browser);
}

#[test]
fn ten_broken_models_fit_into_400_pixels() {
    let Some(browser) = Browser::start() else {
        eprintln!("{NO_BROWSER}");
        return;
    };
    let models = [
        "assertion_alternating_bit",
        "cover_round_robin",
        "deadlock_lost_wakeup",
        "deadlock_philosophers",
        "error_msi_writeback",
        "invariant_german",
        "invariant_needham_schroeder",
        "multiset_retransmission",
        "range_bakery",
        "undefined_mcs_lock",
    ];
    for model in models {
        open(&browser, &page(Path::new(&format!("models/broken/{model}.m")), &[]));
        for width in [400, 1600] {
            browser.resize(width, 1000);
            let wide = browser.run("return document.documentElement.scrollWidth");
            assert!(wide.as_u64().is_some_and(|wide| wide <= width), "{model} at {width}: {wide} pixels");
        }
        browser.picture(model);
    }
    assert_quiet(&browser);
}

/// 300 variables, one of which each of 1,000 steps changes.
fn long_trace() -> PathBuf {
    let text = "var t: 0..1000; v: array[0..298] of 0..9;
startstate t := 0; for i: 0..298 do v[i] := 0; end; end;
rule \"advance\" t < 1000 ==> v[t % 299] := (v[t % 299] + 7) % 10; t := t + 1; end;
invariant \"not yet\" t < 1000;\n";
    page(&written("long_trace.m", text), &["--trace", "off"])
}

#[test]
#[ignore = "measures time"]
fn a_long_trace_opens_at_once_and_scrolls_without_a_pause() {
    let browser = Browser::start().expect("chromium and chromedriver are installed");
    let file = long_trace();
    let size = fs::metadata(&file).expect("the page").len();
    for turn in 1..=3 {
        browser.go("about:blank");
        open(&browser, &file);
        browser.await_text(".status", "step 1000 of 1000");
        let loaded = browser
            .run("const [entry] = performance.getEntriesByType('navigation'); return entry.loadEventEnd");
        let painted = browser.run("return performance.getEntriesByType('paint').at(-1)?.startTime ?? -1");
        // 120 frames through the grid and 120 through the page: the longest gap between two frames.
        let scroll = "const done = arguments[arguments.length - 1];
             const grid = document.querySelector('.grid');
             let last = performance.now(), longest = 0, sum = 0, at = 0;
             const frame = (now) => {
               longest = Math.max(longest, now - last); sum += now - last; last = now; at += 1;
               if (at <= 120) { grid.scrollLeft = at * grid.scrollWidth / 120; grid.scrollTop = at * grid.scrollHeight / 120; }
               else if (at <= 240) window.scrollTo(0, (at - 120) * document.documentElement.scrollHeight / 120);
               else { done([longest, sum / at]); return; }
               requestAnimationFrame(frame);
             };
             requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });";
        let frames = browser.run_later(scroll);
        println!(
            "turn {turn}: {size} bytes, loaded after {loaded} ms, painted after {painted} ms, \
             longest and mean gap between frames [ms]: {frames}"
        );
        assert!(loaded.as_f64().is_some_and(|milliseconds| milliseconds < 1000.0), "{loaded}");
    }
}
