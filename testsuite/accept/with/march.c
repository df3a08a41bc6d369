#include <stdio.h>
#include <time.h>

#include "march.h"

#define EVERY 3

enum kind { QUIET, LOUD };

static const float weights[2] = { 0.125f, 0.25f };
int verbose = LOUD;
float largest;

static float laplace(int m, const float *u, int i, int j)
{
    float beside = u[AT(i, j - 1)] + u[AT(i, j + 1)];
    return u[AT(i - 1, j)] + u[AT(i + 1, j)] + beside - 4 * u[AT(i, j)];
}

static void heat(int n, int m, float k, const float *u, float *v)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            v[AT(i, j)] = u[AT(i, j)] + k * laplace(m, u, i, j);
}

void march(Mesh *mesh, float *u, float *v, int step)
{
    int n = mesh->n, m = mesh->m;
    clock_t start = clock();
    if (verbose == LOUD && step % EVERY == 0)
        printf("step %d, dt %g\n", step, mesh->dt);
    heat(n, m, mesh->dt * weights[1], u, v); // one step
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            u[AT(i, j)] = v[AT(i, j)];
    mesh->calls++;
    mesh->ticks += clock() - start;
}

float relax(int n, float *a, float *b)
{
    largest = 0;
    for (int i = 1; i < n - 1; i++)
        if (a[i] > largest)
            largest = a[i];
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i + 1] * (0.5f / (1 + largest));
    for (int i = 1; i < n - 1; i++)
        a[i] = b[i];
    printf("%a\n", largest);
    return largest;
}
