// What a function returns that sweeps and sums up is stored at once, where the function itself counts the elements.
static int taken;

float step(int n, float *u, float *v)
{
    float sum = 0;
    for (int i = 1; i < n - 1; i++) {
        v[i] = 0.5f * (u[i - 1] + u[i + 1]);
        sum += v[i] * v[i];
    }
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
    taken++;
    return sum / n;
}

void run(int n, int steps, float *u, float *v, float *sums)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        sums[taken] = step(n, u, v);
    }
}

// remedy: s/sums[taken] = step(n, u, v);/float value = step(n, u, v);\n        sums[t] = value;/
