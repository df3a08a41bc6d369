//! Barriers between neighbouring sub-groups.
//!
//! NVIDIA's hardware has sixteen numbered barriers a work-group, which inline PTX reaches; everywhere else the whole
//! work-group meets.

use super::opencl::index;
use crate::kernel::{Index, Kernel, Statement};
use crate::text::Writer;

/// The function of a kernel whose sub-groups meet their neighbours; once in a file.
///
/// Sub-groups `i - 1` and `i` meet at barrier `i`, first at the odd ones and then at the even ones, so that all pairs of
/// each kind meet at once. Barrier 0 is the whole work-group's.
pub fn meeting_function(kernel: &Kernel) -> Option<String> {
    if !kernel.has(|statement| matches!(statement, Statement::NeighbourBarrier(_))) {
        return None;
    }
    let wait = |number: &str| format!("__asm__ volatile(\"bar.sync %0, 64;\" : : \"r\"({number}) : \"memory\");");
    let mut writer = Writer::unwrapped();
    writer.once("STENCIL_MEETING", |writer| {
        writer.line("#ifdef __NV_CL_C_VERSION");
        writer.block("static inline void stencil_meet(int member, int members)", |writer| {
            writer.line("const int odd = member | 1, even = (member + 1) & ~1;");
            writer.block("if (odd < members)", |writer| writer.line(wait("odd")));
            writer.block("if (0 < even && even < members)", |writer| writer.line(wait("even")));
        });
        writer.line("#else");
        writer.line("#define stencil_meet(member, members) barrier(CLK_LOCAL_MEM_FENCE)");
        writer.line("#endif");
    });
    Some(writer.finish())
}

/// One meeting.
pub fn write_meeting(writer: &mut Writer, kernel: &Kernel, member: &Index) {
    writer.line(format_args!("stencil_meet({}, {});", index(member), kernel.work_group[1]));
}
