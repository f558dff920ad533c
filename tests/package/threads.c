/* SPDX-License-Identifier: MIT */
/* The broadphase of one world, built by one thread and by OpenMP: the same tags and masks. */
#include <stdio.h>
#include <string.h>

#include <voxphys/voxphys.h>

int main(void)
{
    const vp_voxel rock = {.material = 2, .occupancy = 255};
    const vp_executor executor = vp_executor_openmp(2);
    vp_world *world = NULL;
    vp_broadphase *built[2] = {NULL, NULL};
    vp_error error;
    if (vp_world_create(&(vp_world_def){.size = {64, 64, 64}}, &world, &error) != VP_OK ||
        vp_world_fill_sphere(world, (vp_vec3){32.0f, 32.0f, 32.0f}, 20.0f, rock, NULL, &error) != VP_OK ||
        vp_broadphase_create(&(vp_broadphase_def){.world = world}, &built[0], &error) != VP_OK ||
        vp_broadphase_create(&(vp_broadphase_def){.world = world, .executor = &executor}, &built[1], &error) != VP_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int different = 0, mixed = 0;
    for (int32_t i = 0; i < 512; i++) {
        const vp_ivec3 chunk = {i % 8, i / 64, i / 8 % 8};
        mixed += vp_broadphase_chunk_class(built[0], chunk) == VP_CHUNK_MIXED;
        different += vp_broadphase_chunk_class(built[0], chunk) != vp_broadphase_chunk_class(built[1], chunk) ||
                     memcmp(vp_broadphase_masks(built[0], chunk), vp_broadphase_masks(built[1], chunk), sizeof(vp_chunk_masks)) != 0;
    }
    printf("%s chunks with masks, %d differ\n", mixed > 0 ? "some" : "no", different);
    vp_broadphase_destroy(built[0]);
    vp_broadphase_destroy(built[1]);
    vp_world_destroy(world);
    return 0;
}
