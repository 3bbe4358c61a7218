//! Systems for tests: directories in the place of `/`.

use std::fs;

use tempfile::TempDir;

/// A system with these files.
pub fn system(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    root
}
