// Operands of `sizeof` are not evaluated, and an array keeps the size of its declaration.
// cflags: -Wno-unused-value
#include "dump.h"

static int count = 8;

static void set(int value)
{
    count = value;
}

static void greet(void)
{
    puts("hello");
}

int main(void)
{
    set(9);
    int n = 8, k = 2;
    double m[3][4], a[11], b[11];
    double pad[count];
    float f = 1;
    greet();
    n = 3;
    fill_double(a, 11, 8);
    fill_double(b, 11, 9);
    pad[0] = f;
#pragma stencil
    for (int i = 0; i < (int)(sizeof(pad) / sizeof(double)); i++) {
        b[i] = a[i] + sizeof(k++) + sizeof(f * 1.0) + sizeof(a[i] + i) + sizeof(pad[2]) + sizeof(int[3]);
        b[i] += sizeof('a') + sizeof m[0] + sizeof(*m) * 3 + sizeof &m + sizeof(k ? 1 : 2L) + sizeof(double[n]);
        b[i] += (sizeof(char) - 2 > 0) + sizeof(i < 3) + sizeof(k, f) + sizeof(a + 1) + sizeof(k = 7);
    }
    show_double("b", b, 11);
    printf("%d\n", k + (int)pad[0]);
    return 0;
}
