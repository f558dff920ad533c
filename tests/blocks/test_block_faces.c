/* SPDX-License-Identifier: MIT */
/* Windows, meshes and reduced worlds against a world in one plain array, faces and light by hand. The cases faces and greedy_quads and the
 * corpus judge the faces of any worlds. */
#include "tests/blocks/worlds.h"

#include <math.h>

#include <voxphys/kd.h>

#include "tests/support/memory.h"

enum { CELLS_MOST = VP_BLOCK_WINDOW_CELLS };
static const int towards[VP_SIDE_COUNT][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

static vp_block cells[CELLS_MOST];

static void axes_of_sides(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < VP_SIDE_COUNT; s++) {
        uint32_t axis, u, v;
        vp_side_axes(s, &axis, &u, &v);
        assert_true(towards[s][axis] == (s % 2 == 1 ? 1 : -1) && axis + u + v == 3 && u != v && u != axis && v != axis);
        assert_true(u == 0 || (axis == 0 && u == 2)); /* in memory x comes before z */
    }
}

/* With each set of sides, a window holds the neighbours' blocks on those sides and nothing on the others. */
static void windows_of_sides(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-1 */
    vp_random r = {5};
    world w;
    world_begin(&w, &r, RANDOM, (vp_ivec3){-1, 2, -2}, (vp_dims){2, 2, 2});
    for (uint32_t sides = 0; sides <= VP_SIDES_ALL; sides++) {
        const vp_ivec3 chunk = {(int32_t)(sides % 2) - 1, 2 + (int32_t)(sides / 2 % 2), (int32_t)(sides / 4 % 2) - 2};
        size_t n = 0;
        assert_ok(vp_block_window_fill(&w.view, chunk, 32, sides, cells, &error));
        for (int32_t y = -1; y <= 32; y++)
            for (int32_t z = -1; z <= 32; z++)
                for (int32_t x = -1; x <= 32; x++) {
                    const int32_t at[3] = {x, y, z};
                    bool seen = true;
                    for (int a = 0; a < 3; a++)
                        seen = seen && (at[a] >= 0 || (sides & 1u << 2 * a) != 0) && (at[a] < 32 || (sides & 2u << 2 * a) != 0);
                    assert_int_equal(cells[n++], seen ? block_at(&w, chunk.x * 32 + x, chunk.y * 32 + y, chunk.z * 32 + z) : 0);
                }
    }
    world_end(&w);
}

static void by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-1, BSH-2, BSH-3 */
    vp_random r = {1};
    world w;
    vp_block_quads q;
    vp_block_quads_def def = {{cells, 32, types, TYPES}, true, false, NULL, NULL};
    world_begin(&w, &r, FULL, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    assert_ok(vp_block_window_fill(&w.view, (vp_ivec3){0, 0, 0}, 32, VP_SIDES_ALL, cells, &error));
    assert_ok(vp_block_quads_create(&def, &q, &error));
    assert_int_equal(q.first[6], 6); /* a full chunk alone has six quads of 32 x 32 */
    for (int i = 0; i < 6; i++)
        assert_true(q.first[i] == (uint32_t)i && q.quad[i].u == 32 && q.quad[i].v == 32);
    vp_block_quads_destroy(&q);
    world_end(&w);
    /* Water and glass side by side each have a face, two panes of glass have none between them. Lava is opaque and hides a stone. */
    world_begin(&w, &r, EMPTY, (vp_ivec3){0, 0, 0}, (vp_dims){1, 1, 1});
    static const vp_block row[8] = {GLASS, GLASS, WATER, WATER, STONE, LAVA, GRASS, STONE};
    memcpy(w.block + (10 * 32 + 10) * 32 + 8, row, sizeof row);
    world_lay(&w);
    def.merged = false;
    assert_ok(vp_block_window_fill(&w.view, (vp_ivec3){0, 0, 0}, 32, VP_SIDES_ALL, cells, &error));
    assert_ok(vp_block_quads_create(&def, &q, &error));
    /* Glass at 8, water at 10, and stone at 12 and 15 have low faces. Opaque neighbours hide those of lava at 13 and grass at 14. Glass
       at 9, lava at 13 and stone at 15 have high faces. Opaque neighbours hide those of water at 11, stone at 12 and grass at 14. */
    static const uint8_t low_x[] = {8, 10, 12, 15}, high_x[] = {9, 13, 15};
    assert_int_equal(q.first[1] - q.first[0], 4);
    assert_int_equal(q.first[2] - q.first[1], 3);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(q.quad[i].x, low_x[i]);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(q.quad[q.first[1] + i].x, high_x[i]);
    assert_int_equal(q.first[6], 4 + 3 + 4 * 8);
    vp_block_quads_destroy(&q);
    /* light of the floor around stones on it */
    memset(w.block, 0, 32768 * sizeof *w.block);
    for (int i = 0; i < 1024; i++)
        w.block[5 * 1024 + i] = EARTH;
    w.block[(6 * 32 + 10) * 32 + 10] = STONE; /* (10, 6, 10) */
    w.block[(6 * 32 + 11) * 32 + 12] = STONE; /* (12, 6, 11) */
    world_lay(&w);
    def.occlusion = true;
    assert_ok(vp_block_window_fill(&w.view, (vp_ivec3){0, 0, 0}, 32, VP_SIDES_ALL, cells, &error));
    assert_ok(vp_block_quads_create(&def, &q, &error));
    uint8_t light[32][32]; /* [z][x] of the floor */
    for (uint32_t i = q.first[VP_SIDE_Y_HIGH]; i < q.first[VP_SIDE_Y_HIGH + 1]; i++)
        if (q.quad[i].y == 5)
            light[q.quad[i].z][q.quad[i].x] = q.quad[i].occlusion;
    /* low u low v, high u low v, low u high v, high u high v (u is x and v is z) */
    assert_int_equal(light[5][5], 3 | 3 << 2 | 3 << 4 | 3 << 6);
    assert_int_equal(light[10][9], 3 | 2 << 2 | 3 << 4 | 2 << 6);  /* the stone is at high x */
    assert_int_equal(light[9][9], 3 | 3 << 2 | 3 << 4 | 2 << 6);   /* the stone is diagonal */
    assert_int_equal(light[11][10], 2 | 2 << 2 | 3 << 4 | 3 << 6); /* at low z */
    assert_int_equal(light[10][11], 2 | 3 << 2 | 2 << 4 | 2 << 6); /* one at low x, one diagonal at high x and z */
    assert_int_equal(light[11][11], 2 | 2 << 2 | 3 << 4 | 2 << 6); /* one diagonal at low x and z, one at high x */
    vp_block_quads_destroy(&q);
    w.block[(6 * 32 + 11) * 32 + 12] = 0;
    w.block[(6 * 32 + 11) * 32 + 9] = STONE; /* (9, 6, 11), so that both sides of a corner have stones, with (10, 6, 10) */
    world_lay(&w);
    assert_ok(vp_block_window_fill(&w.view, (vp_ivec3){0, 0, 0}, 32, VP_SIDES_ALL, cells, &error));
    assert_ok(vp_block_quads_create(&def, &q, &error));
    for (uint32_t i = q.first[VP_SIDE_Y_HIGH]; i < q.first[VP_SIDE_Y_HIGH + 1]; i++)
        if (q.quad[i].y == 5 && q.quad[i].x == 9 && q.quad[i].z == 10) {
            assert_int_equal(q.quad[i].occlusion, 3 | 2 << 2 | 2 << 4 | 0 << 6);
            light[0][0] = 77;
        }
    assert_int_equal(light[0][0], 77);
    vp_block_quads_destroy(&q);
    world_end(&w);
}

/* ---- meshes ---- */

static double cross_of(const vp_vec3 *a, const vp_vec3 *b, const vp_vec3 *c, int axis)
{
    const double p[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y, (double)b->z - (double)a->z};
    const double q[3] = {(double)c->x - (double)a->x, (double)c->y - (double)a->y, (double)c->z - (double)a->z};
    return p[(axis + 1) % 3] * q[(axis + 2) % 3] - p[(axis + 2) % 3] * q[(axis + 1) % 3];
}

static void meshes_are_the_quads(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-10, BSH-12 */
    vp_random r = {7};
    uint32_t turned = 0, straight = 0;
    for (int k = 0; k < WORLD_KINDS; k++)
        for (uint32_t edge = 32; edge >= 8; edge /= 2) {
            const vp_ivec3 chunk = {-1, 3, 0};
            const int32_t scale = 32 / (int32_t)edge;
            world w;
            vp_block_quads q;
            vp_block_mesh mesh;
            world_begin(&w, &r, (world_kind)k, (vp_ivec3){-1, 3, -1}, (vp_dims){2, 1, 2});
            const vp_block_quads_def def = {{cells, edge, types, TYPES}, k % 2 == 0, true, NULL, NULL};
            assert_ok(vp_block_window_fill(&w.view, chunk, edge, VP_SIDES_ALL, cells, &error));
            assert_ok(vp_block_quads_create(&def, &q, &error));
            const vp_block_mesh_def of = {&q, chunk, NULL, NULL};
            assert_ok(vp_block_mesh_create(&of, &mesh, &error));
            assert_int_equal(mesh.quad_count, q.first[6]);
            for (uint32_t side = 0; side < VP_SIDE_COUNT; side++)
                for (uint32_t i = q.first[side]; i < q.first[side + 1]; i++) {
                    uint32_t axis, u, v;
                    const vp_block_quad *quad = &q.quad[i];
                    vp_side_axes(side, &axis, &u, &v);
                    const double low[3] = {chunk.x * 32 + quad->x * scale, chunk.y * 32 + quad->y * scale, chunk.z * 32 + quad->z * scale};
                    uint32_t corners = 0, light[4] = {0, 0, 0, 0};
                    for (uint32_t c = 4 * i; c < 4 * i + 4; c++) {
                        const double p[3] = {(double)mesh.vertex[c].x, (double)mesh.vertex[c].y, (double)mesh.vertex[c].z};
                        const bool high_u = p[u] != low[u], high_v = p[v] != low[v];
                        assert_true(p[axis] == low[axis] + (side % 2 == 1 ? scale : 0));
                        assert_true(p[u] == low[u] + (high_u ? quad->u * scale : 0) && p[v] == low[v] + (high_v ? quad->v * scale : 0));
                        const uint32_t corner = (uint32_t)high_u + 2 * (uint32_t)high_v;
                        corners |= 1u << corner;
                        assert_int_equal(mesh.light[c], quad->occlusion >> 2 * corner & 3);
                        light[corner] = mesh.light[c];
                    }
                    assert_int_equal(corners, 15);
                    uint32_t times[4] = {0, 0, 0, 0};
                    for (int t = 0; t < 2; t++) { /* they face outwards, and have the quad's area together */
                        const uint32_t *n = mesh.index + i * 6 + t * 3;
                        const double area = cross_of(&mesh.vertex[n[0]], &mesh.vertex[n[1]], &mesh.vertex[n[2]], (int)axis);
                        assert_true(area == (side % 2 == 1 ? 1.0 : -1.0) * quad->u * quad->v * scale * scale);
                        for (int c = 0; c < 3; c++) {
                            assert_true(n[c] / 4 == i);
                            times[n[c] % 4]++;
                        }
                    }
                    uint32_t on_diagonal = 0;
                    for (uint32_t c = 0; c < 4; c++) {
                        const vp_vec3 *p = &mesh.vertex[4 * i + c];
                        const double at[3] = {(double)p->x, (double)p->y, (double)p->z};
                        if (times[c] == 2)
                            on_diagonal |= 1u << ((at[u] != low[u]) + 2 * (at[v] != low[v]));
                    }
                    const bool other = light[1] + light[2] > light[0] + light[3];
                    assert_int_equal(on_diagonal, other ? 6 : 9);
                    turned += other;
                    straight += !other;
                }
            const vp_block_rounding by = {{0, 100, 5}, 20};
            vp_block_mesh rounded;
            assert_ok(vp_block_mesh_create(&(vp_block_mesh_def){&q, chunk, &by, NULL}, &rounded, &error));
            for (uint32_t c = 0; c < 4 * mesh.quad_count; c++) {
                const vp_vec3 to = vp_block_rounding_point(&by, mesh.vertex[c]);
                assert_memory_equal(&rounded.vertex[c], &to, sizeof to);
            }
            vp_block_mesh_destroy(&rounded);
            const vp_triangles triangles = vp_block_mesh_triangles(&mesh);
            vp_kd *tree;
            const vp_kd_def as = {.triangles = triangles, .form = VP_KD_SLAB};
            assert_ok(vp_kd_create(&as, &tree, &error));
            vp_kd_destroy(tree);
            vp_block_mesh_destroy(&mesh);
            vp_block_quads_destroy(&q);
            world_end(&w);
        }
    assert_true(turned > 100 && straight > 100);
}

/* ---- reduced worlds ---- */

static void halves_by_hand(void **state)
{
    (void)state; /* docs/CONTRACT.md: BSH-10 */
    assert_int_equal(vp_block_downsample((vp_block[8]){1, 1, 1, 0, 0, 0, 0, 0}), 0);
    assert_int_equal(vp_block_downsample((vp_block[8]){1, 1, 1, 0, 0, 0, 0, 9}), 1);
    assert_int_equal(vp_block_downsample((vp_block[8]){7, 1, 7, 0, 0, 0, 1, 0}), 1);
    assert_int_equal(vp_block_downsample((vp_block[8]){0, 7, 3, 7, 2, 0, 0, 0}), 7);
    assert_int_equal(vp_block_downsample((vp_block[8]){4, 3, 5, 2, 65535, 7, 8, 9}), 2);
    assert_int_equal(vp_block_downsample((vp_block[8]){0}), 0);
    vp_random r = {3};
    world w;
    world_begin(&w, &r, RANDOM, (vp_ivec3){-1, -1, -1}, (vp_dims){2, 2, 2});
    static vp_block half[18 * 18 * 18], quarter[10 * 10 * 10];
    assert_ok(vp_block_window_fill(&w.view, (vp_ivec3){-1, 0, -1}, 16, VP_SIDES_ALL, half, &error));
    assert_ok(vp_block_window_fill(&w.view, (vp_ivec3){-1, 0, -1}, 8, VP_SIDES_ALL, quarter, &error));
    for (int32_t i = 0; i < 18 * 18 * 18; i++) {
        const int32_t x = i % 18 - 1, z = i / 18 % 18 - 1, y = i / 324 - 1;
        vp_block eight[8];
        for (int32_t j = 0; j < 8; j++)
            eight[j] = block_at(&w, -32 + 2 * x + (j & 1), 2 * y + (j >> 1 & 1), -32 + 2 * z + (j >> 2));
        assert_int_equal(half[i], vp_block_downsample(eight));
    }
    for (int32_t i = 0; i < 1000; i++) { /* where both are known, the half of the half is the same */
        const int32_t x = i % 10 - 1, z = i / 10 % 10 - 1, y = i / 100 - 1;
        vp_block eight[8];
        if (x < 0 || y < 0 || z < 0 || x > 7 || y > 7 || z > 7)
            continue;
        for (int32_t j = 0; j < 8; j++)
            eight[j] = half[vp_block_window_at(16, 2 * x + (j & 1), 2 * y + (j >> 1 & 1), 2 * z + (j >> 2))];
        assert_int_equal(quarter[i], vp_block_downsample(eight));
    }
    world_end(&w);
}

/* ---- refusals, memory ---- */

static void bad_input(void **state)
{
    (void)state;
    vp_random r = {1};
    world w;
    vp_block_quads q = {.edge = 99};
    vp_block_mesh mesh;
    const vp_ivec3 chunk = {0, 0, 0};
    world_begin(&w, &r, SPARSE, chunk, (vp_dims){1, 1, 1});
    assert_refused(vp_block_window_fill(&w.view, chunk, 31, VP_SIDES_ALL, cells, &error), VP_E_ARGUMENT, "31");
    assert_refused(vp_block_window_fill(&w.view, chunk, 32, 64, cells, &error), VP_E_ARGUMENT, "0x40");
    assert_refused(vp_block_window_fill(&w.view, (vp_ivec3){0, 1, 0}, 32, 0, cells, &error), VP_E_ARGUMENT, "(0, 1, 0)");
    vp_block_quads_def def = {{cells, 0, types, TYPES}, false, true, NULL, NULL};
    assert_refused(vp_block_quads_create(&def, &q, &error), VP_E_ARGUMENT, "edge 0");
    def.window.edge = 33;
    assert_refused(vp_block_quads_create(&def, &q, &error), VP_E_ARGUMENT, "edge 33");
    assert_int_equal(q.edge, 99);
    assert_ok(vp_block_window_fill(&w.view, chunk, 32, VP_SIDES_ALL, cells, &error));
    def.window.edge = 32;
    test_memory memory;
    test_memory_begin(&memory);
    const vp_allocator allocator = test_memory_allocator(&memory);
    def.allocator = &allocator;
    for (uint64_t n = 1; n <= 2; n++) {
        test_memory_fail_at(&memory, n);
        assert_refused(vp_block_quads_create(&def, &q, &error), VP_E_MEMORY, n == 1 ? "faces" : "quads");
    }
    test_memory_fail_at(&memory, 0);
    assert_ok(vp_block_quads_create(&def, &q, &error));
    vp_block_mesh_def of = {&q, {1 << 18, 0, 0}, NULL, &allocator};
    assert_refused(vp_block_mesh_create(&of, &mesh, &error), VP_E_ARGUMENT, "262144");
    of.chunk.x = 0;
    vp_block_rounding rounding = {{0, NAN, 0}, 1};
    of.rounding = &rounding;
    assert_refused(vp_block_mesh_create(&of, &mesh, &error), VP_E_ARGUMENT, "nan");
    rounding = (vp_block_rounding){{0, 0, 0}, 0};
    assert_refused(vp_block_mesh_create(&of, &mesh, &error), VP_E_ARGUMENT, "radius is 0");
    of.rounding = NULL;
    for (uint64_t n = 1; n <= 3; n++) {
        test_memory_fail_at(&memory, n);
        assert_refused(vp_block_mesh_create(&of, &mesh, &error), VP_E_MEMORY, "mesh");
    }
    test_memory_fail_at(&memory, 0);
    assert_ok(vp_block_mesh_create(&of, &mesh, &error));
    vp_block_mesh_destroy(&mesh);
    vp_block_mesh_destroy(&mesh);
    q.edge = 5;
    assert_refused(vp_block_mesh_create(&of, &mesh, &error), VP_E_ARGUMENT, "edge 5");
    vp_block_quads_destroy(&q);
    vp_block_quads_destroy(&q);
    test_memory_end(&memory);
    world_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(axes_of_sides),  cmocka_unit_test(windows_of_sides),
                                       cmocka_unit_test(by_hand),        cmocka_unit_test(meshes_are_the_quads),
                                       cmocka_unit_test(halves_by_hand), cmocka_unit_test(bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
