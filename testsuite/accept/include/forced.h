/* Included by a flag of the command line only. */
#ifndef FORCED_H
#define FORCED_H

typedef int length;
typedef double element;
#define FORCED 0.0625

#endif
