// The host keeps a pointer to the work space of a step.
double u[40], *last;

static void relax(void)
{
    static double next[40];
    for (int i = 1; i < 39; i++)
        next[i] = u[i - 1] + u[i];
    for (int i = 1; i < 39; i++)
        u[i] = 0.5 * next[i];
    last = next;
}

void run(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        relax();
}

// remedy: s/    last = next;\n//
