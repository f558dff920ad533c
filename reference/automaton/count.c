/* SPDX-License-Identifier: MIT */
/* A count rule, with which "About the automaton behind Voxel Seeds" (article "Voxel Seeds") begins: "In a normal
 * cellular automation on each cell each rule has to be applied, because e.g. an empty cell could get anything in the
 * next step." The rule is data: the numbers of neighbours, of 26, with which a species survives or is born (Bays,
 * "Candidates for the Game of Life in Three Dimensions", 1987). */
#include <voxphys/kernel/automaton.h>

#include <string.h>

/* Counts the 26 cells around (x, y, z) by value. */
static void count_around(const vp_count_job *job, uint32_t x, uint32_t y, uint32_t z, uint8_t count[256])
{
    const vp_dims s = job->size;
    memset(count, 0, 256);
    for (uint32_t b = y > 0 ? y - 1 : 0; b <= y + 1 && b < s.y; b++)
        for (uint32_t c = z > 0 ? z - 1 : 0; c <= z + 1 && c < s.z; c++)
            for (uint32_t a = x > 0 ? x - 1 : 0; a <= x + 1 && a < s.x; a++)
                if (a != x || b != y || c != z)
                    count[job->cell[((size_t)b * s.z + c) * s.x + a]]++;
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

void vp_count_rule_scalar(const vp_count_job *job)
{
    const uint32_t end = job->layer_count > 0 ? job->first_layer + job->layer_count : job->size.y;
    uint8_t count[256];
    size_t i = (size_t)job->first_layer * job->size.z * job->size.x;
    for (uint32_t y = job->first_layer; y < end; y++)
        for (uint32_t z = 0; z < job->size.z; z++)
            for (uint32_t x = 0; x < job->size.x; x++, i++) {
                count_around(job, x, y, z, count);
                job->out[i] = choose_next(job, job->cell[i], count);
            }
}
