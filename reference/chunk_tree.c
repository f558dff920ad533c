/* SPDX-License-Identifier: MIT */
#include "reference/chunk_tree.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

enum { MOST_INDICES = VP_CHUNK_MESH_QUADS * 4 };

static size_t lines_of(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t node_bytes(vp_kd_form form)
{
    return form == VP_KD_WIDE ? sizeof(vp_kd_wide) : sizeof(vp_kd_node);
}

/* ---- the empty one ---- */

typedef struct line {
    alignas(64) vp_kd_view view;
} line;

#define NO_BOX {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}
#define EMPTY(f) [f] = {.view = {.form = (f), .triangles = {.quads = true}, .box = NO_BOX}}

const vp_kd_view *vp_chunk_tree_empty(vp_kd_form form)
{
    static const line empty[VP_KD_FORM_COUNT] = {EMPTY(VP_KD_PUBLISHED), EMPTY(VP_KD_SLAB), EMPTY(VP_KD_WIDE)};
    return &empty[form].view;
}

/* ---- making ---- */

/* Where everything is made: room for the most that a chunk can have. */
typedef struct workplace {
    vp_chunk_mesh_room *room;
    uint32_t *index;
    void *node;
    vp_kd_item *item;
    uint32_t *item_id;
    void *build;
} workplace;

static void *take(char **at, size_t bytes)
{
    void *here = *at;
    *at += lines_of(bytes);
    return here;
}

static workplace workplace_in(char *memory, vp_kd_form form)
{
    const size_t items = VP_CHUNK_MESH_QUADS + VP_KD_ITEM_SLACK;
    char *at = memory;
    workplace w;
    w.room = take(&at, sizeof *w.room);
    w.index = take(&at, MOST_INDICES * sizeof *w.index);
    w.node = take(&at, vp_kd_most_nodes(form, VP_CHUNK_MESH_QUADS) * node_bytes(form));
    w.item = take(&at, form == VP_KD_WIDE ? items * sizeof *w.item : 0);
    w.item_id = take(&at, form == VP_KD_WIDE ? items * sizeof *w.item_id : 0);
    w.build = take(&at, vp_kd_scratch_bytes(VP_CHUNK_MESH_QUADS));
    return w;
}

size_t vp_chunk_tree_scratch_bytes(vp_kd_form form)
{
    const size_t items = VP_CHUNK_MESH_QUADS + VP_KD_ITEM_SLACK;
    const size_t wide = form == VP_KD_WIDE ? lines_of(items * sizeof(vp_kd_item)) + lines_of(items * sizeof(uint32_t)) : 0;
    return lines_of(sizeof(vp_chunk_mesh_room)) + lines_of(MOST_INDICES * sizeof(uint32_t)) +
           lines_of(vp_kd_most_nodes(form, VP_CHUNK_MESH_QUADS) * node_bytes(form)) + wide +
           lines_of(vp_kd_scratch_bytes(VP_CHUNK_MESH_QUADS));
}

static void build(const vp_kernels *kernels, vp_kd_form form, const workplace *w, vp_chunk_tree *out)
{
    vp_kd_view *view = &out->view;
    vp_kd_build job = {.triangles = view->triangles, .form = form, .item = w->item, .item_id = w->item_id, .scratch = w->build};
    if (form == VP_KD_WIDE) {
        const uint32_t items = vp_kd_item_count(&view->triangles);
        memset(w->item + items, 0, VP_KD_ITEM_SLACK * sizeof *w->item);
        memset(w->item_id + items, 0, VP_KD_ITEM_SLACK * sizeof *w->item_id);
        view->wide = job.wide = w->node;
        view->item = w->item;
        view->item_id = w->item_id;
    } else {
        view->node = job.node = w->node;
    }
    const vp_kd_built built = kernels->kd_build(&job);
    view->box = built.box;
    out->node_count = built.node_count;
}

void vp_chunk_tree_make(const vp_kernels *kernels, const vp_voxels *world, uint32_t chunk, vp_surface surface, vp_kd_form form,
                        void *scratch, vp_chunk_tree *out)
{
    const vp_dims n = world->chunks;
    const workplace w = workplace_in(scratch, form);
    vp_chunk_mesh mesh = vp_chunk_mesh_in(w.room);
    kernels->mesh_chunk(world, chunk % n.x, chunk / n.x / n.z, chunk / n.x % n.z, (uint32_t)surface, &mesh);
    *out = (vp_chunk_tree){.view = {.form = form, .triangles = {mesh.vertex, w.index, mesh.vertex_count, mesh.quad_count * 2, true}}};
    const uint16_t *from = &mesh.quad[0][0];
    for (uint32_t i = 0; i < mesh.quad_count * 4; i++)
        w.index[i] = from[i];
    if (mesh.quad_count != 0)
        build(kernels, form, &w, out);
}

/* ---- keeping ---- */

/* Sizes of the arrays in the order in which they are kept. */
typedef struct sizes {
    size_t node, item, item_id, vertex, index;
} sizes;

static sizes sizes_of(const vp_chunk_tree *tree)
{
    const vp_triangles *t = &tree->view.triangles;
    const size_t items =
        tree->view.form == VP_KD_WIDE ? (size_t)vp_kd_item_count(t) + VP_KD_ITEM_SLACK : 0;
    return (sizes){lines_of(tree->node_count * node_bytes(tree->view.form)), items * sizeof(vp_kd_item),
                   items * sizeof(uint32_t), t->vertex_count * sizeof(vp_vec3),
                   (size_t)t->triangle_count * 2 * sizeof(uint32_t)};
}

size_t vp_chunk_tree_bytes(const vp_chunk_tree *tree)
{
    const sizes s = sizes_of(tree);
    return s.node + s.item + s.item_id + s.vertex + s.index;
}

static void *put(char **at, const void *from, size_t bytes)
{
    void *here = *at;
    if (bytes != 0)
        memcpy(here, from, bytes);
    *at += bytes;
    return here;
}

void vp_chunk_tree_place(const vp_chunk_tree *tree, void *memory, vp_kd_view *out)
{
    const sizes s = sizes_of(tree);
    const size_t nodes = tree->node_count * node_bytes(tree->view.form);
    char *at = (char *)memory + s.node;
    *out = tree->view;
    if (tree->view.form == VP_KD_WIDE) {
        out->wide = memcpy(memory, tree->view.wide, nodes);
        out->item = put(&at, tree->view.item, s.item);
        out->item_id = put(&at, tree->view.item_id, s.item_id);
    } else {
        out->node = memcpy(memory, tree->view.node, nodes);
    }
    out->triangles.vertex = put(&at, tree->view.triangles.vertex, s.vertex);
    out->triangles.index = put(&at, tree->view.triangles.index, s.index);
}

/* ---- reading ---- */

void vp_chunk_tree_corners(const vp_kd_view *tree, uint32_t triangle, vp_vec3 corner[3])
{
    uint32_t number[3];
    vp_triangle_corners(&tree->triangles, triangle, number);
    for (int k = 0; k < 3; k++)
        corner[k] = tree->triangles.vertex[number[k]];
}

void vp_chunk_tree_diagonal(const vp_kd_view *tree, uint32_t triangle, vp_vec3 diagonal[2])
{
    vp_vec3 corner[3];
    vp_chunk_tree_corners(tree, triangle, corner);
    diagonal[0] = corner[0]; /* the first triangle is (0, 1, 2), the second (0, 2, 3) */
    diagonal[1] = corner[triangle % 2 == 0 ? 2 : 1];
}
