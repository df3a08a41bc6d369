// Work space of a step whose elements are structures of numbers: a static array of a function, and one that is declared in each call.
// args: 6 ; 1 ; 0
// form: structures: static struct spin next[ROWS][COLUMNS];
// form: structures: struct spin half[ROWS][COLUMNS];
// form: structures: normalise(&next[i][j]);
#include <math.h>
#include <string.h>
#include "dump.h"

#define ROWS 24
#define COLUMNS 17

struct spin {
    double x, y, z;
};

static struct spin s[ROWS][COLUMNS];

static struct spin cross(struct spin a, struct spin b)
{
    struct spin c = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return c;
}

static void normalise(struct spin *v)
{
    double length = sqrt(v->x * v->x + v->y * v->y + v->z * v->z + 1);
    v->x /= length;
    v->y /= length;
    v->z /= length;
}

static void turn(double by)
{
    static struct spin next[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            struct spin field = s[(i + 1) % ROWS][j], beside = s[i][(j + COLUMNS - 1) % COLUMNS];
            field.x += by * beside.y;
            next[i][j] = cross(s[i][j], field);
            normalise(&next[i][j]);
        }
    memcpy(s, next, sizeof s);
}

static void smooth(void)
{
    struct spin half[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            half[i][j].x = 0.5 * s[i][j].x;
            half[i][j].y = 0.5 * s[i][j].y + half[i][j].x;
            half[i][j].z = s[i][j].z;
        }
    for (int i = 1; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            s[i][j].x += half[i - 1][j].y;
            s[i][j].y = half[i][j].x + half[i - 1][j].z;
        }
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 6);
    fill_double(&s[0][0].x, ROWS * COLUMNS * 3, 1);
#pragma stencil
    for (int t = 0; t < steps; t++) {
        turn(0.1);
        smooth();
    }
    show_double("s", &s[0][0].x, ROWS * COLUMNS * 3);
    return 0;
}
