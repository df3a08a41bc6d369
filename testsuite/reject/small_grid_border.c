// A small grid of a step's whose border nothing stores, and that is copied with it.
void relax(int steps, double u[12][12])
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double w[12][12];
        for (int i = 1; i < 11; i++)
            for (int j = 1; j < 11; j++)
                w[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++)
                u[i][j] = w[i][j];
    }
}

// remedy: s/for (int i = 0; i < 12; i++)\n            for (int j = 0; j < 12; j++)/for (int i = 1; i < 11; i++)\n            for (int j = 1; j < 11; j++)/
