/* SPDX-License-Identifier: MIT */
/* One ray, or one sphere along it, in a whole terrain. Included after optimized/kd/query.h.
 *
 * Idea. Most of a ray's way is through air. The top level (vp_top) is a wide tree over columns of chunks, whose boxes
 * contain the voxels of the broadphase's bits. So two to four nodes, eight boxes a test, lead to the first column in
 * which the ray can meet anything. There its heights at entry and exit give the chunks that it passes, a range of bits
 * cut out of the column's layers. Each of these chunks has its own tree. The ray is set up once, with a pad that is
 * valid for the whole world. All trees share the setup, because they are in the world's coordinates.
 *
 * Layout. Nodes of the top are in rows (src/terrain/top.c), so that an edit touches one a level. A column is its
 * number. A chunk is a pointer in a table by its number, and its tree is one block.
 *
 * Order. Columns come in the order in which the ray enters them, layers in the order of its direction. Both overlap by
 * the half voxel that meshes extend beyond their chunks. So a hit ends the search only when all waiting columns and
 * layers begin after it.
 *
 * Porting. This file uses no instruction that optimized/kd/wide.h does not use, and a column is scalar.
 *
 * Cost in addition to the trees' (optimized/kd/wide.h): the top's nodes cost the same as there, a column some 40
 * operations. A chunk costs the setup of its traversal, and the prefetch of its tree's lines, which are fewer in
 * the smaller forms. */
#ifndef VP_OPTIMIZED_TERRAIN_RAY_H
#define VP_OPTIMIZED_TERRAIN_RAY_H

#include "src/terrain/walk.h"
#include "optimized/kd/query.h"

/* ---- bits of a chunk ----
 *
 * Idea. A voxel is the intersection of three slabs, one of eight on each axis. A ray is inside it from the maximum of
 * three entries to the minimum of three exits, so no entry may come after any exit. So voxels need not be tested one by
 * one. For each two axes the kernel computes which of 8 x 8 slabs go together. A voxel's three pairs and its bit are
 * then combined as bits, 64 voxels a word. The result is that of vp_crosses_bits in src/terrain/walk.h.
 *
 * Instruction: compares eight lanes with one number, and returns their signs as bits (movemask).
 *
 * Cost: 24 slabs in 3 vectors, 16 comparisons for a chunk, and 4 for each layer of voxels with bits that are
 * not yet excluded. */

/* The parameters at which a ray enters and leaves an axis' eight slabs, as lanes and in memory. */
typedef struct ray_slabs {
    f32x8 enter, leave;
    float enter_at[VP_CHUNK_EDGE], leave_at[VP_CHUNK_EDGE];
    uint32_t met; /* those whose exit is not before the entry */
} ray_slabs;

VP_INLINE void cut_axis(const wide_ray *r, int axis, int32_t chunk, float s_most, ray_slabs *out)
{
    float face[VP_CHUNK_EDGE + 1];
    for (int i = 0; i <= VP_CHUNK_EDGE; i++)
        face[i] = (float)(chunk * VP_CHUNK_EDGE + i);
    face[0] -= 0.5f; /* like vp_chunk_faces */
    face[VP_CHUNK_EDGE] += 0.5f;
    const bool back = r->near_face[axis] >= TO_HIGH;
    const f32x8 against = f32x8_set1(r->world.against[axis]);
    const f32x8 in = f32x8_sub(f32x8_set1(r->world.from_near[axis]), f32x8_load(face + back));
    const f32x8 past = f32x8_sub(f32x8_set1(r->world.from_far[axis]), f32x8_load(face + !back));
    out->enter = f32x8_max(f32x8_mul(in, against), f32x8_set1(0.0f));
    out->leave = f32x8_min(f32x8_mul(past, against), f32x8_set1(s_most));
    out->met = m32x8_movemask(f32x8_cmp_le(out->enter, out->leave));
    f32x8_store(out->enter_at, out->enter);
    f32x8_store(out->leave_at, out->leave);
}

/* Bits of an axis' slabs that go together with slab i of another. */
VP_INLINE uint32_t slabs_with(const ray_slabs *of, const ray_slabs *other, uint32_t i)
{
    return m32x8_movemask(f32x8_cmp_le(of->enter, f32x8_set1(other->leave_at[i]))) &
           m32x8_movemask(f32x8_cmp_le(f32x8_set1(other->enter_at[i]), of->leave));
}

static __attribute__((noinline)) bool crosses_bits(const wide_ray *r, const uint64_t bits[8], vp_ivec3 at, float s_most)
{
    ray_slabs x, y, z;
    cut_axis(r, 0, at.x, s_most, &x);
    cut_axis(r, 1, at.y, s_most, &y);
    cut_axis(r, 2, at.z, s_most, &z);
    uint64_t xz = 0; /* like the layers' bits, x + 8 z */
    for (uint32_t rest = z.met; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        xz |= (uint64_t)(x.met & slabs_with(&x, &z, i)) << (8 * i);
    }
    for (uint32_t rest = y.met; rest != 0; rest &= rest - 1u) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        if ((bits[i] & xz) == 0)
            continue;
        const uint64_t crossed = bits[i] & xz & slabs_with(&x, &y, i) * UINT64_C(0x0101010101010101);
        const uint32_t rows = slabs_with(&z, &y, i);
        for (uint64_t left = crossed; left != 0;) {
            const uint32_t row = (uint32_t)__builtin_ctzll(left) / 8;
            if ((rows >> row & 1u) != 0)
                return true;
            left &= ~(UINT64_C(0xff) << (8 * row));
        }
    }
    return false;
}

/* ---- a ray through a terrain ---- */

typedef struct world_question {
    const vp_terrain_view *terrain;
    const vp_ray *ray;
    wide_ray r; /* padded for the whole box of chunks */
    float radius;
    answer best;          /* best of all chunks */
    uint32_t chunk;       /* of the best hit */
    vp_terrain_hit *list; /* ALL: the first `capacity` hits, ascending */
    uint32_t count, capacity;
} world_question;

/* The slow path for a missing tree, which first looks at the broadphase's bits. */
static __attribute__((noinline)) const vp_kd_view *missing_tree(const world_question *w, uint32_t chunk)
{
    const vp_terrain_view *t = w->terrain;
    const vp_ivec3 at = vp_terrain_chunk_at(t, chunk);
    return crosses_bits(&w->r, vp_chunk_bits(t, at), at, w->best.s) ? t->make(t->user, chunk) : NULL;
}

static inline void insert_in_world(world_question *w, const vp_hit *hit, uint32_t chunk)
{
    uint32_t at = w->count < w->capacity ? w->count : w->capacity;
    w->count++;
    for (; at > 0; at--) {
        const vp_terrain_hit *before = &w->list[at - 1];
        if (hit->t > before->in_chunk.t ||
            (hit->t == before->in_chunk.t &&
             (chunk > before->chunk || (chunk == before->chunk && hit->triangle > before->in_chunk.triangle))))
            break;
        if (at < w->capacity)
            w->list[at] = *before;
    }
    if (at < w->capacity)
        w->list[at] = (vp_terrain_hit){*hit, chunk};
}

/* The published and the slab form. */
VP_INLINE void ask_nodes(question q, const vp_kd_view *tree, const world_question *w, answer *to)
{
    node_ray r;
    float near = 0.0f, far = to->s;
    if (node_ray_of(tree, w->ray, w->radius, &r) && enter_tree(tree, &r, &near, &far))
        visit_nodes(q, tree, &r, near, far, to);
}

/* Casts the ray in a chunk's tree, in any form, up to the best hit so far. */
VP_INLINE void ask_tree(question q, const vp_kd_view *tree, const world_question *w, answer *to)
{
    if (tree->form == VP_KD_WIDE) {
        ask_for_tree(tree);
        visit_wide(q, WIDE, false, tree, &w->r, &w->r.world, to);
    } else if (tree->form == VP_KD_PACKED || tree->form == VP_KD_IMPLIED) {
        ask_for_tree(tree);
        const ray_units u = units_of(tree, &w->r);
        if (tree->form == VP_KD_PACKED)
            visit_wide(q, PACKED, false, tree, &w->r, &u, to);
        else
            visit_wide(q, IMPLIED, false, tree, &w->r, &u, to);
    } else {
        ask_nodes(q, tree, w, to);
    }
}

/* All hits in one chunk, at most as many as it has triangles. */
static __attribute__((noinline)) void list_chunk(const vp_kd_view *tree, world_question *w, uint32_t chunk)
{
    vp_hit list[VP_TERRAIN_BOX_ROOM];
    answer to = {.s = w->best.s, .list = list, .capacity = VP_TERRAIN_BOX_ROOM};
    ask_tree(ALL, tree, w, &to);
    for (uint32_t i = 0; i < to.found; i++)
        insert_in_world(w, &list[i], chunk);
}

/* Whether a chunk's hit, which is not after the best so far, comes before it. */
VP_INLINE bool is_before_best(question q, const world_question *w, const answer *found, uint32_t chunk)
{
    if (w->best.found == 0 || found->s < w->best.s)
        return true;
    if (q == SWEEP && found->meeting.distance != w->best.meeting.distance)
        return found->meeting.distance < w->best.meeting.distance;
    return chunk < w->chunk;
}

/* @return true if the search is finished */
VP_INLINE bool ask_chunk(question q, world_question *w, uint32_t chunk)
{
    const vp_kd_view *tree = vp_made_tree(w->terrain, chunk);
    if (tree == NULL)
        tree = missing_tree(w, chunk);
    if (tree == NULL || tree->triangles.triangle_count == 0)
        return false;
    if (q == ALL) {
        list_chunk(tree, w, chunk);
        return false;
    }
    answer to;
    to.s = w->best.s;
    to.found = 0;
    to.radius = w->radius;
    ask_tree(q, tree, w, &to);
    if (to.found != 0 && is_before_best(q, w, &to, chunk)) {
        w->best = to;
        w->chunk = chunk;
    }
    return q == ANY && to.found != 0;
}

/* ---- columns ---- */

/* Where a ray is between two faces of an axis, in floats. */
VP_INLINE void pass_faces(const wide_ray *r, int axis, float low, float high, float *near, float *far)
{
    const bool back = r->near_face[axis] >= TO_HIGH;
    const float in = (r->world.from_near[axis] - (back ? high : low)) * r->world.against[axis];
    const float out = (r->world.from_far[axis] - (back ? low : high)) * r->world.against[axis];
    *near = in > *near ? in : *near; /* NaN changes nothing */
    *far = out < *far ? out : *far;
}

/* The layers from low to high that a range of heights passes. Chunk y has triangles from 8 y - 0.5 to 8 y + 8.5. */
static inline uint32_t layers_between(const vp_terrain_view *t, float low, float high)
{
    const float base = (float)(t->first.y * VP_CHUNK_EDGE), most = (float)(t->chunks.y - 1);
    float first = (low - base - 8.5f) * 0.125f, last = (high - base + 0.5f) * 0.125f;
    first = first > 0.0f ? first : 0.0f; /* also selects all for NaN, which occurs for a ray along the column's axis */
    last = last < most ? last : most;
    if (!(first <= last))
        return 0;
    const uint32_t above = (uint32_t)last, below = (uint32_t)first + ((float)(uint32_t)first < first);
    return above < below ? 0 : (UINT32_MAX >> (31 - above)) & (UINT32_MAX << below);
}

/* @param column x + (z << 8) @return true if the search is finished */
VP_INLINE bool ask_column(question q, world_question *w, uint32_t column)
{
    const vp_terrain_view *t = w->terrain;
    const wide_ray *r = &w->r;
    const uint32_t x = column & 255u, z = column >> 8, layers = t->top.layers[z * t->chunks.x + x];
    vp_ivec3 at = {t->first.x + (int32_t)x, 0, t->first.z + (int32_t)z};
    float near = 0.0f, far = w->best.s, low[2], high[2];
    vp_chunk_row_faces(at.x, 1, &low[0], &high[0]);
    vp_chunk_row_faces(at.z, 1, &low[1], &high[1]);
    pass_faces(r, 0, low[0], high[0], &near, &far);
    pass_faces(r, 2, low[1], high[1], &near, &far);
    const float from = r->frame.origin[1], up = r->frame.direction[1];
    const float y_near = from + up * near, y_far = from + up * far;
    const bool down = r->near_face[1] >= TO_HIGH;
    uint32_t passed = layers & layers_between(t, (down ? y_far : y_near) - r->pad, (down ? y_near : y_far) + r->pad);
    while (passed != 0) {
        const uint32_t layer = down ? 31u - (uint32_t)__builtin_clz(passed) : (uint32_t)__builtin_ctz(passed);
        passed ^= 1u << layer;
        at.y = t->first.y + (int32_t)layer;
        float enter = 0.0f, leave = w->best.s, floor, ceiling;
        vp_chunk_row_faces(at.y, 1, &floor, &ceiling);
        pass_faces(r, 1, floor, ceiling, &enter, &leave);
        if (!(enter <= leave))
            continue; /* a hit found in the meantime is nearer */
        if (ask_chunk(q, w, vp_terrain_chunk(t, at)))
            return true;
    }
    return false;
}

/* ---- the top level ---- */

VP_INLINE void visit_world(question q, world_question *w)
{
    wide_waiting stack[VP_KD_WIDTH * VP_KD_WIDTH], *top = stack; /* for at most eight levels */
    uint32_t at = 0;
    do {
        if (!find_leaf(WIDE, true, w->terrain->top.node, &w->r, &w->r.world, w->best.s, stack, &top, &at))
            return;
        const bool column = (at & VP_TOP_COLUMN) != 0;
        const uint32_t number = at & ~(VP_KD_LEAF | VP_TOP_COLUMN);
        if (column ? ask_column(q, w, number) : ask_chunk(q, w, number))
            return;
    } while (pop_node(stack, &top, w->best.s, &at));
}

/* @return false for an invalid ray */
VP_INLINE bool ask_world(question q, const vp_terrain_view *terrain, const vp_ray *ray, float radius, world_question *w)
{
    const vp_kd_view whole = {.box = terrain->box};
    w->terrain = terrain;
    w->ray = ray;
    w->radius = radius;
    w->chunk = 0;
    w->best.found = 0;
    if (!(radius > 0.0f ? plain_wide_ray(&whole, ray, radius, &w->r) : wide_ray_of(&whole, ray, radius, &w->r)))
        return false;
    w->best.s = w->r.frame.s_max;
    visit_world(q, w);
    return true;
}

static inline vp_terrain_hit closest_in_world(const vp_terrain_view *terrain, const vp_ray *ray)
{
    world_question w;
    if (!ask_world(CLOSEST, terrain, ray, 0.0f, &w))
        return (vp_terrain_hit){{ray->t_max, VP_RAY_INVALID, 0.0f, 0.0f}, 0};
    return (vp_terrain_hit){hit_of(&w.best, ray), w.chunk};
}

static inline int32_t meets_any_in_world(const vp_terrain_view *terrain, const vp_ray *ray)
{
    world_question w;
    return ask_world(ANY, terrain, ray, 0.0f, &w) ? (int32_t)w.best.found : VP_RAY_INVALID;
}

static inline uint32_t list_all_in_world(const vp_terrain_view *terrain, const vp_ray *ray, vp_terrain_hit *out, uint32_t capacity)
{
    world_question w;
    w.list = out;
    w.count = 0;
    w.capacity = capacity;
    return ask_world(ALL, terrain, ray, 0.0f, &w) ? w.count : VP_RAY_ALL_INVALID;
}

static inline vp_terrain_hit sweep_in_world(const vp_terrain_view *terrain, const vp_ray *ray, float radius)
{
    world_question w;
    if (!(radius >= 0.0f && radius <= VP_KD_MAX) || !ask_world(SWEEP, terrain, ray, radius, &w))
        return (vp_terrain_hit){{ray->t_max, VP_RAY_INVALID, 0.0f, 0.0f}, 0};
    return (vp_terrain_hit){hit_of(&w.best, ray), w.chunk};
}

/* ---- boxes ---- */

static inline uint32_t gather_tree(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather(tree, true, box, out, capacity);
}

static inline uint32_t gather_world(const vp_terrain_view *terrain, const vp_aabb *box, vp_terrain_triangle_id *out, uint32_t capacity)
{
    return vp_gather_terrain(terrain, box, gather_tree, out, capacity);
}

#endif
