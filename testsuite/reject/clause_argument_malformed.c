// Clause arguments that are no positive numbers, one error each.
void copy(int n, double *a, const double *b)
{
#pragma stencil time_tile(many) tile(8,-4) per_item()
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}

// remedy: s/many/4/
// remedy: s/8,-4/8/
// remedy: s/per_item()/per_item(1)/
