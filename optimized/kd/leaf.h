/* SPDX-License-Identifier: MIT */
/* Rays and spheres at the items of a leaf of the wide form: a fast test finds the candidate triangles, and an exact
 * test decides them. Part of optimized/kd/wide.h.
 *
 * A leaf has up to four quads. Their first and third corners are eight lanes, their second and fourth eight more. Each
 * is put in the ray's order of axes as it is read, then moved and sheared. A quad's two triangles share the edge from
 * its first to its third corner, so five edge functions serve both. They take three operations of eight lanes: (a x b,
 * c x d), (b x c, d x a), (c x a, a x c). In floats the sign of such a difference of products is right or zero, because
 * rounding keeps order. So a triangle whose three signs are mixed is certainly missed. The others, half a triangle a
 * ray, go one by one, sheared as they are, to the exact test of src/kd/ray_triangle.h. Triangles that are not quads
 * have their third corner as the fourth too.
 *
 * Cost: 16 indices, 16 vertices, 30 shuffles, 42 arithmetic. */
#ifndef VP_OPTIMIZED_KD_LEAF_H
#define VP_OPTIMIZED_KD_LEAF_H

#include "src/kd/sphere_triangle.h"
#include "optimized/kd/layout.h"
#include "optimized/kd/wide_ray.h"

/* Eight corners from the ray's origin, sheared as by vp_shear. */
typedef struct shadow {
    f8 x, y, z;
} shadow;

static inline shadow shadow_of(const vp_ray_frame *f, const p8 *p)
{
    const f8 z = p->axis[2];
    return (shadow){f8_sub(p->axis[0], f8_mul(f8_set(f->shear_x), z)), f8_sub(p->axis[1], f8_mul(f8_set(f->shear_y), z)), z};
}

static inline f8 cross(shadow a, shadow b)
{
    return f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x));
}

/* The same, corner by corner. */
typedef struct eight_sheared {
    float x[8], y[8], z[8];
} eight_sheared;

static inline void store_shadow(eight_sheared *to, const shadow *from)
{
    f8_store(to->x, from->x);
    f8_store(to->y, from->y);
    f8_store(to->z, from->z);
}

static inline vp_sheared lane_of(const eight_sheared *of, uint32_t lane)
{
    return (vp_sheared){of->x[lane], of->y[lane], of->z[lane]};
}

/* A leaf's corners. Lane i is the first corner of item i and lane i + 4 the third, likewise for the second
 * and the fourth. */
typedef struct leaf_sheared {
    eight_sheared ac, bd;
} leaf_sheared;

/* Finds the triangles of a leaf's items that the ray may meet. Bits 0 to 3 are the first triangles, 4 to 7 the second.
   Always reads four items, because a tree has room for three past its last one. */
VP_INLINE uint32_t may_meet(layout l, const vp_kd_view *tree, const vp_ray_frame *f, uint32_t first, uint32_t count, leaf_sheared *out)
{
    p8 ac, bd;
    leaf_corners_seen(l, tree, first, f, &ac, &bd);
    const shadow p = shadow_of(f, &ac), q = shadow_of(f, &bd), swapped = {f8_swap(p.x), f8_swap(p.y), p.z};
    const uint32_t missed = f8_mixed(cross(p, q), cross(q, swapped), cross(swapped, p)), there = (1u << count) - 1u;
    const uint32_t maybe = ~missed & (tree->triangles.quads ? there * 0x11u : there);
    if (maybe == 0)
        return 0;
    store_shadow(&out->ac, &p);
    store_shadow(&out->bd, &q);
    return maybe;
}

/* The same for a sphere that moves along the ray. Finds triangles whose boxes, grown by the radius, the ray meets. */
VP_INLINE uint32_t may_touch(layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t first, uint32_t count, float s_most)
{
    p8 ac, bd;
    leaf_corners(l, tree, first, &ac, &bd);
    f8 near = f8_set(0.0f), far = f8_set(s_most);
    for (int k = 0; k < 3; k++) {
        const f8 ca = f8_swap(ac.axis[k]);
        const f8 low = f8_earlier(f8_earlier(ac.axis[k], ca), bd.axis[k]);
        const f8 high = f8_later(f8_later(ac.axis[k], ca), bd.axis[k]);
        const bool back = r->near_face[k] >= TO_HIGH;
        near = f8_later(reach8(back ? high : low, f8_set(r->world.from_near[k]), f8_set(r->world.against[k])), near);
        far = f8_earlier(reach8(back ? low : high, f8_set(r->world.from_far[k]), f8_set(r->world.against[k])), far);
    }
    return f8_le(near, far) & ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
}

/* The query of a ray. Constant wherever it is passed, so each query has its own traversal. */
typedef enum question { CLOSEST, ANY, ALL, SWEEP } question;

typedef struct answer {
    vp_meeting meeting; /* the nearest hit */
    float s;            /* of the hit, or the limit of the search */
    uint32_t triangle;
    uint32_t found; /* number of hits; for the nearest 0 or 1 */
    float radius;   /* of a sphere */
    vp_hit *list;   /* ALL: the first `capacity` hits, ascending */
    uint32_t capacity;
} answer;

/* The order of two hits at the same s. */
VP_INLINE bool is_first_of_equal(question q, const answer *a, const vp_meeting *m, uint32_t triangle)
{
    if (q == SWEEP && m->distance != a->meeting.distance)
        return m->distance < a->meeting.distance;
    return triangle < a->triangle;
}

VP_INLINE void take_if_nearer(question q, answer *a, const vp_meeting *m, uint32_t triangle)
{
    if (m->s < a->s || (m->s == a->s && (a->found == 0 || is_first_of_equal(q, a, m, triangle)))) {
        a->meeting = *m;
        a->s = m->s;
        a->triangle = triangle;
        a->found = 1;
    }
}

static inline void insert(answer *a, const vp_meeting *m, uint32_t triangle)
{
    uint32_t at = a->found < a->capacity ? a->found : a->capacity;
    a->found++;
    for (; at > 0; at--) {
        const vp_hit *before = &a->list[at - 1];
        if (m->t > before->t || (m->t == before->t && triangle > (uint32_t)before->triangle))
            break;
        if (at < a->capacity)
            a->list[at] = *before;
    }
    if (at < a->capacity)
        a->list[at] = (vp_hit){m->t, (int32_t)triangle, m->u, m->v};
}

/* Adds a hit to the answer. */
VP_INLINE void take(question q, const vp_meeting *m, uint32_t triangle, answer *to)
{
    if (q == ALL)
        insert(to, m, triangle);
    else
        take_if_nearer(q, to, m, triangle);
}

/* The exact test of one triangle. */
VP_INLINE void test(question q, const vp_ray_frame *f, const float a[3], const float b[3], const float c[3], uint32_t triangle, answer *to)
{
    vp_meeting m;
    if (q == SWEEP ? vp_sphere_meets(f, to->radius, a, b, c, &m) : vp_ray_meets(f, a, b, c, &m))
        take(q, &m, triangle, to);
}

static inline vp_hit hit_of(const answer *best, const vp_ray *ray)
{
    if (best->found == 0)
        return (vp_hit){ray->t_max, VP_NO_HIT, 0.0f, 0.0f};
    return (vp_hit){best->meeting.t, (int32_t)best->triangle, best->meeting.u, best->meeting.v};
}

/* The three floats of a vertex. */
static inline const float *corner_at(const vp_kd_view *tree, uint32_t vertex)
{
    return (const float *)(const void *)&tree->triangles.vertex[vertex];
}

/* The sphere's test of one triangle, on its original corners. */
VP_INLINE bool touches(layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t item, uint32_t second, float radius, vp_meeting *m)
{
    if (l == WIDE) {
        const uint32_t *v = tree->item[item].vertex;
        return vp_sphere_meets(&r->frame, radius, corner_at(tree, v[0]), corner_at(tree, v[1 + second]), corner_at(tree, v[2 + second]), m);
    }
    float at[3][3];
    for (uint32_t c = 0; c < 3; c++)
        vp_kd_packed_corner(tree, item, c == 0 ? 0 : c + second, at[c]);
    return vp_sphere_meets(&r->frame, radius, at[0], at[1], at[2], m);
}

VP_INLINE void test_leaf(question q, layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)
{
    const uint32_t first = first_item(l, leaf), count = items_in(l, leaf);
    leaf_sheared seen;
    if (l != WIDE && count == 0)
        return;
    if (l == WIDE)
        ask_for_line((uintptr_t)&tree->item_id[first]); /* needed late, but then without delay */
    uint32_t maybe = q == SWEEP ? may_touch(l, tree, r, first, count, to->s) : may_meet(l, tree, &r->frame, first, count, &seen);
    for (; maybe != 0; maybe &= maybe - 1u) {
        const uint32_t bit = (uint32_t)__builtin_ctz(maybe), second = bit >> 2, item = bit & 3u;
        const uint32_t id = id_of(l, tree, first + item), triangle = tree->triangles.quads ? 2 * id + second : id;
        vp_meeting m;
        if (q == SWEEP) {
            if (touches(l, tree, r, first + item, second, to->radius, &m))
                take(q, &m, triangle, to);
        } else { /* corners 0, 1, 2 or 0, 2, 3 */
            const vp_sheared c = lane_of(&seen.ac, item + 4), other = lane_of(&seen.bd, bit);
            if (vp_ray_meets_sheared(&r->frame, lane_of(&seen.ac, item), second ? c : other, second ? other : c, &m))
                take(q, &m, triangle, to);
        }
    }
}

/* A separate function, so that the registers of a node's test are not spilled, only reloaded after a leaf. */
#define LEAF_TEST(name, q, l)                                                                                                              \
    static __attribute__((noinline)) void name(const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)                       \
    {                                                                                                                                      \
        test_leaf(q, l, tree, r, leaf, to);                                                                                                \
    }
#define LEAF_TESTS(form, l)                                                                                                                \
    LEAF_TEST(form##_closest, CLOSEST, l)                                                                                                  \
    LEAF_TEST(form##_any, ANY, l)                                                                                                          \
    LEAF_TEST(form##_all, ALL, l)                                                                                                          \
    LEAF_TEST(form##_sweep, SWEEP, l)
LEAF_TESTS(wide, WIDE)
LEAF_TESTS(packed, PACKED)
LEAF_TESTS(implied, IMPLIED)
#undef LEAF_TESTS
#undef LEAF_TEST

VP_INLINE void ask_leaf(question q, layout l, const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)
{
    if (l == WIDE)
        (q == CLOSEST ? wide_closest : q == ANY ? wide_any : q == ALL ? wide_all : wide_sweep)(tree, r, leaf, to);
    else if (l == PACKED)
        (q == CLOSEST ? packed_closest : q == ANY ? packed_any : q == ALL ? packed_all : packed_sweep)(tree, r, leaf, to);
    else
        (q == CLOSEST ? implied_closest : q == ANY ? implied_any : q == ALL ? implied_all : implied_sweep)(tree, r, leaf, to);
}

#endif
