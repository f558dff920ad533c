/* SPDX-License-Identifier: MIT */
/* One ray, or one box, in the wide form of the loose kD tree, over the words of lanes_<isa>.h.
 *
 * Idea. A node's eight boxes are six arrays, so a ray is tested against all of them in some twenty vector operations
 * without a branch: six differences, six products, the latest of three entries, the earliest of three exits, one
 * comparison, whose bits say which children to visit. The nearest of these is next; the others wait on a stack, the
 * farther the deeper.
 *
 * A leaf has up to four quads. Their first and third corners are eight lanes, their second and fourth eight more, moved
 * and sheared in seven operations each. A quad's two triangles share the edge from its first to its third corner: five
 * edge functions serve both, in three operations of eight lanes: (a x b, c x d), (b x c, d x a), (c x a, a x c). In
 * floats the sign of such a difference of products is right or zero, for rounding keeps order; so a triangle whose
 * three signs are mixed is missed for certain, and the others go to the exact test of core/ray_triangle.h, one by one:
 * half a triangle a ray. Triangles that are no quads have their third corner as the fourth too.
 *
 * Cost. A node: 6 loads, 12 arithmetic, 6 minima and maxima, 1 comparison; a leaf: 32 loads, 24 shuffles, 32 arithmetic.
 * Waiting is longer than working: some 30 cycles from a node's address to its child's, and a branch that nobody foresees.
 * A box asks a node in six comparisons, a leaf in six minima and maxima an axis and six comparisons; what is found is
 * moved together by a table of permutations, and stored as eight. */
#ifndef VP_OPTIMIZED_KD_WIDE_H
#define VP_OPTIMIZED_KD_WIDE_H

#include <voxphys/kernels.h>

#include "core/ray_triangle.h"
#include "core/sphere_triangle.h"

/* ---- a ray ---- */

/* A ray, ready for the faces of one tree: of each axis, where the faces that it reaches first are in a node, in floats,
   and where they are measured from; and those that it reaches last. */
typedef struct wide_ray {
    vp_ray_frame frame;
    f8 inverse[3], from_near[3], from_far[3];
    uint32_t near_face[3], far_face[3];
} wide_ray;

enum { TO_HIGH = 3 * VP_KD_WIDTH };

/* What is made of a ray and a tree's box before the first node: of the frame, and of each axis 1/direction and the places
   from which near and far faces are measured. Bit k of `backwards`: the direction is negative along axis k. */
typedef struct ray_setup {
    float inverse[4], from_near[4], from_far[4];
    uint32_t backwards;
} ray_setup;

/* For a sphere of that radius faces are moved by it too: the rounding of both is below what the pad allows for, if the
   radius counts in it. */
static inline float pad_of(const vp_kd_view *tree, const vp_ray_frame *frame, float radius)
{
    const float pad = vp_ray_pad(frame, &tree->box);
    return radius > 0.0f ? (pad + radius * 0x1p-19f) + radius : pad;
}

static inline bool plain_setup(const vp_kd_view *tree, const vp_ray *ray, float radius, vp_ray_frame *frame, ray_setup *out)
{
    if (!vp_ray_frame_of(ray, frame))
        return false;
    const float pad = pad_of(tree, frame, radius);
    out->backwards = 0;
    for (uint32_t k = 0; k < 3; k++) {
        const float low = frame->origin[k] + pad, high = frame->origin[k] - pad;
        const bool back = signbit(frame->direction[k]) != 0;
        out->inverse[k] = 1.0f / frame->direction[k];
        out->from_near[k] = back ? high : low;
        out->from_far[k] = back ? low : high;
        out->backwards |= (uint32_t)back << k;
    }
    return true;
}

#ifdef VP_LANES_RAY_SETUP
#include VP_LANES_RAY_SETUP
#else
#define ray_setup_of(tree, ray, frame, out) plain_setup(tree, ray, 0.0f, frame, out)
#endif

static inline bool wide_ray_of(const vp_kd_view *tree, const vp_ray *ray, float radius, wide_ray *out)
{
    ray_setup s;
    if (!(radius > 0.0f ? plain_setup(tree, ray, radius, &out->frame, &s) : ray_setup_of(tree, ray, &out->frame, &s)))
        return false;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t high = (s.backwards >> k & 1u) * TO_HIGH;
        out->inverse[k] = f8_set(s.inverse[k]);
#ifdef VP_LANES_FUSED
        s.from_near[k] *= s.inverse[k];
        s.from_far[k] *= s.inverse[k];
#endif
        out->from_near[k] = f8_set(s.from_near[k]);
        out->from_far[k] = f8_set(s.from_far[k]);
        out->near_face[k] = VP_KD_WIDTH * k + high;
        out->far_face[k] = VP_KD_WIDTH * k + TO_HIGH - high;
    }
    return true;
}

/* The parameters at which a ray reaches eight faces. In one operation where it is allowed to round once instead of twice, which
   no kernel of the registry is: `from` is then what the place to measure from is times `inverse`. */
#ifdef VP_LANES_FUSED
static inline f8 reach8(f8 face, f8 from, f8 inverse)
{
    return f8_mul_less(face, inverse, from);
}
#else
static inline f8 reach8(f8 face, f8 from, f8 inverse)
{
    return f8_mul(f8_sub(face, from), inverse);
}
#endif

/* Which of a node's children the ray meets up to s_most, and where it enters them. */
static inline uint32_t meet_children(const wide_ray *r, const vp_kd_wide *node, float s_most, float enter[VP_KD_WIDTH])
{
    const float *face = &node->low[0][0];
    f8 near = f8_set(0.0f), far = f8_set(s_most);
    for (int k = 0; k < 3; k++) {
        f8 in = reach8(f8_load(face + r->near_face[k]), r->from_near[k], r->inverse[k]);
        f8 out = reach8(f8_load(face + r->far_face[k]), r->from_far[k], r->inverse[k]);
        near = f8_later(in, near);
        far = f8_earlier(out, far);
    }
    f8_store(enter, near);
    return f8_le(near, far);
}

/* Corners from the ray's origin, sheared. */
typedef struct shadow {
    f8 x, y;
} shadow;

static inline shadow shadow_of(const vp_ray_frame *f, const p8 *p)
{
    f8 z = f8_sub(p->axis[f->z], f8_set(f->origin[f->z]));
    f8 x = f8_sub(f8_sub(p->axis[f->x], f8_set(f->origin[f->x])), f8_mul(f8_set(f->shear_x), z));
    f8 y = f8_sub(f8_sub(p->axis[f->y], f8_set(f->origin[f->y])), f8_mul(f8_set(f->shear_y), z));
    return (shadow){x, y};
}

static inline f8 cross(shadow a, shadow b)
{
    return f8_sub(f8_mul(a.x, b.y), f8_mul(a.y, b.x));
}

/* Which triangles of a leaf's items the ray may meet: bits 0 to 3 the first of each, 4 to 7 the second. Four items are
   always read: there are three behind the last one of a tree. */
static inline uint32_t may_meet(const vp_kd_view *tree, const vp_ray_frame *f, const vp_kd_item *items, uint32_t count)
{
    const p8 ac = two_corners(tree->triangles.vertex, items, 0, 2), bd = two_corners(tree->triangles.vertex, items, 1, 3);
    const shadow p = shadow_of(f, &ac), q = shadow_of(f, &bd), swapped = {f8_swap(p.x), f8_swap(p.y)};
    uint32_t missed = f8_mixed(cross(p, q), cross(q, swapped), cross(swapped, p));
    uint32_t there = (1u << count) - 1u;
    return ~missed & (tree->triangles.quads ? there * 0x11u : there);
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
        near = f8_later(reach8(back ? high : low, r->from_near[k], r->inverse[k]), near);
        far = f8_earlier(reach8(back ? low : high, r->from_far[k], r->inverse[k]), far);
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

/* The exact test of one triangle. */
static inline void test(question q, const vp_ray_frame *f, const float a[3], const float b[3], const float c[3],
                        uint32_t triangle, answer *to)
{
    vp_meeting m;
    if (q == SWEEP ? !vp_sphere_meets(f, to->radius, a, b, c, &m) : !vp_ray_meets(f, a, b, c, &m))
        return;
    if (q == ALL)
        insert(to, &m, triangle);
    else
        take_if_nearer(to, &m, triangle);
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

static inline void test_leaf(question q, const vp_kd_view *tree, const wide_ray *r, uint32_t leaf, answer *to)
{
    const uint32_t first = vp_kd_first_item(leaf);
    const vp_kd_item *items = tree->item + first;
    uint32_t maybe = q == SWEEP ? may_touch(tree, r, items, vp_kd_items_in(leaf), to->s) : may_meet(tree, &r->frame, items, vp_kd_items_in(leaf));
    for (; maybe != 0; maybe &= maybe - 1u) {
        const uint32_t bit = (uint32_t)__builtin_ctz(maybe), second = bit >> 2, *v = items[bit & 3u].vertex;
        const uint32_t id = tree->item_id[first + (bit & 3u)];
        test(q, &r->frame, corner_at(tree, v[0]), corner_at(tree, v[1 + second]), corner_at(tree, v[2 + second]),
             tree->triangles.quads ? 2 * id + second : id, to);
    }
}

typedef struct wide_waiting {
    uint32_t child;
    float near;
} wide_waiting;

/* Puts what was met on the stack, the nearest on top. */
static inline wide_waiting *push_children(wide_waiting *top, const vp_kd_wide *node, uint32_t met,
                                          const float enter[VP_KD_WIDTH])
{
    for (wide_waiting *base = top; met != 0; met &= met - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(met);
        wide_waiting *to = top++;
        for (; to > base && to[-1].near < enter[i]; to--)
            to[0] = to[-1];
        *to = (wide_waiting){node->child[i], enter[i]};
    }
    return top;
}

static inline void visit_wide(question q, const vp_kd_view *tree, const wide_ray *r, answer *best)
{
    wide_waiting stack[VP_KD_STACK * VP_KD_WIDTH], *top = stack;
    uint32_t at = 0;
    for (;;) {
        if (!vp_kd_is_leaf(at)) {
            const vp_kd_wide *node = &tree->wide[at];
            float enter[VP_KD_WIDTH];
            uint32_t met = meet_children(r, node, best->s, enter);
            const uint32_t i = (uint32_t)__builtin_ctz(met | 0x100u), others = met & (met - 1u);
            if (met != 0 && others == 0) { /* one: no need to wait */
                at = node->child[i];
                continue;
            }
            if (met != 0 && (others & (others - 1u)) == 0) { /* two */
                const uint32_t j = (uint32_t)__builtin_ctz(others), nearer = enter[j] < enter[i] ? j : i;
                const uint32_t farther = i ^ j ^ nearer;
                *top++ = (wide_waiting){node->child[farther], enter[farther]};
                at = node->child[nearer];
                continue;
            }
            top = push_children(top, node, met, enter);
        } else {
            test_leaf(q, tree, r, at, best);
            if (q == ANY && best->found != 0)
                return;
        }
        do {
            if (top == stack)
                return;
            top--;
        } while (top->near > best->s);
        at = top->child;
    }
}

/* ---- a box ---- */

enum { MOST_ASKED_FOR = 512 }; /* items */

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

static inline void ask_for(const void *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 64)
        __builtin_prefetch((const char *)memory + at);
}

/* A small tree's nodes, items and vertices, asked for at once: one box after another is of another chunk, and goes from the root
   to a node, to its items, to their vertices, each time waiting for memory. Nodes are about 13 bytes an item. */
static inline void ask_for_tree(const vp_kd_view *tree)
{
    const size_t items = vp_kd_item_count(&tree->triangles);
    if (items > MOST_ASKED_FOR)
        return;
    ask_for(tree->wide, items * 13);
    ask_for(tree->item, items * sizeof *tree->item);
    ask_for(tree->triangles.vertex, tree->triangles.vertex_count <= 2 * items ? tree->triangles.vertex_count * sizeof(vp_vec3) : 0);
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
