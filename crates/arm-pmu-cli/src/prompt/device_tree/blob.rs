//! Parses a device tree blob of version 17 into nodes.
//!
//! No published parser fits: the maintained one needs a newer Rust than this command, and the others panic on a damaged
//! blob or stop without an error.

use std::fmt;

/// A node with its properties and children.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Name with the unit address; empty for the root.
    pub name: String,
    pub properties: Vec<(String, Vec<u8>)>,
    pub children: Vec<Node>,
}

/// Reason why a blob cannot be parsed.
#[derive(Debug, PartialEq, Eq)]
pub enum BlobError {
    /// The file is source text of a device tree.
    Source,
    NotABlob,
    CutOff {
        needed: usize,
        length: usize,
    },
    Version(u32),
    /// The blob needs a parser of at least this version.
    Newer(u32),
    /// The structure is damaged at this byte of the file.
    Structure {
        at: usize,
        what: &'static str,
    },
}

impl fmt::Display for BlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source => f.write_str(
                "the file is the source of a device tree; compile it: dtc -I dts -O dtb -o board.dtb board.dts",
            ),
            Self::NotABlob => f.write_str("the file is not a device tree blob, which begins with 0xD00DFEED"),
            Self::CutOff { needed, length } => {
                write!(f, "the blob is cut off: the file has {length} of {needed} bytes")
            }
            Self::Version(version) => {
                write!(f, "the blob has format version {version}; versions 16 and 17 are supported")
            }
            Self::Newer(version) => {
                write!(f, "the blob needs a parser for version {version}; versions 16 and 17 are supported")
            }
            Self::Structure { at, what } => write!(f, "the blob is damaged: byte 0x{at:x} {what}"),
        }
    }
}

const MAGIC: u32 = 0xD00D_FEED;
/// Maximum depth of nodes; real trees have less than ten levels.
const DEEPEST: usize = 64;

const BEGIN_NODE: u32 = 1;
const END_NODE: u32 = 2;
const PROPERTY: u32 = 3;
const NOP: u32 = 4;
const END: u32 = 9;

/// Parses a blob. Returns the root of the tree.
pub fn read(blob: &[u8]) -> Result<Node, BlobError> {
    if std::str::from_utf8(blob).is_ok_and(|text| text.contains("/dts-v1/")) {
        return Err(BlobError::Source);
    }
    if word(blob, 0) != Some(MAGIC) {
        return Err(BlobError::NotABlob);
    }
    let field = |nth: usize| {
        word(blob, nth * 4).ok_or(BlobError::CutOff { needed: 40, length: blob.len() })
    };
    let place = |nth: usize| field(nth).map(|value| usize::try_from(value).unwrap_or(usize::MAX));
    let size = place(1)?;
    if blob.len() < size {
        return Err(BlobError::CutOff { needed: size, length: blob.len() });
    }
    let (version, oldest) = (field(5)?, field(6)?);
    if version < 16 {
        return Err(BlobError::Version(version));
    }
    if oldest > 17 {
        return Err(BlobError::Newer(oldest));
    }
    let strings = place(3)?;
    let strings_end = strings.saturating_add(place(8)?);
    let Some(strings) = blob.get(strings..strings_end) else {
        return Err(BlobError::Structure { at: 12, what: "places the names outside the file" });
    };
    Reader { blob, strings, at: place(2)? }.root()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

struct Reader<'b> {
    blob: &'b [u8],
    strings: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn root(&mut self) -> Result<Node, BlobError> {
        let start = self.at;
        if self.token()? != BEGIN_NODE {
            return Err(BlobError::Structure { at: start, what: "does not begin the root" });
        }
        let root = self.node(0)?;
        let end = self.at;
        if self.token()? != END {
            return Err(BlobError::Structure { at: end, what: "does not end the tree" });
        }
        Ok(root)
    }

    /// Next token that is not NOP.
    fn token(&mut self) -> Result<u32, BlobError> {
        loop {
            let token = self.word()?;
            if token != NOP {
                return Ok(token);
            }
        }
    }

    fn word(&mut self) -> Result<u32, BlobError> {
        let ends = BlobError::Structure { at: self.at, what: "ends the file, but not the tree" };
        let word = word(self.blob, self.at).ok_or(ends)?;
        self.at += 4;
        Ok(word)
    }

    /// Parses a node after its first token.
    fn node(&mut self, depth: usize) -> Result<Node, BlobError> {
        let start = self.at;
        if depth > DEEPEST {
            return Err(BlobError::Structure { at: start, what: "is nested too deeply" });
        }
        let name = text(self.blob, start)
            .ok_or(BlobError::Structure { at: start, what: "is not the name of a node" })?;
        self.at = aligned(start + name.len() + 1);
        let mut node = Node { name, ..Node::default() };
        loop {
            let at = self.at;
            match self.token()? {
                BEGIN_NODE => node.children.push(self.node(depth + 1)?),
                PROPERTY => node.properties.push(self.property()?),
                END_NODE => return Ok(node),
                _ => return Err(BlobError::Structure { at, what: "is not a part of a node" }),
            }
        }
    }

    fn property(&mut self) -> Result<(String, Vec<u8>), BlobError> {
        let at = self.at;
        let length = usize::try_from(self.word()?).unwrap_or(usize::MAX);
        let name = usize::try_from(self.word()?).unwrap_or(usize::MAX);
        let name = text(self.strings, name)
            .filter(|name| !name.is_empty())
            .ok_or(BlobError::Structure { at, what: "begins a property without a name" })?;
        let end = self.at.saturating_add(length);
        let value = self
            .blob
            .get(self.at..end)
            .ok_or(BlobError::Structure { at, what: "begins a property longer than the file" })?;
        self.at = aligned(end);
        Ok((name, value.to_vec()))
    }
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
pub mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Writes a tree as a blob.
    pub fn write(root: &Node) -> Vec<u8> {
        let (mut structure, mut strings) = (Vec::new(), Vec::new());
        node(root, &mut structure, &mut strings);
        structure.extend(END.to_be_bytes());
        let (start, names) = (56, 56 + structure.len());
        let words = [
            MAGIC as usize,
            names + strings.len(),
            start,
            names,
            40,
            17,
            16,
            0,
            strings.len(),
            structure.len(),
        ];
        let mut blob: Vec<u8> =
            words.iter().flat_map(|word| (*word as u32).to_be_bytes()).collect();
        // Zeros end the list of reserved memory.
        blob.extend([0; 16]);
        blob.extend(structure);
        blob.extend(strings);
        blob
    }

    fn node(of: &Node, structure: &mut Vec<u8>, strings: &mut Vec<u8>) {
        let pad = |bytes: &mut Vec<u8>| bytes.resize(aligned(bytes.len()), 0);
        structure.extend(BEGIN_NODE.to_be_bytes());
        structure.extend(of.name.bytes().chain([0]));
        pad(structure);
        for (name, value) in &of.properties {
            structure.extend(NOP.to_be_bytes());
            for word in [PROPERTY, value.len() as u32, strings.len() as u32] {
                structure.extend(word.to_be_bytes());
            }
            structure.extend(value);
            pad(structure);
            strings.extend(name.bytes().chain([0]));
        }
        of.children.iter().for_each(|child| node(child, structure, strings));
        structure.extend(END_NODE.to_be_bytes());
    }

    fn any_node() -> impl Strategy<Value = Node> {
        let property = ("[a-z#,-]{1,9}", prop::collection::vec(any::<u8>(), 0..9));
        let properties = prop::collection::vec(property, 0..4);
        let leaf = ("[a-z]{1,9}(@[0-9a-f]{1,9})?", properties.clone())
            .prop_map(|(name, properties)| Node { name, properties, children: Vec::new() });
        leaf.prop_recursive(4, 24, 4, move |inner| {
            let children = prop::collection::vec(inner, 0..4);
            ("[a-z]{1,9}", properties.clone(), children)
                .prop_map(|(name, properties, children)| Node { name, properties, children })
        })
    }

    proptest! {
        #[test]
        fn a_tree_is_read_as_it_was_written(root in any_node()) {
            prop_assert_eq!(read(&write(&root)), Ok(root));
        }

        /// Parsing damaged bytes must not panic.
        #[test]
        fn damaged_blobs_never_panic(
            root in any_node(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            keep in any::<prop::sample::Index>(),
        ) {
            let mut blob = write(&root);
            for (at, byte) in changes {
                let at = at.index(blob.len());
                blob[at] = byte;
            }
            let _either = read(&blob);
            prop_assert!(read(&blob[..keep.index(blob.len())]).is_err());
        }
    }

    /// A tree with only a root, without the last token.
    fn without_end() -> Vec<u8> {
        let mut blob = write(&Node::default());
        blob.truncate(blob.len() - 4);
        let length = blob.len() as u32;
        blob[4..8].copy_from_slice(&length.to_be_bytes());
        // The block of names is empty, so its offset is ignored.
        blob[12..16].fill(0);
        blob
    }

    #[test]
    fn each_damage_has_its_message() {
        let root = Node {
            properties: vec![("model".to_owned(), b"x\0".to_vec())],
            children: vec![Node { name: "cpus".to_owned(), ..Node::default() }],
            ..Node::default()
        };
        let blob = write(&root);
        let with = |at: usize, word: u32| {
            let mut blob = blob.clone();
            blob[at..at + 4].copy_from_slice(&word.to_be_bytes());
            read(&blob).expect_err("damage").to_string()
        };
        let mut deep = Node::default();
        for _ in 0..=DEEPEST {
            deep = Node { name: "n".to_owned(), children: vec![deep], ..Node::default() };
        }
        let all = [
            read(b"").expect_err("nothing").to_string(),
            read(b"\n/dts-v1/;\n/ { };\n").expect_err("source").to_string(),
            read(&blob[..20]).expect_err("a start").to_string(),
            read(&blob[..blob.len() - 1]).expect_err("a start").to_string(),
            read(&write(&deep)).expect_err("a well").to_string(),
            with(0, 0x1F8B_0800),
            with(12, 0xFFFF_FFF0),
            with(20, 3),
            with(24, 18),
            with(56, 2),
            // Bytes of the tree: name of the root, NOP, and a property with its length, name and value.
            with(60, 0x41FF_0000),
            with(64, 7),
            with(72, 0x7FFF_FFFF),
            with(76, 99),
            with(84, 9),
            with(blob.len() - 4 - 6, 2),
            read(&without_end()).expect_err("no end").to_string(),
        ];
        let stored = [
            "the file is not a device tree blob, which begins with 0xD00DFEED",
            "the file is the source of a device tree; compile it: dtc -I dts -O dtb -o board.dtb board.dts",
            "the blob is cut off: the file has 20 of 114 bytes",
            "the blob is cut off: the file has 113 of 114 bytes",
            "the blob is damaged: byte 0x244 is nested too deeply",
            "the file is not a device tree blob, which begins with 0xD00DFEED",
            "the blob is damaged: byte 0xc places the names outside the file",
            "the blob has format version 3; versions 16 and 17 are supported",
            "the blob needs a parser for version 18; versions 16 and 17 are supported",
            "the blob is damaged: byte 0x38 does not begin the root",
            "the blob is damaged: byte 0x3c is not the name of a node",
            "the blob is damaged: byte 0x40 is not a part of a node",
            "the blob is damaged: byte 0x48 begins a property longer than the file",
            "the blob is damaged: byte 0x48 begins a property without a name",
            "the blob is damaged: byte 0x54 is not a part of a node",
            "the blob is damaged: byte 0x68 does not end the tree",
            "the blob is damaged: byte 0x44 ends the file, but not the tree",
        ];
        assert_eq!(all, stored);
    }
}
