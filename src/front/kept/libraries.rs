//! What functions of libraries do to arrays, by their names.

/// The function that ends the program, but for what is to be done then: the driver registers that it gives the arrays back.
const EXIT: &str = "exit";

/// Functions of libraries that reach no array of numbers: they write text, look at the clock, give new memory, or end the
/// program at once.
const HARMLESS: &[&str] = &[
    "_Exit",
    "_exit",
    "abort",
    "abs",
    "__builtin_va_copy",
    "__builtin_va_end",
    "__builtin_va_start",
    "__assert_fail",
    "access",
    "asctime",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "calloc",
    "chdir",
    "clearerr",
    "clock",
    "clock_getres",
    "clock_gettime",
    "ctime",
    "difftime",
    "drand48",
    "fclose",
    "fdopen",
    "feof",
    "ferror",
    "fflush",
    "fgetc",
    "fgets",
    "fileno",
    "fopen",
    "fprintf",
    "fputc",
    "fputs",
    "fseek",
    "fsync",
    "ftell",
    "getc",
    "getchar",
    "getenv",
    "gethostname",
    "getpid",
    "getppid",
    "getrusage",
    "gettimeofday",
    "gmtime",
    "isatty",
    "labs",
    "llabs",
    "localtime",
    "lrand48",
    "malloc",
    "mkdir",
    "mktime",
    "MPI_Wtime",
    "nanosleep",
    "omp_get_max_threads",
    "omp_get_num_devices",
    "omp_get_num_procs",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "omp_get_wtick",
    "omp_get_wtime",
    "omp_in_parallel",
    "omp_set_dynamic",
    "omp_set_num_threads",
    "pclose",
    "perror",
    "popen",
    "printf",
    "putc",
    "putchar",
    "puts",
    "rand",
    "random",
    "remove",
    "rename",
    "rewind",
    "rmdir",
    "sched_yield",
    "sleep",
    "snprintf",
    "sprintf",
    "srand",
    "srand48",
    "srandom",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strftime",
    "strlen",
    "strncat",
    "strncmp",
    "strncpy",
    "strrchr",
    "strstr",
    "strtod",
    "strtof",
    "strtol",
    "strtoul",
    "sysconf",
    "system",
    "time",
    "times",
    "tmpfile",
    "tolower",
    "toupper",
    "ungetc",
    "unlink",
    "usleep",
    "vfprintf",
    "vprintf",
    "vsnprintf",
    "vsprintf",
];

/// Those of them that write text to what they are given first.
const FILLING: &[&str] = &[
    "fgets",
    "gethostname",
    "snprintf",
    "sprintf",
    "strcat",
    "strcpy",
    "strftime",
    "strncat",
    "strncpy",
    "vsnprintf",
    "vsprintf",
];

/// Functions of libraries that read what they are given.
pub const READING: &[&str] = &["fwrite", "memcmp", "write"];

/// Functions of libraries that store to what they are given first, and may read what they are given second.
pub const STORING: &[&str] = &["fread", "memcpy", "memmove", "memset"];

/// The places of arguments that lead to what such a function reads,
pub fn read_by(name: &str) -> &'static [usize] {
    match name {
        "fwrite" => &[0],
        "write" | "memcpy" | "memmove" => &[1],
        "memcmp" => &[0, 1],
        _ => &[],
    }
}

/// and to what it stores.
pub fn stored_by(name: &str) -> &'static [usize] {
    if STORING.contains(&name) { &[0] } else { &[] }
}

/// Whether a function of a library reaches no array of numbers, or only at the end of the program.
pub fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(&name) || is_exit(name)
}

/// Whether a function of a library writes text to what it is given first.
pub fn fills_text(name: &str) -> bool {
    FILLING.contains(&name)
}

/// Whether a function of a library lets the program do what is to be done at its end.
pub fn is_exit(name: &str) -> bool {
    name == EXIT
}
