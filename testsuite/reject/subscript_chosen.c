// Subscripts that stop at the wall, in arrays that are exchanged.
void heat(int nx, int ny, int steps, double west, double *in, double *out)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                int c = x + y * nx;
                int w = x == 0 ? c : c - 1;
                out[c] = in[c] + west * in[w];
            }
        double *swap = in;
        in = out;
        out = swap;
    }
}

// remedy: s/                int w = x == 0 ? c : c - 1;\n//
// remedy: s/in[w]/(x == 0 ? in[c] : in[c - 1])/
