//! Unions of sets and of maps of different spaces.

use crate::context::Context;
use crate::error::Result;
use crate::ffi;
use crate::map::Map;
use crate::set::Set;
use crate::value::{binary, display, parse, parts, question, relation, rewriting, unary, value_type};

value_type! {
    /// A union of sets of different spaces, `[p] -> { A[i] : constraints; B[j, k] : constraints }`.
    UnionSet: isl_union_set, isl_union_set_copy, isl_union_set_free
}
display!(UnionSet, isl_union_set_to_str);

value_type! {
    /// A union of maps of different spaces, `[p] -> { S[t, i] -> A[i] : constraints; T[t, i] -> B[i] : constraints }`.
    UnionMap: isl_union_map, isl_union_map_copy, isl_union_map_free
}
display!(UnionMap, isl_union_map_to_str);

impl UnionSet {
    parse! {
        /// Reads a union such as `[n] -> { A[i] : 0 <= i < n; B[j, k] }`.
        isl_union_set_read_from_str
    }

    /// `{ }`.
    pub fn empty(context: &Context) -> Result<Self> {
        // SAFETY: the context is alive and isl gives the result.
        unsafe { UnionSet::from_raw(context, ffi::isl_union_set_empty_ctx(context.as_ptr())) }
    }

    binary! {
        /// The elements of either union.
        union(other: UnionSet) -> UnionSet = isl_union_set_union;
        /// The elements of both unions.
        intersect(other: UnionSet) -> UnionSet = isl_union_set_intersect;
        /// The elements of `self` that are not in `other`.
        subtract(other: UnionSet) -> UnionSet = isl_union_set_subtract;
        /// The union with its parameters restricted to `parameters`, `[p] -> { : constraints }`.
        intersect_params(parameters: Set) -> UnionSet = isl_union_set_intersect_params;
        /// `{ A[i] }` under `{ A[i] -> B[j] }` gives `{ B[j] }`, for every pair of spaces that fits.
        apply(map: UnionMap) -> UnionSet = isl_union_set_apply;
    }

    unary! {
        /// The parameter values for which there is an element, `[p] -> { : constraints }`.
        params -> Set = isl_union_set_params;
    }

    rewriting! {
        /// The same union written with fewer disjuncts where isl finds a way.
        coalesce = isl_union_set_coalesce;
    }

    question! {
        /// Whether there is no element for any value of the parameters.
        is_empty = isl_union_set_is_empty;
    }

    relation! {
        /// Whether both have the same elements for all values of the parameters.
        is_equal = isl_union_set_is_equal;
        /// Whether each element of `self` is in `other`.
        is_subset = isl_union_set_is_subset;
        /// Whether no element is in both.
        is_disjoint = isl_union_set_is_disjoint;
    }

    parts! {
        /// The sets of the union, one for each space, in isl's order.
        sets -> Set = isl_union_set_foreach_set
    }
}

impl UnionMap {
    parse! {
        /// Reads a union such as `[n] -> { S[t, i] -> A[i] : 0 <= i < n; T[t, i] -> B[i] }`.
        isl_union_map_read_from_str
    }

    /// `{ }`.
    pub fn empty(context: &Context) -> Result<Self> {
        // SAFETY: the context is alive and isl gives the result.
        unsafe { UnionMap::from_raw(context, ffi::isl_union_map_empty_ctx(context.as_ptr())) }
    }

    binary! {
        /// The pairs of either union.
        union(other: UnionMap) -> UnionMap = isl_union_map_union;
        /// The pairs of both unions.
        intersect(other: UnionMap) -> UnionMap = isl_union_map_intersect;
        /// The pairs of `self` that are not in `other`.
        subtract(other: UnionMap) -> UnionMap = isl_union_map_subtract;
        /// `{ A[i] -> B[j] }` with `A[i]` restricted to `domain`, `{ A[i] }`.
        intersect_domain(domain: UnionSet) -> UnionMap = isl_union_map_intersect_domain_union_set;
        /// `{ A[i] -> B[j] }` with `B[j]` restricted to `range`, `{ B[j] }`.
        intersect_range(range: UnionSet) -> UnionMap = isl_union_map_intersect_range_union_set;
        /// The union with its parameters restricted to `parameters`, `[p] -> { : constraints }`.
        intersect_params(parameters: Set) -> UnionMap = isl_union_map_intersect_params;
        /// `{ A[i] -> B[j] }` and `{ B[j] -> C[k] }` give `{ A[i] -> C[k] }`.
        apply_range(map: UnionMap) -> UnionMap = isl_union_map_apply_range;
        /// `{ A[i] -> B[j] }` and `{ A[i] -> C[k] }` give `{ C[k] -> B[j] }`.
        apply_domain(map: UnionMap) -> UnionMap = isl_union_map_apply_domain;
    }

    unary! {
        /// `{ A[i] }` of `{ A[i] -> B[j] }`.
        domain -> UnionSet = isl_union_map_domain;
        /// `{ B[j] }` of `{ A[i] -> B[j] }`.
        range -> UnionSet = isl_union_map_range;
        /// `{ B[j] -> A[i] }`.
        reverse -> UnionMap = isl_union_map_reverse;
        /// The parameter values for which there is a pair, `[p] -> { : constraints }`.
        params -> Set = isl_union_map_params;
        /// The differences `{ A[j - i] }` of the maps `{ A[i] -> A[j] }`; maps between two spaces have none.
        deltas -> UnionSet = isl_union_map_deltas;
    }

    rewriting! {
        /// The same union written with fewer disjuncts where isl finds a way.
        coalesce = isl_union_map_coalesce;
    }

    question! {
        /// Whether there is no pair for any value of the parameters.
        is_empty = isl_union_map_is_empty;
        /// Whether no two elements of the domain have one of the range in common.
        is_injective = isl_union_map_is_injective;
        /// Whether each element of the domain has at most one of the range.
        is_single_valued = isl_union_map_is_single_valued;
    }

    relation! {
        /// Whether both have the same pairs for all values of the parameters.
        is_equal = isl_union_map_is_equal;
        /// Whether each pair of `self` is in `other`.
        is_subset = isl_union_map_is_subset;
        /// Whether no pair is in both.
        is_disjoint = isl_union_map_is_disjoint;
    }

    parts! {
        /// The maps of the union, one for each pair of spaces, in isl's order.
        maps -> Map = isl_union_map_foreach_map
    }
}
