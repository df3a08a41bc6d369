// Members of structures carry what steps make of elements, and the host looks at them between steps, sets them, and hands their
// structure on.
// args: 30 11 ; 5 3 ; 3 0 ; 9 1
// form: loops that the host keeps: p.w = rows[t % 2].w + a[1];
// form: loops that the host keeps: if (p.w > 0.5) p.w = 0.5;
#include "dump.h"

struct weights {
    double w;
    float far;
    int count;
};

static void by_value(struct weights w)
{
    printf("by value: %a\n", w.w);
}

static void by_address(const struct weights *w)
{
    printf("by address: %a\n", w->w);
}

static void set(struct weights *w)
{
    w->w = 0.125;
}

int main(int argc, char **argv)
{
    int n = argument(argc, argv, 1, 30), steps = argument(argc, argv, 2, 11);
    double *a = new_double((size_t)n, 1), *b = new_double((size_t)n, 2);
    struct weights p = {0.5, 1.5f, 0}, q = {0.25, 0.5f, 0}, rows[2] = {{0.5, 0.5f, 1}, {0.25, 0.75f, 2}}, copy = {0, 0, 0};

#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = p.w * a[i] + 0.25 * (a[i - 1] + a[i + 1]);
        p.w = rows[t % 2].w + a[1];
        for (int i = 1; i < n - 1; i++)
            a[i] = p.w * b[i] + 0.0625 * (b[i - 1] + b[i + 1]);
        printf("step %d: %a\n", t, p.w);
        if (p.w > 0.5) p.w = 0.5;
    }

#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = q.w * a[i] + 0.25 * (a[i - 1] + a[i + 1]);
        q.w = 0.5 * q.w + a[1];
        for (int i = 1; i < n - 1; i++)
            a[i] = q.w * b[i] + 0.0625 * (b[i - 1] + b[i + 1]);
        switch (t % 6) {
        case 1:
            by_value(q);
            break;
        case 2:
            by_address(&q);
            break;
        case 3:
            memcpy(&copy, &q, sizeof q);
            printf("copied: %a\n", copy.w);
            break;
        case 4:
            copy = q;
            printf("assigned: %a\n", copy.w);
            break;
        case 5:
            set(&q);
            break;
        default:
            q.count++;
        }
    }
    printf("%a %d, %a %d\n", p.w, p.count, q.w, q.count);
    show_double("a", a, (size_t)n);
    show_double("b", b, (size_t)n);
    return 0;
}
