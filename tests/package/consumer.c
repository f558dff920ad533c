/* SPDX-License-Identifier: MIT */
/* Three boxes in a small world: which of them touch the ground, which touch water? */
#include <stdio.h>

#include <voxphys/voxphys.h>

static int run(vp_world **world, vp_broadphase **broadphase, vp_error *error)
{
    const vp_voxel rock = {.material = 2, .occupancy = 255}, water = {.material = VP_WATER, .occupancy = 255};
    const struct {
        const char *name;
        vp_aabb box; /* in voxels; y is up */
    } objects[] = {
        {"crate on the ground", {{4.0f, 8.0f, 4.0f}, {5.0f, 9.0f, 5.0f}}},
        {"boat on the pond", {{31.0f, 7.8f, 31.0f}, {33.0f, 8.6f, 32.0f}}},
        {"bird above them", {{20.0f, 19.5f, 20.0f}, {20.5f, 20.0f, 20.5f}}},
    };

    /* Rock below y = 8, and in it a pond, four voxels deep. */
    if (vp_world_create(&(vp_world_def){.size = {64, 32, 64}}, world, error) != VP_OK ||
        vp_world_fill_box(*world, (vp_ivec3){0, 0, 0}, (vp_ivec3){64, 8, 64}, rock, NULL, error) != VP_OK ||
        vp_world_fill_box(*world, (vp_ivec3){16, 4, 16}, (vp_ivec3){48, 8, 48}, water, NULL, error) != VP_OK)
        return 1;

    if (vp_broadphase_create(&(vp_broadphase_def){.world = *world}, broadphase, error) != VP_OK)
        return 1;
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        uint32_t touch;
        if (vp_broadphase_overlap(*broadphase, &objects[i].box, &touch, error) != VP_OK)
            return 1;
        printf("%s:%s%s%s\n", objects[i].name, touch & VP_TOUCH_SOLID ? " solid" : "",
               touch & VP_TOUCH_WATER ? " water" : "", touch == 0 ? " nothing" : "");
    }
    return 0;
}

int main(void)
{
    vp_world *world = NULL;
    vp_broadphase *broadphase = NULL;
    vp_error error;
    int exit_code = run(&world, &broadphase, &error);
    if (exit_code != 0)
        fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    return exit_code;
}
