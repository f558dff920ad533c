/* SPDX-License-Identifier: MIT */
/* A benchmark for each kernel of the registry, each contender that this machine can run, and each data set.
 * The contender's answers are compared with the reference's before it is timed; what was computed while it
 * was timed, into buffers that held nonsense, must have the same digest. Where one differs there is an error
 * and no figure. */
#include "bench/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/hulls/hull_sets.h"
#include "bench/visits.h"
#include "cases/derived.h"
#include "datasets/mesh_sets.h"
#include "src/core/error.h"

static const char *const construction_worlds[] = {"terrain-l2", "terrain-l3", "terrain-dram", "all-mixed",
                                                  "luanti"};
static const char *const shape_worlds[] = {"sparse", "dense", "checker", "random-50"};
static const char *const mesh_worlds[] = {"terrain-l2",   "terrain-l3", "terrain-dram",
                                          "terrain-230k", "luanti",     "random-50"};
static const char *const query_worlds[] = {"terrain-l2", "terrain-l3", "terrain-dram", "luanti"};
static const char *const box_sets[] = {"boxes-small", "boxes-medium", "boxes-large"};

/* Triangles of the meshes on which trees and brute force are compared. */
static const uint32_t mesh_sizes[] = {16, 32, 64, 128, 256};

/* What trees are asked: the nearest triangles, and exactly the triangles in boxes, everywhere; of the rest
   what tells something new, for all of it would take hours. */
enum { FORMS = 1, ANY = 2, OTHERS = 4, PACKETS = 8, LITTLE = 16, PLAIN = 32 };
typedef struct mesh_question {
    const vp_kind *kind;
    const char *meshes, *questions;
    unsigned also; /* FORMS: in the published and the slab form; LITTLE: in the packed and the implied one;
                      PLAIN: quads as plain triangles; ANY: whether any; OTHERS: all hits, sweeps, leaves;
                      PACKETS: of 8 and 16 */
} mesh_question;
static const mesh_question mesh_questions[] = {
    {&vp_kind_rays, "chunks", "coherent", FORMS | LITTLE | PLAIN | ANY | OTHERS | PACKETS},
    {&vp_kind_rays, "chunks", "cold", FORMS | LITTLE | PLAIN | ANY},
    {&vp_kind_rays, "chunks-luanti", "coherent", LITTLE},
    {&vp_kind_rays, "chunks-luanti", "cold", LITTLE},
    {&vp_kind_rays, "world-230k", "coherent", FORMS | PLAIN | ANY | OTHERS | PACKETS},
    {&vp_kind_rays, "world-230k", "incoherent", PLAIN | ANY | PACKETS},
    {&vp_kind_rays, "world-230k", "mixed", 0},
    {&vp_kind_rays, "world-luanti", "coherent", PLAIN | PACKETS},
    {&vp_kind_rays, "world-luanti", "incoherent", PLAIN},
    {&vp_kind_rays, "world-luanti", "mixed", 0},
    {&vp_kind_mesh_boxes, "chunks", "box-1.5", FORMS | LITTLE | PLAIN | OTHERS},
    {&vp_kind_mesh_boxes, "chunks", "box-6", LITTLE},
    {&vp_kind_mesh_boxes, "chunks-luanti", "box-1.5", LITTLE},
    {&vp_kind_mesh_boxes, "world-230k", "box-1.5", FORMS | PLAIN},
    {&vp_kind_mesh_boxes, "world-230k", "box-6", 0},
    {&vp_kind_mesh_boxes, "world-luanti", "box-1.5", PLAIN},
};

/* The bit of `also` that has a kernel asked; 0: it is asked everywhere. */
static unsigned also_for(vp_kernel_id kernel)
{
    switch (kernel) {
    case VP_KERNEL_kd_ray:
    case VP_KERNEL_kd_gather:
    case VP_KERNEL_brute_ray:
        return 0;
    case VP_KERNEL_kd_ray_any:
        return ANY;
    case VP_KERNEL_kd_ray8:
    case VP_KERNEL_kd_ray16:
        return PACKETS;
    default:
        return OTHERS;
    }
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- a benchmark ---- */

typedef struct kernel_entry {
    vp_suite *suite;
    vp_kernel_id kernel;
    vp_contender contender;
    const char *world, *boxes; /* a world or meshes; boxes or rays: NULL for kernels that take none */
    uint32_t variant;
    uint32_t triangles; /* only rays at meshes of about so many triangles; 0: all */
    vp_data some;       /* those */
    vp_ray_set some_rays;
    bool checked;
    vp_error verdict; /* of the check */
    uint64_t digest;
    vp_visits visits; /* of the reference's rays */
    uint64_t items;   /* of one run */
    double seconds;   /* that it took, about */
} kernel_entry;

#define LONG_RUN 0.02

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool counts_visits(const kernel_entry *e)
{
    return e->kernel == VP_KERNEL_kd_ray && e->contender.isa == VP_ISA_scalar &&
           e->contender.how == VP_HOW_NATIVE;
}

/* Compares the contender with the reference, the first time it is asked. */
static bool check(kernel_entry *e, const vp_data *data)
{
    if (e->checked)
        return e->verdict.status == VP_OK;
    e->checked = true;
    const vp_case *c = vp_cases[e->kernel];
    const vp_kernels table = vp_contender_table(&e->contender, e->kernel);
    const vp_records *want;
    vp_check result;
    if (vp_suite_reference(e->suite, e->kernel, data, e->variant, &want, &e->verdict) != VP_OK ||
        vp_case_check(c, &table, data, e->variant, want, false, &result, &e->verdict) != VP_OK)
        return false;
    e->digest = result.digest;
    if (result.mismatches == 0)
        return !counts_visits(e) || vp_visits_of_rays(data, e->variant, &e->visits, &e->verdict) == VP_OK;
    vp_fail(&e->verdict, VP_E_ARGUMENT, "on %s, %s of %s %.150s", data->name, vp_kernel_name(e->kernel),
            e->contender.name, result.why.message);
    return false;
}

/* Whether the answers of the last run have the digest of the checked ones. */
static bool still_agrees(kernel_entry *e, const vp_session *session)
{
    vp_records answers = {0};
    session->c->records(session->work, &answers);
    const uint64_t digest = vp_records_digest(&answers);
    vp_records_destroy(&answers);
    if (digest == e->digest)
        return true;
    vp_fail(&e->verdict, VP_E_ARGUMENT,
            "%s of %s gave other answers while it was timed: digest %016" PRIx64 ", not %016" PRIx64,
            vp_kernel_name(e->kernel), e->contender.name, digest, e->digest);
    return false;
}

/* Within a tenth of a number. */
static bool is_about(uint32_t count, uint32_t number)
{
    return count * 10 >= number * 9 && count * 10 <= number * 11;
}

/* The rays at meshes of about so many triangles, in place of all. */
static vp_status choose_rays(kernel_entry *e, const vp_data **data, vp_error *error)
{
    const vp_ray_set *all = (*data)->set;
    const vp_mesh_set *meshes = (*data)->owner->set;
    vp_ray_set *some = &e->some_rays;
    if (some->ray == NULL) {
        some->ray = malloc((all->count + 1u) * sizeof *some->ray);
        some->mesh = malloc((all->count + 1u) * sizeof *some->mesh);
        if (some->ray == NULL || some->mesh == NULL)
            return vp_fail(error, VP_E_MEMORY, "no memory for rays of %s", (*data)->name);
        for (uint32_t i = 0; i < all->count; i++)
            if (is_about(meshes->mesh[all->mesh[i]].triangle_count, e->triangles)) {
                some->ray[some->count] = all->ray[i];
                some->mesh[some->count++] = all->mesh[i];
            }
        e->some = **data;
        e->some.set = some;
        snprintf(e->some.name, sizeof e->some.name, "%s-of-%u/%s", e->world, e->triangles, e->boxes);
    }
    *data = &e->some;
    return some->count != 0 ? VP_OK
                            : vp_fail(error, VP_E_ARGUMENT, "%s has no mesh of about %u triangles", e->world,
                                      e->triangles);
}

static void drop_entry(void *entry)
{
    kernel_entry *e = entry;
    free(e->some_rays.ray);
    free(e->some_rays.mesh);
}

static void run_timed(kernel_entry *e, vp_session *session, vp_bench_state *state, vp_error *error)
{
    const vp_case *c = session->c;
    uint64_t items;
    vp_status status = vp_session_rewind(session, error);
    if (status == VP_OK &&
        e->seconds <
            LONG_RUN) { /* untimed: brings code and data in; a long run does that in its first moments */
        const double begin = seconds_now();
        status = c->run(&session->how, session->work, 0, &e->items, error);
        e->seconds = seconds_now() - begin;
    }
    vp_arena_poison(session->arena, 0xa5); /* its right answers must not pass for those of the timed runs */
    while (status == VP_OK && vp_bench_next(state))
        status = c->run(&session->how, session->work, 0, &items, error);
    if (status != VP_OK) {
        vp_suite_refuse(e->suite, state, error);
        return;
    }
    if (!still_agrees(e, session)) {
        vp_suite_refuse(e->suite, state, &e->verdict);
        return;
    }
    vp_counters counters = {.count = 0};
    vp_bench_items(state, vp_bench_iterations(state) * e->items);
    vp_suite_label(state, vp_rows[e->kernel].unit, e->digest);
    if (c->counters != NULL)
        c->counters(session->work, &counters);
    for (uint32_t i = 0; i < counters.count; i++)
        vp_bench_counter(state, counters.counter[i].name, counters.counter[i].value);
    if (counts_visits(e)) {
        vp_bench_counter(state, "nodes_per_ray", e->visits.nodes);
        vp_bench_counter(state, "triangles_per_ray", e->visits.triangles);
    }
}

static void run_kernel(vp_bench_state *state, void *context)
{
    kernel_entry *e = context;
    const vp_arena_plan plan = {VP_PLACE_HEAP, 0xa5, 0};
    vp_kernels table;
    const vp_data *data;
    vp_session session = {0};
    vp_error error;
    vp_status status = vp_suite_data(e->suite, vp_cases[e->kernel]->kind, e->world, e->boxes, &data, &error);
    if (status == VP_OK && e->triangles != 0)
        status = choose_rays(e, &data, &error);
    if (status == VP_OK && !check(e, data)) {
        status = e->verdict.status;
        error = e->verdict;
    }
    table = vp_contender_table(&e->contender, e->kernel);
    if (status == VP_OK)
        status = vp_session_open(vp_cases[e->kernel], &table, data, e->variant, &plan, &session, &error);
    if (status == VP_OK)
        run_timed(e, &session, state, &error);
    else
        vp_suite_refuse(e->suite, state, &error);
    vp_session_close(&session, &error);
}

/* "kd_ray/avx2-slab/chunks/coherent", or of rays at meshes of about 64 triangles
   "kd_ray/avx2/chunks-of-64/coherent"
   @param form  behind the contender's name; "": nothing */
static void add_named(vp_suite *suite, vp_kernel_id kernel, uint32_t variant, const char *form,
                      const char *world, uint32_t triangles, const char *boxes)
{
    vp_contender contenders[VP_CONTENDERS_MAX];
    size_t count = vp_contenders(kernel, contenders);
    for (size_t i = 0; i < count; i++) {
        /* What SIMDe makes of NEON is not NEON's speed; of trees and hulls there is enough to measure without
           it, and what it makes of WebAssembly's 128 bits tells nothing else. */
        const vp_kind *kind = vp_cases[kernel]->kind;
        const bool foreign =
            contenders[i].how == VP_HOW_SIMDE &&
            ((kind != &vp_kind_world && kind != &vp_kind_boxes) || contenders[i].isa == VP_ISA_simd128);
        const bool native = contenders[i].how == VP_HOW_NATIVE,
                   vectors = native && contenders[i].isa != VP_ISA_scalar;
        const bool main_form = form[0] == '\0' || kind == &vp_kind_meshes;
        if (!contenders[i].usable || foreign || (triangles != 0 && !vectors) || (!main_form && !native))
            continue;
        kernel_entry *e = vp_suite_entry(suite, sizeof *e, drop_entry);
        *e = (kernel_entry){.suite = suite,
                            .kernel = kernel,
                            .contender = contenders[i],
                            .world = world,
                            .boxes = boxes,
                            .variant = variant,
                            .triangles = triangles};
        char name[VP_SUITE_NAME_BYTES], of[16] = "";
        if (triangles != 0)
            snprintf(of, sizeof of, "-of-%u", triangles);
        snprintf(name, sizeof name, "%.24s/%.20s%s%.12s/%.20s%s%s%.12s", vp_kernel_name(kernel),
                 contenders[i].name, form[0] != '\0' ? "-" : "", form, world, of, boxes != NULL ? "/" : "",
                 boxes != NULL ? boxes : "");
        vp_bench_register(name, run_kernel, e);
    }
}

/* Plain triangles, and beside them the quads that they are of: the default form once more, for a pair that is
 * measured together. */
static void add_form(vp_suite *suite, vp_kernel_id kernel, uint32_t variant, const char *world,
                     uint32_t triangles, const char *boxes)
{
    add_named(suite, kernel, variant, variant != 0 ? vp_tree_kinds[variant].name : "", world, triangles,
              boxes);
    if (vp_tree_kinds[variant].plain)
        add_named(suite, kernel, 0, "quads", world, triangles, boxes);
}

static void add(vp_suite *suite, vp_kernel_id kernel, const char *world, const char *boxes)
{
    add_form(suite, kernel, 0, world, 0, boxes);
}

/* The bit of `also` that has a kind of trees asked. */
static unsigned asked_by(const vp_tree_kind *kind)
{
    return kind->plain ? PLAIN : kind->form > VP_KD_WIDE ? LITTLE : FORMS;
}

static void add_trees(vp_suite *suite, vp_kernel_id kernel)
{
    const bool brute = kernel == VP_KERNEL_brute_ray;
    const unsigned also = also_for(kernel);
    if (vp_cases[kernel]->kind == &vp_kind_meshes)
        for (size_t m = 0; m < VP_SUITE_MESH_SETS; m++)
            for (size_t k = 0; k < COUNT(vp_tree_kinds); k++)
                if (vp_tree_kinds[k].form <= VP_KD_WIDE &&
                    !vp_tree_kinds[k].plain) /* the others are no kernel's */
                    add_form(suite, kernel, (uint32_t)k, vp_suite_mesh_sets[m], 0, NULL);
    for (size_t q = 0; q < COUNT(mesh_questions); q++) {
        const mesh_question *of = &mesh_questions[q];
        if (of->kind != vp_cases[kernel]->kind || (of->also & also) != also ||
            (brute && strncmp(of->meshes, "chunks", 6) != 0))
            continue;
        add(suite, kernel, of->meshes, of->questions);
        for (size_t k = 1; k < COUNT(vp_tree_kinds) && !brute; k++)
            if ((of->also & asked_by(&vp_tree_kinds[k])) != 0 &&
                (also == 0 || (also == PACKETS && vp_tree_kinds[k].form > VP_KD_WIDE)))
                add_form(suite, kernel, (uint32_t)k, of->meshes, 0, of->questions);
    }
    if (kernel == VP_KERNEL_kd_ray || kernel == VP_KERNEL_brute_ray) /* from which size on does a tree pay? */
        for (size_t n = 0; n < COUNT(mesh_sizes); n++)
            for (size_t q = 0; q < 2; q++)
                add_form(suite, kernel, 0, "chunks", mesh_sizes[n], q == 0 ? "coherent" : "cold");
}

/* A whole terrain is asked what the mesh of its world is asked, the nearest triangles and boxes in every form
 * of its trees. */
static void add_terrain(vp_suite *suite, vp_kernel_id kernel)
{
    const bool main_kernel = kernel == VP_KERNEL_terrain_ray || kernel == VP_KERNEL_terrain_gather;
    for (size_t q = 0; q < COUNT(mesh_questions); q++) {
        const mesh_question *of = &mesh_questions[q];
        if (strncmp(of->meshes, "world-", 6) != 0 || of->kind != vp_cases[kernel]->kind ||
            (!main_kernel && kernel != VP_KERNEL_terrain_ray16 && (of->also & OTHERS) == 0))
            continue;
        add(suite, kernel, of->meshes, of->questions);
        for (size_t k = 1; main_kernel && k < COUNT(vp_tree_kinds); k++)
            add_form(suite, kernel, (uint32_t)k, of->meshes, 0, of->questions);
    }
}

/* What looks at points once, or in the plane; whole hulls are hulls.c's matter. */
static void add_points(vp_suite *suite, vp_kernel_id kernel)
{
    for (size_t i = 0; i < vp_hull_set_count; i++)
        if (vp_hull_set_is_of_kernel(&vp_hull_sets[i], kernel))
            add(suite, kernel, vp_hull_sets[i].family, vp_hull_sets[i].count);
}

/* A scalar kernel under two names, a world build or, of rays, kd_ray: two benchmarks that know nothing of
 * each other. How much they differ is noise. */
static void add_noise(vp_suite *suite)
{
    static const struct {
        vp_kernel_id kernel;
        const char *world, *boxes;
    } of[] = {{VP_KERNEL_dilate_world, "terrain-l2", NULL},
              {VP_KERNEL_dilate_world, "terrain-dram", NULL},
              {VP_KERNEL_kd_ray, "chunks", "cold"}};
    static const char *const who[] = {"first", "second"};
    vp_contender contenders[VP_CONTENDERS_MAX];
    char name[VP_SUITE_NAME_BYTES];
    for (size_t i = 0; i < COUNT(of); i++)
        for (size_t w = 0; w < COUNT(who); w++) {
            kernel_entry *e = vp_suite_entry(suite, sizeof *e, drop_entry);
            vp_contenders(of[i].kernel, contenders);
            *e = (kernel_entry){.suite = suite,
                                .kernel = of[i].kernel,
                                .contender = contenders[0],
                                .world = of[i].world,
                                .boxes = of[i].boxes};
            snprintf(name, sizeof name, "noise/%s/%s%s%s", who[w], of[i].world,
                     of[i].boxes != NULL ? "/" : "", of[i].boxes != NULL ? of[i].boxes : "");
            vp_bench_register(name, run_kernel, e);
        }
}

void vp_suite_add_kernels(vp_suite *suite)
{
    add_noise(suite);
    for (unsigned k = 0; k < VP_KERNEL_COUNT; k++) {
        vp_kernel_id kernel = (vp_kernel_id)k;
        const vp_kind *kind = vp_cases[k]->kind;
        if (strncmp(vp_kernel_name(kernel), "terrain_", 8) == 0) {
            add_terrain(suite, kernel);
            continue;
        }
        if (kind == &vp_kind_meshes || kind == &vp_kind_rays || kind == &vp_kind_mesh_boxes) {
            add_trees(suite, kernel);
            continue;
        }
        if (kind == &vp_kind_points) {
            if (kernel != VP_KERNEL_hull3)
                add_points(suite, kernel);
            continue;
        }
        if (kind == &vp_kind_boxes) {
            for (size_t w = 0; w < COUNT(query_worlds); w++)
                for (size_t b = 0; b < COUNT(box_sets); b++)
                    add(suite, kernel, query_worlds[w], box_sets[b]);
            continue;
        }
        if (kernel == VP_KERNEL_mesh_chunk || kernel == VP_KERNEL_edge_flags) {
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
