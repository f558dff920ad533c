/* SPDX-License-Identifier: MIT */
/* The loose kD tree as an object: checks, memory, and the data of hits. kd/build.c builds it, kd/ray.c and
 * kd/gather.c query it. */
#include <voxphys/kd.h>

#include <math.h>
#include <string.h>

#include "src/core/error.h"
#include "src/kd/corners.h"
#include "src/core/memory.h"
#include "src/kd/answers.h"
#include "src/kd/pack.h"

/* The query kernels of a table. A whole table would be larger than many a chunk's nodes. */
typedef struct queries {
    vp_kd_ray_fn *ray;
    vp_kd_ray16_fn *ray16;
    vp_kd_ray_any_fn *ray_any;
    vp_kd_ray_all_fn *ray_all;
    vp_kd_sphere_sweep_fn *sweep;
    vp_kd_gather_fn *box;
} queries;

/* Nodes, items and their numbers follow it, in one block, and in the packed and the implied form vertices too. */
struct vp_kd {
    vp_kd_view view;
    size_t bytes; /* of the block */
    const uint8_t *material;
    queries queries;
    vp_allocator allocator;
    uint32_t node_count;
    uint32_t mesh_bytes; /* of vertices */
};

/* The form that is built first. The packed and the implied form are made from the wide one. */
static vp_kd_form built_form_of(vp_kd_form form)
{
    return vp_kd_keeps_all(form) ? VP_KD_WIDE : form;
}

static size_t node_bytes_of(vp_kd_form form)
{
    return vp_kd_keeps_all(form) ? sizeof(vp_kd_packed_node) : form == VP_KD_WIDE ? sizeof(vp_kd_wide) : sizeof(vp_kd_node);
}

/* ---- checks ---- */

static vp_status check_vertex(const vp_triangles *t, uint32_t triangle, uint32_t vertex, vp_error *error)
{
    if (vertex >= t->vertex_count)
        return vp_fail(error, VP_E_ARGUMENT, "triangle %u has vertex %u of %u", triangle, vertex, t->vertex_count);
    const float at[3] = {t->vertex[vertex].x, t->vertex[vertex].y, t->vertex[vertex].z};
    for (int k = 0; k < 3; k++)
        if (!(fabsf(at[k]) <= VP_KD_MAX))
            return vp_fail(error, VP_E_ARGUMENT, "vertex %u of triangle %u has %c = %g; the absolute value must be at most 2^40", vertex,
                           triangle, "xyz"[k], (double)at[k]);
    return VP_OK;
}

/* The largest of the coordinates' bits without their signs. They compare like absolute values, with infinity and
 * NaN above all. */
static int32_t find_largest_bits(const float *coordinate, size_t count)
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

/* Whether all indices and all vertices, used or not, are valid. This is the faster check, where it is faster. */
static bool is_all_valid(const vp_triangles *t)
{
    if (t->triangle_count == 0 || t->vertex_count > t->triangle_count * UINT64_C(3))
        return false;
    const size_t indices = (size_t)t->triangle_count * (t->quads ? 2 : 3);
    const float max = VP_KD_MAX;
    uint32_t highest = 0;
    for (size_t i = 0; i < indices; i++)
        highest = t->index[i] > highest ? t->index[i] : highest;
    return highest < t->vertex_count &&
           find_largest_bits((const float *)(const void *)t->vertex, (size_t)t->vertex_count * 3) <= find_largest_bits(&max, 1);
}

static vp_status check_in_use(const vp_triangles *t, vp_error *error)
{
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        uint32_t corner[3];
        vp_triangle_corners(t, i, corner);
        for (int c = 0; c < 3; c++)
            VP_RETURN_IF_FAILED(check_vertex(t, i, corner[c], error));
    }
    return VP_OK;
}

static vp_status check_def(const vp_kd_def *def, vp_error *error)
{
    const vp_triangles *t = &def->triangles;
    if ((unsigned)def->form >= VP_KD_FORM_COUNT)
        return vp_fail(error, VP_E_ARGUMENT, "vp_kd_def.form is %d; must be 0 to %d", (int)def->form, VP_KD_FORM_COUNT - 1);
    if (t->triangle_count > VP_KD_MAX_TRIANGLES)
        return vp_fail(error, VP_E_ARGUMENT, "%u triangles: a tree has at most %d", t->triangle_count, VP_KD_MAX_TRIANGLES);
    if (t->quads && t->triangle_count % 2 != 0)
        return vp_fail(error, VP_E_ARGUMENT, "%u triangles: quads have two each", t->triangle_count);
    if (def->scratch != NULL) {
        const size_t needed = vp_kd_create_scratch_bytes(def->form, vp_kd_item_count(t));
        if (def->scratch_bytes < needed)
            return vp_fail(error, VP_E_ARGUMENT, "scratch of %zu bytes: %zu are needed", def->scratch_bytes, needed);
        if ((uintptr_t)def->scratch % 64 != 0)
            return vp_fail(error, VP_E_ARGUMENT, "scratch at %p is not at a multiple of 64", def->scratch);
    }
    VP_RETURN_IF_FAILED(is_all_valid(t) ? VP_OK : check_in_use(t, error));
    return vp_kd_keeps_all(def->form) ? vp_pack_check(def->form, t, error) : VP_OK;
}

/* ---- making and freeing ---- */

static size_t lines_of(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Memory where a tree is made, before its size is known. It has room for the maximum of nodes, for its items and their
   numbers, and for the kernel. */
typedef struct workplace {
    void *node, *scratch;
    vp_kd_item *item;
    uint32_t *item_id;
} workplace;

/* The size of items and their numbers, with the padding that queries read. */
static size_t items_of(vp_kd_form form, uint32_t items)
{
    return built_form_of(form) == VP_KD_WIDE ? (size_t)items + VP_KD_ITEM_SLACK : 0;
}

/* Scratch for the kernel, and then for the conversion of its result. */
static size_t scratch_of(vp_kd_form form, uint32_t items)
{
    const size_t build = vp_kd_scratch_bytes(items), pack = vp_kd_keeps_all(form) ? vp_pack_scratch_bytes(items) : 0;
    return build > pack ? build : pack;
}

size_t vp_kd_create_scratch_bytes(vp_kd_form form, uint32_t items)
{
    const size_t behind = items_of(form, items);
    const vp_kd_form built = built_form_of(form);
    return lines_of(vp_kd_max_nodes(built, items) * node_bytes_of(built)) + lines_of(behind * sizeof(vp_kd_item)) +
           lines_of(behind * sizeof(uint32_t)) + scratch_of(form, items);
}

static workplace place_workplace(void *memory, vp_kd_form form, uint32_t items)
{
    const size_t behind = items_of(form, items);
    const vp_kd_form built = built_form_of(form);
    char *at = memory;
    workplace w = {.node = at};
    at += lines_of(vp_kd_max_nodes(built, items) * node_bytes_of(built));
    w.item = (void *)at;
    at += lines_of(behind * sizeof(vp_kd_item));
    w.item_id = (void *)at;
    at += lines_of(behind * sizeof(uint32_t));
    w.scratch = at;
    return w;
}

/* Makes the tree, with the used part of the workplace. */
static vp_kd *create_tree(const vp_allocator *allocator, const vp_kd_def *def, uint32_t items, const workplace *w, vp_kd_build_result built)
{
    const size_t node = built.node_count * node_bytes_of(def->form),
                 behind = items != 0 && def->form == VP_KD_WIDE ? VP_KD_ITEM_SLACK + (size_t)items : 0;
    const size_t before = lines_of(sizeof(vp_kd)), item = behind * sizeof(vp_kd_item), id = behind * sizeof(uint32_t);
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

/* Makes the packed or the implied tree from the wide one in the workplace. */
static vp_status pack_tree(const vp_allocator *allocator, const vp_kd_def *def, uint32_t items, const workplace *w,
                           vp_kd_build_result built, vp_kd **out, vp_error *error)
{
    vp_pack p = {.form = def->form,
                 .triangles = &def->triangles,
                 .box = built.box,
                 .items = items,
                 .wide = w->node,
                 .item = w->item,
                 .item_id = w->item_id,
                 .scratch = w->scratch};
    VP_RETURN_IF_FAILED(vp_pack_plan(&p, error));
    const size_t before = lines_of(sizeof(vp_kd)), bytes = before + p.bytes;
    vp_kd *tree = vp_allocate(allocator, bytes, 1);
    *out = tree;
    if (tree == NULL)
        return VP_OK;
    *tree = (vp_kd){.view = {.form = def->form, .triangles = def->triangles, .box = built.box},
                    .bytes = bytes,
                    .node_count = p.nodes,
                    .mesh_bytes = (uint32_t)p.mesh_bytes,
                    .material = def->material,
                    .allocator = *allocator};
    tree->view.triangles.vertex = NULL;
    tree->view.triangles.index = NULL;
    vp_pack_write(&p, (char *)tree + before, &tree->view);
    return VP_OK;
}

/* Builds in memory of vp_kd_create_scratch_bytes. @param out  NULL without memory for the tree */
static vp_status build_tree(const vp_allocator *allocator, const vp_kd_def *def, const vp_kernels *kernels, uint32_t items, void *memory,
                            vp_kd **out, vp_error *error)
{
    vp_kd_build_result built = {.box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    const vp_kd_form form = built_form_of(def->form);
    workplace w = {0};
    if (items != 0) {
        w = place_workplace(memory, def->form, items);
        vp_kd_build_job job = {.triangles = def->triangles, .form = form, .item = w.item, .item_id = w.item_id, .scratch = w.scratch};
        if (form == VP_KD_WIDE) {
            job.wide = w.node;
            memset(w.item + items, 0, VP_KD_ITEM_SLACK * sizeof *w.item);
            memset(w.item_id + items, 0, VP_KD_ITEM_SLACK * sizeof *w.item_id);
        } else {
            job.node = w.node;
        }
        built = kernels->kd_build(&job);
    }
    if (vp_kd_keeps_all(def->form))
        VP_RETURN_IF_FAILED(pack_tree(allocator, def, items, &w, built, out, error));
    else
        *out = create_tree(allocator, def, items, &w, built);
    if (*out != NULL)
        (*out)->queries = (queries){kernels->kd_ray,     kernels->kd_ray16,        kernels->kd_ray_any,
                                    kernels->kd_ray_all, kernels->kd_sphere_sweep, kernels->kd_gather};
    return VP_OK;
}

vp_status vp_kd_create(const vp_kd_def *def, vp_kd **out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, out);
    vp_kernels kernels;
    VP_RETURN_IF_FAILED(check_def(def, error));
    if (def->kernels == NULL)
        VP_RETURN_IF_FAILED(vp_kernels_default(&kernels, error));
    const vp_allocator allocator = vp_allocator_or_default(def->allocator);
    const uint32_t items = vp_kd_item_count(&def->triangles);
    const size_t bytes = vp_kd_create_scratch_bytes(def->form, items);
    void *memory = def->scratch != NULL || items == 0 ? def->scratch : vp_allocate(&allocator, bytes, 1);
    vp_kd *tree = NULL;
    vp_status status = VP_OK;
    if (memory != NULL || items == 0)
        status = build_tree(&allocator, def, def->kernels != NULL ? def->kernels : &kernels, items, memory, &tree, error);
    if (memory != def->scratch)
        vp_release(&allocator, memory, bytes, 1);
    if (status != VP_OK)
        return status;
    if (tree == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for a tree over %u triangles", def->triangles.triangle_count);
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
    static const uint8_t item_bytes[VP_KD_FORM_COUNT] = {
        [VP_KD_WIDE] = sizeof(vp_kd_item) + sizeof(uint32_t), [VP_KD_PACKED] = 10, [VP_KD_IMPLIED] = sizeof(vp_kd_implied_item)};
    return (vp_kd_memory){.nodes = tree->node_count,
                          .node_bytes = tree->node_count * node_bytes_of(tree->view.form),
                          .item_bytes = (size_t)vp_kd_item_count(&tree->view.triangles) * item_bytes[tree->view.form],
                          .mesh_bytes = tree->mesh_bytes,
                          .bytes = tree->bytes};
}

/* ---- queries ---- */

static vp_status report_bad_ray(const vp_ray *ray, vp_error *error)
{
    return vp_refuse_ray("the ray", ray, error);
}

vp_status vp_kd_raycast(const vp_kd *tree, const vp_ray *ray, vp_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, tree, ray, out);
    vp_hit hit = tree->queries.ray(&tree->view, ray);
    if (hit.triangle == VP_RAY_INVALID)
        return report_bad_ray(ray, error);
    *out = hit;
    return vp_succeed(error);
}

vp_status vp_kd_raycast_many(const vp_kd *tree, const vp_ray *ray, size_t count, vp_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, tree);
    VP_RETURN_IF_ARRAY_NULL(error, ray, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, count);
    enum { PACKET = 16 };
    size_t invalid = count; /* the first one */
    for (size_t first = 0; first < count; first += PACKET) {
        uint32_t rays = count - first < PACKET ? (uint32_t)(count - first) : PACKET;
        tree->queries.ray16(&tree->view, ray + first, rays, out + first);
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
    VP_RETURN_IF_NULL(error, tree, ray, out);
    int32_t any = tree->queries.ray_any(&tree->view, ray);
    if (any == VP_RAY_INVALID)
        return report_bad_ray(ray, error);
    *out = any != 0;
    return vp_succeed(error);
}

vp_status vp_kd_raycast_all(const vp_kd *tree, const vp_ray *ray, vp_hit *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, tree, ray, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    uint32_t found = tree->queries.ray_all(&tree->view, ray, out, capacity);
    if (found == VP_RAY_ALL_INVALID)
        return report_bad_ray(ray, error);
    *count = found;
    return vp_succeed(error);
}

vp_status vp_kd_sphere_sweep(const vp_kd *tree, const vp_ray *ray, float radius, vp_hit *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, tree, ray, out);
    if (!(radius >= 0.0f && radius <= VP_KD_MAX))
        return vp_refuse_radius(radius, error);
    vp_hit hit = tree->queries.sweep(&tree->view, ray, radius);
    if (hit.triangle == VP_RAY_INVALID)
        return report_bad_ray(ray, error);
    *out = hit;
    return vp_succeed(error);
}

vp_status vp_kd_gather(const vp_kd *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity, uint32_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL(error, tree, box, count);
    VP_RETURN_IF_ARRAY_NULL(error, out, capacity);
    if (!vp_aabb_valid(box))
        return vp_refuse_box(box, error);
    *count = tree->queries.box(&tree->view, box, out, capacity);
    return vp_succeed(error);
}

void vp_kd_corners(const vp_kd_view *tree, uint32_t triangle, vp_vec3 corner[3])
{
    vp_kd_read_corners(tree, triangle, corner);
}

vp_surface_point vp_kd_surface(const vp_kd *tree, const vp_ray *ray, const vp_hit *hit)
{
    const vp_triangles *t = &tree->view.triangles;
    vp_vec3 corner[3];
    vp_kd_corners(&tree->view, (uint32_t)hit->triangle, corner);
    vp_surface_point p = {.point = vp_ray_point(ray, hit->t), .normal = vp_triangle_normal(corner)};
    if (tree->material != NULL)
        p.material = tree->material[(uint32_t)hit->triangle / (t->quads ? 2u : 1u)];
    return p;
}

vp_sphere_contact vp_kd_sphere_contact(const vp_kd *tree, const vp_ray *ray, float radius, const vp_hit *hit)
{
    vp_vec3 corner[3];
    if (hit->triangle < 0)
        return (vp_sphere_contact){.started_inside = false};
    vp_kd_corners(&tree->view, (uint32_t)hit->triangle, corner);
    return vp_contact_with_triangle(corner, ray, radius, hit->t);
}
