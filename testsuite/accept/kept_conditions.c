// Conditions compute steps: in heads of all loops, behind `&&`, in an `if`, alone or with more around the call.
// args: 40 60 1e-3 ; 9 3 0 ; 33 0 1e-2 ; 120 50 1
// form: loops that the host keeps: while (sweep(n, u, v) > tol && it < most) {
// form: loops that the host keeps: for (it = 0; it < most && (err = sweep(n, u, v)) > tol; it++) {
// form: loops that the host keeps: if (!smooth(n, u, v))
// form: loops that the host keeps: } while (fabs(s.change = sweep(s.n, s.u, s.v)) > tol);
#include "dump.h"
#include <math.h>
#define TOO_MUCH(x) ((x) > tol)

struct solver { int n; double *u, *v, change; };

static double sweep(int n, const double *u, double *v)
{
    double most = 0;
    for (int i = 1; i < n - 1; i++) {
        v[i] = 0.5 * (u[i - 1] + u[i + 1]) + 1e-4;
        double by = fabs(v[i] - u[i]);
        if (by > most)
            most = by;
    }
    return most;
}

static int smooth(int n, double *u, double *v)
{
    int changed = 0;
    for (int i = 1; i < n - 1; i++)
        v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
    for (int i = 1; i < n - 1; i++) {
        changed |= fabs(v[i] - u[i]) > 0.01;
        u[i] = v[i];
    }
    return changed;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 40), most = argument(argc, argv, 2, 60), it = 0;
    double tol = argc > 3 ? atof(argv[3]) : 1e-3, err = 1;
    double *u = new_double(n, 1), *v = new_double(n, 2);
    struct solver s = {n, new_double(n, 3), new_double(n, 4), 0};

#pragma stencil
    while (sweep(n, u, v) > tol && it < most) {
        double *w = u;
        u = v;
        v = w;
        if (++it % 20 == 0)
            printf("%d %.17g\n", it, u[n / 2]);
    }
    printf("%d\n", it);
    show_double("u", u, n); show_double("v", v, n);

#pragma stencil
    for (it = 0; it < most && (err = sweep(n, u, v)) > tol; it++) {
        double *w = u;
        u = v;
        v = w;
        if (it % 16 == 3)
            continue;
        if (it % 10 == 0)
            printf("%d %.17g\n", it, err);
    }
    printf("%d %.17g\n", it, err);
    show_double("u", u, n); show_double("v", v, n);

    it = 0;
#pragma stencil
    while (it < 2 * most && it < 1000 && smooth(n, u, v)) it++;
    printf("%d\n", it);
    show_double("u", u, n);

    for (int i = 0; i < n; i++)
        u[i] = v[i] = i * i % 17;
#pragma stencil
    for (it = 0; it < most; it++)
        if (!smooth(n, u, v))
            break;
    printf("%d\n", it);
    show_double("u", u, n);

#pragma stencil
    do {
        it++;
        if (it > 2 * most) {
            printf("that is enough\n");
            break;
        }
    } while (fabs(s.change = sweep(s.n, s.u, s.v)) > tol);
    printf("%d %.17g\n", it, s.change);
    show_double("s.v", s.v, n);

#pragma stencil
    for (int frame = 0; frame < 3; frame++) {
        it = 0;
        while (smooth(n, s.u, s.v)) if (++it > 7) break;
        printf("frame %d: %d %.17g\n", frame, it, s.u[n / 3]);
        for (int i = 0; i < n; i += 5) s.u[i] += 0.5;
    }
    show_double("s.u", s.u, n);

#pragma stencil
    for (it = 0; ; it++) {
        if (it >= most) break;
        if ((err = sweep(n, u, v)) < tol) { printf("converged\n"); break; }
        else if (it % 9 == 0) printf("%d %.17g\n", it, err);
        if (TOO_MUCH(sweep(n, v, u) * 2)) continue;
        printf("%d is little\n", it);
    }
    show_double("u", u, n); show_double("v", v, n);
    return 0;
}
