/* SPDX-License-Identifier: MIT */
/* The top level of a terrain covers all triangles when it is built, after edits, and when it has learned the extents of some chunks. It
 * learns every tree that was made, however many are made at a time. */
#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/terrain_oracle.h"
#include "tests/support/triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "src/terrain/terrain_internal.h"

/* The extent of a chunk's triangles, by its mesh. */
typedef struct extent {
    bool any;
    float low[3], high[3];
} extent;

/* A box of chunks of a world, and the extent of each. */
typedef struct grid {
    const vp_world *world;
    vp_ivec3 first;
    vp_dims chunks;
    extent *of; /* x fastest, then z, then y */
    bool *seen; /* columns found while the top level is walked */
} grid;

static const extent *extent_at(const grid *g, uint32_t x, uint32_t y, uint32_t z)
{
    return &g->of[(y * g->chunks.z + z) * g->chunks.x + x];
}

/* The extents of the current world's chunks, by the mesh of all. */
static void measure(grid *g)
{
    const vp_dims n = vp_world_chunks(g->world), box = g->chunks;
    terrain_oracle o;
    terrain_oracle_make(g->world, VP_SURFACE_SOLID, g->first, box, &o);
    for (uint32_t c = 0; c < box.x * box.y * box.z; c++)
        g->of[c] = (extent){false, {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < o.triangles.triangle_count * 3; i++) {
        const uint32_t c = o.of[i / 3].chunk, x = c % n.x - (uint32_t)g->first.x, z = c / n.x % n.z - (uint32_t)g->first.z;
        const uint32_t y = c / n.x / n.z - (uint32_t)g->first.y;
        extent *e = &g->of[(y * box.z + z) * box.x + x];
        vp_vec3 corner[3];
        test_corners(&o.triangles, i / 3, corner);
        const float at[3] = {corner[i % 3].x, corner[i % 3].y, corner[i % 3].z};
        e->any = true;
        for (int k = 0; k < 3; k++) {
            e->low[k] = fminf(e->low[k], at[k]);
            e->high[k] = fmaxf(e->high[k], at[k]);
        }
    }
    terrain_oracle_free(&o);
}

/* A child is a column, or its only chunk. Its box contains the column's triangles. If it is tight, it is at most a sixteenth of
   a voxel larger. */
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

/* Everything below a node is inside its parent's box for it. */
static void expect_node(const grid *g, const vp_top *top, uint32_t node, const float low[3], const float high[3], bool tight)
{
    const vp_kd_wide *of = &top->node[node];
    for (int i = 0; i < VP_KD_WIDTH; i++) {
        float from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = of->low[k][i];
            to[k] = of->high[k][i];
        }
        if (!(from[0] <= to[0])) /* empty */
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

/* @param tight every extent is known */
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

/* Makes as many trees as fit into the budget, and lets the top level learn their extents. */
static void make_some(vp_terrain *t, size_t budget)
{
    assert_ok(vp_terrain_set_budget(t, budget, &error));
    assert_ok(vp_terrain_prepare(t, &error));
}

/* When all trees were made, boxes are within a sixteenth of a voxel. The worlds have more or fewer chunks than are learned one by one. An
   edit of a chunk discards its extent, even if its tree was evicted or the extent was still pending. */
static void the_top_level_learns(void **state)
{
    (void)state;
    vp_random r = {101};
    uint32_t most = 0;
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
        vp_terrain *t = NULL;
        const vp_terrain_def def = {.world = world, .first = g.first, .chunks = g.chunks};
        assert_ok(vp_terrain_create(&def, &t, &error));
        for (int e = 0; e < 16; e++) {
            measure(&g);
            expect_top_covers(&g, &t->top[0], false);
            const bool all = e % 4 == 3;
            make_some(t, all ? VP_TERRAIN_NO_LIMIT : vp_random_below(&r, 400000));
            expect_top_covers(&g, &t->top[0], all);
            const vp_terrain_stats stats = vp_terrain_stats_of(t);
            most = stats.kept + stats.empty > most ? stats.kept + stats.empty : most;
            terrain_random_edit(&r, t, vp_world_size(world), NULL);
            for (int i = 0; i < 3; i++) { /* too few to be learned at once, and an edit makes them stale */
                const vp_ivec3 at = {(int32_t)vp_random_below(&r, n.x * 8), (int32_t)vp_random_below(&r, n.y * 8),
                                     (int32_t)vp_random_below(&r, n.z * 8)};
                const vp_aabb box = {{(float)at.x, (float)at.y, (float)at.z}, {(float)at.x + 1, (float)at.y + 1, (float)at.z + 1}};
                uint32_t count;
                assert_ok(vp_terrain_gather(t, VP_SURFACE_SOLID, &box, NULL, 0, &count, &error));
                assert_ok(vp_terrain_set_voxel(t, at, test_random_voxel(&r), NULL, &error));
            }
        }
        vp_terrain_destroy(t);
        vp_world_destroy(world);
        free(g.of);
        free(g.seen);
    }
    assert_true(most > 2 * VP_MADE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_top_level_learns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
