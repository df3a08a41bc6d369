/* A program without any marked nest. */
#include <stdio.h>

int main(void)
{
    double sum = 0.0;
    for (int i = 1; i < 10; i++)
        sum += 1.0 / i;
    printf("%a\n", sum);
    return 0;
}
