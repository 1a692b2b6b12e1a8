//! Checkpoints in which every field in turn is forged, with right checksums: the search is refused
//! or goes on, and never panics.

#![cfg(test)]

use mcc_experiments::campaigns::forge::{Forgery, hostile_values};
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_runtime::Console;
use mcc_runtime::Exit;
use mcc_runtime::Interruption;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Values that do not use all their bits, an index, a multiset and a scalarset; an invariant that
/// breaks, and more levels than one.
const MODEL: &str = "
type
  node: scalarset(3);
  step: 0..4;
var
  at: array [node] of step;
  table: array [step] of 0..2;
  bag: multiset [3] of step;
  turn: node;
startstate
begin
  for n: node do at[n] := 0; end;
  for s: step do table[s] := 0; end;
end;
ruleset n: node do
  rule \"go\" at[n] < 4 ==>
  begin
    at[n] := at[n] + 1;
    table[at[n]] := (table[at[n]] + 1) % 3;
    if at[n] = 2 & multisetcount(i: bag, true) < 3 then multisetadd(at[n], bag); end;
    turn := n;
  end;
end;
rule \"back\" forall n: node do at[n] = 4 end ==>
begin
  for n: node do at[n] := 0; end;
end;
invariant \"not too far\" !(table[4] = 2);
";

const WAYS: [&str; 7] = [
    "",
    "-b",
    "-c --seed 5 --slots 5000",
    "--cache-states 2000",
    "-b -c --seed 5 --cache-states 2000 --replace direct",
    "--disk DISK --table-memory 100K",
    "-c --seed 5 --disk DISK --disk-plain --table-memory 100K",
];

/// Some of those that a campaign tries.
const WORDS: [u64; 3] = [7, 1 << 32, u64::MAX];

struct Ran {
    exit: Exit,
    text: String,
}

fn run(model: &Interpreter, line: &str) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let console = Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
    let arguments = std::iter::once("verifier").chain(line.split_whitespace()).map(Into::into);
    let exit = mcc_runtime::run(model, arguments, console, &Interruption::none());
    out.extend(err);
    Ran { exit, text: String::from_utf8(out).unwrap() }
}

/// A checkpoint in memory, to be put into a directory again and again.
struct Original(Vec<(String, Vec<u8>)>);

impl Original {
    fn read(directory: &Path) -> Self {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
        let files =
            entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
        Original(files.collect())
    }

    fn write(&self, directory: &Path) {
        let _ = fs::remove_dir_all(directory);
        fs::create_dir_all(directory).unwrap();
        self.0.iter().for_each(|(name, bytes)| fs::write(directory.join(name), bytes).unwrap());
    }
}

struct Sweep {
    model: Interpreter,
    line: String,
    original: Original,
    copy: tempfile::TempDir,
    refused: u32,
}

impl Sweep {
    fn attempt(&mut self, what: &str, forge: impl FnOnce(&mut Forgery)) {
        let path = self.copy.path().join("forged");
        self.original.write(&path);
        let mut forgery = Forgery::open(&path).unwrap();
        forge(&mut forgery);
        let line = format!("{} --resume {}", self.line, path.display());
        let ran = catch_unwind(AssertUnwindSafe(|| run(&self.model, &line)));
        let ran = ran.unwrap_or_else(|_| panic!("{} with {what}: a panic", self.line));
        let steers = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
        assert!(!ran.text.contains(steers), "{} with {what}: {:?}", self.line, ran.text);
        let damaged = ran.text.contains("is damaged");
        self.refused += u32::from(damaged || ran.exit == Exit::Wrong);
        assert!(!damaged || matches!(ran.exit, Exit::Wrong | Exit::Inconclusive | Exit::Violated));
    }

    fn manifest(&mut self) {
        let path = self.copy.path().join("fields");
        self.original.write(&path);
        for field in Forgery::open(&path).unwrap().fields() {
            // Some of the texts and numbers for each field; a campaign tries all of them.
            for value in hostile_values().into_iter().step_by(3) {
                self.attempt(&format!("{field} = {value:.60}"), |forgery| {
                    *forgery.manifest.pointer_mut(&field).unwrap() = value.clone();
                    forgery.publish().unwrap();
                });
            }
        }
    }

    /// The first bytes of each file, and the last ones, which are what waits and the records.
    fn streams(&mut self) {
        let path = self.copy.path().join("streams");
        self.original.write(&path);
        let forgery = Forgery::open(&path).unwrap();
        for name in forgery.names() {
            let contents = forgery.contents(&name).unwrap();
            let length = contents.len();
            let places = (0..length.min(240)).chain(length.saturating_sub(160).max(240)..length);
            for at in places.step_by(8) {
                for word in WORDS {
                    let mut bytes = contents.clone();
                    let end = (at + 8).min(length);
                    bytes[at..end].copy_from_slice(&word.to_le_bytes()[..end - at]);
                    self.attempt(&format!("{word:#x} at {at} of {name}"), |forgery| {
                        forgery.replace(&name, &bytes).unwrap();
                    });
                }
            }
            for at in (0..length.min(200)).step_by(40) {
                self.attempt(&format!("{name} that ends at {at}"), |forgery| {
                    forgery.replace(&name, &contents[..at]).unwrap();
                });
            }
        }
    }
}

fn model() -> Interpreter {
    let source = Source::new("forged.m", MODEL);
    let (model, diagnostics) = mcc_murphi::check(&source);
    Interpreter::new(model.unwrap_or_else(|| panic!("{diagnostics:?}")), &source)
}

#[test]
fn no_forged_field_is_fatal() {
    let disk = tempfile::tempdir().unwrap();
    for way in WAYS {
        let copy = tempfile::tempdir().unwrap();
        let line = format!("{way} -j1 --max-errors 0 --memory 100M --progress off")
            .replace("DISK", &disk.path().display().to_string());
        let saved = copy.path().join("saved");
        let cut = format!("{line} --max-depth 7 --checkpoint 0 --checkpoint-directory {}", saved.display());
        let model = model();
        let ran = run(&model, &cut);
        assert!(saved.join("manifest").exists(), "{}", ran.text);
        let original = Original::read(&saved);
        let mut sweep = Sweep { model, line, original, copy, refused: 0 };
        sweep.attempt("nothing changed", |_| {});
        assert_eq!(sweep.refused, 0, "{way}");
        if way.is_empty() {
            sweep.manifest();
        }
        sweep.streams();
        assert!(sweep.refused > 80, "{way}: only {} were refused", sweep.refused);
    }
}
