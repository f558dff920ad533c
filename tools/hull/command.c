/* SPDX-License-Identifier: MIT */
/* voxphys hull: the convex hull of points, measured, looked at by the validator, and written to a file that
 * other programs read. */
#include "tools/hull/hull.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/isa_names.h"
#include "cases/case.h"
#include "host/program.h"
#include "tools/commands.h"
#include "tools/choices.h"

/* ---- telling ---- */

/* Planes to the last bit, for they are to contain all points. null if they need not. NULL without memory. */
static json_t *planes_json(const vp_hull_run *r, const vp_hull *h)
{
    json_t *all = r->def.contain ? json_array() : json_null();
    for (uint32_t f = 0; r->def.contain && f < h->face_count; f++) {
        char number[4][32];
        for (int k = 0; k < 4; k++)
            snprintf(number[k], sizeof number[k], "%a", h->plane[f][k]);
        if (json_array_append_new(all, json_pack("[s,s,s,s]", number[0], number[1], number[2], number[3])) != 0) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}

/* The polytope that these planes enclose; null if none is asked for. */
static json_t *enclosure_json(const vp_hull_run *r)
{
    const vp_hull *h = &r->enclosure.hull;
    if (r->enclosure.point == NULL)
        return json_null();
    return json_pack("{s:I, s:I, s:I, s:I, s:f, s:f}", "vertices", (json_int_t)h->vertex_count, "triangles", (json_int_t)h->triangle_count,
                     "faces", (json_int_t)h->face_count, "corners", (json_int_t)h->corner_count, "volume", h->volume, "area", h->area);
}

static int print_as_json(const vp_hull_run *r, const vp_hull *h)
{
    json_t *all = vp_hull_json_begin(r, VP_KERNEL_hull3);
    json_t *more = json_pack(
        "{s:i, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:[f,f,f], s:f, s:f, s:o, s:o, s:o, s:o}", "dimension", (int)h->dimension, "vertices",
        (json_int_t)h->vertex_count, "triangles", (json_int_t)h->triangle_count, "faces", (json_int_t)h->face_count, "corners",
        (json_int_t)h->corner_count, "tolerance", (double)h->tolerance, "volume", h->volume, "area", h->area, "centroid", h->centroid[0],
        h->centroid[1], h->centroid[2], "error", h->error, "moved", h->moved, "planes", planes_json(r, h), "enclosure", enclosure_json(r),
        "validity", vp_hull_findings_json(&r->findings), "file", r->out != NULL && r->findings.valid ? vp_json_name(r->out) : json_null());
    if (all == NULL || more == NULL || json_object_update(all, more) != 0) {
        json_decref(all);
        all = NULL;
    }
    json_decref(more);
    return vp_print_json(all);
}

static int print_as_text(const vp_hull_run *r, const vp_hull *h)
{
    printf("points    %u of %s\n", r->source.points.count, r->source.name);
    printf("kernel    hull3 %s; %.3f ms\n", vp_isa_shown(vp_kernels_isa(&r->kernels, VP_KERNEL_hull3)), r->seconds * 1e3);
    printf("hull      of dimension %u: %u vert%s, %u triangle%s, %u face%s with %u corner%s\n", h->dimension, h->vertex_count,
           h->vertex_count == 1 ? "ex" : "ices", h->triangle_count, vp_plural(h->triangle_count), h->face_count, vp_plural(h->face_count),
           h->corner_count, vp_plural(h->corner_count));
    printf("tolerance %.9g\nvolume    %.9g\narea      %.9g\ncentroid  %.9g, %.9g, %.9g\n", (double)h->tolerance, h->volume, h->area,
           h->centroid[0], h->centroid[1], h->centroid[2]);
    if (r->def.max_vertices != 0 || r->def.max_error > 0.0f)
        printf("error     %.9g: so far outside is the furthest point that was left out\n", h->error);
    if (r->def.contain)
        printf("moved     %.9g: so far, at most, planes of faces are moved outwards to contain all points\n", h->moved);
    if (r->enclosure.point != NULL)
        printf("enclosure %u vertices, %u triangles, %u faces: what the moved planes enclose, volume %.9g\n",
               r->enclosure.hull.vertex_count, r->enclosure.hull.triangle_count, r->enclosure.hull.face_count, r->enclosure.hull.volume);
    printf("digest    %016" PRIx64 "\n", r->digest);
    vp_hull_findings_print(&r->findings);
    if (r->out != NULL && r->findings.valid)
        printf("written   %s\n", r->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

/* What the moved planes enclose, which must be a hull of its vertices and of all points: if not, that is what
 * is found. */
static vp_status find_enclosure(vp_hull_run *r, const vp_hull *h, vp_error *error)
{
    const vp_points *points = &r->source.points;
    vp_status status = vp_hull_enclose(&r->def, h, &r->enclosure, error);
    if (status != VP_OK)
        return status;
    vp_hull_findings found;
    const uint32_t vertices = r->enclosure.hull.vertex_count, count = vertices + points->count;
    vp_vec3 *all = malloc((size_t)count * sizeof *all);
    if (all == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to look at what encloses %u points", points->count);
    memcpy(all, r->enclosure.point, vertices * sizeof *all);
    memcpy(all + vertices, points->point, points->count * sizeof *all);
    status = vp_hull_check(all, count, &r->enclosure.hull, true, &found, error);
    free(all);
    if (status == VP_OK && !found.valid) {
        r->findings.valid = false;
        snprintf(r->findings.reason, sizeof r->findings.reason, "what encloses the points: %.160s", found.reason);
    }
    return status;
}

/* @return the exit code */
static int in_space(vp_hull_run *r)
{
    vp_error error;
    vp_hull hull = {0};
    const vp_points *points = &r->source.points;
    r->def.point = points->point;
    r->def.count = points->count;
    r->def.kernels = &r->kernels;
    if (points->columns == 2)
        return vp_command_usage("hull", "%s has two numbers a line, which is for --dimension 2", r->source.name);
    const double begin = vp_seconds();
    vp_status status = vp_hull_create(&r->def, &hull, &error);
    r->seconds = vp_seconds() - begin;
    if (status == VP_OK)
        status = vp_hull_digest(&hull, &r->digest, &error);
    if (status == VP_OK)
        status = vp_hull_check(points->point, points->count, &hull, r->def.contain, &r->findings, &error);
    if (status == VP_OK && r->def.contain && r->findings.valid)
        status = find_enclosure(r, &hull, &error);
    if (status == VP_OK && r->out != NULL && r->findings.valid)
        status = r->def.contain ? vp_hull_file_write(r->out, r->format, r->enclosure.point, &r->enclosure.hull, &error)
                                : vp_hull_file_write(r->out, r->format, points->point, &hull, &error);
    const int code =
        status != VP_OK ? vp_command_fail("hull", &error) : vp_hull_end(r, r->json ? print_as_json(r, &hull) : print_as_text(r, &hull));
    vp_hull_enclosure_destroy(&r->enclosure);
    vp_hull_destroy(&hull);
    return code;
}

/* Options as they are given. */
typedef struct given {
    const char *out, *dimension, *axis, *tolerance, *separate, *max_vertices, *max_error, *contain, *isa, *json;
} given;

static bool ends(const char *name, const char *end)
{
    const size_t length = strlen(name), most = strlen(end);
    return length > most && strcmp(name + length - most, end) == 0;
}

/* What is for one of the dimensions only. */
static bool fits(uint64_t dimension, const given *g, vp_hull_run *r)
{
    const char *const out = g->out;
    const char *const of_space = g->tolerance != NULL      ? "--tolerance"
                                 : g->separate != NULL     ? "--separate"
                                 : g->max_vertices != NULL ? "--max-vertices"
                                 : g->max_error != NULL    ? "--max-error"
                                 : g->contain != NULL      ? "--contain"
                                                           : NULL;
    r->drawing = out != NULL && ends(out, ".svg");
    if (dimension == 3 && g->axis != NULL)
        vp_command_usage("hull", "option '--axis' is for --dimension 2");
    else if (dimension == 2 && of_space != NULL)
        vp_command_usage("hull", "option '%s' is for --dimension 3", of_space);
    else if (dimension == 2 && out != NULL && !r->drawing && !ends(out, ".points"))
        vp_command_usage("hull", "-o '%s' ends with neither .svg nor .points, as of --dimension 2 it must", out);
    else if (dimension == 3 && out != NULL && !vp_hull_format_of(out, &r->format))
        vp_command_usage("hull", "-o '%s' ends with none of .obj, .ply, .gltf, .points", out);
    else
        return true;
    return false;
}

/* A distance in an option. */
static bool parse_distance(const char *option, const char *text, float *out)
{
    if (text == NULL)
        return true;
    if (!vp_parse_float("hull", option, text, out))
        return false;
    if (!(*out >= 0.0f))
        vp_command_usage("hull", "%s '%s' is negative", option, text);
    else if (*out == 0.0f && strtod(text, NULL) != 0.0)
        vp_command_usage("hull", "%s '%s' is too small: in 32 bits it is 0", option, text);
    else
        return true;
    return false;
}

static bool understand(const given *g, vp_hull_run *r, uint64_t *dimension, uint32_t *across)
{
    uint64_t most = 0;
    *dimension = 3;
    *across = 2;
    if (g->dimension != NULL && !vp_parse_u64("hull", "--dimension", g->dimension, 2, 3, dimension))
        return false;
    if (g->axis != NULL && (strlen(g->axis) != 1 || strchr("xyz", g->axis[0]) == NULL))
        return VP_REFUSE("hull", "--axis '%s' is none of x, y, z", g->axis);
    if (!fits(*dimension, g, r) || !parse_distance("--tolerance", g->tolerance, &r->def.tolerance) ||
        !parse_distance("--max-error", g->max_error, &r->def.max_error) ||
        (g->max_vertices != NULL && !vp_parse_u64("hull", "--max-vertices", g->max_vertices, 4, VP_HULL_MAX_POINTS, &most)))
        return false;
    *across = g->axis != NULL ? (uint32_t)(g->axis[0] - 'x') : 2;
    r->axis[0] = (*across + 1) % 3;
    r->axis[1] = (*across + 2) % 3;
    r->def.max_vertices = (uint32_t)most;
    r->def.separate = g->separate != NULL;
    r->def.contain = g->contain != NULL;
    r->json = g->json != NULL;
    r->out = g->out;
    return true;
}

int vp_command_hull(int argc, char **argv)
{
    vp_hull_run r = {0};
    given g;
    const vp_option options[] = {
        {"-o", "FILE",
         "write the hull: FILE ends with .obj, .ply (polygons), .gltf (triangles) or .points; of 2 with .svg "
         "or .points",
         &g.out},
        {"--dimension", "N", "2: a 2D hull; points have two coordinates (3)", &g.dimension},
        {"--axis", "AXIS", "with --dimension 2: the axis to drop from points with three coordinates, x, y or z (z)", &g.axis},
        {"--tolerance", "S",
         "sets no thicker than this are flat (0: 2^-22 of the extent or of the largest coordinate, whichever "
         "is more)",
         &g.tolerance},
        {"--separate", NULL, "keep the exact hull's faces: merge none within the tolerance", &g.separate},
        {"--max-vertices", "N", "keep at most N vertices, 4 or more; the resulting error is reported", &g.max_vertices},
        {"--max-error", "E", "add vertices until no point is further outside than E (0: all vertices)", &g.max_error},
        {"--contain", NULL, "write an enclosing hull: faces moved outwards until every point of IN is inside", &g.contain},
        {"--isa", "NAME", "kernel: best, " VP_ISA_NAMES " ($VOXPHYS_ISA, else best)", &g.isa},
        {"--json", NULL, "print JSON", &g.json},
    };
    const vp_usage usage = {"hull",
                            "IN [OPTION...]",
                            "Builds the convex hull of a point set with exact predicates, reports it, validates it, and writes "
                            "it.\n" VP_POINT_SOURCE_HELP "\n"
                            "A flat set gives a two-sided polygon, a collinear set a segment, coincident points a point. "
                            "Vertices are\n"
                            "points of IN, bit for bit, except those of FILE with --contain, which lie around all points of IN.\n"
                            "Exit code 1: the hull is invalid; the reason is reported and nothing written.",
                            options,
                            sizeof options / sizeof options[0],
                            1,
                            1};
    int count, code;
    uint64_t dimension;
    uint32_t across;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (!understand(&g, &r, &dimension, &across))
        return VP_EXIT_USAGE;

    vp_error error;
    if ((code = vp_choose_kernels("hull", g.isa, &r.kernels)) != VP_EXIT_DONE)
        return code;
    if (vp_point_source_open("hull", argv[1], g.out, &r.kernels, &r.source, &error) != VP_OK)
        code = vp_command_fail("hull", &error);
    else if (dimension == 2 && r.source.points.columns == 2 && across != 2)
        code = vp_command_usage("hull", "--axis %s: %s has two numbers a line, and no plane across that axis", g.axis, argv[1]);
    else
        code = dimension == 2 ? vp_hull_in_plane(&r) : in_space(&r);
    vp_point_source_close(&r.source);
    return code;
}
