// Loops over structures with pointers that are rows, and two structures behind one pointer.
struct row { int n; double *u, *v; };

void rows(struct row *rows, int n)
{
#pragma stencil
    for (int t = 0; t < 9; t++)
        for (int i = 0; i < n; i++)
            for (int j = 1; j < 99; j++)
                rows[i].v[j] = rows[i].u[j - 1] + rows[i].u[j + 1];
}

void next(struct row *all)
{
#pragma stencil
    for (int t = 0; t < 9; t++) {
        for (int j = 1; j < 99; j++)
            all[1].v[j] = all[0].u[j - 1] + all[0].u[j + 1];
        for (int j = 1; j < 99; j++)
            all[0].u[j] = all[1].v[j];
    }
}

// remedy: s/#pragma stencil/    for (int i = 0; i < n; i++) {\n    struct row *one = &rows[i];\n#pragma stencil/
// remedy: s/        for (int i = 0; i < n; i++)\n//
// remedy: s/rows[i].v/one->v/
// remedy: s/rows[i].u/one->u/
// remedy: s/rows[i].u[j + 1];/one->u[j + 1];\n    }/
// remedy: s/#pragma stencil/struct row *one = &all[0], *other = &all[1];\n#pragma stencil/
// remedy: s/all[1].v/other->v/
// remedy: s/all[0].u/one->u/
// remedy: s/all[0].u/one->u/
// remedy: s/all[0].u/one->u/
// remedy: s/all[1].v/other->v/
