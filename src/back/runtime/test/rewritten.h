/* What a rewritten program does with a call, for tests that verify. Comes after `runtime.h`. */

typedef void original_loops(void *const *bases, const void *context);

/* As the host function of a nest. */
static STENCIL_NOINLINE int run_or_ask(const stencil_nest *nest, const stencil_call *call, stencil_turn *turn)
{
    void *left[8];
    for (int i = 0; i < call->left_count; i++)
        left[i] = call->left[i].variable;
    if (stencil_has_run(nest, turn, STENCIL_FRAME, left))
        return 1;
    return stencil_run(nest, call, turn);
}

/* As the function that has the nest; returns how often its loops have run, which they do on the call's arrays. */
static inline int run_rewritten(const stencil_nest *nest, const stencil_call *call, original_loops *loops)
{
    static STENCIL_THREAD stencil_turn turn;
    static STENCIL_THREAD stencil_quick quick;
    void *bases[4];
    int count = 0;
    turn.quick = &quick;
    for (int i = 0; i < call->array_count; i++)
        bases[i] = call->arrays[i].base;
    while (!run_or_ask(nest, call, &turn)) {
        loops(bases, call->context);
        count++;
    }
    return count;
}

/* How often they must run. */
static inline int loops_run(void)
{
    return stencil_read_options().verifies ? 1 : 0;
}
