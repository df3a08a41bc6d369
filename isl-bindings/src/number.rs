//! Conversion of isl's numbers.

use std::ffi::c_long;
use std::ptr::NonNull;

use crate::context::Context;
use crate::error::{Error, Result};
use crate::ffi;

/// An `isl_val`, which never leaves the crate.
pub(crate) struct Number {
    ptr: NonNull<ffi::isl_val>,
    context: Context,
}

impl Number {
    /// # Safety
    /// `ptr` is null or owns a reference to a value in `context`.
    pub(crate) unsafe fn from_raw(context: &Context, ptr: *mut ffi::isl_val) -> Result<Self> {
        let ptr = context.check_ptr(ptr)?;
        let context = context.clone();
        Ok(Number { ptr, context })
    }

    pub(crate) fn new(context: &Context, value: i64) -> Result<Self> {
        let value = c_long::try_from(value).map_err(|_| Error::invalid("an integer is too large"))?;
        // SAFETY: the context is alive and isl gives the number.
        unsafe { Self::from_raw(context, ffi::isl_val_int_from_si(context.as_ptr(), value)) }
    }

    /// Hands the number over to isl.
    pub(crate) fn into_raw(self) -> *mut ffi::isl_val {
        // SAFETY: isl keeps the argument and gives a second reference; the first is dropped here.
        unsafe { ffi::isl_val_copy(self.ptr.as_ptr()) }
    }

    /// The integer, or nothing for a fraction, an infinity or NaN.
    ///
    /// # Errors
    /// `Invalid` for an integer that does not fit.
    pub(crate) fn to_integer(&self) -> Result<Option<i64>> {
        let ptr = self.ptr.as_ptr();
        // SAFETY: isl keeps the argument of each call.
        if !self.context.check_bool(unsafe { ffi::isl_val_is_int(ptr) })? {
            return Ok(None);
        }
        // SAFETY: as above; the number is an integer, which comparison needs.
        let fits = unsafe { ffi::isl_val_cmp_si(ptr, c_long::MIN) >= 0 && ffi::isl_val_cmp_si(ptr, c_long::MAX) <= 0 };
        if !fits {
            return Err(Error::invalid("an integer does not fit in 64 bits"));
        }
        // SAFETY: as above; the number fits.
        Ok(Some(unsafe { ffi::isl_val_get_num_si(ptr) } as i64))
    }

    /// The integer.
    ///
    /// # Errors
    /// `Invalid` for anything else, and for an integer that does not fit.
    pub(crate) fn to_i64(&self) -> Result<i64> {
        self.to_integer()?.ok_or_else(|| Error::invalid("a number is not an integer"))
    }
}

impl Drop for Number {
    fn drop(&mut self) {
        // SAFETY: the number owns one reference, given back here once.
        unsafe { ffi::isl_val_free(self.ptr.as_ptr()) };
    }
}
