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

static void check_packet(terrain *t, const test_table *table, vp_random *r)
{
    vp_ray ray[16];
    vp_world_hit got[17];
    const uint32_t count = vp_random_below(r, 17);
    const bool alike = vp_random_below(r, 2) == 0;
    for (uint32_t i = 0; i < 16; i++) {
        ray[i] = i == 0 || !alike ? some_ray(t, r) : ray[0];
        if (alike) {
            ray[i].direction.x += vp_random_between(r, -0.05f, 0.05f);
            ray[i].direction.y += vp_random_between(r, -0.05f, 0.05f);
        }
    }
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
            check_packet(&t, &tables[(size_t)i % count], &r);
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

/* Where no tree is to be had, every chunk with triangles is asked for whose set bits a ray crosses, voxel by voxel, and none
   whose bits it does not. */
static void chunks_are_asked_for_by_their_bits(void **state)
{
    (void)state;
    test_table tables[TEST_TABLES_MAX];
    const size_t count = test_tables(tables);
    vp_random r = {31};
    uint32_t crossed = 0, missed = 0;
    for (int w = 0; w < WORLDS / 2; w++) {
        vp_dims n;
        n.x = 1 + vp_random_below(&r, 4);
        n.y = 1 + vp_random_below(&r, 3);
        n.z = 1 + vp_random_below(&r, 4);
        terrain t;
        terrain_begin(&t, w % 2 == 0 ? noisy_world(&r, n) : test_random_world(&r, n, NULL), VP_SURFACE_SOLID,
                      (vp_ivec3){0, 0, 0}, n, VP_KD_WIDE);
        for (int i = 0; i < 2 * RAYS; i++) {
            const vp_ray ray = i % 2 == 0 ? some_ray(&t, &r) : lattice_ray(&t, &r);
            const float radius = i % 8 == 7 ? 0.75f : 0.0f;
            vp_terrain_view view = view_for(&t, LAST_ONLY, &r);
            vp_box_ray box_ray = {0};
            view.find = never_there;
            view.make = note_only;
            assert_true(vp_box_ray_of(&ray, &view.box, radius, &box_ray));
            for (size_t k = 0; k < count; k++) {
                const vp_kernels *kernels = &tables[k].kernels;
                memset(t.asked, 0, t.chunk_count * sizeof *t.asked);
                const vp_world_hit hit = radius > 0.0f ? kernels->world_sweep(&view, &ray, radius) : kernels->world_ray(&view, &ray);
                assert_int_equal(hit.hit.triangle, VP_NO_HIT);
                for (uint32_t c = 0; c < t.chunk_count; c++) {
                    const vp_ivec3 at = chunk_at(&t, c);
                    const bool crosses = vp_crosses_bits(&box_ray, vp_chunk_bits(&view, at), at, box_ray.frame.s_max);
                    assert_true(crosses || !t.asked[c]);
                    assert_true(t.asked[c] || !crosses || t.table[c]->triangles.triangle_count == 0);
                    crossed += crosses;
                    missed += !crosses;
                }
            }
        }
        terrain_end(&t);
    }
    assert_true(crossed > 10 * RAYS && missed > 10 * RAYS);
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
        cmocka_unit_test(the_top_level_follows_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
