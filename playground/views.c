/* SPDX-License-Identifier: MIT */
/* Arrays of numbers that the page draws. */
#include "playground/playground.h"

#include <stdlib.h>

#include "src/core/error.h"

static vp_status view_stale(vp_error *error)
{
    for (int i = 0; i < PG_TILES * PG_TILES; i++) {
        if (pg.stale[i])
            VP_RETURN_IF_FAILED(pg_add(&(float){(float)i}, 1, error));
        pg.stale[i] = false;
    }
    return VP_OK;
}

static vp_status add_triangle(float about, const vp_vec3 *vertex, const uint32_t corner[3], vp_error *error)
{
    const vp_vec3 a = vertex[corner[0]], b = vertex[corner[1]], c = vertex[corner[2]];
    return pg_add((const float[10]){about, a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}, 10, error);
}

static vp_status view_tile(vp_surface surface, uint32_t tile, vp_error *error)
{
    const int chunks = PG_TILE / VP_CHUNK_EDGE;
    const vp_ivec3 first = {(int)(tile % PG_TILES) * chunks, 0, (int)(tile / PG_TILES) * chunks};
    const vp_mesh_def def = {
        .world = pg.world, .surface = surface, .first = first, .chunks = {(uint32_t)chunks, PG_HEIGHT / VP_CHUNK_EDGE, (uint32_t)chunks}};
    vp_mesh mesh;
    if (tile >= PG_TILES * PG_TILES)
        return vp_fail(error, VP_E_ARGUMENT, "tile %u: must be below %d", tile, PG_TILES * PG_TILES);
    VP_RETURN_IF_FAILED(vp_mesh_create(&def, &mesh, error));
    vp_status status = VP_OK;
    for (uint32_t t = 0; t < 2 * mesh.quad_count && status == VP_OK; t++) {
        uint32_t corner[3];
        vp_mesh_triangle(&mesh, t, corner);
        status = add_triangle((float)mesh.material[t / 2], mesh.vertex, corner, error);
    }
    vp_mesh_destroy(&mesh);
    return status;
}

static vp_status view_bodies(vp_error *error)
{
    for (uint32_t i = 0, bodies = vp_sim_body_count(pg.sim); i < bodies; i++) {
        const vp_sim_body b = vp_sim_body_of(pg.sim, i);
        const float number[8] = {(float)b.position[0], (float)b.position[1], (float)b.position[2], (float)b.rotation[0],
                                 (float)b.rotation[1], (float)b.rotation[2], (float)b.rotation[3], b.lost ? 2 : b.awake ? 0 : 1};
        VP_RETURN_IF_FAILED(pg_add(number, 8, error));
    }
    return VP_OK;
}

static vp_status add_hull(const vp_collide_hull *h, vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t f = 0; f < h->face_count; f++)
        for (uint32_t c = h->first_corner[f] + 1; c + 1 < h->first_corner[f + 1] && status == VP_OK; c++) {
            const vp_vec3 corner[3] = {h->vertex[h->corner[h->first_corner[f]]], h->vertex[h->corner[c]], h->vertex[h->corner[c + 1]]};
            status = pg_add(&corner[0].x, 9, error);
        }
    return status;
}

static vp_status view_shape(uint32_t body, vp_error *error)
{
    if (body >= vp_sim_body_count(pg.sim))
        return vp_fail(error, VP_E_ARGUMENT, "body %u: must be below %u", body, vp_sim_body_count(pg.sim));
    const vp_collide_shape *s = vp_sim_shape_of(pg.sim, body, 0);
    const vp_vec3 size = s->kind == VP_COLLIDE_BOX ? s->half : (vp_vec3){s->radius, s->half_height, 0};
    VP_RETURN_IF_FAILED(pg_add((const float[4]){(float)s->kind, size.x, size.y, size.z}, 4, error));
    for (uint32_t i = 0; s->kind == VP_COLLIDE_HULL && i < vp_sim_body_of(pg.sim, body).shapes; i++)
        VP_RETURN_IF_FAILED(add_hull(vp_sim_shape_of(pg.sim, body, i)->hull, error));
    return VP_OK;
}

static vp_status view_contacts(vp_error *error)
{
    const uint32_t count = vp_sim_contact_count(pg.sim);
    vp_sim_contact *contact = malloc((count + (size_t)1) * sizeof *contact);
    vp_status status = contact != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for %u contacts", count);
    if (status == VP_OK)
        vp_sim_contacts(pg.sim, contact);
    for (uint32_t i = 0; i < count && status == VP_OK; i++) {
        const double *p = contact[i].point, *n = contact[i].normal;
        status = pg_add((const float[6]){(float)p[0], (float)p[1], (float)p[2], (float)n[0], (float)n[1], (float)n[2]}, 6, error);
    }
    free(contact);
    return status;
}

static vp_status view_bits(vp_error *error)
{
    const vp_broadphase *bits = vp_terrain_broadphase(pg.terrain);
    const vp_dims chunks = vp_world_chunks(pg.world);
    vp_status status = VP_OK;
    for (uint32_t c = 0; c < chunks.x * chunks.y * chunks.z; c++) {
        const vp_ivec3 at = {(int32_t)(c % chunks.x), (int32_t)(c / chunks.x / chunks.z), (int32_t)(c / chunks.x % chunks.z)};
        const uint64_t *slice = vp_broadphase_masks(bits, at)->solid;
        for (int i = 0; i < VP_CHUNK_VOXELS && vp_broadphase_chunk_class(bits, at) == VP_CHUNK_MIXED && status == VP_OK; i++) {
            const vp_ivec3 voxel = {at.x * VP_CHUNK_EDGE + i % 8, at.y * VP_CHUNK_EDGE + i / 64, at.z * VP_CHUNK_EDGE + i / 8 % 8};
            if ((slice[i / 64] >> (i % 64) & 1) != 0 && vp_world_voxel(pg.world, voxel).material == VP_AIR)
                status = pg_add((const float[3]){(float)voxel.x, (float)voxel.y, (float)voxel.z}, 3, error);
        }
    }
    return status;
}

static vp_status add_spheres(const vp_spheretree_wide *tree, uint32_t number, vp_error *error)
{
    const vp_spheretree_wide_node *node = &tree->node[number];
    for (uint32_t k = 0; k < tree->info[number].count; k++) {
        VP_RETURN_IF_FAILED(pg_add((const float[4]){node->x[k], node->y[k], node->z[k], node->radius[k]}, 4, error));
        if (tree->info[number].level > 0)
            VP_RETURN_IF_FAILED(add_spheres(tree, node->child[k], error));
    }
    return VP_OK;
}

static vp_status view_spheres(vp_error *error)
{
    const vp_spheretree_wide *tree = vp_spheretree_view_of(vp_sim_tree(pg.sim))->wide;
    return tree->root != VP_SPHERETREE_NONE ? add_spheres(tree, tree->root, error) : VP_OK;
}

static vp_status add_leaves(const vp_kd_node *all, uint32_t number, vp_aabb box, vp_error *error)
{
    const vp_kd_node *node = &all[number];
    const uint32_t axis = vp_kd_axis(node);
    if (axis == 3)
        return pg_add(&box.min.x, 6, error);
    vp_aabb left = box, right = box;
    (&left.max.x)[axis] = node->u.plane[0];
    (&right.min.x)[axis] = node->u.plane[1];
    VP_RETURN_IF_FAILED(add_leaves(all, vp_kd_child(node), left, error));
    return add_leaves(all, vp_kd_child(node) + 1, right, error);
}

static vp_status view_boxes(vp_error *error)
{
    const vp_dims size = vp_world_chunks(pg.world);
    const uint32_t c = pg.ray.hit.chunk;
    const vp_ivec3 first = {(int32_t)(c % size.x), (int32_t)(c / size.x / size.z), (int32_t)(c / size.x % size.z)};
    if (pg.ray.hit.in_chunk.triangle < 0)
        return VP_OK;
    vp_mesh mesh;
    vp_kd *tree = NULL;
    VP_RETURN_IF_FAILED(vp_mesh_create(&(vp_mesh_def){.world = pg.world, .first = first, .chunks = {1, 1, 1}}, &mesh, error));
    const vp_triangles triangles = {mesh.vertex, mesh.quad[0], mesh.vertex_count, 2 * mesh.quad_count, true};
    vp_status status = VP_OK;
    if (mesh.quad_count > 0)
        status = vp_kd_create(&(vp_kd_def){.triangles = triangles, .form = VP_KD_PUBLISHED}, &tree, error);
    if (tree != NULL)
        status = add_leaves(vp_kd_view_of(tree)->node, 0, vp_kd_view_of(tree)->box, error);
    vp_kd_destroy(tree);
    vp_mesh_destroy(&mesh);
    return status;
}

static vp_status view_ray(vp_error *error)
{
    const vp_terrain_point *p = &pg.ray;
    const vp_vec3 at = p->point, n = p->triangle.normal;
    if (p->hit.in_chunk.triangle < 0)
        return VP_OK;
    return pg_add((const float[10]){at.x, at.y, at.z, n.x, n.y, n.z, (float)p->triangle.material, p->hit.in_chunk.t, (float)p->hit.chunk,
                                    (float)p->hit.in_chunk.triangle},
                  10, error);
}

static vp_status view_hulls(vp_error *error)
{
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < pg.parts.hull_count; i++) {
        const vp_decomposition_hull *part = &pg.parts.hull[i];
        for (uint32_t t = 0; t < part->hull.triangle_count && status == VP_OK; t++) {
            uint32_t corner[3];
            for (int k = 0; k < 3; k++)
                corner[k] = part->hull.vertex[part->hull.triangle[t][k]];
            status = add_triangle((float)i, part->point, corner, error);
        }
    }
    return status;
}

static vp_status view_figures(vp_error *error)
{
    const vp_sim_stats *s = vp_sim_stats_of(pg.sim);
    const float number[] = {(float)vp_sim_body_count(pg.sim),
                            (float)s->awake,
                            (float)s->touching,
                            (float)s->pairs,
                            (float)s->islands,
                            pg.forest != NULL ? (float)vp_automaton_living_count(pg.forest) : 0,
                            (float)pg.edited.regions,
                            (float)pg.edited.voxels,
                            (float)pg.edited.crumbled,
                            (float)pg.parts.hull_count};
    return pg_add(number, sizeof number / sizeof number[0], error);
}

static vp_status view_fan(vp_error *error)
{
    return pg.hits > 0 ? pg_add(&pg.hit[0].x, (size_t)pg.hits * 3, error) : VP_OK;
}

vp_status pg_fill_view(pg_what what, uint32_t number, vp_error *error)
{
    static vp_status (*const views[])(vp_error *) = {
        [PG_VIEW_STALE] = view_stale,     [PG_VIEW_BODIES] = view_bodies,  [PG_VIEW_CONTACTS] = view_contacts, [PG_VIEW_BITS] = view_bits,
        [PG_VIEW_SPHERES] = view_spheres, [PG_VIEW_BOXES] = view_boxes,    [PG_VIEW_RAY] = view_ray,           [PG_VIEW_FAN] = view_fan,
        [PG_VIEW_HULLS] = view_hulls,     [PG_VIEW_FIGURES] = view_figures};
    if (what == PG_VIEW_SOLID || what == PG_VIEW_WATER)
        return view_tile(what == PG_VIEW_SOLID ? VP_SURFACE_SOLID : VP_SURFACE_WATER, number, error);
    if (what == PG_VIEW_SHAPE)
        return view_shape(number, error);
    return (unsigned)what < sizeof views / sizeof views[0] ? views[what](error) : VP_OK;
}
