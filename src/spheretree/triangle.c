/* SPDX-License-Identifier: MIT */
/* Whether two triangles have a point in common. They may cross, lie in one plane, be thin, or be segments or points.
 * Every decision is the sign of a determinant of the corners themselves, by src/core/exact.h, so it is right.
 *
 * Two closed convex sets that meet have a common point that is an extreme point of their intersection, and such a point
 * of two triangles is on an edge of one of them. So they meet if and only if an edge of one meets the other. */
#include "src/spheretree/touch.h"

#include "src/core/exact.h"

/* Projects to a plane of axes: 0 is (y, z), 1 (z, x), 2 (x, y). */
static vp_vec2 project_point(vp_vec3 p, int plane)
{
    return plane == 0 ? (vp_vec2){p.y, p.z} : plane == 1 ? (vp_vec2){p.z, p.x} : (vp_vec2){p.x, p.y};
}

/* A plane of axes in which three points' shadows are not on a line. 3 if they are on a line themselves. */
static int plane_of(vp_vec3 a, vp_vec3 b, vp_vec3 c)
{
    int plane = 0;
    while (plane < 3 && vp_orient2d(project_point(a, plane), project_point(b, plane), project_point(c, plane)) == 0)
        plane++;
    return plane;
}

static bool is_between(float v, float a, float b)
{
    return (a <= v && v <= b) || (b <= v && v <= a);
}

/* Whether a point on the line of a and b is between them, or equal to both if a == b. */
static bool is_within(vp_vec2 p, vp_vec2 a, vp_vec2 b)
{
    return is_between(p.x, a.x, b.x) && is_between(p.y, a.y, b.y);
}

static bool is_meeting_in_plane(vp_vec2 p, vp_vec2 q, vp_vec2 a, vp_vec2 b)
{
    const int of_a = vp_orient2d(p, q, a), of_b = vp_orient2d(p, q, b), of_p = vp_orient2d(a, b, p), of_q = vp_orient2d(a, b, q);
    if (of_a * of_b < 0 && of_p * of_q < 0)
        return true;
    return (of_a == 0 && is_within(a, p, q)) || (of_b == 0 && is_within(b, p, q)) || (of_p == 0 && is_within(p, a, b)) ||
           (of_q == 0 && is_within(q, a, b));
}

static bool is_overlapping(const vp_vec3 *a, int of_a, const vp_vec3 *b, int of_b)
{
    vp_aabb x = {a[0], a[0]}, y = {b[0], b[0]};
    for (int i = 1; i < of_a; i++)
        x = (vp_aabb){vp_vec3_min(x.min, a[i]), vp_vec3_max(x.max, a[i])};
    for (int i = 1; i < of_b; i++)
        y = (vp_aabb){vp_vec3_min(y.min, b[i]), vp_vec3_max(y.max, b[i])};
    return vp_aabb_overlaps(&x, &y);
}

/* Either may be a point. */
static bool is_meeting(const vp_vec3 e[2], const vp_vec3 f[2])
{
    if (vp_orient3d(e[0], e[1], f[0], f[1]) != 0)
        return false;
    int plane = plane_of(e[0], e[1], f[0]);
    plane = plane < 3 ? plane : plane_of(e[0], e[1], f[1]);
    plane = plane < 3 ? plane : plane_of(f[0], f[1], e[0]);
    plane = plane < 3 ? plane : plane_of(f[0], f[1], e[1]);
    if (plane == 3) /* all on one line, so they overlap if they overlap on every axis */
        return is_overlapping(e, 2, f, 2);
    return is_meeting_in_plane(project_point(e[0], plane), project_point(e[1], plane), project_point(f[0], plane),
                               project_point(f[1], plane));
}

static bool is_inside(vp_vec2 p, const vp_vec2 t[3])
{
    const int a = vp_orient2d(t[0], t[1], p), b = vp_orient2d(t[1], t[2], p), c = vp_orient2d(t[2], t[0], p);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

/* Whether a segment, or a point, meets a triangle. */
static bool is_edge_meeting(const vp_vec3 e[2], const vp_vec3 t[3])
{
    const int plane = plane_of(t[0], t[1], t[2]);
    if (plane == 3) /* it consists of its edges */
        return is_meeting(e, (const vp_vec3[2]){t[0], t[1]}) || is_meeting(e, (const vp_vec3[2]){t[1], t[2]}) ||
               is_meeting(e, (const vp_vec3[2]){t[2], t[0]});
    const int p = vp_orient3d(t[0], t[1], t[2], e[0]), q = vp_orient3d(t[0], t[1], t[2], e[1]);
    if (p * q > 0)
        return false;
    if (p == 0 && q == 0) {
        const vp_vec2 s[3] = {project_point(t[0], plane), project_point(t[1], plane), project_point(t[2], plane)};
        const vp_vec2 a = project_point(e[0], plane), b = project_point(e[1], plane);
        return is_inside(a, s) || is_inside(b, s) || is_meeting_in_plane(a, b, s[0], s[1]) || is_meeting_in_plane(a, b, s[1], s[2]) ||
               is_meeting_in_plane(a, b, s[2], s[0]);
    }
    const int x = vp_orient3d(e[0], e[1], t[0], t[1]), y = vp_orient3d(e[0], e[1], t[1], t[2]), z = vp_orient3d(e[0], e[1], t[2], t[0]);
    return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
}

bool vp_triangles_touch(const vp_vec3 a[3], const vp_vec3 b[3])
{
    if (!is_overlapping(a, 3, b, 3))
        return false;
    for (int i = 0; i < 3; i++)
        if (is_edge_meeting((const vp_vec3[2]){a[i], a[(i + 1) % 3]}, b) || is_edge_meeting((const vp_vec3[2]){b[i], b[(i + 1) % 3]}, a))
            return true;
    return false;
}

/* A triangle meets a box if a corner is inside, or if it meets one of the twelve triangles of its faces. The box is cut
   to the triangle's own box first, so no coordinate is infinite. */
bool vp_triangle_touches_box(const vp_vec3 corner[3], const vp_aabb *box)
{
    const vp_aabb own = vp_triangle_box(corner);
    if (!vp_aabb_overlaps(&own, box))
        return false;
    for (int i = 0; i < 3; i++)
        if (vp_aabb_contains(box, corner[i]))
            return true;
    const vp_vec3 end[2] = {vp_vec3_max(own.min, box->min), vp_vec3_min(own.max, box->max)};
    vp_vec3 of[8];
    for (int i = 0; i < 8; i++)
        of[i] = (vp_vec3){end[i & 1].x, end[i >> 1 & 1].y, end[i >> 2].z};
    static const uint8_t face[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        const vp_vec3 a[3] = {of[face[f][0]], of[face[f][1]], of[face[f][2]]}, b[3] = {of[face[f][0]], of[face[f][2]], of[face[f][3]]};
        if (vp_triangles_touch(corner, a) || vp_triangles_touch(corner, b))
            return true;
    }
    return false;
}
