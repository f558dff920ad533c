/* SPDX-License-Identifier: MIT */
/* Opens a file of another program as a world and finds the ground in its middle. The file is a Luanti map, a MagicaVoxel model or a
 * heightmap. Without a file it imports samples of a hill. Links voxphys-import. */
#include <stdio.h>

#include <voxphys/import.h>
#include <voxphys/terrain.h>

enum { EDGE = 64 };

/* Imports raw samples of 16 bits. The low byte comes first. */
static vp_status import_hill(vp_world **world, vp_blob *note, vp_error *error)
{
    static uint8_t sample[EDGE * EDGE][2];
    vp_import_def def = vp_import_defaults();
    def.format = VP_IMPORT_RAW;
    def.heights.raw_width = EDGE;
    def.heights.raw_height = EDGE;
    def.heights.height_scale = 0.01; /* voxels per step */
    def.heights.water_level = 6;
    for (int z = 0; z < EDGE; z++)
        for (int x = 0; x < EDGE; x++) {
            const int height = 2080 - (x - EDGE / 2) * (x - EDGE / 2) - (z - EDGE / 2) * (z - EDGE / 2);
            sample[z * EDGE + x][0] = (uint8_t)(height & 255);
            sample[z * EDGE + x][1] = (uint8_t)(height >> 8);
        }
    return vp_import_heightmap(sample, sizeof sample, &def, world, note, error);
}

/* Imports a file. Its world may have 64 Mi voxels, which take 128 MiB. */
static vp_status import_file(const char *path, vp_world **world, vp_blob *note, vp_error *error)
{
    vp_import_def def = vp_import_defaults();
    def.max_voxels = 64 << 20;
    return vp_import_file(path, &def, world, note, error);
}

/* Prints the hit of a ray from above with the ground. */
static vp_status print_ground(vp_terrain *terrain, vp_dims size, vp_error *error)
{
    const vp_ray down = {
        .origin = {(float)size.x / 2, (float)size.y + 1, (float)size.z / 2}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = (float)size.y + 1};
    vp_terrain_point at;
    const vp_status status = vp_terrain_raycast_point(terrain, VP_SURFACE_SOLID, &down, &at, error);
    if (status == VP_OK && at.hit.in_chunk.triangle >= 0)
        printf("the ground in the middle is at y = %.2f, of material %u\n", (double)at.point.y, at.triangle.material);
    else if (status == VP_OK)
        printf("no ground is in the middle\n");
    return status;
}

int main(int argc, char **argv)
{
    vp_world *world = NULL;
    vp_terrain *terrain = NULL;
    vp_blob note = {0};
    vp_error error;
    vp_status status = argc > 1 ? import_file(argv[1], &world, &note, &error) : import_hill(&world, &note, &error);
    if (status == VP_OK) {
        const vp_dims size = vp_world_size(world);
        printf("%u x %u x %u voxels\n%s", size.x, size.y, size.z, (const char *)note.bytes);
        status = vp_terrain_create(&(vp_terrain_def){.world = world}, &terrain, &error);
        if (status == VP_OK)
            status = print_ground(terrain, size, &error);
    }
    vp_terrain_destroy(terrain);
    vp_world_destroy(world);
    vp_blob_destroy(&note);
    if (status != VP_OK)
        fprintf(stderr, "%s\n", error.message);
    return status == VP_OK ? 0 : 1;
}
