/* SPDX-License-Identifier: MIT */
/* Whether a hull is one, of any dimension: vp_hull_validate, and what it does not know of. */
#ifndef VP_TOOLS_HULL_CHECK_H
#define VP_TOOLS_HULL_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <voxphys/hull.h>

struct json_t;

typedef struct vp_hull_findings {
    uint32_t dimension;
    bool valid;
    double extent;   /* the longest side of the points' box */
    double allowed;  /* how far outside a point may be, how deep a valley, and how far aside */
    double left_out; /* how much further outside, of a hull with fewer vertices: its error */
    bool contain;    /* planes of faces are to be above all points */
    double above;    /* then: the furthest that one is above a plane; -INFINITY: not looked at, of more than 2^32 points times planes */
    uint32_t above_point;
    /* of dimension 3 as they are; of 2 of a prism over the polygon, in the plane across an axis; below, only `outside`: of a segment how
       far a point is beyond an end */
    vp_hull_report verdict;
    double aside; /* the furthest that a point is from the polygon's plane, the segment's line, the point; 0 of dimension 3 */
    uint32_t aside_point;
    char reason[200]; /* of a hull that is not valid */
} vp_hull_findings;

/* `contain` is the def's; then it takes O(points * faces).
   @return VP_OK, whatever was found; VP_E_MEMORY, and what vp_hull_validate says */
vp_status vp_hull_check(const vp_vec3 *point, uint32_t count, const vp_hull *hull, bool contain, vp_hull_findings *out, vp_error *error);

/* The same of a polygon in the plane of two axes: points by number, counterclockwise; exact, so that nothing is aside. */
vp_status vp_polygon_check(const vp_vec3 *point, uint32_t count, const uint32_t axis[2], const uint32_t *corner, uint32_t corners,
                           vp_hull_findings *out, vp_error *error);

/* As a line of text, and as the value of "validity". */
void vp_hull_findings_print(const vp_hull_findings *f);
struct json_t *vp_hull_findings_json(const vp_hull_findings *f);

#endif
