#include <stdio.h>
/* "x" */ const char *k = "__kernel void"
 " f(void)\n{ 'a' \"q\" }\n"; 
