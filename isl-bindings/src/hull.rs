//! Boxes of fixed size around sets.

use crate::aff::Aff;
use crate::context::Context;
use crate::error::Result;
use crate::ffi;
use crate::number::Number;

/// A box whose size is constant and whose position is affine: in each dimension `d`, the values from `offsets[d]` to
/// `offsets[d] + sizes[d] - 1`.
#[derive(Debug, Clone)]
pub struct FixedBox {
    /// The least corner, one function for each dimension: `[p] -> { [(offset)] }` for the hull of a set,
    /// `[p] -> { A[i] -> [(offset)] }` for that of the range of a map.
    pub offsets: Vec<Aff>,
    /// The number of integers in each dimension.
    pub sizes: Vec<i64>,
}

impl FixedBox {
    /// # Safety
    /// `raw` is null or owns a reference to a box in `context`.
    pub(crate) unsafe fn from_raw(context: &Context, raw: *mut ffi::isl_fixed_box) -> Result<Option<Self>> {
        let raw = context.check_ptr(raw)?.as_ptr();
        // SAFETY: the box is alive until it is freed below, and isl keeps it in the other calls.
        unsafe {
            let fixed_box = match context.check_bool(ffi::isl_fixed_box_is_valid(raw)) {
                Ok(true) => read_parts(context, raw).map(Some),
                Ok(false) => Ok(None),
                Err(error) => Err(error),
            };
            ffi::isl_fixed_box_free(raw);
            fixed_box
        }
    }
}

/// # Safety
/// `raw` is a valid box in `context`.
unsafe fn read_parts(context: &Context, raw: *mut ffi::isl_fixed_box) -> Result<FixedBox> {
    // SAFETY: isl keeps the box and gives two tuples, each freed below; of these it keeps what is read and gives the
    // elements.
    unsafe {
        let offset = context.check_ptr(ffi::isl_fixed_box_get_offset(raw))?.as_ptr();
        let n = context.check_size(ffi::isl_multi_aff_size(offset));
        let offsets = n.and_then(|n| {
            (0..n as i32)
                .map(|d| Aff::from_raw(context, ffi::isl_multi_aff_get_at(offset, d)))
                .collect::<Result<Vec<_>>>()
        });
        ffi::isl_multi_aff_free(offset);

        let size = context.check_ptr(ffi::isl_fixed_box_get_size(raw))?.as_ptr();
        let n = context.check_size(ffi::isl_multi_val_size(size));
        let sizes = n.and_then(|n| {
            (0..n as i32)
                .map(|d| Number::from_raw(context, ffi::isl_multi_val_get_at(size, d))?.to_i64())
                .collect::<Result<Vec<_>>>()
        });
        ffi::isl_multi_val_free(size);
        Ok(FixedBox { offsets: offsets?, sizes: sizes? })
    }
}
