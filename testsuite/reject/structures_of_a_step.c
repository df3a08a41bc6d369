// A member of structures in the work space of a step is read that no step stores.
struct pair {
    double x, y;
} u[40];

static void relax(void)
{
    static struct pair next[40];
    for (int i = 1; i < 39; i++)
        next[i].x = u[i - 1].x + u[i].y;
    for (int i = 1; i < 39; i++) {
        u[i].x = 0.5 * next[i].x;
        u[i].y = 0.5 * next[i].y;
    }
}

void run(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++)
        relax();
}

// remedy: s/        u[i].y = 0.5 * next[i].y;/        u[i].y = 0.5 * next[i].x;/
