//! What may go wrong: the functions that drivers call, with the errors that OpenCL 1.2 lists for each.

/// A function whose calls can be made to fail.
pub struct Function {
    pub name: &'static str,
    /// The errors of its own; [`COMMON`] come on top.
    errors: &'static [i32],
    /// Whether a call that fails always costs the device: the program must say so then. Others may come after the
    /// results, or make way for another plan.
    pub is_vital: bool,
    /// Whether it enqueues a command, which may fail after the call has returned.
    pub is_command: bool,
}

/// Errors that any function may return: no resources, no host memory, no device, and what a vendor made up.
const COMMON: [i32; 5] = [-5, -6, -2, -9999, 7];

const DEVICE_NOT_FOUND: i32 = -1;
const COMPILER_NOT_AVAILABLE: i32 = -3;
const MEM_OBJECT_ALLOCATION_FAILURE: i32 = -4;
const PROFILING_INFO_NOT_AVAILABLE: i32 = -7;
const MEM_COPY_OVERLAP: i32 = -8;
const IMAGE_FORMAT_NOT_SUPPORTED: i32 = -10;
const BUILD_PROGRAM_FAILURE: i32 = -11;
const MAP_FAILURE: i32 = -12;
const MISALIGNED_SUB_BUFFER_OFFSET: i32 = -13;
const EXEC_STATUS_ERROR: i32 = -14;
const INVALID_VALUE: i32 = -30;
const INVALID_DEVICE_TYPE: i32 = -31;
const INVALID_PLATFORM: i32 = -32;
const INVALID_DEVICE: i32 = -33;
const INVALID_CONTEXT: i32 = -34;
const INVALID_QUEUE_PROPERTIES: i32 = -35;
const INVALID_COMMAND_QUEUE: i32 = -36;
const INVALID_HOST_PTR: i32 = -37;
const INVALID_MEM_OBJECT: i32 = -38;
const INVALID_IMAGE_FORMAT_DESCRIPTOR: i32 = -39;
const INVALID_IMAGE_SIZE: i32 = -40;
const INVALID_SAMPLER: i32 = -41;
const INVALID_BINARY: i32 = -42;
const INVALID_BUILD_OPTIONS: i32 = -43;
const INVALID_PROGRAM: i32 = -44;
const INVALID_PROGRAM_EXECUTABLE: i32 = -45;
const INVALID_KERNEL_NAME: i32 = -46;
const INVALID_KERNEL_DEFINITION: i32 = -47;
const INVALID_KERNEL: i32 = -48;
const INVALID_ARG_INDEX: i32 = -49;
const INVALID_ARG_VALUE: i32 = -50;
const INVALID_ARG_SIZE: i32 = -51;
const INVALID_KERNEL_ARGS: i32 = -52;
const INVALID_WORK_DIMENSION: i32 = -53;
const INVALID_WORK_GROUP_SIZE: i32 = -54;
const INVALID_WORK_ITEM_SIZE: i32 = -55;
const INVALID_GLOBAL_OFFSET: i32 = -56;
const INVALID_EVENT_WAIT_LIST: i32 = -57;
const INVALID_EVENT: i32 = -58;
const INVALID_OPERATION: i32 = -59;
const INVALID_BUFFER_SIZE: i32 = -61;
const INVALID_GLOBAL_WORK_SIZE: i32 = -63;
const INVALID_PROPERTY: i32 = -64;
const PLATFORM_NOT_FOUND_KHR: i32 = -1001;

/// What copying between buffers may fail with.
const COPY: &[i32] = &[
    INVALID_COMMAND_QUEUE,
    INVALID_CONTEXT,
    INVALID_MEM_OBJECT,
    INVALID_VALUE,
    INVALID_EVENT_WAIT_LIST,
    MISALIGNED_SUB_BUFFER_OFFSET,
    MEM_COPY_OVERLAP,
    MEM_OBJECT_ALLOCATION_FAILURE,
];

/// Of the two functions that move rectangles.
const RECTANGLE: &[i32] = &[
    INVALID_COMMAND_QUEUE,
    INVALID_CONTEXT,
    INVALID_MEM_OBJECT,
    INVALID_VALUE,
    INVALID_EVENT_WAIT_LIST,
    MISALIGNED_SUB_BUFFER_OFFSET,
    MEM_OBJECT_ALLOCATION_FAILURE,
    INVALID_OPERATION,
];

/// The functions that drivers and the tool call; `malloc` stands for all allocations of the driver.
pub const FUNCTIONS: &[Function] = &[
    vital("clGetPlatformIDs", &[INVALID_VALUE, PLATFORM_NOT_FOUND_KHR]),
    other("clGetPlatformInfo", &[INVALID_PLATFORM, INVALID_VALUE]),
    vital("clGetDeviceIDs", &[INVALID_PLATFORM, INVALID_DEVICE_TYPE, INVALID_VALUE, DEVICE_NOT_FOUND]),
    other("clGetDeviceInfo", &[INVALID_DEVICE, INVALID_VALUE]),
    vital("clCreateContext", &[INVALID_PLATFORM, INVALID_PROPERTY, INVALID_VALUE, INVALID_DEVICE, INVALID_OPERATION]),
    other("clReleaseContext", &[INVALID_CONTEXT]),
    vital("clCreateCommandQueue", &[INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, INVALID_QUEUE_PROPERTIES]),
    vital("clCreateProgramWithSource", &[INVALID_CONTEXT, INVALID_VALUE]),
    other("clCreateProgramWithBinary", &[INVALID_CONTEXT, INVALID_VALUE, INVALID_DEVICE, INVALID_BINARY]),
    vital(
        "clBuildProgram",
        &[
            INVALID_PROGRAM,
            INVALID_VALUE,
            INVALID_DEVICE,
            INVALID_BINARY,
            INVALID_BUILD_OPTIONS,
            INVALID_OPERATION,
            COMPILER_NOT_AVAILABLE,
            BUILD_PROGRAM_FAILURE,
        ],
    ),
    other("clGetProgramInfo", &[INVALID_VALUE, INVALID_PROGRAM, INVALID_PROGRAM_EXECUTABLE]),
    other("clGetProgramBuildInfo", &[INVALID_DEVICE, INVALID_VALUE, INVALID_PROGRAM]),
    other("clReleaseProgram", &[INVALID_PROGRAM]),
    vital(
        "clCreateKernel",
        &[INVALID_PROGRAM, INVALID_PROGRAM_EXECUTABLE, INVALID_KERNEL_NAME, INVALID_KERNEL_DEFINITION, INVALID_VALUE],
    ),
    other("clReleaseKernel", &[INVALID_KERNEL]),
    other("clGetKernelWorkGroupInfo", &[INVALID_DEVICE, INVALID_VALUE, INVALID_KERNEL]),
    vital(
        "clCreateBuffer",
        &[INVALID_CONTEXT, INVALID_VALUE, INVALID_BUFFER_SIZE, INVALID_HOST_PTR, MEM_OBJECT_ALLOCATION_FAILURE],
    ),
    other("clReleaseMemObject", &[INVALID_MEM_OBJECT]),
    vital(
        "clSetKernelArg",
        &[INVALID_KERNEL, INVALID_ARG_INDEX, INVALID_ARG_VALUE, INVALID_MEM_OBJECT, INVALID_SAMPLER, INVALID_ARG_SIZE],
    ),
    command(
        "clEnqueueNDRangeKernel",
        &[
            INVALID_PROGRAM_EXECUTABLE,
            INVALID_COMMAND_QUEUE,
            INVALID_KERNEL,
            INVALID_CONTEXT,
            INVALID_KERNEL_ARGS,
            INVALID_WORK_DIMENSION,
            INVALID_GLOBAL_WORK_SIZE,
            INVALID_GLOBAL_OFFSET,
            INVALID_WORK_GROUP_SIZE,
            INVALID_WORK_ITEM_SIZE,
            MISALIGNED_SUB_BUFFER_OFFSET,
            INVALID_IMAGE_SIZE,
            INVALID_IMAGE_FORMAT_DESCRIPTOR,
            IMAGE_FORMAT_NOT_SUPPORTED,
            MEM_OBJECT_ALLOCATION_FAILURE,
            INVALID_EVENT_WAIT_LIST,
        ],
        true,
    ),
    command("clEnqueueCopyBuffer", COPY, true),
    command("clEnqueueCopyBufferRect", COPY, true),
    command(
        "clEnqueueFillBuffer",
        &[
            INVALID_COMMAND_QUEUE,
            INVALID_CONTEXT,
            INVALID_MEM_OBJECT,
            INVALID_VALUE,
            INVALID_EVENT_WAIT_LIST,
            MISALIGNED_SUB_BUFFER_OFFSET,
            MEM_OBJECT_ALLOCATION_FAILURE,
        ],
        true,
    ),
    command("clEnqueueWriteBufferRect", RECTANGLE, true),
    command("clEnqueueReadBufferRect", RECTANGLE, false),
    command(
        "clEnqueueMapBuffer",
        &[
            INVALID_COMMAND_QUEUE,
            INVALID_CONTEXT,
            INVALID_MEM_OBJECT,
            INVALID_VALUE,
            INVALID_EVENT_WAIT_LIST,
            MISALIGNED_SUB_BUFFER_OFFSET,
            MAP_FAILURE,
            EXEC_STATUS_ERROR,
            MEM_OBJECT_ALLOCATION_FAILURE,
            INVALID_OPERATION,
        ],
        true,
    ),
    command(
        "clEnqueueUnmapMemObject",
        &[INVALID_COMMAND_QUEUE, INVALID_MEM_OBJECT, INVALID_VALUE, INVALID_EVENT_WAIT_LIST, INVALID_CONTEXT],
        false,
    ),
    other("clFlush", &[INVALID_COMMAND_QUEUE]),
    other("clFinish", &[INVALID_COMMAND_QUEUE]),
    vital("clWaitForEvents", &[INVALID_VALUE, INVALID_CONTEXT, INVALID_EVENT, EXEC_STATUS_ERROR]),
    vital("clGetEventInfo", &[INVALID_VALUE, INVALID_EVENT]),
    other("clGetEventProfilingInfo", &[PROFILING_INFO_NOT_AVAILABLE, INVALID_VALUE, INVALID_EVENT]),
    other("clReleaseEvent", &[INVALID_EVENT]),
    Function { name: "malloc", errors: &[0], is_vital: false, is_command: false },
];

const fn vital(name: &'static str, errors: &'static [i32]) -> Function {
    Function { name, errors, is_vital: true, is_command: false }
}

const fn other(name: &'static str, errors: &'static [i32]) -> Function {
    Function { name, errors, is_vital: false, is_command: false }
}

const fn command(name: &'static str, errors: &'static [i32], is_vital: bool) -> Function {
    Function { name, errors, is_vital, is_command: true }
}

impl Function {
    pub fn find(name: &str) -> Option<&'static Self> {
        FUNCTIONS.iter().find(|function| function.name == name)
    }

    /// Whether it belongs to OpenCL.
    pub fn is_opencl(&self) -> bool {
        self.name.starts_with("cl")
    }

    /// Whether a call that fails leaves something that the driver cannot give back.
    pub fn is_release(&self) -> bool {
        self.name.starts_with("clRelease") || self.name == "clEnqueueUnmapMemObject"
    }

    /// All errors that a call may return.
    pub fn errors(&self) -> Vec<i32> {
        let common: &[i32] = if self.is_opencl() { &COMMON } else { &[] };
        self.errors.iter().chain(common).copied().collect()
    }
}
