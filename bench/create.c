/* SPDX-License-Identifier: MIT */
/* kd_build/<who>-create/<meshes>: trees as a program makes them, through vp_kd_create: triangles checked,
 * memory for each tree asked for, scratch used again. That is what the builds of other libraries are compared
 * with, which do the same. The trees must be those of the reference, bit for bit, before the time is taken
 * and after it. */
#include "bench/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>

#include "src/core/error.h"
#include "datasets/hash.h"

enum { NONSENSE = 0xa5 };

typedef struct create_entry {
    vp_suite *suite;
    vp_contender contender;
    const char *meshes;
    const vp_tree_kind *kind;
    vp_kd **tree;
    uint32_t count;
    void *scratch;
    size_t scratch_bytes;
    bool checked;
} create_entry;

static void drop_trees(create_entry *e)
{
    for (uint32_t m = 0; m < e->count; m++) {
        vp_kd_destroy(e->tree[m]);
        e->tree[m] = NULL;
    }
}

static vp_status make(create_entry *e, const vp_suite_set *w, vp_error *error)
{
    if (e->tree != NULL)
        return VP_OK;
    for (uint32_t m = 0; m < w->meshes.count; m++) {
        const size_t bytes = vp_kd_create_scratch_bytes(e->kind->form, vp_kd_item_count(&w->meshes.mesh[m]));
        e->scratch_bytes = bytes > e->scratch_bytes ? bytes : e->scratch_bytes;
    }
    e->scratch_bytes = (e->scratch_bytes + 63) / 64 * 64;
    e->scratch = aligned_alloc(64, e->scratch_bytes);
    e->tree = calloc(w->meshes.count, sizeof *e->tree);
    e->count = w->meshes.count;
    return e->scratch != NULL && e->tree != NULL
               ? VP_OK
               : vp_fail(error, VP_E_MEMORY, "no memory for trees of %s", w->name);
}

static vp_status create_all(create_entry *e, const vp_suite_set *w, const vp_kernels *kernels,
                            vp_error *error)
{
    for (uint32_t m = 0; m < e->count; m++) {
        const vp_kd_def def = {.triangles = w->meshes.mesh[m],
                               .form = e->kind->form,
                               .kernels = kernels,
                               .scratch = e->scratch,
                               .scratch_bytes = e->scratch_bytes};
        if (vp_kd_create(&def, &e->tree[m], error) != VP_OK)
            return error->status;
    }
    return VP_OK;
}

static bool same(const vp_kd *a, const vp_kd *b)
{
    const vp_kd_view *x = vp_kd_view_of(a), *y = vp_kd_view_of(b);
    const vp_kd_memory m = vp_kd_memory_of(a), n = vp_kd_memory_of(b);
    const uint32_t nodes = m.nodes, items = vp_kd_item_count(&x->triangles);
    if (nodes != n.nodes || m.bytes != n.bytes || memcmp(&x->box, &y->box, sizeof x->box) != 0)
        return false;
    if (x->form != VP_KD_WIDE) /* one piece, from the root to the last vertex, which is not its very end */
        return memcmp(x->line, y->line, m.node_bytes + m.item_bytes + m.mesh_bytes) == 0;
    return memcmp(x->wide, y->wide, nodes * sizeof *x->wide) == 0 &&
           memcmp(x->item, y->item, items * sizeof *x->item) == 0 &&
           memcmp(x->item_id, y->item_id, items * sizeof *x->item_id) == 0;
}

/* @param when  the message's end */
static vp_status compare(const create_entry *e, const vp_suite_set *w, const char *when, vp_error *error)
{
    vp_kd *const *right;
    vp_status status = vp_derive_trees(w->of_meshes, (uint32_t)(e->kind - vp_tree_kinds), &right, error);
    uint32_t differ = 0;
    for (uint32_t m = 0; status == VP_OK && m < e->count; m++)
        differ += !same(e->tree[m], right[m]);
    if (status == VP_OK && differ != 0)
        return vp_fail(error, VP_E_ARGUMENT, "%u of %u trees of %s are others than the reference's%s", differ,
                       e->count, w->name, when);
    return status;
}

/* Of all trees, one behind the other. */
static uint64_t digest_of(const create_entry *e, vp_error *error, vp_status *status)
{
    uint64_t *part = calloc((size_t)e->count + 1, sizeof *part), digest = 0;
    *status =
        part != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "no memory for the digests of %u trees", e->count);
    for (uint32_t m = 0; part != NULL && m < e->count; m++) {
        const vp_kd_view *x = vp_kd_view_of(e->tree[m]);
        const vp_kd_memory bytes = vp_kd_memory_of(e->tree[m]);
        const uint32_t items = vp_kd_item_count(&x->triangles);
        if (x->form != VP_KD_WIDE) {
            part[m] = vp_hash64(x->line, bytes.node_bytes + bytes.item_bytes + bytes.mesh_bytes);
        } else {
            const uint64_t of[] = {vp_hash64(x->wide, bytes.nodes * sizeof *x->wide),
                                   vp_hash64(x->item, items * sizeof *x->item),
                                   vp_hash64(x->item_id, items * sizeof *x->item_id)};
            part[m] = vp_hash64(of, sizeof of);
        }
    }
    if (part != NULL)
        digest = vp_hash64(part, e->count * sizeof *part);
    free(part);
    return digest;
}

/* Makes the trees and compares them, the first time it is asked. */
static vp_status check(create_entry *e, const vp_suite_set *w, const vp_kernels *kernels, vp_error *error)
{
    if (e->checked)
        return VP_OK;
    vp_status status = create_all(e, w, kernels, error);
    if (status == VP_OK)
        status = compare(e, w, "", error);
    drop_trees(e);
    e->checked = status == VP_OK;
    return status;
}

static void run_create(vp_bench_state *state, void *context)
{
    create_entry *e = context;
    const vp_kernels kernels = vp_contender_table(&e->contender, VP_KERNEL_kd_build);
    vp_suite_set w;
    vp_error error;
    vp_status status = vp_suite_open(e->suite, e->meshes, NULL, &w, &error);
    if (status == VP_OK)
        status = make(e, &w, &error);
    if (status == VP_OK)
        status = check(e, &w, &kernels, &error);
    if (status == VP_OK)
        memset(e->scratch, NONSENSE,
               e->scratch_bytes); /* a tree that was right there must not pass for a timed one */
    bool first = true;
    while (status == VP_OK && vp_bench_next(state)) {
        vp_bench_pause(state);
        if (!first)
            drop_trees(e);
        first = false;
        vp_bench_resume(state);
        status = create_all(e, &w, &kernels, &error);
    }
    if (status == VP_OK)
        status = compare(e, &w, " after the time was taken", &error);
    const uint64_t digest = status == VP_OK ? digest_of(e, &error, &status) : 0;
    if (status != VP_OK)
        vp_suite_refuse(e->suite, state, &error);
    if (status != VP_OK) {
        if (e->tree != NULL)
            drop_trees(e);
        return;
    }
    vp_bench_items(state, vp_bench_iterations(state) * w.meshes.triangle_count);
    vp_suite_label(state, "triangles, whole trees", digest);
    uint64_t bytes = 0;
    for (uint32_t m = 0; m < e->count && e->kind->form > VP_KD_WIDE; m++)
        bytes += vp_kd_memory_of(e->tree[m]).bytes;
    if (bytes != 0)
        vp_bench_counter(state, "bytes_per_triangle", (double)bytes / (double)w.meshes.triangle_count);
    drop_trees(e);
}

static void drop(void *entry)
{
    create_entry *e = entry;
    free(e->tree);
    free(e->scratch);
}

void vp_suite_add_creates(vp_suite *suite)
{
    vp_contender contenders[VP_CONTENDERS_MAX];
    const size_t count = vp_contenders(VP_KERNEL_kd_build, contenders);
    for (size_t s = 0; s < VP_SUITE_MESH_SETS; s++)
        for (size_t i = 0; i < count * VP_TREE_KINDS; i++) {
            const vp_contender *c = &contenders[i / VP_TREE_KINDS];
            const vp_tree_kind *kind = &vp_tree_kinds[i % VP_TREE_KINDS];
            const bool little = kind->form > VP_KD_WIDE && strncmp(vp_suite_mesh_sets[s], "chunks", 6) == 0;
            if (!c->usable || c->how != VP_HOW_NATIVE || !(little || kind == vp_tree_kinds))
                continue;
            create_entry *e = vp_suite_entry(suite, sizeof *e, drop);
            *e = (create_entry){
                .suite = suite, .contender = *c, .meshes = vp_suite_mesh_sets[s], .kind = kind};
            char name[VP_SUITE_NAME_BYTES];
            snprintf(name, sizeof name, "kd_build/%.20s-create%s%.12s/%.20s", c->name, little ? "-" : "",
                     little ? kind->name : "", e->meshes);
            vp_bench_register(name, run_create, e);
        }
}
