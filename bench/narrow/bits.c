/* SPDX-License-Identifier: MIT */
/* The part "bits". It places objects in caves and in the open, in the air and on the ground, and finds the chunks that each object may
 * touch. It compares three tests, by the chunks' boxes, by the boxes of the chunks' triangles, and by bits. It counts the contacts that
 * have points, and measures the time to find and to collide them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <voxphys/kd.h>
#include <voxphys/mesh.h>
#include <voxphys/manifold.h>
#include <voxphys/narrowphase.h>
#include <voxphys/terrain.h>

#include "bench/experiment.h"
#include "bench/narrow/parts.h"
#include "cases/narrowphase/shapes.h"
#include "datasets/datasets.h"
#include "datasets/kinds/kind.h"
#include "datasets/random.h"

enum {
    OBJECTS = 40,
    SEED = 23,
    TRIES = 100,
    RUNS = 7,
    MOST = 64,
    MANIFOLDS = MOST * VP_MANIFOLD_DIRECTIONS,
    ROOM = 16384
};

static const float margin = 0.02f; /* the contact margin */
static const float reach = 0.5f;   /* distance that a chunk's triangles extend past its voxels */
static const float sizes[] = {0.5f, 1.0f, 2.0f, 4.0f, 8.0f};
static const char *const worlds[] = {"luanti", "terrain-l2", "terrain-l3"};
static const struct {
    const char *name;
    bool cave, rests;
} places[] = {{"cave-air", true, false}, {"cave-floor", true, true}, {"open-air", false, false}, {"open-floor", false, true}};
enum { SIZES = sizeof sizes / sizeof sizes[0], WORLDS = sizeof worlds / sizeof worlds[0], PLACES = sizeof places / sizeof places[0] };

/* The methods of finding contacts. The timed methods come first. */
typedef enum contact_method { CHUNKS, TRIANGLES, BITS, TIMED, TAGS = TIMED, HALF, UNGROWN, BOTH, WAYS } contact_method;
static const char *const way_names[WAYS] = {"chunks", "triangles", "bits", "tags", "half", "ungrown", "both"};

/* ---- a world ---- */

/* The surface of a chunk. */
typedef struct bits_chunk {
    vp_mesh mesh;
    vp_kd *tree;
    vp_collide_triangle *triangle; /* connected */
    uint32_t count;
    vp_aabb box; /* box of the triangles */
} bits_chunk;

typedef struct bits_ground {
    vp_kernels scalar;
    const vp_world *world;
    vp_terrain *terrain;
    vp_terrain_reader reader;
    vp_broadphase_view bits;
    vp_dims chunks;
    bits_chunk *piece; /* one per chunk */
    uint8_t *full;     /* chunks tagged as solid without half-empty voxels have no triangles */
    uint8_t *marked;
    uint32_t chunk_count;
    vp_ivec3 *air[2]; /* voxels in the open, at most a little above the ground; voxels in caves, below solid voxels */
    uint32_t airs[2];
    vp_manifold_scratch scratch;
    uint32_t *found;
    vp_collide_triangle *near;
} bits_ground;

static bool is_solid(const bits_ground *g, int32_t x, int32_t y, int32_t z)
{
    return vp_world_voxel(g->world, (vp_ivec3){x, y, z}).material >= VP_FIRST_SOLID;
}

/* Returns whether a voxel in or next to a chunk is at most half full. Such a voxel is outside the surface, even if it is solid. */
static bool is_half_empty(const bits_ground *g, vp_ivec3 chunk)
{
    for (int32_t y = -1; y <= 8; y++)
        for (int32_t z = -1; z <= 8; z++)
            for (int32_t x = -1; x <= 8; x++)
                if (vp_world_voxel(g->world, (vp_ivec3){8 * chunk.x + x, 8 * chunk.y + y, 8 * chunk.z + z}).occupancy < 128)
                    return true;
    return false;
}

static void list_air(bits_ground *g)
{
    const vp_dims size = vp_world_size(g->world);
    const size_t all = (size_t)size.x * size.y * size.z;
    g->air[0] = room(all, sizeof **g->air);
    g->air[1] = room(all, sizeof **g->air);
    for (int32_t z = 0; z < (int32_t)size.z; z++)
        for (int32_t x = 0; x < (int32_t)size.x; x++) {
            int32_t top = (int32_t)size.y - 1;
            while (top >= 0 && !is_solid(g, x, top, z))
                top--;
            for (int32_t y = 0; y <= top + 8 && y < (int32_t)size.y; y++)
                if (vp_world_voxel(g->world, (vp_ivec3){x, y, z}).material == VP_AIR)
                    g->air[y < top][g->airs[y < top]++] = (vp_ivec3){x, y, z};
        }
}

static void make_piece(bits_ground *g, vp_ivec3 at, bits_chunk *out)
{
    const vp_mesh_def def = {
        .world = g->world, .surface = VP_SURFACE_SOLID, .first = at, .chunks = {1, 1, 1}, .kernels = &g->scalar, .executor = NULL};
    vp_error error;
    must(vp_mesh_create(&def, &out->mesh, &error), &error);
    out->count = 2 * out->mesh.quad_count;
    if (out->count == 0)
        return;
    const vp_triangles triangles = {out->mesh.vertex, (const uint32_t *)out->mesh.quad, out->mesh.vertex_count, out->count, true};
    const vp_kd_def tree = {.triangles = triangles, .form = VP_KD_WIDE, .kernels = &g->scalar};
    must(vp_kd_create(&tree, &out->tree, &error), &error);
    uint32_t *scratch = room(VP_COLLIDE_CONNECT_WORDS(out->count), sizeof *scratch);
    out->triangle = room(out->count, sizeof *out->triangle);
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t v[3];
        vp_mesh_triangle(&out->mesh, i, v);
        const vp_vec3 corner[3] = {out->mesh.vertex[v[0]], out->mesh.vertex[v[1]], out->mesh.vertex[v[2]]};
        out->triangle[i] = vp_collide_triangle_of(corner, i);
        for (int k = 0; k < 3; k++) {
            const vp_aabb point = {corner[k], corner[k]};
            out->box = i == 0 && k == 0 ? point : vp_aabb_union(&out->box, &point);
        }
    }
    must(vp_collide_connect(out->triangle, out->count, scratch, &error), &error);
    free(scratch);
}

/* Counts the air voxels within two voxels of rock. An object there always has a contact by bits. */
static json_int_t count_near(const bits_ground *g, bool cave)
{
    json_int_t near = 0;
    for (uint32_t i = 0; i < g->airs[cave]; i++) {
        const vp_ivec3 v = g->air[cave][i];
        const vp_vec3 middle = {(float)v.x + 0.5f, (float)v.y + 0.5f, (float)v.z + 0.5f};
        near += (g->scalar.overlap_box(&g->bits, &(vp_aabb){middle, middle}) & VP_TOUCH_SOLID) != 0;
    }
    return near;
}

/* @return the JSON description of the world */
static json_t *open_ground(const vp_data *data, bits_ground *g)
{
    vp_error error;
    uint32_t surfaces = 0, full = 0, full_surfaces = 0, full_triangles = 0;
    *g = (bits_ground){.world = data->set};
    must(vp_kernels_named("scalar", &g->scalar, &error), &error);
    const vp_terrain_def def = {.world = (vp_world *)(uintptr_t)data->set, .budget = VP_TERRAIN_NO_LIMIT, .kernels = &g->scalar};
    must(vp_terrain_create(&def, &g->terrain, &error), &error);
    must(vp_terrain_prepare(g->terrain, &error), &error);
    const vp_terrain_stats stats = vp_terrain_stats_of(g->terrain);
    vp_terrain_acquire_reader(g->terrain, &g->reader);
    g->bits = vp_broadphase_bits(vp_terrain_reader_broadphase(&g->reader));
    g->chunks = vp_world_chunks(g->world);
    g->chunk_count = g->chunks.x * g->chunks.y * g->chunks.z;
    g->piece = room(g->chunk_count, sizeof *g->piece);
    g->marked = room(g->chunk_count, 1);
    g->full = room(g->chunk_count, 1);
    for (uint32_t c = 0; c < g->chunk_count; c++) {
        const vp_ivec3 at = {(int32_t)(c % g->chunks.x), (int32_t)(c / g->chunks.x / g->chunks.z),
                             (int32_t)(c / g->chunks.x % g->chunks.z)};
        make_piece(g, at, &g->piece[c]);
        const bool tagged = vp_broadphase_chunk_class(vp_terrain_reader_broadphase(&g->reader), at) == VP_CHUNK_FULL_SOLID;
        g->full[c] = tagged && !is_half_empty(g, at);
        full += tagged;
        full_surfaces += tagged && g->piece[c].count > 0;
        full_triangles += tagged ? g->piece[c].count : 0;
        surfaces += g->piece[c].count > 0;
    }
    list_air(g);
    g->scratch = (vp_manifold_scratch){room(vp_manifold_scratch_bytes(ROOM), 1), ROOM, 0};
    g->found = room(ROOM, sizeof *g->found);
    g->near = room(ROOM, sizeof *g->near);
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}", "world", data->name, "chunks",
                     (json_int_t)g->chunk_count, "surfaces", (json_int_t)surfaces, "triangles", (json_int_t)stats.triangles, "caves",
                     (json_int_t)g->airs[1], "open", (json_int_t)g->airs[0], "caves_near", count_near(g, true), "open_near",
                     count_near(g, false), "full", (json_int_t)full, "full_surfaces", (json_int_t)full_surfaces, "full_triangles",
                     (json_int_t)full_triangles, "make_ns", (double)stats.build_ns / (double)surfaces);
}

static void close_ground(bits_ground *g)
{
    for (uint32_t c = 0; c < g->chunk_count; c++) {
        vp_kd_destroy(g->piece[c].tree);
        vp_mesh_destroy(&g->piece[c].mesh);
        free(g->piece[c].triangle);
    }
    vp_terrain_release_reader(&g->reader);
    vp_terrain_destroy(g->terrain);
    void *const all[] = {g->piece, g->full, g->marked, g->air[0], g->air[1], g->scratch.memory, g->found, g->near};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
}

/* ---- objects ---- */

typedef struct object {
    vp_manifold_body body;
    vp_aabb box;
    uint32_t touched[MOST], touches; /* the chunks on which it has contact points: the expected result */
} object;

/* Returns whether a solid voxel is near a place. A body there would be inside rock. */
static bool is_crowded(const bits_ground *g, vp_vec3 p, float near)
{
    for (int32_t y = (int32_t)floorf(p.y - near); (float)y <= p.y + near; y++)
        for (int32_t z = (int32_t)floorf(p.z - near); (float)z <= p.z + near; z++)
            for (int32_t x = (int32_t)floorf(p.x - near); (float)x <= p.x + near; x++)
                if (is_solid(g, x, y, z))
                    return true;
    return false;
}

static bool try_pose(const bits_ground *g, const vp_collide_shape *shape, bool cave, bool rests, vp_random *r, vp_pose *out)
{
    vp_pose_place place = {.normal = {0.0f, 1.0f, 0.0f}, .scale = 1.0f, .gap = vp_random_between(r, -0.01f, 0.01f)};
    vp_random_rotation(r, place.rotation);
    const vp_ivec3 v = g->air[cave][vp_random_below(r, g->airs[cave])];
    place.point = (vp_vec3){(float)v.x + vp_random_unit(r), (float)v.y + vp_random_unit(r), (float)v.z + vp_random_unit(r)};
    if (!rests) {
        *out = vp_pose_at(place.point);
        memcpy(out->rotation, place.rotation, sizeof out->rotation);
        return true;
    }
    const vp_ray ray = {.origin = place.point, .direction = {0.0f, -1.0f, 0.0f}, .t_max = 256.0f};
    vp_terrain_point hit;
    vp_error error;
    must(vp_terrain_reader_raycast_point(&g->reader, VP_SURFACE_SOLID, &ray, &hit, &error), &error);
    if (hit.hit.in_chunk.triangle == VP_NO_HIT)
        return false;
    place.point = hit.point;
    place.normal = hit.triangle.normal;
    *out = vp_pose_of(shape, &place);
    return true;
}

/* Places an object with a random rotation, at most a tenth of its size deep in rock. @return whether a place was found */
static bool place_object(bits_ground *g, const vp_collide_shape *shape, float size, int where, vp_random *r, object *out)
{
    const vp_manifold_def def = {.kernels = &g->scalar, .margin = margin, .by_chunk = true};
    out->body.shape = shape;
    for (int t = 0; t < TRIES; t++) {
        vp_manifold m[MANIFOLDS];
        vp_error error;
        uint32_t made;
        float least = 0.0f;
        if (!try_pose(g, shape, places[where].cave, places[where].rests, r, &out->body.pose) ||
            is_crowded(g, out->body.pose.position, 0.25f * size))
            continue;
        must(vp_manifold_terrain(&def, &out->body, &g->reader, &g->scratch, m, MANIFOLDS, &made, &error), &error);
        if (made > MANIFOLDS)
            must(VP_E_LIMIT, &(vp_error){VP_E_LIMIT, "an object has too many manifolds"});
        out->touches = 0;
        for (uint32_t k = 0; k < made; k++) {
            if (k > 0 && m[k].chunk == m[k - 1].chunk)
                continue;
            if (out->touches == MOST)
                must(VP_E_LIMIT, &(vp_error){VP_E_LIMIT, "an object touches too many chunks"});
            out->touched[out->touches++] = m[k].chunk;
            least = m[k].point[0].distance < least ? m[k].point[0].distance : least;
        }
        if (least < -0.1f * size)
            continue;
        must(vp_collide_bounds(shape, &out->body.pose, margin, &out->box, &error), &error);
        return true;
    }
    return false;
}

/* ---- contacts ---- */

/* The range of chunks that an interval overlaps along an axis. */
static void chunks_under(float low, float high, float beyond, uint32_t chunks, int32_t *first, int32_t *last)
{
    const int32_t from = (int32_t)ceilf((low - beyond) * 0.125f) - 1, to = (int32_t)floorf((high + beyond) * 0.125f);
    *first = from > 0 ? from : 0;
    *last = to < (int32_t)chunks ? to : (int32_t)chunks - 1;
}

static int32_t slot_of(const bits_ground *g, vp_ivec3 at)
{
    return at.y * g->bits.slot_stride_y + at.z * g->bits.slot_stride_z + at.x;
}

/* Returns whether the box, not grown, overlaps set bits of a chunk. */
static bool meets_bits(const bits_ground *g, vp_ivec3 at, const vp_aabb *box)
{
    const uint32_t slot = g->bits.slot[slot_of(g, at)];
    for (int32_t y = 0; y < 8; y++)
        for (int32_t bit = 0; bit < 64; bit++)
            if (g->bits.pool[slot].solid[y] >> bit & 1) {
                const vp_vec3 low = {(float)(8 * at.x + bit % 8), (float)(8 * at.y + y), (float)(8 * at.z + bit / 8)};
                const vp_aabb voxel = {low, {low.x + 1.0f, low.y + 1.0f, low.z + 1.0f}};
                if (vp_aabb_overlaps(&voxel, box))
                    return true;
            }
    return false;
}

/* Grows the box by one voxel, as in the article. */
static uint32_t find_by_bits(const bits_ground *g, const vp_aabb *box, uint32_t *out)
{
    vp_chunk_touch touch[MOST];
    uint32_t count = 0;
    const uint32_t all = g->scalar.overlap_chunks(&g->bits, box, touch, MOST);
    if (all > MOST)
        must(VP_E_LIMIT, &(vp_error){VP_E_LIMIT, "an object is over too many chunks"});
    for (uint32_t i = 0; i < all; i++)
        if ((touch[i].touch & VP_TOUCH_SOLID) != 0 && !g->full[touch[i].chunk])
            out[count++] = touch[i].chunk;
    return count;
}

static bool is_found(const bits_ground *g, vp_ivec3 at, const vp_aabb *box, contact_method by)
{
    const uint32_t c = ((uint32_t)at.y * g->chunks.z + (uint32_t)at.z) * g->chunks.x + (uint32_t)at.x;
    const bits_chunk *p = &g->piece[c];
    const vp_vec3 more = {reach, reach, reach};
    const vp_aabb half = {vp_vec3_sub(box->min, more), vp_vec3_add(box->max, more)};
    const bool in_box = p->count > 0 && vp_aabb_overlaps(&p->box, box);
    switch (by) {
    case CHUNKS:
        return p->count > 0;
    case TRIANGLES:
        return in_box;
    case TAGS:
        return g->bits.slot[slot_of(g, at)] != VP_CHUNK_EMPTY && !g->full[c];
    case UNGROWN:
        return !g->full[c] && meets_bits(g, at, box);
    default:
        return !g->full[c] && (by != BOTH || in_box) && meets_bits(g, at, &half);
    }
}

static uint32_t find(const bits_ground *g, const vp_aabb *box, contact_method by, uint32_t out[MOST])
{
    int32_t first[3], last[3];
    uint32_t count = 0;
    if (by == BITS)
        return find_by_bits(g, box, out);
    chunks_under(box->min.x, box->max.x, reach, g->chunks.x, &first[0], &last[0]);
    chunks_under(box->min.y, box->max.y, reach, g->chunks.y, &first[1], &last[1]);
    chunks_under(box->min.z, box->max.z, reach, g->chunks.z, &first[2], &last[2]);
    for (int32_t y = first[1]; y <= last[1]; y++)
        for (int32_t z = first[2]; z <= last[2]; z++)
            for (int32_t x = first[0]; x <= last[0]; x++) {
                if (!is_found(g, (vp_ivec3){x, y, z}, box, by))
                    continue;
                if (count == MOST)
                    must(VP_E_LIMIT, &(vp_error){VP_E_LIMIT, "an object is over too many chunks"});
                out[count++] = ((uint32_t)y * g->chunks.z + (uint32_t)z) * g->chunks.x + (uint32_t)x;
            }
    return count;
}

/* Processes one contact as in the article. Gathers the triangles of the chunk's tree near the object and collides them. @return whether
 * the chunk has any triangles there */
static bool collide(bits_ground *g, const object *o, uint32_t chunk)
{
    const vp_manifold_def def = {.kernels = &g->scalar, .margin = margin, .by_chunk = true};
    const bits_chunk *p = &g->piece[chunk];
    vp_manifold m;
    vp_error error;
    uint32_t count, made;
    if (p->count == 0)
        return false;
    must(vp_kd_gather(p->tree, &o->box, g->found, ROOM, &count, &error), &error);
    for (uint32_t i = 0; i < count; i++)
        g->near[i] = p->triangle[g->found[i]];
    if (count > 0)
        must(vp_manifold_mesh(&def, &o->body, g->near, count, &g->scratch, &m, 1, &made, &error), &error);
    return count > 0;
}

/* ---- counts ---- */

typedef struct bits_tally {
    uint64_t objects, touching, contacts[WAYS], lost[WAYS], alone[WAYS], gathered, points;
} bits_tally;

static bool has(const uint32_t *list, uint32_t count, uint32_t chunk)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == chunk)
            return true;
    return false;
}

static void count_object(bits_ground *g, const object *o, bits_tally *out)
{
    uint32_t list[MOST];
    out->objects++;
    out->touching += o->touches > 0;
    out->points += o->touches;
    for (int w = 0; w < WAYS; w++) {
        const uint32_t count = find(g, &o->box, (contact_method)w, list);
        out->contacts[w] += count;
        out->alone[w] += count == 0;
        for (uint32_t i = 0; i < o->touches; i++)
            out->lost[w] += !has(list, count, o->touched[i]);
        for (uint32_t i = 0; w == CHUNKS && i < count; i++)
            out->gathered += collide(g, o, list[i]);
    }
}

/* Counts the chunks in contact with at least one object. Their meshes and trees must be built. WAYS: chunks with contact points. */
static json_int_t count_made(bits_ground *g, const object *o, uint32_t count, contact_method by)
{
    json_int_t made = 0;
    memset(g->marked, 0, g->chunk_count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t list[MOST];
        const uint32_t chunks = by == WAYS ? o[i].touches : find(g, &o[i].box, by, list);
        for (uint32_t k = 0; k < chunks; k++) {
            const uint32_t c = by == WAYS ? o[i].touched[k] : list[k];
            made += !g->marked[c];
            g->marked[c] = 1;
        }
    }
    return made;
}

/* Stores a figure of a method. WAYS: the figure of the contact points. */
static void put(json_t *row, const char *what, int w, json_t *figure)
{
    char key[32];
    snprintf(key, sizeof key, "%s%s", what, w == WAYS ? "points" : way_names[w]);
    json_object_set_new(row, key, figure);
}

static json_t *row_of(const char *world, int where, const bits_tally *t)
{
    json_t *row =
        json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "world", world, "place", places[where].name, "objects", (json_int_t)t->objects,
                  "touching", (json_int_t)t->touching, "gathered", (json_int_t)t->gathered, "points", (json_int_t)t->points);
    for (int w = 0; w < WAYS; w++) {
        put(row, "", w, json_integer((json_int_t)t->contacts[w]));
        put(row, "lost_", w, json_integer((json_int_t)t->lost[w]));
        put(row, "alone_", w, json_integer((json_int_t)t->alone[w])); /* objects without a contact */
    }
    return row;
}

/* ---- times ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value)
{
    qsort(value, RUNS, sizeof *value, compare);
    return value[RUNS / 2];
}

/* Measures nanoseconds per object, for finding contacts and for colliding them. The methods take turns. */
static void time_ways(bits_ground *g, const object *o, uint32_t count, json_t *row)
{
    double finding[TIMED][RUNS], colliding[TIMED][RUNS];
    uint32_t(*list)[MOST] = room(count, sizeof *list), *length = room(count, sizeof *length);
    for (int run = 0; run < RUNS; run++)
        for (int w = 0; w < TIMED; w++) {
            const double begin = processor_seconds();
            for (uint32_t i = 0; i < count; i++)
                length[i] = find(g, &o[i].box, (contact_method)w, list[i]);
            const double found = processor_seconds();
            for (uint32_t i = 0; i < count; i++)
                for (uint32_t k = 0; k < length[i]; k++)
                    collide(g, &o[i], list[i][k]);
            finding[w][run] = (found - begin) * 1e9 / count;
            colliding[w][run] = (processor_seconds() - found) * 1e9 / count;
        }
    for (int w = 0; w < TIMED; w++) {
        put(row, "find_", w, json_real(median(finding[w])));
        put(row, "collide_", w, json_real(median(colliding[w])));
    }
    free(list);
    free(length);
}

/* ---- the part ---- */

typedef struct output {
    json_t *sizes, *shapes;
} output;

static void try_place(bits_ground *g, const char *world, int where, uint64_t seed, bool times, const output *out)
{
    bits_tally of_shape[VP_BODIES] = {{0}};
    object *o = room((size_t)OBJECTS * VP_BODIES, sizeof *o);
    for (int s = 0; s < SIZES; s++) {
        bits_tally all = {0};
        uint32_t count = 0;
        vp_random r = {seed + (uint64_t)s};
        vp_body_shape shape[VP_BODIES];
        vp_error error;
        for (int b = 0; b < VP_BODIES; b++) {
            must(vp_body_shape_create((vp_body_kind)b, sizes[s], NULL, &shape[b], &error), &error);
            for (int i = 0; i < OBJECTS; i++)
                if (place_object(g, &shape[b].shape, sizes[s], where, &r, &o[count])) {
                    count_object(g, &o[count], &all);
                    count_object(g, &o[count], &of_shape[b]);
                    count++;
                }
        }
        json_t *row = row_of(world, where, &all);
        json_object_set_new(row, "size", json_real((double)sizes[s]));
        for (int w = 0; w <= WAYS; w++)
            put(row, "made_", w, json_integer(count_made(g, o, count, (contact_method)w)));
        if (times && count > 0)
            time_ways(g, o, count, row);
        json_array_append_new(out->sizes, row);
        for (int b = 0; b < VP_BODIES; b++)
            vp_body_shape_destroy(&shape[b]);
    }
    for (int b = 0; b < VP_BODIES; b++) {
        json_t *row = row_of(world, where, &of_shape[b]);
        json_object_set_new(row, "shape", json_string(vp_body_name((vp_body_kind)b)));
        json_array_append_new(out->shapes, row);
    }
    free(o);
}

void vp_narrow_bits(const vp_narrow_how *how, json_t *out)
{
    json_t *reported = new_list(out, "bits_worlds");
    const output rows = {new_list(out, "bits"), new_list(out, "bits_shapes")};
    vp_manifest *manifest;
    vp_store *store;
    vp_error error;
    must(vp_manifest_open(NULL, &manifest, &error), &error);
    must(vp_store_create(manifest, 0, &store, &error), &error);
    for (int w = 0; w < WORLDS; w++) {
        const vp_data *data;
        bits_ground g;
        if (how->only != NULL && strncmp(how->only, worlds[w], strlen(worlds[w])) != 0)
            continue;
        must(vp_store_open(store, &vp_kind_world, worlds[w], &data, &error), &error);
        json_t *world = open_ground(data, &g);
        if (!how->times)
            json_object_del(world, "make_ns");
        json_array_append_new(reported, world);
        for (int p = 0; p < PLACES; p++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%s", worlds[w], places[p].name);
            if (how->only == NULL || strcmp(how->only, name) == 0)
                try_place(&g, worlds[w], p, SEED + 1000 * (uint64_t)(w * PLACES + p), how->times, &rows);
        }
        close_ground(&g);
    }
    vp_store_destroy(store);
    vp_manifest_close(manifest);
}
