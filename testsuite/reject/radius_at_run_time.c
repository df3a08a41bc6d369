// A sum over every second neighbour; how many there are is not known before the program runs.
void smooth(int n, int radius, const double *c, double *a, const double *b)
{
#pragma stencil
    for (int i = radius; i < n - radius; i++) {
        double s = c[0] * b[i];
        for (int r = 1; r <= radius; r += 2)
            s += c[r] * (b[i - r] + b[i + r]);
        a[i] = s;
    }
}

// remedy: s/int radius, //
// remedy: s/#pragma stencil\n/    enum { radius = 4 };\n#pragma stencil\n/
