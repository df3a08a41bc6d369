/* Comparison of what the device computed with what the original loops left. */

/* What is known of the pairs compared so far. */
typedef struct {
    long long compared, different;
    double largest;                   /* difference of a pair that differs; negative: none does */
    long long cell[STENCIL_MAX_RANK]; /* of that pair */
    char device[STENCIL_MAX_ELEMENT], original[STENCIL_MAX_ELEMENT];
} stencil_comparison;

/* Bits of a real number without its sign; above those of infinity it is no number. Compilers that assume finite numbers
   cannot lead this astray. */
static uint64_t stencil_magnitude_bits(const char *real, size_t size, uint64_t *infinity)
{
    uint32_t narrow;
    uint64_t wide;
    if (size == sizeof narrow) {
        memcpy(&narrow, real, size);
        *infinity = 0x7f800000;
        return narrow & 0x7fffffff;
    }
    memcpy(&wide, real, sizeof wide);
    *infinity = (uint64_t)0x7ff << 52;
    return wide & ~((uint64_t)1 << 63);
}

static int stencil_is_finite(const char *real, size_t size)
{
    uint64_t infinity, bits = stencil_magnitude_bits(real, size, &infinity);
    return bits < infinity;
}

static int stencil_is_nan(const char *real, size_t size)
{
    uint64_t infinity, bits = stencil_magnitude_bits(real, size, &infinity);
    return bits > infinity;
}

static double stencil_real(const char *real, size_t size)
{
    float narrow;
    double wide;
    if (size == sizeof narrow) {
        memcpy(&narrow, real, size);
        return narrow;
    }
    memcpy(&wide, real, sizeof wide);
    return wide;
}

/* Same bits, or both no number: C does not say which of them an operation gives. */
static int stencil_is_same(stencil_kind kind, size_t size, const char *device, const char *original)
{
    return memcmp(device, original, size) == 0 ||
           (kind == STENCIL_REAL && stencil_is_nan(device, size) && stencil_is_nan(original, size));
}

/* How far two values are apart that are not the same; only finite real numbers can be close to each other. */
static double stencil_difference(stencil_kind kind, size_t size, const char *device, const char *original)
{
    double difference;
    if (kind != STENCIL_REAL || !stencil_is_finite(device, size) || !stencil_is_finite(original, size))
        return DBL_MAX;
    difference = stencil_real(device, size) - stencil_real(original, size);
    difference = difference < 0 ? -difference : difference;
    return difference < DBL_MAX ? difference : DBL_MAX;
}

/* Real numbers from one to the other, counting the last. */
static unsigned long long stencil_ulps(const char *device, const char *original, size_t size)
{
    uint64_t infinity, a = stencil_magnitude_bits(device, size, &infinity);
    uint64_t b = stencil_magnitude_bits(original, size, &infinity);
    if ((stencil_real(device, size) < 0) != (stencil_real(original, size) < 0))
        return a + b;
    return a < b ? b - a : a - b;
}

static void stencil_compare_values(stencil_comparison *comparison, stencil_kind kind, size_t size,
                                   const long long *cell, const char *device, const char *original)
{
    double difference;
    comparison->compared++;
    if (stencil_is_same(kind, size, device, original))
        return;
    comparison->different++;
    difference = stencil_difference(kind, size, device, original);
    if (difference <= comparison->largest)
        return;
    comparison->largest = difference;
    memcpy(comparison->device, device, size);
    memcpy(comparison->original, original, size);
    if (cell)
        memcpy(comparison->cell, cell, sizeof comparison->cell);
}

/* The bytes of a value as a number. */
static unsigned long long stencil_bits(const char *value, size_t size)
{
    const uint16_t one = 1;
    int is_little = *(const unsigned char *)&one;
    unsigned long long bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (unsigned long long)(unsigned char)value[is_little ? i : size - 1 - i] << 8 * i;
    return bits;
}

/* Prints the bits of a value, and what they mean. */
static void stencil_print_value(stencil_kind kind, size_t size, const char *value)
{
    unsigned long long bits = stencil_bits(value, size), sign = 1ULL << (8 * size - 1);
    fprintf(stderr, "0x%0*llx", (int)(2 * size), bits);
    if (kind == STENCIL_REAL)
        fprintf(stderr, " (%.*g)", size == sizeof(float) ? 9 : 17, stencil_real(value, size));
    else if (kind == STENCIL_INTEGER && bits & sign)
        fprintf(stderr, " (%lld)", (long long)(bits - sign) - (long long)(sign - 1) - 1);
    else if (kind == STENCIL_INTEGER)
        fprintf(stderr, " (%lld)", (long long)bits);
}

/* Prints the pair that differs most. */
static void stencil_print_pair(const stencil_comparison *comparison, stencil_kind kind, size_t size)
{
    double original;
    fprintf(stderr, ": device ");
    stencil_print_value(kind, size, comparison->device);
    fprintf(stderr, ", original ");
    stencil_print_value(kind, size, comparison->original);
    if (comparison->largest >= DBL_MAX)
        return;
    original = stencil_real(comparison->original, size);
    fprintf(stderr, ": difference %.3g, ", comparison->largest);
    if (original != 0)
        fprintf(stderr, "relative %.3g, ", comparison->largest / (original < 0 ? -original : original));
    fprintf(stderr, "%llu ulps", stencil_ulps(comparison->device, comparison->original, size));
}
