// Conditions on data that leave out one number: there the value of the point before would be used.
void rule(int n, int *a, const int *b)
{
    int next;
#pragma stencil
    for (int i = 1; i < n - 1; i++) {
        int count = b[i - 1] + b[i + 1];
        if (count < 1)
            next = 0;
        if (count == 1)
            next = b[i];
        if (count > 2)
            next = 1;
        a[i] = next;
    }
}

// remedy: s/count > 2/count >= 2/
