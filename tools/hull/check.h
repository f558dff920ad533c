/* SPDX-License-Identifier: MIT */
/* Checks of hulls of any dimension: vp_hull_validate, and checks of polygons, segments and points. */
#ifndef VP_TOOLS_HULL_CHECK_H
#define VP_TOOLS_HULL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/hull.h>

struct json_t;

typedef struct vp_hull_findings {
    uint32_t dimension;
    bool valid;
    double extent;   /* longest side of the bounding box */
    double allowed;  /* tolerance of outside, concave and aside distances */
    double left_out; /* additional tolerance of outside, the error of a hull with fewer vertices */
    bool contain;    /* whether planes of faces must contain all points */
    double above; /* with `contain`: largest distance of a point above a plane. -INFINITY = not checked, because points times planes exceed
                     2^32 */
    uint32_t above_point;
    /* Dimension 3: the hull's report. Dimension 2: the report of a prism over the polygon, in the plane perpendicular
       to an axis. Dimension 1: only `outside`, the distance past an end. */
    vp_hull_report verdict;
    double aside; /* largest distance of a point from the polygon's plane, the segment's line, or the point. 0 in dimension 3 */
    uint32_t aside_point;
    char reason[200]; /* if the hull is invalid */
} vp_hull_findings;

/* Checks a hull. `contain` is that of the definition and costs O(points * faces).
   @return VP_OK for invalid hulls too, VP_E_MEMORY, errors of vp_hull_validate */
vp_status vp_hull_check(const vp_vec3 *point, uint32_t count, const vp_hull *hull, bool contain, vp_hull_findings *out, vp_error *error);

/* Checks a polygon in the plane of two axes. Corners are point numbers, counterclockwise. The points lie exactly in the plane. */
vp_status vp_polygon_check(const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner, uint32_t corners,
                           vp_hull_findings *out, vp_error *error);

/* Print findings as a line of text, and make the JSON of "validity". */
void vp_hull_findings_print(const vp_hull_findings *f);
struct json_t *vp_hull_findings_json(const vp_hull_findings *f);

#endif
