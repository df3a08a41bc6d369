/* The kernel cache: programs that a device's driver has compiled, kept between runs. Whatever is wrong with it, the
   kernels are built from their source as if there were none. */

/* The cache for one program. */
typedef struct {
    int folder; /* -1: it is not used */
    int is_verbose;
    unsigned char key[STENCIL_DIGEST_BYTES];
} stencil_cache;

#if STENCIL_HAS_CACHE

/* Adds a field with its length, so that what is in one field cannot be taken for a part of the next. */
static void stencil_digest_field(stencil_digest *digest, const void *field, size_t bytes)
{
    unsigned char length[8];
    stencil_write_big_endian(length, (uint32_t)((uint64_t)bytes >> 32));
    stencil_write_big_endian(length + 4, (uint32_t)bytes);
    stencil_digest_add(digest, length, sizeof length);
    stencil_digest_add(digest, field, bytes);
}

static int stencil_digest_device(stencil_digest *digest, cl_device_id device)
{
    static const cl_device_info infos[] = {CL_DEVICE_NAME,   CL_DEVICE_VENDOR,           CL_DEVICE_VENDOR_ID,
                                           CL_DEVICE_VERSION, CL_DEVICE_OPENCL_C_VERSION, CL_DRIVER_VERSION,
                                           CL_DEVICE_ADDRESS_BITS};
    static const cl_platform_info platform_infos[] = {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION};
    char text[1024];
    cl_platform_id platform;
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof infos / sizeof *infos; i++) {
        if (clGetDeviceInfo(device, infos[i], sizeof text, text, &bytes) != CL_SUCCESS)
            return 0;
        stencil_digest_field(digest, text, bytes);
    }
    if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) != CL_SUCCESS)
        return 0;
    for (size_t i = 0; i < sizeof platform_infos / sizeof *platform_infos; i++) {
        if (clGetPlatformInfo(platform, platform_infos[i], sizeof text, text, &bytes) != CL_SUCCESS)
            return 0;
        stencil_digest_field(digest, text, bytes);
    }
    return 1;
}

/* The key of a program: everything that decides what the driver makes of it, and the format of the cache. */
static int stencil_cache_key(cl_device_id device, const char *source, const char *options,
                             unsigned char key[STENCIL_DIGEST_BYTES])
{
    stencil_digest digest;
    stencil_digest_start(&digest);
    stencil_digest_field(&digest, STENCIL_CACHE_MAGIC, STENCIL_MAGIC_BYTES);
    if (!stencil_digest_device(&digest, device))
        return 0;
    stencil_digest_field(&digest, options, strlen(options));
    stencil_digest_field(&digest, source, strlen(source));
    stencil_digest_finish(&digest, key);
    return 1;
}

/* Tells what became of the program with that key. */
static void stencil_say_cached(const stencil_cache *cache, const char *what, const char *why)
{
    if (cache->is_verbose)
        fprintf(stderr, "stencil: kernel cache: program %02x%02x%02x%02x %s%s%s\n", cache->key[0], cache->key[1],
                cache->key[2], cache->key[3], what, why ? ": " : "", why ? why : "");
}

/* PoCL has a cache of its own, and gives out binaries only after compiling every kernel for all kinds of launches,
   which takes several times as long as compiling the launch at hand. */
static int stencil_driver_has_cache(cl_device_id device)
{
    return stencil_is_pocl(device);
}

/* A wish that means nothing is told once, also to users who have not asked for words. */
static int stencil_tells_no_cache(const char *why, const stencil_options *user)
{
    int is_mistaken = why == stencil_cache_mistaken && !user->is_quiet;
    return user->is_verbose || (is_mistaken && !stencil_was_said(NULL, why));
}

static void stencil_open_cache(stencil_cache *cache, cl_device_id device, const char *source, const char *options,
                               const stencil_options *user)
{
    char path[STENCIL_PATH_BYTES];
    const char *why = NULL;
    cache->is_verbose = user->is_verbose;
    cache->folder = stencil_open_cache_folder(path, !stencil_driver_has_cache(device), &why);
    if (cache->folder < 0 && stencil_tells_no_cache(why, user))
        fprintf(stderr, "stencil: kernel cache: not used: %s%s%s\n", path, path[0] ? ": " : "", why);
    if (cache->folder >= 0 && !stencil_cache_key(device, source, options, cache->key)) {
        close(cache->folder);
        cache->folder = -1;
    }
}

static void stencil_close_cache(stencil_cache *cache)
{
    if (cache->folder >= 0)
        close(cache->folder);
}

/* Removes the program, which turned out to be of no use. */
static void stencil_forget_cached(const stencil_cache *cache, const char *why)
{
    char name[STENCIL_CACHE_NAME_BYTES];
    stencil_cache_name(cache->key, name);
    unlinkat(cache->folder, name, 0);
    stencil_say_cached(cache, "is built from source", why);
}

/* The program, ready for use, or null. */
static cl_program stencil_load_cached(const stencil_cache *cache, cl_context context, cl_device_id device,
                                      const char *options)
{
    const char *why = NULL;
    const unsigned char *binary;
    unsigned char *content;
    size_t bytes = 0;
    cl_int status = CL_SUCCESS;
    cl_program program;
    if (cache->folder < 0)
        return NULL;
    content = stencil_read_cached(cache->folder, cache->key, &bytes, &why);
    if (!content) {
        stencil_say_cached(cache, "is built from source", why);
        return NULL;
    }
    binary = content + STENCIL_HEADER_BYTES;
    bytes -= STENCIL_HEADER_BYTES;
    program = clCreateProgramWithBinary(context, 1, &device, &bytes, &binary, NULL, &status);
    free(content);
    if (status == CL_SUCCESS && clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
        return program;
    if (status == CL_SUCCESS)
        clReleaseProgram(program);
    stencil_forget_cached(cache, "the driver refuses it");
    return NULL;
}

/* The driver's binary of a program for one device; null if it gives none. The caller frees it. */
static unsigned char *stencil_program_binary(cl_program program, size_t *bytes)
{
    unsigned char *binary;
    *bytes = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL) != CL_SUCCESS || *bytes == 0)
        return NULL;
    binary = malloc(*bytes);
    if (binary && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        return binary;
    free(binary);
    return NULL;
}

/* Keeps a program that was built from source. */
static void stencil_store_cached(const stencil_cache *cache, cl_program program)
{
    unsigned char *binary;
    size_t bytes;
    int is_stored;
    if (cache->folder < 0)
        return;
    binary = stencil_program_binary(program, &bytes);
    is_stored = binary && stencil_write_cached(cache->folder, cache->key, binary, bytes);
    free(binary);
    stencil_say_cached(cache, is_stored ? "is stored" : "cannot be stored", NULL);
    stencil_prune_cache(cache->folder);
}

#else

/* Without the calls that make it safe there is no cache. */
static void stencil_say_cached(const stencil_cache *cache, const char *what, const char *why)
{
    (void)cache, (void)what, (void)why;
}

static void stencil_open_cache(stencil_cache *cache, cl_device_id device, const char *source, const char *options,
                               const stencil_options *user)
{
    (void)device, (void)source, (void)options;
    cache->folder = -1;
    cache->is_verbose = user->is_verbose;
}

static void stencil_close_cache(stencil_cache *cache)
{
    (void)cache;
}

static void stencil_forget_cached(const stencil_cache *cache, const char *why)
{
    (void)cache, (void)why;
}

static cl_program stencil_load_cached(const stencil_cache *cache, cl_context context, cl_device_id device,
                                      const char *options)
{
    (void)cache, (void)context, (void)device, (void)options;
    return NULL;
}

static void stencil_store_cached(const stencil_cache *cache, cl_program program)
{
    (void)cache, (void)program;
}

#endif
