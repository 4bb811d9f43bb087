//! One message, and the bag that stages collect messages in.

use super::Origin;

/// Whose fault a message reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The user's program is wrong.
    Error,
    /// The program is right, but this compiler cannot do it (yet).
    Limitation,
    /// The compiler is wrong.
    Bug,
}

/// One message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whose fault it is.
    pub severity: Severity,
    /// One or two sentences, beginning in lower case, without a final full stop.
    pub message: String,
    /// The guilty term.
    pub origin: Origin,
    /// Other places that matter, each with what is to be said there.
    pub labels: Vec<(Origin, String)>,
    /// What the user could do.
    pub helps: Vec<String>,
}

impl Diagnostic {
    /// A user's error at `origin`.
    pub fn error(origin: Origin, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, origin, message)
    }

    /// Something this compiler cannot do.
    pub fn limitation(origin: Origin, message: impl Into<String>) -> Self {
        Self::new(Severity::Limitation, origin, message)
    }

    /// A mistake of this compiler.
    pub fn bug(origin: Origin, message: impl Into<String>) -> Self {
        Self::new(Severity::Bug, origin, message)
    }

    fn new(severity: Severity, origin: Origin, message: impl Into<String>) -> Self {
        Diagnostic { severity, message: message.into(), origin, labels: Vec::new(), helps: Vec::new() }
    }

    /// Adds something to say at another place.
    pub fn label(mut self, origin: Origin, text: impl Into<String>) -> Self {
        self.labels.push((origin, text.into()));
        self
    }

    /// Adds a way out.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// The message with its severity told where it is not the user's fault.
    pub fn headline(&self) -> String {
        match self.severity {
            Severity::Error => self.message.clone(),
            Severity::Limitation => format!("not supported: {}", self.message),
            Severity::Bug => format!("bug in the RISE compiler, please report it: {}", self.message),
        }
    }
}

/// Messages collected by a stage, in the order in which they were noticed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// An empty bag.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message, unless the same one stands there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let repeated =
            |old: &Diagnostic| old.message == diagnostic.message && old.origin.same(diagnostic.origin);
        if !self.0.iter().any(repeated) {
            self.0.push(diagnostic);
        }
    }

    /// Adds a user's error without labels and helps.
    pub fn error(&mut self, origin: Origin, message: impl Into<String>) {
        self.push(Diagnostic::error(origin, message));
    }

    /// Adds all messages of another bag.
    pub fn append(&mut self, other: Diagnostics) {
        for diagnostic in other.0 {
            self.push(diagnostic);
        }
    }

    /// Whether nothing was noticed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The messages.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// The same messages, each with something more to say.
    pub fn each(self, change: impl FnMut(Diagnostic) -> Diagnostic) -> Self {
        Diagnostics(self.0.into_iter().map(change).collect())
    }

    /// The same messages, those without a place told of at `origin`.
    pub fn placed(mut self, origin: Origin) -> Self {
        for diagnostic in self.0.iter_mut().filter(|diagnostic| diagnostic.origin.is_none()) {
            diagnostic.origin = origin;
        }
        self
    }

    /// The stage border: the result if nothing was noticed, otherwise the messages.
    pub fn or<T>(self, value: T) -> Result<T, Diagnostics> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics(vec![diagnostic])
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
