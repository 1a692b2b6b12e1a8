//! What a trial must not show.

use super::limited::Outcome;
use super::trial::Trial;

/// Twice the text may take this many times the processor time; more is growth that the text does
/// not explain.
const MOST_GROWTH: f64 = 3.0;
/// Seconds below which times are mostly what every build takes.
const LEAST_SECONDS: f64 = 10.0;

/// Why a trial is a finding; `before` is the one of half the size.
pub fn complaint(trial: &Trial, before: Option<&Trial>) -> Option<String> {
    let steps = [
        ("--check", Some(&trial.check)),
        ("the build", trial.build.as_ref()),
        ("the run", trial.run.as_ref()),
        ("--interpret", trial.interpret.as_ref()),
    ];
    for (step, outcome) in steps {
        let Some(outcome) = outcome else { continue };
        if let Some(what) = broken(outcome) {
            return Some(format!("{step}: {what}"));
        }
        let refused = step == "--check" && trial.is_refused();
        if outcome.code != Some(0) && !refused {
            let line = outcome.output.lines().find(|line| line.contains("error")).unwrap_or("no error named");
            return Some(format!("{step} ended with {:?}: {line}", outcome.code));
        }
    }
    let growth = |pick: fn(&Trial) -> Option<&Outcome>| {
        let (now, then) = (pick(trial)?, pick(before?)?);
        let (now, then) = (now.processor.as_secs_f64(), then.processor.as_secs_f64());
        (now > LEAST_SECONDS && now > MOST_GROWTH * then).then_some((then, now))
    };
    let times = [
        ("--check", growth(|trial| Some(&trial.check))),
        ("the build", growth(|trial| trial.build.as_ref())),
    ];
    times.into_iter().find_map(|(step, times)| {
        let (then, now) = times?;
        Some(format!("{step} takes {now:.1} s, and {then:.1} s for half of it"))
    })
}

/// A panic, a crash or a bug that is admitted.
fn broken(outcome: &Outcome) -> Option<String> {
    if outcome.out_of_time {
        return Some(format!("no end after {} s", outcome.wall.as_secs()));
    }
    if let Some(signal) = outcome.signal {
        return Some(format!("ended by signal {signal}"));
    }
    let marks = ["panicked at", "a bug in mcc", "internal error", "overflowed its stack", "SIGSEGV"];
    let found = marks.into_iter().find(|mark| outcome.output.contains(mark))?;
    let line = outcome.output.lines().find(|line| line.contains(found)).unwrap_or(found);
    Some(line.to_owned())
}
