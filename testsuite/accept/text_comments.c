// Comments, line continuations and string-like text all over the nest.
// args: 37 5 ; 20 4
#include "dump.h"

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 37), steps = argument(argc, argv, 2, 5);
    double *a = new_double(n, 1), *b = new_double(n, 2);
    const char *text = "#pragma stencil /* not one */";
    /* #pragma stencil in a comment
#pragma stencil
       is none either */
#pragma stencil /* a comment on the pragma */ // and another
    /* between the pragma and the loop */

    // one more
    for (int t = 0; /* }{ */ t < steps; t++ /* ) */) { // {
        for (int i = 1; i < n \
             - 1; i++) /* no braces */
            b[i] = 0.5 * (a[i - 1] /* left */ + /* right */ a[i + \
1]); // done
        for (int i = 1; i < n - 1; i++) {
            a[i] = b[i]; /* "copy" 'back' */
        }
        ; /* an empty statement */
    } /* t */
    printf("%s\n", text);
    show_double("a", a, n);
    show_double("b", b, n);
    return 0;
}
