/* SPDX-License-Identifier: MIT */
#include "tests/support/chunk_terrain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/terrain/walk.h"
#include "tests/support/check.h"

vp_ivec3 test_terrain_chunk_at(const test_terrain *t, uint32_t chunk)
{
    const vp_dims n = vp_world_chunks(t->world);
    return (vp_ivec3){(int32_t)(chunk % n.x), (int32_t)(chunk / n.x / n.z), (int32_t)(chunk / n.x % n.z)};
}

static bool in_box(const test_terrain *t, vp_ivec3 c)
{
    return c.x >= t->first.x && c.y >= t->first.y && c.z >= t->first.z && c.x < t->first.x + (int32_t)t->chunks.x &&
           c.y < t->first.y + (int32_t)t->chunks.y && c.z < t->first.z + (int32_t)t->chunks.z;
}

static vp_kd *tree_of(const test_terrain *t, const test_chunk_data *c, vp_kd_form form)
{
    const vp_kd_def def = {
        .triangles = {.vertex = c->vertex, .index = c->index, .vertex_count = c->vertices, .triangle_count = c->quads * 2, .quads = true},
        .form = form,
        .kernels = &t->kernels};
    vp_kd *tree;
    assert_ok(vp_kd_create(&def, &tree, &error));
    return tree;
}

static void make_chunks(test_terrain *t, vp_kd_form form)
{
    static vp_chunk_mesh_room room;
    uint32_t first = 0;
    for (uint32_t c = 0; c < t->chunk_count; c++) {
        if (!in_box(t, test_terrain_chunk_at(t, c)))
            continue;
        vp_chunk_mesh mesh = vp_chunk_mesh_in(&room);
        assert_ok(vp_mesh_chunk(t->world, &t->kernels, test_terrain_chunk_at(t, c), t->surface, &mesh, &error));
        test_chunk_data *to = &t->chunk[c];
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

void test_terrain_begin(test_terrain *t, vp_world *world, vp_surface surface, vp_ivec3 first, vp_dims chunks, vp_kd_form form)
{
    const vp_dims n = vp_world_chunks(world);
    *t = (test_terrain){.world = world, .surface = surface, .first = first, .chunks = chunks, .chunk_count = n.x * n.y * n.z};
    vp_kernels_best(&t->kernels, 0);
    const vp_broadphase_def def = {.world = world, .kernels = &t->kernels};
    assert_ok(vp_broadphase_create(&def, &t->broadphase, &error));
    const vp_allocator allocator = vp_allocator_default();
    assert_true(vp_terrain_top_create(surface, first, chunks, &allocator, &t->top));
    const vp_top_source source = {vp_broadphase_bits(t->broadphase), vp_world_voxels(world)};
    vp_terrain_top_derive(&t->top, &source);
    terrain_oracle_make(world, surface, first, chunks, &t->oracle);
    t->triangles = t->oracle.triangles;
    t->chunk = calloc(t->chunk_count, sizeof *t->chunk);
    t->table = calloc(t->chunk_count, sizeof *t->table);
    t->now = calloc(t->chunk_count, sizeof *t->now);
    t->asked = calloc(t->chunk_count, sizeof *t->asked);
    t->known = calloc(t->chunk_count, sizeof *t->known);
    make_chunks(t, form);
}

void test_terrain_end(test_terrain *t)
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
    terrain_oracle_free(&t->oracle);
    vp_terrain_top_destroy(&t->top);
    vp_broadphase_destroy(t->broadphase);
    vp_world_destroy(t->world);
}

/* Returns a tree that is freed at the next call, so that later use of it reads freed memory. */
static const vp_kd_view *lend(test_terrain *t, uint32_t chunk)
{
    vp_kd_destroy(t->last);
    t->last = tree_of(t, &t->chunk[chunk], t->table[chunk]->form);
    return vp_kd_view_of(t->last);
}

static const vp_kd_view *find(void *user, uint32_t chunk)
{
    test_terrain *t = user;
    assert_int_equal(t->mode, TEST_LAST_ONLY); /* kernels read a table without calling this */
    assert_in_range(chunk, 0, t->chunk_count - 1);
    assert_true(in_box(t, test_terrain_chunk_at(t, chunk)));
    return t->known[chunk] ? lend(t, chunk) : NULL;
}

static const vp_kd_view *make(void *user, uint32_t chunk)
{
    test_terrain *t = user;
    assert_int_not_equal(t->mode, TEST_ALL_THERE);
    assert_in_range(chunk, 0, t->chunk_count - 1);
    assert_true(in_box(t, test_terrain_chunk_at(t, chunk)));
    assert_true(t->mode == TEST_LAST_ONLY ? !t->known[chunk] : t->now[chunk] == NULL);
    t->asked[chunk] = true;
    if (t->mode == TEST_LAST_ONLY) {
        t->known[chunk] = vp_world_chunks(t->world).x % 2 != 0; /* in some worlds no tree stays */
        return lend(t, chunk);
    }
    t->now[chunk] = t->table[chunk];
    return t->table[chunk];
}

vp_terrain_view test_terrain_view(test_terrain *t, test_trees_there how, vp_random *r)
{
    t->mode = how;
    memset(t->asked, 0, t->chunk_count * sizeof *t->asked);
    memset(t->known, 0, t->chunk_count * sizeof *t->known);
    for (uint32_t c = 0; c < t->chunk_count; c++)
        t->now[c] = how == TEST_ALL_THERE || vp_random_below(r, 3) == 0 ? t->table[c] : NULL;
    return (vp_terrain_view){.bits = vp_broadphase_bits(t->broadphase),
                             .surface = t->surface,
                             .first = t->first,
                             .chunks = t->chunks,
                             .box = vp_chunks_box(t->first, t->chunks),
                             .top = vp_terrain_top_view(&t->top),
                             .tree = how == TEST_LAST_ONLY ? NULL : t->now,
                             .find = find,
                             .make = make,
                             .user = t};
}

/* ---- brute force ---- */

vp_terrain_hit test_terrain_of_mesh(const test_terrain *t, const vp_hit *hit)
{
    return terrain_oracle_hit(&t->oracle, *hit);
}

void test_expect_hit(const vp_terrain_hit *got, const vp_terrain_hit *want)
{
    assert_int_equal(got->in_chunk.triangle, want->in_chunk.triangle);
    assert_int_equal(got->chunk, want->chunk);
    assert_memory_equal(&got->in_chunk, &want->in_chunk, sizeof got->in_chunk);
}

bool test_near_set_bits(const test_terrain *t, uint32_t chunk, const vp_ray *ray, double slack)
{
    const vp_ivec3 c = test_terrain_chunk_at(t, chunk);
    const vp_chunk_masks *masks = vp_broadphase_masks(t->broadphase, c);
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

/* ---- rays and worlds ---- */

vp_ray test_terrain_ray(const test_terrain *t, vp_random *r)
{
    const vp_dims size = vp_world_size(t->world);
    if (t->triangles.triangle_count != 0 && vp_random_below(r, 3) != 0) {
        const vp_ray near = test_ray(r, &t->triangles);
        vp_ray_frame frame;
        if (vp_ray_frame_of(&near, &frame)) /* other tests cover invalid rays */
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

uint32_t test_terrain_packet(const test_terrain *t, vp_random *r, test_ray_fn *one, vp_ray ray[16])
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

vp_world *test_noisy_world(vp_random *r, vp_dims chunks)
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
