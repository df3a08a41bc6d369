// The subscript wraps around in a narrow type.
void repeat(double *a, const double *table)
{
#pragma stencil
    for (int i = 0; i < 300; i++) {
        unsigned char phase = i + 3;
        a[i] = 0.5 * table[phase];
    }
}

// remedy: s/unsigned char phase = i + 3/int phase = (i + 3) % 256/
