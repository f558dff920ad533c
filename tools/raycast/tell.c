/* SPDX-License-Identifier: MIT */
/* What `voxphys raycast` prints. */
#include "tools/raycast/raycast.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/error.h"
#include "host/program.h"

static const char *isa_of(const vp_raycast *r, vp_kernel_id kernel)
{
    return vp_isa_shown(vp_kernels_isa(&r->kernels, kernel));
}

static size_t tree_bytes(const vp_raycast *r)
{
    vp_kd_memory use = vp_kd_memory_of(r->tree);
    return use.node_bytes + use.item_bytes + use.mesh_bytes;
}

/* All hits of a ray, in memory of their own. @return VP_E_MEMORY, or as vp_kd_raycast_all */
static vp_status all_of(const vp_raycast *r, uint32_t ray, vp_hit **hits, uint32_t *count, vp_error *error)
{
    *count = r->found[ray];
    *hits = malloc(((size_t)*count + 1) * sizeof **hits);
    if (*hits == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u hits", *count);
    vp_status status = vp_kd_raycast_all(r->tree, &r->rays.ray[ray], *hits, *count, count, error);
    if (status != VP_OK)
        free(*hits);
    return status;
}

/* The hits of a ray; of any there are none to tell. @return VP_E_MEMORY */
static vp_status hits_of(const vp_raycast *r, uint32_t ray, vp_hit **all, const vp_hit **hits, uint32_t *count, vp_error *error)
{
    *all = NULL;
    *hits = &r->hit[ray];
    *count = r->found[ray];
    if (r->cast != VP_CAST_ALL)
        return VP_OK;
    vp_status status = all_of(r, ray, all, count, error);
    *hits = *all;
    return status;
}

/* What is at a hit: of a ray the point and the triangle's normal, of a swept sphere how it touches. */
static vp_surface_point look_at(const vp_raycast *r, const vp_ray *ray, const vp_hit *hit, vp_sphere_contact *contact)
{
    vp_surface_point at = vp_kd_surface(r->tree, ray, hit);
    if (r->cast == VP_CAST_SWEEP) {
        *contact = vp_kd_sphere_contact(r->tree, ray, r->radius, hit);
        at.point = contact->point;
        at.normal = contact->normal;
    }
    return at;
}

/* ---- JSON ---- */

void vp_contact_json(const vp_sphere_contact *contact, json_t *hit)
{
    json_object_set_new(hit, "centre", vp_json_vec3(contact->centre));
    json_object_set_new(hit, "started_inside", json_boolean(contact->started_inside));
}

static json_t *hit_json(const vp_raycast *r, const vp_ray *ray, const vp_hit *hit)
{
    vp_sphere_contact contact;
    const vp_surface_point at = look_at(r, ray, hit, &contact);
    json_t *o = json_pack("{s:f, s:i, s:f, s:f, s:o, s:o, s:i, s:s}", "t", (double)hit->t, "triangle", (int)hit->triangle, "u",
                          (double)hit->u, "v", (double)hit->v, "point", vp_json_vec3(at.point), "normal", vp_json_vec3(at.normal),
                          "material", (int)at.material, "name", r->source.looks.of[at.material].name);
    if (r->cast == VP_CAST_SWEEP)
        vp_contact_json(&contact, o);
    return o;
}

static vp_status answers_json(const vp_raycast *r, json_t *out, vp_error *error)
{
    for (uint32_t i = 0; i < r->rays.count && i < r->shown; i++) {
        vp_hit *all;
        const vp_hit *hits;
        uint32_t count;
        vp_status status = hits_of(r, i, &all, &hits, &count, error);
        if (status != VP_OK)
            return status;
        json_t *answer = json_pack("{s:I, s:b}", "ray", (json_int_t)i, "hit", count != 0);
        json_t *list = r->cast != VP_CAST_ANY ? json_array() : NULL;
        for (uint32_t k = 0; list != NULL && k < count; k++)
            json_array_append_new(list, hit_json(r, &r->rays.ray[i], &hits[k]));
        if (list != NULL)
            json_object_set_new(answer, "hits", list);
        json_array_append_new(out, answer);
        free(all);
    }
    return VP_OK;
}

static json_t *mesh_json(const vp_raycast *r)
{
    const vp_triangles *t = &r->mesh.triangles;
    json_t *o =
        json_pack("{s:o, s:o, s:I, s:I}", "source", vp_json_name(r->source.name), "hash_checked", vp_json_checked(r->source.content),
                  "triangles", (json_int_t)t->triangle_count, "vertices", (json_int_t)t->vertex_count);
    if (r->source.kind == VP_SOURCE_WORLD) {
        json_object_set_new(o, "surface", json_string(vp_surface_name(r->surface)));
        json_object_set_new(o, "seconds", json_real(r->mesh.seconds));
    }
    if (r->source.kind == VP_SOURCE_FILE) {
        json_object_set_new(o, "points_left_out", json_integer((json_int_t)r->source.file.points));
        json_object_set_new(o, "lines_left_out", json_integer((json_int_t)r->source.file.lines));
    }
    return o;
}

int vp_raycast_print_json(const vp_raycast *r)
{
    vp_error error;
    json_t *answers = json_array();
    if (answers_json(r, answers, &error) != VP_OK) {
        json_decref(answers);
        return vp_command_fail("raycast", &error);
    }
    const size_t bytes = tree_bytes(r);
    json_t *tree = json_pack("{s:s, s:s, s:I, s:I, s:f, s:f}", "form", vp_form_names[r->form], "kernel", isa_of(r, VP_KERNEL_kd_build),
                             "nodes", (json_int_t)vp_kd_memory_of(r->tree).nodes, "bytes", (json_int_t)bytes, "bytes_per_triangle",
                             (double)bytes / r->mesh.triangles.triangle_count, "seconds", r->build_seconds);
    json_t *rays = json_pack("{s:I, s:o, s:s, s:s, s:i, s:I, s:I, s:f, s:o}", "count", (json_int_t)r->rays.count, "set",
                             vp_json_path(r->rays_name), "cast", vp_cast_names[r->cast], "kernel", isa_of(r, r->kernel), "threads",
                             (int)r->threads, "rays_that_hit", (json_int_t)r->hit_rays, "hits", (json_int_t)r->hits, "seconds",
                             r->cast_seconds, "rays_per_second", vp_json_rate(r->rays.count, r->cast_seconds));
    if (r->rays_name != NULL)
        json_object_set_new(rays, "hash_checked", vp_json_checked(r->rays_content));
    if (r->cast == VP_CAST_SWEEP)
        json_object_set_new(rays, "radius", json_real((double)r->radius));
    return vp_print_json(json_pack("{s:o, s:o, s:o, s:o, s:o}", "mesh", mesh_json(r), "tree", tree, "rays", rays, "answers", answers,
                                   "digest", vp_json_hex(r->digest)));
}

/* ---- text ---- */

void vp_contact_print(const vp_sphere_contact *contact)
{
    const vp_vec3 c = contact->centre;
    printf(", centre (%.9g, %.9g, %.9g)%s", (double)c.x, (double)c.y, (double)c.z, contact->started_inside ? ", started inside" : "");
}

static void print_hit(const vp_raycast *r, const vp_ray *ray, const vp_hit *hit)
{
    vp_sphere_contact contact;
    const vp_surface_point at = look_at(r, ray, hit, &contact);
    printf("t %.9g: triangle %d (u %.9g, v %.9g), point (%.9g, %.9g, %.9g), normal (%.9g, %.9g, %.9g), %d %s", (double)hit->t,
           hit->triangle, (double)hit->u, (double)hit->v, (double)at.point.x, (double)at.point.y, (double)at.point.z, (double)at.normal.x,
           (double)at.normal.y, (double)at.normal.z, at.material, r->source.looks.of[at.material].name);
    if (r->cast == VP_CAST_SWEEP)
        vp_contact_print(&contact);
    puts("");
}

static vp_status print_answers(const vp_raycast *r, vp_error *error)
{
    for (uint32_t i = 0; i < r->rays.count && i < r->shown; i++) {
        vp_hit *all;
        const vp_hit *hits;
        uint32_t count;
        vp_status status = hits_of(r, i, &all, &hits, &count, error);
        if (status != VP_OK)
            return status;
        printf("ray %-4u ", i);
        if (count == 0 || r->cast == VP_CAST_ANY)
            puts(count == 0 ? "nothing" : "a hit");
        for (uint32_t k = 0; r->cast != VP_CAST_ANY && k < count; k++) {
            if (k != 0)
                fputs("         ", stdout);
            print_hit(r, &r->rays.ray[i], &hits[k]);
        }
        free(all);
    }
    return VP_OK;
}

int vp_raycast_print_text(const vp_raycast *r)
{
    vp_error error;
    const vp_triangles *t = &r->mesh.triangles;
    const size_t bytes = tree_bytes(r);
    printf("mesh     %s", r->source.name);
    if (r->source.kind == VP_SOURCE_WORLD)
        printf(", its %s surface", vp_surface_name(r->surface));
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
    if (print_answers(r, &error) != VP_OK)
        return vp_command_fail("raycast", &error);
    if (r->rays.count > r->shown)
        printf("         and %u more ray%s; --hits tells of more\n", r->rays.count - r->shown, vp_plural(r->rays.count - r->shown));
    printf("answers  %" PRIu64 " ray%s hit, %" PRIu64 " hit%s; digest %016" PRIx64 "\n", r->hit_rays, vp_plural(r->hit_rays), r->hits,
           vp_plural(r->hits), r->digest);
    return VP_EXIT_DONE;
}
