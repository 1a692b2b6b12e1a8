//! CMurphi, named by the environment: `mu -b`, then `g++ -O3` against its folder of headers.

use super::{Outcome, Task, ThreadChoice, Tool, ToolName, compiler, interpret_summary, run, spare_megabytes};
use crate::process::Finished;
use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The folder of a CMurphi distribution, with `src/mu` (or `mu`) and `include/`.
const FOLDER: &str = "MCC_CMURPHI";
/// The two parts of it by themselves, for those who keep them apart. Each overrides the folder's.
const COMPILER: &str = "MCC_CMURPHI_MU";
const HEADERS: &str = "MCC_CMURPHI_INCLUDE";

/// Sizes of the state table to try, in megabytes.
const TABLE_SIZES: [u64; 9] = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536];

pub struct Cmurphi {
    compiler: PathBuf,
    headers: PathBuf,
    /// Arguments for the verifiers in addition, passed as they stand.
    extra: Vec<OsString>,
}

impl Cmurphi {
    /// Nothing if the environment names no CMurphi; an error if it names one that is not there.
    pub fn find(extra: Vec<OsString>) -> Result<Option<Cmurphi>, String> {
        let named = |variable| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = named(FOLDER);
        let compiler = named(COMPILER).or_else(|| {
            let folder = folder.as_ref()?;
            [folder.join("src/mu"), folder.join("mu")].into_iter().find(|file| file.is_file())
        });
        let headers = named(HEADERS).or_else(|| Some(folder.as_ref()?.join("include")));
        match (compiler, headers) {
            (None, None) => Ok(None),
            (Some(compiler), Some(headers)) => {
                let absolute = |path: &Path| {
                    path.canonicalize().map_err(|error| format!("CMurphi: {}: {error}", path.display()))
                };
                Ok(Some(Cmurphi { compiler: absolute(&compiler)?, headers: absolute(&headers)?, extra }))
            }
            (None, Some(_)) => Err(format!(
                "CMurphi: {FOLDER} holds neither `src/mu` nor `mu`, and {COMPILER} does not name the compiler"
            )),
            (Some(_), None) => Err(format!("CMurphi: {COMPILER} needs {HEADERS}, its `include` folder")),
        }
    }
}

impl Tool for Cmurphi {
    fn name(&self) -> ToolName {
        ToolName::Cmurphi
    }

    fn thread_choice(&self) -> ThreadChoice {
        ThreadChoice::Never
    }

    fn build_steps(&self, _: Task, model: &Path, verifier: &Path) -> Vec<Command> {
        // `mu` writes the C++ beside a model that is named without a folder, so it runs where the
        // model is.
        let folder = model.parent().unwrap_or(Path::new("."));
        let mut translate = Command::new(&self.compiler);
        translate.current_dir(folder).arg("-b").arg(model.file_name().unwrap_or_default());
        // The generated C++ is older than today's rules of the language: `-fpermissive` accepts it.
        let mut compile = Command::new(compiler("CXX", "g++"));
        compile.current_dir(folder).args(["-O3", "-w", "-fpermissive", "-I"]).arg(&self.headers);
        compile.arg("-o").arg(verifier).arg(model.with_extension("cpp")).arg("-lm");
        vec![translate, compile]
    }

    /// Sizes the table for the model: clearing one that is too large costs time, and so do
    /// collisions in one that is nearly full. Of the two smallest sizes that suffice, the faster is
    /// taken.
    fn run_arguments(
        &self,
        task: Task,
        verifier: &Path,
        limit: Duration,
    ) -> io::Result<Result<Vec<OsString>, Outcome>> {
        let ceiling = spare_megabytes();
        let mut best: Option<(f64, Vec<OsString>)> = None;
        let mut last = Outcome::OutOfMemory;
        for size in TABLE_SIZES.into_iter().take_while(|&size| size <= ceiling) {
            let mut arguments: Vec<OsString> = vec!["-ndl".into(), "-pn".into()];
            arguments.extend((!task.symmetry).then(|| "-nosym".into()));
            arguments.push(format!("-m{size}").into());
            arguments.extend(self.extra.iter().cloned());
            let (outcome, finished) = run(self, verifier, &arguments, limit)?;
            match (&outcome, best.take()) {
                (Outcome::Answered(_), None) => best = Some((finished.seconds, arguments)),
                (Outcome::Answered(_), Some(smaller)) => {
                    let larger = (finished.seconds, arguments);
                    return Ok(Ok(if larger.0 < smaller.0 { larger.1 } else { smaller.1 }));
                }
                (Outcome::OutOfMemory, None) => last = outcome,
                // A larger table cannot help here, and one that sufficed still does.
                (_, Some(smaller)) => return Ok(Ok(smaller.1)),
                (Outcome::ReachedLimit | Outcome::Failed(_), None) => return Ok(Err(outcome)),
            }
        }
        Ok(best.map(|(_, arguments)| arguments).ok_or(last))
    }

    fn interpret(&self, finished: &Finished) -> Outcome {
        let full = ["Closed hash table full", "Too many active states"];
        let refused = finished.stderr.contains("bad_alloc");
        if refused || full.iter().any(|message| finished.stdout.contains(message)) {
            return Outcome::OutOfMemory;
        }
        interpret_summary(finished)
    }
}
