/* SPDX-License-Identifier: MIT */
/* A character walks through hills while the ground below and ahead of it is dug away. Balls that lose their ground fall. docs/TUTORIAL.md
 * explains the program step by step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <voxphys/voxphys.h>

enum { WIDTH = 64, HEIGHT = 32, ROCK = VP_FIRST_SOLID, SOIL, BALLS = 3, TRIANGLES = 1024, TICKS = 300 };
static const float walk_speed = 0.1f, gravity = 0.003f, friction = 0.8f; /* voxels and ticks, 60 ticks a second */
static vp_error error;

static void check(vp_status status)
{
    if (status != VP_OK) {
        fprintf(stderr, "%s: %s\n", vp_status_name(status), error.message);
        exit(1);
    }
}

static vp_world *create_hills(void)
{
    vp_world *world;
    check(vp_world_create(&(vp_world_def){.size = {WIDTH, HEIGHT, WIDTH}}, &world, &error));
    for (int x = 0; x < WIDTH; x++)
        for (int z = 0; z < WIDTH; z++) {
            uint8_t material[HEIGHT] = {VP_AIR}, occupancy[HEIGHT] = {0};
            const int dx = x % 32 - 16, dz = z % 32 - 16, square = dx * dx + dz * dz;
            int height = 8 * 256 + (square < 256 ? 5 * (256 - square) * (256 - square) / 256 : 0); /* 1/256 voxels */
            for (int y = 0; height > 0; y++, height -= 256) {
                material[y] = height > 2 * 256 ? ROCK : SOIL;
                occupancy[y] = (uint8_t)(height < 256 ? height - 1 : 255);
            }
            check(vp_world_write_rows(world, (vp_ivec3){x, 0, z}, (vp_dims){1, HEIGHT, 1}, material, occupancy, NULL, &error));
        }
    return world;
}

typedef struct game {
    vp_terrain *terrain;
    vp_contacts *contacts;
    vp_chunk_set stale; /* edits that the contacts don't know yet */
    vp_manifold_scratch scratch;
    vp_character_result walker;
    vp_manifold_body ball[BALLS]; /* shape and pose */
    vp_vec3 velocity[BALLS];
    uint32_t object[BALLS]; /* number of each ball among the contacts */
} game;

/* Casts a ray down. Returns a point above the ground that it hits. */
static vp_vec3 find_ground(const game *g, float x, float z, float above)
{
    const vp_ray down = {.origin = {x, HEIGHT, z}, .direction = {0.0f, -1.0f, 0.0f}, .t_max = HEIGHT};
    vp_terrain_point at;
    check(vp_terrain_raycast_point(g->terrain, VP_SURFACE_SOLID, &down, &at, &error));
    printf("ray: ground at (%.1f, %.1f, %.1f), material %u\n", (double)x, (double)at.point.y, (double)z, at.triangle.material);
    return (vp_vec3){x, at.point.y + above, z};
}

static void move_walker(game *g, const vp_terrain_reader *reader)
{
    const vp_collide_shape capsule = vp_collide_capsule(0.4f, 0.5f);
    const vp_character character = {.shape = &capsule, .up = VP_SIDE_Y_HIGH, .step = 0.5f, .stick = 0.5f, .slope = 50.0f};
    const vp_character_world around = {.reader = reader, .body = g->ball, .body_count = BALLS};
    const float fall = g->walker.ground == VP_CHARACTER_ON_GROUND ? 0.0f : g->walker.velocity.y;
    check(vp_character_move(&around, &character, g->walker.position, (vp_vec3){walk_speed, fall - gravity, 0.0f}, &g->walker, &error));
}

/* Digs at an offset from the character. */
static void dig(game *g, float x, float y, float radius)
{
    const vp_vec3 centre = vp_vec3_add(g->walker.position, (vp_vec3){x, y, 0.0f});
    check(vp_terrain_fill_sphere(g->terrain, centre, radius, (vp_voxel){VP_AIR, 0}, &g->stale, &error));
}

/* Moves a ball by a tick. It slides and does not roll. Returns whether it rests on the ground. */
static bool move_ball(game *g, int i, const vp_terrain_reader *reader)
{
    const vp_manifold_def def = {.margin = 0.0f};
    vp_manifold m[VP_MANIFOLD_DIRECTIONS];
    uint32_t count;
    vp_vec3 *const position = &g->ball[i].pose.position, *const v = &g->velocity[i], push = {0.0f, 0.0f, 0.0f};
    v->y -= gravity;
    *position = vp_vec3_add(*position, *v);
    check(vp_manifold_terrain(&def, &g->ball[i], reader, &g->scratch, m, VP_MANIFOLD_DIRECTIONS, &count, &error));
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t j = 0; j < m[k].count; j++) {
            const vp_vec3 n = m[k].point[j].normal;
            const float depth = -m[k].point[j].distance - vp_vec3_dot(push, n), stop = vp_max(-vp_vec3_dot(*v, n), 0.0f);
            push = vp_vec3_add(push, vp_vec3_scale(n, vp_max(depth, 0.0f)));
            *v = vp_vec3_add(*v, vp_vec3_scale(n, stop));
            const float slide = sqrtf(vp_vec3_dot(*v, *v));
            *v = vp_vec3_scale(*v, slide > friction * stop ? 1.0f - friction * stop / slide : 0.0f);
        }
    *position = vp_vec3_add(*position, push);
    return count > 0 && vp_vec3_dot(*v, *v) == 0.0f;
}

static void update_balls(game *g, const vp_terrain_reader *reader)
{
    uint32_t events;
    vp_aabb box;
    check(vp_contacts_terrain_changed(g->contacts, &g->stale, &error));
    vp_chunk_set_clear(&g->stale);
    const vp_contact_event *event = vp_contacts_events(g->contacts, &events);
    for (uint32_t k = 0; k < events; k++)
        if (event[k].change == VP_CONTACT_WOKE)
            printf("  the dig wakes ball %u\n", event[k].contact.object);
    vp_contacts_clear_events(g->contacts);
    for (int i = 0; i < BALLS; i++) {
        if (!vp_contacts_awake(g->contacts, g->object[i]))
            continue;
        const bool rests = move_ball(g, i, reader);
        check(vp_collide_bounds(g->ball[i].shape, &g->ball[i].pose, 0.0f, &box, &error));
        check(vp_contacts_move(g->contacts, g->object[i], &box, &error));
        if (rests) {
            check(vp_contacts_sleep(g->contacts, g->object[i], &error));
            printf("  ball %d sleeps at y = %.1f\n", i, (double)g->ball[i].pose.position.y);
        }
    }
}

int main(void)
{
    static const char *const state[] = {"in the air", "on a steep slope", "on the ground"};
    const vp_collide_shape sphere = vp_collide_sphere(0.5f);
    const float start[BALLS][2] = {{8.0f, 14.0f}, {21.0f, 16.6f}, {46.0f, 20.0f}}; /* x, z */
    static game g;
    vp_aabb box;
    vp_terrain_reader reader;
    vp_world *world = create_hills();
    check(vp_terrain_create(&(vp_terrain_def){.world = world}, &g.terrain, &error));
    vp_terrain_acquire_reader(g.terrain, &reader);
    check(vp_contacts_create(&(vp_contacts_def){.broadphase = vp_terrain_broadphase(g.terrain)}, &g.contacts, &error));
    check(vp_chunk_set_create(vp_world_chunks(world), NULL, &g.stale, &error));
    g.scratch = (vp_manifold_scratch){malloc(vp_manifold_scratch_bytes(TRIANGLES)), TRIANGLES, 0};
    for (int i = 0; i < BALLS; i++) {
        g.ball[i] = (vp_manifold_body){&sphere, vp_pose_at(find_ground(&g, start[i][0], start[i][1], 1.5f))};
        check(vp_collide_bounds(&sphere, &g.ball[i].pose, 0.0f, &box, &error));
        check(vp_contacts_add(g.contacts, &box, &g.object[i], &error));
    }
    g.walker.position = find_ground(&g, 2.0f, 16.0f, 0.9f);
    vp_terrain_release_reader(&reader);
    for (int tick = 1; tick <= TICKS; tick++) {
        if (tick == 60)
            dig(&g, 0.0f, -1.0f, 2.5f);
        if (tick >= 120 && tick < 280 && tick % 10 == 0)
            dig(&g, 1.5f, 0.5f, 1.5f);
        vp_terrain_acquire_reader(g.terrain, &reader);
        update_balls(&g, &reader);
        move_walker(&g, &reader);
        vp_terrain_release_reader(&reader);
        if (tick % 30 == 0)
            printf("tick %3d: character at (%.1f, %.1f, %.1f), %s\n", tick, (double)g.walker.position.x, (double)g.walker.position.y,
                   (double)g.walker.position.z, state[g.walker.ground]);
    }
    free(g.scratch.memory);
    vp_chunk_set_destroy(&g.stale);
    vp_contacts_destroy(g.contacts);
    vp_terrain_destroy(g.terrain);
    vp_world_destroy(world);
    return 0;
}
