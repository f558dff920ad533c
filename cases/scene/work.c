/* SPDX-License-Identifier: MIT */
#include "cases/scene/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/random.h"
#include "src/core/error.h"
#include "src/spheretree/ray_sphere.h"
#include "src/spheretree/touch.h"

const char *const vp_scene_ways[VP_WAYS + 1] = {"smaller", "least", "built", "wide", "brute", "sweep1", "sweep3", NULL};

bool vp_scene_way_takes(const vp_scene_set *scene, vp_scene_way way)
{
    return way < VP_WAY_BUILT || way == VP_WAY_WIDE ||
           (scene->mesh.triangle_count == 0 && (way != VP_WAY_BUILT || scene->count <= VP_SPHERETREE_MAX_BUILD));
}

uint64_t vp_scene_data_of(uint32_t object)
{
    return (uint64_t)object * 7;
}

vp_status vp_scene_fill(const vp_scene_set *scene, vp_scene_way way, const vp_kernels *kernels, const vp_allocator *allocator,
                        vp_spheretree **out, vp_error *error)
{
    const vp_spheretree_def def = {.form = way == VP_WAY_WIDE ? VP_SPHERETREE_WIDE : VP_SPHERETREE_PUBLISHED,
                                   .rule = way == VP_WAY_LEAST ? VP_SPHERETREE_LEAST : VP_SPHERETREE_SMALLER,
                                   .kernels = kernels,
                                   .allocator = allocator};
    vp_spheretree *tree = NULL;
    uint32_t id;
    vp_status status = vp_spheretree_create(&def, &tree, error);
    if (status == VP_OK && (way == VP_WAY_BUILT || way == VP_WAY_WIDE)) {
        vp_spheretree_object *object = vp_must(malloc(((size_t)scene->count + 1) * sizeof *object), 1);
        for (uint32_t i = 0; i < scene->count; i++)
            object[i] = (vp_spheretree_object){scene->sphere[i], vp_scene_data_of(i), scene->mask[i], 0};
        status = vp_spheretree_build(tree, object, scene->count, error);
        free(object);
    } else {
        for (uint32_t i = 0; status == VP_OK && i < scene->count; i++) {
            const vp_spheretree_object object = {scene->sphere[i], vp_scene_data_of(i), scene->mask[i], 0};
            status = vp_spheretree_insert(tree, &object, &id, error);
        }
    }
    if (status == VP_OK && scene->mesh.triangle_count > 0)
        status = vp_spheretree_insert_mesh(tree, &scene->mesh, vp_scene_data_of(scene->count), scene->mask[scene->count], &id, error);
    if (status != VP_OK) {
        vp_spheretree_destroy(tree);
        return status;
    }
    *out = tree;
    return VP_OK;
}

/* ---- questions ---- */

static vp_vec3 near(vp_random *r, const vp_sphere *of, float by)
{
    vp_vec3 p; /* one draw per statement, for a fixed order */
    p.x = of->centre.x + of->radius * vp_random_between(r, -by, by);
    p.y = of->centre.y + of->radius * vp_random_between(r, -by, by);
    p.z = of->centre.z + of->radius * vp_random_between(r, -by, by);
    return p;
}

static float held(float v, float most)
{
    return v > most ? most : v < -most ? -most : v;
}

static vp_vec3 held_place(vp_vec3 p, float most)
{
    return (vp_vec3){held(p.x, most), held(p.y, most), held(p.z, most)};
}

/* A sphere of the scene, or one as large as a triangle. */
static vp_sphere random_of(const vp_scene_set *scene, vp_random *r)
{
    const uint32_t items = vp_scene_items(scene), i = items == 0 ? 0 : vp_random_below(r, items);
    if (items == 0)
        return (vp_sphere){{0, 0, 0}, 1};
    if (i < scene->count)
        return scene->sphere[i];
    uint32_t corner[3];
    vp_triangle_corners(&scene->mesh, i - scene->count, corner);
    return (vp_sphere){scene->mesh.vertex[corner[0]], 1};
}

void vp_scene_ask(const vp_scene_set *scene, vp_scene_questions *out)
{
    vp_random r = {20251124};
    bool differ = false;
    for (uint32_t i = 0; i <= scene->count && !differ; i++)
        differ = scene->mask[i] != scene->mask[0];
    out->count = scene->count < 1000 ? 64 : VP_SCENE_QUERIES;
    for (uint32_t i = 0; i < out->count; i++) {
        const vp_sphere of = random_of(scene, &r), other = random_of(scene, &r);
        const float most = VP_SPHERETREE_MAX;
        out->sphere[i] = (vp_sphere){held_place(near(&r, &of, 2), most), held(of.radius * 2, most)};
        const vp_vec3 low = near(&r, &of, 2);
        const vp_vec3 long_by = {of.radius * 3 * vp_random_unit(&r), of.radius * 2, of.radius * 3};
        out->box[i] = (vp_aabb){low, vp_vec3_add(low, long_by)};
        for (int k = 0; k < 3; k++)
            out->triangle[i][k] = held_place(near(&r, &of, 3), most);
        const vp_vec3 from = held_place(near(&r, &of, 4), VP_KD_MAX), to = near(&r, &other, 1);
        out->ray[i] = (vp_ray){from, vp_vec3_sub(to, from), i % 4 == 3 ? 0.5f : INFINITY};
        if (differ && i % 8 == 1) { /* from inside along an axis, at a corner and next to it */
            out->ray[i] = (vp_ray){held_place(of.centre, VP_KD_MAX), {0, 0, -1}, INFINITY};
            out->sphere[i] = (vp_sphere){other.centre, 0};
            out->box[i] = (vp_aabb){{-INFINITY, of.centre.y, 0}, {of.centre.x, of.centre.y, INFINITY}};
            out->triangle[i][2] = out->triangle[i][1] = of.centre;
        }
        if (out->ray[i].direction.x == 0 && out->ray[i].direction.y == 0 && out->ray[i].direction.z == 0)
            out->ray[i].direction.x = 1;
        out->query[i] =
            (vp_spheretree_query){.mask = differ ? i % 4 : UINT32_MAX, .test = differ && i >= out->count / 2 ? vp_scene_object_test : NULL};
        if (differ && i % 4 == 0)
            out->query[i].mask = UINT32_MAX;
    }
}

bool vp_scene_object_test(void *user, uint32_t object, uint64_t data, float *t)
{
    if (data != vp_scene_data_of(object)) /* another object's data makes every answer wrong */
        return false;
    if (object % 3 == 1)
        *t += 0.5f;
    return object % 3 != 0;
}

/* ---- primitive tests only ---- */

uint32_t vp_scene_items(const vp_scene_set *scene)
{
    return scene->count + scene->mesh.triangle_count;
}

vp_spheretree_item vp_scene_item_number(const vp_scene_set *scene, uint32_t item)
{
    return item < scene->count ? (vp_spheretree_item){item, VP_SPHERETREE_NONE} : (vp_spheretree_item){scene->count, item - scene->count};
}

static void corners_of(const vp_scene_set *scene, uint32_t item, vp_vec3 out[3])
{
    uint32_t corner[3];
    vp_triangle_corners(&scene->mesh, item - scene->count, corner);
    for (int k = 0; k < 3; k++)
        out[k] = scene->mesh.vertex[corner[k]];
}

static bool is_asked(const vp_scene_set *scene, const vp_spheretree_query *query, uint32_t item)
{
    return (scene->mask[item < scene->count ? item : scene->count] & query->mask) != 0;
}

bool vp_scene_item_touched(const vp_scene_set *scene, const vp_scene_questions *asked, vp_asked_shape shape, uint32_t i, uint32_t item)
{
    const vp_spheretree_query *query = &asked->query[i];
    vp_vec3 corner[3];
    float t = 0;
    if (!is_asked(scene, query, item))
        return false;
    if (item >= scene->count) {
        corners_of(scene, item, corner);
        return shape == VP_ASK_SPHERE ? vp_triangle_touches_sphere(corner, &asked->sphere[i])
               : shape == VP_ASK_BOX  ? vp_triangle_touches_box(corner, &asked->box[i])
                                      : vp_triangles_touch(asked->triangle[i], corner);
    }
    const vp_sphere *sphere = &scene->sphere[item];
    const bool touched = shape == VP_ASK_SPHERE ? vp_sphere_touches_sphere(&asked->sphere[i], sphere)
                         : shape == VP_ASK_BOX  ? vp_box_touches_sphere(&asked->box[i], sphere)
                                                : vp_triangle_touches_sphere(asked->triangle[i], sphere);
    return touched && (query->test == NULL || query->test(NULL, item, vp_scene_data_of(item), &t));
}

bool vp_scene_item_met(const vp_scene_set *scene, const vp_scene_questions *asked, uint32_t i, uint32_t item, float *s,
                       vp_spheretree_hit *hit)
{
    const vp_spheretree_query *query = &asked->query[i];
    vp_ray_frame ray;
    vp_meeting m;
    if (!is_asked(scene, query, item) || !vp_ray_frame_of(&asked->ray[i], &ray))
        return false;
    if (item >= scene->count) {
        vp_vec3 p[3];
        corners_of(scene, item, p);
        const float a[3] = {p[0].x, p[0].y, p[0].z}, b[3] = {p[1].x, p[1].y, p[1].z}, c[3] = {p[2].x, p[2].y, p[2].z};
        if (!vp_ray_meets(&ray, a, b, c, &m))
            return false;
    } else {
        float t;
        if (!vp_ray_meets_sphere(&ray, &scene->sphere[item], &m))
            return false;
        t = m.t;
        if (query->test != NULL && !query->test(NULL, item, vp_scene_data_of(item), &t))
            return false;
        if (t > m.t) {
            m.t = t;
            m.s = (float)(t / ray.unscale);
        }
        if (!(m.s <= ray.s_max && m.t <= ray.t_max && m.t <= FLT_MAX))
            return false;
    }
    *s = m.s;
    *hit = (vp_spheretree_hit){m.t, vp_scene_item_number(scene, item), m.u, m.v};
    return true;
}

bool vp_scene_items_touch(const vp_scene_set *scene, uint32_t a, uint32_t b)
{
    vp_vec3 corner[3];
    if (a >= scene->count && b >= scene->count)
        return false;
    if (!(scene->mask[a < scene->count ? a : scene->count] & scene->mask[b < scene->count ? b : scene->count]))
        return false;
    if (a < scene->count && b < scene->count)
        return vp_sphere_touches_sphere(&scene->sphere[a], &scene->sphere[b]);
    corners_of(scene, a < scene->count ? b : a, corner);
    return vp_triangle_touches_sphere(corner, &scene->sphere[a < scene->count ? a : b]);
}

bool vp_scene_hit_is_before(float at, vp_spheretree_item item, float other_at, vp_spheretree_item other)
{
    if (at != other_at)
        return at < other_at;
    return item.object != other.object ? item.object < other.object : item.triangle < other.triangle;
}
