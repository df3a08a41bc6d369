// The loop variable is a double.
void fill(double *a)
{
#pragma stencil
    for (double x = 0.0; x < 100.0; x += 1.0)
        a[(int)x] = x;
}
