//! Operations on the dimensions of sets and maps, which are the same for both.

use std::ffi::c_uint;

use crate::error::{Error, Result};
use crate::ffi;

/// A kind of dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DimKind {
    /// `p` in `[p] -> { A[i] -> B[j] }`.
    Param,
    /// `i` in `[p] -> { A[i] -> B[j] }`; a set has none.
    In,
    /// `j` in `[p] -> { A[i] -> B[j] }` and in `[p] -> { B[j] }`.
    Out,
}

impl DimKind {
    /// The dimensions of a set, `j` in `[p] -> { B[j] }`: another name of [`DimKind::Out`].
    pub const SET: DimKind = DimKind::Out;

    pub(crate) fn as_raw(self) -> c_uint {
        match self {
            DimKind::Param => ffi::ISL_DIM_PARAM,
            DimKind::In => ffi::ISL_DIM_IN,
            DimKind::Out => ffi::ISL_DIM_OUT,
        }
    }
}

/// Checks that `n` dimensions from `first` on exist and gives both as isl wants them.
pub(crate) fn check_range(kind: DimKind, first: usize, n: usize, dim: usize) -> Result<(c_uint, c_uint)> {
    let end = first.checked_add(n).filter(|&end| end <= dim);
    match (end, c_uint::try_from(first), c_uint::try_from(n)) {
        (Some(_), Ok(first), Ok(n)) => Ok((first, n)),
        _ => Err(Error::invalid(format!(
            "dimensions {first} to {first} + {n} of kind {kind:?} are out of range: there are {dim}"
        ))),
    }
}

/// Checks a number of dimensions to add.
pub(crate) fn check_count(n: usize) -> Result<c_uint> {
    match i32::try_from(n) {
        Ok(_) => Ok(n as c_uint),
        Err(_) => Err(Error::invalid(format!("{n} dimensions are too many"))),
    }
}

/// Defines the operations on dimensions of a set or map.
macro_rules! dimension_methods {
    ($name:ident, check_kind: $check_kind:ident, dim: $dim:ident, get_dim_name: $get_dim_name:ident,
     set_dim_name: $set_dim_name:ident, find_dim_by_name: $find_dim_by_name:ident, project_out: $project_out:ident, insert_dims: $insert_dims:ident,
     move_dims: $move_dims:ident, involves_dims: $involves_dims:ident, fix_val: $fix_val:ident,
     lower_bound_val: $lower_bound_val:ident, upper_bound_val: $upper_bound_val:ident,
     plain_get_val_if_fixed: $plain_get_val_if_fixed:ident) => {
        impl $name {
            /// The number of dimensions of a kind.
            pub fn dim(&self, kind: DimKind) -> Result<usize> {
                // SAFETY: isl keeps the argument.
                self.context().check_size(unsafe { ffi::$dim(self.as_ptr(), kind.as_raw()) })
            }

            /// Checks that `n` dimensions from `first` on exist and gives both as isl wants them.
            fn check_dims(&self, kind: DimKind, first: usize, n: usize) -> Result<(c_uint, c_uint)> {
                self.$check_kind(kind)?;
                check_range(kind, first, n, self.dim(kind)?)
            }

            /// The name of a dimension, if it has one.
            pub fn dim_name(&self, kind: DimKind, position: usize) -> Result<Option<String>> {
                let (position, _) = self.check_dims(kind, position, 1)?;
                // SAFETY: isl keeps the argument, and the name belongs to it.
                Ok(unsafe { borrowed_string(ffi::$get_dim_name(self.as_ptr(), kind.as_raw(), position)) })
            }

            /// Names a dimension; for a parameter, the name is what it is aligned by.
            pub fn set_dim_name(&self, kind: DimKind, position: usize, name: &str) -> Result<$name> {
                let (position, _) = self.check_dims(kind, position, 1)?;
                let name = c_string(name)?;
                // SAFETY: isl takes the value, only reads the name, and gives the result.
                unsafe {
                    let named = ffi::$set_dim_name(self.take(), kind.as_raw(), position, name.as_ptr());
                    $name::from_raw(self.context(), named)
                }
            }

            /// The position of the dimension with a name, if there is one.
            pub fn find_dim_by_name(&self, kind: DimKind, name: &str) -> Result<Option<usize>> {
                let name = c_string(name)?;
                // SAFETY: isl keeps the value and only reads the name.
                let position = unsafe { ffi::$find_dim_by_name(self.as_ptr(), kind.as_raw(), name.as_ptr()) };
                Ok(usize::try_from(position).ok())
            }

            /// Removes `n` dimensions from position `first` on: what remains is what exists for some values of them.
            /// The name of the tuple that loses them is lost.
            pub fn project_out(&self, kind: DimKind, first: usize, n: usize) -> Result<$name> {
                let (first, n) = self.check_dims(kind, first, n)?;
                // SAFETY: isl takes the value and gives the result.
                unsafe { $name::from_raw(self.context(), ffi::$project_out(self.take(), kind.as_raw(), first, n)) }
            }

            /// Inserts `n` unnamed, unconstrained dimensions before `position`; the tuple's name is lost.
            pub fn insert_dims(&self, kind: DimKind, position: usize, n: usize) -> Result<$name> {
                let (position, _) = self.check_dims(kind, position, 0)?;
                let n = check_count(n)?;
                // SAFETY: isl takes the value and gives the result.
                unsafe { $name::from_raw(self.context(), ffi::$insert_dims(self.take(), kind.as_raw(), position, n)) }
            }

            /// Moves `n` dimensions from `from`, a kind and a position, to before `to` of another kind; the names of the
            /// tuples concerned are lost.
            ///
            /// Moving the first dimension of `{ A[i, j] : i <= j }`, named `i`, to the parameters gives
            /// `[i] -> { [j] : i <= j }`.
            pub fn move_dims(&self, to: (DimKind, usize), from: (DimKind, usize), n: usize) -> Result<$name> {
                let (to_position, _) = self.check_dims(to.0, to.1, 0)?;
                let (from_position, n) = self.check_dims(from.0, from.1, n)?;
                // SAFETY: isl takes the value and gives the result.
                unsafe {
                    let moved =
                        ffi::$move_dims(self.take(), to.0.as_raw(), to_position, from.0.as_raw(), from_position, n);
                    $name::from_raw(self.context(), moved)
                }
            }

            /// Whether any of `n` dimensions from `first` on occurs in a constraint.
            pub fn involves_dims(&self, kind: DimKind, first: usize, n: usize) -> Result<bool> {
                let (first, n) = self.check_dims(kind, first, n)?;
                // SAFETY: isl keeps the argument.
                self.context().check_bool(unsafe { ffi::$involves_dims(self.as_ptr(), kind.as_raw(), first, n) })
            }

            /// The elements in which a dimension has this value.
            pub fn fix_si(&self, kind: DimKind, position: usize, value: i64) -> Result<$name> {
                let (position, _) = self.check_dims(kind, position, 1)?;
                let value = Number::new(self.context(), value)?.into_raw();
                // SAFETY: isl takes both arguments and gives the result.
                unsafe { $name::from_raw(self.context(), ffi::$fix_val(self.take(), kind.as_raw(), position, value)) }
            }

            /// The elements in which a dimension is at least this value.
            pub fn lower_bound_si(&self, kind: DimKind, position: usize, value: i64) -> Result<$name> {
                let (position, _) = self.check_dims(kind, position, 1)?;
                let value = Number::new(self.context(), value)?.into_raw();
                // SAFETY: isl takes both arguments and gives the result.
                unsafe {
                    $name::from_raw(self.context(), ffi::$lower_bound_val(self.take(), kind.as_raw(), position, value))
                }
            }

            /// The elements in which a dimension is at most this value.
            pub fn upper_bound_si(&self, kind: DimKind, position: usize, value: i64) -> Result<$name> {
                let (position, _) = self.check_dims(kind, position, 1)?;
                let value = Number::new(self.context(), value)?.into_raw();
                // SAFETY: isl takes both arguments and gives the result.
                unsafe {
                    $name::from_raw(self.context(), ffi::$upper_bound_val(self.take(), kind.as_raw(), position, value))
                }
            }

            /// The value of a dimension if the constraints say it without computation; nothing if they do not.
            pub fn plain_fixed_value(&self, kind: DimKind, position: usize) -> Result<Option<i64>> {
                let (position, _) = self.check_dims(kind, position, 1)?;
                // SAFETY: isl keeps the argument and gives a number, which is NaN when the value is not fixed.
                let value = unsafe {
                    let value = ffi::$plain_get_val_if_fixed(self.as_ptr(), kind.as_raw(), position);
                    Number::from_raw(self.context(), value)?
                };
                value.to_integer()
            }
        }
    };
}

pub(crate) use dimension_methods;
