/* SPDX-License-Identifier: MIT */
/* The trees that queries are asked of: by the reference, made when a form is first asked for, and kept as long as the
 * workload. */
#include "datasets/cases/cases.h"

#include <stdlib.h>

#include <voxphys/kd.h>

#include "src/core/error.h"

struct vp_trees {
    uint32_t count;
    vp_kd **of[VP_TREE_KINDS];
    uint32_t *plain; /* indices of plain triangles */
};

const vp_tree_kind vp_tree_kinds[VP_TREE_KINDS] = {
    {"wide", VP_KD_WIDE, false},     {"slab", VP_KD_SLAB, false},       {"published", VP_KD_PUBLISHED, false},
    {"packed", VP_KD_PACKED, false}, {"implied", VP_KD_IMPLIED, false}, {"triangles", VP_KD_WIDE, true}};

void vp_workload_set_kind(vp_workload *workload, const vp_tree_kind *kind)
{
    workload->form = kind->form;
    workload->plain = kind->plain;
}

const vp_tree_kind *vp_workload_kind(const vp_workload *workload)
{
    const vp_tree_kind *kind = vp_tree_kinds;
    while (kind->form != workload->form || kind->plain != workload->plain)
        kind++;
    return kind;
}

bool vp_workload_has_kind(const vp_workload *workload, const vp_tree_kind *kind)
{
    const vp_mesh_set *set = &workload->meshes;
    bool quads = true;
    for (uint32_t m = 0; m < set->count; m++)
        quads = quads && set->mesh[m].quads;
    if (kind->form == VP_KD_PACKED || kind->form == VP_KD_IMPLIED)
        return set->chunks && workload->world == NULL && (quads || kind->form == VP_KD_PACKED);
    return quads || !kind->plain;
}

static void drop(vp_kd **tree, uint32_t count)
{
    for (uint32_t m = 0; tree != NULL && m < count; m++)
        vp_kd_destroy(tree[m]);
    free(tree);
}

vp_trees *vp_trees_create(uint32_t count)
{
    vp_trees *trees = calloc(1, sizeof *trees);
    if (trees != NULL)
        trees->count = count;
    return trees;
}

void vp_trees_destroy(vp_trees *trees)
{
    if (trees == NULL)
        return;
    for (int k = 0; k < VP_TREE_KINDS; k++)
        drop(trees->of[k], trees->count);
    free(trees->plain);
    free(trees);
}

/* Quads as two triangles each, of the numbers that they have. @return where the next mesh's indices go */
static uint32_t *unpair(const vp_triangles *quads, uint32_t *index, vp_triangles *out)
{
    *out = *quads;
    if (!quads->quads)
        return index;
    out->quads = false;
    out->index = index;
    for (uint32_t i = 0; i < quads->triangle_count; i++, index += 3)
        vp_triangle_corners(quads, i, index);
    return index;
}

static vp_status make_plain(const vp_workload *workload, uint32_t **index, vp_error *error)
{
    vp_trees *trees = workload->trees;
    if (workload->plain && trees->plain == NULL)
        trees->plain = malloc(((size_t)workload->meshes.triangle_count + 1) * 3 * sizeof *trees->plain);
    *index = trees->plain;
    return workload->plain && trees->plain == NULL
               ? vp_fail(error, VP_E_MEMORY, "no memory for plain triangles of %s", workload->name)
               : VP_OK;
}

vp_status vp_workload_trees(const vp_workload *workload, vp_kd *const **out, vp_error *error)
{
    vp_trees *trees = workload->trees;
    vp_kd ***const of = &trees->of[vp_workload_kind(workload) - vp_tree_kinds];
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    if (*of == NULL) {
        uint32_t *index;
        vp_kd **tree = calloc(trees->count + 1u, sizeof *tree);
        vp_status status = tree != NULL ? make_plain(workload, &index, error)
                                        : vp_fail(error, VP_E_MEMORY, "no memory for trees of %s", workload->name);
        for (uint32_t m = 0; status == VP_OK && m < trees->count; m++) {
            vp_kd_def def = {.triangles = workload->meshes.mesh[m], .form = workload->form, .kernels = &scalar};
            if (workload->plain)
                index = unpair(&workload->meshes.mesh[m], index, &def.triangles);
            status = vp_kd_create(&def, &tree[m], error);
        }
        if (status != VP_OK) {
            drop(tree, trees->count);
            return status;
        }
        *of = tree;
    }
    *out = *of;
    return VP_OK;
}
