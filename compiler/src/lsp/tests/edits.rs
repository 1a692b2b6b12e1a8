//! Random edits: the server must know the text as the editor does, whatever happens to it.

use std::time::Instant;

use mcc_runtime::host::random::Random;
use serde_json::{Value, json};

use super::client::{Client, QUESTIONS};
use super::every_model;
use crate::input;

/// What users type, and what hurts.
const TYPED: [&str; 20] = [
    ";",
    "end",
    "\n",
    "\r\n",
    "x",
    " := ",
    "\"",
    "𝕏≤",
    "(",
    "]",
    "rule ",
    "-- ",
    "/*",
    "*/",
    "forall i: t do ",
    ".",
    "\r",
    "\0\u{1b}[31m\u{feff}",
    "e\u{301}\u{200d}👩‍🚀",
    "ltl \"l\" [] <> fired(\"x\"); ",
];

/// Positions by another way than the server's: lines end with `\n`, `\r\n` or `\r`.
fn position(text: &str, offset: usize) -> Value {
    let before = text[..offset].replace("\r\n", "\n").replace('\r', "\n");
    let line = before.matches('\n').count();
    let column: usize = before.rsplit('\n').next().unwrap_or("").chars().map(char::len_utf16).sum();
    json!({ "line": line, "character": column })
}

/// No place inside of `\r\n` can be named.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) || text[..at].ends_with('\r') && text[at..].starts_with('\n') {
        at -= 1;
    }
    at
}

fn somewhere(text: &str, random: &mut Random) -> usize {
    boundary(text, random.below(text.len() as u64 + 1) as usize)
}

fn answers(client: &mut Client, place: &Value) -> Vec<Result<Value, String>> {
    let (line, character) = (place["line"].as_u64().unwrap(), place["character"].as_u64().unwrap());
    let ask = |method| client.ask(method, line as u32, character as u32);
    // Advice adds code actions, and comes when there was time to look for it.
    let asked = QUESTIONS.into_iter().filter(|method| *method != "textDocument/codeAction");
    let mut answers: Vec<_> = asked.map(ask).collect();
    answers.push(Ok(client.diagnostics()));
    answers
}

/// Edits a model at random; now and then a server that has just opened the text must say the same.
fn session(original: &str, seed: u64, steps: usize) {
    let mut text = original.to_owned();
    let mut random = Random(seed);
    let mut client = Client::start("utf-16");
    client.open(&text);
    client.diagnostics();
    for step in 0..steps {
        let mut changes = Vec::new();
        for _ in 0..=random.below(3) {
            let (one, other) = (somewhere(&text, &mut random), somewhere(&text, &mut random));
            let start = one.min(other);
            // Mostly small deletions, as by a person.
            let far = if random.below(20) == 0 { 400 } else { 6 };
            let end = boundary(&text, one.max(other).min(start + random.below(far) as usize)).max(start);
            let typed = TYPED[random.below(TYPED.len() as u64) as usize];
            let range = json!({ "start": position(&text, start), "end": position(&text, end) });
            changes.push(json!({ "range": range, "text": typed }));
            text.replace_range(start..end, typed);
        }
        if step % 40 == 39 {
            text = original.to_owned();
            changes = vec![json!({ "text": text })];
        }
        client.change(Value::Array(changes));
        if step % 6 == 0 {
            let place = position(&text, somewhere(&text, &mut random));
            let mut fresh = Client::start("utf-16");
            fresh.open(&text);
            let (known, expected) = (answers(&mut client, &place), answers(&mut fresh, &place));
            assert_eq!(known, expected, "seed {seed}, step {step}:\n{text}");
        }
    }
}

#[test]
fn random_edits_never_leave_the_server_out_of_step() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    session(&std::fs::read_to_string(root.join("tour_classic.m")).unwrap(), 7, 120);
}

/// `docs/internals/campaigns.md` has the command. Where it fails, it names the model and the seed.
#[test]
#[ignore = "a campaign, as long as MCC_EDIT_MINUTES says"]
fn random_edits_of_all_models() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let minutes = number("MCC_EDIT_MINUTES").unwrap_or(1);
    let first = number("MCC_EDIT_SEED").unwrap_or(1);
    let models = every_model();
    let began = Instant::now();
    let mut seed = first;
    while began.elapsed().as_secs() < 60 * minutes {
        let path = &models[Random(seed).below(models.len() as u64) as usize];
        if let Ok((source, _)) = input::read(path) {
            println!("seed {seed}: {}", path.display());
            session(&source.text, seed, 80);
        }
        seed += 1;
    }
    println!("{} sessions of 80 edits, seeds {first} to {}", seed - first, seed - 1);
}
