// An enumeration whose type compilers choose in different ways.
enum limit { NONE, MOST = 3000000000u };

void count(int n, double *b)
{
    enum limit most = MOST;
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = -most;
}

// remedy: s/enum limit most/unsigned most/
