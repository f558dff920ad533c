/* SPDX-License-Identifier: MIT */
/* A count rule, with which "About the automaton behind Voxel Seeds" (article "Voxel Seeds") begins: "In a normal
 * cellular automation on each cell each rule has to be applied, because e.g. an empty cell could get anything in the
 * next step." The rule is data: the numbers of neighbours, of 26, with which a species survives or is born (Bays,
 * "Candidates for the Game of Life in Three Dimensions", 1987). */
#include <voxphys/kernel/automaton.h>

#include <stdbool.h>
#include <string.h>

#include "src/automaton/count_planes.h"
#include "src/core/inline.h"

/* Kept planes instead of bytes: a cell in no plane is a wall. */
static uint8_t cell_of_planes(const vp_count_job *job, uint32_t x, uint32_t y, uint32_t z)
{
    const vp_dims s = job->size;
    for (uint32_t plane = 0; plane <= job->species; plane++) {
        const uint64_t *row = job->planes->cell + (((size_t)plane * s.y + y) * s.z + z) * job->planes->pitch;
        if ((row[x / 64] >> x % 64 & 1u) != 0)
            return (uint8_t)plane;
    }
    return UINT8_MAX;
}

VP_INLINE uint8_t cell_at(const vp_count_job *job, bool in_planes, uint32_t x, uint32_t y, uint32_t z)
{
    return in_planes ? cell_of_planes(job, x, y, z) : job->cell[((size_t)y * job->size.z + z) * job->size.x + x];
}

static void write_bit(uint64_t *word, uint32_t bit, bool set)
{
    *word = (*word & ~(UINT64_C(1) << bit)) | (uint64_t)set << bit;
}

static void write_planes(const vp_count_job *job, uint32_t x, uint32_t y, uint32_t z, uint8_t now, uint8_t next)
{
    const vp_count_planes *p = job->planes;
    const size_t at = ((size_t)y * job->size.z + z) * p->pitch + x / 64, plane = (size_t)job->size.y * job->size.z * p->pitch;
    for (uint32_t s = 0; s <= job->species; s++)
        write_bit(p->out + s * plane + at, x % 64, next == s);
    write_bit(p->changed + at, x % 64, next != now);
}

/* Counts the 26 cells around (x, y, z) by value. */
VP_INLINE void count_around(const vp_count_job *job, bool in_planes, uint32_t x, uint32_t y, uint32_t z, uint8_t count[256])
{
    const vp_dims s = job->size;
    memset(count, 0, 256);
    for (uint32_t b = y > 0 ? y - 1 : 0; b <= y + 1 && b < s.y; b++)
        for (uint32_t c = z > 0 ? z - 1 : 0; c <= z + 1 && c < s.z; c++)
            for (uint32_t a = x > 0 ? x - 1 : 0; a <= x + 1 && a < s.x; a++)
                if (a != x || b != y || c != z)
                    count[cell_at(job, in_planes, a, b, c)]++;
}

static uint8_t choose_next(const vp_count_job *job, uint8_t now, const uint8_t count[256])
{
    if (now > job->species) /* a wall */
        return now;
    if (now != 0)
        return (job->rules[now - 1].survive >> count[now] & 1u) != 0 ? now : 0;
    for (uint32_t s = 1; s <= job->species; s++)
        if ((job->rules[s - 1].born >> count[s] & 1u) != 0)
            return (uint8_t)s;
    return 0;
}

VP_INLINE void compute_step(const vp_count_job *job, bool in_planes)
{
    const uint32_t end = job->layer_count > 0 ? job->first_layer + job->layer_count : job->size.y;
    uint8_t count[256];
    size_t i = (size_t)job->first_layer * job->size.z * job->size.x;
    for (uint32_t y = job->first_layer; y < end; y++)
        for (uint32_t z = 0; z < job->size.z; z++)
            for (uint32_t x = 0; x < job->size.x; x++, i++) {
                count_around(job, in_planes, x, y, z, count);
                const uint8_t now = cell_at(job, in_planes, x, y, z), next = choose_next(job, now, count);
                if (in_planes)
                    write_planes(job, x, y, z, now, next);
                else
                    job->out[i] = next;
            }
}

void vp_count_rule_scalar(const vp_count_job *job)
{
    if (job->planes != NULL)
        compute_step(job, true);
    else
        compute_step(job, false);
}
