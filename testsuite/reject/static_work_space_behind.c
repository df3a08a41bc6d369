// The function is called behind the nest, too: there it may find in its work space what the last step has left.
double u[40];

static void relax(int first)
{
    static double next[40];
    for (int i = first; i < 39; i++)
        next[i] = u[i - 1] + u[i];
    for (int i = 1; i < 39; i++)
        u[i] = 0.5 * next[i];
}

void run(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        relax(1);
    relax(20);
}

// remedy: s/    relax(20);\n//
