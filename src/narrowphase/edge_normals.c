/* SPDX-License-Identifier: MIT */
/* Normals of the surface at a triangle's face, edges and corners, in double precision. */
#include "src/narrowphase/edge_normals.h"

#include <math.h>
#include <string.h>

#include "src/core/real3.h"
#include "src/narrowphase/manifold_internal.h"

/* Sine up to which a direction away from a corner does not count as in front of it. */
#define IN_FRONT 0.01

static bool is_active(const vp_collide_triangle *t, int edge)
{
    const int flag = t->flags >> 2 * edge & 3;
    return flag == VP_EDGE_CONVEX || flag == VP_EDGE_OPEN;
}

/* The normals of an edge, between those of the triangles on both sides. */
typedef struct fan {
    vp_real3 outward;    /* perpendicular to the edge, in the triangle's plane */
    vp_vec3 end;         /* last normal, where the first is the triangle's */
    double cosine, sine; /* components of the last normal along the first and along `out` */
} fan;

/* @return false if there are no normals between, or no edge */
static bool fan_of(const vp_collide_triangle *t, int k, fan *f)
{
    const vp_real3 n = vp_real3_of(t->normal), across = vp_real3_cross(vp_real_edge(t->corner, k, (k + 1) % 3), n);
    const double width = vp_real3_length(across);
    if (!(width > 0.0))
        return false;
    f->outward = vp_real3_scale(across, 1.0 / width);
    f->end = vp_is_none(t->neighbour_normal[k]) ? vp_real3_rounded(f->outward) : t->neighbour_normal[k];
    f->cosine = vp_is_none(t->neighbour_normal[k]) ? 0.0 : vp_real3_dot(vp_real3_of(f->end), n);
    f->sine = vp_is_none(t->neighbour_normal[k]) ? 1.0 : vp_real3_dot(vp_real3_of(f->end), f->outward);
    if (f->sine <= 0.0 && f->cosine >= 0.0)
        return false;
    f->sine = f->sine > 0.0 ? f->sine : 0.0; /* back to back: half a circle */
    return true;
}

/* Whether a direction is in the fan, by its components along the triangle's normal and along `out`. */
static bool is_between(const fan *f, double a, double b)
{
    return b >= 0.0 && a * f->sine - b * f->cosine >= 0.0;
}

/* A normal of an edge: u made perpendicular to the edge if it is in the fan, otherwise the nearer of the fan's two ends. */
static vp_vec3 find_edge_normal(const vp_collide_triangle *t, int k, vp_vec3 u)
{
    fan f;
    if (!fan_of(t, k, &f))
        return t->normal;
    const vp_real3 n = vp_real3_of(t->normal);
    const double a = vp_real3_dot(vp_real3_of(u), n), b = vp_real3_dot(vp_real3_of(u), f.outward), square = a * a + b * b;
    if (!(square > VP_SAME_NORMAL * VP_SAME_NORMAL))
        return t->normal;
    if (is_between(&f, a, b)) {
        const vp_vec3 w = vp_real3_rounded(vp_real3_scale(vp_real3_plus(vp_real3_scale(n, a), f.outward, b), 1.0 / sqrt(square)));
        return vp_is_same_normal(w, u) ? u : w;
    }
    return a >= a * f.cosine + b * f.sine ? t->normal : f.end;
}

/* Number of triangles up to which all are searched, which is faster than buckets. */
enum { FEW_TRIANGLES = 48 };

static void fill_buckets(vp_triangles_around *s)
{
    s->has_buckets = true;
    memset(s->first, 0, (size_t)3 * s->count * sizeof *s->first);
    for (uint32_t i = 0; i < 3 * s->count; i++) {
        uint32_t *first = &s->first[vp_slot_of(vp_hash_place(s->triangle[i / 3].corner[i % 3]), 3 * s->count)];
        s->next[i] = *first;
        *first = 1 + i;
    }
}

/* Whether a triangle extends in front of a corner, by more than a sine. False if corner k is not at this place. */
static bool is_in_front(const vp_vec3 of[3], uint32_t k, vp_vec3 corner, vp_vec3 u, double sine)
{
    if (!vp_is_same_place(of[k], corner))
        return false;
    const vp_real3 a = vp_real_edge(of, (int)k, (int)((k + 1) % 3)), b = vp_real_edge(of, (int)k, (int)((k + 2) % 3));
    return vp_real3_dot(vp_real3_of(u), a) > sine * vp_real3_length(a) || vp_real3_dot(vp_real3_of(u), b) > sine * vp_real3_length(b);
}

static bool is_foremost_of_terrain(vp_quad_reader *quads, vp_vec3 corner, vp_vec3 u, double sine)
{
    vp_quad_triangle t[2];
    uint32_t edge = 0, count;
    bool found = false;
    while (!found && (count = vp_quads_next_around(quads, corner, &edge, t)) > 0)
        for (uint32_t i = 0; i < 3 * count && !found; i++)
            found = is_in_front(t[i / 3].corner, i % 3, corner, u, sine);
    return !found;
}

/* Whether no triangle with this corner extends in front of it by more than a sine. */
static bool is_foremost(vp_triangles_around *s, vp_vec3 corner, vp_vec3 u, double sine)
{
    bool found = false;
    if (s->edges != NULL)
        return is_foremost_of_terrain(s->edges->quads, corner, u, sine);
    if (s->count <= FEW_TRIANGLES || s->first == NULL) {
        for (uint32_t i = 0; i < 3 * s->count && !found; i++)
            found = is_in_front(s->triangle[i / 3].corner, i % 3, corner, u, sine);
        return !found;
    }
    if (!s->has_buckets)
        fill_buckets(s);
    for (uint32_t i = s->first[vp_slot_of(vp_hash_place(corner), 3 * s->count)]; i != 0 && !found; i = s->next[i - 1])
        found = is_in_front(s->triangle[(i - 1) / 3].corner, (i - 1) % 3, corner, u, sine);
    return !found;
}

static vp_vec3 find_corner_normal(const vp_collide_triangle *t, int k, vp_vec3 u, vp_triangles_around *around)
{
    const int edge[2] = {k, (k + 2) % 3};
    const bool active[2] = {is_active(t, edge[0]), is_active(t, edge[1])};
    const bool ends = (active[0] && vp_is_none(t->neighbour_normal[edge[0]])) || (active[1] && vp_is_none(t->neighbour_normal[edge[1]]));
    if (!active[0] && !active[1])
        return t->normal;
    if (!(ends && vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)) < 0.0) && is_foremost(around, t->corner[k], u, IN_FRONT))
        return u;
    vp_vec3 best = t->normal;
    double nearest = -INFINITY;
    for (int i = 0; i < 2; i++) {
        const vp_vec3 w = active[i] ? find_edge_normal(t, edge[i], u) : t->normal;
        const double near = active[i] ? vp_real3_dot(vp_real3_of(w), vp_real3_of(u)) : -INFINITY;
        best = near > nearest ? w : best;
        nearest = near > nearest ? near : nearest;
    }
    return best;
}

vp_vec3 vp_correct_normal(const vp_collide_triangle *t, vp_triangle_part p, vp_vec3 u, vp_triangles_around *around)
{
    if (p.corner >= 0)
        return find_corner_normal(t, p.corner, u, around);
    return p.edge >= 0 && is_active(t, p.edge) ? find_edge_normal(t, p.edge, u) : t->normal;
}

unsigned vp_edges_of_part(vp_triangle_part p)
{
    if (p.corner >= 0)
        return 1u << p.corner | 1u << (p.corner + 2) % 3;
    return p.edge >= 0 ? 1u << p.edge : 0;
}

/* Whether an edge belongs to a part: to itself, to a corner of it, or to the face. */
static bool has_edge(vp_triangle_part p, int k)
{
    if (p.corner >= 0)
        return k == p.corner || k == (p.corner + 2) % 3;
    return p.edge < 0 || k == p.edge;
}

int vp_list_side_normals(const vp_collide_triangle *t, vp_triangle_part p, vp_vec3 out[4])
{
    int count = 0;
    out[count++] = t->normal;
    for (int k = 0; k < 3; k++)
        if (has_edge(p, k) && is_active(t, k) && !vp_is_none(t->neighbour_normal[k]))
            out[count++] = t->neighbour_normal[k];
    return count;
}

bool vp_is_of_surface(const vp_collide_triangle *t, uint32_t feature, vp_vec3 u, vp_triangles_around *around)
{
    fan f;
    if (feature >= VP_TRIANGLE_EDGE && feature < VP_TRIANGLE_EDGE + 3)
        return vp_edge_of(t->flags, feature - VP_TRIANGLE_EDGE) != VP_EDGE_CONCAVE && fan_of(t, (int)(feature - VP_TRIANGLE_EDGE), &f) &&
               is_between(&f, vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)), vp_real3_dot(vp_real3_of(u), f.outward));
    return feature >= VP_TRIANGLE_CORNER && feature < VP_TRIANGLE_CORNER + 3 &&
           vp_real3_dot(vp_real3_of(u), vp_real3_of(t->normal)) > 0.0 &&
           is_foremost(around, t->corner[feature - VP_TRIANGLE_CORNER], u, 0.0);
}
