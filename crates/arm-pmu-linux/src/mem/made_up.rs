//! Systems for tests: directories in place of `/`.

use std::fs;

use tempfile::TempDir;

/// Creates a system with these files.
pub(crate) fn system(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    root
}

/// Creates a system with a file in place of `/dev/mem`: an address is an offset in the file.
pub(crate) fn memory(bytes: &[u8]) -> TempDir {
    let iomem = "40000000-4fffffff : System RAM\n";
    let root = system(&[("proc/iomem", iomem), ("dev/mem", "")]);
    fs::write(root.path().join("dev/mem"), bytes).expect("a file");
    root
}
