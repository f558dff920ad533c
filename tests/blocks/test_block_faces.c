/* SPDX-License-Identifier: MIT */
/* Windows, meshes and reduced worlds against a world in one plain array. The cases faces and greedy_quads and the
 * corpus judge the faces of any worlds. */
#include "tests/blocks/worlds.h"

#include <math.h>

#include <voxphys/kd.h>

#include "tests/support/memory.h"

enum { CELLS_MOST = VP_BLOCK_WINDOW_CELLS };

static vp_block cells[CELLS_MOST];

/* docs/CONTRACT.md: BSH-1. With each set of sides, a window holds the neighbours' blocks on those sides and nothing on the others. */
TEST(windows_of_sides)
{
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

/* ---- meshes ---- */

static double cross_of(const vp_vec3 *a, const vp_vec3 *b, const vp_vec3 *c, int axis)
{
    const double p[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y, (double)b->z - (double)a->z};
    const double q[3] = {(double)c->x - (double)a->x, (double)c->y - (double)a->y, (double)c->z - (double)a->z};
    return p[(axis + 1) % 3] * q[(axis + 2) % 3] - p[(axis + 2) % 3] * q[(axis + 1) % 3];
}

/* docs/CONTRACT.md: BSH-10, BSH-12 */
TEST(meshes_are_the_quads)
{
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

/* ---- refusals, memory ---- */

TEST(bad_input)
{
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
