//! The models to start from.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// A folder of further models.
pub const FOLDER_VARIABLE: &str = "MCC_FUZZING_SEEDS";

/// Larger models are left out: most changes of one would never meet.
const LARGEST: usize = 100_000;

/// All models of the repository, and those of the folder that the environment names, in a fixed
/// order.
pub fn collect() -> Vec<Vec<u8>> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["models", "tests", "tools/benchmarks"] {
        models_below(&repository.join(folder), &mut files);
    }
    if let Some(folder) = env::var_os(FOLDER_VARIABLE) {
        models_below(Path::new(&folder), &mut files);
    }
    let read = files.iter().filter_map(|file| fs::read(file).ok());
    read.filter(|bytes| !bytes.is_empty() && bytes.len() <= LARGEST).collect()
}

fn models_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            models_below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "m") {
            files.push(path);
        }
    }
}
