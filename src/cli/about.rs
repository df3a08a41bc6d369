//! What the tool says about itself: pages about diagnostics, its man page, and completions for shells.

use anyhow::Result;
use clap::{Command, CommandFactory};
use clap_complete::{Shell, generate};
use clap_mangen::Man;
use std::io::{self, Write};

use super::args::{Arguments, GenerateArgument};
use super::exit::{Exit, UsageError};
use crate::explain::{PAGES, nearest, page};

const NAME: &str = "stencil-rewrite";

/// Prints the page about a diagnostic.
///
/// # Errors
/// A [`UsageError`] if there is no such code.
pub fn explain(code: &str) -> Result<Exit> {
    let page = page(code).ok_or_else(|| unknown(code))?;
    io::stdout().lock().write_all(page.as_bytes())?;
    Ok(Exit::Success)
}

fn unknown(code: &str) -> UsageError {
    let all: Vec<&str> = PAGES.iter().map(|(code, _)| *code).collect();
    let nearest = nearest(code).map(|code| format!("; did you mean `{code}`?")).unwrap_or_default();
    UsageError(format!("no diagnostic has the code `{code}`{nearest}\nThe codes are: {}", all.join(", ")))
}

/// Prints the man page or the completions for a shell.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(kind: GenerateArgument) -> Result<Exit> {
    let mut text = Vec::new();
    let shell = match kind {
        GenerateArgument::Man => None,
        GenerateArgument::CompleteBash => Some(Shell::Bash),
        GenerateArgument::CompleteZsh => Some(Shell::Zsh),
        GenerateArgument::CompleteFish => Some(Shell::Fish),
    };
    match shell {
        None => write_man(&mut text)?,
        Some(shell) => generate(shell, &mut Arguments::command(), NAME, &mut text),
    }
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Success)
}

/// One page for the command and its other forms.
fn write_man(output: &mut Vec<u8>) -> io::Result<()> {
    let mut command = Arguments::command();
    command.build();
    let man = Man::new(command.clone());
    man.render_title(output)?;
    man.render_name_section(output)?;
    man.render_synopsis_section(output)?;
    man.render_description_section(output)?;
    man.render_options_section(output)?;
    for form in command.get_subcommands().filter(|form| form.get_name() != "help") {
        write_form(form, output)?;
    }
    let mut notes = Vec::new();
    man.render_extra_section(&mut notes)?;
    output.write_all(String::from_utf8_lossy(&notes).replace(".SH EXTRA", ".SH NOTES").as_bytes())?;
    man.render_version_section(output)
}

/// The section about another form of the command.
fn write_form(form: &Command, output: &mut Vec<u8>) -> io::Result<()> {
    let man = Man::new(form.clone());
    let mut text = Vec::new();
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    writeln!(output, ".SH \"{} {}\"", NAME.to_uppercase(), form.get_name().to_uppercase())?;
    // What are sections of a page about this form alone are subsections here.
    output.write_all(String::from_utf8_lossy(&text).replace(".SH ", ".SS ").as_bytes())
}
