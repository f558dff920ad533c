/* SPDX-License-Identifier: MIT */
/* Benchmarks of other libraries' trees over triangles, on the same meshes, rays and boxes as the loose kD
 * tree's. A library's answers are compared with the reference's before it is timed and after: sets of boxes
 * must be equal, and of the rays few may differ; how many stands in the label and in counters. A build is
 * asked some rays.
 *
 * The trees of one library over one set of meshes are kept until others are needed, so that programs that run
 * everything do not hold all of them at once. */
#include "bench/trees/tree_peers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases/terrain_hits.h"
#include "bench/trees/tree_answers.h"
#include "bench/trees/tree_meshes.h"
#include "src/core/error.h"

enum {
    LIST_CAPACITY = 512, /* triangles of a box, as in the kernel's own benchmark */
    PROBES = 8192,       /* rays that a build is asked */
    NONSENSE = 0xa5      /* a byte of answers that none has given */
};

#define RAY     (1u << VP_TREE_RAY)
#define ANY     (1u << VP_TREE_RAY_ANY)
#define RAY16   (1u << VP_TREE_RAY16)
#define PACKETS (1u << VP_TREE_RAY8 | RAY16)
#define BOX     (1u << VP_TREE_BOX)
#define LEAVES  (1u << VP_TREE_BOX_LEAVES)
#define BUILD   (1u << A_BUILD) /* which is no question; the set is of its probes */
#define COLD    (1u << A_COLD)  /* of rays: both */

enum { A_BUILD = VP_TREE_QUESTION_COUNT, A_COLD, ALL_QUESTIONS };

static const char *const kernel_of[ALL_QUESTIONS] = {"kd_ray",    "kd_ray_any",       "kd_ray8", "kd_ray16",
                                                     "kd_gather", "kd_gather_leaves", "kd_build"};
static const char *const world_kernel_of[ALL_QUESTIONS] = {[VP_TREE_RAY] = "terrain_ray",
                                                           [VP_TREE_RAY16] = "terrain_ray16",
                                                           [VP_TREE_BOX] = "terrain_gather",
                                                           [A_COLD] = "terrain_ray"};

/* What is asked of what: as of the kernels. Packets of cold rays would have one ray each. */
static const struct questions {
    const char *meshes, *set;
    uint32_t asked;
} questions[] = {
    {"chunks", "coherent", RAY | ANY | PACKETS},
    {"chunks", "cold", BUILD | RAY | ANY},
    {"chunks-luanti", "coherent", RAY},
    {"chunks-luanti", "cold", BUILD | RAY},
    {"world-230k", "coherent", RAY | ANY | PACKETS},
    {"world-230k", "incoherent", BUILD | RAY | ANY | PACKETS},
    {"world-230k", "mixed", RAY},
    {"world-luanti", "coherent", RAY | PACKETS},
    {"world-luanti", "incoherent", BUILD | RAY},
    {"world-luanti", "mixed", RAY},
    {"chunks", "box-1.5", BOX | LEAVES},
    {"chunks", "box-6", BOX | LEAVES},
    {"chunks-luanti", "box-1.5", BOX},
    {"world-230k", "box-1.5", BOX | LEAVES},
    {"world-230k", "box-6", BOX},
};

/* A terrain's kernels are asked what the one mesh of their world is asked. So a library's tree over that mesh
   is their contender as well, and is measured once more, under their names: rows of one name are measured
   alike. */
static const struct questions world_questions[] = {
    {"world-230k", "coherent", RAY | RAY16 | COLD},
    {"world-230k", "incoherent", RAY | RAY16 | COLD},
    {"world-230k", "mixed", RAY | RAY16 | COLD},
    {"world-luanti", "coherent", RAY | RAY16 | COLD},
    {"world-luanti", "incoherent", RAY | RAY16 | COLD},
    {"world-luanti", "mixed", RAY | RAY16 | COLD},
    {"world-230k", "box-1.5", BOX},
    {"world-230k", "box-6", BOX},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- what the benchmarks share ---- */

/* The triangles of a set for libraries, or the reference's answers to a set of questions. */
typedef struct cached {
    const void *key; /* the set's own array in the suite */
    vp_tree_meshes meshes;
    vp_tree_answers answers;
    struct cached *next;
} cached;

typedef struct shared {
    cached *first;
    const vp_tree_peer *peer; /* of the trees; NULL: there are none */
    const vp_tree_meshes *of;
    void *trees;
} shared;

typedef struct entry {
    vp_suite *suite;
    shared *shared;
    const vp_tree_peer *peer;
    const char *meshes, *set;
    unsigned question; /* or A_BUILD, A_COLD */
    bool checked;
    vp_error verdict;
    vp_tree_differences differences;
} entry;

/* All that a run of a benchmark works with. */
typedef struct job {
    entry *entry;
    vp_suite_set workload;
    vp_ray_set
        rays; /* those of the workload, or the first of them, or of COLD some of them in arrays of its own */
    const vp_tree_answers *answers; /* the reference's */
    vp_tree_answers cold_answers;
    void *trees;
    vp_tree_asked asked;
    void *question;
} job;

static void drop_trees(shared *s)
{
    if (s->peer != NULL)
        s->peer->drop(s->trees);
    s->peer = NULL;
    s->of = NULL;
    s->trees = NULL;
}

static void drop_shared(void *argument)
{
    shared *s = argument;
    drop_trees(s);
    for (cached *c = s->first, *next; c != NULL; c = next) {
        next = c->next;
        vp_tree_meshes_destroy(&c->meshes);
        vp_tree_answers_destroy(&c->answers);
        free(c);
    }
}

static cached *find(shared *s, const void *key, vp_error *error)
{
    cached *c = s->first;
    while (c != NULL && c->key != key)
        c = c->next;
    if (c != NULL)
        return c;
    c = calloc(1, sizeof *c);
    if (c == NULL) {
        vp_fail(error, VP_E_MEMORY, "no memory for what trees are asked");
        return NULL;
    }
    c->key = key;
    c->next = s->first;
    s->first = c;
    return c;
}

static const vp_tree_meshes *meshes_of(shared *s, const vp_suite_set *workload, vp_error *error)
{
    cached *c = find(s, workload->meshes.vertex, error);
    if (c == NULL || c->meshes.mesh != NULL)
        return c != NULL ? &c->meshes : NULL;
    return vp_tree_meshes_create(&workload->meshes, workload->name, &c->meshes, error) == VP_OK ? &c->meshes
                                                                                                : NULL;
}

static const vp_tree_answers *answers_of(shared *s, const vp_suite_set *workload, vp_error *error)
{
    const bool boxes = workload->mesh_boxes.count != 0;
    cached *c = find(s, boxes ? (const void *)workload->mesh_boxes.box : workload->rays.ray, error);
    if (c == NULL || c->answers.hit != NULL || c->answers.list_end != NULL)
        return c != NULL ? &c->answers : NULL;
    vp_status status = boxes ? vp_tree_answer_boxes(workload, &c->answers, error)
                             : vp_tree_answer_rays(workload, &c->answers, error);
    if (status == VP_OK)
        return &c->answers;
    vp_tree_answers_destroy(&c->answers);
    return NULL;
}

/* The library's trees over the meshes, built. */
static void *trees_of(shared *s, const vp_tree_peer *peer, const vp_suite_set *workload, vp_error *error)
{
    const vp_tree_meshes *meshes = meshes_of(s, workload, error);
    if (meshes == NULL || (s->peer == peer && s->of == meshes))
        return meshes != NULL ? s->trees : NULL;
    drop_trees(s);
    s->trees = peer->make(meshes);
    if (s->trees != NULL)
        s->peer = peer;
    if (s->trees == NULL || !peer->build(s->trees)) {
        vp_fail(error, VP_E_MEMORY, "no memory for %s on %s", peer->name, workload->name);
        drop_trees(s);
        return NULL;
    }
    s->of = meshes;
    return s->trees;
}

/* ---- a run ---- */

static void end(job *j)
{
    j->entry->peer->forget(j->question);
    if (j->entry->question == A_COLD) {
        vp_ray_set_destroy(&j->rays);
        vp_tree_answers_destroy(&j->cold_answers);
    }
    free(j->asked.hit);
    free(j->asked.list);
    free(j->asked.found);
}

/* Answers that none has given, where the next run's go. */
static void spoil(const vp_tree_asked *asked)
{
    if (asked->rays != NULL) {
        memset(asked->hit, NONSENSE, asked->rays->count * sizeof *asked->hit);
    } else {
        memset(asked->list, NONSENSE, (size_t)asked->boxes->count * LIST_CAPACITY * sizeof *asked->list);
        memset(asked->found, NONSENSE, asked->boxes->count * sizeof *asked->found);
    }
}

/* Some rays from all over the set, and the reference's answers to them. */
static bool choose_cold(job *j, vp_error *error)
{
    const uint32_t count = vp_cold_rays(j->workload.rays.count);
    const vp_ray_set *all = &j->workload.rays;
    j->rays = (vp_ray_set){count, malloc((count + 1u) * sizeof *j->rays.ray),
                           malloc((count + 1u) * sizeof *j->rays.mesh)};
    j->cold_answers.hit = malloc((count + 1u) * sizeof *j->cold_answers.hit);
    j->cold_answers.beyond = malloc((count + 1u) * sizeof *j->cold_answers.beyond);
    if (j->rays.ray == NULL || j->rays.mesh == NULL || j->cold_answers.hit == NULL ||
        j->cold_answers.beyond == NULL) {
        vp_fail(error, VP_E_MEMORY, "no memory for rays of %s", j->workload.name);
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        j->rays.ray[i] = all->ray[vp_cold_ray(i)];
        j->rays.mesh[i] = all->mesh[vp_cold_ray(i)];
        j->cold_answers.hit[i] = j->answers->hit[vp_cold_ray(i)];
        j->cold_answers.beyond[i] = j->answers->beyond[vp_cold_ray(i)];
    }
    j->answers = &j->cold_answers;
    return true;
}

/* Brings all data and the trees, and puts the question; of a build, its probes. */
static bool begin(entry *e, job *j, vp_error *error)
{
    const bool is_build = e->question == A_BUILD;
    *j = (job){.entry = e};
    if (vp_suite_open(e->suite, e->meshes, e->set, &j->workload, error) != VP_OK)
        return false;
    j->answers = answers_of(e->shared, &j->workload, error);
    if (j->answers == NULL || (j->trees = trees_of(e->shared, e->peer, &j->workload, error)) == NULL)
        return false;
    const uint32_t boxes = j->workload.mesh_boxes.count;
    if (e->question == A_COLD && !choose_cold(j, error))
        return false;
    if (e->question != A_COLD)
        j->rays = j->workload.rays;
    if (is_build && j->rays.count > PROBES)
        j->rays.count = PROBES;
    j->asked =
        (vp_tree_asked){.question = e->question >= A_BUILD ? VP_TREE_RAY : (vp_tree_question)e->question,
                        .coherent = strcmp(e->set, "coherent") == 0,
                        .rays = boxes == 0 ? &j->rays : NULL,
                        .boxes = boxes != 0 ? &j->workload.mesh_boxes : NULL,
                        .hit = malloc((j->rays.count + 1u) * sizeof *j->asked.hit),
                        .list = malloc(((size_t)boxes * LIST_CAPACITY + 1) * sizeof *j->asked.list),
                        .found = malloc((boxes + 1u) * sizeof *j->asked.found),
                        .capacity = LIST_CAPACITY};
    if (j->asked.hit != NULL && j->asked.list != NULL && j->asked.found != NULL) {
        spoil(&j->asked);
        j->question = is_build ? NULL : e->peer->ask(j->trees, &j->asked);
    }
    if (j->question != NULL || (is_build && j->asked.hit != NULL))
        return true;
    vp_fail(error, VP_E_MEMORY, "no memory to ask %s for %s", e->peer->name, j->workload.name);
    return false;
}

/* Compares the answers of the last run. */
static bool agrees(entry *e, const job *j)
{
    char text[160];
    if (j->asked.boxes != NULL) {
        uint64_t different = vp_tree_compare_boxes(j->answers, &j->workload.meshes, &j->asked);
        if (different != 0)
            vp_fail(&e->verdict, VP_E_ARGUMENT,
                    "%s found other triangles than the reference for %" PRIu64 " of %u boxes of %s",
                    e->peer->name, different, j->asked.boxes->count, j->workload.name);
        return different == 0;
    }
    e->differences = vp_tree_compare_rays(j->answers, &j->workload.meshes, &j->asked);
    if (vp_tree_acceptable(&e->differences))
        return true;
    vp_tree_differences_text(&e->differences, text, sizeof text);
    vp_fail(&e->verdict, VP_E_ARGUMENT, "too many rays of %s differ by %s from the reference's: %s",
            j->workload.name, e->peer->name, text);
    return false;
}

/* Whether the trees are over their meshes, and answer some rays. */
static bool trees_agree(entry *e, job *j)
{
    uint32_t wrong = e->peer->wrong(j->trees);
    if (wrong != 0) {
        vp_fail(&e->verdict, VP_E_ARGUMENT, "the trees of %s over %u meshes of %s are not over all triangles",
                e->peer->name, wrong, e->meshes);
        return false;
    }
    void *probes = e->peer->ask(j->trees, &j->asked);
    if (probes == NULL) {
        vp_fail(&e->verdict, VP_E_MEMORY, "no memory to ask %s for %s", e->peer->name, j->workload.name);
        return false;
    }
    spoil(&j->asked);
    e->peer->run(probes);
    e->peer->take(probes);
    e->peer->forget(probes);
    return agrees(e, j);
}

/* Compares before anything is timed, once. A question was run then, for which it is run untimed each time:
   code and data are there. */
static bool check(entry *e, job *j)
{
    const bool is_build = e->question == A_BUILD;
    if (e->checked && e->verdict.status != VP_OK)
        return false;
    if (!is_build) {
        e->peer->run(j->question);
        e->peer->take(j->question);
    }
    if (!e->checked) {
        vp_succeed(&e->verdict);
        if (is_build ? trees_agree(e, j) : agrees(e, j))
            vp_succeed(&e->verdict);
        e->checked = true;
    }
    return e->verdict.status == VP_OK;
}

static bool time_question(vp_bench_state *state, entry *e, job *j)
{
    spoil(&j->asked);
    while (vp_bench_next(state))
        e->peer->run(j->question);
    e->peer->take(j->question);
    return agrees(e, j);
}

static bool time_build(vp_bench_state *state, entry *e, job *j)
{
    bool built = true;
    while (vp_bench_next(state)) {
        vp_bench_pause(state);
        e->peer->clear(j->trees);
        vp_bench_resume(state);
        built = built && e->peer->build(j->trees);
    }
    if (built)
        return trees_agree(e, j);
    drop_trees(e->shared);
    vp_fail(&e->verdict, VP_E_MEMORY, "no memory for %s on %s", e->peer->name, j->workload.name);
    return false;
}

/* The trees, and then the question that they were asked before. */
static bool time_cold(vp_bench_state *state, entry *e, job *j)
{
    bool built = true;
    spoil(&j->asked);
    while (vp_bench_next(state)) {
        vp_bench_pause(state);
        e->peer->clear(j->trees);
        vp_bench_resume(state);
        built = built && e->peer->build(j->trees);
        if (built)
            e->peer->run(j->question);
    }
    if (built) {
        e->peer->take(j->question);
        return agrees(e, j);
    }
    drop_trees(e->shared);
    vp_fail(&e->verdict, VP_E_MEMORY, "no memory for %s on %s", e->peer->name, j->workload.name);
    return false;
}

static bool time_it(vp_bench_state *state, entry *e, job *j)
{
    switch (e->question) {
    case A_BUILD:
        return time_build(state, e, j);
    case A_COLD:
        return time_cold(state, e, j);
    default:
        return time_question(state, e, j);
    }
}

/* ---- results ---- */

/* Of the vertices and indices that a library is given and reads as long as its trees are there. */
static double mesh_bytes(const vp_tree_peer *peer, const vp_mesh_set *set)
{
    const double indices = strstr(peer->name, "-quads") != NULL ? 2 : 3; /* a triangle */
    return (double)set->vertex_count * sizeof(vp_vec3) +
           (double)set->triangle_count * indices * sizeof(uint32_t);
}

static void show(vp_bench_state *state, const entry *e, const job *j)
{
    const vp_tree_differences *d = &e->differences;
    char text[160], label[640];
    vp_tree_differences_text(d, text, sizeof text);
    uint64_t items = j->asked.rays != NULL ? j->asked.rays->count : j->asked.boxes->count;
    if (e->question == A_BUILD) {
        items = j->workload.meshes.triangle_count;
        vp_bench_counter(state, "bytes_per_triangle", (double)e->peer->bytes(j->trees) / (double)items);
        vp_bench_counter(state, "mesh_bytes_per_triangle",
                         mesh_bytes(e->peer, &j->workload.meshes) / (double)items);
        snprintf(label, sizeof label, "triangles %s; %s", text, e->peer->note);
    } else if (j->asked.boxes != NULL) {
        double found = 0;
        for (uint32_t i = 0; i < items; i++)
            found += j->asked.found[i];
        vp_bench_counter(state, "triangles_per_query", found / (double)items);
        snprintf(label, sizeof label, "queries sets=%s; %s", e->question == VP_TREE_BOX ? "equal" : "larger",
                 e->peer->note);
    } else {
        snprintf(label, sizeof label, "rays %s%s; %s", text,
                 e->question == A_COLD ? " (in it: the tree over the whole mesh, which is given)" : "",
                 e->peer->note);
    }
    if (j->asked.rays != NULL) {
        vp_bench_counter(state, "hits", (double)d->hits);
        vp_bench_counter(state, "hits_lost", (double)d->lost);
        vp_bench_counter(state, "hits_gained", (double)d->gained);
        vp_bench_counter(state, "hits_moved", (double)d->moved);
        vp_bench_counter(state, "hits_neighbour", (double)d->neighbour);
        vp_bench_counter(state, "hits_at_origin", (double)d->at_origin);
    }
    vp_bench_items(state, vp_bench_iterations(state) * items);
    vp_bench_label(state, label);
}

static void run(vp_bench_state *state, void *context)
{
    entry *e = context;
    vp_error error;
    job j;
    if (!begin(e, &j, &error)) {
        vp_suite_refuse(e->suite, state, &error);
    } else if (!check(e, &j) || !time_it(state, e, &j)) {
        vp_suite_refuse(e->suite, state, &e->verdict);
    } else {
        show(state, e, &j);
    }
    end(&j);
}

/* ---- registration ---- */

static void add(vp_suite *suite, shared *s, const vp_tree_peer *peer, const struct questions *of,
                unsigned question, const char *kernel)
{
    entry *e = vp_suite_entry(suite, sizeof *e, NULL);
    *e = (entry){.suite = suite,
                 .shared = s,
                 .peer = peer,
                 .meshes = of->meshes,
                 .set = of->set,
                 .question = question};
    char name[VP_SUITE_NAME_BYTES];
    snprintf(name, sizeof name, "%.16s/peer-%.30s%s/%.20s%s%.12s", kernel, peer->name,
             question == A_COLD ? "-cold" : "", of->meshes, question == A_BUILD ? "" : "/",
             question == A_BUILD ? "" : of->set);
    vp_bench_register(name, run, e);
}

/* The peers that whole worlds are compared with: the trees that are asked, or of COLD those that are made,
   with the best of them. */
static bool is_for_worlds(const vp_tree_peer *peer, unsigned question)
{
    const bool low = strstr(peer->name, "-low") != NULL;
    const bool slow = strstr(peer->name, "-high") != NULL || strstr(peer->name, "-compact") != NULL;
    return question == A_COLD ? !slow : !low;
}

void vp_suite_add_tree_peers(vp_suite *suite)
{
    if (vp_tree_peers[0] == NULL)
        return;
    shared *s = vp_suite_entry(suite, sizeof *s, drop_shared);
    for (unsigned question = ALL_QUESTIONS; question-- > 0;)
        for (const vp_tree_peer *const *peer = vp_tree_peers; *peer != NULL; peer++) {
            const uint32_t may = (*peer)->questions != 0 ? (*peer)->questions | BUILD | COLD : 0;
            for (size_t q = 0; q < COUNT(questions); q++)
                if ((questions[q].asked & may & 1u << question) != 0)
                    add(suite, s, *peer, &questions[q], question, kernel_of[question]);
            for (size_t q = 0; q < COUNT(world_questions); q++)
                if ((world_questions[q].asked & may & 1u << question) != 0 && is_for_worlds(*peer, question))
                    add(suite, s, *peer, &world_questions[q], question, world_kernel_of[question]);
        }
}
