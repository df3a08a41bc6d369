__kernel void f(void)
{ 'a' "q" }
