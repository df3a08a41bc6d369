/* The second call, behind the original loops. */

/* Whether the original loops have run since this call of the program asked for them: then they are compared with what was
   kept, and the nest is done. What was left half-way, by a jump out of the loops, begins anew. */
static STENCIL_UNUSED int stencil_has_run(const stencil_region *region, stencil_turn *turn, const void *frame)
{
    stencil_verification *kept = turn->kept;
    int has_run = turn->waits && turn->frame == frame;

    turn->waits = 0;
    turn->kept = NULL;
    turn->frame = frame;
    if (has_run && kept)
        stencil_verify(region, kept);
    else if (kept)
        stencil_say_not_verified(region, "its loops were left before their end");
    stencil_release_verification(kept);
    return has_run;
}
