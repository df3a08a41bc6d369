// dump: nest flow tiles kernel
// flags: --strategy direct
// One dimension with swapped pointers: the buffer of a step is an index modulo two.
void heat(int n, int steps, float *now, float *next)
{
/*nest*/
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.25f * now[i - 1] + 0.5f * now[i] + 0.25f * now[i + 1];
        float *swap = now;
        now = next;
        next = swap;
    }
}
