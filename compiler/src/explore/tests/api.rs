//! What the server answers, and what it refuses.

use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::client::{raw, request};
use super::{serve, shared};

fn rules(answer: &Json) -> Vec<(u64, String, String)> {
    let choices = answer["choices"].as_array().unwrap();
    let texts = |one: &Json| (one["number"].as_u64().unwrap(), one["rule"].clone(), one["effect"].clone());
    let text = |json: Json| json.as_str().unwrap().to_owned();
    choices.iter().map(texts).map(|(number, rule, effect)| (number, text(rule), text(effect))).collect()
}

#[test]
fn only_those_with_the_token_on_this_machine_are_answered() {
    let client = shared();
    let (port, token) = (client.port, &client.token);
    let status = |bytes: &str| raw(port, bytes.as_bytes()).0;
    let get = |path: &str, headers: &str| status(&format!("GET {path} HTTP/1.1\r\n{headers}\r\n"));
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    assert_eq!(get(&format!("/{token}/"), &own), 200);
    assert_eq!(get(&format!("/{token}/"), &format!("Host: localhost:{port}\r\n")), 200);
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "[::1]:80", ""] {
        assert_eq!(get(&format!("/{token}/"), &format!("Host: {host}\r\n")), 421, "{host}");
    }
    assert_eq!(get(&format!("/{token}/"), ""), 421, "no host");
    assert_eq!(get(&format!("/{token}/"), &format!("{own}{own}")), 400, "two hosts");
    assert_eq!(get(&format!("/{token}/"), &format!("{own}Origin: http://evil.example\r\n")), 403);
    assert_eq!(get(&format!("/{token}/"), &format!("{own}Origin: null\r\n")), 403);
    assert_eq!(get(&format!("/{token}/"), &format!("{own}Origin: http://127.0.0.1:{port}\r\n")), 200);
    let wrong = token.replace(|one: char| one != '0', "0");
    for path in ["/", "/api/model", &format!("/{wrong}/"), &format!("/{}/", &token[1..]), "//", "*"] {
        assert_eq!(get(path, &own), 403, "{path}");
    }
    assert_eq!(get(&format!("/{token}/../secret"), &own), 404);
    assert_eq!(get(&format!("/{token}/api/nothing"), &own), 404);
    let (status, _, head) = request(port, "GET", &format!("/{token}/"), b"");
    assert_eq!(status, 200);
    let policy = head.lines().find(|line| line.starts_with("Content-Security-Policy")).unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(request(port, "DELETE", &format!("/{token}/api/model"), b"").0, 405);
    assert_eq!(request(port, "POST", &format!("/{token}/main.js"), b"").0, 405);
}

#[test]
fn the_address_for_the_browser_is_good_once() {
    let client = serve("once.m", "var x: 0..1; startstate x := 0; end; rule x := 1 - x; end;");
    let path = format!("/open/{}", client.opening);
    assert_eq!(request(client.port, "GET", "/open/0123", b"").0, 403);
    let (status, _, head) = request(client.port, "GET", &path, b"");
    assert_eq!(status, 303);
    assert!(head.contains(&format!("Location: /{}/\r\n", client.token)), "{head}");
    assert_eq!(request(client.port, "GET", &path, b"").0, 403);
}

#[test]
fn nonsense_is_refused_and_the_server_goes_on() {
    let client = shared();
    let (port, token) = (client.port, &client.token);
    let long = "x".repeat(100_000);
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    for (bytes, expected) in [
        ("\r\n\r\n".to_owned(), 400),
        ("\0\u{1}\u{2} nonsense\r\n\r\n".to_owned(), 400),
        (format!("GET /{long} HTTP/1.1\r\n{own}\r\n"), 431),
        (format!("GET / HTTP/1.1\r\n{own}X: {long}\r\n\r\n"), 431),
        (format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(200)), 400),
        (format!("POST /{token}/api/state HTTP/1.1\r\n{own}Content-Length: 99999999999\r\n\r\n"), 413),
        (format!("POST /{token}/api/load/1 HTTP/1.1\r\n{own}Content-Length: 99999999999\r\n\r\n"), 413),
        (format!("POST /{token}/api/state HTTP/1.1\r\n{own}Content-Length: -1\r\n\r\n"), 400),
        (format!("POST /{token}/api/state HTTP/1.1\r\n{own}Content-Length: +1\r\n\r\n"), 400),
        (
            format!("POST /{token}/api/state HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
            411,
        ),
    ] {
        let (status, _, head) = raw(port, bytes.as_bytes());
        assert_eq!(status, expected, "{:.80}: {head}", bytes);
    }
    let huge = vec![b' '; 3 << 20];
    assert_eq!(client.post_bytes("state", &huge).0, 413);
    for body in ["", "{", "[]", "null", r#"{"start": -1}"#, r#"{"start": 1e99, "rules": []}"#, "\u{fffd}"] {
        assert_eq!(client.post_bytes("state", body.as_bytes()).0, 400, "{body}");
    }
    assert_eq!(client.post_bytes("state", &b"[".repeat(100_000)).0, 400);
    assert_eq!(client.post_bytes("load/1", &b"{\"states\":[".repeat(1000)).0, 422);
    for (path, body) in [
        ("state", json!({ "start": 77, "rules": [] })),
        ("state", json!({ "start": 0, "rules": [4_000_000_000u32] })),
        ("way", json!({ "start": 0, "rules": [0, 9999] })),
        ("graph", json!({ "start": 9, "rules": [], "levels": 1_000_000 })),
        ("save", json!({ "start": 0, "rules": [] })),
        ("evaluate", json!({ "start": 0, "rules": [], "expressions": ["x".repeat(20_000)] })),
        ("load/1", json!({ "states": [], "vars": [] })),
        ("load/1", json!({ "states": [{ "y": 1 }] })),
        ("load/9", json!({ "schema": "mcc-report/1" })),
    ] {
        let (status, answer) = client.post(path, &body);
        assert_eq!(status, 422, "{path} {body:.60}: {answer}");
        assert!(!answer["error"]["message"].as_str().unwrap().is_empty());
    }
    assert_eq!(client.get("api/model").0, 200, "the server still answers");
}

#[test]
fn a_walk_shows_states_rules_and_what_they_change() {
    let client = shared();
    let (_, model) = client.get("api/model");
    assert_eq!(model["starts"].as_array().unwrap().len(), 2);
    assert_eq!(model["starts"][0]["rule"], "zero <b>bold</b>");
    let first = client.asked("state", &json!({ "start": 0, "rules": [] }));
    let offered = rules(&first);
    let effects: Vec<&str> = offered.iter().map(|(_, _, effect)| effect.as_str()).collect();
    assert_eq!(effects, ["to", "to", "same"]);
    assert!(offered[0].1.contains("<img src=x"), "names are text");
    let changes = &first["choices"][0]["changes"];
    assert_eq!(changes[0], json!({ "path": "x", "old": "0", "new": "1" }));
    assert_eq!(changes[1], json!({ "path": "net", "old": null, "new": "{what: ask, dest: 0}" }));

    let send = offered[1].0;
    let second = client.asked("state", &json!({ "start": 0, "rules": [send] }));
    assert_eq!(second["name"]["parameters"][0], json!({ "name": "p", "value": "1", "element": null }));
    // A slot of a multiset is shown by what is in it.
    let receive = second["choices"].as_array().unwrap().iter().find(|one| one["rule"] == "receive </script>");
    let receive = receive.unwrap();
    assert_eq!(receive["parameters"][0]["element"], "{what: ask, dest: 1}");
    assert_eq!(receive["changes"][0]["old"], "{what: ask, dest: 1}");
    assert_eq!(receive["changes"][1], json!({ "path": "held[1].busy", "old": "false", "new": "true" }));
    // A fault is an error with its place, and nothing follows it.
    let divide = second["choices"].as_array().unwrap().iter().find(|one| one["rule"] == "divide").unwrap();
    assert_eq!((divide["effect"].as_str(), divide["wrong"]["line"].as_u64()), (Some("fault"), Some(23)));
    let number = divide["number"].as_u64().unwrap();
    let fault = client.asked("state", &json!({ "start": 0, "rules": [send, number] }));
    assert!(fault["fault"]["message"].as_str().unwrap().contains("division by zero"), "{fault:#}");
    assert_eq!(fault["before"], second["state"]);
    let (status, beyond) = client.post("state", &json!({ "start": 0, "rules": [send, number, send] }));
    assert_eq!((status, beyond["error"]["step"].as_u64()), (422, Some(2)));
    // A broken invariant is named where it is broken, and before.
    let way = json!({ "start": 0, "rules": [send, send] });
    let third = client.asked("state", &way);
    assert!(third["choices"][0]["wrong"]["message"].as_str().unwrap().contains("<i>"));
    let broken = client.asked("state", &json!({ "start": 0, "rules": [send, send, send] }));
    assert_eq!(broken["wrong"][0]["kind"], "invariant");
    let steps = client.asked("way", &json!({ "start": 0, "rules": [send, send, send] }));
    assert_eq!(steps["steps"].as_array().unwrap().len(), 4);
    // Filters are about rules and parameters.
    let some = client.asked("state", &json!({ "start": 0, "rules": [], "filter": "P=1" }));
    assert_eq!(rules(&some).len(), 1);
}

#[test]
fn expressions_are_evaluated_in_the_scope_of_the_model() {
    let client = shared();
    let results = |expressions: &[&str]| -> Vec<Json> {
        let body = json!({ "start": 0, "rules": [1], "expressions": expressions });
        client.asked("evaluate", &body)["results"].as_array().unwrap().clone()
    };
    let texts = |expressions: &[&str]| -> Vec<String> {
        results(expressions).iter().map(|one| one["text"].as_str().unwrap_or("?").to_owned()).collect()
    };
    assert_eq!(
        texts(&[
            "x + 41",
            "x = 1 & !held[0].busy",
            "forall p: process do !held[p].busy end",
            "exists q := 0 to 5 by 2 do q = 4 end",
            "multisetcount(m: net, net[m].what = ask)",
            "net",
            "held",
            "held[0].who",
            "ask",
            "isundefined(held[1].who) ? reply : ask",
            "twice(x)",
        ]),
        [
            "42",
            "true",
            "true",
            "true",
            "1",
            "{|{what: ask, dest: 1}|}",
            "[0: {busy: false}, 1: {busy: false}]",
            "undefined",
            "ask",
            "reply",
            "?",
        ]
    );
    // Errors have places: in the expression, or in the function that is called.
    let errors =
        results(&["x +", "y > 0", "x + true", "x := 2", "held[7].busy", "twice(x - 1)", "", "x; rule"]);
    let shown: Vec<String> = errors
        .iter()
        .map(|one| {
            let error = &one["error"];
            let place = if error["in_expression"] == true { "here" } else { "model" };
            format!("{}:{} {place} {}", error["line"], error["column"], error["message"].as_str().unwrap())
        })
        .collect();
    assert_eq!(
        shown,
        [
            "1:4 here expected an expression, found the end of the expression",
            "1:1 here `y` is not declared here",
            "1:5 here the right operand of `+` must be a number, but this is a boolean",
            "1:3 here expected an operator or the end of the expression, found `:=`",
            "1:6 here index 7 is outside `held[7].busy`, whose indices run from 0 to 1",
            "8:45 model division by zero in `10 / n`",
            "1:1 here expected an expression, found nothing",
            "1:2 here expected an operator or the end of the expression, found `;`",
        ]
    );
    let slow = "forall a: 0..9999 do forall b: 0..9999 do a + b >= x end end";
    let deep = format!("{}x{}", "(".repeat(3000), ")".repeat(3000));
    for (expression, reason) in [(slow, "would turn 100000000 times"), (&deep, "deep")] {
        let result = &results(&[expression])[0];
        let message = result["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(reason), "{reason}: {result}");
    }
}

#[test]
fn a_search_runs_in_the_background_and_its_counterexample_is_a_way() {
    let client = shared();
    client.asked("search", &json!({ "max_states": 10_000 }));
    let until = Instant::now() + Duration::from_secs(60);
    let status = loop {
        let (_, status) = client.get("api/search");
        if status["running"] == false || Instant::now() > until {
            break status;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let result = &status["result"];
    assert_eq!(result["verdict"], "violated", "{status:#}");
    let way = &result["errors"][0]["way"];
    let end = client.asked("state", way);
    assert!(end["fault"].is_object() || !end["wrong"].as_array().unwrap().is_empty(), "{end:#}");
}

#[test]
fn a_search_is_cancelled() {
    let text = "var x: 0..1000000000; startstate x := 0; end; rule x < 1000000000 ==> x := x + 1; end;";
    let client = serve("long.m", text);
    client.asked("search", &json!({}));
    assert_eq!(client.post("search", &json!({})).0, 409, "one at a time");
    let wait = |done: &dyn Fn(&Json) -> bool| {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            let (_, status) = client.get("api/search");
            if done(&status) || Instant::now() > until {
                return status;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let status = wait(&|status| status["states"].as_u64() > Some(0));
    assert!(status["running"] == true && status["states"].as_u64() >= Some(10_000), "{status}");
    client.asked("cancel", &json!({}));
    let status = wait(&|status| status["running"] == false);
    assert_eq!(status["result"]["verdict"], "inconclusive", "{status}");
}

#[test]
fn reports_and_itf_files_are_walked_along() {
    let client = shared();
    let send = client.asked("state", &json!({ "start": 0, "rules": [] }))["choices"][0]["number"].clone();
    let way = json!({ "start": 0, "rules": [send, send, send] });
    for form in ["itf", "walk"] {
        let mut body = way.clone();
        body["form"] = form.into();
        let saved = client.asked("save", &body)["text"].as_str().unwrap().to_owned();
        let (status, loaded) = client.post_bytes("load/1", saved.as_bytes());
        assert_eq!(status, 200, "{loaded}");
        assert_eq!((&loaded["way"], loaded["form"].as_str()), (&way, Some(form)));
        assert!(loaded["claim"]["message"].as_str().unwrap().contains("x is small"), "{loaded}");
        let wrong = saved.replacen(r#""x": 1"#, r#""x": 2"#, 1).replacen(
            r##""#bigint": "1""##,
            r##""#bigint": "2""##,
            1,
        );
        let (status, refused) = client.post_bytes("load/1", wrong.as_bytes());
        assert_eq!(status, 422, "{form}: {refused}");
    }
    // A report of a verifier.
    let report = mcc_runtime_report();
    let (status, loaded) = client.post_bytes("load/1", &report);
    assert_eq!(status, 200, "{loaded}");
    assert_eq!((loaded["form"].as_str(), loaded["notes"].as_array().unwrap().len()), (Some("report"), 0));
    assert!(loaded["claim"]["line"].is_u64());
    assert_eq!(client.post_bytes("load/7", &report).0, 422, "there is no such error");
    // ITF without rules, variables in part, and another tool's way to write functions.
    let foreign = json!({ "vars": ["x"], "states": [
        { "x": 0, "held": { "#map": [[0, { "busy": false, "who": null }], [{ "#bigint": "1" }, { "busy": false, "who": null }]] } },
        { "x": { "#bigint": "1" } }, { "x": 2 },
    ] });
    let loaded = client.asked("load/1", &foreign);
    assert_eq!(loaded["way"]["rules"].as_array().unwrap().len(), 2);
}

/// What a verifier writes for `--json`.
fn mcc_runtime_report() -> Vec<u8> {
    let source = crate::source::Source::new("hostile.m", super::MODEL);
    let (model, _) = crate::check(&source);
    let interpreter = crate::interpret::Interpreter::new(model.unwrap(), &source);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let console =
        mcc_runtime::Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
    let arguments = ["v", "--json", "-"].map(std::ffi::OsString::from);
    mcc_runtime::run(&interpreter, arguments, console, &mcc_runtime::Interruption::none());
    out
}

#[test]
fn the_neighbourhood_is_never_more_than_can_be_read() {
    let client = shared();
    let near = client.asked("graph", &json!({ "start": 0, "rules": [], "levels": 1 }));
    assert_eq!(near["nodes"].as_array().unwrap().len(), 3);
    assert!(near["states_left_out"].as_u64() > Some(0), "{near:#}");
    let text = "var a: array[0..20] of boolean; startstate for i: 0..20 do a[i] := false; end; end;
        ruleset i: 0..20 do rule a[i] := !a[i]; end; end;";
    let wide = serve("wide.m", text);
    let graph = wide.asked("graph", &json!({ "start": 0, "rules": [], "levels": 8 }));
    assert_eq!(graph["nodes"].as_array().unwrap().len(), 60);
    // Of the 22 states at a distance of at most one, all are shown; of 210 pairs, 38.
    assert!(graph["states_left_out"].as_u64().unwrap() >= 172, "{}", graph["states_left_out"]);
}
