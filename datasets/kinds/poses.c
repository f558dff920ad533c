/* SPDX-License-Identifier: MIT */
/* Sets of places for shapes: families of difficult ones, on a world's surface, and on a solid. */
#include "datasets/pose_sets.h"

#include "datasets/hash.h"
#include "datasets/text.h"
#include "datasets/manifest_data.h"
#include "datasets/mesh_sets.h"
#include "datasets/solid_sets.h"
#include "src/core/error.h"

#include <jansson.h>
#include <stdlib.h>

/* Places on a solid, which is a separate set. */
typedef struct vp_pose_params {
    float scale; /* scale of shapes */
} vp_pose_params;

static vp_status make_hard(const vp_making *from, void **out, vp_error *error)
{
    return vp_pose_set_hard(VP_POSES_FAMILIES, from->dataset->count, from->seed, *out, error);
}

/* Places on the surface of the world named in the manifest, made by the scalar kernels. */
static vp_status make_terrain(const vp_making *from, void **out, vp_error *error)
{
    const vp_data *world = NULL;
    vp_mesh mesh = {0};
    const vp_kernels scalar = vp_scalar_kernels();
    VP_RETURN_IF_FAILED(vp_store_open(from->store, &vp_kind_world, from->dataset->world, &world, error));
    vp_status status = vp_mesh_create(&(vp_mesh_def){.world = world->set, .surface = VP_SURFACE_SOLID, .kernels = &scalar}, &mesh, error);
    const vp_triangles triangles = vp_triangles_of(&mesh);
    if (status == VP_OK)
        status = vp_pose_set_on(&triangles, 1.0f, from->dataset->count, from->seed, *out, error);
    vp_mesh_destroy(&mesh);
    return status;
}

/* Places on a solid with curved parts and small triangles. */
static vp_status make_solid(const vp_making *from, void **out, vp_error *error)
{
    const vp_pose_params *p = from->params;
    const vp_data *solid = NULL;
    VP_RETURN_IF_FAILED(vp_store_open(from->store, &vp_kind_solids, "solid-gear", &solid, error));
    return vp_pose_set_on(&((const vp_solid_set *)solid->set)->solid[0].mesh, p->scale, from->dataset->count, from->seed, *out, error);
}

/* ---- "fuzz-<n>" ---- */

/* A few difficult places of each family, from a separate random stream. */
static vp_status fuzz(const vp_making *from, void **out, vp_error *error)
{
    return vp_pose_set_hard(VP_POSES_FAMILIES, 2 * VP_POSES_FAMILIES, from->seed ^ UINT64_C(0x706f736573), *out, error);
}

/* ---- the kind ---- */

/* Hashes the number of places, and all fields and triangles of each. */
static void hash(const void *set, vp_hasher *h)
{
    const vp_pose_set *poses = set;
    vp_hash_u32(h, poses->count);
    for (uint32_t i = 0; i < poses->count; i++) {
        const vp_pose_place *p = &poses->place[i];
        vp_hash_vec3(h, p->point);
        vp_hash_vec3(h, p->normal);
        vp_hash_float(h, p->gap);
        vp_hash_u32(h, p->centred);
        vp_hash_words(h, p->rotation, 4);
        vp_hash_float(h, p->scale);
        vp_hash_u32(h, (uint32_t)p->family);
        vp_hash_u32(h, p->count);
        vp_hash_words(h, poses->corner[p->first], (size_t)p->count * 9);
    }
}

static void lines(const void *set, vp_text *to)
{
    const vp_pose_set *poses = set;
    for (uint32_t i = 0; i < poses->count; i++) {
        const vp_pose_place *p = &poses->place[i];
        vp_text_add(to, "{\"family\": \"%s\"", vp_pose_family_name(p->family));
        vp_text_add_vec3(to, ", \"point\": ", p->point);
        vp_text_add_vec3(to, ", \"normal\": ", p->normal);
        vp_text_add(to, ", \"gap\": %.9g, \"centred\": %s, \"rotation\": [%.9g, %.9g, %.9g, %.9g], \"scale\": %.9g", (double)p->gap,
                    p->centred ? "true" : "false", (double)p->rotation[0], (double)p->rotation[1], (double)p->rotation[2],
                    (double)p->rotation[3], (double)p->scale);
        vp_text_add_points(to, ", \"corners\": [", poses->corner[p->first], p->count * 3);
        vp_text_add(to, "]}\n");
    }
}

static vp_status contents(const vp_data *data, json_t **out, vp_error *error)
{
    const vp_pose_set *poses = data->set;
    (void)error;
    *out = json_pack("{s:i, s:i}", "places", (int)poses->count, "triangles", (int)poses->triangle_count);
    return VP_OK;
}

VP_KIND_DROP(vp_pose_set_destroy)

static const vp_param params[] = {VP_PARAM(vp_pose_params, scale, 0.001, 1000), {0}};
static const vp_generator generators[] = {{.name = "poses-hard", .make = make_hard},
                                          {.name = "poses-terrain", .make = make_terrain},
                                          {.name = "poses-solid", .param = params, .make = make_solid},
                                          {0}};

const vp_kind vp_kind_poses = {
    .name = "poses",
    .words = "places for shapes",
    .bytes = sizeof(vp_pose_set),
    .one = "set of places for shapes",
    .member = (const char *const[]){"world", "count", "params", "hash", NULL},
    .world_by_choice = true,
    .generator = generators,
    .fuzz = fuzz,
    .count = vp_set_count,
    .hash = hash,
    .lines = lines,
    .contents = contents,
    .drop = drop,
};
