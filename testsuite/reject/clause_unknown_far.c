// A clause that resembles none: the known ones are listed.
void copy(int n, double *a, const double *b)
{
#pragma stencil collapse(2)
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/ collapse(2)//
