// Indices of buffers that steps turn: by subtraction, by exclusive or, by negation, by a remainder, by an exchange.
// form: scalars by rule: now = 1 - now;
// form: scalars by rule: bit ^= 1;
// form: scalars by rule: other = !other;
// form: scalars by rule: kept = from; from = to; to = kept;
// args: 5 ; 4 ; 1 ; 0 ; 9
#include "dump.h"

enum { N = 23 };
static double a[2][N], b[2][N], c[2][N], d[3][N], e[2][N];

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5);
    int now = 0, bit = 1, other = 0, turn = 2, from = 0, to = 1, kept;
    fill_double(&a[0][0], 2 * N, 1);
    fill_double(&b[0][0], 2 * N, 2);
    fill_double(&c[0][0], 2 * N, 3);
    fill_double(&d[0][0], 3 * N, 4);
    fill_double(&e[0][0], 2 * N, 5);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int next = (turn + 1) % 3;
        for (int i = 1; i < N - 1; i++) {
            a[1 - now][i] = a[now][i - 1] + 0.5 * a[now][i + 1];
            b[bit ^ 1][i] = b[bit][i + 1] - 0.25 * b[bit][i];
            c[!other][i] = 0.5 * (c[other][i - 1] + c[other][i + 1]);
            d[next][i] = 0.3 * d[turn][i - 1] + 0.6 * d[(turn + 2) % 3][i + 1];
            e[to][i] = e[from][i] * 0.9 + 0.01 * e[from][i - 1];
        }
        now = 1 - now;
        bit ^= 1;
        other = !other;
        turn = next;
        kept = from;
        from = to;
        to = kept;
    }
    show_double("a", &a[0][0], 2 * N);
    show_double("b", &b[0][0], 2 * N);
    show_double("c", &c[0][0], 2 * N);
    show_double("d", &d[0][0], 3 * N);
    show_double("e", &e[0][0], 2 * N);
    printf("%d %d %d %d %d %d\n", now, bit, other, turn, from, to);
    return 0;
}
