// Subscripts chosen by more conditions than are told apart, in arrays that are exchanged.
void heat(int nx, int ny, int steps, double west, double *in, double *out)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < ny; y++)
            for (int x = 9; x < nx; x++) {
                int c = x + y * nx;
                int w = x == 9 ? c : x == 10 ? c - 1 : x == 11 ? c - 2 : x == 12 ? c - 3 : x == 13 ? c - 4 : x == 14 ? c - 5 : x == 15 ? c - 6 : x == 16 ? c - 7 : x == 17 ? c - 8 : c - 9;
                out[c] = in[c] + west * in[w];
            }
        double *swap = in;
        in = out;
        out = swap;
    }
}

// remedy: s/int w = x == 9 ? c :/double w = x == 9 ? in[c] :/
// remedy: s/? c - 1/? in[c - 1]/
// remedy: s/? c - 2/? in[c - 2]/
// remedy: s/? c - 3/? in[c - 3]/
// remedy: s/? c - 4/? in[c - 4]/
// remedy: s/? c - 5/? in[c - 5]/
// remedy: s/? c - 6/? in[c - 6]/
// remedy: s/? c - 7/? in[c - 7]/
// remedy: s/? c - 8 : c - 9/? in[c - 8] : in[c - 9]/
// remedy: s/west * in[w]/west * w/
