// An enumeration that an attribute makes a byte.
typedef enum { OFF, ON } __attribute__((packed)) state;

void count(int n, state *a, int *b)
{
#pragma stencil
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

// remedy: s/state *a/unsigned char *a/
