//! Damages and forges checkpoints, and resumes from them.
//!
//! *Damage* changes bytes, lengths and names of files. It must be found out: the verifier refuses
//! with exit code 2 or 3, or the damage did not matter and the report is that of a search that was
//! left alone.
//!
//! A *forgery* changes what is saved and makes the checksums right again. A forger can write a
//! checkpoint that says anything, so the verdict is not compared; but the verifier must neither
//! panic, hang, die of a signal, nor print what steers a terminal.

use crate::campaigns::forge::{Forgery, HOSTILE_WORDS, hostile_values};
use crate::campaigns::process::{Ended, finish, start};
use crate::campaigns::subject::{Subject, WAYS, figures, words};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
/// Attempts with one checkpoint before another is made.
const ATTEMPTS: u32 = 40;

/// What a campaign did.
#[derive(Clone, Debug, Default)]
pub struct Corrupted {
    pub checkpoints: u64,
    pub damaged: u64,
    pub forged: u64,
    /// How often the verifier refused, and how often what was changed did not stop it.
    pub refused: u64,
    pub went_on: u64,
    pub findings: Vec<String>,
}

/// Corrupts until the deadline. An error is one of the campaign, such as a full disk.
pub fn run(subjects: &[Subject], seed: u64, deadline: Instant, place: &Path) -> io::Result<Corrupted> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut corrupted = Corrupted::default();
    while Instant::now() < deadline {
        let subject = &subjects[random.usize(..subjects.len())];
        let way = WAYS[random.usize(..WAYS.len())];
        let Some(case) = Case::new(subject, way, &mut random, place)? else { continue };
        corrupted.checkpoints += 1;
        for _ in 0..ATTEMPTS {
            if Instant::now() >= deadline {
                break;
            }
            case.attempt(&mut random, &mut corrupted)?;
        }
    }
    Ok(corrupted)
}

/// A checkpoint, and what a search finds that is not disturbed.
struct Case<'a> {
    subject: &'a Subject,
    way: &'a str,
    line: Vec<String>,
    /// Relative to the directory of the campaign, in which verifiers run.
    original: PathBuf,
    copy: PathBuf,
    place: PathBuf,
    target: PathBuf,
    expected: Value,
}

impl<'a> Case<'a> {
    /// `None`: the search ended before it was saved.
    fn new(
        subject: &'a Subject,
        way: &'a str,
        random: &mut fastrand::Rng,
        place: &Path,
    ) -> io::Result<Option<Self>> {
        let (disk, original, copy) = (place.join("disk"), place.join("original"), place.join("copy"));
        let target = place.join("report.json");
        for directory in [&disk, &original, &copy] {
            let _ = fs::remove_dir_all(directory);
        }
        fs::create_dir_all(&disk)?;
        let mut line = words(way, &disk);
        line.extend(["--memory", "200M", "--max-errors", "0", "--json"].map(str::to_owned));
        line.push(target.display().to_string());
        let case = Case {
            subject,
            way,
            line,
            original,
            copy,
            place: place.to_owned(),
            target,
            expected: Value::Null,
        };
        case.verify(&[])?;
        let expected = case.report();
        let depth = expected["depth"].as_u64().unwrap_or(2).max(2);
        let cut = random.u64(1..depth).to_string();
        let saved = case.original.display().to_string();
        case.verify(&["--checkpoint", "0", "--checkpoint-directory", &saved, "--max-depth", &cut])?;
        let there = case.original.join("manifest").exists();
        Ok(there.then_some(Case { expected: figures(&expected), ..case }))
    }

    fn report(&self) -> Value {
        let text = fs::read(&self.target).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    fn verify(&self, more: &[&str]) -> io::Result<Ended> {
        let _ = fs::remove_file(&self.target);
        let mut line = self.line.clone();
        line.extend(more.iter().map(|&word| word.to_owned()));
        finish(start(self.subject.verifier.path(), &line, &self.place)?, PATIENCE)
    }

    fn attempt(&self, random: &mut fastrand::Rng, corrupted: &mut Corrupted) -> io::Result<()> {
        let _ = fs::remove_dir_all(&self.copy);
        copy(&self.original, &self.copy)?;
        let forges = random.u8(..3) > 0;
        let what = match forges {
            true => forge(&self.copy, random)?,
            false => damage(&self.copy, random)?,
        };
        *(if forges { &mut corrupted.forged } else { &mut corrupted.damaged }) += 1;
        let ended = self.verify(&["--resume", &self.copy.display().to_string()])?;
        let refused = matches!(ended.code(), Some(2)) || ended.out.contains("is damaged");
        *(if refused { &mut corrupted.refused } else { &mut corrupted.went_on }) += 1;
        let trouble = ended.trouble().or_else(|| {
            let other = !forges && !refused && figures(&self.report()) != self.expected;
            other.then(|| format!("another result: {}", figures(&self.report())))
        });
        if let Some(trouble) = trouble {
            let finding = format!("{} {}: {what}: {trouble}", self.subject.name, self.way);
            println!("finding: {finding}");
            corrupted.findings.push(finding);
        }
        Ok(())
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The files of a checkpoint, apart from the lock.
fn files(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|path| path.file_name().is_some_and(|name| name != "lock"));
    files.sort();
    Ok(files)
}

/// Changes files without a look at what is in them; says what was done.
fn damage(directory: &Path, random: &mut fastrand::Rng) -> io::Result<String> {
    let files = files(directory)?;
    let file = &files[random.usize(..files.len())];
    let mut bytes = fs::read(file)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let at = random.usize(..bytes.len().max(1));
    let what = match random.u8(..6) {
        0 => {
            fs::remove_file(file)?;
            return Ok(format!("{name} removed"));
        }
        1 => {
            bytes.truncate(at);
            format!("{name} cut off at {at}")
        }
        2 => {
            let other = &files[random.usize(..files.len())];
            bytes = fs::read(other)?;
            format!("{name} replaced by {}", other.display())
        }
        3 => {
            bytes.extend((0..random.usize(1..100)).map(|_| random.u8(..)));
            format!("{name} made longer")
        }
        4 => {
            let end = (at + random.usize(1..64)).min(bytes.len());
            bytes.get_mut(at..end).into_iter().flatten().for_each(|byte| *byte = random.u8(..));
            format!("{name} overwritten from {at} to {end}")
        }
        _ => {
            let bit = random.u8(..8);
            bytes.get_mut(at).into_iter().for_each(|byte| *byte ^= 1 << bit);
            format!("{name} with bit {bit} of byte {at} flipped")
        }
    };
    fs::write(file, bytes)?;
    Ok(what)
}

/// Changes what is saved, and makes the checksums right again; says what was done.
fn forge(directory: &Path, random: &mut fastrand::Rng) -> io::Result<String> {
    let mut forgery = Forgery::open(directory)?;
    if random.u8(..4) == 0 {
        let (fields, values) = (forgery.fields(), hostile_values());
        let field = &fields[random.usize(..fields.len())];
        let value = &values[random.usize(..values.len())];
        if let Some(place) = forgery.manifest.pointer_mut(field) {
            *place = value.clone();
        }
        forgery.publish()?;
        let text: String = value.to_string().chars().take(40).collect();
        return Ok(format!("the manifest with {field} = {text}"));
    }
    let names = forgery.names();
    let name = &names[random.usize(..names.len())];
    let mut bytes = forgery.contents(name)?;
    // Most of what decides stands at the beginning.
    let most = if random.bool() { bytes.len().min(400) } else { bytes.len() };
    let at = random.usize(..most.max(1));
    let at = if random.bool() { at / 8 * 8 } else { at };
    let word = HOSTILE_WORDS[random.usize(..HOSTILE_WORDS.len())];
    let what = match random.u8(..5) {
        0 => {
            bytes.truncate(at);
            format!("{name} ends at {at}")
        }
        1 => {
            let end = (at + random.usize(1..64)).min(bytes.len());
            bytes.get_mut(at..end).into_iter().flatten().for_each(|byte| *byte = random.u8(..));
            format!("{name} with noise from {at} to {end}")
        }
        2 => {
            let end = (at + 4).min(bytes.len());
            let part = &word.to_le_bytes()[..end - at];
            bytes.get_mut(at..end).into_iter().for_each(|place| place.copy_from_slice(part));
            format!("{name} with {word:#x} in four bytes at {at}")
        }
        3 => {
            bytes.splice(at..at, word.to_le_bytes());
            format!("{name} with {word:#x} inserted at {at}")
        }
        _ => {
            let end = (at + 8).min(bytes.len());
            let part = &word.to_le_bytes()[..end - at];
            bytes.get_mut(at..end).into_iter().for_each(|place| place.copy_from_slice(part));
            format!("{name} with {word:#x} at {at}")
        }
    };
    forgery.replace(name, &bytes)?;
    Ok(what)
}
