#ifndef SETTINGS_H
#define SETTINGS_H

#include <stdbool.h>
#include <stdio.h>

struct settings;

typedef struct settings {
    FILE *log;
    bool is_damped;
    int n;
    bool *fields;
    double rate;
} settings;

void relax(settings *s, double *u, double *v);

#endif
