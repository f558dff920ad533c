/* SPDX-License-Identifier: MIT */
#include "host/points.h"

#include <stdlib.h>
#include <string.h>

#include <voxphys/kernel/hull.h>

#include "host/bytes.h"
#include "src/core/error.h"

vp_status vp_points_add(vp_points *points, vp_vec3 p, vp_error *error)
{
    if (points->count == VP_HULL_MAX_POINTS)
        return vp_fail(error, VP_E_FORMAT, "more than %u points", VP_HULL_MAX_POINTS);
    const vp_status status = vp_grow_array(&points->point, &points->room, (size_t)points->count + 1, sizeof p, "points", error);
    if (status == VP_OK)
        points->point[points->count++] = p;
    return status;
}

void vp_points_destroy(vp_points *points)
{
    free(points->point);
    *points = (vp_points){0};
}

void vp_points_text(const vp_vec3 *point, uint32_t count, uint32_t columns, const char *heading, vp_bytes *out)
{
    for (const char *at = heading; *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        vp_bytes_print(out, "# ");
        vp_bytes_add(out, at, length);
        vp_bytes_print(out, "\n");
        at += length + (at[length] != '\0' ? 1 : 0);
    }
    for (uint32_t i = 0; i < count && !out->failed; i++) {
        vp_bytes_print(out, "%a %a", (double)point[i].x, (double)point[i].y);
        if (columns == 3)
            vp_bytes_print(out, " %a", (double)point[i].z);
        vp_bytes_print(out, "\n");
    }
}
