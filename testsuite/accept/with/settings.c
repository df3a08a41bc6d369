#include "settings.h"

void relax(settings *s, double *u, double *v)
{
    for (int i = 1; i < s->n - 1; i++)
        v[i] = 0.5 * (u[i - 1] + u[i + 1]);
    for (int i = 1; i < s->n - 1; i++)
        u[i] = s->is_damped ? s->rate * v[i] : v[i];
}
