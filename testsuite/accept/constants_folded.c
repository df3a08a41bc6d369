// Constant expressions of every operator, escape and spelling, which the tool computes before anything runs.
// cflags: -Wno-unused-value -Wno-logical-op -Wno-overflow -Wno-parentheses -Wno-div-by-zero -Wno-type-limits
#include "dump.h"

typedef int whole;
typedef unsigned char octet;
#define SIZE 17

enum {
    BITS = 0b101 & 6, MIXED = 5 ^ 3, BOTH = 0 && 1 / 0, EITHER = 1 || 1 / 0, NEITHER = 0 || 0, PLUS = +'a', NOT = !5,
    AT_LEAST = 3 >= 3, SAME = 4 == 4, OTHER = 4 != 4, LEFT = 3 << 2, RIGHT = -9 >> 1, CUT = (octet)(300),
    SUM = (int)(1.5 + 2.25), REST = (int)(4.5 - 1.25), TIMES = (int)(1.5 * 3), OVER = (int)(7 / 2.0),
    BELOW = 1.5 < 2, NOT_BELOW = 2.5 >= 2, MINUS = (int)-2.75, SHORTENED = (short)70000, TALL = (unsigned short)-1,
    TRUE_FLOAT = 0.5 && 1, FALSE_FLOAT = !0.0, OF_TYPE = sizeof(whole), OF_CALL = sizeof(octet)
};

static const int tab = '\t', carriage = '\r', alarm_bell = '\a', back = '\b', feed = '\f', vertical = '\v';
static const int slash = '\\', quote = '\'', marks = '\"' + '?' + '\?', zero = '\0', hexadecimal = '\x41';
static const float third = 1 / 3.0f;

int main(void)
{
    double a[SIZE], b[SIZE];
    long c[SIZE];
    const double *p = a;
    fill_double(a, SIZE, 3);
    fill_double(b, SIZE, 4);
#pragma stencil
    for (int i = 1; i < SIZE - 1; i++) {
        c[i] = BITS + MIXED * 2 + BOTH * 3 + EITHER * 5 + NEITHER * 7 + PLUS * 11 + NOT * 13 + AT_LEAST * 17 + SAME * 19;
        c[i] += OTHER * 23 + LEFT * 29 + RIGHT * 31 + CUT * 37 + SUM * 41 + REST * 43 + TIMES * 47 + OVER * 53 + BELOW * 59;
        c[i] += NOT_BELOW * 61 + MINUS * 67 + SHORTENED * 71 + TALL * 73 + TRUE_FLOAT * 79 + FALSE_FLOAT * 83;
        c[i] += tab + carriage * 2 + alarm_bell * 3 + back * 5 + feed * 7 + vertical * 11 + slash * 13 + quote * 17;
        c[i] += marks * 19 + zero + hexadecimal * 23 + OF_TYPE * 29 + OF_CALL * 31;
        c[i] += (5 & 3) + (5 | 8) * 2 + (5 ^ 6) * 3 + (7 % 4) * 5 + (3 < 4) * 7 + (3 <= 2) * 11 + (3 > 4) * 13 + (3 >= 3) * 17;
        c[i] += (3 == 4) * 19 + (3 != 4) * 23 + (-16 >> 2) * 29 + ~7 * 31 + +i + 0 + (0 + i) - 0 + !i;
        c[i] += sizeof(!i) + sizeof(-p[0]) + sizeof(p - p) + sizeof(1 << 2L) + sizeof(i ? p : p) + sizeof(&p[1]) + sizeof(-i);
        b[i] = (1 ? a[i] : 0) + (0 ? 1 : 2.5f) * third + (EITHER || a[i] > 0) + (BOTH && a[i] > 0);
    }
    show_double("b", b, SIZE);
    show_bytes("c", c + 1, sizeof c - 2 * sizeof c[0]);
    return 0;
}
