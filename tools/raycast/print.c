/* SPDX-License-Identifier: MIT */
/* Output of `voxphys raycast`. */
#include "tools/raycast/raycast.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static const char *isa_of(const vp_raycast *r, vp_kernel_id kernel)
{
    return vp_isa_shown(vp_kernels_isa(&r->kernels, kernel));
}

static size_t tree_bytes(const vp_raycast *r)
{
    vp_kd_memory use = vp_kd_memory_of(r->tree);
    return use.node_bytes + use.item_bytes + use.mesh_bytes;
}

static vp_status hit_of(void *user, uint32_t number, uint32_t k, vp_reported_hit *out, vp_error *error)
{
    vp_raycast *r = user;
    const vp_ray *ray = &r->rays.ray[number];
    const vp_hit *hit = &r->hit[number];
    if (r->cast == VP_CAST_ALL && k == 0) {
        uint32_t count = r->found[number];
        free(r->all);
        r->all = malloc((size_t)count * sizeof *r->all);
        VP_RETURN_IF_FAILED(r->all == NULL ? vp_fail(error, VP_E_MEMORY, "no memory for %u hits", count)
                                           : vp_kd_raycast_all(r->tree, ray, r->all, count, &count, error));
    }
    if (r->cast == VP_CAST_ALL)
        hit = &r->all[k];
    const vp_surface_point at = vp_kd_surface(r->tree, ray, hit);
    *out = (vp_reported_hit){.hit = *hit, .chunk = -1, .point = at.point, .normal = at.normal, .material = at.material};
    if (r->cast == VP_CAST_SWEEP) {
        out->contact = vp_kd_sphere_contact(r->tree, ray, r->radius, hit);
        out->point = out->contact.point;
        out->normal = out->contact.normal;
    }
    return VP_OK;
}

static vp_answers answers_of(vp_raycast *r)
{
    return (vp_answers){r->rays.count, r->shown, r->found, r->cast, &r->source.looks, hit_of, r};
}

/* ---- JSON ---- */

static json_t *hit_json(const vp_answers *a, const vp_reported_hit *h)
{
    json_t *o = json_pack("{s:f, s:o*, s:i, s:f, s:f, s:o, s:o, s:i, s:s}", "t", (double)h->hit.t, "chunk",
                          h->chunk >= 0 ? json_integer(h->chunk) : NULL, "triangle", (int)h->hit.triangle, "u", (double)h->hit.u, "v",
                          (double)h->hit.v, "point", vp_json_vec3(h->point), "normal", vp_json_vec3(h->normal), "material",
                          (int)h->material, "name", a->looks->of[h->material].name);
    if (a->cast == VP_CAST_SWEEP) {
        json_object_set_new(o, "centre", vp_json_vec3(h->contact.centre));
        json_object_set_new(o, "started_inside", json_boolean(h->contact.started_inside));
        json_object_set_new(o, "depth", json_real((double)h->contact.depth));
    }
    return o;
}

json_t *vp_answers_json(const vp_answers *a, vp_error *error)
{
    json_t *out = json_array();
    vp_reported_hit hit;
    for (uint32_t i = 0; i < a->count && i < a->shown; i++) {
        json_t *answer = json_pack("{s:I, s:b}", "ray", (json_int_t)i, "hit", a->found[i] != 0), *list = json_array();
        json_array_append_new(out, answer);
        if (a->cast != VP_CAST_ANY)
            json_object_set(answer, "hits", list);
        json_decref(list);
        for (uint32_t k = 0; a->cast != VP_CAST_ANY && k < a->found[i]; k++) {
            if (a->hit(a->user, i, k, &hit, error) != VP_OK) {
                json_decref(out);
                return NULL;
            }
            json_array_append_new(list, hit_json(a, &hit));
        }
    }
    return out;
}

static json_t *mesh_json(const vp_raycast *r)
{
    const vp_triangles *t = &r->mesh.triangles;
    const bool world = r->source.kind == VP_SOURCE_WORLD, file = r->source.kind == VP_SOURCE_FILE;
    return json_pack("{s:o, s:o, s:I, s:I, s:s*, s:o*, s:o*, s:o*}", "source", vp_json_name(r->source.name), "hash_checked",
                     vp_json_checked(r->source.content), "triangles", (json_int_t)t->triangle_count, "vertices",
                     (json_int_t)t->vertex_count, "surface", world ? vp_surface_names[r->surface] : NULL, "seconds",
                     world ? json_real(r->mesh.seconds) : NULL, "points_left_out",
                     file ? json_integer((json_int_t)r->source.file.points) : NULL, "lines_left_out",
                     file ? json_integer((json_int_t)r->source.file.lines) : NULL);
}

int vp_raycast_print_json(vp_raycast *r)
{
    vp_error error = {VP_E_MEMORY, "no memory for the answers"};
    const vp_answers reported = answers_of(r);
    json_t *answers = vp_answers_json(&reported, &error);
    if (answers == NULL)
        return vp_command_fail("raycast", &error);
    const size_t bytes = tree_bytes(r);
    json_t *tree = json_pack("{s:s, s:s, s:I, s:I, s:f, s:f}", "form", vp_form_names[r->form], "kernel", isa_of(r, VP_KERNEL_kd_build),
                             "nodes", (json_int_t)vp_kd_memory_of(r->tree).nodes, "bytes", (json_int_t)bytes, "bytes_per_triangle",
                             (double)bytes / r->mesh.triangles.triangle_count, "seconds", r->build_seconds);
    json_t *rays = json_pack("{s:I, s:o, s:s, s:s, s:i, s:I, s:I, s:f, s:o, s:o*, s:o*}", "count", (json_int_t)r->rays.count, "set",
                             vp_json_path(r->rays_name), "cast", vp_cast_names[r->cast], "kernel", isa_of(r, r->kernel), "threads",
                             (int)r->threads, "rays_that_hit", (json_int_t)r->hit_rays, "hits", (json_int_t)r->hits, "seconds",
                             r->cast_seconds, "rays_per_second", vp_json_rate(r->rays.count, r->cast_seconds), "hash_checked",
                             r->rays_name != NULL ? vp_json_checked(r->rays_content) : NULL, "radius",
                             r->cast == VP_CAST_SWEEP ? json_real((double)r->radius) : NULL);
    return vp_print_json(json_pack("{s:o, s:o, s:o, s:o, s:o}", "mesh", mesh_json(r), "tree", tree, "rays", rays, "answers", answers,
                                   "digest", vp_json_hex(r->digest)));
}

/* ---- text ---- */

static void print_hit(const vp_answers *a, const vp_reported_hit *h)
{
    const vp_vec3 c = h->contact.centre;
    printf("t %.9g: ", (double)h->hit.t);
    if (h->chunk >= 0)
        printf("chunk %" PRId64 ", ", h->chunk);
    printf("triangle %d (u %.9g, v %.9g), point (%.9g, %.9g, %.9g), normal (%.9g, %.9g, %.9g), %d %s", h->hit.triangle, (double)h->hit.u,
           (double)h->hit.v, (double)h->point.x, (double)h->point.y, (double)h->point.z, (double)h->normal.x, (double)h->normal.y,
           (double)h->normal.z, h->material, a->looks->of[h->material].name);
    if (a->cast == VP_CAST_SWEEP)
        printf(", centre (%.9g, %.9g, %.9g)", (double)c.x, (double)c.y, (double)c.z);
    if (a->cast == VP_CAST_SWEEP && h->contact.started_inside)
        printf(", started inside, depth %.9g", (double)h->contact.depth);
    puts("");
}

vp_status vp_answers_print(const vp_answers *a, vp_error *error)
{
    vp_reported_hit hit;
    for (uint32_t i = 0; i < a->count && i < a->shown; i++) {
        printf("ray %-4u ", i);
        if (a->found[i] == 0 || a->cast == VP_CAST_ANY)
            puts(a->found[i] == 0 ? "nothing" : "a hit");
        for (uint32_t k = 0; a->cast != VP_CAST_ANY && k < a->found[i]; k++) {
            VP_RETURN_IF_FAILED(a->hit(a->user, i, k, &hit, error));
            fputs(k != 0 ? "         " : "", stdout);
            print_hit(a, &hit);
        }
    }
    if (a->count > a->shown)
        printf("         and %u more ray%s; --hits prints more\n", a->count - a->shown, vp_plural(a->count - a->shown));
    return VP_OK;
}

int vp_raycast_print_text(vp_raycast *r)
{
    vp_error error;
    const vp_answers reported = answers_of(r);
    const vp_triangles *t = &r->mesh.triangles;
    const size_t bytes = tree_bytes(r);
    printf("mesh     %s", r->source.name);
    if (r->source.kind == VP_SOURCE_WORLD)
        printf(", its %s surface", vp_surface_names[r->surface]);
    printf(": %u triangle%s, %u %s", t->triangle_count, vp_plural(t->triangle_count), t->vertex_count,
           t->vertex_count == 1 ? "vertex" : "vertices");
    if (r->source.kind == VP_SOURCE_WORLD)
        printf("; %.3f ms", r->mesh.seconds * 1e3);
    puts("");
    if (r->source.file.points != 0 || r->source.file.lines != 0)
        printf("         left out: %" PRIu64 " point%s, %" PRIu64 " line%s\n", r->source.file.points, vp_plural(r->source.file.points),
               r->source.file.lines, vp_plural(r->source.file.lines));
    printf("tree     %s: %u node%s, %zu bytes, %.2f bytes a triangle; %.3f ms by %s\n", vp_form_names[r->form],
           vp_kd_memory_of(r->tree).nodes, vp_plural(vp_kd_memory_of(r->tree).nodes), bytes, (double)bytes / t->triangle_count,
           r->build_seconds * 1e3, isa_of(r, VP_KERNEL_kd_build));
    printf("rays     %u, %s hit by %s on %u thread%s: %.3f ms", r->rays.count, vp_cast_names[r->cast], isa_of(r, r->kernel), r->threads,
           r->threads == 1 ? "" : "s", r->cast_seconds * 1e3);
    if (r->cast_seconds > 0)
        printf(", %.3f million rays a second", r->rays.count / r->cast_seconds * 1e-6);
    puts("");
    if (vp_answers_print(&reported, &error) != VP_OK)
        return vp_command_fail("raycast", &error);
    printf("answers  %" PRIu64 " ray%s hit, %" PRIu64 " hit%s; digest %016" PRIx64 "\n", r->hit_rays, vp_plural(r->hit_rays), r->hits,
           vp_plural(r->hits), r->digest);
    return VP_EXIT_DONE;
}
