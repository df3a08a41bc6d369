// A loop counts with an element of an array in a structure.
struct place {
    int at[2];
};

void copy(int n, double *a, const double *b, struct place *s)
{
#pragma stencil
    for (s->at[0] = 0; s->at[0] < n; s->at[0]++)
        a[s->at[0]] = b[s->at[0]];
}

// remedy: s/s->at[0] = 0; s->at[0] < n; s->at[0]++/int i = 0; i < n; i++/
// remedy: s/a[s->at[0]] = b[s->at[0]];/a[i] = b[i];\n    s->at[0] = n > 0 ? n : 0;/
