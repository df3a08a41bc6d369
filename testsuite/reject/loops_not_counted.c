// Loop headers that do not count from a first value to a bound.
void declared_without_value(int n, double *a)
{
#pragma stencil
    for (int i; i < n; i++)
        a[i] = 1;
}

void first_value_added(int n, int i, double *a)
{
#pragma stencil
    for (i += 1; i < n; i++)
        a[i] = 1;
}

void first_value_called(int n, int i, double *a)
{
#pragma stencil
    for (n; i < n; i++)
        a[i] = 1;
}

void counts_in_an_element(int n, int *i, double *a)
{
#pragma stencil
    for (*i = 0; *i < n; *i += 1)
        a[*i] = 1;
}

void counts_with_a_pointer(double *a, double *end)
{
#pragma stencil
    for (double *p = a; p < end; p++)
        *p = 1;
}

void without_condition(double *a)
{
#pragma stencil
    for (int i = 0;; i++)
        a[i] = 1;
}

void without_update(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n;)
        a[i] = 1;
}

void another_counts(int n, int j, double *a)
{
#pragma stencil
    for (int i = 0; i < n; j++)
        a[i] = 1;
}

void multiplies_itself(int n, double *a)
{
#pragma stencil
    for (int i = 1; i < n; i = i * 2)
        a[i] = 1;
}

void counts_by_itself(int n, double *a)
{
#pragma stencil
    for (int i = 1; i < n; i = i + i)
        a[i] = 1;
}

void runs_away(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i--)
        a[i] = 1;
}

void steps_over_its_end(int n, double *a)
{
#pragma stencil
    for (int i = 0; i != n; i += 2)
        a[i] = 1;
}

void set_to_a_number(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i = 7)
        a[i] = 1;
}

void step_of_a_half(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i += 1.5)
        a[i] = 1;
}

void step_too_large(long n, double *a)
{
#pragma stencil
    for (long i = 0; i < n; i += 3000000000)
        a[i] = 1;
}

void two_conditions(int n, int m, double *a)
{
#pragma stencil
    for (int i = 0; i < n && i != m; i++)
        a[i] = 1;
}

void until_equal(int n, double *a)
{
#pragma stencil
    for (int i = 0; i == n; i++)
        a[i] = 1;
}

void compares_itself(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < 2 * i - n; i++)
        a[i] = 1;
}

void no_condition_on_it(int n, int m, double *a)
{
#pragma stencil
    for (int i = 0; n - m; i++)
        a[i] = 1;
}

void not_of_it(int n, double *a)
{
#pragma stencil
    for (int i = 0; !i; i++)
        a[i] = 1;
}

void twice_itself(int n, double *a)
{
#pragma stencil
    for (int i = 0; 2 * i < n; i++)
        a[i] = 1;
}

void subtracted(int n, double *a)
{
#pragma stencil
    for (int i = 0; n - i > 0; i++)
        a[i] = 1;
}

void conditional_time(int n, int mode, double *a)
{
    for (int t = 0; t < n; t++) {
#pragma stencil
        for (int k = 0; k < n; k++)
            for (int i = 0; i < 16; i++) {
                int j;
                for (j = 0; j < 3; j++)
                    if (j == 1 && a[i] > 0)
                        j = 2;
                a[i] = j;
            }
    }
}

void for_ever(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            k = k - 1;
            a[i] = k;
        }
}

// remedy: s/int i;/int i = 0;/
// remedy: s/i += 1;/i = 1;/
// remedy: s/(n;/(i = 0;/
// remedy: s/*i = 0; *i < n; *i += 1)\n        a[*i]/int k = 0; k < n; k++)\n        a[k]/
// remedy: s/#pragma stencil\n    for (double *p = a; p < end; p++)\n        *p/    long count = end - a;\n#pragma stencil\n    for (long i = 0; i < count; i++)\n        a[i]/
// remedy: s/0;; i++/0; i < 8; i++/
// remedy: s/i < n;)/i < n; i++)/
// remedy: s/j++/i++/
// remedy: s/i = i * 2)/i++)\n        if ((i & (i - 1)) == 0)\n    /
// remedy: s/i = i + i)/i++)\n        if ((i & (i - 1)) == 0)\n    /
// remedy: s/i--/i++/
// remedy: s/i != n/i < n/
// remedy: s/i = 7/i += 7/
// remedy: s/1.5/2/
// remedy: s/3000000000/1000000000/
// remedy: s/#pragma stencil\n    for (int i = 0; i < n && i != m;/    int least = m > 0 && m < n ? m : n;\n#pragma stencil\n    for (int i = 0; i < least;/
// remedy: s/i == n/i < n/
// remedy: s/2 * i - n/n/
// remedy: s/n - m;/i < n - m;/
// remedy: s/!i/i < 1/
// remedy: s|2 * i < n|i < (n + 1) / 2|
// remedy: s/n - i > 0/i < n/
// remedy: s/                int j;\n                for (j = 0; j < 3; j++)\n                    if (j == 1 && a[i] > 0)\n                        j = 2;\n                a[i] = j;/                a[i] = 3;/
// remedy: s/            k = k - 1;\n//
