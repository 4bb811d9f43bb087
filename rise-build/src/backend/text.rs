//! Indented text, written line by line or piece by piece.

/// Text under construction.
#[derive(Default)]
pub struct Text {
    out: String,
    indent: usize,
    /// Where the text was at after the last comment.
    commented: usize,
}

impl Text {
    /// Text whose lines begin at this depth.
    pub fn at(indent: usize) -> Self {
        Self { indent, ..Self::default() }
    }

    /// A whole line.
    pub fn line(&mut self, line: &str) {
        self.begin();
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// A comment, on the line of one right before it. A backslash at its end would make C take the next line for more of it.
    pub fn comment(&mut self, text: &str) {
        let text = text.trim_end_matches(['\\', ' ']);
        if self.out.is_empty() || self.commented != self.out.len() {
            self.line(&format!("// {text}"));
        } else {
            self.out.pop();
            self.end(&format!(", {text}"));
        }
        self.commented = self.out.len();
    }

    /// A whole line at the margin.
    pub fn raw(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// The indentation of a line that follows in pieces.
    pub fn begin(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    /// A piece of a line.
    pub fn put(&mut self, piece: &str) {
        self.out.push_str(piece);
    }

    /// The last piece of a line.
    pub fn end(&mut self, piece: &str) {
        self.out.push_str(piece);
        self.out.push('\n');
    }

    /// A line after which lines are deeper.
    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 1;
    }

    /// The last piece of a line after which lines are deeper.
    pub fn end_open(&mut self, piece: &str) {
        self.end(piece);
        self.indent += 1;
    }

    /// A line before which the depth ends.
    pub fn close(&mut self, line: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.line(line);
    }

    /// A line between two blocks.
    pub fn reopen(&mut self, line: &str) {
        self.close(line);
        self.indent += 1;
    }

    /// How much there is, which is where the next line begins.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// A line where an earlier one begins, as deep as the next one.
    pub fn line_at(&mut self, place: usize, line: &str) {
        let line = format!("{}{line}\n", "    ".repeat(self.indent));
        self.out.insert_str(place, &line);
        self.commented += line.len();
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.out
    }
}
