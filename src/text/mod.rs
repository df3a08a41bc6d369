//! Characters on their way out: indented lines of at most so many characters, string constants, hashes.

mod hash;
mod quote;
mod wrap;
mod writer;

pub use hash::Fnv;
pub use quote::{plain_name, quote, quote_line};
pub use wrap::wrap;
pub use writer::{WIDTH, Writer};
