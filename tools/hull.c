/* SPDX-License-Identifier: MIT */
/* voxphys hull: the convex hull of points, measured, looked at by the validator, and written to a file that other programs read. */
#include "tools/hull.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "datasets/cases/cases.h"
#include "tools/command.h"

/* ---- telling ---- */

json_t *vp_hull_json_begin(const vp_hull_run *r, vp_kernel_id kernel)
{
    char hex[17];
    snprintf(hex, sizeof hex, "%016" PRIx64, r->digest);
    return json_pack("{s:o, s:o, s:I, s:s, s:f, s:s}", "input", vp_json_name(r->source.name), "hash_checked",
                     r->source.content == VP_CONTENT_OF_FILE ? json_null() : json_boolean(r->source.content == VP_CONTENT_CHECKED), "points",
                     (json_int_t)r->source.points.count, "kernel", vp_isa_shown(vp_kernels_isa(&r->kernels, kernel)), "seconds", r->seconds,
                     "digest", hex);
}

static int print_as_json(const vp_hull_run *r, const vp_hull *h)
{
    json_t *all = vp_hull_json_begin(r, VP_KERNEL_hull3);
    json_t *more = json_pack("{s:i, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:[f,f,f], s:o, s:o}", "dimension", (int)h->dimension, "vertices",
                             (json_int_t)h->vertex_count, "triangles", (json_int_t)h->triangle_count, "faces", (json_int_t)h->face_count,
                             "corners", (json_int_t)h->corner_count, "tolerance", (double)h->tolerance, "volume", h->volume, "area", h->area,
                             "centroid", h->centroid[0], h->centroid[1], h->centroid[2], "validity", vp_hull_findings_json(&r->findings),
                             "file", r->out != NULL && r->findings.valid ? vp_json_name(r->out) : json_null());
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
    printf("digest    %016" PRIx64 "\n", r->digest);
    vp_hull_findings_print(&r->findings);
    if (r->out != NULL && r->findings.valid)
        printf("written   %s\n", r->out);
    return VP_EXIT_DONE;
}

int vp_hull_end(const vp_hull_run *r, int code)
{
    if (r->findings.valid)
        return code;
    fprintf(stderr, "voxphys hull: the hull of %s is not valid: %s%s\n", r->source.name, r->findings.reason,
            r->out != NULL ? "; nothing is written" : "");
    return VP_EXIT_FAILED;
}

/* ---- the command ---- */

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
        status = vp_hull_check(points->point, points->count, &hull, &r->findings, &error);
    if (status == VP_OK && r->out != NULL && r->findings.valid)
        status = vp_hull_file_write(r->out, r->format, points->point, &hull, &error);
    const int code = status != VP_OK ? vp_command_fail("hull", &error)
                                     : vp_hull_end(r, r->json ? print_as_json(r, &hull) : print_as_text(r, &hull));
    vp_hull_destroy(&hull);
    return code;
}

/* What is for one of the dimensions only. */
static bool fits(uint64_t dimension, const char *out, const char *axis, const char *tolerance, const char *separate, vp_hull_run *r)
{
    const size_t length = out != NULL ? strlen(out) : 0;
    if (dimension == 3 && axis != NULL)
        vp_command_usage("hull", "option '--axis' is for --dimension 2");
    else if (dimension == 2 && (tolerance != NULL || separate != NULL))
        vp_command_usage("hull", "option '%s' is for --dimension 3", tolerance != NULL ? "--tolerance" : "--separate");
    else if (dimension == 2 && out != NULL && (length < 5 || strcmp(out + length - 4, ".svg") != 0))
        vp_command_usage("hull", "-o '%s' does not end with .svg, as of --dimension 2 it must", out);
    else if (dimension == 3 && out != NULL && !vp_hull_format_of(out, &r->format))
        vp_command_usage("hull", "-o '%s' ends with none of .obj, .ply, .gltf, .points", out);
    else
        return true;
    return false;
}

int vp_command_hull(int argc, char **argv)
{
    vp_hull_run r = {0};
    const char *out, *dimension, *axis, *tolerance, *separate, *isa, *json;
    const vp_option options[] = {
        {"-o", "FILE", "write the hull: FILE ends with .obj, .ply (polygons), .gltf (triangles) or .points; of 2 with .svg", &out},
        {"--dimension", "N", "2: in the plane, points have two coordinates (3)", &dimension},
        {"--axis", "AXIS", "the plane across x, y or z, of points that have three coordinates; for --dimension 2 (z)", &axis},
        {"--tolerance", "S", "what lies within this distance of a plane is flat (2^-22 of the extent or of the largest coordinate)",
         &tolerance},
        {"--separate", NULL, "faces are those of the exact hull: none are joined within the tolerance", &separate},
        {"--isa", "NAME", "kernel: best, scalar, avx2, avx512, neon, avx2-simde, neon-simde ($VOXPHYS_ISA, else best)", &isa},
        {"--json", NULL, "print JSON", &json},
    };
    const vp_usage usage = {"hull", "IN [OPTION...]",
                            "Makes the convex hull of points, decided exactly, tells what it has, looks whether it is one, and writes it.\n"
                            VP_POINT_SOURCE_HELP "\n"
                            "A flat set is a polygon of two sides, a straight one a segment, one in one place a point. Vertices are points of\n"
                            "IN, with their bits. Exit code 1: the hull is not valid; the reason is told, and nothing written.",
                            options, sizeof options / sizeof options[0], 1, 1};
    int count, code;
    uint64_t dimensions = 3;
    if (!vp_options_parse(&usage, argc, argv, &count, &code))
        return code;
    if (dimension != NULL && !vp_parse_u64("hull", "--dimension", dimension, 2, 3, &dimensions))
        return VP_EXIT_USAGE;
    if (axis != NULL && (strlen(axis) != 1 || strchr("xyz", axis[0]) == NULL))
        return vp_command_usage("hull", "--axis '%s' is none of x, y, z", axis);
    if (!fits(dimensions, out, axis, tolerance, separate, &r))
        return VP_EXIT_USAGE;
    if (tolerance != NULL && !vp_parse_float("hull", "--tolerance", tolerance, &r.def.tolerance))
        return VP_EXIT_USAGE;
    if (tolerance != NULL && !(r.def.tolerance >= 0.0f))
        return vp_command_usage("hull", "--tolerance '%s' is negative", tolerance);
    const uint32_t across = axis != NULL ? (uint32_t)(axis[0] - 'x') : 2;
    r.axis[0] = (across + 1) % 3;
    r.axis[1] = (across + 2) % 3;
    r.def.separate = separate != NULL;
    r.json = json != NULL;
    r.out = out;

    vp_error error;
    if (isa != NULL && vp_kernels_named(isa, &r.kernels, &error) != VP_OK)
        return vp_command_usage("hull", "--isa: %s", error.message);
    vp_status status = isa != NULL ? VP_OK : vp_kernels_default(&r.kernels, &error);
    if (status == VP_OK)
        status = vp_point_source_open("hull", argv[1], out, &r.kernels, &r.source, &error);
    if (status != VP_OK)
        code = vp_command_fail("hull", &error);
    else if (dimensions == 2 && r.source.points.columns == 2 && across != 2)
        code = vp_command_usage("hull", "--axis %s: %s has two numbers a line, and no plane across that axis", axis, argv[1]);
    else
        code = dimensions == 2 ? vp_hull_in_plane(&r) : in_space(&r);
    vp_point_source_close(&r.source);
    return code;
}
