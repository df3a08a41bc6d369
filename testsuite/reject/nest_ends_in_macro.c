// The last bracket of the nest comes out of a macro.
#define BODY a[i] = 1; }
void fill(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        BODY
}

// remedy: s/a[i] = 1; }/a[i] = 1;/
// remedy: s/        BODY\n/        BODY\n    }\n/
