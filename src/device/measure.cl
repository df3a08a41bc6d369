/* What a device can do at most; NUMBERS is the type that it computes with, a vector where that is what its lanes need. */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

__kernel void fill(__global float2 *to) { to[get_global_id(0)] = (float2)(1.0f); }

__kernel void scale(__global const float2 *restrict from, __global float2 *restrict to)
{
    to[get_global_id(0)] = from[get_global_id(0)] * 0.75f;
}

/* Four independent chains that a device may fuse: 512 operations a turn and number. */
#define CHAIN(v) v = v * factor + shift;
#define CHAINS CHAIN(p) CHAIN(q) CHAIN(r) CHAIN(s)
#define CHAINS_4 CHAINS CHAINS CHAINS CHAINS
#define CHAINS_16 CHAINS_4 CHAINS_4 CHAINS_4 CHAINS_4

__kernel void chains(__global NUMBERS *to, const int turns)
{
    const NUMBERS factor = 0.984375f, shift = 0.0078125f;
    NUMBERS p = factor * get_global_id(0), q = p + shift, r = q + shift, s = r + shift;
    for (int turn = 0; turn < turns; turn++) {
        CHAINS_16 CHAINS_16 CHAINS_16 CHAINS_16
    }
    to[get_global_id(0)] = p + q + r + s;
}
