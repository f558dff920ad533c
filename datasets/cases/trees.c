/* SPDX-License-Identifier: MIT */
/* The trees that queries are asked of: by the reference, made when a form is first asked for, and kept as long as the
 * workload. */
#include "datasets/cases/cases.h"

#include <stdlib.h>

#include <voxphys/kd.h>

#include "core/error.h"

struct vp_trees {
    uint32_t count;
    vp_kd **of[VP_KD_FORM_COUNT];
};

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
    for (int f = 0; f < VP_KD_FORM_COUNT; f++)
        drop(trees->of[f], trees->count);
    free(trees);
}

vp_status vp_workload_trees(const vp_workload *workload, vp_kd *const **out, vp_error *error)
{
    vp_trees *trees = workload->trees;
    vp_kernels scalar;
    vp_kernels_best(&scalar, 0);
    if (trees->of[workload->form] == NULL) {
        vp_kd **tree = calloc(trees->count + 1u, sizeof *tree);
        vp_status status = tree != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for trees of %s", workload->name);
        for (uint32_t m = 0; status == VP_OK && m < trees->count; m++) {
            vp_kd_def def = {.triangles = workload->meshes.mesh[m], .form = workload->form, .kernels = &scalar};
            status = vp_kd_create(&def, &tree[m], error);
        }
        if (status != VP_OK) {
            drop(tree, trees->count);
            return status;
        }
        trees->of[workload->form] = tree;
    }
    *out = trees->of[workload->form];
    return VP_OK;
}
