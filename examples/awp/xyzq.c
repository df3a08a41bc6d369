/* xyzq in the style of AWP-ODC's kernel (Christen et al., PATUS, Table I): the normal stresses xx,
 * yy, zz of an anelastic medium. Each has a memory variable r1, r2, r3 that relaxes towards the
 * part of its rate which the quality factors qp and qs take away.
 * 129 flops a point, 18 of them divisions:
 *   xl and xm: 2 * (9 / and 7 +) = 32; a: 1; qpa and qsa: 2 * (7 + and 1 *) = 16; ap: 2; bp: 3;
 *   for each component: own 5, other 9, r 5 (3 * and 2 +), the stress 6 (3 *, a +, a - and +=).
 * Idiom: six fields updated in place in a time loop, seven that stay, pointers to arrays whose
 * extents are expressions, a different statement for every field.
 * Usage: xyzq [nx [ny [nz [steps]]]] */
#include "awp.h"

#define CELL(op, m)                                                                                \
    (op m[z][y][x] + op m[z][y][x + 1] + op m[z][y - 1][x] + op m[z][y - 1][x + 1] +               \
     op m[z - 1][y][x] + op m[z - 1][y][x + 1] + op m[z - 1][y - 1][x] +                           \
     op m[z - 1][y - 1][x + 1])
#define HARMONIC(weight, m) ((weight) / CELL(1.0f /, m))
#define MEAN(m) (0.125f * CELL(, m))

#define U_NEAR (u1[z][y][x + 1] - u1[z][y][x])
#define U_FAR (u1[z][y][x + 2] - u1[z][y][x - 1])
#define V_NEAR (v1[z][y][x] - v1[z][y - 1][x])
#define V_FAR (v1[z][y + 1][x] - v1[z][y - 2][x])
#define W_NEAR (w1[z][y][x] - w1[z - 1][y][x])
#define W_FAR (w1[z + 1][y][x] - w1[z - 2][y][x])

#define ALONG(p) (c1 * p##_NEAR + c2 * p##_FAR)
#define ACROSS(p, q) (c1 * (p##_NEAR + q##_NEAR) + c2 * (p##_FAR + q##_FAR))

/* Names the grid `g[z][y][x]` that lies at `memory`. */
#define GRID(g, memory) float(*g)[ny + 4][nx + 4] = (memory)

static const float c1 = 9.0f / 8.0f;
static const float c2 = -1.0f / 24.0f;

int main(int argc, char **argv)
{
    int nx = argument(argc, argv, 1, 23, 1);
    int ny = argument(argc, argv, 2, 21, 1);
    int nz = argument(argc, argv, 3, 19, 1);
    int steps = argument(argc, argv, 4, 5, 0);
    size_t elements = awp_elements(nx, ny, nz);
    GRID(xx, awp_grid(nx, ny, nz, -1, 58));
    GRID(yy, awp_grid(nx, ny, nz, -1, 59));
    GRID(zz, awp_grid(nx, ny, nz, -1, 60));
    GRID(r1, awp_grid(nx, ny, nz, -1, 61));
    GRID(r2, awp_grid(nx, ny, nz, -1, 62));
    GRID(r3, awp_grid(nx, ny, nz, -1, 63));
    GRID(u1, awp_grid(nx, ny, nz, -1, 64));
    GRID(v1, awp_grid(nx, ny, nz, -1, 65));
    GRID(w1, awp_grid(nx, ny, nz, -1, 66));
    GRID(lam, awp_grid(nx, ny, nz, 4, 67));
    GRID(mu, awp_grid(nx, ny, nz, 3, 68));
    GRID(qp, awp_grid(nx, ny, nz, 0.02f, 69));
    GRID(qs, awp_grid(nx, ny, nz, 0.04f, 70));
    const float dth = 0.05f;
    const float relaxation = 0.02f; /* half a time step over the relaxation time */
    const float keep = (1 - relaxation) / (1 + relaxation);
    const float gain = 2 * relaxation / (1 + relaxation);

    double start = seconds();
#pragma stencil
    for (int t = 0; t < steps; t++)
        for (int z = 2; z <= nz + 1; z++)
            for (int y = 2; y <= ny + 1; y++)
                for (int x = 2; x <= nx + 1; x++) {
                    float xl = HARMONIC(8.0f, lam);
                    float xm = HARMONIC(16.0f, mu);
                    float a = xl + xm;
                    float qpa = MEAN(qp), qsa = MEAN(qs);
                    float ap = gain * qpa * a;
                    float bp = ap - gain * qsa * xm;
                    float own, other;

                    own = ALONG(U);
                    other = ACROSS(V, W);
                    r1[z][y][x] = keep * r1[z][y][x] + (ap * own + bp * other);
                    xx[z][y][x] += dth * (a * own + xl * other - r1[z][y][x]);

                    own = ALONG(V);
                    other = ACROSS(U, W);
                    r2[z][y][x] = keep * r2[z][y][x] + (ap * own + bp * other);
                    yy[z][y][x] += dth * (a * own + xl * other - r2[z][y][x]);

                    own = ALONG(W);
                    other = ACROSS(U, V);
                    r3[z][y][x] = keep * r3[z][y][x] + (ap * own + bp * other);
                    zz[z][y][x] += dth * (a * own + xl * other - r3[z][y][x]);
                }
    report_time(start, (double)nx * ny * nz, steps);

    report("xx", xx, elements, sizeof(float));
    report("yy", yy, elements, sizeof(float));
    report("zz", zz, elements, sizeof(float));
    report("r1", r1, elements, sizeof(float));
    report("r2", r2, elements, sizeof(float));
    report("r3", r3, elements, sizeof(float));

    void *grids[] = {xx, yy, zz, r1, r2, r3, u1, v1, w1, lam, mu, qp, qs};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        free(grids[i]);
    return 0;
}
