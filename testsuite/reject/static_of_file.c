// Files whose names tell them apart by their endings alone lend nothing: no other file sees what is static there.
// flags: --with include/hidden.c --with include/hidden.inc
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
