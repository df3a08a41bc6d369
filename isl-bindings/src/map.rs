//! Relations between integer tuples.

use std::ffi::{c_int, c_uint};

use crate::aff::PwAff;
use crate::context::{borrowed_string, c_string};
use crate::dimension::{DimKind, check_count, check_range, dimension_methods};
use crate::error::{Error, Result};
use crate::ffi;
use crate::hull::FixedBox;
use crate::number::Number;
use crate::set::Set;
use crate::union::UnionMap;
use crate::value::{binary, display, parse, parts, question, relation, rewriting, unary, value_type};

value_type! {
    /// A relation between integer tuples of two spaces, `[p] -> { A[i] -> B[j] : constraints }`.
    Map: isl_map, isl_map_copy, isl_map_free
}
display!(Map, isl_map_to_str);
dimension_methods!(Map, check_kind: check_kind, dim: isl_map_dim, get_dim_name: isl_map_get_dim_name, set_dim_name: isl_map_set_dim_name,
    find_dim_by_name: isl_map_find_dim_by_name, project_out: isl_map_project_out, insert_dims: isl_map_insert_dims,
    move_dims: isl_map_move_dims, involves_dims: isl_map_involves_dims, fix_val: isl_map_fix_val,
    lower_bound_val: isl_map_lower_bound_val, upper_bound_val: isl_map_upper_bound_val,
    plain_get_val_if_fixed: isl_map_plain_get_val_if_fixed);

impl Map {
    parse! {
        /// Reads a map such as `[n] -> { A[i] -> B[i + 1] : 0 <= i < n }`.
        isl_map_read_from_str
    }

    binary! {
        /// The pairs of either map, in the space of both.
        union(other: Map) -> Map = isl_map_union;
        /// The pairs of both maps, in the space of both.
        intersect(other: Map) -> Map = isl_map_intersect;
        /// The pairs of `self` that are not in `other`.
        subtract(other: Map) -> Map = isl_map_subtract;
        /// `{ A[i] -> B[j] }` with `A[i]` restricted to `domain`, `{ A[i] }`.
        intersect_domain(domain: Set) -> Map = isl_map_intersect_domain;
        /// `{ A[i] -> B[j] }` with `B[j]` restricted to `range`, `{ B[j] }`.
        intersect_range(range: Set) -> Map = isl_map_intersect_range;
        /// `[p] -> { A[i] -> B[j] }` with `p` restricted to `parameters`, `[p] -> { : constraints }`.
        intersect_params(parameters: Set) -> Map = isl_map_intersect_params;
        /// `{ A[i] -> B[j] }` and `{ B[j] -> C[k] }` give `{ A[i] -> C[k] }`.
        apply_range(map: Map) -> Map = isl_map_apply_range;
        /// `{ A[i] -> B[j] }` and `{ A[i] -> C[k] }` give `{ C[k] -> B[j] }`.
        apply_domain(map: Map) -> Map = isl_map_apply_domain;
        /// `{ A[i] -> B[j] }` and `{ A[i] -> C[k] }` give `{ A[i] -> [j, k] }`.
        flat_range_product(other: Map) -> Map = isl_map_flat_range_product;
        /// The map with the constraints removed that `domain`, `{ A[i] }`, implies: the two agree on `domain`.
        gist_domain(domain: Set) -> Map = isl_map_gist_domain;
    }

    unary! {
        /// `{ A[i] }` of `{ A[i] -> B[j] }`.
        domain -> Set = isl_map_domain;
        /// `{ B[j] }` of `{ A[i] -> B[j] }`.
        range -> Set = isl_map_range;
        /// `{ B[j] -> A[i] }`.
        reverse -> Map = isl_map_reverse;
        /// The parameter values for which the map has a pair, `[p] -> { : constraints }`.
        params -> Set = isl_map_params;
        /// `{ A[i] -> A[j] }` as the differences `{ A[j - i] }`.
        deltas -> Set = isl_map_deltas;
        /// The lexicographically smallest `B[j]` for each `A[i]`.
        lexmin -> Map = isl_map_lexmin;
        /// The lexicographically largest `B[j]` for each `A[i]`.
        lexmax -> Map = isl_map_lexmax;
        /// `{ A[i] -> B[j] }` as the set `{ [A[i] -> B[j]] }`.
        wrap -> Set = isl_map_wrap;
        /// `{ A[i] -> [B[j] -> C[k]] }` as `{ A[i] -> [j, k] }`.
        flatten_range -> Map = isl_map_flatten_range;
        /// The same map as a union of maps of different spaces.
        to_union -> UnionMap = isl_union_map_from_map;
    }

    rewriting! {
        /// The same map written with fewer disjuncts where isl finds a way.
        coalesce = isl_map_coalesce;
    }

    question! {
        /// Whether no two `A[i]` have a `B[j]` in common.
        is_injective = isl_map_is_injective;
        /// Whether each `A[i]` has at most one `B[j]`.
        is_single_valued = isl_map_is_single_valued;
        /// Whether it is both injective and single valued.
        is_bijective = isl_map_is_bijective;
        /// Whether there is no pair for any value of the parameters.
        is_empty = isl_map_is_empty;
    }

    relation! {
        /// Whether both have the same pairs for all values of the parameters.
        is_equal = isl_map_is_equal;
        /// Whether both are obviously the same relation.
        plain_is_equal = isl_map_plain_is_equal;
        /// Whether each pair of `self` is in `other`.
        is_subset = isl_map_is_subset;
        /// Whether no pair is in both.
        is_disjoint = isl_map_is_disjoint;
    }

    parts! {
        /// The disjuncts, which may overlap: each is described by one conjunction of constraints.
        basic_maps -> Map = isl_map_foreach_basic_map, isl_map_from_basic_map
    }

    /// All pairs of `domain`, `{ A[i] }`, and `range`, `{ B[j] }`: `{ A[i] -> B[j] }`.
    pub fn from_domain_and_range(domain: &Set, range: &Set) -> Result<Map> {
        domain.context().check_same(range.context())?;
        // SAFETY: isl takes both sets, which live in one context, and gives the result.
        unsafe { Map::from_raw(domain.context(), ffi::isl_map_from_domain_and_range(domain.take(), range.take())) }
    }

    /// The name of a tuple, `A` (`In`) or `B` (`Out`) in `{ A[i] -> B[j] }`, if it has one.
    ///
    /// # Errors
    /// `Invalid` for `Param`.
    pub fn tuple_name(&self, kind: DimKind) -> Result<Option<String>> {
        check_tuple(kind)?;
        // SAFETY: isl keeps the argument, and the name belongs to it.
        Ok(unsafe { borrowed_string(ffi::isl_map_get_tuple_name(self.as_ptr(), kind.as_raw())) })
    }

    /// Names a tuple, `A` (`In`) or `B` (`Out`) in `{ A[i] -> B[j] }`.
    ///
    /// # Errors
    /// `Invalid` for `Param`.
    pub fn set_tuple_name(&self, kind: DimKind, name: &str) -> Result<Map> {
        check_tuple(kind)?;
        let name = c_string(name)?;
        // SAFETY: isl takes the map, only reads the name, and gives the result.
        unsafe {
            let named = ffi::isl_map_set_tuple_name(self.take(), kind.as_raw(), name.as_ptr());
            Map::from_raw(self.context(), named)
        }
    }

    /// Appends `n` unnamed, unconstrained dimensions; the tuple's name is lost.
    pub fn add_dims(&self, kind: DimKind, n: usize) -> Result<Map> {
        let n = check_count(n)?;
        // SAFETY: isl takes the map and gives the result.
        unsafe { Map::from_raw(self.context(), ffi::isl_map_add_dims(self.take(), kind.as_raw(), n)) }
    }

    /// The least value of an output dimension, `[p] -> { A[i] -> [(min)] }`.
    ///
    /// # Errors
    /// `Invalid` when the dimension is unbounded below.
    pub fn dim_min(&self, position: usize) -> Result<PwAff> {
        self.check_dims(DimKind::Out, position, 1)?;
        // SAFETY: isl takes the map and gives the result.
        unsafe { PwAff::from_raw(self.context(), ffi::isl_map_dim_min(self.take(), position as c_int)) }
    }

    /// The greatest value of an output dimension, `[p] -> { A[i] -> [(max)] }`.
    ///
    /// # Errors
    /// `Invalid` when the dimension is unbounded above.
    pub fn dim_max(&self, position: usize) -> Result<PwAff> {
        self.check_dims(DimKind::Out, position, 1)?;
        // SAFETY: isl takes the map and gives the result.
        unsafe { PwAff::from_raw(self.context(), ffi::isl_map_dim_max(self.take(), position as c_int)) }
    }

    /// A box of fixed size around the `B[j]` of each `A[i]`, whose offset is a function `[p] -> { A[i] -> [(offset)] }`,
    /// or nothing when isl finds none. The box is small but not always the smallest.
    pub fn range_simple_fixed_box_hull(&self) -> Result<Option<FixedBox>> {
        // SAFETY: isl keeps the argument and gives the box.
        unsafe { FixedBox::from_raw(self.context(), ffi::isl_map_get_range_simple_fixed_box_hull(self.as_ptr())) }
    }

    /// The pairs in which two dimensions have the same value.
    pub fn equate(&self, kind: DimKind, position: usize, other_kind: DimKind, other_position: usize) -> Result<Map> {
        self.check_dims(kind, position, 1)?;
        self.check_dims(other_kind, other_position, 1)?;
        // SAFETY: isl takes the map and gives the result.
        unsafe {
            let equated = ffi::isl_map_equate(
                self.take(),
                kind.as_raw(),
                position as c_int,
                other_kind.as_raw(),
                other_position as c_int,
            );
            Map::from_raw(self.context(), equated)
        }
    }

    /// A map can have dimensions of every kind.
    fn check_kind(&self, _kind: DimKind) -> Result<()> {
        Ok(())
    }
}

/// Parameters have no tuple.
fn check_tuple(kind: DimKind) -> Result<()> {
    match kind {
        DimKind::In | DimKind::Out => Ok(()),
        DimKind::Param => Err(Error::invalid("parameters have no tuple name")),
    }
}
