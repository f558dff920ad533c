/* SPDX-License-Identifier: MIT */
/* A crate stands on rock, which is then dug away below it. A program of a project that knows no C. */
#include <cstdio>

#include <voxphys/voxphys.h>

static bool run(vp_world **world, vp_broadphase **broadphase, vp_error *error)
{
    const vp_voxel rock = {2, 255}, air = {0, 0};
    const vp_aabb crate = {{4.0f, 8.0f, 4.0f}, {5.0f, 9.0f, 5.0f}};
    uint32_t before = 0, after = 0;

    vp_world_def world_def = {};
    world_def.size = {16, 16, 16};
    vp_broadphase_def broadphase_def = {};
#ifdef WITH_OPENMP
    const vp_executor executor = vp_executor_openmp(2);
    broadphase_def.executor = &executor;
#endif
    if (vp_world_create(&world_def, world, error) != VP_OK ||
        vp_world_fill_box(*world, {0, 0, 0}, {16, 8, 16}, rock, nullptr, error) != VP_OK)
        return false;
    broadphase_def.world = *world;
    vp_chunk_set stale = {};
    if (vp_broadphase_create(&broadphase_def, broadphase, error) != VP_OK ||
        vp_broadphase_overlap(*broadphase, &crate, &before, error) != VP_OK ||
        vp_chunk_set_create(vp_world_chunks(*world), nullptr, &stale, error) != VP_OK)
        return false;
    const bool done = vp_world_fill_box(*world, {0, 0, 0}, {16, 8, 16}, air, &stale, error) == VP_OK &&
                      vp_broadphase_update(*broadphase, *world, &stale, error) == VP_OK &&
                      vp_broadphase_overlap(*broadphase, &crate, &after, error) == VP_OK;
    vp_chunk_set_destroy(&stale);
    if (done)
        std::printf("on %s, then on %s, by %s kernels\n", before == VP_TOUCH_SOLID ? "rock" : "nothing",
                    after == 0 ? "nothing" : "rock", vp_version_count >= VP_KERNEL_COUNT ? "all" : "some");
    return done;
}

int main()
{
    vp_world *world = nullptr;
    vp_broadphase *broadphase = nullptr;
    vp_error error = {};
    const bool done = run(&world, &broadphase, &error);
    if (!done)
        std::fprintf(stderr, "%s: %s\n", vp_status_name(error.status), error.message);
    vp_broadphase_destroy(broadphase);
    vp_world_destroy(world);
    return done ? 0 : 1;
}
