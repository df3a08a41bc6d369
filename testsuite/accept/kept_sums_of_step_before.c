// Steps that need a sum or a maximum of the step before them: as a factor, in a condition on each point, from the step before
// that, and in an element that the step sets.
// args: 7 30 ; 1 20 ; 12 45
// form: loops that the host keeps: b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]) / (1 + sum);
#include "dump.h"

static double scaled(int n, int steps, double *a, double *b)
{
    double sum = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]) / (1 + sum);
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            sum += (b[i] - a[i]) * (b[i] - a[i]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return sum;
}

static double limited(int n, int steps, double *a, double *b)
{
    double sum = 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            if (sum > a[i])
                b[i] = 0.4 * (a[i - 1] + a[i] + a[i + 1]);
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            sum += 0.125 * b[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return sum;
}

static double delayed(int n, int steps, double *a, double *b)
{
    double sum = 1, old = 0.5;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]) / (1 + old);
        old = sum;
        sum = 0;
        for (int i = 1; i < n - 1; i++)
            sum += (b[i] - a[i]) * (b[i] - a[i]);
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return sum + 100 * old;
}

static float noted(int n, int steps, double *a, double *b, double *notes)
{
    float largest = -1, alpha = 0.25f;
#pragma stencil
    for (int t = 0; t < steps; t++, alpha = 1.1f - alpha) {
        for (int i = 1; i < n - 1; i++)
            b[i] = alpha * (a[i - 1] + a[i + 1]);
        if (t % 2 == 1)
            notes[t & 7] = largest;
        largest = 0;
        for (int i = 1; i < n - 1; i++)
            if ((float)b[i] > largest)
                largest = (float)b[i];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    return largest;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 7), n = argument(argc, argv, 2, 30);
    double *a = new_double(n, 1), *b = new_double(n, 2), notes[8] = {0};
    printf("%a\n", scaled(n, steps, a, b));
    show_double("a", a, n);
    printf("%a\n", limited(n, steps, a, b));
    show_double("a", a, n);
    printf("%a\n", delayed(n, steps, a, b));
    show_double("a", a, n);
    printf("%a\n", noted(n, steps, a, b, notes));
    show_double("a", a, n);
    show_double("notes", notes, 8);
    return 0;
}
