// dump: nest flow steps
// Three buffers that rotate, flat pointers, reads from one and from two steps ago.
void wave(int n, int m, int steps, double *old, double *now, double *next, double c)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                next[i * m + j] = 2.0 * now[i * m + j] - old[i * m + j]
                                  + c * (now[i * m + j - 1] + now[i * m + j + 1] + now[(i - 1) * m + j]
                                         + now[(i + 1) * m + j] - 4.0 * now[i * m + j]);
        double *unused = old;
        old = now;
        now = next;
        next = unused;
    }
}
