/* SPDX-License-Identifier: MIT */
/* Places at which shapes touch triangles: families of difficult ones, and places on a mesh. All numbers are made from random integers by
 * + - * / and square roots in binary32, so they are the same everywhere. */
#include "datasets/pose_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "datasets/grow.h"
#include "datasets/random.h"
#include "src/core/error.h"

static const char *const names[VP_POSES_FAMILIES] = {"parallel", "edges", "touching", "tiny", "needles", "deep",
                                                     "far",      "small", "large",    "flat", "centred", "random"};

const char *vp_pose_family_name(vp_pose_family family)
{
    return (unsigned)family < VP_POSES_FAMILIES ? names[family] : "unknown";
}

/* ---- numbers ---- */

static float between(vp_random *r, float low, float high)
{
    return vp_random_between(r, low, high);
}

/* One draw per statement, because the order within an initialiser is the compiler's choice. */
static vp_vec3 in_cube(vp_random *r)
{
    vp_vec3 p;
    p.x = between(r, -1.0f, 1.0f);
    p.y = between(r, -1.0f, 1.0f);
    p.z = between(r, -1.0f, 1.0f);
    return p;
}

static vp_vec3 unit(vp_vec3 a)
{
    return vp_vec3_scale(a, 1.0f / sqrtf(vp_vec3_dot(a, a)));
}

static vp_vec3 direction(vp_random *r)
{
    vp_vec3 p;
    float square;
    do {
        p = in_cube(r);
        square = vp_vec3_dot(p, p);
    } while (square < 0.01f || square > 1.0f);
    return unit(p);
}

/* A whole number of sixteenths. */
static float sixteenth(vp_random *r, int32_t low, int32_t high)
{
    return (float)(low + (int32_t)vp_random_below(r, (uint32_t)(high - low + 1))) * 0x1p-4f;
}

/* A rotation by right angles, as a quaternion of whole numbers. */
static void turn_by_right_angles(vp_random *r, float q[4])
{
    static const float of[10][4] = {{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1},    {1, 0, 0, 0},
                                    {0, 1, 0, 0}, {0, 0, 1, 0}, {1, 1, 1, 1}, {-1, -1, -1, 1}, {1, 1, 0, 0}};
    memcpy(q, of[vp_random_below(r, 10)], 4 * sizeof *q);
}

/* ---- triangles ---- */

static vp_vec3 on_triangle(vp_random *r, const vp_vec3 c[3])
{
    float a = vp_random_unit(r), b = vp_random_unit(r);
    if (a + b > 1.0f) {
        a = 1.0f - a;
        b = 1.0f - b;
    }
    return vp_vec3_add(c[0], vp_vec3_add(vp_vec3_scale(vp_vec3_sub(c[1], c[0]), a), vp_vec3_scale(vp_vec3_sub(c[2], c[0]), b)));
}

static vp_vec3 normal_of(const vp_vec3 c[3])
{
    return vp_vec3_cross(vp_vec3_sub(c[1], c[0]), vp_vec3_sub(c[2], c[0]));
}

/* Corners around a place, at a distance of about `size`, that form no sliver. */
static void fat_triangle(vp_random *r, float size, vp_vec3 c[3])
{
    vp_vec3 n;
    const vp_vec3 middle = vp_vec3_scale(in_cube(r), 2.0f);
    do {
        for (int k = 0; k < 3; k++)
            c[k] = vp_vec3_scale(in_cube(r), size);
        n = normal_of(c);
    } while (vp_vec3_dot(n, n) < 0.05f * (size * size) * (size * size));
    for (int k = 0; k < 3; k++)
        c[k] = vp_vec3_add(c[k], middle);
}

/* Horizontal or vertical, in sixteenths. */
static void lattice_triangle(vp_random *r, uint32_t axis, vp_vec3 c[3])
{
    const float height = sixteenth(r, -32, 32);
    vp_vec3 n;
    do {
        for (int k = 0; k < 3; k++) {
            const float u = sixteenth(r, -24, 24), v = sixteenth(r, -24, 24);
            c[k] = axis == 0 ? (vp_vec3){height, u, v} : axis == 1 ? (vp_vec3){u, height, v} : (vp_vec3){u, v, height};
        }
        n = normal_of(c);
    } while (vp_vec3_dot(n, n) < 0.25f);
}

/* Ten thousand times as long as wide. */
static void needle(vp_random *r, vp_vec3 c[3])
{
    const vp_vec3 along = direction(r);
    vp_vec3 across = vp_vec3_cross(along, direction(r));
    while (vp_vec3_dot(across, across) < 0.01f)
        across = vp_vec3_cross(along, direction(r));
    const float length = between(r, 0.5f, 2.0f);
    across = vp_vec3_scale(unit(across), length * 1e-4f);
    c[0] = in_cube(r);
    c[1] = vp_vec3_add(c[0], vp_vec3_scale(along, length));
    c[2] = vp_vec3_add(vp_vec3_add(c[0], across), vp_vec3_scale(along, vp_random_below(r, 2) == 0 ? 0.0f : length * vp_random_unit(r)));
}

/* All corners on a line, in sixteenths, with two or three of them at one place. */
static void flat_triangle(vp_random *r, vp_vec3 c[3])
{
    for (int k = 0; k < 3; k++) {
        c[k].x = sixteenth(r, -16, 16);
        c[k].y = sixteenth(r, -16, 16);
        c[k].z = sixteenth(r, -16, 16);
    }
    const uint32_t how = vp_random_below(r, 4), k = vp_random_below(r, 3);
    if (how == 0)
        c[1] = c[2] = c[0];
    else if (how == 1)
        c[(k + 1) % 3] = c[k];
    else
        c[k] = vp_vec3_scale(vp_vec3_add(c[(k + 1) % 3], c[(k + 2) % 3]), 0.5f);
}

/* ---- places ---- */

/* A third is apart, a third just touches, a third overlaps deeply. */
static float usual_gap(vp_random *r)
{
    switch (vp_random_below(r, 3)) {
    case 0:
        return between(r, 0.0f, 0.02f);
    case 1:
        return between(r, -0.002f, 0.002f);
    default:
        return between(r, -0.2f, 0.0f);
    }
}

/* A place on the triangle's face (either side), on an edge, or at a corner. */
static void touch_somewhere(vp_random *r, const vp_vec3 c[3], vp_pose_place *p)
{
    const uint32_t how = vp_random_below(r, 3), k = vp_random_below(r, 3);
    const vp_vec3 n = normal_of(c);
    p->normal = direction(r);
    p->point = on_triangle(r, c);
    if (how == 0 && vp_vec3_dot(n, n) > 0.0f)
        p->normal = unit(vp_random_below(r, 2) == 0 ? n : vp_vec3_scale(n, -1.0f));
    else if (how == 1)
        p->point = vp_vec3_add(c[k], vp_vec3_scale(vp_vec3_sub(c[(k + 1) % 3], c[k]), vp_random_unit(r)));
    else if (how == 2)
        p->point = c[k];
}

static void make_parallel(vp_random *r, vp_vec3 c[3], vp_pose_place *p)
{
    static const float gap[4] = {0.0f, 0x1p-6f, -0x1p-6f, -0.25f};
    const uint32_t axis = vp_random_below(r, 3);
    lattice_triangle(r, axis, c);
    p->point = on_triangle(r, c);
    p->normal = axis == 0 ? (vp_vec3){1.0f, 0.0f, 0.0f} : axis == 1 ? (vp_vec3){0.0f, 1.0f, 0.0f} : (vp_vec3){0.0f, 0.0f, 1.0f};
    if (vp_random_below(r, 2) == 0)
        p->normal = vp_vec3_scale(p->normal, -1.0f);
    p->gap = vp_random_below(r, 2) == 0 ? gap[vp_random_below(r, 4)] : usual_gap(r);
    turn_by_right_angles(r, p->rotation);
    if (vp_random_below(r, 2) == 0) { /* rotates about the normal: parallel to the face, but not to its edges */
        memset(p->rotation, 0, sizeof p->rotation);
        p->rotation[axis] = between(r, -1.0f, 1.0f);
        p->rotation[3] = 1.0f;
    }
}

static void make_edges(vp_random *r, vp_vec3 c[3], vp_pose_place *p)
{
    const uint32_t k = vp_random_below(r, 3), axis = vp_random_below(r, 3);
    const vp_vec3 along = axis == 0 ? (vp_vec3){1.0f, 0.0f, 0.0f} : axis == 1 ? (vp_vec3){0.0f, 1.0f, 0.0f} : (vp_vec3){0.0f, 0.0f, 1.0f};
    vp_vec3 n;
    do {
        if (vp_random_below(r, 2) == 0)
            lattice_triangle(r, vp_random_below(r, 3), c);
        else
            fat_triangle(r, 1.0f, c);
        n = vp_vec3_cross(along, vp_vec3_sub(c[(k + 1) % 3], c[k]));
    } while (vp_vec3_dot(n, n) < 1e-6f);
    p->point = vp_vec3_add(c[k], vp_vec3_scale(vp_vec3_sub(c[(k + 1) % 3], c[k]), between(r, 0.125f, 0.875f)));
    p->normal = unit(vp_random_below(r, 2) == 0 ? n : vp_vec3_scale(n, -1.0f));
    p->gap = vp_random_below(r, 4) == 0 ? 0.0f : usual_gap(r);
    p->rotation[3] = 1.0f;
    if (vp_random_below(r, 4) == 0) /* nearly so */
        p->rotation[axis] = between(r, -0x1p-20f, 0x1p-20f);
}

static void make_touching(vp_random *r, vp_vec3 c[3], vp_pose_place *p)
{
    make_parallel(r, c, p);
    memset(p->rotation, 0, sizeof p->rotation);
    turn_by_right_angles(r, p->rotation);
    p->gap = 0.0f;
    if (vp_random_below(r, 2) == 0)
        p->point = c[vp_random_below(r, 3)];
}

static void make_place(vp_random *r, vp_pose_family family, vp_vec3 c[3], vp_pose_place *p)
{
    const vp_vec3 away = {10000.0f, 0.0f, -10000.0f};
    float by = 1.0f;
    *p = (vp_pose_place){.scale = 1.0f, .family = family};
    if (family == VP_POSES_PARALLEL)
        make_parallel(r, c, p);
    else if (family == VP_POSES_EDGES)
        make_edges(r, c, p);
    else if (family == VP_POSES_TOUCHING)
        make_touching(r, c, p);
    else {
        if (family == VP_POSES_TINY)
            fat_triangle(r, vp_random_below(r, 2) == 0 ? 1e-3f : 1e-4f, c);
        else if (family == VP_POSES_NEEDLES)
            needle(r, c);
        else if (family == VP_POSES_FLAT)
            flat_triangle(r, c);
        else
            fat_triangle(r, 1.0f, c);
        vp_random_turn(r, 0.01f, 1.0f, p->rotation);
        touch_somewhere(r, c, p);
        p->gap = usual_gap(r);
        if (family == VP_POSES_DEEP)
            p->gap = between(r, -1.2f, -0.2f);
        if (family == VP_POSES_CENTRED) {
            p->centred = true;
            if (vp_random_below(r, 2) == 0)
                turn_by_right_angles(r, p->rotation);
        }
        by = family == VP_POSES_SMALL ? 1e-3f : family == VP_POSES_LARGE ? 1e3f : 1.0f;
    }
    for (int k = 0; k < 3; k++)
        c[k] = family == VP_POSES_FAR ? vp_vec3_add(c[k], away) : vp_vec3_scale(c[k], by);
    p->point = family == VP_POSES_FAR ? vp_vec3_add(p->point, away) : vp_vec3_scale(p->point, by);
    p->scale *= by;
    p->gap *= by;
}

/* ---- sets ---- */

static bool begin(uint32_t count, uint32_t triangles, vp_pose_set *out)
{
    *out = (vp_pose_set){.triangle_room = triangles};
    out->place = calloc((size_t)count + 1, sizeof *out->place);
    out->corner = malloc(((size_t)triangles + 1) * sizeof *out->corner);
    return out->place != NULL && out->corner != NULL;
}

static vp_status refuse(uint32_t count, vp_pose_set *set, vp_error *error)
{
    vp_pose_set_destroy(set);
    return vp_fail(error, VP_E_MEMORY, "no memory for %u places", count);
}

vp_status vp_pose_set_hard(vp_pose_family family, uint32_t count, uint64_t seed, vp_pose_set *out, vp_error *error)
{
    vp_random random = {seed};
    if (!begin(count, count, out))
        return refuse(count, out, error);
    for (uint32_t i = 0; i < count; i++) {
        make_place(&random, family < VP_POSES_FAMILIES ? family : (vp_pose_family)(i % VP_POSES_FAMILIES), out->corner[i], &out->place[i]);
        out->place[i].first = i;
        out->place[i].count = 1;
    }
    out->count = out->triangle_count = count;
    return VP_OK;
}

static bool append_triangle(vp_pose_set *set, const vp_vec3 c[3])
{
    vp_vec3(*corner)[3] = vp_with_room(set->corner, set->triangle_count + 1u, &set->triangle_room, sizeof *corner);
    if (corner == NULL)
        return false;
    set->corner = corner;
    memcpy(set->corner[set->triangle_count++], c, sizeof *set->corner);
    return true;
}

/* Finds triangles whose boxes are near a point. */
static bool append_near(vp_pose_set *set, const vp_triangles *mesh, vp_vec3 point, float reach)
{
    const vp_vec3 side = {reach, reach, reach};
    const vp_aabb near = {vp_vec3_sub(point, side), vp_vec3_add(point, side)};
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t at[3];
        vp_triangle_corners(mesh, t, at);
        const vp_vec3 c[3] = {mesh->vertex[at[0]], mesh->vertex[at[1]], mesh->vertex[at[2]]};
        const vp_aabb box = {vp_vec3_min(vp_vec3_min(c[0], c[1]), c[2]), vp_vec3_max(vp_vec3_max(c[0], c[1]), c[2])};
        if (vp_aabb_overlaps(&near, &box) && !append_triangle(set, c))
            return false;
    }
    return true;
}

vp_status vp_pose_set_on(const vp_triangles *mesh, float scale, uint32_t count, uint64_t seed, vp_pose_set *out, vp_error *error)
{
    vp_random random = {seed};
    if (mesh->triangle_count == 0)
        return vp_fail(error, VP_E_ARGUMENT, "a mesh without triangles has no places");
    if (!begin(count, 0, out))
        return refuse(count, out, error);
    while (out->count < count) {
        vp_pose_place *p = &out->place[out->count];
        uint32_t at[3];
        vp_triangle_corners(mesh, vp_random_below(&random, mesh->triangle_count), at);
        const vp_vec3 c[3] = {mesh->vertex[at[0]], mesh->vertex[at[1]], mesh->vertex[at[2]]}, n = normal_of(c);
        *p = (vp_pose_place){.point = on_triangle(&random, c), .scale = scale, .family = VP_POSES_RANDOM, .first = out->triangle_count};
        vp_random_turn(&random, 0.01f, 1.0f, p->rotation);
        p->gap = usual_gap(&random) * scale;
        p->normal = vp_vec3_dot(n, n) > 0.0f ? unit(n) : (vp_vec3){0.0f, 1.0f, 0.0f};
        if (!append_near(out, mesh, p->point, 1.75f * scale))
            return refuse(count, out, error);
        p->count = out->triangle_count - p->first;
        out->count++;
    }
    return VP_OK;
}

void vp_pose_set_destroy(vp_pose_set *set)
{
    free(set->place);
    free(set->corner);
    *set = (vp_pose_set){0};
}
