// Each step declares, behind its first sweep, a sum over the points of its second one, and keeps it behind the last.
// args: 19 17 ; 5 3 ; 4 0 ; 33 30
// form: loops that the host keeps: double sum = 0, largest = -1;
#include "dump.h"

#define LAST 30

static double means[LAST], most[LAST];

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 19), steps = argument(argc, argv, 2, 17);
    double *u = new_double(n, 1), *v = new_double(n, 2);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            u[i] += 0.125;
        double sum = 0, largest = -1;
        for (int i = 1; i < n - 1; i++) {
            v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
            sum += v[i];
            if (v[i] > largest)
                largest = v[i];
        }
        means[t] = sum / n;
        most[t] = largest;
        double *w = u;
        u = v;
        v = w;
    }
    show_double("means", means, LAST);
    show_double("most", most, LAST);
    show_double("u", u, n);
    show_double("v", v, n);
    free(u);
    free(v);
    return 0;
}
