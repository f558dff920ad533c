/* SPDX-License-Identifier: MIT */
/* Cases of the broadphase's overlap test: the answers are what each box touches. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "datasets/cases/records.h"
#include "datasets/hash.h"

enum { LIST_CAPACITY = 64 }; /* chunks of a box that are kept of overlap_chunks; the number of all is kept too */

typedef struct box_work {
    vp_broadphase_view bits;
    const vp_box_set *boxes;
    uint8_t *touch;
    vp_chunk_touch *list; /* overlap_chunks: the lists of all boxes, one behind the other */
    uint32_t *found;      /* overlap_chunks: how many chunks each box touches */
} box_work;

static void drop(void *argument)
{
    box_work *work = argument;
    if (work == NULL)
        return;
    free(work->touch);
    free(work->list);
    free(work->found);
    free(work);
}

static vp_status make(const vp_workload *workload, void **out, vp_error *error)
{
    box_work *work = calloc(1, sizeof *work);
    *out = work;
    if (work != NULL) {
        work->bits = vp_broadphase_bits(workload->broadphase);
        work->boxes = &workload->boxes;
        work->touch = malloc(workload->boxes.count + 1u);
        work->list = malloc((workload->boxes.count + 1u) * LIST_CAPACITY * sizeof *work->list);
        work->found = calloc(workload->boxes.count + 1u, sizeof *work->found);
    }
    if (work == NULL || work->touch == NULL || work->list == NULL || work->found == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
    /* What a version does not write is not by chance what another one wrote. */
    memset(work->touch, 0xa5, workload->boxes.count + 1u);
    memset(work->list, 0xa5, (workload->boxes.count + 1u) * LIST_CAPACITY * sizeof *work->list);
    return VP_OK;
}

static uint64_t run_one(const vp_kernels *table, void *argument)
{
    box_work *work = argument;
    for (uint32_t i = 0; i < work->boxes->count; i++)
        work->touch[i] = (uint8_t)table->overlap_box(&work->bits, &work->boxes->box[i]);
    return work->boxes->count;
}

static uint64_t run_batch(const vp_kernels *table, void *argument)
{
    box_work *work = argument;
    vp_boxes boxes = vp_box_set_boxes(work->boxes);
    table->overlap_boxes(&work->bits, &boxes, work->touch);
    return work->boxes->count;
}

/* The byte behind the last answer belongs to the records: nothing may have written it. */
static vp_status touch_records(const void *argument, vp_records *out, vp_error *error)
{
    const box_work *work = argument;
    vp_status status = vp_records_create(1, work->boxes->count + 1u, out, error);
    if (status == VP_OK)
        memcpy(out->bytes, work->touch, work->boxes->count + 1u);
    return status;
}

static uint32_t kept(uint32_t found)
{
    return found < LIST_CAPACITY ? found : LIST_CAPACITY;
}

static uint64_t run_chunks(const vp_kernels *table, void *argument)
{
    box_work *work = argument;
    vp_chunk_touch *list = work->list;
    for (uint32_t i = 0; i < work->boxes->count; i++) {
        work->found[i] = table->overlap_chunks(&work->bits, &work->boxes->box[i], list, LIST_CAPACITY);
        list += kept(work->found[i]);
    }
    return work->boxes->count;
}

/* A box's record is the hash of its list: the canonical bytes of its entries, then their number. */
static uint64_t hash_list(const vp_chunk_touch *list, uint32_t found)
{
    uint8_t bytes[LIST_CAPACITY * 8 + 4];
    uint32_t count = kept(found);
    for (uint32_t i = 0; i < count; i++) {
        vp_put_u32(bytes + i * 8, list[i].chunk);
        vp_put_u32(bytes + i * 8 + 4, list[i].touch);
    }
    vp_put_u32(bytes + count * 8, found);
    return vp_hash64(bytes, count * 8 + 4);
}

static vp_status list_records(const void *argument, vp_records *out, vp_error *error)
{
    const box_work *work = argument;
    const vp_chunk_touch *list = work->list;
    vp_status status = vp_records_create(8, work->boxes->count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < work->boxes->count; i++) {
        vp_put_u64(out->bytes + i * 8u, hash_list(list, work->found[i]));
        list += kept(work->found[i]);
    }
    return status;
}

const vp_case vp_case_overlap_box = {"queries", VP_FOOD_BOXES, make, run_one, touch_records, drop};
const vp_case vp_case_overlap_boxes = {"queries", VP_FOOD_BOXES, make, run_batch, touch_records, drop};
const vp_case vp_case_overlap_chunks = {"queries", VP_FOOD_BOXES, make, run_chunks, list_records, drop};
