/* SPDX-License-Identifier: MIT */
/* Decomposes an L into convex hulls for a physics engine. */
#include <stdio.h>

#include <voxphys/voxphys.h>

enum { CORNERS = 6, POINTS = 2 * CORNERS };

/* The L seen from the front, counterclockwise, and its front cut into triangles. */
static const float profile[CORNERS][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
static const uint32_t front[4][3] = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};

int main(void)
{
    vp_vec3 point[POINTS]; /* the front's corners, then the back's */
    uint32_t triangle[2 * 4 + 2 * CORNERS][3];
    uint32_t count = 0;
    for (uint32_t i = 0; i < POINTS; i++)
        point[i] = (vp_vec3){profile[i % CORNERS][0], profile[i % CORNERS][1], i < CORNERS ? 1.0f : 0.0f};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t back = 0; back < 2; back++, count++)
            for (uint32_t k = 0; k < 3; k++)
                triangle[count][k] = back ? front[i][2 - k] + CORNERS : front[i][k];
    for (uint32_t i = 0, next = 1; i < CORNERS; i++, next = (next + 1) % CORNERS)
        for (uint32_t half = 0; half < 2; half++, count++)
            for (uint32_t k = 0; k < 3; k++)
                triangle[count][k] = (const uint32_t[2][3]){{i, i + CORNERS, next}, {next, i + CORNERS, next + CORNERS}}[half][k];

    const vp_decomposition_def def = {.point = point,
                                      .point_count = POINTS,
                                      .triangle = (const uint32_t(*)[3])triangle,
                                      .triangle_count = count,
                                      .concavity = 20}; /* of 1000: may fill concavities up to a fiftieth of the longest side */
    vp_decomposition parts;
    vp_error error;
    if (vp_decomposition_create(&def, &parts, &error) != VP_OK) {
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
        return 1;
    }
    for (uint32_t i = 0; i < parts.hull_count; i++) {
        const vp_decomposition_hull *part = &parts.hull[i]; /* a dimension below 3 is flat, and an engine decides about its thickness */
        printf("hull %u: %u vertices, volume %g, error %g\n", i, part->hull.vertex_count, part->hull.volume, part->error);
        for (uint32_t v = 0; v < part->hull.vertex_count; v++) {
            const vp_vec3 p = part->point[part->hull.vertex[v]];
            printf("  (%g, %g, %g)", (double)p.x, (double)p.y, (double)p.z);
        }
        putchar('\n');
    }
    vp_decomposition_destroy(&parts);
    return 0;
}
