/* SPDX-License-Identifier: MIT */
#include "cases/edit_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/mesh.h>

#include "src/core/error.h"
#include "datasets/grow.h"
#include "datasets/random.h"

enum {
    PLACES = 2048, /* in a world of at least 64 x 64 columns */
    BORDER = 16,   /* minimum voxels from a place to the world's sides */
    OPEN = 32,     /* places that are open at a time */
    SEED = 43,
    RADIUS = 4,
    ABOVE = 10, /* voxels from a place up to the start of its ray */
    ASIDE = 6,  /* maximum horizontal offset on each axis */
    LENGTHS = 2 /* ray length in distances to the place */
};

const char *const vp_edit_names[VP_DIG_KINDS] = {"voxel", "brush8", "chunk"};

/* ---- edits ---- */

vp_status vp_world_copy(const vp_world *from, vp_world **out, vp_error *error)
{
    const vp_dims size = vp_world_size(from);
    const vp_ivec3 origin = {0, 0, 0};
    const size_t voxels = (size_t)size.x * size.y * size.z;
    uint8_t *rows = malloc(voxels * 2);
    if (rows == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a copy of a world");
    *out = NULL;
    vp_status status = vp_world_create(&(vp_world_def){.size = size}, out, error);
    if (status == VP_OK)
        status = vp_world_read_rows(from, origin, size, rows, rows + voxels, error);
    if (status == VP_OK)
        status = vp_world_write_rows(*out, origin, size, rows, rows + voxels, NULL, error);
    free(rows);
    if (status != VP_OK) {
        vp_world_destroy(*out);
        *out = NULL;
    }
    return status;
}

static vp_vec3 centre_of(vp_ivec3 voxel)
{
    return (vp_vec3){(float)voxel.x + 0.5f, (float)voxel.y + 0.5f, (float)voxel.z + 0.5f};
}

static const vp_dims chunk_size = {VP_CHUNK_EDGE, VP_CHUNK_EDGE, VP_CHUNK_EDGE};

vp_status vp_edit_world(const vp_edit_plan *plan, const vp_edit_step *step, vp_world *world, vp_chunk_set *stale, vp_error *error)
{
    switch (plan->kind) {
    case VP_DIG_VOXEL:
        return vp_world_set_voxel(world, step->at, step->voxel, stale, error);
    case VP_DIG_BRUSH8:
        return vp_world_fill_sphere(world, centre_of(step->at), RADIUS, step->voxel, stale, error);
    default:
        return vp_world_write_rows(world, step->at, chunk_size, step->material, step->occupancy, stale, error);
    }
}

vp_status vp_edit_terrain(const vp_edit_plan *plan, const vp_edit_step *step, vp_terrain *terrain, vp_error *error)
{
    switch (plan->kind) {
    case VP_DIG_VOXEL:
        return vp_terrain_set_voxel(terrain, step->at, step->voxel, NULL, error);
    case VP_DIG_BRUSH8:
        return vp_terrain_fill_sphere(terrain, centre_of(step->at), RADIUS, step->voxel, NULL, error);
    default:
        return vp_terrain_write_rows(terrain, step->at, chunk_size, step->material, step->occupancy, NULL, error);
    }
}

/* ---- places ---- */

/* The highest solid voxel of a column that is more than half full, or -1. */
static int32_t ground_at(const vp_world *world, int32_t x, int32_t z)
{
    int32_t y = (int32_t)vp_world_size(world).y - 1;
    for (; y >= 0; y--) {
        const vp_voxel v = vp_world_voxel(world, (vp_ivec3){x, y, z});
        if (v.material >= VP_FIRST_SOLID && v.occupancy >= 128)
            break;
    }
    return y;
}

bool vp_can_be_edited(const vp_world *world)
{
    const vp_dims size = vp_world_size(world);
    for (int32_t z = BORDER; z < (int32_t)size.z - BORDER; z++)
        for (int32_t x = BORDER; x < (int32_t)size.x - BORDER; x++)
            if (ground_at(world, x, z) >= 0)
                return true;
    return false;
}

/* The ground of a random column. */
static vp_ivec3 random_place(vp_random *random, const vp_world *world)
{
    const vp_dims size = vp_world_size(world);
    vp_ivec3 at = {0, -1, 0};
    while (at.y < 0) {
        at.x = (int32_t)(BORDER + vp_random_below(random, size.x - 2 * BORDER));
        at.z = (int32_t)(BORDER + vp_random_below(random, size.z - 2 * BORDER));
        at.y = ground_at(world, at.x, at.z);
    }
    return at;
}

static uint32_t places_of(const vp_world *world)
{
    const vp_dims size = vp_world_size(world);
    return size.x * size.z >= 64 * 64 ? PLACES : 2 * OPEN;
}

static vp_ray ray_to(vp_random *random, vp_ivec3 place)
{
    const vp_vec3 aim = centre_of(place);
    vp_vec3 from;
    from.x = aim.x + vp_random_between(random, -ASIDE, ASIDE);
    from.z = aim.z + vp_random_between(random, -ASIDE, ASIDE);
    from.y = aim.y + ABOVE;
    return (vp_ray){from, vp_vec3_sub(aim, from), LENGTHS};
}

/* A chunk's voxels moved down by one, and unchanged. `rows` has room for four times 512. */
static vp_status read_chunk(const vp_world *world, vp_ivec3 low, uint8_t *rows, vp_error *error)
{
    const vp_ivec3 above = {low.x, low.y + 1, low.z};
    vp_status status = vp_world_read_rows(world, above, chunk_size, rows, rows + VP_CHUNK_VOXELS, error);
    return status != VP_OK ? status
                           : vp_world_read_rows(world, low, chunk_size, rows + 2 * VP_CHUNK_VOXELS, rows + 3 * VP_CHUNK_VOXELS, error);
}

/* Both edits of a place. The second restores it. */
static vp_status plan_place(vp_edit_plan *plan, const vp_world *world, vp_random *random, uint8_t *rows, vp_edit_step pair[2],
                            vp_error *error)
{
    vp_ivec3 at = random_place(random, world);
    const vp_voxel was = vp_world_voxel(world, at), stone = {VP_FIRST_SOLID, 255};
    for (int back = 0; back < 2; back++)
        pair[back] = (vp_edit_step){.at = at, .ray = ray_to(random, at)};
    pair[1].voxel = plan->kind == VP_DIG_VOXEL ? was : stone;
    if (plan->kind != VP_DIG_CHUNK)
        return VP_OK;
    at = (vp_ivec3){at.x / VP_CHUNK_EDGE * VP_CHUNK_EDGE, at.y / VP_CHUNK_EDGE * VP_CHUNK_EDGE, at.z / VP_CHUNK_EDGE * VP_CHUNK_EDGE};
    for (int back = 0; back < 2; back++) {
        pair[back].at = at;
        pair[back].material = rows + 2 * back * VP_CHUNK_VOXELS;
        pair[back].occupancy = pair[back].material + VP_CHUNK_VOXELS;
    }
    return read_chunk(world, at, rows, error);
}

static vp_status plan_steps(vp_edit_plan *plan, const vp_world *world, vp_error *error)
{
    const uint32_t places = places_of(world);
    vp_random random = {SEED};
    vp_edit_step(*pair)[2] = malloc(places * sizeof *pair);
    vp_status status = pair != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for edits");
    for (uint32_t p = 0; status == VP_OK && p < places; p++)
        status = plan_place(plan, world, &random, plan->rows + (size_t)p * 4 * VP_CHUNK_VOXELS, pair[p], error);
    for (uint32_t p = 0; status == VP_OK && p < places + OPEN; p++) {
        if (p < places)
            plan->step[plan->count++] = pair[p][0];
        if (p >= OPEN)
            plan->step[plan->count++] = pair[p - OPEN][1];
    }
    for (uint32_t i = 0; status == VP_OK && i < plan->count; i++) {
        plan->ray[i] = plan->step[i].ray;
        plan->mesh[i] = i;
    }
    free(pair);
    return status;
}

/* ---- expected hits ---- */

enum { NEAR_CHUNKS = 64, NEAR_TRIANGLES = 64 * 1024 }; /* limits for a ray this short */

/* All triangles of the chunks near a ray, and each chunk's first triangle. */
typedef struct near {
    float *corner[3][3];
    uint32_t count, chunks;
    uint32_t chunk[NEAR_CHUNKS], first[NEAR_CHUNKS];
    vp_chunk_mesh_room room;
} near;

static void near_destroy(near *n)
{
    for (int k = 0; n != NULL && k < 9; k++)
        free(n->corner[k / 3][k % 3]);
    free(n);
}

static near *near_create(void)
{
    near *n = calloc(1, sizeof *n);
    bool whole = n != NULL;
    for (int k = 0; whole && k < 9; k++)
        whole = (n->corner[k / 3][k % 3] = malloc((NEAR_TRIANGLES + VP_TRIANGLE_SOA_SLACK) * sizeof(float))) != NULL;
    if (whole)
        return n;
    near_destroy(n);
    return NULL;
}

static void put_triangles(near *n, const vp_chunk_mesh *mesh)
{
    for (uint32_t t = 0; t < mesh->quad_count * 2 && n->count < NEAR_TRIANGLES; t++, n->count++) {
        const uint16_t *quad = mesh->quad[t / 2];
        const uint16_t number[3] = {quad[0], quad[1 + t % 2], quad[2 + t % 2]};
        for (int k = 0; k < 3; k++) {
            const vp_vec3 *v = &mesh->vertex[number[k]];
            n->corner[k][0][n->count] = v->x;
            n->corner[k][1][n->count] = v->y;
            n->corner[k][2][n->count] = v->z;
        }
    }
}

/* The chunks that may have triangles between two coordinates. A mesh reaches half a voxel beyond its chunk. */
static void chunks_between(float a, float b, uint32_t chunks, int32_t *first, int32_t *last)
{
    const int32_t low = (int32_t)floorf((fminf(a, b) - 1) / VP_CHUNK_EDGE), high = (int32_t)floorf((fmaxf(a, b) + 1) / VP_CHUNK_EDGE);
    *first = low < 0 ? 0 : low;
    *last = high >= (int32_t)chunks ? (int32_t)chunks - 1 : high;
}

static vp_status mesh_near(const vp_world *world, const vp_kernels *scalar, const vp_ray *ray, near *n, vp_error *error)
{
    const vp_dims of = vp_world_chunks(world);
    const vp_vec3 end = vp_vec3_add(ray->origin, vp_vec3_scale(ray->direction, ray->t_max));
    vp_ivec3 low, high;
    chunks_between(ray->origin.x, end.x, of.x, &low.x, &high.x);
    chunks_between(ray->origin.y, end.y, of.y, &low.y, &high.y);
    chunks_between(ray->origin.z, end.z, of.z, &low.z, &high.z);
    n->count = n->chunks = 0;
    for (int32_t y = low.y; y <= high.y; y++)
        for (int32_t z = low.z; z <= high.z; z++)
            for (int32_t x = low.x; x <= high.x; x++) {
                vp_chunk_mesh mesh = vp_chunk_mesh_in(&n->room);
                vp_status status = vp_mesh_chunk(world, scalar, (vp_ivec3){x, y, z}, VP_SURFACE_SOLID, &mesh, error);
                if (status != VP_OK)
                    return status;
                if (mesh.quad_count == 0)
                    continue;
                if (n->chunks == NEAR_CHUNKS || n->count + mesh.quad_count * 2 > NEAR_TRIANGLES)
                    return vp_fail(error, VP_E_ARGUMENT, "the ray of an edit is too long");
                n->chunk[n->chunks] = ((uint32_t)y * of.z + (uint32_t)z) * of.x + (uint32_t)x;
                n->first[n->chunks++] = n->count;
                put_triangles(n, &mesh);
            }
    return VP_OK;
}

static vp_terrain_hit answer(const vp_kernels *scalar, const near *n, const vp_ray *ray)
{
    vp_triangle_soa soup = {.count = n->count};
    for (int k = 0; k < 9; k++)
        soup.corner[k / 3][k % 3] = n->corner[k / 3][k % 3];
    vp_terrain_hit hit = {scalar->brute_ray(&soup, ray), 0};
    uint32_t c = 0;
    while (c + 1 < n->chunks && (int64_t)n->first[c + 1] <= hit.in_chunk.triangle)
        c++;
    if (hit.in_chunk.triangle >= 0) {
        hit.chunk = n->chunk[c];
        hit.in_chunk.triangle -= (int32_t)n->first[c];
    }
    return hit;
}

/* ---- meshes for libraries ---- */

typedef struct room {
    size_t vertices, indices;
} room;

static bool reserve(vp_mesh_set *set, room *r, uint32_t vertices, uint32_t indices)
{
    vp_vec3 *vertex = vp_with_room(set->vertex, (size_t)set->vertex_count + vertices, &r->vertices, sizeof *vertex);
    set->vertex = vertex != NULL ? vertex : set->vertex;
    uint32_t *index = vp_with_room(set->index, (size_t)set->index_count + indices, &r->indices, sizeof *index);
    set->index = index != NULL ? index : set->index;
    return vertex != NULL && index != NULL;
}

/* Adds a mesh. Its pointers are set when all meshes are there. */
static vp_status keep_mesh(vp_mesh_set *set, room *r, const vp_chunk_mesh *mesh, vp_error *error)
{
    if (!reserve(set, r, mesh->vertex_count, mesh->quad_count * 4))
        return vp_fail(error, VP_E_MEMORY, "no memory for the meshes of edited chunks");
    vp_aabb box = {mesh->vertex[0], mesh->vertex[0]};
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        set->vertex[set->vertex_count++] = mesh->vertex[i];
        box.min = vp_vec3_min(box.min, mesh->vertex[i]);
        box.max = vp_vec3_max(box.max, mesh->vertex[i]);
    }
    for (uint32_t i = 0; i < mesh->quad_count * 4; i++)
        set->index[set->index_count++] = mesh->quad[i / 4][i % 4];
    set->box[set->count] = box;
    set->mesh[set->count++] = (vp_triangles){.vertex_count = mesh->vertex_count, .triangle_count = mesh->quad_count * 2, .quads = true};
    set->triangle_count += mesh->quad_count * 2;
    return VP_OK;
}

static void place_meshes(vp_mesh_set *set)
{
    const vp_vec3 *vertex = set->vertex;
    const uint32_t *index = set->index;
    for (uint32_t m = 0; m < set->count; m++) {
        set->mesh[m].vertex = vertex;
        set->mesh[m].index = index;
        vertex += set->mesh[m].vertex_count;
        index += (size_t)set->mesh[m].triangle_count * 2;
    }
}

/* ---- the plan ---- */

static uint32_t chunk_at(vp_dims chunks, vp_ivec3 voxel)
{
    const uint32_t x = (uint32_t)voxel.x / VP_CHUNK_EDGE, y = (uint32_t)voxel.y / VP_CHUNK_EDGE, z = (uint32_t)voxel.z / VP_CHUNK_EDGE;
    return (y * chunks.z + z) * chunks.x + x;
}

/* The chunk whose mesh a library gets. It is the chunk of the hit. Without a hit it is the edited chunk, or if that has no surface, any
 * chunk near the ray that has one. */
static uint32_t chunk_for(const vp_terrain_hit *hit, const near *n, uint32_t edited)
{
    if (hit->in_chunk.triangle >= 0)
        return hit->chunk;
    for (uint32_t c = 0; c < n->chunks; c++)
        if (n->chunk[c] == edited)
            return edited;
    return n->chunks != 0 ? n->chunk[0] : edited;
}

static vp_status answer_steps(vp_edit_plan *plan, vp_world *world, near *n, vp_error *error)
{
    const vp_dims of = vp_world_chunks(world);
    room r = {0, 0};
    const vp_kernels scalar = vp_scalar_kernels();
    vp_status status = VP_OK;
    for (uint32_t i = 0; status == VP_OK && i < plan->count; i++) /* the first round */
        status = vp_edit_world(plan, &plan->step[i], world, NULL, error);
    for (uint32_t i = 0; status == VP_OK && i < plan->count; i++) {
        status = vp_edit_world(plan, &plan->step[i], world, NULL, error);
        if (status == VP_OK)
            status = mesh_near(world, &scalar, &plan->step[i].ray, n, error);
        if (status != VP_OK)
            break;
        plan->want[i] = answer(&scalar, n, &plan->step[i].ray);
        const uint32_t c = chunk_for(&plan->want[i], n, chunk_at(of, plan->step[i].at));
        vp_chunk_mesh mesh = vp_chunk_mesh_in(&n->room);
        status = vp_mesh_chunk(world, &scalar, (vp_ivec3){(int32_t)(c % of.x), (int32_t)(c / of.x / of.z), (int32_t)(c / of.x % of.z)},
                               VP_SURFACE_SOLID, &mesh, error);
        if (status == VP_OK)
            status = keep_mesh(&plan->meshes, &r, &mesh, error);
    }
    if (status == VP_OK)
        place_meshes(&plan->meshes);
    return status;
}

static void drop_plan(void *made)
{
    vp_edit_plan *plan = made;
    if (plan == NULL)
        return;
    free(plan->step);
    free(plan->want);
    free(plan->mesh);
    free(plan->ray);
    free(plan->rows);
    vp_mesh_set_destroy(&plan->meshes);
    free(plan);
}

static vp_status make_plan(const vp_data *from, uint32_t kind, void **out, vp_error *error)
{
    const vp_world *world = from->set;
    const size_t steps = 2 * (size_t)places_of(world);
    vp_edit_plan *plan = *out = calloc(1, sizeof *plan);
    vp_world *copy = NULL;
    near *n = near_create();
    vp_status status = VP_OK;
    if (plan != NULL) {
        plan->kind = (vp_dig_kind)kind;
        plan->meshes.chunks = true;
        plan->step = malloc(steps * sizeof *plan->step);
        plan->want = malloc(steps * sizeof *plan->want);
        plan->mesh = malloc(steps * sizeof *plan->mesh);
        plan->ray = malloc(steps * sizeof *plan->ray);
        plan->rows = malloc(steps * 2 * VP_CHUNK_VOXELS);
        plan->meshes.mesh = calloc(steps, sizeof *plan->meshes.mesh);
        plan->meshes.box = malloc(steps * sizeof *plan->meshes.box);
    }
    if (plan == NULL || n == NULL || plan->step == NULL || plan->want == NULL || plan->mesh == NULL || plan->ray == NULL ||
        plan->rows == NULL || plan->meshes.mesh == NULL || plan->meshes.box == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory for edits of %s", from->name);
    if (status == VP_OK)
        status = plan_steps(plan, world, error);
    if (status == VP_OK)
        status = vp_world_copy(world, &copy, error);
    if (status == VP_OK)
        status = answer_steps(plan, copy, n, error);
    vp_world_destroy(copy);
    near_destroy(n);
    return status;
}

vp_status vp_derive_edits(const vp_data *world, vp_dig_kind kind, const vp_edit_plan **out, vp_error *error)
{
    static const vp_derivation edits = {"edits", make_plan, drop_plan};
    const void *made = NULL;
    const vp_status status = vp_data_derive(world, &edits, kind, &made, error);
    *out = made;
    return status;
}
