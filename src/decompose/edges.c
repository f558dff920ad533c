/* SPDX-License-Identifier: MIT */
/* Triangles that share edges, which are the graph of a decomposition, and counts of the input's edges. */
#include <stdlib.h>
#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/decompose/decompose_internal.h"

/* An edge of a triangle. */
typedef struct edge_side {
    uint32_t low, high; /* vertices */
    uint32_t triangle;
    bool up; /* the triangle runs from the lower to the higher */
} edge_side;

static int compare_sides(const void *a, const void *b)
{
    const edge_side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

static bool is_whole(const uint32_t triangle[3])
{
    return triangle[1] != triangle[2];
}

/* Lists the sides of triangles that have three. Remaining triangles of two vertices have one side. @return the
   number of sides */
static uint32_t list_sides(const vp_decompose_mesh *m, edge_side *out)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        const uint32_t *v = m->triangle[t];
        for (int k = 0; k < 3 && is_whole(v); k++) {
            const uint32_t a = v[k], b = v[(k + 1) % 3];
            out[count++] = a < b ? (edge_side){a, b, t, true} : (edge_side){b, a, t, false};
        }
        if (!is_whole(v) && v[0] != v[1])
            out[count++] = (edge_side){v[0], v[1], t, true};
    }
    qsort(out, count, sizeof *out, compare_sides);
    return count;
}

/* ---- triangles with joined vertices ---- */

/* The first triangle of three vertices with an edge, or VP_DECOMPOSE_NONE. */
static uint32_t find_side(const vp_decompose_mesh *m, const edge_side *sides, uint32_t count, uint32_t low, uint32_t high)
{
    uint32_t from = 0, to = count; /* the first side that is not before (low, high) */
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        const edge_side *s = &sides[middle];
        if (s->low < low || (s->low == low && s->high < high))
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < count && sides[from].low == low && sides[from].high == high; from++)
        if (is_whole(m->triangle[sides[from].triangle]))
            return sides[from].triangle;
    return VP_DECOMPOSE_NONE;
}

/* Removes triangles with joined vertices, if another triangle has their remaining vertices.
   of_vertex  scratch, a word a vertex; goes: a word a triangle */
static void remove_degenerate(vp_decomposing *d, const edge_side *sides, uint32_t count, uint32_t *of_vertex, uint32_t *goes)
{
    vp_decompose_mesh *m = &d->mesh;
    const uint32_t triangles = m->input.triangles;
    for (uint32_t v = 0; v < m->input.vertices; v++)
        of_vertex[v] = VP_DECOMPOSE_NONE;
    for (uint32_t t = triangles; t-- > 0;) /* the first remaining triangle with the vertex: whole ones, then edges that no other has */
        for (int k = 0; k < 3 && is_whole(m->triangle[t]); k++)
            of_vertex[m->triangle[t][k]] = t;
    for (uint32_t t = 0; t < triangles; t++) {
        const uint32_t *v = m->triangle[t];
        goes[t] = t;
        if (is_whole(v) || v[0] == v[1])
            continue;
        const uint32_t other = find_side(m, sides, count, v[0], v[1]);
        goes[t] = other != VP_DECOMPOSE_NONE ? other : t;
        for (int k = 0; k < 2 && other == VP_DECOMPOSE_NONE; k++)
            if (of_vertex[v[k]] == VP_DECOMPOSE_NONE)
                of_vertex[v[k]] = t;
    }
    for (uint32_t t = 0; t < triangles; t++)
        if (m->triangle[t][0] == m->triangle[t][1] && of_vertex[m->triangle[t][0]] != VP_DECOMPOSE_NONE)
            goes[t] = of_vertex[m->triangle[t][0]];

    uint32_t left = 0; /* `goes` becomes the number among the remaining triangles, for these first */
    for (uint32_t t = 0; t < triangles; t++)
        if (goes[t] == t) {
            memmove(m->triangle[left], m->triangle[t], sizeof *m->triangle);
            memmove(m->normal[left], m->normal[t], sizeof *m->normal);
            m->copies[left] = m->copies[t];
            m->input_triangle[left] = m->input_triangle[t];
            m->area[left] = m->area[t];
            goes[t] = (left++) | 0x80000000u;
        }
    for (uint32_t t = 0; t < triangles; t++)
        if ((goes[t] & 0x80000000u) == 0)
            goes[t] = goes[goes[t]];
    for (uint32_t i = 0; i < d->def->triangle_count; i++)
        m->node_of[i] = goes[m->node_of[i]] & 0x7fffffffu;
    m->input.triangles = left;
}

/* ---- edges ---- */

static vp_decomposition_edge name_edge(const vp_decompose_mesh *m, const edge_side *first, const edge_side *second)
{
    return (vp_decomposition_edge){.point = {m->input_point[first->low], m->input_point[first->high]},
                                   .place = {m->vertex[first->low], m->vertex[first->high]},
                                   .triangle = {m->input_triangle[first->triangle], m->input_triangle[second->triangle]}};
}

/* Counts an edge of some triangles, except those of two vertices. */
static void count_edge(vp_decompose_mesh *m, const edge_side *group, uint32_t count)
{
    if (!is_whole(m->triangle[group->triangle]))
        return; /* only such triangles have it */
    if (count == 1) {
        if (m->input.open_edges++ == 0)
            m->input.first_open = name_edge(m, group, group);
    } else if (count > 2) {
        if (m->input.crowded_edges++ == 0)
            m->input.first_crowded = name_edge(m, group, group + 1);
    } else if (group[0].up == group[1].up) {
        if (m->input.twisted_edges++ == 0)
            m->input.first_twisted = name_edge(m, group, group + 1);
    } else {
        m->input.manifold_edges++;
    }
}

static uint32_t find_group_end(const edge_side *sides, uint32_t from, uint32_t count)
{
    uint32_t to = from + 1;
    while (to < count && sides[to].low == sides[from].low && sides[to].high == sides[from].high)
        to++;
    return to;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint32_t *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : p[1] < q[1] ? -1 : p[1] > q[1];
}

/* ---- shells ---- */

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Numbers the shells of the mesh by their first triangles. @param parent scratch, a word a triangle. @return false without memory */
static bool find_shells(vp_decomposing *d, uint32_t *parent)
{
    vp_decompose_mesh *m = &d->mesh;
    m->shell = vp_arena_take(&d->memory, m->input.triangles * sizeof *m->shell);
    m->closed = vp_arena_take(&d->memory, m->input.triangles * sizeof *m->closed);
    if (m->shell == NULL || m->closed == NULL)
        return false;
    for (uint32_t t = 0; t < m->input.triangles; t++)
        parent[t] = t;
    for (uint32_t e = 0; e < m->edges; e++) { /* the root is the lowest triangle */
        const uint32_t a = root_of(parent, m->edge[e][0]), b = root_of(parent, m->edge[e][1]);
        parent[a < b ? b : a] = a < b ? a : b;
    }
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        const uint32_t root = root_of(parent, t);
        m->shell[t] = root == t ? m->input.shells++ : m->shell[root];
    }
    return true;
}

/* Finds the shells that have an edge with more triangles in one direction than in the other. A triangle counts as often as it is given,
   or once if only that closes its shell.
   @param open a byte a shell: 1 = with copies, 2 = without */
static void find_open_shells(vp_decompose_mesh *m, const edge_side *sides, uint32_t count, uint8_t *open)
{
    for (uint32_t from = 0, to; from < count; from = to) {
        int64_t all = 0, once = 0;
        to = find_group_end(sides, from, count);
        for (uint32_t i = from; i < to; i++)
            if (is_whole(m->triangle[sides[i].triangle])) {
                all += sides[i].up ? (int64_t)m->copies[sides[i].triangle] : -(int64_t)m->copies[sides[i].triangle];
                once += m->copies[sides[i].triangle] == 0 ? 0 : sides[i].up ? 1 : -1;
            }
        open[m->shell[sides[from].triangle]] |= (uint8_t)((all != 0 ? 1 : 0) | (once != 0 ? 2 : 0));
    }
    for (uint32_t s = 0; s < m->input.shells; s++)
        m->closed[s] = open[s] != 3;
    for (uint32_t t = 0; t < m->input.triangles; t++)
        if ((open[m->shell[t]] & 1) != 0)
            m->copies[t] = 1;
}

/* ---- walls inside the solid ---- */

/* Triangles that are connected by edges of two triangles. In other edges they meet other patches. */
typedef struct surface_patch {
    double area;
    uint32_t rim; /* sides in edges of other than two triangles */
    enum { WITHOUT_RIM, IS_WALL, STAYS } state;
} surface_patch;

static int32_t direction_of(const vp_decompose_mesh *m, const edge_side *side)
{
    const int32_t copies = is_whole(m->triangle[side->triangle]) ? (int32_t)m->copies[side->triangle] : 0;
    return side->up ? copies : -copies;
}

/* Numbers patches by their first triangles, and measures them. @param patch of each triangle */
static void find_patches(const vp_decompose_mesh *m, const edge_side *sides, uint32_t count, uint32_t *patch, surface_patch *out)
{
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        patch[t] = t;
        out[t] = (surface_patch){0};
    }
    for (uint32_t from = 0, to; from < count; from = to) {
        to = find_group_end(sides, from, count);
        if (to - from != 2)
            continue;
        const uint32_t a = root_of(patch, sides[from].triangle), b = root_of(patch, sides[from + 1].triangle);
        patch[a < b ? b : a] = a < b ? a : b;
    }
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        patch[t] = root_of(patch, t);
        out[patch[t]].area += m->area[t];
    }
    for (uint32_t from = 0, to; from < count; from = to) {
        to = find_group_end(sides, from, count);
        for (uint32_t i = from; i < to && to - from != 2; i++)
            out[patch[sides[i].triangle]].rim++;
    }
}

/* Whether patch a is rather a wall than b. The part of a solid between two walls has the rims of both. */
static bool is_smaller(const surface_patch *all, uint32_t a, uint32_t b)
{
    if (all[a].rim != all[b].rim)
        return all[a].rim < all[b].rim;
    return all[a].area < all[b].area || (all[a].area <= all[b].area && a < b);
}

/* Marks patches without which each of their edges would have as many triangles in one direction as in the other. If there
   are several at one edge, only the smallest. @return whether there is one */
static bool mark_walls(const vp_decompose_mesh *m, const edge_side *sides, uint32_t count, const uint32_t *patch, surface_patch *out)
{
    bool any = false;
    for (uint32_t t = 0; t < m->input.triangles; t++)
        out[t].state = WITHOUT_RIM;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t from = 0, to; from < count; from = to) {
            int64_t sum = 0;
            uint32_t least = VP_DECOMPOSE_NONE;
            to = find_group_end(sides, from, count);
            for (uint32_t i = from; i < to; i++)
                sum += direction_of(m, &sides[i]);
            for (uint32_t i = from; i < to && to - from != 2; i++) {
                const uint32_t its = patch[sides[i].triangle];
                const bool fits = to - from > 2 && sum != 0 && direction_of(m, &sides[i]) == sum;
                if (pass == 0)
                    out[its].state = fits && out[its].state != STAYS ? IS_WALL : STAYS;
                else if (out[its].state == IS_WALL && (least == VP_DECOMPOSE_NONE || is_smaller(out, its, least)))
                    least = its;
            }
            for (uint32_t i = from; i < to && least != VP_DECOMPOSE_NONE; i++)
                if (patch[sides[i].triangle] != least)
                    out[patch[sides[i].triangle]].state = STAYS;
        }
    for (uint32_t t = 0; t < m->input.triangles; t++)
        any |= out[t].state == IS_WALL;
    return any;
}

/* Excludes walls from winding numbers, if the rest may be closed then. @return false without memory */
static bool exclude_walls(vp_decomposing *d, const edge_side *sides, uint32_t count, uint32_t *patch, bool *any)
{
    enum { ROUNDS = 32 };
    vp_decompose_mesh *m = &d->mesh;
    *any = false;
    for (uint32_t s = 0; s < m->input.shells && m->input.crowded_edges != 0; s++)
        *any |= !m->closed[s];
    if (!*any)
        return true;
    surface_patch *its = vp_decompose_borrow(d, m->input.triangles, sizeof *its);
    if (its == NULL)
        return false;
    find_patches(m, sides, count, patch, its);
    for (int round = 0; round < ROUNDS && mark_walls(m, sides, count, patch, its); round++)
        for (uint32_t t = 0; t < m->input.triangles; t++)
            m->copies[t] = its[patch[t]].state == IS_WALL ? 0 : m->copies[t];
    vp_decompose_give_back(d, its, m->input.triangles, sizeof *its);
    return true;
}

/* ---- flipped triangles ---- */

/* A triangle's root, and whether it faces the other way than the root. `word` is parent * 2 + other way. */
static uint32_t find_facing(const uint32_t *word, uint32_t t)
{
    uint32_t other = 0;
    while (word[t] >> 1 != t) {
        other ^= word[t] & 1;
        t = word[t] >> 1;
    }
    return t << 1 | other;
}

/* Counts the triangles that face the other way than most of those they are connected with by edges of two triangles, and turns them if
   the definition says so.
   @param word, size scratch, a word a triangle */
static void count_flipped(vp_decomposing *d, const edge_side *sides, uint32_t count, uint32_t *word, int32_t *size)
{
    vp_decompose_mesh *m = &d->mesh;
    if (m->input.twisted_edges == 0)
        return;
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        word[t] = t << 1;
        size[t] = 1;
    }
    for (uint32_t from = 0, to; from < count; from = to) {
        to = find_group_end(sides, from, count);
        if (to - from != 2)
            continue;
        uint32_t a = find_facing(word, sides[from].triangle), b = find_facing(word, sides[from + 1].triangle);
        const uint32_t other = (a ^ b ^ (uint32_t)(sides[from].up == sides[from + 1].up)) & 1;
        a >>= 1;
        b >>= 1;
        if (a == b)
            continue;
        const uint32_t root = size[a] > size[b] || (size[a] == size[b] && a < b) ? a : b, child = root == a ? b : a;
        word[child] = root << 1 | other;
        size[root] += size[child];
    }
    for (uint32_t t = 0; t < m->input.triangles; t++) /* `size` becomes how many more face as the root does */
        size[t] = 0;
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        const uint32_t facing = find_facing(word, t);
        size[facing >> 1] += (facing & 1) != 0 ? -1 : 1;
    }
    for (uint32_t t = 0; t < m->input.triangles; t++) {
        const uint32_t facing = find_facing(word, t);
        if (((facing & 1) != 0) != (size[facing >> 1] >= 0))
            continue;
        if (m->input.flipped++ == 0)
            m->input.first_flipped = m->input_triangle[t];
        if (d->def->flip)
            vp_decompose_flip_triangle(m, t);
    }
}

static vp_status report_no_memory(const vp_decomposing *d, vp_error *error)
{
    return vp_fail(error, VP_E_MEMORY, "no memory for the graph of a mesh of %u triangles", d->mesh.input.triangles);
}

static vp_status list_edges(vp_decomposing *d, const edge_side *sides, uint32_t count, vp_error *error)
{
    vp_decompose_mesh *m = &d->mesh;
    uint64_t pairs = 0;
    for (uint32_t from = 0, to; from < count; from = to) {
        to = find_group_end(sides, from, count);
        count_edge(m, sides + from, to - from);
        pairs += (uint64_t)(to - from) * (to - from - 1) / 2;
        if (pairs > VP_DECOMPOSE_MAX_EDGES)
            return vp_fail(error, VP_E_LIMIT, "more than %u edges of the graph: points %u and %u have an edge of %u triangles",
                           VP_DECOMPOSE_MAX_EDGES, m->input_point[sides[from].low], m->input_point[sides[from].high], to - from);
    }
    m->edge = vp_arena_take(&d->memory, (size_t)(pairs + 1) * sizeof *m->edge);
    if (m->edge == NULL)
        return report_no_memory(d, error);
    uint32_t edges = 0;
    for (uint32_t from = 0, to; from < count; from = to) {
        to = find_group_end(sides, from, count);
        for (uint32_t i = from; i < to; i++)
            for (uint32_t k = i + 1; k < to; k++, edges++) {
                m->edge[edges][0] = sides[i].triangle;
                m->edge[edges][1] = sides[k].triangle;
            }
    }
    qsort(m->edge, edges, sizeof *m->edge, compare_pairs);
    for (uint32_t i = 0; i < edges; i++)
        if (i == 0 || compare_pairs(m->edge[i], m->edge[i - 1]) != 0) {
            memmove(m->edge[m->edges], m->edge[i], sizeof *m->edge);
            m->edges++;
        }
    return VP_OK;
}

vp_status vp_decompose_connect(vp_decomposing *d, vp_error *error)
{
    vp_decompose_mesh *m = &d->mesh;
    const uint32_t triangles = m->input.triangles, vertices = m->input.vertices;
    edge_side *sides = vp_decompose_borrow(d, (size_t)triangles * 3, sizeof *sides);
    uint32_t *of_vertex = vp_decompose_borrow(d, vertices, sizeof *of_vertex);
    uint32_t *of_triangle = vp_decompose_borrow(d, triangles, sizeof *of_triangle);
    int32_t *facing = vp_decompose_borrow(d, triangles, sizeof *facing);
    vp_status status = VP_E_MEMORY;
    if (sides == NULL || of_vertex == NULL || of_triangle == NULL || facing == NULL) {
        report_no_memory(d, error);
    } else {
        remove_degenerate(d, sides, list_sides(m, sides), of_vertex, of_triangle);
        const uint32_t count = list_sides(m, sides);
        status = list_edges(d, sides, count, error);
        if (status == VP_OK && !find_shells(d, of_triangle))
            status = report_no_memory(d, error);
        if (status == VP_OK) {
            count_flipped(d, sides, count, of_triangle, facing);
            if (m->input.flipped != 0 && d->def->flip)
                list_sides(m, sides);
            memset(of_triangle, 0, triangles * sizeof *of_triangle);
            find_open_shells(m, sides, count, (uint8_t *)of_triangle);
            bool any;
            if (!exclude_walls(d, sides, count, of_triangle, &any))
                status = report_no_memory(d, error);
            if (any) {
                memset(of_triangle, 0, triangles * sizeof *of_triangle);
                find_open_shells(m, sides, count, (uint8_t *)of_triangle);
            }
        }
    }
    vp_decompose_give_back(d, facing, triangles, sizeof *facing);
    vp_decompose_give_back(d, of_triangle, triangles, sizeof *of_triangle);
    vp_decompose_give_back(d, of_vertex, vertices, sizeof *of_vertex);
    vp_decompose_give_back(d, sides, (size_t)triangles * 3, sizeof *sides);
    return status;
}
