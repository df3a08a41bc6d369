//! Affine functions, plain and piecewise.

use std::ffi::{c_int, c_void};

use crate::context::c_string;
use crate::dimension::{DimKind, check_range};
use crate::error::Result;
use crate::ffi;
use crate::number::Number;
use crate::set::Set;
use crate::value::{binary, display, parse, relation, rewriting, unary, value_type};

value_type! {
    /// A quasi-affine function, `[p] -> { A[i] -> [(2i + floor((p)/3))] }`, or of the parameters alone,
    /// `[p] -> { [(p - 1)] }`.
    Aff: isl_aff, isl_aff_copy, isl_aff_free
}
display!(Aff, isl_aff_to_str);

value_type! {
    /// A piecewise quasi-affine function, `[p] -> { A[i] -> [(i)] : i < p; A[i] -> [(p)] : i >= p }`, or of the
    /// parameters alone. It is undefined outside its pieces.
    PwAff: isl_pw_aff, isl_pw_aff_copy, isl_pw_aff_free
}
display!(PwAff, isl_pw_aff_to_str);

/// Defines methods on two affine functions, whose parameters isl does not align.
macro_rules! aligned {
    ($($(#[$doc:meta])* $method:ident -> $result:ident = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(&self, other: &Aff) -> Result<$result> {
            let left = self.align_params(other)?;
            let right = other.align_params(&left)?;
            // SAFETY: isl takes both arguments, which live in one context, and gives the result.
            unsafe { $result::from_raw(self.context(), ffi::$function(left.take(), right.take())) }
        }
    )*};
}

impl Aff {
    parse! {
        /// Reads a function such as `[p] -> { A[i] -> [(2i + p)] }`.
        isl_aff_read_from_str
    }

    aligned! {
        /// `self + other`, both on one domain.
        add -> Aff = isl_aff_add;
        /// `self - other`, both on one domain.
        sub -> Aff = isl_aff_sub;
        /// The set `{ A[i] }` where `self <= other`.
        le_set -> Set = isl_aff_le_set;
        /// The set `{ A[i] }` where `self >= other`.
        ge_set -> Set = isl_aff_ge_set;
        /// The set `{ A[i] }` where `self = other`.
        eq_set -> Set = isl_aff_eq_set;
        /// The set `{ A[i] }` where `self < other`.
        lt_set -> Set = isl_aff_lt_set;
    }

    unary! {
        /// `-self`.
        neg -> Aff = isl_aff_neg;
        /// The same function with one piece, everywhere defined.
        to_pw_aff -> PwAff = isl_pw_aff_from_aff;
    }

    relation! {
        /// Whether both are obviously the same function.
        plain_is_equal = isl_aff_plain_is_equal;
    }

    /// `self` with the parameters of `other` in its order first.
    fn align_params(&self, other: &Aff) -> Result<Aff> {
        self.context().check_same(other.context())?;
        // SAFETY: isl keeps `other` and gives its space, then takes `self` and the space and gives the result.
        unsafe {
            let space = ffi::isl_aff_get_space(other.as_ptr());
            Aff::from_raw(self.context(), ffi::isl_aff_align_params(self.take(), space))
        }
    }

    /// The number of dimensions: parameters, those of the domain (`In`), or 1 (`Out`).
    pub fn dim(&self, kind: DimKind) -> Result<usize> {
        // SAFETY: isl keeps the argument.
        self.context().check_size(unsafe { ffi::isl_aff_dim(self.as_ptr(), kind.as_raw()) })
    }

    /// The number of integer divisions `floor(...)`; the function is affine when there is none.
    pub fn n_div(&self) -> Result<usize> {
        // SAFETY: isl keeps the argument.
        self.context().check_size(unsafe { ffi::isl_aff_dim(self.as_ptr(), ffi::ISL_DIM_DIV) })
    }

    /// Whether a parameter of this name occurs, be it inside a `floor`.
    pub fn involves_param(&self, name: &str) -> Result<bool> {
        self.to_pw_aff()?.involves_param(name)
    }

    /// The value if the function is constant.
    ///
    /// # Errors
    /// `Invalid` when the constant does not fit in an `i64`.
    pub fn as_constant(&self) -> Result<Option<i64>> {
        // SAFETY: isl keeps the argument.
        let is_constant = self.context().check_bool(unsafe { ffi::isl_aff_is_cst(self.as_ptr()) })?;
        if is_constant { self.constant_si() } else { Ok(None) }
    }

    /// The coefficient of a parameter or of a dimension of the domain (`In`); nothing when it is a fraction.
    ///
    /// The value counts the common denominator in: for `(3i)/2` the coefficient is a fraction, for `(4i)/2` it is 2.
    /// Occurrences inside a `floor` do not count: see [`Aff::n_div`].
    ///
    /// # Errors
    /// `Invalid` for `Out`, a position out of range, or a coefficient that does not fit in an `i64`.
    pub fn coefficient_si(&self, kind: DimKind, position: usize) -> Result<Option<i64>> {
        check_range(kind, position, 1, self.dim(kind)?)?;
        // SAFETY: isl keeps the argument and gives a number; it refuses `Out`.
        let coefficient = unsafe {
            let raw = ffi::isl_aff_get_coefficient_val(self.as_ptr(), kind.as_raw(), position as c_int);
            Number::from_raw(self.context(), raw)?
        };
        coefficient.to_integer()
    }

    /// The constant term, the common denominator counted in; nothing when it is a fraction.
    ///
    /// # Errors
    /// `Invalid` when it does not fit in an `i64`.
    pub fn constant_si(&self) -> Result<Option<i64>> {
        // SAFETY: isl keeps the argument and gives a number.
        let raw = unsafe { ffi::isl_aff_get_constant_val(self.as_ptr()) };
        // SAFETY: as above.
        unsafe { Number::from_raw(self.context(), raw)? }.to_integer()
    }

    /// The common denominator of the coefficients and the constant term, at least 1.
    ///
    /// # Errors
    /// `Invalid` when it does not fit in an `i64`.
    pub fn denominator_si(&self) -> Result<i64> {
        // SAFETY: isl keeps the argument and gives a number.
        let raw = unsafe { ffi::isl_aff_get_denominator_val(self.as_ptr()) };
        // SAFETY: as above.
        unsafe { Number::from_raw(self.context(), raw)? }.to_i64()
    }
}

impl PwAff {
    parse! {
        /// Reads a function such as `[p] -> { A[i] -> [(i)] : i < p; A[i] -> [(p)] : i >= p }`.
        isl_pw_aff_read_from_str
    }

    binary! {
        /// `self + other` where both are defined; both on one domain.
        add(other: PwAff) -> PwAff = isl_pw_aff_add;
        /// `self - other` where both are defined; both on one domain.
        sub(other: PwAff) -> PwAff = isl_pw_aff_sub;
        /// The greater of both where both are defined; both on one domain.
        max(other: PwAff) -> PwAff = isl_pw_aff_max;
        /// The lesser of both where both are defined; both on one domain.
        min(other: PwAff) -> PwAff = isl_pw_aff_min;
        /// The set `{ A[i] }` where both are defined and `self <= other`.
        le_set(other: PwAff) -> Set = isl_pw_aff_le_set;
        /// The set `{ A[i] }` where both are defined and `self >= other`.
        ge_set(other: PwAff) -> Set = isl_pw_aff_ge_set;
        /// The set `{ A[i] }` where both are defined and `self = other`.
        eq_set(other: PwAff) -> Set = isl_pw_aff_eq_set;
        /// The set `{ A[i] }` where both are defined and `self < other`.
        lt_set(other: PwAff) -> Set = isl_pw_aff_lt_set;
        /// The function for the parameter values in `parameters`, `[p] -> { : constraints }`, alone.
        intersect_params(parameters: Set) -> PwAff = isl_pw_aff_intersect_params;
        /// The function simplified for the parameter values in `parameters`, `[p] -> { : constraints }`.
        gist_params(parameters: Set) -> PwAff = isl_pw_aff_gist_params;
    }

    unary! {
        /// `-self`.
        neg -> PwAff = isl_pw_aff_neg;
        /// Where the function is defined, `{ A[i] }`, or `[p] -> { : constraints }` for one of the parameters alone.
        domain -> Set = isl_pw_aff_domain;
    }

    rewriting! {
        /// The same function with fewer pieces where isl finds a way.
        coalesce = isl_pw_aff_coalesce;
    }

    relation! {
        /// Whether both are defined at the same points and agree there.
        is_equal = isl_pw_aff_is_equal;
    }

    /// The number of pieces.
    pub fn n_piece(&self) -> Result<usize> {
        // SAFETY: isl keeps the argument.
        self.context().check_size(unsafe { ffi::isl_pw_aff_n_piece(self.as_ptr()) })
    }

    /// The pieces, which do not overlap: where each holds, `{ A[i] }`, and its function, `{ A[i] -> [(value)] }`.
    pub fn pieces(&self) -> Result<Vec<(Set, Aff)>> {
        let mut raw: RawPieces = Vec::new();
        let user = (&raw mut raw).cast::<c_void>();
        // SAFETY: isl keeps the function and gives each piece to the callback, which pushes it on `raw`.
        let stat = unsafe { ffi::isl_pw_aff_foreach_piece(self.as_ptr(), Some(push_piece), user) };
        let context = self.context();
        // Every piece becomes a value before the first error is returned, so that none leaks.
        // SAFETY: both parts of each piece are ours.
        let pieces: Vec<_> = raw
            .into_iter()
            .map(|(set, aff)| unsafe { (Set::from_raw(context, set), Aff::from_raw(context, aff)) })
            .collect();
        context.check_stat(stat)?;
        pieces.into_iter().map(|(set, aff)| Ok((set?, aff?))).collect()
    }

    /// The value if all pieces have the same constant one; the function may still be undefined somewhere.
    ///
    /// # Errors
    /// `Invalid` when the constant does not fit in an `i64`.
    pub fn as_constant(&self) -> Result<Option<i64>> {
        let mut constant = None;
        for (_, aff) in self.pieces()? {
            let value = aff.as_constant()?;
            if value.is_none() || constant.is_some_and(|constant| Some(constant) != value) {
                return Ok(None);
            }
            constant = value;
        }
        Ok(constant)
    }

    /// Whether a parameter of this name occurs, in a value or in the condition of a piece.
    pub fn involves_param(&self, name: &str) -> Result<bool> {
        let name = c_string(name)?;
        let kind = DimKind::Param.as_raw();
        // SAFETY: isl keeps the function and only reads the name.
        let position = unsafe { ffi::isl_pw_aff_find_dim_by_name(self.as_ptr(), kind, name.as_ptr()) };
        if position < 0 {
            return Ok(false);
        }
        // SAFETY: isl keeps the argument; the parameter exists.
        self.context().check_bool(unsafe { ffi::isl_pw_aff_involves_dims(self.as_ptr(), kind, position as u32, 1) })
    }
}

type RawPieces = Vec<(*mut ffi::isl_set, *mut ffi::isl_aff)>;

unsafe extern "C" fn push_piece(set: *mut ffi::isl_set, aff: *mut ffi::isl_aff, user: *mut c_void) -> c_int {
    // SAFETY: `user` is the vector of the caller, to which nobody else refers during the call.
    unsafe { (*user.cast::<RawPieces>()).push((set, aff)) };
    0
}
