// How many buffers take turns is what a variable of the file holds, by which the step divides; the host looks at each step.
// args: 20 7 ; 33 3 ; 6 40
// notes: the device runs this nest only where `buffers == 3`
// form: time levels: int next = (current + 1) % buffers;
#include <math.h>
#include "dump.h"

static int buffers = 3, current = 0, size = 0;
static double **u;

static void step(void)
{
    int last = current;
    int next = (current + 1) % buffers;
    for (int i = 1; i < size - 1; i++)
        u[next][i] = u[last][i] + 0.25 * (u[last][i - 1] - 2 * u[last][i] + u[last][i + 1]);
    current = next;
}

static int is_still(void)
{
    int last = (current - 1 + buffers) % buffers;
    for (int i = 1; i < size - 1; i++)
        if (fabs(u[current][i] - u[last][i]) > 1e-3)
            return 0;
    return 1;
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 2, 5), taken;
    size = argument(argc, argv, 1, 20);
    if (argc > 3)
        buffers = argument(argc, argv, 3, 3);
    u = malloc(sizeof *u * buffers);
    for (int b = 0; b < buffers; b++)
        u[b] = new_double(size, 1);
#pragma stencil
    for (taken = 0; taken < steps; taken++) {
        step();
        if (is_still())
            break;
    }
    for (int b = 0; b < buffers; b++)
        show_double("u", u[b], size);
    printf("%d %d\n", taken, current);
    return 0;
}
