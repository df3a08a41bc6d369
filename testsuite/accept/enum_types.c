// Enumerations are unsigned if none of their constants is negative; the constants are signed.
// cflags: -Wno-type-limits
#include "dump.h"

enum side { LEFT, RIGHT };
typedef enum { BELOW = -1, ABOVE } level;
enum gap { NEAR, FAR = 3 };
typedef enum { FALSE, TRUE } boolean;

int main(void)
{
    enum side m = RIGHT, z = LEFT, e[11];
    level q = ABOVE, f[11];
    const boolean on = TRUE;
    struct { enum { INNER = 4 } member; } unused = { INNER };
    double b[11];
    long c[11];
    for (int i = 0; i < 11; i++)
        e[i] = i % 2, f[i] = i % 2 - 1;
#pragma stencil
    for (int i = 0; i < 11; i++) {
        b[i] = -m + INNER + (TRUE ? 0.5 : FALSE);
        c[i] = (z - 1 < 0) + 2 * (q - 1 < 0) + 4 * (e[i] - 2 < 0) + 8 * (f[i] - 2 < 0) + 16 * (LEFT - 1 < 0);
        c[i] += (on ? -e[i] / 2 : 0) + sizeof(enum gap) * FAR;
        e[i] = RIGHT;
        f[i] = BELOW;
    }
    show_double("b", b, 11);
    show_bytes("c", c, sizeof c);
    show_bytes("e", e, sizeof e);
    show_bytes("f", f, sizeof f);
    return (int)unused.member - 4;
}
