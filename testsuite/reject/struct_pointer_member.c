// The arrays of the nest are those of one of several structures.
struct grid {
    int n;
    double *u, *v;
};

void relax(struct grid *all, int which)
{
#pragma stencil
    for (int t = 0; t < 9; t++) {
        for (int i = 1; i < 99; i++)
            all[which].v[i] = 0.5 * (all[which].u[i - 1] + all[which].u[i + 1]);
        for (int i = 1; i < 99; i++)
            all[which].u[i] = all[which].v[i];
    }
}

// remedy: s/#pragma stencil/struct grid *one = &all[which];\n#pragma stencil/
// remedy: s/all[which]./one->/g
