/* Prints a name and a hash of bytes; recipes put calls where results are complete. */
void stencil_check(const char *name, const void *bytes, unsigned long count);
