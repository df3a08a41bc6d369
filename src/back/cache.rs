//! What kernels tell the second-level cache.
//!
//! Tiles that run side by side load each other's halos, and find them in the cache if these stay there. So rows that are
//! brought near are to be kept, and what is stored, which nothing reads before the next launch, is to go first. Only
//! NVIDIA's compiler is told, in inline PTX; elsewhere caches do as they like.

use super::opencl::place;
use crate::ir::ScalarType;
use crate::kernel::{Kernel, Place, Statement};
use crate::text::Writer;

/// What a kernel's prefetches need, once in a file; the driver defines `STENCIL_KEEPS_LINES` if the device takes that advice.
pub fn prefetch_macro(kernel: &Kernel) -> Option<String> {
    if !kernel.has(|statement| matches!(statement, Statement::Prefetch(_))) {
        return None;
    }
    let define = |instruction: &str| {
        format!(
            "#define STENCIL_PREFETCH(address) __asm__ volatile(\"{instruction} [%0];\" : : \"l\"((size_t)(address)))"
        )
    };
    let mut writer = Writer::unwrapped();
    writer.once("STENCIL_PREFETCH_IS_KNOWN", |writer| {
        writer.line("#if defined(STENCIL_KEEPS_LINES)");
        writer.line(define("prefetch.global.L2::evict_last"));
        writer.line("#elif defined(__NV_CL_C_VERSION)");
        writer.line(define("prefetch.global.L2"));
        writer.line("#else");
        writer.line("#define STENCIL_PREFETCH(address) ((void)0)");
        writer.line("#endif");
    });
    Some(writer.finish())
}

/// One prefetch.
pub fn write_prefetch(writer: &mut Writer, kernel: &Kernel, from: &Place) {
    writer.line(format_args!("STENCIL_PREFETCH(&{});", place(kernel, from)));
}

/// Functions that store a vector which is to leave the cache first, for the types that a kernel stores so; each once in a
/// file.
pub fn store_functions(kernel: &Kernel) -> Vec<String> {
    let mut stored = Vec::new();
    kernel.visit(&mut |statement| {
        if let Statement::StoreVector { element, from, leaves_first: true, .. } = statement {
            let vector = (*element, from.len());
            if takes_advice(vector) && !stored.contains(&vector) {
                stored.push(vector);
            }
        }
    });
    let function = |(element, count): (ScalarType, usize)| {
        let guard = format!("STENCIL_STORE_{}{count}", element.opencl_name().to_uppercase());
        let mut writer = Writer::unwrapped();
        writer.once(&guard, |writer| write_store_function(writer, element, count));
        writer.finish()
    };
    stored.into_iter().map(function).collect()
}

fn write_store_function(writer: &mut Writer, element: ScalarType, count: usize) {
    let t = element.opencl_name();
    let values: Vec<String> = (0..count).map(|i| format!("value{i}")).collect();
    let parameters: Vec<String> = values.iter().map(|value| format!("{t} {value}")).collect();
    let head = format!("static inline void stencil_store_{t}{count}(__global {t} *to, {})", parameters.join(", "));
    writer.block(head, |writer| {
        writer.line("#ifdef __NV_CL_C_VERSION");
        let in_instruction = 16 / element.size();
        for (first, values) in (0..).step_by(in_instruction).zip(values.chunks(in_instruction)) {
            writer.line(streaming_store(element, first, values));
        }
        writer.line("#else");
        writer.line(plain_store(element, "to", &values));
        writer.line("#endif");
    });
}

/// A store of a vector that nothing is told of.
fn plain_store(element: ScalarType, address: &str, values: &[String]) -> String {
    let vector = format!("{}{}", element.opencl_name(), values.len());
    format!("*(__global {vector} *){address} = ({vector})({});", values.join(", "))
}

/// Whether vectors of so many elements of a type are stored by such a function.
fn takes_advice((element, count): (ScalarType, usize)) -> bool {
    matches!(element, ScalarType::F32 | ScalarType::F64) && matches!(count, 2 | 4)
}

/// An instruction that stores at most 16 bytes, from an element of the vector on.
fn streaming_store(element: ScalarType, first: usize, values: &[String]) -> String {
    let (register, size) = if element == ScalarType::F64 { ("d", 64) } else { ("f", 32) };
    let places: Vec<String> = (1..=values.len()).map(|i| format!("%{i}")).collect();
    let operands: Vec<String> = values.iter().map(|value| format!("\"{register}\"({value})")).collect();
    let to = if first == 0 { "to".into() } else { format!("(to + {first})") };
    format!(
        "__asm__ volatile(\"st.global.cs.v{}.f{size} [%0], {{{}}};\" : : \"l\"((size_t){to}), {} : \"memory\");",
        values.len(),
        places.join(", "),
        operands.join(", ")
    )
}

/// One store.
pub fn write_store(
    writer: &mut Writer,
    kernel: &Kernel,
    element: ScalarType,
    to: &Place,
    from: &[String],
    leaves_first: bool,
) {
    let to = place(kernel, to);
    match from {
        [from] => writer.line(format_args!("{to} = {from};")),
        _ if leaves_first && takes_advice((element, from.len())) => {
            let (t, count) = (element.opencl_name(), from.len());
            writer.line(format_args!("stencil_store_{t}{count}(&{to}, {});", from.join(", ")));
        }
        _ => writer.line(plain_store(element, &format!("&{to}"), from)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_vectors_take_several_instructions() {
        let values: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(
            streaming_store(ScalarType::F32, 0, &values),
            "__asm__ volatile(\"st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};\" : : \"l\"((size_t)to), \"f\"(a), \"f\"(b), \
             \"f\"(c), \"f\"(d) : \"memory\");"
        );
        assert_eq!(
            streaming_store(ScalarType::F64, 2, &values[2..]),
            "__asm__ volatile(\"st.global.cs.v2.f64 [%0], {%1, %2};\" : : \"l\"((size_t)(to + 2)), \"d\"(c), \"d\"(d) : \
             \"memory\");"
        );
        assert!(!takes_advice((ScalarType::I32, 2)) && !takes_advice((ScalarType::F32, 1)));
    }
}
