/* SPDX-License-Identifier: MIT */
/* Prints the input, the hulls and the check of `voxphys decompose`. */
#include "tools/decompose/decompose.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "conformance/judge_decompose/verdict.h"
#include "host/program.h"
#include "tools/choices.h"

/* ---- warnings ---- */

static void warn_edges(const char *name, uint32_t count, const char *what, const char *meaning, const vp_decomposition_edge *first)
{
    char triangles[40];
    if (count == 0)
        return;
    if (first->triangle[0] == first->triangle[1])
        snprintf(triangles, sizeof triangles, "triangle %u", first->triangle[0]);
    else
        snprintf(triangles, sizeof triangles, "triangles %u and %u", first->triangle[0], first->triangle[1]);
    fprintf(stderr, "voxphys decompose: %s: %u edge%s %s, the first between points %u (%.6g %.6g %.6g) and %u (%.6g %.6g %.6g) of %s; %s\n",
            vp_show_path(name).text, count, vp_plural(count), what, first->point[0], (double)first->place[0].x, (double)first->place[0].y,
            (double)first->place[0].z, first->point[1], (double)first->place[1].x, (double)first->place[1].y, (double)first->place[1].z,
            triangles, meaning);
}

static void warn_triangles(const char *name, uint32_t count, const char *what, uint32_t first, const char *meaning)
{
    if (count != 0)
        fprintf(stderr, "voxphys decompose: %s: %u triangle%s %s, the first is number %u; %s\n", vp_show_path(name).text, count,
                vp_plural(count), what, first, meaning);
}

static void warn_shells(const char *name, uint32_t count, const char *what, uint32_t first, const char *meaning)
{
    if (count != 0)
        fprintf(stderr, "voxphys decompose: %s: %u shell%s %s, the first with triangle %u; %s\n", vp_show_path(name).text, count,
                vp_plural(count), what, first, meaning);
}

static void warn_object(const char *name, const vp_decomposition_input *in, bool flip)
{
    warn_edges(name, in->open_edges, in->open_edges == 1 ? "is open" : "are open",
               "the solid is assumed to be behind each triangle, as deep as its hull", &in->first_open);
    warn_edges(name, in->twisted_edges,
               in->twisted_edges == 1 ? "is of two triangles that face opposite sides" : "are of two triangles that face opposite sides",
               "they merge all the same", &in->first_twisted);
    warn_edges(name, in->crowded_edges, in->crowded_edges == 1 ? "is of more than two triangles" : "are of more than two triangles",
               "any two of them may merge", &in->first_crowded);
    warn_triangles(name, in->duplicates, in->duplicates == 1 ? "is there before" : "are there before", in->first_duplicate,
                   "a second one goes where the first goes");
    warn_triangles(name, in->degenerate, in->degenerate == 1 ? "has no area" : "have no area", in->first_degenerate,
                   "such a one goes where its edges go, and has no samples");
    warn_triangles(name, in->flipped, in->flipped == 1 ? "faces the other way than its shell" : "face the other way than their shell",
                   in->first_flipped, flip ? "turned by --flip" : "a shell with such a triangle is open, and has no inside; --flip turns it");
    warn_shells(name, in->reversed, in->reversed == 1 ? "is turned inside out" : "are turned inside out", in->first_reversed,
                flip ? "turned by --flip" : "its hulls stay flat; --flip turns it");
    warn_shells(name, in->tiny,
                in->tiny == 1 ? "is smaller than a thousandth of the mesh" : "are smaller than a thousandth of the mesh", in->first_tiny,
                "lengths are thousandths of the whole mesh, so it becomes one hull");
    warn_triangles(name, in->covered, in->covered == 1 ? "is inside another part" : "are partly inside another part",
                   in->first_covered, "parts overlap or touch, and such surface does not count");
}

void vp_decompose_run_warn(const vp_decompose_run *run)
{
    for (uint32_t i = 0; i < run->mesh.objects; i++) {
        const vp_input_object *o = &run->mesh.object[i];
        char name[4096];
        snprintf(name, sizeof name, run->per_object ? "%s: %s" : "%s", run->name, o->name);
        warn_object(name, &o->parts.input, run->def.flip);
    }
}

/* ---- text ---- */

static double largest_error(const vp_decomposition *made, const vp_decomposition_hull **of)
{
    *of = &made->hull[0];
    for (uint32_t h = 1; h < made->hull_count; h++)
        if (made->hull[h].error > (*of)->error)
            *of = &made->hull[h];
    return (*of)->error;
}

static double largest_reach(const vp_decomposition *made)
{
    double most = 0.0;
    for (uint32_t h = 0; h < made->hull_count; h++)
        most = made->hull[h].reach > most ? made->hull[h].reach : most;
    return most;
}

static uint32_t flat_hulls(const vp_decomposition *made)
{
    uint32_t flat = 0;
    for (uint32_t h = 0; h < made->hull_count; h++)
        flat += made->hull[h].hull.dimension < 3;
    return flat;
}

static uint32_t vertices_of(const vp_decomposition *made)
{
    uint32_t vertices = 0;
    for (uint32_t h = 0; h < made->hull_count; h++)
        vertices += made->hull[h].hull.vertex_count;
    return vertices;
}

static const char *const by_words[] = {"nothing", "ray", "area"};

static void print_object(const vp_decompose_run *r, const vp_input_object *o)
{
    const vp_decomposition *made = &o->parts;
    const vp_decomposition_input *in = &made->input;
    const vp_decomposition_hull *worst;
    const double error = largest_error(made, &worst);
    const uint64_t edges = (uint64_t)in->manifold_edges + in->open_edges + in->twisted_edges + in->crowded_edges;
    printf("%s %s: %u triangles; %u vertices, %u of them joined to others; %u shell%s\n", r->per_object ? "object   " : "mesh     ",
           r->per_object ? o->name : r->name, o->count, in->vertices + in->joined, in->joined, in->shells, vp_plural(in->shells));
    printf("edges     %" PRIu64 ": %u manifold, %u open, %u twisted, %u crowded\n", edges, in->manifold_edges, in->open_edges,
           in->twisted_edges, in->crowded_edges);
    printf("lengths   quantization %.6g, concavity %.6g, spacing %.6g; the %s is %.6g long\n", made->lengths.quantization,
           made->lengths.concavity, made->lengths.spacing, r->per_object ? "object" : "mesh", o->extent);
    printf("hulls     %u of %u vertices, %u flat\n", made->hull_count, vertices_of(made), flat_hulls(made));
    printf("error     %.6g at most%s%s\n", error, worst->by == VP_DECOMPOSITION_BY_NOTHING ? "" : ", by ",
           worst->by == VP_DECOMPOSITION_BY_NOTHING ? "" : by_words[worst->by]);
    if (r->def.reach > 0.0f)
        printf("certified reach of %.6g at most, %.6g allowed\n", largest_reach(made), made->lengths.concavity);
    printf("steps     %" PRIu64 " collapse%s, %" PRIu64 " drop%s; %" PRIu64 " predicted hulls, %" PRIu64 " flat; ",
           made->counts.collapses, vp_plural(made->counts.collapses), made->counts.drops, vp_plural(made->counts.drops),
           made->counts.predictions, made->counts.flat_predictions);
    if (r->def.exact)
        printf("all points of the surface\n");
    else
        printf("%u samples\n", made->counts.samples);
}

static void print_made(const vp_decompose_run *r)
{
    for (uint32_t i = 0; i < r->mesh.objects; i++)
        print_object(r, &r->mesh.object[i]);
    if (r->per_object)
        printf("objects   %u with %u hulls of %u vertices\n", r->mesh.objects, r->hulls.count, r->hulls.points);
    for (uint32_t i = 0; i < r->mesh.objects && r->hulls.object != NULL && r->hulls.object[0].mass.mass > 0.0; i++)
        printf("mass      %.6g of density %.6g, of %s: %s\n", r->hulls.object[i].mass.mass, (double)r->density,
               r->mesh.object[i].mass_of_mesh ? "the mesh" : "the hulls, whose overlaps count twice", r->hulls.object[i].name);
    printf("kernels   concavity %s, hull3 %s, %u thread%s: %.3f ms\n", vp_isa_shown(vp_kernels_isa(&r->kernels, VP_KERNEL_concavity)),
           vp_isa_shown(vp_kernels_isa(&r->kernels, VP_KERNEL_hull3)), r->threads, vp_plural(r->threads), r->seconds * 1e3);
    printf("digest    %016" PRIx64 "\n", r->digest);
}

/* Prints the measures of a run without --check. */
static void print_measures(const vp_decompose_run *r)
{
    const vp_decomposition_verdict *v = &r->verdict;
    printf("reach     %.6g to %.6g beyond the %s\n", v->reach.low, v->reach.high, v->closed ? "solid" : "surface");
    if (v->closed)
        printf("covered   %.6g to %.6g %% of the solid's volume\n", v->covered_solid.low * 100.0, v->covered_solid.high * 100.0);
}

static void print_verdict(const vp_decompose_run *r)
{
    vp_decomposition_print(&r->verdict, 0, stdout);
    printf("judged    within %.6g in %.3f ms: %s\n", r->s, r->judge_seconds * 1e3,
           r->right && !r->within_limits ? "a limit is exceeded"
           : r->right                    ? "every hull is one, no surface is lost"
           : r->verdict.invalid != 0     ? "not every hull is one"
                                         : "surface is lost");
}

/* ---- JSON ---- */

static json_t *edge_json(uint32_t count, const vp_decomposition_edge *e)
{
    if (count == 0)
        return json_null();
    return json_pack("{s:[I,I], s:[[f,f,f],[f,f,f]], s:[I,I]}", "points", (json_int_t)e->point[0], (json_int_t)e->point[1], "places",
                     (double)e->place[0].x, (double)e->place[0].y, (double)e->place[0].z, (double)e->place[1].x, (double)e->place[1].y,
                     (double)e->place[1].z, "triangles", (json_int_t)e->triangle[0], (json_int_t)e->triangle[1]);
}

static json_t *first_json(uint32_t count, uint32_t first)
{
    return count != 0 ? json_integer(first) : json_null();
}

static json_t *input_json(const vp_input_object *o)
{
    const vp_decomposition_input *in = &o->parts.input;
    json_t *to = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "triangles", (json_int_t)o->count, "nodes",
                           (json_int_t)in->triangles, "vertices", (json_int_t)in->vertices, "joined", (json_int_t)in->joined, "duplicates",
                           (json_int_t)in->duplicates, "degenerate", (json_int_t)in->degenerate, "shells", (json_int_t)in->shells);
    json_object_update_new(to, json_pack("{s:I, s:I, s:I, s:I}", "manifold_edges", (json_int_t)in->manifold_edges, "open_edges",
                                         (json_int_t)in->open_edges, "twisted_edges", (json_int_t)in->twisted_edges, "crowded_edges",
                                         (json_int_t)in->crowded_edges));
    json_object_update_new(to, json_pack("{s:I, s:I, s:I, s:I}", "covered", (json_int_t)in->covered, "reversed", (json_int_t)in->reversed,
                                         "tiny", (json_int_t)in->tiny, "flipped", (json_int_t)in->flipped));
    json_object_update_new(to,
                           json_pack("{s:o, s:o, s:o, s:o}", "first_covered", first_json(in->covered, in->first_covered), "first_reversed",
                                     first_json(in->reversed, in->first_reversed), "first_tiny", first_json(in->tiny, in->first_tiny),
                                     "first_flipped", first_json(in->flipped, in->first_flipped)));
    json_object_update_new(to, json_pack("{s:o, s:o, s:o, s:o, s:o}", "first_open", edge_json(in->open_edges, &in->first_open),
                                         "first_twisted", edge_json(in->twisted_edges, &in->first_twisted), "first_crowded",
                                         edge_json(in->crowded_edges, &in->first_crowded), "first_duplicate",
                                         first_json(in->duplicates, in->first_duplicate), "first_degenerate",
                                         first_json(in->degenerate, in->first_degenerate)));
    return to;
}

static json_t *hull_json(const vp_decomposition_hull *h)
{
    return json_pack("{s:i, s:I, s:I, s:f, s:f, s:f, s:s, s:I, s:I, s:o}", "dimension", (int)h->hull.dimension, "vertices",
                     (json_int_t)h->hull.vertex_count, "triangles", (json_int_t)h->hull.triangle_count, "volume", h->hull.volume, "area",
                     h->hull.area, "error", h->error, "by", by_words[h->by], "of", (json_int_t)h->triangle_count, "node",
                     (json_int_t)h->node, "step", h->step == UINT64_MAX ? json_null() : json_integer((json_int_t)h->step));
}

static json_t *object_json(const vp_decompose_run *r, const vp_input_object *o)
{
    const vp_decomposition *made = &o->parts;
    const vp_decomposition_hull *worst;
    const double error = largest_error(made, &worst);
    json_t *each = json_array();
    for (uint32_t h = 0; h < made->hull_count; h++) {
        json_t *hull = hull_json(&made->hull[h]);
        if (r->def.reach > 0.0f)
            json_object_set_new(hull, "reach", json_real(made->hull[h].reach));
        json_array_append_new(each, hull);
    }
    json_t *to = json_pack("{s:o, s:{s:f, s:f, s:f}, s:I, s:I, s:I, s:f, s:s, s:o}", "input", input_json(o), "lengths", "quantization",
                           made->lengths.quantization, "concavity", made->lengths.concavity, "spacing", made->lengths.spacing, "hulls",
                           (json_int_t)made->hull_count, "vertices", (json_int_t)vertices_of(made), "flat", (json_int_t)flat_hulls(made),
                           "error", error, "by", by_words[worst->by], "each", each);
    if (r->def.reach > 0.0f)
        json_object_set_new(to, "reach", json_real(largest_reach(made)));
    json_object_update_new(to, json_pack("{s:{s:I, s:I, s:I, s:I, s:I, s:I}}", "counts", "collapses", (json_int_t)made->counts.collapses,
                                         "drops", (json_int_t)made->counts.drops, "predictions", (json_int_t)made->counts.predictions,
                                         "flat_predictions", (json_int_t)made->counts.flat_predictions, "samples",
                                         (json_int_t)made->counts.samples, "edges", (json_int_t)made->counts.edges));
    return to;
}

static json_t *objects_json(const vp_decompose_run *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->mesh.objects; i++) {
        const vp_input_object *o = &r->mesh.object[i];
        json_t *one = object_json(r, o);
        json_object_update_new(one, json_pack("{s:s, s:f}", "name", o->name, "extent", o->extent));
        json_array_append_new(list, one);
    }
    return json_pack("{s:o, s:I, s:I}", "objects", list, "hulls", (json_int_t)r->hulls.count, "vertices", (json_int_t)r->hulls.points);
}

static json_t *masses_json(const vp_decompose_run *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->mesh.objects; i++) {
        const vp_mass *m = &r->hulls.object[i].mass;
        json_array_append_new(list, json_pack("{s:b, s:f, s:[f,f,f], s:[f,f,f,f,f,f]}", "of_mesh", r->mesh.object[i].mass_of_mesh, "mass", m->mass, "centre", m->centre[0], m->centre[1],
                                              m->centre[2], "inertia", m->inertia[0], m->inertia[1], m->inertia[2], m->inertia[3],
                                              m->inertia[4], m->inertia[5]));
    }
    return list;
}

static json_t *made_json(const vp_decompose_run *r)
{
    json_t *to = r->per_object ? objects_json(r) : object_json(r, &r->mesh.object[0]);
    json_object_update_new(to, json_pack("{s:s, s:s, s:i, s:f, s:o, s:o}", "kernel",
                                         vp_isa_shown(vp_kernels_isa(&r->kernels, VP_KERNEL_concavity)), "kernel_hull3",
                                         vp_isa_shown(vp_kernels_isa(&r->kernels, VP_KERNEL_hull3)), "threads", (int)r->threads, "seconds",
                                         r->seconds, "digest", vp_json_hex(r->digest), "file", vp_json_path(r->out)));
    if (r->hulls.object != NULL && r->hulls.object[0].mass.mass > 0.0)
        json_object_set_new(to, "masses", masses_json(r));
    json_object_set_new(to, "record",
                        r->record == NULL ? json_null()
                                          : json_pack("{s:o, s:I, s:I}", "file", vp_json_name(r->record), "frames",
                                                      (json_int_t)r->recorded.frames, "bytes", (json_int_t)r->recorded.bytes));
    return to;
}

static int tell_json(const vp_decompose_run *r)
{
    json_t *to = json_pack("{s:o, s:o, s:f}", "source", vp_json_name(r->name), "hash_checked", vp_json_checked(r->mesh.source.content),
                           "extent", r->mesh.extent);
    if (r->hulls_name != NULL)
        json_object_set_new(to, "judged", vp_json_name(r->hulls_name));
    else
        json_object_update_new(to, made_json(r));
    if (r->judged) {
        json_object_update_new(to, json_pack("{s:b, s:b, s:f, s:f, s:o}", "right", r->right, "within_limits", r->within_limits, "within",
                                             r->s, "judge_seconds", r->judge_seconds, "verdict", vp_decomposition_json(&r->verdict, 0)));
    }
    const int code = vp_print_json(to);
    return code == VP_EXIT_DONE && r->judged && !(r->right && r->within_limits) ? VP_EXIT_FAILED : code;
}

int vp_decompose_print_run(const vp_decompose_run *r)
{
    if (r->json)
        return tell_json(r);
    if (r->hulls_name == NULL)
        print_made(r);
    if (r->judged)
        print_verdict(r);
    else if (r->measured)
        print_measures(r);
    if (r->out != NULL)
        printf("written   %s\n", r->out);
    if (r->record != NULL)
        printf("recorded  %s: %u frames, %" PRIu64 " bytes\n", r->record, r->recorded.frames, r->recorded.bytes);
    return r->judged && !(r->right && r->within_limits) ? VP_EXIT_FAILED : VP_EXIT_DONE;
}
