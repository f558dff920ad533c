/* SPDX-License-Identifier: MIT */
/* One ray, or one box, in the wide form of the loose kD tree, over the words of lanes_<isa>.h.
 *
 * Idea. A node's eight boxes are six arrays, so a ray is tested against all of them in some twenty vector operations
 * without a branch: six differences, six products, the latest of three entries, the earliest of three exits, one
 * comparison, whose bits say which children to visit. The nearest of these is next; the others wait on a stack, the
 * farther the deeper. Of one or two children a branch says which is nearer, of more it is counted how many are farther than each.
 * The loop over nodes keeps all that it needs of the ray in registers; a leaf's test is a function, behind which they are loaded
 * again.
 *
 * A leaf has up to four quads. Their first and third corners are eight lanes, their second and fourth eight more, each put in the
 * ray's order of axes as it is read, then moved and sheared. A quad's two triangles share the edge from its first to its third
 * corner: five edge functions serve both, in three operations of eight lanes: (a x b, c x d), (b x c, d x a), (c x a, a x c). In
 * floats the sign of such a difference of products is right or zero, for rounding keeps order; so a triangle whose
 * three signs are mixed is missed for certain, and the others go to the exact test of core/ray_triangle.h, one by one, as
 * they are sheared: half a triangle a ray. Triangles that are no quads have their third corner as the fourth too.
 *
 * Cost, on AVX2, of a coherent ray in a world of 230 thousand triangles: some 800 instructions, of which 140 before the first node
 * and after the last, 31 for each of 5.7 nodes, 200 for each of 1.2 leaves with half an exact test, and the rest for order
 * and stack. A node: 6 differences and 6 products, 6 minima and maxima, 1 comparison; a leaf: 16 indices, 16 vertices,
 * 30 shuffles, 42 arithmetic.
 * Waiting is longer than working: some 30 cycles from a node's address to its child's, and branches that nobody foresees; of rays
 * in all directions half of the time is that and memory. So a fifth fewer instructions give a tenth of the time.
 * No gain: one rounding instead of two in a node's test (1 %), nodes that wait asked for ahead of time, leaves'
 * missing items not read, two children ordered like more (5 % slower), faces' addresses without the node's base.
 * A small tree is asked for as a whole first: half of the time of a ray whose tree is not in the cache.
 * A box asks a node in six comparisons, a leaf in six minima and maxima an axis and six comparisons; what is found is
 * moved together by a table of permutations, and stored as eight. */
#ifndef VP_OPTIMIZED_KD_WIDE_H
#define VP_OPTIMIZED_KD_WIDE_H

#include <voxphys/kernels.h>

#include "core/inline.h"
#include "core/ray_triangle.h"
#include "core/sphere_triangle.h"

/* ---- what is asked for before it is needed ---- */

enum { MOST_ASKED_FOR = 512 }; /* items */

static inline void ask_for_line(uintptr_t address)
{
    __builtin_prefetch((const void *)address);
}

/* By four lines: to ask for what is behind the end does no harm. */
static inline void ask_for(const void *memory, size_t bytes)
{
    const uintptr_t end = (uintptr_t)memory + bytes;
    for (uintptr_t at = (uintptr_t)memory; at < end; at += 256) {
        ask_for_line(at);
        ask_for_line(at + 64);
        ask_for_line(at + 128);
        ask_for_line(at + 192);
    }
}

/* A small tree's nodes, items and vertices, asked for at once: one ray or box after another is of another chunk, and goes from the
   root to a node, to its items, to their vertices, each time waiting for memory. Nodes are about 13 bytes an item. */
static inline void ask_for_tree(const vp_kd_view *tree)
{
    const size_t items = vp_kd_item_count(&tree->triangles);
    if (items > MOST_ASKED_FOR)
        return;
    ask_for(tree->wide, items * 13);
    ask_for(tree->item, items * sizeof *tree->item);
    ask_for(tree->triangles.vertex, tree->triangles.vertex_count <= 2 * items ? tree->triangles.vertex_count * sizeof(vp_vec3) : 0);
}

/* ---- a ray ---- */

/* A ray, ready for the faces of one tree: of each axis, where the faces that it reaches first are in a node, in floats,
   and where they are measured from; and those that it reaches last. */
typedef struct wide_ray {
    vp_ray_frame frame;
    float against[4], from_near[4], from_far[4]; /* against: -1/direction */
    uint32_t near_face[4], far_face[4];
} wide_ray;

enum { TO_HIGH = 3 * VP_KD_WIDTH };

/* For a sphere of that radius faces are moved by it too: the rounding of both is below what the pad allows for, if the
   radius counts in it. */
static inline float pad_of(const vp_kd_view *tree, const vp_ray_frame *frame, float radius)
{
    const float pad = vp_ray_pad(frame, &tree->box);
    return radius > 0.0f ? (pad + radius * 0x1p-19f) + radius : pad;
}

static inline bool plain_wide_ray(const vp_kd_view *tree, const vp_ray *ray, float radius, wide_ray *out)
{
    if (!vp_ray_frame_of(ray, &out->frame))
        return false;
    const float pad = pad_of(tree, &out->frame, radius);
    for (uint32_t k = 0; k < 3; k++) {
        const float low = out->frame.origin[k] + pad, high = out->frame.origin[k] - pad;
        const bool back = signbit(out->frame.direction[k]) != 0;
        out->against[k] = -1.0f / out->frame.direction[k];
        out->from_near[k] = back ? high : low;
        out->from_far[k] = back ? low : high;
        out->near_face[k] = VP_KD_WIDTH * k + (back ? TO_HIGH : 0);
        out->far_face[k] = VP_KD_WIDTH * k + (back ? 0 : TO_HIGH);
#ifdef VP_LANES_FUSED
        out->from_near[k] *= out->against[k];
        out->from_far[k] *= out->against[k];
#endif
    }
    return true;
}

#ifdef VP_LANES_RAY_SETUP
#include VP_LANES_RAY_SETUP
#else
#define wide_ray_of plain_wide_ray
#endif

/* The parameters at which a ray reaches eight faces. In one operation where it is allowed to round once instead of twice, which
   no kernel of the registry is: `from` is then what the place to measure from is times `against`. */
#ifdef VP_LANES_FUSED
static inline f8 reach8(f8 face, f8 from, f8 against)
{
    return f8_less_mul(from, face, against);
}
#else
static inline f8 reach8(f8 face, f8 from, f8 against)
{
    return f8_mul(f8_sub(from, face), against);
}
#endif

/* A ray in vectors. */
typedef struct ray_lanes {
    f8 against[3], from_near[3], from_far[3];
    size_t near_face[3], far_face[3];
} ray_lanes;

VP_INLINE ray_lanes lanes_of(const wide_ray *r)
{
    ray_lanes out;
    for (int k = 0; k < 3; k++) {
        out.against[k] = f8_set(r->against[k]);
        out.from_near[k] = f8_set(r->from_near[k]);
        out.from_far[k] = f8_set(r->from_far[k]);
        out.near_face[k] = r->near_face[k];
        out.far_face[k] = r->far_face[k];
    }
    return out;
}

/* Which of a node's children the ray meets up to s_most, and where it enters them. */
VP_INLINE uint32_t meet_children(const ray_lanes *r, const vp_kd_wide *node, f8 s_most, float enter[VP_KD_WIDTH])
{
    const float *face = &node->low[0][0];
    f8 in[3], out[3];
    for (int k = 0; k < 3; k++) {
        in[k] = reach8(f8_load(face + r->near_face[k]), r->from_near[k], r->against[k]);
        out[k] = reach8(f8_load(face + r->far_face[k]), r->from_far[k], r->against[k]);
    }
    const f8 near = f8_later(f8_later(in[0], in[1]), f8_later(in[2], f8_set(0.0f)));
    const f8 far = f8_earlier(f8_earlier(out[0], out[1]), f8_earlier(out[2], s_most));
    f8_store(enter, near);
    return f8_le(near, far);
}

/* Corners from the ray's origin, sheared: vp_shear of eight. */
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

/* The same one by one. */
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

/* A leaf's corners: of item i lane i the first and lane i + 4 the third, and so the second and the fourth. */
typedef struct leaf_sheared {
    eight_sheared ac, bd;
} leaf_sheared;

/* Which triangles of a leaf's items the ray may meet: bits 0 to 3 the first of each, 4 to 7 the second. Four items are
   always read: there are three behind the last one of a tree. */
VP_INLINE uint32_t may_meet(const vp_kd_view *tree, const vp_ray_frame *f, const vp_kd_item *items, uint32_t count, leaf_sheared *out)
{
    const ray_eye eye = ray_eye_of(f);
    const p8 ac = corners_seen(tree->triangles.vertex, items, 0, 2, eye), bd = corners_seen(tree->triangles.vertex, items, 1, 3, eye);
    const shadow p = shadow_of(f, &ac), q = shadow_of(f, &bd), swapped = {f8_swap(p.x), f8_swap(p.y), p.z};
    const uint32_t missed = f8_mixed(cross(p, q), cross(q, swapped), cross(swapped, p)), there = (1u << count) - 1u;
    const uint32_t maybe = ~missed & (tree->triangles.quads ? there * 0x11u : there);
    if (maybe == 0)
        return 0;
    store_shadow(&out->ac, &p);
    store_shadow(&out->bd, &q);
    return maybe;
}

/* The same of a sphere that moves along the ray: triangles whose own boxes, grown by its radius, the ray meets. */
static inline uint32_t may_touch(const vp_kd_view *tree, const wide_ray *r, const vp_kd_item *items, uint32_t count, float s_most)
{
    const p8 ac = two_corners(tree->triangles.vertex, items, 0, 2), bd = two_corners(tree->triangles.vertex, items, 1, 3);
    f8 near = f8_set(0.0f), far = f8_set(s_most);
    for (int k = 0; k < 3; k++) {
        const f8 ca = f8_swap(ac.axis[k]);
        const f8 low = f8_earlier(f8_earlier(ac.axis[k], ca), bd.axis[k]);
        const f8 high = f8_later(f8_later(ac.axis[k], ca), bd.axis[k]);
        const bool back = r->near_face[k] >= TO_HIGH;
        near = f8_later(reach8(back ? high : low, f8_set(r->from_near[k]), f8_set(r->against[k])), near);
        far = f8_earlier(reach8(back ? low : high, f8_set(r->from_far[k]), f8_set(r->against[k])), far);
    }
    return f8_le(near, far) & ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
}

/* What is asked about a ray. A constant wherever it is passed, so each question has a traversal of its own. */
typedef enum question { CLOSEST, ANY, ALL, SWEEP } question;

typedef struct answer {
    vp_meeting meeting; /* the nearest */
    float s;            /* of it, or how far to look */
    uint32_t triangle;
    uint32_t found;     /* how many were met; of the nearest 0 or 1 */
    float radius;       /* of a sphere */
    vp_hit *list;       /* all: the first `capacity`, ascending */
    uint32_t capacity;
} answer;

static inline void take_if_nearer(answer *a, const vp_meeting *m, uint32_t triangle)
{
    if (m->s < a->s || (m->s == a->s && (a->found == 0 || triangle < a->triangle))) {
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

/* What was found goes into the answer. */
VP_INLINE void take(question q, const vp_meeting *m, uint32_t triangle, answer *to)
{
    if (q == ALL)
        insert(to, m, triangle);
    else
        take_if_nearer(to, m, triangle);
}

/* The exact test of one triangle. */
VP_INLINE void test(question q, const vp_ray_frame *f, const float a[3], const float b[3], const float c[3],
                    uint32_t triangle, answer *to)
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

VP_INLINE void test_leaf(question q, const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)
{
    const uint32_t first = vp_kd_first_item(leaf);
    const vp_kd_item *items = tree->item + first;
    leaf_sheared seen;
    uint32_t maybe = q == SWEEP ? may_touch(tree, r, items, vp_kd_items_in(leaf), to->s)
                                : may_meet(tree, &r->frame, items, vp_kd_items_in(leaf), &seen);
    for (; maybe != 0; maybe &= maybe - 1u) {
        const uint32_t bit = (uint32_t)__builtin_ctz(maybe), second = bit >> 2, item = bit & 3u, *v = items[item].vertex;
        const uint32_t id = tree->item_id[first + item], triangle = tree->triangles.quads ? 2 * id + second : id;
        vp_meeting m;
        if (q == SWEEP) {
            if (vp_sphere_meets(&r->frame, to->radius, corner_at(tree, v[0]), corner_at(tree, v[1 + second]),
                                corner_at(tree, v[2 + second]), &m))
                take(q, &m, triangle, to);
        } else { /* corners 0, 1, 2 or 0, 2, 3 */
            const vp_sheared c = lane_of(&seen.ac, item + 4), other = lane_of(&seen.bd, bit);
            if (vp_ray_meets_sheared(&r->frame, lane_of(&seen.ac, item), second ? c : other, second ? other : c, &m))
                take(q, &m, triangle, to);
        }
    }
}

/* A function of its own, so that what a node's test needs stays in registers, and is loaded again after a leaf. */
#define LEAF_TEST(name, q)                                                                                             \
    static __attribute__((noinline)) void name(const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)   \
    {                                                                                                                  \
        test_leaf(q, tree, r, leaf, to);                                                                               \
    }
LEAF_TEST(leaf_closest, CLOSEST)
LEAF_TEST(leaf_any, ANY)
LEAF_TEST(leaf_all, ALL)
LEAF_TEST(leaf_sweep, SWEEP)
#undef LEAF_TEST

typedef struct wide_waiting {
    uint32_t child;
    float near;
} wide_waiting;

/* Puts what was met on the stack, the nearest on top. */
/* Puts all but the nearest of what was met on the stack, the nearer the higher, and says which is the nearest. Without a
   branch on which is nearer: of each child it is counted how many are farther. */
VP_INLINE uint32_t push_farther(wide_waiting *top, const vp_kd_wide *node, uint32_t met, const float enter[VP_KD_WIDTH])
{
    const n8 key = n8_numbered(f8_load(enter));
    const uint32_t last = (uint32_t)__builtin_popcount(met) - 1;
    uint32_t nearest = 0;
    for (uint32_t rest = met; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest), child = node->child[i];
        const uint32_t farther = (uint32_t)__builtin_popcount(met & n8_more(key, enter[i], i));
        top[farther] = (wide_waiting){child, enter[i]};
        nearest = farther == last ? child : nearest;
    }
    return nearest;
}

VP_INLINE void visit_wide(question q, const vp_kd_view *tree, const wide_ray *r, answer *best)
{
    wide_waiting stack[VP_KD_STACK * VP_KD_WIDTH], *top = stack;
    const vp_kd_wide *const nodes = tree->wide;
    uint32_t at = 0;
    for (;;) {
        const ray_lanes lanes = lanes_of(r);
        const float most = best->s;
        const f8 s_most = f8_set(most);
        while (!vp_kd_is_leaf(at)) {
            const vp_kd_wide *node = &nodes[at];
            float enter[VP_KD_WIDTH];
            const uint32_t met = meet_children(&lanes, node, s_most, enter), others = met & (met - 1u);
            if (met != 0) {
                const uint32_t i = (uint32_t)__builtin_ctz(met);
                at = node->child[i];
                if (others == 0) /* one: no need to wait */
                    continue;
                if ((others & (others - 1u)) == 0) { /* two */
                    const uint32_t j = (uint32_t)__builtin_ctz(others), nearer = enter[j] < enter[i] ? j : i;
                    const uint32_t farther = i ^ j ^ nearer;
                    *top++ = (wide_waiting){node->child[farther], enter[farther]};
                    at = node->child[nearer];
                    continue;
                }
                at = push_farther(top, node, met, enter);
                top += (uint32_t)__builtin_popcount(met) - 1;
                continue;
            }
            do {
                if (top == stack)
                    return;
                top--;
            } while (top->near > most);
            at = top->child;
        }
        (q == CLOSEST ? leaf_closest : q == ANY ? leaf_any : q == ALL ? leaf_all : leaf_sweep)(tree, r, at, best);
        if (q == ANY && best->found != 0)
            return;
        do {
            if (top == stack)
                return;
            top--;
        } while (top->near > best->s);
        at = top->child;
    }
}

/* ---- a box ---- */

typedef struct box8 {
    f8 low[3], high[3];
} box8;

static inline uint32_t children_in(const vp_kd_wide *node, const box8 *b)
{
    uint32_t met = 0xff;
    for (int k = 0; k < 3; k++)
        met &= f8_le(f8_load(node->low[k]), b->high[k]) & f8_le(b->low[k], f8_load(node->high[k]));
    return met;
}

/* Triangles of a leaf whose own boxes overlap, as bits of may_meet. The two triangles of a quad have its first and third
   corner each, and the second or the fourth. */
static inline uint32_t triangles_in(const vp_kd_view *tree, const vp_kd_item *items, uint32_t count, const box8 *b)
{
    const p8 ac = two_corners(tree->triangles.vertex, items, 0, 2), bd = two_corners(tree->triangles.vertex, items, 1, 3);
    uint32_t met = ((1u << count) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
    for (int k = 0; k < 3; k++) {
        const f8 ca = f8_swap(ac.axis[k]);
        const f8 least = f8_earlier(f8_earlier(ac.axis[k], ca), bd.axis[k]);
        const f8 most = f8_later(f8_later(ac.axis[k], ca), bd.axis[k]);
        met &= f8_le(least, b->high[k]) & f8_le(b->low[k], most);
    }
    return met;
}

/* @param exact  false: all triangles of the leaves that the box reaches */
static inline uint32_t gather_wide(const vp_kd_view *tree, bool exact, const float low[3], const float high[3], uint32_t *out,
                                   uint32_t capacity)
{
    uint32_t stack[VP_KD_STACK * VP_KD_WIDTH + 8], waits = 0, found = 0, at = 0;
    box8 b;
    ask_for_tree(tree);
    for (int k = 0; k < 3; k++) {
        b.low[k] = f8_set(low[k]);
        b.high[k] = f8_set(high[k]);
    }
    for (;;) {
        if (!vp_kd_is_leaf(at)) {
            const vp_kd_wide *node = &tree->wide[at];
            uint32_t met = children_in(node, &b);
            n8_compress(stack + waits, n8_load(node->child), met);
            waits += (uint32_t)__builtin_popcount(met);
        } else {
            const uint32_t first = vp_kd_first_item(at);
            const uint32_t there = ((1u << vp_kd_items_in(at)) - 1u) * (tree->triangles.quads ? 0x11u : 1u);
            const uint32_t met = exact ? triangles_in(tree, tree->item + first, vp_kd_items_in(at), &b) : there;
            const n8 ids = n8_triangles(tree->item_id + first, tree->triangles.quads);
            const uint32_t count = (uint32_t)__builtin_popcount(met);
            if (found + 8 <= capacity && found + 8 > found) {
                n8_compress(out + found, ids, met);
            } else {
                uint32_t last[8];
                n8_compress(last, ids, met);
                for (uint32_t i = 0; i < count && found + i < capacity; i++)
                    out[found + i] = last[i];
            }
            found += count;
        }
        if (waits == 0)
            return found;
        at = stack[--waits];
    }
}

#endif
