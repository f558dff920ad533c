/* SPDX-License-Identifier: MIT */
/* The voxphys command with answers that are wrong on purpose. Variables in the environment:
 * BROKEN_HULL=open and BROKEN_HULL2=turned, for hull.cases: hulls, or polygons in the plane, of sets that have points with x, y and z above
 * 100. */
#include <stdlib.h>
#include <string.h>

#include <voxphys/hull.h>

vp_status __real_vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error);
vp_status __wrap_vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error);
vp_status __real_vp_kernels_named(const char *name, vp_kernels *table, vp_error *error);
vp_status __wrap_vp_kernels_named(const char *name, vp_kernels *table, vp_error *error);

static bool is_asked(const char *variable, const char *how)
{
    const char *value = getenv(variable);
    return value != NULL && strcmp(value, how) == 0;
}

static bool is_wrong_on(const vp_vec3 *point, uint32_t count)
{
    bool has[3] = {false};
    for (uint32_t i = 0; i < count; i++) {
        has[0] = has[0] || point[i].x > 100.0f;
        has[1] = has[1] || point[i].y > 100.0f;
        has[2] = has[2] || point[i].z > 100.0f;
    }
    return has[0] && has[1] && has[2];
}

vp_status __wrap_vp_hull_create(const vp_hull_def *def, vp_hull *out, vp_error *error)
{
    const vp_status status = __real_vp_hull_create(def, out, error);
    if (status != VP_OK || !is_wrong_on(def->point, def->count))
        return status;
    if (is_asked("BROKEN_HULL", "open") && out->triangle_count != 0)
        out->triangle_count--;
    return status;
}

/* ---- hull2 ---- */

static vp_hull2_fn *right_hull2;

static vp_hull2_result turned_hull2(const vp_hull2_job *build)
{
    const vp_hull2_result built = right_hull2(build);
    if (built.corners > 2 && is_wrong_on(build->point, build->count)) {
        const uint32_t second = build->corner[1];
        build->corner[1] = build->corner[2];
        build->corner[2] = second;
    }
    return built;
}

vp_status __wrap_vp_kernels_named(const char *name, vp_kernels *table, vp_error *error)
{
    const vp_status status = __real_vp_kernels_named(name, table, error);
    if (status == VP_OK && is_asked("BROKEN_HULL2", "turned")) {
        right_hull2 = table->hull2;
        table->hull2 = turned_hull2;
    }
    return status;
}
