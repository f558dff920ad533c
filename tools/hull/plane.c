/* SPDX-License-Identifier: MIT */
/* voxphys hull --dimension 2: the kernel hull2, with drawing and output. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/core/memory.h"
#include "datasets/hash.h"
#include "host/program.h"
#include "tools/hull/hull.h"

typedef struct polygon {
    uint32_t *corner;
    uint32_t corners;
    double area, perimeter, centroid[2];
    uint32_t drawn; /* number of points */
} polygon;

static double coordinate(vp_vec3 p, uint32_t axis)
{
    return axis == 0 ? (double)p.x : axis == 1 ? (double)p.y : (double)p.z;
}

static vp_status make(vp_hull_run *r, polygon *out, vp_error *error)
{
    const vp_points *points = &r->source.points;
    const vp_allocator a = vp_allocator_default();
    const size_t scratch_bytes = vp_hull2_scratch_bytes(points->count);
    void *scratch = vp_allocate(&a, scratch_bytes, 1);
    out->corner = malloc((size_t)points->count * sizeof *out->corner);
    vp_status status = VP_OK;
    if (scratch == NULL || out->corner == NULL) {
        status = vp_fail(error, VP_E_MEMORY, "no memory for the hull of %u points", points->count);
    } else {
        const vp_hull2_job build = {.point = points->point,
                                    .count = points->count,
                                    .axis = {r->axis[0], r->axis[1]},
                                    .max_work = UINT64_MAX,
                                    .scratch = scratch,
                                    .corner = out->corner};
        const double begin = vp_seconds();
        out->corners = r->kernels.hull2(&build).corners;
        r->seconds = vp_seconds() - begin;
    }
    vp_release(&a, scratch, scratch_bytes, 1);
    return status;
}

/* Measures relative to the first corner, so that precision is kept far from the origin. The centroid of a segment is its middle. */
static void measure(const vp_hull_run *r, polygon *p)
{
    const vp_vec3 *point = r->source.points.point;
    const double origin[2] = {coordinate(point[p->corner[0]], r->axis[0]), coordinate(point[p->corner[0]], r->axis[1])};
    double moment[2] = {0.0, 0.0}, twice = 0.0, middle[2] = {0.0, 0.0};
    for (uint32_t i = 0; i < p->corners; i++) {
        const vp_vec3 from = point[p->corner[i]], to = point[p->corner[(i + 1) % p->corners]];
        const double a[2] = {coordinate(from, r->axis[0]) - origin[0], coordinate(from, r->axis[1]) - origin[1]};
        const double b[2] = {coordinate(to, r->axis[0]) - origin[0], coordinate(to, r->axis[1]) - origin[1]};
        const double cross = a[0] * b[1] - a[1] * b[0], x = b[0] - a[0], y = b[1] - a[1];
        twice += cross;
        p->perimeter += sqrt(x * x + y * y);
        for (int k = 0; k < 2; k++) {
            moment[k] += (a[k] + b[k]) * cross;
            middle[k] += a[k];
        }
    }
    p->area = twice / 2.0;
    for (int k = 0; k < 2; k++)
        p->centroid[k] = origin[k] + (p->corners > 2 ? moment[k] / (3.0 * twice) : middle[k] / (double)p->corners);
}

/* Writes the corners counterclockwise, as two numbers each. */
static vp_status write_corners(const vp_hull_run *r, const polygon *p, vp_error *error)
{
    vp_bytes text = {0};
    vp_points_text(NULL, 0, 2, "voxphys hull: the corners, counterclockwise", &text);
    for (uint32_t i = 0; i < p->corners && !text.failed; i++) {
        const vp_vec3 from = r->source.points.point[p->corner[i]];
        const vp_vec3 seen = {(float)coordinate(from, r->axis[0]), (float)coordinate(from, r->axis[1]), 0.0f};
        vp_points_text(&seen, 1, 2, "", &text);
    }
    return vp_bytes_save(&text, r->out, error);
}

static vp_status draw(const vp_hull_run *r, polygon *p, vp_error *error)
{
    vp_bytes svg = {0};
    p->drawn = vp_hull_drawing(&svg, r->source.points.point, r->source.points.count, r->axis, p->corner, p->corners);
    svg.failed = svg.failed || p->drawn == 0;
    return vp_bytes_save(&svg, r->out, error);
}

/* ---- output ---- */

static uint32_t dimension_of(const polygon *p)
{
    return p->corners < 3 ? p->corners - 1 : 2;
}

static char across(const vp_hull_run *r)
{
    return "xyz"[3 - r->axis[0] - r->axis[1]];
}

static int print_as_json(const vp_hull_run *r, const polygon *p)
{
    const char axis[2] = {across(r), '\0'};
    const bool written = r->out != NULL && r->findings.valid;
    json_t *all = vp_hull_json_begin(r, VP_KERNEL_hull2);
    json_t *more =
        json_pack("{s:i, s:s, s:I, s:f, s:f, s:[f,f], s:o, s:o, s:o}", "dimension", (int)dimension_of(p), "axis", axis, "corners",
                  (json_int_t)p->corners, "area", p->area, "perimeter", p->perimeter, "centroid", p->centroid[0], p->centroid[1],
                  "validity", vp_hull_findings_json(&r->findings), "drawn_points",
                  written && p->drawn != 0 ? json_integer(p->drawn) : json_null(), "file", written ? vp_json_name(r->out) : json_null());
    json_object_update_new(all, more);
    return vp_print_json(all);
}

static int print_as_text(const vp_hull_run *r, const polygon *p)
{
    printf("points    %u of %s, seen along %c\n", r->source.points.count, r->source.name, across(r));
    printf("kernel    hull2 %s; %.3f ms\n", vp_isa_shown(vp_kernels_isa(&r->kernels, VP_KERNEL_hull2)), r->seconds * 1e3);
    printf("hull      of dimension %u: %u corner%s\n", dimension_of(p), p->corners, vp_plural(p->corners));
    printf("area      %.9g\nperimeter %.9g\ncentroid  %.9g, %.9g\n", p->area, p->perimeter, p->centroid[0], p->centroid[1]);
    printf("digest    %016" PRIx64 "\n", r->digest);
    vp_hull_findings_print(&r->findings);
    if (r->out != NULL && r->findings.valid && p->drawn != 0)
        printf("written   %s: %u of %u points are drawn\n", r->out, p->drawn, r->source.points.count);
    else if (r->out != NULL && r->findings.valid)
        printf("written   %s\n", r->out);
    return VP_EXIT_DONE;
}

int vp_hull_in_plane(vp_hull_run *r)
{
    vp_error error;
    polygon p = {0};
    vp_status status = make(r, &p, &error);
    if (status == VP_OK)
        status = vp_polygon_check(r->source.points.point, r->source.points.count, r->axis, p.corner, p.corners, &r->findings, &error);
    if (status == VP_OK) {
        vp_hasher h; /* the digest is the same as in `voxphys verify` */
        vp_hash_begin(&h);
        vp_hash_words(&h, p.corner, p.corners);
        r->digest = vp_hash_end(&h);
        measure(r, &p);
        if (r->out != NULL && r->findings.valid)
            status = r->drawing ? draw(r, &p, &error) : write_corners(r, &p, &error);
    }
    const int code =
        status != VP_OK ? vp_command_fail("hull", &error) : vp_hull_end(r, r->json ? print_as_json(r, &p) : print_as_text(r, &p));
    free(p.corner);
    return code;
}
