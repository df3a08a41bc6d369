// dump: nest
// C23: attributes in two brackets, and truth values that are words.
typedef double word[[gnu::packed]];

[[nodiscard]] double choose(int n, int mode, double g(double), double *a, const double *b)
{
    double s = 0;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        s = true ? b[i] : 0;
        if (!false)
            a[i] = s;
    }
    switch (mode) {
    case 1:
        s = g(s);
        [[fallthrough]];
    default:
        s += 1;
    }
    return s;
}
