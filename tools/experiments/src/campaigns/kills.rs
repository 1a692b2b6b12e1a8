//! Kills a verifier at moments that nobody chose, resumes it, and compares what comes out in the
//! end with a search that was left alone.

use crate::campaigns::process::{finish, start};
use crate::campaigns::subject::{Subject, WAYS, figures, words};
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

/// A verifier that takes longer is stuck.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a campaign did.
#[derive(Clone, Debug, Default)]
pub struct Killed {
    pub searches: u64,
    pub kills: u64,
    /// Processes that went on from a checkpoint.
    pub resumed: u64,
    pub findings: Vec<String>,
}

/// Kills until the deadline. An error is one of the campaign, such as a full disk.
pub fn run(subjects: &[Subject], seed: u64, deadline: Instant, place: &Path) -> std::io::Result<Killed> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut killed = Killed::default();
    while Instant::now() < deadline {
        let subject = &subjects[random.usize(..subjects.len())];
        let way = WAYS[random.usize(..WAYS.len())];
        if let Some(finding) = one(subject, way, &mut random, place, &mut killed)? {
            let finding = format!("{} {way}: {finding}", subject.name);
            println!("finding: {finding}");
            killed.findings.push(finding);
        }
        killed.searches += 1;
    }
    Ok(killed)
}

fn one(
    subject: &Subject,
    way: &str,
    random: &mut fastrand::Rng,
    place: &Path,
    killed: &mut Killed,
) -> std::io::Result<Option<String>> {
    let (disk, checkpoint, target) = (place.join("disk"), place.join("saved"), place.join("report.json"));
    for directory in [&disk, &checkpoint] {
        let _ = std::fs::remove_dir_all(directory);
    }
    std::fs::create_dir_all(&disk)?;
    let mut line = words(way, &disk);
    line.extend(["--max-errors", "0", "--quiet", "--json"].map(str::to_owned));
    line.push(target.display().to_string());
    let report = || -> Option<Value> { serde_json::from_slice(&std::fs::read(&target).ok()?).ok() };
    let _ = std::fs::remove_file(&target);
    let began = Instant::now();
    let ended = finish(start(subject.verifier.path(), &line, place)?, PATIENCE)?;
    let undisturbed = began.elapsed();
    if let Some(trouble) = ended.trouble() {
        return Ok(Some(trouble));
    }
    let Some(expected) = report() else { return Ok(Some("there is no report".to_owned())) };
    let _ = std::fs::remove_file(&target);
    let mut attempts = 0;
    loop {
        let mut line = line.clone();
        let saved = checkpoint.join("manifest").exists();
        line.extend(match saved {
            true => vec!["--resume".to_owned()],
            false => ["--checkpoint", "0", "--checkpoint-directory"].map(str::to_owned).to_vec(),
        });
        line.push(checkpoint.display().to_string());
        killed.resumed += u64::from(saved);
        let mut child = start(subject.verifier.path(), &line, place)?;
        // Longer and longer, so that every search comes to its end.
        let most = undisturbed.as_micros() as u64 * (2 + attempts / 4) / 2 + 1000;
        if attempts < 40 {
            std::thread::sleep(Duration::from_micros(random.u64(..most)));
            let _ = child.kill();
        }
        let ended = finish(child, PATIENCE)?;
        let was_killed = ended.status.is_some_and(|status| status.code().is_none()) && attempts < 40;
        if !was_killed {
            if let Some(trouble) = ended.trouble() {
                return Ok(Some(trouble));
            }
            break;
        }
        killed.kills += 1;
        attempts += 1;
    }
    let Some(found) = report() else { return Ok(Some("there is no report in the end".to_owned())) };
    // That is nothing that a verifier could do something about.
    if found["reason"].as_str().is_some_and(|reason| reason.contains("No space left")) {
        return Err(std::io::ErrorKind::StorageFull.into());
    }
    let (found, expected) = (figures(&found), figures(&expected));
    Ok((found != expected).then(|| format!("{found} instead of {expected}")))
}
