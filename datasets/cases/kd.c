/* SPDX-License-Identifier: MIT */
/* Cases of the loose kD tree. A build is asked for the tree of every mesh of a set, in the workload's form; rays, sweeps and boxes
 * are asked of trees that the reference has built. Answers do not depend on the form, and neither do their records: but
 * for builds and for the leaves that a box reaches. */
#include "datasets/cases/cases.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "datasets/cases/records.h"
#include "datasets/hash.h"

enum {
    LIST_CAPACITY = 512, /* of a list of triangles; the number of all is kept too */
    HITS_CAPACITY = 32   /* of a list of hits */
};

typedef struct work {
    const vp_workload *workload;
    vp_kd *const *tree; /* of each mesh, in the workload's form, by the reference; the workload's */
    vp_kd_build_job *build; /* of each mesh: where its tree goes, for builds */
    uint32_t *found;   /* of each list, or nodes of each tree */
    vp_hit *hit;       /* of each ray; of kd_ray_all HITS_CAPACITY of each */
    int32_t *any;      /* of each ray */
    uint32_t *list;    /* of each box LIST_CAPACITY triangles */
    /* what builds write to, all meshes' one behind the other */
    void *nodes, *scratch;
    size_t node_room, items, scratch_bytes;
    vp_kd_item *item;
    uint32_t *item_id;
} work;

static size_t node_bytes(vp_kd_form form)
{
    return form == VP_KD_WIDE ? sizeof(vp_kd_wide) : sizeof(vp_kd_node);
}

static void drop(void *argument)
{
    work *w = argument;
    vp_allocator a = vp_allocator_default();
    if (w == NULL)
        return;
    vp_release(&a, w->nodes, w->node_room, node_bytes(w->workload->form));
    vp_release(&a, w->scratch, w->scratch_bytes, 1);
    free(w->build);
    free(w->found);
    free(w->hit);
    free(w->any);
    free(w->list);
    free(w->item);
    free(w->item_id);
    free(w);
}

static vp_status no_memory(const vp_workload *workload, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory to run kernels on %s", workload->name);
}

static work *begin(const vp_workload *workload, void **out)
{
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (w != NULL)
        w->workload = workload;
    return w;
}

/* ---- builds ---- */

/* Each mesh's tree has a place of its own, of the most that it can need. */
static vp_status make_build(const vp_workload *workload, void **out, vp_error *error)
{
    work *w = begin(workload, out);
    const vp_mesh_set *set = &workload->meshes;
    vp_allocator a = vp_allocator_default();
    if (w == NULL || (w->build = calloc(set->count + 1u, sizeof *w->build)) == NULL)
        return no_memory(workload, error);
    for (uint32_t m = 0; m < set->count; m++) {
        uint32_t items = vp_kd_item_count(&set->mesh[m]);
        w->node_room += vp_kd_most_nodes(workload->form, items) + 1;
        w->items += items;
        w->scratch_bytes = vp_kd_scratch_bytes(items) > w->scratch_bytes ? vp_kd_scratch_bytes(items) : w->scratch_bytes;
    }
    w->nodes = vp_allocate(&a, w->node_room + 1, node_bytes(workload->form));
    w->scratch = vp_allocate(&a, w->scratch_bytes, 1);
    w->item = vp_spoilt(w->items, sizeof *w->item);
    w->item_id = vp_spoilt(w->items, sizeof *w->item_id);
    w->found = vp_spoilt(set->count, sizeof *w->found);
    if (w->nodes == NULL || w->scratch == NULL || w->item == NULL || w->item_id == NULL || w->found == NULL)
        return no_memory(workload, error);
    memset(w->nodes, 0xa5, w->node_room * node_bytes(workload->form));
    size_t node = 0, item = 0;
    for (uint32_t m = 0; m < set->count; m++) {
        uint32_t items = vp_kd_item_count(&set->mesh[m]);
        vp_kd_build_job *b = &w->build[m];
        *b = (vp_kd_build_job){.triangles = set->mesh[m], .form = workload->form, .scratch = w->scratch};
        if (workload->form == VP_KD_WIDE)
            b->wide = (vp_kd_wide *)w->nodes + node;
        else
            b->node = (vp_kd_node *)w->nodes + node;
        b->item = w->item + item;
        b->item_id = w->item_id + item;
        node += vp_kd_most_nodes(workload->form, items) + 1;
        item += items;
    }
    return VP_OK;
}

static uint64_t run_build(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_mesh_set *set = &w->workload->meshes;
    for (uint32_t m = 0; m < set->count; m++)
        w->found[m] = table->kd_build(&w->build[m]).node_count;
    return set->triangle_count;
}

uint64_t vp_case_kd_tree_bytes(const void *argument)
{
    const work *w = argument;
    uint64_t bytes = 0;
    for (uint32_t m = 0; m < w->workload->meshes.count; m++)
        bytes += w->found[m] * node_bytes(w->workload->form) +
                 (w->workload->form == VP_KD_WIDE ? vp_kd_item_count(&w->workload->meshes.mesh[m]) * UINT64_C(20) : 0);
    return bytes;
}

/* A tree as bytes: its nodes word by word, and the items of the wide form. */
static uint64_t tree_hash(const vp_kd_build_job *b, uint32_t nodes, uint8_t *bytes)
{
    const size_t words = nodes * (node_bytes(b->form) / 4);
    const uint8_t *from = b->form == VP_KD_WIDE ? (const uint8_t *)b->wide : (const uint8_t *)b->node;
    uint8_t *at = bytes;
    for (size_t i = 0; i < words; i++, at += 4) {
        uint32_t word;
        memcpy(&word, from + 4 * i, sizeof word);
        vp_put_u32(at, word);
    }
    for (uint32_t i = 0; b->form == VP_KD_WIDE && i < vp_kd_item_count(&b->triangles); i++, at += 20) {
        for (int k = 0; k < 4; k++)
            vp_put_u32(at + 4 * k, b->item[i].vertex[k]);
        vp_put_u32(at + 16, b->item_id[i]);
    }
    return vp_hash64(bytes, (size_t)(at - bytes));
}

/* A tree's record: its nodes, and the hash of them. More nodes than there can be is a record that no right answer is. */
static vp_status build_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    const vp_mesh_set *set = &w->workload->meshes;
    size_t most = 0;
    for (uint32_t m = 0; m < set->count; m++) {
        uint32_t items = vp_kd_item_count(&set->mesh[m]);
        size_t bytes = vp_kd_most_nodes(w->workload->form, items) * node_bytes(w->workload->form) + items * 20u;
        most = bytes > most ? bytes : most;
    }
    uint8_t *bytes = malloc(most + 1);
    vp_status status = bytes != NULL ? vp_records_create(12, set->count, out, error) : no_memory(w->workload, error);
    for (uint32_t m = 0; status == VP_OK && m < set->count; m++) {
        uint8_t *at = out->bytes + (size_t)m * 12;
        uint32_t items = vp_kd_item_count(&set->mesh[m]);
        bool possible = w->found[m] <= vp_kd_most_nodes(w->workload->form, items);
        vp_put_u32(at, w->found[m]);
        vp_put_u64(at + 4, possible ? tree_hash(&w->build[m], w->found[m], bytes) : UINT64_MAX);
    }
    free(bytes);
    return status;
}

/* ---- trees to ask ---- */

static vp_status make_trees(const vp_workload *workload, void **out, vp_error *error)
{
    work *w = begin(workload, out);
    return w != NULL ? vp_workload_trees(workload, &w->tree, error) : no_memory(workload, error);
}

static const vp_kd_view *tree_at(const work *w, uint32_t mesh)
{
    return vp_kd_view_of(w->tree[mesh]);
}

/* ---- rays ---- */

static vp_status make_rays(const vp_workload *workload, void **out, vp_error *error)
{
    vp_status status = make_trees(workload, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    w->hit = vp_spoilt(workload->rays.count, sizeof *w->hit);
    w->any = vp_spoilt(workload->rays.count, sizeof *w->any);
    return w->hit != NULL && w->any != NULL ? VP_OK : no_memory(workload, error);
}

static uint64_t run_ray(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_ray_set *rays = &w->workload->rays;
    for (uint32_t i = 0; i < rays->count; i++)
        w->hit[i] = table->kd_ray(tree_at(w, rays->mesh[i]), &rays->ray[i]);
    return rays->count;
}

/* Consecutive rays of one mesh make a packet. */
static uint32_t packet_at(const vp_ray_set *rays, uint32_t first, uint32_t most)
{
    uint32_t count = 1;
    while (count < most && first + count < rays->count && rays->mesh[first + count] == rays->mesh[first])
        count++;
    return count;
}

static uint64_t run_ray8(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_ray_set *rays = &w->workload->rays;
    for (uint32_t i = 0, count; i < rays->count; i += count) {
        count = packet_at(rays, i, 8);
        table->kd_ray8(tree_at(w, rays->mesh[i]), &rays->ray[i], count, &w->hit[i]);
    }
    return rays->count;
}

static uint64_t run_ray16(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_ray_set *rays = &w->workload->rays;
    for (uint32_t i = 0, count; i < rays->count; i += count) {
        count = packet_at(rays, i, 16);
        table->kd_ray16(tree_at(w, rays->mesh[i]), &rays->ray[i], count, &w->hit[i]);
    }
    return rays->count;
}

static uint64_t run_ray_any(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_ray_set *rays = &w->workload->rays;
    for (uint32_t i = 0; i < rays->count; i++)
        w->any[i] = table->kd_ray_any(tree_at(w, rays->mesh[i]), &rays->ray[i]);
    return rays->count;
}

/* Of a sphere of half a voxel. */
static uint64_t run_sweep(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_ray_set *rays = &w->workload->rays;
    for (uint32_t i = 0; i < rays->count; i++)
        w->hit[i] = table->kd_sphere_sweep(tree_at(w, rays->mesh[i]), &rays->ray[i], 0.5f);
    return rays->count;
}

static vp_status hit_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    return vp_hit_records(w->hit, w->workload->rays.count, out, error);
}

static vp_status any_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    uint32_t count = w->workload->rays.count;
    vp_status status = vp_records_create(4, count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < count; i++)
        vp_put_u32(out->bytes + (size_t)i * 4, (uint32_t)w->any[i]);
    return status;
}

/* ---- lists of hits ---- */

static vp_status make_lists_of_hits(const vp_workload *workload, void **out, vp_error *error)
{
    vp_status status = make_trees(workload, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    w->hit = vp_spoilt((size_t)workload->rays.count * HITS_CAPACITY, sizeof *w->hit);
    w->found = vp_spoilt(workload->rays.count, sizeof *w->found);
    return w->hit != NULL && w->found != NULL ? VP_OK : no_memory(workload, error);
}

static uint64_t run_ray_all(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_ray_set *rays = &w->workload->rays;
    for (uint32_t i = 0; i < rays->count; i++)
        w->found[i] = table->kd_ray_all(tree_at(w, rays->mesh[i]), &rays->ray[i], w->hit + (size_t)i * HITS_CAPACITY,
                                        HITS_CAPACITY);
    return rays->count;
}

static vp_status list_of_hits_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    uint32_t count = w->workload->rays.count;
    vp_status status = vp_records_create(8, count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < count; i++) {
        uint8_t bytes[HITS_CAPACITY * VP_HIT_BYTES + 4];
        uint32_t kept = w->found[i] < HITS_CAPACITY ? w->found[i] : HITS_CAPACITY;
        if (w->found[i] == VP_RAY_ALL_INVALID)
            kept = 0;
        for (uint32_t k = 0; k < kept; k++)
            vp_put_hit(bytes + k * VP_HIT_BYTES, &w->hit[(size_t)i * HITS_CAPACITY + k]);
        vp_put_u32(bytes + kept * VP_HIT_BYTES, w->found[i]);
        vp_put_u64(out->bytes + (size_t)i * 8, vp_hash64(bytes, kept * VP_HIT_BYTES + 4));
    }
    return status;
}

/* ---- boxes ---- */

static vp_status make_boxes(const vp_workload *workload, void **out, vp_error *error)
{
    vp_status status = make_trees(workload, out, error);
    work *w = *out;
    if (status != VP_OK)
        return status;
    w->list = vp_spoilt((size_t)workload->mesh_boxes.count * LIST_CAPACITY, sizeof *w->list);
    w->found = vp_spoilt(workload->mesh_boxes.count, sizeof *w->found);
    return w->list != NULL && w->found != NULL ? VP_OK : no_memory(workload, error);
}

static uint64_t run_box(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_mesh_box_set *boxes = &w->workload->mesh_boxes;
    for (uint32_t i = 0; i < boxes->count; i++)
        w->found[i] = table->kd_gather(tree_at(w, boxes->mesh[i]), &boxes->box[i], w->list + (size_t)i * LIST_CAPACITY,
                                    LIST_CAPACITY);
    return boxes->count;
}

static uint64_t run_box_leaves(const vp_kernels *table, void *argument)
{
    work *w = argument;
    const vp_mesh_box_set *boxes = &w->workload->mesh_boxes;
    for (uint32_t i = 0; i < boxes->count; i++)
        w->found[i] = table->kd_gather_leaves(tree_at(w, boxes->mesh[i]), &boxes->box[i],
                                           w->list + (size_t)i * LIST_CAPACITY, LIST_CAPACITY);
    return boxes->count;
}

static int ascending(const void *a, const void *b)
{
    uint32_t one, two;
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return (one > two) - (one < two);
}

/* A box's record is the hash of its list, which is in no order and is sorted for it, and of its length. Of a list that did not
   fit, which triangles are in it is a version's own affair: its length alone is compared. */
static vp_status list_records(const void *argument, vp_records *out, vp_error *error)
{
    const work *w = argument;
    uint32_t count = w->workload->mesh_boxes.count;
    vp_status status = vp_records_create(8, count, out, error);
    for (uint32_t i = 0; status == VP_OK && i < count; i++) {
        uint32_t sorted[LIST_CAPACITY];
        uint8_t bytes[LIST_CAPACITY * 4 + 4];
        uint32_t kept = w->found[i] <= LIST_CAPACITY ? w->found[i] : 0;
        memcpy(sorted, w->list + (size_t)i * LIST_CAPACITY, sizeof sorted);
        qsort(sorted, kept, sizeof *sorted, ascending);
        for (uint32_t k = 0; k < kept; k++)
            vp_put_u32(bytes + 4 * k, sorted[k]);
        vp_put_u32(bytes + 4 * kept, w->found[i]);
        vp_put_u64(out->bytes + (size_t)i * 8, vp_hash64(bytes, 4 * kept + 4));
    }
    return status;
}

const vp_case vp_case_kd_build = {"triangles", VP_FOOD_MESHES, make_build, run_build, build_records, drop};
const vp_case vp_case_kd_ray = {"rays", VP_FOOD_RAYS, make_rays, run_ray, hit_records, drop};
const vp_case vp_case_kd_ray8 = {"rays", VP_FOOD_RAYS, make_rays, run_ray8, hit_records, drop};
const vp_case vp_case_kd_ray16 = {"rays", VP_FOOD_RAYS, make_rays, run_ray16, hit_records, drop};
const vp_case vp_case_kd_ray_any = {"rays", VP_FOOD_RAYS, make_rays, run_ray_any, any_records, drop};
const vp_case vp_case_kd_ray_all = {"rays", VP_FOOD_RAYS, make_lists_of_hits, run_ray_all, list_of_hits_records, drop};
const vp_case vp_case_kd_sphere_sweep = {"sweeps", VP_FOOD_RAYS, make_rays, run_sweep, hit_records, drop};
const vp_case vp_case_kd_gather = {"queries", VP_FOOD_MESH_BOXES, make_boxes, run_box, list_records, drop};
const vp_case vp_case_kd_gather_leaves = {"queries", VP_FOOD_MESH_BOXES, make_boxes, run_box_leaves, list_records, drop};
