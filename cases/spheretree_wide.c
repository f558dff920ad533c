/* SPDX-License-Identifier: MIT */
/* The case of the bounds of wide nodes. Its nodes have 16 spheres of a scene, the last one fewer. */
#include <math.h>
#include <stdalign.h>

#include "cases/scene_work.h"
#include "src/core/error.h"

enum { WIDTH = VP_SPHERETREE_WIDTH };

typedef struct bound_work {
    uint32_t count;
    const vp_spheretree_wide_node *node;
    vp_sphere *out;
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
    return VP_OK;
}

static vp_status run_bounds(const vp_setting *how, void *argument, uint32_t step, uint64_t *items, vp_error *error)
{
    const bound_work *w = argument;
    (void)step, (void)error;
    if (w->count > 0)
        how->kernels->scene_bound(w->node, w->count, w->out);
    *items = w->count;
    return VP_OK;
}

VP_RECORD_EACH(record_bounds, bound_work, w->count, vp_record_words(&w->out[i], 4, out))

/* A bound contains its children, and is no larger than its centre requires. */
static vp_status judge_bounds(const void *argument, uint32_t step, vp_error *error)
{
    const bound_work *w = argument;
    (void)step;
    for (uint32_t i = 0; i < w->count; i++) {
        const vp_sphere *bound = &w->out[i];
        double reach = 0;
        for (int k = 0; k < WIDTH; k++) {
            const vp_spheretree_wide_node *n = &w->node[i];
            const double x = (double)n->x[k] - (double)bound->centre.x, y = (double)n->y[k] - (double)bound->centre.y,
                         z = (double)n->z[k] - (double)bound->centre.z;
            reach = fmax(reach, sqrt((x * x + y * y) + z * z) + (double)n->radius[k]); /* NaN is skipped */
        }
        if (!((double)bound->radius >= reach * (1 + 0x1p-50) && (double)bound->radius <= reach * (1 + 0x1p-19) + 0x1p-69))
            return vp_fail(error, VP_E_FORMAT, "node %u has the radius %g, not %g", i, (double)bound->radius, reach);
    }
    return VP_OK;
}

static const vp_measured bounds[] = {VP_ON("uniform/1000", 1, VP_TIMED), {.data = NULL}};

const vp_case vp_case_scene_bound = {
    .kind = &vp_kind_scenes, .make = make_bounds, .run = run_bounds, .records = record_bounds, .judge = judge_bounds, .measured = bounds};
