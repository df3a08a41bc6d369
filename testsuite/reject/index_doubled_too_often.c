// A subscript that stands for more than a million operands.
void f(int n, double *a)
{
#pragma stencil
    for (int i = 0; i < n; i++) {
        int j = i + i, k = j + j, l = k + k, m = l + l, o = m + m, p = o + o, q = p + p;
        int r = q + q, s = r + r, t = s + s, u = t + t, v = u + u, w = v + v, x = w + w;
        a[x] = 1.0;
    }
}

// remedy: s/        int j = i + i, k = j + j, l = k + k, m = l + l, o = m + m, p = o + o, q = p + p;\n        int r = q + q, s = r + r, t = s + s, u = t + t, v = u + u, w = v + v, x = w + w;\n        a[x]/        a[16384 * i]/
