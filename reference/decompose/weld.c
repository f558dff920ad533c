/* SPDX-License-Identifier: MIT */
/* Welds points (convex decomposition article: when the graph is made, vertices that are the same up to rounding are
 * combined into one). Points are processed in their order. Each joins the first kept point within the distance, or is
 * kept itself.
 *
 * A grid finds kept points. Its cells are a little larger than the distance. So a point which is near enough is in the
 * same cell or in one of the 26 around it, on either side of a border. Kept points are further apart than the distance,
 * so a cell has few. */
#include <math.h>

#include <voxphys/kernel/decompose.h>

typedef struct weld_cell {
    int64_t index[3];
} weld_cell;

typedef struct table {
    uint32_t *head; /* for each bucket, the last point that was kept in one of its cells */
    size_t buckets;
    weld_cell *cell; /* of each kept point */
    uint32_t *next;  /* the point that was kept before it */
} table;

static size_t bucket_of(const table *t, weld_cell c)
{
    uint64_t h = 0;
    for (int k = 0; k < 3; k++) {
        h = (h ^ (uint64_t)c.index[k]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return (size_t)h & (t->buckets - 1);
}

static weld_cell cell_of(vp_vec3 p, vp_vec3 low, double edge)
{
    const double along[3] = {(double)p.x - (double)low.x, (double)p.y - (double)low.y, (double)p.z - (double)low.z};
    weld_cell c;
    for (int k = 0; k < 3; k++)
        c.index[k] = (int64_t)floor(along[k] / edge);
    return c;
}

static bool is_near(vp_vec3 p, vp_vec3 q, double distance)
{
    const double x = (double)p.x - (double)q.x, y = (double)p.y - (double)q.y, z = (double)p.z - (double)q.z;
    return x * x + y * y + z * z <= distance * distance;
}

/* The first kept point of a cell that is within the distance, if it comes before `first`. */
static uint32_t find_first_near(const vp_weld_job *job, const table *t, weld_cell c, uint32_t i, uint32_t first)
{
    for (uint32_t k = t->head[bucket_of(t, c)]; k != VP_DECOMPOSE_NONE; k = t->next[k]) {
        const weld_cell *its = &t->cell[k];
        if (its->index[0] == c.index[0] && its->index[1] == c.index[1] && its->index[2] == c.index[2] && k < first &&
            is_near(job->point[i], job->point[k], job->distance))
            first = k;
    }
    return first;
}

uint32_t vp_weld_scalar(const vp_weld_job *job)
{
    table t = {.buckets = vp_weld_cells(job->count), .cell = job->scratch};
    t.next = (uint32_t *)(void *)(t.cell + job->count);
    t.head = t.next + job->count;
    for (size_t b = 0; b < t.buckets; b++)
        t.head[b] = VP_DECOMPOSE_NONE;
    vp_vec3 low = job->count != 0 ? job->point[0] : (vp_vec3){0};
    for (uint32_t i = 1; i < job->count; i++)
        low = vp_vec3_min(low, job->point[i]);

    const double edge = job->distance * (1 + 0x1p-10);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        const weld_cell mine = cell_of(job->point[i], low, edge);
        uint32_t first = VP_DECOMPOSE_NONE;
        for (int n = 0; n < 27; n++)
            first = find_first_near(
                job, &t, (weld_cell){{mine.index[0] + n % 3 - 1, mine.index[1] + n / 3 % 3 - 1, mine.index[2] + n / 9 - 1}}, i, first);
        job->joins[i] = first != VP_DECOMPOSE_NONE ? first : i;
        if (first != VP_DECOMPOSE_NONE)
            continue;
        uint32_t *head = &t.head[bucket_of(&t, mine)];
        t.cell[i] = mine;
        t.next[i] = *head;
        *head = i;
        kept++;
    }
    return kept;
}
