//! Elements as text, indented.

use std::fmt::Write as _;

/// A document under way.
#[derive(Default)]
pub struct Xml {
    text: String,
    depth: usize,
}

impl Xml {
    pub fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.indent();
        let _ = write!(self.text, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.text, " {key}=\"{}\"", escape(value));
        }
        self.text += ">\n";
        self.depth += 1;
    }

    pub fn close(&mut self, name: &str) {
        self.depth -= 1;
        self.indent();
        let _ = writeln!(self.text, "</{name}>");
    }

    /// An element that holds a text.
    pub fn element(&mut self, name: &str, text: &str) {
        self.indent();
        let _ = writeln!(self.text, "<{name}>{}</{name}>", escape(text));
    }

    /// The whole document.
    pub fn text(self) -> String {
        format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{}", self.text)
    }

    fn indent(&mut self) {
        let _ = write!(self.text, "{:1$}", "", self.depth * 2);
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
