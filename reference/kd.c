/* SPDX-License-Identifier: MIT */
/* The loose kD tree as an object: checks, memory, and what is at a hit. How it is built is in kd_build.c, how
 * it is asked in kd_ray.c and kd_box.c. */
#include <voxphys/kd.h>

#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "reference/kd_answers.h"

/* Nodes, items and their numbers lie behind it, in one block. */
struct vp_kd {
    vp_kd_view view;
    size_t bytes; /* of the block */
    uint32_t node_count;
    const uint8_t *material;
    vp_kernels kernels;
    vp_allocator allocator;
};

static size_t node_bytes(vp_kd_form form)
{
    return form == VP_KD_WIDE ? sizeof(vp_kd_wide) : sizeof(vp_kd_node);
}

/* ---- checks ---- */

static vp_status check_vertex(const vp_triangles *t, uint32_t triangle, uint32_t vertex, vp_error *error)
{
    if (vertex >= t->vertex_count)
        return vp_fail(error, VP_E_ARGUMENT, "triangle %u has vertex %u of %u", triangle, vertex,
                       t->vertex_count);
    const float at[3] = {t->vertex[vertex].x, t->vertex[vertex].y, t->vertex[vertex].z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(at[k]) <= VP_KD_MOST))
            return vp_fail(error, VP_E_ARGUMENT, "vertex %u of triangle %u has %c = %g; %g is the most",
                           vertex, triangle, "xyz"[k], (double)at[k], (double)VP_KD_MOST);
    return VP_OK;
}

/* The largest of the coordinates' bits without their signs: in the order of their sizes, and infinite and NaN behind all. */
static int32_t largest_bits(const float *coordinate, size_t count)
{
    int32_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, &coordinate[i], sizeof bits);
        bits &= INT32_MAX;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

/* Whether all indices and all vertices, in use or not, are right: the quicker look, where it is quicker. */
static bool all_sound(const vp_triangles *t)
{
    if (t->triangle_count == 0 || t->vertex_count > t->triangle_count * UINT64_C(3))
        return false;
    const size_t indices = (size_t)t->triangle_count * (t->quads ? 2 : 3);
    const float most = VP_KD_MOST;
    uint32_t highest = 0;
    for (size_t i = 0; i < indices; i++)
        highest = t->index[i] > highest ? t->index[i] : highest;
    return highest < t->vertex_count &&
           largest_bits((const float *)(const void *)t->vertex, (size_t)t->vertex_count * 3) <= largest_bits(&most, 1);
}

static vp_status check_in_use(const vp_triangles *t, vp_error *error)
{
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

static vp_status check(const vp_kd_def *def, vp_error *error)
{
    const vp_triangles *t = &def->triangles;
    if ((unsigned)def->form >= VP_KD_FORM_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "form %d: there are 0 to %d", (int)def->form,
                       VP_KD_FORM_COUNT - 1);
    if (t->triangle_count > VP_KD_MAX_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "%u triangles: a tree has at most %d", t->triangle_count,
                       VP_KD_MAX_TRIANGLES);
    if (t->quads && t->triangle_count % 2 != 0)
        return vp_fail(error, VP_E_ARGUMENT, "%u triangles: quads have two each", t->triangle_count);
    if (def->scratch != NULL) {
        const size_t needed = vp_kd_create_scratch_bytes(def->form, vp_kd_item_count(t));
        if (def->scratch_bytes < needed)
            return vp_fail(error, VP_E_ARGUMENT, "scratch of %zu bytes: %zu are needed", def->scratch_bytes,
                           needed);
        if ((uintptr_t)def->scratch % 64 != 0)
            return vp_fail(error, VP_E_ARGUMENT, "scratch at %p is not at a multiple of 64", def->scratch);
    }
    return all_sound(t) ? VP_OK : check_in_use(t, error);
}

/* ---- making and freeing ---- */

static size_t lines_of(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Where a tree is made, before it is known how much it takes: room for the most nodes, for its items and
   their numbers, and for the kernel. */
typedef struct workplace {
    void *node, *scratch;
    vp_kd_item *item;
    uint32_t *item_id;
} workplace;

size_t vp_kd_create_scratch_bytes(vp_kd_form form, uint32_t items)
{
    const size_t behind = form == VP_KD_WIDE ? (size_t)items + VP_KD_ITEM_SLACK : 0;
    return lines_of(vp_kd_most_nodes(form, items) * node_bytes(form)) +
           lines_of(behind * sizeof(vp_kd_item)) + lines_of(behind * sizeof(uint32_t)) +
           vp_kd_scratch_bytes(items);
}

static workplace workplace_in(void *memory, vp_kd_form form, uint32_t items)
{
    const size_t behind = form == VP_KD_WIDE ? (size_t)items + VP_KD_ITEM_SLACK : 0;
    char *at = memory;
    workplace w = {.node = at};
    at += lines_of(vp_kd_most_nodes(form, items) * node_bytes(form));
    w.item = (void *)at;
    at += lines_of(behind * sizeof(vp_kd_item));
    w.item_id = (void *)at;
    at += lines_of(behind * sizeof(uint32_t));
    w.scratch = at;
    return w;
}

/* The tree, with what is in use of the workplace. */
static vp_kd *keep(const vp_allocator *allocator, const vp_kd_def *def, uint32_t items, const workplace *w,
                   vp_kd_built built)
{
    const size_t node = built.node_count * node_bytes(def->form),
                 behind = items != 0 && def->form == VP_KD_WIDE ? VP_KD_ITEM_SLACK + (size_t)items : 0;
    const size_t before = lines_of(sizeof(vp_kd)), item = behind * sizeof(vp_kd_item),
                 id = behind * sizeof(uint32_t);
    const size_t bytes = before + lines_of(node) + lines_of(item) + id;
    vp_kd *tree = vp_allocate(allocator, bytes, 1);
    if (tree == NULL)
        return NULL;
    *tree = (vp_kd){.view = {.form = def->form, .triangles = def->triangles, .box = built.box},
                    .bytes = bytes,
                    .node_count = built.node_count,
                    .material = def->material,
                    .allocator = *allocator};
    if (items == 0)
        return tree;
    char *nodes = (char *)tree + before, *ids = nodes + lines_of(node) + lines_of(item);
    memcpy(nodes, w->node, node);
    if (def->form != VP_KD_WIDE) {
        tree->view.node = (void *)nodes;
        return tree;
    }
    memcpy(nodes + lines_of(node), w->item, item);
    memcpy(ids, w->item_id, id);
    tree->view.wide = (void *)nodes;
    tree->view.item = (void *)(nodes + lines_of(node));
    tree->view.item_id = (void *)ids;
    return tree;
}

/* Builds in memory of vp_kd_create_scratch_bytes. */
static vp_kd *make(const vp_allocator *allocator, const vp_kd_def *def, const vp_kernels *kernels,
                   uint32_t items, void *memory)
{
    vp_kd_built built = {.box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    workplace w = {0};
    if (items != 0) {
        w = workplace_in(memory, def->form, items);
        vp_kd_build job = {.triangles = def->triangles,
                           .form = def->form,
                           .item = w.item,
                           .item_id = w.item_id,
                           .scratch = w.scratch};
        if (def->form == VP_KD_WIDE) {
            job.wide = w.node;
            memset(w.item + items, 0, VP_KD_ITEM_SLACK * sizeof *w.item);
            memset(w.item_id + items, 0, VP_KD_ITEM_SLACK * sizeof *w.item_id);
        } else {
            job.node = w.node;
        }
        built = kernels->kd_build(&job);
    }
    vp_kd *tree = keep(allocator, def, items, &w, built);
    if (tree != NULL)
        tree->kernels = *kernels;
    return tree;
}

vp_status vp_kd_create(const vp_kd_def *def, vp_kd **out, vp_error *error)
{
    vp_kernels kernels;
    vp_status status = check(def, error);
    if (status == VP_OK && def->kernels == NULL)
        status = vp_kernels_default(&kernels, error);
    if (status != VP_OK)
        return status;
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    const uint32_t items = vp_kd_item_count(&def->triangles);
    const size_t bytes = vp_kd_create_scratch_bytes(def->form, items);
    void *memory = def->scratch != NULL || items == 0 ? def->scratch : vp_allocate(&allocator, bytes, 1);
    vp_kd *tree = memory != NULL || items == 0
                      ? make(&allocator, def, def->kernels != NULL ? def->kernels : &kernels, items, memory)
                      : NULL;
    if (memory != def->scratch)
        vp_release(&allocator, memory, bytes, 1);
    if (tree == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a tree over %u triangles",
                       def->triangles.triangle_count);
    *out = tree;
    return vp_succeed(error);
}

void vp_kd_destroy(vp_kd *tree)
{
    if (tree == NULL)
        return;
    const vp_allocator allocator = tree->allocator;
    vp_release(&allocator, tree, tree->bytes, 1);
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

static vp_status ray_fails(const vp_ray *ray, vp_error *error)
{
    return vp_refuse_ray("the ray", ray, error);
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
    return vp_refuse_ray_number(invalid, &ray[invalid], error);
}

vp_status vp_kd_raycast_any(const vp_kd *tree, const vp_ray *ray, bool *out, vp_error *error)
{
    int32_t any = tree->kernels.kd_ray_any(&tree->view, ray);
    if (any == VP_RAY_INVALID)
        return ray_fails(ray, error);
    *out = any != 0;
    return vp_succeed(error);
}

vp_status vp_kd_raycast_all(const vp_kd *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity,
                            uint32_t *count, vp_error *error)
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
        return vp_refuse_radius(radius, error);
    vp_hit hit = tree->kernels.kd_sweep(&tree->view, ray, radius);
    if (hit.triangle == VP_RAY_INVALID)
        return ray_fails(ray, error);
    *out = hit;
    return vp_succeed(error);
}

vp_status vp_kd_gather(const vp_kd *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity,
                       uint32_t *count, vp_error *error)
{
    if (!vp_aabb_valid(box))
        return vp_refuse_box(box, error);
    *count = tree->kernels.kd_box(&tree->view, box, out, capacity);
    return vp_succeed(error);
}

vp_surface_point vp_kd_surface(const vp_kd *tree, const vp_ray *ray, const vp_hit *hit)
{
    const vp_triangles *t = &tree->view.triangles;
    uint32_t triangle = (uint32_t)hit->triangle, corner[3];
    vp_triangle_corners(t, triangle, corner);
    const vp_vec3 at[3] = {t->vertex[corner[0]], t->vertex[corner[1]], t->vertex[corner[2]]};
    vp_surface_point p = vp_point_on_triangle(at, ray, hit->t);
    if (tree->material != NULL)
        p.material = tree->material[t->quads ? triangle / 2 : triangle];
    return p;
}
