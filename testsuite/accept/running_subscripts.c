// Subscripts and pointers that run along with loops: counted in bodies and headers, at ends of rows, within expressions.
// args: 13 17 5 ; 6 4 3 ; 3 3 2
// form: subscripts: for (int j = 1; j < m - 1; j++) b[k++] = 0.25 * (u[j] + v[j]);
// form: subscripts: *p++ = 0.25 * (q[-1] + q[1] + q[-m] + q[m]), q++;
#include "dump.h"

/* Rows of the inside follow each other, two elements apart. */
static void inside(int n, int m, int steps, double *a, double *b)
{
    int i, j, k;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        k = m + 1;
        for (i = 1; i < n - 1; i++) {
            for (j = 1; j < m - 1; j++) {
                b[k] = 0.25 * (a[k - 1] + a[k + 1] + a[k - m] + a[k + m]);
                k++;
            }
            k += 2;
        }
        k = n * m - 1;
        for (i = n - 1; i >= 0; i--)
            for (j = 0; j <= m - 1; j++) {
                a[k] = b[k];
                k--;
            }
    }
    printf("%d\n", k);
}

/* Both rows are packed; what is chosen by a condition is not what counts. */
static void packed(int n, int m, int steps, double *a, double *b)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        int k = 0;
        for (int i = 1; i < n - 1; i++) {
            const double *u = a + (i - 1) * m, *v = a + (i + 1) * m;
            for (int j = 1; j < m - 1; j++) b[k++] = 0.25 * (u[j] + v[j]);
        }
        size_t from = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++, from++)
                if (j > i)
                    a[i * m + j] = b[from];
    }
}

/* Pointers run; some are declared outside of the steps. */
static void pointers(int n, int m, int steps, double *a, double *b)
{
    double *r, *s;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double *p = b + m + 1, *q = a + m + 1;
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < m - 1; j++)
                *p++ = 0.25 * (q[-1] + q[1] + q[-m] + q[m]), q++;
            p += 2;
            q += 2;
        }
        r = a;
        s = b;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                double value = *s++;
                *r++ = 0.5 * value;
            }
        }
    }
}

/* Three dimensions, one counter. */
static void cube(int n, int m, int steps, float *a, float *b)
{
    enum { L = 5 };
#pragma stencil
    for (int t = 0; t < steps; t++) {
        long k = -1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int h = 0; h < L + n; h++) {
                    ++k;
                    if (i > 0 && i < n - 1 && j > 0 && j < m - 1 && h > 0 && h < L + n - 1)
                        b[k] = 0.2f * (a[k - 1] + a[k + 1] + a[k - L - n] + a[k + (L + n) * m]);
                }
        float *swap = a;
        a = b;
        b = swap;
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 9), m = argument(argc, argv, 2, 8), steps = argument(argc, argv, 3, 4);
    double *a = new_double(n * m, 1), *b = new_double(n * m, 2);
    float *u = new_float(n * m * (n + 5), 3), *v = new_float(n * m * (n + 5), 4);
    inside(n, m, steps, a, b);
    show_double("a", a, n * m);
    packed(n, m, steps, a, b);
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    pointers(n, m, steps, a, b);
    show_double("a", a, n * m);
    show_double("b", b, n * m);
    cube(n, m, steps, u, v);
    show_float("u", u, n * m * (n + 5));
    show_float("v", v, n * m * (n + 5));
    return 0;
}
