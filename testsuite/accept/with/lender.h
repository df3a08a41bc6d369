#ifndef LENDER_H
#define LENDER_H

typedef struct {
    int n, time;
    double *u, *v;
} line;

void open_lender(int n);
void spread(line *l);
void feed(int step);
void tune(int step);
void show_lender(void);

#endif
