/* SPDX-License-Identifier: MIT */
/* The meshes, rays and boxes of "fuzz-<n>": a handful of small, hostile meshes. Corners lie on a coarse grid, so that rays go through
 * corners and along edges, and boxes end where triangles do. Some triangles are degenerate, duplicated or huge. Rays have components of
 * zero and minus zero. Some rays and boxes are invalid. */
#include "datasets/fuzz_meshes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "src/core/error.h"

enum { MAX_MESHES = 6, MAX_ITEMS = 90, RAYS = 400, BOXES = 160 };

/* ---- meshes ---- */

static vp_vec3 least(vp_vec3 a, vp_vec3 b)
{
    return (vp_vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static vp_vec3 most(vp_vec3 a, vp_vec3 b)
{
    return (vp_vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static float grid_coordinate(vp_random *r)
{
    static const float odd[] = {-0.0f, 1099511627776.0f, -1099511627776.0f, 1e-40f, 1e-12f, 0.1f, 16777216.0f, 1000.5f};
    if (vp_random_below(r, 60) == 0)
        return odd[vp_random_below(r, sizeof odd / sizeof odd[0])];
    return (float)vp_random_below(r, 17) * 0.5f - 4.0f;
}

static vp_vec3 grid_point(vp_random *r)
{
    vp_vec3 p;
    p.x = grid_coordinate(r);
    p.y = grid_coordinate(r);
    p.z = grid_coordinate(r);
    return p;
}

/* Allocates arrays of the maximum size. */
static vp_status reserve(vp_mesh_set *set, vp_error *error)
{
    size_t items = (size_t)MAX_MESHES * MAX_ITEMS;
    set->mesh = calloc(MAX_MESHES, sizeof *set->mesh);
    set->material = calloc(MAX_MESHES, sizeof *set->material);
    set->box = calloc(MAX_MESHES, sizeof *set->box);
    set->vertex = calloc(items, sizeof *set->vertex);
    set->index = calloc(items * 4, sizeof *set->index);
    set->material_of = calloc(items, 1);
    if (set->mesh == NULL || set->material == NULL || set->box == NULL || set->vertex == NULL || set->index == NULL ||
        set->material_of == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for random meshes");
    return VP_OK;
}

/* Appends a mesh. It has about as many vertices as items, so that most are shared. */
static void add_mesh(vp_random *r, vp_mesh_set *set)
{
    static const uint32_t few[] = {0, 1, 2, 3, 4, 5, 8, 9};
    const bool quads = vp_random_below(r, 2) == 0;
    uint32_t items = vp_random_below(r, MAX_ITEMS + 1);
    if (vp_random_below(r, 4) == 0)
        items = few[vp_random_below(r, sizeof few / sizeof few[0])];
    const uint32_t vertices = items != 0 ? 1 + vp_random_below(r, items) : 0, corners = quads ? 4 : 3;
    vp_vec3 *vertex = set->vertex + set->vertex_count;
    uint32_t *index = set->index + set->index_count;
    vp_aabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t i = 0; i < vertices; i++) {
        vertex[i] = grid_point(r);
        box = (vp_aabb){least(vertex[i], box.min), most(vertex[i], box.max)};
    }
    for (uint32_t i = 0; i < items; i++) {
        const bool again = i != 0 && vp_random_below(r, 20) == 0;
        for (uint32_t k = 0; k < corners; k++)
            index[i * corners + k] = again ? index[(i - 1) * corners + k] : vp_random_below(r, vertices);
    }
    set->mesh[set->count] = (vp_triangles){vertex, index, vertices, quads ? items * 2 : items, quads};
    set->material[set->count] = set->material_of + set->material_count;
    set->box[set->count++] = box;
    set->triangle_count += quads ? items * 2 : items;
    set->vertex_count += vertices;
    set->index_count += (uint64_t)items * corners;
    set->material_count += items;
}

/* ---- rays and boxes ---- */

static float monster(vp_random *r)
{
    static const float monsters[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX, FLT_MIN, -1e-42f, 1e-30f, 1099511627776.0f};
    return monsters[vp_random_below(r, sizeof monsters / sizeof monsters[0])];
}

/* Returns one of the three components. Here and below, each statement has one draw, because the compiler chooses the order within a
 * statement. */
static float *some_component(vp_random *r, vp_vec3 *v)
{
    const uint32_t axis = vp_random_below(r, 3);
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static void spoil(vp_random *r, vp_vec3 *v)
{
    float *component = some_component(r, v);
    *component = monster(r);
}

static vp_ray random_ray(vp_random *r, const vp_triangles *mesh)
{
    vp_vec3 from = grid_point(r);
    vp_vec3 to = grid_point(r);
    if (mesh->vertex_count != 0 && vp_random_below(r, 2) == 0)
        to = mesh->vertex[vp_random_below(r, mesh->vertex_count)];
    if (mesh->vertex_count != 0 && vp_random_below(r, 8) == 0)
        from = mesh->vertex[vp_random_below(r, mesh->vertex_count)];
    vp_ray ray = {from, vp_vec3_sub(to, from), INFINITY};
    switch (vp_random_below(r, 8)) {
    case 0:
        *some_component(r, &ray.direction) = 0.0f;
        break;
    case 1:
        *some_component(r, &ray.direction) = -0.0f;
        break;
    case 2:
        ray.direction = (vp_vec3){0.0f, 1.0f, -0.0f};
        break;
    case 3:
        ray.direction = (vp_vec3){-2.0f, 0.0f, 0.0f};
        break;
    case 4:
        ray.t_max = (float)vp_random_below(r, 5) * 0.5f;
        break;
    case 5:
        ray.direction = vp_vec3_scale(ray.direction, vp_random_below(r, 2) == 0 ? 1e-37f : 1e25f);
        break;
    default:
        break;
    }
    switch (vp_random_below(r, 24)) {
    case 0:
        ray.t_max = monster(r);
        break;
    case 1:
        spoil(r, &ray.direction);
        break;
    case 2:
        spoil(r, &ray.origin);
        break;
    default:
        break;
    }
    return ray;
}

static vp_aabb random_box(vp_random *r)
{
    vp_vec3 p = grid_point(r);
    vp_vec3 q = grid_point(r);
    vp_aabb box = {least(p, q), most(p, q)};
    if (vp_random_below(r, 4) == 0)
        box.max = box.min;
    if (vp_random_below(r, 24) == 0)
        spoil(r, &box.min);
    if (vp_random_below(r, 24) == 0)
        spoil(r, &box.max);
    return box;
}

vp_status vp_random_meshes(vp_random *r, vp_mesh_set *meshes, vp_ray_set *rays, vp_mesh_box_set *boxes, vp_error *error)
{
    meshes->chunks = true; /* each has its own vertices and is small */
    VP_RETURN_IF_FAILED(reserve(meshes, error));
    const uint32_t count = 1 + vp_random_below(r, MAX_MESHES);
    for (uint32_t i = 0; i < count; i++)
        add_mesh(r, meshes);
    *rays = (vp_ray_set){RAYS, calloc(RAYS, sizeof *rays->ray), calloc(RAYS, sizeof *rays->mesh)};
    *boxes = (vp_mesh_box_set){BOXES, calloc(BOXES, sizeof *boxes->box), calloc(BOXES, sizeof *boxes->mesh)};
    if (rays->ray == NULL || rays->mesh == NULL || boxes->box == NULL || boxes->mesh == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for random rays");
    for (uint32_t i = 0; i < RAYS; i++) {
        rays->mesh[i] = vp_random_below(r, count);
        rays->ray[i] = random_ray(r, &meshes->mesh[rays->mesh[i]]);
    }
    for (uint32_t i = 0; i < BOXES; i++) {
        boxes->mesh[i] = vp_random_below(r, count);
        boxes->box[i] = random_box(r);
    }
    return VP_OK;
}
