/* SPDX-License-Identifier: MIT */
/* The leaf test of one ray in the wide, the packed and the implied form of the loose kD tree. The traversal of nodes is
 * in optimized/kd/wide.h. The forms store a leaf's items and their corners in their own ways, so the code is compiled
 * once for each. Included after a header of optimized/simd. */
#ifndef VP_OPTIMIZED_KD_LEAF_H
#define VP_OPTIMIZED_KD_LEAF_H

#include <stddef.h>
#include <string.h>

#include "src/core/inline.h"
#include "src/kd/corners.h"
#include "src/kd/sphere_triangle.h"

/* A constant wherever it is passed. */
typedef enum layout { WIDE, PACKED, IMPLIED } layout;

/* ---- a ray ---- */

/* A ray, ready for the faces of one tree. For each axis it has the place, in floats, of the faces that it reaches first
   in a node, the coordinate they are measured from, and both for the faces that it reaches last. */
typedef struct ray_units {
    float against[4], from_near[4], from_far[4]; /* against is -1/direction */
} ray_units;

typedef struct wide_ray {
    vp_ray_frame frame;
    ray_units world;
    uint32_t near_face[4], far_face[4];
    float pad; /* vp_ray_pad, with the radius of a sphere */
} wide_ray;

enum { TO_HIGH = 3 * VP_KD_WIDTH };

/* ---- items ---- */

VP_INLINE uint32_t first_item(layout l, uint32_t leaf)
{
    return l == WIDE ? (leaf & ~VP_KD_LEAF) >> 3 : leaf >> 2 & 0x1fffu;
}

/* The number of items of a leaf. A ray with a pad of a hundred steps may reach an absent child, which has none. */
VP_INLINE uint32_t items_in(layout l, uint32_t leaf)
{
    return l == WIDE ? leaf & 7u : leaf == VP_KD_NO_CHILD ? 0 : (leaf & 3u) + 1;
}

VP_INLINE uint32_t id_of(layout l, const vp_kd_view *tree, uint32_t item)
{
    return l == WIDE ? tree->item_id[item] : l == PACKED ? tree->corner_id[item] : tree->edge[item].id;
}

/* The numbers of the first (lanes 0 to 3) and second triangles of four items. */
VP_INLINE i32x8 triangles_of(layout l, const vp_kd_view *tree, uint32_t first)
{
    const i32x4 id = l == WIDE     ? i32x4_load(tree->item_id + first)
                     : l == PACKED ? i32x4_load_u16(tree->corner_id + first)
                                   : i32x4_shr(i32x4_load(tree->edge + first), 16);
    const i32x4 twice = i32x4_add(id, id);
    return l == IMPLIED || tree->triangles.quads ? i32x8_of_halves(twice, i32x4_add(twice, i32x4_set1(1))) : i32x8_of_halves(id, id);
}

/* ---- corners ---- */

/* Eight points by axis. */
typedef struct points8 {
    f32x8 axis[3];
} points8;

/* A ray's origin, and its axes in the order in which corners are wanted, in each half. */
typedef struct ray_eye {
    f32x8 origin;
    i32x8 order;
} ray_eye;

VP_INLINE ray_eye ray_eye_of(const vp_ray_frame *f)
{
    return (ray_eye){f32x8_load_twice(f->origin), i32x8_load_twice(&f->x)};
}

/* One point in each half, relative to a ray's origin unless the eye is NULL. Axis 2 is then its longest, 0 and 1 the
   next. */
VP_INLINE f32x8 seen_by(const ray_eye *eye, f32x8 two)
{
    return eye == NULL ? two : f32x8_permute4(f32x8_sub(two, eye->origin), eye->order);
}

VP_INLINE points8 points_by_axis(const f32x8 at[4])
{
    f32x8 axis[4];
    f32x8_transpose4(at, axis);
    return (points8){{axis[0], axis[1], axis[2]}};
}

/* Corners i and j of four items, as lanes 0..3 and 4..7. Reads no byte past a vertex. */
VP_INLINE points8 corners_of_items(const vp_vec3 *v, const vp_kd_item *items, int i, int j, const ray_eye *eye)
{
    f32x8 at[4];
    for (int n = 0; n < 4; n++)
        at[n] = seen_by(eye, f32x8_of_halves(f32x4_load_xyz(&v[items[n].vertex[i]].x), f32x4_load_xyz(&v[items[n].vertex[j]].x)));
    return points_by_axis(at);
}

/* ---- corners on a lattice ---- */

/* Origin and step of integer corners, in each half, and the origin's coordinates. */
typedef struct grid {
    f32x8 origin, pitch;
    const float *corner;
} grid;

VP_INLINE grid grid_of_tree(layout l, const vp_kd_view *tree)
{
    return l == PACKED ? (grid){f32x8_load_twice(&tree->box.min.x), f32x8_set1(tree->pitch), &tree->box.min.x}
                       : (grid){f32x8_load_twice(&tree->cells->origin.x), f32x8_set1(0x1p-8f), &tree->cells->origin.x};
}

/* Two points of three numbers of 16 bits each, one in each half. The fourth number is unspecified. */
VP_INLINE f32x8 two_on_grid(uint64_t low, uint64_t high, grid g)
{
    return f32x8_add(f32x8_mul(i32x8_to_f32(i32x8_of_u16(low, high)), g.pitch), g.origin);
}

VP_INLINE points8 corners_on_grid(const uint64_t low[4], const uint64_t high[4], grid g, const ray_eye *eye)
{
    f32x8 at[4];
    if (eye == NULL) { /* by axis first, because the fourth number needs no arithmetic then */
        for (int n = 0; n < 4; n++)
            at[n] = i32x8_as_f32(i32x8_of_u16(low[n], high[n]));
        points8 p = points_by_axis(at);
        for (int k = 0; k < 3; k++)
            p.axis[k] = f32x8_add(f32x8_mul(i32x8_to_f32(f32x8_as_i32(p.axis[k])), g.pitch), f32x8_set1(g.corner[k]));
        return p;
    }
    for (int n = 0; n < 4; n++)
        at[n] = seen_by(eye, two_on_grid(low[n], high[n], g));
    return points_by_axis(at);
}

/* Points as four floats each. */
VP_INLINE void store_on_grid(float to[4][4], const uint64_t word[4], grid g)
{
    f32x8_store(to[0], two_on_grid(word[0], word[1], g));
    f32x8_store(to[2], two_on_grid(word[2], word[3], g));
}

/* Three bytes, and an unspecified one, as the low bytes of numbers of 16 bits. */
static inline uint64_t spread_bytes(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BMI2__)
    return _pdep_u64(word, 0x000000ff00ff00ff);
#else
    return (word & 0xffu) | (word & 0xff00u) << 8 | (uint64_t)(word & 0xff0000u) << 16;
#endif
}

/* A cell as the high bytes of numbers of 16 bits. */
static inline uint64_t spread_cell(uint32_t cell)
{
#if defined(__BMI2__)
    return _pdep_u64(cell, 0x00000f000f000f00);
#else
    return (uint64_t)(cell & 15u) << 8 | (uint64_t)(cell >> 4 & 15u) << 24 | (uint64_t)(cell >> 8 & 15u) << 40;
#endif
}

/* The word of an implied vertex, from its number in its cell, and the cell. */
VP_INLINE uint64_t word_in_cell(const vp_kd_view *tree, const vp_kd_cells *cells, uint32_t number, uint64_t cell)
{
    return spread_bytes(tree->within[vp_kd_rank(cells, number)]) | cell;
}

/* The corners of an item, three numbers of 16 bits each, and 16 unspecified bits. */
VP_INLINE void words_of(layout l, const vp_kd_view *tree, uint32_t item, uint64_t *w0, uint64_t *w1, uint64_t *w2, uint64_t *w3)
{
    if (l == PACKED) {
        const uint16_t *v = tree->corner[item];
        memcpy(w0, tree->lattice[v[0]], sizeof *w0);
        memcpy(w1, tree->lattice[v[1]], sizeof *w1);
        memcpy(w2, tree->lattice[v[2]], sizeof *w2);
        memcpy(w3, tree->lattice[v[3]], sizeof *w3);
        return;
    }
    /* ways from the lowest cell to corners 1 and 3, by kind; axes x, y, z are 0, 1, 2 */
    static const uint8_t ways[8][2] = {{2, 1}, {1, 2}, {0, 2}, {2, 0}, {0, 1}, {1, 0}, {0, 0}, {0, 0}};
    static const uint64_t high[3] = {UINT64_C(1) << 8, UINT64_C(1) << 24, UINT64_C(1) << 40};
    const vp_kd_cells *cells = tree->cells;
    const uint32_t stride[3] = {1, cells->slice, cells->row};
    const uint32_t cell = tree->edge[item].cell, kind = cell >> 12, number = vp_kd_cell_number(cells, cell);
    const uint64_t at = spread_cell(cell);
    const uint32_t to_1 = stride[ways[kind][0]], to_3 = stride[ways[kind][1]];
    const uint64_t high_1 = high[ways[kind][0]], high_3 = high[ways[kind][1]];
    *w0 = word_in_cell(tree, cells, number, at);
    *w1 = word_in_cell(tree, cells, number + to_1, at + high_1);
    *w2 = word_in_cell(tree, cells, number + to_1 + to_3, at + high_1 + high_3);
    *w3 = word_in_cell(tree, cells, number + to_3, at + high_3);
}

/* Corners of four items. Corner j of item i is of[j][i]. */
typedef struct leaf_words {
    uint64_t of[4][4];
} leaf_words;

VP_INLINE void words_of_leaf(layout l, const vp_kd_view *tree, uint32_t first, leaf_words *out)
{
    for (uint32_t i = 0; i < 4; i++)
        words_of(l, tree, first + i, &out->of[0][i], &out->of[1][i], &out->of[2][i], &out->of[3][i]);
}

/* Corners of four items, the first and third as lanes 0..3 and 4..7, likewise the second and fourth. See seen_by. */
VP_INLINE void leaf_corners(layout l, const vp_kd_view *tree, uint32_t first, const ray_eye *eye, points8 *ac, points8 *bd)
{
    if (l == WIDE) {
        *ac = corners_of_items(tree->triangles.vertex, tree->item + first, 0, 2, eye);
        *bd = corners_of_items(tree->triangles.vertex, tree->item + first, 1, 3, eye);
        return;
    }
    leaf_words w;
    const grid g = grid_of_tree(l, tree);
    words_of_leaf(l, tree, first, &w);
    *ac = corners_on_grid(w.of[0], w.of[2], g, eye);
    *bd = corners_on_grid(w.of[1], w.of[3], g, eye);
}

/* ---- leaves ----
 *
 * A fast test finds the candidate triangles, and an exact test decides them.
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

/* Eight corners from the ray's origin, sheared as by vp_shear. */
typedef struct shadow {
    f32x8 x, y, z;
} shadow;

static inline shadow shadow_of(const vp_ray_frame *f, const points8 *p)
{
    const f32x8 z = p->axis[2];
    return (shadow){f32x8_sub(p->axis[0], f32x8_mul(f32x8_set1(f->shear_x), z)),
                    f32x8_sub(p->axis[1], f32x8_mul(f32x8_set1(f->shear_y), z)), z};
}

static inline f32x8 cross(shadow a, shadow b)
{
    return f32x8_sub(f32x8_mul(a.x, b.y), f32x8_mul(a.y, b.x));
}

/* Bit i is set if one of a[i], b[i] and c[i] is below zero and one above. No lane is NaN. */
static inline uint32_t mixed_signs(f32x8 a, f32x8 b, f32x8 c)
{
    const f32x8 zero = f32x8_set1(0.0f);
    const f32x8 least = f32x8_min_fast(f32x8_min_fast(a, b), c), most = f32x8_max_fast(f32x8_max_fast(a, b), c);
    return m32x8_movemask(m32x8_and(f32x8_cmp_lt(least, zero), f32x8_cmp_gt(most, zero)));
}

/* The same, corner by corner. */
typedef struct eight_sheared {
    float x[8], y[8], z[8];
} eight_sheared;

static inline void store_shadow(eight_sheared *to, const shadow *from)
{
    f32x8_store(to->x, from->x);
    f32x8_store(to->y, from->y);
    f32x8_store(to->z, from->z);
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
    points8 ac, bd;
    const ray_eye eye = ray_eye_of(f);
    leaf_corners(l, tree, first, &eye, &ac, &bd);
    const shadow p = shadow_of(f, &ac), q = shadow_of(f, &bd), swapped = {f32x8_swap_halves(p.x), f32x8_swap_halves(p.y), p.z};
    const uint32_t missed = mixed_signs(cross(p, q), cross(q, swapped), cross(swapped, p)), there = (1u << count) - 1u;
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
    points8 ac, bd;
    leaf_corners(l, tree, first, NULL, &ac, &bd);
    f32x8 near = f32x8_set1(0.0f), far = f32x8_set1(s_most);
    for (int k = 0; k < 3; k++) {
        const f32x8 ca = f32x8_swap_halves(ac.axis[k]);
        const f32x8 low = f32x8_min(f32x8_min(ac.axis[k], ca), bd.axis[k]);
        const f32x8 high = f32x8_max(f32x8_max(ac.axis[k], ca), bd.axis[k]);
        const f32x8 from_near = f32x8_set1(r->world.from_near[k]), from_far = f32x8_set1(r->world.from_far[k]);
        const f32x8 against = f32x8_set1(r->world.against[k]);
        const bool back = r->near_face[k] >= TO_HIGH;
        near = f32x8_max(f32x8_mul(f32x8_sub(from_near, back ? high : low), against), near);
        far = f32x8_min(f32x8_mul(f32x8_sub(from_far, back ? low : high), against), far);
    }
    return m32x8_movemask(f32x8_cmp_le(near, far)) & ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
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
        __builtin_prefetch(&tree->item_id[first]); /* needed late, but then without delay */
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
LEAF_TEST(wide_closest, CLOSEST, WIDE)
LEAF_TEST(wide_any, ANY, WIDE)
LEAF_TEST(wide_all, ALL, WIDE)
LEAF_TEST(wide_sweep, SWEEP, WIDE)
LEAF_TEST(packed_closest, CLOSEST, PACKED)
LEAF_TEST(packed_any, ANY, PACKED)
LEAF_TEST(packed_all, ALL, PACKED)
LEAF_TEST(packed_sweep, SWEEP, PACKED)
LEAF_TEST(implied_closest, CLOSEST, IMPLIED)
LEAF_TEST(implied_any, ANY, IMPLIED)
LEAF_TEST(implied_all, ALL, IMPLIED)
LEAF_TEST(implied_sweep, SWEEP, IMPLIED)
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
