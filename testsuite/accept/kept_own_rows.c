// Arrays that the host declares: of numbers they are its own, of pointers they may lead to the nest's.
// args: 60 25 ; 33 9
#include "dump.h"
typedef double *vec;
static void poke(double *p, int k) { p = p + 1; p[k] = k; }
static void poke2(vec p, int k) { for (int i = 0; i < k; i++) p[i] += i; }
static double get(const double *p) { const double *q = p; return q[1]; }
int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 60), steps = argument(argc, argv, 2, 20);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    vec rows[3]; double box[3][4] = {{0}}; double line[8];
    rows[0] = a; rows[1] = b; rows[2] = box[1];
    for (int i = 0; i < 8; i++) line[i] = i;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + 0.5 * a[i + 1];
        for (int i = 1; i < n - 1; i++) a[i] = 0.3 * b[i];
        if (t % 3 == 1) {
            rows[0][5] = t;
            printf("%a %a\n", rows[0][4], rows[1][5]);
        }
        if (t % 4 == 1) {
            poke(line, 2);
            poke2(line, 4);
            printf("%a %a\n", get(line), line[3]);
            box[2][1] += line[2];
        }
        if (t % 7 == 3) {
            poke(a, 3);
            poke2(b, 2);
            printf("%a %a\n", get(a), get(b + 2));
        }
        double seen = rows[1][3];
        if (t % 5 == 4 && (seen > 1 || box[2][1] > 3))
            printf("%a\n", box[2][1] + *rows[2]);
    }
    show_double("a", a, n); show_double("b", b, n); printf("%a\n", box[2][1]);
    return 0;
}
