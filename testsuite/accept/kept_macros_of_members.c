// Macros stand for members that have their names: what the host hands on and brings is written by the macros, too.
// form: structures: #define columns (box->columns)
// args: 6 17 9 ; 1 5 5 ; 7 6 21
#include "dump.h"

struct box {
    int rows, columns, steps;
    double weight, time;
    double *cells;
};

/* Here the members have no macros. */
static void shrink(struct box *box, double *other)
{
#pragma stencil
    for (int t = 0; t < box->steps; t++) {
        for (int i = 1; i < box->rows - 1; i++)
            for (int j = 1; j < box->columns - 1; j++)
                other[i * box->columns + j] = box->weight * box->cells[(i - 1) * box->columns + j + 1];
        for (int i = 1; i < box->rows - 1; i++)
            for (int j = 1; j < box->columns - 1; j++)
                box->cells[i * box->columns + j] += other[i * box->columns + j];
    }
}

#define rows box->rows
#define columns (box->columns)
#define weight box -> weight
#define cells box->cells

/* The steps in one call. */
static void move(struct box *box, double *other)
{
#pragma stencil
    for (int t = 0; t < box->steps; t++) {
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++)
                other[i * columns + j] = weight * (cells[(i - 1) * columns + j] + cells[i * columns + j + 1]);
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++)
                cells[i * columns + j] = other[i * columns + j];
    }
}

#undef weight
#define time box->time

int main(int argc, char **argv)
{
    struct box whole = { 0 }, *box = &whole;
    box->steps = argument(argc, argv, 1, 5);
    rows = argument(argc, argv, 2, 12);
    columns = argument(argc, argv, 3, 9);
    box->weight = 0.3;
    cells = new_double(rows * columns, 1);
    double *other = new_double(rows * columns, 2);
    shrink(box, other);
    move(box, other);
#pragma stencil
    for (int t = 0; t < box->steps; t++) {
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++)
                other[i * columns + j] = time * cells[i * columns + j - 1] + box->weight * cells[(i + 1) * columns + j];
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++)
                cells[i * columns + j] = other[i * columns + j] + 0.125;
        if (t % 2 == 0) {
            for (int j = 0; j < columns; j++)
                printf("%a ", cells[2 * columns + j]);
            printf("\n");
        }
        time += 0.25;
    }
    show_double("cells", cells, rows * columns);
    show_double("other", other, rows * columns);
    printf("%a\n", time);
    free(other);
    free(cells);
    return 0;
}
