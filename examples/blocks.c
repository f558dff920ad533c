/* SPDX-License-Identifier: MIT */
/* A planet of blocks. A player digs and walks on it, while its meshes and colliders are rebuilt concurrently with the
 * game's tick. */
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

#include "thread_pool.h"

static void check(vp_status status, const vp_error *error)
{
    if (status == VP_OK)
        return;
    fprintf(stderr, "%s: %s\n", vp_status_name(status), error->message);
    exit(1);
}

/* A game would give a chunk's mesh to the renderer here, and its boxes to the physics engine. */
static void show(void *user, vp_block_job_result *made)
{
    uint32_t *now = user;
    now[0] += 1;
    now[1] += 2 * made->mesh.quad_count;
    now[2] += made->boxes.count;
}

static void tick_until_shown(vp_block_jobs *jobs, const char *what, uint32_t now[3])
{
    vp_block_tick_result ticked = {.pending = 1};
    vp_error error;
    now[0] = now[1] = now[2] = 0;
    while (ticked.pending != 0) /* a game renders a frame in between */
        check(vp_block_jobs_tick(jobs, &ticked, &error), &error);
    printf("%s: %u chunks, %u triangles, %u boxes\n", what, now[0], now[1], now[2]);
}

int main(void)
{
    static thread_pool pool;
    vp_blocks *world = NULL;
    vp_block_jobs *jobs = NULL;
    vp_block_planet planet;
    vp_block_changes changes = {0};
    uint32_t now[3];
    vp_error error;
    if (!thread_pool_begin(&pool, 2))
        return 1;
    const vp_executor executor = thread_pool_executor(&pool);
    const vp_block_planet_def seed = {.seed = 42, .chunks = 5, .platforms = true};
    check(vp_block_planet_init(&seed, &planet, &error), &error);
    check(vp_blocks_create(&(vp_blocks_def){.type = NULL}, &world, &error), &error);
    check(vp_blocks_fill(world, planet.low, (vp_dims){5, 5, 5}, vp_block_planet_fill, &planet, &executor, &error), &error);
    const vp_block_jobs_def def = {.blocks = world, .apply = show, .user = now, .executor = &executor};
    check(vp_block_jobs_create(&def, &jobs, &error), &error);
    tick_until_shown(jobs, "planet", now);

    /* A ray from above finds the ground, and a sphere around the hit is removed. */
    const vp_vec3 above = {(float)planet.centre.x + 12.5f, 79.0f, (float)planet.centre.z + 12.5f};
    vp_block_held held = {0};
    vp_block_hit hit;
    check(vp_blocks_acquire_box(world, planet.low, (vp_dims){5, 5, 5}, &held, &error), &error);
    check(vp_block_ray(&held.view, NULL, &(vp_block_line){.origin = above, .move = {0, -100, 0}}, &hit, &error), &error);
    printf("ground: block %d %d %d\n", (int)hit.block.x, (int)hit.block.y, (int)hit.block.z);
    vp_blocks_release_box(world, &held);
    const vp_vec3 ground = {above.x, (float)hit.block.y + 0.5f, above.z};
    const vp_block_edit dig = {.shape = VP_BLOCK_SPHERE, .centre = ground, .radius = 4};
    check(vp_blocks_edit(world, &dig, 1, &changes, &error), &error);
    check(vp_block_jobs_mark_changed(jobs, &changes, &error), &error);
    tick_until_shown(jobs, "crater", now);

    /* A player falls into the hole and climbs its side. */
    const vp_block_mover mover = {.half = {0.3f, 0.9f, 0.3f}, .up = VP_SIDE_Y_HIGH, .step = 1.01f};
    vp_block_move_result player = {.centre = {ground.x, ground.y + 3, ground.z}};
    check(vp_blocks_acquire_box(world, planet.low, (vp_dims){5, 5, 5}, &held, &error), &error);
    for (int i = 0; i < 60; i++) {
        const vp_vec3 move = {i < 30 ? 0.0f : 0.2f, -0.4f, 0.0f};
        check(vp_block_move(&held.view, &mover, player.centre, move, &player, &error), &error);
        if (i == 29 || i == 59)
            printf("player: %g %g %g\n", (double)player.centre.x, (double)player.centre.y, (double)player.centre.z);
    }
    vp_blocks_release_box(world, &held);
    vp_block_jobs_destroy(jobs);
    vp_block_changes_destroy(&changes);
    vp_blocks_destroy(world);
    thread_pool_end(&pool);
    return 0;
}
