// What a nest that finds elements by the sizes of several structures does where these differ is left to the original loops.
// args: 9 8 7 5 ; 6 11 5 3
// fallback: expected
// notes: the device runs this nest only where `r.p.x == r.q.x && r.p.y == r.q.y`
#include "dump.h"

struct size { int x, y, z; };
struct range { struct size p, q; };

static int place(struct size s, int x, int y, int z)
{
    return s.x * s.y * z + s.x * y + x;
}

static void step(double *u, double *v, const double *rho, struct range r)
{
    for (int k = 1; k < r.p.z - 1; k++)
        for (int j = 0; j < r.p.y; j++)
            for (int i = 0; i < r.p.x; i++)
                u[place(r.p, i, j, k)] +=
                    rho[place(r.p, i, j, k)] * (v[place(r.q, i, j, k)] - v[place(r.q, i, j, k - 1)]);
    for (int k = 0; k < r.q.z; k++)
        for (int j = 1; j < r.q.y - 1; j++)
            for (int i = 0; i < r.q.x; i++)
                v[place(r.q, i, j, k)] +=
                    rho[place(r.q, i, j, k)] * (u[place(r.p, i, j, k)] - u[place(r.q, i, j - 1, k)]);
}

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 9), ny = argument(argc, argv, 2, 8), nz = argument(argc, argv, 3, 7);
    int steps = argument(argc, argv, 4, 5);
    struct range r = {{nx, ny, nz}, {nx, ny - 1, nz}};
    int count = nx * ny * nz;
    double *u = new_double(count, 1), *v = new_double(count, 2), *rho = new_double(count, 3);
#pragma stencil
    for (int t = 0; t < steps; t++)
        step(u, v, rho, r);
    show_double("u", u, count);
    show_double("v", v, count);
    return 0;
}
