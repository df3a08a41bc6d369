// dump: nest
// Comments inside a directive are blanks, also those with the words of a pragma.
void smooth(int n, double a[n], double b[n])
{
#pragma /* stencil tile(1)
    */ stencil /* why */ name(smoothed /* not name(x) */) fp(/* as asked */ fast)
    for (int i = 1; i < n - 1; i++)
        b[i] = 0.5 * (a[i - 1] + a[i + 1]);
}
