// Clauses with arguments that they do not take.
void clauses(int n, double *a)
{
#pragma stencil extent(a) extent(a[1:n]) extent(a[0:]) extent(2[0:n]) name(2x) time_tile(1, 2) fp(exact) tile(0) per_item(0)
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma stencil tile
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma stencil name(one) (two)
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma stencil tiles
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma stencil tile((2)
    for (int i = 0; i < n; i++)
        a[i] = 1;
}

// remedy: s/extent(a) extent(a[1:n]) extent(a[0:]) extent(2[0:n]) name(2x) time_tile(1, 2) fp(exact) tile(0) per_item(0)/extent(a[0:n]) name(x2) time_tile(1) fp(strict) tile(64) per_item(1)/
// remedy: s/stencil tile\n/stencil tile(64)\n/
// remedy: s/ (two)//
// remedy: s/tiles/tile(64)/
// remedy: s/tile((2)/tile(2)/
