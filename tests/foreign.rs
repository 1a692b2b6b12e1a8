//! Models of others, where the machine has them: those of the Murphi distribution and Rumur's own
//! tests. They are not ours, so they are not in this repository. The environment says where they
//! are:
//!
//! * `MCC_CMURPHI_EXAMPLES`: the folder `ex` of a CMurphi distribution,
//! * `MCC_RUMUR_TESTS`: the folder `tests` of Rumur's sources.
//!
//! Without them there is nothing to do. What is expected differently from what these tools say
//! stands in [`rumur::EXCEPTIONS`], each with its reason, and again in `docs/peers.md`.

#![cfg(test)]

mod support;

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{build, mcc, scratch, shown, text};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    match folder("MCC_CMURPHI_EXAMPLES") {
        Some(folder) => trials.extend(cmurphi::trials(&folder)),
        None => {
            eprintln!("MCC_CMURPHI_EXAMPLES is not set: the models of the Murphi distribution are skipped")
        }
    }
    match folder("MCC_RUMUR_TESTS") {
        Some(folder) => trials.extend(rumur::trials(&folder)),
        None => eprintln!("MCC_RUMUR_TESTS is not set: Rumur's tests are skipped"),
    }
    trials.push(Trial::test("the exceptions are documented", exceptions_are_documented));
    libtest_mimic::run(&arguments, trials).exit();
}

fn folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

/// `docs/internals/peers.md` names every exception of this file.
fn exceptions_are_documented() -> Result<(), Failed> {
    let page = std::fs::read_to_string(support::root().join("docs/internals/peers.md"))?;
    let missing: Vec<&str> = rumur::EXCEPTIONS
        .iter()
        .map(|(file, _, _)| *file)
        .filter(|file| !page.contains(&format!("`{file}`")))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("docs/internals/peers.md does not name {missing:?}").into())
    }
}

/// The models of the Murphi distribution, with the figures that CMurphi gives without symmetry
/// reduction, and with one state for each orbit.
mod cmurphi {
    use super::*;

    #[derive(Clone, Copy, Debug)]
    enum Expected {
        /// States and rules fired without symmetry reduction.
        Verified(u64, u64),
        /// States and rules, and then those of the orbits.
        Reduced([u64; 2], [u64; 2]),
        /// Too many states to explore without symmetry: those of the orbits.
        Orbits(u64, u64),
        /// The length of the shortest trace, in rules fired after the start state.
        Violated(u64),
        /// It needs something that we refuse by name.
        Refused(&'static str),
    }
    use Expected::{Orbits, Reduced, Refused, Verified, Violated};

    const MODELS: &[(&str, Expected)] = &[
        ("mux/2_peterson.m", Reduced([26, 52], [13, 26])),
        ("mux/dek.m", Verified(100, 200)),
        ("mux/n_peterson.m", Orbits(163_298, 1_143_086)),
        ("mux/mcslock1.m", Reduced([554_221, 2_216_884], [23_636, 94_544])),
        ("mux/mcslock2.m", Reduced([3_240_032, 9_720_096], [540_219, 1_620_657])),
        ("dash/adash.m", Reduced([41_848, 550_644], [10_466, 137_708])),
        ("dash/eadash.m", Orbits(133_426, 1_785_271)),
        ("dash/ldash.m", Orbits(254_743, 2_644_459)),
        ("sym/cache3.m", Reduced([6_819_042, 57_933_160], [31_433, 264_758])),
        ("sym/list6.m", Reduced([560_185, 2_389_561], [23_410, 99_874])),
        ("sym/list6too.m", Reduced([1_161_286, 9_351_825], [1_069, 11_550])),
        ("multiset+sym/cache3multi.m", Reduced([2_577_322, 11_795_750], [13_738, 65_357])),
        ("multiset+sym/newcache3.m", Reduced([50_626, 235_242], [4_357, 20_201])),
        ("multiset+sym/newlist6.m", Reduced([301_029, 1_233_109], [13_044, 53_595])),
        ("others/newcache3.m", Reduced([1_514_250, 9_472_976], [34_781, 217_195])),
        ("others/cache3.m", Verified(577, 2_440)),
        ("others/abp.m", Verified(80, 176)),
        ("others/dp4.m", Verified(112, 672)),
        ("others/dpnew.m", Verified(446, 2_436)),
        ("secur/ns.m", Verified(980, 2_314)),
        ("secur/ns-old.m", Verified(1_121, 2_578)),
        ("sci/sci.m", Reduced([109_080, 362_418], [18_193, 60_455])),
        ("toy/pingpong.m", Verified(4, 6)),
        ("real/turbogas.m", Refused("real")),
        ("others/arbiter.m", Violated(13)),
        ("sci/scierr.m", Violated(8)),
        ("sym/adashbug.m", Violated(15)),
        ("toy/down.m", Violated(20)),
        ("toy/lin.m", Violated(75)),
        ("toy/sets.m", Violated(5)),
        ("toy/sort5.m", Violated(9)),
    ];

    pub fn trials(folder: &Path) -> Vec<Trial> {
        MODELS
            .iter()
            .map(|(file, expected)| {
                let path = folder.join(file);
                Trial::test(format!("cmurphi {file}"), move || check(&path, *expected))
            })
            .collect()
    }

    fn check(path: &Path, expected: Expected) -> Result<(), Failed> {
        if let Refused(word) = expected {
            let output = mcc().arg("--check").arg(path).output()?;
            let refused = output.status.code() == Some(2) && text(&output.stderr).contains(word);
            return if refused { Ok(()) } else { Err(shown(&output).into()) };
        }
        let verifier = build(path)?;
        let run = |more: &[&str]| {
            let options: Vec<String> =
                ["-ndl", "-b", "-pn"].iter().chain(more).map(|&word| word.to_owned()).collect();
            Ok::<_, Failed>(support::verify(&verifier, &options)?.report)
        };
        let verified = |more: &[&str], states: u64, rules: u64| {
            let report = run(more)?;
            let found = (report["verdict"].as_str(), report["states"].as_u64(), report["rules"].as_u64());
            let expected = (Some("verified"), Some(states), Some(rules));
            match found == expected {
                true => Ok(()),
                false => Err(Failed::from(format!(
                    "with {more:?} found {found:?}, expected {expected:?}: {:#}",
                    report["errors"]
                ))),
            }
        };
        match expected {
            Verified(states, rules) => {
                verified(&["-nosym"], states, rules)?;
                verified(&[], states, rules)?;
            }
            Reduced([states, rules], [orbits, orbit_rules]) => {
                verified(&["-nosym"], states, rules)?;
                verified(&[], orbits, orbit_rules)?;
            }
            Orbits(states, rules) => verified(&[], states, rules)?,
            Violated(steps) => {
                for symmetry in ["off", "exact", "fast"] {
                    let report = run(&["--symmetry", symmetry])?;
                    let error = &report["errors"][0];
                    // A trace begins with the start state.
                    let found = error["trace"].as_array().map(|trace| trace.len() as u64 - 1);
                    if report["verdict"] != "violated" || found != Some(steps) {
                        return Err(format!(
                            "--symmetry {symmetry}: the shortest trace has {found:?} rules, expected {steps}: {error:#}"
                        )
                        .into());
                    }
                }
            }
            Refused(_) => {}
        }
        Ok(())
    }
}

/// Rumur's tests: each says in comments at its top what should become of it.
mod rumur {
    use super::*;

    /// What we expect instead of what the comments say.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Instead {
        Accepted,
        Rejected,
        /// Accepted, and a run ends with this exit code.
        Exit(i32),
        /// Rejected by both, on another line.
        OtherLine,
    }

    pub const EXCEPTIONS: &[(&str, Instead, &str)] = &[
        ("bound-illegal.m", Instead::Accepted, "tests an option of the command `rumur`"),
        (
            "for-step-1.m",
            Instead::Accepted,
            "a constant loop that runs through nothing is a warning, as CMurphi runs it",
        ),
        (
            "for-step-neg-1.m",
            Instead::Accepted,
            "a constant loop that runs through nothing is a warning, as CMurphi runs it",
        ),
        ("function-order.m", Instead::Accepted, "functions may be used before they are declared"),
        ("octal-literal.m", Instead::Accepted, "a leading zero does not make a number octal, as in CMurphi"),
        ("octal-literal2.m", Instead::Exit(0), "a leading zero does not make a number octal, as in CMurphi"),
        ("read-slice.m", Instead::Rejected, "a model without a start state is an error, as in CMurphi"),
        (
            "recursion3.m",
            Instead::Accepted,
            "functions may be used before they are declared, so they may call each other",
        ),
        ("section-order6.m", Instead::Accepted, "functions may be used before they are declared"),
        ("section-order7.m", Instead::Accepted, "rules may use variables that are declared after them"),
        ("section-order8.m", Instead::Accepted, "rules may use variables that are declared after them"),
        ("uint64-model.m", Instead::Rejected, "numbers are 64 bits with a sign"),
        ("uint64-model2.m", Instead::OtherLine, "numbers are 64 bits with a sign"),
    ];

    /// The line on which Rumur rejects what it rejects.
    const LINES: &[(&str, u32)] = &[
        ("and-mixed.m", 15),
        ("assert-record.m", 16),
        ("bad-alias.m", 16),
        ("bad-array-index.m", 14),
        ("bad-element-lhs-in-or.m", 11),
        ("bad-expr-type-ref.m", 17),
        ("bad-field-lhs-in-or.m", 17),
        ("bad-field.m", 18),
        ("bad-function-call.m", 19),
        ("bad-function-parameter.m", 20),
        ("bad-lvalue.m", 18),
        ("bitwise-and-enum.m", 15),
        ("bitwise-not-enum.m", 17),
        ("bitwise-or-enum.m", 15),
        ("bitwise-xor-enum.m", 15),
        ("boolean-shadow.m", 14),
        ("call-no-lvalue.m", 33),
        ("const-of-function-call.m", 17),
        ("duplicate-enum-members.m", 9),
        ("duplicate-enum-members2.m", 9),
        ("duplicate-record-fields.m", 9),
        ("duplicate-state-fields.m", 8),
        ("for-step-0.m", 14),
        ("for-step-1.m", 14),
        ("for-step-neg-1.m", 14),
        ("function-order.m", 9),
        ("illegal-array-index.m", 8),
        ("isundefined-array.m", 12),
        ("isundefined-record.m", 14),
        ("isundefined-rvalue.m", 12),
        ("isundefined-rvalue2.m", 12),
        ("liveness-statement.m", 16),
        ("lsh-boolean.m", 14),
        ("lsh-boolean2.m", 15),
        ("lsh-enum.m", 16),
        ("lsh-enum2.m", 16),
        ("negate-complex.m", 24),
        ("non-boolean-condition.m", 12),
        ("octal-literal.m", 6),
        ("or-mixed.m", 15),
        ("procedure-call-in-expr.m", 20),
        ("recursion3.m", 12),
        ("return-expression-from-rule.m", 15),
        ("rsh-boolean.m", 14),
        ("rsh-boolean2.m", 15),
        ("rsh-enum.m", 16),
        ("rsh-enum2.m", 16),
        ("section-order6.m", 9),
        ("section-order7.m", 10),
        ("section-order8.m", 7),
        ("section-order9.m", 14),
        ("string-escape1.m", 12),
        ("switch-stmt3.m", 16),
        ("while-stmt4.m", 14),
        ("while-stmt5.m", 16),
        ("xor-mixed.m", 15),
    ];

    /// What the comments of a test say.
    #[derive(Clone, Debug, Default)]
    struct Comments {
        rejected: bool,
        exit: i32,
        flags: Vec<String>,
    }

    pub fn trials(folder: &Path) -> Vec<Trial> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "m"))
            .collect();
        files.sort();
        let mut solver = 0;
        let mut trials = Vec::new();
        for path in files {
            let Ok(model) = std::fs::read_to_string(&path) else { continue };
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let comments = comments(&model);
            if comments.flags.iter().any(|flag| flag == SOLVER) {
                solver += 1;
            }
            let line = LINES.iter().find(|(file, _)| *file == name).map(|(_, line)| *line);
            trials.push(Trial::test(format!("rumur {name}"), move || check(&path, &name, &comments, line)));
        }
        eprintln!("Rumur's tests: {solver} for its solver are compiled and not run");
        trials
    }

    const SOLVER: &str = "a solver";

    /// Reads `-- key: value` lines from the top of a test.
    fn comments(model: &str) -> Comments {
        let mut found = Comments::default();
        for line in model.lines() {
            let Some((key, value)) =
                line.trim_start().strip_prefix("--").and_then(|comment| comment.trim_start().split_once(':'))
            else {
                break;
            };
            let value = value.trim();
            match key.trim() {
                "rumur_exit_code" => found.rejected = value != "0",
                "checker_exit_code" => found.exit = value.parse().unwrap_or(1),
                "rumur_flags" if value.starts_with('[') => {
                    found.flags = value
                        .trim_matches(['[', ']'])
                        .split(',')
                        .map(|flag| flag.trim().trim_matches('\'').to_owned())
                        .collect();
                }
                "rumur_flags" => found.flags = vec![SOLVER.to_owned()],
                _ => {}
            }
        }
        found
    }

    fn check(path: &Path, name: &str, comments: &Comments, line: Option<u32>) -> Result<(), Failed> {
        let exception = EXCEPTIONS.iter().find(|(file, _, _)| *file == name).map(|(_, instead, _)| *instead);
        let rejected = match exception {
            Some(Instead::Accepted | Instead::Exit(_)) => false,
            Some(Instead::Rejected) => true,
            Some(Instead::OtherLine) | None => comments.rejected,
        };
        let checked = mcc().arg("--check").arg(path).output()?;
        match (rejected, checked.status.code()) {
            (true, Some(2)) => {
                return match line.filter(|_| exception.is_none()) {
                    Some(line) => rejected_on(line, name, &text(&checked.stderr)),
                    None => Ok(()),
                };
            }
            (false, Some(0)) => {}
            _ => return Err(format!("expected rejected: {rejected}; {}", shown(&checked)).into()),
        }
        if comments.flags.iter().any(|flag| flag == SOLVER) {
            // What these fail at is exactly what the solver is to take out.
            return build(path).map(drop).map_err(Failed::from);
        }
        if exception == Some(Instead::Accepted) {
            return Ok(());
        }
        let exit = match exception {
            Some(Instead::Exit(code)) => code,
            _ => comments.exit,
        };
        run(path, &comments.flags, exit)
    }

    /// One of the errors is on that line.
    fn rejected_on(line: u32, name: &str, said: &str) -> Result<(), Failed> {
        let place = format!("{name}:{line}:");
        if said.contains(&place) { Ok(()) } else { Err(format!("no error at {place}\n{said}").into()) }
    }

    fn run(path: &Path, flags: &[String], exit: i32) -> Result<(), Failed> {
        let verifier = build(path)?;
        // As Rumur has it, copying an undefined value is an error.
        let mut options = vec!["--strict-undefined", "--quiet", "--memory", "1G"];
        let mut flags = flags.iter().map(String::as_str);
        let mut bounded = false;
        while let Some(flag) = flags.next() {
            match flag {
                // "stuck" calls fewer states deadlocks than we do; its tests are about something
                // else.
                "--deadlock-detection" => {
                    if matches!(flags.next(), Some("off" | "stuck")) {
                        options.push("--no-deadlock");
                    }
                }
                "--bound" => {
                    options.extend(["--max-depth", flags.next().unwrap_or("0")]);
                    bounded = true;
                }
                "--max-errors" => options.extend(["--max-errors", flags.next().unwrap_or("1")]),
                _ => {}
            }
        }
        let output = Command::new(&verifier).args(&options).current_dir(scratch("foreign")).output()?;
        // Rumur calls a bounded search without an error a success; we call it inconclusive.
        let expected = if bounded && exit == 0 { [0, 3] } else { [exit, exit] };
        if output.status.code().is_some_and(|code| expected.contains(&code)) {
            Ok(())
        } else {
            Err(format!("expected exit {expected:?} with {options:?}; {}", shown(&output)).into())
        }
    }
}
