//! Writes indented XML elements.

use std::fmt::Write as _;

/// An XML document that is being written.
#[derive(Debug)]
pub struct Xml {
    text: String,
    depth: usize,
    /// Whether this SVD version has the element `protection`.
    pub has_protection: bool,
}

impl Default for Xml {
    fn default() -> Self {
        Self::of_version(1.3)
    }
}

impl Xml {
    /// Creates a document of this SVD version.
    pub fn of_version(version: f32) -> Self {
        Self { text: String::new(), depth: 0, has_protection: version >= 1.3 }
    }

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

    /// Writes an element that contains a text.
    pub fn element(&mut self, name: &str, text: &str) {
        self.indent();
        let _ = writeln!(self.text, "<{name}>{}</{name}>", escape(text));
    }

    /// Returns the written elements, without the XML declaration.
    pub fn body(self) -> String {
        self.text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let mut xml = Xml::default();
        xml.open("a", &[("b", "\"<&>\"")]);
        xml.element("c", "D & <E> \"Q\"");
        xml.close("a");
        let expected = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<a b=\"&quot;&lt;&amp;&gt;&quot;\">\n  \
                        <c>D &amp; &lt;E&gt; &quot;Q&quot;</c>\n</a>\n";
        assert_eq!(xml.text(), expected);
    }
}
