
void f(int n, int steps, double *a, double *b)
{
{
void f(int n, int steps, double *a, double *b)
{
f(int n, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, int steps, double *a, double *bif (i > 0) if (i > 0) if (i > 0) if (i > ) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if 0x7fffffffffffffff  (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) 
}
{
void f(int n, int steps, double *a, doubif (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) ile *b)
{
#pragma stencil time_tile(1ÿ -- f (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) >>  if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0) if (i > 0 return ) if (i > 0) if  --  --  --  --(i > 0)   if (-