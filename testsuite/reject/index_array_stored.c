// Cells and their neighbours' indices have one type, so a store of a cell may change an index.
void spread(int n, int steps, int *cells, int *next, int *left)
{
    for (int i = 0; i < n; i++)
        left[i] = i - 1;
    left[0] = n - 1;
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            next[i] = cells[i] | cells[left[i]];
        for (int i = 0; i < n; i++)
            cells[i] = next[i];
    }
}

// remedy: s/cells[left[i]]/cells[i == 0 ? n - 1 : i - 1]/
