/* SPDX-License-Identifier: MIT */
/* Rays, spheres and boxes in a whole terrain: every version of every kernel against the surface of the whole world as one mesh,
 * triangle by triangle; with all trees there, with some, and with none but the one that was asked for last. */
#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "core/terrain_walk.h"
#include "reference/terrain_top.h"

/* ---- a terrain ---- */

typedef enum mode {
    ALL_THERE, /* the table has every tree */
    SOME_THERE, /* it has some; others are made, and then it has them */
    LAST_ONLY  /* no table: a tree goes when the next is found or made */
} mode;

typedef struct chunk_data {
    vp_vec3 *vertex;
    uint32_t *index;
    vp_kd *tree;
    uint32_t vertices, quads;
    uint32_t first_triangle; /* in the whole mesh */
} chunk_data;

typedef struct terrain {
    vp_world *world;
    vp_surface surface;
    vp_ivec3 first;
    vp_dims chunks;
    vp_broadphase *broadphase;
    vp_terrain_top top;
    vp_mesh mesh; /* of the box of chunks */
    vp_triangles triangles;
    uint32_t chunk_count; /* of the world */
    chunk_data *chunk;
    const vp_kd_view **table, **now;
    /* the last query */
    mode mode;
    bool *asked, *known;
    vp_kd *last; /* a copy of what was given last */
    vp_kernels kernels;
} terrain;

static vp_ivec3 chunk_at(const terrain *t, uint32_t chunk)
{
    const vp_dims n = vp_world_chunks(t->world);
    return (vp_ivec3){(int32_t)(chunk % n.x), (int32_t)(chunk / n.x / n.z), (int32_t)(chunk / n.x % n.z)};
}

static bool in_box(const terrain *t, vp_ivec3 c)
{
    return c.x >= t->first.x && c.y >= t->first.y && c.z >= t->first.z && c.x < t->first.x + (int32_t)t->chunks.x &&
           c.y < t->first.y + (int32_t)t->chunks.y && c.z < t->first.z + (int32_t)t->chunks.z;
}

static vp_kd *tree_of(const terrain *t, const chunk_data *c, vp_kd_form form)
{
    const vp_kd_def def = {.triangles = {.vertex = c->vertex,
                                         .index = c->index,
                                         .vertex_count = c->vertices,
                                         .triangle_count = c->quads * 2,
                                         .quads = true},
                           .form = form,
                           .kernels = &t->kernels};
    vp_kd *tree;
    assert_ok(vp_kd_create(&def, &tree, &error));
    return tree;
}

static void make_chunks(terrain *t, vp_kd_form form)
{
    static vp_chunk_mesh_room room;
    uint32_t first = 0;
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        if (!in_box(t, chunk_at(t, c)))
            continue;
        vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
        assert_ok(vp_mesh_chunk(t->world, &t->kernels, chunk_at(t, c), t->surface, &mesh, &error));
        chunk_data *to = &t->chunk[c];
        to->vertex = malloc((mesh.vertex_count + 1u) * sizeof *to->vertex);
        to->index = malloc((mesh.quad_count * 4 + 1u) * sizeof *to->index);
        memcpy(to->vertex, mesh.vertex, mesh.vertex_count * sizeof *to->vertex);
        for (uint32_t i = 0; i < mesh.quad_count * 4; i++)
            to->index[i] = mesh.quad[i / 4][i % 4];
        to->vertices = mesh.vertex_count;
        to->quads = mesh.quad_count;
        to->tree = tree_of(t, to, form);
        to->first_triangle = first;
        first += mesh.quad_count * 2;
        t->table[c] = vp_kd_view_of(to->tree);
    }
    assert_int_equal(first, t->triangles.triangle_count);
}

static void terrain_begin(terrain *t, vp_world *world, vp_surface surface, vp_ivec3 first, vp_dims chunks, vp_kd_form form)
{
    const vp_dims n = vp_world_chunks(world);
    *t = (terrain){.world = world, .surface = surface, .first = first, .chunks = chunks, .chunk_count = n.x * n.y * n.z};
    vp_kernels_best(&t->kernels, 0);
    const vp_broadphase_def def = {.world = world, .kernels = &t->kernels};
    assert_ok(vp_broadphase_create(&def, &t->broadphase, &error));
    const vp_allocator allocator = vp_allocator_default();
    assert_true(vp_terrain_top_create(surface, first, chunks, &allocator, &t->top));
    const vp_top_source source = {vp_broadphase_bits(t->broadphase), vp_world_voxels(world)};
    vp_terrain_top_derive(&t->top, &source);
    const vp_mesh_def of = {.world = world, .surface = surface, .first = first, .chunks = chunks, .kernels = &t->kernels};
    assert_ok(vp_mesh_create(&of, &t->mesh, &error));
    t->triangles = (vp_triangles){.vertex = t->mesh.vertex,
                                  .index = t->mesh.quad_count != 0 ? &t->mesh.quad[0][0] : NULL,
                                  .vertex_count = t->mesh.vertex_count,
                                  .triangle_count = t->mesh.quad_count * 2,
                                  .quads = true};
    t->chunk = calloc(t->chunk_count, sizeof *t->chunk);
    t->table = calloc(t->chunk_count, sizeof *t->table);
    t->now = calloc(t->chunk_count, sizeof *t->now);
    t->asked = calloc(t->chunk_count, sizeof *t->asked);
    t->known = calloc(t->chunk_count, sizeof *t->known);
    make_chunks(t, form);
}

static void terrain_end(terrain *t)
{
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        free(t->chunk[c].vertex);
        free(t->chunk[c].index);
        vp_kd_destroy(t->chunk[c].tree);
    }
    free(t->chunk);
    free(t->table);
    free(t->now);
    free(t->asked);
    free(t->known);
    vp_kd_destroy(t->last);
    vp_mesh_destroy(&t->mesh);
    vp_terrain_top_destroy(&t->top);
    vp_broadphase_destroy(t->broadphase);
    vp_world_destroy(t->world);
}

/* Gives a tree that is gone at the next call: who keeps on using it reads freed memory. */
static const vp_kd_view *lend(terrain *t, uint32_t chunk)
{
    vp_kd_destroy(t->last);
    t->last = tree_of(t, &t->chunk[chunk], t->table[chunk]->form);
    return vp_kd_view_of(t->last);
}

static const vp_kd_view *find(void *user, uint32_t chunk)
{
    terrain *t = user;
    assert_int_equal(t->mode, LAST_ONLY); /* a table is read without asking */
    assert_in_range(chunk, 0, t->chunk_count - 1);
    assert_true(in_box(t, chunk_at(t, chunk)));
    return t->known[chunk] ? lend(t, chunk) : NULL;
}

static const vp_kd_view *make(void *user, uint32_t chunk)
{
    terrain *t = user;
    assert_int_not_equal(t->mode, ALL_THERE);
    assert_in_range(chunk, 0, t->chunk_count - 1);
    assert_true(in_box(t, chunk_at(t, chunk)));
    assert_true(t->mode == LAST_ONLY ? !t->known[chunk] : t->now[chunk] == NULL);
    t->asked[chunk] = true;
    if (t->mode == LAST_ONLY) {
        t->known[chunk] = vp_world_chunks(t->world).x % 2 != 0; /* in some worlds nothing stays */
        return lend(t, chunk);
    }
    t->now[chunk] = t->table[chunk];
    return t->table[chunk];
}

static vp_terrain_view view_for(terrain *t, mode how, vp_random *r)
{
    t->mode = how;
    memset(t->asked, 0, t->chunk_count * sizeof *t->asked);
    memset(t->known, 0, t->chunk_count * sizeof *t->known);
    for (uint32_t c = 0; c < t->chunk_count; c++)
        t->now[c] = how == ALL_THERE || vp_random_below(r, 3) == 0 ? t->table[c] : NULL;
    return (vp_terrain_view){.bits = vp_broadphase_bits(t->broadphase),
                             .surface = t->surface,
                             .first = t->first,
                             .chunks = t->chunks,
                             .box = vp_chunks_box(t->first, t->chunks),
                             .top = vp_terrain_top_view(&t->top),
                             .tree = how == LAST_ONLY ? NULL : t->now,
                             .find = find,
                             .make = make,
                             .user = t};
}

/* ---- what must be ---- */

/* The chunk of a triangle of the whole mesh, and its number there. */
static vp_world_triangle in_chunk(const terrain *t, uint32_t triangle)
{
    uint32_t chunk = 0;
    for (uint32_t c = 0; c < t->chunk_count; c++)
        if (t->chunk[c].tree != NULL && t->table[c]->triangles.triangle_count != 0 && t->chunk[c].first_triangle <= triangle)
            chunk = c;
    return (vp_world_triangle){chunk, triangle - t->chunk[chunk].first_triangle};
}

static vp_world_hit of_mesh(const terrain *t, const vp_hit *hit)
{
    vp_world_hit out = {*hit, 0};
    if (hit->triangle >= 0) {
        const vp_world_triangle at = in_chunk(t, (uint32_t)hit->triangle);
        out.hit.triangle = (int32_t)at.triangle;
        out.chunk = at.chunk;
    }
    return out;
}

static void expect_hit(const vp_world_hit *got, const vp_world_hit *want)
{
    assert_int_equal(got->hit.triangle, want->hit.triangle);
    assert_int_equal(got->chunk, want->chunk);
    assert_memory_equal(&got->hit, &want->hit, sizeof got->hit);
}

/* Whether some voxel of a chunk whose bit is set is within `slack` of the ray; those at its borders are half a voxel larger. */
static bool near_set_bits(const terrain *t, uint32_t chunk, const vp_ray *ray, double slack)
{
    const vp_ivec3 c = chunk_at(t, chunk);
    const vp_masks *masks = vp_broadphase_masks(t->broadphase, c);
    const uint64_t *bits = t->surface == VP_SURFACE_SOLID ? masks->solid : masks->water;
    const double o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const double d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    const int32_t at[3] = {c.x * 8, c.y * 8, c.z * 8};
    for (int i = 0; i < 512; i++) {
        const int v[3] = {i % 8, i / 64, i / 8 % 8};
        if ((bits[v[1]] >> (v[2] * 8 + v[0]) & 1) == 0)
            continue;
        double near = 0, far = ray->t_max;
        for (int k = 0; k < 3; k++) {
            const double low = at[k] + v[k] - (v[k] == 0 ? 0.5 : 0) - slack - o[k];
            const double high = at[k] + v[k] + 1 + (v[k] == 7 ? 0.5 : 0) + slack - o[k];
            if (d[k] == 0) {
                if (low > 0 || high < 0)
                    far = -1;
                continue;
            }
            const double a = low / d[k], b = high / d[k];
            near = fmax(near, fmin(a, b));
            far = fmin(far, fmax(a, b));
        }
        if (near <= far)
            return true;
    }
    return false;
}

static void expect_asked_only_where_needed(const terrain *t, const vp_ray *ray, double slack)
{
    for (uint32_t c = 0; c < t->chunk_count; c++)
        if (t->asked[c])
            assert_true(near_set_bits(t, c, ray, slack));
}

/* ---- questions ---- */

static void check_ray(terrain *t, const test_table *table, const vp_ray *ray, vp_random *r)
{
    const mode how = (mode)vp_random_below(r, 3);
    const vp_hit closest = test_closest(&t->triangles, ray);
    const vp_world_hit want = of_mesh(t, &closest);
    const bool tame = fabsf(ray->origin.x) + fabsf(ray->origin.y) + fabsf(ray->origin.z) < 1000.0f;
    vp_terrain_view view = view_for(t, how, r);
    vp_world_hit got = table->kernels.world_ray(&view, ray);
    expect_hit(&got, &want);
    if (tame)
        expect_asked_only_where_needed(t, ray, 1e-2);

    view = view_for(t, how, r);
    assert_int_equal(table->kernels.world_ray_any(&view, ray), closest.triangle >= 0);
    if (tame)
        expect_asked_only_where_needed(t, ray, 1e-2);

    enum { MOST = 64 };
    vp_hit all[MOST];
    vp_world_hit list[MOST + 1];
    const uint32_t capacity = vp_random_below(r, MOST + 1), count = test_all(&t->triangles, ray, all, MOST);
    memset(list, 0x5a, sizeof list);
    view = view_for(t, how, r);
    assert_int_equal(table->kernels.world_ray_all(&view, ray, list, capacity), count);
    for (uint32_t i = 0; i < count && i < capacity; i++) {
        const vp_world_hit one = of_mesh(t, &all[i]);
        expect_hit(&list[i], &one);
    }
    assert_int_equal(list[capacity].chunk, 0x5a5a5a5a);

    const float radius = vp_random_below(r, 3) == 0 ? 0.0f : vp_random_between(r, 0.0f, 3.0f);
    const vp_hit touched = test_first_touched(&t->triangles, ray, radius);
    const vp_world_hit want_touched = of_mesh(t, &touched);
    view = view_for(t, how, r);
    got = table->kernels.world_sweep(&view, ray, radius);
    expect_hit(&got, &want_touched);
}

static void check_box(terrain *t, const test_table *table, const vp_aabb *box, vp_random *r)
{
    uint32_t *want = malloc((t->triangles.triangle_count + 1u) * sizeof *want);
    vp_world_triangle *got = malloc((t->triangles.triangle_count + 1u) * sizeof *got);
    const uint32_t count = test_overlapping(&t->triangles, box, want);
    vp_terrain_view view = view_for(t, (mode)vp_random_below(r, 3), r);
    assert_int_equal(table->kernels.world_box(&view, box, got, t->triangles.triangle_count), count);
    bool *seen = calloc(t->triangles.triangle_count + 1u, sizeof *seen);
    for (uint32_t i = 0; i < count; i++)
        seen[t->chunk[got[i].chunk].first_triangle + got[i].triangle] = true;
    for (uint32_t i = 0; i < count; i++)
        assert_true(seen[want[i]]);
    got[0] = (vp_world_triangle){0x5a5a5a5a, 0};
    view = view_for(t, ALL_THERE, r);
    assert_int_equal(table->kernels.world_box(&view, box, got, 0), count); /* counted, not written */
    assert_int_equal(got[0].chunk, 0x5a5a5a5a);
    free(seen);
    free(want);
    free(got);
}

static vp_ray some_ray(const terrain *t, vp_random *r)
{
    const vp_dims size = vp_world_size(t->world);
    if (t->triangles.triangle_count != 0 && vp_random_below(r, 3) != 0) {
        const vp_ray near = test_ray(r, &t->triangles);
        vp_ray_frame frame;
        if (vp_ray_frame_of(&near, &frame)) /* invalid ones are another test's */
            return near;
    }
    vp_ray ray = {.t_max = INFINITY};
    ray.origin.x = vp_random_between(r, -8.0f, (float)size.x + 8.0f);
    ray.origin.y = vp_random_between(r, -8.0f, (float)size.y + 8.0f);
    ray.origin.z = vp_random_between(r, -8.0f, (float)size.z + 8.0f);
    ray.direction.x = vp_random_between(r, -1.0f, 1.0f);
    ray.direction.y = vp_random_between(r, -1.0f, 1.0f);
    ray.direction.z = vp_random_between(r, -1.0f, 1.0f);
    if (vp_random_below(r, 4) == 0)
        ray.t_max = vp_random_between(r, 0.0f, 40.0f);
    return ray;
}

/* Rays of one kind. */
typedef vp_ray ray_fn(const terrain *t, vp_random *r);

/* Up to sixteen, half of the time that many; often alike, and then from one place or from places of their own. */
static uint32_t some_packet(const terrain *t, vp_random *r, ray_fn *one, vp_ray ray[16])
{
    const uint32_t kind = vp_random_below(r, 4);
    const float apart = kind == 0 ? 12.0f : 0.0f;
    for (uint32_t i = 0; i < 16; i++) {
        ray[i] = i == 0 || kind >= 2 ? one(t, r) : ray[0];
        if (kind < 2) {
            ray[i].origin.x += vp_random_between(r, -apart, apart);
            ray[i].origin.y += vp_random_between(r, -apart, apart);
            ray[i].origin.z += vp_random_between(r, -apart, apart);
            ray[i].direction.x += vp_random_between(r, -0.05f, 0.05f);
            ray[i].direction.y += vp_random_between(r, -0.05f, 0.05f);
        }
    }
    return vp_random_below(r, 2) == 0 ? 16 : vp_random_below(r, 17);
}

static void check_packet(terrain *t, const test_table *table, ray_fn *one, vp_random *r)
{
    vp_ray ray[16];
    vp_world_hit got[17];
    const uint32_t count = some_packet(t, r, one, ray);
    if (vp_random_below(r, 8) == 0)
        ray[vp_random_below(r, 16)].direction = (vp_vec3){0.0f, 0.0f, 0.0f};
    memset(got, 0x5a, sizeof got);
    const vp_terrain_view view = view_for(t, (mode)vp_random_below(r, 3), r);
    table->kernels.world_ray16(&view, ray, count, got);
    for (uint32_t i = 0; i < count; i++) {
        vp_world_hit want = {{ray[i].t_max, VP_RAY_INVALID, 0.0f, 0.0f}, 0};
        if (ray[i].direction.x != 0.0f || ray[i].direction.y != 0.0f || ray[i].direction.z != 0.0f) {
            const vp_hit closest = test_closest(&t->triangles, &ray[i]);
            want = of_mesh(t, &closest);
        }
        expect_hit(&got[i], &want);
    }
    assert_int_equal(got[count].chunk, 0x5a5a5a5a);
}

/* ---- worlds ---- */

/* Ground with noise on it, and holes under it: thin sheets, overhangs, occupancies of all kinds. */
static vp_world *noisy_world(vp_random *r, vp_dims chunks)
{
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, NULL);
    const vp_dims size = vp_world_size(world);
    const uint32_t level = size.y / 4 + vp_random_below(r, size.y / 2);
    for (uint32_t y = 0; y < size.y; y++)
        for (uint32_t z = 0; z < size.z; z++)
            for (uint32_t x = 0; x < size.x; x++) {
                vp_voxel v = {VP_AIR, 0};
                if (y < level ? vp_random_below(r, 40) != 0 : vp_random_below(r, 60) == 0)
                    v = (vp_voxel){(uint8_t)(VP_FIRST_SOLID + vp_random_below(r, 3)), (uint8_t)vp_random_below(r, 256)};
                else if (vp_random_below(r, 30) == 0)
                    v = (vp_voxel){VP_WATER, (uint8_t)vp_random_below(r, 256)};
                assert_ok(vp_world_set_voxel(world, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z}, v, NULL, &error));
            }
    return world;
}

#ifdef TEST_THIN
enum { WORLDS = 6, RAYS = 12, BOXES = 6 };
#else
enum { WORLDS = 40, RAYS = 80, BOXES = 16 };
#endif

static void terrain_answers_as_one_mesh(void **state)
{
    (void)state;
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {2024};
    for (int w = 0; w < WORLDS; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 5);
        n.y = 1 + vp_random_below(&r, 4);
        n.z = 1 + vp_random_below(&r, 5);
        vp_world *world = w % 3 == 0 ? noisy_world(&r, n) : test_random_world(&r, n, NULL);
        vp_ivec3 first = {0, 0, 0};
        vp_dims box = n;
        if (w % 4 == 1) {
            first.x = (int32_t)vp_random_below(&r, n.x);
            first.z = (int32_t)vp_random_below(&r, n.z);
            box = (vp_dims){n.x - (uint32_t)first.x, 1 + vp_random_below(&r, n.y), 1};
        }
        terrain t;
        terrain_begin(&t, world, w % 5 == 4 ? VP_SURFACE_WATER : VP_SURFACE_SOLID, first, box,
                      (vp_kd_form)(w % VP_KD_FORM_COUNT));
        for (int i = 0; i < RAYS; i++) {
            const vp_ray ray = some_ray(&t, &r);
            check_ray(&t, &tables[(size_t)i % count], &ray, &r);
        }
        for (int i = 0; i < BOXES; i++) {
            const vp_aabb a_box = test_random_box(&r, vp_world_size(world));
            check_box(&t, &tables[(size_t)i % count], &a_box, &r);
            check_packet(&t, &tables[(size_t)i % count], some_ray, &r);
        }
        terrain_end(&t);
    }
}

/* ---- what is asked for ---- */

static const vp_kd_view *never_there(void *user, uint32_t chunk)
{
    (void)user;
    (void)chunk;
    return NULL;
}

static const vp_kd_view *note_only(void *user, uint32_t chunk)
{
    terrain *t = user;
    t->asked[chunk] = true;
    return NULL;
}

/* From a corner, an edge or the middle of a voxel, often along an axis or a diagonal. */
static vp_ray lattice_ray(const terrain *t, vp_random *r)
{
    static const float way[] = {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, -3.0f};
    const vp_dims size = vp_world_size(t->world);
    vp_ray ray = {.t_max = vp_random_below(r, 4) == 0 ? 2.5f : INFINITY};
    ray.origin.x = 0.5f * (float)vp_random_below(r, 2 * size.x + 1);
    ray.origin.y = 0.5f * (float)vp_random_below(r, 2 * size.y + 1);
    ray.origin.z = 0.5f * (float)vp_random_below(r, 2 * size.z + 1);
    do {
        ray.direction.x = way[vp_random_below(r, 6)];
        ray.direction.y = way[vp_random_below(r, 6)];
        ray.direction.z = way[vp_random_below(r, 6)];
    } while (ray.direction.x == 0.0f && ray.direction.y == 0.0f && ray.direction.z == 0.0f);
    return ray;
}

/* Whether a ray must be found to cross set bits of a chunk, and whether it may be. The rule: boxes are closed, so that a ray which
   touches one crosses it; and a kernel may add what its roundings take, twice 2^-19 of the largest coordinate and of the radius. */
static bool must_cross(const terrain *t, uint32_t chunk, const vp_ray *ray, float radius)
{
    return near_set_bits(t, chunk, ray, (double)radius);
}

static bool may_cross(const terrain *t, uint32_t chunk, const vp_ray *ray, float radius)
{
    const vp_dims size = vp_world_size(t->world);
    double most = fmax(fmax(fabs((double)ray->origin.x), fabs((double)ray->origin.y)), fabs((double)ray->origin.z));
    most = fmax(fmax(fmax(most, size.x + 0.5), size.y + 0.5), size.z + 0.5);
    return near_set_bits(t, chunk, ray, (double)radius + (most + (double)radius) * 0x1p-18);
}

static vp_terrain_view view_without_trees(terrain *t, vp_random *r)
{
    vp_terrain_view view = view_for(t, LAST_ONLY, r);
    view.find = never_there;
    view.make = note_only;
    return view;
}

enum { MOST_CHUNKS = 4 * 3 * 4 };

/* The chunks whose set bits one of some rays crosses, by the rule and by vp_crosses_bits, whose answer is between the two. */
typedef struct crossing {
    bool must[MOST_CHUNKS], is[MOST_CHUNKS], may[MOST_CHUNKS];
} crossing;

static void note_crossed(const terrain *t, const vp_terrain_view *view, const vp_ray *ray, float radius, crossing *to)
{
    vp_box_ray box_ray = {0};
    assert_true(vp_box_ray_of(ray, &view->box, radius, &box_ray));
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        const vp_ivec3 at = chunk_at(t, c);
        const bool must = must_cross(t, c, ray, radius), may = may_cross(t, c, ray, radius);
        const bool is = vp_crosses_bits(&box_ray, vp_chunk_bits(view, at), at, box_ray.frame.s_max);
        assert_true((is || !must) && (may || !is));
        to->must[c] |= must;
        to->is[c] |= is;
        to->may[c] |= may;
    }
}

/* What was asked for are the chunks with triangles that must be crossed, and none that is not. */
static void expect_asked(terrain *t, const crossing *by)
{
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        assert_true((by->is[c] && by->may[c]) || !t->asked[c]);
        assert_true(t->asked[c] || !by->must[c] || t->table[c]->triangles.triangle_count == 0);
    }
    memset(t->asked, 0, t->chunk_count * sizeof *t->asked);
}

static void expect_rays_ask(terrain *t, const vp_kernels *kernels, const vp_terrain_view *view, const vp_ray *ray, float radius,
                            const crossing *by)
{
    vp_world_hit hit;
    if (radius > 0.0f) {
        assert_int_equal(kernels->world_sweep(view, ray, radius).hit.triangle, VP_NO_HIT);
        expect_asked(t, by);
        return;
    }
    assert_int_equal(kernels->world_ray(view, ray).hit.triangle, VP_NO_HIT);
    expect_asked(t, by);
    assert_int_equal(kernels->world_ray_any(view, ray), 0);
    expect_asked(t, by);
    assert_int_equal(kernels->world_ray_all(view, ray, &hit, 1), 0);
    expect_asked(t, by);
    kernels->world_ray16(view, ray, 1, &hit);
    assert_int_equal(hit.hit.triangle, VP_NO_HIT);
    expect_asked(t, by);
}

/* Where no tree is to be had, every chunk with triangles is asked for whose set bits a ray crosses, voxel by voxel, and none
   whose bits it does not; of a packet, those that any of its rays crosses. */
static void chunks_are_asked_for_by_their_bits(void **state)
{
    (void)state;
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {31};
    uint32_t crossed = 0, missed = 0;
    crossing by;
    for (int w = 0; w < WORLDS / 2; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 4);
        n.y = 1 + vp_random_below(&r, 3);
        n.z = 1 + vp_random_below(&r, 4);
        terrain t;
        terrain_begin(&t, w % 2 == 0 ? noisy_world(&r, n) : test_random_world(&r, n, NULL), VP_SURFACE_SOLID,
                      (vp_ivec3){0, 0, 0}, n, VP_KD_WIDE);
        const vp_terrain_view view = view_without_trees(&t, &r);
        for (int i = 0; i < 2 * RAYS; i++) {
            const vp_ray ray = i % 2 == 0 ? some_ray(&t, &r) : lattice_ray(&t, &r);
            const float radius = i % 8 == 7 ? 0.75f : 0.0f;
            memset(&by, 0, sizeof by);
            note_crossed(&t, &view, &ray, radius, &by);
            for (uint32_t c = 0; c < t.chunk_count; c++) {
                crossed += by.must[c];
                missed += !by.may[c];
            }
            for (size_t k = 0; k < count; k++)
                expect_rays_ask(&t, &tables[k].kernels, &view, &ray, radius, &by);
        }
        for (int i = 0; i < RAYS; i++) {
            vp_ray ray[16];
            vp_world_hit hit[16];
            const uint32_t rays = some_packet(&t, &r, i % 4 == 3 ? lattice_ray : some_ray, ray);
            memset(&by, 0, sizeof by);
            for (uint32_t k = 0; k < rays; k++)
                note_crossed(&t, &view, &ray[k], 0.0f, &by);
            for (size_t k = 0; k < count; k++) {
                tables[k].kernels.world_ray16(&view, ray, rays, hit);
                for (uint32_t h = 0; h < rays; h++)
                    assert_int_equal(hit[h].hit.triangle, VP_NO_HIT);
                expect_asked(&t, &by);
            }
        }
        terrain_end(&t);
    }
    assert_true(crossed > 10 * RAYS && missed > 10 * RAYS);
}

/* ---- tall columns ---- */

/* Up or down, through many layers; from anywhere, or from above or below all. */
static vp_ray steep_ray(const terrain *t, vp_random *r)
{
    const vp_dims size = vp_world_size(t->world);
    const float slope = vp_random_below(r, 3) == 0 ? 0.0f : 0.06f, top = (float)size.y;
    const bool down = vp_random_below(r, 2) == 0;
    vp_ray ray = {.t_max = INFINITY};
    ray.origin.x = vp_random_between(r, 0.0f, (float)size.x);
    ray.origin.y = vp_random_below(r, 3) == 0 ? vp_random_between(r, 0.0f, top) : down ? top + 3.0f : -3.0f;
    ray.origin.z = vp_random_between(r, 0.0f, (float)size.z);
    ray.direction.x = vp_random_between(r, -slope, slope);
    ray.direction.y = down ? -1.0f : 1.0f;
    ray.direction.z = vp_random_between(r, -slope, slope);
    if (vp_random_below(r, 8) == 0)
        ray.t_max = vp_random_between(r, 0.0f, top);
    return ray;
}

/* Floors with holes, one above the other up to the sky, as high as a world may be. */
static vp_world *tower(vp_random *r)
{
    vp_world *world = test_world(2, VP_WORLD_MAX_Y / 8, 2, NULL);
    for (int32_t y = 0; y < VP_WORLD_MAX_Y; y++) {
        const uint32_t holes = y % 8 == 5 || y == VP_WORLD_MAX_Y - 1 ? 3 : 20 + vp_random_below(r, 3) * 400;
        for (int32_t z = 0; z < 16; z++)
            for (int32_t x = 0; x < 16; x++)
                if (holes == 3 ? vp_random_below(r, 4) == 0 : vp_random_below(r, holes) == 0)
                    assert_ok(vp_world_set_voxel(world, (vp_ivec3){x, y, z}, (vp_voxel){3, (uint8_t)(128 + vp_random_below(r, 128))},
                                                 NULL, &error));
    }
    return world;
}

static uint32_t bits_of(uint32_t layers)
{
    uint32_t count = 0;
    for (; layers != 0; layers &= layers - 1u)
        count++;
    return count;
}

/* Columns of many layers, of which kernels take some at a time, up to the last one that there can be. */
static void tall_columns(void **state)
{
    (void)state;
    static const struct {
        int32_t first;
        uint32_t layers;
    } parts[] = {{0, 32}, {0, 32}, {23, 9}, {1, 17}, {31, 1}};
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {1967};
    for (size_t w = 0; w < sizeof parts / sizeof parts[0]; w++) {
        const vp_ivec3 first = {0, parts[w].first, 0};
        const vp_dims box = {2, parts[w].layers, 2};
        terrain t;
        terrain_begin(&t, tower(&r), VP_SURFACE_SOLID, first, box, (vp_kd_form)(w % VP_KD_FORM_COUNT));
        for (int c = 0; c < 4; c++) {
            assert_int_equal(bits_of(t.top.layers[c]), parts[w].layers);
            assert_true(first.y + (int32_t)box.y < 32 || (t.top.layers[c] >> (box.y - 1) & 1) != 0);
        }
        uint32_t topmost = 0;
        for (int i = 0; i < RAYS || topmost == 0; i++) {
            const vp_ray ray = i % 4 == 0 ? some_ray(&t, &r) : steep_ray(&t, &r);
            const vp_hit hit = test_closest(&t.triangles, &ray);
            topmost += hit.triangle >= 0 && chunk_at(&t, in_chunk(&t, (uint32_t)hit.triangle).chunk).y == first.y + (int32_t)box.y - 1;
            check_ray(&t, &tables[(size_t)i % count], &ray, &r);
            assert_true(i < 1000);
        }
        for (int i = 0; i < 2 * BOXES; i++) {
            vp_aabb a_box = test_random_box(&r, vp_world_size(t.world));
            if (i % 3 == 0) { /* a shaft, to the sky */
                a_box.max.y = (float)VP_WORLD_MAX_Y + 0.25f;
                a_box.min.y = vp_random_between(&r, -1.0f, a_box.max.y);
            }
            check_box(&t, &tables[(size_t)i % count], &a_box, &r);
            check_packet(&t, &tables[(size_t)i % count], i % 4 == 0 ? some_ray : steep_ray, &r);
        }
        terrain_end(&t);
    }
}

static void invalid_questions_have_answers(void **state)
{
    (void)state;
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {7};
    terrain t;
    terrain_begin(&t, noisy_world(&r, (vp_dims){2, 2, 2}), VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0}, (vp_dims){2, 2, 2},
                  VP_KD_WIDE);
    const vp_ray bad[] = {{{NAN, 0, 0}, {0, 1, 0}, 1.0f},      {{0, INFINITY, 0}, {0, 1, 0}, 1.0f},
                          {{0, 0, 0}, {0, NAN, 0}, 1.0f},      {{0, 0, 0}, {0, 0, 0}, 1.0f},
                          {{0, 0, 0}, {0, 1, 0}, -1.0f},       {{0, 0, 0}, {0, 1, 0}, NAN},
                          {{0, 0, 2.0f * VP_KD_MOST}, {0, 1, 0}, 1.0f}};
    const vp_ray good = {{8.0f, 40.0f, 8.0f}, {0.1f, -1.0f, 0.1f}, INFINITY};
    const vp_aabb bad_box[] = {{{NAN, 0, 0}, {9, 9, 9}}, {{0, 0, 0}, {9, NAN, 9}}, {{5, 0, 0}, {4, 9, 9}}};
    for (size_t k = 0; k < count; k++) {
        const vp_kernels *kernels = &tables[k].kernels;
        const vp_terrain_view view = view_for(&t, ALL_THERE, &r);
        vp_world_hit hit;
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            hit = kernels->world_ray(&view, &bad[i]);
            assert_int_equal(hit.hit.triangle, VP_RAY_INVALID);
            assert_memory_equal(&hit.hit.t, &bad[i].t_max, sizeof hit.hit.t);
            assert_int_equal(kernels->world_ray_any(&view, &bad[i]), VP_RAY_INVALID);
            assert_true(kernels->world_ray_all(&view, &bad[i], &hit, 1) == VP_RAY_ALL_INVALID);
            assert_int_equal(kernels->world_sweep(&view, &bad[i], 1.0f).hit.triangle, VP_RAY_INVALID);
        }
        assert_int_equal(kernels->world_sweep(&view, &good, -1.0f).hit.triangle, VP_RAY_INVALID);
        assert_int_equal(kernels->world_sweep(&view, &good, NAN).hit.triangle, VP_RAY_INVALID);
        assert_int_equal(kernels->world_sweep(&view, &good, 2.0f * VP_KD_MOST).hit.triangle, VP_RAY_INVALID);
        for (size_t i = 0; i < sizeof bad_box / sizeof bad_box[0]; i++)
            assert_int_equal(kernels->world_box(&view, &bad_box[i], NULL, 0), 0);
    }
    terrain_end(&t);
}

/* ---- the top level ---- */

/* Where a chunk's triangles are, as its mesh says. */
typedef struct extent {
    bool any;
    float low[3], high[3];
} extent;

static extent extent_of(const vp_world *world, const vp_kernels *kernels, vp_ivec3 chunk)
{
    static vp_chunk_mesh_room room;
    vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
    extent e = {false, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    assert_ok(vp_mesh_chunk(world, kernels, chunk, VP_SURFACE_SOLID, &mesh, &error));
    for (uint32_t i = 0; i < mesh.quad_count * 4; i++) {
        const vp_vec3 v = mesh.vertex[mesh.quad[i / 4][i % 4]];
        const float at[3] = {v.x, v.y, v.z};
        e.any = true;
        for (int k = 0; k < 3; k++) {
            e.low[k] = fminf(e.low[k], at[k]);
            e.high[k] = fmaxf(e.high[k], at[k]);
        }
    }
    return e;
}

/* A box of chunks of a world, and where the triangles of each are. */
typedef struct grid {
    const vp_world *world;
    vp_ivec3 first;
    vp_dims chunks;
    extent *of; /* x fastest, then z, then y */
    bool *seen; /* columns, while the top level is walked */
} grid;

static const extent *extent_at(const grid *g, uint32_t x, uint32_t y, uint32_t z)
{
    return &g->of[(y * g->chunks.z + z) * g->chunks.x + x];
}

static vp_ivec3 world_chunk(const grid *g, uint32_t x, uint32_t y, uint32_t z)
{
    return (vp_ivec3){g->first.x + (int32_t)x, g->first.y + (int32_t)y, g->first.z + (int32_t)z};
}

static void measure(grid *g, const vp_kernels *kernels)
{
    extent *to = g->of;
    for (uint32_t y = 0; y < g->chunks.y; y++)
        for (uint32_t z = 0; z < g->chunks.z; z++)
            for (uint32_t x = 0; x < g->chunks.x; x++)
                *to++ = extent_of(g->world, kernels, world_chunk(g, x, y, z));
}

/* A child that is a column, or the only chunk of one: its box has the column's triangles; if it is tight, to a sixteenth of a voxel. */
static void expect_column(const grid *g, const vp_top *top, uint32_t child, const float low[3], const float high[3], bool tight)
{
    const vp_dims n = vp_world_chunks(g->world);
    const uint32_t number = child & ~(VP_KD_LEAF | VP_TOP_COLUMN);
    const bool column = (child & VP_TOP_COLUMN) != 0;
    const uint32_t x = column ? number & 255u : number % n.x - (uint32_t)g->first.x;
    const uint32_t z = column ? number >> 8 : number / n.x % n.z - (uint32_t)g->first.z;
    const uint32_t only = column ? 0 : number / n.x / n.z - (uint32_t)g->first.y;
    extent all = {false, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    assert_true(x < g->chunks.x && z < g->chunks.z && (column || only < g->chunks.y));
    const uint32_t layers = top->layers[z * g->chunks.x + x];
    assert_false(g->seen[z * g->chunks.x + x]);
    g->seen[z * g->chunks.x + x] = true;
    for (uint32_t y = 0; y < g->chunks.y; y++) {
        const extent *e = extent_at(g, x, y, z);
        assert_true(!e->any || (layers >> y & 1) != 0);
        assert_true(!e->any || column || y == only);
        assert_true(!tight || e->any == (layers >> y & 1));
        all.any |= e->any;
        for (int k = 0; k < 3; k++) {
            all.low[k] = fminf(all.low[k], e->low[k]);
            all.high[k] = fmaxf(all.high[k], e->high[k]);
        }
    }
    for (int k = 0; k < 3 && all.any; k++) {
        assert_true(low[k] <= all.low[k] && all.high[k] <= high[k]);
        assert_true(!tight || (low[k] > all.low[k] - 0.0625f && high[k] < all.high[k] + 0.0625f));
    }
}

/* Everything below a node lies in the box that its parent has for it. */
static void expect_node(const grid *g, const vp_top *top, uint32_t node, const float low[3], const float high[3], bool tight)
{
    const vp_kd_wide *of = &top->node[node];
    for (int i = 0; i < VP_KD_WIDTH; i++) {
        float from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = of->low[k][i];
            to[k] = of->high[k][i];
        }
        if (!(from[0] <= to[0])) /* nothing is there */
            continue;
        for (int k = 0; k < 3; k++)
            assert_true(low[k] <= from[k] && from[k] <= to[k] && to[k] <= high[k]);
        if (vp_kd_is_leaf(of->child[i])) {
            expect_column(g, top, of->child[i], from, to, tight);
        } else {
            assert_true(of->child[i] > node);
            expect_node(g, top, of->child[i], from, to, tight);
        }
    }
}

/* @param tight  all has been learnt */
static void expect_top_covers(const grid *g, const vp_terrain_top *top, bool tight)
{
    static const float least[3] = {-INFINITY, -INFINITY, -INFINITY}, most[3] = {INFINITY, INFINITY, INFINITY};
    const vp_top view = vp_terrain_top_view(top);
    memset(g->seen, 0, (size_t)g->chunks.x * g->chunks.z);
    expect_node(g, &view, 0, least, most, tight);
    for (uint32_t z = 0; z < g->chunks.z; z++)
        for (uint32_t x = 0; x < g->chunks.x; x++) {
            bool any = false;
            for (uint32_t y = 0; y < g->chunks.y; y++)
                any |= extent_at(g, x, y, z)->any;
            assert_true(g->seen[z * g->chunks.x + x] || !any);
            assert_true(!tight || g->seen[z * g->chunks.x + x] == any);
        }
}

/* Tells the top level where the triangles of some chunks are: of one in `part`. */
static uint32_t teach(const grid *g, vp_terrain_top *top, const vp_top_source *source, uint32_t part, vp_random *r)
{
    const vp_dims n = vp_world_chunks(g->world);
    uint32_t taught = 0;
    for (uint32_t y = 0; y < g->chunks.y; y++)
        for (uint32_t z = 0; z < g->chunks.z; z++)
            for (uint32_t x = 0; x < g->chunks.x; x++) {
                const vp_ivec3 at = world_chunk(g, x, y, z);
                const extent *e = extent_at(g, x, y, z);
                const vp_aabb box = {{e->low[0], e->low[1], e->low[2]}, {e->high[0], e->high[1], e->high[2]}};
                if (vp_random_below(r, part) != 0)
                    continue;
                vp_terrain_top_learn(top, source, ((uint32_t)at.y * n.z + (uint32_t)at.z) * n.x + (uint32_t)at.x, e->any ? &box : NULL);
                taught += e->any;
            }
    return taught;
}

/* A top level that learns where triangles are, and hears of edits, holds all triangles at any time; and no more than a sixteenth of a
   voxel beside them when it has learnt all. */
static void the_top_level_learns(void **state)
{
    (void)state;
    vp_random r = {101};
    uint32_t taught = 0;
    vp_kernels kernels;
    vp_kernels_best(&kernels, 0);
    for (int w = 0; w < 12; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 9);
        n.y = 1 + vp_random_below(&r, 4);
        n.z = 1 + vp_random_below(&r, 9);
        vp_world *world = test_random_world(&r, n, NULL);
        grid g = {.world = world, .chunks = n};
        if (w % 3 == 2) {
            g.first.x = (int32_t)vp_random_below(&r, n.x);
            g.first.y = (int32_t)vp_random_below(&r, n.y);
            g.first.z = (int32_t)vp_random_below(&r, n.z);
            g.chunks = (vp_dims){n.x - (uint32_t)g.first.x, 1 + vp_random_below(&r, n.y - (uint32_t)g.first.y), n.z - (uint32_t)g.first.z};
        }
        g.of = calloc((size_t)g.chunks.x * g.chunks.y * g.chunks.z, sizeof *g.of);
        g.seen = calloc((size_t)g.chunks.x * g.chunks.z, sizeof *g.seen);
        assert_true(g.of != NULL && g.seen != NULL);
        const vp_broadphase_def def = {.world = world, .kernels = &kernels};
        vp_broadphase *broadphase;
        assert_ok(vp_broadphase_create(&def, &broadphase, &error));
        vp_chunk_set stale;
        assert_ok(vp_chunk_set_create(n, NULL, &stale, &error));
        const vp_allocator allocator = vp_allocator_default();
        vp_terrain_top top;
        assert_true(vp_terrain_top_create(VP_SURFACE_SOLID, g.first, g.chunks, &allocator, &top));
        vp_top_source source = {vp_broadphase_bits(broadphase), vp_world_voxels(world)};
        vp_terrain_top_derive(&top, &source);
        measure(&g, &kernels);
        expect_top_covers(&g, &top, false);
        for (int e = 0; e < 16; e++) {
            taught += teach(&g, &top, &source, e % 4 == 0 ? 1 : 3, &r);
            expect_top_covers(&g, &top, e % 4 == 0);
            vp_chunk_set_clear(&stale);
            test_random_edit(&r, world, &stale);
            assert_ok(vp_broadphase_update(broadphase, world, &stale, &error));
            source.bits = vp_broadphase_bits(broadphase);
            vp_terrain_top_update(&top, &source, &stale, 0, n.x * n.y * n.z - 1);
            measure(&g, &kernels);
            expect_top_covers(&g, &top, false);
        }
        teach(&g, &top, &source, 1, &r);
        expect_top_covers(&g, &top, true);
        if (g.first.x + g.first.y + g.first.z != 0) { /* of a chunk outside there is nothing to learn */
            vp_terrain_top_learn(&top, &source, 0, NULL);
            expect_top_covers(&g, &top, true);
        }
        vp_terrain_top_destroy(&top);
        vp_chunk_set_destroy(&stale);
        vp_broadphase_destroy(broadphase);
        vp_world_destroy(world);
        free(g.of);
        free(g.seen);
    }
    assert_true(taught > 1000);
}

/* After any edit the top level that was brought up to date holds every triangle's box, as one that is made anew does. */
static void the_top_level_follows_edits(void **state)
{
    (void)state;
    vp_random r = {99};
    for (int w = 0; w < 8; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 11);
        n.y = 1 + vp_random_below(&r, 3);
        n.z = 1 + vp_random_below(&r, 11);
        vp_world *world = test_random_world(&r, n, NULL);
        vp_kernels scalar;
        vp_kernels_best(&scalar, 0);
        const vp_broadphase_def def = {.world = world, .kernels = &scalar};
        vp_broadphase *broadphase;
        assert_ok(vp_broadphase_create(&def, &broadphase, &error));
        vp_chunk_set stale;
        assert_ok(vp_chunk_set_create(n, NULL, &stale, &error));
        const vp_allocator allocator = vp_allocator_default();
        vp_terrain_top top, anew;
        assert_true(vp_terrain_top_create(VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0}, n, &allocator, &top));
        assert_true(vp_terrain_top_create(VP_SURFACE_SOLID, (vp_ivec3){0, 0, 0}, n, &allocator, &anew));
        vp_top_source source = {vp_broadphase_bits(broadphase), vp_world_voxels(world)};
        vp_terrain_top_derive(&top, &source);
        for (int e = 0; e < 12; e++) {
            vp_chunk_set_clear(&stale);
            test_random_edit(&r, world, &stale);
            assert_ok(vp_broadphase_update(broadphase, world, &stale, &error));
            source.bits = vp_broadphase_bits(broadphase);
            vp_terrain_top_update(&top, &source, &stale, 0, n.x * n.y * n.z - 1);
            vp_terrain_top_derive(&anew, &source);
            for (uint32_t c = 0; c < n.x * n.z; c++) /* FULL chunks that were looked at with other neighbours may stay */
                assert_int_equal(anew.layers[c] & ~top.layers[c], 0);
            for (uint32_t i = 0; i < top.node_count; i++)
                for (int k = 0; k < 3; k++)
                    for (int child = 0; child < VP_KD_WIDTH; child++) {
                        assert_true(top.node[i].low[k][child] <= anew.node[i].low[k][child]);
                        assert_true(top.node[i].high[k][child] >= anew.node[i].high[k][child]);
                    }
        }
        vp_terrain_top_destroy(&top);
        vp_terrain_top_destroy(&anew);
        vp_chunk_set_destroy(&stale);
        vp_broadphase_destroy(broadphase);
        vp_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terrain_answers_as_one_mesh),
        cmocka_unit_test(chunks_are_asked_for_by_their_bits),
        cmocka_unit_test(invalid_questions_have_answers),
        cmocka_unit_test(tall_columns),
        cmocka_unit_test(the_top_level_follows_edits),
        cmocka_unit_test(the_top_level_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
