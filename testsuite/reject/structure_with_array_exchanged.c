// Structures with an array in them are exchanged as a whole.
void relax(int n, int steps, double *u, double *v)
{
    struct { double *cells; double ends[2]; } a = { u }, b = { v }, old;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b.cells[i] = 0.5 * (a.cells[i - 1] + a.cells[i + 1]);
        old = a;
        a = b;
        b = old;
    }
}
// remedy: s/ double ends[2];//
