//! What each generated file says of itself.

use crate::options::Options;
use crate::text::{WIDTH, Writer, plain_name, wrap};

/// The first words of a file: who made it, from what, and how. The same input makes the same banner wherever it lies.
#[derive(Clone, Debug)]
pub struct Banner {
    origin: String,
}

impl Banner {
    /// The banner of what is made from the file of that name.
    pub fn new(file: &str, options: &Options) -> Self {
        let flags = options.flags();
        let flags = if flags.is_empty() { "none".to_owned() } else { plain_name(&flags.join(" ")) };
        Self { origin: format!(" from {}, options: {flags}", plain_name(file)) }
    }

    /// The banner of what is the same for all files.
    pub fn of_runtime() -> Self {
        Self { origin: String::new() }
    }

    /// Writes it, and below it what the file is.
    pub fn write(&self, writer: &mut Writer, what: &str) {
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("/* Made by stencil-rewrite {version}{}; do not edit.\n   {what} */", self.origin);
        writer.lines(&wrap(&text, WIDTH));
    }
}
