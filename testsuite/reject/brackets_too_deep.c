// Brackets, one in the other, deeper than anybody writes.
#define TEN(x) ((((((((((x))))))))))
#define HUNDRED(x) TEN(TEN(TEN(TEN(TEN(TEN(TEN(TEN(TEN(TEN(x))))))))))
#define THOUSAND(x) HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(HUNDRED(x))))))))))
void fill(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        a[i] = THOUSAND(1);
}

// remedy: s/        a[i] = THOUSAND(1)/        a[i] = TEN(1)/
