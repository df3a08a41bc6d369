//! What the tests of a run share: a folder, and in it the runtime of drivers that have it apart, compiled once for each way
//! of compiling it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::{Result, anyhow};
use tempfile::TempDir;

use crate::command::{clean, run};

static FOLDER: Mutex<Option<TempDir>> = Mutex::new(None);

/// An object, once it has been compiled; who comes second waits for who compiles.
type Object = OnceLock<Result<PathBuf, String>>;

/// By compiler and flags.
static OBJECTS: Mutex<BTreeMap<Vec<String>, Arc<Object>>> = Mutex::new(BTreeMap::new());

/// A folder that lives as long as the run.
pub fn folder() -> Result<PathBuf> {
    let mut folder = lock(&FOLDER);
    if folder.is_none() {
        *folder = Some(tempfile::tempdir()?);
    }
    folder.as_ref().map(|folder| folder.path().to_path_buf()).ok_or_else(|| anyhow!("there is no folder"))
}

/// Removes the folder. No test may run any more.
pub fn remove() {
    drop(lock(&FOLDER).take());
}

/// Where the tool writes the runtime if it is to be apart from drivers. All runs of the tool write the same.
pub fn runtime_source() -> Result<PathBuf> {
    Ok(folder()?.join("stencil_runtime.c"))
}

/// The runtime that the tool has written, compiled with `flags`.
pub fn runtime_object(compiler: &str, flags: &[&str]) -> Result<PathBuf> {
    let words: Vec<String> = [&[compiler], flags].concat().into_iter().map(str::to_string).collect();
    let mut objects = lock(&OBJECTS);
    let number = objects.len();
    let object = Arc::clone(objects.entry(words).or_default());
    drop(objects);
    let name = format!("runtime{number}.o");
    let built = object.get_or_init(|| compile(compiler, flags, &name).map_err(|error| format!("{error:#}")));
    built.clone().map_err(|error| anyhow!(error))
}

fn compile(compiler: &str, flags: &[&str], name: &str) -> Result<PathBuf> {
    let folder = folder()?;
    let object = folder.join(name);
    run(clean(compiler, &folder).args(flags).arg("-c").arg(runtime_source()?).arg("-o").arg(&object))?.succeeded()?;
    Ok(object)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
