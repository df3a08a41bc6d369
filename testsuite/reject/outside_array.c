// The last row reads one that the array does not have.
double u[64][64], v[64][64];

void sweep(void)
{
#pragma stencil
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++)
            v[i][j] = u[i + 1][j];
}

// remedy: s/i < 64/i < 63/
