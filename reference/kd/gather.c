/* SPDX-License-Identifier: MIT */
/* Boxes in the loose kD tree: voxel terrain article, "Loose kD tree: queries".
 *
 * The query is first cut to the box of the whole tree, and ends there if nothing is left. A branch's left child can
 * overlap if the box begins at or below where that child ends, the right one if the box ends at or above where it
 * begins. The article gathers the triangles of all leaves reached. Most users then want those whose own boxes overlap,
 * which is the second form. */
#include <voxphys/kernel/kd.h>

#include "src/kd/corners.h"

typedef struct kd_gather {
    const vp_kd_view *tree;
    float low[3], high[3];
    bool exact; /* only triangles whose own box overlaps */
    uint32_t *out;
    uint32_t count, capacity;
} kd_gather;

/* Boxes are closed. A NaN overlaps nothing. */
static bool is_overlapping(const kd_gather *g, int axis, float low, float high)
{
    return low <= g->high[axis] && high >= g->low[axis];
}

static float float_min3(float a, float b, float c)
{
    float ab = a < b ? a : b;
    return ab < c ? ab : c;
}

static float float_max3(float a, float b, float c)
{
    float ab = a > b ? a : b;
    return ab > c ? ab : c;
}

static bool is_triangle_overlapping(const kd_gather *g, uint32_t triangle)
{
    uint32_t corner[3];
    vp_triangle_corners(&g->tree->triangles, triangle, corner);
    const vp_vec3 *vertex = g->tree->triangles.vertex;
    const vp_vec3 *a = &vertex[corner[0]], *b = &vertex[corner[1]], *c = &vertex[corner[2]];
    return is_overlapping(g, 0, float_min3(a->x, b->x, c->x), float_max3(a->x, b->x, c->x)) &&
           is_overlapping(g, 1, float_min3(a->y, b->y, c->y), float_max3(a->y, b->y, c->y)) &&
           is_overlapping(g, 2, float_min3(a->z, b->z, c->z), float_max3(a->z, b->z, c->z));
}

static void append_triangle(kd_gather *g, uint32_t triangle)
{
    if (g->count < g->capacity)
        g->out[g->count] = triangle;
    g->count++;
}

static void test_triangle(kd_gather *g, uint32_t triangle)
{
    if (!g->exact || is_triangle_overlapping(g, triangle))
        append_triangle(g, triangle);
}

static void gather_nodes(kd_gather *g)
{
    uint32_t stack[VP_KD_STACK];
    int waits = 0;
    stack[waits++] = 0;
    while (waits > 0) {
        const vp_kd_node *node = &g->tree->node[stack[--waits]];
        int axis = (int)vp_kd_axis(node);
        uint32_t child = vp_kd_child(node);
        if (axis == 3) {
            for (uint32_t i = 0; i < child; i++)
                test_triangle(g, node->u.triangle[i]);
        } else if (vp_kd_is_slab(node)) {
            if (is_overlapping(g, axis, node->u.plane[0], node->u.plane[1]))
                stack[waits++] = child;
        } else {
            if (node->u.plane[1] <= g->high[axis])
                stack[waits++] = child + 1;
            if (node->u.plane[0] >= g->low[axis])
                stack[waits++] = child;
        }
    }
}

static void test_items(kd_gather *g, uint32_t leaf)
{
    const uint32_t *id = g->tree->item_id + vp_kd_first_item(leaf);
    for (uint32_t i = 0; i < vp_kd_items_in(leaf); i++)
        if (g->tree->triangles.quads) {
            test_triangle(g, 2 * id[i]);
            test_triangle(g, 2 * id[i] + 1);
        } else {
            test_triangle(g, id[i]);
        }
}

static void gather_wide(kd_gather *g)
{
    uint32_t stack[VP_KD_STACK * VP_KD_WIDTH];
    int waits = 0;
    stack[waits++] = 0;
    while (waits > 0) {
        uint32_t at = stack[--waits];
        if (vp_kd_is_leaf(at)) {
            test_items(g, at);
            continue;
        }
        const vp_kd_wide *node = &g->tree->wide[at];
        for (int i = VP_KD_WIDTH - 1; i >= 0; i--)
            if (is_overlapping(g, 0, node->low[0][i], node->high[0][i]) && is_overlapping(g, 1, node->low[1][i], node->high[1][i]) &&
                is_overlapping(g, 2, node->low[2][i], node->high[2][i]))
                stack[waits++] = node->child[i];
    }
}

/* ---- packed and implied form ---- */

static void test_packed_triangle(kd_gather *g, uint32_t item, uint32_t second)
{
    const uint32_t id = vp_kd_packed_id(g->tree, item), triangle = g->tree->triangles.quads ? 2 * id + second : id;
    float at[3][3];
    for (uint32_t c = 0; c < 3; c++)
        vp_kd_packed_corner(g->tree, item, c == 0 ? 0 : c + second, at[c]);
    for (int k = 0; g->exact && k < 3; k++)
        if (!is_overlapping(g, k, float_min3(at[0][k], at[1][k], at[2][k]), float_max3(at[0][k], at[1][k], at[2][k])))
            return;
    append_triangle(g, triangle);
}

static void test_packed_items(kd_gather *g, uint32_t leaf)
{
    const uint32_t first = vp_kd_packed_first_item(leaf);
    for (uint32_t i = first; i < first + vp_kd_packed_items_in(leaf); i++) {
        test_packed_triangle(g, i, 0);
        if (g->tree->triangles.quads)
            test_packed_triangle(g, i, 1);
    }
}

/* The box in bytes, rounded outwards like nodes' faces, so boxes that overlap in floats also overlap in bytes. An
   absent child begins beyond all boxes. */
static void gather_lines(kd_gather *g)
{
    uint32_t stack[VP_KD_STACK * VP_KD_WIDTH], low[3], high[3];
    const vp_kd_faces faces = vp_kd_faces_of(&g->tree->box);
    int waits = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = vp_kd_byte_below(&faces, k, g->low[k]);
        high[k] = vp_kd_byte_above(&faces, k, g->high[k]);
    }
    stack[waits++] = 0;
    while (waits > 0) {
        uint32_t at = stack[--waits];
        if (vp_kd_packed_is_leaf(at)) {
            test_packed_items(g, at);
            continue;
        }
        const vp_kd_packed_node *node = &g->tree->line[at];
        for (int i = VP_KD_WIDTH - 1; i >= 0; i--)
            if (node->low[0][i] <= high[0] && node->high[0][i] >= low[0] && node->low[1][i] <= high[1] && node->high[1][i] >= low[1] &&
                node->low[2][i] <= high[2] && node->high[2][i] >= low[2])
                stack[waits++] = node->child[i];
    }
}

static uint32_t gather_triangles(const vp_kd_view *tree, const vp_aabb *box, bool exact, uint32_t *out, uint32_t capacity)
{
    kd_gather g = {.tree = tree, .exact = exact, .out = out, .capacity = capacity};
    const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
    const float tree_low[3] = {tree->box.min.x, tree->box.min.y, tree->box.min.z};
    const float tree_high[3] = {tree->box.max.x, tree->box.max.y, tree->box.max.z};
    for (int k = 0; k < 3; k++) {
        if (!(low[k] <= high[k]))
            return 0;
        /* The box is cut to the tree's box. The rest is finite, so absent children overlap nothing. A box outside the
           tree's, or any box of an empty tree, becomes empty. */
        g.low[k] = low[k] > tree_low[k] ? low[k] : tree_low[k];
        g.high[k] = high[k] < tree_high[k] ? high[k] : tree_high[k];
        if (!(g.low[k] <= g.high[k]))
            return 0;
    }
    if (tree->form == VP_KD_WIDE)
        gather_wide(&g);
    else if (tree->form == VP_KD_PACKED || tree->form == VP_KD_IMPLIED)
        gather_lines(&g);
    else
        gather_nodes(&g);
    return g.count;
}

uint32_t vp_kd_gather_scalar(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather_triangles(tree, box, true, out, capacity);
}

uint32_t vp_kd_gather_leaves_scalar(const vp_kd_view *tree, const vp_aabb *box, uint32_t *out, uint32_t capacity)
{
    return gather_triangles(tree, box, false, out, capacity);
}
