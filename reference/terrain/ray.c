/* SPDX-License-Identifier: MIT */
/* Rays through a terrain: voxel terrain article, "Loose kD tree: queries", world raycast.
 *
 * The grid of chunks is walked by bisection. A box of chunks that the ray misses is skipped. Any other is cut in two
 * across its longest side, and the half that the ray reaches first is visited first. At a chunk the broadphase is
 * queried. An EMPTY chunk has no triangles. For others the tree is used if it exists, and requested if not and the
 * ray crosses set bits. Chunks' triangles extend half a voxel into their neighbours, so boxes overlap, and a hit
 * ends the walk only when all remaining boxes begin after it. Rounding is covered as in a tree, by boxes that are a
 * little larger (vp_ray_pad). */
#include <voxphys/kernel/terrain.h>

#include <math.h>

#include "src/terrain/walk.h"

/* How a query handles the tree of a chunk that its ray comes to. */
typedef struct chunk_query {
    /* @return the largest s that the query still needs; negative to end */
    float (*take)(struct chunk_query *query, const vp_kd_view *tree, uint32_t chunk, float s_most);
    const vp_ray *ray;
    float radius;        /* of a sphere, or VP_RADIUS_OF_RAY */
    vp_terrain_hit *hit; /* closest: the best hit; all: the list, in ascending order */
    float distance;      /* closest: vp_meeting.distance of the best hit */
    uint32_t count, capacity;
} chunk_query;

/* Chunks low to high - 1 on each axis. */
typedef struct chunk_box {
    vp_ivec3 low, high;
} chunk_box;

enum {
    CHUNKS_MAX = 21,       /* bisections of 256 x 32 x 256 down to a chunk */
    STACK = CHUNKS_MAX + 2 /* each bisection leaves one half waiting */
};

static bool clip_to_chunks(const vp_box_ray *r, const chunk_box *b, float s_most, vp_ray_part *out)
{
    const vp_dims chunks = {(uint32_t)(b->high.x - b->low.x), (uint32_t)(b->high.y - b->low.y), (uint32_t)(b->high.z - b->low.z)};
    const vp_aabb box = vp_chunks_box(b->low, chunks);
    const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    *out = vp_part_inside(r, low, high, (vp_ray_part){0.0f, s_most});
    return out->near <= out->far;
}

/* Cuts a box in two. The first half is the one the ray comes from. */
static void halve_box(const vp_box_ray *r, const chunk_box *b, chunk_box *first, chunk_box *second)
{
    const int32_t x = b->high.x - b->low.x, y = b->high.y - b->low.y, z = b->high.z - b->low.z;
    chunk_box lower = *b, upper = *b;
    int axis;
    if (x >= y && x >= z) {
        axis = 0;
        lower.high.x = upper.low.x = b->low.x + x / 2;
    } else if (y >= z) {
        axis = 1;
        lower.high.y = upper.low.y = b->low.y + y / 2;
    } else {
        axis = 2;
        lower.high.z = upper.low.z = b->low.z + z / 2;
    }
    *first = r->backwards[axis] ? upper : lower;
    *second = r->backwards[axis] ? lower : upper;
}

static bool is_empty(const vp_terrain_view *t, vp_ivec3 at)
{
    const vp_broadphase_view *b = &t->bits;
    return b->slot[(ptrdiff_t)at.y * b->slot_stride_y + (ptrdiff_t)at.z * b->slot_stride_z + at.x] == VP_CHUNK_EMPTY;
}

/* @return false for an invalid ray */
static bool visit_chunks(const vp_terrain_view *t, chunk_query *q)
{
    vp_box_ray r;
    if (!vp_box_ray_of(q->ray, &t->box, q->radius, &r))
        return false;
    chunk_box waiting[STACK] = {
        {t->first, {t->first.x + (int32_t)t->chunks.x, t->first.y + (int32_t)t->chunks.y, t->first.z + (int32_t)t->chunks.z}}};
    float s_most = r.frame.s_max;
    for (int waits = 1; waits > 0;) {
        const chunk_box b = waiting[--waits];
        vp_ray_part in;
        if (!clip_to_chunks(&r, &b, s_most, &in))
            continue;
        if (b.high.x - b.low.x > 1 || b.high.y - b.low.y > 1 || b.high.z - b.low.z > 1) {
            halve_box(&r, &b, &waiting[waits + 1], &waiting[waits]);
            waits += 2;
            continue;
        }
        const vp_kd_view *tree = is_empty(t, b.low) ? NULL : vp_tree_for_ray(t, &r, b.low, s_most);
        if (tree != NULL && tree->triangles.triangle_count != 0)
            s_most = q->take(q, tree, vp_terrain_chunk(t, b.low), s_most);
    }
    return true;
}

/* ---- the nearest ---- */

static float keep_closest(chunk_query *q, const vp_kd_view *tree, uint32_t chunk, float s_most)
{
    vp_meeting m;
    const vp_hit hit = vp_kd_nearest(tree, q->ray, q->radius, s_most, &m);
    if (hit.triangle < 0)
        return s_most;
    if (q->hit->in_chunk.triangle < 0 || m.s < s_most || m.distance < q->distance || (m.distance == q->distance && chunk < q->hit->chunk)) {
        *q->hit = (vp_terrain_hit){hit, chunk};
        q->distance = m.distance;
    }
    return m.s;
}

static vp_terrain_hit find_nearest(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    vp_terrain_hit hit = {{ray->t_max, VP_NO_HIT, 0.0f, 0.0f}, 0};
    chunk_query q = {.take = keep_closest, .ray = ray, .radius = radius, .hit = &hit};
    if (!visit_chunks(terrain, &q))
        hit.in_chunk.triangle = VP_RAY_INVALID;
    return hit;
}

vp_terrain_hit vp_terrain_ray_scalar(const vp_terrain_view *terrain, const vp_ray *ray)
{
    return find_nearest(terrain, ray, VP_RADIUS_OF_RAY);
}

void vp_terrain_ray16_scalar(const vp_terrain_view *terrain, const vp_ray *ray, uint32_t count, vp_terrain_hit *hit)
{
    for (uint32_t i = 0; i < count; i++)
        hit[i] = vp_terrain_ray_scalar(terrain, &ray[i]);
}

vp_terrain_hit vp_terrain_sphere_sweep_scalar(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    if (radius >= 0.0f && radius <= VP_KD_MAX)
        return find_nearest(terrain, ray, radius);
    return (vp_terrain_hit){{ray->t_max, VP_RAY_INVALID, 0.0f, 0.0f}, 0};
}

/* ---- any ---- */

static float keep_any(chunk_query *q, const vp_kd_view *tree, uint32_t chunk, float s_most)
{
    (void)chunk;
    if (vp_kd_ray_any_scalar(tree, q->ray) != 1)
        return s_most;
    q->count = 1;
    return -1.0f;
}

int32_t vp_terrain_ray_any_scalar(const vp_terrain_view *terrain, const vp_ray *ray)
{
    chunk_query q = {.take = keep_any, .ray = ray, .radius = VP_RADIUS_OF_RAY};
    return visit_chunks(terrain, &q) ? (int32_t)q.count : VP_RAY_INVALID;
}

/* ---- all ---- */

static bool is_before(const vp_terrain_hit *a, const vp_terrain_hit *b)
{
    if (a->in_chunk.t != b->in_chunk.t)
        return a->in_chunk.t < b->in_chunk.t;
    return a->chunk != b->chunk ? a->chunk < b->chunk : a->in_chunk.triangle < b->in_chunk.triangle;
}

static void insert_terrain_hit(chunk_query *q, const vp_terrain_hit *hit)
{
    uint32_t at = q->count < q->capacity ? q->count : q->capacity;
    q->count++;
    while (at > 0 && is_before(hit, &q->hit[at - 1])) {
        if (at < q->capacity)
            q->hit[at] = q->hit[at - 1];
        at--;
    }
    if (at < q->capacity)
        q->hit[at] = *hit;
}

typedef struct listing {
    chunk_query *query;
    uint32_t chunk;
} listing;

static void insert_hit(void *user, const vp_hit *hit)
{
    const listing *l = user;
    const vp_terrain_hit of_world = {*hit, l->chunk};
    insert_terrain_hit(l->query, &of_world);
}

static float keep_all(chunk_query *q, const vp_kd_view *tree, uint32_t chunk, float s_most)
{
    listing l = {q, chunk};
    vp_kd_each_hit(tree, q->ray, insert_hit, &l);
    return s_most;
}

uint32_t vp_terrain_ray_all_scalar(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity)
{
    chunk_query q = {.take = keep_all, .ray = ray, .radius = VP_RADIUS_OF_RAY, .hit = out, .capacity = capacity};
    return visit_chunks(terrain, &q) ? q.count : VP_RAY_ALL_INVALID;
}
