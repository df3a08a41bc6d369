/* The second call, behind the original loops. */

/* Whether the original loops have run since this call of the program asked for them: then they are compared with what was
   kept, and the nest is done. What was left half-way, by a jump out of the loops, begins anew. `left` is where the variables are
   now that the nest leaves, in the order of the call's table. */
static STENCIL_UNUSED int stencil_has_run(const stencil_nest *nest, stencil_turn *turn, const void *frame,
                                          void *const *left)
{
    stencil_verification *kept = turn->kept;
    double start = stencil_now();
    int has_run = turn->quick->stencil_asked == turn->quick && turn->quick->stencil_frame == frame;

    if (has_run && turn->is_timed)
        stencil_note_loops(nest, turn);
    turn->is_timed = 0;
    turn->quick->stencil_asked = NULL;
    turn->kept = NULL;
    turn->quick->stencil_frame = frame;
    if (has_run && kept)
        stencil_verify(nest, kept, left);
    else if (kept)
        stencil_say_not_verified(nest, "its loops were left before their end");
    stencil_release_verification(kept);
    if (kept && turn->is_told)
        stencil_account_verification(nest, stencil_now() - start);
    return has_run;
}
