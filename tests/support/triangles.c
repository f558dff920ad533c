/* SPDX-License-Identifier: MIT */
#include "tests/support/triangles.h"

#include <math.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "src/kd/ray_triangle.h"
#include "src/kd/sphere_triangle.h"
#include "tests/support/check.h"

static void make(uint32_t vertices, uint32_t triangles, bool quads, test_triangles *out)
{
    uint32_t indices = quads ? triangles * 2 : triangles * 3;
    out->vertex = malloc((vertices + 1u) * sizeof *out->vertex);
    out->index = malloc((indices + 1u) * sizeof *out->index);
    assert_non_null(out->vertex);
    assert_non_null(out->index);
    out->view = (vp_triangles){out->vertex, out->index, vertices, triangles, quads};
}

void test_triangles_free(test_triangles *t)
{
    free(t->vertex);
    free(t->index);
    *t = (test_triangles){0};
}

static vp_vec3 random_point(vp_random *r, float most)
{
    vp_vec3 p;
    p.x = vp_random_between(r, -most, most);
    p.y = vp_random_between(r, -most, most);
    p.z = vp_random_between(r, -most, most);
    return p;
}

void test_soup(vp_random *r, uint32_t count, test_triangles *out)
{
    make(3 * count, count, false, out);
    for (uint32_t i = 0; i < count; i++) {
        vp_vec3 at = random_point(r, 32.0f), *v = out->vertex + (size_t)3 * i;
        float size = vp_random_below(r, 8) == 0 ? 30.0f : vp_random_below(r, 4) == 0 ? 0.01f : 2.0f;
        for (uint32_t k = 0; k < 3; k++) {
            v[k] = vp_vec3_add(at, random_point(r, size));
            out->index[3 * i + k] = 3 * i + k;
        }
        switch (vp_random_below(r, 24)) {
        case 0:
            v[1] = v[0];
            break;
        case 1:
            v[1] = v[2] = v[0];
            break;
        case 2:
            v[2] = vp_vec3_scale(vp_vec3_add(v[0], v[1]), 0.5f);
            break;
        case 3:
            v[0].y = v[1].y = v[2].y = roundf(at.y);
            break; /* in a plane shared with others */
        case 4:
            for (uint32_t k = 0; i > 0 && k < 3; k++)
                out->index[3 * i + k] = out->index[3 * i - 3 + k];
            break;
        default:
            break;
        }
    }
}

void test_unpaired(const test_triangles *quads, test_triangles *out)
{
    const vp_triangles *from = &quads->view;
    make(from->vertex_count, from->triangle_count, false, out);
    memcpy(out->vertex, from->vertex, from->vertex_count * sizeof *out->vertex);
    for (uint32_t i = 0; i < from->triangle_count; i++) {
        const uint32_t *quad = from->index + (size_t)(i / 2) * 4;
        const uint32_t corner[3] = {quad[0], quad[1 + i % 2], quad[2 + i % 2]};
        memcpy(out->index + (size_t)3 * i, corner, sizeof corner);
    }
}

void test_corners(const vp_triangles *t, uint32_t triangle, vp_vec3 corner[3])
{
    const uint32_t *quad = t->index + (size_t)(triangle / 2) * 4, *three = t->index + (size_t)triangle * 3;
    for (uint32_t k = 0; k < 3; k++)
        corner[k] = t->vertex[!t->quads ? three[k] : k == 0 ? quad[0] : quad[k + triangle % 2]];
}

/* ---- rays ---- */

static vp_vec3 some_corner(vp_random *r, const vp_triangles *t)
{
    vp_vec3 corner[3];
    test_corners(t, vp_random_below(r, t->triangle_count), corner);
    return corner[vp_random_below(r, 3)];
}

vp_ray test_ray(vp_random *r, const vp_triangles *t)
{
    vp_vec3 p = some_corner(r, t), q = some_corner(r, t);
    vp_ray ray = {vp_vec3_add(p, random_point(r, 6.0f)), random_point(r, 1.0f), vp_random_between(r, 0.0f, 40.0f)};
    if (vp_random_below(r, 3) == 0)
        ray.t_max = INFINITY;
    switch (vp_random_below(r, 16)) {
    case 0:
        ray.direction.x = 0.0f;
        break;
    case 1:
        ray.direction.x = ray.direction.y = -0.0f;
        break;
    case 2: /* along an axis through a corner */
        ray.origin.x = p.x;
        ray.origin.z = p.z;
        ray.direction.x = 0.0f;
        ray.direction.z = -0.0f;
        break;
    case 3:
        ray.direction = vp_vec3_sub(p, ray.origin);
        break; /* through a corner */
    case 4:    /* from past one corner through both */
        ray.origin = vp_vec3_add(q, vp_vec3_sub(q, p));
        ray.direction = vp_vec3_sub(p, q);
        break;
    case 5:
        ray.origin = p;
        break;
    case 6:
        ray.direction = vp_vec3_scale(ray.direction, 1e-42f);
        break;
    case 7:
        ray.direction = vp_vec3_scale(ray.direction, 3e38f);
        break;
    case 8: /* from far away */
        ray.origin = vp_vec3_sub(p, vp_vec3_scale(ray.direction, 1e6f));
        ray.direction = vp_vec3_sub(p, ray.origin);
        ray.t_max = INFINITY;
        break;
    case 9: /* nearly flat */
        ray.origin.y = p.y;
        ray.direction.y *= 1e-7f;
        break;
    case 10: /* flat, in the plane of a corner */
        ray.origin.y = p.y;
        ray.direction.y = 0.0f;
        break;
    case 11:
        ray.origin = vp_vec3_scale(vp_vec3_add(p, q), 0.5f);
        break;
    default:
        break;
    }
    if (ray.direction.x == 0.0f && ray.direction.y == 0.0f && ray.direction.z == 0.0f)
        ray.direction.y = -1.0f;
    return ray;
}

/* `radius` is the radius of a sphere swept along the ray, NULL = none. */
static bool meets(const vp_triangles *t, const vp_ray_frame *frame, const float *radius, uint32_t triangle, vp_meeting *m)
{
    vp_vec3 c[3];
    test_corners(t, triangle, c);
    const float at[3][3] = {{c[0].x, c[0].y, c[0].z}, {c[1].x, c[1].y, c[1].z}, {c[2].x, c[2].y, c[2].z}};
    return radius == NULL ? vp_ray_meets(frame, at[0], at[1], at[2], m) : vp_sphere_meets(frame, *radius, at[0], at[1], at[2], m);
}

static vp_hit first_met(const vp_triangles *t, const vp_ray *ray, const float *radius)
{
    vp_hit best = {ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    vp_ray_frame frame = {0};
    assert_true(vp_ray_frame_of(ray, &frame));
    float s = INFINITY, distance = INFINITY;
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vp_meeting m;
        if (meets(t, &frame, radius, i, &m) && (best.triangle == VP_NO_HIT || m.s < s || (m.s == s && m.distance < distance))) {
            best = (vp_hit){m.t, (int32_t)i, m.u, m.v};
            s = m.s;
            distance = m.distance;
        }
    }
    return best;
}

vp_hit test_closest(const vp_triangles *t, const vp_ray *ray)
{
    return first_met(t, ray, NULL);
}

vp_hit test_first_touched(const vp_triangles *t, const vp_ray *ray, float radius)
{
    return first_met(t, ray, &radius);
}

static int by_t(const void *one, const void *two)
{
    const vp_hit *a = one, *b = two;
    return a->t != b->t ? (a->t < b->t ? -1 : 1) : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

uint32_t test_all(const vp_triangles *t, const vp_ray *ray, vp_hit *out, uint32_t capacity)
{
    vp_ray_frame frame = {0};
    uint32_t count = 0;
    assert_true(vp_ray_frame_of(ray, &frame));
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vp_meeting m;
        if (!meets(t, &frame, NULL, i, &m))
            continue;
        assert_true(count < capacity);
        out[count++] = (vp_hit){m.t, (int32_t)i, m.u, m.v};
    }
    qsort(out, count, sizeof *out, by_t);
    return count;
}

/* ---- boxes ---- */

static bool apart(float a, float b, float c, float low, float high)
{
    return (a < low && b < low && c < low) || (a > high && b > high && c > high);
}

uint32_t test_overlapping(const vp_triangles *t, const vp_aabb *box, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->triangle_count; i++) {
        vp_vec3 c[3];
        test_corners(t, i, c);
        if (!apart(c[0].x, c[1].x, c[2].x, box->min.x, box->max.x) && !apart(c[0].y, c[1].y, c[2].y, box->min.y, box->max.y) &&
            !apart(c[0].z, c[1].z, c[2].z, box->min.z, box->max.z))
            out[count++] = i;
    }
    return count;
}
