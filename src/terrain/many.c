/* SPDX-License-Identifier: MIT */
/* Casts many rays in packets, in their order or sorted by origin.
 *
 * With a limited budget, unsorted rays are sorted by the column of chunks in which they start, and there by their
 * directions' signs. Rays that start together need the same trees, and a tree that was evicted since the last ray that
 * needed it must be built again. Rays that come nearly sorted, like a camera's, keep their order. With an unlimited
 * budget no tree is built twice, so nothing is sorted. Results do not depend on the order. */
#include "src/terrain/terrain_internal.h"

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/kd/answers.h"

#include <string.h>

enum {
    PACKET = 16,
    PIECE = 64 * PACKET, /* rays per task */
    MIN_TO_SORT = 4 * PACKET,
    DIGIT_BITS = 10, /* bits of the key that one pass sorts by */
    DIGITS = 1 << DIGIT_BITS
};

/* ---- order ---- */

typedef struct keyed {
    uint32_t key, ray;
} keyed;

/* Chunk of a coordinate on one axis, clamped. NaN gives 0. */
static uint32_t find_chunk_on_axis(float at, int32_t first, uint32_t chunks)
{
    const float in = (at - (float)(first * VP_CHUNK_EDGE)) * (1.0f / (float)VP_CHUNK_EDGE);
    return !(in > 0.0f) ? 0 : in >= (float)chunks ? chunks - 1 : (uint32_t)in;
}

/* At most 8 bits of x and z each, and 3 of the direction. */
static uint32_t key_of(const vp_terrain *t, const vp_ray *ray)
{
    const uint32_t x = find_chunk_on_axis(ray->origin.x, t->first.x, t->chunks.x),
                   z = find_chunk_on_axis(ray->origin.z, t->first.z, t->chunks.z);
    const uint32_t signs =
        (uint32_t)(ray->direction.x < 0.0f) | (uint32_t)(ray->direction.y < 0.0f) << 1 | (uint32_t)(ray->direction.z < 0.0f) << 2;
    return (z * t->chunks.x + x) << 3 | signs;
}

/* Whether the rays are so unordered that sorting pays. */
static bool is_unsorted(const vp_terrain *t, const vp_ray *ray, size_t count)
{
    size_t falls = 0;
    uint32_t last = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t key = key_of(t, &ray[i]);
        falls += key < last;
        last = key;
    }
    return falls > count / 256;
}

/* One pass of a stable radix sort. */
static void sort_by_digit(const keyed *from, keyed *to, size_t count, unsigned shift)
{
    uint32_t begin[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        begin[(from[i].key >> shift & (DIGITS - 1)) + 1]++;
    for (uint32_t d = 0; d < DIGITS; d++)
        begin[d + 1] += begin[d];
    for (size_t i = 0; i < count; i++)
        to[begin[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts the rays' numbers by key. @param room  2 * count elements. The first half receives the result */
static void sort_rays(const vp_terrain *t, const vp_ray *ray, size_t count, keyed *room)
{
    for (size_t i = 0; i < count; i++)
        room[i] = (keyed){key_of(t, &ray[i]), (uint32_t)i};
    sort_by_digit(room, room + count, count, 0);
    sort_by_digit(room + count, room, count, DIGIT_BITS);
}

/* ---- pieces ---- */

typedef struct rays {
    vp_terrain *terrain;
    vp_surface surface;
    const vp_ray *ray;
    vp_terrain_hit *hit;
    const keyed *order;  /* NULL: in the caller's order */
    size_t count, piece; /* total number of rays, and number per piece except the last */
    atomic_bool built, failed;
    atomic_uint_least32_t failed_chunk;
} rays;

/* Casts a packet of rays scattered over the array. */
static void cast_sorted(const rays *r, const vp_terrain_view *view, const keyed *order, uint32_t count)
{
    vp_ray ray[PACKET];
    vp_terrain_hit hit[PACKET];
    for (uint32_t i = 0; i < count; i++)
        ray[i] = r->ray[order[i].ray];
    r->terrain->kernels.terrain_ray16(view, ray, count, hit);
    for (uint32_t i = 0; i < count; i++)
        r->hit[order[i].ray] = hit[i];
}

static void cast_piece(void *argument, uint32_t index)
{
    rays *r = argument;
    const size_t begin = index * r->piece, end = r->count - begin < r->piece ? r->count : begin + r->piece;
    vp_terrain_query q;
    vp_terrain_begin_part(r->terrain, r->surface, &q);
    for (size_t i = begin; i < end && !q.user.failed; i += PACKET) {
        const uint32_t packet = end - i < PACKET ? (uint32_t)(end - i) : PACKET;
        if (r->order == NULL)
            r->terrain->kernels.terrain_ray16(&q.view, r->ray + i, packet, r->hit + i);
        else
            cast_sorted(r, &q.view, r->order + i, packet);
    }
    vp_cache_leave(&q.user);
    if (q.user.misses != 0)
        atomic_store(&r->built, true);
    if (q.user.failed) {
        atomic_store(&r->failed_chunk, q.user.failed_chunk);
        atomic_store(&r->failed, true);
    }
}

static void cast_all(rays *r)
{
    vp_terrain *t = r->terrain;
    const vp_executor *e = &t->executor;
    const size_t rooms = r->count <= UINT32_MAX / 2 ? r->count * 2 : 0;
    keyed *room = NULL;
    if (t->cache.limited && r->count >= MIN_TO_SORT && rooms != 0 && is_unsorted(t, r->ray, r->count))
        room = vp_allocate(&t->allocator, rooms, sizeof *room); /* without memory the rays keep their order */
    if (room != NULL)
        sort_rays(t, r->ray, r->count, room);
    r->order = room;
    r->piece = e->thread_count <= 1 || r->count / UINT32_MAX >= PIECE ? r->count : PIECE;
    if (r->count <= r->piece)
        cast_piece(r, 0);
    else
        e->parallel_for(e->user, (uint32_t)((r->count + r->piece - 1) / r->piece), cast_piece, r);
    vp_release(&t->allocator, room, rooms, sizeof *room);
}

/* @param built  receives whether a tree was built */
static vp_status cast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out, bool *built,
                           vp_error *error)
{
    *built = false;
    VP_RETURN_IF_ARRAY_NULL(error, ray, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, count);
    vp_status status = vp_terrain_check_surface(terrain, surface, error);
    if (status != VP_OK || count == 0)
        return status != VP_OK ? status : vp_succeed(error);
    rays r = {.terrain = terrain, .surface = surface, .ray = ray, .hit = out, .count = count};
    atomic_init(&r.built, false);
    atomic_init(&r.failed, false);
    atomic_init(&r.failed_chunk, 0);
    cast_all(&r);
    *built = atomic_load(&r.built);
    if (atomic_load(&r.failed))
        return vp_terrain_no_memory((uint32_t)atomic_load(&r.failed_chunk), error);
    for (size_t i = 0; i < count; i++)
        if (out[i].in_chunk.triangle == VP_RAY_INVALID)
            return vp_refuse_ray_number(i, &ray[i], error);
    return vp_succeed(error);
}

vp_status vp_terrain_reader_raycast_many(const vp_terrain_reader *reader, vp_surface surface, const vp_ray *ray, size_t count,
                                         vp_terrain_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, reader);
    bool built;
    return cast_many(reader->terrain, surface, ray, count, out, &built, error);
}

vp_status vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                  vp_error *error)
{
    VP_RETURN_IF_NULL(error, terrain);
    bool built;
    vp_gate_enter_read(&terrain->gate);
    const vp_status status = cast_many(terrain, surface, ray, count, out, &built, error);
    vp_gate_leave_read(&terrain->gate);
    if (built)
        vp_terrain_refresh_top_level(terrain);
    return status;
}
