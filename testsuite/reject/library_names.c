// Functions and variables by names of the C library that cannot be hidden from others: the driver takes these, too, or all
// of a program must share them, or a macro writes where they begin.
#include <stdio.h>

#define PUBLIC extern

double floor = 0.5, (*select)(double);
PUBLIC int wait = 3;

void *malloc(unsigned long bytes)
{
    static double memory[1000];
    (void)bytes;
    return memory;
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
    printf("%d\n", (int)b[1] + poll() + wait);
    return 0;
}

// remedy: s/double floor/static double floor/
// remedy: s/PUBLIC int wait/static int wait/
// remedy: s/void *malloc/static void *malloc/
