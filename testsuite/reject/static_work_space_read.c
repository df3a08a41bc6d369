// An element of the work space is read that no step stores: it is zero in all of them.
double u[40];

static void relax(void)
{
    static double next[40];
    for (int i = 1; i < 39; i++)
        next[i] = u[i - 1] + u[i];
    for (int i = 1; i < 39; i++)
        u[i] = 0.5 * next[i - 1];
}

void run(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        relax();
}

// remedy: s/        u[i] = 0.5 * next[i - 1];/        u[i] = 0.5 * next[i];/
