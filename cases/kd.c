/* SPDX-License-Identifier: MIT */
/* Cases of the loose kD tree. Builds make the tree of every mesh of a set. Rays, sweeps and boxes query trees built by the reference. A
 * variant is a kind of tree. It changes neither answers nor records, except for builds and for the leaves that a box reaches. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include <voxphys/kd.h>
#include <voxphys/kernel/kd.h>

#include "cases/case.h"
#include "cases/copies.h"
#include "cases/derived.h"
#include "datasets/hash.h"
#include "datasets/mesh_sets.h"
#include "src/core/bytes.h"
#include "src/core/error.h"

/* Shows from which mesh size on a tree pays. */
#define OF_SIZE(number)                                                                                                                    \
    {.data = "chunks/coherent", .variants = 1, .what = VP_TIMED, .triangles = (number)},                                                   \
    {                                                                                                                                      \
        .data = "chunks/cold", .variants = 1, .what = VP_TIMED, .triangles = (number)                                                      \
    }
#define OF_SIZES OF_SIZE(16), OF_SIZE(32), OF_SIZE(64), OF_SIZE(128), OF_SIZE(256)

enum {
    LIST_CAPACITY = 512, /* of a list of triangles, in addition to the total number */
    HITS_CAPACITY = 32   /* of a list of hits */
};

/* ---- builds ---- */

typedef struct kd_build_work {
    const vp_mesh_set *set;
    vp_kd_form form;
    vp_kd_build_job *job; /* of each mesh */
    uint32_t *found;      /* nodes of each tree */
} kd_build_work;

/* No kernel makes packed and implied trees, which come from wide ones. Fuzz meshes cover builds over plain triangles. */
static bool takes_build(const vp_data *data, uint32_t variant)
{
    const vp_kd_form form = vp_tree_kinds[variant].form;
    return form != VP_KD_PACKED && form != VP_KD_IMPLIED && !vp_tree_kinds[variant].plain && vp_has_trees(data->set, variant);
}

static size_t node_bytes(vp_kd_form form)
{
    return form == VP_KD_WIDE ? sizeof(vp_kd_wide) : sizeof(vp_kd_node);
}

/* Memory for trees, each of the maximum size. They follow each other on the heap, otherwise each has its own block. */
typedef struct tree_memory {
    vp_arena *arena;
    uint8_t *node, *item, *item_id, *scratch;
} tree_memory;

static void *place(uint8_t **at, vp_arena *arena, size_t count, size_t size, size_t alignment)
{
    if (*at == NULL)
        return vp_arena_output(arena, count, size, alignment, 0);
    void *here = *at;
    *at += count * size;
    return here;
}

static void lay_out(kd_build_work *w, vp_arena *arena)
{
    const vp_mesh_set *set = w->set;
    const size_t alignment = w->form == VP_KD_WIDE ? 64 : alignof(vp_kd_node);
    size_t nodes = 0, items = 0, scratch = 0;
    tree_memory at = {arena, NULL, NULL, NULL, NULL};
    for (uint32_t m = 0; m < set->count; m++) {
        const uint32_t n = vp_kd_item_count(&set->mesh[m]);
        nodes += vp_kd_max_nodes(w->form, n);
        items += n;
        scratch = vp_kd_scratch_bytes(n) > scratch ? vp_kd_scratch_bytes(n) : scratch;
    }
    if (!vp_arena_copies(arena)) {
        at.node = vp_arena_output(arena, nodes, node_bytes(w->form), 64, 0);
        at.item = vp_arena_output(arena, w->form == VP_KD_WIDE ? items : 0, sizeof(vp_kd_item), alignof(vp_kd_item), 0);
        at.item_id = vp_arena_output(arena, w->form == VP_KD_WIDE ? items : 0, sizeof(uint32_t), alignof(uint32_t), 0);
        at.scratch = vp_arena_scratch(arena, scratch, 1, 64);
    }
    for (uint32_t m = 0; m < set->count; m++) {
        const uint32_t n = vp_kd_item_count(&set->mesh[m]);
        vp_kd_build_job *b = &w->job[m];
        *b = (vp_kd_build_job){.triangles = vp_copy_triangles(arena, &set->mesh[m]), .form = w->form};
        void *node = place(&at.node, arena, vp_kd_max_nodes(w->form, n), node_bytes(w->form), alignment);
        if (w->form == VP_KD_WIDE) {
            b->wide = node;
            b->item = place(&at.item, arena, n, sizeof *b->item, alignof(vp_kd_item));
            b->item_id = place(&at.item_id, arena, n, sizeof *b->item_id, alignof(uint32_t));
        } else {
            b->node = node;
        }
        b->scratch = at.scratch != NULL ? at.scratch : vp_arena_scratch(arena, vp_kd_scratch_bytes(n), 1, 64);
    }
}

static vp_status make_build(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    kd_build_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(kd_build_work));
    w->set = data->set;
    w->form = vp_tree_kinds[variant].form;
    w->job = vp_arena_keep(arena, w->set->count, sizeof *w->job, alignof(vp_kd_build_job));
    w->found = vp_arena_output(arena, w->set->count, sizeof *w->found, alignof(uint32_t), 0);
    lay_out(w, arena);
    return VP_OK;
}

VP_RUN(run_build, kd_build_work, w->set->triangle_count,
       for (uint32_t m = 0; m < w->set->count; m++) w->found[m] = how->kernels->kd_build(&w->job[m]).node_count)

/* Hashes the nodes word by word, and the items of the wide form. */
static uint64_t tree_hash(const vp_kd_build_job *b, uint32_t nodes)
{
    vp_hasher h;
    vp_hash_begin(&h);
    vp_hash_words(&h, b->form == VP_KD_WIDE ? (const void *)b->wide : b->node, nodes * (node_bytes(b->form) / 4));
    for (uint32_t i = 0; b->form == VP_KD_WIDE && i < vp_kd_item_count(&b->triangles); i++) {
        vp_hash_words(&h, b->item[i].vertex, 4);
        vp_hash_u32(&h, b->item_id[i]);
    }
    return vp_hash_end(&h);
}

/* Records a tree as its number of nodes and their hash. Too many nodes become an invalid record. */
static void record_build(const void *work, vp_records *out)
{
    const kd_build_work *w = work;
    for (uint32_t m = 0; m < w->set->count; m++) {
        const bool possible = w->found[m] <= vp_kd_max_nodes(w->form, vp_kd_item_count(&w->set->mesh[m]));
        const uint64_t hash = possible ? tree_hash(&w->job[m], w->found[m]) : UINT64_MAX;
        vp_records_put_words(out, &w->found[m], 1);
        vp_records_put_longs(out, &hash, 1);
        vp_records_end(out);
    }
}

/* Bytes of all trees, nodes and items, and of the meshes. */
static void count_build(const void *work, vp_counters *out)
{
    const kd_build_work *w = work;
    const vp_mesh_set *set = w->set;
    uint64_t bytes = 0;
    for (uint32_t m = 0; m < set->count; m++)
        bytes += w->found[m] * node_bytes(w->form) + (w->form == VP_KD_WIDE ? vp_kd_item_count(&set->mesh[m]) * UINT64_C(20) : 0);
    vp_count(out, "bytes_per_triangle", (double)bytes / (double)set->triangle_count);
    vp_count(out, "triangles_per_mesh", (double)set->triangle_count / set->count);
    vp_count(out, "mesh_bytes_per_triangle",
             (double)(set->vertex_count * sizeof(vp_vec3) + set->index_count * sizeof(uint32_t)) / (double)set->triangle_count);
}

/* Bits of variants. */
enum {
    WIDE = 1,
    FORMS = 2 | 4,   /* slab and published */
    LITTLE = 8 | 16, /* packed and implied */
    TRIANGLES = 32
};

static const vp_measured built[] = {VP_ON("chunks", WIDE | FORMS, VP_TIMED | VP_PLAIN_C | VP_COUNTED),
                                    VP_ON("chunks-luanti", WIDE | FORMS, VP_TIMED | VP_PLAIN_C),
                                    VP_ON("world-230k", WIDE | FORMS, VP_TIMED | VP_PLAIN_C),
                                    VP_ON("world-luanti", WIDE | FORMS, VP_TIMED | VP_PLAIN_C),
                                    {.data = NULL}};

const vp_case vp_case_kd_build = {.kind = &vp_kind_meshes,
                                  .variant = vp_tree_names,
                                  .takes = takes_build,
                                  .make = make_build,
                                  .run = run_build,
                                  .records = record_build,
                                  .counters = count_build,
                                  .measured = built};

/* ---- queries ---- */

typedef struct kd_work {
    const vp_mesh_set *meshes;
    vp_kd *const *object; /* of each mesh */
    const vp_kd_view **tree;
    const vp_ray *ray;
    const vp_aabb *box;
    const uint32_t *mesh; /* of each ray or box */
    uint32_t count;       /* of rays or boxes */
    uint32_t *found;      /* of each list */
    vp_hit *hit;          /* of each ray */
    int32_t *any;         /* of each ray */
    vp_lists list;        /* of each ray or box */
} kd_work;

static bool takes_trees(const vp_data *data, uint32_t variant)
{
    return vp_has_trees(data->owner->set, variant);
}

static vp_status make_trees(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    vp_kd *const *object;
    const vp_status status = vp_derive_trees(data->owner, variant, &object, error);
    if (status != VP_OK)
        return status;
    kd_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(kd_work));
    w->meshes = data->owner->set;
    w->object = object;
    w->tree = vp_arena_keep(arena, w->meshes->count, sizeof *w->tree, alignof(const vp_kd_view *));
    for (uint32_t m = 0; m < w->meshes->count; m++)
        w->tree[m] = vp_copy_tree(arena, vp_kd_view_of(object[m]));
    return VP_OK;
}

/* Counts the bytes of trees and meshes for each triangle. If a tree keeps no mesh, the caller's indices and vertices are added. */
static void count_trees(const void *argument, vp_counters *out)
{
    const kd_work *w = argument;
    uint64_t bytes = 0;
    for (uint32_t m = 0; m < w->meshes->count; m++) {
        const vp_triangles *t = &vp_kd_view_of(w->object[m])->triangles;
        bytes += vp_kd_memory_of(w->object[m]).bytes;
        if (t->vertex != NULL)
            bytes += t->vertex_count * sizeof *t->vertex + (uint64_t)t->triangle_count * (t->quads ? 2 : 3) * sizeof *t->index;
    }
    vp_count(out, "bytes_per_triangle", (double)bytes / (double)w->meshes->triangle_count);
}

/* ---- rays ---- */

static vp_status begin_rays(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_ray_set *rays = data->set;
    const vp_status status = make_trees(data, variant, arena, out, error);
    kd_work *w = *out;
    if (status != VP_OK)
        return status;
    w->ray = vp_arena_input(arena, rays->ray, rays->count, sizeof *w->ray, alignof(vp_ray), 0);
    w->mesh = rays->mesh;
    w->count = rays->count;
    return VP_OK;
}

VP_MAKE_OUTPUT(make_rays, begin_rays, kd_work, hit, vp_hit, w->count)

VP_RUN_EACH(run_ray, kd_work, w->count, w->hit[i] = how->kernels->kd_ray(w->tree[w->mesh[i]], &w->ray[i]))
/* A sphere with a radius of half a voxel. */
VP_RUN_EACH(run_sweep, kd_work, w->count, w->hit[i] = how->kernels->kd_sphere_sweep(w->tree[w->mesh[i]], &w->ray[i], 0.5f))
VP_RECORD_EACH(record_hits, kd_work, w->count, vp_record_words(&w->hit[i], 4, out))

/* Consecutive rays of one mesh form a packet. */
static uint32_t packet_at(const kd_work *w, uint32_t first, uint32_t most)
{
    uint32_t count = 1;
    while (count < most && first + count < w->count && w->mesh[first + count] == w->mesh[first])
        count++;
    return count;
}

#define PACKETS(kernel, most)                                                                                                              \
    static vp_status run_##kernel(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)                  \
    {                                                                                                                                      \
        const kd_work *w = argument;                                                                                                       \
        for (uint32_t i = 0, count; i < w->count; i += count) {                                                                            \
            count = packet_at(w, i, most);                                                                                                 \
            how->kernels->kernel(w->tree[w->mesh[i]], &w->ray[i], count, &w->hit[i]);                                                      \
        }                                                                                                                                  \
        *items = w->count;                                                                                                                 \
        return VP_OK;                                                                                                                      \
    }
PACKETS(kd_ray8, 8)
PACKETS(kd_ray16, 16)

static void look(const void *argument, vp_counters *out)
{
    const kd_work *w = argument;
    const vp_kd_visits visits = vp_kd_visits_of_rays(w->tree, w->ray, w->mesh, w->count);
    vp_count(out, "nodes_per_ray", visits.nodes);
    vp_count(out, "triangles_per_ray", visits.triangles);
}

VP_MAKE_OUTPUT(make_any, begin_rays, kd_work, any, int32_t, w->count)

VP_RUN_EACH(run_any, kd_work, w->count, w->any[i] = how->kernels->kd_ray_any(w->tree[w->mesh[i]], &w->ray[i]))
VP_RECORD_EACH(record_any, kd_work, w->count, vp_record_u32((uint32_t)w->any[i], out))

/* ---- lists of hits ---- */

VP_MAKE_LISTS(make_all, begin_rays, kd_work, vp_hit, HITS_CAPACITY, true, vp_kd_ray_all_scalar(w->tree[w->mesh[i]], &w->ray[i], NULL, 0))
VP_RUN_EACH(run_all, kd_work, w->count,
            w->found[i] = how->kernels->kd_ray_all(w->tree[w->mesh[i]], &w->ray[i], VP_LIST(vp_hit, w->list, i), vp_list_room(&w->list, i)))

VP_RECORD_EACH(record_all, kd_work, w->count,
               vp_record_list(VP_LIST(vp_hit, w->list, i), 4 * (size_t)vp_list_kept(&w->list, i, w->found[i]), w->found[i], out))

/* ---- boxes ---- */

static vp_status begin_boxes(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_mesh_box_set *boxes = data->set;
    const vp_status status = make_trees(data, variant, arena, out, error);
    kd_work *w = *out;
    if (status != VP_OK)
        return status;
    w->box = vp_arena_input(arena, boxes->box, boxes->count, sizeof *w->box, alignof(vp_aabb), 0);
    w->mesh = boxes->mesh;
    w->count = boxes->count;
    return VP_OK;
}

VP_MAKE_LISTS(make_gather, begin_boxes, kd_work, uint32_t, LIST_CAPACITY, true,
              vp_kd_gather_scalar(w->tree[w->mesh[i]], &w->box[i], NULL, 0))
VP_MAKE_LISTS(make_gather_leaves, begin_boxes, kd_work, uint32_t, LIST_CAPACITY, true,
              vp_kd_gather_leaves_scalar(w->tree[w->mesh[i]], &w->box[i], NULL, 0))

VP_RUN_EACH(run_gather, kd_work, w->count,
            w->found[i] = how->kernels->kd_gather(w->tree[w->mesh[i]], &w->box[i], VP_LIST(uint32_t, w->list, i),
                                                  vp_list_room(&w->list, i)))
VP_RUN_EACH(run_gather_leaves, kd_work, w->count,
            w->found[i] = how->kernels->kd_gather_leaves(w->tree[w->mesh[i]], &w->box[i], VP_LIST(uint32_t, w->list, i),
                                                         vp_list_room(&w->list, i)))

static int ascending(const void *a, const void *b)
{
    uint32_t one, two;
    memcpy(&one, a, sizeof one);
    memcpy(&two, b, sizeof two);
    return (one > two) - (one < two);
}

/* Records a box as the hash of its sorted list and the length, because the order is unspecified. If the list did not fit, versions may keep
 * different triangles, so only the length is recorded. */
static void record_lists(const void *argument, vp_records *out)
{
    const kd_work *w = argument;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t sorted[LIST_CAPACITY];
        const uint32_t kept = w->found[i] <= vp_list_room(&w->list, i) ? w->found[i] : 0;
        memcpy(sorted, VP_LIST(const uint32_t, w->list, i), kept * sizeof *sorted);
        qsort(sorted, kept, sizeof *sorted, ascending);
        vp_record_list(sorted, kept, w->found[i], out);
    }
}

/* Measures plain triangles, and the quads that they form, as a pair. */
#define PAIR(set) VP_ON(set, TRIANGLES, VP_TIMED), VP_AS(set, WIDE, VP_TIMED, "quads", NULL)

/* Nearest hits and exact boxes run everywhere. The others run only where they show something new, because all of them would take hours. */
static const vp_measured nearest[] = {VP_ON("chunks/coherent", WIDE | FORMS | LITTLE, VP_TIMED | VP_COUNTED),
                                      PAIR("chunks/coherent"),
                                      VP_ON("chunks/coherent", TRIANGLES, VP_COUNTED),
                                      VP_ON("chunks/cold", WIDE | FORMS | LITTLE, VP_TIMED | VP_NOISE),
                                      PAIR("chunks/cold"),
                                      VP_ON("chunks-luanti/coherent", WIDE | LITTLE, VP_TIMED),
                                      VP_ON("chunks-luanti/cold", WIDE | LITTLE, VP_TIMED),
                                      VP_ON("world-230k/coherent", WIDE | FORMS, VP_TIMED),
                                      PAIR("world-230k/coherent"),
                                      VP_ON("world-230k/incoherent", WIDE, VP_TIMED | VP_COUNTED),
                                      PAIR("world-230k/incoherent"),
                                      VP_ON("world-230k/mixed", WIDE, VP_TIMED),
                                      VP_ON("world-luanti/coherent", WIDE, VP_TIMED),
                                      PAIR("world-luanti/coherent"),
                                      VP_ON("world-luanti/incoherent", WIDE, VP_TIMED),
                                      PAIR("world-luanti/incoherent"),
                                      VP_ON("world-luanti/mixed", WIDE, VP_TIMED),
                                      OF_SIZES,
                                      {.data = NULL}};
static const vp_measured packets[] = {
    VP_ON("chunks/coherent", WIDE, VP_TIMED | VP_COUNTED), VP_ON("chunks/coherent", LITTLE, VP_TIMED),
    VP_ON("world-230k/coherent", WIDE, VP_TIMED),          VP_ON("world-230k/incoherent", WIDE, VP_TIMED | VP_COUNTED),
    VP_ON("world-luanti/coherent", WIDE, VP_TIMED),        {.data = NULL}};
static const vp_measured any[] = {VP_ON("chunks/coherent", WIDE, VP_TIMED | VP_COUNTED),
                                  VP_ON("chunks/cold", WIDE, VP_TIMED),
                                  VP_ON("world-230k/coherent", WIDE, VP_TIMED),
                                  VP_ON("world-230k/incoherent", WIDE, VP_TIMED | VP_COUNTED),
                                  {.data = NULL}};
static const vp_measured others[] = {VP_ON("chunks/coherent", WIDE, VP_TIMED | VP_COUNTED),
                                     VP_ON("world-230k/coherent", WIDE, VP_TIMED),
                                     VP_ON("world-230k/incoherent", WIDE, VP_COUNTED),
                                     {.data = NULL}};
static const vp_measured gathered[] = {VP_ON("chunks/box-1.5", WIDE | FORMS | LITTLE, VP_TIMED | VP_COUNTED),
                                       PAIR("chunks/box-1.5"),
                                       VP_ON("chunks/box-1.5", TRIANGLES, VP_COUNTED),
                                       VP_ON("chunks/box-6", WIDE | LITTLE, VP_TIMED),
                                       VP_ON("chunks-luanti/box-1.5", WIDE | LITTLE, VP_TIMED),
                                       VP_ON("world-230k/box-1.5", WIDE | FORMS, VP_TIMED),
                                       PAIR("world-230k/box-1.5"),
                                       VP_ON("world-230k/box-6", WIDE, VP_TIMED),
                                       VP_ON("world-luanti/box-1.5", WIDE, VP_TIMED),
                                       PAIR("world-luanti/box-1.5"),
                                       {.data = NULL}};
static const vp_measured leaves[] = {VP_ON("chunks/box-1.5", WIDE, VP_TIMED | VP_COUNTED), {.data = NULL}};

#define TREES(kind_, make_, run_, records_, looks_, measured_)                                                                             \
    {                                                                                                                                      \
        .kind = &(kind_), .variant = vp_tree_names, .takes = takes_trees, .make = (make_), .run = (run_), .records = (records_),           \
        .counters = count_trees, .looks = (looks_), .measured = (measured_)                                                                \
    }
const vp_case vp_case_kd_ray = TREES(vp_kind_rays, make_rays, run_ray, record_hits, look, nearest);
const vp_case vp_case_kd_ray8 = TREES(vp_kind_rays, make_rays, run_kd_ray8, record_hits, NULL, packets);
const vp_case vp_case_kd_ray16 = TREES(vp_kind_rays, make_rays, run_kd_ray16, record_hits, NULL, packets);
const vp_case vp_case_kd_ray_any = TREES(vp_kind_rays, make_any, run_any, record_any, NULL, any);
const vp_case vp_case_kd_ray_all = TREES(vp_kind_rays, make_all, run_all, record_all, NULL, others);
const vp_case vp_case_kd_sphere_sweep = TREES(vp_kind_rays, make_rays, run_sweep, record_hits, NULL, others);
const vp_case vp_case_kd_gather = TREES(vp_kind_mesh_boxes, make_gather, run_gather, record_lists, NULL, gathered);
const vp_case vp_case_kd_gather_leaves = TREES(vp_kind_mesh_boxes, make_gather_leaves, run_gather_leaves, record_lists, NULL, leaves);

/* The case of brute force. Each mesh's triangles are arrays, and each ray is tested against all of them. */

typedef struct soa_set {
    vp_triangle_soa *of; /* of each mesh */
    float *corners;      /* nine arrays for each mesh, one after the other */
} soa_set;

static void drop_soa(void *derived)
{
    soa_set *set = derived;
    if (set == NULL)
        return;
    free(set->of);
    free(set->corners);
    free(set);
}

/* Fills nine arrays from `at` on. @return their total number of floats */
static size_t fill_soa(const vp_triangles *mesh, float *at, vp_triangle_soa *out)
{
    const size_t length = (size_t)mesh->triangle_count + VP_TRIANGLE_SOA_SLACK;
    out->count = mesh->triangle_count;
    for (uint32_t c = 0; c < 3; c++)
        for (uint32_t axis = 0; axis < 3; axis++)
            out->corner[c][axis] = at + (3 * c + axis) * length;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        uint32_t corner[3];
        vp_triangle_corners(mesh, i, corner);
        for (uint32_t c = 0; c < 3; c++) {
            const vp_vec3 v = mesh->vertex[corner[c]];
            at[(3 * c + 0) * length + i] = v.x;
            at[(3 * c + 1) * length + i] = v.y;
            at[(3 * c + 2) * length + i] = v.z;
        }
    }
    return 9 * length;
}

static vp_status make_soa(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_mesh_set *meshes = from->set;
    const size_t floats = 9 * ((size_t)meshes->triangle_count + (size_t)meshes->count * VP_TRIANGLE_SOA_SLACK);
    soa_set *set = calloc(1, sizeof *set);
    if (set != NULL) {
        set->of = calloc(meshes->count + 1u, sizeof *set->of);
        set->corners = malloc((floats + 1) * sizeof *set->corners);
    }
    if (set == NULL || set->of == NULL || set->corners == NULL) {
        drop_soa(set);
        return vp_fail(error, VP_E_MEMORY, "no memory for the triangles of %s", from->name);
    }
    memset(set->corners, 0xff, floats * sizeof *set->corners); /* NaN for the arrays' slack */
    size_t at = 0;
    for (uint32_t m = 0; m < meshes->count; m++)
        at += fill_soa(&meshes->mesh[m], set->corners + at, &set->of[m]);
    *out = set;
    return VP_OK;
}

typedef struct brute_work {
    const vp_triangle_soa *soa; /* of each mesh */
    const vp_ray *ray;
    const uint32_t *mesh;
    uint32_t count;
    vp_hit *hit;
} brute_work;

static bool takes_brute(const vp_data *data, uint32_t variant)
{
    return ((const vp_mesh_set *)data->owner->set)->chunks;
}

static const vp_triangle_soa *copy_soa(const soa_set *from, uint32_t count, vp_arena *arena)
{
    if (!vp_arena_copies(arena))
        return from->of;
    vp_triangle_soa *soa = vp_arena_keep(arena, count, sizeof *soa, alignof(vp_triangle_soa));
    for (uint32_t m = 0; m < count; m++) {
        soa[m].count = from->of[m].count;
        for (int i = 0; i < 9; i++)
            soa[m].corner[i / 3][i % 3] =
                vp_arena_input(arena, from->of[m].corner[i / 3][i % 3], soa[m].count, sizeof(float), alignof(float), VP_TRIANGLE_SOA_SLACK);
    }
    return soa;
}

static vp_status make_brute(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    static const vp_derivation triangles = {"triangle-soa", make_soa, drop_soa};
    const vp_ray_set *rays = data->set;
    const void *soa;
    const vp_status status = vp_data_derive(data->owner, &triangles, 0, &soa, error);
    if (status != VP_OK)
        return status;
    brute_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(brute_work));
    w->soa = copy_soa(soa, ((const vp_mesh_set *)data->owner->set)->count, arena);
    w->ray = vp_arena_input(arena, rays->ray, rays->count, sizeof *w->ray, alignof(vp_ray), 0);
    w->mesh = rays->mesh;
    w->count = rays->count;
    w->hit = vp_arena_output(arena, rays->count, sizeof *w->hit, alignof(vp_hit), 0);
    return VP_OK;
}

VP_RUN_EACH(run_brute, brute_work, w->count, w->hit[i] = how->kernels->brute_ray(&w->soa[w->mesh[i]], &w->ray[i]))
VP_RECORD_EACH(record_brute, brute_work, w->count, vp_record_words(&w->hit[i], 4, out))

static const vp_measured brute[] = {VP_ON("chunks/coherent", 1, VP_TIMED),
                                    VP_ON("chunks/cold", 1, VP_TIMED),
                                    VP_ON("chunks-luanti/coherent", 1, VP_TIMED),
                                    VP_ON("chunks-luanti/cold", 1, VP_TIMED),
                                    OF_SIZES,
                                    {.data = NULL}};

const vp_case vp_case_brute_ray = {.kind = &vp_kind_rays,
                                   .takes = takes_brute,
                                   .reads = "rays of meshes that are chunks'",
                                   .make = make_brute,
                                   .run = run_brute,
                                   .records = record_brute,
                                   .measured = brute};

/* Trees as a program makes them with vp_kd_create, which checks triangles, allocates each tree and reuses scratch memory. Builds of other
 * libraries, which do the same, are compared with this. */

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
