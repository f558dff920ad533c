/* SPDX-License-Identifier: MIT */
/* mesher: a surface around cells that are more than half full. Answered by vp_mesh_create on a world with a chunk of air
 * around the grid. */
#include "conformance/shared/shared.h"

static vp_status answer(const vp_question *q, const vp_kernels *kernels, FILE *to, vp_error *error)
{
    vp_world *world = NULL;
    vp_mesh mesh = {0};
    vp_status status = vp_grid_world(q->part[0], VP_CHUNK_EDGE, VP_FIRST_SOLID, &world, error);
    if (status == VP_OK) {
        const vp_mesh_def def = {.world = world, .surface = VP_SURFACE_SOLID, .kernels = kernels};
        status = vp_mesh_create(&def, &mesh, error);
    }
    if (status == VP_OK) {
        fprintf(to, "mesh %u %u", mesh.vertex_count, mesh.quad_count * 2);
        for (uint32_t i = 0; i < mesh.vertex_count; i++) {
            const float edge = (float)VP_CHUNK_EDGE;
            const vp_vec3 v = mesh.vertex[i];
            vp_words_floats(to, (float[3]){v.x - edge, v.y - edge, v.z - edge}, 3);
        }
        for (uint64_t t = 0; t < (uint64_t)mesh.quad_count * 2; t++) {
            uint32_t corner[3];
            vp_mesh_triangle(&mesh, t, corner);
            fprintf(to, " %u %u %u", corner[0], corner[1], corner[2]);
        }
    }
    vp_mesh_destroy(&mesh);
    vp_world_destroy(world);
    return status;
}

static const vp_form forms[] = {{"mesh", .kind = VP_ANSWER_MESH, .is = VP_FORM_MESH}, {.word = NULL}};

static vp_status judge(const vp_judging *j, bool *right)
{
    const vp_status status = vp_check_surface(j->q->part[0], j->answer, j->reason, j->error);
    *right = j->reason[0] == '\0';
    return status;
}

static json_t *expect(const vp_question *q, const vp_answer *right)
{
    return json_pack("{s:s}", "checker", "surface");
}

static const vp_member expected[] = {{.name = "checker", .is = &vp_is_words}, {.name = NULL}};

const vp_family vp_family_mesher = {VP_FAMILY("mesher", VP_PROPERTY), .part = {&vp_part_full_grid}, .checker = "surface", .expect = expect};
