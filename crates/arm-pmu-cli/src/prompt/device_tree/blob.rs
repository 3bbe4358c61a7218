//! Parses a device tree blob of version 17 into nodes.
//!
//! No published parser fits, because the maintained parser needs a newer Rust than this command, and the others panic
//! on a damaged blob or stop without an error.

use crate::base::device_tree::Node;

const MAGIC: u32 = 0xD00D_FEED;
/// Maximum depth of nodes; real trees have fewer than ten levels.
const DEEPEST: usize = 64;

const BEGIN_NODE: u32 = 1;
const END_NODE: u32 = 2;
const PROPERTY: u32 = 3;
const NOP: u32 = 4;
const END: u32 = 9;

/// Parses a blob. Returns the nodes, with the root first and parents before children.
///
/// # Errors
///
/// Returns the reason why the blob cannot be parsed.
pub fn read(blob: &[u8]) -> Result<Vec<Node>, String> {
    if std::str::from_utf8(blob).is_ok_and(|text| text.contains("/dts-v1/")) {
        return Err("the file is the source of a device tree; compile it: dtc -I dts -O dtb -o board.dtb board.dts".to_owned());
    }
    if word(blob, 0) != Some(MAGIC) {
        return Err("the file is not a device tree blob, which begins with 0xD00DFEED".to_owned());
    }
    let cut_off =
        |needed| format!("the blob is cut off: the file has {} of {needed} bytes", blob.len());
    let field = |nth: usize| word(blob, nth * 4).ok_or_else(|| cut_off(40));
    let place = |nth: usize| field(nth).map(|value| usize::try_from(value).unwrap_or(usize::MAX));
    let size = place(1)?;
    if blob.len() < size {
        return Err(cut_off(size));
    }
    let (version, oldest) = (field(5)?, field(6)?);
    if version < 16 {
        return Err(format!(
            "the blob has format version {version}; versions 16 and 17 are supported"
        ));
    }
    if oldest > 17 {
        return Err(format!(
            "the blob needs a parser for version {oldest}; versions 16 and 17 are supported"
        ));
    }
    let strings = place(3)?;
    let strings_end = strings.saturating_add(place(8)?);
    let Some(strings) = blob.get(strings..strings_end) else {
        return Err(damaged(12, "places the names outside the file"));
    };
    Reader { blob, strings, at: place(2)?, nodes: Vec::new() }.all()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

struct Reader<'b> {
    blob: &'b [u8],
    strings: &'b [u8],
    at: usize,
    nodes: Vec<Node>,
}

impl Reader<'_> {
    fn all(mut self) -> Result<Vec<Node>, String> {
        let start = self.at;
        if self.token()? != BEGIN_NODE {
            return Err(damaged(start, "does not begin the root node"));
        }
        self.node(None, 0)?;
        let end = self.at;
        if self.token()? != END {
            return Err(damaged(end, "does not end the tree"));
        }
        Ok(self.nodes)
    }

    /// Next token that is not NOP.
    fn token(&mut self) -> Result<u32, String> {
        loop {
            let token = self.word()?;
            if token != NOP {
                return Ok(token);
            }
        }
    }

    fn word(&mut self) -> Result<u32, String> {
        let word = word(self.blob, self.at).ok_or_else(|| {
            damaged(self.at, "is the end of the file, but the tree is incomplete")
        })?;
        self.at += 4;
        Ok(word)
    }

    /// Parses a node after its first token.
    fn node(&mut self, parent: Option<usize>, depth: usize) -> Result<(), String> {
        let start = self.at;
        if depth > DEEPEST {
            return Err(damaged(start, "is nested too deeply"));
        }
        let name =
            text(self.blob, start).ok_or_else(|| damaged(start, "is not the name of a node"))?;
        self.at = aligned(start + name.len() + 1);
        let own = self.nodes.len();
        self.nodes.push(Node { name, properties: Vec::new(), parent });
        loop {
            let at = self.at;
            match self.token()? {
                BEGIN_NODE => self.node(Some(own), depth + 1)?,
                PROPERTY => {
                    let property = self.property()?;
                    self.nodes[own].properties.push(property);
                }
                END_NODE => return Ok(()),
                _ => return Err(damaged(at, "is not a part of a node")),
            }
        }
    }

    fn property(&mut self) -> Result<(String, Vec<u8>), String> {
        let at = self.at;
        let length = usize::try_from(self.word()?).unwrap_or(usize::MAX);
        let name = usize::try_from(self.word()?).unwrap_or(usize::MAX);
        let name = text(self.strings, name)
            .filter(|name| !name.is_empty())
            .ok_or_else(|| damaged(at, "begins a property without a name"))?;
        let end = self.at.saturating_add(length);
        let value = self
            .blob
            .get(self.at..end)
            .ok_or_else(|| damaged(at, "begins a property longer than the file"))?;
        self.at = aligned(end);
        Ok((name, value.to_vec()))
    }
}

/// Describes damage at this byte of the file.
fn damaged(at: usize, what: &str) -> String {
    format!("the blob is damaged: byte 0x{at:x} {what}")
}

/// Text that ends with a zero byte.
fn text(bytes: &[u8], start: usize) -> Option<String> {
    let rest = bytes.get(start..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(rest.get(..end)?).ok()?;
    text.bytes().all(|byte| byte.is_ascii_graphic()).then(|| text.to_owned())
}

fn aligned(at: usize) -> usize {
    at.saturating_add(3) & !3
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The letter `n`, and the zero that ends a text.
    const N: u32 = 0x6E00_0000;

    /// A root with a property and a child.
    const TREE: [u32; 12] =
        [BEGIN_NODE, 0, NOP, PROPERTY, 2, 0, N, BEGIN_NODE, N, END_NODE, END_NODE, END];

    /// A blob with this tree and the name `model`; `replaced` changes words of the blob.
    fn blob(tree: &[u32], replaced: &[(usize, u32)]) -> Vec<u8> {
        let names = 40 + 4 * tree.len() as u32;
        let header = [MAGIC, names + 6, 40, names, 40, 17, 16, 0, 6, names - 40];
        let mut words = [&header, tree].concat();
        replaced.iter().for_each(|(nth, word)| words[*nth] = *word);
        words.iter().flat_map(|word| word.to_be_bytes()).chain(*b"model\0").collect()
    }

    #[test]
    fn each_damage_has_its_message() {
        let whole = blob(&TREE, &[]);
        let nodes = read(&whole).expect("a tree");
        assert_eq!((nodes[0].properties[0].0.as_str(), nodes[1].name.as_str()), ("model", "n"));
        let without_end = &blob(&[BEGIN_NODE, 0, END_NODE], &[(1, 52), (3, 0), (8, 0)])[..52];
        for (blob, message) in [
            (whole[..20].to_vec(), "the blob is cut off: the file has 20 of 94 bytes"),
            (whole[..93].to_vec(), "the blob is cut off: the file has 93 of 94 bytes"),
            (
                blob(&[BEGIN_NODE, N].repeat(DEEPEST + 2), &[]),
                "the blob is damaged: byte 0x234 is nested too deeply",
            ),
            (
                without_end.to_vec(),
                "the blob is damaged: byte 0x34 is the end of the file, but the tree is incomplete",
            ),
        ] {
            assert_eq!(read(&blob).expect_err(message), message);
        }
        for (nth, word, message) in [
            (0, 0x1F8B_0800, "not a device tree blob, which begins with 0xD00DFEED"),
            (3, 0xFFFF_FFF0, "byte 0xc places the names outside the file"),
            (5, 3, "format version 3; versions 16 and 17 are supported"),
            (6, 18, "a parser for version 18; versions 16 and 17 are supported"),
            (10, 2, "byte 0x28 does not begin the root node"),
            (11, 0x41FF_0000, "byte 0x2c is not the name of a node"),
            (12, 7, "byte 0x30 is not a part of a node"),
            (14, 0x7FFF_FFFF, "byte 0x38 begins a property longer than the file"),
            (15, 99, "byte 0x38 begins a property without a name"),
            (17, 9, "byte 0x44 is not a part of a node"),
            (21, 2, "byte 0x54 does not end the tree"),
        ] {
            let error = read(&blob(&TREE, &[(nth, word)])).expect_err(message);
            assert!(error.ends_with(message), "{error}");
        }
    }
}
