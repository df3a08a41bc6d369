// Behind a loop that counts by more than one it is not known which point was the last.
void step(int n, double *u)
{
    double left = u[0];
#pragma stencil
    for (int t = 0; t < 9; t++) {
        left = u[0];
        for (int i = 1; i < n; i += 2) {
            double here = u[i];
            u[i] = 0.5 * (here + left);
            left = here;
        }
        u[0] = left;
    }
}
// remedy: s/u[0] = left;/left = u[n - 1];\n        u[0] = left;/
