// A function and a variable that the OpenCL library would take for those of the C library.
#include <stdio.h>

double time = 0.5, (*select)(double);

void write(const char *title, int n)
{
    printf("%s %d\n", title, n);
}

int fprintf(FILE *file, const char *text, ...);
extern int signal;
static int poll(void) { return 1; }
inline int bind(void) { return 1; }

int main(void)
{
    double a[20] = { 1 }, b[20] = { 0 }, remove = 2;
#pragma stencil
    for (int i = 1; i < 19; i++)
        b[i] = a[i - 1] + remove * a[i + 1];
    write("b", (int)b[1] + poll());
    return 0;
}

// remedy: s/double time/static double time/
// remedy: s/void write/static void write/
