//! Reads files of the kernel.

use std::fs;
use std::path::{Path, PathBuf};

use crate::base::device_tree::Node;

/// Text of a file, without white space or zero bytes at its ends; `None` if empty or unreadable. Strings of a device
/// tree end with a zero byte.
pub fn text(file: impl AsRef<Path>) -> Option<String> {
    let bytes = fs::read(file).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    (!text.is_empty()).then(|| text.to_owned())
}

pub fn number<N: std::str::FromStr>(file: impl AsRef<Path>) -> Option<N> {
    text(file)?.parse().ok()
}

/// Entries of a directory, sorted by name; empty if unreadable.
pub fn children(directory: impl AsRef<Path>) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let mut paths: Vec<_> = entries.map_while(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Nodes of the running kernel's device tree, the root first; only a root without properties if there is no tree.
pub fn device_tree(root: &Path) -> Vec<Node> {
    let mut nodes = Vec::new();
    add_node(&mut nodes, &root.join("sys/firmware/devicetree/base"), String::new(), None);
    nodes
}

fn add_node(nodes: &mut Vec<Node>, directory: &Path, own: String, parent: Option<usize>) {
    let is_node = |path: &PathBuf| path.symlink_metadata().is_ok_and(|of| of.is_dir());
    let (inner, properties): (Vec<_>, Vec<_>) = children(directory).into_iter().partition(is_node);
    let property = |file: PathBuf| Some((name(&file), fs::read(&file).ok()?));
    let properties = properties.into_iter().filter_map(property).collect();
    let number = nodes.len();
    nodes.push(Node { name: own, properties, parent });
    inner.iter().for_each(|inner| add_node(nodes, inner, name(inner), Some(number)));
}

/// Last part of a path.
pub fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Last part of the target of a link.
pub fn link(path: &Path) -> Option<String> {
    fs::read_link(path).ok().map(|target| name(&target))
}
