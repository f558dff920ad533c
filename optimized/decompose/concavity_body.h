/* SPDX-License-Identifier: MIT */
/* The concavity of a hull with eight triangles, and then eight rays, in lanes of binary64. Include after the header of an ISA.
 *
 * Idea. The reference has two long loops, which compare the hull's points with the planes of triangles, and the hull's planes with rays.
 * Here each point or plane is broadcast, and meets eight triangles or rays at once.
 * 1. A block's eight triangles are the lanes of the first loop (find_reach). A block is skipped if no corner of the hull's box is in front
 *    of it. This is exact: rounding is monotone, so the farthest corner is never less far than a point of the hull.
 * 2. Samples inside the hull's box go to a batch with their normals, in the order of the reference, whatever their triangle. So triangles
 *    with one sample fill batches too. A full batch is measured (measure_batch).
 * 3. The lanes of a batch are compared with the longest ray one after the other. During the batch, rays are bounded by the longest ray
 *    before it, which is no longer than the reference's. A condition that ends a ray stays true, so neither the order of planes nor a
 *    lower bound changes a length.
 *
 * Layout. vp_surface_block has eight triangles by coordinate. A batch has eight samples by coordinate.
 *
 * Instruction. The division, twice for each plane and eight rays: vdivpd on AVX2 (two registers) and AVX-512 (one), fdiv on NEON and
 * f64x2.div in WebAssembly (four). Distances along a ray are kept negated. Then above / rise serves entries and exits, and no lane needs
 * a branch. The bits are the reference's, because -(a / b) is -a / b.
 *
 * The reference tests a triangle of more than eight samples against each plane first. Here a plane costs as much for eight rays as for
 * eight triangles, so only triangles of many samples are tested.
 *
 * Tried without clear gain:
 * - Points as doubles, converted once for each hull (2 % fewer instructions in a decomposition).
 * - Boxes around each 6, 8 or 16 of the hull's points, which skip points that are not in front (3 to 13 % less time with 356,000
 *   triangles, but up to 10 % more with 5,000 to 50,000).
 * - Prefetches of the next block and its samples, although a fine mesh's blocks exceed a level 2 cache. */
#ifndef VP_OPTIMIZED_DECOMPOSE_CONCAVITY_BODY_H
#define VP_OPTIMIZED_DECOMPOSE_CONCAVITY_BODY_H

#include <math.h>

#include <voxphys/kernel/decompose.h>

enum {
    LANES = VP_SURFACE_LANES,
    MANY = 16 /* samples of a triangle that is tested as a whole first */
};

/* Samples that wait, in the first `count` lanes. */
typedef struct concavity_batch {
    _Alignas(64) double point[3][LANES], along[3][LANES], reach[LANES];
    uint32_t sample[LANES], count;
} concavity_batch;

typedef struct concavity_search {
    const vp_concavity_job *job;
    double low[3], high[3]; /* the hull's box, larger by the quantum */
    uint32_t plane;         /* the first one to compare with. It ended the last batch */
    vp_concavity_result longest;
    concavity_batch batch;
} concavity_search;

VP_INLINE f64x8 dot_8(f64x8 ax, f64x8 ay, f64x8 az, f64x8 bx, f64x8 by, f64x8 bz)
{
    return f64x8_add(f64x8_add(f64x8_mul(ax, bx), f64x8_mul(ay, by)), f64x8_mul(az, bz));
}

/* Measures the rays of the waiting samples, and keeps the longest. */
static void measure_batch(concavity_search *s)
{
    const vp_concavity_job *job = s->job;
    const concavity_batch *b = &s->batch;
    const f64x8 x = f64x8_load(b->point[0]), y = f64x8_load(b->point[1]), z = f64x8_load(b->point[2]);
    const f64x8 along_x = f64x8_load(b->along[0]), along_y = f64x8_load(b->along[1]), along_z = f64x8_load(b->along[2]);
    const f64x8 zero = f64x8_set1(0.0), quantum = f64x8_set1(job->quantum);
    const f64x8 latest_in = f64x8_set1(-job->quantum), least_out = f64x8_set1(-s->longest.error);
    /* Where a ray enters and leaves the hull, and the part of the hull that is deeper than the quantum, all negated. */
    f64x8 in = zero, deep_in = zero, out = f64x8_set1(-INFINITY), deep_out = out;
    m64x8 live = m64x8_of_bits((1u << b->count) - 1);
    s->batch.count = 0;
    for (uint32_t n = 0, i = s->plane; n < job->planes; n++, i = i + 1 < job->planes ? i + 1 : 0) {
        const double *plane = job->plane[i];
        const f64x8 nx = f64x8_set1(plane[0]), ny = f64x8_set1(plane[1]), nz = f64x8_set1(plane[2]);
        const f64x8 above = f64x8_sub(dot_8(nx, ny, nz, x, y, z), f64x8_set1(plane[3])), deep_above = f64x8_add(above, quantum);
        const f64x8 rise = dot_8(nx, ny, nz, along_x, along_y, along_z);
        const f64x8 at = f64x8_div(above, rise), deep_at = f64x8_div(deep_above, rise);
        const m64x8 leaves = f64x8_cmp_gt(rise, zero), enters = f64x8_cmp_gt(zero, rise);
        const m64x8 beyond = m64x8_and(f64x8_cmp_eq(rise, zero), f64x8_cmp_gt(deep_above, zero));
        out = f64x8_select(leaves, f64x8_max_fast(out, at), out);
        deep_out = f64x8_select(leaves, f64x8_max_fast(deep_out, deep_at), deep_out);
        in = f64x8_select(enters, f64x8_min_fast(in, at), in);
        deep_in = f64x8_select(enters, f64x8_min_fast(deep_in, deep_at), deep_in);
        const m64x8 late = m64x8_or(f64x8_cmp_gt(latest_in, in), f64x8_cmp_ge(deep_out, deep_in));
        live = m64x8_andnot(live, m64x8_or(m64x8_or(beyond, late), f64x8_cmp_ge(out, least_out)));
        if (!m64x8_any(live)) {
            s->plane = i;
            return;
        }
    }
    double length[LANES];
    f64x8_store(length, f64x8_min_fast(f64x8_sub(zero, out), f64x8_load(b->reach)));
    for (uint32_t lanes = m64x8_movemask(m64x8_and(live, f64x8_cmp_gt(out, f64x8_set1(-INFINITY)))); lanes != 0; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        if (length[lane] > s->longest.error)
            s->longest = (vp_concavity_result){length[lane], b->sample[lane]};
        if (s->longest.error > job->allowed)
            return;
    }
}

/* Finds how far the hull's points are in front of each triangle's plane. @return the lanes in which one may have a longer ray */
VP_INLINE uint32_t find_reach(const concavity_search *s, const vp_surface_block *block, double reach[LANES])
{
    const vp_concavity_job *job = s->job;
    const f64x8 x = f64x8_load(block->normal[0]), y = f64x8_load(block->normal[1]), z = f64x8_load(block->normal[2]);
    const f64x8 offset = f64x8_load(block->offset), zero = f64x8_set1(0.0);
    const f64x8 least = f64x8_set1(job->quantum > s->longest.error ? job->quantum : s->longest.error);
    const f64x8 far_x = f64x8_select(f64x8_cmp_gt(x, zero), f64x8_set1(job->high[0]), f64x8_set1(job->low[0]));
    const f64x8 far_y = f64x8_select(f64x8_cmp_gt(y, zero), f64x8_set1(job->high[1]), f64x8_set1(job->low[1]));
    const f64x8 far_z = f64x8_select(f64x8_cmp_gt(z, zero), f64x8_set1(job->high[2]), f64x8_set1(job->low[2]));
    if (!m64x8_any(f64x8_cmp_gt(f64x8_sub(dot_8(x, y, z, far_x, far_y, far_z), offset), least)))
        return 0;
    f64x8 most = f64x8_set1(-INFINITY);
    for (uint32_t i = 0; i < job->points; i++) {
        const vp_vec3 *p = &job->point[i];
        most = f64x8_max_fast(dot_8(x, y, z, f64x8_set1((double)p->x), f64x8_set1((double)p->y), f64x8_set1((double)p->z)), most);
    }
    most = f64x8_sub(most, offset);
    f64x8_store(reach, most);
    return m64x8_movemask(f64x8_cmp_gt(most, least));
}

/* Finds the triangles of a block, of those in `lanes`, that are wholly above one plane from which their rays lead away, or from which
   they begin too far. None of their samples has a ray. */
VP_INLINE uint32_t find_beyond(const vp_concavity_job *job, const vp_surface_block *block, uint32_t lanes)
{
    const f64x8 along_x = f64x8_load(block->normal[0]), along_y = f64x8_load(block->normal[1]), along_z = f64x8_load(block->normal[2]);
    const f64x8 zero = f64x8_set1(0.0), latest = f64x8_set1(-2.0 * job->quantum), quantum = f64x8_set1(-job->quantum);
    f64x8 corner[3][3], size = zero;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            corner[c][k] = f64x8_load(block->corner[c][k]);
            size = f64x8_max_fast(size, f64x8_abs(corner[c][k]));
        }
    size = f64x8_mul(size, f64x8_set1(4.0));
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < job->planes && (lanes & ~beyond) != 0; i++) {
        const f64x8 nx = f64x8_set1(job->plane[i][0]), ny = f64x8_set1(job->plane[i][1]), nz = f64x8_set1(job->plane[i][2]);
        const f64x8 offset = f64x8_set1(job->plane[i][3]), rise = dot_8(nx, ny, nz, along_x, along_y, along_z);
        f64x8 above = dot_8(nx, ny, nz, corner[0][0], corner[0][1], corner[0][2]);
        for (int c = 1; c < 3; c++)
            above = f64x8_min_fast(above, dot_8(nx, ny, nz, corner[c][0], corner[c][1], corner[c][2]));
        const f64x8 slack = f64x8_mul(f64x8_add(size, f64x8_abs(offset)), f64x8_set1(0x1p-48)); /* of roundings */
        const f64x8 limit = f64x8_select(f64x8_cmp_gt(zero, rise), f64x8_mul(latest, rise), quantum);
        beyond |= m64x8_movemask(f64x8_cmp_gt(f64x8_sub(f64x8_sub(above, offset), slack), limit));
    }
    return beyond;
}

VP_INLINE bool is_inside(const double p[3], const double low[3], const double high[3])
{
    return !((p[0] < low[0]) | (p[0] > high[0]) | (p[1] < low[1]) | (p[1] > high[1]) | (p[2] < low[2]) | (p[2] > high[2]));
}

/* Adds the samples of a triangle that are inside the box to the batch, and measures each that is full. */
VP_INLINE void add_samples(concavity_search *s, const vp_surface_block *block, int lane, double reach)
{
    const double(*point)[3] = s->job->samples->point;
    concavity_batch *b = &s->batch;
    for (uint32_t i = block->first[lane]; i < block->first[lane + 1]; i++) {
        const uint32_t at = b->count;
        for (int k = 0; k < 3; k++) {
            b->point[k][at] = point[i][k];
            b->along[k][at] = block->normal[k][lane];
        }
        b->reach[at] = reach;
        b->sample[at] = i;
        b->count += is_inside(point[i], s->low, s->high);
        if (b->count == LANES) {
            measure_batch(s);
            if (reach <= s->longest.error || s->longest.error > s->job->allowed)
                return;
        }
    }
}

/* Finds the triangles of a block that are outside the box, so that none of their samples is inside it. */
VP_INLINE uint32_t find_apart(const concavity_search *s, const vp_surface_block *block)
{
    uint32_t apart = 0;
    for (int k = 0; k < 3; k++) {
        const f64x8 a = f64x8_load(block->corner[0][k]), b = f64x8_load(block->corner[1][k]), c = f64x8_load(block->corner[2][k]);
        const f64x8 least = f64x8_min_fast(f64x8_min_fast(a, b), c), most = f64x8_max_fast(f64x8_max_fast(a, b), c);
        const f64x8 slack = f64x8_mul(f64x8_max_fast(f64x8_abs(least), f64x8_abs(most)), f64x8_set1(0x1p-48)); /* of roundings */
        apart |= m64x8_movemask(m64x8_or(f64x8_cmp_gt(f64x8_set1(s->low[k]), f64x8_add(most, slack)),
                                         f64x8_cmp_gt(f64x8_sub(least, slack), f64x8_set1(s->high[k]))));
    }
    return apart;
}

VP_INLINE void search_block(concavity_search *s, uint32_t at)
{
    const vp_surface_samples *samples = s->job->samples;
    const vp_surface_block *block = &samples->block[at];
    double reach[LANES];
    uint32_t lanes = find_reach(s, block, reach), many = 0;
    if (lanes != 0)
        lanes &= ~find_apart(s, block);
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        many |= block->first[lane + 1] - block->first[lane] > MANY ? 1u << lane : 0;
    }
    if (many != 0)
        lanes &= ~(find_beyond(s->job, block, many) & many);
    for (; lanes != 0 && s->longest.error <= s->job->allowed; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        if (block->first[lane] == block->first[lane + 1] || reach[lane] <= s->longest.error)
            continue;
        if (samples->place != NULL)
            samples->place(samples->user, at, (uint32_t)lane);
        add_samples(s, block, lane, reach[lane]);
    }
}

VP_INLINE bool is_apart(const vp_surface_box *box, const double low[3], const double high[3])
{
    return box->high[0] < low[0] || box->low[0] > high[0] || box->high[1] < low[1] || box->low[1] > high[1] || box->high[2] < low[2] ||
           box->low[2] > high[2];
}

VP_INLINE vp_concavity_result concavity(const vp_concavity_job *job)
{
    const vp_surface_samples *all = job->samples;
    concavity_search s;
    s.job = job;
    s.plane = s.batch.count = 0;
    s.longest = (vp_concavity_result){0.0, VP_DECOMPOSE_NONE};
    for (int k = 0; k < 3; k++) {
        s.low[k] = job->low[k] - job->quantum;
        s.high[k] = job->high[k] + job->quantum;
        for (int lane = 0; lane < LANES; lane++) /* lanes without a sample have no ray, and are finite */
            s.batch.point[k][lane] = s.batch.along[k][lane] = s.batch.reach[lane] = 0.0;
    }
    for (uint32_t i = 0; i < all->boxes && s.longest.error <= job->allowed;) {
        const vp_surface_box *box = &all->box[i];
        if (is_apart(box, s.low, s.high)) {
            i = box->next;
            continue;
        }
        if (box->block != VP_DECOMPOSE_NONE)
            search_block(&s, box->block);
        i++;
    }
    if (s.batch.count != 0 && s.longest.error <= job->allowed)
        measure_batch(&s);
    return s.longest;
}

#endif
