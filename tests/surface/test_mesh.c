/* SPDX-License-Identifier: MIT */
/* Meshes of worlds are the union of their chunks' meshes, whose closedness and places the corpus judges. They are welded, inside the
 * broadphase's bits, and the same with any threads. Also refused arguments. docs/CONTRACT.md: MSH-3, MSH-4, ALL-4 */
#include "tests/support/check.h"
#include "tests/support/samples.h"
#include "tests/support/threads.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

/* ---- chunks ---- */

static test_table table[TEST_TABLES_MAX];
static size_t tables;

/* ---- the union of its chunks ---- */

static vp_mesh mesh_of(const vp_world *world, vp_surface surface, const vp_kernels *kernels)
{
    vp_mesh mesh = {0};
    vp_mesh_def def = {.world = world, .surface = surface, .kernels = kernels};
    assert_ok(vp_mesh_create(&def, &mesh, &error));
    return mesh;
}

/* The quads are those of the chunks in order, with bit-identical vertices. */
static void expect_union(const vp_world *world, vp_surface surface, const vp_mesh *mesh, vp_ivec3 first, vp_dims box)
{
    static vp_chunk_mesh_room room;
    uint32_t q = 0;
    for (uint32_t c = 0; c < box.x * box.y * box.z; c++) {
        vp_ivec3 at = {first.x + (int32_t)(c % box.x), first.y + (int32_t)(c / box.x / box.z), first.z + (int32_t)(c / box.x % box.z)};
        vp_chunk_mesh chunk = vp_chunk_mesh_in(&room);
        assert_ok(vp_mesh_chunk(world, NULL, at, surface, &chunk, &error));
        for (uint32_t i = 0; i < chunk.quad_count; i++, q++) {
            assert_true(q < mesh->quad_count);
            assert_int_equal(mesh->material[q], chunk.material[i]);
            for (int k = 0; k < 4; k++) {
                assert_true(mesh->quad[q][k] < mesh->vertex_count);
                assert_memory_equal(&mesh->vertex[mesh->quad[q][k]], &chunk.vertex[chunk.quad[i][k]], sizeof(vp_vec3));
            }
        }
    }
    assert_int_equal(q, mesh->quad_count);
}

static int compare_vertices(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(vp_vec3));
}

/* Every vertex is used, first uses ascend within a chunk, and no two vertices are equal. */
static void expect_welded(const vp_mesh *mesh)
{
    uint8_t *used = calloc(mesh->vertex_count + 1, 1);
    vp_vec3 *sorted = malloc((mesh->vertex_count + 1) * sizeof *sorted);
    assert_non_null(used);
    assert_non_null(sorted);
    for (uint32_t q = 0; q < mesh->quad_count; q++)
        for (int k = 0; k < 4; k++)
            used[mesh->quad[q][k]] = 1;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        assert_int_equal(used[v], 1);
        sorted[v] = mesh->vertex[v];
    }
    if (mesh->vertex_count != 0)
        qsort(sorted, mesh->vertex_count, sizeof *sorted, compare_vertices);
    for (uint32_t v = 1; v < mesh->vertex_count; v++)
        assert_true(compare_vertices(&sorted[v - 1], &sorted[v]) != 0);
    free(used);
    free(sorted);
}

/* ---- conservative ---- */

static bool bit_at(const vp_broadphase *b, vp_surface surface, int x, int y, int z)
{
    const vp_chunk_masks *m = vp_broadphase_masks(b, (vp_ivec3){x >> 3, y >> 3, z >> 3});
    const uint64_t *word = surface == VP_SURFACE_SOLID ? m->solid : m->water;
    return (word[y & 7] >> ((z & 7) * 8 + (x & 7)) & 1) != 0;
}

/* The box of every quad, and so of its triangles, lies in voxels whose bits are set, within the world. */
static void expect_conservative(const vp_world *world, const vp_mesh *mesh, vp_surface surface)
{
    vp_broadphase *b = NULL;
    vp_dims size = vp_world_size(world);
    assert_ok(vp_broadphase_create(&(vp_broadphase_def){.world = world}, &b, &error));
    for (uint32_t q = 0; q < mesh->quad_count; q++) {
        vp_vec3 low = mesh->vertex[mesh->quad[q][0]], high = low;
        for (int k = 1; k < 4; k++) {
            low = vp_vec3_min(low, mesh->vertex[mesh->quad[q][k]]);
            high = vp_vec3_max(high, mesh->vertex[mesh->quad[q][k]]);
        }
        for (int y = (int)floorf(low.y); y <= (int)floorf(high.y); y++)
            for (int z = (int)floorf(low.z); z <= (int)floorf(high.z); z++)
                for (int x = (int)floorf(low.x); x <= (int)floorf(high.x); x++) {
                    if (x < 0 || y < 0 || z < 0 || x >= (int)size.x || y >= (int)size.y || z >= (int)size.z)
                        continue;
                    if (!bit_at(b, surface, x, y, z))
                        fail_msg("quad %u lies in voxel (%d, %d, %d), whose bit is not set", q, x, y, z);
                }
    }
    vp_broadphase_destroy(b);
}

/* ---- all checks, on worlds ---- */

static void check_world(const vp_world *world)
{
    for (vp_surface s = VP_SURFACE_SOLID; s <= VP_SURFACE_WATER; s++) {
        vp_mesh mesh = mesh_of(world, s, NULL);
        expect_union(world, s, &mesh, (vp_ivec3){0, 0, 0}, vp_world_chunks(world));
        expect_welded(&mesh);
        expect_conservative(world, &mesh, s);
        vp_mesh_destroy(&mesh);
        assert_null(mesh.vertex);
    }
}

static vp_world *noise_world(uint64_t seed, vp_dims chunks)
{
    vp_random r = {seed};
    vp_world *world = test_world(chunks.x, chunks.y, chunks.z, NULL);
    vp_dims size = vp_world_size(world);
    for (uint32_t i = 0; i < size.x * size.y * size.z; i++) {
        vp_ivec3 at = {(int32_t)(i % size.x), (int32_t)(i / size.x / size.z), (int32_t)(i / size.x % size.z)};
        assert_ok(vp_world_set_voxel(world, at, test_random_voxel(&r), NULL, &error));
    }
    return world;
}

TEST(worlds)
{
    for (uint32_t i = 0; i < TEST_SHAPES; i++) {
        vp_random r = {300 + i};
        vp_world *world = test_random_world(&r, test_shapes[i], NULL);
        check_world(world);
        vp_world_destroy(world);
        world = noise_world(300 + i, (vp_dims){1 + i % 3, 1 + i / 3 % 3, 1 + i / 6});
        check_world(world);
        vp_world_destroy(world);
    }
}

/* The mesh of a box of chunks is their welded union. */
TEST(boxes)
{
    vp_random r = {400};
    vp_world *world = noise_world(400, (vp_dims){4, 3, 3});
    for (int i = 0; i < 20; i++) {
        vp_ivec3 first;
        vp_dims box;
        first.x = (int32_t)vp_random_below(&r, 4);
        first.y = (int32_t)vp_random_below(&r, 3);
        first.z = (int32_t)vp_random_below(&r, 3);
        box.x = 1 + vp_random_below(&r, 4 - (uint32_t)first.x);
        box.y = 1 + vp_random_below(&r, 3 - (uint32_t)first.y);
        box.z = 1 + vp_random_below(&r, 3 - (uint32_t)first.z);
        vp_mesh mesh;
        vp_mesh_def def = {.world = world, .first = first, .chunks = box};
        assert_ok(vp_mesh_create(&def, &mesh, &error));
        expect_union(world, VP_SURFACE_SOLID, &mesh, first, box);
        expect_welded(&mesh);
        vp_mesh_destroy(&mesh);
    }
    vp_world_destroy(world);
}

/* ---- the same with any threads and kernels ---- */

static void expect_same(const vp_mesh *a, const vp_mesh *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->quad_count, b->quad_count);
    assert_memory_equal(a->vertex, b->vertex, a->vertex_count * sizeof *a->vertex);
    assert_memory_equal(a->quad, b->quad, a->quad_count * sizeof *a->quad);
    assert_memory_equal(a->material, b->material, a->quad_count);
}

TEST(threads_and_kernels)
{
    vp_world *world = noise_world(500, (vp_dims){5, 2, 4});
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    vp_mesh want = mesh_of(world, VP_SURFACE_SOLID, &scalar);
    for (size_t t = 0; t < tables; t++)
        for (uint32_t threads = 1; threads <= 7; threads += 3) {
            vp_executor executor = test_threads(threads);
            vp_mesh mesh;
            vp_mesh_def def = {.world = world, .kernels = &table[t].kernels, .executor = &executor};
            assert_ok(vp_mesh_create(&def, &mesh, &error));
            expect_same(&mesh, &want);
            vp_mesh_destroy(&mesh);
        }
    vp_mesh_destroy(&want);
    vp_world_destroy(world);
}

/* ---- refused arguments ---- */

TEST(refused)
{
    static vp_chunk_mesh_room room;
    vp_world *world = test_world(2, 1, 3, NULL);
    vp_chunk_mesh chunk = vp_chunk_mesh_in(&room);
    vp_mesh mesh = {0};
    vp_mesh_def def = {.world = NULL};
    assert_refused(vp_mesh_create(&def, &mesh, &error), VP_E_ARGUMENT, "world is NULL");
    def.world = world;
    def.surface = (vp_surface)2;
    assert_refused(vp_mesh_create(&def, &mesh, &error), VP_E_ARGUMENT, "surface is 2");
    def.surface = VP_SURFACE_SOLID;
    static const struct {
        vp_ivec3 first;
        vp_dims chunks;
        const char *value;
    } bad[] = {
        {{0, 0, 0}, {3, 1, 3}, "3 x 1 x 3"},
        {{1, 0, 0}, {2, 1, 3}, "(1, 0, 0)"},
        {{1, 0, 0}, {0, 0, 0}, "0 x 0 x 0"},
        {{0, 0, 0}, {1, 0, 1}, "1 x 0 x 1"},
        {{-1, 0, 0}, {1, 1, 1}, "(-1, 0, 0)"},
        {{0, INT32_MIN, 0}, {1, UINT32_MAX, 1}, "4294967295"},
        {{0, 0, INT32_MAX}, {1, 1, UINT32_MAX}, "2147483647"},
        {{0, 0, 1}, {1, 1, UINT32_MAX}, "4294967295"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        def.first = bad[i].first;
        def.chunks = bad[i].chunks;
        assert_refused(vp_mesh_create(&def, &mesh, &error), VP_E_ARGUMENT, bad[i].value);
        assert_null(mesh.quad);
    }
    static const vp_ivec3 outside[] = {{2, 0, 0}, {0, 1, 0}, {0, 0, 3}, {-1, 0, 0}, {0, INT32_MIN, 0}, {0, 0, INT32_MAX}};
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        chunk.quad_count = 77;
        assert_refused(vp_mesh_chunk(world, NULL, outside[i], VP_SURFACE_SOLID, &chunk, &error), VP_E_ARGUMENT, "2 x 1 x 3 chunks");
        assert_int_equal(chunk.quad_count, 77);
    }
    assert_refused(vp_mesh_chunk(world, NULL, (vp_ivec3){0, 0, 0}, (vp_surface)-1, &chunk, &error), VP_E_ARGUMENT, "surface is -1");

    /* A world of air has an empty mesh, without any memory. */
    mesh = mesh_of(world, VP_SURFACE_SOLID, NULL);
    assert_int_equal(mesh.vertex_count + mesh.quad_count, 0);
    vp_mesh_destroy(&mesh);
    vp_mesh_destroy(&mesh);
    vp_world_destroy(world);
}

int main(void)
{
    tables = test_tables(table);
    return test_run_all(NULL, NULL);
}
