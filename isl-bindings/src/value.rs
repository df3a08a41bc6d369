//! The macros that define value types and their operations without repetition.
//!
//! Inside the operation macros, a C function is named next to the method that calls it. Which of its arguments isl takes
//! is fixed by the macro: `unary!` and `binary!` give what is taken, `question!` and `relation!` lend what is kept.

use std::ffi::{c_int, c_void};

/// Defines a value type that owns a reference to an isl object.
macro_rules! value_type {
    ($(#[$doc:meta])* $name:ident: $raw:ident, $copy:ident, $free:ident) => {
        $(#[$doc])*
        pub struct $name {
            ptr: std::ptr::NonNull<crate::ffi::$raw>,
            context: crate::Context,
        }

        #[allow(dead_code)]
        impl $name {
            /// Makes a value from what isl gives; null is the context's last error.
            ///
            /// # Safety
            /// `ptr` is null or owns a reference to an object of this type in `context`.
            pub(crate) unsafe fn from_raw(
                context: &crate::Context,
                ptr: *mut crate::ffi::$raw,
            ) -> crate::Result<Self> {
                let ptr = context.check_ptr(ptr)?;
                Ok($name { ptr, context: context.clone() })
            }

            /// A pointer for an argument which isl keeps.
            pub(crate) fn as_ptr(&self) -> *mut crate::ffi::$raw {
                self.ptr.as_ptr()
            }

            /// A new reference for an argument which isl takes.
            pub(crate) fn take(&self) -> *mut crate::ffi::$raw {
                // SAFETY: the object is alive. Copying only counts a reference and cannot fail.
                unsafe { crate::ffi::$copy(self.as_ptr()) }
            }

            /// The context in which the value lives.
            pub fn context(&self) -> &crate::Context {
                &self.context
            }
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                // Copying gives the same pointer with one more reference.
                self.take();
                $name { ptr: self.ptr, context: self.context.clone() }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the value owns one reference, given back here once.
                unsafe { crate::ffi::$free(self.as_ptr()); }
            }
        }
    };
}

/// Implements `Display` and `Debug` by isl's own notation.
macro_rules! display {
    ($name:ident, $to_str:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                // Printing takes few operations and has no way to report an exceeded limit.
                // SAFETY: isl keeps the argument and gives a C string from `malloc`.
                let text = self.context.without_operation_limit(|| unsafe {
                    self.context.take_string(crate::ffi::$to_str(self.as_ptr()))
                });
                match text {
                    Ok(text) => f.write_str(&text),
                    Err(error) => write!(f, "<{error}>"),
                }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }
    };
}

/// Defines `parse`, which reads isl's notation.
macro_rules! parse {
    ($(#[$doc:meta])* $read:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// [`ErrorKind::Invalid`](crate::ErrorKind::Invalid) with the text when it is not in isl's notation.
        pub fn parse(context: &crate::Context, text: &str) -> crate::Result<Self> {
            let c_text = crate::context::c_string(text)?;
            // SAFETY: isl only reads the string and gives a new value.
            let value = unsafe {
                Self::from_raw(context, crate::ffi::$read(context.as_ptr(), c_text.as_ptr()))
            };
            value.map_err(|error| crate::Error {
                message: format!("{} in `{text}`", error.message),
                ..error
            })
        }
    };
}

/// Defines methods that take `self` and give a value.
macro_rules! unary {
    ($($(#[$doc:meta])* $method:ident -> $result:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self) -> crate::Result<$result> {
            // SAFETY: isl takes the argument and gives the result.
            unsafe { $result::from_raw(&self.context, crate::ffi::$function(self.take())) }
        }
    )*};
}

/// Defines methods that write `self` in another way. Where an invariant inside isl breaks, which isl's `coalesce` may do, the way
/// in which `self` is written stays.
macro_rules! rewriting {
    ($($(#[$doc:meta])* $method:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self) -> crate::Result<Self> {
            // SAFETY: isl takes the argument and gives the result.
            match unsafe { Self::from_raw(&self.context, crate::ffi::$function(self.take())) } {
                Err(crate::Error { kind: crate::ErrorKind::Internal, .. }) => Ok(self.clone()),
                result => result,
            }
        }
    )*};
}

/// Defines methods that take `self` and another value and give a value.
macro_rules! binary {
    ($($(#[$doc:meta])* $method:ident($other:ident: $operand:ident) -> $result:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self, $other: &$operand) -> crate::Result<$result> {
            self.context.check_same($other.context())?;
            // SAFETY: isl takes both arguments, which live in one context, and gives the result.
            unsafe {
                $result::from_raw(&self.context, crate::ffi::$function(self.take(), $other.take()))
            }
        }
    )*};
}

/// Defines questions about `self`.
macro_rules! question {
    ($($(#[$doc:meta])* $method:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self) -> crate::Result<bool> {
            // SAFETY: isl keeps the argument.
            self.context.check_bool(unsafe { crate::ffi::$function(self.as_ptr()) })
        }
    )*};
}

/// Defines questions about `self` and another value of the same type.
macro_rules! relation {
    ($($(#[$doc:meta])* $method:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self, other: &Self) -> crate::Result<bool> {
            self.context.check_same(&other.context)?;
            // SAFETY: isl keeps both arguments, which live in one context.
            self.context.check_bool(unsafe { crate::ffi::$function(self.as_ptr(), other.as_ptr()) })
        }
    )*};
}

/// Defines a method that gives the parts of `self` as values.
macro_rules! parts {
    ($(#[$doc:meta])* $method:ident -> $part:ident = $foreach:ident $(, $convert:ident)?) => {
        $(#[$doc])*
        pub fn $method(&self) -> crate::Result<Vec<$part>> {
            // SAFETY: isl keeps `self` and gives each part to the callback, which has the type that isl expects.
            let (stat, raw) = crate::value::collect(|callback, user| unsafe {
                crate::ffi::$foreach(self.as_ptr(), Some(callback), user)
            });
            // SAFETY: each part is ours; the conversion takes it and gives a value.
            let own = |part| unsafe { $part::from_raw(&self.context, $(crate::ffi::$convert)?(part)) };
            // Every part becomes a value before the first error is returned, so that none leaks.
            let parts: Vec<crate::Result<$part>> = raw.into_iter().map(own).collect();
            self.context.check_stat(stat)?;
            parts.into_iter().collect()
        }
    };
}

pub(crate) use {binary, display, parse, parts, question, relation, rewriting, unary, value_type};

/// A callback to which isl gives one object after the other.
pub(crate) type Collector<T> = unsafe extern "C" fn(*mut T, *mut c_void) -> c_int;

/// Runs one of isl's `foreach` functions and collects what it gives.
pub(crate) fn collect<T>(foreach: impl FnOnce(Collector<T>, *mut c_void) -> c_int) -> (c_int, Vec<*mut T>) {
    unsafe extern "C" fn push<T>(item: *mut T, user: *mut c_void) -> c_int {
        // SAFETY: `user` is the vector below, to which nobody else refers during the call.
        unsafe { (*user.cast::<Vec<*mut T>>()).push(item) };
        0
    }
    let mut items: Vec<*mut T> = Vec::new();
    let stat = foreach(push::<T>, (&raw mut items).cast());
    (stat, items)
}
