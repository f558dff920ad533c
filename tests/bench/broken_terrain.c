/* SPDX-License-Identifier: MIT */
/* Terrain that is wrong on purpose, for terrain_refusal.sh. With BROKEN_TERRAIN=n calls for rays are right n times (of many rays:
 * n calls), and then one bit of a hit is wrong; with BROKEN_IDLE beside it they then write nothing. With BROKEN_EDITS=n edits
 * happen n times, and then no more. With BROKEN_PREPARE=n a terrain is prepared n times, and then no more. BROKEN_STATS tells
 * one byte more than the budget. */
#include <stdlib.h>
#include <string.h>

#include <voxphys/terrain.h>

/* Whether a function still does what it should. */
static bool right(const char *variable, unsigned long *calls)
{
    const char *most = getenv(variable);
    return most == NULL || (*calls)++ < strtoul(most, NULL, 10);
}

/* ---- rays ---- */

vp_status __real_vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error);
vp_status __wrap_vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error);
vp_status __real_vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                         vp_error *error);
vp_status __wrap_vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                         vp_error *error);

static unsigned long rays;

static void spoil_hit(vp_terrain_hit *hit)
{
    uint32_t bits;
    memcpy(&bits, &hit->hit.t, sizeof bits);
    bits ^= 1;
    memcpy(&hit->hit.t, &bits, sizeof bits);
}

vp_status __wrap_vp_terrain_raycast(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, vp_terrain_hit *out, vp_error *error)
{
    const bool is_right = right("BROKEN_TERRAIN", &rays);
    if (!is_right && getenv("BROKEN_IDLE") != NULL)
        return VP_OK;
    const vp_status status = __real_vp_terrain_raycast(terrain, surface, ray, out, error);
    if (!is_right)
        spoil_hit(out);
    return status;
}

vp_status __wrap_vp_terrain_raycast_many(vp_terrain *terrain, vp_surface surface, const vp_ray *ray, size_t count, vp_terrain_hit *out,
                                         vp_error *error)
{
    const bool is_right = right("BROKEN_TERRAIN", &rays);
    if (!is_right && getenv("BROKEN_IDLE") != NULL)
        return VP_OK;
    const vp_status status = __real_vp_terrain_raycast_many(terrain, surface, ray, count, out, error);
    if (!is_right)
        spoil_hit(&out[count / 2]);
    return status;
}

/* ---- making ---- */

vp_status __real_vp_terrain_prepare(vp_terrain *terrain, vp_error *error);
vp_status __wrap_vp_terrain_prepare(vp_terrain *terrain, vp_error *error);
vp_terrain_stats __real_vp_terrain_stats_of(vp_terrain *terrain);
vp_terrain_stats __wrap_vp_terrain_stats_of(vp_terrain *terrain);

vp_status __wrap_vp_terrain_prepare(vp_terrain *terrain, vp_error *error)
{
    static unsigned long calls;
    return right("BROKEN_PREPARE", &calls) ? __real_vp_terrain_prepare(terrain, error) : VP_OK;
}

vp_terrain_stats __wrap_vp_terrain_stats_of(vp_terrain *terrain)
{
    vp_terrain_stats stats = __real_vp_terrain_stats_of(terrain);
    if (getenv("BROKEN_STATS") != NULL && stats.budget != VP_TERRAIN_NO_LIMIT)
        stats.most_bytes = stats.budget + 1;
    return stats;
}

/* ---- edits ---- */

static unsigned long edits;

#define EDIT(name, parameters, arguments)                                                                                                  \
    vp_status __real_vp_terrain_##name parameters;                                                                                         \
    vp_status __wrap_vp_terrain_##name parameters;                                                                                         \
    vp_status __wrap_vp_terrain_##name parameters                                                                                          \
    {                                                                                                                                      \
        return right("BROKEN_EDITS", &edits) ? __real_vp_terrain_##name arguments : VP_OK;                                                 \
    }

EDIT(set_voxel, (vp_terrain * terrain, vp_ivec3 at, vp_voxel voxel, vp_chunk_set *stale, vp_error *error),
     (terrain, at, voxel, stale, error))
EDIT(fill_sphere, (vp_terrain * terrain, vp_vec3 centre, float radius, vp_voxel voxel, vp_chunk_set *stale, vp_error *error),
     (terrain, centre, radius, voxel, stale, error))
EDIT(write_rows,
     (vp_terrain * terrain, vp_ivec3 low, vp_dims size, const uint8_t *material, const uint8_t *occupancy, vp_chunk_set *stale,
      vp_error *error),
     (terrain, low, size, material, occupancy, stale, error))
