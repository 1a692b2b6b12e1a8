//! Files that an experiment writes.

use std::path::{Path, PathBuf};

pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Where a model's plot goes; with several models, the model's name goes into the file's.
pub fn plot_path(path: &Path, model: &str, models: usize) -> PathBuf {
    if models == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}_{model}.svg"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_several_models_has_its_own_plot() {
        let path = Path::new("plots/rates.svg");
        assert_eq!(plot_path(path, "ring", 1), path);
        assert_eq!(plot_path(path, "ring", 2), Path::new("plots/rates_ring.svg"));
    }
}
