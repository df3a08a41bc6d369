/* SHA-256 as in FIPS 180-4, section 6.2, for messages of whole bytes. */

enum { STENCIL_DIGEST_BYTES = 32, STENCIL_DIGEST_BLOCK = 64 };

typedef struct {
    uint32_t state[8];
    uint64_t bytes; /* taken so far */
    unsigned char block[STENCIL_DIGEST_BLOCK];
} stencil_digest;

static void stencil_digest_start(stencil_digest *digest)
{
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(digest->state, first, sizeof first);
    digest->bytes = 0;
}

static uint32_t stencil_rotate(uint32_t word, int count)
{
    return word >> count | word << (32 - count);
}

static uint32_t stencil_read_big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void stencil_write_big_endian(unsigned char *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(word >> (24 - 8 * i));
}

/* The message schedule W of one block. */
static void stencil_digest_schedule(const unsigned char *block, uint32_t words[64])
{
    for (int t = 0; t < 16; t++)
        words[t] = stencil_read_big_endian(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t near = words[t - 2], far = words[t - 15];
        uint32_t sigma1 = stencil_rotate(near, 17) ^ stencil_rotate(near, 19) ^ near >> 10;
        uint32_t sigma0 = stencil_rotate(far, 7) ^ stencil_rotate(far, 18) ^ far >> 3;
        words[t] = sigma1 + words[t - 7] + sigma0 + words[t - 16];
    }
}

/* Takes the block in; v[0] to v[7] are the standard's a to h. */
static void stencil_digest_compress(stencil_digest *digest, const unsigned char *block)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
    };
    uint32_t words[64], v[8];
    stencil_digest_schedule(block, words);
    memcpy(v, digest->state, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t sum1 = stencil_rotate(v[4], 6) ^ stencil_rotate(v[4], 11) ^ stencil_rotate(v[4], 25);
        uint32_t sum0 = stencil_rotate(v[0], 2) ^ stencil_rotate(v[0], 13) ^ stencil_rotate(v[0], 22);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t first = v[7] + sum1 + choice + k[t] + words[t];
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + sum0 + majority;
    }
    for (int i = 0; i < 8; i++)
        digest->state[i] += v[i];
}

static void stencil_digest_add(stencil_digest *digest, const void *data, size_t bytes)
{
    const unsigned char *from = data;
    while (bytes > 0) {
        size_t filled = (size_t)(digest->bytes % STENCIL_DIGEST_BLOCK), part = STENCIL_DIGEST_BLOCK - filled;
        if (part > bytes)
            part = bytes;
        memcpy(digest->block + filled, from, part);
        digest->bytes += part;
        from += part;
        bytes -= part;
        if (filled + part == STENCIL_DIGEST_BLOCK)
            stencil_digest_compress(digest, digest->block);
    }
}

/* Pads the message with a one bit, zeros and its length in bits. */
static void stencil_digest_finish(stencil_digest *digest, unsigned char result[STENCIL_DIGEST_BYTES])
{
    static const unsigned char padding[STENCIL_DIGEST_BLOCK] = {0x80};
    unsigned char length[8];
    size_t filled = (size_t)(digest->bytes % STENCIL_DIGEST_BLOCK);
    stencil_write_big_endian(length, (uint32_t)(digest->bytes >> 29));
    stencil_write_big_endian(length + 4, (uint32_t)(digest->bytes << 3));
    stencil_digest_add(digest, padding, filled < 56 ? 56 - filled : 120 - filled);
    stencil_digest_add(digest, length, sizeof length);
    for (int i = 0; i < 8; i++)
        stencil_write_big_endian(result + 4 * i, digest->state[i]);
}
