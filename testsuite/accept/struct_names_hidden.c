// Types and lengths of members are those of the place where the structure is described.
// args: 5 ; 1
#include "dump.h"

enum { LENGTH = 2 };
typedef float real;
struct part {
    short s;
    real x;
};
struct cell {
    real v;
    double w[LENGTH];
    struct part in;
    int k;
};

static struct cell a[40], b[40];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    for (int i = 0; i < 40; i++) {
        a[i].v = (float)(i % 7);
        a[i].w[0] = a[i].w[1] = 0.5 * i;
        a[i].in.s = (short)i;
        a[i].in.x = 0.25f * (float)i;
        a[i].k = i;
    }
    {
        enum { LENGTH = 9 };
        typedef double real;
        struct part {
            double s, x;
        };
        struct part hidden = {1.5, LENGTH};
        real more = 2;
#pragma stencil
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < 39; i++) {
                b[i].k = a[i - 1].k + a[i + 1].in.s;
                b[i].w[1] = a[i - 1].w[0] * more + hidden.x;
                b[i].in.x = a[i + 1].v;
            }
            for (int i = 1; i < 39; i++) {
                a[i].w[0] = b[i].w[1];
                a[i].v = b[i].in.x + (float)(b[i].k % 10);
            }
        }
    }
    show_bytes("a", a, sizeof a);
    show_bytes("b", b, sizeof b);
    return 0;
}
