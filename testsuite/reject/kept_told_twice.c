// The host looks between the sweeps of a step at a count that the later ones go on with.
#include <math.h>

int solve(int n, int steps, int least, double *u, double *v)
{
    static int far;
    int t;
#pragma stencil
    for (t = 0; t < steps; t++) {
        far = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = u[i - 1] + u[i + 1];
            if (fabs(v[i]) > 1)
                far++;
        }
        if (far < least)
            break;
        for (int i = 1; i < n - 1; i++) {
            u[i] = v[i];
            if (fabs(u[i] - 1) > 1)
                far++;
        }
    }
    return t;
}

// remedy: s/        if (far < least)\n            break;\n//
// remedy: s/> 1)\n                far++;\n        }\n    }/> 1)\n                far++;\n        }\n        if (far < least)\n            break;\n    }/
