// Arrays that the loop declares for each of its iterations stand before it, as steps are taken later: the host reads some of them,
// and other variables have the same memory meanwhile.
// args: 64 1 20 ; 40 2 3 ; 0 3 0 ; 3 2 1 ; 17 1 9
// form: loops that the host keeps: double next[n], half[HALF];
// form: loops that the host keeps: const double weights[2] = { 0.25, 0.75 };
#include "dump.h"

#define N 64
#define HALF (N / 2)

struct pair {
    double first[N], second[N];
};

static double u[N], state[N];

static int settle(int n, int m, int steps)
{
    int seen = 0;
    for (int k = 0; k < 2; k++) {
        double next = k;
        printf("%g\n", next);
    }
#pragma stencil
    for (int t = 0; t < steps; t++) {
        double next[n], half[HALF];
        for (int i = 0; i < n; i++)
            next[i] = u[i];
        for (int i = 1; i < n - 1; i++)
            next[i] = 0.25 * (u[i - 1] + u[i + 1]) + m;
        for (int i = 0; i < n; i++)
            u[i] = next[i];
        for (int i = 0; i < n / 2; i++)
            half[i] = next[2 * i] * 0.5;
        if (t % 5 == 0)
            printf("%d %a %a %zu\n", t, next[n / 2], half[0], sizeof next / sizeof *next);
        {
            char text[512];
            seen += snprintf(text, sizeof text, "%0500d", t);
        }
        if (t % 4 == 1)
            continue;
        if (t == 7 && m == 2)
            break;
        printf("%d\n", seen);
    }
    for (int i = 0; i < n; i++) {
        int next = i;
        seen += next;
    }
    return seen;
}

static void weigh(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        const double weights[2] = { 0.25, 0.75 };
        struct pair pair;
        static double before[N];
        for (int i = 0; i < N; i++)
            pair.first[i] = weights[0] * u[i] + 0.125 * before[i];
        for (int i = 1; i < N - 1; i++)
            pair.second[i] = weights[1] * (pair.first[i - 1] + pair.first[i + 1]);
        for (int i = 1; i < N - 1; i++) {
            before[i] = u[i];
            u[i] = pair.second[i];
        }
        if (t % 3 == 0)
            printf("%d %a %a\n", t, pair.second[5], weights[1]);
    }
}

static void work(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        float work[N][2];
        float *first = work[0];
        for (int i = 0; i < N; i++) {
            work[i][0] = (float)state[i];
            work[i][1] = 0.5f;
        }
        for (int i = 1; i < N - 1; i++)
            state[i] = work[i - 1][0] * work[i][1] + work[i + 1][0] * 0.25f;
        printf("%d\n", t);
        if (t == 4)
            printf("%a\n", first[2]);
    }
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 64), m = argument(argc, argv, 2, 1), steps = argument(argc, argv, 3, 20);
    for (int i = 0; i < N; i++)
        u[i] = state[i] = (i * 7) % 11;
    printf("%d\n", settle(n, m, steps));
    show_double("u", u, N);
    weigh(steps);
    show_double("u", u, N);
    weigh(steps / 2);
    show_double("u", u, N);
    work(steps);
    show_double("state", state, N);
    return 0;
}
