/* SPDX-License-Identifier: MIT */
#include "cases/scene/search.h"

#include <stdalign.h>
#include <stdlib.h>

#include "src/core/error.h"

/* ---- the work ---- */

typedef struct searched {
    vp_spheretree *tree;
    vp_sweep *sweep;
    vp_scene_questions asked;
} searched;

static void drop_searched(void *argument)
{
    searched *s = argument;
    if (s != NULL) {
        vp_spheretree_destroy(s->tree);
        vp_sweep_destroy(s->sweep);
    }
    free(s);
}

static vp_status make_searched(const vp_data *from, uint32_t variant, void **out, vp_error *error)
{
    const vp_scene_set *scene = from->set;
    const vp_kernels scalar = vp_scalar_kernels();
    searched *s = *out = vp_must(calloc(1, sizeof *s), sizeof *s);
    vp_scene_ask(scene, &s->asked);
    if (variant >= VP_WAY_BRUTE) {
        s->sweep = vp_sweep_create(scene->sphere, scene->count, variant == VP_WAY_BRUTE ? 0 : variant == VP_WAY_SWEEP1 ? 1 : 3);
        return s->sweep != NULL ? VP_OK : vp_fail(error, VP_E_MEMORY, "%s: no memory for intervals", from->name);
    }
    return vp_scene_fill(scene, (vp_scene_way)variant, &scalar, NULL, &s->tree, error);
}

static const vp_derivation derivation = {"sphere tree", make_searched, drop_searched};

static const void *input(vp_arena *arena, const void *from, size_t count, size_t size, size_t alignment)
{
    return count > 0 ? vp_arena_input(arena, from, count, size, alignment, 0) : NULL;
}

/* Counts the nodes, boxes and leaves of a wide tree up to the last one in use. */
static void count_wide(const vp_spheretree_wide *wide, uint32_t at, uint32_t *nodes, uint32_t *boxes, uint32_t *leaves)
{
    const vp_spheretree_wide_info *info = &wide->info[at];
    *nodes = at >= *nodes ? at + 1 : *nodes;
    *boxes = info->level > 0 && info->box >= *boxes ? info->box + 1 : *boxes;
    for (uint32_t lane = 0; lane < info->count; lane++) {
        const uint32_t child = wide->node[at].child[lane], leaf = child & ~VP_SPHERETREE_LEAF;
        if (info->level > 0)
            count_wide(wide, child, nodes, boxes, leaves);
        else if (leaf != child && leaf >= *leaves)
            *leaves = leaf + 1;
    }
}

static const vp_spheretree_wide *input_wide(vp_arena *arena, const vp_spheretree_wide *from)
{
    vp_spheretree_wide *wide = vp_arena_keep(arena, 1, sizeof *wide, alignof(vp_spheretree_wide));
    uint32_t nodes = 0, boxes = 0, leaves = 0;
    if (from->root != VP_SPHERETREE_NONE)
        count_wide(from, from->root, &nodes, &boxes, &leaves);
    *wide = *from;
    wide->node = (vp_spheretree_wide_node *)(uintptr_t)input(arena, from->node, nodes, sizeof *from->node, 64);
    wide->info =
        (vp_spheretree_wide_info *)(uintptr_t)input(arena, from->info, nodes, sizeof *from->info, alignof(vp_spheretree_wide_info));
    wide->box = (vp_spheretree_wide_box *)(uintptr_t)input(arena, from->box, boxes, sizeof *from->box, 64);
    wide->leaf =
        (vp_spheretree_wide_leaf *)(uintptr_t)input(arena, from->leaf, leaves, sizeof *from->leaf, alignof(vp_spheretree_wide_leaf));
    return wide;
}

vp_status vp_scene_search_begin(const vp_data *data, uint32_t variant, vp_arena *arena, void **out, vp_error *error)
{
    const void *made;
    const vp_status status = vp_data_derive(data, &derivation, variant, &made, error);
    if (status != VP_OK)
        return status;
    const searched *s = made;
    vp_scene_search *w = *out = vp_arena_keep(arena, 1, sizeof *w, alignof(vp_scene_search));
    w->scene = data->set;
    w->way = (vp_scene_way)variant;
    w->asked = vp_arena_input(arena, &s->asked, 1, sizeof s->asked, alignof(vp_scene_questions), 0);
    w->sweep = s->sweep;
    if (s->tree == NULL)
        return VP_OK;
    const vp_spheretree_view *tree = vp_spheretree_view_of(s->tree);
    w->stats = vp_spheretree_stats_of(s->tree);
    w->tree = *tree;
    w->tree.node = (vp_spheretree_node *)(uintptr_t)input(arena, tree->node, tree->wide == NULL ? w->stats.nodes : 0, sizeof *tree->node,
                                                          alignof(vp_spheretree_node));
    w->tree.object = input(arena, tree->object, w->stats.objects, sizeof *tree->object, alignof(vp_spheretree_entry));
    if (tree->wide != NULL)
        w->tree.wide = input_wide(arena, tree->wide);
    if (w->scene->mesh.triangle_count > 0) {
        const vp_triangles *t = &w->scene->mesh;
        vp_spheretree_mesh *mesh = vp_arena_keep(arena, 1, sizeof *mesh, alignof(vp_spheretree_mesh));
        *mesh = tree->mesh[0];
        mesh->triangles.vertex = input(arena, t->vertex, t->vertex_count, sizeof *t->vertex, alignof(vp_vec3));
        mesh->triangles.index = input(arena, t->index, (size_t)t->triangle_count * 3, sizeof *t->index, alignof(uint32_t));
        w->tree.mesh = mesh;
    }
    return VP_OK;
}

bool vp_scene_search_takes(const vp_data *data, uint32_t variant)
{
    return vp_scene_way_takes(data->set, (vp_scene_way)variant);
}

/* ---- cost ---- */

void vp_scene_search_count(const vp_scene_search *w, const vp_spheretree_cost *cost, double by, vp_counters *out)
{
    if (w->sweep == NULL)
        vp_count(out, "nodes", (double)cost->nodes / by);
    vp_count(out, "tests", (double)cost->tests / by);
    if (w->sweep == NULL) {
        vp_count(out, "depth", (double)w->stats.depth);
        const size_t node = w->tree.wide == NULL ? sizeof *w->tree.node : sizeof *w->tree.wide->node + sizeof *w->tree.wide->info;
        vp_count(out, "bytes_per_object",
                 (double)(w->stats.nodes * node + w->stats.objects * sizeof *w->tree.object) / (double)w->stats.leaves);
        vp_count(out, "excess", w->stats.excess);
    }
}

int vp_scene_by_item(const void *a, const void *b)
{
    const vp_spheretree_item *x = a, *y = b;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

const char *const vp_scene_search_notes[VP_WAYS] = {
    ", tree of the published rule",  ", tree of the rule that grows least", ", tree built offline", ", wide tree", ", every object",
    ", sweep-and-prune on one axis", ", sweep-and-prune on three axes"};

enum {
    TREES = 1 << VP_WAY_SMALLER | 1 << VP_WAY_LEAST,
    BUILT = 1 << VP_WAY_BUILT,
    WIDE = 1 << VP_WAY_WIDE,
    BASELINES = 1 << VP_WAY_BRUTE | 1 << VP_WAY_SWEEP1 | 1 << VP_WAY_SWEEP3
};
#define OF(set, bits) VP_ON(set, bits, VP_TIMED | VP_ONLY_SCALAR), VP_ON(set, WIDE, VP_TIMED)
#define ALL_OF(family)                                                                                                                     \
    OF(family "/100", TREES | BUILT | BASELINES), OF(family "/1000", TREES | BUILT | BASELINES), OF(family "/10000", TREES | BASELINES)
const vp_measured vp_scene_searches[] = {ALL_OF("uniform"),
                                         ALL_OF("hills"),
                                         OF("clustered/10000", TREES),
                                         OF("mixed-radii/10000", TREES),
                                         OF("hill-triangles/10000", TREES),
                                         OF("sorted/10000", TREES),
                                         OF("line/1000", TREES),
                                         OF("growing/3400", TREES),
                                         VP_ON("uniform/100000", WIDE, VP_TIMED),
                                         {.data = NULL}};
