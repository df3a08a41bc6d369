// Arrays and scalars of `bool`, read and written: conversion to it is a test.
// form: bodies: bool is_inner = mask[i] && is_open;
#include "dump.h"
#include <stdbool.h>

static bool mask[40];
static _Bool plane[20][24], next[20][24];

int main(int argc, char **argv)
{
    double a[40], b[40];
    bool is_open = argc > 0, old[40];
    (void)argv;
    fill_double(a, 40, 1);
    fill_double(b, 40, 2);
    for (int i = 0; i < 40; i++) {
        mask[i] = i % 3 == 0;
        old[i] = false;
    }
    for (int i = 0; i < 20 * 24; i++)
        plane[i / 24][i % 24] = i % 5 < 2;
#pragma stencil
    for (int t = 0; t < 5; t++) {
        for (int i = 1; i < 39; i++) {
            bool is_inner = mask[i] && is_open;
            old[i] = a[i];
            if (is_inner)
                b[i] = a[i - 1] + a[i + 1] * (bool)(i & 2);
            else
                b[i] = mask[i - 1] ? 0.5 : a[i] + mask[i + 1] + old[i] * (int)sizeof(mask[0]);
        }
        for (int i = 1; i < 39; i++)
            a[i] = 0.5 * b[i];
    }
#pragma stencil
    for (int t = 0; t < 7; t++) {
        for (int i = 1; i < 19; i++)
            for (int j = 1; j < 23; j++) {
                int alive = plane[i - 1][j] + plane[i + 1][j] + plane[i][j - 1] + plane[i][j + 1];
                next[i][j] = alive / 2;
                next[i][j] |= alive == 1 && plane[i][j];
            }
        for (int i = 1; i < 19; i++)
            for (int j = 1; j < 23; j++)
                plane[i][j] = next[i][j];
    }
    show_double("a", a, 40);
    show_double("b", b, 40);
    for (int i = 0; i < 40; i++)
        printf("%d", old[i]);
    for (int i = 0; i < 20 * 24; i++)
        printf("%d", plane[i / 24][i % 24]);
    printf("\n");
    return 0;
}
