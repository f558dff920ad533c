/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "src/terrain/chunk_tree.h"

#include <assert.h>
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include <voxphys/kd.h>

#include "src/core/clock.h"
#include "src/kd/pack.h"

enum { MAX_INDICES = VP_CHUNK_MESH_QUADS * 4 };

static size_t lines_of(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* The form that is built first. Packed and implied trees are packed from a wide one. */
static vp_kd_form built_form_of(vp_kd_form form)
{
    return vp_kd_keeps_all(form) ? VP_KD_WIDE : form;
}

static size_t node_bytes_of(vp_kd_form form)
{
    return form == VP_KD_WIDE ? sizeof(vp_kd_wide) : sizeof(vp_kd_node);
}

/* ---- the empty tree ---- */

typedef struct cached_view {
    alignas(64) vp_chunk_view head;
} cached_view;

#define NO_BOX                                                                                                                             \
    {                                                                                                                                      \
        {INFINITY, INFINITY, INFINITY},                                                                                                    \
        {                                                                                                                                  \
            -INFINITY, -INFINITY, -INFINITY                                                                                                \
        }                                                                                                                                  \
    }
#define EMPTY(f) [f] = {.head = {.view = {.form = (f), .triangles = {.quads = true}, .box = NO_BOX}}}

const vp_kd_view *vp_chunk_tree_empty(vp_kd_form form)
{
    static const cached_view empty[VP_KD_FORM_COUNT] = {EMPTY(VP_KD_PUBLISHED), EMPTY(VP_KD_SLAB), EMPTY(VP_KD_WIDE), EMPTY(VP_KD_PACKED),
                                                        EMPTY(VP_KD_IMPLIED)};
    return &empty[form].head.view;
}

/* ---- building ---- */

/* Arrays in which mesh and tree are built, with room for the largest chunk. */
typedef struct chunk_workplace {
    vp_chunk_mesh_room *room;
    uint32_t *index;
    void *node;
    vp_kd_item *item;
    uint32_t *item_id;
    void *build; /* scratch of the build kernel, then of packing */
    void *piece;
    size_t bytes; /* total size */
} chunk_workplace;

/* Upper bound of a packed or implied tree's bytes. A packed tree has at most as many nodes as the wide one, 10 bytes
 * per item and 6 per vertex. An implied tree is smaller. The rest is slack. */
static size_t max_piece_bytes_of(vp_kd_form form)
{
    const size_t nodes = vp_kd_max_nodes(VP_KD_WIDE, VP_CHUNK_MESH_QUADS);
    return vp_kd_keeps_all(form) ? nodes * sizeof(vp_kd_packed_node) + (VP_CHUNK_MESH_QUADS + VP_CHUNK_MESH_VERTICES) * (size_t)10 + 4096
                                 : 0;
}

static size_t max_build_bytes_of(vp_kd_form form)
{
    const size_t build = vp_kd_scratch_bytes(VP_CHUNK_MESH_QUADS);
    const size_t pack = vp_kd_keeps_all(form) ? vp_pack_scratch_bytes(VP_CHUNK_MESH_QUADS) : 0;
    return build > pack ? build : pack;
}

/* @param memory  NULL: only counts the bytes */
static chunk_workplace place_workplace(char *memory, vp_kd_form form)
{
    const vp_kd_form built = built_form_of(form);
    const size_t items = built == VP_KD_WIDE ? VP_CHUNK_MESH_QUADS + VP_KD_ITEM_SLACK : 0;
    chunk_workplace w = {0};
    const struct memory_part {
        void **to;
        size_t bytes;
    } parts[] = {{(void **)&w.room, sizeof *w.room},
                 {(void **)&w.index, MAX_INDICES * sizeof *w.index},
                 {&w.node, vp_kd_max_nodes(built, VP_CHUNK_MESH_QUADS) * node_bytes_of(built)},
                 {(void **)&w.item, items * sizeof *w.item},
                 {(void **)&w.item_id, items * sizeof *w.item_id},
                 {&w.build, max_build_bytes_of(form)},
                 {&w.piece, max_piece_bytes_of(form)}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (memory != NULL)
            *parts[i].to = memory + w.bytes;
        w.bytes += lines_of(parts[i].bytes);
    }
    return w;
}

size_t vp_chunk_tree_scratch_bytes(vp_kd_form form)
{
    return place_workplace(NULL, form).bytes;
}

/* Packs the wide tree in place. Packing cannot fail, because a chunk's vertices lie on a lattice and its mesh is a
 * surface net. */
static void pack_tree(const chunk_workplace *w, vp_chunk_tree *out)
{
    vp_kd_view *view = &out->head.view;
    vp_pack p = {.form = view->form,
                 .triangles = &view->triangles,
                 .box = view->box,
                 .items = vp_kd_item_count(&view->triangles),
                 .wide = view->wide,
                 .item = view->item,
                 .item_id = view->item_id,
                 .scratch = w->build};
    vp_kd_view packed = {.form = view->form, .triangles = view->triangles, .box = view->box};
    const vp_status status = vp_pack_plan(&p, NULL);
    assert(status == VP_OK && p.bytes <= max_piece_bytes_of(view->form));
    (void)status;
    packed.triangles.vertex = NULL;
    packed.triangles.index = NULL;
    vp_pack_write(&p, w->piece, &packed);
    *view = packed;
    out->piece = w->piece;
    out->piece_bytes = p.bytes;
}

static void build_tree(const vp_kernels *kernels, vp_kd_form form, const chunk_workplace *w, vp_chunk_tree *out)
{
    vp_kd_view *view = &out->head.view;
    const vp_kd_form built_as = built_form_of(form);
    vp_kd_build_job job = {.triangles = view->triangles, .form = built_as, .item = w->item, .item_id = w->item_id, .scratch = w->build};
    if (built_as == VP_KD_WIDE) {
        const uint32_t items = vp_kd_item_count(&view->triangles);
        memset(w->item + items, 0, VP_KD_ITEM_SLACK * sizeof *w->item);
        memset(w->item_id + items, 0, VP_KD_ITEM_SLACK * sizeof *w->item_id);
        view->wide = job.wide = w->node;
        view->item = w->item;
        view->item_id = w->item_id;
    } else {
        view->node = job.node = w->node;
    }
    const vp_kd_build_result built = kernels->kd_build(&job);
    view->box = built.box;
    out->node_count = built.node_count;
    if (vp_kd_keeps_all(form))
        pack_tree(w, out);
}

uint64_t vp_chunk_tree_make(const vp_kernels *kernels, const vp_voxels *world, uint32_t chunk, vp_surface surface, vp_kd_form form,
                            void *scratch, vp_chunk_tree *out)
{
    const uint64_t before = vp_nanoseconds();
    const vp_dims n = world->chunks;
    const chunk_workplace w = place_workplace(scratch, form);
    vp_chunk_mesh mesh = vp_chunk_mesh_in(w.room);
    kernels->mesh_chunk(world, chunk % n.x, chunk / n.x / n.z, chunk / n.x % n.z, (uint32_t)surface, &mesh);
    *out = (vp_chunk_tree){
        .head = {.view = {.form = form, .triangles = {mesh.vertex, w.index, mesh.vertex_count, mesh.quad_count * 2, true}}}};
    const uint16_t *from = &mesh.quad[0][0];
    for (uint32_t i = 0; i < mesh.quad_count * 4; i++)
        w.index[i] = from[i];
    if (mesh.quad_count != 0)
        build_tree(kernels, form, &w, out);
    return vp_nanoseconds() - before;
}

/* ---- keeping ---- */

/* Sizes of the arrays, in the order in which they are stored. */
typedef struct tree_sizes {
    size_t node, item, item_id, vertex, index;
} tree_sizes;

static tree_sizes sizes_of(const vp_chunk_tree *tree)
{
    const vp_triangles *t = &tree->head.view.triangles;
    const size_t items = tree->head.view.form == VP_KD_WIDE ? (size_t)vp_kd_item_count(t) + VP_KD_ITEM_SLACK : 0;
    return (tree_sizes){lines_of(tree->node_count * node_bytes_of(tree->head.view.form)), items * sizeof(vp_kd_item),
                        items * sizeof(uint32_t), t->vertex_count * sizeof(vp_vec3), (size_t)t->triangle_count * 2 * sizeof(uint32_t)};
}

size_t vp_chunk_tree_bytes(const vp_chunk_tree *tree)
{
    if (tree->piece != NULL)
        return tree->piece_bytes;
    const tree_sizes s = sizes_of(tree);
    return s.node + s.item + s.item_id + s.vertex + s.index;
}

static void *copy_array(char **at, const void *from, size_t bytes)
{
    void *here = *at;
    if (bytes != 0)
        memcpy(here, from, bytes);
    *at += bytes;
    return here;
}

/* Address of an array in a copy of the piece. */
static void *address_in_copy(const vp_chunk_tree *tree, char *copy, const void *array)
{
    return array != NULL ? copy + ((const char *)array - (const char *)tree->piece) : NULL;
}

static void place_piece(const vp_chunk_tree *tree, void *memory, vp_kd_view *out)
{
    const vp_kd_view *from = &tree->head.view;
    char *copy = memcpy(memory, tree->piece, tree->piece_bytes);
    *out = *from;
    out->line = address_in_copy(tree, copy, from->line);
    if (from->form == VP_KD_PACKED) {
        out->corner = address_in_copy(tree, copy, from->corner);
        out->corner_id = address_in_copy(tree, copy, from->corner_id);
        out->lattice = address_in_copy(tree, copy, from->lattice);
    } else {
        out->edge = address_in_copy(tree, copy, from->edge);
        out->cells = address_in_copy(tree, copy, from->cells);
        out->within = address_in_copy(tree, copy, from->within);
    }
}

void vp_chunk_tree_place(const vp_chunk_tree *tree, void *memory, vp_chunk_view *head)
{
    vp_kd_view *out = &head->view;
    atomic_init(&head->table_state, VP_TABLE_NONE);
    if (tree->piece != NULL) {
        place_piece(tree, memory, out);
        return;
    }
    const tree_sizes s = sizes_of(tree);
    const size_t nodes = tree->node_count * node_bytes_of(tree->head.view.form);
    char *at = (char *)memory + s.node;
    *out = tree->head.view;
    if (tree->head.view.form == VP_KD_WIDE) {
        out->wide = memcpy(memory, tree->head.view.wide, nodes);
        out->item = copy_array(&at, tree->head.view.item, s.item);
        out->item_id = copy_array(&at, tree->head.view.item_id, s.item_id);
    } else {
        out->node = memcpy(memory, tree->head.view.node, nodes);
    }
    out->triangles.vertex = copy_array(&at, tree->head.view.triangles.vertex, s.vertex);
    out->triangles.index = copy_array(&at, tree->head.view.triangles.index, s.index);
}
