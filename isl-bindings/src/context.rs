//! The owner of an `isl_ctx`: errors, the operation limit, and the checks of what isl returns.

use std::ffi::{CStr, CString, c_char, c_int, c_ulong, c_void};
use std::fmt;
use std::ptr::NonNull;
use std::rc::Rc;

use crate::error::{Error, ErrorKind, Result};
use crate::ffi;

/// An isl context. Cloning gives another handle to the same context; values keep it alive, so a handle may be dropped
/// before them.
#[derive(Clone)]
pub struct Context {
    inner: Rc<Inner>,
}

struct Inner {
    ptr: NonNull<ffi::isl_ctx>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: this is the last handle, and every value held one, so none is left. isl itself checks that no object
        // refers to the context and else leaks it.
        unsafe { ffi::isl_ctx_free(self.ptr.as_ptr()) }
    }
}

/// How exactly [`Context::operations`] counts: its own probes are operations too.
const OPERATIONS_APART: c_ulong = 64;

/// Restores the operation limit on every way out, a panic included.
struct LimitGuard<'a> {
    context: &'a Context,
    previous: c_ulong,
}

impl<'a> LimitGuard<'a> {
    /// Sets the limit; 0 is none.
    fn new(context: &'a Context, max_operations: c_ulong) -> Self {
        let previous = context.limit();
        // SAFETY: the context is alive; the call only sets a field.
        unsafe { ffi::isl_ctx_set_max_operations(context.as_ptr(), max_operations) };
        LimitGuard { context, previous }
    }
}

impl Drop for LimitGuard<'_> {
    fn drop(&mut self) {
        // SAFETY: the context is alive; the call only sets a field.
        unsafe { ffi::isl_ctx_set_max_operations(self.context.as_ptr(), self.previous) }
    }
}

impl Context {
    /// Creates a context which reports errors as values and never prints.
    ///
    /// # Errors
    /// [`ErrorKind::Alloc`] when there is no memory for it.
    pub fn new() -> Result<Self> {
        // SAFETY: the call has no preconditions and gives a context that we own.
        let ptr = NonNull::new(unsafe { ffi::isl_ctx_alloc() })
            .ok_or_else(|| Error { kind: ErrorKind::Alloc, message: "cannot allocate a context".into() })?;
        let inner = Rc::new(Inner { ptr });
        let context = Context { inner };
        // SAFETY: the context is alive.
        context.check_stat(unsafe { ffi::isl_options_set_on_error(context.as_ptr(), ffi::ISL_ON_ERROR_CONTINUE) })?;
        Ok(context)
    }

    /// Creates a context in which isl may do at most `max_operations` elementary operations (roughly, allocations) in all.
    ///
    /// # Errors
    /// As [`new`](Self::new). Each operation behind the limit fails with [`ErrorKind::OperationLimit`].
    pub fn with_limit(max_operations: u64) -> Result<Self> {
        let context = Self::new()?;
        // SAFETY: the context is alive; the call only sets a field.
        unsafe { ffi::isl_ctx_set_max_operations(context.as_ptr(), limit_of(max_operations)) };
        Ok(context)
    }

    /// Runs `work`, in which isl may do at most `max_operations` elementary operations (roughly, allocations).
    ///
    /// What is done within a limit inside another one counts for both.
    ///
    /// # Errors
    /// Those of `work`; [`ErrorKind::OperationLimit`] from the operation that exceeds the limit and all later ones in
    /// `work`. The context and all existing values remain usable.
    pub fn with_operation_limit<T>(&self, max_operations: u64, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let limit = limit_of(max_operations);
        let outer = self.limit();
        if outer == 0 {
            self.reset_operations();
        }
        let spent = if outer == 0 { 0 } else { self.operations() };
        let limit = limit.saturating_add(spent);
        let _guard = LimitGuard::new(self, if outer == 0 { limit } else { limit.min(outer) });
        work()
    }

    /// The operations since the outermost limit began, and a few dozen that finding it out takes: isl tells only whether
    /// there are more than a given number.
    pub fn operations(&self) -> u64 {
        let is_more = |count: c_ulong| {
            let _guard = LimitGuard::new(self, count);
            let is_more = !self.has_operation_left();
            if is_more {
                self.take_last_error();
            }
            is_more
        };
        // The probes change the count by one each while it is searched, which only moves the result up.
        let (mut least, mut most) = (0, 1);
        while is_more(most) {
            (least, most) = (most, most.saturating_mul(2));
        }
        while most - least > OPERATIONS_APART {
            let middle = least + (most - least) / 2;
            if is_more(middle) { least = middle } else { most = middle }
        }
        most
    }

    /// The limit that holds; 0 is none.
    fn limit(&self) -> c_ulong {
        // SAFETY: the context is alive; the call only reads a field.
        unsafe { ffi::isl_ctx_get_max_operations(self.as_ptr()) }
    }

    /// Runs `work` without the operation limit, for work that is short and must not fail.
    pub(crate) fn without_operation_limit<T>(&self, work: impl FnOnce() -> T) -> T {
        let _guard = LimitGuard::new(self, 0);
        work()
    }

    fn reset_operations(&self) {
        // SAFETY: the context is alive; the call only sets a field.
        unsafe { ffi::isl_ctx_reset_operations(self.as_ptr()) }
    }

    pub(crate) fn as_ptr(&self) -> *mut ffi::isl_ctx {
        self.inner.ptr.as_ptr()
    }

    /// Takes the reason of a failure out of the context.
    pub(crate) fn take_error(&self) -> Error {
        let error = self.take_last_error();
        if self.has_operation_left() {
            return error;
        }
        // isl met the limit somewhere below and may have reported what failed in consequence.
        self.take_last_error()
    }

    /// Whether isl can still allocate. What it allocates here is freed at once; a failure becomes the last error.
    fn has_operation_left(&self) -> bool {
        // SAFETY: the context is alive; isl gives a number or null, both of which may be freed.
        unsafe {
            let probe = ffi::isl_val_int_from_si(self.as_ptr(), 0);
            ffi::isl_val_free(probe);
            !probe.is_null()
        }
    }

    /// Takes the error that isl set last.
    fn take_last_error(&self) -> Error {
        // SAFETY: the context is alive. The message is null or a string which isl keeps at least until its next error;
        // it is copied at once.
        let (code, message) = unsafe {
            let code = ffi::isl_ctx_last_error(self.as_ptr());
            let message = ffi::isl_ctx_last_error_msg(self.as_ptr());
            (code, borrowed_string(message))
        };
        // SAFETY: the context is alive.
        unsafe { ffi::isl_ctx_reset_error(self.as_ptr()) };
        Error {
            kind: ErrorKind::from_raw(code),
            message: message.unwrap_or_else(|| "the operation failed for an unknown reason".into()),
        }
    }

    /// Turns a pointer which isl gives into a result.
    pub(crate) fn check_ptr<T>(&self, ptr: *mut T) -> Result<NonNull<T>> {
        NonNull::new(ptr).ok_or_else(|| self.take_error())
    }

    /// Turns an `isl_bool` into a result.
    pub(crate) fn check_bool(&self, answer: c_int) -> Result<bool> {
        match answer {
            0 => Ok(false),
            1.. => Ok(true),
            _ => Err(self.take_error()),
        }
    }

    /// Turns an `isl_size` into a result.
    pub(crate) fn check_size(&self, size: c_int) -> Result<usize> {
        usize::try_from(size).map_err(|_| self.take_error())
    }

    /// Turns an `isl_stat` into a result.
    pub(crate) fn check_stat(&self, stat: c_int) -> Result<()> {
        if stat < 0 {
            return Err(self.take_error());
        }
        Ok(())
    }

    /// Checks that a second operand lives in this context, which isl assumes.
    pub(crate) fn check_same(&self, other: &Context) -> Result<()> {
        if Rc::ptr_eq(&self.inner, &other.inner) {
            return Ok(());
        }
        Err(Error::invalid("the operands live in different contexts"))
    }

    /// Copies and frees a string that isl allocated.
    ///
    /// # Safety
    /// `text` is null or a C string from `malloc` that nobody else owns.
    pub(crate) unsafe fn take_string(&self, text: *mut c_char) -> Result<String> {
        let text = self.check_ptr(text)?;
        // SAFETY: the caller promises that it is a C string.
        let owned = unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy().into_owned();
        // SAFETY: the caller promises that it comes from `malloc` and is ours.
        unsafe { ffi::free(text.as_ptr().cast::<c_void>()) };
        Ok(owned)
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Context").field(&self.as_ptr()).finish()
    }
}

/// The name or text as a C string.
pub(crate) fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::invalid(format!("{text:?} contains a NUL byte")))
}

/// Copies a string that isl keeps.
///
/// # Safety
/// `text` is null or a C string which stays valid during the call.
pub(crate) unsafe fn borrowed_string(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller promises that it is a C string.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned())
}

/// A limit as isl takes it, for which 0 is none.
fn limit_of(max_operations: u64) -> c_ulong {
    c_ulong::try_from(max_operations.max(1)).unwrap_or(c_ulong::MAX)
}
