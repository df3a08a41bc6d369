// A function of another file uses variables that no other file sees.
// flags: --with include/hidden.c
void open_mean(double *memory);
void sweep(int n, const double *a);

void relax(int n, int steps, double *a, double *b)
{
    open_mean(b);
#pragma stencil
    for (int t = 0; t < steps; t++)
        sweep(n, a);
}

// remedy: flags -DHIDDEN=
