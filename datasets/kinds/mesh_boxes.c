/* SPDX-License-Identifier: MIT */
/* Boxes for queries on triangle trees: cubes around random points near the surface. Centres and edges are whole
 * multiples of 1/512, so the corners are exact in binary32. */
#include "datasets/kinds/mesh_pick.h"

#include "src/core/error.h"
#include "datasets/fuzz.h"
#include "datasets/hash.h"
#include "datasets/text.h"

#include <jansson.h>
#include <stdlib.h>

/* Cubes near a surface. Extents are whole multiples of 1/256 voxel. */
typedef struct vp_mesh_boxes_params {
    float edge; /* voxels */
    float near; /* largest distance per axis from a vertex to the centre, voxels */
} vp_mesh_boxes_params;

static vp_status make_room(const char *name, uint32_t count, vp_mesh_box_set *boxes, vp_error *error)
{
    boxes->count = count;
    boxes->box = malloc((count + 1u) * sizeof *boxes->box);
    boxes->mesh = malloc((count + 1u) * sizeof *boxes->mesh);
    return boxes->box != NULL && boxes->mesh != NULL ? VP_OK
                                                     : vp_fail(error, VP_E_MEMORY, "\"%.60s\": no memory for %u boxes", name, count);
}

static vp_status make(const vp_making *from, void **set, vp_error *error)
{
    const vp_mesh_boxes_params *p = from->params;
    const vp_mesh_set *meshes = from->owner->set;
    const vp_vec3 half = {p->edge * 0.5f, p->edge * 0.5f, p->edge * 0.5f};
    vp_random random = {from->seed};
    vp_mesh_box_set *boxes = *set;
    VP_RETURN_IF_FAILED(make_room(from->name, from->dataset->count, boxes, error));
    for (uint32_t i = 0; i < boxes->count; i++) {
        boxes->mesh[i] = vp_random_below(&random, meshes->count);
        const vp_vec3 middle = vp_pick_near(&random, &meshes->mesh[boxes->mesh[i]], p->near);
        boxes->box[i] = (vp_aabb){vp_vec3_sub(middle, half), vp_vec3_add(middle, half)};
    }
    return VP_OK;
}

/* ---- the kind ---- */

static vp_status part(const void *set, uint32_t most, void **out, vp_error *error)
{
    const vp_mesh_box_set *boxes = set;
    vp_mesh_box_set *to = *out;
    const uint32_t step = vp_part_step(boxes->count, most);
    VP_RETURN_IF_FAILED(make_room("part", (boxes->count + step - 1) / step, to, error));
    for (uint32_t i = 0; i < to->count; i++) {
        to->box[i] = boxes->box[i * step];
        to->mesh[i] = boxes->mesh[i * step];
    }
    return VP_OK;
}

/* Hashes the number of boxes, and the mesh and corners of each. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_mesh_box_set *boxes = set;
    vp_hash_u32(h, boxes->count);
    for (uint32_t i = 0; i < boxes->count; i++) {
        vp_hash_u32(h, boxes->mesh[i]);
        vp_hash_words(h, &boxes->box[i], 6);
    }
}

static void lines(const void *set, vp_text *to)
{
    const vp_mesh_box_set *boxes = set;
    for (uint32_t i = 0; i < boxes->count; i++) {
        vp_text_add(to, "{\"mesh\": %u", boxes->mesh[i]);
        vp_text_add_vec3(to, ", \"min\": ", boxes->box[i].min);
        vp_text_add_vec3(to, ", \"max\": ", boxes->box[i].max);
        vp_text_add(to, "}\n");
    }
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_mesh_box_set *boxes = data->set;
    return vp_count_meshes(data, "boxes", boxes->mesh, boxes->count, sizeof *boxes->box, out, error);
}

VP_KIND_DROP(vp_mesh_box_set_destroy)

static const vp_param params[] = {VP_PARAM(vp_mesh_boxes_params, edge, 0, 256), VP_PARAM(vp_mesh_boxes_params, near, 0, 256), {0}};
static const vp_generator generators[] = {{.name = "mesh-boxes", .param = params, .make = make}, {0}};

const vp_kind vp_kind_mesh_boxes = {
    .name = "mesh-boxes",
    .words = "boxes of meshes",
    .bytes = sizeof(vp_mesh_box_set),
    .owner = &vp_kind_meshes,
    .member = (const char *const[]){"count", "params", "hashes", NULL},
    .generator = generators,
    .fuzz = vp_fuzz_of_stream,
    .count = vp_set_count,
    .part = part,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
