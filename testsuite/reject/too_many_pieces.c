// Two branches store the same elements at places that are hard to describe.
void step(int n, double h, double u[64][64], double v[64][64], double w[64][64], double x[64][64], double a[64][64])
{
#pragma stencil
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (((i == 1 || i == n - 2) && (j > 1 && j < n - 2)) || ((j == 1 || j == n - 2) && (i > 1 && i < n - 2)) ||
                (i == 0 && j < 5) || (j == 3 && i > 7) || (i == 9 && j > 11)) {
                u[i][j] = a[i][j] + h;
                v[i][j] = u[i][j] + 1;
                w[i][j] = v[i][j] * 2;
                x[i][j] = w[i][j] - u[i][j];
            } else {
                u[i][j] = a[i][j] - h;
                v[i][j] = u[i][j] - 1;
                w[i][j] = v[i][j] / 2;
                x[i][j] = w[i][j] + u[i][j];
            }
}

// remedy: s/        for (int j = 0; j < n; j++)\n/        for (int j = 0; j < n; j++) {\n            double p, q, r, s;\n/
// remedy: s/                u[i][j] = a[i][j] + h;\n                v[i][j] = u[i][j] + 1;\n                w[i][j] = v[i][j] * 2;\n                x[i][j] = w[i][j] - u[i][j];\n/                p = a[i][j] + h;\n                q = p + 1;\n                r = q * 2;\n                s = r - p;\n/
// remedy: s|                u[i][j] = a[i][j] - h;\n                v[i][j] = u[i][j] - 1;\n                w[i][j] = v[i][j] / 2;\n                x[i][j] = w[i][j] + u[i][j];\n            }|                p = a[i][j] - h;\n                q = p - 1;\n                r = q / 2;\n                s = r + p;\n            }\n            u[i][j] = p;\n            v[i][j] = q;\n            w[i][j] = r;\n            x[i][j] = s;\n        }|
