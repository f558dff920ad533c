/* SPDX-License-Identifier: MIT */
/* A benchmark for each kernel of the registry, each contender that this machine can run, and each data set. The
 * contender's answers are compared with the reference's before it is timed; what was computed while it was timed, into
 * buffers that held nonsense, must have the same digest. Where one differs there is an error and no figure. */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/visits.h"
#include "core/error.h"

static const char *const construction_worlds[] = {"terrain-l2", "terrain-l3", "terrain-dram", "all-mixed", "luanti"};
static const char *const shape_worlds[] = {"sparse", "dense", "checker", "random-50"};
static const char *const mesh_worlds[] = {"terrain-l2", "terrain-l3", "terrain-dram", "luanti", "random-50"};
static const char *const query_worlds[] = {"terrain-l2", "terrain-l3", "terrain-dram", "luanti"};
static const char *const box_sets[] = {"boxes-small", "boxes-medium", "boxes-large"};

/* Meshes whose trees are built. */
static const char *const mesh_sets[] = {"chunks", "chunks-luanti", "world-230k", "world-luanti"};

/* Triangles of the meshes on which trees and brute force are compared. */
static const uint32_t mesh_sizes[] = {16, 32, 64, 128, 256};

/* What trees are asked. */
typedef struct mesh_question {
    vp_food food;
    const char *meshes, *questions;
    bool every_query; /* by all kernels that take such; otherwise by the main ones */
    bool every_form;
} mesh_question;
static const mesh_question mesh_questions[] = {
    {VP_FOOD_RAYS, "chunks", "coherent", true, true},
    {VP_FOOD_RAYS, "chunks", "cold", true, true},
    {VP_FOOD_RAYS, "chunks-luanti", "coherent", false, false},
    {VP_FOOD_RAYS, "chunks-luanti", "cold", false, false},
    {VP_FOOD_RAYS, "world-230k", "coherent", true, true},
    {VP_FOOD_RAYS, "world-230k", "incoherent", true, true},
    {VP_FOOD_RAYS, "world-230k", "mixed", false, false},
    {VP_FOOD_RAYS, "world-luanti", "coherent", false, false},
    {VP_FOOD_RAYS, "world-luanti", "incoherent", false, false},
    {VP_FOOD_RAYS, "world-luanti", "mixed", false, false},
    {VP_FOOD_MESH_BOXES, "chunks", "box-1.5", true, true},
    {VP_FOOD_MESH_BOXES, "chunks", "box-6", true, true},
    {VP_FOOD_MESH_BOXES, "chunks-luanti", "box-1.5", false, false},
    {VP_FOOD_MESH_BOXES, "world-230k", "box-1.5", true, true},
    {VP_FOOD_MESH_BOXES, "world-230k", "box-6", false, false},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- kernels that answer nonsense, to be seen if the timed runs do not write their answers ---- */

enum { NONSENSE = 0xa5 };

static uint32_t spoil_dilate_chunk_rows(const uint8_t *material, vp_masks *out)
{
    (void)material;
    memset(out, NONSENSE, sizeof *out);
    return NONSENSE;
}

static uint32_t spoil_dilate_chunk(const vp_bricks *world, uint32_t cx, uint32_t cy, uint32_t cz, vp_masks *out)
{
    (void)cx, (void)cy, (void)cz;
    return spoil_dilate_chunk_rows(world->material, out);
}

static uint32_t spoil_dilate_world(const vp_build *build)
{
    vp_dims n = build->chunks;
    for (uint32_t cy = build->y_begin; cy < build->y_end; cy++)
        for (uint32_t cz = 0; cz < n.z; cz++)
            memset(build->slot + (size_t)cy * (size_t)build->slot_stride_y + (size_t)cz * (size_t)build->slot_stride_z,
                   NONSENSE, n.x * sizeof *build->slot);
    memset(build->pool, NONSENSE, (size_t)(build->y_end - build->y_begin) * n.z * n.x * sizeof *build->pool);
    return 0;
}

static uint32_t spoil_overlap_one(const vp_bits *bits, const vp_aabb *box)
{
    (void)bits, (void)box;
    return NONSENSE;
}

static void spoil_overlap_batch(const vp_bits *bits, const vp_boxes *boxes, uint8_t *touch)
{
    (void)bits;
    memset(touch, NONSENSE, boxes->count);
}

static uint32_t spoil_overlap_chunks(const vp_bits *bits, const vp_aabb *box, vp_chunk_touch *out, uint32_t capacity)
{
    (void)bits, (void)box;
    memset(out, NONSENSE, capacity != 0 ? sizeof *out : 0);
    return 1;
}

/* Over what the run before left, whose sizes are still there. */
static void spoil_mesh_chunk(const vp_voxels *world, uint32_t cx, uint32_t cy, uint32_t cz, uint32_t surface,
                             vp_chunk_mesh *out)
{
    (void)world, (void)cx, (void)cy, (void)cz, (void)surface;
    if (out->vertex_count <= VP_CHUNK_MESH_VERTICES && out->quad_count <= VP_CHUNK_MESH_QUADS) {
        memset(out->vertex, NONSENSE, out->vertex_count * sizeof *out->vertex);
        memset(out->quad, NONSENSE, out->quad_count * sizeof *out->quad);
        memset(out->material, NONSENSE, out->quad_count);
    }
    out->vertex_count = out->quad_count = UINT32_MAX;
}

static vp_hit spoil_brute_ray(const vp_soup *soup, const vp_ray *ray)
{
    (void)soup, (void)ray;
    return (vp_hit){.t = -1.0f, .triangle = -NONSENSE};
}

static vp_kd_built spoil_kd_build(const vp_kd_build *build)
{
    uint32_t items = vp_kd_item_count(&build->triangles);
    if (build->form == VP_KD_WIDE)
        memset(build->wide, NONSENSE, vp_kd_most_nodes(build->form, items) * sizeof *build->wide);
    else
        memset(build->node, NONSENSE, vp_kd_most_nodes(build->form, items) * sizeof *build->node);
    return (vp_kd_built){.node_count = UINT32_MAX};
}

static vp_hit spoil_kd_ray(const vp_kd_view *tree, const vp_ray *ray)
{
    (void)tree, (void)ray;
    return (vp_hit){.t = -1.0f, .triangle = -NONSENSE};
}

static int32_t spoil_kd_ray_any(const vp_kd_view *tree, const vp_ray *ray)
{
    (void)tree, (void)ray;
    return NONSENSE;
}

static uint32_t spoil_kd_ray_all(const vp_kd_view *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    (void)tree, (void)ray;
    memset(out, NONSENSE, capacity != 0 ? sizeof *out : 0);
    return capacity;
}

static vp_hit spoil_kd_sweep(const vp_kd_view *tree, const vp_ray *ray, float radius)
{
    (void)radius;
    return spoil_kd_ray(tree, ray);
}

static uint32_t spoil_kd_box(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    (void)tree, (void)box;
    memset(out, NONSENSE, capacity != 0 ? sizeof *out : 0);
    return 1;
}

#define spoil_kd_box_leaves     spoil_kd_box
#define spoil_dilate_world_rows spoil_dilate_world /* which reads nothing */
#define SPOIL(k)                .k = spoil_##k,
static const vp_kernels spoiling = {VP_KERNELS(SPOIL, VP_NOTHING)};

/* ---- a benchmark ---- */

typedef struct kernel_entry {
    vp_suite *suite;
    vp_kernel_id kernel;
    vp_contender contender;
    const char *world, *boxes; /* a world or meshes; boxes or rays: NULL for kernels that take none */
    vp_kd_form form;           /* of trees */
    uint32_t triangles;        /* only rays at meshes of about so many triangles; 0: all */
    vp_ray_set some_rays;      /* those */
    bool checked;
    vp_error verdict; /* of the check */
    uint64_t digest;
    vp_visits visits; /* of the reference's rays */
} kernel_entry;

static bool counts_visits(const kernel_entry *e)
{
    return e->kernel == VP_KERNEL_kd_ray && e->contender.isa == VP_ISA_scalar && e->contender.how == VP_HOW_NATIVE;
}

/* Compares the contender with the reference, the first time it is asked. */
static bool check(kernel_entry *e, const vp_workload *workload)
{
    if (e->checked)
        return e->verdict.status == VP_OK;
    e->checked = true;
    vp_check result;
    if (vp_check_contender(e->kernel, &e->contender, workload, NULL, &result, &e->verdict) != VP_OK)
        return false;
    e->digest = result.digest;
    if (result.mismatches == 0)
        return !counts_visits(e) || vp_visits_of_rays(workload, &e->visits, &e->verdict) == VP_OK;
    vp_fail(&e->verdict, VP_E_ARGUMENT,
            "%s of %s differs from the reference in %" PRIu64 " of %" PRIu64 " answers on %s; the first is number %" PRIu64,
            vp_kernel_name(e->kernel), e->contender.name, result.mismatches, result.cases, workload->name, result.first);
    return false;
}

/* Whether the answers of the last run have the digest of the checked ones. */
static bool still_agrees(kernel_entry *e, const vp_case *c, const void *work)
{
    vp_records answers = {0};
    if (c->records(work, &answers, &e->verdict) != VP_OK)
        return false;
    uint64_t digest = vp_records_digest(&answers);
    vp_records_destroy(&answers);
    if (digest == e->digest)
        return true;
    vp_fail(&e->verdict, VP_E_ARGUMENT, "%s of %s gave other answers while it was timed: digest %016" PRIx64 ", not %016" PRIx64,
            vp_kernel_name(e->kernel), e->contender.name, digest, e->digest);
    return false;
}

/* Within a tenth of a number. */
static bool is_about(uint32_t count, uint32_t number)
{
    return count * 10 >= number * 9 && count * 10 <= number * 11;
}

/* The rays at meshes of about so many triangles, in place of all. */
static vp_status choose_rays(kernel_entry *e, vp_workload *workload, vp_error *error)
{
    const vp_ray_set *all = &workload->rays;
    vp_ray_set *some = &e->some_rays;
    if (some->ray == NULL) {
        some->ray = malloc((all->count + 1u) * sizeof *some->ray);
        some->mesh = malloc((all->count + 1u) * sizeof *some->mesh);
        if (some->ray == NULL || some->mesh == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for rays of %s", workload->name);
        for (uint32_t i = 0; i < all->count; i++)
            if (is_about(workload->meshes.mesh[all->mesh[i]].triangle_count, e->triangles)) {
                some->ray[some->count] = all->ray[i];
                some->mesh[some->count++] = all->mesh[i];
            }
    }
    workload->rays = *some;
    return some->count != 0 ? VP_OK : vp_fail(error, VP_E_ARGUMENT, "%s has no mesh of about %u triangles", workload->name, e->triangles);
}

static void drop_entry(void *entry)
{
    kernel_entry *e = entry;
    vp_ray_set_destroy(&e->some_rays);
}

static void run_kernel(vp_bench_state *state, void *context)
{
    kernel_entry *e = context;
    const vp_case *c = vp_cases[e->kernel];
    vp_workload workload;
    vp_error error;
    if (vp_suite_workload(e->suite, e->world, e->boxes, &workload, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    if (e->triangles != 0 && choose_rays(e, &workload, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        return;
    }
    workload.form = e->form;
    if (!check(e, &workload)) {
        vp_suite_refuse(e->suite, state, &e->verdict);
        return;
    }
    vp_kernels table = vp_contender_table(&e->contender, e->kernel);
    void *work = NULL;
    if (c->make(&workload, &work, &error) != VP_OK) {
        vp_suite_refuse(e->suite, state, &error);
        c->drop(work);
        return;
    }
    uint64_t items = c->run(&table, work); /* untimed: brings code and data in */
    c->run(&spoiling, work);               /* its right answers must not pass for those of the timed runs */
    while (vp_bench_next(state))
        c->run(&table, work);
    if (!still_agrees(e, c, work)) {
        vp_suite_refuse(e->suite, state, &e->verdict);
    } else {
        vp_bench_items(state, vp_bench_iterations(state) * items);
        vp_suite_label(state, c->unit, e->digest);
        if (c->food == VP_FOOD_WORLD && e->kernel != VP_KERNEL_mesh_chunk)
            vp_suite_memory(state, workload.broadphase);
        if (counts_visits(e)) {
            vp_bench_counter(state, "nodes_per_ray", e->visits.nodes);
            vp_bench_counter(state, "triangles_per_ray", e->visits.triangles);
        }
        if (c->food == VP_FOOD_MESHES)
            vp_bench_counter(state, "bytes_per_triangle", (double)vp_case_kd_tree_bytes(work) / (double)workload.meshes.triangle_count);
    }
    c->drop(work);
}

/* "kd_ray/avx2-slab/chunks/coherent", or of rays at meshes of about 64 triangles "kd_ray/avx2/chunks-of-64/coherent" */
static void add_form(vp_suite *suite, vp_kernel_id kernel, vp_kd_form form, const char *world, uint32_t triangles,
                     const char *boxes)
{
    static const char *const suffix[VP_KD_FORM_COUNT] = {"-published", "-slab", ""};
    vp_contender contenders[VP_CONTENDERS_MAX];
    size_t count = vp_contenders(kernel, contenders);
    for (size_t i = 0; i < count; i++) {
        /* What SIMDe makes of NEON is not NEON's speed; of trees there is enough to measure without it. */
        const bool foreign = contenders[i].how == VP_HOW_SIMDE && vp_cases[kernel]->food >= VP_FOOD_MESHES;
        const bool vectors = contenders[i].how == VP_HOW_NATIVE && contenders[i].isa != VP_ISA_scalar;
        if (!contenders[i].usable || foreign || (triangles != 0 && !vectors))
            continue;
        kernel_entry *e = vp_suite_entry(suite, sizeof *e, drop_entry);
        *e = (kernel_entry){.suite = suite, .kernel = kernel, .contender = contenders[i], .world = world, .boxes = boxes,
                            .form = form, .triangles = triangles};
        char name[VP_SUITE_NAME_BYTES], of[16] = "";
        if (triangles != 0)
            snprintf(of, sizeof of, "-of-%u", triangles);
        snprintf(name, sizeof name, "%.24s/%.20s%s/%.20s%s%s%.12s", vp_kernel_name(kernel), contenders[i].name, suffix[form],
                 world, of, boxes != NULL ? "/" : "", boxes != NULL ? boxes : "");
        vp_bench_register(name, run_kernel, e);
    }
}

static void add(vp_suite *suite, vp_kernel_id kernel, const char *world, const char *boxes)
{
    add_form(suite, kernel, VP_KD_WIDE, world, 0, boxes);
}

/* Trees in the default form everywhere; in the others where the article's figures are. */
static void add_trees(vp_suite *suite, vp_kernel_id kernel)
{
    const bool main_query = kernel == VP_KERNEL_kd_ray || kernel == VP_KERNEL_kd_box;
    if (vp_cases[kernel]->food == VP_FOOD_MESHES)
        for (size_t m = 0; m < COUNT(mesh_sets); m++)
            for (vp_kd_form form = 0; form < VP_KD_FORM_COUNT; form++)
                add_form(suite, kernel, form, mesh_sets[m], 0, NULL);
    for (size_t q = 0; q < COUNT(mesh_questions); q++) {
        const mesh_question *of = &mesh_questions[q];
        const bool brute = vp_cases[kernel]->food == VP_FOOD_CHUNK_RAYS;
        if (of->food != (brute ? VP_FOOD_RAYS : vp_cases[kernel]->food) || (!of->every_query && !main_query) ||
            (brute && strncmp(of->meshes, "chunks", 6) != 0))
            continue;
        add(suite, kernel, of->meshes, of->questions);
        for (vp_kd_form form = 0; of->every_form && main_query && form < VP_KD_WIDE; form++)
            add_form(suite, kernel, form, of->meshes, 0, of->questions);
    }
    if (kernel == VP_KERNEL_kd_ray || kernel == VP_KERNEL_brute_ray) /* from which size on does a tree pay? */
        for (size_t n = 0; n < COUNT(mesh_sizes); n++)
            for (size_t q = 0; q < 2; q++)
                add_form(suite, kernel, VP_KD_WIDE, "chunks", mesh_sizes[n], q == 0 ? "coherent" : "cold");
}

void vp_suite_add_kernels(vp_suite *suite)
{
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
        vp_kernel_id kernel = (vp_kernel_id)k;
        if (vp_cases[k]->food >= VP_FOOD_MESHES) {
            add_trees(suite, kernel);
            continue;
        }
        if (vp_cases[k]->food == VP_FOOD_BOXES) {
            for (size_t w = 0; w < COUNT(query_worlds); w++)
                for (size_t b = 0; b < COUNT(box_sets); b++)
                    add(suite, kernel, query_worlds[w], box_sets[b]);
            continue;
        }
        if (kernel == VP_KERNEL_mesh_chunk) {
            for (size_t w = 0; w < COUNT(mesh_worlds); w++)
                add(suite, kernel, mesh_worlds[w], NULL);
            continue;
        }
        for (size_t w = 0; w < COUNT(construction_worlds); w++)
            add(suite, kernel, construction_worlds[w], NULL);
        for (size_t w = 0; kernel == VP_KERNEL_dilate_world && w < COUNT(shape_worlds); w++)
            add(suite, kernel, shape_worlds[w], NULL);
    }
}
