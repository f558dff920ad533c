/* SPDX-License-Identifier: MIT */
/* Trees as a program makes them with vp_kd_create, which checks triangles, allocates each tree and reuses scratch memory. Builds of other
 * libraries, which do the same, are compared with this. */
#include <stdalign.h>

#include <voxphys/kd.h>

#include "cases/case.h"
#include "src/core/bytes.h"
#include "cases/derived.h"
#include "datasets/hash.h"
#include "datasets/mesh_sets.h"

static const char *const variants[] = {"wide", "packed", "implied", NULL};
static const uint32_t kinds[] = {0, 3, 4}; /* indices of vp_tree_kinds */

typedef struct kd_operation_work {
    const vp_mesh_set *meshes;
    vp_kd_form form;
    vp_kd **tree; /* of each mesh */
    void *scratch;
    size_t scratch_bytes;
    const vp_allocator *allocator;
} kd_operation_work;

static bool takes(const vp_data *data, uint32_t variant)
{
    return vp_has_trees(data->set, kinds[variant]);
}

static vp_status make(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    kd_operation_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(kd_operation_work));
    w->meshes = data->set;
    w->form = vp_tree_kinds[kinds[variant]].form;
    w->tree = vp_arena_keep(arena, w->meshes->count, sizeof *w->tree, alignof(vp_kd *));
    w->allocator = vp_arena_allocator(arena);
    for (uint32_t m = 0; m < w->meshes->count; m++) {
        const size_t bytes = vp_kd_create_scratch_bytes(w->form, vp_kd_item_count(&w->meshes->mesh[m]));
        w->scratch_bytes = bytes > w->scratch_bytes ? bytes : w->scratch_bytes;
    }
    w->scratch = vp_arena_scratch(arena, w->scratch_bytes, 1, 64);
    return VP_OK;
}

static void drop(void *argument)
{
    kd_operation_work *w = argument;
    for (uint32_t m = 0; w->tree != NULL && m < w->meshes->count; m++) {
        vp_kd_destroy(w->tree[m]);
        w->tree[m] = NULL;
    }
}

static vp_status rewind_create(const vp_setting *how, void *argument, vp_error *error)
{
    drop(argument);
    return VP_OK;
}

static vp_status run(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    kd_operation_work *w = argument;
    vp_status status = VP_OK;
    for (uint32_t m = 0; status == VP_OK && m < w->meshes->count; m++) {
        const vp_kd_def def = {.triangles = w->meshes->mesh[m],
                               .form = w->form,
                               .kernels = how->kernels,
                               .allocator = w->allocator,
                               .scratch = w->scratch,
                               .scratch_bytes = w->scratch_bytes};
        status = vp_kd_create(&def, &w->tree[m], error);
    }
    *items = w->meshes->triangle_count;
    return status;
}

/* Records a tree as the hash of its contents, in one piece or in three. */
static void record(const void *argument, vp_records *out)
{
    const kd_operation_work *w = argument;
    for (uint32_t m = 0; m < w->meshes->count; m++) {
        const vp_kd_view *x = vp_kd_view_of(w->tree[m]);
        const vp_kd_memory bytes = vp_kd_memory_of(w->tree[m]);
        const uint32_t items = vp_kd_item_count(&x->triangles);
        if (w->form != VP_KD_WIDE) { /* from the root to the last vertex, which is not the very end */
            vp_records_put_hash(out, x->line, bytes.node_bytes + bytes.item_bytes + bytes.mesh_bytes);
        } else {
            const uint64_t hash[3] = {vp_hash64(x->wide, bytes.nodes * sizeof *x->wide), vp_hash64(x->item, items * sizeof *x->item),
                                      vp_hash64(x->item_id, items * sizeof *x->item_id)};
            uint8_t part[24];
            vp_put_longs(part, hash, 3);
            vp_records_put_hash(out, part, sizeof part);
        }
        vp_records_end(out);
    }
}

static void count(const void *argument, vp_counters *out)
{
    const kd_operation_work *w = argument;
    uint64_t bytes = 0;
    for (uint32_t m = 0; m < w->meshes->count; m++)
        bytes += vp_kd_memory_of(w->tree[m]).bytes;
    if (w->form != VP_KD_WIDE)
        vp_count(out, "bytes_per_triangle", (double)bytes / (double)w->meshes->triangle_count);
}

static const char *const notes[] = {", whole trees", ", whole trees", ", whole trees"};
#define CHUNKS(set) VP_AS(set, 2, VP_TIMED, "create-packed", NULL), VP_AS(set, 4, VP_TIMED, "create-implied", NULL)
static const vp_measured measured[] = {
    VP_AS("chunks", 1, VP_TIMED, "create", NULL),        CHUNKS("chunks"),        VP_ON("chunks", 7, VP_VERIFIED),
    VP_AS("chunks-luanti", 1, VP_TIMED, "create", NULL), CHUNKS("chunks-luanti"), VP_AS("world-230k", 1, VP_TIMED, "create", NULL),
    VP_AS("world-luanti", 1, VP_TIMED, "create", NULL),  {.data = NULL}};

const vp_case vp_case_kd_create = {.kind = &vp_kind_meshes,
                                   .variant = variants,
                                   .takes = takes,
                                   .make = make,
                                   .rewind = rewind_create,
                                   .run = run,
                                   .records = record,
                                   .counters = count,
                                   .drop = drop,
                                   .notes = notes,
                                   .beside = "kd_build",
                                   .measured = measured};
