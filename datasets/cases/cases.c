/* SPDX-License-Identifier: MIT */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "datasets/hash.h"

#define CASE_ENTRY(k, ...) [VP_KERNEL_##k] = &vp_case_##k,
const vp_case *const vp_cases[VP_KERNEL_COUNT] = {VP_KERNELS(CASE_ENTRY)};

void vp_records_destroy(vp_records *records)
{
    free(records->bytes);
    *records = (vp_records){0};
}

uint64_t vp_records_digest(const vp_records *records)
{
    return vp_hash64(records->bytes, records->record_bytes * records->count);
}

/* Runs one table over a workload of its own. */
static vp_status answers(const vp_case *c, const vp_kernels *table, const vp_workload *workload, vp_records *out,
                         vp_error *error)
{
    void *work = NULL;
    vp_status status = c->make(workload, &work, error);
    if (status == VP_OK) {
        c->run(table, work);
        status = c->records(work, out, error);
    }
    c->drop(work);
    return status;
}

static void compare(const vp_records *want, const vp_records *got, vp_check *out)
{
    out->cases = want->count;
    for (size_t i = 0; i < want->count; i++) {
        if (i < got->count &&
            memcmp(want->bytes + i * want->record_bytes, got->bytes + i * got->record_bytes, want->record_bytes) == 0)
            continue;
        if (out->mismatches++ == 0)
            out->first = i;
    }
    if (got->count > want->count)
        out->mismatches += got->count - want->count;
}

vp_status vp_reference_records(vp_kernel_id kernel, const vp_workload *workload, vp_records *out, vp_error *error)
{
    vp_kernels reference;
    vp_kernels_best(&reference, 0);
    return answers(vp_cases[kernel], &reference, workload, out, error);
}

vp_status vp_check_contender(vp_kernel_id kernel, const vp_contender *contender, const vp_workload *workload,
                             const vp_records *want, vp_check *out, vp_error *error)
{
    vp_kernels table = vp_contender_table(contender, kernel);
    vp_records own = {0}, got = {0};
    vp_status status = VP_OK;
    if (want == NULL) {
        status = vp_reference_records(kernel, workload, &own, error);
        want = &own;
    }
    if (status == VP_OK)
        status = answers(vp_cases[kernel], &table, workload, &got, error);
    if (status == VP_OK) {
        *out = (vp_check){.digest = vp_records_digest(&got)};
        compare(want, &got, out);
        vp_succeed(error);
    }
    vp_records_destroy(&own);
    vp_records_destroy(&got);
    return status;
}

vp_food vp_food_base(vp_food food)
{
    switch (food) {
    case VP_FOOD_CHUNK_RAYS:
    case VP_FOOD_TERRAIN_RAYS: return VP_FOOD_RAYS;
    case VP_FOOD_TERRAIN_BOXES: return VP_FOOD_MESH_BOXES;
    default: return food;
    }
}

bool vp_case_of_trees(vp_kernel_id kernel)
{
    return vp_cases[kernel]->food >= VP_FOOD_MESHES && vp_cases[kernel]->food != VP_FOOD_CHUNK_RAYS;
}

bool vp_case_eats(vp_kernel_id kernel, vp_food food, const vp_workload *workload)
{
    const vp_food of_kernel = vp_cases[kernel]->food;
    if (of_kernel == VP_FOOD_CHUNK_RAYS)
        return food == VP_FOOD_RAYS && workload->meshes.chunks && workload->form == VP_KD_WIDE && !workload->plain;
    if (of_kernel == VP_FOOD_TERRAIN_RAYS || of_kernel == VP_FOOD_TERRAIN_BOXES)
        return food == vp_food_base(of_kernel) && workload->terrain;
    if (vp_case_of_trees(kernel) && !vp_workload_has_kind(workload, vp_workload_kind(workload)))
        return false;
    /* packed and implied trees are made out of wide ones, by what is no kernel; plain triangles are built in fuzz meshes */
    if (food == VP_FOOD_MESHES && (workload->form > VP_KD_WIDE || workload->plain))
        return false;
    return of_kernel == food;
}
