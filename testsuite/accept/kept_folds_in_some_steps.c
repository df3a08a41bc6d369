// Sums and maxima over the points of some steps only, as the step's number says, and of steps that a variable of the caller's allows.
// args: 23 17 40 5 ; 9 12 3 1 ; 12 7 0 2
// form: sums, maxima and counts over points: if (t % every == 1) {
#include "dump.h"
#include <math.h>

static void smooth(int nx, int ny, const double *u0, double *u, double *r, double *error)
{
    double err = 0.0;
    for (int at = 0; at < nx * ny; at++)
        r[at] = u[at];
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++) {
            const int at = i + j * nx;
            u[at] = (u0[at] + r[at - 1] + r[at + 1] + r[at - nx] + r[at + nx]) / 5.0;
            err += fabs(u[at] - r[at]);
        }
    *error = err;
}

static void norm(int nx, int ny, const double *r, double *sum, double *most)
{
    double part = 0.0;
    for (int j = 1; j < ny - 1; j++)
        for (int i = 1; i < nx - 1; i++) {
            part += r[i + j * nx] * r[i + j * nx];
            *most = fmax(*most, r[i + j * nx]);
        }
    *sum += part;
}

static int solve(int nx, int ny, int steps, int every, int language, const double *u0, double *u, double *r, double *out)
{
    int t;
    double error = 1e10, most = -1;
#pragma stencil
    for (t = 0; t < steps; ++t) {
        smooth(nx, ny, u0, u, r, &error);
        if (t % every == 1) {
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++)
                    r[i + j * nx] = u0[i + j * nx] - 0.5 * (u[i + j * nx - 1] + u[i + j * nx + nx]);
            norm(nx, ny, r, &error, &most);
        }
        if (t > 3 && language == 1)
            for (int i = 1; i < nx - 1; i++)
                most = fmax(most, 2 * u[i + nx]);
        if (error < 0.125)
            break;
    }
    out[0] = error;
    out[1] = most;
    return t;
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 23), ny = argument(argc, argv, 2, 17), steps = argument(argc, argv, 3, 40);
    int every = argument(argc, argv, 4, 5);
    size_t all = (size_t)nx * (size_t)ny;
    double *u0 = new_double(all, 1), *u = new_double(all, 2), *r = new_double(all, 3), out[2];
    for (int language = 0; language < 2; language++) {
        printf("%d\n", solve(nx, ny, steps, every, language, u0, u, r, out));
        show_double("out", out, 2);
    }
    show_double("u", u, all);
    show_double("r", r, all);
    return 0;
}
