// Constants have the type and the value that C gives them: conversions, wrap-around, promotions, functions in typedefs.
// cflags: -Wno-sign-compare -Wno-overflow -Wno-unused-value
#include "dump.h"

typedef double (*function_of_double)(double);
typedef int (*function_of_int)(int);

enum {
    TOP = ~0u >> 31, SHIFTED = (0x80000000u << 1) == 0, LESS = 3 < 4 && !(2 > 3), QUOTIENT = -7 / 2,
    SIZE = sizeof(int) - 5 > 0, CAST = (signed char)300, WHOLE = (int)2.75, SIGNS = -1 < 0u,
    CHOICE = 'a' > 90 ? 3 : 4, COMMON = (1 ? -1 : 0u) > 0, BITS = 5 % 3 | 8, BYTE = (unsigned char)~0,
    LETTER = '\377' < 0, WIDE = (int)-1 < sizeof(int), NEGATIVE = (double)-1 < 0, NEXT
};

const long LARGE = 0u - 1;
static const int ROUNDED = 7 / 2.0;
static const unsigned long THIRD = ~0ul / 3;

int main(void)
{
    double b[11];
    long c[11];
    const unsigned char byte = 300;
    const signed char letter = 200;
    const float tenth = 0.1;
    const double zero = 1 / 3;
    const unsigned ones = -1;
    const size_t limit = -1;
    const long shifted = 0x80000000u << 1;
    const short halved = 70000;
    const double k = 3;
#pragma stencil
    for (int i = 0; i < 11; i++) {
        b[i] = byte + LARGE + ROUNDED * 2 + letter * 3 + tenth * 7.0 + zero + ones / 2 + (ones + 1);
        b[i] += (double)-k / 2 + (float)0.1 * 2.0 + 0x1p3 + 0x.8p1f + 1.f / 3 + 7u / 2 * 1ull + !2.5;
        c[i] = TOP * 100 + SHIFTED + LESS * 3 + QUOTIENT + SIZE * 11 + CAST * 13 + WHOLE + SIGNS * 17 + CHOICE;
        c[i] += COMMON * 19 + BITS * 23 + BYTE * 29 + LETTER + WIDE * 31 + NEGATIVE * 37 + NEXT * 41;
        c[i] += shifted + halved + (i < limit) + (THIRD >> 60) + '\x80' + (-1 > 0u) + (-1L > 0u) + 010;
        c[i] += (signed char)200 + (1u << 31 >> 31) + (~0u >> 28) + -7 % 3 + (unsigned short)70000 + ~5 + (int)2.9;
    }
    show_double("b", b, 11);
    show_bytes("c", c, sizeof c);
    return 0;
}
