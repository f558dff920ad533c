/* SPDX-License-Identifier: MIT */
/* Copies cells between automata and worlds. */
#include <string.h>

#include "src/automaton/automaton_internal.h"
#include "src/core/error.h"

/* Checks that all cells have a voxel with coordinates of 32 bits. */
static vp_status check_low(const vp_automaton *a, vp_ivec3 low, vp_error *error)
{
    const int64_t end[3] = {(int64_t)low.x + a->size.x, (int64_t)low.y + a->size.y, (int64_t)low.z + a->size.z};
    if (end[0] <= INT32_MAX && end[1] <= INT32_MAX && end[2] <= INT32_MAX)
        return VP_OK;
    return vp_fail(error, VP_E_ARGUMENT, "%u x %u x %u cells from (%d, %d, %d) on end beyond 2147483647", a->size.x, a->size.y, a->size.z,
                   (int)low.x, (int)low.y, (int)low.z);
}

vp_status vp_automaton_read_world(vp_automaton *a, const vp_world *world, vp_ivec3 low, const vp_automaton_ground *ground, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, world, ground", a, world, ground);
    VP_RETURN_IF_FAILED(vp_check_rest(a, "a world is put", error));
    for (int m = 0; m < 256; m++) {
        const vp_automaton_cell cell = {.type = ground->type[m]};
        if (vp_cell_fault(a, &cell) != NULL)
            return vp_fail(error, VP_E_ARGUMENT, "material %d has type %u, which no species has", m, cell.type);
    }
    VP_RETURN_IF_FAILED(check_low(a, low, error));
    a->living.count = a->changes = 0;
    a->dead_sum = 0;
    for (uint32_t y = 0; y < a->size.y; y++)
        for (uint32_t z = 0; z < a->size.z; z++)
            for (uint32_t x = 0; x < a->size.x; x++) {
                const vp_ivec3 at = {low.x + (int32_t)x, low.y + (int32_t)y, low.z + (int32_t)z};
                const uint32_t place = vp_place(a, x, y, z);
                const uint8_t type = a->grid[place] = ground->type[vp_world_voxel(world, at).material];
                if (type != VP_CELL_EMPTY)
                    a->dead_sum += vp_cell_digest(a, place, type, (vp_automaton_cell_memory){0});
            }
    return vp_succeed(error);
}

/* ---- into a world ---- */

vp_automaton_material_map vp_automaton_material_map_builtin(uint8_t first)
{
    vp_automaton_material_map laying = {.low = {0, 0, 0}};
    for (int type = 0; type < 128; type++)
        laying.material[type] = VP_AUTOMATON_MAP_NOTHING;
    laying.material[VP_CELL_EMPTY] = VP_AIR;
    for (int type = VP_AUTOMATON_BEETLE; type < VP_AUTOMATON_BUILTIN_TYPES && first + type - VP_AUTOMATON_BEETLE < 256; type++)
        laying.material[type] = (uint16_t)(first + type - VP_AUTOMATON_BEETLE);
    return laying;
}

static vp_status check_laying(const vp_automaton *a, const vp_automaton_material_map *laying, vp_error *error)
{
    for (int type = 0; type < 128; type++)
        if (laying->material[type] > VP_AUTOMATON_MAP_NOTHING)
            return vp_fail(error, VP_E_ARGUMENT, "type %d has material %u; must be at most %u", type, laying->material[type],
                           VP_AUTOMATON_MAP_NOTHING);
    return check_low(a, laying->low, error);
}

static vp_voxel voxel_of(uint16_t material)
{
    return (vp_voxel){(uint8_t)material, material == VP_AIR ? 0 : 255};
}

vp_status vp_automaton_list_edits(const vp_automaton *a, const vp_automaton_material_map *laying, vp_ivec3 *at, vp_voxel *voxel,
                                  size_t *count, vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, map, count", a, laying, count);
    if (a->changes != 0)
        VP_RETURN_IF_NULL(error, at, voxel);
    VP_RETURN_IF_FAILED(check_laying(a, laying, error));
    size_t n = 0;
    for (uint32_t i = 0; i < a->changes; i++) {
        const vp_automaton_change *c = &a->change[i];
        const uint16_t before = laying->material[c->before & 127], after = laying->material[c->after & 127];
        if (after == before || after == VP_AUTOMATON_MAP_NOTHING)
            continue;
        at[n] = (vp_ivec3){laying->low.x + c->at.x, laying->low.y + c->at.y, laying->low.z + c->at.z};
        voxel[n++] = voxel_of(after);
    }
    *count = n;
    return vp_succeed(error);
}

/* Rejects the first written cell that is outside the world. */
static vp_status check_inside(const vp_automaton *a, const vp_automaton_material_map *laying, vp_dims world, vp_error *error)
{
    for (uint32_t y = 0; y < a->size.y; y++)
        for (uint32_t z = 0; z < a->size.z; z++)
            for (uint32_t x = 0; x < a->size.x; x++) {
                const int32_t at[3] = {laying->low.x + (int32_t)x, laying->low.y + (int32_t)y, laying->low.z + (int32_t)z};
                const uint8_t type = a->grid[vp_place(a, x, y, z)] & 127;
                const bool inside = at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && (uint32_t)at[0] < world.x && (uint32_t)at[1] < world.y &&
                                    (uint32_t)at[2] < world.z;
                if (!inside && laying->material[type] != VP_AUTOMATON_MAP_NOTHING)
                    return vp_fail(error, VP_E_ARGUMENT,
                                   "cell (%u, %u, %u), of type %u, would be voxel (%d, %d, %d), outside of %u x %u x %u", x, y, z, type,
                                   (int)at[0], (int)at[1], (int)at[2], world.x, world.y, world.z);
            }
    return VP_OK;
}

vp_status vp_automaton_write_world(const vp_automaton *a, const vp_automaton_material_map *laying, vp_world *world, vp_chunk_set *stale,
                                   vp_error *error)
{
    VP_RETURN_IF_NULL_NAMED(error, "automaton, map, world", a, laying, world);
    vp_status status = check_laying(a, laying, error);
    if (status == VP_OK)
        status = check_inside(a, laying, vp_world_size(world), error);
    if (status == VP_OK) /* for no voxels, to check the set of chunks */
        status = vp_world_set_voxels(world, NULL, NULL, 0, stale, error);
    for (uint32_t y = 0; y < a->size.y && status == VP_OK; y++)
        for (uint32_t z = 0; z < a->size.z && status == VP_OK; z++)
            for (uint32_t x = 0; x < a->size.x && status == VP_OK; x++) {
                const uint16_t material = laying->material[a->grid[vp_place(a, x, y, z)] & 127];
                const vp_ivec3 at = {laying->low.x + (int32_t)x, laying->low.y + (int32_t)y, laying->low.z + (int32_t)z};
                if (material != VP_AUTOMATON_MAP_NOTHING)
                    status = vp_world_set_voxel(world, at, voxel_of(material), stale, error);
            }
    return status == VP_OK ? vp_succeed(error) : status;
}
