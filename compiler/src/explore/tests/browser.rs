//! The page in a real browser. Where there is none the test says so and does nothing else.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::driver::{Browser, PATIENCE};
use super::{MODEL, serve};

/// Clicks the rule whose text contains this.
fn choose(browser: &Browser, text: &str) {
    let script = format!(
        "const all = [...document.querySelectorAll('#choices button')];
         const one = all.find((one) => one.textContent.includes({}));
         one?.setAttribute('data-wanted', ''); return Boolean(one)",
        json!(text)
    );
    let until = Instant::now() + PATIENCE;
    while browser.run(&script) != true {
        assert!(Instant::now() < until, "no rule contains {text:?}: {}", browser.text("#choices"));
        std::thread::sleep(Duration::from_millis(30));
    }
    browser.click("[data-wanted]");
}

#[test]
fn the_page_is_clicked_typed_and_read() {
    let Some(browser) = Browser::start() else {
        eprintln!("SKIPPED: chromium and chromedriver are not installed, so the page was not tested");
        return;
    };
    let client = serve("hostile <u>.m", MODEL);
    browser.go(&client.address());
    browser.await_text("#model", "hostile <u>.m");
    // Two start states: a choice.
    browser.await_text("#choices", "zero <b>bold</b>");
    choose(&browser, "zero <b>bold</b>");
    browser.await_text("#state-title", "Step 0: zero <b>bold</b>");
    browser.await_text("#choices", "x: 0 → 1");
    choose(&browser, "p = 1");
    browser.await_text(
        "#state-title",
        "Step 1: send <img src=x onerror='window.owned=1'> \"quoted\" → ümläut p = 1",
    );
    browser.await_text("#choices", "m = {what: ask, dest: 1}");
    browser.await_text("#choices", "division by zero");
    // The tree, the table, old values, a pinned state.
    browser.await_text("#tree", "x: 10");
    browser.click("#tab-table");
    browser.await_text("#table", "held");
    browser.click("#pin");
    browser.await_text("#pin", "Unpin step 1");
    choose(&browser, "receive </script>");
    browser.await_text("#state-title", "Step 2");
    browser.await_text("#table", "truefalsefalse");
    // Expressions, kept from state to state.
    browser.enter("#expression", "x + 41\u{e007}");
    browser.await_text("#watches", "= 42");
    browser.enter("#expression", "\u{e009}a\u{e000}\u{e003}y > 0\u{e007}");
    browser.await_text("#watches", "`y` is not declared here");
    browser.picture("state");
    // Back, forward, jump; and the browser's own back.
    browser.click("#back");
    browser.await_text("#state-title", "Step 1");
    browser.click("#forward");
    browser.await_text("#state-title", "Step 2");
    browser.click("#way li:first-child button");
    browser.await_text("#state-title", "Step 0");
    browser.call("POST", "back", &json!({}));
    browser.await_text("#state-title", "Step 2");
    // A fault is an error with its place.
    browser.click("#way li:nth-child(2) button");
    choose(&browser, "divide");
    browser.await_text("#wrong", "division by zero");
    browser.await_text("#wrong", "line 23");
    browser.picture("fault");
    browser.click("#back");
    // The graph.
    browser.click("#tab-graph");
    browser.await_text("#graph-note", "states");
    browser.await_text("#picture", "this state");
    browser.picture("graph");
    browser.click("#picture .node:nth-of-type(2)");
    browser.await_text("#state-title", "Step 2");
    browser.click("#tab-source");
    browser.await_text("#source .here", "rule");
    browser.click("#tab-tree");
    // A search, and its counterexample as the way.
    browser.click("#begin");
    browser.await_text("#verdict", "violated");
    browser.click("#verdict .link");
    browser.await_text("#recorded", "From the search");
    browser.picture("search");
    // A file is walked along, left, and come back to.
    let file = browser.profile.path().join("trace.json");
    saved(&client, &file);
    browser.enter("#file", file.to_str().unwrap());
    browser.await_text("#recorded", "From trace.json, 3 steps: invariant \"x is small \"<i>\"\" is false");
    browser.await_text("#state-title", "Step 0");
    browser.await_text("#choices .followed", "next in the trace");
    choose(&browser, "p = 1");
    browser.await_text("#recorded", "You have left it");
    browser.click("#recorded .link");
    browser.await_text("#state-title", "Step 0");
    browser.click("#way li:last-child button");
    browser.await_text("#wrong", "is false");
    browser.await_text("#wrong .why", "x < 3   false: x is 3");
    browser.picture("trace");
    // The address outlives the page and the server.
    let fragment = browser.run("return location.hash").as_str().unwrap().to_owned();
    let again = serve("hostile <u>.m", MODEL);
    browser.go(&format!("{}{fragment}", again.address()));
    browser.await_text("#state-title", "Step 3");
    browser.go(&format!("{}#00000000.zz", again.address()));
    browser.await_text("#message", "cannot be followed");
    // Nothing of the model has become markup, and no script has failed.
    assert_eq!(browser.run("return document.querySelectorAll('img, b b, i, u').length"), 0);
    assert_eq!(browser.run("return window.owned ?? null"), Json::Null);
    let complaints: Vec<String> = browser
        .complaints()
        .into_iter()
        .filter(|one| !one.contains("favicon") && !one.contains("422"))
        .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// A walk that breaks the invariant.
fn saved(client: &super::Client, file: &Path) {
    let first = client.asked("state", &json!({ "start": 0, "rules": [] }));
    let send = &first["choices"][0]["number"];
    let body = json!({ "start": 0, "rules": [send, send, send], "form": "walk" });
    fs::write(file, client.asked("save", &body)["text"].as_str().unwrap()).unwrap();
}
