/* SPDX-License-Identifier: MIT */
#include "tests/support/edge_oracle.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/check.h"

/* In units of 1/512 voxel. */
typedef struct edge_point {
    int64_t x, y, z;
} edge_point;

typedef struct edge_entry {
    edge_point low, high; /* the ends in a fixed order */
    bool turned;          /* the triangle goes from high to low */
    uint64_t triangle;
    int edge;
} edge_entry;

static edge_point place_of(vp_vec3 v)
{
    return (edge_point){(int64_t)((double)v.x * 512.0), (int64_t)((double)v.y * 512.0), (int64_t)((double)v.z * 512.0)};
}

static int compare_places(edge_point a, edge_point b)
{
    if (a.x != b.x)
        return a.x < b.x ? -1 : 1;
    if (a.y != b.y)
        return a.y < b.y ? -1 : 1;
    return a.z != b.z ? (a.z < b.z ? -1 : 1) : 0;
}

static int compare_entries(const void *left, const void *right)
{
    const edge_entry *a = left, *b = right;
    int order = compare_places(a->low, b->low);
    return order != 0 ? order : compare_places(a->high, b->high);
}

static void corners_of(const vp_mesh *mesh, uint64_t triangle, edge_point out[3])
{
    uint32_t corner[3];
    vp_mesh_triangle(mesh, triangle, corner);
    for (int i = 0; i < 3; i++)
        out[i] = place_of(mesh->vertex[corner[i]]);
}

static edge_point minus(edge_point a, edge_point b)
{
    return (edge_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static edge_point cross(edge_point a, edge_point b)
{
    return (edge_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int64_t dot(edge_point a, edge_point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The cell that contains a place, on one axis. In cell 0 places are from 256 to 768. */
static int64_t cell_of(int64_t at)
{
    return (at + 512 * 16 - 256) / 512 - 16;
}

/* The inside voxel of a triangle's quad, from the voxels at both ends of the grid edge in the middle of the quad.
   @param owner the chunk of the lower voxel */
static vp_ivec3 inside_of(const vp_world *world, const vp_mesh *mesh, uint64_t triangle, vp_ivec3 *owner)
{
    int64_t least[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, most[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        edge_point p = place_of(mesh->vertex[mesh->quad[triangle / 2][i]]);
        const int64_t cell[3] = {cell_of(p.x), cell_of(p.y), cell_of(p.z)};
        for (int k = 0; k < 3; k++) {
            least[k] = cell[k] < least[k] ? cell[k] : least[k];
            most[k] = cell[k] > most[k] ? cell[k] : most[k];
        }
    }
    vp_ivec3 low = {(int32_t)most[0], (int32_t)most[1], (int32_t)most[2]}, high = low;
    *owner = (vp_ivec3){low.x / 8, low.y / 8, low.z / 8};
    high.x += least[0] == most[0];
    high.y += least[1] == most[1];
    high.z += least[2] == most[2];
    assert_int_equal((high.x - low.x) + (high.y - low.y) + (high.z - low.z), 1);
    /* An inside voxel has the surface's class. If both have it, exactly one is at least half full. */
    vp_voxel a = vp_world_voxel(world, low), b = vp_world_voxel(world, high);
    uint8_t material = mesh->material[triangle / 2];
    bool water = material == VP_WATER;
    bool a_inside = (water ? a.material == VP_WATER : a.material > VP_WATER) && a.occupancy >= 128;
    bool b_inside = (water ? b.material == VP_WATER : b.material > VP_WATER) && b.occupancy >= 128;
    assert_int_equal(a_inside + b_inside, 1);
    assert_int_equal((a_inside ? a : b).material, material);
    return a_inside ? low : high;
}

/* The limit of flat, with each operation of the definition in double precision, then rounded. This equals single precision. In units of
   1/256 voxel, because the unit only changes which numbers are rounded. */
static bool is_flat_rounded(edge_point n, edge_point m, int64_t det, int64_t ee)
{
    const double nx = (double)(n.x / 4), ny = (double)(n.y / 4), nz = (double)(n.z / 4);
    const double mx = (double)(m.x / 4), my = (double)(m.y / 4), mz = (double)(m.z / 4);
    float xy = (float)((double)(float)(nx * mx) + (double)(float)(ny * my));
    float cosine = (float)((double)xy + (double)(float)(nz * mz)), sine = (float)(det / 8);
    float left = (float)((double)(float)((double)sine * (double)sine) * (double)(ee / 4));
    float right = (float)((double)(float)((double)cosine * (double)cosine) * (double)0.0076542664f);
    return cosine > 0 && left <= right;
}

/* The kind of the edge at which triangle a meets b. */
static vp_edge fold(const vp_mesh *mesh, const edge_entry *a, const edge_entry *b, edge_counts *counts)
{
    edge_point ours[3], theirs[3];
    corners_of(mesh, a->triangle, ours);
    corners_of(mesh, b->triangle, theirs);
    edge_point p = ours[a->edge], far = theirs[(b->edge + 2) % 3];
    edge_point n = cross(minus(ours[1], ours[0]), minus(ours[2], ours[0]));
    edge_point m = cross(minus(theirs[1], theirs[0]), minus(theirs[2], theirs[0]));
    edge_point e = minus(ours[(a->edge + 1) % 3], p);
    int64_t above = dot(n, minus(far, p));
    edge_point turn = cross(n, m);
    const double degrees = atan2(sqrt((double)turn.x * (double)turn.x + (double)turn.y * (double)turn.y + (double)turn.z * (double)turn.z),
                                 (double)dot(n, m)) *
                           (180.0 / 3.14159265358979323846);
    counts->without_area += dot(n, n) == 0 || dot(m, m) == 0;
    if (dot(n, n) == 0 || dot(m, m) == 0)
        return VP_EDGE_CONVEX;
    bool flat = degrees <= 5.0;
    if (fabs(degrees - 5.0) < 5e-6) {
        counts->close++;
        flat = is_flat_rounded(n, m, above, dot(e, e));
    }
    return flat ? VP_EDGE_FLAT : above > 0 ? VP_EDGE_CONCAVE : VP_EDGE_CONVEX;
}

static bool same(vp_ivec3 a, vp_ivec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* Whether an edge lies at a low face of the world. */
static bool at_low_face(const edge_entry *e)
{
    return (cell_of(e->low.x) == -1 && cell_of(e->high.x) == -1) || (cell_of(e->low.y) == -1 && cell_of(e->high.y) == -1) ||
           (cell_of(e->low.z) == -1 && cell_of(e->high.z) == -1);
}

void oracle_edge_flags(const vp_world *world, const vp_mesh *mesh, uint8_t *flags, edge_counts *counts)
{
    size_t count = (size_t)mesh->quad_count * 6;
    edge_entry *all = malloc((count + 1) * sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++) {
        edge_point corner[3];
        edge_entry *e = &all[i];
        e->triangle = i / 3;
        e->edge = (int)(i % 3);
        corners_of(mesh, e->triangle, corner);
        e->low = corner[e->edge];
        e->high = corner[(e->edge + 1) % 3];
        e->turned = compare_places(e->low, e->high) > 0;
        if (e->turned) {
            edge_point p = e->low;
            e->low = e->high;
            e->high = p;
        }
    }
    if (count != 0)
        qsort(all, count, sizeof *all, compare_entries);
    memset(flags, 0, (size_t)mesh->quad_count * 2);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && compare_entries(&all[begin], &all[end]) == 0; end++) {
        }
        size_t size = end - begin;
        if (size != 1 && size != 2 && size != 4)
            fail_msg("%u triangles meet at an edge", (unsigned)size);
        for (size_t i = begin; i < end; i++) {
            const edge_entry *other = NULL;
            vp_ivec3 owner, others_owner = {0, 0, 0}, inside = inside_of(world, mesh, all[i].triangle, &owner);
            for (size_t k = begin; k < end; k++) {
                vp_ivec3 theirs;
                if (k == i || (!same(inside_of(world, mesh, all[k].triangle, &theirs), inside) && size == 4))
                    continue;
                assert_null(other); /* exactly one */
                other = &all[k];
                others_owner = theirs;
            }
            assert_int_equal(other == NULL, size == 1);
            assert_int_equal(other == NULL, at_low_face(&all[i]));
            if (other != NULL)
                assert_int_not_equal(other->turned, all[i].turned); /* both triangles have the same winding */
            vp_edge is = other != NULL ? fold(mesh, &all[i], other, counts) : VP_EDGE_OPEN;
            flags[all[i].triangle] |= (uint8_t)(is << 2 * all[i].edge);
            counts->of[is]++;
            counts->fours += size == 4;
            counts->across_chunks += other != NULL && !same(owner, others_owner);
        }
    }
    free(all);
}
