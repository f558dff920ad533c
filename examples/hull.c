/* SPDX-License-Identifier: MIT */
/* The convex hull of a cube's corners and of a point inside. */
#include <stdio.h>

#include <voxphys/voxphys.h>

int main(void)
{
    vp_vec3 point[9] = {{0.5f, 0.25f, 0.75f}};
    for (int i = 0; i < 8; i++)
        point[i + 1] = (vp_vec3){(float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2)};

    vp_hull hull = {0};
    vp_error error;
    if (vp_hull_create(&(vp_hull_def){.point = point, .count = 9}, &hull, &error) != VP_OK) {
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
        return 1;
    }
    printf("%u vertices, %u triangles, volume %g\n", hull.vertex_count, hull.triangle_count, hull.volume);
    for (uint32_t f = 0; f < hull.face_count; f++) {
        printf("normal %g %g %g:", hull.plane[f][0], hull.plane[f][1], hull.plane[f][2]);
        for (uint32_t c = hull.first_corner[f]; c < hull.first_corner[f + 1]; c++) {
            const vp_vec3 p = point[hull.vertex[hull.corner[c]]]; /* corners are vertex numbers, vertices are point numbers */
            printf("  (%g, %g, %g)", (double)p.x, (double)p.y, (double)p.z);
        }
        putchar('\n');
    }
    vp_hull_destroy(&hull);
    return 0;
}
