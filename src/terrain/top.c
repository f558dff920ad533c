/* SPDX-License-Identifier: MIT */
/* The top level of a terrain: see terrain/top.h.
 *
 * Terrain is a sheet: in most columns of chunks only one or two have anything. So the pyramid is built over columns.
 * Each column has one bit per chunk and the box of its chunks' triangles as far as known. A ray that reaches a column's
 * box reads the bits of the layers that it passes. Levels alternate between 4 x 2 and 2 x 4 children per node, so that
 * two levels make a square of 8 x 8. */
#include "src/terrain/top.h"

#include <math.h>
#include <string.h>

#include "src/core/memory.h"
#include "src/terrain/walk.h"
#include "src/world/world_internal.h"

/* Children per node along x and z, for a level counted upwards from the columns. */
static uint32_t children_along_x(uint32_t from_below)
{
    return from_below % 2 == 0 ? 4 : 2;
}

static uint32_t children_along_z(uint32_t from_below)
{
    return VP_KD_WIDTH / children_along_x(from_below);
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
    return (a + b - 1) / b;
}

static void place_levels(vp_terrain_top *top)
{
    vp_top_level upwards[VP_TOP_LEVELS];
    uint32_t width = top->chunks.x, depth = top->chunks.z, count = 0;
    do {
        width = divide_up(width, children_along_x(count));
        depth = divide_up(depth, children_along_z(count));
        upwards[count++] = (vp_top_level){0, width, depth};
    } while (width != 1 || depth != 1);
    top->levels = count;
    for (uint32_t i = 0; i < count; i++) {
        top->level[i] = upwards[count - 1 - i];
        top->level[i].first = top->node_count;
        top->node_count += top->level[i].width * top->level[i].depth;
    }
}

bool vp_terrain_top_create(vp_surface surface, vp_ivec3 first, vp_dims chunks, const vp_allocator *allocator, vp_terrain_top *out)
{
    vp_terrain_top top = {.surface = surface, .first = first, .chunks = chunks, .allocator = *allocator};
    place_levels(&top);
    top.node = vp_allocate_zero(allocator, top.node_count, sizeof *top.node);
    top.layers = vp_allocate(allocator, (size_t)chunks.x * chunks.z, sizeof *top.layers);
    top.known = vp_allocate_zero(allocator, vp_chunk_count(chunks), sizeof *top.known);
    if (top.node == NULL || top.layers == NULL || top.known == NULL) {
        vp_terrain_top_destroy(&top);
        return false;
    }
    *out = top;
    return true;
}

void vp_terrain_top_destroy(vp_terrain_top *top)
{
    vp_release(&top->allocator, top->node, top->node_count, sizeof *top->node);
    vp_release(&top->allocator, top->layers, (size_t)top->chunks.x * top->chunks.z, sizeof *top->layers);
    vp_release(&top->allocator, top->known, vp_chunk_count(top->chunks), sizeof *top->known);
    *top = (vp_terrain_top){0};
}

size_t vp_terrain_top_bytes(const vp_terrain_top *top)
{
    return top->node_count * sizeof *top->node + (size_t)top->chunks.x * top->chunks.z * sizeof *top->layers +
           vp_chunk_count(top->chunks) * sizeof *top->known;
}

vp_top vp_terrain_top_view(const vp_terrain_top *top)
{
    return (vp_top){top->node, top->layers};
}

/* ---- chunks ---- */

static bool is_all_at_least_128(const uint8_t *occupancy)
{
    uint64_t and = UINT64_MAX;
    for (int i = 0; i < VP_CHUNK_VOXELS; i += 8) {
        uint64_t eight;
        memcpy(&eight, occupancy + i, sizeof eight);
        and &= eight;
    }
    return (and&UINT64_C(0x8080808080808080)) == UINT64_C(0x8080808080808080);
}

/* Whether a FULL chunk may have a surface: a voxel is at most half full in the chunk, or in the next chunks up the
 * axes, which hold the other ends of its edges. Only the nearest voxels of those chunks matter, so an edit farther
 * inside them need not update this chunk. */
static bool may_full_have_surface(const vp_voxels *voxels, vp_ivec3 at)
{
    for (int i = 0; i < 8; i++) {
        const vp_ivec3 next = {at.x + (i & 1), at.y + (i >> 1 & 1), at.z + (i >> 2)};
        if (!vp_voxel_inside(voxels->chunks, next))
            return true; /* outside the world is air */
        const size_t brick = vp_chunk_number(voxels->chunks, (uint32_t)next.x, (uint32_t)next.y, (uint32_t)next.z);
        if (!is_all_at_least_128(voxels->occupancy + brick * VP_CHUNK_VOXELS))
            return true;
    }
    return false;
}

static bool may_have(const vp_terrain_top *top, const vp_top_source *from, vp_ivec3 at)
{
    const vp_broadphase_view *b = &from->bits;
    const vp_terrain_view view = {.bits = *b, .surface = top->surface};
    const uint32_t slot = b->slot[(ptrdiff_t)at.y * b->slot_stride_y + (ptrdiff_t)at.z * b->slot_stride_z + at.x];
    if (slot == VP_CHUNK_EMPTY || !vp_any_bit(vp_chunk_bits(&view, at), &(vp_voxel_box){{0, 0, 0}, {8, 8, 8}}))
        return false;
    return slot >= VP_CHUNK_MIXED || may_full_have_surface(&from->voxels, at);
}

/* Lowest set bit, and one past the highest, of eight bits that are not all 0. */
static void find_extent(unsigned bits, int *low, int *high)
{
    for (*low = 0; (bits >> *low & 1) == 0;)
        ++*low;
    for (*high = 8; (bits >> (*high - 1) & 1) == 0;)
        --*high;
}

/* Box of the set voxels of a chunk. */
static vp_voxel_box set_voxels(const uint64_t bits[8])
{
    vp_voxel_box box;
    uint64_t all = 0, columns;
    unsigned slices = 0, rows = 0;
    for (int y = 0; y < 8; y++) {
        all |= bits[y];
        slices |= (unsigned)(bits[y] != 0) << y;
    }
    for (int z = 0; z < 8; z++)
        rows |= (unsigned)((all >> 8 * z & 0xff) != 0) << z;
    columns = all | all >> 32;
    columns |= columns >> 16;
    find_extent((unsigned)((columns | columns >> 8) & 0xff), &box.low[0], &box.high[0]);
    find_extent(slices, &box.low[1], &box.high[1]);
    find_extent(rows, &box.low[2], &box.high[2]);
    return box;
}

/* ---- boxes in nodes ---- */

typedef struct face_box {
    float low[3], high[3];
} face_box;

static const face_box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void widen_box(face_box *to, const face_box *box)
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = box->low[k] < to->low[k] ? box->low[k] : to->low[k];
        to->high[k] = box->high[k] > to->high[k] ? box->high[k] : to->high[k];
    }
}

/* Box of a chunk's triangles, from its mesh if known, otherwise from its bits. */
static face_box box_of_chunk(const vp_terrain_top *top, const vp_top_source *from, vp_ivec3 at, const vp_known_box *known)
{
    const int32_t corner[3] = {at.x * VP_CHUNK_EDGE, at.y * VP_CHUNK_EDGE, at.z * VP_CHUNK_EDGE};
    face_box box;
    if (known->state == VP_KNOWN_BOX) {
        for (int k = 0; k < 3; k++) {
            box.low[k] = ((float)corner[k] - 0.5f) + (float)known->low[k] * 0.0625f;
            box.high[k] = ((float)corner[k] - 0.5f) + (float)known->high[k] * 0.0625f;
        }
        return box;
    }
    const vp_terrain_view view = {.bits = from->bits, .surface = top->surface};
    const vp_voxel_box voxels = set_voxels(vp_chunk_bits(&view, at));
    vp_chunk_faces(at.x, voxels.low[0], voxels.high[0], &box.low[0], &box.high[0]);
    vp_chunk_faces(at.y, voxels.low[1], voxels.high[1], &box.low[1], &box.high[1]);
    vp_chunk_faces(at.z, voxels.low[2], voxels.high[2], &box.low[2], &box.high[2]);
    return box;
}

static vp_ivec3 chunk_of(const vp_terrain_top *top, uint32_t x, uint32_t y, uint32_t z)
{
    return (vp_ivec3){top->first.x + (int32_t)x, top->first.y + (int32_t)y, top->first.z + (int32_t)z};
}

static size_t known_index_of(const vp_terrain_top *top, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)y * top->chunks.z + z) * top->chunks.x + x;
}

static face_box box_of_column(const vp_terrain_top *top, const vp_top_source *from, uint32_t x, uint32_t z)
{
    face_box column = nothing;
    const uint32_t layers = top->layers[(size_t)z * top->chunks.x + x];
    for (uint32_t y = 0; y < top->chunks.y; y++) {
        if ((layers >> y & 1) == 0)
            continue;
        const face_box chunk = box_of_chunk(top, from, chunk_of(top, x, y, z), &top->known[known_index_of(top, x, y, z)]);
        widen_box(&column, &chunk);
    }
    return column;
}

/* @return whether the child has changed */
static bool set_child(vp_kd_wide *node, uint32_t i, const face_box *box, uint32_t child)
{
    bool changed = node->child[i] != child;
    for (int k = 0; k < 3; k++) {
        changed = changed || node->low[k][i] != box->low[k] || node->high[k][i] != box->high[k];
        node->low[k][i] = box->low[k];
        node->high[k][i] = box->high[k];
    }
    node->child[i] = child;
    return changed;
}

static face_box box_of_node(const vp_kd_wide *node)
{
    face_box all = nothing;
    for (int i = 0; i < VP_KD_WIDTH; i++) {
        const face_box child = {{node->low[0][i], node->low[1][i], node->low[2][i]},
                                {node->high[0][i], node->high[1][i], node->high[2][i]}};
        widen_box(&all, &child);
    }
    return all;
}

/* The node of a level that contains child (x, z) of the level below (the columns below the last level), and the
 * child's index. */
static vp_kd_wide *find_parent(const vp_terrain_top *top, uint32_t level, uint32_t x, uint32_t z, uint32_t *child)
{
    const uint32_t from_below = top->levels - 1 - level, nx = children_along_x(from_below), nz = children_along_z(from_below);
    *child = z % nz * nx + x % nx;
    return &top->node[top->level[level].first + z / nz * top->level[level].width + x / nx];
}

/* Child reference of a column: its only chunk that may have triangles, or the column itself. */
static uint32_t find_child_of_column(const vp_terrain_top *top, const vp_top_source *from, uint32_t x, uint32_t z)
{
    const uint32_t layers = top->layers[(size_t)z * top->chunks.x + x];
    uint32_t y = 0;
    if (layers == 0 || (layers & (layers - 1u)) != 0)
        return VP_KD_LEAF | VP_TOP_COLUMN | x | z << 8;
    while ((layers >> y & 1) == 0)
        y++;
    return VP_KD_LEAF |
           vp_chunk_number(from->bits.chunks, (uint32_t)top->first.x + x, (uint32_t)top->first.y + y, (uint32_t)top->first.z + z);
}

/* @return whether the column's box or reference has changed */
static bool derive_column(vp_terrain_top *top, const vp_top_source *from, uint32_t x, uint32_t z)
{
    const face_box box = box_of_column(top, from, x, z);
    uint32_t child;
    vp_kd_wide *node = find_parent(top, top->levels - 1, x, z, &child);
    return set_child(node, child, &box, find_child_of_column(top, from, x, z));
}

/* Updates the box of node (x, z) of a level in its parent. @return whether it has changed */
static bool update_parent(vp_terrain_top *top, uint32_t level, uint32_t x, uint32_t z)
{
    const uint32_t number = top->level[level].first + z * top->level[level].width + x;
    const face_box box = box_of_node(&top->node[number]);
    uint32_t child;
    vp_kd_wide *node = find_parent(top, level - 1, x, z, &child);
    return set_child(node, child, &box, number);
}

void vp_terrain_top_derive(vp_terrain_top *top, const vp_top_source *from)
{
    memset(top->known, 0, vp_chunk_count(top->chunks) * sizeof *top->known);
    for (uint32_t n = 0; n < top->node_count; n++)
        for (uint32_t i = 0; i < VP_KD_WIDTH; i++)
            set_child(&top->node[n], i, &nothing, 0);
    for (uint32_t z = 0; z < top->chunks.z; z++)
        for (uint32_t x = 0; x < top->chunks.x; x++) {
            uint32_t layers = 0;
            for (uint32_t y = 0; y < top->chunks.y; y++)
                layers |= (uint32_t)may_have(top, from, chunk_of(top, x, y, z)) << y;
            top->layers[(size_t)z * top->chunks.x + x] = layers;
            derive_column(top, from, x, z);
        }
    for (uint32_t level = top->levels - 1; level > 0; level--)
        for (uint32_t z = 0; z < top->level[level].depth; z++)
            for (uint32_t x = 0; x < top->level[level].width; x++)
                update_parent(top, level, x, z);
}

/* Updates a column, and its ancestors as far as they change. */
static void update_column(vp_terrain_top *top, const vp_top_source *from, uint32_t x, uint32_t z)
{
    bool changed = derive_column(top, from, x, z);
    for (uint32_t level = top->levels - 1, below = 0; changed && level > 0; level--, below++) {
        x /= children_along_x(below);
        z /= children_along_z(below);
        changed = update_parent(top, level, x, z);
    }
}

/* Place in the box of a chunk of the world. @return false if it is outside */
static bool place_of(const vp_terrain_top *top, vp_dims world, uint32_t chunk, vp_ivec3 *at, vp_ivec3 *in)
{
    *at = vp_chunk_at(world, chunk);
    *in = (vp_ivec3){at->x - top->first.x, at->y - top->first.y, at->z - top->first.z};
    return vp_voxel_inside(top->chunks, *in);
}

static void set_layer(vp_terrain_top *top, vp_ivec3 in, bool may)
{
    uint32_t *layers = &top->layers[(size_t)in.z * top->chunks.x + (uint32_t)in.x];
    *layers = (*layers & ~(1u << in.y)) | (uint32_t)may << in.y;
}

/* Whether a set contains a chunk below this one in its column of the box. The chunk is in layer y. */
static bool has_below(const vp_chunk_set *set, vp_dims n, uint32_t chunk, int32_t y)
{
    for (; y > 0; y--) {
        chunk -= n.x * n.z;
        if (vp_chunk_set_has(set, chunk))
            return true;
    }
    return false;
}

/* A column's box covers all chunks of its layers. So all layers are updated first, then each column once. */
void vp_terrain_top_update(vp_terrain_top *top, const vp_top_source *from, const vp_chunk_set *stale, uint32_t first, uint32_t last)
{
    vp_ivec3 at, in;
    for (uint32_t c = vp_chunk_set_next_until(stale, first, last); c != UINT32_MAX; c = vp_chunk_set_next_until(stale, c + 1, last)) {
        if (!place_of(top, from->bits.chunks, c, &at, &in))
            continue;
        top->known[known_index_of(top, (uint32_t)in.x, (uint32_t)in.y, (uint32_t)in.z)].state = VP_BITS_ALONE;
        set_layer(top, in, may_have(top, from, at));
    }
    for (uint32_t c = vp_chunk_set_next_until(stale, first, last); c != UINT32_MAX; c = vp_chunk_set_next_until(stale, c + 1, last))
        if (place_of(top, from->bits.chunks, c, &at, &in) && !has_below(stale, from->bits.chunks, c, in.y))
            update_column(top, from, (uint32_t)in.x, (uint32_t)in.z);
}

void vp_terrain_top_learn(vp_terrain_top *top, const vp_top_source *from, uint32_t chunk, const vp_aabb *box)
{
    vp_ivec3 at, in;
    if (!place_of(top, from->bits.chunks, chunk, &at, &in))
        return;
    vp_known_box *known = &top->known[known_index_of(top, (uint32_t)in.x, (uint32_t)in.y, (uint32_t)in.z)];
    if (box == NULL) {
        known->state = VP_KNOWN_EMPTY;
        set_layer(top, in, false);
    } else {
        const float corner[3] = {(float)(at.x * VP_CHUNK_EDGE), (float)(at.y * VP_CHUNK_EDGE), (float)(at.z * VP_CHUNK_EDGE)};
        const float low[3] = {box->min.x, box->min.y, box->min.z}, high[3] = {box->max.x, box->max.y, box->max.z};
        known->state = VP_KNOWN_BOX;
        for (int k = 0; k < 3; k++) { /* differences of mesh coordinates are exact */
            known->low[k] = (uint8_t)floorf((low[k] - (corner[k] - 0.5f)) * 16.0f);
            known->high[k] = (uint8_t)ceilf((high[k] - (corner[k] - 0.5f)) * 16.0f);
        }
    }
    update_column(top, from, (uint32_t)in.x, (uint32_t)in.z);
}
