// Arrays of characters are text: functions of the library, and those that get any number of arguments, read their rows.
// args: 12 20 ; 5 7
// form: loops that the host keeps: printf("%s\n", grid[i]);
#include "dump.h"
#include <stdarg.h>
#include <string.h>

enum { ROWS = 12, COLUMNS = 20 };

static char grid[ROWS][COLUMNS + 1], next[ROWS][COLUMNS + 1];
static char flat[400], other[400];

static void say(const char *form, ...)
{
    va_list all;
    va_start(all, form);
    vfprintf(stdout, form, all);
    va_end(all);
}

static void show(const char *row, int width)
{
    printf("%.*s|\n", width, row);
}

static void live(int steps)
{
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++) {
                int around = 0;
                for (int a = -1; a <= 1; a++)
                    for (int b = -1; b <= 1; b++)
                        around += grid[i + a][j + b] == '#';
                next[i][j] = around == 3 || (around == 4 && grid[i][j] == '#') ? '#' : '.';
            }
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                grid[i][j] = next[i][j];
        say("step %d\n", t);
        if (t % 4 == 3)
            for (int i = 0; i < ROWS; i++)
                printf("%s\n", grid[i]);
        if (t % 4 == 1)
            say("%s %s\n", grid[2], grid[3]);
    }
}

static void shift(int steps)
{
    char *place = flat, line[40];
#pragma stencil
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 399; i++)
            other[i] = (char)('a' + (flat[i - 1] + flat[i + 1]) % 20);
        for (int i = 1; i < 399; i++)
            flat[i] = other[i];
        if (t % 4 == 3)
            printf("%.20s|\n", flat + 40);
        if (t % 4 == 2)
            show(flat + 60, 20);
        if (t % 4 == 1)
            fprintf(stdout, "%.20s|\n", place + 40);
        if (t % 4 == 0)
            say("%.20s|\n", t < 9 ? flat : place + 3);
        sprintf(line, "%d", t);
        puts(line);
        if (t == 5)
            sprintf(place + 7, "here");
    }
    printf("%.40s\n", flat);
}

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 12), seed = argument(argc, argv, 2, 20);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            grid[i][j] = next[i][j] = (i * 7 + j * j) % seed < seed / 2 ? '#' : '.';
    for (int i = 0; i < 399; i++)
        flat[i] = other[i] = (char)('a' + i * seed % 20);
    live(steps);
    shift(steps);
    return 0;
}
