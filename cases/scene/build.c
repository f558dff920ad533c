/* SPDX-License-Identifier: MIT */
/* The cases that build and change a sphere tree: melding, bounds of wide nodes, insertion, offline construction, and moving objects. Judges
 * compute the same in another way:
 * - Melded spheres and bounds of wide nodes by the contract's formulas. These nodes have 16 spheres each.
 * - An insertion by its path, which is found before anything changes.
 * - An offline tree by comparing all pairs again for every node.
 * - Queries of a scene that has moved by testing every object. */
#include <math.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "cases/scene/work.h"
#include "src/core/error.h"
#include "src/spheretree/meld.h"
#include "src/spheretree/touch.h"

/* ---- scene_meld ---- */

typedef struct meld_work {
    uint32_t count;
    const vp_sphere *a, *b;
    vp_sphere *out;
} meld_work;

static vp_status make_meld(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_scene_set *scene = data->set;
    meld_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(meld_work));
    (void)variant, (void)error;
    w->count = scene->count;
    if (w->count == 0)
        return VP_OK;
    vp_sphere *b = vp_arena_keep(arena, w->count, sizeof *b, alignof(vp_sphere));
    for (uint32_t i = 0; i < w->count; i++)
        b[i] = scene->sphere[(i * UINT64_C(7) + 1) % w->count];
    w->a = vp_arena_input(arena, scene->sphere, w->count, sizeof *w->a, alignof(vp_sphere), 0);
    w->b = b;
    w->out = vp_arena_output(arena, w->count, sizeof *w->out, alignof(vp_sphere), 0);
    return VP_OK;
}

static vp_status run_meld(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    const meld_work *w = argument;
    (void)step, (void)error;
    if (w->count > 0)
        how->kernels->scene_meld(w->a, w->b, w->count, w->out);
    *items = w->count;
    return VP_OK;
}

VP_RECORD_EACH(record_meld, meld_work, w->count, vp_record_words(&w->out[i], 4, out))

/* As specified by SPH-1 in docs/CONTRACT.md. */
static vp_sphere meld_as_told(const vp_sphere *a, const vp_sphere *b)
{
    const double p[3] = {(double)a->centre.x, (double)a->centre.y, (double)a->centre.z},
                 q[3] = {(double)b->centre.x, (double)b->centre.y, (double)b->centre.z};
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, up = 1 + 0x1p-50;
    const double apart = sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]), ra = (double)a->radius, rb = (double)b->radius;
    if (apart * up <= ra - rb || apart * up <= rb - ra)
        return apart * up <= ra - rb ? *a : *b;
    const double part = fmin(fmax((apart + rb - ra) / (2 * apart), 0), 1);
    float c[3];
    double reach[2] = {0, 0};
    for (int k = 0; k < 3; k++)
        c[k] = (float)(p[k] + d[k] * part);
    for (int k = 0; k < 2; k++) {
        const double *of = k == 0 ? p : q, e[3] = {of[0] - (double)c[0], of[1] - (double)c[1], of[2] - (double)c[2]};
        reach[k] = sqrt((e[0] * e[0] + e[1] * e[1]) + e[2] * e[2]) * up + (k == 0 ? ra : rb);
    }
    const double least = fmax(reach[0], reach[1]) * up;
    const float nearest = (float)least;
    return (vp_sphere){{c[0], c[1], c[2]}, (double)nearest < least ? nextafterf(nearest, INFINITY) : nearest};
}

static vp_status judge_meld(const void *argument, uint32_t step, vp_error *error)
{
    const meld_work *w = argument;
    (void)step;
    for (uint32_t i = 0; i < w->count; i++) {
        const vp_sphere right = meld_as_told(&w->a[i], &w->b[i]);
        if (memcmp(&right, &w->out[i], sizeof right) != 0)
            return vp_fail(error, VP_E_FORMAT, "pair %u is held by a sphere of %g, not %g", i, (double)right.radius,
                           (double)w->out[i].radius);
    }
    return VP_OK;
}

#define FAMILIES(bits, does)                                                                                                               \
    VP_ON("uniform/1000", bits, does), VP_ON("uniform/10000", bits, does), VP_ON("hills/10000", bits, does),                               \
        VP_ON("clustered/10000", bits, does), VP_ON("mixed-radii/10000", bits, does), VP_ON("sorted/10000", bits, does),                   \
        VP_ON("line/1000", bits, does), VP_ON("growing/3400", bits, does)
static const vp_measured melds[] = {VP_ON("uniform/1000", 1, VP_TIMED), VP_ON("concentric/1000", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_scene_meld = {
    .kind = &vp_kind_scenes, .make = make_meld, .run = run_meld, .records = record_meld, .judge = judge_meld, .measured = melds};

/* ---- scene_bound ---- */

enum { WIDTH = VP_SPHERETREE_WIDTH };

typedef struct bound_work {
    uint32_t count;
    const vp_spheretree_wide_node *node;
    vp_sphere *out;
    vp_vec3 *half;
} bound_work;

static vp_status make_bounds(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_scene_set *scene = data->set;
    bound_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(bound_work));
    (void)variant, (void)error;
    w->count = (scene->count + WIDTH - 1) / WIDTH;
    if (w->count == 0)
        return VP_OK;
    vp_spheretree_wide_node *node = vp_arena_keep(arena, w->count, sizeof *node, alignof(vp_spheretree_wide_node));
    for (uint32_t i = 0; i < w->count * WIDTH; i++) {
        const vp_sphere s = i < scene->count ? scene->sphere[i] : (vp_sphere){{0, 0, 0}, NAN};
        vp_spheretree_wide_node *n = &node[i / WIDTH];
        n->x[i % WIDTH] = s.centre.x;
        n->y[i % WIDTH] = s.centre.y;
        n->z[i % WIDTH] = s.centre.z;
        n->radius[i % WIDTH] = s.radius;
        n->child[i % WIDTH] = i;
    }
    w->node = node;
    w->out = vp_arena_output(arena, w->count, sizeof *w->out, alignof(vp_sphere), 0);
    w->half = vp_arena_keep(arena, w->count, sizeof *w->half, alignof(vp_vec3)); /* judged, not recorded */
    return VP_OK;
}

static vp_status run_bounds(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    const bound_work *w = argument;
    (void)step, (void)error;
    if (w->count > 0)
        how->kernels->scene_bound(w->node, NULL, w->count, w->out, w->half);
    *items = w->count;
    return VP_OK;
}

VP_RECORD_EACH(record_bounds, bound_work, w->count, vp_record_words(&w->out[i], 4, out))

/* One rounding, whatever the machine's registers are. */
static float rounded(double value)
{
    return (float)value;
}

static float padded(float reach)
{
    return rounded((double)rounded((double)reach * (1 + 0x1p-20)) + 0x1p-70);
}

/* As specified by SPH-9 in docs/CONTRACT.md. */
static vp_sphere bound_as_specified(const vp_spheretree_wide_node *n, vp_vec3 *half)
{
    const float *const at[3] = {n->x, n->y, n->z};
    float centre[3], side[3] = {0, 0, 0}, reach = 0;
    for (int axis = 0; axis < 3; axis++) {
        float a = -INFINITY, b = -INFINITY;
        for (int k = 0; k < WIDTH; k++) { /* NaN is skipped */
            a = fmaxf(a, rounded((double)n->radius[k] + (double)at[axis][k]));
            b = fmaxf(b, rounded((double)n->radius[k] - (double)at[axis][k]));
        }
        centre[axis] = rounded(((double)a - (double)b) / 2) + 0.0f;
    }
    for (int k = 0; k < WIDTH; k++) {
        float square[3];
        for (int axis = 0; axis < 3; axis++) {
            const double apart = (double)rounded((double)at[axis][k] - (double)centre[axis]);
            side[axis] = fmaxf(side[axis], rounded(fabs(apart) + (double)n->radius[k]));
            square[axis] = rounded(apart * apart);
        }
        const float sum = rounded((double)rounded((double)square[0] + (double)square[1]) + (double)square[2]);
        reach = fmaxf(reach, rounded((double)rounded(sqrt((double)sum)) + (double)n->radius[k]));
    }
    *half = (vp_vec3){padded(side[0]), padded(side[1]), padded(side[2])};
    return (vp_sphere){{centre[0], centre[1], centre[2]}, padded(reach)};
}

static vp_status judge_bounds(const void *argument, uint32_t step, vp_error *error)
{
    const bound_work *w = argument;
    (void)step;
    for (uint32_t i = 0; i < w->count; i++) {
        vp_vec3 half;
        const vp_sphere right = bound_as_specified(&w->node[i], &half);
        if (memcmp(&half, &w->half[i], sizeof half) != 0)
            return vp_fail(error, VP_E_FORMAT, "node %u has a box of half size %g along x, not %g", i, (double)w->half[i].x,
                           (double)half.x);
        if (memcmp(&right, &w->out[i], sizeof right) != 0)
            return vp_fail(error, VP_E_FORMAT, "node %u has the radius %g, not %g", i, (double)w->out[i].radius, (double)right.radius);
    }
    return VP_OK;
}

static const vp_measured bounds[] = {VP_ON("uniform/1000", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_scene_bound = {
    .kind = &vp_kind_scenes, .make = make_bounds, .run = run_bounds, .records = record_bounds, .judge = judge_bounds, .measured = bounds};

/* ---- scene_insert and scene_build ---- */

typedef struct spheretree_build_work {
    uint32_t count, nodes;
    vp_spheretree_node *leaf; /* the state before */
    vp_spheretree_view tree;  /* its nodes are the output */
    uint32_t *scratch;
} spheretree_build_work;

static bool takes_build(const vp_data *data, uint32_t variant)
{
    const vp_scene_set *scene = data->set;
    (void)variant;
    return scene->count > 0 && scene->count <= VP_SPHERETREE_MAX_BUILD;
}

static vp_status make_build(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_scene_set *scene = data->set;
    spheretree_build_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(spheretree_build_work));
    (void)error;
    w->count = scene->count;
    w->nodes = 2 * w->count - 1;
    w->leaf = vp_arena_keep(arena, w->count, sizeof *w->leaf, alignof(vp_spheretree_node));
    for (uint32_t i = 0; i < w->count; i++)
        w->leaf[i] =
            (vp_spheretree_node){scene->sphere[i], VP_SPHERETREE_NONE, {VP_SPHERETREE_LEAF | i, VP_SPHERETREE_NONE}, scene->mask[i]};
    w->tree = (vp_spheretree_view){.node = vp_arena_output(arena, w->nodes, sizeof *w->tree.node, alignof(vp_spheretree_node), 0),
                                   .root = VP_SPHERETREE_NONE,
                                   .rule = (vp_spheretree_rule)variant};
    w->scratch = vp_arena_scratch(arena, 4 * (size_t)w->count, sizeof *w->scratch, alignof(uint32_t));
    return VP_OK;
}

static vp_status run_insert(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    spheretree_build_work *w = argument;
    (void)step, (void)error;
    w->tree.root = VP_SPHERETREE_NONE;
    for (uint32_t i = 0; i < w->count; i++) {
        w->tree.node[i] = w->leaf[i];
        how->kernels->scene_insert(&w->tree, i, w->count + i - 1);
    }
    *items = w->count;
    return VP_OK;
}

static vp_status run_build(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    spheretree_build_work *w = argument;
    (void)step, (void)error;
    memcpy(w->tree.node, w->leaf, w->count * sizeof *w->leaf);
    how->kernels->scene_build(w->tree.node, w->count, w->scratch);
    w->tree.root = w->nodes - 1;
    *items = w->count;
    return VP_OK;
}

VP_RECORD_EACH(record_nodes, spheretree_build_work, w->nodes, vp_record_words(&w->tree.node[i], sizeof *w->tree.node / 4, out))

static vp_status compare_nodes(const spheretree_build_work *w, const vp_spheretree_node *right, vp_error *error)
{
    for (uint32_t i = 0; i < w->nodes; i++)
        if (memcmp(&right[i], &w->tree.node[i], sizeof *right) != 0)
            return vp_fail(error, VP_E_FORMAT, "node %u has children %u and %u, radius %g, not %u and %u, %g", i, right[i].child[0],
                           right[i].child[1], (double)right[i].bound.radius, w->tree.node[i].child[0], w->tree.node[i].child[1],
                           (double)w->tree.node[i].bound.radius);
    return VP_OK;
}

/* The growth or the size of a child that would take the leaf. */
static double size_with(const vp_spheretree_node *child, const vp_sphere *leaf, vp_spheretree_rule rule)
{
    const double after = (double)vp_scene_melded(&child->bound, leaf).radius;
    return rule == VP_SPHERETREE_LEAST ? after - (double)child->bound.radius : after;
}

static vp_status judge_insert(const void *argument, uint32_t step, vp_error *error)
{
    const spheretree_build_work *w = argument;
    const size_t bytes = w->nodes * sizeof(vp_spheretree_node);
    vp_spheretree_node *node = vp_must(malloc(bytes), bytes);
    (void)step;
    uint32_t root = 0;
    memcpy(node, w->leaf, w->count * sizeof *node);
    for (uint32_t leaf = 1; leaf < w->count; leaf++) {
        uint32_t at = root;
        while (!vp_spheretree_is_leaf(&node[at])) {
            const double a = size_with(&node[node[at].child[0]], &node[leaf].bound, w->tree.rule),
                         b = size_with(&node[node[at].child[1]], &node[leaf].bound, w->tree.rule);
            at = node[at].child[b < a];
        }
        const uint32_t inner = w->count + leaf - 1, above = node[at].parent;
        node[inner] = node[at];
        node[inner].child[0] = at;
        node[inner].child[1] = leaf;
        node[at].parent = node[leaf].parent = inner;
        for (int k = 0; k < 2 && above != VP_SPHERETREE_NONE; k++)
            node[above].child[k] = node[above].child[k] == at ? inner : node[above].child[k];
        root = above == VP_SPHERETREE_NONE ? inner : root;
        for (uint32_t up = inner; up != VP_SPHERETREE_NONE; up = node[up].parent) {
            node[up].bound = vp_scene_melded(&node[up].bound, &node[leaf].bound);
            node[up].mask |= node[leaf].mask;
        }
    }
    const vp_status status = compare_nodes(w, node, error);
    free(node);
    return status;
}

enum { ALL_LOOKED_AT = 64, ONE_OF = 64 /* in larger trees one node in ONE_OF is examined */ };

static vp_status judge_build(const void *argument, uint32_t step, vp_error *error)
{
    const spheretree_build_work *w = argument;
    const size_t bytes = w->nodes * sizeof(vp_spheretree_node);
    vp_spheretree_node *node = vp_must(malloc(bytes), bytes);
    bool *gone = vp_must(calloc(w->nodes, sizeof *gone), w->nodes);
    (void)step;
    memcpy(node, w->leaf, w->count * sizeof *node);
    for (uint32_t made = w->count; made < w->nodes; made++) {
        uint32_t a = w->tree.node[made].child[0], b = w->tree.node[made].child[1];
        if (w->count <= ALL_LOOKED_AT || made % ONE_OF == 0 || a >= made || b >= made) {
            float least = INFINITY;
            for (uint32_t i = 0; i < made; i++)
                for (uint32_t k = i + 1; k < made && !gone[i]; k++) {
                    const float radius = gone[k] ? INFINITY : vp_scene_melded(&node[i].bound, &node[k].bound).radius;
                    if (radius < least) {
                        least = radius;
                        a = i;
                        b = k;
                    }
                }
        }
        gone[a] = gone[b] = true;
        node[made] =
            (vp_spheretree_node){vp_scene_melded(&node[a].bound, &node[b].bound), VP_SPHERETREE_NONE, {a, b}, node[a].mask | node[b].mask};
        node[a].parent = node[b].parent = made;
    }
    const vp_status status = compare_nodes(w, node, error);
    free(node);
    free(gone);
    return status;
}

static void count_depth(const void *argument, vp_counters *out)
{
    const spheretree_build_work *w = argument;
    uint32_t most = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t depth = 1;
        for (uint32_t at = i; w->tree.node[at].parent != VP_SPHERETREE_NONE; at = w->tree.node[at].parent)
            depth++;
        most = depth > most ? depth : most;
    }
    vp_count(out, "depth", (double)most);
    vp_count(out, "bytes_per_object", (double)(w->nodes * sizeof *w->leaf) / (double)w->count);
}

static const char *const rules[] = {"smaller", "least", NULL};
static const char *const rule_notes[] = {", by the published rule", ", by the rule that grows least"};
static const vp_measured inserts[] = {FAMILIES(3, VP_TIMED), {.data = NULL}};

const vp_case vp_case_scene_insert = {.kind = &vp_kind_scenes,
                                      .variant = rules,
                                      .takes = takes_build,
                                      .make = make_build,
                                      .run = run_insert,
                                      .records = record_nodes,
                                      .judge = judge_insert,
                                      .counters = count_depth,
                                      .notes = rule_notes,
                                      .measured = inserts};

static const vp_measured builds[] = {
    VP_ON("uniform/100", 1, VP_TIMED), VP_ON("uniform/1000", 1, VP_TIMED), VP_ON("hills/1000", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_scene_build = {.kind = &vp_kind_scenes,
                                     .takes = takes_build,
                                     .make = make_build,
                                     .run = run_build,
                                     .records = record_nodes,
                                     .judge = judge_build,
                                     .counters = count_depth,
                                     .measured = builds};

/* ---- scene_move ---- */

typedef struct move_work {
    const vp_motion_set *set;
    vp_scene_way way;
    const vp_allocator *allocator;
    vp_spheretree *tree;
    uint32_t *id; /* by number in the script */
    uint32_t numbers;
    uint32_t *moved; /* a batch */
    vp_sphere *moved_to;
    vp_scene_questions asked;
    vp_sphere *now; /* the judge's spheres, with a radius below 0 for absent ones */
} move_work;

static const vp_scene_way move_ways[] = {VP_WAY_SMALLER, VP_WAY_LEAST, VP_WAY_WIDE};
static const char *const move_variants[] = {"smaller", "least", "wide", NULL};
static const char *const move_notes[] = {", by the published rule", ", by the rule that grows least", ", wide tree"};

static vp_status make_move(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const vp_motion_set *set = data->set;
    move_work *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(move_work));
    (void)error;
    w->set = set;
    w->way = move_ways[variant];
    w->allocator = vp_arena_allocator(arena);
    w->numbers = set->scene.count;
    for (uint32_t i = 0; i < set->first[set->steps]; i++)
        w->numbers += set->motion[i].kind == VP_MOTION_INSERT;
    w->id = vp_arena_keep(arena, w->numbers, sizeof *w->id, alignof(uint32_t));
    w->now = vp_arena_keep(arena, w->numbers, sizeof *w->now, alignof(vp_sphere));
    w->moved = vp_arena_keep(arena, set->first[set->steps] + 1u, sizeof *w->moved, alignof(uint32_t));
    w->moved_to = vp_arena_keep(arena, set->first[set->steps] + 1u, sizeof *w->moved_to, alignof(vp_sphere));
    for (uint32_t i = 0; i < set->first[set->steps]; i++) {
        w->moved[i] = set->motion[i].object; /* its id too, if none is inserted */
        w->moved_to[i] = set->motion[i].sphere;
    }
    vp_scene_ask(&set->scene, &w->asked);
    return VP_OK;
}

static uint32_t steps(const void *argument)
{
    return ((const move_work *)argument)->set->steps;
}

static void drop_move(void *argument)
{
    move_work *w = argument;
    vp_spheretree_destroy(w->tree);
    w->tree = NULL;
}

static vp_status rewind_moves(const vp_setting *how, void *argument, vp_error *error)
{
    move_work *w = argument;
    drop_move(w);
    for (uint32_t i = 0; i < w->set->scene.count; i++)
        w->id[i] = i;
    return vp_scene_fill(&w->set->scene, w->way, how->kernels, w->allocator, &w->tree, error);
}

static vp_status run_moves(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    move_work *w = argument;
    const vp_motion *motion = w->set->motion;
    const uint32_t end = w->set->first[step + 1];
    vp_status status = VP_OK;
    (void)how;
    *items = end - w->set->first[step];
    for (uint32_t i = w->set->first[step]; status == VP_OK && i < end;) {
        const vp_motion *m = &motion[i];
        if (m->kind == VP_MOTION_MOVE) {
            const uint32_t first = i;
            if (w->numbers == w->set->scene.count) /* moves only */
                i = end;
            for (; i < end && motion[i].kind == VP_MOTION_MOVE; i++)
                w->moved[i] = w->id[motion[i].object];
            status = vp_spheretree_move_batch(w->tree, w->moved + first, w->moved_to + first, i - first, error);
            continue;
        }
        if (m->kind == VP_MOTION_REMOVE) {
            status = vp_spheretree_remove(w->tree, w->id[m->object], error);
        } else {
            const vp_spheretree_object object = {m->sphere, vp_scene_data_of(m->object), UINT32_MAX, 0};
            status = vp_spheretree_insert(w->tree, &object, &w->id[m->object], error);
        }
        i++;
    }
    return status;
}

/* The objects that question i finds, by number in the script. The caller frees them. */
static bool *found_by(const move_work *w, uint32_t i)
{
    const uint32_t capacity = w->numbers;
    vp_spheretree_item *item = vp_must(malloc(((size_t)capacity + 1) * sizeof *item), capacity);
    bool *found = vp_must(calloc((size_t)capacity + 1, sizeof *found), capacity);
    uint32_t count = 0;
    vp_spheretree_sphere(w->tree, &w->asked.sphere[i], NULL, item, capacity, &count, NULL);
    for (uint32_t k = 0; k < count; k++) {
        vp_spheretree_object object;
        if (vp_spheretree_find(w->tree, item[k].object, &object)) {
            const uint64_t number = object.data / vp_scene_data_of(1);
            found[number < capacity ? number : capacity] = true;
        }
    }
    free(item);
    return found;
}

static void record_moves(const void *argument, vp_records *out)
{
    const move_work *w = argument;
    for (uint32_t i = 0; i < w->asked.count; i++) {
        bool *found = found_by(w, i);
        vp_records_put_hash(out, found, w->numbers * sizeof *found);
        vp_records_end(out);
        free(found);
    }
}

static vp_status judge_moves(const void *argument, uint32_t step, vp_error *error)
{
    const move_work *w = argument;
    vp_status status = VP_OK;
    for (uint32_t i = 0; i < w->numbers; i++)
        w->now[i] = i < w->set->scene.count ? w->set->scene.sphere[i] : (vp_sphere){{0, 0, 0}, -1};
    for (uint32_t m = 0; m < w->set->first[step + 1]; m++) {
        w->now[w->set->motion[m].object] = w->set->motion[m].sphere;
        if (w->set->motion[m].kind == VP_MOTION_REMOVE)
            w->now[w->set->motion[m].object].radius = -1;
    }
    for (uint32_t i = 0; status == VP_OK && i < w->asked.count; i++) {
        bool *found = found_by(w, i);
        for (uint32_t k = 0; status == VP_OK && k < w->numbers; k++)
            if (found[k] != (w->now[k].radius >= 0 && vp_sphere_touches_sphere(&w->asked.sphere[i], &w->now[k])))
                status = vp_fail(error, VP_E_FORMAT, "after step %u question %u touches object %u, or does not", step, i, k);
        free(found);
    }
    return status;
}

static void count_moves(const void *argument, vp_counters *out)
{
    const move_work *w = argument;
    const vp_spheretree_stats s = vp_spheretree_stats_of(w->tree);
    vp_count(out, "depth", (double)s.depth);
    vp_count(out, "bytes_per_object", (double)s.bytes / (double)s.objects);
    vp_count(out, "excess", s.excess);
}

#define MOVES(set)                                                                                                                         \
    VP_ON(set "/1000", 7, VP_TIMED | VP_ENDS), VP_ON(set "/10000", 7, VP_TIMED | VP_ENDS), VP_ON(set "/100000", 4, VP_TIMED | VP_ENDS)
static const vp_measured moves[] = {MOVES("moves-1"),
                                    MOVES("moves-10"),
                                    MOVES("moves-100"),
                                    MOVES("teleports"),
                                    MOVES("churn"),
                                    VP_ON("moves-10", 7, VP_VERIFIED),
                                    VP_ON("moves-100", 7, VP_VERIFIED),
                                    VP_ON("teleports", 7, VP_VERIFIED),
                                    VP_ON("churn", 7, VP_VERIFIED),
                                    {.data = NULL}};

const vp_case vp_case_scene_move = {.kind = &vp_kind_motions,
                                    .variant = move_variants,
                                    .make = make_move,
                                    .steps = steps,
                                    .rewind = rewind_moves,
                                    .run = run_moves,
                                    .records = record_moves,
                                    .judge = judge_moves,
                                    .counters = count_moves,
                                    .drop = drop_move,
                                    .notes = move_notes,
                                    .copes = true,
                                    .measured = moves};
