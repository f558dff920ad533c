/* SPDX-License-Identifier: MIT */
/* The top level of a terrain holds all triangles: as it is derived, after edits, and when it has learnt where the triangles of some
 * chunks are. */
#include "tests/support/check.h"
#include "tests/support/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "src/terrain/top.h"

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

/* A child that is a column, or the only chunk of one: its box has the column's triangles; if it is tight, to a sixteenth of a
   voxel. */
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
                const uint32_t number = ((uint32_t)at.y * n.z + (uint32_t)at.z) * n.x + (uint32_t)at.x;
                vp_terrain_top_learn(top, source, number, e->any ? &box : NULL);
                taught += e->any;
            }
    return taught;
}

/* A top level that learns where triangles are, and hears of edits, holds all triangles at any time; and no more than a sixteenth
   of a voxel beside them when it has learnt all. */
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
            g.chunks.x = n.x - (uint32_t)g.first.x;
            g.chunks.y = 1 + vp_random_below(&r, n.y - (uint32_t)g.first.y);
            g.chunks.z = n.z - (uint32_t)g.first.z;
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_top_level_follows_edits), cmocka_unit_test(the_top_level_learns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
