/* SPDX-License-Identifier: MIT */
/* Builds regions from loose voxels: decides which are small, and computes each region's voxels, mass, centre and inertia. */
#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/narrowphase/regions_internal.h"

#define SMALL UINT32_MAX

/* A part of the loose voxels. */
typedef struct region_part {
    uint32_t count;  /* number of voxels */
    uint32_t region; /* number of its region, or SMALL */
    bool met;        /* a voxel of it was visited */
} region_part;

vp_status vp_regions_too_many_voxels(const vp_regions_plan *plan, vp_error *error)
{
    return vp_fail(error, VP_E_LIMIT, "more voxels are loose than max_voxels, %u", plan->max_voxels);
}

/* ---- mass ---- */

/* Integer sums of weights w = occupancy + 1, relative to a voxel near the centre. */
typedef struct weight_sums {
    int64_t weight, moments[3], squares[3], products[3]; /* products: xy, yz, zx */
} weight_sums;

static weight_sums sum_about(const vp_region *r, const int32_t origin[3])
{
    weight_sums s = {0};
    for (uint32_t i = 0; i < r->count; i++) {
        const int64_t w = r->voxel[i].occupancy + 1;
        const int64_t d[3] = {r->at[i].x - origin[0], r->at[i].y - origin[1], r->at[i].z - origin[2]};
        s.weight += w;
        for (int a = 0; a < 3; a++) {
            s.moments[a] += w * d[a];
            s.squares[a] += w * d[a] * d[a];
            s.products[a] += w * d[a] * d[(a + 1) % 3];
        }
    }
    return s;
}

/* The sums are integers below 2^61, so only the last few operations round. None of them cancels: about the voxel at the
 * centre, the remaining shift to the centre itself is less than a quarter of the mass. */
static void weigh_region(vp_region *r)
{
    int32_t middle[3] = {r->low.x, r->low.y, r->low.z};
    const weight_sums first = sum_about(r, middle);
    for (int a = 0; a < 3; a++)
        middle[a] += (int32_t)((2 * first.moments[a] + first.weight) / (2 * first.weight));
    const weight_sums s = sum_about(r, middle);
    const double w = (double)s.weight, mass = w / 256;
    double of[3], spread[3];
    for (int a = 0; a < 3; a++) {
        of[a] = (double)s.moments[a];
        spread[a] = ((double)s.squares[a] - of[a] * of[a] / w) / 256;
        r->mass.centre[a] = (double)middle[a] + 0.5 + of[a] / w;
    }
    r->mass.mass = mass;
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        r->mass.inertia[a] = (spread[b] + spread[c]) + mass / 6;
        r->mass.inertia[3 + a] = (of[a] * of[b] / w - (double)s.products[a]) / 256;
    }
}

static void bound_region(vp_region *r)
{
    r->low = r->high = r->at[0];
    for (uint32_t i = 0; i < r->count; i++) {
        const vp_ivec3 v = r->at[i];
        r->low = (vp_ivec3){v.x < r->low.x ? v.x : r->low.x, v.y < r->low.y ? v.y : r->low.y, v.z < r->low.z ? v.z : r->low.z};
        r->high = (vp_ivec3){v.x > r->high.x ? v.x : r->high.x, v.y > r->high.y ? v.y : r->high.y, v.z > r->high.z ? v.z : r->high.z};
    }
    r->high = (vp_ivec3){r->high.x + 1, r->high.y + 1, r->high.z + 1};
}

/* ---- regions ---- */

/* Numbers parts in the order of their lowest voxels. */
static void number_parts(const vp_regions_plan *plan, const vp_loose_voxel *loose, uint32_t count, region_part *parts, vp_regions *r)
{
    for (uint32_t i = 0; i < count; i++)
        parts[loose[i].part].count++;
    for (uint32_t i = 0; i < count; i++) {
        region_part *p = &parts[loose[i].part];
        if (p->met)
            continue;
        const bool small = p->count < plan->least;
        p->met = true;
        p->region = small ? SMALL : r->region_count++;
        r->small_count += small;
        r->voxel_count += small ? 0 : p->count;
        r->vanished += small && !plan->small_stay ? p->count : 0;
    }
}

static void fill_region(const vp_world *world, const vp_loose_voxel *loose, uint32_t count, const region_part *parts, vp_regions *r)
{
    uint32_t next = 0, vanished = r->voxel_count;
    for (uint32_t i = 0; i < count; i++) {
        const region_part *p = &parts[loose[i].part];
        if (p->region == SMALL && r->vanished == 0)
            continue;
        uint32_t to = vanished;
        if (p->region == SMALL) {
            vanished++;
        } else {
            vp_region *region = &r->region[p->region];
            if (region->at == NULL) {
                region->at = r->at + next;
                region->voxel = r->voxel + next;
                next += p->count;
            }
            to = (uint32_t)(region->at - r->at) + region->count++;
        }
        r->at[to] = vp_voxel_place(world->size, loose[i].voxel);
        r->voxel[to] = vp_world_voxel(world, r->at[to]);
    }
}

void vp_regions_destroy(vp_regions *regions)
{
    if (regions == NULL)
        return;
    const vp_allocator *a = &regions->allocator;
    vp_release(a, regions->region, regions->region_capacity, sizeof *regions->region);
    vp_release(a, regions->at, regions->voxel_capacity, sizeof *regions->at);
    vp_release(a, regions->voxel, regions->voxel_capacity, sizeof *regions->voxel);
    *regions = (vp_regions){0};
}

vp_status vp_regions_gather(const vp_regions_plan *plan, const vp_world *world, const vp_loose_voxel *loose, uint32_t count, uint32_t parts,
                            vp_regions *out, vp_error *error)
{
    const vp_allocator *a = &plan->allocator;
    vp_regions r = {.allocator = *a};
    region_part *of = vp_allocate_zero(a, parts, sizeof *of);
    vp_status status = parts != 0 && of == NULL ? VP_E_MEMORY : VP_OK;
    if (status == VP_OK)
        number_parts(plan, loose, count, of, &r);
    if (status == VP_OK && r.region_count > plan->max_regions) {
        vp_release(a, of, parts, sizeof *of);
        return vp_fail(error, VP_E_LIMIT, "%u regions are loose, and max_regions is %u", r.region_count, plan->max_regions);
    }
    if (status == VP_OK) {
        r.region_capacity = r.region_count;
        r.voxel_capacity = (size_t)r.voxel_count + r.vanished;
        r.region = vp_allocate_zero(a, r.region_capacity, sizeof *r.region);
        r.at = vp_allocate(a, r.voxel_capacity, sizeof *r.at);
        r.voxel = vp_allocate(a, r.voxel_capacity, sizeof *r.voxel);
        if ((r.region_capacity != 0 && r.region == NULL) || (r.voxel_capacity != 0 && (r.at == NULL || r.voxel == NULL)))
            status = VP_E_MEMORY;
    }
    if (status == VP_OK) {
        fill_region(world, loose, count, of, &r);
        for (uint32_t i = 0; i < r.region_count; i++) {
            bound_region(&r.region[i]);
            weigh_region(&r.region[i]);
        }
        *out = r;
    }
    vp_release(a, of, parts, sizeof *of);
    if (status == VP_OK)
        return vp_succeed(error);
    vp_regions_destroy(&r);
    return vp_fail(error, VP_E_MEMORY, "no memory for %u loose voxels", count);
}
