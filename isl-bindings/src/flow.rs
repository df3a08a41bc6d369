//! Value-based dataflow analysis.

use crate::error::Result;
use crate::ffi;
use crate::union::UnionMap;

/// What dataflow analysis needs to know. All four relations are between statement instances `S[i]` and what they touch.
#[derive(Debug, Clone)]
pub struct AccessInfo {
    /// The reads, `[p] -> { S[i] -> A[x] }`.
    pub sink: UnionMap,
    /// The writes that surely happen and overwrite what was there, `[p] -> { S[i] -> A[x] }`.
    pub must_source: UnionMap,
    /// The writes that may happen, `[p] -> { S[i] -> A[x] }`.
    pub may_source: Option<UnionMap>,
    /// The order of execution, `[p] -> { S[i] -> [time] }`, lexicographic, with as many time dimensions for every
    /// statement.
    pub schedule: UnionMap,
}

/// Where the values that are read come from.
#[derive(Debug, Clone)]
pub struct Flow {
    /// The last sure write before each read: `[p] -> { S[i] -> T[j] }` from the writer to the reader.
    pub must_dependence: UnionMap,
    /// All writes that a read may see, the sure ones included: `[p] -> { S[i] -> T[j] }` from the writer to the reader.
    pub may_dependence: UnionMap,
    /// The reads that no write precedes, `[p] -> { T[j] -> A[x] }`: they see initial memory.
    pub must_no_source: UnionMap,
    /// The reads that no sure write precedes, `[p] -> { T[j] -> A[x] }`: they may see initial memory.
    pub may_no_source: UnionMap,
}

impl AccessInfo {
    /// Computes for each read the last write of the same element before it.
    ///
    /// # Errors
    /// `Invalid` when the parts live in different contexts or the schedule has spaces of different dimension;
    /// `OperationLimit` under a limit.
    pub fn compute_flow(&self) -> Result<Flow> {
        let context = self.sink.context();
        let others = [&self.must_source, &self.schedule];
        for other in others.into_iter().chain(&self.may_source) {
            context.check_same(other.context())?;
        }
        // SAFETY: isl takes the relations, which live in one context, and passes null on from call to call.
        let flow = unsafe {
            let mut access = ffi::isl_union_access_info_from_sink(self.sink.take());
            access = ffi::isl_union_access_info_set_must_source(access, self.must_source.take());
            if let Some(may_source) = &self.may_source {
                access = ffi::isl_union_access_info_set_may_source(access, may_source.take());
            }
            access = ffi::isl_union_access_info_set_schedule_map(access, self.schedule.take());
            ffi::isl_union_access_info_compute_flow(access)
        };
        let flow = context.check_ptr(flow)?.as_ptr();
        // SAFETY: isl keeps the flow and gives the parts; the flow is ours and freed once, after them.
        unsafe {
            let must_dependence = ffi::isl_union_flow_get_must_dependence(flow);
            let must_dependence = UnionMap::from_raw(context, must_dependence);
            let may_dependence = ffi::isl_union_flow_get_may_dependence(flow);
            let may_dependence = UnionMap::from_raw(context, may_dependence);
            let must_no_source = ffi::isl_union_flow_get_must_no_source(flow);
            let must_no_source = UnionMap::from_raw(context, must_no_source);
            let may_no_source = ffi::isl_union_flow_get_may_no_source(flow);
            let may_no_source = UnionMap::from_raw(context, may_no_source);
            ffi::isl_union_flow_free(flow);
            Ok(Flow {
                must_dependence: must_dependence?,
                may_dependence: may_dependence?,
                must_no_source: must_no_source?,
                may_no_source: may_no_source?,
            })
        }
    }
}
