/* SPDX-License-Identifier: MIT */
/* Loose regions: definitions, labelling of a whole world, and removal from worlds and terrains. */
#include <voxphys/regions.h>

#include <string.h>

#include "src/core/error.h"
#include "src/core/memory.h"
#include "src/narrowphase/regions_internal.h"
#include "src/terrain/terrain_internal.h"

static uint32_t limit_or_default(uint32_t limit, uint32_t fallback)
{
    return limit != 0 ? limit : fallback;
}

static vp_status read_def(const vp_regions_def *def, vp_regions_plan *out, vp_error *error)
{
    if (def->anchors > VP_ANCHORS_ALL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_regions_def.anchors is %#x; must have only the bits %#x", def->anchors,
                       (unsigned)VP_ANCHORS_ALL);
    if ((def->anchors & VP_ANCHOR_MASK) != 0 && def->mask == NULL)
        return vp_fail(error, VP_E_ARGUMENT, "vp_regions_def.mask is NULL, anchors has VP_ANCHOR_MASK");
    if ((uint32_t)def->small > VP_REGIONS_STAY)
        return vp_fail(error, VP_E_ARGUMENT, "vp_regions_def.small is %u; must be VP_REGIONS_VANISH or VP_REGIONS_STAY",
                       (unsigned)def->small);
    *out = (vp_regions_plan){
        .anchors = def->anchors != 0 ? def->anchors : VP_ANCHOR_BOTTOM,
        .mask = def->mask,
        .least = def->min_voxels,
        .small_stay = def->small == VP_REGIONS_STAY,
        .loose_before = def->loose_before,
        .max_regions = limit_or_default(def->max_regions, VP_REGIONS_DEFAULT_REGIONS),
        .max_voxels = limit_or_default(def->max_voxels, VP_REGIONS_DEFAULT_VOXELS),
        .max_visited = limit_or_default(def->max_visited, VP_REGIONS_DEFAULT_VISITED),
        .attached_from = limit_or_default(def->attached_from, UINT32_MAX),
        .allocator = vp_allocator_or_default(def->allocator),
    };
    return VP_OK;
}

/* ---- finding ---- */

vp_status vp_regions_find(const vp_regions_def *def, const vp_world *world, const vp_ivec3 *at, const vp_voxel *before, size_t count,
                          vp_regions *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, world, out);
    VP_RETURN_IF_ARRAY_NULL(error, at, count);
    vp_regions_plan plan;
    VP_RETURN_IF_FAILED(read_def(def, &plan, error));
    for (size_t i = 0; i < count; i++)
        if (!vp_voxel_inside(world->size, at[i]))
            return vp_fail(error, VP_E_ARGUMENT, "voxel %zu at (%d, %d, %d) is outside a world of %u x %u x %u voxels", i, at[i].x, at[i].y,
                           at[i].z, world->size.x, world->size.y, world->size.z);
    return vp_regions_search(&plan, world, at, before, count, out, error);
}

/* Working memory of a labelling. */
typedef struct labelling {
    uint32_t cells;
    uint64_t *bits;
    uint32_t *scratch, *label;
    uint32_t labels;
    bool *hangs;     /* of each label, whether it is attached */
    uint32_t *count; /* number of voxels of each label */
} labelling;

static size_t words_of(const labelling *l)
{
    return ((size_t)l->cells + 63) / 64;
}

/* Sets the bits of solid voxels. @return their number */
static uint32_t set_bits(const vp_world *world, uint64_t *bits)
{
    const vp_dims n = world->size;
    uint32_t i = 0, count = 0;
    for (uint32_t y = 0; y < n.y; y++)
        for (uint32_t z = 0; z < n.z; z++)
            for (uint32_t x = 0; x < n.x; x++, i++)
                if (vp_voxel_is_solid(world, (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z})) {
                    bits[i / 64] |= UINT64_C(1) << i % 64;
                    count++;
                }
    return count;
}

/* Makes regions of the labels that are not attached. */
static vp_status write_regions(const vp_regions_plan *plan, const vp_world *world, const labelling *l, vp_regions *out, vp_error *error)
{
    uint32_t count = 0, n = 0;
    for (uint32_t i = 0; i < l->cells; i++)
        if (l->label[i] != VP_NO_COMPONENT &&
            (++l->count[l->label[i]] >= plan->attached_from || vp_voxel_anchors(plan, world->size, vp_voxel_place(world->size, i))))
            l->hangs[l->label[i]] = true;
    for (uint32_t i = 0; i < l->cells; i++)
        count += l->label[i] != VP_NO_COMPONENT && !l->hangs[l->label[i]];
    if (count > plan->max_voxels)
        return vp_regions_too_many_voxels(plan, error);
    vp_loose_voxel *loose = vp_allocate(&plan->allocator, count, sizeof *loose);
    if (count != 0 && loose == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory for %u loose voxels", count);
    for (uint32_t i = 0; i < l->cells; i++)
        if (l->label[i] != VP_NO_COMPONENT && !l->hangs[l->label[i]])
            loose[n++] = (vp_loose_voxel){i, l->label[i]};
    const vp_status status = vp_regions_gather(plan, world, loose, n, l->labels, out, error);
    vp_release(&plan->allocator, loose, count, sizeof *loose);
    return status;
}

vp_status vp_regions_label(const vp_regions_def *def, const vp_world *world, vp_regions *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, world, out);
    vp_regions_plan plan;
    vp_kernels kernels;
    vp_status status = read_def(def, &plan, error);
    if (status == VP_OK && def->kernels != NULL)
        kernels = *def->kernels;
    else if (status == VP_OK)
        status = vp_kernels_default(&kernels, error);
    if (status != VP_OK)
        return status;
    const vp_dims size = world->size;
    const vp_allocator *a = &plan.allocator;
    labelling l = {.cells = size.x * size.y * size.z};
    uint32_t solid = 0;
    l.bits = vp_allocate_zero(a, words_of(&l), sizeof *l.bits);
    l.scratch = vp_allocate(a, l.cells, sizeof *l.scratch);
    l.label = vp_allocate(a, l.cells, sizeof *l.label);
    if (l.bits != NULL && l.scratch != NULL && l.label != NULL) {
        solid = set_bits(world, l.bits);
        l.labels = kernels.components(&(vp_components_job){.size = size, .bits = l.bits, .scratch = l.scratch, .label = l.label});
        l.hangs = vp_allocate_zero(a, (size_t)l.labels + 1, sizeof *l.hangs);
        l.count = vp_allocate_zero(a, (size_t)l.labels + 1, sizeof *l.count);
    }
    status = l.hangs != NULL && l.count != NULL
                 ? write_regions(&plan, world, &l, out, error)
                 : vp_fail(error, VP_E_MEMORY, "no memory to label a world of %u x %u x %u voxels", size.x, size.y, size.z);
    if (status == VP_OK)
        out->visited = solid;
    vp_release(a, l.count, (size_t)l.labels + 1, sizeof *l.count);
    vp_release(a, l.hangs, (size_t)l.labels + 1, sizeof *l.hangs);
    vp_release(a, l.label, l.cells, sizeof *l.label);
    vp_release(a, l.scratch, l.cells, sizeof *l.scratch);
    vp_release(a, l.bits, words_of(&l), sizeof *l.bits);
    return status;
}

/* ---- removal ---- */

static const vp_voxel air = {VP_AIR, 0};

vp_status vp_regions_remove(const vp_regions *regions, vp_world *world, vp_chunk_set *stale, vp_error *error)
{
    VP_RETURN_IF_NULL(error, regions, world);
    const size_t count = (size_t)regions->voxel_count + regions->vanished;
    VP_RETURN_IF_FAILED(vp_check_chunk_set(world, stale, error));
    VP_RETURN_IF_FAILED(vp_check_voxels(world, regions->at, count, error));
    for (size_t i = 0; i < count; i++)
        VP_RETURN_IF_FAILED(vp_world_set_voxel(world, regions->at[i], air, stale, error));
    return vp_succeed(error);
}

/* Writes the edit's voxels, and air where the regions were. */
static vp_status write_both(vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count, vp_chunk_set *stale,
                            const vp_regions *r, vp_error *error)
{
    const size_t removed = (size_t)r->voxel_count + r->vanished, all = count + removed;
    if (removed == 0)
        return vp_terrain_write_voxels(terrain, at, voxel, count, stale, error);
    vp_ivec3 *places = vp_allocate(&r->allocator, all, sizeof *places);
    vp_voxel *voxels = vp_allocate(&r->allocator, all, sizeof *voxels);
    vp_status status = VP_OK;
    if (places == NULL || voxels == NULL)
        status = vp_fail(error, VP_E_MEMORY, "no memory to take %zu voxels out of a terrain", removed);
    if (status == VP_OK) {
        if (count != 0) {
            memcpy(places, at, count * sizeof *places);
            memcpy(voxels, voxel, count * sizeof *voxels);
        }
        memcpy(places + count, r->at, removed * sizeof *places);
        for (size_t i = count; i < all; i++)
            voxels[i] = air;
        status = vp_terrain_write_voxels(terrain, places, voxels, all, stale, error);
    }
    vp_release(&r->allocator, places, all, sizeof *places);
    vp_release(&r->allocator, voxels, all, sizeof *voxels);
    return status;
}

/* While nobody reads, only the world is edited, searched and restored. Then the terrain is edited, including the
 * removal of regions. */
vp_status vp_regions_edit(const vp_regions_def *def, vp_terrain *terrain, const vp_ivec3 *at, const vp_voxel *voxel, size_t count,
                          vp_chunk_set *stale, vp_regions *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, terrain, out);
    VP_RETURN_IF_ARRAY_NULL(error, at, count);
    VP_RETURN_IF_ARRAY_NULL(error, voxel, count);
    vp_regions_plan plan;
    vp_regions r = {0};
    vp_world *world = terrain->world;
    VP_RETURN_IF_FAILED(read_def(def, &plan, error));
    VP_RETURN_IF_FAILED(vp_check_chunk_set(world, stale, error));
    VP_RETURN_IF_FAILED(vp_check_voxels(world, at, count, error));
    vp_voxel *before = vp_allocate(&plan.allocator, count, sizeof *before);
    if (count != 0 && before == NULL)
        return vp_fail(error, VP_E_MEMORY, "no memory to keep the %zu voxels that are written over", count);
    vp_status status = vp_terrain_enter_write(terrain, error);
    if (status == VP_OK) {
        for (size_t i = 0; i < count; i++)
            before[i] = vp_world_voxel(world, at[i]);
        vp_world_set_voxels(world, at, voxel, count, NULL, NULL);
        status = vp_regions_search(&plan, world, at, before, count, &r, error);
        vp_world_set_voxels(world, at, before, count, NULL, NULL);
        if (status == VP_OK)
            status = write_both(terrain, at, voxel, count, stale, &r, error);
        vp_gate_leave_write(&terrain->gate);
    }
    vp_release(&plan.allocator, before, count, sizeof *before);
    if (status == VP_OK)
        *out = r;
    else
        vp_regions_destroy(&r);
    return status;
}

/* ---- spheres and boxes ---- */

/* Lists the voxels of [low, high), only those inside the sphere if there is one. @param out  NULL: only counts them */
static size_t list_voxels(vp_dims low, vp_dims high, const vp_sphere_voxels *sphere, vp_ivec3 *out)
{
    size_t count = 0;
    for (uint32_t y = low.y; y < high.y; y++)
        for (uint32_t z = low.z; z < high.z; z++)
            for (uint32_t x = low.x; x < high.x; x++) {
                if (sphere != NULL && !vp_sphere_has_voxel(sphere, x, y, z))
                    continue;
                if (out != NULL)
                    out[count] = (vp_ivec3){(int32_t)x, (int32_t)y, (int32_t)z};
                count++;
            }
    return count;
}

static vp_status edit_voxels(const vp_regions_def *def, vp_terrain *terrain, vp_dims low, vp_dims high, const vp_sphere_voxels *sphere,
                             vp_voxel voxel, vp_chunk_set *stale, vp_regions *out, vp_error *error)
{
    const vp_allocator a = vp_allocator_or_default(def->allocator);
    const size_t count = list_voxels(low, high, sphere, NULL);
    vp_ivec3 *at = vp_allocate(&a, count, sizeof *at);
    vp_voxel *voxels = vp_allocate(&a, count, sizeof *voxels);
    vp_status status = VP_OK;
    if (count != 0 && (at == NULL || voxels == NULL))
        status = vp_fail(error, VP_E_MEMORY, "no memory to list the %zu voxels that are written", count);
    if (status == VP_OK) {
        list_voxels(low, high, sphere, at);
        for (size_t i = 0; i < count; i++)
            voxels[i] = voxel;
        status = vp_regions_edit(def, terrain, at, voxels, count, stale, out, error);
    }
    vp_release(&a, at, count, sizeof *at);
    vp_release(&a, voxels, count, sizeof *voxels);
    return status;
}

vp_status vp_regions_fill_sphere(const vp_regions_def *def, vp_terrain *terrain, vp_vec3 centre, float radius, vp_voxel voxel,
                                 vp_chunk_set *stale, vp_regions *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, terrain, out);
    VP_RETURN_IF_FAILED(vp_check_sphere(centre, radius, error));
    const vp_sphere_voxels sphere = vp_sphere_voxels_of(terrain->world->size, centre, radius);
    return edit_voxels(def, terrain, sphere.low, sphere.high, &sphere, voxel, stale, out, error);
}

static uint32_t clip_coordinate(int32_t at, uint32_t size)
{
    return at <= 0 ? 0 : (uint32_t)at < size ? (uint32_t)at : size;
}

static vp_dims clip_all(vp_ivec3 at, vp_dims size)
{
    return (vp_dims){clip_coordinate(at.x, size.x), clip_coordinate(at.y, size.y), clip_coordinate(at.z, size.z)};
}

vp_status vp_regions_fill_box(const vp_regions_def *def, vp_terrain *terrain, vp_ivec3 low, vp_ivec3 high, vp_voxel voxel,
                              vp_chunk_set *stale, vp_regions *out, vp_error *error)
{
    VP_RETURN_IF_NULL(error, def, terrain, out);
    const vp_dims size = terrain->world->size;
    VP_RETURN_IF_FAILED(vp_check_fill_box(low, high, error));
    return edit_voxels(def, terrain, clip_all(low, size), clip_all(high, size), NULL, voxel, stale, out, error);
}
