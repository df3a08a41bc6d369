//! Sets of integer tuples.

use std::ffi::{c_int, c_uint};

use crate::aff::PwAff;
use crate::context::{borrowed_string, c_string};
use crate::dimension::{DimKind, check_count, check_range, dimension_methods};
use crate::error::{Error, Result};
use crate::ffi;
use crate::hull::FixedBox;
use crate::map::Map;
use crate::number::Number;
use crate::union::UnionSet;
use crate::value::{binary, display, parse, parts, question, relation, rewriting, unary, value_type};

value_type! {
    /// A set of integer tuples of one space, `[p] -> { A[i, j] : constraints }`, or a set of parameter values,
    /// `[p] -> { : constraints }`.
    Set: isl_set, isl_set_copy, isl_set_free
}
display!(Set, isl_set_to_str);
dimension_methods!(Set, check_kind: check_kind, dim: isl_set_dim, get_dim_name: isl_set_get_dim_name, set_dim_name: isl_set_set_dim_name,
    find_dim_by_name: isl_set_find_dim_by_name, project_out: isl_set_project_out, insert_dims: isl_set_insert_dims,
    move_dims: isl_set_move_dims, involves_dims: isl_set_involves_dims, fix_val: isl_set_fix_val,
    lower_bound_val: isl_set_lower_bound_val, upper_bound_val: isl_set_upper_bound_val,
    plain_get_val_if_fixed: isl_set_plain_get_val_if_fixed);

impl Set {
    parse! {
        /// Reads a set such as `[n] -> { A[i] : 0 <= i < n }`, or `[n] -> { : n > 0 }` for a set of parameters.
        isl_set_read_from_str
    }

    binary! {
        /// The elements of either set, in the space of both.
        union(other: Set) -> Set = isl_set_union;
        /// The elements of both sets, in the space of both; a set of parameters restricts the other one.
        intersect(other: Set) -> Set = isl_set_intersect;
        /// The elements of `self` that are not in `other`.
        subtract(other: Set) -> Set = isl_set_subtract;
        /// `[p] -> { A[i] }` with `p` restricted to `parameters`, `[p] -> { : constraints }`.
        intersect_params(parameters: Set) -> Set = isl_set_intersect_params;
        /// `{ A[i] }` under `{ A[i] -> B[j] }` gives `{ B[j] }`.
        apply(map: Map) -> Set = isl_set_apply;
        /// `{ A[i] }` and `{ B[j] }` give `{ [i, j] }`.
        flat_product(other: Set) -> Set = isl_set_flat_product;
        /// The set with the constraints removed that `context`, of the same space, implies: the two agree on `context`.
        gist(context: Set) -> Set = isl_set_gist;
        /// The set with the constraints on its parameters removed that `parameters`, `[p] -> { : constraints }`, implies.
        gist_params(parameters: Set) -> Set = isl_set_gist_params;
    }

    unary! {
        /// The parameter values for which the set has an element, `[p] -> { : constraints }`.
        params -> Set = isl_set_params;
        /// `[p] -> { : constraints }` as a set of empty tuples, `[p] -> { [] : constraints }`.
        from_params -> Set = isl_set_from_params;
        /// All tuples of the space that are not in the set.
        complement -> Set = isl_set_complement;
        /// `[p] -> { A[i] }` as `{ A[i] }`: the elements for some parameter values.
        project_out_all_params -> Set = isl_set_project_out_all_params;
        /// The same set with an explicit expression for every existential variable.
        compute_divs -> Set = isl_set_compute_divs;
        /// The same set without redundant constraints.
        remove_redundancies -> Set = isl_set_remove_redundancies;
        /// The same set written with disjuncts that do not overlap.
        make_disjoint -> Set = isl_set_make_disjoint;
        /// The lexicographically smallest element for each value of the parameters.
        lexmin -> Set = isl_set_lexmin;
        /// The lexicographically largest element for each value of the parameters.
        lexmax -> Set = isl_set_lexmax;
        /// `{ [A[i] -> B[j]] }` as `{ A[i] -> B[j] }`.
        unwrap -> Map = isl_set_unwrap;
        /// `{ A[i] -> A[i] }`.
        identity -> Map = isl_set_identity;
        /// `{ A[i] }` as `{ [i] }`.
        reset_tuple_id -> Set = isl_set_reset_tuple_id;
        /// The same set as a union of sets of different spaces.
        to_union -> UnionSet = isl_union_set_from_set;
    }

    rewriting! {
        /// The same set written with fewer disjuncts where isl finds a way.
        coalesce = isl_set_coalesce;
    }

    question! {
        /// Whether there is no element for any value of the parameters.
        is_empty = isl_set_is_empty;
        /// Whether every dimension is bounded for each value of the parameters.
        is_bounded = isl_set_is_bounded;
        /// Whether the set is a wrapped map, `{ [A[i] -> B[j]] }`.
        is_wrapping = isl_set_is_wrapping;
        /// Whether there is exactly one element, parameters taken into account.
        is_singleton = isl_set_is_singleton;
        /// Whether it is a set of parameter values, `[p] -> { : constraints }`.
        is_params = isl_set_is_params;
    }

    relation! {
        /// Whether both have the same elements for all values of the parameters.
        is_equal = isl_set_is_equal;
        /// Whether each element of `self` is in `other`.
        is_subset = isl_set_is_subset;
        /// Whether no element is in both.
        is_disjoint = isl_set_is_disjoint;
        /// Whether both are written with the same constraints, which is seen sooner than that they are equal.
        plain_is_equal = isl_set_plain_is_equal;
    }

    parts! {
        /// The disjuncts, which may overlap: each is described by one conjunction of constraints.
        basic_sets -> Set = isl_set_foreach_basic_set, isl_set_from_basic_set
    }

    /// The number of disjuncts.
    pub fn n_basic_set(&self) -> Result<usize> {
        // SAFETY: isl keeps the argument.
        self.context().check_size(unsafe { ffi::isl_set_n_basic_set(self.as_ptr()) })
    }

    /// A number that sets have in common that are [`plain_is_equal`](Self::plain_is_equal).
    pub fn plain_hash(&self) -> u32 {
        // SAFETY: isl keeps the argument.
        unsafe { ffi::isl_set_get_hash(self.as_ptr()) }
    }

    /// The name of the tuple, `A` in `{ A[i] }`, if it has one.
    pub fn tuple_name(&self) -> Result<Option<String>> {
        // SAFETY: isl keeps the argument, and the name belongs to it.
        Ok(unsafe { borrowed_string(ffi::isl_set_get_tuple_name(self.as_ptr())) })
    }

    /// `{ A[i] }` as `{ name[i] }`.
    pub fn set_tuple_name(&self, name: &str) -> Result<Set> {
        let name = c_string(name)?;
        // SAFETY: isl takes the set, only reads the name, and gives the result.
        unsafe { Set::from_raw(self.context(), ffi::isl_set_set_tuple_name(self.take(), name.as_ptr())) }
    }

    /// The least value of a dimension, `[p] -> { [(min)] }`, as a function of the parameters alone.
    ///
    /// # Errors
    /// `Invalid` when the dimension is unbounded below.
    pub fn dim_min(&self, position: usize) -> Result<PwAff> {
        self.check_dims(DimKind::SET, position, 1)?;
        // SAFETY: isl takes the set and gives the result.
        unsafe { PwAff::from_raw(self.context(), ffi::isl_set_dim_min(self.take(), position as c_int)) }
    }

    /// The greatest value of a dimension, `[p] -> { [(max)] }`, as a function of the parameters alone.
    ///
    /// # Errors
    /// `Invalid` when the dimension is unbounded above.
    pub fn dim_max(&self, position: usize) -> Result<PwAff> {
        self.check_dims(DimKind::SET, position, 1)?;
        // SAFETY: isl takes the set and gives the result.
        unsafe { PwAff::from_raw(self.context(), ffi::isl_set_dim_max(self.take(), position as c_int)) }
    }

    /// Appends `n` unnamed, unconstrained dimensions; the tuple's name is lost.
    pub fn add_dims(&self, kind: DimKind, n: usize) -> Result<Set> {
        self.check_kind(kind)?;
        let n = check_count(n)?;
        // SAFETY: isl takes the set and gives the result.
        unsafe { Set::from_raw(self.context(), ffi::isl_set_add_dims(self.take(), kind.as_raw(), n)) }
    }

    /// A box of fixed size around the set whose offset is a function of the parameters, `[p] -> { A[(offset)] }`, or
    /// nothing when isl finds none. The box is small but not always the smallest.
    pub fn simple_fixed_box_hull(&self) -> Result<Option<FixedBox>> {
        // SAFETY: isl keeps the argument and gives the box.
        unsafe { FixedBox::from_raw(self.context(), ffi::isl_set_get_simple_fixed_box_hull(self.as_ptr())) }
    }

    /// The integers of a single conjunction of constraints around the bounded set, each of them a bound of it.
    pub fn bounded_simple_hull(&self) -> Result<Set> {
        // SAFETY: isl takes the set and gives a basic set, which the conversion takes (null included).
        unsafe {
            let hull = ffi::isl_set_bounded_simple_hull(self.take());
            Set::from_raw(self.context(), ffi::isl_set_from_basic_set(hull))
        }
    }

    /// The integers of the convex hull. This can be slow: use it under an operation limit.
    pub fn convex_hull(&self) -> Result<Set> {
        // SAFETY: isl takes the set and gives a basic set, which the conversion takes (null included).
        unsafe {
            let hull = ffi::isl_set_convex_hull(self.take());
            Set::from_raw(self.context(), ffi::isl_set_from_basic_set(hull))
        }
    }

    /// Checks that the set can have dimensions of a kind: isl would make something else of it.
    fn check_kind(&self, kind: DimKind) -> Result<()> {
        match kind {
            DimKind::Param => Ok(()),
            DimKind::In => Err(Error::invalid("a set has no input dimensions")),
            DimKind::Out if self.is_params()? => {
                Err(Error::invalid("a set of parameter values has no tuple; `from_params` gives it one"))
            }
            DimKind::Out => Ok(()),
        }
    }
}
