/* SPDX-License-Identifier: MIT */
/* The loose kD tree as an object: checks, memory, and what is at a hit. How it is built is in kd_build.c, how it is asked in
 * kd_ray.c and kd_box.c. */
#include <voxphys/kd.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

struct vp_kd {
    vp_kd_view view; /* of the memory below */
    void *node;      /* vp_kd_node or vp_kd_wide */
    vp_kd_item *item;
    uint32_t *item_id;
    uint32_t node_count;
    const uint8_t *material;
    vp_kernels kernels;
    vp_allocator allocator;
};

enum { BEHIND = 3 }; /* items behind the last one, for versions that read four at once: corners 0, which there is */

static size_t node_bytes(vp_kd_form form)
{
    return form == VP_KD_WIDE ? sizeof(vp_kd_wide) : sizeof(vp_kd_node);
}

/* ---- checks ---- */

static vp_status check_vertex(const vp_triangles *t, uint32_t triangle, uint32_t vertex, vp_error *error)
{
    if (vertex >= t->vertex_count)
        return vp_fail(error, VP_E_ARGUMENT, "triangle %u has vertex %u of %u", triangle, vertex, t->vertex_count);
    const float at[3] = {t->vertex[vertex].x, t->vertex[vertex].y, t->vertex[vertex].z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(at[k]) <= VP_KD_MOST))
            return vp_fail(error, VP_E_ARGUMENT, "vertex %u of triangle %u has %c = %g; %g is the most", vertex, triangle,
                           "xyz"[k], (double)at[k], (double)VP_KD_MOST);
    return VP_OK;
}

static vp_status check(const vp_kd_def *def, vp_error *error)
{
    const vp_triangles *t = &def->triangles;
    if ((unsigned)def->form >= VP_KD_FORM_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "form %d: there are 0 to %d", (int)def->form, VP_KD_FORM_COUNT - 1);
    if (t->triangle_count > VP_KD_MAX_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "%u triangles: a tree has at most %d", t->triangle_count,
                       VP_KD_MAX_TRIANGLES);
    if (t->quads && t->triangle_count % 2 != 0)
        return vp_fail(error, VP_E_ARGUMENT, "%u triangles: quads have two each", t->triangle_count);
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        uint32_t corner[3];
        vp_triangle_corners(t, i, corner);
        for (int c = 0; c < 3; c++) {
            vp_status status = check_vertex(t, i, corner[c], error);
            if (status != VP_OK)
                return status;
        }
    }
    return VP_OK;
}

/* ---- making and freeing ---- */

/* What a build writes into and works with, of the most that it can need. */
typedef struct workplace {
    size_t most_nodes;
    void *node, *scratch;
} workplace;

static bool make_workplace(vp_kd *tree, uint32_t items, workplace *w)
{
    const vp_allocator *a = &tree->allocator;
    w->most_nodes = vp_kd_most_nodes(tree->view.form, items);
    w->node = vp_allocate(a, w->most_nodes, node_bytes(tree->view.form));
    w->scratch = vp_allocate(a, vp_kd_scratch_bytes(items), 1);
    return w->node != NULL && w->scratch != NULL;
}

static void drop_workplace(const vp_kd *tree, uint32_t items, const workplace *w)
{
    vp_release(&tree->allocator, w->node, w->most_nodes, node_bytes(tree->view.form));
    vp_release(&tree->allocator, w->scratch, vp_kd_scratch_bytes(items), 1);
}

static bool make_items(vp_kd *tree, uint32_t items)
{
    if (tree->view.form != VP_KD_WIDE)
        return true;
    tree->item = vp_allocate_zero(&tree->allocator, (size_t)items + BEHIND, sizeof *tree->item);
    tree->item_id = vp_allocate_zero(&tree->allocator, (size_t)items + BEHIND, sizeof *tree->item_id);
    return tree->item != NULL && tree->item_id != NULL;
}

/* Builds in the workplace, and keeps what is in use of it. */
static bool build(vp_kd *tree, const workplace *w)
{
    vp_kd_view *view = &tree->view;
    vp_kd_build job = {.triangles = view->triangles, .form = view->form, .scratch = w->scratch};
    if (view->form == VP_KD_WIDE)
        job.wide = w->node;
    else
        job.node = w->node;
    job.item = tree->item;
    job.item_id = tree->item_id;
    vp_kd_built built = tree->kernels.kd_build(&job);
    size_t bytes = node_bytes(view->form);
    tree->node = vp_allocate(&tree->allocator, built.node_count, bytes);
    if (tree->node == NULL)
        return false;
    tree->node_count = built.node_count;
    memcpy(tree->node, w->node, built.node_count * bytes);
    view->box = built.box;
    if (view->form == VP_KD_WIDE)
        view->wide = tree->node;
    else
        view->node = tree->node;
    view->item = tree->item;
    view->item_id = tree->item_id;
    return true;
}

vp_status vp_kd_create(const vp_kd_def *def, vp_kd **out, vp_error *error)
{
    vp_kernels kernels;
    vp_status status = check(def, error);
    if (status == VP_OK && def->kernels == NULL)
        status = vp_kernels_default(&kernels, error);
    if (status != VP_OK)
        return status;
    vp_allocator allocator = vp_allocator_or_default(def->allocator);
    vp_kd *tree = vp_allocate_zero(&allocator, 1, sizeof *tree);
    if (tree == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a tree");
    tree->allocator = allocator;
    tree->kernels = def->kernels != NULL ? *def->kernels : kernels;
    tree->material = def->material;
    tree->view.form = def->form;
    tree->view.triangles = def->triangles;
    tree->view.box = (vp_aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    uint32_t items = vp_kd_item_count(&def->triangles);
    bool made = true;
    if (items != 0) {
        workplace w = {0};
        made = make_workplace(tree, items, &w) && make_items(tree, items) && build(tree, &w);
        drop_workplace(tree, items, &w);
    }
    if (!made) {
        vp_kd_destroy(tree);
        return vp_fail(error, VP_E_MEMORY, "no memory for a tree over %u triangles", def->triangles.triangle_count);
    }
    *out = tree;
    return vp_succeed(error);
}

void vp_kd_destroy(vp_kd *tree)
{
    if (tree == NULL)
        return;
    const vp_allocator allocator = tree->allocator;
    size_t items = (size_t)vp_kd_item_count(&tree->view.triangles) + BEHIND;
    vp_release(&allocator, tree->node, tree->node_count, node_bytes(tree->view.form));
    vp_release(&allocator, tree->item, items, sizeof *tree->item);
    vp_release(&allocator, tree->item_id, items, sizeof *tree->item_id);
    vp_release(&allocator, tree, 1, sizeof *tree);
}

const vp_kd_view *vp_kd_view_of(const vp_kd *tree)
{
    return &tree->view;
}

vp_kd_memory vp_kd_memory_of(const vp_kd *tree)
{
    vp_kd_memory m = {tree->node_count, tree->node_count * node_bytes(tree->view.form), 0};
    if (tree->view.form == VP_KD_WIDE)
        m.item_bytes = vp_kd_item_count(&tree->view.triangles) * (sizeof(vp_kd_item) + sizeof(uint32_t));
    return m;
}

/* ---- queries ---- */

/* What is wrong with a ray that a kernel has refused. */
static vp_status named_ray_fails(const char *name, const vp_ray *ray, vp_error *error)
{
    const float o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(o[k]) <= VP_KD_MOST))
            return vp_fail(error, VP_E_ARGUMENT, "%s's origin has %c = %g; %g is the most", name, "xyz"[k], (double)o[k],
                           (double)VP_KD_MOST);
    for (int k = 0; k < 3; k++)
        if (!isfinite(d[k]))
            return vp_fail(error, VP_E_ARGUMENT, "%s's direction has %c = %g", name, "xyz"[k], (double)d[k]);
    if (d[0] == 0.0f && d[1] == 0.0f && d[2] == 0.0f)
        return vp_fail(error, VP_E_ARGUMENT, "%s's direction is (0, 0, 0)", name);
    return vp_fail(error, VP_E_ARGUMENT, "%s's t_max is %g; it must be 0 or more", name, (double)ray->t_max);
}

static vp_status ray_fails(const vp_ray *ray, vp_error *error)
{
    return named_ray_fails("the ray", ray, error);
}

vp_status vp_kd_raycast(const vp_kd *tree, const vp_ray *ray, vp_hit *out, vp_error *error)
{
    vp_hit hit = tree->kernels.kd_ray(&tree->view, ray);
    if (hit.triangle == VP_RAY_INVALID)
        return ray_fails(ray, error);
    *out = hit;
    return vp_succeed(error);
}

vp_status vp_kd_raycast_many(const vp_kd *tree, const vp_ray *ray, size_t count, vp_hit *out, vp_error *error)
{
    enum { PACKET = 16 };
    size_t invalid = count; /* the first one */
    for (size_t first = 0; first < count; first += PACKET) {
        uint32_t rays = count - first < PACKET ? (uint32_t)(count - first) : PACKET;
        tree->kernels.kd_ray16(&tree->view, ray + first, rays, out + first);
        for (uint32_t i = 0; invalid == count && i < rays; i++)
            if (out[first + i].triangle == VP_RAY_INVALID)
                invalid = first + i;
    }
    if (invalid == count)
        return vp_succeed(error);
    char name[32];
    snprintf(name, sizeof name, "ray %zu", invalid);
    return named_ray_fails(name, &ray[invalid], error);
}

vp_status vp_kd_raycast_any(const vp_kd *tree, const vp_ray *ray, bool *out, vp_error *error)
{
    int32_t any = tree->kernels.kd_ray_any(&tree->view, ray);
    if (any == VP_RAY_INVALID)
        return ray_fails(ray, error);
    *out = any != 0;
    return vp_succeed(error);
}

vp_status vp_kd_raycast_all(const vp_kd *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity, uint32_t *count,
                            vp_error *error)
{
    uint32_t found = tree->kernels.kd_ray_all(&tree->view, ray, out, capacity);
    if (found == VP_RAY_ALL_INVALID)
        return ray_fails(ray, error);
    *count = found;
    return vp_succeed(error);
}

vp_status vp_kd_sphere_sweep(const vp_kd *tree, const vp_ray *ray, float radius, vp_hit *out, vp_error *error)
{
    if (!(radius >= 0.0f && radius <= VP_KD_MOST))
        return vp_fail(error, VP_E_ARGUMENT, "the radius is %g; it must be from 0 to %g", (double)radius,
                       (double)VP_KD_MOST);
    vp_hit hit = tree->kernels.kd_sweep(&tree->view, ray, radius);
    if (hit.triangle == VP_RAY_INVALID)
        return ray_fails(ray, error);
    *out = hit;
    return vp_succeed(error);
}

vp_status vp_kd_gather(const vp_kd *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity, uint32_t *count,
                       vp_error *error)
{
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    for (int k = 0; k < 3; k++)
        if (!(low[k] <= high[k]))
            return vp_fail(error, VP_E_ARGUMENT, "the box goes from %g to %g along %c", (double)low[k], (double)high[k],
                           "xyz"[k]);
    *count = tree->kernels.kd_box(&tree->view, box, out, capacity);
    return vp_succeed(error);
}

vp_surface_point vp_kd_surface(const vp_kd *tree, const vp_ray *ray, const vp_hit *hit)
{
    const vp_triangles *t = &tree->view.triangles;
    uint32_t triangle = (uint32_t)hit->triangle, corner[3];
    vp_triangle_corners(t, triangle, corner);
    vp_vec3 a = t->vertex[corner[0]];
    vp_vec3 n = vp_vec3_cross(vp_vec3_sub(t->vertex[corner[1]], a), vp_vec3_sub(t->vertex[corner[2]], a));
    double length = sqrt(((double)n.x * n.x + (double)n.y * n.y) + (double)n.z * n.z);
    vp_surface_point p = {.point = vp_vec3_add(ray->origin, vp_vec3_scale(ray->direction, hit->t))};
    if (length > 0)
        p.normal = (vp_vec3){(float)(n.x / length), (float)(n.y / length), (float)(n.z / length)};
    if (tree->material != NULL)
        p.material = tree->material[t->quads ? triangle / 2 : triangle];
    return p;
}
