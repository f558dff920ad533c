/* SPDX-License-Identifier: MIT */
#include "tests/support/forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/voxphys.h>

#include "tests/support/check.h"
#include "tests/support/samples.h"

/* ---- meshes made to fit ---- */

void test_lattice_soup(vp_random *r, uint32_t count, test_triangles *out)
{
    const float pitch = ldexpf(1.0f, 2 - (int)vp_random_below(r, 12)), large = vp_random_below(r, 3) == 0 ? 4096.0f : 1.0f;
    vp_vec3 moved;
    moved.x = (float)((int)vp_random_below(r, 2001) - 1000) * large;
    moved.y = (float)((int)vp_random_below(r, 2001) - 1000) * large;
    moved.z = (float)((int)vp_random_below(r, 2001) - 1000) * large;
    test_soup(r, count, out);
    for (uint32_t v = 0; v < out->view.vertex_count; v++) {
        float *at[3] = {&out->vertex[v].x, &out->vertex[v].y, &out->vertex[v].z};
        const float by[3] = {moved.x, moved.y, moved.z};
        for (int k = 0; k < 3; k++) /* + 0 turns -0 into 0 */
            *at[k] = (floorf(*at[k] / pitch) * pitch + floorf(by[k] / pitch) * pitch) + 0.0f;
    }
}

static bool is_inside(uint32_t kind, vp_random *r, vp_ivec3 at, uint32_t level)
{
    switch (kind) {
    case 0:
        return (at.x + at.y + at.z) % 2 == 0;
    case 1:
        return (uint32_t)at.y < level;
    case 2:
        return at.x % 8 + at.z % 8 + 27 > at.y * 3;
    case 3:
        return vp_random_below(r, 2) == 0;
    default:
        return vp_random_below(r, 12) == 0;
    }
}

void test_chunk(vp_random *r, test_triangles *out)
{
    const uint32_t kind = vp_random_below(r, 5), level = 9 + vp_random_below(r, 6);
    vp_world *world;
    vp_chunk_mesh_room *room = malloc(sizeof *room);
    assert_non_null(room);
    vp_chunk_mesh mesh = vp_chunk_mesh_in(room);
    assert_ok(vp_world_create(&(vp_world_def){.size = {24, 24, 24}}, &world, &error));
    for (vp_ivec3 at = {0, 0, 0}; at.y < 24; at.y++)
        for (at.z = 0; at.z < 24; at.z++)
            for (at.x = 0; at.x < 24; at.x++) {
                vp_voxel v = {VP_FIRST_SOLID, 0};
                v.occupancy = (uint8_t)(128 + vp_random_below(r, 128));
                if (is_inside(kind, r, at, level))
                    assert_ok(vp_world_set_voxel(world, at, v, NULL, &error));
            }
    vp_ivec3 chunk = {(int32_t)vp_random_below(r, 3), 1, (int32_t)vp_random_below(r, 3)};
    assert_ok(vp_mesh_chunk(world, NULL, chunk, VP_SURFACE_SOLID, &mesh, &error));
    assert_true(mesh.quad_count > 0);
    out->vertex = malloc(mesh.vertex_count * sizeof *out->vertex);
    out->index = malloc(mesh.quad_count * 4 * sizeof *out->index);
    assert_non_null(out->vertex);
    assert_non_null(out->index);
    memcpy(out->vertex, mesh.vertex, mesh.vertex_count * sizeof *out->vertex);
    for (uint32_t q = 0; q < mesh.quad_count; q++)
        for (int j = 0; j < 4; j++)
            out->index[4 * q + (uint32_t)j] = mesh.quad[q][j];
    out->view = (vp_triangles){out->vertex, out->index, mesh.vertex_count, mesh.quad_count * 2, true};
    vp_world_destroy(world);
    free(room);
}

int test_trees(const vp_triangles *t, vp_kd *tree[TEST_MAX_TREES])
{
    int count = 0;
    for (int isa = 0; isa < VP_ISA_COUNT; isa++) {
        vp_kernels kernels;
        vp_kernels_best(&kernels, 0);
        if (!test_isa((vp_isa)isa))
            continue;
        for (int k = 0; k < VP_KERNEL_COUNT; k++)
            vp_kernels_use(&kernels, (vp_kernel_id)k, (vp_isa)isa);
        for (int f = 0; f < VP_KD_FORM_COUNT; f++) {
            vp_kd_def def = {.triangles = *t, .form = (vp_kd_form)f, .kernels = &kernels};
            assert_true(count < TEST_MAX_TREES);
            vp_error error;
            const vp_status status = vp_kd_create(&def, &tree[count], &error);
            if (status != VP_OK && ((f != VP_KD_PACKED && f != VP_KD_IMPLIED) || status != VP_E_ARGUMENT))
                fail_msg("a tree of form %d: %s", f, error.message);
            count += status == VP_OK;
        }
    }
    return count;
}

void test_trees_free(vp_kd *tree[TEST_MAX_TREES], int trees)
{
    for (int i = 0; i < trees; i++)
        vp_kd_destroy(tree[i]);
}
