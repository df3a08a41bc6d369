// The loop variable is a double.
void fill(double *a)
{
#pragma stencil
    for (double x = 0.0; x < 100.0; x += 1.0)
        a[(int)x] = x;
}

// remedy: s/double x = 0.0; x < 100.0; x += 1.0)\n        a[(int)x] = x/int i = 0; i < 100; i++)\n        a[i] = (double)i/
