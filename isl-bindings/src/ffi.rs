//! The C functions of isl that are used, as its headers declare them. isl's `bool`, `stat` and `size` are `int`,
//! negative for an error; enumerations are `unsigned`.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};

pub const ISL_ON_ERROR_CONTINUE: c_int = 1;

pub const ISL_ERROR_ALLOC: c_uint = 2;
pub const ISL_ERROR_INTERNAL: c_uint = 4;
pub const ISL_ERROR_INVALID: c_uint = 5;
pub const ISL_ERROR_QUOTA: c_uint = 6;
pub const ISL_ERROR_UNSUPPORTED: c_uint = 7;

pub const ISL_AST_EXPR_OP: c_int = 0;
pub const ISL_AST_EXPR_ID: c_int = 1;
pub const ISL_AST_EXPR_INT: c_int = 2;

pub const ISL_DIM_PARAM: c_uint = 1;
pub const ISL_DIM_IN: c_uint = 2;
pub const ISL_DIM_OUT: c_uint = 3;
pub const ISL_DIM_DIV: c_uint = 4;

/// Declares types of which only pointers are known here.
macro_rules! opaque {
    ($($name:ident),* $(,)?) => {$(
        #[repr(C)]
        pub struct $name {
            _opaque: [u8; 0],
            _not_send: std::marker::PhantomData<(*mut u8, std::marker::PhantomPinned)>,
        }
    )*};
}

opaque!(
    isl_aff,
    isl_ast_build,
    isl_ast_expr,
    isl_ast_node,
    isl_basic_map,
    isl_basic_set,
    isl_ctx,
    isl_fixed_box,
    isl_id,
    isl_id_list,
    isl_map,
    isl_multi_aff,
    isl_multi_val,
    isl_pw_aff,
    isl_set,
    isl_space,
    isl_union_access_info,
    isl_union_flow,
    isl_union_map,
    isl_union_set,
    isl_val,
);

unsafe extern "C" {
    /// libc's, for strings that isl allocates.
    pub fn free(ptr: *mut c_void);

    pub fn isl_aff_add(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_align_params(aff: *mut isl_aff, model: *mut isl_space) -> *mut isl_aff;
    pub fn isl_aff_copy(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_dim(aff: *mut isl_aff, kind: c_uint) -> c_int;
    pub fn isl_aff_eq_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_free(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_ge_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_get_coefficient_val(aff: *mut isl_aff, kind: c_uint, pos: c_int) -> *mut isl_val;
    pub fn isl_aff_get_constant_val(aff: *mut isl_aff) -> *mut isl_val;
    pub fn isl_aff_get_denominator_val(aff: *mut isl_aff) -> *mut isl_val;
    pub fn isl_aff_get_space(aff: *mut isl_aff) -> *mut isl_space;
    pub fn isl_aff_is_cst(aff: *mut isl_aff) -> c_int;
    pub fn isl_aff_le_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_lt_set(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_set;
    pub fn isl_aff_neg(aff: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_plain_is_equal(aff1: *mut isl_aff, aff2: *mut isl_aff) -> c_int;
    pub fn isl_aff_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_aff;
    pub fn isl_aff_sub(aff1: *mut isl_aff, aff2: *mut isl_aff) -> *mut isl_aff;
    pub fn isl_aff_to_str(aff: *mut isl_aff) -> *mut c_char;
    pub fn isl_ast_build_copy(build: *mut isl_ast_build) -> *mut isl_ast_build;
    pub fn isl_ast_build_expr_from_pw_aff(build: *mut isl_ast_build, pa: *mut isl_pw_aff) -> *mut isl_ast_expr;
    pub fn isl_ast_build_expr_from_set(build: *mut isl_ast_build, set: *mut isl_set) -> *mut isl_ast_expr;
    pub fn isl_ast_build_free(build: *mut isl_ast_build) -> *mut isl_ast_build;
    pub fn isl_ast_build_from_context(set: *mut isl_set) -> *mut isl_ast_build;
    pub fn isl_ast_build_node_from_schedule_map(
        build: *mut isl_ast_build,
        schedule: *mut isl_union_map,
    ) -> *mut isl_ast_node;
    pub fn isl_ast_build_set_iterators(build: *mut isl_ast_build, iterators: *mut isl_id_list) -> *mut isl_ast_build;
    pub fn isl_ast_expr_copy(expr: *mut isl_ast_expr) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_free(expr: *mut isl_ast_expr) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_get_type(expr: *mut isl_ast_expr) -> c_int;
    pub fn isl_ast_expr_id_get_id(expr: *mut isl_ast_expr) -> *mut isl_id;
    pub fn isl_ast_expr_int_get_val(expr: *mut isl_ast_expr) -> *mut isl_val;
    pub fn isl_ast_expr_op_get_arg(expr: *mut isl_ast_expr, pos: c_int) -> *mut isl_ast_expr;
    pub fn isl_ast_expr_op_get_n_arg(expr: *mut isl_ast_expr) -> c_int;
    pub fn isl_ast_expr_op_get_type(expr: *mut isl_ast_expr) -> c_int;
    pub fn isl_ast_expr_to_C_str(expr: *mut isl_ast_expr) -> *mut c_char;
    pub fn isl_ast_expr_to_str(expr: *mut isl_ast_expr) -> *mut c_char;
    pub fn isl_ast_node_copy(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_free(node: *mut isl_ast_node) -> *mut isl_ast_node;
    pub fn isl_ast_node_to_C_str(node: *mut isl_ast_node) -> *mut c_char;
    pub fn isl_ast_node_to_str(node: *mut isl_ast_node) -> *mut c_char;
    pub fn isl_ctx_alloc() -> *mut isl_ctx;
    pub fn isl_ctx_free(ctx: *mut isl_ctx);
    pub fn isl_ctx_get_max_operations(ctx: *mut isl_ctx) -> c_ulong;
    pub fn isl_ctx_last_error(ctx: *mut isl_ctx) -> c_uint;
    pub fn isl_ctx_last_error_msg(ctx: *mut isl_ctx) -> *const c_char;
    pub fn isl_ctx_reset_error(ctx: *mut isl_ctx);
    pub fn isl_ctx_reset_operations(ctx: *mut isl_ctx);
    pub fn isl_ctx_set_max_operations(ctx: *mut isl_ctx, max_operations: c_ulong);
    pub fn isl_fixed_box_free(fixed_box: *mut isl_fixed_box) -> *mut isl_fixed_box;
    pub fn isl_fixed_box_get_offset(fixed_box: *mut isl_fixed_box) -> *mut isl_multi_aff;
    pub fn isl_fixed_box_get_size(fixed_box: *mut isl_fixed_box) -> *mut isl_multi_val;
    pub fn isl_fixed_box_is_valid(fixed_box: *mut isl_fixed_box) -> c_int;
    pub fn isl_id_alloc(ctx: *mut isl_ctx, name: *const c_char, user: *mut c_void) -> *mut isl_id;
    pub fn isl_id_free(id: *mut isl_id) -> *mut isl_id;
    pub fn isl_id_get_name(id: *mut isl_id) -> *const c_char;
    pub fn isl_id_list_add(list: *mut isl_id_list, el: *mut isl_id) -> *mut isl_id_list;
    pub fn isl_id_list_alloc(ctx: *mut isl_ctx, n: c_int) -> *mut isl_id_list;
    pub fn isl_map_add_dims(map: *mut isl_map, kind: c_uint, n: c_uint) -> *mut isl_map;
    pub fn isl_map_apply_domain(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_apply_range(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_coalesce(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_copy(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_deltas(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_dim(map: *mut isl_map, kind: c_uint) -> c_int;
    pub fn isl_map_dim_max(map: *mut isl_map, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_map_dim_min(map: *mut isl_map, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_map_domain(bmap: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_equate(map: *mut isl_map, type1: c_uint, pos1: c_int, type2: c_uint, pos2: c_int) -> *mut isl_map;
    pub fn isl_map_find_dim_by_name(map: *mut isl_map, kind: c_uint, name: *const c_char) -> c_int;
    pub fn isl_map_fix_val(map: *mut isl_map, kind: c_uint, pos: c_uint, v: *mut isl_val) -> *mut isl_map;
    pub fn isl_map_flat_range_product(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_flatten_range(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_foreach_basic_map(
        map: *mut isl_map,
        callback: Option<unsafe extern "C" fn(*mut isl_basic_map, *mut c_void) -> c_int>,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_map_free(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_from_basic_map(bmap: *mut isl_basic_map) -> *mut isl_map;
    pub fn isl_map_from_domain_and_range(domain: *mut isl_set, range: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_get_dim_name(map: *mut isl_map, kind: c_uint, pos: c_uint) -> *const c_char;
    pub fn isl_map_get_range_simple_fixed_box_hull(map: *mut isl_map) -> *mut isl_fixed_box;
    pub fn isl_map_get_tuple_name(map: *mut isl_map, kind: c_uint) -> *const c_char;
    pub fn isl_map_gist_domain(map: *mut isl_map, context: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_insert_dims(map: *mut isl_map, kind: c_uint, pos: c_uint, n: c_uint) -> *mut isl_map;
    pub fn isl_map_intersect(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_intersect_domain(map: *mut isl_map, set: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_intersect_params(map: *mut isl_map, params: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_intersect_range(map: *mut isl_map, set: *mut isl_set) -> *mut isl_map;
    pub fn isl_map_involves_dims(map: *mut isl_map, kind: c_uint, first: c_uint, n: c_uint) -> c_int;
    pub fn isl_map_is_bijective(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_disjoint(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_is_empty(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_equal(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_is_injective(map: *mut isl_map) -> c_int;
    pub fn isl_map_is_single_valued(map: *mut isl_map) -> c_int;
    pub fn isl_map_plain_is_equal(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_is_subset(map1: *mut isl_map, map2: *mut isl_map) -> c_int;
    pub fn isl_map_lexmax(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lexmin(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_lower_bound_val(map: *mut isl_map, kind: c_uint, pos: c_uint, value: *mut isl_val) -> *mut isl_map;
    pub fn isl_map_move_dims(
        map: *mut isl_map,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_map;
    pub fn isl_map_params(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_plain_get_val_if_fixed(map: *mut isl_map, kind: c_uint, pos: c_uint) -> *mut isl_val;
    pub fn isl_map_project_out(map: *mut isl_map, kind: c_uint, first: c_uint, n: c_uint) -> *mut isl_map;
    pub fn isl_map_range(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_map_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_map;
    pub fn isl_map_reverse(map: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_set_dim_name(map: *mut isl_map, kind: c_uint, pos: c_uint, s: *const c_char) -> *mut isl_map;
    pub fn isl_map_set_tuple_name(map: *mut isl_map, kind: c_uint, s: *const c_char) -> *mut isl_map;
    pub fn isl_map_subtract(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_to_str(map: *mut isl_map) -> *mut c_char;
    pub fn isl_map_union(map1: *mut isl_map, map2: *mut isl_map) -> *mut isl_map;
    pub fn isl_map_upper_bound_val(map: *mut isl_map, kind: c_uint, pos: c_uint, value: *mut isl_val) -> *mut isl_map;
    pub fn isl_map_wrap(map: *mut isl_map) -> *mut isl_set;
    pub fn isl_multi_aff_free(multi: *mut isl_multi_aff) -> *mut isl_multi_aff;
    pub fn isl_multi_aff_get_at(multi: *mut isl_multi_aff, pos: c_int) -> *mut isl_aff;
    pub fn isl_multi_aff_size(multi: *mut isl_multi_aff) -> c_int;
    pub fn isl_multi_val_free(multi: *mut isl_multi_val) -> *mut isl_multi_val;
    pub fn isl_multi_val_get_at(multi: *mut isl_multi_val, pos: c_int) -> *mut isl_val;
    pub fn isl_multi_val_size(multi: *mut isl_multi_val) -> c_int;
    pub fn isl_options_set_on_error(ctx: *mut isl_ctx, val: c_int) -> c_int;
    pub fn isl_pw_aff_add(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_coalesce(pa: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_copy(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_domain(pwaff: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_eq_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_find_dim_by_name(pa: *mut isl_pw_aff, kind: c_uint, name: *const c_char) -> c_int;
    pub fn isl_pw_aff_foreach_piece(
        pwaff: *mut isl_pw_aff,
        callback: Option<unsafe extern "C" fn(*mut isl_set, *mut isl_aff, *mut c_void) -> c_int>,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_pw_aff_free(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_from_aff(aff: *mut isl_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_ge_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_gist_params(pwaff: *mut isl_pw_aff, context: *mut isl_set) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_intersect_params(pa: *mut isl_pw_aff, set: *mut isl_set) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_involves_dims(pwaff: *mut isl_pw_aff, kind: c_uint, first: c_uint, n: c_uint) -> c_int;
    pub fn isl_pw_aff_is_equal(pa1: *mut isl_pw_aff, pa2: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_le_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_lt_set(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_set;
    pub fn isl_pw_aff_max(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_min(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_n_piece(pwaff: *mut isl_pw_aff) -> c_int;
    pub fn isl_pw_aff_neg(pwaff: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_sub(pwaff1: *mut isl_pw_aff, pwaff2: *mut isl_pw_aff) -> *mut isl_pw_aff;
    pub fn isl_pw_aff_to_str(pa: *mut isl_pw_aff) -> *mut c_char;
    pub fn isl_set_add_dims(set: *mut isl_set, kind: c_uint, n: c_uint) -> *mut isl_set;
    pub fn isl_set_apply(set: *mut isl_set, map: *mut isl_map) -> *mut isl_set;
    pub fn isl_set_bounded_simple_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_coalesce(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_complement(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_compute_divs(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_convex_hull(set: *mut isl_set) -> *mut isl_basic_set;
    pub fn isl_set_copy(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_dim(set: *mut isl_set, kind: c_uint) -> c_int;
    pub fn isl_set_dim_max(set: *mut isl_set, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_set_dim_min(set: *mut isl_set, pos: c_int) -> *mut isl_pw_aff;
    pub fn isl_set_find_dim_by_name(set: *mut isl_set, kind: c_uint, name: *const c_char) -> c_int;
    pub fn isl_set_fix_val(set: *mut isl_set, kind: c_uint, pos: c_uint, v: *mut isl_val) -> *mut isl_set;
    pub fn isl_set_flat_product(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_foreach_basic_set(
        set: *mut isl_set,
        callback: Option<unsafe extern "C" fn(*mut isl_basic_set, *mut c_void) -> c_int>,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_set_free(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_from_basic_set(bset: *mut isl_basic_set) -> *mut isl_set;
    pub fn isl_set_from_params(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_get_dim_name(set: *mut isl_set, kind: c_uint, pos: c_uint) -> *const c_char;
    pub fn isl_set_get_simple_fixed_box_hull(set: *mut isl_set) -> *mut isl_fixed_box;
    pub fn isl_set_get_tuple_name(set: *mut isl_set) -> *const c_char;
    pub fn isl_set_gist(set: *mut isl_set, context: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_gist_params(set: *mut isl_set, context: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_identity(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_insert_dims(set: *mut isl_set, kind: c_uint, pos: c_uint, n: c_uint) -> *mut isl_set;
    pub fn isl_set_intersect(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_intersect_params(set: *mut isl_set, params: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_involves_dims(set: *mut isl_set, kind: c_uint, first: c_uint, n: c_uint) -> c_int;
    pub fn isl_set_is_bounded(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_disjoint(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_is_empty(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_equal(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_is_params(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_singleton(set: *mut isl_set) -> c_int;
    pub fn isl_set_is_subset(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_is_wrapping(set: *mut isl_set) -> c_int;
    pub fn isl_set_lexmax(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_lexmin(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_lower_bound_val(set: *mut isl_set, kind: c_uint, pos: c_uint, value: *mut isl_val) -> *mut isl_set;
    pub fn isl_set_make_disjoint(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_move_dims(
        set: *mut isl_set,
        dst_type: c_uint,
        dst_pos: c_uint,
        src_type: c_uint,
        src_pos: c_uint,
        n: c_uint,
    ) -> *mut isl_set;
    pub fn isl_set_n_basic_set(set: *mut isl_set) -> c_int;
    pub fn isl_set_params(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_plain_is_equal(set1: *mut isl_set, set2: *mut isl_set) -> c_int;
    pub fn isl_set_get_hash(set: *mut isl_set) -> u32;
    pub fn isl_set_plain_get_val_if_fixed(set: *mut isl_set, kind: c_uint, pos: c_uint) -> *mut isl_val;
    pub fn isl_set_project_out(set: *mut isl_set, kind: c_uint, first: c_uint, n: c_uint) -> *mut isl_set;
    pub fn isl_set_project_out_all_params(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_set;
    pub fn isl_set_remove_redundancies(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_reset_tuple_id(set: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_set_dim_name(set: *mut isl_set, kind: c_uint, pos: c_uint, s: *const c_char) -> *mut isl_set;
    pub fn isl_set_set_tuple_name(set: *mut isl_set, s: *const c_char) -> *mut isl_set;
    pub fn isl_set_subtract(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_to_str(set: *mut isl_set) -> *mut c_char;
    pub fn isl_set_union(set1: *mut isl_set, set2: *mut isl_set) -> *mut isl_set;
    pub fn isl_set_unwrap(set: *mut isl_set) -> *mut isl_map;
    pub fn isl_set_upper_bound_val(set: *mut isl_set, kind: c_uint, pos: c_uint, value: *mut isl_val) -> *mut isl_set;
    pub fn isl_union_access_info_compute_flow(access: *mut isl_union_access_info) -> *mut isl_union_flow;
    pub fn isl_union_access_info_from_sink(sink: *mut isl_union_map) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_may_source(
        access: *mut isl_union_access_info,
        may_source: *mut isl_union_map,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_must_source(
        access: *mut isl_union_access_info,
        must_source: *mut isl_union_map,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_access_info_set_schedule_map(
        access: *mut isl_union_access_info,
        schedule_map: *mut isl_union_map,
    ) -> *mut isl_union_access_info;
    pub fn isl_union_flow_free(flow: *mut isl_union_flow) -> *mut isl_union_flow;
    pub fn isl_union_flow_get_may_dependence(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_get_may_no_source(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_get_must_dependence(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_flow_get_must_no_source(flow: *mut isl_union_flow) -> *mut isl_union_map;
    pub fn isl_union_map_apply_domain(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_apply_range(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_coalesce(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_copy(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_deltas(umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_map_domain(umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_map_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_map;
    pub fn isl_union_map_foreach_map(
        umap: *mut isl_union_map,
        callback: Option<unsafe extern "C" fn(*mut isl_map, *mut c_void) -> c_int>,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_union_map_free(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_from_map(map: *mut isl_map) -> *mut isl_union_map;
    pub fn isl_union_map_intersect(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_domain_union_set(
        umap: *mut isl_union_map,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_params(umap: *mut isl_union_map, set: *mut isl_set) -> *mut isl_union_map;
    pub fn isl_union_map_intersect_range_union_set(
        umap: *mut isl_union_map,
        uset: *mut isl_union_set,
    ) -> *mut isl_union_map;
    pub fn isl_union_map_is_disjoint(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_empty(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_equal(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_injective(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_single_valued(umap: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_is_subset(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> c_int;
    pub fn isl_union_map_params(umap: *mut isl_union_map) -> *mut isl_set;
    pub fn isl_union_map_range(umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_map_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_union_map;
    pub fn isl_union_map_reverse(umap: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_subtract(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_map_to_str(umap: *mut isl_union_map) -> *mut c_char;
    pub fn isl_union_map_union(umap1: *mut isl_union_map, umap2: *mut isl_union_map) -> *mut isl_union_map;
    pub fn isl_union_set_apply(uset: *mut isl_union_set, umap: *mut isl_union_map) -> *mut isl_union_set;
    pub fn isl_union_set_coalesce(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_copy(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_empty_ctx(ctx: *mut isl_ctx) -> *mut isl_union_set;
    pub fn isl_union_set_foreach_set(
        uset: *mut isl_union_set,
        callback: Option<unsafe extern "C" fn(*mut isl_set, *mut c_void) -> c_int>,
        user: *mut c_void,
    ) -> c_int;
    pub fn isl_union_set_free(uset: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_from_set(set: *mut isl_set) -> *mut isl_union_set;
    pub fn isl_union_set_intersect(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_intersect_params(uset: *mut isl_union_set, set: *mut isl_set) -> *mut isl_union_set;
    pub fn isl_union_set_is_disjoint(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_is_empty(uset: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_is_equal(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_is_subset(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> c_int;
    pub fn isl_union_set_params(uset: *mut isl_union_set) -> *mut isl_set;
    pub fn isl_union_set_read_from_str(ctx: *mut isl_ctx, str: *const c_char) -> *mut isl_union_set;
    pub fn isl_union_set_subtract(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_union_set_to_str(uset: *mut isl_union_set) -> *mut c_char;
    pub fn isl_union_set_union(uset1: *mut isl_union_set, uset2: *mut isl_union_set) -> *mut isl_union_set;
    pub fn isl_val_cmp_si(v: *mut isl_val, i: c_long) -> c_int;
    pub fn isl_val_copy(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_free(v: *mut isl_val) -> *mut isl_val;
    pub fn isl_val_get_num_si(v: *mut isl_val) -> c_long;
    pub fn isl_val_int_from_si(ctx: *mut isl_ctx, i: c_long) -> *mut isl_val;
    pub fn isl_val_is_int(v: *mut isl_val) -> c_int;
}
