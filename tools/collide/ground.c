/* SPDX-License-Identifier: MIT */
/* The ground: a world's terrain, a mesh, or blocks. */
#include <math.h>
#include <stdlib.h>

#include <voxphys/block_shapes.h>

#include "host/program.h"
#include "host/bytes.h"
#include "tools/collide/collide.h"
#include "tools/dataset/dataset.h"

static const char command[] = "collide";

/* ---- growing arrays ---- */

static vp_status no_memory(uint32_t count, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for %u triangles", count);
}

/* Reserves `count` triangles, and `each` bytes of scratch per triangle. */
static vp_status reserve(vp_near *near, uint32_t count, size_t each, vp_error *error)
{
    size_t room = near->room;
    VP_RETURN_IF_FAILED(vp_grow_array(&near->triangle, &room, count, sizeof *near->triangle, "triangles", error));
    near->room = (uint32_t)room;
    return vp_grow_array(&near->scratch, &near->scratch_bytes, room * each, 1, "bytes of triangles", error);
}

void vp_near_drop(vp_near *near)
{
    free(near->triangle);
    free(near->scratch);
    *near = (vp_near){0};
}

static int by_number(const void *a, const void *b)
{
    const vp_terrain_triangle_id x = ((const vp_collide_triangle *)a)->id, y = ((const vp_collide_triangle *)b)->id;
    return x.chunk != y.chunk ? (x.chunk < y.chunk ? -1 : 1) : (x.triangle > y.triangle) - (x.triangle < y.triangle);
}

static void sort(vp_near *near)
{
    if (near->count > 1)
        qsort(near->triangle, near->count, sizeof *near->triangle, by_number);
}

/* ---- opening ---- */

static vp_status open_blocks(vp_ground *g, vp_error *error)
{
    vp_block_source_world *w = &g->blocks;
    g->kind = VP_GROUND_BLOCKS;
    VP_RETURN_IF_FAILED(vp_block_source_open(command, g->name, w, error));
    return vp_block_source_hold(w, &g->held, error);
}

static vp_status open_world(vp_ground *g, vp_error *error)
{
    g->kind = VP_GROUND_WORLD;
    VP_RETURN_IF_FAILED(vp_terrain_create(&(vp_terrain_def){.world = g->source.world, .kernels = &g->kernels}, &g->terrain, error));
    VP_RETURN_IF_FAILED(vp_terrain_prepare(g->terrain, error)); /* not timed as part of the first body */
    vp_terrain_acquire_reader(g->terrain, &g->reader);
    return VP_OK;
}

static vp_status open_mesh(vp_ground *g, vp_error *error)
{
    g->kind = VP_GROUND_MESH;
    VP_RETURN_IF_FAILED(vp_source_surface(&g->source, VP_SURFACE_SOLID, &g->kernels, 1, &g->mesh, error));
    const vp_triangles *t = &g->mesh.triangles;
    if (t->triangle_count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "%s has no triangles", vp_show_path(g->name).text);
    uint32_t *scratch = malloc((VP_COLLIDE_CONNECT_WORDS(t->triangle_count) + 1) * sizeof *scratch);
    g->all = malloc((size_t)t->triangle_count * sizeof *g->all);
    if (scratch == NULL || g->all == NULL) {
        free(scratch);
        return no_memory(t->triangle_count, error);
    }
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        uint32_t at[3];
        vp_triangle_corners(t, i, at);
        const vp_vec3 corner[3] = {t->vertex[at[0]], t->vertex[at[1]], t->vertex[at[2]]};
        g->all[i] = vp_collide_triangle_of(corner, i);
        if (g->mesh.material != NULL)
            g->all[i].material = g->mesh.material[t->quads ? i / 2 : i];
    }
    vp_status status = vp_collide_connect(g->all, t->triangle_count, scratch, error);
    free(scratch);
    if (status != VP_OK)
        return status;
    return vp_kd_create(&(vp_kd_def){.triangles = *t, .form = VP_KD_WIDE, .kernels = &g->kernels}, &g->tree, error);
}

vp_status vp_ground_open(const char *name, bool blocks, bool masks, const char *written, vp_ground *out, vp_error *error)
{
    out->name = name;
    out->masks = masks;
    VP_RETURN_IF_FAILED(vp_kernels_default(&out->kernels, error));
    if (blocks || vp_is_folder(name) || (strchr(name, '/') == NULL && vp_is_set_of(name, &vp_kind_blocks))) {
        VP_RETURN_IF_FAILED(open_blocks(out, error));
        return written != NULL ? vp_check_out(out->blocks.manifest, name, written, error) : VP_OK;
    }
    VP_RETURN_IF_FAILED(vp_source_open(command, name, written, &out->source, error));
    if (!masks)
        return vp_fail(error, VP_E_ARGUMENT, "--no-masks is for blocks, and %s has none; to read a world as blocks, add --blocks",
                       vp_show_path(name).text);
    return out->source.kind == VP_SOURCE_WORLD ? open_world(out, error) : open_mesh(out, error);
}

void vp_ground_close(vp_ground *g)
{
    vp_terrain_release_reader(&g->reader);
    vp_terrain_destroy(g->terrain);
    vp_kd_destroy(g->tree);
    free(g->all);
    vp_surface_mesh_destroy(&g->mesh);
    vp_source_close(&g->source);
    if (g->blocks.blocks != NULL)
        vp_blocks_release_box(g->blocks.blocks, &g->held);
    vp_block_source_close(&g->blocks);
}

vp_content vp_ground_content(const vp_ground *g)
{
    return g->kind == VP_GROUND_BLOCKS ? g->blocks.content : g->source.content;
}

const vp_looks *vp_ground_looks(const vp_ground *g)
{
    return g->kind == VP_GROUND_BLOCKS ? &g->blocks.looks : &g->source.looks;
}

/* ---- gathering ---- */

/* The largest extent of a surface triangle on any axis. Its corners are in cells that share a corner. */
static const float ACROSS = 2.0f;

/* Also gathers triangles around the box, so that those in it have their neighbours. Then drops the others. */
static vp_status near_of_world(const vp_ground *g, const vp_aabb *box, vp_near *out, vp_error *error)
{
    const vp_vec3 by = {ACROSS, ACROSS, ACROSS};
    const vp_aabb larger = {vp_vec3_sub(box->min, by), vp_vec3_add(box->max, by)};
    const size_t each = sizeof(vp_terrain_triangle_id) + sizeof(vp_terrain_triangle) + VP_COLLIDE_CONNECT_WORDS(1) * sizeof(uint32_t);
    uint32_t count = 256;
    vp_terrain_triangle_id *id;
    vp_terrain_triangle *found;
    do {
        const vp_status status = reserve(out, count, each, error);
        if (status != VP_OK)
            return status;
        found = out->scratch;
        id = (vp_terrain_triangle_id *)(void *)(found + out->room);
        const vp_status gathered =
            vp_terrain_reader_gather_triangles(&g->reader, VP_SURFACE_SOLID, &larger, id, found, out->room, &count, error);
        if (gathered != VP_OK)
            return gathered;
    } while (count > out->room);
    for (uint32_t i = 0; i < count; i++)
        out->triangle[i] = (vp_collide_triangle){.corner = {found[i].corner[0], found[i].corner[1], found[i].corner[2]},
                                                 .normal = found[i].normal,
                                                 .id = id[i],
                                                 .material = found[i].material};
    const vp_status status = vp_collide_connect(out->triangle, count, out->scratch, error);
    if (status != VP_OK)
        return status;
    out->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const vp_vec3 *c = out->triangle[i].corner;
        const vp_aabb own = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
        if (vp_aabb_overlaps(&own, box))
            out->triangle[out->count++] = out->triangle[i];
    }
    sort(out);
    return VP_OK;
}

static vp_status near_of_mesh(const vp_ground *g, const vp_aabb *box, vp_near *out, vp_error *error)
{
    uint32_t count = 256;
    do {
        vp_status status = reserve(out, count, sizeof(uint32_t), error);
        if (status == VP_OK)
            status = vp_kd_gather(g->tree, box, out->scratch, out->room, &count, error);
        if (status != VP_OK)
            return status;
    } while (count > out->room);
    const uint32_t *number = out->scratch;
    for (uint32_t i = 0; i < count; i++)
        out->triangle[i] = g->all[number[i]];
    out->count = count;
    sort(out);
    return VP_OK;
}

/* The range of blocks that a box covers along an axis, within the blocks held. */
static void blocks_along(float low, float high, int32_t first, uint32_t chunks, int64_t *from, int64_t *to)
{
    const double least = (double)first * 32, most = least + (double)chunks * 32;
    const double a = (double)low > least ? (double)low : least, b = (double)high < most ? (double)high : most;
    *from = a <= b ? (int64_t)floor(a) : 0;
    *to = a <= b ? (int64_t)floor(b) : -1;
}

/* All sides of all blocks, hidden ones included. */
static vp_status near_without_masks(const vp_ground *g, const vp_aabb *box, vp_near *out, vp_error *error)
{
    const vp_block_view *v = &g->held.view;
    int64_t low[3], high[3];
    blocks_along(box->min.x, box->max.x, v->low.x, v->size.x, &low[0], &high[0]);
    blocks_along(box->min.y, box->max.y, v->low.y, v->size.y, &low[1], &high[1]);
    blocks_along(box->min.z, box->max.z, v->low.z, v->size.z, &low[2], &high[2]);
    out->count = 0;
    for (int64_t y = low[1]; y <= high[1]; y++)
        for (int64_t z = low[2]; z <= high[2]; z++)
            for (int64_t x = low[0]; x <= high[0]; x++) {
                const vp_block block = vp_blocks_get(g->blocks.blocks, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z});
                if ((vp_block_flags_of(v->type, v->type_count, block) & VP_BLOCK_COLLIDES) == 0)
                    continue;
                if (out->count > VP_MANIFOLD_MAX_TRIANGLES)
                    return vp_fail(error, VP_E_LIMIT, "without masks a body has more than %u triangles about it",
                                   VP_MANIFOLD_MAX_TRIANGLES);
                const vp_vec3 corner = {(float)x, (float)y, (float)z}, one = {1.0f, 1.0f, 1.0f};
                const vp_aabb own = {corner, vp_vec3_add(corner, one)};
                if (out->room < out->count + VP_COLLIDE_BOX_TRIANGLES)
                    VP_RETURN_IF_FAILED(reserve(out, 2 * out->room + 256, 0, error));
                const uint32_t count = vp_collide_box_triangles(&own, 63, out->count, out->triangle + out->count);
                for (uint32_t i = 0; i < count; i++)
                    out->triangle[out->count + i].material = (uint8_t)block;
                out->count += count;
            }
    return VP_OK;
}

static vp_status near_of_blocks(const vp_ground *g, const vp_aabb *box, vp_near *out, vp_error *error)
{
    uint32_t count = 256;
    if (!g->masks)
        return near_without_masks(g, box, out, error);
    do {
        vp_status status = reserve(out, count, 0, error);
        if (status == VP_OK)
            status = vp_collide_blocks(&g->held.view, box, out->triangle, out->room, &count, error);
        if (status != VP_OK)
            return status;
    } while (count > out->room);
    out->count = count;
    return VP_OK;
}

vp_status vp_ground_near(const vp_ground *g, const vp_aabb *box, vp_near *out, vp_error *error)
{
    return g->kind == VP_GROUND_WORLD  ? near_of_world(g, box, out, error)
           : g->kind == VP_GROUND_MESH ? near_of_mesh(g, box, out, error)
                                       : near_of_blocks(g, box, out, error);
}

bool vp_ground_pushes_inwards(const vp_ground *g, vp_vec3 position, const vp_manifold_point *p)
{
    const vp_block_view *v = &g->held.view;
    const double at[3] = {(double)position.x + (double)p->on_triangle.x + (double)p->normal.x / 64,
                          (double)position.y + (double)p->on_triangle.y + (double)p->normal.y / 64,
                          (double)position.z + (double)p->on_triangle.z + (double)p->normal.z / 64};
    bool all = true;
    for (int i = 0; i < 8 && all; i++) { /* near a border, all blocks around the point must collide */
        int32_t block[3];
        for (int a = 0; a < 3; a++) {
            const double c = floor(at[a] + (i >> a & 1 ? 1.0 : -1.0) / 128);
            if (!(fabs(c) < (double)VP_COLLIDE_BLOCK_REACH))
                return false;
            block[a] = (int32_t)c;
        }
        const vp_block of = vp_blocks_get(g->blocks.blocks, (vp_ivec3){block[0], block[1], block[2]});
        all = (vp_block_flags_of(v->type, v->type_count, of) & VP_BLOCK_COLLIDES) != 0;
    }
    return all;
}

vp_status vp_ground_corners(const vp_ground *g, vp_vec3 **corner, uint32_t *triangles, vp_error *error)
{
    const float far = VP_COLLIDE_BLOCK_REACH - 1.0f;
    const vp_aabb all = {{-far, -far, -far}, {far, far, far}};
    vp_surface_mesh made = {0};
    vp_near near = {0};
    vp_status status = VP_OK;
    if (g->kind == VP_GROUND_BLOCKS) { /* always with masks, so that places do not depend on the option */
        vp_ground masked = *g;
        masked.masks = true;
        status = near_of_blocks(&masked, &all, &near, error);
    } else if (g->kind == VP_GROUND_WORLD) {
        status = vp_source_surface(&g->source, VP_SURFACE_SOLID, &g->kernels, 1, &made, error);
    }
    const vp_triangles *t = g->kind == VP_GROUND_WORLD ? &made.triangles : &g->mesh.triangles;
    *triangles = g->kind == VP_GROUND_BLOCKS ? near.count : t->triangle_count;
    if (status == VP_OK && *triangles == 0)
        status = vp_fail(error, VP_E_ARGUMENT, "%s has no surface to put bodies on", vp_show_path(g->name).text);
    *corner = status == VP_OK ? malloc((size_t)*triangles * 3 * sizeof **corner) : NULL;
    if (status == VP_OK && *corner == NULL)
        status = no_memory(*triangles, error);
    for (uint32_t i = 0; status == VP_OK && i < *triangles; i++) {
        uint32_t at[3];
        if (g->kind != VP_GROUND_BLOCKS)
            vp_triangle_corners(t, i, at);
        for (int k = 0; k < 3; k++)
            (*corner)[3 * (size_t)i + (size_t)k] = g->kind == VP_GROUND_BLOCKS ? near.triangle[i].corner[k] : t->vertex[at[k]];
    }
    vp_near_drop(&near);
    vp_surface_mesh_destroy(&made);
    return status;
}
