/* SPDX-License-Identifier: MIT */
/* `voxphys hull` builds the convex hull of points, measures and validates it, and writes it to a file. */
#include "tools/hull/hull.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/isa_names.h"
#include "cases/case.h"
#include "host/program.h"
#include "tools/commands.h"
#include "tools/choices.h"

/* ---- output ---- */

/* Exact planes, which must contain all points. null without --contain. NULL if out of memory. */
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

/* The polytope that these planes enclose, null if not requested. */
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
    json_object_update_new(all, more);
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
        printf("enclosure %u vertices, %u triangles, %u faces: enclosed by the moved planes, volume %.9g\n", r->enclosure.hull.vertex_count,
               r->enclosure.hull.triangle_count, r->enclosure.hull.face_count, r->enclosure.hull.volume);
    printf("digest    %016" PRIx64 "\n", r->digest);
    vp_hull_findings_print(&r->findings);
    if (r->out != NULL && r->findings.valid)
        printf("written   %s\n", r->out);
    return VP_EXIT_DONE;
}

/* ---- the command ---- */

/* Finds the polytope that the moved planes enclose. It must be the hull of its vertices and contain all points.
 * Otherwise the findings are invalid. */
static vp_status find_enclosure(vp_hull_run *r, const vp_hull *h, vp_error *error)
{
    const vp_points *points = &r->source.points;
    VP_RETURN_IF_FAILED(vp_hull_enclose(&r->def, h, &r->enclosure, error));
    vp_hull_findings found;
    const uint32_t vertices = r->enclosure.hull.vertex_count, count = vertices + points->count;
    vp_vec3 *all = malloc((size_t)count * sizeof *all);
    if (all == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to check the enclosure of %u points", points->count);
    memcpy(all, r->enclosure.point, vertices * sizeof *all);
    memcpy(all + vertices, points->point, points->count * sizeof *all);
    vp_status status = vp_hull_check(all, count, &r->enclosure.hull, true, &found, error);
    free(all);
    if (status == VP_OK && !found.valid) {
        r->findings.valid = false;
        snprintf(r->findings.reason, sizeof r->findings.reason, "the enclosure of the points: %.160s", found.reason);
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

/* Refuses options of the other dimension. */
static bool fits(const vp_command_line *line, uint32_t dimension, vp_hull_run *r)
{
    static const char *const of_space[] = {"--tolerance", "--separate", "--max-vertices", "--max-error", "--contain"};
    r->drawing = r->out != NULL && vp_ends(r->out, ".svg");
    if (dimension == 3 && vp_given(line, "--axis") != NULL)
        return VP_REFUSE("hull", "option '--axis' is for --dimension 2");
    for (size_t i = 0; dimension == 2 && i < sizeof of_space / sizeof of_space[0]; i++)
        if (vp_given(line, of_space[i]) != NULL)
            return VP_REFUSE("hull", "option '%s' is for --dimension 3", of_space[i]);
    if (dimension == 2 && r->out != NULL && !r->drawing && !vp_ends(r->out, ".points"))
        return VP_REFUSE("hull", "-o '%s' ends with neither .svg nor .points, as of --dimension 2 it must", r->out);
    if (dimension == 3 && r->out != NULL && !vp_hull_format_of(r->out, &r->format))
        return VP_REFUSE("hull", "-o '%s': must end with one of .obj, .ply, .gltf, .points", r->out);
    return true;
}

static int read_distance(const char *command, const vp_argument *a, const char *text)
{
    const int code = vp_read_float(command, a, text);
    const float distance = *(float *)a->to;
    if (code != VP_EXIT_DONE || text == NULL)
        return code;
    if (!(distance >= 0.0f))
        return vp_command_usage(command, "%s '%s': must be >= 0", a->name, text);
    return distance != 0.0f || strtod(text, NULL) == 0.0
               ? VP_EXIT_DONE
               : vp_command_usage(command, "%s '%s' is too small: in 32 bits it is 0", a->name, text);
}
#define DISTANCE(to) VP_BY(read_distance, VP_TYPED(float, to))

int vp_command_hull(int argc, char **argv)
{
    static const char *const axes[] = {"x", "y", "z"};
    vp_hull_run r = {0};
    uint32_t dimension = 3;
    int across = 2;
    const vp_argument arguments[] = {
        VP_GROUP("Input"),
        {"--dimension", "N", "dimension of the points and the hull, 2 to 3 (default 3)", VP_U32(&dimension, 2, 3)},
        {"--axis", "AXIS", "with --dimension 2: the axis to drop from points with three coordinates, x, y or z (default z)",
         VP_WORD(&across, axes)},
        VP_GROUP("Hull"),
        {"--tolerance", "S",
         "sets up to S thick are flat, from 0 (default 0: 2^-22 of the extent or of the largest coordinate, the larger of both)",
         DISTANCE(&r.def.tolerance)},
        {"--separate", NULL, "keep the exact hull's faces, instead of merging those within the tolerance", VP_FLAG(&r.def.separate)},
        {"--max-vertices", "N", "keep at most N vertices, 4 to 134217728; the resulting error is reported",
         VP_U32(&r.def.max_vertices, 4, VP_HULL_MAX_POINTS)},
        {"--max-error", "E", "add vertices until no point is more than E outside, from 0 (default 0: all vertices)",
         DISTANCE(&r.def.max_error)},
        {"--contain", NULL, "write an enclosing hull: faces are moved outwards until every point of IN is inside", VP_FLAG(&r.def.contain)},
        VP_GROUP("Execution and output"),
        {"-o", "FILE", "write the hull: FILE ends with .obj, .ply (polygons), .gltf (triangles) or .points; in 2D with .svg or .points",
         VP_TEXT(&r.out)},
        {"--isa", "NAME", "kernel: best, " VP_ISA_NAMES " (default $VOXPHYS_ISA, else best)", VP_ASK_KERNELS(&r.kernels)},
        {"--json", NULL, "print JSON", VP_FLAG(&r.json)},
    };
    vp_command_line line =
        VP_COMMAND_LINE("hull", "IN [OPTION...]", 1, 1, arguments,
                        "Build the convex hull of a point set with exact predicates, validate it, and write it.\n" VP_POINT_SOURCE_HELP "\n"
                        "The hull of a flat set is a two-sided polygon, of a collinear set a segment, of coincident points a point.\n"
                        "Vertices are points of IN, bit for bit, except with --contain, where those of FILE enclose all points of IN.\n"
                        "Exit code 1: the hull is invalid. The reason is printed, and nothing is written.\n\n"
                        "Example: voxphys hull ball/1000 --max-vertices 32 -o ball.obj");
    int code;
    vp_error error;
    if (!vp_command_begin(&line, argc, argv))
        return line.code;
    if (!fits(&line, dimension, &r))
        return VP_EXIT_USAGE;
    r.axis[0] = ((uint32_t)across + 1) % 3;
    r.axis[1] = ((uint32_t)across + 2) % 3;
    if (vp_point_source_open("hull", argv[1], r.out, &r.kernels, &r.source, &error) != VP_OK)
        code = vp_command_fail("hull", &error);
    else if (dimension == 2 && r.source.points.columns == 2 && across != 2)
        code = vp_command_usage("hull", "--axis %s: %s has two numbers a line, and no plane across that axis", axes[across], argv[1]);
    else
        code = dimension == 2 ? vp_hull_in_plane(&r) : in_space(&r);
    vp_point_source_close(&r.source);
    return code;
}
